"""Which runs are compared: blocks, settings, baselines, order."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from benchkit.compare.assess import Options, assess
from benchkit.errors import UsageError
from benchkit.model.comparison import Comparison
from benchkit.model.metric import THROUGHPUT
from benchkit.report.sentences import headline
from tests.compare import runs as made
from tests.compare.runs import compared, four_metrics, repeated, results, spread


def run(number: int, /, **columns: Any) -> dict[str, Any]:  # noqa: ANN401 - cells of any kind
    """A run of the coalescing benchmark unless `columns` say otherwise."""
    own = {"scenario": "messages", "variant": "without", "tool": "ab", "load_model": None}
    return made.run(number, **own | columns)


PAIR = results(
    run(1, variant="without", throughput_rps=3176.16, latency_p99_s=3.497, load_model="closed"),
    run(2, variant="with", throughput_rps=32669.0, latency_p99_s=0.074, load_model="closed"),
)


class TestSettings:
    """Variants under several settings of further params."""

    @staticmethod
    def grid(
        settings: list[dict[str, Any]], variants: tuple[str, ...] = ("b", "a")
    ) -> tuple[Comparison, ...]:
        pairs = enumerate(itertools.product(variants, settings))
        rows = [
            run(n, variant=variant, params=json.dumps(params), baseline="a", throughput_rps=n + 1)
            for n, (variant, params) in pairs
        ]
        return assess(results(*rows)).comparisons

    def test_each_setting_is_a_comparison_of_its_own(self) -> None:
        comparisons = self.grid([{"sink": "file"}, {"sink": "null"}])
        assert [(c.name, c.baseline, c.axis) for c in comparisons] == [
            ("messages, sink file", "a", ""),
            ("messages, sink null", "a", ""),
        ]

    def test_the_levels_of_a_sweep_stand_together_in_their_order(self) -> None:
        levels = [{"c": c, "keepalive": on} for on in (True, False) for c in (100, 5, 20)]
        first, second = self.grid(levels)
        assert (first.axis, first.setting) == ("c", {"keepalive": True})
        assert second.name == "messages, no keepalive"
        assert [variant.label for variant in first.variants] == [
            *("a, c 5", "b, c 5", "a, c 20", "b, c 20", "a, c 100", "b, c 100"),
        ]

    def test_an_effect_of_the_whole_names_its_setting(self) -> None:
        rows = [
            run(n, variant=variant, params=json.dumps({"sink": sink}), throughput_rps=n + 1.0)
            for n, (variant, sink) in enumerate(itertools.product("ab", ("file", "null")))
        ]
        assessment = assess(results(*rows))
        assert {(effect.variant, effect.baseline) for effect in assessment.effects} == {
            ("b, sink file", "a, sink file"),
            ("b, sink null", "a, sink null"),
        }
        assert {e.variant for c in assessment.comparisons for e in c.effects} == {"b"}

    def test_another_level_of_a_sweep_is_no_baseline(self) -> None:
        levels = [("a", 5), ("a", 20), ("b", 5), ("b", 20), ("b", 100)]
        rows = [
            run(n, variant=v, params=f'{{"c": {c}}}', throughput_rps=float(c), load_model="closed")
            for n, (v, c) in enumerate(levels)
        ]
        comparison = compared(results(*rows))
        against = {v.label: comparison.against(v.label) for v in comparison.variants}
        assert against == {
            "a, c 5": None,
            "a, c 20": None,
            "b, c 5": "a, c 5",
            "b, c 20": "a, c 20",
            "b, c 100": None,
        }
        assert comparison.ratio("b, c 20", "throughput_rps") == 1
        assert comparison.ratio("b, c 100", "throughput_rps") is None

    def test_a_number_that_belongs_to_the_variant_is_no_sweep(self) -> None:
        rows = [
            run(
                n,
                variant=v,
                params=f'{{"workers": {n}}}',
                throughput_rps=100.0 * n,
                load_model="closed",
            )
            for n, v in ((1, "one"), (2, "two"), (4, "four"))
        ]
        comparison = compared(results(*rows))
        assert comparison.axis == ""
        assert [v.label for v in comparison.variants] == ["four", "two", "one"]

    def test_a_copy_is_never_the_baseline(self) -> None:
        rows = [
            run(1, variant="old", params='{"aa": true}', baseline="old"),
            run(2, variant="old", baseline="old"),
            run(3, variant="new", baseline="old"),
        ]
        comparison = compared(results(*rows))
        assert comparison.baseline == "old"
        assert {v.label for v in comparison.variants} == {"old", "old, copy", "new"}

    def test_labels_are_unique_whatever_the_names(self) -> None:
        rows = [
            run(1, variant="old"),
            run(2, variant="old", params='{"aa": true}', latency_p50_s=1.0),
            run(3, variant="old", params='{"aa": "old"}', latency_p50_s=2.0),
            run(4, variant="new", params='{"c": 1}'),
            run(5, variant="new", params='{"c": 2}'),
            run(6, variant="new, c 1"),
        ]
        comparison = compared(results(*rows))
        labels = ["old", "old, copy", "old, copy (2)", "new, c 1", "new, c 2", "new, c 1 (2)"]
        assert list(comparison.order) == labels
        assert comparison.by_label["old, copy (2)"].run_ids == ("r3",)

    def test_a_level_is_the_same_as_text_and_as_number(self) -> None:
        levels = [("a", "1"), ("b", '"1"'), ("a", "2"), ("b", "2")]
        rows = [
            run(n, variant=v, params=f'{{"cpus": {level}}}') for n, (v, level) in enumerate(levels)
        ]
        assert [comparison.name for comparison in assess(results(*rows)).comparisons] == [
            "messages, cpus 1",
            "messages, cpus 2",
        ]

    def test_without_the_baseline_in_a_setting_all_stay_together(self) -> None:
        rows = [
            run(1, variant="a", params='{"pool": 1}'),
            run(2, variant="b", params='{"pool": 1}'),
            run(3, variant="b", params='{"pool": 9}'),
        ]
        assert len(assess(results(*rows)).comparisons) == 1


class TestBaseline:
    def test_the_first_variant_is_the_baseline_and_the_best_stands_first(self) -> None:
        comparison = compared(PAIR)
        assert (comparison.scenario, comparison.tool) == ("messages", "ab")
        assert comparison.baseline == comparison.base.label == "without"
        assert comparison.rank_metric is not None
        assert comparison.rank_metric.name == "throughput"
        assert [v.label for v in comparison.variants] == ["with", "without"]
        assert comparison.ratio("with", "latency_p99_s") == 0.074 / 3.497
        assert comparison.ratio("without", "latency_p99_s") is None

    def test_metadata_name_the_baseline_unless_the_reader_does(self) -> None:
        pair = results(
            run(1, variant="with", baseline="without"),
            run(2, variant="without", baseline="without"),
        )
        assert compared(pair).baseline == "without"
        assert compared(pair, baseline="with").baseline == "with"

    @pytest.mark.parametrize("stated", [("gone", "gone"), ("zuul", "gateway")])
    def test_metadata_that_name_no_variant_or_several_leave_the_first(
        self, stated: tuple[str, str]
    ) -> None:
        first, second = stated
        pair = results(
            run(1, variant="zuul", baseline=first), run(2, variant="gateway", baseline=second)
        )
        assert compared(pair).baseline == "zuul"

    @pytest.mark.parametrize(
        ("variants", "baseline"),
        [
            (("after", "before"), "before"),
            (("new_pool", "old_pool"), "old_pool"),
            (("feature-x", "main"), "main"),
            (("gzip", "without-gzip"), "without-gzip"),
            (("nachher", "vorher"), "vorher"),
            (("zuul", "maintained"), "zuul"),
            (("old", "main", "new"), "old"),
            (("new", "old", "main"), "new"),
        ],
    )
    def test_the_only_one_that_is_called_so(self, variants: tuple[str, ...], baseline: str) -> None:
        runs = results(*(run(n, variant=name) for n, name in enumerate(variants)))
        assert compared(runs).baseline == baseline

    @pytest.mark.parametrize("name", ["with", "messages/with", "run 2"])
    def test_by_variant_scenario_and_variant_or_label(self, name: str) -> None:
        comparison = compared(PAIR, baseline=name)
        assert comparison.baseline == "with"
        assert comparison.ratio("without", "throughput_rps") == 3176.16 / 32669

    def test_an_unknown_one_lists_the_choices(self) -> None:
        with pytest.raises(
            UsageError, match=r"'wiht'.*messages/without, messages/with; or the label of a run: "
        ):
            assess(PAIR, baseline="wiht")

    def test_one_of_a_scenario_leaves_the_others_alone(self) -> None:
        names = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
        both = results(*(run(n, scenario=s, variant=v) for n, (s, v) in enumerate(names)))
        assessment = assess(both, baseline="b/y")
        assert [comparison.baseline for comparison in assessment.comparisons] == ["x", "y"]
        assert [c.baseline for c in assessment.scenarios["a"].comparisons] == ["x"]

    def test_the_order_of_appearance_stays_whatever_is_the_baseline(self) -> None:
        rates = {"a": 1.0, "b": 3.0, "c": 2.0}
        rows = [
            run(n, variant=v, throughput_rps=rate, load_model="closed")
            for n, (v, rate) in enumerate(rates.items())
        ]
        for baseline in "abc":
            comparison = compared(results(*rows), baseline=baseline)
            assert comparison.order == ("a", "b", "c")
            assert [v.label for v in comparison.variants] == ["b", "c", "a"]


def test_tools_are_never_mixed() -> None:
    mixed = assess(results(run(1), run(2, tool="wrk"), run(3, scenario=None)))
    assert [(c.scenario, c.tool) for c in mixed.comparisons] == [
        *(("messages", "ab"), ("messages", "wrk"), (None, "ab"))
    ]


def test_runs_with_other_params_are_variants_of_their_own() -> None:
    comparison = compared(
        results(run(1, params='{"wait_ms": 2, "c": 10}'), run(2, params='{"wait_ms": 2, "c": 20}'))
    )
    assert [v.label for v in comparison.variants] == ["without, c 10", "without, c 20"]
    assert comparison.shared_params == {"wait_ms": 2}


def test_nothing_to_compare_gives_no_effect() -> None:
    alone = results(run(1, throughput_rps=1.0), run(2, throughput_rps=2.0))
    assert assess(alone).effects == ()
    assert alone.compare().empty
    assert assess([]).comparisons == ()


class TestOrder:
    @staticmethod
    def order(*rows: dict[str, Any]) -> tuple[str | None, list[str]]:
        comparison = compared(results(*rows))
        metric = comparison.rank_metric
        return metric.name if metric else None, [v.name for v in comparison.variants]

    def test_an_open_loop_is_ranked_by_its_latency(self) -> None:
        assert self.order(
            run(1, variant="a", load_model="open", throughput_rps=50.0, latency_p99_s=0.2),
            run(2, variant="b", load_model="open", throughput_rps=49.0, latency_p99_s=0.1),
        ) == ("p99", ["b", "a"])

    def test_a_latency_that_one_variant_lacks_ranks_nobody(self) -> None:
        assert self.order(
            run(1, variant="a", load_model="open", latency_p99_s=0.2, latency_mean_s=0.3),
            run(2, variant="b", load_model="open", latency_mean_s=0.1),
        ) == ("mean", ["b", "a"])

    def test_without_any_common_metric_the_order_is_that_of_the_input(self) -> None:
        assert self.order(run(1, variant="b"), run(2, variant="a", throughput_rps=1.0)) == (
            None,
            ["b", "a"],
        )


class TestGrade:
    @staticmethod
    def grade(*rows: dict[str, Any]) -> tuple[str, str, str]:
        grade = compared(results(*rows)).grade
        return grade.symbol, grade.words, " ".join(grade.reasons)

    def test_one_run_each(self) -> None:
        grade = compared(PAIR).grade
        assert (grade.symbol, grade.words) == ("◐", "Observed once")

    def test_one_run_on_one_side(self) -> None:
        _, words, reason = self.grade(run(1), run(2), run(3, variant="with"))
        assert words == "Observed once"
        assert "“with”" in reason

    def test_several_runs(self) -> None:
        symbol, words, _ = self.grade(
            run(1), run(2), run(3, variant="with"), run(4, variant="with")
        )
        assert (symbol, words) == ("◔", "Few runs")

    def test_what_was_not_shown_is_said_of_the_metric_that_the_answer_is_about(self) -> None:
        """Once p99 was the headline, and the runs that p50 needs the reason."""
        sides = {
            name: {
                "latency_p50_s": spread(0.01, 0.02, seed=seed),
                "latency_p99_s": spread(0.05, 0.2, seed=seed + 1),
            }
            for name, seed in (("a", 1), ("b", 3))
        }
        comparison = compared(repeated(sides))
        p99 = comparison.effect("b", "latency_p99_s")
        assert p99 is not None
        assert comparison.grade.reasons == (f"p99 of b: {p99.reason}.",)

    def test_other_meanings_of_latency_are_not_compared(self) -> None:
        comparison = compared(
            results(
                run(1, correction="none", throughput_rps=1.0),
                run(2, variant="with", correction="backfilled", throughput_rps=2.0),
            )
        )
        assert (comparison.grade.words, comparison.rank_metric) == ("Not comparable", None)
        assert "backfilled" in comparison.grade.reasons[0]

    def test_other_offered_rates_are_not_compared_whatever_params_say(self) -> None:
        rates = [run(1, offered_rate_rps=50.0), run(2, variant="with", offered_rate_rps=100.0)]
        assert not compared(results(*rates)).grade.comparable
        declared = [row | {"params": f'{{"rate": {n}}}'} for n, row in enumerate(rates)]
        assert not compared(results(*declared)).grade.comparable
        sweep = [row | {"variant": "with"} for row in declared]
        assert compared(results(*sweep)).grade.comparable

    def test_mostly_failing_runs_are_not_compared_and_it_says_whose(self) -> None:
        _, words, reason = self.grade(
            run(1, success_ratio=0.0012), run(2, variant="with", success_ratio=0.5)
        )
        assert words == "Not comparable"
        assert reason == "99.88\u00a0% of the requests of “without” failed, 50\u00a0% of “with”."

    def test_one_failing_variant_takes_no_answer_from_the_others(self) -> None:
        """Once `show` said "No verdict" where `compare` said that b is slower, with limits."""
        sides = {"a": four_metrics(), "b": four_metrics(0.9), "c": four_metrics(1.5)}
        shares = {"a": 1.0, "b": 1.0, "c": 0.5}
        runs = [r.with_columns(success_ratio=shares[r.variant], errors=0) for r in repeated(sides)]
        comparison = compared(runs)
        grades = {label: grade.words for label, grade in comparison.grades.items()}
        assert grades == {"b": "Established", "c": "Not comparable"}
        assert comparison.grade.words == "Established"
        assert headline(comparison).startswith("b is slower than a")
        assert comparison.rank_metric is None
        failing = [r for r in runs if r.variant != "b"]
        assert compared(failing).grade.words == "Not comparable"

    def test_what_counts_failures_is_compared_where_one_side_fails(self) -> None:
        rows = [
            made.run(n, variant="ac"[n % 2], goodput_rps=100.0 - 40 * (n % 2) + n / 10, **share)
            for n in range(16)
            for share in [{"success_ratio": 1.0 - 0.4 * (n % 2)}]
        ]
        asked = compared(results(*rows), options=Options(metrics=("goodput",)))
        assert asked.grade.words == asked.grades["c"].words == "In these runs only"
        assert headline(asked).startswith("In these runs c is slower than a")

    def test_failing_alike_with_an_answer_to_every_request_is_the_same_work(self) -> None:
        half = {"success_ratio": 0.5, "errors": 0}
        assert compared(results(run(1, **half), run(2, variant="with", **half))).grade.comparable
        lost = {"success_ratio": 0.5, "errors": 10}
        *_, reason = self.grade(run(1, **lost), run(2, variant="with", **lost))
        assert reason == "50\u00a0% of the requests failed."

    def test_a_few_failures_do_not_forbid_a_comparison(self) -> None:
        rate = {"throughput_rps": 100.0}
        some = results(run(1, success_ratio=0.968, **rate), run(2, variant="with", **rate))
        assert compared(some).grade.comparable

    @pytest.mark.parametrize(
        ("goodput", "clause"),
        [
            (None, "and how many succeeded per second is not known"),
            (95.0, "and goodput counts those that succeeded"),
        ],
    )
    def test_where_failures_differ_it_says_what_is_known_of_the_rest(
        self, goodput: float | None, clause: str
    ) -> None:
        """Once of two variants "no goodput of the others" was known."""
        row = {"throughput_rps": 100.0, "goodput_rps": goodput}
        runs = [
            run(n, variant="ab"[n % 2], success_ratio=1.0 - 0.05 * (n % 2), **row)
            for n in range(16)
        ]
        (reason,) = {e.reason for e in compared(results(*runs)).effects if e.metric is THROUGHPUT}
        assert reason.endswith(f"of a, {clause}")

    def test_variants_without_a_metric_in_common_are_not_compared(self) -> None:
        _, words, reason = self.grade(
            run(1, latency_p50_s=0.01), run(2, variant="with", latency_mean_s=0.02)
        )
        assert (words, reason) == ("Not comparable", "No run of “without” has a value.")
