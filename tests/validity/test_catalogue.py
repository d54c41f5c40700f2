"""The catalogue as a whole: complete, documented, and silent where there is nothing to say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import benchkit
from benchkit.errors import BenchkitError
from benchkit.schema import RUNS
from benchkit.validity import CATALOGUE, examine, findings, markdown
from tests.recorded import example
from tests.validity.runs import results, run

ROOT = Path(__file__).resolve().parents[2]


def test_the_docs_page_is_current(request: pytest.FixtureRequest) -> None:
    path = ROOT / "docs" / "checks.md"
    if request.config.getoption("--update-golden"):
        path.write_text(markdown(), encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == markdown()


def test_every_check_has_an_id_of_its_own_and_looks_at_something() -> None:
    ids = [check.id for check in CATALOGUE]
    assert len(set(ids)) == len(ids) == 54
    assert all(check.of_run or check.of_set for check in CATALOGUE)


@pytest.mark.parametrize("check", CATALOGUE, ids=lambda check: check.id)
def test_every_check_has_tests(check: object) -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    name = getattr(check, "id", "")
    assert sum(f'"{name}"' in text for text in texts) >= 1


def test_lacking_data_is_not_passing() -> None:
    examined = examine(results(run("wrk")))
    states = {status.check: status.state for status in examined.statuses}
    reasons = {status.check: status.reason for status in examined.statuses}
    assert states["LITTLE_HIGH"] == "not applicable"
    assert "throughput_rps" in reasons["LITTLE_HIGH"]
    assert reasons["AB_LENGTH"] == "only of ab"
    assert "passed" not in {status.state for status in examined.statuses if status.run_id}


def test_each_check_has_a_status_for_each_run_and_set() -> None:
    examined = examine(results(run("wrk", "a"), run("wrk", "b"), run("ab", "a")))
    looked = {(status.check, status.tool, status.run_id) for status in examined.statuses}
    assert len(looked) == len(examined.statuses)
    for check in CATALOGUE:
        mine = [status for status in examined.statuses if status.check == check.id]
        assert len(mine) == (3 if check.of_run else 0) + (2 if check.of_set else 0)


def test_the_errors_of_the_examples_are_those_that_they_are_there_to_show() -> None:
    examined = examine(example(""))
    record = {
        (finding.scenario, finding.check)
        for finding in examined.findings
        if finding.severity == "error"
    }
    assert record == {
        ("gin-panic", "CENSORED"),  # a collapsed server: its latencies are the timeout
        ("gin-panic", "ERROR_MIX"),
        ("request-coalescing", "ERROR_MIX"),  # too many clients for the database
        ("request-coalescing", "LITTLE_LOW"),
        ("request-coalescing", "STRAGGLER"),
    }
    assert not [finding for finding in examined.findings if finding.check == "CONFIG_DIFFERS"]


def test_findings_name_columns_and_severities_that_there_are() -> None:
    for finding in findings(benchkit.load([ROOT / "tests" / "data" / t for t in ("ab", "wrk")])):
        check = next(check for check in CATALOGUE if check.id == finding.check)
        assert finding.severity in check.severities
        assert {*finding.touches, *finding.withheld} <= set(RUNS.names)
        assert finding.message.endswith(".")
        assert finding.advice


def test_findings_come_as_a_dataframe() -> None:
    frame = benchkit.load(ROOT / "tests" / "data" / "wrk" / "timeouts.txt").findings()
    row = frame.set_index("check").loc["DROPPED_TIMEOUT"]
    assert row["severity"] == "error"
    assert row["values"]["timeouts"] == 20
    assert "latency_p99_s" in row["withheld"]
    assert results().findings().empty


def test_what_is_said_of_each_recorded_output(data: Path, golden: Callable[..., None]) -> None:
    """No finding comes or goes unseen."""
    text = []
    for path in sorted(path for path in data.rglob("*") if path.is_file()):
        if path.suffix in {".cmd", ".go", ".cjs"}:
            continue
        try:
            examined = findings(benchkit.load(path))
        except BenchkitError:
            continue
        message = sorted({f"{each.severity} {each.check}" for each in examined})
        text.append(f"{path.relative_to(data).as_posix()}: {', '.join(message)}\n")
    golden("validity/recorded.txt", "".join(text))
