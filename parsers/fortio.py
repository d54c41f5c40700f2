"""fortio's command line.

Source: fortio/fortio 1.68.0 `cli/fortio_main.go`, `bincommon/commonflags.go`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _options
from ._fortio import TOOL

_SWITCHES: Final = frozenset(
    {"a", "allow-initial-errors", "calc-qps", "compression", "curl", "grpc", "grpc-compression"}
    | {"h2", "halfclose", "http1.0", "https-insecure", "jitter", "k", "keepalive", "L"}
    | {"log-errors", "logger-force-color", "logger-json", "logger-no-color", "mtls", "nocatchup"}
    | {"no-reresolve", "ping", "quiet", "sequential-warmup", "stdclient", "stream", "uniform"}
)
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})
_VERBS: Final = ("load",)


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (flag, value), and the target as ("url", …), as Go's flag package takes them apart."""
    flags = arguments[1:] if arguments[:1] == list(_VERBS) else arguments
    yield from _options.go_flags(flags, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with fortio's defaults."""
    if list(arguments[:1]) != list(_VERBS):
        return {}
    given = dict(options(arguments))
    if "url" not in given or given.get("curl", "false") not in _FALSE:
        return {}
    body = {"payload", "payload-size", "payload-file", "content-type"} & given.keys()
    threads = _options.whole(given.get("c", "4"))
    columns: dict[str, Any] = {
        "url": given["url"],
        "method": given.get("X", "POST" if body else "GET").upper(),
        "threads": threads,
        "connections": threads,
        "offered_rate_rps": _options.number(given.get("qps", "8"), units.number),
        "timeout_s": _options.number(given.get("timeout", "3s"), units.go_duration),
        "load_model": "closed",
        "keepalive": given.get("keepalive", "true") not in _FALSE,
    }
    if given.get("grpc", "false") not in _FALSE or re.match("(?:tcp|udp)://", given["url"]):
        columns = {k: v for k, v in columns.items() if k not in {"method", "keepalive"}}
    if "calc-qps" in given:
        del columns["offered_rate_rps"]
    return {name: value for name, value in columns.items() if value is not None}


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("fortio",),
        verbs=_VERBS,
        opening=r"Fortio [0-9][0-9.]* running at ",
        read=read,
        options=options,
        asks={"n": "requests", "c": "connections", "t": "duration_s"},
        voids={"n": "duration_s"},
        credentials={"user": ":"},
        loops=("closed",),
        sets_rate=True,
        errors_are_requests=True,
        timeouts="timed",
        finer="-r 0.0001",
        interpolates=True,
    ),
)
