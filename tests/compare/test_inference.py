import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benchkit.compare.inference import Options, infer
from benchkit.compare.rows import COLUMNS, Row, records
from benchkit.errors import UsageError
from benchkit.format import NBSP
from benchkit.results import Results

RunRow = Callable[..., dict[str, Any]]
Repeated = Callable[..., Results]

NOISE = np.array([1.0, 1.01, 0.99, 1.005, 0.995, 1.002, 0.998, 1.001])


def by_metric(rows: list[Row]) -> dict[str, Row]:
    return {row.metric: row for row in rows}


def three(by: float = 1.0, runs: int = 8) -> dict[str, list[float]]:
    """Throughput, p50, p95 and p99 of a variant that is better by a factor."""
    noise = NOISE[:runs]
    return {
        "throughput_rps": list(1000 * by * noise),
        "latency_p50_s": list(0.01 / by * noise),
        "latency_p95_s": list(0.02 / by * noise),
        "latency_p99_s": list(0.05 / by * noise),
    }


def test_the_columns_are_those_of_the_json(repeated: Repeated) -> None:
    names = (
        "scenario metric baseline variant baseline_value value ratio ci_low ci_high confidence "
        "baseline_runs runs verdict more_runs reason"
    )
    assert list(COLUMNS) == names.split()
    results = repeated({"a": three(), "b": three(1.1)})
    assert list(results.compare().columns) == names.split()
    (first, *_) = records(infer(results))
    assert list(first) == names.split()
    assert json.loads(json.dumps(first))["verdict"] == "faster"


def test_a_better_variant_is_faster_in_throughput_and_latency(repeated: Repeated) -> None:
    found = by_metric(infer(repeated({"a": three(), "b": three(1.1)})))
    assert {name: row.verdict for name, row in found.items()} == {
        "throughput": "faster",
        "p50": "faster",
        "p95": "not-tested",
        "p99": "faster",
    }
    row = found["p99"]
    assert (row.baseline, row.variant, row.runs, row.baseline_runs) == ("a", "b", 8, 8)
    assert row.ratio == pytest.approx(1 / 1.1)
    assert row.confidence == pytest.approx(0.9501, abs=1e-4)
    assert row.ci_low is not None
    assert row.ci_high is not None
    assert row.ci_low < 1 / 1.1 < row.ci_high
    assert found["p95"].ci_low is not None


def test_what_is_asked_for_is_tested_and_nothing_else_is_shown(repeated: Repeated) -> None:
    results = repeated({"a": three(), "b": three(1.1)})
    (row,) = infer(results, options=Options(metrics=("p95",)))
    assert (row.metric, row.verdict) == ("p95", "faster")
    with pytest.raises(UsageError, match="no metric 'p42'"):
        infer(results, options=Options(metrics=("p42",)))


def test_throughput_of_an_open_loop_is_what_was_asked_for(repeated: Repeated) -> None:
    found = by_metric(infer(repeated({"a": three(), "b": three(1.1)}, load_model="open")))
    assert found["throughput"].verdict == "not-tested"
    assert found["p50"].verdict == "faster"


def test_the_correction_counts_the_tests_of_the_whole_scenario(repeated: Repeated) -> None:
    alone = by_metric(infer(repeated({"a": three(), "b": three(1.1)})))
    among = infer(repeated({"a": three(), "b": three(1.1), "c": three(1.2)}))
    assert "adjusted for 3 tests" in alone["p50"].reason
    assert "adjusted for 6 tests" in among[0].reason


def test_the_maximum_is_described_even_when_asked_for(repeated: Repeated) -> None:
    maxima = {"a": {"latency_max_s": list(NOISE)}, "b": {"latency_max_s": list(2 * NOISE)}}
    (row,) = infer(repeated(maxima), options=Options(metrics=("max",)))
    assert row.verdict == "not-tested"
    assert "never tested" in row.reason
    assert row.ratio == pytest.approx(2)


def test_the_baseline_may_be_named(repeated: Repeated) -> None:
    results = repeated({"a": three(), "b": three(1.1)})
    assert {row.verdict for row in infer(results, baseline="b")} == {"slower", "not-tested"}
    with pytest.raises(UsageError, match="no variant 'x'"):
        infer(results, baseline="x")


class TestMargin:
    def test_a_declared_copy_of_the_baseline_widens_it(self, row: RunRow) -> None:
        rng = np.random.default_rng(4)

        def runs(start: int, variant: str, by: float, spread: float, **more: object) -> list[Any]:
            values = by * np.exp(rng.normal(0, spread, 8))
            return [
                row(start + n, variant=variant, throughput_rps=float(v), repeat=n + 1, **more)
                for n, v in enumerate(values)
            ]

        noisy = [*runs(0, "a", 100, 0.02), *runs(10, "b", 104, 0.001)]
        copy = runs(20, "a-again", 100, 0.05, params='{"aa": true}')
        alone = infer(Results.of({"runs": noisy}))
        beside = {one.variant: one for one in infer(Results.of({"runs": [*noisy, *copy]}))}
        assert alone[0].verdict == "faster"
        assert beside["b"].verdict == "inconclusive"
        assert beside["a-again"].verdict == "not-tested"
        assert "declared copy" in beside["a-again"].reason

    def test_a_copy_may_name_its_original(self, row: RunRow) -> None:
        rows = [
            row(10 * place + n, variant=name, throughput_rps=1.0 + n / 1000, params=params)
            for place, (name, params) in enumerate(
                [("a", "{}"), ("b", "{}"), ("b2", '{"aa": "b"}')]
            )
            for n in range(8)
        ]
        found = {one.variant: one.baseline for one in infer(Results.of({"runs": rows}))}
        assert found == {"b": "a", "b2": "b"}

    def test_equal_milliseconds_are_not_equal(self, repeated: Repeated) -> None:
        rounded = {"latency_p50_s": [0.002] * 8}
        (row,) = infer(repeated({"a": rounded, "b": rounded}, resolution_s=0.001))
        assert row.verdict == "inconclusive"
        assert "the step of the clock is 50% of it" in row.reason

    def test_a_difference_of_one_step_is_none(self, repeated: Repeated) -> None:
        sides = {"a": {"latency_p50_s": [0.002] * 8}, "b": {"latency_p50_s": [0.003] * 8}}
        (row,) = infer(repeated(sides, resolution_s=0.001))
        assert row.verdict == "inconclusive"
        sides["b"] = {"latency_p50_s": [0.017] * 8}
        (row,) = infer(repeated(sides, resolution_s=0.001))
        assert row.verdict == "slower"


class TestFewRuns:
    def test_three_runs_have_an_interval_with_its_level_and_no_verdict(
        self, repeated: Repeated
    ) -> None:
        found = by_metric(infer(repeated({"a": three(runs=3), "b": three(2.0, runs=3)})))
        row = found["throughput"]
        assert (row.verdict, row.more_runs) == ("inconclusive", 2)
        assert row.confidence == pytest.approx(0.9)
        assert "can reach no verdict at all" in row.reason

    def test_one_run_of_each_has_figures_and_no_interval(self, repeated: Repeated) -> None:
        (row,) = infer(
            repeated({"a": {"throughput_rps": [3176.16]}, "b": {"throughput_rps": [32669.0]}})
        )
        assert (row.baseline_value, row.value) == (3176.16, 32669)
        assert row.ratio == pytest.approx(10.2857, abs=1e-4)
        assert (row.ci_low, row.confidence, row.verdict) == (None, None, "not-tested")
        assert "no run-to-run spread is known" in row.reason

    def test_one_run_on_a_side_is_not_tested(self, row: RunRow) -> None:
        rows = [row(n, throughput_rps=1.0 + n) for n in range(4)]
        rows.append(row(9, variant="b", throughput_rps=9.0))
        (found,) = infer(Results.of({"runs": rows}))
        assert (found.verdict, found.ci_low) == ("not-tested", None)


class TestPairs:
    def test_twelve_interleaved_pairs_are_compared_as_pairs(self, row: RunRow) -> None:
        drift = np.linspace(1, 3, 12)
        order = np.random.default_rng(2).permutation(2)
        rows = []
        for n, level in enumerate(drift):
            rows += [
                row(
                    2 * n + int(place),
                    variant="ab"[place],
                    repeat=n + 1,
                    started_at=f"2024-01-01T00:{n:02d}:{place:02d}Z",
                    throughput_rps=float(level * (1.05 if place else 1.0) * (1 + n % 3 / 500)),
                )
                for place in order
            ]
        (found,) = infer(Results.of({"runs": rows}))
        assert found.verdict == "faster"
        assert "signed-rank test of 12 pairs" in found.reason
        (fewer,) = infer(Results.of({"runs": rows[:-2]}))
        assert fewer.verdict == "inconclusive"

    def test_runs_in_blocks_are_no_pairs(self, row: RunRow) -> None:
        rows = [
            row(
                place,
                variant="a" if place < 12 else "b",
                repeat=place % 12 + 1,
                started_at=f"2024-01-01T00:{place:02d}:00Z",
                throughput_rps=1000.0 * (1.2 if place >= 12 else 1) + place,
            )
            for place in range(24)
        ]
        (found,) = infer(Results.of({"runs": rows}))
        assert "rank-sum test" in found.reason


class TestNotComparable:
    def test_other_meanings_of_latency(self, row: RunRow) -> None:
        rows = [
            row(n, variant="ab"[n % 2], latency_p50_s=0.01 * (1 + n), correction=kind)
            for n, kind in enumerate(["none", "backfilled"] * 8)
        ]
        (found,) = infer(Results.of({"runs": rows}))
        assert (found.ratio, found.verdict) == (None, "not-tested")
        assert "not comparable: the runs differ in whether the tool added samples" in found.reason

    def test_other_tools_are_compared_apart_and_it_says_so(self, repeated: Repeated) -> None:
        one = repeated({"a": three(), "b": three(1.1)}).runs
        two = repeated({"a": three(), "b": three(1.1)}, tool="ab").runs
        two["run_id"] = two["label"] = "x" + two["run_id"]
        rows = [*one.to_dict("records"), *two.to_dict("records")]
        found = infer(Results.of({"runs": [_plain(row) for row in rows]}))
        throughput = [row for row in found if row.metric == "throughput"]
        assert ["measured with wrk" in row.reason for row in throughput] == [True, False]
        assert "measured with ab; other tools are compared apart" in throughput[1].reason

    def test_variants_measured_with_different_tools_have_no_ratio(self, row: RunRow) -> None:
        rows = [row(1, throughput_rps=1.0), row(2, variant="b", tool="ab", throughput_rps=2.0)]
        (found,) = [one for one in infer(Results.of({"runs": rows})) if one.variant == "b"]
        assert (found.baseline_value, found.value, found.ratio) == (1.0, 2.0, None)
        assert "measured with ab, the baseline with wrk: not comparable" in found.reason

    def test_a_side_that_failed(self, row: RunRow) -> None:
        rows = [
            row(1, throughput_rps=100.0, requests=1000, errors=0, non2xx=0),
            row(2, variant="b", throughput_rps=900.0, requests=1000, errors=0, non2xx=1000),
        ]
        found = by_metric(infer(Results.of({"runs": rows})))
        assert found["throughput"].ratio is None
        assert "100% of the requests of a side failed" in found["throughput"].reason


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    import pandas as pd

    return {str(name): None if pd.isna(value) else value for name, value in row.items()}


class TestMissing:
    def test_a_metric_that_a_side_lacks(self, repeated: Repeated) -> None:
        sides = {"a": {"latency_p99_s": [None] * 3}, "b": {"latency_p99_s": [0.1, 0.2, 0.3]}}
        (row,) = infer(repeated(sides))
        assert (row.baseline_value, row.value, row.baseline_runs, row.runs) == (None, 0.2, 0, 3)
        assert row.reason == "no run of a has it"

    def test_zeros_have_no_ratio(self, row: RunRow) -> None:
        rows = [row(n, variant="ab"[n % 2], success_ratio=1.0 - 0.01 * (n % 2)) for n in range(16)]
        (found,) = infer(Results.of({"runs": rows}), options=Options(metrics=("error_ratio",)))
        assert (found.ratio, found.verdict) == (None, "not-tested")
        assert found.value == pytest.approx(0.01)
        assert "no ratio where a run has 0" in found.reason

    @pytest.mark.parametrize(
        ("metric", "column", "reason"),
        [
            ("mean", "latency_mean_s", "0 in every run, less than a step of the clock"),
            ("error_ratio", "success_ratio", "none in any run"),
        ],
    )
    def test_zeros_on_both_sides_say_what_they_are(
        self, metric: str, column: str, reason: str, repeated: Repeated
    ) -> None:
        nothing = {column: [float(metric == "error_ratio")] * 3}
        (found,) = infer(repeated({"a": nothing, "b": nothing}), options=Options(metrics=(metric,)))
        assert (found.verdict, found.reason) == ("not-tested", reason)

    def test_nothing_to_compare_gives_no_row(self, repeated: Repeated) -> None:
        results = repeated({"a": three()})
        assert infer(results) == []
        assert results.compare().empty


def test_printed_means_beyond_littles_law_are_named(row: RunRow) -> None:
    """A gateway: 20 connections asked for, 16 opened."""
    rows = [
        row(1, variant="gateway", throughput_rps=2246.0, latency_mean_s=9.09e-3, connections=16),
        row(2, variant="zuul", throughput_rps=1663.0, latency_mean_s=12.56e-3, connections=16),
    ]
    found = by_metric(infer(Results.of({"runs": rows})))
    reason = found["mean"].reason.replace(NBSP, " ")
    assert "by Little's law the means are at most 7.12 ms and 9.62 ms" in reason
    assert "less than printed: 1.4× rather than the printed ratio" in reason
    assert found["mean"].ci_low is None


def test_params_are_compared_level_by_level(row: RunRow) -> None:
    rows = [
        row(
            len("ab") * n + place,
            variant=name,
            params=json.dumps({"c": 2**n}),
            throughput_rps=float(100 * (n + 1) * (place + 1)),
        )
        for n in range(3)
        for place, name in enumerate("ab")
    ]
    found = infer(Results.of({"runs": rows}), options=Options(metrics=("throughput",)))
    assert [(one.baseline, one.variant, one.ratio) for one in found] == [
        ("a, c 1", "b, c 1", 2),
        ("a, c 2", "b, c 2", 2),
        ("a, c 4", "b, c 4", 2),
    ]


def test_a_withheld_figure_is_not_tested_and_says_why(repeated: Repeated) -> None:
    few = {"requests": [300] * 8, "tool": ["vegeta"] * 8}
    rows = by_metric(infer(repeated({"a": three() | few, "b": three(1.5) | few})))
    assert rows["p50"].verdict == "faster"
    assert (rows["p99"].verdict, rows["p99"].value) == ("not-tested", None)
    assert "withheld" in rows["p99"].reason


def test_what_one_run_withholds_is_withheld_from_its_variant(repeated: Repeated) -> None:
    many = {"requests": [5000] * 8, "tool": ["vegeta"] * 8}
    one_short = {"requests": [300] + [5000] * 7, "tool": ["vegeta"] * 8}
    rows = by_metric(infer(repeated({"a": three() | many, "b": three(1.5) | one_short})))
    assert rows["p50"].verdict == "faster"
    assert rows["p99"].verdict == "not-tested"
    assert "withheld" in rows["p99"].reason
