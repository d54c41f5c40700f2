"""Values that no run can have are refused: in a report, in JSON, in rows."""

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import benchkit
from benchkit import registry
from benchkit.errors import InputError, NothingToReportError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.ingest.soundness import require_lines, require_sound, sound_rows
from benchkit.parsing import Figure, RowsParser, RunRecord, Source


def changed(path: Path, old: str, new: str, to: Path) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    to.write_text(text.replace(old, new), encoding="utf-8")
    return to


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("67848.35", "67848350000000.35", "throughput_rps of 6.78e+13"),
        ("8.45ms", "3153600001.00m", "latency_max_s of 1.89e+11"),
    ],
)
def test_a_report_with_what_cannot_be_is_refused(
    old: str, new: str, words: str, *, data: Path, tmp_path: Path
) -> None:
    damaged = changed(data / "wrk" / "plain.txt", old, new, tmp_path / "wrk.txt")
    with pytest.raises(NothingToReportError) as refused:
        benchkit.load(damaged)
    assert words in str(refused.value)
    assert "the file was changed, or the parser wrk-text misreads it" in str(refused.value)


def test_other_runs_of_its_file_are_read(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "plain.txt").read_text(encoding="utf-8")
    both = tmp_path / "wrk.txt"
    damaged = report.replace("67848.35", "67848350000000.35")
    both.write_text(f"{damaged}\n{report}", encoding="utf-8")
    outcome = read_file(Input(str(both), "wrk.txt", "wrk.txt"))
    [run] = outcome.runs
    assert run.record.columns["throughput_rps"] == 67848.35
    [problem] = outcome.problems
    assert "line 1: expected values that can be" in str(problem)


def test_so_is_a_value_in_json(data: Path, tmp_path: Path) -> None:
    report = json.loads((data / "oha" / "mixed.json").read_text(encoding="utf-8"))
    report["summary"]["requestsPerSec"] = 1e300
    path = tmp_path / "oha.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    with pytest.raises(NothingToReportError, match=r"throughput_rps of 1e\+300"):
        benchkit.load(path)


def test_a_throughput_that_could_be_is_only_held_against_the_rest(
    data: Path, tmp_path: Path
) -> None:
    damaged = changed(data / "wrk" / "plain.txt", "67848.35", "678483.50", tmp_path / "wrk.txt")
    (finding,) = (
        finding
        for finding in benchkit.load(damaged).findings().to_dict("records")
        if finding["check"] == "RATE_DIFFERS"
    )
    assert "678 k req/s for 3.1 s" in finding["message"].replace("\xa0", " ")


def test_requests_that_cannot_be_are_left_out_or_refused() -> None:
    parser = registry.parser("h2load-log")
    assert isinstance(parser, RowsParser)
    good, odd = b"1795380290291188\t200\t608\n", b"1795380290291188\t200\t-5\n"
    batches = list(sound_rows(parser, Source.from_bytes(2000 * good + odd)))
    assert sum(map(len, batches)) == 2000
    assert batches[-1].notes[0].startswith("1 result was left out: latency below 0")
    with pytest.raises(InputError, match=r"1 of 2 results without'; .* the parser h2load-log"):
        list(sound_rows(parser, Source.from_bytes(good + odd)))


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (RunRecord(columns={"clock": "bogus"}), "which is none of"),
        (RunRecord(columns={"started_at": np.int64(5)}), "which is no instant"),
        (RunRecord(figures=[Figure(5, "", 1.0)]), "is no figure"),  # type: ignore[arg-type]
        (RunRecord(lines=(-5, 1)), "are no first and last line"),
        (InputError("a", actual=5), "of something else than texts"),  # type: ignore[arg-type]
    ],
)
def test_what_a_parser_must_not_return(record: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        require_sound(record, registry.parser("wrk-text"))


def test_a_run_lies_within_its_text() -> None:
    require_lines(RunRecord(lines=(5, 1)), among=6)  # columns that stood side by side
    with pytest.raises(TypeError, match="are no lines of a text of 3"):
        require_lines(RunRecord(lines=(5, 1)), among=3)


def test_an_instant_has_room_in_a_table() -> None:
    """Go's zero time has none; no time at all is another thing."""
    parser = registry.parser("wrk-text")
    require_sound(RunRecord(columns={"started_at": np.datetime64("NaT")}), parser)
    require_sound(RunRecord(columns={"started_at": "2026-11-30T12:00:00Z"}), parser)
    with pytest.raises(InputError, match="started_at of 0001"):
        require_sound(RunRecord(columns={"started_at": datetime(1, 1, 1, tzinfo=UTC)}), parser)
