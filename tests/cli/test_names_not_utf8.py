"""File names that are no UTF-8 work in every command, as they do in a shell."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from .conftest import Benchkit

NAME = os.fsdecode(b"caf\xe9")

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems have no such names"
)


@pytest.fixture
def folder(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scenario whose every name holds a byte that is no UTF-8, as the working folder."""
    top = tmp_path / NAME
    for variant, file in (("a", "wrk/latency.txt"), (NAME, "vegeta/ok.gob")):
        run = top / variant / "1"
        run.mkdir(parents=True)
        shutil.copy(data / file, run / f"{NAME}.bin")
        (run / "resources.csv").write_text("elapsed_s,process,rss_bytes\n1,server,100\n")
    monkeypatch.chdir(tmp_path)
    return Path(NAME)


@pytest.mark.parametrize(
    "arguments",
    [
        *(["show", "--format", form] for form in ("table", "markdown", "csv", "json")),
        *(["compare", "--format", form] for form in ("table", "markdown", "csv", "json")),
        *(["check", "--format", form] for form in ("table", "markdown", "json")),
        *(["files", "--format", form] for form in ("table", "markdown", "csv", "json")),
        ["report", "-o", f"{NAME}.html"],
        ["report", "--title", NAME, "--format", "markdown"],
        ["report", "--title", NAME, "-o", f"{NAME}.html"],
        *(["export", "--format", form, "-o", f"{NAME}.out"] for form in ("csv", "json", "parquet")),
        ["export", "--table", "requests"],
        ["compare", "-o", f"{NAME}.txt"],
        ["plot", "-o", f"{NAME}.svg"],
        ["plot", "-o", f"{NAME}.png"],
        ["plot", "-o", f"{NAME}.html"],
        ["show", "--ignore", f"{NAME}.bin"],
        ["show", "--baseline", "a"],
    ],
    ids=ascii,
)
def test_such_names_are_read_and_written(
    arguments: list[str], folder: Path, benchkit: Benchkit
) -> None:
    if arguments[0] == "show" and "--ignore" in arguments:
        shutil.copy(folder / "a" / "1" / f"{NAME}.bin", folder / "kept.txt")
    done = benchkit(arguments[0], folder, *arguments[1:])
    assert done.status in ({0, 1} if arguments[0] == "check" else {0}), done.err
    done.raw.decode("utf-8")
    if "-o" in arguments:
        assert (folder.parent / arguments[arguments.index("-o") + 1]).stat().st_size > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", NAME + "-missing"],
        ["show", f"{NAME}=missing"],
        ["show", NAME, "--baseline", NAME + "x"],
        ["show", NAME, "--variant", NAME + "x"],
        ["show", NAME, "--scenario", NAME + "x"],
        ["show", NAME, "--sort", NAME],
        ["show", NAME, "--margin", NAME],
        ["show", NAME, "--names", NAME],
        ["show", NAME, "--ignore", f"*{NAME}-nothing"],
        ["show", f"{NAME}/*.nothing"],
        ["compare", NAME, "--metric", NAME],
        ["compare", NAME, "--slo", NAME],
        ["export", NAME, "--table", NAME],
        ["export", NAME, "--format", NAME],
        ["export", NAME, "-o", f"{NAME}-no/x.csv"],
        ["export", NAME, "-o", f"{NAME}/a/1/{NAME}.bin"],
        ["plot", NAME, "-o", f"{NAME}.gif"],
        ["plot", NAME, "-o", "x.svg", "--kind", NAME],
        ["doctor", NAME],
        ["run", NAME],
        ["run", "quickstart", "--set", f"seconds={NAME}"],
        ["run", "quickstart", "--set", NAME],
        ["run", "quickstart", "--variant", NAME],
        ["record", "-o", f"{NAME}/new", "--sample", NAME, "--", "true"],
        ["record", "-o", NAME, "--", "true"],
        [NAME],
    ],
    ids=ascii,
)
def test_what_is_wrong_is_said_in_a_line(
    arguments: list[str], folder: Path, benchkit: Benchkit
) -> None:
    assert folder.is_dir()
    done = benchkit(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("benchkit: ")
    assert done.err.count("\n") == 1


def test_such_a_run_is_recorded_and_read(folder: Path, data: Path, benchkit: Benchkit) -> None:
    shutil.copy(data / "wrk" / "plain.txt", folder / f"{NAME}.txt")
    command = ["cat", folder / f"{NAME}.txt"]
    run = folder / NAME / NAME / "3"
    assert benchkit("record", "-q", "-o", run, "--label", NAME, "--", *command).status == 0
    meta = json.loads((run / "meta.json").read_text("utf-8"))
    assert meta["command"] == f"cat '{NAME}/{NAME}.txt'"
    assert meta["variant"] == NAME
    assert (run / "output.txt").read_bytes() == (data / "wrk" / "plain.txt").read_bytes()
    assert benchkit("show", run).status == 0


def test_a_program_that_is_not_there_is_recorded_as_such(folder: Path, benchkit: Benchkit) -> None:
    run = folder / "new"
    assert benchkit("record", "-q", "-o", run, "--", f"./{NAME}-program").status == 127
    assert json.loads((run / "meta.json").read_text("utf-8"))["exit_status"] == 127
    assert b"No such file" in (run / "stderr.txt").read_bytes()
