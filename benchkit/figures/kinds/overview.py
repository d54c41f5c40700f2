"""Throughput above mean-to-max latency: the main figure without percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Chart, Panel, Series
from benchkit.figures.legend import legend
from benchkit.figures.rows import ROW, height, rate_title, rates, table
from benchkit.figures.scales import latency_axis, names_axis
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, MEAN, THROUGHPUT
from benchkit.model.variant import Variant
from benchkit.names import with_marks

_TALL: Final = 36  # px of a row whose labels stand above the marks
_MAX: Final = BY_COLUMN["latency_max_s"]
_STD: Final = BY_COLUMN["latency_std_s"]


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None without a throughput or a latency."""
    rate_panel, latency_panel = rates(comparison), _latencies(comparison)
    panels = tuple(panel for panel in (rate_panel, latency_panel) if panel)
    if not panels:
        return None
    title = rate_title(comparison) if rate_panel else "Mean and slowest request"
    subtitle = "Throughput from zero; latency on a log axis, mean (filled) to max (open)."
    if any(variant.value(_STD) is not None for variant in comparison.variants):
        subtitle += " Standard deviations are in the table: they describe spread, not uncertainty."
    return Chart(
        kind="overview",
        title=title,
        subtitle=subtitle,
        label=f"{title}. Throughput and latency per variant; values in the table below",
        panels=panels,
        table=table(comparison, (THROUGHPUT, MEAN, _STD, _MAX)),
        height=sum(round(height(comparison) * panel.weight) for panel in panels),
        rows=True,
    )


def _latencies(comparison: Comparison) -> Panel | None:
    values = [variant.value(metric) for variant in comparison.variants for metric in (MEAN, _MAX)]
    if not any(values):
        return None
    names = legend(comparison)
    series = [
        marks
        for row, variant in enumerate(comparison.variants)
        for marks in _marks(comparison, variant, -float(row), names.roles[variant.label])
    ]
    return Panel(
        x=latency_axis([value for value in values if value], room=0.1),
        y=names_axis([names.short[v.label] for v in comparison.variants], above=0.9),
        series=tuple(series),
        weight=_TALL / ROW,
        title="Latency: mean (filled) to max (open), log scale",
    )


def _marks(comparison: Comparison, variant: Variant, y: float, role: str) -> list[Series]:
    label, mean, largest = variant.label, variant.value(MEAN), variant.value(_MAX)
    marks: list[Series] = []
    if mean and largest:
        span = (mean, largest)
        marks.append(Series(label, role, span, (y, y), line=1.5, dotted=True, in_table=False))
    for value, metric, filled in ((mean, MEAN, True), (largest, _MAX, False)):
        if value:
            text = show.duration(value)
            marks.append(
                Series(
                    label,
                    role,
                    (value,),
                    (y,),
                    marker=10,
                    filled=filled,
                    labels=(with_marks(text, comparison.marks(label, metric.column)),),
                    label_at="above",
                    hover=(f"{show.clean(label, limit=40)}\n{metric.name} {text}",),
                )
            )
    return marks
