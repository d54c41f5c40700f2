from functools import partial
from typing import Any

import pytest

from benchkit.api import Results
from benchkit.figures import chart
from tests.figures.changes import Row, with_rows
from tests.figures.charts import compared, drawn
from tests.report.conftest import SAMPLES

endpoints = partial(drawn, kind="endpoints")

identity = SAMPLES["identity"]


def results_of(urls: dict[str, dict[str, float]], *, count: int = 100, failed: int = 0) -> Results:
    """Two runs a variant; per variant and endpoint the latency of most of its requests."""
    runs: list[dict[str, Any]] = []
    bins: list[dict[str, Any]] = []
    slow = max(2, count // 50)
    for variant, endpoints in urls.items():
        for number in (1, 2):
            run_id = f"{variant}{number}"
            runs.append(identity(run_id, "shop", variant, "vegeta") | {"label": run_id})
            for endpoint, latency in endpoints.items():
                for outcome, many, low in (
                    ("success", count - slow, latency),
                    ("success", slow - failed, 10 * latency),
                    ("http-error", failed, 10 * latency),
                ):
                    bins.append(
                        {"run_id": run_id, "endpoint": endpoint, "outcome": outcome, "count": many}
                        | {"latency_low_s": low, "latency_high_s": low * 1.001}
                        | {"slice_start_s": 0.0, "slice_s": 1.0}
                    )
    return Results.from_tables({"runs": runs, "histogram": [row for row in bins if row["count"]]})


TWO = {"GET http://h:1/a": 0.01, "POST http://h:1/b": 0.02}
MOVED = {"GET http://h:2/a": 0.02, "POST http://h:2/b": 0.04}


def test_an_endpoint_is_the_same_on_another_port() -> None:
    made = endpoints(results_of({"old": TWO, "new": MOVED}, count=400))
    assert [text for _, text in made.panels[0].y.ticks] == ["GET /a", "POST /b"]
    assert len([series for series in made.panels[0].series if series.in_table]) == 2 * 2 * 2


def test_hosts_stay_where_they_tell_endpoints_apart() -> None:
    made = endpoints(results_of({"old": {"GET http://a/": 0.01, "GET http://b/": 0.02}}))
    assert [text for _, text in made.panels[0].y.ticks] == ["GET http://a/", "GET http://b/"]


def test_p50_is_filled_and_p99_open() -> None:
    made = endpoints(results_of({"old": TWO}, count=400))
    marks = [series for series in made.panels[0].series if series.in_table][:2]
    assert [series.filled for series in marks] == [True, False]
    assert [series.xs[0] for series in marks] == pytest.approx([0.01, 0.1], rel=0.01)
    assert made.title == "POST /b had the highest p99, 200\u00a0ms"


def test_failures_have_a_panel_only_where_there_are_some() -> None:
    assert len(endpoints(results_of({"old": TWO})).panels) == 1
    some = with_rows(results_of({"old": TWO}, failed=1), "histogram", _b_succeeds)
    made = endpoints(some)
    assert [series.xs for series in made.panels[1].series] == [(0.01,), (0.0,)]


def _b_succeeds(row: Row) -> Row:
    return {**row, "outcome": "success"} if row["endpoint"].endswith("/b") else row


def test_what_failed_alike_is_a_sentence() -> None:
    """Bars of one length show nothing: those that differ are drawn."""
    every = endpoints(results_of({"old": TWO, "new": MOVED}, failed=1))
    assert [panel.name for panel in every.panels] == ["latency"]
    assert every.caption.endswith(
        "Failed with every variant alike: 1\u00a0% of GET /a and POST /b."
    )

    def new_succeeds(row: Row) -> Row:
        return _b_succeeds(row) if row["run_id"].startswith("new") else row

    results = results_of({"old": TWO, "new": MOVED}, failed=1)
    made = endpoints(with_rows(results, "histogram", new_succeeds))
    assert [text for _, text in made.panels[1].y.ticks] == ["POST /b"]
    assert "alike: 1\u00a0% of GET /a." in made.caption


def test_endpoints_of_their_own_tell_nothing_apart() -> None:
    """Each variant was sent one: the figure of the variants says all."""
    results = results_of({"old": {"GET http://h/a": 0.01}, "new": {"GET http://h/b": 0.02}})
    assert chart(compared(results), "endpoints") is None


def test_few_requests_have_no_p99() -> None:
    made = endpoints(results_of({"old": TWO}, count=367))
    assert not any(not series.filled for series in made.panels[0].series)
    assert made.table.rows[0][1][3] == ("withheld", None)


def test_what_is_withheld_is_named_with_its_reason() -> None:
    results = results_of({"old": TWO, "new": MOVED}, count=400)

    def rare(row: Row) -> Row:
        few = row["run_id"].startswith("new") and row["endpoint"].endswith("/b")
        return {**row, "count": 1} if few else row

    made = endpoints(with_rows(results, "histogram", rare))
    words = made.caption.replace("\u00a0", " ")
    assert "Withheld: POST /b with new (too few requests)." in words


def test_nothing_is_withheld_of_many_requests() -> None:
    made = endpoints(results_of({"old": TWO, "new": MOVED}, count=400))
    assert "Withheld" not in made.caption


def test_one_endpoint_is_no_figure() -> None:
    results = results_of({"old": {"GET http://h/": 0.01}})
    assert chart(compared(results), "endpoints") is None


def _at_most_90_slow(row: Row) -> Row:
    slow = row["endpoint"] == "GET http://h/slow"
    return {**row, "count": min(row["count"], 90)} if slow else row


def test_a_superlative_is_of_the_endpoints_that_are_shown() -> None:
    busy = {f"GET http://h/{n}": 0.01 + n / 1000 for n in range(12)}
    results = results_of({"old": {**busy, "GET http://h/slow": 0.9}}, count=400)
    few = with_rows(results, "histogram", _at_most_90_slow)
    made = endpoints(few)
    assert made.title == "Of the 12 busiest endpoints, GET /11 had the highest p99, 211\u00a0ms"


def test_without_any_p99_nothing_is_called_open_and_near_values_stand_from_zero() -> None:
    made = endpoints(results_of({"old": TWO}, count=20))
    assert made.panels[0].title == "Latency, from zero: p50"
    assert made.panels[0].x.low == 0
    assert made.title == (
        "p50 of an endpoint was 10.0\u00a0ms (GET\u00a0/a) to 20.1\u00a0ms (POST\u00a0/b)"
    )
