"""How much memory this process ever had."""

from __future__ import annotations

import sys
from pathlib import Path


class Memory:
    """The most memory that this process ever had."""

    def __init__(self) -> None:
        self._seen = self._most = 0

    def most(self, *, certain: bool = True) -> int:
        """Return it in bytes, 0 where that is not known.

        Args:
            certain: Else what it was at the last look, where nothing speaks for more.
        """
        used = _used()
        if certain or used != self._seen:
            self._seen = used
            self._most = _most(used)
        return self._most


def _used() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


def _most(used: int) -> int:
    status = Path("/proc/self/status")
    if not status.exists():
        return used
    # Linux counts what the parent had at the fork among `ru_maxrss`.
    known = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
    return int(known.get("VmHWM", "0 kB").split()[0]) * 1024
