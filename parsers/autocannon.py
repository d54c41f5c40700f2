"""What autocannon is.

Source: autocannon 9.0 `lib/run.js`, `lib/httpClient.js`.
"""

from __future__ import annotations

from typing import Final

from benchkit.tool import Tool

from . import autocannon_command
from ._autocannon import CONSTANTS, TOOL

TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("autocannon",),
        opening=r"Running \S+ test @ ",
        read=autocannon_command.read,
        options=autocannon_command.options,
        asks={"c": "connections", "d": "duration_s", "w": "threads"},
        voids={"a": "duration_s"},
        loops=("closed",),
        sets_rate=True,
        step_s=CONSTANTS["resolution_s"],
        truncates=True,
        pads="rate",
        rates_of="second",
        timeouts="left out",
    ),
)
