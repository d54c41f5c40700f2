"""Gatling: its command line. What is sent, and by how many, stands in the simulation.

Source: Gatling 3.11.5 and 3.15.0 `app/cli/GatlingArgs.scala`, `shared-cli`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchkit.tool import Tool

_LONG: Final = {
    "simulation": "s",
    "results-folder": "rf",
    "reports-only": "ro",
    "no-reports": "nr",
    "run-description": "rd",
}
_SWITCHES: Final = frozenset({"nr", "h", "help", "non-interactive"})


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value); those with a short name under that."""
    words = iter(arguments)
    for word in words:
        if word.startswith("-"):
            name, equals, value = word.lstrip("-").partition("=")
            name = _LONG.get(name, name)
            if not equals:
                value = "" if name in _SWITCHES else next(words, "")
            yield name, value


TOOLS: Final = (
    Tool(
        name="gatling",
        programs=("gatling", "gatling.sh", "gatling.bat"),
        opening=r"Simulation \S+ started\.\.\.",
        remarks=(r"Gatling \S++ is available! .{1,80}+",),
        options=options,
        loops=("open", "closed"),
        errors_are_requests=True,
        timeouts="timed",
    ),
)
