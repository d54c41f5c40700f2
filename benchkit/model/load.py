"""The loads that runs were put under, as outputs, commands and metadata have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final

from benchkit import registry
from benchkit.model.metric import P50, THROUGHPUT, Metric
from benchkit.model.run import Run

#: Columns of `runs` of which each other value is another load.
_COLUMNS: Final = (
    *("connections", "pipelining", "offered_rate_rps"),
    *("keepalive", "method", "load_model"),
)
#: Of so many runs and more one rate, to so much, is one that was set.
_LEAST_RATES: Final = 4
_ONE_RATE: Final = 1.002
#: What is known of a load, None for the rest.
Load = tuple[Any, ...]


def loads_of(runs: Iterable[Run]) -> set[Load]:
    """Return the loads of some runs."""
    return {tuple(run.get(column) for column in _COLUMNS) for run in runs}


def have_one_in_common(loads: Iterable[Load], others: Iterable[Load]) -> bool:
    """Whether a load of both may be the same, as far as they are known."""
    return any(
        all(value == other or None in (value, other) for value, other in zip(*pair, strict=True))
        for pair in product(loads, others)
    )


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


def speed_metric(runs: Sequence[Run]) -> Metric:
    """Return what tells how fast a server was: not the throughput that was asked for."""
    return P50 if is_paced(runs) else THROUGHPUT
