"""What k6 is, and its command line.

The script decides on most of a run. A duration, iterations or stages on the command line take the
place of its scenarios, and are all of a closed loop: each virtual user begins the next iteration
when the last one has ended. `--rps` holds all requests back to so many a second.

Source: k6 1.8 `internal/cmd/options.go`, `config.go`, `lib/options.go` (Apply),
`lib/executor/helpers.go`; `github.com/spf13/pflag` 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from ._k6 import TOOL

_LONG: Final = {
    "vus": "u",
    "duration": "d",
    "iterations": "i",
    "stage": "s",
    "env": "e",
    "out": "o",
    "config": "c",
    "address": "a",
    "type": "t",
    "paused": "p",
    "throw": "w",
    "linger": "l",
    "quiet": "q",
    "verbose": "v",
    "help": "h",
}
#: Flags that are true where they stand alone; all others take the next argument.
_SWITCHES: Final = frozenset(
    {
        *("p", "w", "l", "q", "v", "h", "no-setup", "no-teardown", "insecure-skip-tls-verify"),
        *("no-connection-reuse", "no-vu-connection-reuse", "discard-response-bodies"),
        *("include-system-env-vars", "no-thresholds", "no-summary", "no-color", "http-debug"),
        *("new-machine-readable-summary", "no-usage-report", "profiling-enabled"),
    }
)
#: What on the command line takes the place of the script's scenarios.
_LOAD: Final = frozenset("dis")


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns that `k6 run [flags] script` sets; virtual users are `threads`."""
    listed = [*options(arguments)]
    words = [value for name, value in listed if not name]
    if words[:1] != ["run"] or len(words) < 2:
        return {}
    given = dict(listed)
    columns: dict[str, Any] = {
        "threads": _whole(given.get("u")),
        "offered_rate_rps": float(_whole(given.get("rps")) or 0) or None,
    }
    if _LOAD & given.keys():
        columns["load_model"] = "closed"
        columns["threads"] = _whole(given.get("u", "1")) if "s" not in given else None
    if {given.get("no-connection-reuse"), given.get("no-vu-connection-reuse")} & {"true", "1"}:
        columns["keepalive"] = False
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (flag, value) as pflag takes them apart, under short names, and words as ("", word)."""
    words = iter(arguments)
    for word in words:
        if word == "--":
            yield from (("", later) for later in words)
            return
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = _LONG.get(name, name)
            yield name, value if equals else "true" if name in _SWITCHES else next(words, "")
        elif word.startswith("-") and len(word) > 1:
            yield from _short(word[1:], words)
        else:
            yield "", word


def _short(letters: str, words: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield the flags of `-qu10`: letters, the last with a value that may be the next word."""
    while letters and letters[0] in _SWITCHES:
        yield letters[0], "true"
        letters = letters[1:]
    if letters:
        value = letters[1:].removeprefix("=")
        yield letters[0], value if letters[1:] else next(words, "")


def _whole(text: str | None) -> int | None:
    try:
        number = units.whole(text or "")
    except ValueError:
        return None
    return number if 0 < number < 2**31 else None


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("k6",),
        verbs=("run",),
        opening=r"execution: local\s+(?:script|output):|█ TOTAL RESULTS",
        remarks=(r"(?:execution|output|scenarios|web dashboard): .{0,200}+", "script: -"),
        failures=(r'time="[^"]{1,40}" level=(?:error|fatal) msg=',),
        read=read,
        options=options,
        asks={"u": "threads", "d": "duration_s"},
        voids={"i": "duration_s", "s": "duration_s"},
        credentials={"e": "="},
        loops=("open", "closed"),
        sets_rate=True,
        drops=("dropped_iterations", "iterations"),
        errors_are_requests=True,
        timeouts="timed",
    ),
)
