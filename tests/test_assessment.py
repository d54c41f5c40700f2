"""Findings, verdicts and withheld figures come together in one comparison."""

from pathlib import Path
from runpy import run_path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.model.metric import COMPARED
from benchkit.report.remarks import limits
from tests.compare.runs import compared

REPEATED = run_path(str(Path(__file__).parent / "report" / "samples.py"))["repeated"]


def grade(runs: Results) -> tuple[str, str]:
    comparison = compared(runs)
    return comparison.grade.symbol, comparison.grade.words


class TestGrade:
    def test_a_difference_in_eight_runs_is_established(self) -> None:
        assert grade(REPEATED(effect=1.5)) == ("●", "Established")

    def test_a_serious_finding_limits_it(self) -> None:
        assert grade(REPEATED(effect=1.5, errors=12_000)) == ("◕", "In these runs only")

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
        comparison = compared(short)
        for variant in comparison.variants:
            assert variant.withheld == {"latency_p99_s": "300 of the 368 requests that it takes"}
            assert variant.values["latency_p99_s"] is None
            assert max(variant.quantiles) == 0.9
        assert all(e.value is None for e in comparison.effects if e.metric.name == "p99")
        assert short.runs["latency_p99_s"].notna().all()

    def test_one_run_that_withholds_it_does_so_for_its_variant(self) -> None:
        first, *others = REPEATED(effect=1.5)
        comparison = compared([first.with_columns(requests=300), *others])
        withheld = {v.label: list(v.withheld) for v in comparison.variants}
        assert withheld == {"old": ["latency_p99_s"], "new": []}
        assert comparison.ratio("new", "latency_p99_s") is None
        assert comparison.by_label["new"].value(COMPARED["p99"]) is not None

    def test_the_finding_that_withholds_it_stands_beside_it(self, short: Results) -> None:
        comparison = compared(short)
        (number,) = comparison.footnotes.at_figure("new", "latency_p99_s")
        assert comparison.findings[number - 1].first.check == "QUANTILE_N"


def test_a_ratio_is_that_of_the_values_shown_and_its_interval_is_about_it() -> None:
    comparison = compared(REPEATED(effect=1.5))
    effect = comparison.effect("new", "latency_p50_s")
    assert effect is not None
    assert effect.interval is not None
    assert effect.ratio is not None
    assert effect.interval.low < effect.ratio < effect.interval.high < 1
    values = [v.values["latency_p50_s"] or 0.0 for v in (comparison.base, *comparison.others)]
    assert effect.ratio == values[1] / values[0]
    assert comparison.ratio("new", "latency_p50_s") == effect.ratio


def test_findings_stand_where_they_say_something(data: Path) -> None:
    """Beside a figure, or at the name of whose figures it is about all; of all at the grade."""
    recorded = compared(benchkit.load(data / "wrk" / "latency.txt"))
    assert all(finding.number == n for n, finding in enumerate(recorded.findings, 1))
    pair = compared(REPEATED(effect=1.5, non2xx=4000))
    both, failing = pair.findings[:2]
    assert (both.first.severity, failing.first.severity) == ("error", "warning")
    assert pair.footnotes.at_metric("latency_p99_s") == ()
    assert both.number in {mark.number for s in limits(pair) for mark in s.marks}
    assert pair.footnotes.at_name("old") == (failing.number,)
    assert pair.footnotes.at_figure("old", "latency_p99_s") == pair.footnotes.at_name("new") == ()
    assert pair.only(failing) == "old"
    assert pair.only(both) is None
