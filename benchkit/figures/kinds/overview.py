"""Throughput above mean-to-max latency: the main figure without percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Chart, Panel
from benchkit.figures.legend import Key
from benchkit.figures.rows import ROW, Dot, height, ranked, rate_table, rate_title, rates, span
from benchkit.figures.scales import latency_axis, names_axis
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, MEAN, THROUGHPUT
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
    tall = height(len(comparison.variants))
    return Chart(
        kind="overview",
        title=title,
        subtitle=subtitle,
        label=f"{title}. Throughput and latency per variant; values in the table below",
        panels=panels,
        table=rate_table(comparison, (THROUGHPUT, MEAN, _STD, _MAX)),
        height=sum(round(tall * panel.weight) for panel in panels),
        rows=True,
    )


def _latencies(comparison: Comparison) -> Panel | None:
    values = [variant.value(metric) for variant in comparison.variants for metric in (MEAN, _MAX)]
    if not any(values):
        return None
    keys = ranked(comparison)
    series = [
        marks
        for row, key in enumerate(keys)
        for marks in span(key, -float(row), _dots(comparison, key), size=10, label_at="above")
    ]
    return Panel(
        x=latency_axis([value for value in values if value], room=0.1),
        y=names_axis([key.short for key in keys], above=0.9),
        series=tuple(series),
        weight=_TALL / ROW,
        title="Latency: mean (filled) to max (open), log scale",
    )


def _dots(comparison: Comparison, key: Key) -> list[Dot]:
    dots = []
    for metric in (MEAN, _MAX):
        value = key.variant.value(metric)
        if value:
            text = show.duration(value)
            labels = (with_marks(text, comparison.marks(key.label, metric.column)),)
            dots.append(Dot(value, labels, f"{key.name}\n{metric.name} {text}", metric is MEAN))
    return dots
