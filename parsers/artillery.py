"""What Artillery is, and its command line: the script decides on nearly all of a run.

Source: Artillery 2.0.34 `lib/cmds/run.ts`, `lib/cmds/quick.ts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit.tool import Tool

from ._artillery import STEP_S, TOOL

_LONG: Final = {
    "target": "t",
    "output": "o",
    "insecure": "k",
    "environment": "e",
    "quiet": "q",
    "variables": "v",
    "payload": "p",
    "config": "c",
    "count": "c",
    "num": "n",
}
#: Flags that are true where they stand alone; all others take the next argument.
_SWITCHES: Final = frozenset({"k", "q", "solo", "record", "help", "h"})


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns that `artillery run [flags] script` or `quick [flags] url` sets."""
    given = [*options(arguments)]
    words = [value for name, value in given if not name]
    flags = dict(given)
    if words[:1] == ["run"]:
        return {"url": flags["t"]} if "t" in flags else {}
    if words[:1] == ["quick"] and len(words) > 1:
        return {"url": words[1], "method": "GET"}
    return {}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (flag, value) under short names, and words that are no flags as ("", word)."""
    words = iter(arguments)
    for word in words:
        if not word.startswith("-") or word == "-":
            yield "", word
            continue
        name, equals, value = word.lstrip("-").partition("=")
        name = _LONG.get(name, name)
        yield name, value if equals else "true" if name in _SWITCHES else next(words, "")


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("artillery",),
        verbs=("run", "quick"),
        opening=r"Test run id: \w+\s+Phase started: ",
        remarks=(
            *(r"Metrics for period to: .{1,80}+", r"All VUs finished\. .{1,80}+"),
            *(r"Phase (?:started|completed): .{1,200}+", r"Test run id: \S++"),
        ),
        read=read,
        options=options,
        loops=("open", "closed"),
        step_s=STEP_S,
        sets_rate=True,
        drops=("vusers.skipped", "vusers.created"),
        errors_are_requests=True,
        timeouts="left out",
    ),
)
