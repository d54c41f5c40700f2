"""hey's CSV, `-o csv`: a row per answer, in the order in which workers had them.

Times have four decimals of a second; `offset` is when a request began, since the start of the
run, which is not in the file. Requests without an answer have no row, and beyond a million
answers none has. `DNS+dialup` is what waiting for a connection took, 0.0000 on one that is
reused. Before 0.1.3 there is no `offset`.

Source: rakyll/hey 0.1.5 `requester/print.go` (csvTmpl), `requester/report.go` (runReporter),
`requester/requester.go` (makeRequest).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from benchkit.parsing import RequestBatch, RowsParser, Source
from benchkit.schema import QUANTILE_COLUMNS

from ._rows_columns import Number, RowField, S
from ._rows_csv import DelimitedRows
from .hey import CONSTANTS, KEPT

_SECONDS: Final = Number(S, whole=False)
TABLE: Final = DelimitedRows(
    columns=(
        RowField("latency_ns", "response-time", _SECONDS),
        RowField("connect_ns", "DNS+dialup", _SECONDS),
        RowField("status", "status-code"),
        RowField("started_ns", "offset", _SECONDS, absent=0),
    ),
    constants={"started_relative": True},
)


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the answers in file order.

    Raises:
        InputError: a row is broken, all before it have been yielded; or there is none.
    """
    count = 0
    for batch in TABLE.batches(source):
        count += len(batch)
        yield replace(batch, notes=[*batch.notes, _CAPPED]) if count >= KEPT else batch


_CAPPED: Final = "hey writes the first million answers: there may have been more"

PARSERS: Final = (
    RowsParser(
        name="hey-csv",
        tool="hey",
        reads="the answers written by `hey -o csv`",
        versions="0.1.2 on",
        fills=(
            *("requests", "non2xx", "latency_min_s", "latency_mean_s", "latency_max_s"),
            *QUANTILE_COLUMNS.values(),
        ),
        may_fill=("duration_s", "wait_s", "throughput_rps", "goodput_rps", "latency_std_s"),
        when={"duration_s": "where the column `offset` is there"},
        detail=90,
        constants=CONSTANTS,
        answers_only=True,
        sniff=TABLE.matches,
        rows=rows,
    ),
)
