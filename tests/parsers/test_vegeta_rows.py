"""vegeta's results as CSV and as JSON lines, against the binary results of the same runs."""

import base64
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.parsers import (
    _rows_csv,
    _rows_json,
    _rows_windows,
    vegeta_csv,
    vegeta_gob,
    vegeta_jsonl,
)
from benchkit.parsing import RequestBatch, Source

DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"
MODULES: dict[str, Any] = {"csv": vegeta_csv, "json": vegeta_jsonl}
KINDS = pytest.mark.parametrize("kind", MODULES)


def rows(kind: str, source: Source) -> Iterator[RequestBatch]:
    (parser,) = MODULES[kind].PARSERS
    yield from parser.rows(source)


ROW = (1_700_000_000_123_456_789, 200, 5_000_000, 0, 12, "", "", "", 0, "GET", "http://x/", "")


def read(data: bytes, kind: str = "csv") -> list[RequestBatch]:
    return list(rows(kind, Source.from_bytes(data)))


def read_until_error(data: bytes, kind: str = "csv") -> tuple[int, str]:
    count = 0
    try:
        for batch in rows(kind, Source.from_bytes(data)):
            count += len(batch)
    except InputError as error:
        return count, str(error)
    return count, ""


def lines(*rows: tuple[object, ...]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()


def flat(batches: list[RequestBatch]) -> Iterator[tuple[object, ...]]:
    for b in batches:
        named = [(b.error, b.errors), (b.attack, b.attacks), (b.method, b.methods), (b.url, b.urls)]
        numbers = (b.started_ns, b.status, b.latency_ns, b.sent_bytes, b.received_bytes, b.seq)
        for at in range(len(b)):
            yield (
                *(int(column[at]) for column in numbers if column is not None),
                *(names[c[at]] if c[at] >= 0 else None for c, names in named if c is not None),
            )


@pytest.fixture(params=["quick", "careful"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read, the second as if pyarrow refused everything."""
    if request.param == "careful":
        for layout in (_rows_csv._TableLayout, _rows_json._ObjectLayout):
            monkeypatch.setattr(layout, "quick", None)
    return str(request.param)


@KINDS
@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["ok", "errors", "mixed-post"])
def test_the_same_rows_as_in_the_binary_results(name: str, kind: str) -> None:
    source = Source.from_bytes((DATA / f"{name}.{kind}").read_bytes())
    assert MODULES[kind].sniff(source)
    binary = vegeta_gob.rows(Source.from_bytes((DATA / f"{name}.gob").read_bytes()))
    assert list(flat(list(rows(kind, source)))) == list(flat(list(binary)))


@KINDS
def test_small_windows_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (DATA / f"mixed-post.{kind}").read_bytes()
    whole = list(flat(read(data, kind)))
    monkeypatch.setattr(_rows_windows, "WINDOW", 300)
    assert list(flat(read(data, kind))) == whole


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("width", [6, 7, 9, 12])
def test_csv_of_every_generation(width: int) -> None:
    error = 'Get "http://x/": EOF, twice\nand on'
    failed = (1_700_000_001_000_000_000, 0, 30_000_000_000, 0, 0, error, "", "a", 1, "GET", "u", "")
    [batch] = read(lines(ROW[:width], failed[:width]))
    assert batch.latency_ns.tolist() == [5_000_000, 30_000_000_000]
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [ROW[0], failed[0]]
    assert batch.error is not None
    assert [batch.errors[0], *batch.error.tolist()] == [error, -1, 0]
    assert (batch.attack is None) == (width < 9)
    assert (batch.url is None) == (width < 12)


@pytest.mark.usefixtures("way")
def test_bodies_longer_than_the_csv_modules_limit() -> None:
    body = base64.b64encode(b"x" * 300_000).decode()
    before = csv.field_size_limit()
    [batch] = read(lines((*ROW[:6], body, *ROW[7:]), ROW))
    assert len(batch) == 2
    assert csv.field_size_limit() == before


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@KINDS
def test_encodings_and_line_ends(kind: str, codec: str, ends: str) -> None:
    text = (DATA / f"ok.{kind}").read_text("utf-8")
    source = Source.from_bytes(text.replace("\n", ends).encode(codec))
    assert MODULES[kind].sniff(source)
    [batch] = rows(kind, source)
    assert len(batch) == 300
    assert batch.urls == ["http://127.0.0.1:8931/ok"]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    ("written", "nanoseconds"),
    [
        ("2017-10-04T23:39:08.005768042+02:00", 1_507_153_148_005_768_042),
        ("2017-10-04T21:39:08.5Z", 1_507_153_148_500_000_000),
        ("2017-10-04T16:09:08-05:30", 1_507_153_148_000_000_000),
    ],
)
def test_instants_in_any_zone(written: str, nanoseconds: int) -> None:
    row = {"code": 200, "timestamp": written, "latency": 7, "bytes_out": 0, "bytes_in": 3}
    [batch] = read(json.dumps(row | {"error": "", "body": None}).encode(), "json")
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [nanoseconds]
    assert batch.seq is None
    assert batch.url is None


@KINDS
def test_a_broken_line_is_named_and_those_before_are_kept(kind: str) -> None:
    good = (DATA / f"ok.{kind}").read_bytes()
    count, error = read_until_error(good + b'17,"x\n' + good, kind)
    assert count == 300
    assert error.startswith("line 301: expected ")
    assert error.endswith("the results before it were read")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (ROW[:8], "line 2: expected 12 columns, found '8'"),
        (("x", *ROW[1:]), "line 2: expected a whole number as timestamp, found 'x'"),
        ((*ROW[:2], "٣", *ROW[3:]), "line 2: expected a whole number as latency"),
        ((*ROW[:2], "", *ROW[3:]), "line 2: expected a whole number as latency, found ''"),
        ((*ROW[:2], 2**64, *ROW[3:]), "line 2: expected a whole number as latency"),
    ],
)
def test_rows_that_are_none(row: tuple[object, ...], message: str) -> None:
    count, error = read_until_error(lines(ROW, row, ROW))
    assert count == 1
    assert error.startswith(message)


@pytest.mark.parametrize("change", [{"latency": 1.5}, {"latency": None}, {"timestamp": "now"}])
def test_objects_that_are_no_result(change: dict[str, object]) -> None:
    row = {"code": 200, "timestamp": "2017-10-04T21:39:08Z", "latency": 7, "bytes_in": 3}
    data = "\n".join(json.dumps(record) for record in (row, row | change)).encode()
    count, error = read_until_error(data, "json")
    assert count == 1
    assert error.startswith("line 2: expected ")


@KINDS
@given(st.data())
def test_every_cut_gives_the_complete_rows_or_one_line(kind: str, data: st.DataObject) -> None:
    whole = (DATA / f"errors.{kind}").read_bytes()[:4000]
    end = data.draw(st.integers(min_value=200, max_value=len(whole)))
    count, error = read_until_error(whole[:end], kind)
    complete = whole[:end].count(b"\n")
    assert count - complete in {0, 1}
    assert "\n" not in error


def test_only_vegetas_lines_are_recognised() -> None:
    for path in DATA.iterdir():
        kinds = {
            kind for kind, m in MODULES.items() if m.sniff(Source.from_bytes(path.read_bytes()))
        }
        rows = path.suffix in {".csv", ".json"} and path.name.count(".") == 1
        assert kinds == ({path.suffix[1:]} if rows and path.stem != "post-body" else set())
