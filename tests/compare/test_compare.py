import itertools
import json
from typing import Any

import pytest

from benchkit.assessment import assess
from benchkit.compare import METRICS, compare
from benchkit.compare.inference import infer
from benchkit.errors import UsageError
from benchkit.results import Results
from benchkit.schema import RUNS


def run(number: int, **columns: object) -> dict[str, Any]:
    """A run of the coalescing benchmark unless `columns` say otherwise."""
    return {
        "run_id": f"r{number}",
        "label": f"run {number}",
        "scenario": "messages",
        "variant": "without",
        "tool": "ab",
        "format": "ab-text",
        "source": f"{number}.txt",
        "sha256": "0" * 64,
    } | columns


def results(*runs: dict[str, Any], quantiles: list[dict[str, Any]] | None = None) -> Results:
    return Results.of({"runs": runs, "quantiles": quantiles or []})


PAIR = results(
    run(1, variant="without", throughput_rps=3176.16, latency_p99_s=3.497, load_model="closed"),
    run(2, variant="with", throughput_rps=32669.0, latency_p99_s=0.074, load_model="closed"),
)


class TestSettings:
    """Variants under several settings of further params."""

    @staticmethod
    def grid(params: list[dict[str, Any]], variants: tuple[str, ...] = ("b", "a")) -> Results:
        return results(
            *(
                run(n, variant=variant, params=json.dumps(one), baseline="a", throughput_rps=n + 1)
                for n, (variant, one) in enumerate(itertools.product(variants, params))
            )
        )

    def test_each_setting_is_a_comparison_of_its_own(self) -> None:
        found = compare(self.grid([{"sink": "file"}, {"sink": "null"}]))
        assert [(one.name, one.baseline, one.axis) for one in found] == [
            ("messages, sink file", "a", ""),
            ("messages, sink null", "a", ""),
        ]

    def test_the_levels_of_a_sweep_stand_together_in_their_order(self) -> None:
        levels = [{"c": c, "keepalive": on} for on in (True, False) for c in (100, 5, 20)]
        first, second = compare(self.grid(levels))
        assert (first.axis, first.setting) == ("c", {"keepalive": True})
        assert second.name == "messages, no keepalive"
        assert [one.label for one in first.variants] == [
            *("a, c 5", "b, c 5", "a, c 20", "b, c 20", "a, c 100", "b, c 100"),
        ]

    def test_a_row_names_its_setting(self) -> None:
        rows = infer(self.grid([{"sink": "file"}, {"sink": "null"}]))
        assert {(row.variant, row.baseline) for row in rows} == {
            ("b, sink file", "a, sink file"),
            ("b, sink null", "a, sink null"),
        }

    def test_another_level_of_a_sweep_is_no_baseline(self) -> None:
        levels = [("a", 5), ("a", 20), ("b", 5), ("b", 20), ("b", 100)]
        rows = [
            run(n, variant=v, params=f'{{"c": {c}}}', throughput_rps=float(c), load_model="closed")
            for n, (v, c) in enumerate(levels)
        ]
        (one,) = assess(results(*rows))
        assert one.against("b, c 100") is None
        assert {v.label: v.ratio["throughput_rps"] for v in one.variants} == {
            "a, c 5": 1,
            "b, c 5": 1,
            "a, c 20": None,
            "b, c 20": 1,
            "b, c 100": None,
        }

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
        (one,) = compare(results(*rows))
        assert (one.axis, [v.label for v in one.variants]) == ("", ["four", "two", "one"])

    def test_a_copy_is_never_the_baseline(self) -> None:
        rows = [
            run(1, variant="old", params='{"aa": true}', baseline="old"),
            run(2, variant="old", baseline="old"),
            run(3, variant="new", baseline="old"),
        ]
        (one,) = compare(results(*rows))
        assert one.baseline == "old"
        assert {v.label for v in one.variants} == {"old", "old, copy", "new"}

    def test_a_level_is_the_same_as_text_and_as_number(self) -> None:
        rows = [
            run(n, variant=v, params=params)
            for n, (v, params) in enumerate(
                [
                    ("a", '{"cpus": 1}'),
                    ("b", '{"cpus": "1"}'),
                    ("a", '{"cpus": 2}'),
                    ("b", '{"cpus": 2}'),
                ]
            )
        ]
        assert [one.name for one in compare(results(*rows))] == [
            "messages, cpus 1",
            "messages, cpus 2",
        ]

    def test_without_the_baseline_in_a_setting_all_stay_together(self) -> None:
        rows = [
            run(1, variant="a", params='{"pool": 1}'),
            run(2, variant="b", params='{"pool": 1}'),
            run(3, variant="b", params='{"pool": 9}'),
        ]
        assert len(compare(results(*rows))) == 1


def test_every_metric_is_a_column_of_runs() -> None:
    assert {metric.name for metric in METRICS} <= set(RUNS.names)


def test_the_first_variant_is_the_baseline_and_the_best_stands_first() -> None:
    (one,) = compare(PAIR)
    assert (one.scenario, one.tool, one.baseline) == ("messages", "ab", "without")
    assert one.rank_metric == "throughput_rps"
    assert [v.label for v in one.variants] == ["with", "without"]
    assert one.base.label == "without"
    assert one.variants[0].ratio["latency_p99_s"] == pytest.approx(0.074 / 3.497)
    assert one.base.ratio["latency_p99_s"] == 1


def test_metadata_name_the_baseline_unless_the_reader_does() -> None:
    pair = results(
        run(1, variant="with", baseline="without"), run(2, variant="without", baseline="without")
    )
    assert compare(pair)[0].baseline == "without"
    assert compare(pair, baseline="with")[0].baseline == "with"


@pytest.mark.parametrize("stated", [("gone", "gone"), ("with", "without")])
def test_metadata_that_name_no_variant_or_several_leave_the_first(stated: tuple[str, str]) -> None:
    pair = results(
        *(
            run(n, variant=v, baseline=b)
            for n, v, b in zip((1, 2), ("with", "without"), stated, strict=True)
        )
    )
    assert compare(pair)[0].baseline == "with"


@pytest.mark.parametrize("name", ["with", "messages/with", "run 2"])
def test_a_baseline_by_variant_scenario_and_variant_or_label(name: str) -> None:
    (one,) = compare(PAIR, baseline=name)
    assert one.baseline == "with"
    assert one.variants[1].ratio["throughput_rps"] == pytest.approx(3176.16 / 32669)


def test_an_unknown_baseline_lists_the_choices() -> None:
    with pytest.raises(
        UsageError, match=r"'wiht'.*messages/without, messages/with; or the label of a run: "
    ):
        compare(PAIR, baseline="wiht")


def test_a_baseline_of_one_scenario_leaves_the_others_alone() -> None:
    both = results(
        *(
            run(i, scenario=s, variant=v)
            for i, (s, v) in enumerate([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")])
        )
    )
    assert [one.baseline for one in compare(both, baseline="b/y")] == ["x", "y"]


def test_tools_are_never_mixed() -> None:
    mixed = results(run(1), run(2, tool="wrk"), run(3, scenario=None))
    assert [(c.scenario, c.tool) for c in compare(mixed)] == [
        *(("messages", "ab"), ("messages", "wrk"), (None, "ab"))
    ]


def test_repeated_runs_give_a_median_and_a_range() -> None:
    values = [0.3, 0.1, None, 0.2]
    (one,) = compare(results(*(run(i, latency_p99_s=v) for i, v in enumerate(values))))
    (variant,) = one.variants
    assert variant.runs == 4
    assert variant.values["latency_p99_s"] == 0.2
    assert (variant.low["latency_p99_s"], variant.high["latency_p99_s"]) == (0.1, 0.3)
    assert variant.values["latency_p999_s"] is None


def test_a_quantile_is_summarised_where_every_run_has_it() -> None:
    (one,) = compare(
        results(
            run(1),
            run(2),
            quantiles=[
                {"run_id": "r1", "quantile": 0.975, "latency_s": 0.029, "origin": "printed"},
                {"run_id": "r2", "quantile": 0.975, "latency_s": 0.031, "origin": "printed"},
                {"run_id": "r1", "quantile": 0.66, "latency_s": 0.02, "origin": "printed"},
            ],
        )
    )
    assert one.variants[0].quantiles == {0.975: pytest.approx(0.03)}


def test_runs_with_other_params_are_rows_of_their_own() -> None:
    (one,) = compare(
        results(run(1, params='{"wait_ms": 2, "c": 10}'), run(2, params='{"wait_ms": 2, "c": 20}'))
    )
    assert [v.label for v in one.variants] == ["without, c 10", "without, c 20"]
    assert one.shared_params == {"wait_ms": 2}


def test_there_is_no_ratio_to_nothing() -> None:
    (one,) = compare(results(run(1, errors=0), run(2, variant="with", errors=7)))
    assert one.others[0].ratio["errors"] is None


class TestOrder:
    def test_an_open_loop_is_ranked_by_its_latency(self) -> None:
        (one,) = compare(
            results(
                run(1, variant="a", load_model="open", throughput_rps=50.0, latency_p99_s=0.2),
                run(2, variant="b", load_model="open", throughput_rps=49.0, latency_p99_s=0.1),
            )
        )
        assert one.rank_metric == "latency_p99_s"
        assert [v.variant for v in one.variants] == ["b", "a"]

    def test_a_latency_that_one_variant_lacks_ranks_nobody(self) -> None:
        (one,) = compare(
            results(
                run(1, variant="a", load_model="open", latency_p99_s=0.2, latency_mean_s=0.3),
                run(2, variant="b", load_model="open", latency_mean_s=0.1),
            )
        )
        assert one.rank_metric == "latency_mean_s"

    def test_without_any_common_metric_the_order_is_that_of_the_input(self) -> None:
        (one,) = compare(results(run(1, variant="b"), run(2, variant="a", throughput_rps=1.0)))
        assert (one.rank_metric, [v.variant for v in one.variants]) == ("", ["b", "a"])


class TestGrade:
    def test_one_run_each(self) -> None:
        (one,) = compare(PAIR)
        assert (one.grade.symbol, one.grade.words) == ("◐", "Observed once")

    def test_one_run_on_one_side(self) -> None:
        (one,) = compare(results(run(1), run(2), run(3, variant="with")))
        assert one.grade.key == "once"
        assert "with" in one.grade.reasons[0]

    def test_several_runs(self) -> None:
        (one,) = compare(results(run(1), run(2), run(3, variant="with"), run(4, variant="with")))
        assert (one.grade.symbol, one.grade.words) == ("◔", "Few runs")

    def test_other_meanings_of_latency_are_not_compared(self) -> None:
        (one,) = compare(
            results(
                run(1, correction="none", throughput_rps=1.0),
                run(2, variant="with", correction="backfilled", throughput_rps=2.0),
            )
        )
        assert (one.grade.words, one.rank_metric) == ("Not comparable", "")
        assert "backfilled" in one.grade.reasons[0]

    def test_other_offered_rates_are_not_compared_unless_declared(self) -> None:
        rates = [run(1, offered_rate_rps=50.0), run(2, variant="with", offered_rate_rps=100.0)]
        assert not compare(results(*rates))[0].grade.comparable
        declared = [one | {"params": f'{{"rate": {i}}}'} for i, one in enumerate(rates)]
        assert compare(results(*declared))[0].grade.comparable

    def test_mostly_failing_runs_are_not_compared(self) -> None:
        (one,) = compare(
            results(run(1, success_ratio=0.0012), run(2, variant="with", success_ratio=0.5))
        )
        assert one.grade.reasons == ("0.12% of the requests of “without” succeeded, at best 50%.",)

    def test_failing_alike_with_an_answer_to_every_request_is_the_same_work(self) -> None:
        half = {"success_ratio": 0.5, "errors": 0}
        (one,) = compare(results(run(1, **half), run(2, variant="with", **half)))
        assert one.grade.comparable
        lost = {"success_ratio": 0.5, "errors": 10}
        (one,) = compare(results(run(1, **lost), run(2, variant="with", **lost)))
        assert one.grade.reasons == ("Only 50% of the requests succeeded.",)

    def test_a_few_failures_do_not_forbid_a_comparison(self) -> None:
        (one,) = compare(results(run(1, success_ratio=0.968), run(2, variant="with")))
        assert one.grade.comparable
