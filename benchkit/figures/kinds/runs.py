"""Every run by itself: is it stable, and does it change from the first run to the last?

Where the order of the runs is known and the variants are few, along that order; else a row per
variant. A mark is a run, a bar the median of a variant's runs.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.kinds.run_marks import (
    RunMark,
    Spread,
    in_order,
    is_ranked,
    metrics_of,
    span,
    spreads,
)
from benchkit.figures.legend import Legend, legend
from benchkit.figures.linenames import LineEnd, end_names, with_room
from benchkit.figures.rows import absent
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.model.comparison import Comparison
from benchkit.model.metric import THROUGHPUT, Metric
from benchkit.names import with_marks

_FEW: Final = 5  # up to so many runs of a variant each has a place and a text of its own
_PANEL: Final = 180
_ROW, _CROWDED_ROW, _EDGE, _LEAST = 26, 20, 64, 120
_MARGIN: Final = 0.1
_MOST_TICKS: Final = 4  # of an axis that lies
_MOST_ROWS: Final = 24
_EVEN: Final = 1.05
_COURSE: Final = ("DRIFT", "WARMUP")


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None where no variant has several runs."""
    metrics = metrics_of(comparison)
    if not metrics or max(map(len, comparison.variants)) < 2:
        return None
    marks, ordered = in_order(comparison)
    spread = spreads(comparison, metrics)
    along = ordered and (len(comparison.variants) < look.CROWD or _drifted(comparison))
    labels = [variant.label for variant in comparison.variants]
    if not along and len(labels) > _MOST_ROWS:
        furthest = dict.fromkeys([*(each.label for each in spread), *labels])
        kept = set(list(furthest)[:_MOST_ROWS])
        labels = [label for label in labels if label in kept]
        marks = [mark for mark in marks if mark.label in kept]
    panel = _order_panel if along else _row_panel
    names = legend(comparison)
    title = _title(spread, even=all(is_ranked(comparison, metric) for metric in metrics))
    return Chart(
        kind="runs",
        title=title,
        subtitle=_subtitle(comparison, labels, along=along, zeros=_zeros(marks, metrics)),
        label=f"{title}. Each run of each variant; values in the table below",
        panels=tuple(panel(comparison, marks, metric, labels, names) for metric in metrics),
        table=_table(marks, metrics, along=along),
        height=len(metrics) * (_PANEL if along else _row_height(len(labels))) + 40 * along,
        rows=not along,
    )


def _drifted(comparison: Comparison) -> bool:
    return any(numbered.first.check in _COURSE for numbered in comparison.findings)


def _known(marks: Sequence[RunMark], label: str, metric: Metric) -> list[tuple[RunMark, float]]:
    """Return the runs of a variant that have a metric, with its value."""
    mine = (mark for mark in marks if mark.label == label)
    return [(mark, value) for mark in mine if (value := mark.value(metric)) is not None]


def _middle(known: Sequence[tuple[RunMark, float]]) -> float:
    return statistics.median(value for _, value in known)


def _order_panel(
    comparison: Comparison,
    marks: Sequence[RunMark],
    metric: Metric,
    labels: Sequence[str],
    names: Legend,
) -> Panel:
    named = {
        label: with_marks(names.short[label], comparison.marks(label, metric.column))
        for label in names.coloured
    }
    x = with_room(_order_axis(len(marks)), named.values())
    y = _value_axis(metric, [v for mark in marks if (v := mark.value(metric))], room=_MARGIN)
    series: list[Series] = []
    ends: list[LineEnd] = []
    for label in sorted(labels, key=lambda label: label in named):
        known = _known(marks, label, metric)
        if not known:
            continue
        middle, role = _middle(known), names.roles[label]
        series += _order_marks(label, role, known, metric, last=len(marks))
        if label in named and _stands(middle, metric):
            ends.append(LineEnd(len(marks), middle, named[label], role))
    notes = end_names(ends, y, height=_PANEL * 0.72)
    return Panel(x, y, tuple(series), notes, title=_heading(metric))


def _order_marks(
    label: str, role: str, known: Sequence[tuple[RunMark, float]], metric: Metric, *, last: int
) -> list[Series]:
    middle = _middle(known)
    guide = Series(
        label, role, (1.0, float(last)), (middle, middle), line=1.2, faint=True, in_table=False
    )
    drawn = [(mark, value) for mark, value in known if _stands(value, metric)]
    dots = Series(
        label,
        role,
        tuple(float(mark.position) for mark, _ in drawn),
        tuple(value for _, value in drawn),
        marker=8 if len(known) <= _FEW else 6,
        faint=len(known) > _FEW,
        hover=tuple(_hover(mark, metric, value) for mark, value in drawn),
    )
    return [*([guide] if _stands(middle, metric) else []), *([dots] if drawn else [])]


def _stands(value: float, metric: Metric) -> bool:
    """Whether a value has a place on its axis, which is a log axis for latencies."""
    return value > 0 or metric == THROUGHPUT


def _zeros(marks: Sequence[RunMark], metrics: Sequence[Metric]) -> bool:
    every = ((mark.value(metric), metric) for mark in marks for metric in metrics)
    return any(value is not None and not _stands(value, metric) for value, metric in every)


def _order_axis(count: int) -> Axis:
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, count) if count / n <= 12)
    numbers = [1, *(n for n in range(step, count + 1, step) if n > 1)]
    ticks = tuple((float(n), f"run {n}" if n == 1 else show.count(n)) for n in numbers)
    return Axis("linear", 0.5, count + 0.5, ticks, grid=False)


def _row_panel(
    comparison: Comparison,
    marks: Sequence[RunMark],
    metric: Metric,
    labels: Sequence[str],
    names: Legend,
) -> Panel:
    x = _value_axis(metric, [v for mark in marks if (v := mark.value(metric))], room=0.3)
    series: list[Series] = []
    notes: list[Note] = []
    for row, label in enumerate(labels):
        known = _known(marks, label, metric)
        if known:
            series += _row_marks(label, names.roles[label], known, metric, -float(row))
            values = [value for _, value in known]
            text = with_marks(span(values, metric), comparison.marks(label, metric.column))
            right = max(values) if _stands(max(values), metric) else x.low
            notes.append(Note(right, -float(row), text, role="text", dx=10))
    return Panel(
        x=x,
        y=names_axis([names.short[label] for label in labels]),
        series=tuple(series),
        notes=tuple(notes),
        title=_heading(metric),
    )


def _row_marks(
    label: str, role: str, known: Sequence[tuple[RunMark, float]], metric: Metric, y: float
) -> list[Series]:
    middle = _middle(known)
    bar = Series(label, role, (middle, middle), (y - 0.32, y + 0.32), line=2.5, in_table=False)
    offsets = _offsets(len(known))
    drawn = [
        (mark, value, offset)
        for (mark, value), offset in zip(known, offsets, strict=True)
        if _stands(value, metric)
    ]
    dots = Series(
        label,
        role,
        tuple(value for _, value, _ in drawn),
        tuple(y + offset for *_, offset in drawn),
        marker=7 if len(known) <= _FEW else 6,
        faint=len(known) > _FEW,
        hover=tuple(_hover(mark, metric, value) for mark, value, _ in drawn),
    )
    barred = len(known) > 1 and _stands(middle, metric)
    return [*([dots] if drawn else []), *([bar] if barred else [])]


def _offsets(count: int) -> list[float]:
    """Return how far above its row each run stands: in order from above, or spread evenly."""
    if count <= _FEW:
        return [0.25 - 0.5 * n / (count - 1) for n in range(count)] if count > 1 else [0.0]
    golden = (5**0.5 - 1) / 2
    return [0.6 * ((n * golden) % 1 - 0.5) for n in range(count)]


def _value_axis(metric: Metric, values: Sequence[float], *, room: float) -> Axis:
    if metric == THROUGHPUT:
        return from_zero(values, room=room, steps=4)
    if room <= _MARGIN:
        return latency_axis(values, room=room, most=7)
    axis = latency_axis(values, room=_MARGIN, most=_MOST_TICKS)
    return replace(axis, high=axis.high * (axis.high / axis.low) ** (room / (1 - room)))


def _heading(metric: Metric) -> str:
    if metric == THROUGHPUT:
        return "Throughput, responses/s, from zero"
    return f"{metric.title if metric.is_percentile else f'{metric.title} latency'}, log scale"


def _hover(mark: RunMark, metric: Metric, value: float) -> str:
    name = show.clean(mark.label, limit=40)
    return f"{name}, run {mark.number}\n{metric.title} {metric.prose(value)}"


def _title(spread: Sequence[Spread], *, even: bool) -> str:
    """Return which variant's runs were furthest apart, and how far.

    Args:
        spread: The furthest first.
        even: Whether it may be said that none were.
    """
    if not spread or (spread[0].ratio < _EVEN and not even):
        return "Each run"
    most = spread[0]
    if most.ratio < _EVEN:
        return f"Runs of a variant were within {show.share(round(most.ratio - 1, 3))} of each other"
    unit = f"{show.NBSP}req/s" if most.metric == THROUGHPUT else ""
    count = show.plural(len(most.values), "run")
    values = f"{span(most.values, most.metric)}{unit}"
    return f"{show.quoted(most.label)} varied most: {most.metric.subject} {values} over {count}"


def _subtitle(comparison: Comparison, labels: Sequence[str], *, along: bool, zeros: bool) -> str:
    few = max(map(len, comparison.variants)) <= _FEW
    if along:
        parts = ["A mark per run, in the order in which they began; lines are medians."]
    elif few:
        parts = ["A mark per run, the first on top; bars are medians, texts the range."]
    else:
        parts = ["A mark per run, spread out by height; bars are medians, texts the range."]
    if len(labels) < len(comparison.variants):
        parts.append(f"The {len(labels)} of {len(comparison.variants)} that varied most.")
    single = sum(len(variant) == 1 for variant in comparison.variants)
    if single:
        parts.append(f"{show.plural(single, 'variant')} with a single run.")
    if zeros:
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts)


def _table(marks: Sequence[RunMark], metrics: Sequence[Metric], *, along: bool) -> DataTable:
    columns = {metric: [mark.value(metric) for mark in marks] for metric in metrics}
    texts = {metric: metric.cells(values) for metric, values in columns.items()}
    rows = [
        (
            mark.label,
            (
                (show.count(mark.position if along else mark.number), None),
                *((texts[m][n] or absent(mark.variant, m), columns[m][n]) for m in metrics),
            ),
        )
        for n, mark in enumerate(marks)
    ]
    headings = [metric.heading(columns[metric]) for metric in metrics]
    return DataTable(("Variant", "Run in order" if along else "Run", *headings), tuple(rows))


def _row_height(rows: int) -> int:
    return max(_LEAST, _EDGE + (_ROW if rows < look.CROWD else _CROWDED_ROW) * rows)
