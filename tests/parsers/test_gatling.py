"""Gatling: its console, the figures of its reports, and its logs, as text and binary."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

import benchkit
from benchkit.errors import BenchkitError, InputError
from benchkit.ingest.sources import open_source
from benchkit.parsers import (
    _gatling,
    gatling,
    gatling_binary,
    gatling_json,
    gatling_log,
    gatling_text,
)
from benchkit.parsing import RunRecord, Source
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "gatling"
RUN = "RUN\tBasicSim\tbasicsim\t1795378488413\t \t3.3.1\n"


def console(name: str) -> RunRecord:
    [run] = gatling_text.scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(run, RunRecord)
    return run


def test_the_command_says_nothing_of_the_load() -> None:
    [tool] = gatling.TOOLS
    assert list(tool.options(["-s", "BasicSim", "-nr", "--results-folder", "out"])) == [
        ("s", "BasicSim"),
        ("nr", ""),
        ("rf", "out"),
    ]
    assert tool.read(["-s", "BasicSim"]) == {}


def test_the_global_figures_are_those_of_all() -> None:
    run = console("3.11.txt")
    assert run.columns == {
        "requests": 120,
        "errors": 0,
        "success_ratio": 0.9,
        "throughput_rps": 60.0,
        "goodput_rps": 54.0,
        "latency_min_s": 0.0,
        "latency_mean_s": 0.007,
        "latency_std_s": 0.023,
        "latency_max_s": 0.136,
        "latency_p50_s": 0.002,
        "latency_p75_s": 0.003,
        "latency_p95_s": 0.025,
        "latency_p99_s": 0.132,
    }
    assert run.errors == {
        "status.find.in([200, 209], 304), found 404": 6,
        "status.find.in([200, 209], 304), found 500": 6,
    }


def test_the_columns_of_later_versions() -> None:
    run = console("3.15.txt")
    assert (run.columns["requests"], run.columns["latency_p95_s"]) == (120, 0.061)
    many = console("3.15-many.txt")
    assert many.columns["requests"] == 1456  # printed as 1,456
    assert many.columns["throughput_rps"] == 728.0


def test_errors_without_an_answer_are_told_by_their_exceptions() -> None:
    run = console("3.11-drop.txt")
    assert (run.columns["errors"], run.columns["throughput_rps"]) == (8, 36.0)
    refused = console("3.15-refused.txt")
    assert refused.columns == {"requests": 20, "errors": 20, "success_ratio": 0.0}
    assert refused.notes == ["no request was answered: rate and latencies stand for nothing"]


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("status.find.in([200, 209], 304), found 404", 404),
        ("status.find.is(200), but actually found 302", 302),
        ("j.n.ConnectException: finishConnect(..) failed: Connection refused", 0),
        ("i.g.h.c.i.RequestTimeoutException: Request timeout to a/1.2.3.4:80 after 60000 ms", 0),
        ("jsonPath($.id).find.exists, found nothing", None),
        ("", None),
    ],
)
def test_what_the_message_of_a_ko_tells(message: str, status: int | None) -> None:
    assert _gatling.status_of(message) == status


def test_without_reports_there_are_counts_and_assertions() -> None:
    run = console("3.15-no-reports.txt")
    known = {"requests": 80, "errors": 0, "success_ratio": 0.9, "latency_p95_s": 0.123}
    assert run.columns == known
    assert console("3.11-closed.txt").columns["requests"] == 1602


def test_counts_of_a_run_that_had_not_ended_are_refused() -> None:
    text = (DATA / "3.15-no-reports.txt").read_text("utf-8")
    unfinished = text.replace(
        "active:         0  / done:        40", "active:         9  / done:        31"
    )
    assert unfinished != text
    [error] = gatling_text.scan(Text.from_text(unfinished))
    assert "only counts of the run so far" in str(error)


def test_two_consoles_are_two_runs() -> None:
    both = "".join((DATA / name).read_text("utf-8") for name in ("3.11.txt", "3.15-no-reports.txt"))
    runs = list(gatling_text.scan(Text.from_text(both)))
    assert [run.columns["requests"] for run in runs if isinstance(run, RunRecord)] == [120, 80]


@pytest.mark.parametrize("prose", ["Simulation results follow", "request count of 12 (OK)"])
def test_prose_is_no_console(prose: str) -> None:
    assert list(gatling_text.scan(Text.from_text(prose))) == []


def test_the_files_of_a_report_say_the_same() -> None:
    script = Source.from_bytes((DATA / "3.11.stats.js").read_bytes())
    [of_script] = gatling_json.parse_script(script)
    assert isinstance(of_script, RunRecord)
    of_json = [
        gatling_json.parse(json.loads((DATA / name).read_text("utf-8")))
        for name in ("3.11.global_stats.json", "3.11.stats.json")
    ]
    assert of_json[0].columns == of_json[1].columns == of_script.columns
    assert of_script.columns["latency_p99_s"] == 0.132
    assert {f.metric for f in of_script.figures} == {"KO", "grp / home", "mixed, and more"}


def test_two_percentiles_are_those_of_2_0() -> None:
    stats = json.loads((DATA / "3.11.global_stats.json").read_text("utf-8"))
    old = {k: v for k, v in stats.items() if k not in {"percentiles3", "percentiles4"}}
    assert gatling_json.parse(old).quantiles == [(0.95, 0.002), (0.99, 0.003)]


def test_code_of_a_page_is_no_report() -> None:
    page = Source.from_bytes(
        b"function openStatisticsTableModal () {\n  const statsTable = 1;\n}\n"
    )
    assert not gatling_json.sniff_script(page)


def test_a_log() -> None:
    loaded = benchkit.load(DATA / "3.11.log")
    [(_, run)] = loaded.runs.iterrows()
    assert (run["requests"], run["errors"], run["duration_s"]) == (120, 0, 1.936)
    assert (run["latency_p99_s"], run["success_ratio"]) == (0.132, 0.9)
    assert loaded.statuses.empty  # the log has none
    assert loaded.errors["count"].tolist() == [6, 6]
    frame = loaded.requests()
    assert frame["status"].isna().all()
    assert set(frame["url"]) == {"home", "mixed, and more"}


def test_what_got_no_answer_is_an_error() -> None:
    [(_, run)] = benchkit.load(DATA / "3.11-drop.log").runs.iterrows()
    assert (run["requests"], run["errors"], run["success_ratio"]) == (80, 8, 0.8)


@pytest.mark.parametrize(
    "row",
    [
        "REQUEST\t\thome\t1795378488500\t1795378488520\tOK\t \n",
        "REQUEST\t7\t\thome\t1795378488500\t1795378488520\tOK\t \n",
        "REQUEST\tscenario\t7\tgrp\thome\t1795378488500\t1795378488520\tOK\t \n",
        "REQUEST\tscenario\t7\tgrp\thome\t1795378488500\t1795378488520\tOK\t \textra\tmore\n",
    ],
    ids=["3.4 on", "3.0", "2.3", "2.3 with more"],
)
def test_the_lines_of_each_version(tmp_path: Path, row: str) -> None:
    path = tmp_path / "simulation.log"
    path.write_text(RUN + row, "utf-8")
    [(_, run)] = benchkit.load(path).runs.iterrows()
    assert (run["requests"], run["latency_max_s"]) == (1, 0.02)


def test_an_editor_may_have_stripped_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "simulation.log"
    rows = (
        "REQUEST\tBrowse\t1\t\thome\t1795379414000\t1795379414010\tOK\n",
        "USER\tBrowse\t1\tEND\t1795379414000\t1795379414040\n",
        "REQUEST\tBrowse\t1\t\tcart\t1795379414020\t1795379414040\tOK\n",
    )
    head = "RUN\ta.BrowseSimulation\t\tbrowse\t1795379413000\tnull\t2.0\n"
    path.write_text(head + "".join(rows), "utf-8")
    [(_, run)] = benchkit.load(path).runs.iterrows()
    assert (run["requests"], run["errors"]) == (2, 0)
    assert run["latency_max_s"] == 0.02


def test_an_older_log_is_refused() -> None:
    log = Source.from_bytes(b"basicsim.BasicSim\tbasicsim\tRUN\t1795378488413\t \t2.0\n")
    assert gatling_log.sniff(log)
    with pytest.raises(InputError, match=r"a simulation\.log of Gatling 2\.2 on"):
        list(gatling_log.rows(log))


def test_a_log_without_requests_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "simulation.log"
    path.write_text(RUN, "utf-8")
    with pytest.raises(BenchkitError, match="expected rows of requests, found 'none'"):
        benchkit.load(path)


def test_a_binary_log() -> None:
    loaded = benchkit.load(DATA / "3.15.bin")
    [(_, run)] = loaded.runs.iterrows()
    assert run["format"] == "gatling-binary"
    assert (run["requests"], run["errors"], run["duration_s"]) == (120, 0, 1.913)
    assert (run["latency_max_s"], run["latency_p50_s"]) == (0.151, 0.002)
    assert str(run["started_at"]) == "2026-11-22 20:15:21.843000+00:00"
    assert loaded.errors["count"].tolist() == [6, 6]
    [(_, refused)] = benchkit.load(DATA / "3.15-refused.bin").runs.iterrows()
    assert (refused["requests"], refused["errors"]) == (20, 20)


def test_console_and_log_of_a_run_are_one() -> None:
    for names in (("3.15.txt", "3.15.bin"), ("3.11.txt", "3.11.log", "3.11.global_stats.json")):
        loaded = benchkit.load([DATA / name for name in names])
        assert loaded.runs["requests"].tolist() == [120]


def test_a_binary_log_cut_anywhere_keeps_what_came_before() -> None:
    whole = (DATA / "3.15.bin").read_bytes()
    before = 0
    for stop in range(40, len(whole), 97):
        count = 0
        with suppress(InputError):
            for batch in gatling_binary.rows(Source.from_bytes(whole[:stop])):
                count += len(batch)
        assert before <= count <= 120
        before = count
    assert before > 100


def test_a_damaged_binary_log_is_told_with_its_place() -> None:
    whole = bytearray((DATA / "3.15.bin").read_bytes())
    whole[-1000] ^= 0xFF
    rows = gatling_binary.rows(Source.from_bytes(bytes(whole) + b"\x09"))
    with pytest.raises(InputError, match=r"byte \d+"):
        list(rows)


@pytest.mark.parametrize(
    ("lost", "column"), [("percentiles3", "latency_p95_s"), ("percentiles4", "latency_p99_s")]
)
def test_each_percentile_is_read_by_its_own_key(lost: str, column: str) -> None:
    stats = json.loads((DATA / "3.11.global_stats.json").read_text("utf-8"))
    whole = gatling_json.parse(stats)
    run = gatling_json.parse({key: value for key, value in stats.items() if key != lost})
    assert whole.columns.items() - run.columns.items() == {(column, whole.columns[column])}
    assert run.lost == [f"'{lost}' is missing: the file is damaged or was edited"]


def test_a_second_run_is_seen_wherever_it_begins(tmp_path: Path) -> None:
    row = "REQUEST\t7\t\thome\t1795378488500\t1795378488520\tOK\t \n"
    path = tmp_path / "simulation.log"
    path.write_text(RUN + row * 40_000 + RUN + row, "utf-8")
    with pytest.raises(InputError, match="the log of one run"):
        list(gatling_log.rows(open_source(path, name="a").source))
    path.write_text(RUN + row * 40_000, "utf-8")
    assert sum(len(b) for b in gatling_log.rows(open_source(path, name="a").source)) == 40_000
