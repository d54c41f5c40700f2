"""The loads that runs were put under, as outputs, commands and metadata have them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, Final

from benchkit.model.run import Run

#: Columns of `runs` of which each other value is another load.
_COLUMNS: Final = (
    *("connections", "pipelining", "offered_rate_rps"),
    *("keepalive", "method", "load_model"),
)
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
