"""Why variants cannot be compared, in full sentences, and from which difference on."""

from __future__ import annotations

from typing import Any

import pytest

from benchkit.compare.obstacles import are_mixed, failing_apart, metric_obstacle, obstacles
from benchkit.model.grouping import variants_of
from benchkit.model.metric import GOODPUT, THROUGHPUT
from benchkit.model.variant import Variant
from tests.compare.runs import plain, results, run


def sides(*columns: dict[str, Any]) -> list[Variant]:
    """Variants a, b, …, each of one run with some columns."""
    rows = (run(n, variant="abc"[n], **own) for n, own in enumerate(columns))
    return variants_of(results(*rows))


def against(*columns: dict[str, Any]) -> list[str]:
    return [plain(text) for text in obstacles(sides(*columns))]


@pytest.mark.parametrize(
    ("column", "values", "reason"),
    [
        (
            "load_model",
            ("closed", "open"),
            "The runs differ in the load model (open or closed loop): closed and open.",
        ),
        (
            "correction",
            ("none", "backfilled"),
            "The runs differ in whether the tool added samples: backfilled and none.",
        ),
        (
            "clock",
            ("send-to-last-byte", "due-to-last-byte"),
            "The runs differ in what a latency spans: due-to-last-byte and send-to-last-byte.",
        ),
    ],
)
def test_other_meanings_of_a_latency(column: str, values: tuple[str, str], reason: str) -> None:
    first, second = values
    assert against({column: first}, {column: second}) == [reason]
    assert against({column: first}, {column: first}) == []
    assert against({column: first}, {column: None}) == []  # which nobody knows


class TestOfferedRates:
    @staticmethod
    def against(first: float, second: float, params: str | None = None) -> list[str]:
        rates = {"offered_rate_rps": first}, {"offered_rate_rps": second, "params": params}
        return against(*rates)

    def test_they_may_differ_by_one_per_cent(self) -> None:
        assert self.against(1000.0, 1010.0) == []
        assert self.against(1011.0, 1000.0) == ["The offered rate differs: 1 k to 1.01 k req/s."]

    def test_of_several_the_least_and_the_greatest_are_named(self) -> None:
        rates = ({"offered_rate_rps": rate} for rate in (50.2, 50.0, 100.0))
        assert against(*rates) == ["The offered rate differs: 50 to 100 req/s."]

    def test_those_of_one_variant_are_a_sweep(self) -> None:
        rates = [{"offered_rate_rps": rate, "params": f'{{"rate": {rate}}}'} for rate in (50, 100)]
        sweep, other = [run(1, **row) for row in rates], run(2, variant="b", **rates[1])
        assert obstacles(variants_of(results(*sweep))) == []
        assert obstacles(variants_of(results(*sweep, other))) == []  # who share a rate

    def test_params_of_two_variants_excuse_no_other_rate(self) -> None:
        reason = ["The offered rate differs: 50 to 100 req/s."]
        assert self.against(50.0, 100.0) == reason
        assert self.against(50.0, 100.0, params='{"rate": 100}') == reason


class TestFailures:
    @staticmethod
    def against(*successes: float | None, errors: int | None = None) -> list[str]:
        return against(*({"success_ratio": share, "errors": errors} for share in successes))

    def test_up_to_ten_per_cent_of_either_may_fail(self) -> None:
        assert self.against(0.9, 1.0) == []
        assert self.against(0.9, 0.9) == []

    def test_shares_that_lie_further_apart(self) -> None:
        reason = ["11 % of the requests of b failed, 0.5 % of a."]
        assert self.against(0.995, 0.89) == reason

    def test_one_below_nine_tenths_however_near_the_other(self) -> None:
        assert self.against(0.89, 0.95) == ["11 % of the requests of a failed, 5 % of b."]

    def test_where_runs_failed_unlike_it_says_of_which_the_share_is(self) -> None:
        """Beside "over all runs, 33 % failed" stood "28 % of the requests failed"."""
        rows = [
            run(
                n,
                variant="b",
                success_ratio=1 - share,
                errors=0,
                non2xx=round(100 * share),
                requests=100,
            )
            for n, share in enumerate((0.15, 0.28, 0.60))
        ]
        other = run(9, success_ratio=1.0, errors=0, non2xx=0, requests=100)
        (reason,) = obstacles(variants_of(results(*rows, other)))
        assert plain(reason) == (
            "At the median over the runs, 28 % of the requests of b failed, 0 % of a."
        )

    def test_both_below_nine_tenths_and_near_each_other(self) -> None:
        assert self.against(0.85, 0.88) == ["12 % to 15 % of the requests failed."]
        assert self.against(0.88, 0.88) == ["12 % of the requests failed."]

    def test_nine_tenths_are_enough_and_one_tenth_is_near(self) -> None:
        assert self.against(0.85, 0.9) == ["15 % of the requests of a failed, 10 % of b."]
        assert self.against(0.0, 0.1) == ["90 % to 100 % of the requests failed."]

    def test_both_below_nine_tenths_and_far_from_each_other(self) -> None:
        assert self.against(0.5, 0.8) == ["50 % of the requests of a failed, 20 % of b."]

    def test_where_only_one_tells_its_share(self) -> None:
        assert self.against(0.5, None) == ["50 % of the requests of a failed."]
        assert self.against(None, 0.95) == []
        assert self.against(None, None) == []

    def test_failing_alike_with_an_answer_to_every_request_is_the_same_work(self) -> None:
        assert self.against(0.5, 0.5, errors=0) == []
        assert self.against(0.5, 0.509, errors=0) == []
        assert self.against(0.1, 0.1, errors=0) == []
        assert self.against(0.5, 0.5, errors=1) == ["50 % of the requests failed."]
        assert self.against(0.5, 0.52, errors=0) == ["48 % to 50 % of the requests failed."]

    def test_where_nearly_all_fail_nothing_was_done(self) -> None:
        assert self.against(0.09, 0.09, errors=0) == ["91 % of the requests failed."]

    def test_they_are_no_obstacle_where_they_are_what_is_counted(self) -> None:
        failing = sides({"success_ratio": 0.5}, {"success_ratio": 1.0})
        assert len(obstacles(failing)) == 1
        assert obstacles(failing, failures=False) == []


class TestOfOneMetric:
    def test_the_reasons_are_clauses_of_one(self) -> None:
        a, b = sides(
            {"load_model": "open", "clock": "send-to-last-byte", "success_ratio": 0.5},
            {"load_model": "closed", "clock": "due-to-last-byte", "success_ratio": 1.0},
        )
        meanings = (
            "not comparable: the runs differ in the load model (open or closed loop): "
            "closed and open; the runs differ in what a latency spans: "
            "due-to-last-byte and send-to-last-byte"
        )
        assert metric_obstacle(a, b, GOODPUT) == meanings
        assert plain(metric_obstacle(a, b, THROUGHPUT)) == (
            f"{meanings}; 50 % of the requests of a failed, 0 % of b"
        )

    @pytest.mark.parametrize("failing", ["a", "b"])
    def test_a_side_of_which_a_tenth_failed_as_counts_tell(self, failing: str) -> None:
        def obstacle(non2xx: int) -> str:
            counts = [non2xx if name == failing else 0 for name in "ab"]
            a, b = sides(*({"requests": 1000, "errors": 0, "non2xx": n} for n in counts))
            assert metric_obstacle(a, b, GOODPUT) == ""
            return plain(metric_obstacle(a, b, THROUGHPUT))

        assert obstacle(100) == ""
        assert obstacle(110) == "not comparable: 11 % of the requests of a side got no 2xx answer"

    def test_counts_are_not_asked_where_a_share_is_printed(self) -> None:
        counts = {"requests": 1000, "errors": 0, "non2xx": 500}
        a, b = sides(counts | {"success_ratio": 0.95}, {"success_ratio": 1.0})
        assert metric_obstacle(a, b, THROUGHPUT) == ""

    def test_a_name_at_the_end_of_a_reason_is_whole(self) -> None:
        rows = run(1, success_ratio=0.5), run(2, variant="MAX", success_ratio=1.0)
        failing, other = variants_of(results(*rows))
        assert metric_obstacle(failing, other, THROUGHPUT).endswith("of MAX")

    def test_nothing_is_known_of_failures(self) -> None:
        a, b = sides({}, {})
        assert metric_obstacle(a, b, THROUGHPUT) == ""


class TestFailingApart:
    def test_one_per_cent_more_failures_are_other_work(self) -> None:
        assert failing_apart(sides({"success_ratio": 1.0}, {"success_ratio": 0.99})) == ""
        apart = failing_apart(sides({"success_ratio": 1.0}, {"success_ratio": 0.98}))
        assert plain(apart) == "2 % of the requests of b failed, 0 % of a"

    def test_failing_alike_is_the_same_work(self) -> None:
        assert failing_apart(sides({"success_ratio": 0.95}, {"success_ratio": 0.955})) == ""

    def test_of_variants_that_cannot_be_compared_at_all_nothing_is_said(self) -> None:
        assert failing_apart(sides({"success_ratio": 1.0}, {"success_ratio": 0.5})) == ""

    def test_nor_where_fewer_than_two_tell(self) -> None:
        assert failing_apart(sides({"success_ratio": 1.0}, {})) == ""


def test_where_less_than_nine_tenths_succeeded_figures_are_of_failures_too() -> None:
    assert not are_mixed(sides({"success_ratio": 0.9}, {}))
    assert are_mixed(sides({"success_ratio": 1.0}, {"success_ratio": 0.89}))
