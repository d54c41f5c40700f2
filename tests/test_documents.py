"""Published benchmarks, as pages: every printed number is found, exactly, at its place.

The numbers are those of five published documents. The pages around them are written here, with
other titles, headings, prose, layouts, and orders of columns: nothing may depend on the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from tests.corpus_run import Run, runs_of
from tests.documents import (
    AB_RUNS,
    ATTACKS,
    AUTOCANNON,
    AUTOCANNON_RUNS,
    TIMES,
    TIMES_OF,
    WRK,
    WRK_RUNS,
    Block,
    attack,
    block,
    exact,
    missing,
)


def read(folder: Path, page: str) -> tuple[Results, list[Run]]:
    """Return the results of a page, and its runs in order."""
    path = folder / "page.md"
    path.write_text(page, encoding="utf-8")
    results = benchkit.load(path)
    return results, list(runs_of(results).values())


def check(runs: Sequence[Run], blocks: Sequence[Block]) -> None:
    """Hold all runs of a page against what was printed."""
    problems = [
        f"run {number}: {problem}"
        for number, (run, each) in enumerate(zip(runs, blocks, strict=True), 1)
        for problem in missing(run, each.where)
    ]
    assert not problems, "\n".join(problems)


# --- six runs of vegeta: a page in sections, two sections with equal headings ---

SHELL = "> vegeta attack -rate 50 -duration 100s -targets urls.txt | vegeta report"


def test_six_attacks_in_sections_with_equal_headings(tmp_path: Path) -> None:
    blocks = [attack(*each) for each in ATTACKS]
    parts = ["Does the terminal slow a server down?", "=" * 37, "", "Numbers from one laptop.", ""]
    for at_, each in enumerate(blocks):
        if at_ % 3 == 0:
            parts += [["Inside the editor", "Plain console"][at_ // 3], "-" * 17, ""]
        title = ["all lines logged", "logger off", "own recovery"][at_ % 3]
        indented = "\n".join("    " + line for line in [SHELL, *each.text.splitlines()])
        parts += [f"### {title}", "", indented, "", "As one sees in the plot below.", ""]
    results, runs = read(tmp_path, "\n".join(parts))
    check(runs, blocks)
    for run, (_, statuses, errors) in zip(runs, ATTACKS, strict=True):
        assert run.counts("statuses", "status") == {str(c): n for c, n in statuses.items()}
        assert [row["error"] for row in run.rows("errors")] == errors
    assert set(results.runs["scenario"]) == {"Does the terminal slow a server down?"}
    assert list(results.runs["label"]) == [
        *("Inside the editor · all lines logged", "Inside the editor · logger off"),
        *("Inside the editor · own recovery", "Plain console · all lines logged"),
        *("Plain console · logger off", "Plain console · own recovery"),
    ]
    assert set(results.runs["command"]) == {SHELL.removeprefix("> ")}
    assert set(results.runs["load_model"]) == {"open"}
    assert set(results.runs["offered_rate_rps"]) == {50.0}


# --- two runs of ab: command lines far above, which disagree with the reports ---

ROUTES = ["/rows/each", "/rows/shared"]


def test_two_reports_whose_commands_stand_far_above(tmp_path: Path) -> None:
    blocks = [
        block(template, numbers, path=path)
        for (template, numbers), path in zip(AB_RUNS, ROUTES, strict=True)
    ]
    commands = [f"ab -n 100000 -c 1000 http://localhost:8080{path}" for path in ROUTES]
    fences = [
        f"## {n}. {r}\n\n~~~text\n{b.text}~~~\n"
        for n, (r, b) in enumerate(
            zip(["Every reader asks", "Readers share"], blocks, strict=True), 1
        )
    ]
    page = "# Sharing one query\n\nTry it:\n\n" + "".join(f"* `{c}`\n" for c in commands)
    results, runs = read(tmp_path, page + "\n" + "\n".join(fences))
    check(runs, blocks)
    assert list(results.runs["scenario"]) == ["Sharing one query"] * 2
    assert list(results.runs["label"]) == ["1. Every reader asks", "2. Readers share"]
    # ab asked for 100000 and reports 50000: both stay visible.
    assert list(results.runs["command"]) == commands
    assert list(results.runs["requests"]) == [50000, 50000]
    # Answers of another length are no errors; other statuses are counted, not guessed.
    assert list(results.runs["errors"]) == [0, 0]
    assert list(results.runs["non2xx"]) == [1591, 0]


# --- two tables of ab's connection times under one heading ---


def test_two_tables_of_connection_times_under_one_heading(tmp_path: Path) -> None:
    blocks = [block(TIMES, numbers) for numbers in TIMES_OF.values()]
    tables = [f"{name}:\n\n{b.text}\n" for name, b in zip(TIMES_OF, blocks, strict=True)]
    page = "# A proxy, twice\n\n## Where time goes\n\nAt 5000 clients.\n\n" + "\n".join(tables)
    results, runs = read(tmp_path, page)
    check(runs, blocks)
    assert list(results.runs["tool"]) == ["ab", "ab"]
    assert list(results.runs["label"]) == ["workers kept", "workers anew"]
    assert set(results.runs["scenario"]) == {"A proxy, twice"}
    assert results.runs["requests"].isna().all()


# --- four runs of wrk: list items with a prompt above each ---


def test_four_runs_in_a_list(tmp_path: Path) -> None:
    urls = [f"http://localhost:{name[-4:]}/hello.txt" for name in WRK_RUNS]
    commands = [f"wrk -t 10 -c 200 -d 30s {url}" for url in urls]
    commands[2] = f'wrk -H "Host: web" -t 10 -c 200 -d 30s {urls[2]}'
    blocks = [block(WRK, n, url=u) for n, u in zip(WRK_RUNS.values(), urls, strict=True)]
    lines = ["---", "title: What a relay costs", "---", "", "| relay | mean |", "|-|-|", ""]
    for name, command, each in zip(WRK_RUNS, commands, blocks, strict=True):
        lines += [f"## {name}", "", "- ```console", f"  user@box:~$ {command}"]
        lines += ["  " + line for line in each.text.splitlines()] + ["  ```", ""]
    results, runs = read(tmp_path, "\n".join(lines))
    check(runs, blocks)
    assert set(results.runs["scenario"]) == {"What a relay costs"}
    assert list(results.runs["label"]) == list(WRK_RUNS)
    assert list(results.runs["command"]) == commands
    assert list(results.runs["url"]) == urls


# --- four runs of autocannon: Markdown tables, columns and rows in another order ---


def test_four_pairs_of_markdown_tables(tmp_path: Path) -> None:
    blocks = [block(AUTOCANNON, numbers) for numbers in AUTOCANNON_RUNS.values()]
    parts = ["# The price of a log line", "", "Taken with autocannon, ten seconds each."]
    for name, item in zip(AUTOCANNON_RUNS, blocks, strict=True):
        parts += ["", f"**{name}**", "", item.text]
    results, runs = read(tmp_path, "\n".join(parts))
    check(runs, blocks)
    assert set(results.runs["tool"]) == {"autocannon"}
    assert set(results.runs["scenario"]) == {"The price of a log line"}
    assert list(results.runs["label"]) == list(AUTOCANNON_RUNS)
    assert list(results.runs["throughput_rps"]) == [666.6, 391.7, 311.61, 159.31]
    # The tables alone do not say how many requests there were, nor for how long.
    assert results.runs[["requests", "duration_s", "errors"]].isna().all(axis=None)


def test_all_documents_together_stay_apart(tmp_path: Path) -> None:
    pages = {
        "a": [attack(*each) for each in ATTACKS],
        "b": [block(t, n, path="/x") for t, n in AB_RUNS],
        "c": [block(TIMES, n) for n in TIMES_OF.values()],
        "d": [block(WRK, n, url="http://127.0.0.1/") for n in WRK_RUNS.values()],
        "e": [block(AUTOCANNON, n) for n in AUTOCANNON_RUNS.values()],
    }
    for name, blocks in pages.items():
        text = "\n\n".join(f"# {name}{n}\n\n{each.text}" for n, each in enumerate(blocks))
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    results = benchkit.load(tmp_path)
    tools = results.runs["tool"].value_counts().to_dict()
    assert tools == {"vegeta": 6, "ab": 4, "wrk": 4, "autocannon": 4}
    assert set(results.files["state"]) == {"read"}


@pytest.mark.parametrize(
    ("printed", "unit", "value"),
    [("2m10s", "", 130.0), ("13.444µs", "", 13.444e-6), ("0.12%", "", 0.0012), ("55", "ms", 0.055)],
)
def test_the_nearest_float_of_what_is_printed(printed: str, unit: str, value: float) -> None:
    assert exact(printed, unit) == value
