"""Tables and JSON lines with a request per row, as any tool may write them."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.parsers import _rows, _rows_csv, _rows_json, _rows_windows
from benchkit.parsers._rows_columns import MS, STATUS, US, CodedText, Instant, Number, RowField, S
from benchkit.parsers._rows_csv import DelimitedRows
from benchkit.parsers._rows_json import JsonObjects
from benchkit.parsing import RequestBatch, Source

#: As JMeter's: a header, whole ms, a status that may be words.
NAMED = DelimitedRows(
    columns=(
        RowField("started_ns", "timeStamp", Number(MS)),
        RowField("latency_ns", "elapsed", Number(MS)),
        RowField("status", "responseCode", STATUS),
        RowField("url", "label", CodedText(), absent=-1),
        RowField("received_bytes", "bytes", absent=0),
    ),
    delimiters=",;\t",
)
#: Seconds with decimals.
SECONDS = DelimitedRows(columns=(RowField("latency_ns", "took", Number(S, whole=False)),))
#: As h2load's: no header, tabs, no quotes.
BARE = DelimitedRows(
    columns=(
        RowField("started_ns", "start", Number(US)),
        RowField("latency_ns", "took", Number(US)),
    ),
    headless=[("start", "status", "took")],
    delimiters="\t",
    quote="",
)
#: As k6's: points of several metrics, of which one counts.
POINTS = JsonObjects(
    columns=(
        RowField("started_ns", ("data", "time"), Instant()),
        RowField("latency_ns", ("data", "value"), Number(MS, whole=False)),
        RowField("status", ("data", "tags", "status"), STATUS, absent=0),
        RowField("method", ("data", "tags", "method"), CodedText()),
    ),
    only={"metric": "duration", "type": "Point"},
)

HEADER = b"timeStamp,elapsed,label,responseCode,bytes\n"
GOOD = b'1700000000123,5,"GET /, twice",200,12\n1700000000124,6,/,Non HTTP: "refused",0\n'


def read(rows: _rows.Rows, data: bytes) -> RequestBatch:
    batches: list[RequestBatch] = list(rows.batches(Source.from_bytes(data)))
    assert len(batches) == 1
    return batches[0]


def until_error(rows: _rows.Rows, data: bytes) -> tuple[int, str]:
    count = 0
    try:
        for batch in rows.batches(Source.from_bytes(data)):
            count += len(batch)
    except InputError as error:
        return count, str(error)
    return count, ""


def point(value: object = 1.5, metric: str = "duration", **tags: object) -> Mapping[str, Any]:
    data = {"time": "2026-11-22T02:49:21.000000001Z", "value": value, "tags": tags}
    return {"metric": metric, "type": "Point", "data": data}


def lines(*objects: Mapping[str, Any]) -> bytes:
    return "".join(json.dumps(item, separators=(",", ":")) + "\n" for item in objects).encode()


@pytest.fixture(params=["quick", "careful"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way alone: the other one raises."""
    other = {"quick": "careful", "careful": "quick"}[request.param]
    monkeypatch.setattr(_rows, "_FEW", 0)
    for layout in (_rows_csv._TableLayout, _rows_json._ObjectLayout):
        monkeypatch.setattr(layout, other, None)
    return str(request.param)


BOTH = pytest.mark.usefixtures("way")


@BOTH
def test_columns_are_found_by_their_names() -> None:
    batch = read(NAMED, HEADER + GOOD)
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [1_700_000_000_123_000_000, 1_700_000_000_124_000_000]
    assert batch.latency_ns.tolist() == [5_000_000, 6_000_000]
    assert batch.status is not None
    assert batch.status.tolist() == [200, 0]
    assert batch.status.dtype == np.dtype("int32")
    assert batch.urls == ["GET /, twice", "/"]
    assert batch.received_bytes is not None
    assert batch.received_bytes.tolist() == [12, 0]
    assert batch.error is None


@BOTH
@pytest.mark.parametrize("delimiter", [b";", b"\t"])
def test_another_order_delimiter_and_further_columns(delimiter: bytes) -> None:
    table = b"elapsed,x,responseCode,timeStamp,x\n5,a,200,1700000000123,b\n"
    batch = read(NAMED, table.replace(b",", delimiter))
    assert batch.latency_ns.tolist() == [5_000_000]
    assert batch.received_bytes is None
    assert batch.url is None


@BOTH
@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("0.0123", 12_300_000),
        ("0.000000001", 1),
        ("1.1", 1_100_000_000),
        ("30", 30_000_000_000),
        ("1795313659.867000001", 1_795_313_659_867_000_001),
        ("1e-05", 10_000),
    ],
)
def test_decimals_are_exact(text: str, ns: int) -> None:
    assert read(SECONDS, f"took\n{text}\n".encode()).latency_ns.tolist() == [ns]


@BOTH
def test_more_digits_than_nanoseconds_are_rounded() -> None:
    data = b"took\n0.01230000000000000044\n0.0122999999999999999\n2.5\n"
    assert read(SECONDS, data).latency_ns.tolist() == [12_300_000, 12_300_000, 2_500_000_000]


@given(st.lists(st.integers(0, 2**62), min_size=1))
def test_every_nanosecond_comes_back(numbers: list[int]) -> None:
    rows = "".join(f"{ns // 10**9}.{ns % 10**9:09}\n" for ns in numbers)
    assert read(SECONDS, f"took\n{rows}".encode()).latency_ns.tolist() == numbers


@BOTH
def test_a_table_without_header_or_quotes() -> None:
    batch = read(BARE, b'1700000000000001\t"200\t7\n1700000000000002\t404\t8\n')
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [1_700_000_000_000_001_000, 1_700_000_000_000_002_000]
    assert batch.latency_ns.tolist() == [7_000, 8_000]


@BOTH
def test_lines_of_other_kinds_are_passed_over() -> None:
    table = DelimitedRows(
        columns=(
            RowField("started_ns", "start", Number(MS)),
            RowField("ended_ns", "end", Number(MS)),
        ),
        headless=[("kind", "name", "start", "end")],
        delimiters="\t",
        quote="",
        begins=b"REQUEST\t",
        finish=lambda arrays, _: {
            "started_ns": arrays["started_ns"],
            "latency_ns": arrays["ended_ns"] - arrays["started_ns"],
        },
    )
    batch = read(table, b"RUN\tx\nUSER\t1\t2\nREQUEST\t/\t10\t15\nUSER\nREQUEST\t/\t11\t18\n")
    assert batch.latency_ns.tolist() == [5_000_000, 7_000_000]


@BOTH
def test_only_rows_of_one_kind_count() -> None:
    table = DelimitedRows(
        columns=(RowField("latency_ns", "value", Number(MS)),), only={"metric": "took"}
    )
    batch = read(table, b"metric,value\nother,1\ntook,2\nother,3\ntook,4\n")
    assert batch.latency_ns.tolist() == [2_000_000, 4_000_000]


@BOTH
def test_points_of_one_metric_count() -> None:
    other = point(7, "http_reqs", status="500", method="GET")
    describes = {"type": "Metric", "data": {"name": "duration"}, "metric": "duration"}
    first = point(0.561218, status="200", method="GET", more={"x": [1]})
    batch = read(POINTS, lines(other, describes, first, other, point(2)))
    assert batch.latency_ns.tolist() == [561_218, 2_000_000]
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [1_795_315_761_000_000_001] * 2
    assert batch.status is not None
    assert batch.status.tolist() == [200, 0]
    assert batch.method is not None
    assert batch.method.tolist() == [0, -1]
    assert batch.methods == ["GET"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"1700000000123,5\n", "line 4: expected 5 columns, found '2'"),
        (b"1700000000123,,/,200,1\n", "line 4: expected a whole number as elapsed, found ''"),
        (b"1700000000123,5.5,/,200,1\n", "line 4: expected a whole number as elapsed, found '5.5'"),
        (b"17,9223372036855,/,200,1\n", "line 4: expected a whole number as elapsed"),
        (b"now,5,/,200,1\n", "line 4: expected a whole number as timeStamp, found 'now'"),
    ],
)
def test_a_broken_row_is_named_and_those_before_are_kept(row: bytes, message: str) -> None:
    count, error = until_error(NAMED, HEADER + GOOD + row + GOOD)
    assert count == 2
    assert error.startswith(message)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b'{"metric":"duration","data"\n', "line 3: expected a JSON object"),
        (lines(point("soon")), "line 3: expected a number as data.value, found 'soon'"),
        (lines(point(value=None)), "line 3: expected a number as data.value"),
        (lines(point(value=True)), "line 3: expected a number as data.value, found 'True'"),
    ],
)
def test_a_broken_point_is_named_and_those_before_are_kept(row: bytes, message: str) -> None:
    count, error = until_error(POINTS, lines(point(1, "other"), point()) + row + lines(point()))
    assert count == 1
    assert error.startswith(message)


def test_a_header_in_the_middle_of_joined_tables_is_no_row() -> None:
    assert until_error(NAMED, HEADER + GOOD + HEADER + GOOD) == (4, "")


def test_numbers_that_may_be_missing() -> None:
    batch = read(NAMED, HEADER + b"1700000000123,5,/,200,\n1700000000123,5,/,200,9\n")
    assert batch.received_bytes is not None
    assert batch.received_bytes.tolist() == [0, 9]


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"elapsed,responseCode\n5,200\n"])
def test_a_table_that_lacks_a_column(data: bytes) -> None:
    assert not NAMED.matches(Source.from_bytes(data))
    count, error = until_error(NAMED, data)
    assert count == 0
    assert error.startswith("line 1: expected a header with the columns timeStamp, elapsed, ")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_encodings_and_line_ends(codec: str) -> None:
    source = Source.from_bytes((HEADER + GOOD).replace(b"\n", b"\r\n").decode().encode(codec))
    assert NAMED.matches(source)
    [batch] = NAMED.batches(source)
    assert len(batch) == 2


def test_a_last_row_without_a_line_end_is_left_out_and_named() -> None:
    count, error = until_error(NAMED, HEADER + GOOD + b"1700000000123,5,/,200,1")
    assert count == 2
    assert error.startswith("line 4: expected an end of the last row, found '1700000000123,5,")
    assert until_error(POINTS, lines(point(), point())[:-1]) == (2, "")  # whole, as it shows


@given(st.integers(len(HEADER), len(HEADER + GOOD * 9)), st.sampled_from([60, 100, 2**20]))
def test_every_cut_and_window_gives_the_complete_rows(end: int, window: int) -> None:
    data = (HEADER + GOOD * 9)[:end]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_rows_windows, "WINDOW", window)
        count, error = until_error(NAMED, data)
    assert count == data.count(b"\n") - 1
    assert bool(error) == (count == 0 or not data.endswith(b"\n"))


def test_a_first_row_beyond_what_csv_takes_is_no_header() -> None:
    data = b"\xd9" * 200_000 + b"\n1,2\n"
    assert not NAMED.matches(Source.from_bytes(data))
    assert not BARE.matches(Source.from_bytes(data))
