from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.model.run import Run
from benchkit.stats.contrast import LEAST_RUNS
from benchkit.validity.amounts import TO_DECIDE, highest_carried, needed
from tests.outputs import DATA
from tests.validity.runs import in_file, plain, raised, run, state

# --- QUANTILE_N ---


@pytest.mark.parametrize(
    ("quantile", "count"),
    [(0.99, 368), (0.999, 3688), (0.9999, 36887), (0.01, 368), (0.0, 1), (1.0, 1)],
)
def test_how_many_requests_a_percentile_takes(quantile: float, count: int) -> None:
    assert needed(quantile) == count


@pytest.mark.parametrize(("quantile", "count"), [(0.99, 368), (0.999, 3688), (0.9999, 36887)])
def test_the_highest_percentile_that_requests_carry(quantile: float, count: int) -> None:
    few, enough = (Run({"requests": requests}) for requests in (count - 1, count))
    assert highest_carried(few) < quantile <= highest_carried(enough)
    assert highest_carried(Run({"requests": None})) == 1


@pytest.mark.parametrize(("requests", "withheld"), [(367, {"latency_p99_s"}), (368, set())])
def test_a_p99_of_few_requests(requests: int, withheld: set[str]) -> None:
    first = run("vegeta", requests=requests, latency_p50_s=0.01, latency_p99_s=0.02)
    assert {
        column for results in raised("QUANTILE_N", first) for column in results.withheld
    } == withheld


def test_a_p999_of_300_requests_is_withheld(data: Path) -> None:
    (finding,) = in_file("QUANTILE_N", data / "vegeta" / "ok.gob")
    assert plain(finding.withheld["latency_p999_s"]) == "300 of the 3,688 requests that it takes"
    assert finding.severity == "warning"  # its p99 too
    assert "300 requests cannot give p99 and p99.9, which take 368 and 3,688" in plain(
        finding.message
    )


def test_only_the_far_tail_is_a_note() -> None:
    (finding,) = raised("QUANTILE_N", run("ab", requests=1000, latency_p999_s=0.1))
    assert finding.severity == "info"
    assert state("QUANTILE_N", run("ab", requests=1000)) == {"not applicable"}


# --- SAMPLES_N ---


def test_samples_of_a_run_of_three_seconds(data: Path) -> None:
    (finding,) = in_file("SAMPLES_N", data / "autocannon" / "plain.json")
    assert finding.values["samples"] == 3
    assert "Req/Sec has 3 samples" in plain(finding.message)
    (workers,) = in_file("SAMPLES_N", data / "autocannon" / "workers.json")
    assert workers.values["samples"] == 3


def test_ten_samples_give_no_percentile_and_many_do() -> None:
    table = {("Req/Sec", f"p{p}"): 600.0 + p for p in (1, 2.5, 50, 97.5)} | {
        ("Req/Sec", "min"): 586.0
    }
    few = table | {("Req/Sec", "p1"): 586.0, ("Req/Sec", "p2.5"): 586.0}
    (finding,) = raised("SAMPLES_N", run("autocannon", duration_s=10.05, figures=few))
    assert finding.values["samples"] == 10
    assert "p1 and p2.5 are its minimum, 586" in finding.message
    assert not raised("SAMPLES_N", run("autocannon", duration_s=600.0, figures=table))
    assert not raised("SAMPLES_N", run("autocannon", figures=table))
    assert state("SAMPLES_N", run("autocannon")) == {"not applicable"}


# --- TOO_SHORT ---


@pytest.mark.parametrize(
    ("tool", "duration", "raises"),
    [("wrk", 9.8, True), ("wrk", 9.98, False), ("wrk2", 19.0, True), ("wrk2", 20.0, False)],
)
def test_how_long_is_short(tool: str, duration: float, *, raises: bool) -> None:
    assert bool(raised("TOO_SHORT", run(tool, duration_s=duration))) is raises


@pytest.mark.parametrize(
    ("columns", "severity"),
    [
        ({"duration_s": 5.0}, "info"),
        ({"duration_s": 0.5}, "warning"),
        ({"duration_s": 5.0, "requests": 99}, "warning"),
        ({"duration_s": 5.0, "requests": 100}, "info"),
    ],
)
def test_a_short_run_is_a_note_and_a_tiny_one_a_warning(
    columns: dict[str, float], severity: str
) -> None:
    (finding,) = raised("TOO_SHORT", run("ab", **columns))
    assert finding.severity == severity


@pytest.mark.parametrize(("requests", "raises"), [(999, True), (1000, False)])
def test_how_few_per_connection(requests: int, *, raises: bool) -> None:
    first = run("ab", duration_s=60.0, requests=requests, connections=10)
    assert bool(raised("TOO_SHORT", first)) is raises


def test_a_recorded_minute_is_not_short(data: Path) -> None:
    assert not in_file("TOO_SHORT", data / "wrk" / "one-minute.txt")
    assert in_file("TOO_SHORT", data / "wrk" / "latency.txt")
    assert state("TOO_SHORT", run("wrk")) == {"not applicable"}


# --- ENDED_EARLY ---


@pytest.mark.parametrize("file", ["ab/interrupted.txt", "wrk/interrupted.txt"])
def test_a_run_that_was_interrupted(data: Path, file: str) -> None:
    (finding,) = in_file("ENDED_EARLY", data / file)
    assert finding.severity == "warning"
    assert plain(finding.message).endswith("Its figures are of a part.")


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"duration_s": 12.3, "command": "wrk -d30s http://h/"}, "it lasted 12.3 s of 30 s"),
        ({"duration_s": 30.1, "command": "wrk -d30s http://h/"}, None),
        ({"duration_s": 29.2, "command": "wrk -d30s http://h/"}, None),
    ],
)
def test_a_run_shorter_than_was_asked_for(columns: dict[str, Any], words: str | None) -> None:
    findings = [plain(f.message) for f in raised("ENDED_EARLY", run("wrk", **columns))]
    assert len(findings) == (words is not None)
    assert all(str(words) in message for message in findings)


def test_fewer_requests_than_were_asked_for() -> None:
    command = "ab -n 100000 -c 50 http://h/"
    (finding,) = raised("ENDED_EARLY", run("ab", requests=3758, connections=50, command=command))
    assert "it sent 3,758 of 100,000 requests" in plain(finding.message)
    # In flight, failed, of another command: none of these ended it.
    for columns in (
        {"requests": 99_960},
        {"requests": 60_011, "errors": 39_980},
        {"requests": 5e4},
    ):
        known = {"connections": 50, "command": command, **columns}
        assert not raised("ENDED_EARLY", run("ab", **known))


def test_nothing_is_known_of_what_was_asked_for() -> None:
    assert state("ENDED_EARLY", run("wrk", requests=7)) == {"not applicable"}


# --- REPLICATES ---


@pytest.mark.parametrize(
    ("runs", "severity", "words"),
    [
        (1, "warning", "One run each"),
        (2, "warning", "A verdict takes 5 of each"),
        (3, "warning", "A verdict takes 5 of each"),
        (4, "warning", "A verdict takes 5 of each"),
        (5, "info", "small ones take 10 or more"),
        (8, "info", "8 runs each. Large differences show"),
        (10, None, ""),
    ],
)
def test_what_so_many_runs_can_tell(runs: int, severity: str | None, words: str) -> None:
    findings = raised("REPLICATES", *(run("wrk", name) for name in "ab" for _ in range(runs)))
    assert [finding.severity for finding in findings] == ([severity] if severity else [])
    assert not findings or words in findings[0].message


def test_a_verdict_takes_as_many_as_a_test_does() -> None:
    assert TO_DECIDE == LEAST_RUNS


def test_a_warm_up_is_no_variant_with_a_single_run() -> None:
    warm = run("wrk", "a", params='{"warm-up": true}')
    assert not raised("REPLICATES", warm, *(run("wrk", v) for v in "ab" for _ in range(10)))


def test_the_variant_with_fewest_runs_decides() -> None:
    (finding,) = raised("REPLICATES", run("wrk", "a"), *(run("wrk", "b") for _ in range(10)))
    assert "1 of 2 variants has a single run" in finding.message


def lost_in(folder: Path) -> list[str]:
    findings = benchkit.load(folder).findings()
    return findings[findings["check"] == "RUNS_LOST"]["message"].tolist()


def test_a_run_that_failed_is_missed_among_those_that_are_called_like_it(tmp_path: Path) -> None:
    report = (DATA / "wrk" / "latency.txt").read_text("utf-8")
    for number, variant in enumerate("ab"):
        (tmp_path / variant).mkdir()
        for repeat in (1, 2, 3):
            text = report.replace("209159", f"2091{number}{repeat}")
            (tmp_path / variant / f"{repeat}.txt").write_text(text)
    assert not lost_in(tmp_path)
    (tmp_path / "b" / "3.txt").write_text("unable to connect to 127.0.0.1:1 Connection refused")
    (tmp_path / "notes.txt").write_text("not found")  # called otherwise
    assert lost_in(tmp_path) == [
        "b/3.txt holds no run: what is shown and compared are those beside."
    ]


def test_a_run_of_a_harness_that_failed_is_missed(tmp_path: Path) -> None:
    report = (DATA / "wrk" / "latency.txt").read_text("utf-8")
    for repeat in (1, 2, 3):
        (tmp_path / "a" / f"{repeat}").mkdir(parents=True)
        (tmp_path / "a" / f"{repeat}" / "meta.json").write_text(f'{{"exit_status": {repeat // 3}}}')
    for repeat in (1, 2):
        (tmp_path / "a" / f"{repeat}" / "wrk.txt").write_text(report.replace("59", f"{repeat}9"))
    assert lost_in(tmp_path) == [
        "a/3/meta.json holds no run: what is shown and compared are those beside."
    ]
