"""What vegeta is, and its command line.

Source: vegeta 12.13 `main.go`, `attack.go`, `flags.go`, `lib/attack.go`, `lib/metrics.go`;
Go 1.26 `flag`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

#: Flags that are true where they stand alone; all others take the next argument.
_SWITCHES: Final = frozenset(
    {
        *("chunked", "h2c", "http2", "insecure", "keepalive", "lazy", "session-tickets"),
        *("version", "h", "help"),
    }
)
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})


def read(args: Sequence[str]) -> dict[str, Any]:
    """Return the columns that `vegeta [global flags] attack [flags]` sets, with defaults.

    Columns: offered_rate_rps and load_model from -rate (50 a second by default;
    at 0 a closed loop of -max-workers, in threads), timeout_s, keepalive. The
    program takes no other positional argument, and stops reading at the first.
    """
    attack = _attack(args)
    if attack is None:
        return {}
    given = {name: value for name, value, _ in _flags(attack)}
    columns: dict[str, Any] = {"timeout_s": 30.0, "keepalive": True}
    columns |= _rate(given.get("rate", "50/1s"), given.get("max-workers"))
    if "timeout" in given:
        columns["timeout_s"] = _seconds(given["timeout"])
    keepalive = given.get("keepalive", "true")
    columns["keepalive"] = True if keepalive in _TRUE else False if keepalive in _FALSE else None
    return {name: value for name, value in columns.items() if value is not None}


def options(args: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of the flags of an attack."""
    yield from ((name, value) for name, value, _ in _flags(_attack(args) or ()))


def _attack(args: Sequence[str]) -> Sequence[str] | None:
    """Return the arguments of an attack, None where it is none."""
    at = 0
    for name, _, after in _flags(args):
        at = after
        if name in {"version", "h", "help"}:
            return None
    return args[at + 1 :] if at < len(args) and args[at] == "attack" else None


def _flags(args: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Yield (name, value, where the next begins) as Go's flag package reads them."""
    at = 0
    while at < len(args):
        matched = re.fullmatch(r"--?([^-=][^=]*)(?:=(.*))?", args[at], re.DOTALL)
        if matched is None:
            return
        name, value = matched[1], matched[2]
        at += 1
        if value is None:
            value = "true"
            if name not in _SWITCHES and at < len(args):
                value = args[at]
                at += 1
        yield name, value, at


def _rate(text: str, workers: str | None) -> dict[str, Any]:
    frequency, _, per = text.partition("/")
    if re.fullmatch(r"0+", frequency):
        closed: dict[str, Any] = {"load_model": "closed"}
        if workers is not None and re.fullmatch(r"[1-9][0-9]{0,8}", workers):
            closed["threads"] = int(workers)
        return closed
    if re.fullmatch(r"(?:ns|us|µs|ms|s|m|h)", per):
        per = f"1{per}"
    seconds = _seconds(per or "1s")
    if not re.fullmatch(r"\d{1,15}", frequency, re.ASCII) or not seconds:
        return {}
    return {"load_model": "open", "offered_rate_rps": int(frequency) / seconds}


def _seconds(text: str) -> float | None:
    try:
        return units.go_duration(text)
    except ValueError:
        return None


TOOLS: Final = (
    Tool(
        name="vegeta",
        programs=("vegeta",),
        verbs=("attack",),
        piped=True,
        read=read,
        options=options,
        asks={"duration": "duration_s"},
        header="header",
        loops=("open", "closed"),
        sets_rate=True,
        tells_sends=True,
        numbers_requests=True,
        restarts_minimum=True,
        errors_are_requests=True,
        timeouts="timed",
    ),
)
