from pathlib import Path

import pytest

import benchkit
from benchkit.compare import compare
from benchkit.errors import UsageError
from benchkit.sheet import lines, quantile_of, records, sort_metric


@pytest.mark.parametrize(("percentile", "quantile"), [(99.9, 0.999), (50, 0.5), (97.5, 0.975)])
def test_percentiles_become_quantiles_exactly(percentile: float, quantile: float) -> None:
    assert quantile_of(percentile) == quantile


@pytest.mark.parametrize("percentile", [0, 100, -1, 1000, float("nan")])
def test_there_is_no_percentile_outside_0_and_100(percentile: float) -> None:
    with pytest.raises(UsageError, match="above 0 and below 100"):
        quantile_of(percentile)


def test_columns_are_sorted_by_under_their_own_name_and_their_title() -> None:
    assert sort_metric("p99") is sort_metric("latency_p99_s")
    assert sort_metric("Throughput").name == "throughput_rps"


def test_a_percentile_that_nobody_printed_comes_from_the_requests(data: Path) -> None:
    results = benchkit.load(data / "vegeta" / "ok.gob")
    (comparison,) = compare(results)
    (line,) = (x for x in lines(results, comparison, percentiles=[60]) if x.asked)
    latencies = sorted(results.requests()["latency_s"])
    exact = latencies[-(-60 * len(latencies) // 100) - 1]
    assert line.metric.title == "p60"
    assert line.values[0] == pytest.approx(exact, rel=1e-3)


def test_a_percentile_of_whole_milliseconds_is_whole(data: Path) -> None:
    results = benchkit.load(data / "ab" / "few.tsv")
    (comparison,) = compare(results)
    (line,) = (x for x in lines(results, comparison, percentiles=[99.95]) if x.asked)
    assert line.values[0] in set(results.requests()["latency_s"])


def test_a_summary_gives_no_percentile_that_it_has_not(data: Path) -> None:
    results = benchkit.load(data / "wrk" / "latency.txt")
    (record,) = records(results, compare(results), percentiles=[97.5])
    assert record["latency_p97.5_s"] is None
    assert record["latency_p99_s"] is not None
