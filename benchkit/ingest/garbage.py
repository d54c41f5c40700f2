"""How often Python looks for garbage while files are read."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: A text of 1 MB may be a million objects, none of them in a cycle; at Python's 700 a third of
#: the time goes into looking for one.
_MADE: Final = 200_000


class _Thresholds:
    """After how many objects Python looks; as before when the last user has left."""

    lock = threading.Lock()
    users = 0
    before = (0, 0, 0)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for garbage after 200,000 new objects instead of some hundred."""
    with _Thresholds.lock:
        if not _Thresholds.users:
            _Thresholds.before = gc.get_threshold()
            first, second, third = _Thresholds.before
            gc.set_threshold(max(first, _MADE) if first else 0, second, third)
        _Thresholds.users += 1
    try:
        yield
    finally:
        with _Thresholds.lock:
            _Thresholds.users -= 1
            if not _Thresholds.users:
                gc.set_threshold(*_Thresholds.before)
