"""oha's CSV, `--output-format csv`: a row per answer, in the order in which they were sent.

Times are seconds with up to nine decimals; `request-start` is since the start of the run, which is
not in the file. With `--latency-correction` durations begin when a request was due, before it
started, which the file does not say. Requests without an answer have no row.

Source: hatoo/oha 1.16.0 `src/printer.rs` (print_csv).
"""

from __future__ import annotations

from typing import Any, Final

from benchkit.parsing import RowsParser
from benchkit.schema import QUANTILE_COLUMNS

from ._rows_columns import Number, RowField, S
from ._rows_csv import DelimitedRows
from .oha import CONSTANTS

_SECONDS: Final = Number(S, whole=False)
TABLE: Final = DelimitedRows(
    columns=(
        RowField("started_ns", "request-start", _SECONDS),
        RowField("latency_ns", "request-duration", _SECONDS),
        RowField("connect_ns", "DNS+dialup", _SECONDS),
        RowField("first_byte_ns", "Response-delay", _SECONDS),
        RowField("received_bytes", "bytes"),
        RowField("status", "status"),
    ),
    constants={"started_relative": True},
)
#: What the parsers of a row per answer declare alike.
ROWS: Final[dict[str, Any]] = {
    "tool": "oha",
    "fills": (
        *("requests", "duration_s", "wait_s", "non2xx", "received_bytes", "body_bytes"),
        *("latency_min_s", "latency_mean_s", *QUANTILE_COLUMNS.values(), "latency_max_s"),
    ),
    "may_fill": ("throughput_rps", "goodput_rps", "latency_std_s"),
    "constants": CONSTANTS,
    "answers_only": True,
}


PARSERS: Final = (
    RowsParser(
        name="oha-csv",
        reads="the answers written by `oha --output-format csv`",
        versions="1.9 on",
        detail=90,
        sniff=TABLE.matches,
        rows=TABLE.batches,
        **ROWS,
    ),
)
