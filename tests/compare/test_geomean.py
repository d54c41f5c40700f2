from __future__ import annotations

import pytest

from benchkit.compare.assess import assess
from benchkit.model.comparison import Comparison
from benchkit.report.sections import means
from tests.compare.runs import plain, results, run


def comparisons(*scenarios: dict[str, float]) -> tuple[Comparison, ...]:
    rows = [
        run(10 * n + m, scenario=f"s{n}", variant=variant, throughput_rps=rate)
        for n, rates in enumerate(scenarios)
        for m, (variant, rate) in enumerate(rates.items())
    ]
    return assess(results(*rows)).comparisons


def test_ratios_over_scenarios_are_averaged_as_ratios() -> None:
    made = comparisons({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 0.5}, {"a": 1.0, "b": 8.0})
    (sentence,) = means(made)
    assert plain(sentence) == "Over 3 scenarios, geometric mean: throughput of b against a 2.0×."


@pytest.mark.parametrize(
    ("scenarios", "sentences"),
    [
        ([{"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0, "c": 3.0}], 1),
        ([{"a": 1.0, "b": 2.0}], 0),
    ],
)
def test_there_is_no_mean_over_different_sets(
    scenarios: list[dict[str, float]], sentences: int
) -> None:
    made = means(comparisons(*scenarios))
    assert len(made) == sentences
    assert all(sentence.startswith("No mean over the scenarios") for sentence in made)
