"""The command lines of wrk and wrk2.

Source: wg/wrk 2.0.0 to 4.2.0 and giltene/wrk2 44a94c1, `parse_args` and the
defaults in `src/wrk.c`, `src/wrk.h`; getopt_long of glibc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

_LONG: Final = {
    "connections": "c",
    "duration": "d",
    "threads": "t",
    "script": "s",
    "header": "H",
    "method": "M",
    "body": "body",
    "timeout": "T",
    "rate": "R",
    "latency": "L",
    "u_latency": "U",
    "batch_latency": "B",
    "help": "h",
    "version": "v",
}
_WITH_VALUE: Final = frozenset("cdtsHMTR") | {"body"}
_COUNTS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15}
_TIMES: Final = {"": 1, "s": 1, "m": 60, "h": 3600}
#: What follows from the tool alone, of wrk2 and of wrk.
OPEN: Final = {"load_model": "open", "correction": "none", "clock": "due-to-last-byte"}
CLOSED: Final = {
    "load_model": "closed",
    "correction": "backfilled",
    "resolution_s": 1e-6,
    "clock": "send-to-last-byte",
}
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
    given = {option: value for option, value in reversed(pairs) if option == "url"}
    given |= {option: value for option, value in pairs if option != "url"}
    threads = _scaled(given.get("t", "2"), _COUNTS)
    connections = _scaled(given.get("c", "10"), _COUNTS)
    timeout = _scaled(given.get("T", "2"), _TIMES)
    columns: dict[str, Any] = {}
    if threads:
        columns["threads"] = threads
        if connections:
            columns["connections"] = connections // threads * threads
    if timeout:
        columns["timeout_s"] = float(timeout)
    if "://" in given.get("url", ""):
        columns["url"] = given["url"]
    rate = _scaled(given.get("R", ""), _COUNTS)
    if rate:
        columns |= {"tool": "wrk2", "offered_rate_rps": float(rate), **OPEN}
    if "s" not in given:
        headers = [value for option, value in pairs if option == "H"]
        columns |= {
            "method": given.get("M", "GET"),
            "pipelining": 1,
            "keepalive": not any(map(_CLOSE.match, headers)),
        }
    return columns


def read_wrk2(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns that a command line of wrk2 sets; its load is always open."""
    return read_wrk(arguments) | {"tool": "wrk2", **OPEN}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value), the target as ("url", …), as getopt_long takes them apart."""
    words = iter(arguments)
    for word in words:
        if word == "--":
            yield from (("url", rest) for rest in words)
        elif word.startswith("--"):
            name, _, value = word[2:].partition("=")
            option = _long(name)
            if option in _WITH_VALUE:
                yield option, value if "=" in word else next(words, "")
        elif word.startswith("-") and len(word) > 1:
            yield from _short(word[1:], words)
        else:
            yield "url", word


def _short(letters: str, words: Iterator[str]) -> Iterator[tuple[str, str]]:
    for at, letter in enumerate(letters):
        if letter in _WITH_VALUE:
            yield letter, letters[at + 1 :] or next(words, "")
            return


def _long(name: str) -> str:
    fits = [option for long, option in _LONG.items() if name and long.startswith(name)]
    return _LONG.get(name) or (fits[0] if len(fits) == 1 else "")


def _scaled(text: str, factors: dict[str, int]) -> int | None:
    matched = re.fullmatch(r"([0-9]{1,15})([a-z]?)", text.strip().lower())
    if matched is None or matched[2] not in factors:
        return None
    return int(matched[1]) * factors[matched[2]]
