"""What is said of runs of which nothing was tested."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchkit.compare.assess import Options
from benchkit.report.sentences import headline
from tests.compare.runs import compared, plain, results, run

BASE = {"requests": 5000, "latency_p50_s": 0.0045, "latency_p90_s": 0.006, "latency_p99_s": 0.01}


def sentence(first: dict[str, Any], second: dict[str, Any], **options: Any) -> str:  # noqa: ANN401
    runs = [run(0, variant="A", **first), run(1, variant="B", **second)]
    sides = enumerate((first, second))
    printed = [
        {"run_id": f"r{n}", "quantile": q, "latency_s": side[f"latency_p{q * 100:.0f}_s"]}
        | {"origin": "printed"}
        for n, side in sides
        for q in (0.5, 0.9, 0.99)
    ]
    return plain(headline(compared(results(*runs, quantiles=printed), options=Options(**options))))


def test_a_percentile_that_differs_is_told_where_the_weightier_are_equal() -> None:
    better = {"latency_p50_s": 0.004, "latency_p90_s": 0.005}
    assert sentence(BASE, BASE | better) == (
        "B had lower latencies than A at 2 of 3 printed percentiles, the others were equal: "
        "p50 was 4 ms instead of 4.5 ms."
    )


@pytest.mark.parametrize("repeats", [1, 3])
def test_equals_at_the_top_have_no_winner(repeats: int) -> None:
    rates = {"A": 2000.0, "B": 2000.0, "C": 1000.0}
    runs = [
        run(n, variant=name, repeat=n // 3 + 1, requests=5000, throughput_rps=rate)
        for n, (name, rate) in enumerate([*rates.items()] * repeats)
    ]
    median = "median " if repeats > 1 else ""
    sentence = plain(headline(compared(results(*runs))))
    assert sentence == f"A and B had the highest {median}throughput, 2 k req/s each."


def test_percentiles_without_a_column_are_told_without_a_figure() -> None:
    assert sentence(BASE, BASE | {"latency_p90_s": 0.005}) == (
        "B had lower latencies than A at 1 of 3 printed percentiles, the others were equal."
    )


def test_a_percentile_that_is_withheld_is_not_named() -> None:
    few = BASE | {"requests": 600}  # p99.5 takes 736
    runs = [run(n, variant=name, **few) for n, name in enumerate("AB")]
    printed = [
        {"run_id": f"r{n}", "quantile": q, "latency_s": s, "origin": "printed"}
        for n, slowest in enumerate((0.012, 0.02))
        for q, s in ((0.5, 0.0045), (0.99, 0.01), (0.995, slowest))
    ]
    answer = plain(headline(compared(results(*runs, quantiles=printed))))
    assert answer == "B against A: every printed percentile that both have was equal."


def test_where_the_tool_added_samples_the_throughput_is_told_first() -> None:
    padded = BASE | {"correction": "backfilled", "throughput_rps": 1000.0}
    slower = padded | {"throughput_rps": 700.0, "latency_p99_s": 0.02}
    assert sentence(padded, slower) == (
        "B against A: throughput −30 %; p99 was 20 ms instead of 10 ms with the samples that the "
        "tool added."
    )


def test_what_differs_by_how_it_was_computed_is_equal() -> None:
    second = BASE | {"latency_mean_s": 0.3}
    first = BASE | {"latency_mean_s": 0.1 + 0.2}
    assert first != second
    assert sentence(first, second) == "B against A: every printed percentile was equal."


def test_equal_runs_share_figures() -> None:
    assert sentence(BASE, BASE) == "B against A: every printed percentile was equal."


def test_who_asks_for_failures_is_not_told_of_latencies() -> None:
    """The server that refuses a fifth of the requests is quick."""
    whole = BASE | {"success_ratio": 1.0, "errors": 0, "non2xx": 0}
    quick = whole | {"latency_p50_s": 0.004, "success_ratio": 0.8, "non2xx": 1000}
    assert sentence(whole, quick, metrics=("error_ratio",)) == (
        "B against A: share of errors was 20 % instead of 0 %."
    )


def test_of_several_at_several_loads_the_two_of_one_load_are_told() -> None:
    """Once the first, that of the least load, had the highest throughput."""
    levels = {("old", 10): 1100, ("old", 20): 1200, ("new", 20): 2200, ("new", 40): 2400}
    rows = [
        run(
            n, variant=name, params=json.dumps({"c": count}), throughput_rps=rate, connections=count
        )
        for n, ((name, count), rate) in enumerate(levels.items())
    ]
    assert plain(headline(compared(results(*rows)))) == (
        "“new, c 20” against “old, c 20”: throughput was 2.2 k req/s instead of 1.2 k req/s; "
        "“new, c 40” is not comparable."
    )


@pytest.mark.parametrize("rates", [(1100, 1200, 2200, 2400), (2400, 1100, 2200, 1200)])
def test_the_highest_is_the_highest(rates: tuple[int, ...]) -> None:
    rows = [
        run(n, variant=f"v{n}", params=json.dumps({"c": n}), throughput_rps=rate, connections=n)
        for n, rate in enumerate(rates, 1)
    ]
    text = plain(headline(compared(results(*rows))))
    assert "highest" not in text or f"v{rates.index(2400) + 1}" in text.split("had")[0]


def test_runs_without_a_figure_are_not_all_runs() -> None:
    """Once two of three runs were all of them."""
    rows = [
        run(n, variant="AB"[n % 2], **(BASE | {"latency_p99_s": 0.01 - 0.001 * (n % 2)}))
        for n in range(6)
    ]
    assert ", in all runs." in plain(headline(compared(results(*rows))))
    del rows[1]["latency_p99_s"]
    assert ", in all runs that have it." in plain(headline(compared(results(*rows))))


def test_who_is_not_comparable_is_named_and_orders_nothing() -> None:
    rates = {"A": 2000.0, "B": 1500.0, "C": 9000.0, "D": 1000.0}
    runs = [
        run(3 * n + at, variant=name, requests=1000, errors=0, throughput_rps=rate + n)
        | {"non2xx": 450 if name == "C" else 0, "latency_p99_s": 0.01}
        for at, (name, rate) in enumerate(rates.items())
        for n in range(3)
    ]
    text = plain(headline(compared(results(*runs))))
    assert text == (
        "A had the highest throughput, 2.00 k req/s, ahead in all runs; the next was B, −25 %; "
        "C is not comparable."
    )


def test_who_differs_in_nothing_has_no_sentence_where_another_does() -> None:
    """Once the first sentence said that no request had failed in any run."""
    failed = {"A": 0, "B": 0, "C": 40}
    runs = [
        run(
            8 * at + n, variant=name, repeat=n, requests=1000, success_ratio=1 - failed[name] / 1000
        )
        for at, name in enumerate(failed)
        for n in range(8)
    ]
    comparison = compared(results(*runs), options=Options(metrics=("error_ratio",)))
    assert plain(headline(comparison)).startswith("Share of errors of C against A: +4.0 points")
    nothing = compared(results(*runs[:16]), options=Options(metrics=("error_ratio",)))
    assert headline(nothing) == "No verdict: no request failed on either side."
