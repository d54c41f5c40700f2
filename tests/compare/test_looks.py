"""The looks that runs record decide the level, without being asked for."""

from __future__ import annotations

import pytest

from benchkit.compare.assess import Options, assess
from benchkit.gates import Conditions, gate
from benchkit.gates.rule import rule
from benchkit.model.comparison import Comparison
from benchkit.report.records import effect_records

from .runs import interleaved, results, spread

#: Six pairs, all of one sign: p = 2/64, enough for one look and too little for two.
SIX = {
    "a": {"throughput_rps": spread(1000, 0.005, runs=6)},
    "b": {"throughput_rps": spread(1200, 0.005, runs=6, seed=2)},
}


def comparison(recorded: int | None, asked: int = 1) -> Comparison:
    runs = interleaved(SIX, looks=recorded)
    return assess(runs, options=Options(looks=asked)).comparisons[0]


@pytest.mark.parametrize(
    ("recorded", "asked", "looks", "verdict"),
    [
        (None, 1, 1, "faster"),
        (1, 1, 1, "faster"),
        (2, 1, 2, "inconclusive"),
        (5, 2, 5, "inconclusive"),  # a flag only raises it
        (2, 5, 5, "inconclusive"),
        (None, 2, 2, "inconclusive"),
    ],
)
def test_a_verdict_needs_the_level_of_all_looks(
    recorded: int | None, asked: int, looks: int, verdict: str
) -> None:
    made = comparison(recorded, asked)
    (effect,) = (e for e in made.effects if e.metric.name == "throughput")
    assert (made.looks, effect.verdict) == (looks, verdict)
    assert ("is needed for" in effect.reason) == (looks > 1)


def test_one_scenario_does_not_raise_the_level_of_another() -> None:
    looked, plain = interleaved(SIX, looks=4), interleaved(SIX, scenario="t")
    rows = [dict(run.columns) | {"run_id": f"{run.scenario}{run.run_id}"} for run in looked]
    rows += [dict(run.columns) | {"run_id": f"{run.scenario}{run.run_id}"} for run in plain]
    made = assess(results(*rows))
    assert {c.scenario: c.looks for c in made.comparisons} == {"s": 4, "t": 1}
    verdicts = {row["scenario"]: row["verdict"] for row in effect_records(made)}
    assert verdicts == {"s": "inconclusive", "t": "faster"}


def test_absurd_looks_leave_no_verdict_and_no_error() -> None:
    made = comparison(2**62)
    assert {effect.verdict for effect in made.effects if effect.tested} == {"inconclusive"}


@pytest.mark.parametrize(("recorded", "outcome"), [(None, "passed"), (2, "inconclusive")])
def test_a_rule_against_the_baseline_keeps_the_level_too(
    recorded: int | None, outcome: str
) -> None:
    conditions = Conditions((rule("throughput>+5%"),), baseline="a")
    (ruling,) = gate(interleaved(SIX, looks=recorded), conditions).rulings
    assert ruling.outcome == outcome
    assert ("looks" in ruling.reason) == (recorded == 2)
