"""Every run by itself: is it stable, and does it change from the first run to the last?

Where the order of the runs is known and the variants are few, along that order; else a row per
variant. A mark is a run, a bar the median of a variant's runs.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import BY_NAME, Comparison, VariantSummary, rows_of
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.names import short_names, with_marks
from benchkit.figures.scales import from_zero, latency_axis, names_axis

if TYPE_CHECKING:
    from benchkit.results import Results

_LATENCIES: Final = ("latency_p99_s", "latency_p95_s", "latency_p50_s", "latency_mean_s")
_FEW: Final = 5  # up to so many runs of a variant each has a place and a text of its own
_PANEL: Final = 180
_ROW, _CROWDED_ROW, _EDGE, _LEAST = 26, 20, 64, 120
_MARGIN: Final = 0.1
_MOST_TICKS: Final = 5  # of an axis that lies
_FIXED: Final = 1.01
_EVEN: Final = 1.05
_COURSE: Final = ("DRIFT", "WARMUP")


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: whose it is, its number among those, its place in time, its values."""

    label: str
    number: int
    place: int
    values: Mapping[str, float | None]
    withheld: frozenset[str]


def runs(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None where no variant has several runs."""
    columns = _columns(comparison)
    if not columns or max(one.runs for one in comparison.variants) < 2:
        return None
    found, ordered = _runs(results, comparison, columns)
    along = ordered and (len(comparison.variants) < look.CROWD or _drifted(comparison))
    title = _title(comparison, found, columns)
    make = _order_panel if along else _row_panel
    panels = tuple(make(comparison, found, column) for column in columns)
    return Chart(
        kind="runs",
        title=title,
        subtitle=_subtitle(comparison, along=along),
        label=f"{title}. Each run of each variant; values in the table below",
        panels=panels,
        table=_table(found, columns, along=along),
        height=_height(comparison, len(columns), along=along),
        rows=not along,
    )


def _columns(comparison: Comparison) -> list[str]:
    """Return throughput, unless something fixed it, and the latency that most variants have."""
    known = {
        c: sum(one.values[c] is not None for one in comparison.variants)
        for c in ("throughput_rps", *_LATENCIES)
    }
    latency = max(_LATENCIES, key=lambda c: known[c])
    fixed = comparison.facts("load_model") == ("open",) or _constant(comparison)
    chosen = [] if fixed and known[latency] else ["throughput_rps"]
    return [column for column in (*chosen, latency) if known[column]]


def _constant(comparison: Comparison) -> bool:
    """Whether throughput was the same in all runs, as under a schedule."""
    low = [v for one in comparison.variants if (v := one.low["throughput_rps"]) is not None]
    high = [v for one in comparison.variants if (v := one.high["throughput_rps"]) is not None]
    return bool(low) and max(high) <= _FIXED * min(low)


def _runs(
    results: Results, comparison: Comparison, columns: Sequence[str]
) -> tuple[list[_Run], bool]:
    """Return the runs in the order in which they began, and whether that is known."""
    rows = {row["run_id"]: row for row in rows_of(results.runs)}
    by_label = {one.label: one for one in comparison.variants}
    listed = [
        (rows[run_id], by_label[label], number)
        for label in comparison.order
        for number, run_id in enumerate(by_label[label].run_ids, 1)
    ]
    begun = [row["started_at"] for row, _, _ in listed]
    ordered = None not in begun and len(set(begun)) == len(begun)
    if ordered:
        listed.sort(key=lambda item: item[0]["started_at"])
    return [
        _Run(
            label=one.label,
            number=row["repeat"] or number,
            place=place,
            values=_values(row, one, columns),
            withheld=frozenset(one.withheld),
        )
        for place, (row, one, number) in enumerate(listed, 1)
    ], ordered


def _values(
    row: Mapping[str, Any], one: VariantSummary, columns: Sequence[str]
) -> dict[str, float | None]:
    return {c: None if c in one.withheld or row[c] is None else float(row[c]) for c in columns}


def _drifted(comparison: Comparison) -> bool:
    findings = getattr(comparison, "findings", ())
    return any(one.first.check in _COURSE for one in findings)


def _of(found: Sequence[_Run], label: str, column: str) -> list[tuple[_Run, float]]:
    mine = [one for one in found if one.label == label]
    return [(one, value) for one in mine if (value := one.values[column]) is not None]


def _order_panel(comparison: Comparison, found: Sequence[_Run], column: str) -> Panel:
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
    for label in sorted(roles, key=lambda label: roles[label] != look.CONTEXT):
        mine = _of(found, label, column)
        if not mine:
            continue
        middle = statistics.median(value for _, value in mine)
        series += _order_marks(label, roles[label], mine, column, last=len(found))
        if label in named:
            ends.append(End(len(found), middle, named[label], roles[label]))
    notes = end_names(ends, y, height=_PANEL * 0.72)
    return Panel(x, y, tuple(series), notes, title=_heading(column))


def _order_marks(
    label: str, role: str, mine: Sequence[tuple[_Run, float]], column: str, *, last: int
) -> list[Series]:
    middle = statistics.median(value for _, value in mine)
    guide = Series(
        label, role, (1.0, float(last)), (middle, middle), line=1.2, faint=True, in_table=False
    )
    dots = Series(
        label,
        role,
        tuple(float(one.place) for one, _ in mine),
        tuple(value for _, value in mine),
        marker=8 if len(mine) <= _FEW else 6,
        faint=len(mine) > _FEW,
        hover=tuple(_hover(one, column, value) for one, value in mine),
    )
    return [guide, dots]


def _order_axis(count: int) -> Axis:
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, count) if count / n <= 12)
    places = [1, *(n for n in range(step, count + 1, step) if n > 1)]
    ticks = tuple((float(n), f"run {n}" if n == 1 else show.count(n)) for n in places)
    return Axis("linear", 0.5, count + 0.5, ticks, grid=False)


def _row_panel(comparison: Comparison, found: Sequence[_Run], column: str) -> Panel:
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    every = [value for one in found if (value := one.values[column])]
    series: list[Series] = []
    notes: list[Note] = []
    for row, variant in enumerate(comparison.variants):
        mine = _of(found, variant.label, column)
        if mine:
            series += _row_marks(variant.label, roles[variant.label], mine, column, -float(row))
            notes.append(_spanned(comparison, variant.label, mine, column, -float(row)))
    return Panel(
        x=_value_axis(column, every, room=0.3),
        y=names_axis([short[one.label] for one in comparison.variants]),
        series=tuple(series),
        notes=tuple(notes),
        title=_heading(column),
    )


def _row_marks(
    label: str, role: str, mine: Sequence[tuple[_Run, float]], column: str, y: float
) -> list[Series]:
    middle = statistics.median(value for _, value in mine)
    bar = Series(label, role, (middle, middle), (y - 0.32, y + 0.32), line=2.5, in_table=False)
    dots = Series(
        label,
        role,
        tuple(value for _, value in mine),
        tuple(y + offset for offset in _offsets(len(mine))),
        marker=7 if len(mine) <= _FEW else 6,
        faint=len(mine) > _FEW,
        hover=tuple(_hover(one, column, value) for one, value in mine),
    )
    return [dots, bar] if len(mine) > 1 else [dots]


def _offsets(count: int) -> list[float]:
    """Return how far above its row each run stands: in order from above, or spread evenly."""
    if count <= _FEW:
        return [0.25 - 0.5 * n / (count - 1) for n in range(count)] if count > 1 else [0.0]
    golden = (5**0.5 - 1) / 2
    return [0.6 * ((n * golden) % 1 - 0.5) for n in range(count)]


def _spanned(
    comparison: Comparison,
    label: str,
    mine: Sequence[tuple[_Run, float]],
    column: str,
    y: float,
) -> Note:
    values = [value for _, value in mine]
    text = with_marks(_span(values, column), comparison.marks(label, column))
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


def _hover(one: _Run, column: str, value: float) -> str:
    name = show.clean(one.label, limit=40)
    return f"{name}, run {one.number}\n{BY_NAME[column].title} {BY_NAME[column].prose(value)}"


def _span(values: Sequence[float], column: str) -> str:
    """Return the smallest and the largest of some values in words, one where they look equal."""
    write: Callable[[float], str] = show.rate if column == "throughput_rps" else show.duration
    low, high = write(min(values)), write(max(values))
    if low == high:
        return low
    number, unit = low.partition(show.NBSP)[::2]
    same = unit and high.endswith(f"{show.NBSP}{unit}")
    return f"{number if same else low}{show.EN_DASH}{high}"


def _title(comparison: Comparison, found: Sequence[_Run], columns: Sequence[str]) -> str:
    """Return which variant's runs were furthest apart, and how far."""
    spans = [
        (max(values) / min(values), label, column, values)
        for label in comparison.order
        for column in columns
        if len(values := [value for _, value in _of(found, label, column)]) > 1 and min(values) > 0
    ]
    if not spans:
        return "Each run"
    most, label, column, values = max(spans, key=lambda item: item[0])
    if most < _EVEN:
        return f"Runs of a variant were within {show.share(round(most - 1, 3))} of each other"
    what = BY_NAME[column].title
    what = what if what.startswith("p") else what.lower()
    unit = f"{show.NBSP}req/s" if column == "throughput_rps" else ""
    name = show.quoted(label, limit=60)
    count = show.plural(len(values), "run")
    return f"{name} varied most: {what} {_span(values, column)}{unit} over {count}"


def _subtitle(comparison: Comparison, *, along: bool) -> str:
    few = max(one.runs for one in comparison.variants) <= _FEW
    if along:
        parts = ["A mark per run, in the order in which they began; lines are medians."]
    elif few:
        parts = ["A mark per run, the first on top; bars are medians, texts the range."]
    else:
        parts = ["A mark per run, spread out by height; bars are medians, texts the range."]
    single = sum(one.runs == 1 for one in comparison.variants)
    if single:
        parts.append(f"{show.plural(single, 'variant')} with a single run.")
    return " ".join(parts)


def _table(found: Sequence[_Run], columns: Sequence[str], *, along: bool) -> DataTable:
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


def _absent(one: _Run, column: str) -> str:
    return show.WITHHELD if column in one.withheld else show.NOT_PRINTED


def _height(comparison: Comparison, panels: int, *, along: bool) -> int:
    if along:
        return 40 + _PANEL * panels
    row = _ROW if len(comparison.variants) < look.CROWD else _CROWDED_ROW
    return panels * max(_LEAST, _EDGE + row * len(comparison.variants))
