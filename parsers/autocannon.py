"""What autocannon is, and its command line.

Source: autocannon 9.0 `autocannon.js` (options and defaults), `lib/httpClient.js`
(a request waits for an answer on its connection, also with a rate), `lib/run.js`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _options
from ._autocannon import CONSTANTS, TOOL, opened_connections

_SHORT: Final = _options.letters(
    "c=connections p=pipelining t=timeout d=duration L=sampleInt a=amount j=json l=latency "
    "m=method H=headers b=body F=form s=servername B=bailout i=input M=maxConnectionRequests "
    "O=maxOverallRequests r=connectionRate R=overallRate C=ignoreCoordinatedOmission "
    "D=reconnectRate T=title v=version f=forever I=idReplacement S=socketPath "
    "x=excludeErrorStats E=expectBody w=workers W=warmup h=help"
)
_CLOSE: Final = re.compile(r"connection\s*[:=]\s*close", re.IGNORECASE)
_SWITCHES: Final = frozenset(
    {"json", "n", "help", "version", "latency", "renderLatencyTable", "progress", "statusCodes"}
    | {"renderProgressBar", "renderStatusCodes", "renderResultsTable", "forever", "debug"}
    | {"idReplacement", "excludeErrorStats", "ignoreCoordinatedOmission", "onPort", "on-port"}
)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, the tool's defaults included.

    Without a URL nothing can have been run, and nothing is returned.
    """
    pairs = list(options(arguments))
    given = dict(pairs)
    urls = [value for name, value in pairs if name == "url" and _is_target(value)]
    if not urls:
        return {}
    workers, connections = _whole(given.get("workers")), _whole(given.get("connections", "10"))
    columns: dict[str, Any] = {
        "url": ",".join(map(_with_scheme, urls)),
        "load_model": "closed",
        "method": given.get("method", "GET").upper(),
        "timeout_s": _number(given.get("timeout", "10")),
        "pipelining": _whole(given.get("pipelining", "1")),
        "threads": workers,
        "connections": opened_connections(connections, workers or 0) if connections else None,
    }
    columns |= _rate(given, columns["connections"])
    closes = any(_CLOSE.match(value) for name, value in pairs if name == "headers")
    columns["keepalive"] = not (_number(given.get("reconnectRate")) or closes)
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and targets as ("url", …).

    Options of the warm-up stand in brackets, the server's command line (--on-port) behind `--`.
    """
    words = list(takewhile("--".__ne__, arguments))
    while "[" in words and "]" in words[(at := words.index("[")) :]:
        words[at : words.index("]", at) + 1] = ["[…]"]
    yield from _options.options(words, short=_SHORT, switches=_SWITCHES)


def _rate(given: Mapping[str, str], connections: int | None) -> dict[str, Any]:
    """Return the rate that is asked for, and whether latencies are made up because of it."""
    each, overall = _number(given.get("connectionRate")), _number(given.get("overallRate"))
    if not each and not overall:
        return {"correction": "none"}
    plain = "ignoreCoordinatedOmission" in given
    columns: dict[str, Any] = {"correction": "none" if plain else "backfilled"}
    if each and connections:
        columns["offered_rate_rps"] = each * connections
    elif overall:
        columns["offered_rate_rps"] = overall
        if connections is not None and overall < connections:
            columns["connections"] = int(overall)  # no more connections than requests a second
    return columns


def _is_target(word: str) -> bool:
    return re.match(r"https?://|/|[\w.-]+(?::[0-9]+)?(?:/|$)|\[[0-9a-fA-F:]+\]", word) is not None


def _with_scheme(url: str) -> str:
    return url if url.startswith(("http", "/")) else f"http://{url}"


def _number(text: str | None) -> float | None:
    return _options.number(text or "", units.number)


def _whole(text: str | None) -> int | None:
    value = _number(text)
    return int(value) if value is not None and 0 <= value < 2**31 else None


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("autocannon",),
        opening=r"Running \S+ test @ ",
        read=read,
        options=options,
        asks={"connections": "connections", "duration": "duration_s", "workers": "threads"},
        voids={"amount": "duration_s"},
        header="headers",
        loops=("closed",),
        single_threaded=True,
        sets_rate=True,
        step_s=CONSTANTS["resolution_s"],
        truncates=True,
        pads="rate",
        rates_of="second",
        timeouts="left out",
    ),
)
