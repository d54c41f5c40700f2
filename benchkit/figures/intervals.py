"""How sure the ratio at each percentile is: over runs, or within two single runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from benchkit.compare import Comparison
from benchkit.compare.model import Effect, VariantSummary
from benchkit.measured import trusted_below
from benchkit.schema import QUANTILE_COLUMNS

if TYPE_CHECKING:
    from benchkit.results import Results

_MOST_PAIRS: Final = 5  # of single runs: each pair is redrawn a thousand times


@dataclass(frozen=True, slots=True)
class Intervals:
    """Ratios of variant over baseline with intervals.

    Attributes:
        of: Per label and quantile.
        within: Whether they hold for these single runs only: nothing repeats.
    """

    of: Mapping[str, Mapping[float, Effect]] = field(default_factory=dict)
    within: bool = False


def intervals(results: Results, comparison: Comparison) -> Intervals:
    """Return the intervals of each variant, those without any left out."""
    others, single = comparison.others, all(one.runs == 1 for one in comparison.variants)
    found: dict[str, dict[float, Effect]] = {}
    if single and len(others) <= _MOST_PAIRS:
        found = {one.label: _within(results, comparison, one) for one in others}
    if not any(found.values()):
        found = {one.label: _estimated(comparison, one.label) for one in others}
    return Intervals({label: one for label, one in found.items() if one}, within=single)


def _estimated(comparison: Comparison, label: str) -> dict[float, Effect]:
    effects = {q: comparison.effect(label, column) for q, column in QUANTILE_COLUMNS.items()}
    return {q: one for q, one in effects.items() if one is not None and one.low > 0}


def _within(results: Results, comparison: Comparison, other: VariantSummary) -> dict[float, Effect]:
    """Return the shift function of two single runs as ratios."""
    from benchkit.compare.shift import shift_function

    base = comparison.base
    if comparison.against(other.label) != comparison.baseline:
        return {}
    below = min(trusted_below(base), trusted_below(other)) - 1e-9
    found = {}
    for one in shift_function(results, base.run_ids[0], other.run_ids[0]):
        known = one.low_s is not None and one.high_s is not None and one.baseline_s > 0
        if known and one.quantile < below and one.baseline_s + (one.low_s or 0.0) > 0:
            low, high = (one.baseline_s + (edge or 0.0) for edge in (one.low_s, one.high_s))
            ratios = [s / one.baseline_s for s in (one.variant_s, low, high)]
            found[one.quantile] = Effect(*ratios)
    return found
