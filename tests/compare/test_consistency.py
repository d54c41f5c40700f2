"""Whatever was measured: what stands beside each other follows from each other."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchkit.compare.assess import Assessment, Options, assess
from benchkit.errors import UsageError
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.run import Run
from benchkit.schema import RUNS
from tests.compare.runs import run

EXAMPLES = 20  # each has up to 64 runs, and is drawn anew every time
Params = Mapping[str, int]
PARAMS: Sequence[Params] = [{}, {}, {}, {"c": 1}, {"c": 2}, {"aa": True}]
BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")
MIDDLES = {
    "throughput_rps": 900.0,
    "goodput_rps": 890.0,
    "latency_mean_s": 0.011,
    "latency_p50_s": 0.01,
    "latency_p99_s": 0.05,
    "latency_max_s": 0.2,
    "success_ratio": 0.97,
}


class Runs(list[Run]):
    """Runs that a failing example names in a line each."""

    def __repr__(self) -> str:
        known = ({k: v for k, v in r.columns.items() if v is not None} for r in self)
        return "\n".join(str(columns) for columns in known)


_Key = tuple[str | None, str, str]


@st.composite
def measured(draw: st.DrawFn) -> list[dict[str, Any]]:
    """The metrics of some runs of one variant; some lack one, some have 0."""
    size = draw(st.sampled_from([8, 1, 2, 5, 6, 7, 8]))
    missing = draw(st.sampled_from(["", "", "", *MIDDLES]))
    factor = draw(st.sampled_from([1.0, 1.0, 1.02, 1.1, 0.3]))
    deviation = draw(st.sampled_from([0.002, 0.0, 0.02, 0.3]))
    rng = random.Random(draw(st.integers(0, 2**16)))  # noqa: S311 - a simulation
    rows: list[dict[str, Any]] = [{} for _ in range(size)]
    for column, middle in MIDDLES.items():
        for row in rows if column != missing else ():
            value = middle * factor * math.exp(rng.gauss(0, deviation))
            row[column] = rng.uniform(0.9, 1) if column == "success_ratio" else value
            if rng.random() < 0.003:
                row[column] = rng.choice([None, 0.0])
    return rows


@st.composite
def experiments(
    draw: st.DrawFn, *, variants: int = 4, scenarios: int = 2, params: Sequence[Params] = PARAMS
) -> Runs:
    """Runs of some scenarios, in turn, in blocks or without a time."""
    facts = st.fixed_dictionaries(
        {
            "tool": st.sampled_from(["wrk", "ab", "vegeta"]),
            "load_model": st.sampled_from(["closed", "open", None]),
            "correction": st.sampled_from(["none", None, "backfilled"]),
            "resolution_s": st.sampled_from([None, 1e-6, 1e-3, 1.0]),
            "connections": st.sampled_from([None, 8]),
        }
    )
    rows: list[dict[str, Any]] = []
    for scenario in range(draw(st.integers(1, scenarios))):
        shared = draw(facts)
        for number in range(draw(st.integers(2, variants))):
            chosen = draw(st.sampled_from(params))
            for repeat, values in enumerate(draw(measured()), 1):
                own = {"scenario": f"s{scenario}", "variant": "abcd"[number], "repeat": repeat}
                rows.append(
                    run(len(rows), **shared | own | {"params": json.dumps(chosen)} | values)
                )
    timed = draw(st.sampled_from(["scenario repeat variant", "", "scenario variant repeat"]))
    order = sorted(rows, key=lambda row: [row[name] for name in timed.split()])
    for at, row in enumerate(order if timed else ()):
        row["started_at"] = BEGAN + np.timedelta64(10 * at, "s")
    return Runs(Run(RUNS.record(row)) for row in rows)


def by_key(assessment: Assessment) -> dict[_Key, Effect]:
    """Effects of an assessment by scenario, full label and metric."""
    return {
        (comparison.scenario, *names): effect
        for comparison in assessment.comparisons
        for effect in (*comparison.effects, *comparison.sweep_effects)
        for names in [(f"{effect.variant} {comparison.setting}", effect.metric.name)]
    }


def whole(comparison: Comparison) -> Mapping[str, Any]:
    """Everything that a comparison says, as what can be compared."""
    return {
        "names": (comparison.scenario, comparison.tool, comparison.setting, comparison.axis),
        "baseline": comparison.baseline,
        "variants": [(v.label, v.run_ids, v.withheld) for v in comparison.variants],
        "order": comparison.order,
        "rank": comparison.rank_metric,
        "grades": (comparison.grade, comparison.grades, comparison.sweep_grades),
        "effects": (comparison.effects, comparison.sweep_effects, comparison.knees),
        "findings": [[f.message for f in n.findings] for n in comparison.findings],
        "statuses": Counter(comparison.statuses),
        "tests": (comparison.tests, comparison.margin),
    }


def same(first: Assessment, second: Assessment) -> bool:
    return list(map(whole, first.comparisons)) == list(map(whole, second.comparisons))


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_an_effect_follows_from_what_stands_beside_it(runs: list[Run]) -> None:
    for comparison in assess(runs).comparisons:
        for effect in comparison.effects:
            base, value = effect.baseline_value, effect.value
            if effect.ratio is not None and not effect.estimate:
                assert base is not None
                assert value is not None
                assert effect.ratio == value / base
            if effect.interval is not None:
                assert effect.ratio is not None
                low, high, _ = effect.interval
                assert low * (1 - 1e-9) <= effect.ratio <= high * (1 + 1e-9)
            for label, shown in ((effect.baseline, base), (effect.variant, value)):
                if label in comparison.by_label and (
                    label == effect.variant or effect.baseline_runs
                ):
                    assert comparison.by_label[label].value(effect.metric) == shown


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_a_verdict_agrees_with_ratio_interval_and_p(runs: list[Run]) -> None:
    for comparison in assess(runs).comparisons:
        for effect in comparison.effects:
            if effect.verdict in {"faster", "slower"}:
                assert effect.ratio is not None
                assert effect.adjusted_p is not None
                assert effect.adjusted_p <= 0.05
                assert not effect.crosses
                more = effect.ratio > 1
                assert (effect.verdict == "faster") == (more == effect.metric.higher_is_better)
            if effect.verdict == "same":
                assert effect.ratio is not None
                assert 1 / 1.03 <= effect.ratio <= 1.03
            if effect.adjusted_p is None:
                assert effect.verdict in {"not-tested", "inconclusive"}
            else:
                assert effect.tested
                assert min(effect.runs, effect.baseline_runs) >= 5
            if effect.verdict in {"not-tested", "inconclusive"}:
                assert effect.reason


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_same_is_said_of_all_primary_metrics_or_of_none(runs: list[Run]) -> None:
    for comparison in assess(runs).comparisons:
        for effects in comparison.effects_by_variant.values():
            primary = [
                e for e in effects if e.metric.role == "primary" and e.adjusted_p is not None
            ]
            if any(effect.verdict == "same" for effect in primary):
                assert {effect.verdict for effect in primary} == {"same"}


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_the_tests_of_a_scenario_are_those_that_have_a_p(runs: list[Run]) -> None:
    assessment = assess(runs)
    made = Counter(
        comparison.scenario
        for comparison in assessment.comparisons
        for effect in (*comparison.effects, *comparison.sweep_effects)
        if effect.adjusted_p is not None
    )
    for comparison in assessment.comparisons:
        assert comparison.tests == made[comparison.scenario]


@settings(max_examples=EXAMPLES)
@given(experiments(variants=2, scenarios=1, params=[{}]))
def test_the_other_baseline_turns_everything_round(runs: list[Run]) -> None:
    there, back = (
        {e.metric.name: e for e in assess(runs, baseline=name).effects} for name in ("a", "b")
    )
    assert list(there) == list(back)
    opposite = {"faster": "slower", "slower": "faster"}
    for name, effect in there.items():
        other = back[name]
        assert other.verdict == opposite.get(effect.verdict, effect.verdict)
        assert (other.value, other.baseline_value) == (effect.baseline_value, effect.value)
        assert other.more_runs == effect.more_runs
        assert_inverse(effect, other)
        if effect.adjusted_p is not None:
            assert other.adjusted_p == pytest.approx(effect.adjusted_p)


def assert_inverse(effect: Effect, other: Effect) -> None:
    """Assert that ratio and interval are turned round; with a bound of 0 there is no other."""
    if effect.ratio and other.ratio:
        assert other.ratio == pytest.approx(1 / effect.ratio)
    if effect.interval is not None and other.interval is not None:
        low, high, _ = other.interval
        assert low * effect.interval.high == pytest.approx(1)
        assert not high or not effect.interval.low or high * effect.interval.low == pytest.approx(1)


@settings(max_examples=EXAMPLES)
@given(experiments(), st.integers(0, 2**16))
def test_the_order_of_the_input_does_not_matter(runs: list[Run], seed: int) -> None:
    shuffled = list(runs)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a simulation
    assume(any(r.variant == "a" and "aa" not in r.params for r in runs))
    each, other = (by_key(assess(listed, baseline="a")) for listed in (runs, shuffled))
    assume(set(each) == set(other))  # labels follow the order where params differ
    for key, effect in each.items():
        again = other[key]
        assert again.verdict == effect.verdict
        assert again.baseline == effect.baseline
        assert again.ratio == pytest.approx(effect.ratio)
        assert again.adjusted_p == pytest.approx(effect.adjusted_p)
        assert (again.interval is None) == (effect.interval is None)
        if effect.interval and again.interval:
            assert again.interval == pytest.approx(effect.interval)


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_another_baseline_chosen_later_is_the_same_as_at_once(runs: list[Run]) -> None:
    for label in {r.variant for r in runs if not r.params.get("aa")}:
        assert same(assess(runs).again(baseline=label), assess(runs, baseline=label))


@settings(max_examples=EXAMPLES)
@given(experiments(), st.data())
def test_runs_left_out_later_are_the_same_as_never_read(
    runs: list[Run], data: st.DataObject
) -> None:
    ids = data.draw(st.sets(st.sampled_from([r.run_id for r in runs]), max_size=len(runs) - 1))
    left = [r for r in runs if r.run_id not in ids]
    assert same(assess(runs).without(ids), assess(left))


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_a_scenario_alone_says_the_same(runs: list[Run]) -> None:
    assessment = assess(runs)
    for scenario in {r.scenario for r in runs}:
        mine = [c for c in assessment.comparisons if c.scenario == scenario]
        alone = assessment.scenarios[scenario]
        assert list(map(whole, alone.comparisons)) == list(map(whole, mine))
        again = assess([r for r in runs if r.scenario == scenario])
        assert list(map(whole, again.comparisons)) == list(map(whole, mine))


@settings(max_examples=EXAMPLES)
@given(experiments())
def test_what_is_asked_about_changes_no_figure(runs: list[Run]) -> None:
    """--metric decides what is tested: values, ratios and intervals stay."""
    every = by_key(assess(runs))
    some = by_key(assess(runs, options=Options(metrics=("p50", "mean"))))
    shared = {key for key in every if key[2] in {"p50", "mean"}}
    assert shared <= set(some)
    for key, effect in some.items():
        if key not in shared:  # what was asked for has an answer, if only that no run has it
            assert (effect.value, effect.ratio) == (None, None)
            continue
        plain = {"verdict": "inconclusive", "reason": "", "obstacle": ""}
        none = {"adjusted_p": None, "more_runs": None}
        assert replace(effect, **plain, **none) == replace(every[key], **plain, **none)  # type: ignore[arg-type]


def test_a_baseline_that_was_left_out_is_missed() -> None:
    runs = [Run(RUNS.record(run(n, variant="ab"[n]))) for n in range(2)]
    assessment = assess(runs, baseline="b")
    with pytest.raises(UsageError, match="no variant 'b' to be the baseline"):
        _ = assessment.without({"r1"}).comparisons


class TestValuesShown:
    """The change is that of the two medians that stand beside it."""

    @pytest.mark.parametrize(
        ("base", "variant", "ratio"),
        [
            ([14, 15, 15, 15, 15, 90], [15, 20, 22, 22, 25, 26], 22 / 15),
            ([440, 459, 459, 470, 480], [430, 440, 459, 459, 500], 1.0),
            ([18, 20.6, 20.6, 20.6, 90], [15, 20, 26.4, 26.4, 26.5], 26.4 / 20.6),
            ([12, 12.5, 12.7, 30, 40], [12, 13, 20.6, 21, 22], 20.6 / 12.7),
            ([1.5, 1.6, 1.61, 1.62, 1.9], [1.5, 1.55, 1.56, 1.7, 1.8], 1.56 / 1.61),
        ],
    )
    def test_of_runs_that_were_not_paired(
        self, base: Sequence[float], variant: Sequence[float], ratio: float
    ) -> None:
        sides = (("a", base), ("b", variant))
        rows = [
            run(n, variant=name, latency_p50_s=value / 1000)
            for name, values in sides
            for n, value in enumerate(values, 100 * (name == "b"))
        ]
        (effect,) = assess([Run(RUNS.record(row)) for row in rows]).effects
        assert effect.ratio == pytest.approx(ratio)
        assert effect.interval is not None
        assert effect.interval.low <= ratio <= effect.interval.high
