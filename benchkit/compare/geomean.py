"""One ratio over several scenarios: the geometric mean, where it compares like with like."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchkit.compare.rows import Row


@dataclass(frozen=True, slots=True)
class Overall:
    """The geometric mean of the ratios of one variant and metric over all scenarios."""

    metric: str
    baseline: str
    variant: str
    ratio: float
    scenarios: int


def overall(rows: Sequence[Row]) -> list[Overall]:
    """Return geometric means over the scenarios.

    None where there are fewer than two scenarios, or where they do not all have the same
    variants against the same baseline: the mean would then be over different things. The same
    holds for a metric that a scenario lacks.
    """
    scenarios = list(dict.fromkeys(row.scenario for row in rows))
    sets = {s: {(r.baseline, r.variant) for r in rows if r.scenario == s} for s in scenarios}
    if len(scenarios) < 2 or any(one != sets[scenarios[0]] for one in sets.values()):
        return []
    ratios: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in rows:
        if row.ratio:
            ratios[row.metric, row.baseline, row.variant].append(row.ratio)
    return [
        Overall(metric, baseline, variant, statistics.geometric_mean(found), len(found))
        for (metric, baseline, variant), found in ratios.items()
        if len(found) == len(scenarios)
    ]
