"""What ab is.

Source: httpd 2.4 `support/ab.c`.
"""

from __future__ import annotations

from typing import Final

from benchkit.tool import Tool

from . import _ab, _ab_command

TOOLS: Final = (
    Tool(
        name=_ab.TOOL,
        programs=("ab", "abs", "ab2", "apachebench"),
        opening=r"Making [0-9]+ requests to |This is ApacheBench",
        read=_ab_command.read,
        options=_ab_command.options,
        asks={"n": "requests", "c": "connections"},
        voids={"t": "requests"},
        credentials={"A": ":", "P": ":", "C": "="},
        switches="lrkVhwidSqI",
        loops=("closed",),
        # The report and `-g` have whole milliseconds, `-e` has microseconds.
        step_s=1e-3,
        finer="ab -e prints microseconds",
        prints_connecting=True,
        errors_are_requests=True,
        fails_by_length=True,
        unfinished="t",
    ),
)
