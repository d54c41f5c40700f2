"""Machine code reads rows as pyarrow and the careful reader do, or leaves them to these."""

import random
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchkit import registry
from benchkit.errors import InputError
from benchkit.parsers import (
    _rows,
    _rows_compiled,
    _rows_objects_kernel,
    _rows_table_kernel,
    _rows_windows,
)
from benchkit.parsers._rows_columns import MS, STATUS, CodedText, Instant, Number, RowField, S
from benchkit.parsers._rows_csv import DelimitedRows
from benchkit.parsers._rows_json import JsonObjects
from benchkit.parsing import RequestBatch, RowsParser, Source

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="no numba here")

DATA = Path(__file__).resolve().parents[1] / "data"
FILES = (
    *("vegeta/ok.csv", "vegeta/errors.csv", "vegeta/two-attacks.csv", "vegeta/errors.json"),
    *("vegeta/mixed-post.json", "k6/points.json", "k6/points.csv", "k6/points-unix.csv"),
    *("k6/points-stall.csv", "jmeter/plain.jtl", "jmeter/semicolon.jtl", "jmeter/tab.jtl"),
    *("jmeter/all-columns.jtl", "jmeter/transactions.jtl", "jmeter/no-header.jtl"),
    *("jmeter/refused.jtl", "jmeter/redirect.jtl", "h2load/mixed.tsv", "h2load/drop.tsv"),
)
TABLE = DelimitedRows(
    columns=(
        RowField("latency_ns", "took", Number(S, whole=False)),
        RowField("started_ns", "time", Instant()),
        RowField("received_bytes", "bytes", absent=0),
        RowField("status", "code", STATUS, 0),
        RowField("url", "url", CodedText(), absent=-1),
    )
)
POINTS = JsonObjects(
    columns=(
        RowField("latency_ns", ("data", "took"), Number(MS, whole=False)),
        RowField("started_ns", ("data", "time"), Instant()),
        RowField("received_bytes", "bytes", absent=0),
        RowField("status", ("data", "tags", "code"), STATUS, 0),
        RowField("error", ("data", "tags", "error"), CodedText(), absent=-1),
    ),
    only={"metric": "duration"},
)


def everything(batches: Iterator[RequestBatch]) -> str:
    """Return all that some batches say, and the error that ends them."""
    text: list[str] = []
    try:
        for batch in batches:
            values = {column.name: getattr(batch, column.name) for column in fields(batch)}
            shown = {
                name: value.tolist() if isinstance(value, np.ndarray) else value
                for name, value in values.items()
            }
            text.append(str(shown))  # now: the lists of texts grow
    except InputError as error:
        text.append(str(error))
    return "\n".join(text)


def both_ways(rows: _rows.Rows | RowsParser, data: bytes, window: int = 2**22) -> tuple[str, str]:
    """Return what is read with machine code, and without."""
    text = []
    for size in (0, 2**62):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_rows, "COMPILE_FROM", size)
            patch.setattr(_rows_windows, "WINDOW", window)
            source = Source.from_bytes(data)
            text.append(
                everything(
                    rows.rows(source) if isinstance(rows, RowsParser) else rows.batches(source)
                )
            )
    return text[0], text[1]


@cache
def content(name: str) -> bytes:
    return (DATA / name).read_bytes()


@cache
def parser_of(name: str) -> RowsParser:
    source = Source.from_bytes(content(name))
    [parser] = [p for p in registry.parsers() if isinstance(p, RowsParser) and p.sniff(source)]
    return parser


@pytest.mark.parametrize("window", [1000, 2**22])
@pytest.mark.parametrize("name", FILES)
def test_recorded_files_read_the_same(name: str, window: int) -> None:
    with_code, without = both_ways(parser_of(name), content(name), window)
    assert with_code == without


@pytest.mark.parametrize(
    "name", ["vegeta/ok.csv", "vegeta/ok.json", "jmeter/plain.jtl", "h2load/mixed.tsv"]
)
def test_plain_files_are_read_by_machine_code_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_rows, "COMPILE_FROM", 0)
    monkeypatch.setattr(_rows, "arrays_of", None)
    monkeypatch.setattr(_rows, "arrays_of_rows", None)
    assert sum(map(len, parser_of(name).rows(Source.from_bytes(content(name)))))


@example(name="k6/points.json", seed=259771, count=5)  # a point whose type is damaged
@given(name=st.sampled_from(FILES), seed=st.integers(0, 10**6), count=st.integers(1, 5))
def test_damaged_files_read_the_same(name: str, seed: int, count: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - places, not secrets
    data = bytearray(content(name))
    for _ in range(count):
        at = draw.randrange(300, len(data) - 2)
        odd = draw.choice([b'"', b"\n", b"\r", b",", b"\\", b"0", b"-", b" ", b"\0", b"\xff", b"{"])
        data[at : at + draw.randrange(3)] = odd
    parser = parser_of(name)
    if parser.sniff(Source.from_bytes(bytes(data))):
        with_code, without = both_ways(parser, bytes(data), draw.choice([500, 5000, 2**22]))
        assert with_code == without


NUMBERS = st.sampled_from([
    *("0", "1", "12", "0.5", "-3", "0.000001", "00.1", "1.", ".5", "1e3", "1E-3", "+1", "0x1"),
    *("999999999.999999999", "9223372036", "-0", "1_0", "\u0661", "9999999999999999999"),
    *("1.0000000001", "NaN", "-1.5"),
])  # fmt: skip
TIMES = st.sampled_from([
    "2026-11-22T02:00:01.879068571Z",
    "2026-11-22T02:00:01Z",
    "2026-02-29T02:00:01Z",
    "2024-02-29T02:00:01.5+02:00",
    "2000-12-31T23:59:59.999999999-11:30",
    "1969-12-31T23:59:59Z",
    "2400-01-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-22 02:00:01",
    "2026-11-22T24:00:00Z",
    "2026-11-22T02:00:60Z",
    "2100-03-01T00:00:00Z",
    "2026-11-31T00:00:00Z",
    "x",
])  # fmt: skip
BYTES = st.sampled_from(["", "0", "17", "-1", "007", " 8", "8 ", "1.5", "9223372036854775808"])
CODES = st.sampled_from(["200", "", "503", "0", "20", "EOF", "2000"])
URLS = st.sampled_from(["", "/", "/a b", "/é", "/" + "x" * 40, "/1", "/2", '"/q, and"', '"/""q"'])


@given(st.lists(st.tuples(NUMBERS, TIMES, BYTES, CODES, URLS), min_size=1, max_size=4))
def test_values_of_tables_read_the_same(rows: list[tuple[str, ...]]) -> None:
    lines = [",".join(row) for row in rows]
    data = "\n".join(["took,time,bytes,code,url", *lines, ""]).encode()
    with_code, without = both_ways(TABLE, data)
    assert with_code == without


PIECES = st.sampled_from([
    '"took":1.5', '"took":0.25', '"took":-1', '"took":1e3', '"took":01', '"took":"1"',
    '"took":null', '"took":1.23456789', '"time":"2026-11-22T02:00:01.5Z"', '"time":"x"',
    '"time":null', '"time":5', '"tags":{"code":"200","error":"EOF"}', '"tags":{}', '"tags":null',
    '"tags":{"code":200}', '"tags":{"error":"a\\"b"}', '"tags":{"error":"","code":"x"}',
    '"tags":[1]', '"other":{"a":[1,{"b":null}],"c":"\\u00e9"}', '"other":[]', '"other":tru',
    '"other":"\\x"', '"other":-', '"other":"\t"', '"other":[1,]', '"ŏ":1', '"other":1.5E+3',
])  # fmt: skip
#: What a row is, which no tool says twice: the rest of one that does not count is not looked at.
METRICS = st.sampled_from(['"metric":"duration"', '"metric":"reqs"', '"metric":null', '"x":1'])
OUTER = st.sampled_from(['"bytes":5', '"bytes":null', '"bytes":1.5', '"type":"Point"'])


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(
            METRICS, st.lists(OUTER, max_size=2), st.lists(PIECES, max_size=4), st.booleans()
        ),
        min_size=1,
        max_size=3,
    )
)
@example([('"metric":"reqs"', [], ['"took":1.5'], True)])
def test_values_of_objects_read_the_same(
    rows: list[tuple[str, list[str], list[str], bool]],
) -> None:
    good = '{"metric":"duration","data":{"took":1.5,"time":"2026-11-22T02:00:01.5Z"}}'
    lines = []
    for metric, outer, pieces, first in rows:
        inner = f'"data":{{{",".join(pieces)}}}'
        given = [inner, metric, *outer] if first else [*outer, metric, inner]
        lines.append("{" + ",".join(given) + "}")
    with_code, without = both_ways(POINTS, "\n".join([good, *lines, ""]).encode())
    assert with_code == without


def test_there_is_machine_code_for_both() -> None:
    assert _rows_table_kernel.load() is not None
    assert _rows_objects_kernel.load() is not None


def test_more_texts_than_have_room_are_left_to_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchkit.parsers._texts.ROOM", 3)
    rows = [f"0.5,2026-11-22T02:00:01Z,1,200,/{n}" for n in range(9)]
    data = "\n".join(["took,time,bytes,code,url", *rows, ""]).encode()
    with_code, without = both_ways(TABLE, data)
    assert with_code == without
    assert "(one of too many different texts)" in with_code


def test_two_columns_of_one_name_are_left_to_pyarrow() -> None:
    layout = TABLE.layout(Source.from_bytes(b"took,time,bytes,code,url\n"))
    layout.compiled = True
    with pytest.raises(_rows.NotPlainError):
        _rows.RowLayout.plain(layout, _rows_windows.Window(b"", 1, 0), {})
    assert not layout.compiled
    assert _rows_compiled.Plan.takes(TABLE.columns)


def test_a_text_in_quotes_is_not_known_again_without_them() -> None:
    row = b"%s,2,2026-11-22T02:00:01Z,5,200\n"
    quoted, broken = row % b'"a,1"', row % b"a,1"
    for again in (quoted, broken, row % b"a"):
        with_code, without = both_ways(TABLE, b"url,took,time,bytes,code\n" + quoted + again)
        assert with_code == without
