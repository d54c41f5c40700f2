import json
import sys
from pathlib import Path

import pytest

from benchkit.cli.guard import run
from benchkit.scenarios import folders
from benchkit.scenarios.declaration import Scenario

Capture = pytest.CaptureFixture[str]


def test_scenarios_lists_each_with_what_it_compares(capfd: Capture) -> None:
    assert run(["scenarios"]) == 0
    out = capfd.readouterr().out
    assert "quickstart\n  What does it cost a server" in out
    assert "variants: blocking, asyncio, threads" in out
    assert "params: sink file, null" in out
    assert "quick about" in out


def test_doctor_says_what_is_there(toy: Scenario, capfd: Capture) -> None:
    assert run(["doctor", str(toy.folder)]) == 0
    assert capfd.readouterr().out.splitlines()[0] == "toy: ready"


def test_doctor_says_what_is_missing_and_what_installs_it(
    toy: Scenario, tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = (toy.folder / "scenario.toml").read_text(encoding="utf-8")
    declared = declared.replace("needs = []", 'needs = ["postgres >= 99", "bash >= 99"]')
    declared = declared.replace('tools = ["ab"]', 'tools = ["autocannon", "vegeta"]')
    declared += '\n[variant_needs]\nbroken = ["linkerd"]\n'
    (toy.folder / "scenario.toml").write_text(declared, encoding="utf-8")
    monkeypatch.delenv("LINKERD_JAR", raising=False)
    for folder in ("bash", "setpriv"):
        (tmp_path / "bin" / folder).symlink_to(f"/usr/bin/{folder}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert run(["doctor", str(toy.folder)]) == 1
    out = capfd.readouterr().out
    assert out.startswith("toy: not ready\n")
    assert "  missing  bash >= 99: version " in out
    assert "is too old" in out
    assert "  missing  postgres >= 99: " in out
    assert "one of these load generators:\n    missing  autocannon: not found; npm install" in out
    assert "https://github.com/tsenart/vegeta/releases" in out
    assert "for the variant broken" in out


def test_run_tells_each_run_and_how_long_it_takes(
    toy: Scenario, tmp_path: Path, capfd: Capture
) -> None:
    results = tmp_path / "results"
    options = ["--repeats", "1", "--set", "size=1", "--aa", "--seed", "7", "-o", str(results)]
    assert run(["run", str(toy.folder), *options]) == 1
    captured = capfd.readouterr()
    shown = captured.out.replace("\u00a0", " ")
    assert "3 runs (3 cells, 1 repeat), about 5 s after the build" in shown
    assert "building toy" in captured.out
    assert "plain (size=1) (second copy) #1" in captured.out
    assert captured.err == "benchkit: failed: broken (size=1) #1: no broken today\n"
    content = json.loads((results / "toy" / "run-set.json").read_text(encoding="utf-8"))
    assert content["seed"] == 7
    assert run(["run", str(toy.folder), *options, "--variant", "plain"]) == 0
    assert "0\u00a0runs made, 2 were there" in capfd.readouterr().out


def test_results_that_cannot_lie_where_they_should(
    toy: Scenario, tmp_path: Path, capfd: Capture
) -> None:
    (tmp_path / "results").touch()
    options = ["--repeats", "1", "--set", "size=1", "-o", str(tmp_path / "results")]
    assert run(["run", str(toy.folder), *options]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"benchkit: cannot make {tmp_path / 'results'}: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nothing"], "no scenario 'nothing'"),
        (["run", "quickstart", "--profile", "slow"], "no profile 'slow'"),
        (["run", "quickstart", "--variant", "x"], "no variant 'x'"),
        (["run", "quickstart", "--set", "x=1"], "write NAME=VALUE; the names are"),
        (["run", "quickstart", "--until", "soon"], "write for example ±3% or p99:±5%"),
        (["run", "quickstart", "--until", "p42:3%"], "no metric 'p42'"),
        (["run", "quickstart", "--most-repeats", "9"], "--most-repeats bounds --until"),
        (["run", "quickstart", "--until", "3%", "--repeats", "9"], "give --most-repeats"),
        (["run", "quickstart", "--until", "3%", "--most-repeats", "5"], "at least 6"),
        (["run", "quickstart", "--until", "3%", "--variant", "blocking"], "there is one alone"),
        (["doctor", "nothing"], "no scenario 'nothing'"),
    ],
)
def test_2_on_wrong_use_with_one_line(
    arguments: list[str], message: str, *, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert run(arguments) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_an_interruption_says_that_the_same_command_goes_on(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("benchkit.scenarios.runner.execute", interrupted)
    assert run(["run", "quickstart", "--until", "3%", "-o", str(tmp_path)]) == 130
    assert "interrupted: the same command goes on where this one" in capfd.readouterr().err


@pytest.mark.parametrize("command", [["run", "quickstart"], ["doctor"]])
def test_elsewhere_than_on_linux_one_line_says_so(
    command: list[str], tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("benchkit.scenarios.harness.sys.platform", "win32")
    assert run(command) == 2
    assert "scenarios run on Linux only" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_two_at_once_in_one_folder_would_measure_each_other(
    toy: Scenario, tmp_path: Path, capfd: Capture
) -> None:
    results = tmp_path / "results"
    results.mkdir()
    with folders.alone(results):
        assert run(["run", str(toy.folder), "--repeats", "1", "-o", str(results)]) == 2
        assert "another benchkit run is at work" in capfd.readouterr().err
    assert not list(results.iterdir())


def test_a_seed_below_0_is_refused(toy: Scenario, tmp_path: Path) -> None:
    assert run(["run", str(toy.folder), "--seed", "-1", "-o", str(tmp_path / "r")]) == 2
    assert not (tmp_path / "r").exists()
