"""Load generators whose outputs are known by sight, and not read yet.

Source: outputs of httperf 0.9, tsung 1.8.
"""

from __future__ import annotations

from typing import Final

from benchkit.parsing import Unread

UNREAD: Final = (
    Unread("httperf", (rb"\nhttperf --", rb"\nTotal: connections [0-9]++ requests")),
    Unread("tsung", (rb"\n# stats: dump at ", rb"\nstats: (?:users|request|page|connect) ")),
)
