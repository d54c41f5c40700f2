"""What a comparison costs grows as the runs do: counted, not timed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchkit.compare.assess import assess
from benchkit.model.comparison import Comparison
from benchkit.model.run import Run
from benchkit.parsing import RequestBatch
from benchkit.schema import RUNS
from tests import timing
from tests.compare.runs import NOISE, run

if TYPE_CHECKING:
    import pandas as pd

BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")
#: Four times as many runs may cost this much: what is done once makes it less, sorting a bit more.
MOST = 4.2


class Counting(Mapping[str, Any]):
    """Columns of a run that count how often they are read."""

    reads = 0

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self.columns = columns

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a cell may hold any kind
        Counting.reads += 1
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


def made(number: int, **columns: Any) -> Run:  # noqa: ANN401 - cells of any kind
    """A run with what the checks look at, the variants in turn."""
    noise = NOISE[number % len(NOISE)]
    measured = {
        "throughput_rps": 1000 * noise,
        "latency_mean_s": 0.02 / noise,
        "latency_p50_s": 0.01 / noise,
        "latency_p99_s": 0.05 / noise,
        "requests": 300,  # of which no p99 can be told: each run has findings
        "connections": 8,
        "url": "http://127.0.0.1/",
        "started_at": BEGAN + np.timedelta64(number, "s"),
    }
    return Run(Counting(RUNS.record(run(number, **measured | columns))))


def repeats(size: int) -> list[Run]:
    """Two variants with ever more repeats."""
    return [made(n, variant="ab"[n % 2], repeat=n // 2 + 1) for n in range(size)]


def variants(size: int) -> list[Run]:
    """Ever more variants of five runs."""
    return [made(n, variant=f"v{n % (size // 5)}", repeat=n) for n in range(size)]


def levels(size: int) -> list[Run]:
    """Two variants at ever more levels of a sweep."""
    return [
        made(n, variant="ab"[n % 2], repeat=n % 5, params=json.dumps({"c": n // 10}))
        for n in range(size)
    ]


def settings(size: int) -> list[Run]:
    """Two variants under ever more settings, a comparison each."""
    return [
        made(n, variant="ab"[n % 2], repeat=n % 5, params=json.dumps({"sink": f"s{n // 10}"}))
        for n in range(size)
    ]


def scenarios(size: int) -> list[Run]:
    """Ever more scenarios of two variants."""
    return [made(n, variant="ab"[n % 2], repeat=n % 5, scenario=f"s{n // 10}") for n in range(size)]


def reads(work: Callable[[], object]) -> int:
    """How often a column of a run is looked at."""
    Counting.reads = 0
    work()
    return Counting.reads


def whole(comparisons: tuple[Comparison, ...]) -> None:
    """Look at all that an output looks at."""
    columns = ("throughput_rps", "latency_p50_s", "latency_p99_s")
    for comparison in comparisons:
        for column in columns:
            comparison.footnotes.at_metric(column)
        for variant in comparison.variants:
            comparison.against(variant.label)
            comparison.footnotes.at_name(variant.label)
            for column in columns:
                comparison.effect(variant.label, column)
                comparison.footnotes.at_figure(variant.label, column)


@pytest.mark.parametrize("shape", [repeats, variants, levels, settings, scenarios])
@pytest.mark.parametrize("measure", [reads, timing.calls])
def test_four_times_as_many_runs_cost_four_times_as_much(
    shape: Callable[[int], list[Run]], measure: Callable[[Callable[[], object]], int]
) -> None:
    few, many = shape(100), shape(400)
    whole(assess(shape(20)).of_all_runs)  # what is imported or worked out once
    cost = [measure(lambda runs=runs: whole(assess(runs).of_all_runs)) for runs in (few, many)]  # type: ignore[misc]
    assert cost[1] <= MOST * cost[0], cost


class Reader:
    """Requests of a run that count how often they are read again."""

    reads = 0
    kept = None

    def __call__(self) -> Iterator[pd.DataFrame]:
        raise NotImplementedError

    def batches(self) -> Iterator[RequestBatch]:
        Reader.reads += 1
        numbers = np.arange(300)
        yield RequestBatch(
            latency_ns=np.full(300, 10**7),
            started_ns=numbers * 10**7,
            seq=numbers,
        )


def test_of_runs_that_stay_no_request_is_read_again() -> None:
    runs = [
        replace(
            made(n, variant="ab"[n % 2], tool="vegeta", load_model="open", offered_rate_rps=100.0),
            requests=Reader(),
        )
        for n in range(10)
    ]
    first = assess(runs)
    assert first.of_all_runs
    before = Reader.reads
    assert before >= len(runs)
    assert first.without({"r3"}).of_all_runs
    assert first.again(baseline="b").of_all_runs
    assert first.scenarios["s"].of_all_runs
    assert Reader.reads == before


@pytest.mark.parametrize("shape", [repeats, variants])
def test_another_baseline_looks_at_no_finding_again(shape: Callable[[int], list[Run]]) -> None:
    """What the checks found, and what the runs measured, is known."""
    runs = shape(100)
    first = assess(runs)
    at_once = reads(lambda: assess(runs).of_all_runs)
    label = first.of_all_runs[0].others[0].label
    assert reads(lambda: first.again(baseline=label).of_all_runs) < at_once / 2
