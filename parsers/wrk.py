"""What wrk and its relatives are, and their command lines.

Source: wg/wrk 2.0.0 to 4.2.0 and giltene/wrk2 44a94c1, `parse_args` and the
defaults in `src/wrk.c`, `src/wrk.h`; `src/stats.c`; delimitrou/DeathStarBench 70ddb2e
`wrk2/src/wrk.c` (usage).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit.tool import Tool

from . import _options
from ._wrk_rules import OPEN

_SHORT: Final = _options.letters(
    "c=connections d=duration t=threads s=script H=header M=method T=timeout R=rate L=latency "
    "U=u_latency B=batch_latency h=help v=version D=dist S=separate r=requests"
)
_SWITCHES: Final = frozenset(
    {"latency", "u_latency", "batch_latency", "help", "version", "separate", "requests", "P", "p"}
)
_COUNTS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15}
_TIMES: Final = {"": 1, "s": 1, "m": 60, "h": 3600}
_CLOSE: Final = re.compile(r"connection\s*:\s*close\b", re.IGNORECASE)


def read_wrk(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line of wrk sets.

    With `-R` it is wrk2's, whose program is called wrk too, and `tool` says so:
    offered rate, open load, latency from the time a request was due.

    Defaults: 2 threads, 10 connections, a timeout of 2 s; none of them where an
    option has a value that cannot be read, such as a shell variable. What a Lua
    script may change (method, pipelining, keep-alive) is left out with `-s`.
    """
    pairs = list(options(arguments))
    given = dict(pairs)
    target = next((value for option, value in pairs if option == "url"), "")
    threads = _scaled(given.get("threads", "2"), _COUNTS)
    connections = _scaled(given.get("connections", "10"), _COUNTS)
    timeout = _scaled(given.get("timeout", "2"), _TIMES)
    columns: dict[str, Any] = {}
    if threads:
        columns["threads"] = threads
        if connections:
            columns["connections"] = connections // threads * threads
    if timeout:
        columns["timeout_s"] = float(timeout)
    if "://" in target:
        columns["url"] = target
    rate = _scaled(given.get("rate", ""), _COUNTS)
    if rate:
        columns |= {"tool": "wrk2", "offered_rate_rps": float(rate), **OPEN}
    if "script" not in given:
        headers = [value for option, value in pairs if option == "header"]
        columns |= {
            "method": given.get("method", "GET"),
            "pipelining": 1,
            "keepalive": not any(map(_CLOSE.match, headers)),
        }
    return columns


def read_wrk2(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns that a command line of wrk2 sets; its load is always open."""
    return read_wrk(arguments) | {"tool": "wrk2", **OPEN}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and the target as ("url", …)."""
    yield from _options.options(arguments, short=_SHORT, switches=_SWITCHES)


def _scaled(text: str, factors: dict[str, int]) -> int | None:
    matched = re.fullmatch(r"([0-9]{1,15})([a-z]?)", text.strip().lower())
    if matched is None or matched[2] not in factors:
        return None
    return int(matched[1]) * factors[matched[2]]


#: What wrk2 has of wrk.
_BOTH: Final[dict[str, Any]] = {
    "opening": r"Running \S+ test @ ",
    # Rows that stand where they are not read, as a fork moves them.
    "remarks": (
        r"(?:Latency|Req/[Ss]ec):?\s++(?>(?:[0-9.]++[A-Za-zµμ]{0,2}\s++){3,5})[0-9.]++%",
        r"Thread Stats\s++Avg\s.{0,80}+",
    ),
    "failures": ("unable to (?:connect to|resolve|create thread) ", "invalid URL: "),
    "options": options,
    "asks": {"connections": "connections", "threads": "threads", "duration": "duration_s"},
    "header": "header",
    "rates_of": "thread",
    "non2xx_from": 400,
}

TOOLS: Final = (
    Tool(
        name="wrk",
        programs=("wrk",),
        scripted=True,
        read=read_wrk,
        loops=("closed",),
        pads="pauses",
        timeouts="left out",
        answers_late=True,
        **_BOTH,
    ),
    Tool(
        name="wrk2",
        programs=("wrk2",),
        scripted=True,
        also=("wrk",),
        read=read_wrk2,
        loops=("open",),
        sets_rate=True,
        calibration_s=10.0,
        timeouts="waiting",
        **_BOTH,
    ),
    Tool(name="hyperfoil"),
)
