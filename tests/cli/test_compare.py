import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchkit.report.records import COLUMNS

Benchkit = Callable[..., Any]
REPORT = """\
Running 10s test @ http://127.0.0.1:8080/
  2 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     {mean:.2f}ms    1.00ms  40.00ms   90.00%
    Req/Sec    16.00k     0.50k   17.00k    70.00%
  Latency Distribution
     50%    {p50:.2f}ms
     75%    2.50ms
     90%    3.00ms
     99%   {p99:.2f}ms
  {requests} requests in 10.00s, 40.00MB read
Requests/sec:  {rate:.2f}
Transfer/sec:      4.00MB
"""


@pytest.fixture
def repeats(tmp_path: Path) -> Path:
    """Eight runs each of two variants, the second a quarter faster."""
    for variant, by in (("old", 1.0), ("new", 1.25)):
        for n in range(1, 9):
            folder = tmp_path / "results" / "proxy" / variant / str(n)
            folder.mkdir(parents=True)
            noise = 1 + ((n * 5) % 8 - 3.5) / 400
            rate = 32000 * by * noise
            text = REPORT.format(
                mean=1.9 / by,
                p50=2 / by / noise,
                p99=9 / by * noise,
                requests=round(10 * rate),
                rate=rate,
            )
            (folder / "wrk.txt").write_text(text, encoding="utf-8")
    return tmp_path / "results"


def test_json_is_an_array_of_rows(benchkit: Benchkit, repeats: Path) -> None:
    done = benchkit("compare", repeats, "--baseline", "old", "--format", "json")
    assert done.status == 0, done.err
    rows = json.loads(done.out)
    assert [list(row) for row in rows] == [list(COLUMNS)] * len(rows)
    matches = {row["metric"]: row for row in rows}
    assert matches["throughput"]["scenario"] == "proxy"
    assert matches["throughput"]["verdict"] == "faster"
    assert matches["throughput"]["ratio"] == pytest.approx(1.25, rel=0.01)
    # wrk adds samples that it never measured.
    assert matches["p99"]["verdict"] == "not-tested"
    assert matches["p99"]["ratio"] == pytest.approx(0.8, rel=0.01)
    assert matches["max"]["verdict"] == "not-tested"
    assert {row["grade"] for row in rows} == {"established"}
    assert matches["p99"]["estimate"] == ""


def test_csv_and_markdown_and_a_file(benchkit: Benchkit, repeats: Path, tmp_path: Path) -> None:
    done = benchkit("compare", repeats, "--format", "csv", "--metric", "p95", "--metric", "p50")
    rows = list(csv.DictReader(done.out.splitlines()))
    assert [row["metric"] for row in rows] == ["p95", "p50"]
    target = tmp_path / "out.md"
    done = benchkit("compare", repeats, "--format", "markdown", "-o", target)
    assert (done.status, done.out) == (0, "")
    assert "**Established.**" in target.read_text(encoding="utf-8")


def test_the_table_names_the_winner_first(benchkit: Benchkit, repeats: Path) -> None:
    done = benchkit("compare", repeats, "--baseline", "old")
    assert done.out.splitlines()[0] == "proxy: new against old"
    assert done.out.splitlines()[1].startswith("new is faster than old: throughput +25")


def test_show_compare_and_report_give_the_same_answer(
    benchkit: Benchkit, repeats: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    sentence = benchkit("compare", repeats, "--baseline", "old").out.splitlines()[1]
    shown = benchkit("show", repeats, "--baseline", "old", "--format", "markdown").out
    report = benchkit("report", repeats, "--baseline", "old", "--format", "markdown").out
    assert f"**Established.** {sentence}\n" in shown
    assert f"**● Established.** {sentence}\n" in report


def test_the_margin_is_chosen_and_named(benchkit: Benchkit, repeats: Path) -> None:
    out = benchkit("compare", repeats, "--baseline", "old", "--margin", "40%").out
    # wrk's percentiles hold added samples: nothing is the same because of them.
    within = "within ±40\u00a0%, which is not shown of p50 and p99"
    assert within in out
    shown = benchkit("show", repeats, "--baseline", "old", "--margin", "40%").out
    assert within in " ".join(shown.split("\n"))


def test_looks_divide_the_chance_to_be_wrong(benchkit: Benchkit, repeats: Path) -> None:
    done = benchkit("compare", repeats, "--format", "json", "--looks", "1000")
    assert {row["verdict"] for row in json.loads(done.out)} == {"inconclusive", "not-tested"}


def test_a_bound_adds_the_throughput_within_it(benchkit: Benchkit, repeats: Path) -> None:
    done = benchkit("compare", repeats, "--slo", "p99<50ms", "--format", "json")
    metrics = [row["metric"] for row in json.loads(done.out)]
    assert "throughput@p99<50ms" in metrics


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--metric", "p42"], "no metric 'p42'; there are throughput,"),
        (["--slo", "p99"], "no objective 'p99': write for example 'p99<50ms'"),
        (["--trim-start", "soon"], "'soon' is no time"),
        (["--trim-start", "5s"], "only runs with a row per request can be trimmed"),
        (["--effect", "0"], "--effect 0: no share in per cent"),
        (["--margin", "wide"], "--margin wide: no share in per cent"),
        (
            ["--baseline", "older"],
            "'older' to be the baseline; did you mean 'old'? There are: proxy/new, proxy/old; or",
        ),
        (["--baseline", "older"], "run: proxy/new/1, proxy/new/2, proxy/new/3, and 13 more"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    benchkit: Benchkit, repeats: Path, arguments: list[str], line: str
) -> None:
    done = benchkit("compare", repeats, *arguments)
    assert (done.status, done.out) == (2, "")
    assert line in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "compare", "export"])
def test_a_run_is_left_out(benchkit: Benchkit, repeats: Path, command: str) -> None:
    arguments = ("--without", "proxy/new/1", "--without", "proxy/old/2")
    done = benchkit(command, repeats, *arguments, "--format", "json")
    runs = json.loads(benchkit("export", repeats, *arguments, "--format", "json").out)
    assert done.status == 0
    assert len(runs) == 14
    assert not {"proxy/new/1", "proxy/old/2"} & {run["label"] for run in runs}
    if command == "compare":
        counts = {row["baseline_runs"] + row["runs"] for row in json.loads(done.out)}
        assert counts <= {14, 0}


def test_one_variant_leaves_nothing_to_compare(benchkit: Benchkit, repeats: Path) -> None:
    done = benchkit("compare", repeats, "--variant", "old", "--format", "json")
    assert json.loads(done.out) == []
    assert "nothing to compare" in done.err


@pytest.mark.parametrize(
    "command", [("show",), ("compare",), ("report", "--format", "markdown")], ids=" ".join
)
def test_announced_looks_count_in_every_output(
    benchkit: Benchkit, repeats: Path, command: tuple[str, ...]
) -> None:
    """Once `show` called established what `compare --looks` did not."""
    asked = (*command, repeats, "--baseline", "old")
    assert "established" in benchkit(*asked).out.lower()
    often = benchkit(*asked, "--looks", "1000").out
    assert "established" not in often.lower()
    if command[0] != "compare":
        assert "is needed for 1000 looks" in " ".join(often.replace("\u00a0", " ").split())
    if command[0] == "report":
        assert "--looks 1000" in often


@pytest.mark.parametrize(
    "names", ["{}-{n}.txt", "{}_c{c}_{n}.txt", "{}-{c}-{n}.txt", "{}{c}_{n}.txt"]
)
def test_other_loads_are_not_compared_whatever_the_names_say(
    benchkit: Benchkit, tmp_path: Path, names: str
) -> None:
    """`A_c10` and `B_c50` once passed a rule that `A` and `B` did not."""
    for variant, connections, rate in (("old", 10, 9000), ("new", 50, 12000)):
        for n in range(1, 7):
            text = REPORT.format(mean=1.9, p50=2, p99=9, requests=10 * rate + n, rate=rate + n)
            text = text.replace("64 connections", f"{connections} connections")
            path = tmp_path / names.format(variant, c=connections, n=n)
            path.write_text(text, encoding="utf-8")
    for command in (["show"], ["compare"], ["report", "--format", "markdown"]):
        answer = " ".join(benchkit(*command, tmp_path).out.replace("\u00a0", " ").split()).lower()
        assert "verdict withheld" in answer
        assert "established" not in answer
        assert "the variants were loaded differently" in answer
        if command[0] == "report":
            assert re.search(r"connections: 50 in new\S*; 10 in old", answer)
    rows = json.loads(benchkit("compare", tmp_path, "--format", "json").out)
    assert {row["verdict"] for row in rows} <= {"inconclusive", "not-tested"}
    assert "the variants were loaded differently" in {row["reason"] for row in rows}
    rules = ("--baseline", rows[0]["baseline"], "--require", "throughput>+5%")
    checked = benchkit("check", tmp_path, *rules)
    assert checked.status == 1
    assert "CONFIG_DIFFERS" in checked.out


@pytest.mark.parametrize(("scenario", "titles"), [("", ["ab", "wrk"]), ("login", ["ab", "wrk"])])
def test_a_title_names_the_tool_where_others_of_its_scenario_have_another(
    data: Path, tmp_path: Path, benchkit: Benchkit, scenario: str, titles: list[str]
) -> None:
    for tool, source in (("ab", "ab/few.txt"), ("wrk", "wrk/latency.txt")):
        printed = (data / source).read_text("utf-8")
        for variant in ("go", "node"):
            # Else the runs of both would be one, told twice.
            other = printed.replace("per second:    2", f"per second:    {len(variant)}")
            other = other.replace("Requests/sec:  ", f"Requests/sec:  {len(variant)}")
            folder = tmp_path / scenario if scenario else tmp_path
            folder.mkdir(exist_ok=True)
            (folder / f"{variant}_{tool}_1.txt").write_text(other, "utf-8")
    start = f"{scenario}, " if scenario else ""
    wanted = [f"{start}{tool}: node against go" for tool in titles]
    printed = benchkit("compare", tmp_path).out
    assert [line for line in printed.splitlines() if "against go" in line][::2] == wanted
    printed = benchkit("compare", tmp_path, "--format", "markdown").out
    assert [line for line in printed.splitlines() if line.startswith("#")] == [
        f"## {title}" for title in wanted
    ]
