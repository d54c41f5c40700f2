"""Locust: its command line.

Each of -u users waits for an answer, and then for as long as the script says.

Source: locust 2.47.0 `argument_parser.py`, `util/timespan.py` (parse_timespan).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _short_options

_LONG: Final = {
    "host": "H",
    "users": "u",
    "spawn-rate": "r",
    "run-time": "t",
    "locustfile": "f",
    "loglevel": "L",
    "tags": "T",
    "exclude-tags": "E",
    "version": "V",
    "list": "l",
}
_SWITCHES: Final = frozenset(
    {
        *("h", "V", "l", "help", "master", "worker", "headless", "autostart", "csv-full-history"),
        *("print-stats", "only-summary", "reset-stats", "json", "skip-log-setup", "skip-log"),
        *("class-picker", "modern-ui", "legacy-ui", "enable-rebalancing", "web-login"),
        *("html-include-sources", "exclude-worker-stats", "show-task-ratio", "expect-workers-any"),
    }
)


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value); those with a short name under that."""
    yield from _short_options.options(arguments, long=_LONG, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets; the host stands for the URL."""
    given = dict(options(arguments))
    if {"V", "h", "help", "l"} & given.keys():
        return {}
    columns: dict[str, Any] = {"load_model": "closed"}
    if given.get("H"):
        columns["url"] = given["H"]
    with suppress(ValueError):
        columns["connections"] = units.whole(given.get("u", ""))
    return columns


TOOLS: Final = (
    Tool(
        name="locust",
        programs=("locust",),
        opening=r"\[[-0-9: ,]+\] \S+/INFO/locust\.main: Starting Locust",
        read=read,
        options=options,
        asks={"t": "duration_s"},
        loops=("closed",),
        errors_are_requests=True,
        timeouts="timed",
    ),
)
