"""What wrk and its relatives are.

Source: wg/wrk 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`, `src/stats.c`.
"""

from __future__ import annotations

from typing import Any, Final

from benchkit.tool import Tool

from . import _wrk_command

#: What wrk2 has of wrk.
_BOTH: Final[dict[str, Any]] = {
    "opening": r"Running \S+ test @ ",
    "options": _wrk_command.options,
    "asks": {"c": "connections", "t": "threads", "d": "duration_s"},
    "rates_of": "thread",
    "answers_late": True,
}

TOOLS: Final = (
    Tool(
        name="wrk",
        programs=("wrk",),
        scripted=True,
        read=_wrk_command.read_wrk,
        loops=("closed",),
        pads="pauses",
        timeouts="left out",
        **_BOTH,
    ),
    Tool(
        name="wrk2",
        programs=("wrk2",),
        scripted=True,
        also=("wrk",),
        read=_wrk_command.read_wrk2,
        loops=("open",),
        sets_rate=True,
        calibration_s=10.0,
        **_BOTH,
    ),
    Tool(name="hyperfoil"),
)
