"""What autocannon is, and its command line.

Source: autocannon 9.0 `autocannon.js` (options and defaults), `lib/httpClient.js`
(a request waits for an answer on its connection, also with a rate), `lib/run.js`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from ._autocannon import CONSTANTS, TOOL, opened_connections

_LONG: Final = {
    "connections": "c",
    "pipelining": "p",
    "timeout": "t",
    "duration": "d",
    "amount": "a",
    "method": "m",
    "headers": "H",
    "header": "H",
    "connectionRate": "r",
    "overallRate": "R",
    "reconnectRate": "D",
    "workers": "w",
    "ignoreCoordinatedOmission": "C",
    "sampleInt": "L",
    "body": "b",
    "form": "F",
    "servername": "s",
    "bailout": "B",
    "input": "i",
    "maxConnectionRequests": "M",
    "maxOverallRequests": "O",
    "title": "T",
    "socketPath": "S",
    "expectBody": "E",
    "warmup": "W",
    "har": "har",
    "cert": "cert",
    "key": "key",
    "ca": "ca",
}
_WITH_VALUE: Final = frozenset(_LONG.values()) - {"C"}


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, the tool's defaults included.

    Without a URL nothing can have been run, and nothing is returned.
    """
    options, urls = _parse(arguments)
    if not urls:
        return {}
    columns: dict[str, Any] = {"url": ",".join(map(_with_scheme, urls)), "load_model": "closed"}
    columns["method"] = options.get("m", ["GET"])[-1].upper()
    columns["timeout_s"] = _number(options, "t", 10.0)
    workers, connections = _whole(options, "w", 0), _whole(options, "c", 10)
    columns["pipelining"] = _whole(options, "p", 1)
    if workers:
        columns["threads"] = workers
    if connections:
        columns["connections"] = opened_connections(connections, workers or 0)
    columns |= _rate(options, columns.get("connections"))
    columns["keepalive"] = not (_number(options, "D", 0.0) or _closes(options))
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value) under short names."""
    for option, values in _parse(arguments)[0].items():
        yield from ((option, value) for value in values)


def _rate(options: dict[str, list[str]], connections: int | None) -> dict[str, Any]:
    """Return the rate that is asked for, and whether latencies are made up because of it."""
    each, overall = _number(options, "r", 0.0), _number(options, "R", 0.0)
    if not each and not overall:
        return {"correction": "none"}
    columns: dict[str, Any] = {"correction": "none" if "C" in options else "backfilled"}
    if each and connections:
        columns["offered_rate_rps"] = each * connections
    elif overall:
        columns["offered_rate_rps"] = overall
        if connections is not None and overall < connections:
            columns["connections"] = int(overall)  # no more connections than requests a second
    return columns


def _parse(arguments: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the options by short name, and what stands between them."""
    options: dict[str, list[str]] = {}
    urls: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            break  # what follows is the server's command line (--on-port)
        if word in {"[", "]"}:
            rest = rest[rest.index("]") + 1 :] if word == "[" and "]" in rest else rest
        elif re.match(r"-[^\W\d_]|--\w", word):
            _take(word, rest, options)
        else:
            urls.append(word)
    return options, [url for url in urls if _is_target(url)]


def _take(word: str, rest: list[str], options: dict[str, list[str]]) -> None:
    """Read one option, and its value from the words after it."""
    name, equals, value = word.lstrip("-").partition("=")
    if word.startswith("--"):
        name = _LONG.get(name, name)
    else:
        # The options of `-lCc10` that stand before the one that takes a value.
        at = next((i for i, flag in enumerate(name) if flag in _WITH_VALUE), len(name) - 1)
        for flag in name[:at]:
            options.setdefault(flag, []).append("")
        name, glued = name[at], name[at + 1 :]
        if glued and not equals:
            equals, value = "=", glued
    if not equals and name in _WITH_VALUE and rest and rest[0] != "[":
        value = rest.pop(0)
    options.setdefault(name, []).append(value)


def _is_target(word: str) -> bool:
    return re.match(r"https?://|/|[\w.-]+(?::[0-9]+)?(?:/|$)|\[[0-9a-fA-F:]+\]", word) is not None


def _with_scheme(url: str) -> str:
    return url if url.startswith(("http", "/")) else f"http://{url}"


def _number(options: dict[str, list[str]], name: str, default: float) -> float | None:
    """Return the last value of an option, None where it is no number."""
    if name not in options:
        return default
    try:
        return units.number(options[name][-1])
    except ValueError:
        return None


def _whole(options: dict[str, list[str]], name: str, default: int) -> int | None:
    value = _number(options, name, float(default))
    return int(value) if value is not None and 0 <= value < 2**31 else None


def _closes(options: dict[str, list[str]]) -> bool:
    return any(
        re.match(r"connection\s*[:=]\s*close", header, re.IGNORECASE)
        for header in options.get("H", [])
    )


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("autocannon",),
        opening=r"Running \S+ test @ ",
        read=read,
        options=options,
        asks={"c": "connections", "d": "duration_s", "w": "threads"},
        voids={"a": "duration_s"},
        loops=("closed",),
        sets_rate=True,
        step_s=CONSTANTS["resolution_s"],
        truncates=True,
        pads="rate",
        rates_of="second",
        timeouts="left out",
    ),
)
