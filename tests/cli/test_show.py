import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Benchkit

Golden = Callable[..., None]


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_a_pair_at_each_width(
    columns: str, data: Path, benchkit: Benchkit, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = benchkit("show", data / "pages" / "two-servers.md")
    assert max(map(len, done.out.splitlines())) <= int(columns)
    golden(f"cli/show-pair-{columns}.txt", done.out)


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_three_variants_at_each_width(
    columns: str,
    variants: list[str],
    benchkit: Benchkit,
    golden: Golden,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = benchkit("show", *variants, "--percentile", "50", "--percentile", "99.9")
    assert max(map(len, done.out.splitlines())) <= int(columns)
    golden(f"cli/show-three-{columns}.txt", done.out)


def test_markdown(data: Path, variants: list[str], benchkit: Benchkit, golden: Golden) -> None:
    page = data / "pages" / "two-servers.md"
    golden("cli/show-pair.md", benchkit("show", page, "--format", "markdown").out)
    three = benchkit("show", *variants, "--format", "markdown").out
    golden("cli/show-three.md", three)


def test_json_is_an_array_with_a_record_per_variant_in_base_units(
    data: Path, benchkit: Benchkit
) -> None:
    page = data / "pages" / "two-servers.md"
    done = benchkit("show", page, "--format", "json", "--percentile", "75")
    best, base = json.loads(done.out)
    assert (best["rank"], best["is_baseline"], base["is_baseline"]) == (1, False, True)
    assert base["latency_p99_s"] == 0.01808
    assert base["throughput_rps"] == 463.51
    assert base["throughput_rps_ratio"] == 1
    assert best["throughput_rps_ratio"] == best["throughput_rps"] / 463.51
    assert base["latency_p999_s"] is None
    assert base["tool"] == "wrk"
    assert base["evidence"] == "observed once"


def test_csv_has_the_same_columns(data: Path, benchkit: Benchkit) -> None:
    page = data / "pages" / "two-servers.md"
    records = json.loads(benchkit("show", page, "--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(benchkit("show", page, "--format", "csv").out)))
    assert [list(row) for row in rows] == [list(record) for record in records]
    assert [float(row["latency_mean_s"]) for row in rows] == [r["latency_mean_s"] for r in records]
    assert rows[0]["latency_p999_s"] == ""


def test_sort_puts_the_best_first_and_the_missing_last(
    variants: list[str], benchkit: Benchkit
) -> None:
    def order(by: str) -> list[str]:
        done = benchkit("show", *variants, "--format", "json", "--sort", by)
        return [record["variant"] for record in json.loads(done.out)]

    assert order("variant") == sorted(order("variant"))
    assert order("latency_max_s") == order("max")
    assert order("max")[-1] == "slow"


def test_a_baseline_that_is_left_out_is_told(variants: list[str], benchkit: Benchkit) -> None:
    for command in ("show", "compare"):
        done = benchkit(command, *variants, "--variant", "plain", "--baseline", "slow")
        assert done.status == 2
        assert "--variant plain leaves no variant 'slow' to be the baseline; name" in done.err


def test_the_baseline_is_chosen_by_name(variants: list[str], benchkit: Benchkit) -> None:
    assert "slow (base)" in benchkit("show", *variants, "--baseline", "slow").out


def test_standard_input_and_a_label(data: Path) -> None:
    content = (data / "wrk" / "plain.txt").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "benchkit", "show", "mine=-", "--format", "json"],
        input=content,
        capture_output=True,
        check=True,
    )
    (record,) = json.loads(done.stdout)
    assert record["variant"] == "mine"


def test_without_paths_it_is_the_folder_results_or_this_one(
    data: Path, tmp_path: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alpha.txt").write_bytes((data / "wrk" / "plain.txt").read_bytes())
    assert "alpha" in benchkit("show").out
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "beta.txt").write_bytes((data / "wrk" / "drop.txt").read_bytes())
    assert "beta" in benchkit("show").out
    assert "alpha" not in benchkit("show").out


def test_in_a_pipe_there_is_no_escape_sequence_and_no_progress(
    data: Path, benchkit: Benchkit
) -> None:
    done = benchkit("show", data / "wrk" / "plain.txt")
    assert "\x1b" not in done.out
    assert done.err == ""


def test_ascii_output_does_without_typography(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("show", data / "pages" / "two-servers.md", encoding="ascii")
    assert done.status == 0
    assert done.raw.isascii()
    assert "0.14x        |#####" in done.out


def test_hostile_names_reach_no_terminal(data: Path, tmp_path: Path, benchkit: Benchkit) -> None:
    folder = tmp_path / "evil"
    folder.mkdir()
    report = (data / "wrk" / "plain.txt").read_text("utf-8")
    (folder / "run.txt").write_text(report, "utf-8")
    name = "\x1b]0;owned\x07\u202egnp.exe [bold]x[/bold]"
    meta = {"scenario": name, "variant": name + "|`<b>"}
    (folder / "meta.json").write_text(json.dumps(meta), "utf-8")
    for form in ("table", "markdown"):
        done = benchkit("show", folder, "--format", form)
        assert done.status == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(done.out)
    assert "\\|\\`\\<b\\>" in done.out


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX")
@pytest.mark.parametrize("no_color", [False, True])
def test_on_a_terminal_text_is_bold_unless_no_color(
    data: Path, *, no_color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.delenv("NO_COLOR", raising=False)
    # In a process of its own: spawn forks, and tests may have threads.
    code = (
        "import os, pty, sys\n"
        "status = pty.spawn([sys.executable, '-m', 'benchkit', 'show', sys.argv[1]])\n"
        "sys.exit(os.waitstatus_to_exitcode(status))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, data / "pages" / "two-servers.md"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    bold = b"\x1b[1mWaiting inside the event loop\x1b[0m"
    assert (bold in done.stdout) is not no_color
    assert b"\x1b[3" not in done.stdout.replace(b"\x1b[?25", b"") or not no_color
