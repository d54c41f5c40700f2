"""k6's samples as rows: JSON lines and CSV, with times of every format."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from benchkit.errors import InputError
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers.k6_points import PARSERS
from benchkit.parsing import Part, RequestBatch, Source

DATA = Path(__file__).resolve().parents[1] / "data" / "k6"
JSON, CSV = PARSERS
HEADER = "metric_name,timestamp,metric_value,error,method,name,status,extra_tags,metadata\n"
#: A request that ended 2.5 ms after it began, as all versions before 0.35 write it.
EARLIER = (
    '{"type":"Metric","data":{"name":"http_req_duration","type":"trend"},"metric":"x"}\n'
    '{"type":"Point","data":{"time":"2021-01-02T03:04:05.0025+02:00","value":2.5,"tags":'
    '{"method":"GET","name":"a","status":"200","iter":"\\"metric\\":\\"http_req_duration\\""}},'
    '"metric":"http_req_duration"}\n'
    '{"type":"Point","data":{"time":"2021-01-02T03:04:05+02:00","value":1,"tags":null},'
    '"metric":"http_reqs"}\n'
)


def recorded(name: str) -> FileRun:
    [run] = read_file(Input(str(DATA / name), name, name)).runs
    return run


def rows(text: str) -> RequestBatch:
    parser = JSON if text.startswith("{") else CSV
    source = Source.from_bytes(text.encode())
    assert parser.sniff(source)
    batch: RequestBatch
    [batch] = parser.rows(source)
    return batch


@pytest.mark.parametrize("name", ["points.json", "points.csv"])
def test_the_requests_are_the_samples_of_the_duration(name: str) -> None:
    run = recorded(name)
    assert run.columns["requests"] == 66
    assert run.record.statuses == {0: 5, 200: 53, 404: 4, 500: 4}
    assert run.record.errors == {"dial: connection refused": 5}
    assert (run.columns["errors"], run.columns["non2xx"]) == (5, 8)
    assert run.columns["duration_s"] == pytest.approx(1.029115144)
    assert run.columns["latency_max_s"] == 0.026844929
    assert run.columns["started_at"] == np.datetime64("2026-11-22T20:12:22.011802148")


def test_both_formats_have_the_same_rows() -> None:
    [ours] = JSON.rows(Source.from_bytes((DATA / "points.json").read_bytes()))
    [theirs] = CSV.rows(Source.from_bytes((DATA / "points.csv").read_bytes()))
    for name in ("latency_ns", "started_ns", "status", "error", "method", "url"):
        assert (getattr(ours, name) == getattr(theirs, name)).all(), name
    assert ours.started_ns is not None
    assert list(ours.urls) == list(theirs.urls)
    assert ours.urls[0] == 'mixed, and "more"'


def test_a_packed_file_has_each_redirect() -> None:
    run = recorded("points.json.gz")
    assert run.record.statuses == {200: 200, 301: 200}
    assert run.columns["requests"] == 400


def test_a_timeout_takes_its_time() -> None:
    run = recorded("points-stall.csv")
    assert run.record.errors == {"request timeout": 4}
    assert run.columns["latency_max_s"] == 0.200951302
    assert run.columns["duration_s"] == pytest.approx(0.206381847)


def test_whole_seconds_tell_no_duration() -> None:
    run = recorded("points-unix.csv")
    assert run.columns["requests"] == 30
    assert "duration_s" not in run.columns
    assert "throughput_rps" not in run.columns
    assert run.columns["success_ratio"] == 1.0


def test_earlier_lines_have_another_order() -> None:
    batch = rows(EARLIER)
    assert batch.latency_ns.tolist() == [2_500_000]
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [1_609_549_445 * 10**9]


@pytest.mark.parametrize(
    ("time", "started_ns", "step_ns"),
    [
        ("1609549445", 1_609_549_444_997_500_000, 10**9),
        ("1609549445003", 1_609_549_445_000_500_000, 1),
        ("1609549445002500", 1_609_549_445_000_000_000, 1),
        ("1609549445002500001", 1_609_549_445_000_000_001, 1),
        ("2021-01-02T01:04:05Z", 1_609_549_444_997_500_000, 10**9),
        ("2021-01-02T03:04:05.0025+02:00", 1_609_549_445_000_000_000, 1),
    ],
)
def test_times_of_every_format(time: str, started_ns: int, step_ns: int) -> None:
    batch = rows(HEADER + f"http_req_duration,{time},2.500000,,GET,a,200,,\n")
    assert batch.started_ns is not None
    assert batch.started_ns.tolist() == [started_ns]
    assert batch.started_step_ns == step_ns


def test_without_the_tag_no_status_is_known() -> None:
    batch = rows(
        "metric_name,timestamp,metric_value,method,extra_tags\n"
        "http_req_duration,1609549445,2.5,GET,\n"
    )
    assert (batch.status, batch.error) == (None, None)


def test_files_without_a_request_are_refused() -> None:
    with pytest.raises(InputError, match=r"rows of requests \(http_req_duration, Point\)"):
        rows(EARLIER.replace("http_req_duration", "own_trend"))
    with pytest.raises(InputError, match="a time in seconds or as RFC 3339"):
        rows(HEADER + "http_req_duration,soon,2.5,,GET,a,200,,\n")


def test_the_rows_before_a_broken_one_are_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes((DATA / "points.json").read_bytes()[:100_000])
    outcome = read_file(Input(str(broken), broken.name, broken.name))
    [run] = outcome.runs
    assert 20 < run.columns["requests"] < 66


def test_packed_csv_is_read(tmp_path: Path) -> None:
    packed = tmp_path / "points.csv.gz"
    packed.write_bytes(gzip.compress((DATA / "points.csv").read_bytes()))
    [run] = read_file(Input(str(packed), packed.name, packed.name)).runs
    assert run.columns["requests"] == 66


@pytest.mark.parametrize(
    "text",
    ['{"type":"Point"}\n', '{"metric":"a","value":1}\n', "metric_name,value\na,1\n", "metric\n"],
)
def test_other_files_are_none_of_its(text: str) -> None:
    assert not any(parser.sniff(Source.from_bytes(text.encode())) for parser in PARSERS)


@pytest.mark.parametrize("name", ["points.json", "points.csv"])
@pytest.mark.parametrize("damage", [b"", b"http_rXq_duration"])
def test_a_request_that_the_file_counts_and_does_not_have_is_told(
    name: str, damage: bytes, tmp_path: Path
) -> None:
    lines = (DATA / name).read_bytes().splitlines(keepends=True)
    at = [n for n, line in enumerate(lines) if b"http_req_duration" in line][-2]
    lines[at] = lines[at].replace(b"http_req_duration", damage) if damage else b""
    (tmp_path / name).write_bytes(b"".join(lines))
    outcome = read_file(Input(str(tmp_path / name), name, name))
    note = "rows are missing: it counts 66 requests, and has the rows of 65"
    assert outcome.message == f"{name}: {note}"
    assert outcome.runs[0].record.lost == [note]


@pytest.mark.parametrize("name", ["points.json", "points.csv"])
def test_what_leaves_out_the_count_of_requests_lacks_none(name: str, tmp_path: Path) -> None:
    lines = (DATA / name).read_bytes().splitlines(keepends=True)
    (tmp_path / name).write_bytes(
        b"".join(line for line in lines if line[:10] == b"metric_nam" or b"http_reqs" not in line)
    )
    outcome = read_file(Input(str(tmp_path / name), name, name))
    assert (outcome.runs[0].columns["requests"], outcome.message) == (66, None)


def test_parts_are_counted_together_though_a_request_lies_in_two() -> None:
    header, *lines = (DATA / "points.csv").read_bytes().splitlines(keepends=True)
    source = Source.from_bytes(header + b"".join(lines))
    ends = [len(header) + sum(map(len, lines[: n + 1])) for n in range(len(lines))]
    counts = {n: line.startswith(b"http_reqs,") for n, line in enumerate(lines)}
    at = next(ends[n] for n in range(300, len(lines)) if counts[n])
    parts = [Part(len(header), at, share=2), Part(at, None, share=2)]
    batches = [list(CSV.rows_of(source, part)) if CSV.rows_of else [] for part in parts]
    assert sum(len(batch) for part in batches for batch in part) == 66
    assert sum(part[-1].announced or 0 for part in batches) == 66


@pytest.mark.parametrize(("expected", "rejected"), [("true", []), ("false", [0])])
def test_an_answer_that_the_script_did_not_expect_is_rejected(
    expected: str, rejected: list[int]
) -> None:
    header = HEADER.replace("error,", "error,expected_response,")
    batch = rows(f"{header}http_req_duration,1700000000,2.5,,{expected},GET,a,200,,\n")
    assert batch.rejected is not None
    assert np.flatnonzero(batch.rejected).tolist() == rejected
