"""How Python is set for much work: few looks for garbage, quick turns of threads."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

#: A text of 1 MB may be a million objects, none of them in a cycle; at Python's 700 a third of
#: the time goes into looking for one.
_MADE: Final = 200_000
_SWITCH_S: Final = 0.0005


class _Switch:
    """One setting of Python for all who change it; as before when the last has left."""

    def __init__(
        self, get: Callable[[], Any], put: Callable[[Any], None], change: Callable[[Any], Any]
    ) -> None:
        self._get, self._put, self._change = get, put, change
        self._lock = threading.Lock()
        self._users = 0
        self._before: Any = None

    @contextmanager
    def changed(self) -> Iterator[None]:
        with self._lock:
            if not self._users:
                self._before = self._get()
                self._put(self._change(self._before))
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._put(self._before)


#: Lets Python look for garbage after 200,000 new objects instead of some hundred.
rare_collections: Final = _Switch(
    gc.get_threshold,
    lambda thresholds: gc.set_threshold(*thresholds),
    lambda before: (max(before[0], _MADE) if before[0] else 0, *before[1:]),
).changed
#: Lets threads take turns quickly: one that hashes needs Python's lock often, for a moment.
quick_turns: Final = _Switch(
    sys.getswitchinterval, sys.setswitchinterval, lambda before: min(before, _SWITCH_S)
).changed
