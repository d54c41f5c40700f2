"""k6's samples, `--out json=…` and `--out csv=…`: those of http_req_duration are the requests.

Each request has a dozen samples, of one metric each, with the instant at which it ended; its
start is that less the duration. A status of 0 is no response; the duration is 0 then where there
was no connection. `name` is the URL, or what the script calls requests of one kind. Times of CSV
are whole seconds unless K6_CSV_TIME_FORMAT says otherwise. Each request has a sample of http_reqs,
too, which is 1.

Source: k6 1.8 `internal/output/json/wrapper.go`, `internal/output/csv/output.go` (SampleToRow),
`csv/config.go`, `lib/netext/httpext/transport.go`; 0.29 `stats/json/wrapper.go` and 0.26
`stats/csv/collector.go` have the same in another order of keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.errors import InputError
from benchkit.parsing import Part, RequestBatch, RowsParser, Source

from ._k6 import CONSTANTS, DURATION, TOOL
from ._rows_columns import MS, STATUS, US, CodedText, Instant, Number, RowField, S, looked_up
from ._rows_csv import DelimitedRows
from ._rows_json import JsonObjects
from ._rows_windows import head_of

if TYPE_CHECKING:
    from ._rows_columns import Arrays, ValueKind
    from ._texts import TextCodes

_FIRST_OBJECT: Final = re.compile(
    rb'\{"(?:type":"(?:Metric|Point)","data":\{|metric":"\w++","type":")'
)
_HEADER: Final = b"metric_name,timestamp,metric_value,"
#: How the second column of a row looks, what it is, and the step of the clock in ns.
_TIMES: Final[tuple[tuple[str, ValueKind, int], ...]] = (
    (r"[0-9]{9,11}", Number(S), S),
    (r"[0-9]{12,14}", Number(MS), 1),
    (r"[0-9]{15,17}", Number(US), 1),
    (r"[0-9]{18,19}", Number(), 1),
    (r"[0-9-]{10}T[0-9:]{8}\.[0-9]++(?:Z|[+-][0-9:]{5})", Instant(), 1),
    (r"[0-9-]{10}T[0-9:]{8}(?:Z|[+-][0-9:]{5})", Instant(), S),
)
_TAGS: Final = (
    ("status", "status", STATUS, 0),
    ("error", "error", CodedText(), -1),
    ("method", "method", CodedText(), -1),
    ("url", "name", CodedText(), -1),
    ("expected", "expected_response", CodedText(), -1),
)


def _started(arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:
    """Return the arrays with the start of each request in place of its end.

    An answer that the script did not expect is rejected, whatever its status.
    """
    made = {**arrays, "started_ns": arrays["ended"] - arrays["latency_ns"]}
    if "expected" in made:
        known = np.array([*(text == "false" for text in names["expected"].texts), False])
        made["rejected"] = looked_up(known, made.pop("expected"))
    return made


def _counted_in_json(rows: bytes) -> int:
    """Return how many requests the samples of http_reqs count, 1 each; not what declares it."""
    if rows.startswith(b'{"metric"'):  # the order of newer versions: one search less
        return rows.count(b'"metric":"http_reqs","type":"Point"')
    return rows.count(b'"metric":"http_reqs"') - rows.count(b'"data":{"name":"http_reqs"')


def _counted_in_csv(rows: bytes) -> int:
    return rows.count(b"\nhttp_reqs,") + rows.startswith(b"http_reqs,")


_OBJECTS: Final = JsonObjects(
    columns=(
        RowField("latency_ns", ("data", "value"), Number(MS, whole=False)),
        RowField("ended", ("data", "time"), Instant()),
        *(RowField(into, ("data", "tags", tag), kind, absent) for into, tag, kind, absent in _TAGS),
    ),
    only={"metric": DURATION, "type": "Point"},
    finish=_started,
    announced=_counted_in_json,
)


def _is_json(source: Source) -> bool:
    return _FIRST_OBJECT.match(head_of(source).lstrip()) is not None


def _is_csv(source: Source) -> bool:
    return head_of(source).startswith(_HEADER)


def _csv_rows(source: Source, part: Part | None = None) -> Iterator[RequestBatch]:
    yield from _table(source).batches(source, part)


def _csv_parts(source: Source, count: int) -> Sequence[Part]:
    return _table(source).parts(source, count)


def _table(source: Source) -> DelimitedRows:
    """Return the columns of a CSV file, the times as its first row has them.

    Raises:
        InputError: there is no time in it.
    """
    row = head_of(source).split(b"\n", 2)[1:2] or [b""]
    time = (row[0].split(b",", 2)[1:2] or [b""])[0].decode("ascii", "replace")
    for pattern, kind, step_ns in _TIMES:
        if re.fullmatch(pattern, time):
            return DelimitedRows(
                columns=(
                    RowField("latency_ns", "metric_value", Number(MS, whole=False)),
                    RowField("ended", "timestamp", kind),
                    *(RowField(into, tag, kind, absent) for into, tag, kind, absent in _TAGS),
                ),
                only={"metric_name": DURATION},
                finish=_started,
                announced=_counted_in_csv,
                constants={"started_step_ns": step_ns},
            )
    raise InputError(
        "a time in seconds or as RFC 3339 in the second column", actual=time[:60] or "nothing"
    )


_ROWS: Final[Mapping[str, Any]] = {
    "tool": TOOL,
    "versions": "0.26 to 2",
    "fills": (
        *("started_at", "requests"),
        *("latency_min_s", "latency_mean_s", "latency_p50_s", "latency_p75_s", "latency_p90_s"),
        *("latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s"),
    ),
    "may_fill": (
        *("url", "method", "duration_s", "wait_s", "latency_std_s", "throughput_rps"),
        *("goodput_rps", "errors", "non2xx", "success_ratio"),
    ),
    "when": {
        "duration_s": "where times are finer than a second",
        "throughput_rps": "where times are finer than a second",
        "errors": "with the tag status, which is there unless the script says otherwise",
    },
    "constants": {**CONSTANTS, "resolution_s": 1e-9},
    "detail": 90,
}

PARSERS: Final = (
    RowsParser(
        name="k6-points",
        reads="the samples that `--out json=…` writes, packed or not",
        sniff=_is_json,
        rows=_OBJECTS.batches,
        parts=_OBJECTS.parts,
        rows_of=_OBJECTS.batches,
        **_ROWS,
    ),
    RowsParser(
        name="k6-csv",
        reads="the samples that `--out csv=…` writes, packed or not",
        sniff=_is_csv,
        rows=_csv_rows,
        parts=_csv_parts,
        rows_of=_csv_rows,
        **_ROWS,
    ),
)
