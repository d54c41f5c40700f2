"""Percentiles and an order that somebody asks for."""

from pathlib import Path

import pytest

import benchkit
from benchkit.compare.assess import assess
from benchkit.errors import UsageError
from benchkit.model.comparison import Comparison
from benchkit.report.asked import asked_metrics, quantile_of, sort_metric, with_withheld
from benchkit.report.records import variant_records
from benchkit.report.table import comparison_table


def comparison(path: Path) -> Comparison:
    (only,) = assess(benchkit.load(path)).comparisons
    return only


@pytest.mark.parametrize(("percentile", "quantile"), [(99.9, 0.999), (50, 0.5), (97.5, 0.975)])
def test_percentiles_become_quantiles_exactly(percentile: float, quantile: float) -> None:
    assert quantile_of(percentile) == quantile


@pytest.mark.parametrize("percentile", [0, 100, -1, 1000, float("nan")])
def test_there_is_no_percentile_outside_0_and_100(percentile: float) -> None:
    with pytest.raises(UsageError, match="above 0 and below 100"):
        quantile_of(percentile)


def test_columns_are_sorted_by_under_their_own_name_and_their_title() -> None:
    assert sort_metric("p99") is sort_metric("latency_p99_s")
    assert sort_metric("Throughput").column == "throughput_rps"


def test_a_percentile_that_nobody_printed_comes_from_the_requests(data: Path) -> None:
    results = benchkit.load(data / "vegeta" / "ok.gob")
    (only,) = assess(results).comparisons
    (p60,) = asked_metrics([60]).values()
    latencies = sorted(results.requests()["latency_s"])
    exact = latencies[-(-60 * len(latencies) // 100) - 1]
    assert only.base.value(p60) == pytest.approx(exact, rel=1e-3)
    assert "p60" in [row.heading[:3] for row in comparison_table(only, percentiles=[60]).rows]


def test_a_percentile_of_whole_milliseconds_is_whole(data: Path) -> None:
    results = benchkit.load(data / "ab" / "few.tsv")
    (metric,) = asked_metrics([99.95]).values()
    (run,) = results
    assert metric.value(run) in set(results.requests()["latency_s"])


def test_a_percentile_beyond_a_withheld_one_is_withheld_for_its_reason(data: Path) -> None:
    shown = comparison(data / "ab" / "few.tsv")
    assert shown.base.withheld
    asked = asked_metrics([99.95])
    (variant,) = with_withheld(shown, asked).variants
    assert variant.withheld["latency_p99.95_s"].endswith("of the 7,376 requests that it takes")


def test_a_percentile_takes_requests_of_its_own(data: Path) -> None:
    """250 requests carry p95 and no p99: of p98.8 it is not that of the p99 that counts."""
    shown = comparison(data / "vegeta" / "ok.gob")
    (variant,) = with_withheld(shown, asked_metrics([50, 98.8, 99.99])).variants
    (run,) = variant.runs
    requests = f"{run.get('requests')} of the"
    assert variant.withheld["latency_p98.8_s"] == f"{requests} 306 requests that it takes"
    assert variant.withheld["latency_p99.99_s"] == f"{requests} 36,887 requests that it takes"
    assert "latency_p50_s" not in variant.withheld


def test_a_summary_gives_no_percentile_that_it_has_not(data: Path) -> None:
    comparisons = [comparison(data / "wrk" / "latency.txt")]
    (record,) = variant_records(comparisons, percentiles=[97.5])
    assert record["latency_p97.5_s"] is None
    assert record["latency_p99_s"] is not None


def test_another_order_is_named() -> None:
    rows = [
        {"run_id": f"r{n}", "label": name, "variant": name, "tool": "wrk", "format": "wrk-text"}
        | {"source": "x", "sha256": "0", "throughput_rps": rate, "latency_p99_s": p99}
        for n, (name, rate, p99) in enumerate([("a", 1.0, 0.3), ("b", 3.0, 0.2), ("c", 2.0, 0.1)])
    ]
    (shown,) = assess(benchkit.Results.from_tables({"runs": rows})).comparisons

    def order(sort: str | None) -> tuple[list[str], str]:
        table = comparison_table(shown, sort=sort)
        return [name.label for name in table.names], table.notes[0]

    assert order(None) == (["b", "c", "a"], "Ordered by throughput, best first.")
    assert order("p99") == (["c", "b", "a"], "Ordered by p99, best first.")
    assert order("variant") == (["a", "b", "c"], "Ordered by name.")
