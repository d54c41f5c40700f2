"""What ab is, and its command line.

Source: httpd `support/ab.c`, 2.0.40 to 2.4.x and trunk (of the options the string in `main`, and
`usage`); `src/support/ab.c` of httpd 1.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _options

TOOL: Final = "ab"
#: ab waits for an answer before it sends again on a connection, and takes the
#: time from `connect` to the last byte; it adds no samples.
MEANING: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "clock": "connect-to-last-byte",
}
#: Options without a value.
_SWITCHES: Final = "lrkVhwidSqI"
_METHODS: Final = {"p": "POST", "u": "PUT", "i": "HEAD"}
_FIGURES: Final = {
    "c": ("connections", units.whole),
    "s": ("timeout_s", units.number),
    "W": ("threads", units.whole),
}


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the run's target, method and load from a command, with ab's defaults."""
    columns: dict[str, Any] = {
        "connections": 1,
        "keepalive": False,
        "method": "GET",
        "timeout_s": 30.0,
        "load_model": "closed",
    }
    for option, value in options(arguments):
        if option == "url":
            target = value.strip("\"'")
            columns.setdefault("url", target if "://" in target else f"http://{target}")
        elif option in _FIGURES:
            column, convert = _FIGURES[option]
            columns[column] = _options.number(value, convert)
        elif option == "m" or option in _METHODS:
            columns["method"] = _METHODS.get(option, value)
        elif option == "k":
            columns["keepalive"] = True
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (letter, value), and the target as ("url", …)."""
    yield from _options.options(arguments, short={}, switches=frozenset(_SWITCHES))


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("ab", "abs", "ab2", "apachebench"),
        opening=r"Making [0-9]+ requests to |This is ApacheBench",
        failures=(r"apr_\w++(?:\(\))?(?: for .{1,200}?)?: .{1,200}\([0-9]++\)",),
        read=read,
        options=options,
        asks={"n": "requests", "c": "connections"},
        voids={"t": "requests"},
        credentials={"A": ":", "P": ":", "C": "="},
        switches=_SWITCHES,
        loops=("closed",),
        single_threaded=True,
        # The report and `-g` have whole milliseconds, `-e` has microseconds.
        step_s=1e-3,
        finer="ab -e prints microseconds",
        prints_connecting=True,
        errors_are_requests=True,
        fails_by_length=True,
        unfinished="t",
    ),
)
