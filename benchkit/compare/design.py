"""Whether runs were made in blocks, one of each variant at a time: a fact of their order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from benchkit import registry
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


def is_paced(runs: Sequence[Run]) -> bool:
    """Whether the generator set the rate: its throughput is then no result of the server.

    So it is in an open loop, and where a rate was asked for. Where nothing says how the loop was,
    it is so of a tool that sends at a rate, and where the rates of all runs are one to a fifth of
    a per cent.
    """
    models = {run.get("load_model") for run in runs} - {None}
    if "open" in models or any(run.get("offered_rate_rps") for run in runs):
        return True
    if models:
        return False
    if any(registry.tool(run.tool).tells_sends for run in runs):
        return True
    rates = [rate for run in runs if (rate := run.number("throughput_rps"))]
    return len(rates) >= _LEAST_RATES and max(rates) <= _ONE_RATE * min(rates)


_LEAST_RATES = 4
_ONE_RATE = 1.002
