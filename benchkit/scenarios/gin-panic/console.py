"""A slow terminal: a pseudo-terminal whose reader takes only so many bytes per second.

    python console.py open LINK RATE    be one; LINK becomes a link to its device
    python console.py fill LINK         write to it as much as it takes

What was shown goes to standard output. A rate of 0 is a terminal that stands still, such as a
window whose text is being selected. Standard library only; needs a Unix.
"""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path
from typing import Final

_TICK_S: Final = 0.02
#: What a terminal was too late to show within this time it does not make good.
_LATE_S: Final = 0.2
#: The kernel moves what was written on to the reader's buffer a moment later; and a fast terminal
#: is never full for long.
_FILL_S: Final = 0.3
_LINE: Final = b"." * 62 + b"\n"


def show(device: int, rate: int) -> None:
    """Copy to standard output what is written to a terminal, at its rate, until ended."""
    due, last = 0.0, time.monotonic()
    while True:
        time.sleep(_TICK_S)
        now = time.monotonic()
        due = min(due + (now - last) * rate, max(1.0, rate * _LATE_S))
        last = now
        while due >= 1 and select.select([device], [], [], 0)[0]:
            text = os.read(device, min(int(due), 65536))
            os.write(1, text)
            due -= len(text)


def fill(device: int) -> int:
    """Write as many dots to a terminal as it takes for a while; return their number."""
    written, end = 0, time.monotonic() + _FILL_S
    while time.monotonic() < end:
        try:
            written += os.write(device, _LINE)
        except BlockingIOError:
            time.sleep(_TICK_S / 4)
    return written


def main() -> None:
    """Run one of the two commands."""
    action, link = sys.argv[1], Path(sys.argv[2])
    if action == "fill":
        # Without O_NOCTTY it would become this session's terminal, which hangs up on it in the end.
        sys.stdout.write(f"{fill(os.open(link, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))}\n")
        return
    # The other end stays open here: a terminal without writers would be an error to read.
    device, other = os.openpty()
    link.symlink_to(os.ttyname(other))
    show(device, int(sys.argv[3]))


if __name__ == "__main__":
    main()
