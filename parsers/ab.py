"""What ab is, and its command line.

Source: httpd 2.4 `support/ab.c`; of the options the string in `main`, and `usage`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from ._ab import TOOL

#: Options that take a value, in any version.
_WITH_VALUE: Final = frozenset("ncbtsTpuvxyzCHPAgXeBmZfEWR")


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
        if option == "":
            columns.setdefault("url", value if "://" in value else f"http://{value}")
        else:
            _apply(columns, option, value)
    return columns


def _apply(columns: dict[str, Any], option: str, value: str) -> None:
    try:
        if option == "c":
            columns["connections"] = units.whole(value)
        elif option == "s":
            columns["timeout_s"] = units.number(value)
        elif option == "W":
            columns["threads"] = units.whole(value)
    except ValueError:
        columns.pop({"c": "connections", "s": "timeout_s"}.get(option, ""), None)
    methods = {"p": "POST", "u": "PUT", "i": "HEAD", "m": value}
    if option in methods:
        columns["method"] = methods[option]
    elif option == "k":
        columns["keepalive"] = True


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (letter, value) for options, and ("", value) for other arguments."""
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or len(word) == 1:
            yield "", word.strip("\"'")
            continue
        letters = "" if word.startswith("--") else word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in _WITH_VALUE:
                yield letter, letters or (rest.pop(0) if rest else "")
                break
            yield letter, ""


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("ab", "abs", "ab2", "apachebench"),
        opening=r"Making [0-9]+ requests to |This is ApacheBench",
        read=read,
        options=options,
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
