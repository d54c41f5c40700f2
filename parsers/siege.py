"""siege's command line.

Source: JoeDog/siege 4.0.7 `src/main.c` (long_options, parse_cmdline, parse_time), `src/init.c`
(defaults, which a configuration file may change).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit.tool import Tool

from . import _options
from ._siege import TOOL

_SHORT: Final = _options.letters(
    "V=version h=help v=verbose q=quiet C=config D=debug g=get p=print c=concurrent "
    "N=no-parser F=no-follow i=internet b=benchmark r=reps t=time d=delay f=file R=rc "
    "m=mark H=header A=user-agent T=content-type l=log j=json-output"
)
_SWITCHES: Final = frozenset(
    {"version", "help", "verbose", "quiet", "config", "debug", "get", "print", "no-parser"}
    | {"no-follow", "internet", "benchmark", "log", "json-output"}
)
_TIME: Final = re.compile(r"([0-9]{1,9})([hms]?)", re.IGNORECASE)
_SECONDS: Final = {"h": "h", "m": "m", "s": "s", "": "m"}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and the target as ("url", …); a time has its unit, minutes."""
    for name, value in _options.options(arguments, short=_SHORT, switches=_SWITCHES):
        time = _TIME.fullmatch(value) if name == "time" else None
        yield name, f"{time[1]}{_SECONDS[time[2].lower()]}" if time else value


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets.

    How many users there are is left out where no option tells: a file sets it.
    """
    given = dict(options(arguments))
    if "url" not in given or {"get", "print"} & given.keys():
        return {}
    target = given["url"].split(" ")
    columns: dict[str, Any] = {"url": target[0], "load_model": "closed"}
    if len(target) > 1 and target[1] in {"POST", "PUT", "PATCH", "DELETE"}:
        columns["method"] = target[1]
    return columns


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("siege",),
        opening=r"(?:\*\* SIEGE [0-9]|\*\* Preparing [0-9]+ concurrent users)",
        read=read,
        options=options,
        asks={"time": "duration_s"},
        header="header",
        loops=("closed",),
        step_s=0.01,
    ),
)
