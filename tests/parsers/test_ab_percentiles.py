"""ab's -e files."""

import re
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.parsers import ab_percentiles
from benchkit.parsing import RunRecord, Source

DATA = Path(__file__).parent.parent / "data" / "ab"
FILES = sorted(DATA.glob("**/*.csv"))
HEADER = "Percentage served,Time in ms\n"


def source(text: str, *, codec: str = "utf-8") -> Source:
    return Source.from_bytes(text.encode(codec))


def run(text: str) -> RunRecord:
    (record,) = ab_percentiles.parse(source(text))
    assert isinstance(record, RunRecord)
    return record


def error(text: str) -> InputError:
    (record,) = ab_percentiles.parse(source(text))
    assert isinstance(record, InputError)
    return record


def file(name: str) -> RunRecord:
    return run((DATA / name).read_text(encoding="utf-8"))


def one_request() -> str:
    """What a run of one request leaves: rows 50 to 99 are read from past the only sample."""
    times = ["107.600" if row < 50 or row == 100 else "950310310157243.500" for row in range(101)]
    return HEADER + "".join(f"{row},{time}\n" for row, time in enumerate(times))


def test_every_row_is_a_quantile() -> None:
    record = file("odd.csv")
    assert record.columns["latency_min_s"] == 7.7e-05
    assert record.columns["latency_max_s"] == 0.013562
    assert len(record.quantiles) == 101
    assert record.quantiles[0] == (0.0, 7.7e-05)
    assert record.quantiles[75] == (0.75, 0.012607)
    assert record.notes == []


def test_rows_read_past_the_samples_are_left_out() -> None:
    record = file("few.csv")  # rows 98 and 99 hold 0.257 ms, row 97 and 100 16.115 ms
    assert [q for q, _ in record.quantiles][-2:] == [0.97, 1.0]
    assert "latency_p99_s" not in record.columns
    assert any("98 to 99" in note for note in record.notes)


def test_memory_instead_of_times() -> None:
    record = run(one_request())
    assert record.columns == {"latency_min_s": 0.1076, "latency_max_s": 0.1076}
    assert len(record.quantiles) == 51
    assert any("50 to 99" in note for note in record.notes)


def test_memory_is_refused_in_a_cut_file_too() -> None:
    record = run("".join(one_request().splitlines(keepends=True)[:70]))
    assert record.columns == {"latency_min_s": 0.1076}
    assert max(seconds for _, seconds in record.quantiles) == 0.1076


def test_exponents_of_old_versions() -> None:
    record = run(HEADER + "0,5.155000e+03\n50,6.000000e+03\n100,7.250000e+03\n")
    assert record.quantiles == [(0.0, 5.155), (0.5, 6.0), (1.0, 7.25)]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends(codec: str, end: str) -> None:
    text = (DATA / "odd.csv").read_text(encoding="utf-8").replace("\n", end)
    record = source(text, codec=codec)
    assert ab_percentiles.sniff(record)
    (run,) = ab_percentiles.parse(record)
    assert run.columns == file("odd.csv").columns


def test_cells_that_a_spreadsheet_quoted() -> None:
    plain = (DATA / "few.csv").read_text(encoding="utf-8")
    quoted = re.sub(r"(?m)^([^,\n]+),(.+)$", r'"\1","\2"', plain)
    assert run(quoted).quantiles == run(plain).quantiles


def test_cut_anywhere_invents_nothing() -> None:
    text = (DATA / "few.csv").read_text(encoding="utf-8")
    known = dict(file("few.csv").quantiles)
    for stop in range(len(HEADER) + 1, len(text)):
        (record,) = ab_percentiles.parse(source(text[:stop]))
        if isinstance(record, RunRecord):
            whole = record.quantiles if text[stop - 1] == "\n" else record.quantiles[:-1]
            assert {q for q, _ in whole} <= {*known, 0.98, 0.99}
            assert "latency_max_s" not in record.columns or text[stop - 1] != "\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEADER + "0,1.0\n1,abc\n100,2.0\n", 3),
        (HEADER + "0,nan\n", 2),
        (HEADER + "0,1.0\n100,2.0\n" + HEADER + "0,1.0\n", 4),
        (HEADER + "5,1.0\n", 2),
        (HEADER + "0,1.0\n1,1.0\n1,1.0\n", 4),
        (HEADER + "0,9.0\n100,2.0\n", 3),
        (HEADER, 1),
    ],
)
def test_damage_is_named_with_its_line(text: str, line: int) -> None:
    record = error(text)
    assert record.where is not None
    assert record.where.line == line


@pytest.mark.parametrize(
    "text", ["percent,time\n0,1\n", "", "x\n" + HEADER, "a,b\n1,2\n", "Percentage served\n"]
)
def test_other_files_are_not_taken(text: str) -> None:
    assert not ab_percentiles.sniff(source(text))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_what_the_parser_declares_holds(path: Path) -> None:
    (parser,) = ab_percentiles.PARSERS
    record = Source.from_bytes(path.read_bytes())
    assert parser.sniff(record)
    (run,) = parser.parse(record)
    assert set(parser.fills) <= run.columns.keys() <= {*parser.fills, *parser.may_fill}
