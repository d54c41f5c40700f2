"""Whether runs were made in blocks, one of each variant at a time: a fact of their order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from benchkit.model.run import Run, order_of


def interleaved(baseline: Sequence[Run], variant: Sequence[Run]) -> bool:
    """Whether the runs of equal `repeat` are pairs that follow each other in time.

    Within a pair either may come first; no run of another pair lies between the two. Without
    repeats, and times or names that say the order of all runs, nothing is paired.
    """
    runs = [*baseline, *variant]
    if any(run.get("repeat") is None for run in runs):
        return False
    order = order_of(runs)
    if len(order) < len(runs) or len(set(order.values())) < len(runs):
        return False
    repeats = sorted(run.get("repeat") for run in baseline)
    if len(set(repeats)) < len(repeats) or repeats != sorted(r.get("repeat") for r in variant):
        return False
    in_time = sorted(runs, key=order.__getitem__)
    pairs = zip(in_time[::2], in_time[1::2], strict=True)
    return all(first.get("repeat") == second.get("repeat") for first, second in pairs)


def pairs_of(baseline: Sequence[Run], variant: Sequence[Run]) -> list[tuple[Run, Run]]:
    """Return the pairs of interleaved runs in the order of their `repeat`; else none."""
    if not interleaved(baseline, variant):
        return []
    return list(zip(by_repeat(baseline), by_repeat(variant), strict=True))


def ratio_over_pairs(values: Sequence[tuple[float, float]]) -> float | None:
    """Return variant over baseline as an effect over pairs has it.

    None without pairs, and where a value is 0.

    Args:
        values: Of the pairs, the baseline's first.
    """
    import numpy as np

    from benchkit.stats import pairs

    if not values or min(map(min, values)) <= 0:
        return None
    base, variant = np.log(np.array(values)).T
    return math.exp(pairs.centre(variant - base))


def by_repeat(runs: Sequence[Run]) -> list[Run]:
    """Return the runs in the order of their `repeat`."""
    return sorted(runs, key=lambda run: run.get("repeat"))


def by_id(runs: Sequence[Run]) -> list[Run]:
    """Return the runs in an order that no folder decides: a joint test depends on it."""
    return sorted(runs, key=lambda run: run.run_id)
