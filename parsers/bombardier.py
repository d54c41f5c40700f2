"""bombardier's command line.

Source: codesenberg/bombardier 2.0.2 `args_parser.go`, `common.go` (defaults), `config.go`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _options
from ._bombardier import TOOL

_SHORT: Final = _options.letters(
    "c=connections t=timeout l=latencies m=method b=body f=body-file s=stream k=insecure "
    "a=disableKeepAlives H=header n=requests d=duration r=rate p=print q=no-print "
    "o=format"
)
_SWITCHES: Final = frozenset(
    {"latencies", "stream", "insecure", "disableKeepAlives", "no-print"}
    | {"fasthttp", "http1", "http2", "help", "version"}
)


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and the target as ("url", …)."""
    yield from _options.options(arguments, short=_SHORT, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with bombardier's defaults."""
    given = dict(options(arguments))
    if "url" not in given:
        return {}
    columns: dict[str, Any] = {
        "url": given["url"],
        "method": given.get("method", "GET").upper(),
        "connections": _options.whole(given.get("connections", "125")),
        "offered_rate_rps": _options.number(given.get("rate", ""), units.number),
        "timeout_s": _options.number(given.get("timeout", "2s"), units.go_duration),
        "load_model": "closed",
    }
    if "disableKeepAlives" in given:
        columns["keepalive"] = False
    return {name: value for name, value in columns.items() if value is not None}


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=(
            "bombardier",
            *(f"bombardier-{system}-amd64" for system in ("linux", "darwin", "windows")),
        ),
        opening=r"(?:Bombarding http|Statistics\s+Avg\s+Stdev\s+Max)",
        read=read,
        options=options,
        asks={"requests": "requests", "connections": "connections", "duration": "duration_s"},
        voids={"duration": "requests"},
        header="header",
        loops=("closed",),
        sets_rate=True,
        errors_are_requests=True,
        timeouts="timed",
    ),
)
