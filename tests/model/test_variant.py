"""The runs that repeat one variant."""

from __future__ import annotations

from typing import Any

import pytest

from benchkit.model.grouping import by_scenario_and_tool, same_params, variants_of
from benchkit.model.metric import COMPARED, percentile
from benchkit.model.run import Quantile, Run
from benchkit.model.variant import Variant
from benchkit.schema import RUNS
from tests.compare.runs import results, run


def variant(*rows: dict[str, Any], **withheld: str) -> Variant:
    runs = tuple(Run(RUNS.record(row)) for row in rows)
    return Variant("a", runs[0].params, "a", runs, withheld)


P99 = COMPARED["p99"]


def test_repeats_give_a_median() -> None:
    repeats = variant(*(run(n, latency_p99_s=v) for n, v in enumerate([0.3, 0.1, None, 0.2])))
    assert len(repeats) == 4
    assert repeats.sample(P99) == (0.3, 0.1, 0.2)
    assert repeats.value(P99) == repeats.values["latency_p99_s"] == 0.2
    assert repeats.sample(P99) == (0.3, 0.1, 0.2)
    assert repeats.values["latency_p999_s"] is None
    assert [r.run_id for r in repeats.having(P99)] == ["r0", "r1", "r3"]


def test_what_is_withheld_has_no_value_anywhere() -> None:
    rows = [run(n, latency_p99_s=0.1, latency_p50_s=0.01) for n in range(3)]
    hidden = variant(*rows, latency_p99_s="300 requests; p99 needs 368")
    assert (hidden.sample(P99), hidden.having(P99), hidden.value(P99)) == ((), (), None)
    assert hidden.values["latency_p99_s"] is None
    assert hidden.values["latency_p50_s"] == 0.01


class TestQuantiles:
    @staticmethod
    def with_quantiles(*parts: dict[float, float], **withheld: str) -> Variant:
        runs = tuple(
            Run(
                RUNS.record(run(n)),
                quantiles=tuple(Quantile(q, s, "printed") for q, s in part.items()),
            )
            for n, part in enumerate(parts)
        )
        return Variant("a", {}, "a", runs, withheld)

    def test_one_is_summarised_where_every_run_has_it(self) -> None:
        both = self.with_quantiles({0.66: 0.02, 0.975: 0.029}, {0.975: 0.031})
        assert both.quantiles == {0.975: pytest.approx(0.03)}

    def test_from_a_withheld_one_on_there_is_none(self) -> None:
        hidden = self.with_quantiles({0.5: 1.0, 0.99: 2.0, 0.999: 3.0}, latency_p99_s="few")
        assert hidden.quantiles == {0.5: 1.0}
        assert hidden.trusted_below == pytest.approx(0.99)
        assert self.with_quantiles({0.5: 1.0}).trusted_below > 1

    def test_one_without_a_column_is_a_metric_as_well(self) -> None:
        both = self.with_quantiles({0.975: 0.029}, {0.975: 0.031})
        assert both.value(percentile(0.975)) == pytest.approx(0.03)


class TestParams:
    @pytest.mark.parametrize(
        ("params", "copy"),
        [('{"aa": true}', True), ('{"aa": "old"}', True), ('{"aa": false}', False), ("{}", False)],
    )
    def test_a_copy_is_declared(self, params: str, *, copy: bool) -> None:
        declared = variant(run(1, params=params))
        assert declared.is_copy is copy
        assert declared.factors == {}

    def test_a_level_is_a_number(self) -> None:
        swept = variant(run(1, params='{"c": 8, "on": true, "sink": "file"}'))
        assert [swept.level(name) for name in ("c", "on", "sink", "x")] == [8.0, None, None, None]


class TestGrouping:
    def test_runs_of_a_name_and_of_equal_params_repeat_each_other(self) -> None:
        runs = results(
            run(1, params='{"c": 1, "k": true}'),
            run(2, variant="b"),
            run(3, params='{"k": true, "c": "1"}'),
            run(4, params='{"c": 2}'),
        )
        made = variants_of(runs)
        assert [(v.name, v.run_ids) for v in made] == [
            *(("a", ("r1", "r3")), ("b", ("r2",)), ("a", ("r4",)))
        ]

    def test_runs_without_a_name_are_a_variant_each(self) -> None:
        assert len(variants_of(results(run(1, variant=None), run(2, variant=None)))) == 2

    def test_tools_and_scenarios_never_mix(self) -> None:
        runs = results(run(1), run(2, tool="ab"), run(3, scenario=None), run(4))
        parts = {key: [r.run_id for r in part] for key, part in by_scenario_and_tool(runs).items()}
        assert parts == {("s", "wrk"): ["r1", "r4"], ("s", "ab"): ["r2"], (None, "wrk"): ["r3"]}

    def test_the_order_of_params_does_not_matter(self) -> None:
        assert same_params({"a": 1, "b": 2}) == same_params({"b": 2, "a": "1"})
        assert same_params({"a": True}) != same_params({"a": 1})


def test_facts_are_the_distinct_known_values() -> None:
    mixed = variant(run(1, connections=8), run(2, connections=None), run(3, connections=8))
    assert (mixed.facts["connections"], mixed.facts["threads"]) == ((8,), ())
