"""What the same work costs at several sizes: processor time, as quiet as may be, or calls."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: How often a growth that looks like too much is measured again.
_ROUNDS = 4


def growth(
    spent: Callable[[int], float], small: int, large: int, *, most: float, quick_s: float = 0.02
) -> float:
    """Return how much longer the large size takes than the small one, 0 where that is quick too.

    What grows by less than `most` is measured once; what grows by more is measured again, as
    whatever else the machine does makes work seem longer and never shorter. The small size,
    where noise would hide a growth, is measured twice from the start.
    """
    with no_collections():
        longest = spent(large)
        if longest < quick_s:
            return 0.0
        shortest = min(spent(small), spent(small))
        for _ in range(_ROUNDS):
            if longest < most * shortest:
                break
            longest, shortest = min(longest, spent(large)), min(shortest, spent(small))
    return longest / max(shortest, 1e-9)


def processor_s(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


@contextmanager
def no_collections() -> Iterator[None]:
    """Collect no garbage meanwhile: that looks at everything that other tests have left."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def calls(work: Callable[[], object]) -> int:
    """How many functions are called."""
    count = 0

    def hook(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(hook)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
