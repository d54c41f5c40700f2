"""Runs at one constant rate, as vegeta prints them and nobody kept the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import benchkit
from benchkit.api import Results
from benchkit.model.comparison import DECIDED, Comparison
from tests.compare.runs import compared, plain

REPORT = """\
Requests      [total, rate, throughput]         {requests}, {rate:.2f}, {throughput:.2f}
Duration      [total, attack, wait]             {total:.3f}s, {attack:.3f}s, {wait:.3f}ms
Latencies     [min, mean, 50, 90, 95, 99, max]  {low:.3f}ms, {mean:.3f}ms, {p50:.3f}ms, \
{p90:.3f}ms, {p95:.3f}ms, {p99:.3f}ms, {high:.3f}ms
Bytes In      [total, mean]                     {received}, 12.00
Bytes Out     [total, mean]                     0, 0.00
Success       [ratio]                           100.00%
Status Codes  [code:count]                      200:{requests}
Error Set:
"""


def report(rng: np.random.Generator, *, rate: float, slower: float) -> str:
    """What vegeta prints after 30 s at a rate, of a server that varies by 2 % from run to run."""
    middle = 11.0 * slower * float(np.exp(rng.normal(0, 0.02)))
    tail = middle * 2.1 * float(np.exp(rng.normal(0, 0.05)))
    requests = int(30 * rate)
    attack = (requests - 1) / rate
    wait = middle
    return REPORT.format(
        requests=requests,
        rate=rate + rng.normal(0, 0.01),
        throughput=requests / (attack + wait / 1000),
        total=attack + wait / 1000,
        attack=attack,
        wait=wait,
        low=0.8 * middle,
        mean=1.05 * middle,
        p50=middle,
        p90=1.3 * middle,
        p95=1.5 * middle,
        p99=tail,
        high=1.4 * tail,
        received=12 * requests,
    )


def folder(
    path: Path,
    *,
    repeats: int,
    rates: tuple[float, float] = (300, 300),
    slower: float = 1.1,
    seed: int = 1,
) -> Results:
    """Two variants, a1 and b10, a folder each with a report per repeat."""
    rng = np.random.default_rng(seed)
    for name, rate, by in (("a1", rates[0], 1.0), ("b10", rates[1], slower)):
        (path / name).mkdir(parents=True, exist_ok=True)
        for repeat in range(repeats):
            text = report(rng, rate=rate, slower=by)
            (path / name / f"{repeat + 1}.txt").write_text(text, encoding="utf-8")
    return benchkit.load(path)


def verdicts(comparison: Comparison) -> dict[str, str]:
    return {effect.metric.name: effect.verdict for effect in comparison.effects}


@pytest.mark.parametrize("repeats", [4, 5])
@pytest.mark.parametrize("seed", range(10))
def test_a_server_that_is_10_per_cent_slower_is_never_the_same(
    repeats: int, seed: int, tmp_path: Path
) -> None:
    """Once the generator's own rate was tested, and found to be the same in all of 4 repeats."""
    comparison = compared(folder(tmp_path, repeats=repeats, seed=seed))
    answers = verdicts(comparison)
    assert answers["throughput"] == "not-tested"
    assert "same" not in answers.values()
    assert comparison.effect("b10", "latency_p50_s") is not None
    if repeats == 4:
        assert comparison.grade.words == "Few runs"


def test_with_five_repeats_it_is_slower(tmp_path: Path) -> None:
    comparison = compared(folder(tmp_path, repeats=5))
    assert verdicts(comparison)["p50"] == "slower"
    assert comparison.grade.words == "Established"


def test_a_server_that_is_the_same_is_the_same_by_its_latencies(tmp_path: Path) -> None:
    comparison = compared(folder(tmp_path, repeats=30, slower=1.0))
    assert verdicts(comparison)["throughput"] == "not-tested"
    assert verdicts(comparison)["p50"] in {"same", "inconclusive"}


def test_the_order_is_not_that_of_the_rate_that_was_set(tmp_path: Path) -> None:
    """299.7, 299.7 and 299.6 req/s order nobody."""
    comparison = compared(folder(tmp_path, repeats=5, slower=0.7))
    assert comparison.rank_metric is not None
    assert comparison.rank_metric.name == "p99"
    assert [variant.label for variant in comparison.variants] == ["b10", "a1"]


def test_runs_sent_at_320_and_400_per_second_have_no_verdict(tmp_path: Path) -> None:
    """Once: "B is slower: throughput is 1.25× lower [established]"."""
    runs = folder(tmp_path, repeats=6, rates=(400, 320), slower=1.3)
    comparison = compared(runs)
    assert not DECIDED & set(verdicts(comparison).values())
    assert "Established" not in comparison.grade.words
    p50 = comparison.effect("b10", "latency_p50_s")
    assert p50 is not None
    assert "rate" in plain(p50.reason)
