from collections.abc import Callable
from typing import Any

import pytest

from benchkit.compare.measures import MEASURES, measure, values_of
from benchkit.errors import UsageError
from benchkit.results import Results
from benchkit.schema import RUNS

Row = Callable[..., dict[str, Any]]


def test_the_names_are_those_that_are_documented() -> None:
    names = "throughput goodput mean p50 p90 p95 p99 p99.9 max error_ratio cpu_per_request rss"
    assert list(MEASURES) == names.split()
    assert {one.column for one in MEASURES.values() if one.column} <= set(RUNS.names)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no metric 'p42'; there are throughput, .*, rss$"):
        measure("p42")


def test_only_the_maximum_is_never_tested() -> None:
    assert [one.name for one in MEASURES.values() if not one.testable] == ["max"]


def test_failures_from_the_share_of_successes_or_from_counts(row: Row) -> None:
    values = values_of(
        Results.of(
            {
                "runs": [
                    row(1, success_ratio=0.97),
                    row(2, requests=1000, errors=5, non2xx=15),
                    row(3, requests=1000, non2xx=15),
                ]
            }
        )
    )
    assert values["r1"]["error_ratio"] == pytest.approx(0.03)
    assert values["r2"]["error_ratio"] == pytest.approx(0.02)
    assert values["r3"]["error_ratio"] is None


def test_processor_time_and_memory_of_all_processes_but_the_generator(row: Row) -> None:
    samples = [("server", 1.0, 100), ("server", 2.0, 300), ("db", 0.5, 50), ("wrk", 9.0, 999)]
    values = values_of(
        Results.of(
            {
                "runs": [row(1, requests=2000, duration_s=10.0), row(2)],
                "resources": [
                    {
                        "run_id": "r1",
                        "elapsed_s": float(n),
                        "process": process,
                        "cpu_ratio": cpu,
                        "rss_bytes": rss,
                    }
                    for n, (process, cpu, rss) in enumerate(samples)
                ],
            }
        )
    )
    assert values["r1"]["cpu_per_request"] == pytest.approx((1.5 + 0.5) * 10 / 2000)
    assert values["r1"]["rss"] == 350
    assert values["r2"]["cpu_per_request"] is None
    assert values["r2"]["rss"] is None
