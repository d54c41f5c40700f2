"""ghz's command line.

Source: bojand/ghz 0.93 and 0.121 `cmd/ghz/main.go`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.tool import Tool

from . import _options
from ._ghz import TOOL, load_columns

_SHORT: Final = _options.letters(
    "i=import-paths r=rps c=concurrency n=total t=timeout z=duration x=max-duration "
    "d=data D=data-file b=binary B=binary-file m=metadata M=metadata-file o=output "
    "O=format e=enable-compression h=help v=version"
)
_SWITCHES: Final = frozenset(
    {"skipTLS", "insecure", "async", "binary", "stream-dynamic-messages", "count-errors"}
    | {"enable-compression", "disable-template-functions", "disable-template-data"}
    | {"help", "version"}
)


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and the target as ("url", …)."""
    yield from _options.options(arguments, short=_SHORT, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with ghz's defaults.

    With a schedule of its own the rate is none.
    """
    given = dict(options(arguments))
    if "url" not in given or "config" in given:
        return {}
    columns: dict[str, Any] = {
        "url": given["url"],
        "timeout_s": _options.number(given.get("timeout", "20s"), units.go_duration),
        "load_model": "open" if "async" in given else "closed",
    }
    if given.get("concurrency-schedule", "const") == "const":
        columns |= load_columns(
            _options.whole(given.get("connections", "1")),
            _options.whole(given.get("concurrency", "50")),
        )
    if given.get("load-schedule", "const") == "const":
        columns["offered_rate_rps"] = _options.number(given.get("rps", ""), units.number)
    return {name: value for name, value in columns.items() if value is not None}


TOOLS: Final = (
    Tool(
        name=TOOL,
        programs=("ghz",),
        opening=r"Summary:\s+(?:Name:[^\n]*\s+)?Count:",
        read=read,
        options=options,
        asks={"total": "requests", "duration": "duration_s"},
        voids={"duration": "requests"},
        header="metadata",
        loops=("closed", "open"),
        sets_rate=True,
        errors_are_requests=True,
    ),
)
