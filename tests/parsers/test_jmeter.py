"""JMeter: its command, the summariser, the dashboard, and which rows of results are requests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import benchkit
from benchkit.errors import BenchkitError, InputError
from benchkit.parsers import jmeter, jmeter_csv, jmeter_statistics, jmeter_summariser, jmeter_xml
from benchkit.parsers._jmeter_parts import Parts
from benchkit.parsing import RunRecord, Source
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "jmeter"
HEADER = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes\n"


def recorded(name: str) -> RunRecord:
    [run] = jmeter_summariser.scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(run, RunRecord)
    return run


def columns(name: str | Path) -> dict[str, Any]:
    """Return what is filled of the run in a file."""
    [(_, row)] = benchkit.load(DATA / name).runs.iterrows()
    return dict(row.dropna())


def result(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "results.jtl"
    path.write_text(text, "utf-8")
    return path


# --- the command ---


def test_a_command_without_a_window_is_a_closed_run() -> None:
    assert jmeter.read(["-n", "-t", "plan.jmx", "-l", "out.jtl"]) == {"load_model": "closed"}
    assert jmeter.read(["--nongui", "--testfile=plan.jmx"]) == {"load_model": "closed"}
    assert jmeter.read(["-g", "out.jtl", "-o", "folder"]) == {}
    given = list(jmeter.options(["-n", "-Jthreads=4", "-t", "plan.jmx"]))
    assert given == [("n", ""), ("J", "threads=4"), ("t", "plan.jmx")]


# --- the summariser ---


def test_the_last_total_is_the_run() -> None:
    run = recorded("long.txt")
    assert run.columns == {
        "requests": 960,
        "success_ratio": pytest.approx(871 / 960),
        "throughput_rps": 69.3,
        "goodput_rps": pytest.approx(69.3 * 871 / 960),
        "latency_min_s": 0.0,
        "latency_mean_s": 0.054,
        "latency_max_s": 1.348,
    }
    assert [(f.metric, f.value) for f in run.figures] == [("Err", 89), ("time", 14)]
    assert run.notes == ["89 of 960 samples failed; the rate counts them, answered or not"]


def test_without_a_failed_sample_there_is_no_error() -> None:
    run = recorded("one.txt")
    assert (run.columns["requests"], run.columns["errors"]) == (2, 0)


def test_where_all_samples_failed_rate_and_latencies_stand_for_nothing() -> None:
    run = recorded("refused.txt")
    assert run.columns == {"requests": 24, "success_ratio": 0.0}
    assert ("Max", 0.021) in {(f.metric, f.value) for f in run.figures}
    assert "all samples failed" in run.notes[0]


def test_no_sample_has_no_minimum() -> None:
    assert recorded("zero.txt").columns == {"requests": 0}


def test_an_older_form_and_a_decimal_comma() -> None:
    line = (
        "Generate Summary Results =    400 in   3,2s =  125,0/s Avg:    16 Min:     0 "
        "Max:   249 Err:    16 (4,00%)\n"
    )
    [run] = jmeter_summariser.scan(Text.from_text(line))
    assert isinstance(run, RunRecord)
    assert run.columns["throughput_rps"] == 125.0


def test_two_runs_in_one_log_are_two() -> None:
    both = (DATA / "plain.txt").read_text("utf-8") + (DATA / "one.txt").read_text("utf-8")
    runs = list(jmeter_summariser.scan(Text.from_text(both)))
    assert [run.columns["requests"] for run in runs if isinstance(run, RunRecord)] == [160, 2]


def test_a_run_that_had_not_ended_is_refused() -> None:
    lines = (DATA / "long.txt").read_text("utf-8").splitlines(keepends=True)
    for stop in range(9, 15):
        [error] = jmeter_summariser.scan(Text.from_text("".join(lines[:stop])))
        assert isinstance(error, InputError)
        assert "whole run of JMeter" in str(error)


def test_a_run_that_was_given_up_is_told() -> None:
    text = "Creating summariser <summary>\nError in NonGUIDriver java.lang.RuntimeException: no\n"
    [error] = jmeter_summariser.scan(Text.from_text(text))
    assert str(error).startswith("line 2: expected a run of JMeter, found 'one that it gave up")


@pytest.mark.parametrize(
    "prose",
    ["In summary = 400 in 2 days", "summary of the 400 in 00:00:03", "the summariser prints ="],
)
def test_prose_is_no_run(prose: str) -> None:
    assert list(jmeter_summariser.scan(Text.from_text(prose))) == []


# --- the dashboard ---


def test_the_row_total_of_a_dashboard_is_the_run() -> None:
    run = jmeter_statistics.parse(json.loads((DATA / "statistics.json").read_text("utf-8")))
    assert run.columns["requests"] == 320
    assert run.columns["latency_mean_s"] == pytest.approx(0.00441875)
    assert run.columns["success_ratio"] == 0.95
    assert run.columns["goodput_rps"] == pytest.approx(0.95 * run.columns["throughput_rps"])
    assert run.quantiles[:2] == [(0.5, 0.002), (0.9, 0.008)]
    figures = {(f.metric, f.statistic): f.value for f in run.figures}
    assert figures["GET /mixed, with a comma", "errors"] == 16
    assert "parts of requests, such as 'GET /redirect-1'" in run.notes[0]


def test_a_figure_of_a_dashboard_that_is_none() -> None:
    total = {"sampleCount": "many", "pct1ResTime": 1}
    with pytest.raises(InputError, match="a number for sampleCount"):
        jmeter_statistics.parse({"Total": total})


# --- results ---


def test_results() -> None:
    run = columns("plain.jtl")
    assert run["format"] == "jmeter-csv"
    assert (run["requests"], run["errors"], run["non2xx"]) == (160, 0, 16)
    assert (run["duration_s"], run["latency_max_s"]) == (0.198, 0.064)
    assert run["received_bytes"] == 18384
    assert "body_bytes" not in run  # JMeter's sizes are with headers


@pytest.mark.parametrize("name", ["redirect.jtl", "semicolon.jtl", "dashboard.jtl"])
def test_parts_of_redirects_are_no_requests(name: str) -> None:
    loaded = benchkit.load(DATA / name)
    assert loaded.runs["requests"].tolist() == [160]
    assert loaded.statuses["count"].tolist() == [144, 8, 8]
    [note] = loaded.notes["note"]
    assert note == "left out: 160 parts of followed redirects or of pages, whose sums count"
    assert loaded.files["message"].isna().all()  # nothing is lost


@pytest.mark.parametrize("name", ["transactions", "transactions-parent"])
def test_transactions_are_sums_of_requests(name: str) -> None:
    for kind in ("jtl", "xml"):
        loaded = benchkit.load(DATA / f"{name}.{kind}")
        assert loaded.runs["requests"].tolist() == [48]
        assert loaded.errors[["error", "count"]].to_numpy().tolist() == [
            ['not what was\nexpected, and "quoted"', 24]
        ]
        assert loaded.notes["note"].tolist() == [
            "left out: 48 parts of followed redirects or of pages, whose sums count",
            "left out: 24 rows of transactions, whose requests count",
        ]


@pytest.mark.parametrize("name", ["transactions.jtl", "transactions.xml"])
def test_an_answer_that_failed_an_assertion_is_a_failure(name: str) -> None:
    run = columns(name)
    assert (run["errors"], run["non2xx"], run["success_ratio"]) == (0, 0, 0.5)
    assert run["goodput_rps"] == pytest.approx(run["throughput_rps"] / 2)
    loaded = benchkit.load(DATA / name)
    assert loaded.timeline[["requests", "http_errors"]].sum().tolist() == [48, 24]
    rejected = "requests failed (24 answered, and rejected by the tool, of 48)"
    assert loaded.findings()["message"].str.contains(rejected, regex=False).any()


def test_without_an_answer_there_is_no_status_and_no_size() -> None:
    for name in ("refused.jtl", "refused.xml"):
        run = columns(name)
        assert (run["requests"], run["errors"], run["received_bytes"]) == (24, 24, 0)
    errors = benchkit.load(DATA / "stall.jtl").errors
    counts = dict(zip(errors["error"], errors["count"], strict=True))
    assert counts["java.net.SocketTimeoutException: Read timed out"] == 6
    assert counts["404 Not Found"] == 6


def test_times_of_day_give_no_instant() -> None:
    run = columns("semicolon.jtl")
    assert (run["duration_s"], run.get("started_at")) == (0.338, None)
    assert "duration_s" not in columns("tab.jtl")  # whole seconds
    assert columns("tab.jtl")["latency_max_s"] == 0.037


def test_columns_are_known_without_a_header() -> None:
    for name in ("no-header.jtl", "no-header-15.jtl"):
        run = columns(name)
        assert (run["requests"], run["received_bytes"], run["sent_bytes"]) == (160, 18384, 19280)


def test_columns_that_were_not_saved_are_missing() -> None:
    run = columns("few-columns.jtl")
    assert run["requests"] == 160
    assert not {"errors", "non2xx", "success_ratio", "throughput_rps"} & run.keys()


def test_files_behind_each_other_are_a_run_each() -> None:
    assert benchkit.load(DATA / "two-in-one-file.jtl").runs["requests"].tolist() == [2, 160]


def test_the_line_of_a_broken_row_below_a_second_header(tmp_path: Path) -> None:
    whole = [(DATA / name).read_text("utf-8") for name in ("one.jtl", "plain.jtl")]
    loaded = benchkit.load(result(tmp_path, "".join(whole) + "1795378315859,soon,GET /\n"))
    assert loaded.runs["requests"].tolist() == [2, 160]
    assert "line 165" in loaded.files["message"][0]


def test_no_request_is_one_clear_line() -> None:
    with pytest.raises(BenchkitError, match="expected rows of requests, found 'none'"):
        benchkit.load(DATA / "zero.jtl")


def test_only_rows_of_transactions_are_no_requests(tmp_path: Path) -> None:
    output = '"Number of samples in transaction : 2, number of failing samples : 0"'
    text = HEADER + f"1795378315859,9,buy,200,{output},u 1-1,true,9\n"
    with pytest.raises(BenchkitError, match="left out: 1 rows of transactions"):
        benchkit.load(result(tmp_path, text))


def test_rows_that_stand_for_several_samples_are_refused(tmp_path: Path) -> None:
    text = "timeStamp,elapsed,label,SampleCount,ErrorCount\n1795378315859,90,GET /,40,0\n"
    with pytest.raises(BenchkitError, match="stand for several"):
        benchkit.load(result(tmp_path, text))


def test_samples_without_http_are_told(tmp_path: Path) -> None:
    rows = "1795378315859,9,GET /,200,OK,u 1-1,true,9\n1795378315869,9,script,,,u 1-1,true,0\n"
    loaded = benchkit.load(result(tmp_path, HEADER + rows))
    assert loaded.runs["requests"].tolist() == [1]
    assert loaded.notes["note"].tolist() == ["left out: 1 samples without HTTP"]


def test_a_sampler_that_is_called_like_a_part_is_a_request(tmp_path: Path) -> None:
    rows = [
        "1795378315000,9,GET /item,200,OK,u 1-1,true,9",
        "1795378315100,9,GET /item-0,200,OK,u 1-1,true,9",  # behind it
        "1795378315200,90,GET /item,200,OK,u 1-1,true,9",
        "1795378315210,9,GET /item-0,200,OK,u 1-2,true,9",  # another thread's
        "1795378315300,90,GET /item,200,OK,u 1-1,true,9",
        "1795378315310,9,GET /item-1,200,OK,u 1-1,true,9",  # not the first
    ]
    path = result(tmp_path, HEADER + "\n".join(rows) + "\n")
    assert benchkit.load(path).runs["requests"].tolist() == [6]


LABELS = ("a", "a-0", "a-0-0", "a-1", "b", "a-0-1")


def parts_of(rows: list[tuple[str, int, int, int]], *, cut: int) -> list[bool]:
    """Return which of (label, thread, start ms, end ms) are parts; `cut` divides two stretches."""
    finder, records = Parts(), list[bool]()
    for stretch in (rows[:cut], rows[cut:]):
        label, thread, start, end = zip(*stretch, strict=True) if stretch else ((),) * 4
        codes = np.array([LABELS.index(name) for name in label], np.int64)
        times = (np.array(times, np.int64) * 1_000_000 for times in (start, end))
        threads = np.array(thread, np.int64)
        records += finder.among(codes, threads, *times, LABELS).tolist()
    return records


@pytest.mark.parametrize("cut", range(9))
def test_parts_of_parts_wherever_a_window_ends(cut: int) -> None:
    rows = [
        ("a", 1, 0, 100),
        ("b", 2, 5, 10),
        ("a-0", 1, 0, 60),
        ("a-0-0", 1, 0, 30),
        ("a", 2, 20, 90),
        ("a-0-1", 1, 30, 60),
        ("a-1", 1, 60, 100),
        ("a-0", 2, 20, 90),
    ]
    assert parts_of(rows, cut=cut) == [False, False, True, True, False, True, True, True]


def test_results_are_read_compressed_and_in_utf_16(tmp_path: Path) -> None:
    text = (DATA / "redirect.jtl").read_text("utf-8")
    (tmp_path / "a.jtl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "b.jtl").write_text(text, "utf-16")
    for name in ("a.jtl.gz", "b.jtl"):
        assert benchkit.load(tmp_path / name).runs["requests"].tolist() == [160]


@pytest.mark.parametrize(
    "text",
    [
        "timeStamp,elapsed\n1,2\n",
        "time,elapsed,label\n1,2,3\n",
        "1795378315859,12,a,b,c\n",
        "2026-11-22,12,13\n",
    ],
)
def test_other_tables_are_none_of_jmeter(text: str) -> None:
    assert not jmeter_csv.sniff(Source.from_bytes(text.encode()))


def test_xml_gives_what_csv_does() -> None:
    run = columns("plain.xml")
    assert (run["requests"], run["non2xx"], run["received_bytes"]) == (160, 16, 18384)
    assert columns("redirect.xml")["requests"] == 80


def test_xml_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    whole = (DATA / "plain.xml").read_text("utf-8")
    loaded = benchkit.load(result(tmp_path, whole[: len(whole) // 2]))
    assert 0 < loaded.runs["requests"][0] < 160
    assert "expected XML as JMeter writes it" in loaded.files["message"][0]


def test_nothing_in_xml_is_expanded() -> None:
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE testResults [<!ENTITY a "aaaa">]>\n'
        b'<testResults version="1.2"><httpSample t="1" ts="1795378315859" lb="&a;"/></testResults>'
    )
    with pytest.raises(InputError, match="XML without a document type"):
        list(jmeter_xml.rows(Source.from_bytes(bomb)))


def test_an_instant_in_xml_that_is_none_is_no_result(data: Path, tmp_path: Path) -> None:
    text = (data / "jmeter" / "plain.xml").read_text(encoding="utf-8")
    path = tmp_path / "plain.xml"
    path.write_text(text.replace('ts="1795378355373"', 'ts="999999999999999"'), encoding="utf-8")
    results = benchkit.load(path)
    assert results.runs["requests"].tolist() == [158]
    assert "2 of 160 results without" in results.files["message"][0]


@pytest.mark.parametrize("word", ["True", "TRUE"])
def test_spreadsheets_write_true_otherwise(word: str, tmp_path: Path) -> None:
    text = (DATA / "plain.jtl").read_text("utf-8").replace(",true,", f",{word},")
    assert benchkit.load(result(tmp_path, text)).runs["success_ratio"].tolist() == [0.9]


def test_times_in_seconds_are_refused(tmp_path: Path) -> None:
    text = HEADER + "1795378315,9,GET /,200,OK,u 1-1,true,9\n"
    with pytest.raises(BenchkitError, match="line 2: expected milliseconds since 1970"):
        benchkit.load(result(tmp_path, text))
