"""proxy-http-impl: what its profiles cover, and the scenario run for real, as short as it goes."""

import json
import os
from pathlib import Path

import pytest

import benchkit
from benchkit.scenarios.declaration import find
from benchkit.scenarios.matrix import Wishes, plan

from .conftest import within
from .test_for_real import measured, planned, value

NAME = "proxy-http-impl"
#: Inherited by every process of a run.
MARK = "BENCHKIT_TEST_MARK"


@pytest.mark.parametrize("profile", ["quick", "full"])
def test_every_curve_has_the_levels_of_a_sweep(profile: str) -> None:
    cells = plan(find(NAME), Wishes(profile=profile)).cells
    curves: dict[tuple[object, ...], list[object]] = {}
    for cell in cells:
        rest = dict(cell.params)
        level = rest.pop("concurrency")
        curves.setdefault((cell.variant, *rest.values()), []).append(level)
    assert all(len(levels) >= 3 for levels in curves.values())
    both = [{key[1:] for key in curves if key[0] == each} for each in ("nethttp", "fasthttp")]
    assert both[0] == both[1]


def marked(text: str) -> list[str]:
    """Command lines of the processes whose environment has the mark."""
    matches = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if path.name != str(os.getpid()) and text.encode() in (path / "environ").read_bytes():
                matches.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return matches


@pytest.mark.slow
@pytest.mark.parametrize("keepalive", ["true", "false"])
def test_connections_are_kept_or_not_as_declared(
    keepalive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Single short runs say nothing of the speed; that is for the comparison."""
    monkeypatch.setenv(MARK, str(tmp_path))
    wanted = [f"keepalive={keepalive}", "sleep=0", "cpus=all", "concurrency=10"]
    runs = measured(planned(NAME, *wanted, "duration=1", "warm_up=100"), tmp_path)
    assert {run["variant"] for run in runs} == {"nethttp", "fasthttp"}
    assert {run["keepalive"] for run in runs} == {keepalive == "true"}
    assert {run["success_ratio"] for run in runs} == {1.0}
    # ab counts what it has read of responses that its time limit cuts off, too.
    assert all(0 <= run["body_bytes"] - 3000 * run["requests"] <= 10 * 3000 for run in runs)
    results = benchkit.load(tmp_path)
    assert set(results.resources["process"]) == {"ab", "backend", "proxy"}
    # The percentiles with decimals are there, and small enough to be kept.
    assert (results.quantiles.groupby("run_id").size() >= 100).all()
    assert all(size(folder) <= 12_000 for folder in tmp_path.glob("*/*/1"))
    assert within(5, lambda: not marked(f"{MARK}={tmp_path}")), marked(f"{MARK}={tmp_path}")


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.slow
def test_a_backend_that_sleeps_bounds_the_latency_from_below(tmp_path: Path) -> None:
    wanted = ["keepalive=true", "sleep=100", "cpus=all", "concurrency=500", "keep_requests=true"]
    runs = measured(planned(NAME, *wanted, "duration=1", "warm_up=1"), tmp_path)
    assert min(value(runs, each, "latency_min_s") for each in ("nethttp", "fasthttp")) >= 0.1
    assert len(list(tmp_path.glob("*/*/1/requests.tsv*"))) == 2


@pytest.mark.slow
def test_the_proxy_has_processors_of_its_own(tmp_path: Path) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor cannot be divided")
    wanted = ["keepalive=true", "sleep=0", "cpus=1", "concurrency=10"]
    runs = measured(planned(NAME, *wanted, "duration=1", "warm_up=100"), tmp_path)
    last = max(os.sched_getaffinity(0))
    for path in tmp_path.glob("*/*/1/meta.json"):
        commands = json.loads(path.read_text(encoding="utf-8"))["commands"]
        proxy = next(each["command"] for each in commands if each["name"] == "proxy")
        assert proxy.startswith(f"taskset -c {last} ")
    frame = benchkit.load(tmp_path).resources
    # Samples a fifth of a second apart leave some room above one processor.
    assert frame[frame["process"] == "proxy"]["cpu_ratio"].mean() < 1.2
    assert {run["connections"] for run in runs} == {10}
