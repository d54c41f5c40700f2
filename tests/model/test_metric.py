"""Every metric, declared once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchkit.errors import UsageError
from benchkit.model.failures import error_bounds
from benchkit.model.metric import (
    BY_COLUMN,
    COMPARED,
    COSTS,
    METRICS,
    metric,
    percentile,
)
from benchkit.schema import RUNS
from tests.compare.runs import results, run


def test_the_names_are_those_that_are_documented() -> None:
    names = "throughput goodput mean p50 p90 p95 p99 p99.9 max error_ratio cpu_per_request rss"
    assert list(COMPARED) == names.split()
    assert len(BY_COLUMN) == len({each.name for each in METRICS}) == len(METRICS)


def test_every_metric_is_a_column_of_runs_or_worked_out() -> None:
    worked_out = {each.column for each in METRICS if each.derive}
    assert worked_out == {"error_ratio", "cpu_per_request", "rss"}
    assert set(BY_COLUMN) - worked_out <= set(RUNS.names)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no metric 'p42'; there are throughput, .*, rss$"):
        metric("p42")


def test_what_is_tested_unasked_is_primary_and_only_the_maximum_is_never_tested() -> None:
    by_role = {
        role: [m.name for m in METRICS if m.role == role] for role in ("primary", "described")
    }
    assert by_role == {"primary": ["throughput", "p50", "p99"], "described": ["max"]}


def test_failures_from_the_share_of_successes_or_from_counts() -> None:
    runs = results(
        run(1, success_ratio=0.97),
        run(2, requests=1000, errors=5, non2xx=15),
        run(3, requests=1000, non2xx=15),
        run(4, requests=0, errors=0, non2xx=0),
        run(5, requests=10, errors=10, non2xx=10),
        run(6, requests=1000, errors=0),
    )
    shares = [metric("error_ratio").value(r) for r in runs]
    some = [pytest.approx(share) for share in (0.03, 20 / 1005, 0.015)]
    assert shares == [*some, None, 1.0, None]


def test_what_is_no_2xx_may_be_redirects_and_what_is_not_counted_failures() -> None:
    runs = results(
        run(1, tool="ab", success_ratio=0.75),
        run(2, tool="ab", requests=1000, errors=5, non2xx=15),
        run(3, tool="ab", requests=1000, non2xx=15),
        run(4, tool="ab", requests=1000, errors=300),
        run(5, throughput_rps=100.0, duration_s=9.0, errors=100, non2xx=0),
        run(6, requests=1000),
    )
    bounds = [(0.25, 0.25), (0.005, 0.02), (0.0, 1.0), (0.3, 1.0), (0.1, 0.1), None]
    known = [error_bounds(r) for r in runs]
    assert known == [None if each is None else pytest.approx(each) for each in bounds]


class TestCosts:
    SAMPLES = (("server", 1.0, 100), ("server", 2.0, 300), ("db", 0.5, 50), ("wrk", 9.0, 999))

    def runs(self, **columns: object) -> list[float | None]:
        samples = [
            {
                "run_id": "r1",
                "elapsed_s": float(n),
                "process": name,
                "cpu_ratio": cpu,
                "rss_bytes": rss,
            }
            for n, (name, cpu, rss) in enumerate(self.SAMPLES)
        ]
        whole = run(1, requests=2000, duration_s=10.0, **columns)
        return [cost.value(r) for cost in COSTS for r in results(whole, run(2), resources=samples)]

    def test_processor_time_and_memory_of_all_processes_but_the_generator(self) -> None:
        assert self.runs() == [pytest.approx((1.5 + 0.5) * 10 / 2000), None, 350, None]

    def test_where_the_server_is_named_nothing_else_counts(self) -> None:
        assert self.runs(server="server") == [pytest.approx(1.5 * 10 / 2000), None, 300, None]


class TestPercentile:
    def test_one_with_a_column_is_that_column(self) -> None:
        assert percentile(0.99).column == "latency_p99_s"
        assert percentile(0.99).quantile == 0.99
        assert percentile(0.99, "primary") == metric("p99")

    def test_one_without_a_column_is_looked_up_in_each_run(self) -> None:
        quantiles = [
            {"run_id": "r1", "quantile": q, "latency_s": s, "origin": "printed"}
            for q, s in ((0.975, 0.029), (0.66, 0.02))
        ]
        (only,) = results(run(1), quantiles=quantiles)
        assert [percentile(q).value(only) for q in (0.66, 0.975, 0.8)] == [0.02, 0.029, None]
        assert percentile(0.975).title == "p97.5"


class TestCells:
    def test_a_row_has_one_unit_and_equal_decimals(self) -> None:
        p50 = metric("p50")
        values = [0.0123, None, 0.098, 0.00456]
        assert p50.heading(values) == "p50, ms"
        assert p50.cells(values) == ["12.30", None, "98.00", "4.56"]

    def test_no_number_of_a_row_has_more_than_four_digits_for_another(self) -> None:
        """Once 0.2216 s stood as 221.58 ms beside 2.51, and as 222 ms elsewhere."""
        assert metric("p50").cells([0.22158, 0.00251]) == ["222", "2.51"]

    def test_a_rate_has_as_many_decimals_as_its_size_asks_for(self) -> None:
        throughput = metric("throughput")
        assert throughput.cells([1234.56, 999.94]) == ["1,235", "1,000"]
        assert throughput.cells([470.46, 471.12]) == ["470.5", "471.1"]
        assert throughput.cells([12345.6, 50.23]) == ["12,345.6", "50.2"]
        assert throughput.cells([1200.0, 3.0]) == ["1,200", "3"]
        assert throughput.heading([1.0]) == "Throughput, req/s"

    def test_prose_has_the_unit(self) -> None:
        assert metric("p50").prose(0.08557) == "85.6\u00a0ms"
        assert metric("throughput").prose(32213.4) == "32.2\u00a0k\u00a0req/s"
        assert metric("error_ratio").prose(0.0012) == "0.12\u00a0%"


def test_what_a_tool_leaves_open_lies_within_the_bounds_of_failures() -> None:
    counts = {"requests": 1000, "errors": 20}
    runs = results(
        run(1, tool="wrk2", **counts, timeouts=20, non2xx=0),  # connections that waited, or idle
        run(2, tool="wrk2", **counts, timeouts=1, non2xx=30),  # from 400 on
        run(3, tool="ab", **counts, non2xx=30),  # redirects among them
    )
    bounds = [(0, 20 / 1020), (49 / 1019, 50 / 1020), (0.02, 0.05)]
    assert [error_bounds(r) for r in runs] == [pytest.approx(each) for each in bounds]


def test_requests_without_an_answer_that_have_a_row_failed_for_sure() -> None:
    rows = run(1, tool="h2load", requests=150, non2xx=0)
    (lost,) = (replace(r, statuses={200: 120, 0: 30}) for r in results(rows))
    assert error_bounds(lost) == pytest.approx((0.2, 1.0))
