"""ab's -g files."""

from pathlib import Path

import numpy as np
import pytest

from benchkit.errors import InputError
from benchkit.parsers import ab_gnuplot
from benchkit.parsing import RequestBatch, Source
from tests.timing import growth, processor_s

DATA = Path(__file__).parent.parent / "data" / "ab"
HEADER = "starttime\tseconds\tctime\tdtime\tttime\twait\n"
ROW = "Fri Nov 20 11:38:48 2026\t1795174728\t4\t185\t189\t180\n"


def batches(text: str, *, codec: str = "utf-8") -> list[RequestBatch]:
    return list(ab_gnuplot.rows(Source.from_bytes(text.encode(codec))))


def read_up_to_error(text: str) -> tuple[int, InputError]:
    count = 0
    try:
        for batch in ab_gnuplot.rows(Source.from_bytes(text.encode())):
            count += len(batch)
    except InputError as error:
        return count, error
    pytest.fail("no error")


def test_a_row() -> None:
    (batch,) = batches(HEADER + ROW)
    assert batch.latency_ns.tolist() == [189_000_000]
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [1795174728 * 10**9]
    assert batch.started_step_ns == 10**9
    assert batch.connect_ns is not None
    assert batch.connect_ns.tolist() == [4_000_000]
    assert batch.first_byte_ns is not None
    assert batch.first_byte_ns.tolist() == [180_000_000]
    assert batch.status is None


@pytest.mark.parametrize(
    ("name", "rows", "largest_ms"),
    [
        ("few.tsv", 20, 16),
        ("odd.tsv", 101, 14),
        ("reset-r.tsv", 500, 1),
        ("slow-all.tsv", 1000, 41),
    ],
)
def test_recorded_files(name: str, rows: int, largest_ms: int) -> None:
    source = Source.from_bytes((DATA / name).read_bytes())
    assert ab_gnuplot.sniff(source)
    latencies = np.concatenate([batch.latency_ns for batch in ab_gnuplot.rows(source)])
    assert len(latencies) == rows
    assert int(latencies.max()) == largest_ms * 10**6
    assert (np.diff(latencies) >= 0).all()


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends(codec: str, end: str) -> None:
    text = (HEADER + 3 * ROW).replace("\n", end)
    assert ab_gnuplot.sniff(Source.from_bytes(text.encode(codec)))
    assert sum(map(len, batches(text, codec=codec))) == 3


def test_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ab_gnuplot, "_CHUNK", 200)
    records = batches(HEADER + 100 * ROW)
    assert len(records) > 10
    assert sum(map(len, records)) == 100


def test_local_names_of_days_do_not_matter() -> None:
    (batch,) = batches(HEADER + ROW.replace("Fri Nov", "ven. nov."))
    assert len(batch) == 1


def test_a_cut_end_keeps_the_rows_before() -> None:
    count, error = read_up_to_error(HEADER + 2 * ROW + ROW[:40])
    assert count == 2
    assert error.where is not None
    assert (error.where.line, error.where.byte) == (4, len(HEADER + 2 * ROW))


def test_a_broken_row_in_a_later_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ab_gnuplot, "_CHUNK", 200)
    count, error = read_up_to_error(HEADER + 20 * ROW + "what is this\n" + ROW)
    assert count == 20
    assert error.where is not None
    assert error.where.line == 22


@pytest.mark.parametrize("hostile", ["a", "1", " ", "\t", "a\t1\t2\t3\t4\t5 ", "a\t", "-"])
def test_time_is_linear_in_the_length_of_a_row(hostile: str) -> None:
    def spent(times: int) -> float:
        return processor_s(lambda: read_up_to_error(HEADER + hostile * times + "x\n"))

    times = 100_000 // len(hostile)
    assert growth(spent, times, 8 * times, most=24, quick_s=0.1) < 24


def test_two_files_in_one() -> None:
    count, error = read_up_to_error(HEADER + ROW + HEADER + ROW)
    assert count == 0
    assert error.where is not None
    assert error.where.line == 3


def test_no_rows() -> None:
    assert read_up_to_error(HEADER)[1].actual == "none"


def test_impossible_times_are_left_out_and_counted() -> None:
    (batch,) = batches(HEADER + ROW + ROW.replace("\t189\t", "\t-189\t") + ROW)
    assert len(batch) == 2
    assert batch.notes == ("rows with a time that cannot be, left out: 1",)


@pytest.mark.parametrize("text", ["", "starttime\tseconds\n", "a\tb\tc\n1\t2\t3\n", ROW])
def test_other_files_are_not_taken(text: str) -> None:
    assert not ab_gnuplot.sniff(Source.from_bytes(text.encode()))
