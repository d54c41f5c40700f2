"""What a command line asks for that its output states too."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from benchkit import units

_Names = Mapping[str, str]

#: What an option of each tool asks for.
_ASKS: Final[Mapping[str, _Names]] = MappingProxyType(
    {
        "ab": {"n": "requests", "c": "connections", "t": "limit_s"},
        "wrk": {
            "c": "connections",
            "t": "threads",
            "d": "duration_s",
            "connections": "connections",
            "threads": "threads",
            "duration": "duration_s",
        },
        "wrk2": {
            "c": "connections",
            "t": "threads",
            "d": "duration_s",
            "connections": "connections",
            "threads": "threads",
            "duration": "duration_s",
        },
        "autocannon": {
            "c": "connections",
            "d": "duration_s",
            "a": "amount",
            "w": "threads",
            "connections": "connections",
            "duration": "duration_s",
            "amount": "amount",
            "workers": "threads",
        },
        "vegeta": {"duration": "duration_s"},
    }
)
_HEADER: Final = re.compile(r"^(?:-H|--?headers?)(?:=|$)|^-H(?=.)")


def asked(tool: str, command: str) -> dict[str, float]:
    """Return requests, connections, threads and duration_s, as far as a command gives them.

    Args:
        tool: The load generator.
        command: Its command line, with a prompt, a pipe or other commands around it.
    """
    values: dict[str, float] = {}
    for option, value in _options(_words(tool, command), tool):
        name = _ASKS.get(tool, {}).get(option)
        number = _number(value, seconds=name in {"duration_s", "limit_s"}, tool=tool)
        if name and number is not None:
            values[name] = number
    if tool == "ab" and values.pop("limit_s", None) is not None:
        values.pop("requests", None)  # whichever of the two comes first ends the run
    if tool == "autocannon" and values.pop("amount", None) is not None:
        values.pop("duration_s", None)
    return values


def headers(tool: str, command: str) -> frozenset[str]:
    """Return the headers that a command adds, as `name: value`, the name in lower case."""
    words, sent = _words(tool, command), set()
    for at, word in enumerate(words):
        matched = _HEADER.match(word)
        if matched is None:
            continue
        text = word[matched.end() :] or (words[at + 1] if at + 1 < len(words) else "")
        name, colon, value = text.partition(":") if ":" in text else text.partition("=")
        if colon:
            sent.add(f"{name.strip().lower()}: {value.strip()}")
    return frozenset(sent)


@lru_cache(maxsize=4096)
def _words(tool: str, command: str) -> Sequence[str]:
    """Return the arguments behind the tool's name, up to a pipe or the next command."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    program = "wrk" if tool == "wrk2" else tool
    starts = [n for n, word in enumerate(words) if re.split(r"[/\\]", word)[-1].startswith(program)]
    rest = words[starts[0] + 1 :] if starts else []
    stops = [n for n, word in enumerate(rest) if word in {"|", ">", ">>", "&&", ";", "||", "2>&1"}]
    return rest[: stops[0]] if stops else rest


def _options(words: Sequence[str], tool: str) -> Iterator[tuple[str, str]]:
    """Yield (name, value): `-c 10`, `-c10`, `--connections=10`; of vegeta `-rate=50`."""
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        long = re.fullmatch(r"--?([A-Za-z][\w-]+)=(.*)", word, re.DOTALL)
        if long:
            yield long[1], long[2]
        elif word.startswith("--") or (tool == "vegeta" and word.startswith("-")):
            yield word.lstrip("-"), after
        elif re.match(r"-[A-Za-z]", word):
            yield word[1], word[2:].removeprefix("=") or after


def _number(text: str, *, seconds: bool, tool: str) -> float | None:
    try:
        if seconds and tool == "vegeta":
            return units.go_duration(text)
        if seconds and re.search(r"[a-z]$", text):
            return units.seconds(text)
        scaled = re.fullmatch(r"([0-9]+)([kKmM])", text)
        if scaled and not seconds:
            return float(scaled[1]) * {"k": 1e3, "m": 1e6}[scaled[2].lower()]
        return units.number(text)
    except ValueError:
        return None
