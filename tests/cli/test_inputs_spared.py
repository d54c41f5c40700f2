"""No command writes over what it reads, whichever way the output is named."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Benchkit

COMMANDS = [
    ["report", "--format", "html", "-o"],
    ["report", "--format", "markdown", "-o"],
    ["export", "--format", "csv", "-o"],
    ["export", "--format", "json", "-o"],
    ["export", "--format", "parquet", "-o"],
    ["compare", "--format", "table", "-o"],
    ["compare", "--format", "csv", "-o"],
    ["plot", "-o"],
]


@pytest.fixture
def results(tmp_path: Path, data: Path) -> Path:
    """Two runs, each beside what describes it, under names that every command writes to."""
    for variant, file in (("a", "latency.txt"), ("b", "slow-some.txt")):
        folder = tmp_path / "results" / "s" / variant / "1"
        folder.mkdir(parents=True)
        shutil.copy(data / "wrk" / file, folder / "run.svg")
        meta = f'{{"scenario": "s", "variant": "{variant}"}}'
        (folder / "meta.json").write_text(meta, encoding="utf-8")
        (folder / "resources.csv").write_text(
            "elapsed_s,process,cpu_ratio,rss_bytes\n1,server,0.5,9\n"
        )
    (tmp_path / "results" / "benchkit.toml").write_text("ignore = []\n", encoding="utf-8")
    return tmp_path / "results"


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def as_it_is(path: Path) -> Path:
    return path


def relative(path: Path) -> Path:
    return path.parent / ".." / path.parent.name / path.name


def linked(path: Path) -> Path:
    link = path.parents[4] / "link.svg"
    link.symlink_to(path)
    return link


def below_a_link(path: Path) -> Path:
    link = path.parents[4] / "link"
    link.symlink_to(path.parent)
    return link / path.name


def hard_linked(path: Path) -> Path:
    link = path.parents[4] / "hard.svg"
    os.link(path, link)
    return link


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("way", [as_it_is, relative, linked, below_a_link, hard_linked])
def test_an_output_is_no_input(
    way: Callable[[Path], Path], command: list[str], results: Path, benchkit: Benchkit
) -> None:
    output = way(results / "s" / "a" / "1" / "run.svg")
    before = contents(results.parent)
    done = benchkit(command[0], results, *command[1:], output)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"benchkit: {output} is one of the inputs, and would be replaced; "
        "name another file to write\n"
    )
    assert contents(results.parent) == before


def test_the_summary_of_a_step_is_no_input(
    results: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = linked(results / "s" / "a" / "1" / "run.svg")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    before = contents(results)
    done = benchkit("check", results)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(
        f"benchkit: the summary {summary}, which GITHUB_STEP_SUMMARY names, is one of the inputs, "
        "and would be added to; name another file there\n"
    )
    assert contents(results) == before


def test_an_input_that_no_path_names_is_one(
    results: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(results)
    before = contents(results)
    assert benchkit("check", "--markdown", "s/a/1/run.svg").status == 2
    assert contents(results) == before


@pytest.mark.parametrize("name", ["s/a/1/meta.json", "s/b/1/resources.csv", "benchkit.toml"])
def test_what_describes_a_run_is_an_input(name: str, results: Path, benchkit: Benchkit) -> None:
    before = contents(results)
    done = benchkit("export", results, "--format", "csv", "-o", results / name)
    assert done.status == 2
    assert "is one of the inputs" in done.err
    assert contents(results) == before


@pytest.mark.parametrize("broken", [b"", b"Running 1s test @ http://h/\n  2 threads and 10 conn"])
def test_what_could_not_be_read_is_an_input(
    broken: bytes, results: Path, benchkit: Benchkit
) -> None:
    file = results / "broken.txt"
    file.write_bytes(broken)
    done = benchkit("export", results / "s", file, "--format", "csv", "-o", file)
    assert done.status == 2
    assert file.read_bytes() == broken


def test_a_copy_and_a_merged_file_are_inputs(results: Path, data: Path, benchkit: Benchkit) -> None:
    copy = results / "copy.txt"
    shutil.copy(data / "wrk" / "latency.txt", copy)
    done = benchkit("export", results, "--format", "csv", "-o", copy)
    assert done.status == 2
    assert copy.read_bytes() == (data / "wrk" / "latency.txt").read_bytes()


def test_standard_input_is_an_input(results: Path) -> None:
    file = results / "s" / "a" / "1" / "run.svg"
    before = file.read_bytes()
    with file.open("rb") as source:
        done = subprocess.run(
            [sys.executable, "-m", "benchkit", "report", "-", "--format", "html", "-o", file],
            stdin=source,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert "is one of the inputs" in done.stderr
    assert file.read_bytes() == before


def test_the_page_that_is_written_unasked_is_none_either(
    results: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(results.parent)
    page = results.parent / "report.html"
    page.symlink_to(results / "s" / "a" / "1" / "run.svg")
    before = contents(results)
    assert benchkit("report", results).status == 2
    assert contents(results) == before


def test_an_earlier_report_among_the_results_is_replaced(results: Path, benchkit: Benchkit) -> None:
    for _ in range(2):
        assert benchkit("report", results, "-o", results / "report.html").status == 0
        assert benchkit("export", results, "-o", results / "runs.csv").status == 0
        assert benchkit("plot", results, "-o", results / "plot.svg").status == 0


# --- stores ---


@pytest.fixture
def hist(results: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store beside the results, in the working folder."""
    monkeypatch.chdir(results.parent)
    assert (
        benchkit("save", results, "--to", "hist", "--commit", "1a", "--branch", "main").status == 0
    )
    for run in results.rglob("run.svg"):
        run.write_bytes(run.read_bytes() + b"\n")  # the runs of now are others
    return results.parent / "hist"


@pytest.mark.parametrize(
    "command",
    [
        ["history", "hist", "--format", "json", "-o"],
        ["report", "hist@main", "--format", "html", "-o"],
        ["report", "results", "--baseline", "hist@main", "--format", "html", "-o"],
        ["export", "before=hist@main", "--format", "csv", "-o"],
        ["compare", "hist@main", "--format", "csv", "-o"],
        ["compare", "results", "--baseline", "hist@main", "--format", "csv", "-o"],
        ["check", "hist@main", "--json"],
        ["check", "results", "--baseline", "hist@main", "--junit"],
    ],
    ids=" ".join,
)
def test_nothing_is_written_in_the_store_that_is_read(
    command: list[str], hist: Path, benchkit: Benchkit
) -> None:
    before = contents(hist.parent)
    (manifest,), tables = hist.glob("manifests/*"), [*hist.glob("data/*")]
    second = hist.parent / "second.parquet"
    os.link(tables[0], second)
    for output in (manifest, tables[0], hist / "manifests/new.json", second):
        done = benchkit(*command, output)
        assert (done.status, done.out) == (2, "")
        assert "is one of the inputs" in done.err
    second.unlink()
    assert contents(hist.parent) == before
    assert benchkit(*command, hist / "page.html").status in {0, 1}


def test_nothing_is_written_in_the_dataset_that_is_read(hist: Path, benchkit: Benchkit) -> None:
    """A new file may be what the next reader takes for its manifest."""
    assert benchkit("ingest", "results", "--to", "ds").status == 0
    before = contents(hist.parent)
    for output in ("ds/manifest-000002.json", "ds/tables/new.json"):
        for command in (
            ["report", "ds", "--format", "markdown", "-o"],
            ["check", "ds", "--json"],
            ["check", "ds", "nonsense", "--json"],
        ):
            assert benchkit(*command, output).status == 2
            assert contents(hist.parent) == before


def test_what_the_project_configures_is_an_input(hist: Path, benchkit: Benchkit) -> None:
    project = hist.parent / "benchkit.toml"
    project.write_text("ignore = []\n", "utf-8")
    done = benchkit("check", "hist@main", "--json", project)
    assert done.status == 2
    assert project.read_text("utf-8") == "ignore = []\n"


# --- where nothing could be looked at ---


@pytest.mark.parametrize(
    ("named", "output"),
    [
        (["x=results"], "results/s/a/1/run.svg"),
        (["results/*/*/*/run.svg"], "results/s/a/1/run.svg"),
        (["results/*/*/*/run.svg"], "results/s/b/1/meta.json"),
        (["results/s/a/1/run.svg"], "results/s/a/1/resources.csv"),
        (["results"], "link"),
        (["hist@main"], "hist/manifests/new.json"),
        (["x=hist@main"], "hist/data/new.json"),
        (["results", "--baseline", "hist@main"], "hist/manifests/new.json"),
        (["file://{here}/hist@main"], "hist/manifests/new.json"),
        (["x=file://{here}/hist@main"], "hist/data/new.json"),
        (["results", "--baseline", "file://{here}/hist@none"], "hist/manifests/new.json"),
        (["file://{here}/results/*/*/*/run.svg"], "results/s/a/1/run.svg"),
        (["file://{here}/results/s/a/1/run.svg"], "results/s/a/1/meta.json"),
        (["file://{here}/results"], "link"),
    ],
)
def test_what_may_be_an_input_stays_where_a_rule_is_none(
    named: list[str], output: str, hist: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = hist.parent / "link"
    (hist.parent / "results/s/a/1/run.svg").rename(outside)
    (hist.parent / "results/s/a/1/run.svg").symlink_to(outside)
    before = contents(hist.parent)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", output)
    named = [text.replace("{here}", hist.parent.as_posix()) for text in named]
    assert benchkit("check", *named, "--require", "bogus", "--json", output).status == 2
    assert contents(hist.parent) == before


def test_an_earlier_answer_is_replaced_where_a_rule_is_none(hist: Path, benchkit: Benchkit) -> None:
    answer = hist.parent / "answer.json"
    long = f"{'x' * 300}@v1"  # longer than a name of a file may be
    for named in ("results", "x=results", "results/*/*/*/run.svg", "hist@main", long):
        answer.write_text("{}", "utf-8")
        assert benchkit("check", named, "--require", "bogus", "--json", answer).status == 2
        assert "bogus" in answer.read_text("utf-8")
