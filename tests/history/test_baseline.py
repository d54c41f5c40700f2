"""`--baseline STORE@NAME`: what was saved stands beside the runs; what sets it apart is told."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from .conftest import Command, report

HERE = {"cpu": "here", "architecture": "x86_64", "cores": 8}


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("benchkit.scenarios.environment.environment", lambda: HERE)


def measured(folder: Path, factors: Mapping[str, float], seed: str = "1") -> Path:
    """Eight runs of each variant, which do not say where they were made."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for variant, factor in factors.items():
        (folder / variant).mkdir(parents=True)
        for n in range(1, 9):
            text = report(rng, factor)
            (folder / variant / f"{n}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def store(tmp_path: Path, command: Command) -> Path:
    before = measured(tmp_path / "before", {"go": 1.0, "rust": 1.0}, "0")
    done = command("save", before, "--to", "H", "--commit", "c0", "--branch", "main")
    assert done.status == 0
    return Path("H")


@pytest.fixture
def now(tmp_path: Path) -> Path:
    return measured(tmp_path / "now", {"go": 1.2, "rust": 1.0})


def edited(store: Path, **changed: Any) -> None:  # noqa: ANN401 - values of JSON
    """Change what the manifest of the only save says."""
    (path,) = (store / "manifests").iterdir()
    content = json.loads(path.read_text("utf-8"))
    content["saves"][0] |= changed
    path.write_text(json.dumps(content), "utf-8")


SLOWER = ("--require", "go: throughput>-5%")


def checked(command: Command, now: Path, store: Path) -> tuple[int, Mapping[str, Any], str]:
    """The status of a check, its JSON, and what it prints, on one line."""
    call = ("check", now, "--baseline", f"{store}@main", *SLOWER)
    done = command(*call)
    return (
        done.status,
        json.loads(command(*call, "--format", "json").out),
        " ".join(done.out.split()),
    )


def test_saved_on_this_machine_a_rule_is_decided(command: Command, now: Path, store: Path) -> None:
    status, content, _ = checked(command, now, store)
    assert (status, content["rules"][0]["verdict"], content["remarks"]) == (1, "failed", [])


def test_another_machine_leaves_rules_on_changes_open(
    command: Command, now: Path, store: Path, tmp_path: Path
) -> None:
    edited(store, machine={"cpu": "other", "architecture": "x86_64", "cores": 64})
    status, content, printed = checked(command, now, store)
    (rule,) = content["rules"]
    assert (status, rule["verdict"]) == (0, "inconclusive")
    assert rule["reason"] == "the variants ran on different machines"
    differing = [f for f in content["findings"] if f["check"] == "ENVIRONMENT_DIFFERS"]
    assert {f["severity"] for f in differing} == {"warning"}  # nothing is wrong with these runs
    assert f"Processor: other in “go ({store}@main)”; here in go" in differing[0]["message"]
    (state,) = (c["state"] for c in content["checks"] if c["check"] == "ENVIRONMENT_DIFFERS")
    assert state == "raised"
    assert "Processor cores: 64 in “go" in printed
    page = tmp_path / "page.html"
    command("check", now, "--baseline", f"{store}@main", *SLOWER, "--report", page)
    assert "the variants ran on different machines" in page.read_text("utf-8")


def test_what_the_runs_say_of_their_machine_goes_before_where_they_were_saved(
    command: Command, now: Path, store: Path
) -> None:
    edited(store, machine={"cpu": "other", "architecture": "x86_64", "cores": 8})
    (now / "go" / "meta.json").write_text('{"environment": {"cpu": "other"}}', "utf-8")
    assert checked(command, now, store)[1]["rules"][0]["verdict"] == "failed"


@pytest.mark.parametrize(
    ("changed", "remark"),
    [
        ({"benchkit": "9.9.9"}, "@main was read by benchkit 9.9.9, these runs by 0.1.0"),
        ({"saved_at": "2099-01-01T00:00:00Z"}, "@main says that it was saved on 2099-01-01"),
    ],
)
def test_another_version_or_a_wrong_clock_is_told_and_decides_nothing(
    command: Command, now: Path, store: Path, changed: Mapping[str, Any], remark: str
) -> None:
    edited(store, **changed)
    status, content, printed = checked(command, now, store)
    assert (status, content["rules"][0]["verdict"]) == (1, "failed")
    assert remark in printed
    assert remark in content["remarks"][0]


def test_another_version_of_the_generator_is_told(
    command: Command, now: Path, store: Path, tmp_path: Path
) -> None:
    for folder, version in ((tmp_path / "before", "4.1"), (now, "4.2")):
        (folder / "go" / "meta.json").write_text(f'{{"tool_version": "{version}"}}', "utf-8")
    command("save", tmp_path / "before", "--to", store, "--commit", "c1", "--branch", "later")
    call = ("check", now, "--baseline", f"{store}@later", *SLOWER)
    done = command(*call)
    assert done.status == 1
    assert "Version of the generator: 4.1 in “go" in " ".join(done.out.split())


def test_saves_of_two_machines_are_not_compared(command: Command, now: Path, store: Path) -> None:
    edited(store, machine={"cpu": "other", "architecture": "x86_64", "cores": 64})
    command("save", now, "--to", store, "--commit", "c1", "--branch", "main")
    sides = (f"before={store}@c0", f"after={store}@c1")
    done = command("compare", *sides, "--variant", "go", "--format", "json")
    assert "established" not in done.out
    (row,) = (r for r in json.loads(done.out) if r["metric"] == "throughput")
    assert row["reason"] == "the variants ran on different machines"
    assert row["verdict"] == "inconclusive"


# --- in every command ---


@pytest.mark.parametrize("name", ["compare", "show"])
def test_each_variant_stands_beside_what_was_saved_of_it(
    command: Command, now: Path, store: Path, name: str
) -> None:
    done = command(name, now, "--baseline", f"{store}@main")
    assert done.status == 0
    text = " ".join(done.out.split())
    assert f"go is slower than “go ({store}@main)”" in text
    assert f"No throughput difference of rust from “rust ({store}@main)” was shown" in text
    assert "rust from go" not in text


def test_a_report_has_the_saved_runs_as_the_baseline(
    command: Command, now: Path, store: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    call = ("report", now, "--variant", "go", "--baseline", f"{store}@main", "-o", page)
    assert command(*call).status == 0
    assert f"go is slower than “go ({store}@main)”" in page.read_text("utf-8")


def test_a_variant_that_was_never_saved_is_left_out_and_told(
    command: Command, now: Path, store: Path
) -> None:
    measured(now, {"zig": 1.0})
    done = command("compare", now, "--baseline", f"{store}@main")
    assert f"{store}@main has no run of zig, which is left out" in done.err
    assert "zig" not in done.out


def test_a_plan_says_what_to_write(command: Command, now: Path, store: Path) -> None:
    done = command("plan", now, "--baseline", f"{store}@main")
    assert (done.status, done.out) == (2, "")
    assert "name one of their variants, or plan from saved runs" in done.err
    assert command("plan", f"{store}@main", "--baseline", "go").status == 0


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("name", ["show", "compare", "report", "plan"])
@pytest.mark.parametrize("baseline", ["H@main", "gone@main", "H@nobody"])
def test_of_the_configuration_it_breaks_no_command(
    command: Command, name: str, baseline: str
) -> None:
    """The runs are those that were saved, or nothing was: it is left out, and that is said."""
    Path("benchkit.toml").write_text(f'baseline = "{baseline}"\n', "utf-8")
    done = command(name, "before")
    assert done.status == 0, done.err
    assert ("the configured baseline is left out" in done.err) == (name != "plan")
    assert command(name, "before", "--baseline", "no@thing").status == 2


def test_it_is_obeyed_where_it_makes_sense(
    command: Command, now: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHKIT_BASELINE", f"{store}@main")
    assert "go is slower than" in command("compare", now).out


def test_a_configured_store_lies_beside_the_file_that_names_it(
    store: Path, now: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "benchkit.toml").write_text(f'baseline = "{store}@main"\n', encoding="utf-8")
    top = command("check", now, *SLOWER)
    assert top.status == 1  # a fifth slower
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert command("check", now, *SLOWER).status == 1
