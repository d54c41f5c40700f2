"""hey's report: what it prints, what it leaves out, and what its percentiles are."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.parsers.hey import PARSERS, read, scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "hey"
SHARES = (10, 25, 50, 75, 90, 95, 99)


def recorded(name: str) -> RunRecord:
    [run] = scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(run, RunRecord)
    return run


def test_a_report() -> None:
    run = recorded("plain.txt")
    assert run.columns == {
        "duration_s": 0.2687,
        "requests": 5000,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 0,
        "body_bytes": 60000,
        "throughput_rps": 18606.4373,
        "goodput_rps": 18606.4373,
        "success_ratio": 1.0,
        "latency_min_s": 0.0,
        "latency_mean_s": 0.0005,
        "latency_max_s": 0.0063,
        "latency_p50_s": 0.0004,
        "latency_p75_s": 0.0006,
        "latency_p90_s": 0.0008,
        "latency_p95_s": 0.0012,
        "latency_p99_s": 0.0031,
    }
    assert run.quantiles[:2] == [(0.1, 0.0002), (0.25, 0.0003)]
    assert run.statuses == {200: 5000}
    assert (run.errors, run.notes, run.lines) == ({}, [], (1, 42))
    figures = {(f.metric, f.statistic): (f.value, f.unit) for f in run.figures}
    assert figures["Size/request", "mean"] == (12, "B")
    assert figures["Response time histogram, 3", "max"] == (0.001, "s")
    assert figures["Response time histogram, 3", "total"] == (644, "")
    assert figures["resp read", "max"] == (0.0017, "s")


def test_a_percentage_of_0_1_5_has_two_signs() -> None:
    run = recorded("0.1.5.txt")
    assert run.quantiles[0] == (0.1, 0.0001)
    assert run.columns["latency_p99_s"] == 0.0369
    assert (run.columns["requests"], run.columns["non2xx"]) == (296, 60)
    assert run.lost == []


def test_the_fastest_connection_of_0_1_4_is_that_of_the_request() -> None:
    run = recorded("plain.txt")
    assert [f.statistic for f in run.figures if f.metric == "DNS+dialup"] == ["mean"]


@pytest.mark.parametrize("missing", ["Average", "Average|DNS|resp|req"])
def test_zeros_without_an_average_are_no_latencies(missing: str) -> None:
    text = (DATA / "refused.txt").read_text()
    [run] = scan(Text.from_text(re.sub(rf"  (?:{missing}).*\n", "", text)))
    assert isinstance(run, RunRecord)
    assert not [column for column in run.columns if column.startswith("latency")]


def test_statuses_are_counted() -> None:
    run = recorded("mixed.txt")
    assert run.statuses == {200: 400, 404: 50, 500: 50}
    assert (run.columns["requests"], run.columns["non2xx"]) == (500, 100)
    assert run.columns["success_ratio"] == 0.8
    assert run.columns["goodput_rps"] == pytest.approx(0.8 * 25200.0646)


def test_requests_without_an_answer_are_among_those_of_the_printed_rate() -> None:
    run = recorded("drop.txt")
    assert run.errors == {'Get "http://127.0.0.1:8931/drop?every=20": EOF': 20}
    assert (run.columns["requests"], run.columns["errors"]) == (400, 20)
    assert run.columns["throughput_rps"] == pytest.approx(0.95 * 8770.3164)


def test_timeouts_are_errors_with_a_text_of_their_own() -> None:
    run = recorded("stall.txt")
    assert (run.columns["errors"], run.columns["timeouts"]) == (5, 5)
    assert run.columns["latency_max_s"] == 0.001


def test_without_an_answer_there_is_no_latency() -> None:
    run = recorded("refused.txt")
    assert run.columns == {
        "duration_s": 0.0013,
        "requests": 20,
        "errors": 20,
        "timeouts": 0,
        "non2xx": 0,
        "throughput_rps": 0.0,
        "goodput_rps": 0.0,
        "success_ratio": 0.0,
    }
    assert (run.quantiles, run.figures, run.statuses) == ([], [], {})


def test_bodies_without_a_length_are_not_counted() -> None:
    assert "body_bytes" not in recorded("no-content.txt").columns


def test_above_a_million_answers_only_the_first_are_kept() -> None:
    run = recorded("million.txt")
    assert run.columns["throughput_rps"] == 17209.3479
    assert run.columns["latency_p99_s"] == 0.0041
    assert not {"requests", "latency_mean_s", "latency_max_s"} & run.columns.keys()
    assert run.statuses == {}
    assert "first million" in run.notes[0]


@pytest.mark.parametrize(
    ("name", "shares"),
    [("1.txt", 0), ("2.txt", 1), ("3.txt", 2), ("4.txt", 3), ("5.txt", 4), ("50.txt", 6)],
)
def test_too_few_answers_have_no_high_percentiles(name: str, shares: int) -> None:
    assert [q for q, _ in recorded(name).quantiles] == [p / 100 for p in SHARES[:shares]]


def printed_ranks(n: int) -> dict[int, int]:
    """Return the ranks at which hey reads its percentiles: `latencies` of report.go."""
    ranks: dict[int, int] = {}
    for rank in range(n):
        if len(ranks) < len(SHARES) and rank * 100 // n >= SHARES[len(ranks)]:
            ranks[SHARES[len(ranks)]] = rank
    return ranks


@given(st.integers(1, 3000))
def test_the_rank_of_a_percentile_is_heys(n: int) -> None:
    rank = PARSERS[0].rank
    assert rank is not None
    ranks = printed_ranks(n)
    assert {p: rank(p / 100, n) for p in ranks} == ranks
    assert rank(0.999, n) < n


def test_two_reports_are_two_runs() -> None:
    first, second = scan(Text.from_text((DATA / "two-in-one-file.txt").read_text("utf-8")))
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert (first.statuses, second.statuses) == ({200: 200}, {200: 160, 404: 20, 500: 20})


@pytest.mark.parametrize("name", ["plain.txt", "reset.txt", "mixed.txt", "refused.txt", "4.txt"])
def test_a_report_cut_at_a_line_says_nothing_else(name: str) -> None:
    lines = (DATA / name).read_text("utf-8").rstrip().splitlines(keepends=True)
    whole = recorded(name)
    for end in range(3, len(lines)):
        [cut] = scan(Text.from_text("".join(lines[:end])))
        if isinstance(cut, InputError):
            assert "the report is cut off here" in str(cut)
            continue
        assert cut.columns.items() <= whole.columns.items()
        assert cut.errors.items() <= whole.errors.items()
        assert cut.lost


def test_a_figure_that_is_none_is_named() -> None:
    text = (DATA / "plain.txt").read_text("utf-8").replace("0.0063 secs", "slow secs", 1)
    [error] = scan(Text.from_text(text))
    assert str(error).startswith(
        "line 4: expected seconds in this line of the report, found 'slow'"
    )


@pytest.mark.parametrize(
    "prose",
    [
        "We ran hey.\n\nSummary:\nit was fast, 50% in 2 secs, Requests/sec: 100\n",
        "Summary:\n  Count:\t5\n  Total:\t1.00 s\n  Slowest:\t2.00 ms\n",
        "Status code distribution:\n  [200]\t5 responses\n",
        "Summary:\n",
        (
            "Summary:\n  Success rate:\t1.0000\n  Total:\t1.0 secs\n  Slowest:\t0.1 secs\n"
            "  Requests/sec:\t9.0000\n\nLatency distribution:\n  10% in 0.0002 secs\n"
        ),
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (
            "http://h/",
            {"url": "http://h/", "connections": 50, "timeout_s": 20.0, "keepalive": True},
        ),
        ("-c=4 --q 25 -z 3s http://h/", {"connections": 4, "offered_rate_rps": 100.0}),
        ("-m post -disable-keepalive http://h/", {"method": "POST", "keepalive": False}),
        ("-disable-keepalive=false -t 0 http://h/", {"keepalive": True, "timeout_s": None}),
        ("-h2 -c 8 https://h/", {"connections": None, "url": "https://h/"}),
        ("-c $N http://h/", {"connections": None, "offered_rate_rps": None}),
        ("-n 10", {"load_model": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


def test_every_printed_latency_is_a_multiple_of_the_step() -> None:
    for path in DATA.glob("*.txt"):
        for run in scan(Text.from_text(path.read_text("utf-8"))):
            assert isinstance(run, RunRecord)
            for _, latency in run.quantiles:
                assert math.isclose(latency * 1e4, round(latency * 1e4))
