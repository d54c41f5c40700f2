"""rewrk: its report, its JSON, and the table that has no percentiles."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers.rewrk import parse, read, scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "rewrk"


def runs(name: str) -> list[RunRecord]:
    outcome = read_file(Input(str(DATA / name), name, name))
    assert not outcome.problems
    return [run.record for run in outcome.runs]


def test_a_report() -> None:
    [run] = runs("plain.txt")
    assert run.columns == {
        "url": "http://127.0.0.1:8931/ok",
        "connections": 4,
        "requests": 31499,
        "throughput_rps": 31468.03,
        "received_bytes": int(3.42 * 2**20),
        "latency_min_s": 0.00002,
        "latency_mean_s": 0.00013,
        "latency_std_s": 0.00043,
        "latency_max_s": 0.01625,
    }


def test_json() -> None:
    [run] = runs("plain.json")
    assert run.columns == {
        "requests": 23001,
        "throughput_rps": pytest.approx(22988.25657490898),
        "received_bytes": 2622114,
        "latency_min_s": 0.000016013,
        "latency_mean_s": 0.000173695,
        "latency_std_s": pytest.approx(0.0007876256653222808),
        "latency_max_s": 0.043267216,
    }


def test_the_mean_of_the_slowest_is_no_percentile() -> None:
    [run] = runs("pct.txt")
    assert run.quantiles == []
    assert not [column for column in run.columns if column.startswith("latency_p")]
    figures = {(f.metric, f.statistic): f.value for f in run.figures}
    assert figures["slowest 1 %", "mean"] == 0.0187
    # As a percentile it would be wrong: half the requests had 6.22 ms on average, and half more.
    assert figures["slowest 50 %", "mean"] == 0.00689 > run.columns["latency_mean_s"]


def test_failed_requests_are_among_the_requests() -> None:
    [run] = runs("drop.txt")
    assert (run.columns["requests"], run.columns["errors"]) == (5929, 296)
    assert run.columns["throughput_rps"] == pytest.approx(5897.02 * (5929 - 296) / 5929)
    assert run.errors == {"connection closed": 296}


@pytest.mark.parametrize("name", ["rounds.txt", "rounds.json"])
def test_each_round_is_a_run(name: str) -> None:
    first, second = runs(name)
    assert first.columns["requests"] != second.columns["requests"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refused.txt", "found 'connection error: Connection refused"),
        ("stall.txt", "found 'No requests completed successfully'"),
    ],
)
def test_what_has_no_result_is_refused(name: str, words: str) -> None:
    [error] = scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(error, InputError)
    assert words in str(error)


def test_json_without_an_answer_has_no_figures() -> None:
    [run] = runs("stall.json")
    assert run.columns == {"requests": 0}


@pytest.mark.parametrize(
    "prose",
    [
        "error: Found argument '--iterations' which wasn't expected\n\nUSAGE:\n    rewrk\n",
        "  Latencies:\n    were fine\n",
        "Requests:\n  Total: all of them\n",
        "Benchmarking http://h/ with 5 request(s) using 1 connection(s).\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("-h http://h/ -c 8 -t 2 -d 10s", {"url": "http://h/", "connections": 8, "threads": 2}),
        ("--host http://h/ -m post --json", {"method": "POST", "connections": 1}),
        ("-c 8 -d 1s", {"url": None, "connections": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


def test_a_time_that_is_cut_off_is_no_time_in_minutes() -> None:
    text = (DATA / "plain.txt").read_text("utf-8")
    [run] = scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    [error] = scan(Text.from_text(re.sub(r"(Avg.*\n.*[0-9]m)s", r"\1", text)))
    assert isinstance(error, InputError)
    assert str(error.actual).endswith("m")


def test_a_report_without_the_rate_of_its_last_line_breaks_off() -> None:
    """Errors may stand below, which its rate of requests counts."""
    text = (DATA / "drop.txt").read_text("utf-8")
    [run] = scan(Text.from_text(text[: text.index("Transfer Rate")]))
    assert isinstance(run, RunRecord)
    assert run.lost == ["the report breaks off below line 8"]


def test_null_is_no_count_of_requests() -> None:
    value = json.loads((DATA / "plain.json").read_text("utf-8"))
    value["requests_total"] = None
    with pytest.raises(InputError, match="expected requests_total in a rewrk result"):
        parse(value)
