"""`benchkit plan` in each of its forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

QUICKSTART = Path(__file__).resolve().parents[2] / "examples" / "results" / "quickstart"
Benchkit = Callable[..., Any]


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


def test_a_smaller_difference_takes_more(benchkit: Benchkit) -> None:
    def repeats(*options: str) -> int:
        records = json.loads(benchkit("plan", QUICKSTART, *options, "--format", "json").out)
        return int(max(record["repeats"] for record in records))

    assert repeats("--effect", "1%") > repeats() > repeats("--effect", "20%")
    assert repeats("--power", "95%") > repeats("--power", "50%")
    assert repeats("--looks", "5") > repeats()


@pytest.mark.parametrize(
    ("option", "text"),
    [("--power", "100%"), ("--power", "0%"), ("--effect", "none"), ("--power", "-5%")],
)
def test_what_makes_no_sense_is_one_line(benchkit: Benchkit, option: str, text: str) -> None:
    done = benchkit("plan", QUICKSTART, option, text)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"benchkit: {option} {text}")
    assert done.err.count("\n") == 1
