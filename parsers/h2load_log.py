"""h2load's `--log-file`: a row per request that ended, without a header.

Columns are when it was sent (µs since 1970), the status, and what it took (µs), between tabs.
A status of -1 is a stream that was reset; requests whose connection broke have no row, nor those
of a warm-up. Threads write as their requests end. A file that is there is appended to.

Source: nghttp2 1.52.0 and 1.70.0 `src/h2load.cc` (Client::on_stream_close, main).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from benchkit.parsing import RowsParser, Source
from benchkit.schema import QUANTILE_COLUMNS

from ._rows_columns import US, Number, RowField
from ._rows_csv import DelimitedRows
from ._rows_windows import head_of
from .h2load import CONSTANTS

if TYPE_CHECKING:
    from ._rows_columns import Arrays
    from ._texts import TextCodes

_FIRST: Final = re.compile(rb"(?>(?:[0-9]{15,17}\t(?:-1|0|[1-9][0-9]{2})\t[0-9]{1,12}\r?\n){1,3})")


def _answered(arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:  # noqa: ARG001
    """Return the rows with 0 as the status of those without an answer."""
    return {**arrays, "status": arrays["status"] * (arrays["status"] != -1)}


TABLE: Final = DelimitedRows(
    columns=(
        RowField("started_ns", "start", Number(US)),
        RowField("status", "status"),
        RowField("latency_ns", "duration", Number(US)),
    ),
    headless=[("start", "status", "duration")],
    delimiters="\t",
    quote="",
    finish=_answered,
)


def sniff(source: Source) -> bool:
    """Whether the file begins with rows of a log."""
    return _FIRST.match(head_of(source)) is not None


PARSERS: Final = (
    RowsParser(
        name="h2load-log",
        tool="h2load",
        reads="the requests written by `h2load --log-file`",
        versions="1.42 on",
        fills=(
            *("requests", "started_at", "duration_s", "wait_s", "non2xx"),
            *("latency_min_s", "latency_mean_s", *QUANTILE_COLUMNS.values(), "latency_max_s"),
        ),
        may_fill=("throughput_rps", "goodput_rps", "latency_std_s"),
        detail=90,
        constants=CONSTANTS,
        answers_only=True,
        sniff=sniff,
        rows=TABLE.batches,
        parts=TABLE.parts,
        rows_of=TABLE.batches,
    ),
)
