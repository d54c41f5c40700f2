"""Commands that write files, and the one that lists them."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from benchkit.schema import TABLES

from .conftest import Benchkit

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "html": b"<!doctype html>"}


def test_report_says_where_the_page_is_last(
    messy: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    page = tmp_path / "page.html"
    done = benchkit("report", messy, "-o", page, "--title", "Mine & <yours>")
    assert (done.status, done.out) == (0, f"{page}\n")
    content = page.read_text("utf-8")
    assert "Mine &amp; &lt;yours&gt;" in content
    assert "half.txt" in content


def test_report_as_markdown_goes_to_standard_output(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    run = data / "wrk" / "plain.txt"
    done = benchkit("report", run, "--format", "markdown", "--title", "Mine | yours")
    assert done.out.startswith("# Mine \\| yours\n\n1\u00a0run from 1\u00a0file.\n")
    assert f"    benchkit report {run} --title 'Mine | yours' --format markdown\n" in done.out
    page = tmp_path / "report.md"
    again = benchkit("report", run, "--format", "markdown", "--title", "Mine | yours", "-o", page)
    assert again.out == f"{page}\n"
    assert page.read_text("utf-8").split("\n", 1)[1] == done.out.split("\n", 1)[1]


def test_the_command_on_a_page_keeps_no_secret(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    page = tmp_path / "page.html"
    run = f"http://me:hunter2@host/={data / 'wrk' / 'plain.txt'}"
    benchkit("report", run, "-o", page, "--title", "token=abcdef0123456789abcdef")
    assert "hunter2" not in page.read_text("utf-8")
    assert "abcdef0123456789abcdef" not in page.read_text("utf-8")


def test_report_with_strict_writes_the_page_all_the_same(
    messy: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    done = benchkit("report", messy, "-o", tmp_path / "page.html", "--strict")
    assert done.status == 2
    assert (tmp_path / "page.html").exists()


def test_report_lies_in_this_folder_by_default(
    data: Path, tmp_path: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert benchkit("report", data / "wrk" / "plain.txt").out == "report.html\n"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_report_takes_the_format_from_the_name(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    run = data / "wrk" / "plain.txt"
    markdown = benchkit("report", run, "--format", "markdown").out
    for name in ("report.md", "REPORT.MARKDOWN"):
        assert benchkit("report", run, "-o", tmp_path / name).status == 0
        assert (tmp_path / name).read_text("utf-8") == markdown
    for name in ("report.html", "report.htm", "report"):
        assert benchkit("report", run, "-o", tmp_path / name).status == 0
        assert (tmp_path / name).read_bytes().startswith(b"<!doctype html>")


def test_a_format_that_is_asked_for_wins_over_the_name_of_the_report(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    run = data / "wrk" / "plain.txt"
    benchkit("report", run, "--format", "html", "-o", tmp_path / "page.md")
    benchkit("report", run, "--format", "markdown", "-o", tmp_path / "text.html")
    assert (tmp_path / "page.md").read_bytes().startswith(b"<!doctype html>")
    assert not (tmp_path / "text.html").read_text("utf-8").startswith("<")


@pytest.mark.parametrize("suffix", BEGINNINGS)
@pytest.mark.parametrize("kind", ["percentiles", "ecdf", "histogram", "throughput"])
def test_plot_writes_each_kind_in_each_format(
    kind: str, suffix: str, data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    target = tmp_path / f"figure.{suffix}"
    done = benchkit("plot", data / "vegeta" / "ok.gob", "--kind", kind, "-o", target)
    assert (done.status, done.out, done.err) == (0, f"{target}\n", "")
    assert target.read_bytes().lstrip().startswith(BEGINNINGS[suffix])


def test_plot_says_in_one_line_that_characters_are_missing(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    run = f"変種={data / 'wrk' / 'latency.txt'}"
    done = benchkit("plot", run, "-o", tmp_path / "figure.png")
    assert done.status == 0
    assert done.err.count("\n") <= 1


@pytest.mark.parametrize("name", TABLES)
def test_export_takes_the_format_from_the_name(
    name: str, data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    run = data / "vegeta" / "ok.gob"
    for suffix in ("csv", "json", "parquet"):
        target = tmp_path / f"table.{suffix}"
        done = benchkit("export", run, "--table", name, "-o", target)
        assert (done.status, done.out, done.err) == (0, f"{target}\n", "")
    table = pd.read_parquet(tmp_path / "table.parquet")
    assert list(table.columns) == list(TABLES[name].names)
    assert len(json.loads((tmp_path / "table.json").read_text("utf-8"))) == len(table)
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        assert file.readline() == ",".join(TABLES[name].names) + "\n"


def test_export_writes_runs_as_csv_to_standard_output_by_default(
    data: Path, benchkit: Benchkit
) -> None:
    done = benchkit("export", data / "wrk" / "plain.txt")
    assert done.out.splitlines()[0].startswith("run_id,scenario,variant,params,")
    assert benchkit("export", data / "wrk" / "plain.txt", "-o", "-").out == done.out


def test_export_writes_parquet_into_a_pipe(data: Path) -> None:
    file = str(data / "wrk" / "plain.txt")
    done = subprocess.run(
        [sys.executable, "-m", "benchkit", "export", file, "--format", "parquet"],
        capture_output=True,
        check=True,
    )
    assert pd.read_parquet(io.BytesIO(done.stdout))["tool"].tolist() == ["wrk"]


def test_export_of_requests_says_when_there_are_none(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("export", data / "wrk" / "plain.txt", "--table", "requests")
    assert done.status == 0
    assert "no run here has a row per request" in done.err
    assert done.out.count("\n") == 1


def test_a_selection_is_exported_alone(variants: list[str], benchkit: Benchkit) -> None:
    done = benchkit("export", *variants, "--format", "json", "--variant", "slow")
    assert [record["variant"] for record in json.loads(done.out)] == ["slow"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep names in Unicode")
def test_names_that_are_no_text_are_shown_escaped(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    folder = os.fsencode(tmp_path / "names") + b"/\xff"
    os.makedirs(folder)  # noqa: PTH103 - a path of bytes
    with open(folder + b"/run.txt", "wb") as file:  # noqa: PTH123 - the same
        file.write((data / "wrk" / "latency.txt").read_bytes())
    for command in (["show"], ["export"], ["report", "-o", str(tmp_path / "page.html")]):
        done = benchkit(*command, tmp_path / "names")
        assert (done.status, done.err) == (0, "")
    assert "\\udcff" in (tmp_path / "page.html").read_text("utf-8")


def test_formats_lists_every_parser(benchkit: Benchkit) -> None:
    from benchkit.registry import parsers

    listed = json.loads(benchkit("formats", "--format", "json").out)
    assert [each["name"] for each in listed] == [parser.name for parser in parsers()]
    assert all(each["versions"] and each["reads"] for each in listed)
    table = benchkit("formats").out
    assert [each["name"] for each in listed if f"\n{each['name']}\n" not in f"\n{table}"] == []
    assert max(map(len, table.splitlines())) <= 80


def test_schema_describes_every_table(benchkit: Benchkit) -> None:
    listed = json.loads(benchkit("schema", "--format", "json").out)
    assert [each["name"] for each in listed] == list(TABLES)
    assert "## runs" in benchkit("schema").out


def test_files_lists_what_became_of_each(data: Path, tmp_path: Path, benchkit: Benchkit) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    for name in ("ok.gob", "ok.report.txt"):
        (folder / name).write_bytes((data / "vegeta" / name).read_bytes())
    for number, name in enumerate(("latency", "plain"), 1):
        text = (data / "wrk" / f"{name}.txt").read_text(encoding="utf-8")
        (folder / f"nginx_{number}.txt").write_text(text, encoding="utf-8")
    (folder / "notes.txt").write_text("nothing", encoding="utf-8")
    (folder / "old.txt").write_text("nothing", encoding="utf-8")
    done = benchkit("files", folder, "--ignore", "old*", "--format", "json")
    records = {Path(record["file"]).name: record for record in json.loads(done.out)}
    nginx = records["nginx_2.txt"]
    assert (nginx["variant"], nginx["repeat"], nginx["params"]) == ("nginx", 2, {})
    assert [Path(name).name for name in records["ok.gob"]["merged_with"]] == ["ok.report.txt"]
    assert records["ok.report.txt"]["state"] == "merged"
    assert records["ok.report.txt"]["variant"] == records["ok.gob"]["variant"] == "ok"
    assert records["notes.txt"]["message"] == "no output of a load generator"
    assert records["old.txt"]["message"] == "left alone by 'old*'"


def test_what_was_understood_is_said_once(data: Path, tmp_path: Path, benchkit: Benchkit) -> None:
    for number, name in enumerate(("latency", "plain"), 1):
        (tmp_path / f"nginx_{number}.txt").write_bytes((data / "wrk" / f"{name}.txt").read_bytes())
    line = (
        "2\N{NO-BREAK SPACE}runs: variant nginx from the names of folders and files; repeat 1 to 2"
    )
    for command in ("show", "compare"):
        assert line in benchkit(command, tmp_path).err
    assert json.loads(benchkit("show", tmp_path, "--format", "json").out)
    page = benchkit("report", tmp_path, "--format", "markdown").out
    listing = benchkit("files", tmp_path).out
    assert line in page
    assert listing.startswith(line)
    assert "| nginx |" in benchkit("files", tmp_path, "--format", "markdown").out
