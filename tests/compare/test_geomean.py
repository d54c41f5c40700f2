from collections.abc import Callable
from typing import Any

import pytest

from benchkit.compare.geomean import overall
from benchkit.compare.inference import infer
from benchkit.results import Results

RunRow = Callable[..., dict[str, Any]]


def made(row: RunRow, *scenarios: dict[str, float]) -> Results:
    rows = [
        row(10 * n + m, scenario=f"s{n}", variant=variant, throughput_rps=rate)
        for n, variants in enumerate(scenarios)
        for m, (variant, rate) in enumerate(variants.items())
    ]
    return Results.of({"runs": rows})


def test_ratios_over_scenarios_are_averaged_as_ratios(row: RunRow) -> None:
    rows = infer(made(row, {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 0.5}, {"a": 1.0, "b": 8.0}))
    (one,) = overall(rows)
    assert (one.metric, one.baseline, one.variant, one.scenarios) == ("throughput", "a", "b", 3)
    assert one.ratio == pytest.approx(2)


def test_there_is_no_mean_over_different_sets(row: RunRow) -> None:
    assert overall(infer(made(row, {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0, "c": 3.0}))) == []
    assert overall(infer(made(row, {"a": 1.0, "b": 2.0}))) == []
