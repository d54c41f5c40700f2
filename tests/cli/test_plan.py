"""`benchkit plan` in each of its forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

QUICKSTART = Path(__file__).resolve().parents[2] / "examples" / "results" / "quickstart"
Benchkit = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("read_once")
JSON = ("--format", "json")


def test_the_table_ends_with_what_it_takes(benchkit: Benchkit) -> None:
    done = benchkit("plan", QUICKSTART)
    assert (done.status, done.err) == (0, "")
    lines = done.out.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert lines[0] == "quickstart: to find 5 % in 80 % of experiments"
    assert lines[1].split() == [
        *("metric", "variant", "runs", "spread", "within", "a", "run", "repeats", "minutes")
    ]
    assert [line.split()[0] for line in lines[2:5]] == ["throughput", "p50", "p99"]
    assert "repeats of 4 runs each find it in every metric:" in " ".join(lines)
    assert max(map(len, lines)) <= 80


def test_json_has_what_the_table_has_in_base_units(benchkit: Benchkit) -> None:
    records = json.loads(benchkit("plan", QUICKSTART, "--format", "json").out)
    compared = json.loads(benchkit("compare", QUICKSTART, "--format", "json").out)
    more = {
        (row["variant"], row["metric"]): row["runs"] + row["more_runs"]
        for row in compared
        if row["verdict"] == "inconclusive" and "to find a difference of" in row["reason"]
    }
    for record in records:
        assert record["minutes"] == pytest.approx(record["repeats"] * record["block_s"] / 60)
        key = record["variant"], record["metric"]
        assert record["repeats"] == more.get(key, record["repeats"])


def test_markdown_has_a_table(benchkit: Benchkit) -> None:
    out = benchkit("plan", QUICKSTART, "--format", "markdown").out
    assert out.startswith("### quickstart: to find 5")
    assert "|---|---|--:|--:|--:|--:|--:|" in out


def test_of_one_variant_it_says_what_a_second_one_like_it_takes(benchkit: Benchkit) -> None:
    done = benchkit("plan", QUICKSTART, "--variant", "threads")
    text = " ".join(done.out.split())
    assert "A second variant is missing; what follows takes it to vary as this one does." in text
    assert "repeats of 2 runs each find it in every metric" in text
    assert "Nothing here" not in text
    records = json.loads(benchkit("plan", QUICKSTART, "--variant", "threads", *JSON).out)
    assert [record["metric"] for record in records] == ["throughput", "p50", "p99"]
    assert {record["baseline"] for record in records} == {None}
    spread = {record["metric"]: record["spread"] for record in records}
    assert spread["p99"] > spread["p50"] > 0
    assert records[2]["repeats"] > records[1]["repeats"]


def test_of_one_run_it_says_that_the_spread_is_not_known(benchkit: Benchkit) -> None:
    done = benchkit("plan", QUICKSTART / "threads" / "1")
    text = " ".join(done.out.split())
    assert "A second variant is missing" in text
    assert "throughput, p50 and p99: one run of each: no run-to-run spread is known" in text
    assert "repeats of" not in text


@pytest.mark.parametrize("variants", [("a",), ("a", "b")])
def test_metrics_that_are_not_tested_are_named(
    benchkit: Benchkit, data: Path, tmp_path: Path, variants: tuple[str, ...]
) -> None:
    """wrk adds samples to its percentiles without --latency's histogram: throughput remains."""
    text = (data / "wrk" / "latency.txt").read_text("utf-8")
    (rate,) = (line for line in text.splitlines() if line.startswith("Requests/sec"))
    for name in variants:
        for n in range(1, 6):
            (tmp_path / f"{name}_{n}.txt").write_text(
                text.replace(rate, f"Requests/sec: {2000 + 10 * n:.2f}"), "utf-8"
            )
    out = " ".join(benchkit("plan", tmp_path).out.split())
    assert "each find it in throughput" in out
    assert "p50 and p99: described, not tested: the tool added samples" in out
    assert "every metric" not in out


def test_a_smaller_difference_takes_more(benchkit: Benchkit) -> None:
    def repeats(*options: str) -> int:
        records = json.loads(benchkit("plan", QUICKSTART, *options, "--format", "json").out)
        return int(max(record["repeats"] for record in records))

    assert repeats("--effect", "1%") > repeats() > repeats("--effect", "20%")
    assert repeats("--power", "95%") > repeats("--power", "50%")
    assert repeats("--looks", "5") > repeats()


@pytest.mark.parametrize(
    ("option", "text"),
    [
        *(("--power", text) for text in ("100%", "0%", "-5%", "0.8")),
        *(("--effect", text) for text in ("none", "5", "0.05")),  # 5 % or 500 %?
    ],
)
def test_what_makes_no_sense_is_one_line(benchkit: Benchkit, option: str, text: str) -> None:
    done = benchkit("plan", QUICKSTART, option, text)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"benchkit: {option} {text}")
    assert done.err.count("\n") == 1
