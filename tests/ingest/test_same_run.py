"""Whatever a tool writes of one run, in however many files at once: it is read as one run."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchkit
from tests.outputs import DATA

#: What is not known for one run, and why.
KNOWN_APART = {
    "hdrhistogram/python": "whose unit nothing says",
    "jmeter/dashboard": "the page counts the parts of redirects as samples of their own",
    "jmeter/transactions-parent": "the console counts no sample that has others within",
}

#: Of files that have several runs, how many.
SEVERAL = {"siege/log": 2}


def written_together() -> Iterator[tuple[str, list[Path]]]:
    """Yield the files of data that one command wrote."""
    by_command: defaultdict[tuple[Path, str], list[Path]] = defaultdict(list)
    for command in sorted(DATA.glob("*/*.cmd")):
        text = command.read_text().split("# tool")[0]
        by_command[command.parent, text].append(command.with_suffix(""))
    for (folder, _), files in by_command.items():
        if len(files) > 1:
            yield f"{folder.name}/{files[0].name.split('.')[0].split('_')[0]}", files


@pytest.mark.parametrize(
    "files", [pytest.param(files, id=name) for name, files in written_together()]
)
def test_files_that_one_command_wrote_have_the_same_runs(
    files: list[Path], request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.id
    why, several = KNOWN_APART.get(name), SEVERAL.get(name, 1)
    runs = benchkit.load(files).runs
    assert (len(runs) > several) == bool(why), why


def test_the_folder_of_a_report_is_one_run(tmp_path: Path) -> None:
    """As Gatling lays it out, with parts of its page in the folder `js`."""
    for name, name_there in (
        ("3.11.log", "simulation.log"),
        ("3.11.stats.json", "js/stats.json"),
        ("3.11.global_stats.json", "js/global_stats.json"),
        ("3.11.stats.js", "js/stats.js"),
    ):
        file = tmp_path / "basicsim-20261122" / name_there
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DATA / "gatling" / name, file)
    runs = benchkit.load(tmp_path).runs
    assert len(runs) == 1
    assert runs["variant"].tolist() == ["basicsim"]


@pytest.mark.parametrize("name", ["plain", "slow", "stall", "interrupted", "refused"])
def test_what_locust_wrote_before_the_end_adds_no_run_and_no_figure(
    name: str, tmp_path: Path
) -> None:
    """Its CSV files have the figures of some seconds before it ends."""
    shutil.copy(DATA / "locust" / f"{name}.txt", tmp_path / "out.txt")
    alone = benchkit.load(tmp_path).runs
    shutil.copy(DATA / "locust" / f"{name}_stats.csv", tmp_path / "out_stats.csv")
    results = benchkit.load(tmp_path)
    columns = ["requests", "errors", "latency_mean_s", "latency_p99_s", "throughput_rps"]
    assert results.runs[columns].equals(alone[columns])
    messages = results.files.set_index("source")["message"]
    assert [m for f, m in messages.items() if str(f).endswith("_stats.csv")] == [
        f"the same run as {tmp_path}/out.txt, before its end"
    ]


def test_a_file_with_more_requests_is_another_run(tmp_path: Path) -> None:
    """The CSV files of a long run beside the console of a short one."""
    shutil.copy(DATA / "locust" / "refused.txt", tmp_path / "out.txt")
    shutil.copy(DATA / "locust" / "plain_stats.csv", tmp_path / "out_stats.csv")
    assert len(benchkit.load(tmp_path).runs) == 2


def test_a_short_run_that_is_quoted_in_a_page_is_one_run(tmp_path: Path) -> None:
    for report in ("hey/1.txt", "ab/keepalive.txt"):
        text = (DATA / report).read_text()
        folder = tmp_path / report.replace("/", "-")
        folder.mkdir()
        (folder / "nginx.txt").write_text(text)
        (folder / "README.md").write_text(f"# Results\n\n```\n{text}```\n")
        assert len(benchkit.load(folder).runs) == 1, report


@pytest.mark.parametrize(
    ("console", "csv"),
    [
        (("slow.txt", "out.txt"), ("refused_stats.csv", "out_stats.csv")),  # other endpoints
        (("plain.txt", "out.txt"), ("zero_stats.csv", "out_stats.csv")),  # no request at all
        (("plain.txt", "users100.txt"), ("plain_stats.csv", "stats.csv")),  # another name
    ],
)
def test_what_is_no_begin_of_a_run_is_another(
    console: tuple[str, str], csv: tuple[str, str], tmp_path: Path
) -> None:
    for name, target in (console, csv):
        shutil.copy(DATA / "locust" / name, tmp_path / target)
    assert len(benchkit.load(tmp_path).runs) == 2
