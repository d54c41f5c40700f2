"""Every run by itself: is it stable, and does it change from the first run to the last?

Where the order of the runs is known and the variants are few, along that order; else a row per
variant. A mark is a run, a bar the median of a variant's runs.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare import BY_NAME, Comparison
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.eachrun import Run, Spread, collected, columns, of, ranked, span, spreads
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.names import short_names, with_marks

if TYPE_CHECKING:
    from benchkit.results import Results

_FEW: Final = 5  # up to so many runs of a variant each has a place and a text of its own
_PANEL: Final = 180
_ROW, _CROWDED_ROW, _EDGE, _LEAST = 26, 20, 64, 120
_MARGIN: Final = 0.1
_MOST_TICKS: Final = 4  # of an axis that lies
_MOST_ROWS: Final = 24
_EVEN: Final = 1.05
_COURSE: Final = ("DRIFT", "WARMUP")


def runs(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None where no variant has several runs."""
    names = columns(comparison)
    if not names or max(one.runs for one in comparison.variants) < 2:
        return None
    found, ordered = collected(results, comparison, names)
    spread = spreads(found, names)
    along = ordered and (len(comparison.variants) < look.CROWD or _drifted(comparison))
    labels = [one.label for one in comparison.variants]
    if not along and len(labels) > _MOST_ROWS:
        furthest = [*dict.fromkeys(one.label for one in spread), *labels]
        kept = set(list(dict.fromkeys(furthest))[:_MOST_ROWS])
        labels = [label for label in labels if label in kept]
        found = [one for one in found if one.label in kept]
    make = _order_panel if along else _row_panel
    title = _title(spread, even=ranked(found, names) == names)
    return Chart(
        kind="runs",
        title=title,
        subtitle=_subtitle(comparison, labels, along=along, zeros=_zeros(found, names)),
        label=f"{title}. Each run of each variant; values in the table below",
        panels=tuple(make(comparison, found, column, labels) for column in names),
        table=_table(found, names, along=along),
        height=len(names) * (_PANEL if along else _row_height(len(labels))) + 40 * along,
        rows=not along,
    )


def _drifted(comparison: Comparison) -> bool:
    findings = getattr(comparison, "findings", ())
    return any(one.first.check in _COURSE for one in findings)


def _order_panel(
    comparison: Comparison, found: Sequence[Run], column: str, labels: Sequence[str]
) -> Panel:
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    named = {
        label: with_marks(short[label], comparison.marks(label, column))
        for label, role in roles.items()
        if role != look.CONTEXT
    }
    x = with_room(_order_axis(len(found)), named.values())
    y = _value_axis(column, [v for one in found if (v := one.values[column])], room=_MARGIN)
    series: list[Series] = []
    ends: list[End] = []
    for label in sorted(labels, key=lambda label: roles[label] != look.CONTEXT):
        mine = of(found, label, column)
        if not mine:
            continue
        middle = statistics.median(value for _, value in mine)
        series += _order_marks(label, roles[label], mine, column, last=len(found))
        if label in named and _stands(middle, column):
            ends.append(End(len(found), middle, named[label], roles[label]))
    notes = end_names(ends, y, height=_PANEL * 0.72)
    return Panel(x, y, tuple(series), notes, title=_heading(column))


def _order_marks(
    label: str, role: str, mine: Sequence[tuple[Run, float]], column: str, *, last: int
) -> list[Series]:
    middle = statistics.median(value for _, value in mine)
    guide = Series(
        label, role, (1.0, float(last)), (middle, middle), line=1.2, faint=True, in_table=False
    )
    drawn = [(one, value) for one, value in mine if _stands(value, column)]
    dots = Series(
        label,
        role,
        tuple(float(one.place) for one, _ in drawn),
        tuple(value for _, value in drawn),
        marker=8 if len(mine) <= _FEW else 6,
        faint=len(mine) > _FEW,
        hover=tuple(_hover(one, column, value) for one, value in drawn),
    )
    return [*([guide] if _stands(middle, column) else []), *([dots] if drawn else [])]


def _stands(value: float, column: str) -> bool:
    """Whether a value has a place on its axis, which is a log axis for latencies."""
    return value > 0 or column == "throughput_rps"


def _zeros(found: Sequence[Run], columns: Sequence[str]) -> bool:
    every = ((one.values[column], column) for one in found for column in columns)
    return any(value is not None and not _stands(value, column) for value, column in every)


def _order_axis(count: int) -> Axis:
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, count) if count / n <= 12)
    places = [1, *(n for n in range(step, count + 1, step) if n > 1)]
    ticks = tuple((float(n), f"run {n}" if n == 1 else show.count(n)) for n in places)
    return Axis("linear", 0.5, count + 0.5, ticks, grid=False)


def _row_panel(
    comparison: Comparison, found: Sequence[Run], column: str, labels: Sequence[str]
) -> Panel:
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    every = [value for one in found if (value := one.values[column])]
    x = _value_axis(column, every, room=0.3)
    series: list[Series] = []
    notes: list[Note] = []
    for row, label in enumerate(labels):
        mine = of(found, label, column)
        if mine:
            series += _row_marks(label, roles[label], mine, column, -float(row))
            note = _spanned(comparison, label, mine, column, -float(row))
            notes.append(note if _stands(note.x, column) else replace(note, x=x.low))
    return Panel(
        x=x,
        y=names_axis([short[label] for label in labels]),
        series=tuple(series),
        notes=tuple(notes),
        title=_heading(column),
    )


def _row_marks(
    label: str, role: str, mine: Sequence[tuple[Run, float]], column: str, y: float
) -> list[Series]:
    middle = statistics.median(value for _, value in mine)
    bar = Series(label, role, (middle, middle), (y - 0.32, y + 0.32), line=2.5, in_table=False)
    placed = list(zip(mine, _offsets(len(mine)), strict=True))
    drawn = [(one, value, at) for (one, value), at in placed if _stands(value, column)]
    dots = Series(
        label,
        role,
        tuple(value for _, value, _ in drawn),
        tuple(y + offset for *_, offset in drawn),
        marker=7 if len(mine) <= _FEW else 6,
        faint=len(mine) > _FEW,
        hover=tuple(_hover(one, column, value) for one, value, _ in drawn),
    )
    barred = len(mine) > 1 and _stands(middle, column)
    return [*([dots] if drawn else []), *([bar] if barred else [])]


def _offsets(count: int) -> list[float]:
    """Return how far above its row each run stands: in order from above, or spread evenly."""
    if count <= _FEW:
        return [0.25 - 0.5 * n / (count - 1) for n in range(count)] if count > 1 else [0.0]
    golden = (5**0.5 - 1) / 2
    return [0.6 * ((n * golden) % 1 - 0.5) for n in range(count)]


def _spanned(
    comparison: Comparison,
    label: str,
    mine: Sequence[tuple[Run, float]],
    column: str,
    y: float,
) -> Note:
    values = [value for _, value in mine]
    text = with_marks(span(values, column), comparison.marks(label, column))
    return Note(max(values), y, text, role="text", dx=10)


def _value_axis(column: str, values: Sequence[float], *, room: float) -> Axis:
    if column == "throughput_rps":
        return from_zero(values, room=room, steps=4)
    if room <= _MARGIN:
        return latency_axis(values, room=room, most=7)
    axis = latency_axis(values, room=_MARGIN, most=_MOST_TICKS)
    return replace(axis, high=axis.high * (axis.high / axis.low) ** (room / (1 - room)))


def _heading(column: str) -> str:
    if column == "throughput_rps":
        return "Throughput, responses/s, from zero"
    name = BY_NAME[column].title
    return f"{name if name.startswith('p') else f'{name} latency'}, log scale"


def _hover(one: Run, column: str, value: float) -> str:
    name = show.clean(one.label, limit=40)
    return f"{name}, run {one.number}\n{BY_NAME[column].title} {BY_NAME[column].prose(value)}"


def _title(spread: Sequence[Spread], *, even: bool) -> str:
    """Return which variant's runs were furthest apart, and how far.

    Args:
        spread: The furthest first.
        even: Whether it may be said that none were.
    """
    if not spread:
        return "Each run"
    most = spread[0]
    if most.ratio < _EVEN and not even:
        return "Each run"
    if most.ratio < _EVEN:
        return f"Runs of a variant were within {show.share(round(most.ratio - 1, 3))} of each other"
    what = BY_NAME[most.column].title
    what = what if what.startswith("p") else what.lower()
    unit = f"{show.NBSP}req/s" if most.column == "throughput_rps" else ""
    count = show.plural(len(most.values), "run")
    values = f"{span(most.values, most.column)}{unit}"
    return f"{show.quoted(most.label)} varied most: {what} {values} over {count}"


def _subtitle(comparison: Comparison, labels: Sequence[str], *, along: bool, zeros: bool) -> str:
    few = max(one.runs for one in comparison.variants) <= _FEW
    if along:
        parts = ["A mark per run, in the order in which they began; lines are medians."]
    elif few:
        parts = ["A mark per run, the first on top; bars are medians, texts the range."]
    else:
        parts = ["A mark per run, spread out by height; bars are medians, texts the range."]
    if len(labels) < len(comparison.variants):
        parts.append(f"The {len(labels)} of {len(comparison.variants)} that varied most.")
    single = sum(one.runs == 1 for one in comparison.variants)
    if single:
        parts.append(f"{show.plural(single, 'variant')} with a single run.")
    if zeros:
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts)


def _table(found: Sequence[Run], columns: Sequence[str], *, along: bool) -> DataTable:
    texts = {c: BY_NAME[c].cells([one.values[c] for one in found]) for c in columns}
    headings = [BY_NAME[c].heading([one.values[c] for one in found]) for c in columns]
    rows = [
        (
            one.label,
            (
                (show.count(one.place if along else one.number), None),
                *((texts[c][n] or _absent(one, c), one.values[c]) for c in columns),
            ),
        )
        for n, one in enumerate(found)
    ]
    return DataTable(("Variant", "Run in order" if along else "Run", *headings), tuple(rows))


def _absent(one: Run, column: str) -> str:
    return show.WITHHELD if column in one.withheld else show.NOT_PRINTED


def _row_height(rows: int) -> int:
    return max(_LEAST, _EDGE + (_ROW if rows < look.CROWD else _CROWDED_ROW) * rows)
