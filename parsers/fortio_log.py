"""fortio's access log: a line per call, as JSON or for Influx.

A line has the instant at which the call began, in ns, its latency in s with six decimals, and its
code: of HTTP a status, or -1 for no response; of gRPC, TCP and UDP words, or an error. Lines stand
in the order in which calls ended. A log is added to: two runs into one file are one.

Source: fortio/fortio 1.68.0 `periodic/periodic.go` (NewFileAccessLogger, Report); 1.22 to 1.29
are without the code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from benchkit.parsing import RowsParser, Source
from benchkit.schema import QUANTILE_COLUMNS

from . import _fortio
from ._rows_columns import Converted, Number, RowField, S
from ._rows_json import JsonObjects
from ._rows_lines import Lines
from ._rows_windows import head_of

if TYPE_CHECKING:
    from ._rows_columns import Arrays
    from ._texts import TextCodes

_NO_HTTP: Final = -2
_CODE: Final = re.compile(r"-1|[1-5][0-9]{2}")
_FIRST: Final = re.compile(rb'\{"latency":[0-9.e-]++,"timestamp":[0-9]{18,19},"thread":[0-9]')


def _status(code: str) -> int:
    return max(int(code), 0) if _CODE.fullmatch(code) else _NO_HTTP


def _without_words(arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:  # noqa: ARG001
    """Leave the statuses out where there are some that are none of HTTP."""
    if "status" in arrays and (arrays["status"] == _NO_HTTP).any():
        return {name: array for name, array in arrays.items() if name != "status"}
    return arrays


_COLUMNS: Final = (
    RowField("started_ns", "timestamp"),
    RowField("latency_ns", "latency", Number(S, whole=False)),
    RowField("status", "details", Converted(_status, "a code"), absent=_NO_HTTP),
)
OBJECTS: Final = JsonObjects(columns=_COLUMNS, finish=_without_words)
LINES: Final = Lines(
    columns=_COLUMNS,
    finish=_without_words,
    pattern=re.compile(
        rb"^latency,thread=[0-9]++(?>(?:,ok=(?:true|false))?) value=(?P<latency>[0-9.]++)"
        rb'(?>(?:,details="(?P<details>(?>(?:[^"\\\n]|\\.)*))")?) (?P<timestamp>[0-9]{18,19})\r?$',
        re.MULTILINE,
    ),
)


def _is_json(source: Source) -> bool:
    return _FIRST.match(head_of(source)) is not None


_DECLARED: Final[Mapping[str, Any]] = {
    "tool": _fortio.TOOL,
    "versions": "1.22 to 1.75",
    "fills": (
        *("requests", "started_at", "duration_s", "wait_s", "throughput_rps"),
        *("latency_min_s", "latency_mean_s", "latency_max_s", *QUANTILE_COLUMNS.values()),
    ),
    "may_fill": ("errors", "non2xx", "goodput_rps", "success_ratio", "latency_std_s"),
    "when": dict.fromkeys(("errors", "non2xx", "goodput_rps", "success_ratio"), "of HTTP"),
    "detail": 90,
    "constants": {**_fortio.CONSTANTS, "resolution_s": 1e-6},
}

PARSERS: Final = (
    RowsParser(
        name="fortio-log-json",
        reads="the access log of -access-log-file, a JSON object per call",
        sniff=_is_json,
        rows=OBJECTS.batches,
        **_DECLARED,
    ),
    RowsParser(
        name="fortio-log-influx",
        reads="the access log of -access-log-format influx, a line per call",
        sniff=LINES.matches,
        rows=LINES.batches,
        **_DECLARED,
    ),
)
