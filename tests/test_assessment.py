"""Findings, verdicts and withheld figures come together in one comparison."""

from pathlib import Path
from runpy import run_path

import pytest

import benchkit
from benchkit.assessment import assess
from benchkit.results import Results

REPEATED = run_path(str(Path(__file__).parent / "report" / "samples.py"))["repeated"]


def grade(results: Results) -> tuple[str, str]:
    (one,) = assess(results)
    return one.grade.symbol, one.grade.words


class TestGrade:
    def test_a_difference_in_eight_runs_is_established(self) -> None:
        assert grade(REPEATED(effect=1.5)) == ("●", "Established")

    def test_a_serious_finding_limits_it(self) -> None:
        assert grade(REPEATED(effect=1.5, non2xx=4000)) == ("◕", "Established, with limits")

    def test_equal_servers_show_no_difference(self) -> None:
        assert grade(REPEATED(effect=1.0)) == ("○", "No difference shown")

    def test_three_runs_are_few_whatever_they_say(self) -> None:
        assert grade(REPEATED(effect=9.0, runs=3)) == ("◔", "Few runs")

    def test_one_run_is_an_observation(self) -> None:
        assert grade(REPEATED(effect=9.0, runs=1)) == ("◐", "Observed once")

    def test_most_requests_failing_forbids_a_verdict(self) -> None:
        assert grade(REPEATED(effect=9.0, non2xx=190_000)) == ("⊘", "Not comparable")


class TestWithheld:
    @pytest.fixture
    def short(self) -> Results:
        return REPEATED(effect=1.5, requests=300)  # type: ignore[no-any-return]

    def test_its_value_is_gone_everywhere_and_the_reason_is_there(self, short: Results) -> None:
        (one,) = assess(short)
        for variant in one.variants:
            assert variant.withheld == {"latency_p99_s": "300 requests; needs 368"}
            assert variant.values["latency_p99_s"] is None
            assert max(variant.quantiles) == 0.9
        assert not any(row.metric == "p99" and row.value is not None for row in one.rows)
        assert short.runs["latency_p99_s"].notna().all()

    def test_one_run_that_withholds_it_does_so_for_its_variant(self) -> None:
        results = REPEATED(effect=1.5)
        results.tables["runs"].loc[0, "requests"] = 300
        (one,) = assess(results)
        assert [list(v.withheld) for v in one.variants if v.label == "old"] == [["latency_p99_s"]]
        assert [list(v.withheld) for v in one.variants if v.label == "new"] == [[]]
        assert all(v.ratio["latency_p99_s"] is None for v in one.others)

    def test_the_finding_that_withholds_it_stands_beside_it(self, short: Results) -> None:
        (one,) = assess(short)
        (number,) = one.marks("new", "latency_p99_s")
        assert one.findings[number - 1].first.check == "QUANTILE_N"


def test_a_ratio_of_repeated_runs_is_the_one_that_its_interval_is_about() -> None:
    (one,) = assess(REPEATED(effect=1.5))
    effect = one.effect("new", "latency_p50_s")
    assert effect is not None
    assert effect.low < effect.ratio < effect.high < 1
    assert one.others[0].ratio["latency_p50_s"] == effect.ratio
    assert one.effect("new", "latency_max_s") is None


def test_findings_stand_where_they_say_something(data: Path) -> None:
    """Beside a figure of one variant; at its heading where it is of all; at the name of most."""
    (one,) = assess(benchkit.load(data / "wrk" / "latency.txt"))
    assert all(finding.number == place for place, finding in enumerate(one.findings, 1))
    (pair,) = assess(REPEATED(effect=1.5, non2xx=4000))
    both, failing = pair.findings[:2]
    assert (both.first.severity, failing.first.severity) == ("error", "warning")
    assert pair.shared_marks("latency_p99_s") == (both.number,)
    assert pair.name_marks("old") == (failing.number,)
    assert pair.marks("old", "latency_p99_s") == pair.name_marks("new") == ()
    assert pair.only(failing) == "old"
    assert pair.only(both) is None
