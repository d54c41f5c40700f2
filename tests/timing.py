"""Processor time of the same work at several sizes, as quiet as a shared machine allows."""

from __future__ import annotations

import gc
from collections.abc import Callable


def least(spent: Callable[[int], float], *sizes: int) -> list[float]:
    """Return per size the least of three measurements.

    Without collections, which look at everything that other tests have left.
    """
    gc.collect()
    gc.disable()
    try:
        return [min(spent(size) for _ in range(3)) for size in sizes]
    finally:
        gc.enable()
