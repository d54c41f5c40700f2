"""plow's command line.

Source: six-ddc/plow 1.4.0 `main.go`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _options
from ._plow import TOOL

_SHORT: Final = _options.letters(
    "c=concurrency n=requests d=duration i=interval b=body m=method H=header T=content k=insecure"
)
_SWITCHES: Final = frozenset(
    {"seconds", "json", "stream", "insecure", "auto-open-browser", "clean", "summary"}
    | {"help", "version"}
)


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and the target as ("url", …)."""
    yield from _options.options(arguments, short=_SHORT, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with plow's defaults."""
    given = dict(options(arguments))
    if "url" not in given:
        return {}
    columns: dict[str, Any] = {
        "url": given["url"],
        "method": given.get("method", "POST" if given.get("body") else "GET").upper(),
        "connections": _options.whole(given.get("concurrency", "1")),
        "offered_rate_rps": _options.number(given.get("rate", ""), _rate),
        "timeout_s": _options.number(given.get("timeout", ""), units.go_duration),
        "load_model": "closed",
    }
    return {name: value for name, value in columns.items() if value is not None}


def _rate(text: str) -> float:
    """Return `50`, `50/2s` or `10/ms` as requests a second."""
    many, _, per = text.partition("/")
    per = f"1{per}" if per[:1].isalpha() or per[:1] == "µ" else per
    seconds = units.go_duration(per or "1s")
    return units.whole(many) / seconds if seconds else 0.0


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("plow",),
        opening=r"(?:Benchmarking \S+ .*using [0-9]+ connection|Summary:\s+Elapsed)",
        read=read,
        options=options,
        asks={"requests": "requests", "concurrency": "connections", "duration": "duration_s"},
        header="header",
        loops=("closed",),
        sets_rate=True,
        rates_of="second",
        errors_are_requests=True,
        timeouts="timed",
    ),
)
