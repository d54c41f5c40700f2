"""bombardier: its report, its JSON, its command line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers import bombardier_json
from benchkit.parsers._bombardier import rank
from benchkit.parsers.bombardier import read
from benchkit.parsers.bombardier_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "bombardier"


def recorded(name: str) -> RunRecord:
    outcome = read_file(Input(str(DATA / name), name, name))
    assert not outcome.problems
    [run] = outcome.runs
    return run.record


def scanned(text: str) -> Sequence[RunRecord]:
    runs = list(scan(Text.from_text(text)))
    return [run for run in runs if isinstance(run, RunRecord)]


def test_a_report() -> None:
    run = recorded("latencies.txt")
    assert run.columns == {
        "url": "http://127.0.0.1:8931/ok",
        "connections": 4,
        "requests": 2000,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 0,
        "success_ratio": 1.0,
        "throughput_rps": 21083.76,
        "goodput_rps": 21083.76,
        "latency_mean_s": 0.00019576,
        "latency_p50_s": 0.000089,
        "latency_p75_s": 0.000119,
        "latency_p90_s": 0.000176,
        "latency_p95_s": 0.000394,
        "latency_p99_s": 0.00419,
        "latency_max_s": 0.00837,
    }
    figures = {(f.metric, f.statistic): (f.value, f.unit) for f in run.figures}
    assert figures["Reqs/sec", "max"] == (38636.47, "1/s")
    assert figures["2xx", "total"] == (2000, "")


def test_the_deviation_counts_each_distinct_latency_once_and_is_no_deviation() -> None:
    # Of ten dials that failed bombardier printed 74.10us on average, 146.00us of deviation, and
    # 22, 27, 49 and 520us: seven more make it 149us, four distinct ones 146us.
    run = recorded("latencies.txt")
    assert "latency_std_s" not in run.columns
    assert [f.value for f in run.figures if f.metric == "Latency"] == [0.00065249]


def test_without_l_there_are_no_percentiles() -> None:
    run = recorded("plain.txt")
    assert run.quantiles == []
    assert run.columns["latency_max_s"] == 0.00408
    assert "connections" not in run.columns


def test_what_was_printed_while_it_ran_stands_between() -> None:
    assert recorded("progress.txt").columns["connections"] == 2


def test_failed_requests_are_no_responses() -> None:
    run = recorded("drop.txt")
    assert run.errors == {'Get "http://127.0.0.1:8931/drop?every=20": EOF': 10}
    assert (run.columns["requests"], run.columns["errors"]) == (200, 10)
    assert run.columns["throughput_rps"] == pytest.approx(20947.66 * 0.95)


def test_the_default_client_sends_again_what_failed() -> None:
    assert recorded("drop-fasthttp.txt").columns["errors"] == 0
    slow = recorded("stall.json")
    assert (slow.columns["errors"], slow.columns["latency_max_s"]) == (0, 1.00094)


def test_a_body_that_breaks_off_is_an_answer_and_an_error() -> None:
    text = (DATA / "drop.txt").read_text("utf-8")
    text = text.replace("2xx - 190", "2xx - 200").replace("others - 10", "others - 0")
    [run] = scanned(text)
    assert (run.columns["errors"], sum(filter(None, run.errors.values()))) == (0, 10)
    assert run.lost == []
    assert "timeouts" not in run.columns


def test_errors_that_are_missing_are_told() -> None:
    [run] = scanned((DATA / "drop.txt").read_text("utf-8").replace("EOF - 10", "EOF - 9"))
    assert run.lost == ["the texts of errors are not as many as the failed requests"]


def test_an_error_that_stands_there_twice_has_no_count() -> None:
    text = (DATA / "drop.txt").read_text()
    [whole] = scanned(text)
    [record] = scanned(re.sub("(.*: EOF - .*\n)", r"\1\1", text))
    assert record.errors == dict.fromkeys(whole.errors)
    assert {**record.columns, "timeouts": 0} == whole.columns
    assert len(record.lost) == 1


def test_timeouts_are_told_by_their_text() -> None:
    for name in ("stall.txt", "stall-http1.json"):
        run = recorded(name)
        assert (run.columns["errors"], run.columns["timeouts"]) == (4, 4)


@pytest.mark.parametrize("name", ["refused.txt", "refused.json"])
def test_without_an_answer_there_is_no_latency(name: str) -> None:
    run = recorded(name)
    assert not [column for column in run.columns if column.startswith("latency")]
    assert (run.columns["requests"], run.columns["errors"]) == (10, 10)
    assert run.columns["throughput_rps"] == 0
    assert run.quantiles == []


def test_classes_of_statuses_are_counted() -> None:
    for name in ("mixed.txt", "mixed.json"):
        assert (recorded(name).columns["non2xx"], recorded(name).columns["success_ratio"]) == (
            100,
            0.8,
        )
    redirects = recorded("redirect.txt").columns
    assert (redirects["non2xx"], redirects["success_ratio"]) == (50, 1.0)


def test_json_has_what_was_asked_for_and_how_long_it_took() -> None:
    run = recorded("intro.json")  # a line of text stands in front
    assert run.lines == (1, 1)
    assert run.columns == {
        "url": "http://127.0.0.1:8931/echo",
        "method": "POST",
        "connections": 4,
        "offered_rate_rps": 200.0,
        "timeout_s": 2.0,
        "requests": 202,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 0,
        "success_ratio": 1.0,
        "received_bytes": 24038,
        "sent_bytes": 34542,
        "duration_s": 1.000897135,
        "throughput_rps": pytest.approx(202 / 1.00089713),
        "goodput_rps": pytest.approx(202 / 1.00089713),
        "latency_mean_s": pytest.approx(0.000280925743),
        "latency_p50_s": 0.000276,
        "latency_p75_s": 0.000374,
        "latency_p90_s": 0.000447,
        "latency_p95_s": 0.000497,
        "latency_p99_s": 0.000633,
        "latency_max_s": 0.001214,
    }


def test_a_credential_in_json_is_nowhere() -> None:
    assert "not-a-real-token" in (DATA / "intro.json").read_text("utf-8")
    assert "not-a-real-token" not in repr(recorded("intro.json"))


def test_large_figures_have_an_exponent() -> None:
    assert "e+06" in (DATA / "stall-http1.json").read_text("utf-8")
    assert recorded("stall-http1.json").columns["latency_max_s"] == 1.001417


def test_two_reports_are_two_runs() -> None:
    first, second = scanned((DATA / "two-in-one-file.txt").read_text("utf-8"))
    assert (first.columns["connections"], second.columns["connections"]) == (2, 4)
    assert second.columns["non2xx"] == 20


@pytest.mark.parametrize("load", ["with 5 requests", "for 10s"])
def test_before_1_2_the_line_of_the_target_has_no_parentheses(load: str) -> None:
    report = (DATA / "plain.txt").read_text("utf-8")
    report = report[report.index("Statistics") :]
    [run] = scanned(f"Bombarding http://h/ {load} using 100 connections\nDone!\n{report}")
    assert (run.columns["url"], run.columns["connections"]) == ("http://h/", 100)


def test_a_run_that_was_ended_before_its_result_is_refused() -> None:
    text = "Bombarding http://h/ for 10s using 125 connection(s)\n 3s\n"
    [error] = scan(Text.from_text(text))
    assert isinstance(error, InputError)
    assert "expected the rest of the report, from its line 'Statistics' on" in str(error)


@pytest.mark.parametrize(
    "prose",
    [
        "bombardier is bombarding http servers.\n",
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency   635.91us    0.89ms",
        "  HTTP codes:\n    are explained below, errors: none\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@given(st.integers(1, 3000), st.sampled_from([0.5, 0.75, 0.9, 0.95, 0.99]))
def test_the_rank_of_a_percentile_is_bombardiers(n: int, quantile: float) -> None:
    wanted = int(quantile * n + 0.5)  # LatenciesStats: the first latency with as many up to it
    assert rank(quantile, n) == next(at for at in range(n) if at + 1 >= wanted)


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("http://h/", {"connections": 125, "timeout_s": 2.0, "method": "GET", "keepalive": None}),
        ("-c4 -r 50 http://h/ -t 500ms", {"connections": 4, "offered_rate_rps": 50.0}),
        ("--connections=9 -lk http://h/", {"connections": 9, "url": "http://h/"}),
        ("-am POST http://h/", {"method": "POST", "keepalive": False}),
        ("-H 'A: b' --http2 http://h/", {"url": "http://h/", "load_model": "closed"}),
        ("-c $N -l http://h/", {"connections": None}),
        ("-c 4", {"connections": None, "load_model": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.replace("'A: b'", "A:b").split())
    assert {name: known.get(name) for name in columns} == columns


def test_a_maximum_in_minutes_that_the_run_cannot_have_is_left_out() -> None:
    """`8.14ms` cut off; all latencies together are 0.4 s."""
    text = (DATA / "latencies.txt").read_text("utf-8")
    [run] = scanned(re.sub(r"(Latency .*) [0-9.]+ms\n", r"\1 8.14m\n", text))
    assert "latency_max_s" not in run.columns
    assert "latency_p99_s" in run.columns
    assert [note for note in run.lost if "its maximum is left out" in note]


@pytest.mark.parametrize("printed", ["68.14m", "0.52m"])
def test_so_many_minutes_are_printed_in_another_unit(printed: str) -> None:
    text = (DATA / "latencies.txt").read_text("utf-8")
    [error] = scan(Text.from_text(re.sub(r"(Latency .*) [0-9.]+ms\n", rf"\1 {printed}\n", text)))
    assert isinstance(error, InputError)
    assert error.actual == printed


def test_a_percentile_in_minutes_above_the_maximum_is_left_out() -> None:
    text = (DATA / "latencies.txt").read_text("utf-8")
    [run] = scanned(re.sub(r"(99%\s+)[0-9.]+ms\n", r"\g<1>1.14m\n", text))
    assert "latency_p99_s" not in run.columns
    assert [note for note in run.lost if "may be cut off and is left out" in note]


@pytest.mark.parametrize("key", ["req2xx", "others"])
def test_null_is_no_count_of_responses(key: str) -> None:
    value = json.loads((DATA / "plain.json").read_text("utf-8"))
    value["result"][key] = None
    with pytest.raises(InputError, match=f"expected result.{key} in a bombardier result"):
        bombardier_json.parse(value)
