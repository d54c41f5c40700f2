"""Throughput and goodput of each variant, a row each, from zero."""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.figures.chart import Chart
from benchkit.figures.rows import height, rate_table, rate_title, rates, rates_subtitle
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, GOODPUT, THROUGHPUT


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return throughput (filled) and goodput (open) per variant, None where neither is known."""
    panel = rates(comparison)
    if panel is None:
        return None
    title = rate_title(comparison)
    return Chart(
        kind="throughput",
        title=title,
        subtitle=rates_subtitle(comparison),
        label=f"{title}. Throughput and goodput per variant; values in the table below",
        panels=(panel,),
        table=rate_table(comparison, (THROUGHPUT, GOODPUT, BY_COLUMN["success_ratio"])),
        height=height(len(comparison.variants)),
        rows=True,
    )
