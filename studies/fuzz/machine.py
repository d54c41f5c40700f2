"""How fast this machine is at the moment: limits of time are those of a certain one."""

from __future__ import annotations

import time
from typing import Final

_ADDITIONS: Final = compile("n = 0\nfor _ in range(2_000_000):\n    n += 1\n", "additions", "exec")
#: What they take on the machine of the limits, in s: ten million take 0.6.
_USUAL_S: Final = 0.12
_TRIES: Final = 3


def usual_seconds(spent_s: float, *, from_s: float) -> float:
    """Return what took so much processor time as on the machine of the limits.

    Shared processors may take twice as long from one minute to the next; that is looked at where
    it matters, for what took at least `from_s`.
    """
    if spent_s < from_s:
        return spent_s
    return spent_s * _USUAL_S / min(_additions_s() for _ in range(_TRIES))


def _additions_s() -> float:
    before = time.process_time()
    exec(_ADDITIONS, {})  # noqa: S102 - our own, as a module has it
    return time.process_time() - before
