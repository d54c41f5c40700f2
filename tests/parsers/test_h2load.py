"""h2load's report and its log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import benchkit
from benchkit.errors import InputError
from benchkit.ingest.perrequest import read_rows
from benchkit.ingest.sources import open_source
from benchkit.parsers import h2load, h2load_log
from benchkit.parsing import RunRecord, Source
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "h2load"


def printed(text: str) -> RunRecord:
    [run] = h2load.scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    return run


def recorded(name: str) -> RunRecord:
    return printed((DATA / name).read_text("utf-8"))


def test_a_report() -> None:
    run = recorded("mixed.txt")
    assert run.columns == {
        "threads": 1,
        "connections": 10,
        "duration_s": 0.01423,
        "requests": 500,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 100,
        "success_ratio": 0.8,
        "throughput_rps": 35149.38,
        "goodput_rps": pytest.approx(35149.38 * 0.8),
        "received_bytes": 57900,
        "body_bytes": 5700,
        "latency_min_s": 20e-6,
        "latency_mean_s": 253e-6,
        "latency_std_s": 477e-6,
        "latency_max_s": 3.65e-3,
    }
    figures = {(f.metric, f.statistic): f.value for f in run.figures}
    assert figures["status codes, 4xx", "total"] == 50
    assert ("time for connect", "max") in figures
    assert (run.notes, run.quantiles) == ([], [])


def test_a_warm_up_is_in_the_printed_time_and_not_in_the_rate() -> None:
    columns = recorded("warm.txt").columns
    assert columns["duration_s"] == 1.0
    assert columns["throughput_rps"] == columns["requests"] == 20334
    text = (DATA / "warm.txt").read_text("utf-8")
    run = printed(text[text.index("finished in") :])
    assert "duration_s" not in run.columns
    assert run.notes == ["the time of the report has a warm-up in it: it is left out"]


def test_connecting_is_not_known_after_a_warm_up() -> None:
    assert not [f for f in recorded("warm.txt").figures if f.metric.startswith("time for")]


def test_requests_that_failed_or_were_never_sent() -> None:
    columns = recorded("drop.txt").columns
    assert (columns["requests"], columns["errors"], columns["timeouts"]) == (200, 78, 0)
    assert columns["success_ratio"] == 122 / 200
    columns = recorded("stall.txt").columns
    assert (columns["requests"], columns["errors"], columns["timeouts"]) == (60, 11, 2)


def test_a_status_may_come_and_the_answer_not_end() -> None:
    text = (DATA / "warm.txt").read_text("utf-8")
    columns = printed(text.replace("20334 2xx", "20338 2xx")).columns
    assert (columns["requests"], columns["success_ratio"]) == (20334, 1.0)
    assert columns["goodput_rps"] == columns["throughput_rps"]
    text = (DATA / "drop.txt").read_text("utf-8")
    columns = printed(text.replace("122 2xx", "200 2xx")).columns
    assert columns["success_ratio"] == 122 / 200


def test_counts_that_do_not_add_up_make_no_share() -> None:
    run = printed((DATA / "warm.txt").read_text("utf-8").replace("20334 succ", "203349 succ"))
    assert "success_ratio" not in run.columns
    [words] = run.lost
    assert "do not add up" in words


def test_no_answer_has_no_latency() -> None:
    run = recorded("refused.txt")
    assert not [name for name in run.columns if name.startswith("latency")]
    assert (run.columns["errors"], run.columns["success_ratio"]) == (20, 0)
    assert run.notes == ["no answer: the zeros in the output stand for no latency"]


@pytest.mark.parametrize(
    ("name", "threads", "connections"),
    [("threads.txt", 2, 5), ("rate.txt", 1, 4), ("plain.txt", 1, 8)],
)
def test_threads_and_their_connections(name: str, threads: int, connections: int) -> None:
    columns = recorded(name).columns
    assert (columns["threads"], columns["connections"]) == (threads, connections)


@pytest.mark.parametrize("thread", range(2))
def test_a_thread_whose_line_is_missing_is_told(thread: int) -> None:
    text = (DATA / "threads.txt").read_text()
    run = printed(re.sub(rf"spawning thread #{thread}: .*\n", "", text))
    assert not run.columns.keys() & {"threads", "connections"}
    assert len(run.lost) == 1


def test_the_longer_rows_have_percentiles() -> None:
    """As `output_sd_stat` of nghttp2 1.70.0 prints them."""
    text = (DATA / "plain.txt").read_text("utf-8")
    heading = f"{'':17}min         max         median      p95         p99         mean        sd"
    rows = {"request": "1.50ms", "connect": "1.10ms", "TTFB": "1.20ms"}
    lines = [
        f"{title:12}: {'24us':>10}  {'5.36ms':>10}  {'120us':>10}  {'900us':>10}  {most:>10}  "
        f"{'248us':>10}  {'443us':>10}{'95.70':>9}%\n"
        for title, most in rows.items()
    ]
    head = text[: text.index("                     min")]
    run = printed(f"{head}{heading}         +/- sd\n{''.join(lines)}")
    assert sorted(run.quantiles) == [(0.5, 120e-6), (0.95, 900e-6), (0.99, 1.5e-3)]
    assert run.columns["latency_p99_s"] == 1.5e-3
    assert run.columns["latency_mean_s"] == 248e-6
    assert run.columns["latency_max_s"] == 5.36e-3


def test_before_1_3_timeouts_are_not_counted() -> None:
    run = printed("""\
spawning thread #0: 4 concurrent clients, 300 total requests
spawning thread #1: 4 concurrent clients, 300 total requests

finished in 61.50ms, 9430 req/s, 1.20MB/s
requests: 600 total, 600 started, 600 done, 570 succeeded, 30 failed, 20 errored
status codes: 570 2xx, 0 3xx, 10 4xx, 0 5xx
traffic: 73800 bytes total, 12000 bytes headers, 6960 bytes data
                     min         max         mean         sd        +/- sd
time for request:      90us      5.36ms       248us       443us    95.70%
""")
    assert run.columns["connections"] == 8
    assert (run.columns["requests"], run.columns["errors"], run.columns["non2xx"]) == (600, 20, 10)
    assert (run.columns["received_bytes"], run.columns["body_bytes"]) == (73800, 6960)
    assert (run.columns["latency_mean_s"], run.columns["throughput_rps"]) == (248e-6, 9430)
    assert "timeouts" not in run.columns
    assert run.notes == []


def test_at_first_there_were_no_latencies() -> None:
    run = printed("""\
finished in 1 sec, 20 millisec and 300 microsec, 980 req/s, 118 kbytes/s
requests: 1000 total, 1000 started, 1000 done, 1000 succeeded, 0 failed, 0 errored
status codes: 1000 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 123000 bytes total, 20000 bytes headers, 11600 bytes data
""")
    assert (run.columns["duration_s"], run.columns["throughput_rps"]) == (1.0203, 980)
    assert (run.columns["requests"], run.columns["errors"]) == (1000, 0)
    assert not [name for name in run.columns if name.startswith("latency")]
    assert run.lost == []


def test_a_log() -> None:
    [parser] = h2load_log.PARSERS
    opened = open_source(DATA / "mixed.tsv", name="mixed.tsv")
    assert parser.sniff(opened.source)
    [(run, _)] = read_rows(parser, opened).runs
    start, status, took = np.loadtxt(DATA / "mixed.tsv", dtype=np.int64).T
    assert run.columns["requests"] == 500
    assert run.columns["duration_s"] == pytest.approx(((start + took).max() - start.min()) / 1e6)
    assert run.columns["latency_max_s"] == took.max() / 1e6
    assert run.columns["started_at"] == np.datetime64(int(start.min()), "us")
    assert run.columns["non2xx"] == int((status != 200).sum()) == 100
    assert run.columns["latency_mean_s"] == pytest.approx(
        recorded("mixed.txt").columns["latency_mean_s"], abs=1e-6
    )
    assert not {"errors", "success_ratio"} & run.columns.keys()


def test_a_reset_stream_has_no_status() -> None:
    [batch] = h2load_log.TABLE.batches(
        Source.from_bytes(b"1795380290291188\t-1\t608\n1795380290291192\t204\t7\n")
    )
    assert batch.status is not None
    assert batch.status.tolist() == [0, 204]


@pytest.mark.parametrize("row", [b"x\t200\t5\n", b"1795380290291188\t200\n", b"17\t200\t5.5\n"])
def test_a_broken_row_of_a_log_is_named(row: bytes) -> None:
    data = (DATA / "mixed.tsv").read_bytes()
    with pytest.raises(InputError, match="line 501: expected"):
        list(h2load_log.TABLE.batches(Source.from_bytes(data + row)))


def test_other_tables_of_numbers_are_no_log() -> None:
    for data in (b"1\t200\t5\n", b"1795380290291188,200,608\n", b"1795380290291188\t1.5\t608\n"):
        assert not h2load_log.sniff(Source.from_bytes(data))


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (
            "http://a/",
            {"url": "http://a/", "method": "GET", "keepalive": True, "load_model": "closed",
             "connections": 1, "threads": 1, "pipelining": 1},
        ),
        (
            "--h1 -c8 --threads=2 -m 10 -D 5 --warm-up-time 1 --rps 50 -d body http://a/ http://b/",
            {"url": "http://a/", "method": "POST", "keepalive": True, "load_model": "closed",
             "connections": 8, "threads": 2, "pipelining": 10, "offered_rate_rps": 400.0},
        ),
        ("--version", {}),
        ("-n 10", {}),
    ],
)  # fmt: skip
def test_the_command_line(command: str, columns: Mapping[str, Any]) -> None:
    assert h2load.read(command.split()) == columns


def test_rows_without_an_answer_are_failures_though_not_all_have_rows(tmp_path: Path) -> None:
    rows = [
        f"{1795378315000000 + 100000 * n}\t{-1 if n % 5 == 0 else 200}\t{9000}" for n in range(150)
    ]
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(rows) + "\n")
    loaded = benchkit.load(path)
    findings = loaded.findings().set_index("check")["message"]
    assert "RATE_DIFFERS" not in findings.index
    assert "20 % of the requests failed (30 without an answer, of 150)" in findings["ERROR_MIX"]
