"""What vegeta is.

Source: vegeta 12.13 `attack.go`, `lib/attack.go`, `lib/metrics.go`.
"""

from __future__ import annotations

from typing import Final

from benchkit.tool import Tool

from . import vegeta_command

TOOLS: Final = (
    Tool(
        name="vegeta",
        programs=("vegeta",),
        verbs=("attack",),
        piped=True,
        read=vegeta_command.read,
        options=vegeta_command.options,
        asks={"duration": "duration_s"},
        header="header",
        loops=("open", "closed"),
        sets_rate=True,
        tells_sends=True,
        numbers_requests=True,
        restarts_minimum=True,
        errors_are_requests=True,
        timeouts="timed",
    ),
)
