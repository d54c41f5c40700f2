"""ghz's calls: `-O csv`, and `-O influx-details`.

The CSV has latencies in ms with two decimals and no instant; its errors are in no quotes. Influx
lines have ns, and the instant at which a call ended. Statuses are those of gRPC: which calls had no
answer is not told, and their latencies are among the others. Above a million calls there are the
first million.

Source: bojand/ghz 0.93 and 0.121 `printer/template.go` (csvTmpl), `printer/influx.go`
(printInfluxDetails), `runner/reporter.go` (maxResult).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from benchkit.parsing import RequestBatch, RowsParser, Source
from benchkit.schema import QUANTILE_COLUMNS

from . import _ghz
from ._rows_columns import MS, Number, RowField
from ._rows_lines import Lines

if TYPE_CHECKING:
    from ._rows_columns import Arrays
    from ._texts import TextCodes

CSV: Final = Lines(
    columns=(RowField("latency_ns", "duration", Number(MS, whole=False)),),
    header=re.compile(rb"\s*+duration \(ms\),status,error\r?\n"),
    pattern=re.compile(rb"^(?P<duration>[0-9]++\.[0-9]{2}),[A-Za-z]\w*+,[^\n]*+$", re.MULTILINE),
)


def _started(arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:  # noqa: ARG001
    return {
        "latency_ns": arrays["latency_ns"],
        "started_ns": arrays["ended_ns"] - arrays["latency_ns"],
    }


INFLUX: Final = Lines(
    columns=(RowField("ended_ns", "ended"), RowField("latency_ns", "latency")),
    finish=_started,
    pattern=re.compile(
        rb"^ghz_detail,(?>(?:[^ \\\n]|\\.)+) latency=(?P<latency>[0-9]++),"
        rb'[^\n]*?status="[^"\n]*+" (?P<ended>[0-9]{18,19})\r?$',
        re.MULTILINE,
    ),
)


def _csv(source: Source) -> Iterator[RequestBatch]:
    yield from _rows(CSV, source)


def _influx(source: Source) -> Iterator[RequestBatch]:
    yield from _rows(INFLUX, source)


def _rows(lines: Lines, source: Source) -> Iterator[RequestBatch]:
    """Yield the calls in file order.

    Raises:
        InputError: a row is broken, all before it have been yielded; or there is none.
    """
    count = 0
    for batch in lines.batches(source):
        count += len(batch)
        yield replace(batch, notes=[*batch.notes, _CAPPED]) if count >= _ghz.KEPT else batch


_CAPPED: Final = "ghz keeps the first million calls: there may have been more"
_FILLS: Final = (
    *("requests", "latency_min_s", "latency_mean_s", "latency_max_s"),
    *QUANTILE_COLUMNS.values(),
)
_DECLARED: Final[Mapping[str, Any]] = {
    "tool": _ghz.TOOL,
    "versions": "0.60 to 0.121",
    "detail": 90,
}

PARSERS: Final = (
    RowsParser(
        name="ghz-csv",
        reads="the calls of -O csv",
        fills=_FILLS,
        may_fill=("latency_std_s",),
        constants={**_ghz.CONSTANTS, "resolution_s": 1e-5},
        sniff=CSV.matches,
        rows=_csv,
        **_DECLARED,
    ),
    RowsParser(
        name="ghz-influx",
        reads="the calls of -O influx-details",
        fills=(*_FILLS, "started_at", "duration_s", "wait_s"),
        may_fill=("latency_std_s",),
        constants={**_ghz.CONSTANTS, "resolution_s": 1e-9},
        sniff=INFLUX.matches,
        rows=_influx,
        **_DECLARED,
    ),
)
