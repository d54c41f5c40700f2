"""Slow imports beside the reading of large files, which hardly needs Python's lock."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from benchkit.machine import COMPILE_FROM

#: What the tables need as soon as everything is read; slowest first.
_MODULES: Final = ("pandas", "pyarrow.compute")
_SWITCH_S: Final = 0.00005  # the reader needs the lock often, for a moment
_later: Final[list[str]] = []


def import_beside(*modules: str) -> None:
    """Import further modules beside the next reading that takes a while."""
    _later.extend(one for one in modules if one not in _later)


@contextlib.contextmanager
def warmed_up(size: int) -> Iterator[None]:
    """Import what is needed later while `size` bytes are read, if that takes a while."""
    if size < COMPILE_FROM or all(name in sys.modules for name in (*_MODULES, *_later)):
        yield
        return
    before = sys.getswitchinterval()
    thread = threading.Thread(target=_import, daemon=True)
    thread.start()
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        thread.join()
        sys.setswitchinterval(before)


def _import() -> None:
    with contextlib.suppress(Exception):  # whoever needs it will be told
        for name in (*_MODULES, *_later):
            import_module(name)
