"""A folder to which a dozen tools have written: each run once, and nothing across meanings."""

from pathlib import Path

import pytest

import benchkit
from benchkit.compare.assess import assess

OUTPUTS = (
    *("ab/keepalive.txt", "bombardier/latencies.txt", "fortio/rate.txt", "gatling/3.11.txt"),
    *("h2load/plain.txt", "hey/plain.txt", "jmeter/plain.txt", "k6/full.txt", "locust/plain.txt"),
    *("oha/mixed.txt", "plow/plain.txt", "siege/text.txt", "vegeta/ok.gob", "wrk/latency.txt"),
)


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    for number, output in enumerate(OUTPUTS):
        source = data / output
        variant = ("gin", "echo")[number % 2]
        (tmp_path / f"{variant}_{source.parent.name}{source.suffix}").write_bytes(
            source.read_bytes()
        )
    return tmp_path


def test_each_tool_has_its_run_once(folder: Path) -> None:
    results = benchkit.load(folder)
    assert sorted(results.runs["tool"]) == [output.partition("/")[0] for output in OUTPUTS]
    assert set(results.files["state"]) == {"read"}


def test_nothing_is_tested_across_tools(folder: Path) -> None:
    comparisons = assess(benchkit.load(folder)).comparisons
    assert all(len({v.runs[0].tool for v in each.variants}) == 1 for each in comparisons)
    effects = [effect for each in comparisons for effect in each.effects]
    assert effects
    for effect in effects:
        assert effect.contrast is None
        assert "the baseline with bombardier: not comparable" in effect.reason


def test_failures_of_one_do_not_hide_that_tools_differ(data: Path, tmp_path: Path) -> None:
    outputs = ("ab/keepalive.txt", "siege/mixed.json", "k6/points.json", "oha/mixed.json")
    for variant, output in zip(("echo", "fiber", "gin", "net"), outputs, strict=True):
        source = data / output
        name = f"{variant}_{source.parent.name}{source.suffix}"
        (tmp_path / name).write_bytes(source.read_bytes())
    comparisons = assess(benchkit.load(tmp_path)).comparisons
    reasons = {each.tool: grade.reasons for each in comparisons for grade in each.grades.values()}
    assert reasons == {
        tool: (f"Measured with {tool}, the baseline with ab: not comparable.",)
        for tool in ("k6", "oha", "siege")
    }
