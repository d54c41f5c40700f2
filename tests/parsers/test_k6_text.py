"""k6's report at the end of a test, in the modes and versions that there were."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.parsers.k6_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "k6"

#: As k6 0.49 prints it (`js/summary.js`), with thresholds on two metrics.
EARLIER = """
     ✓ is status 200

     checks...: 100.00% ✓ 20       ✗ 0
     data_received...: 2.3 kB  2.2 kB/s
     data_sent...: 1.6 kB  1.5 kB/s
     http_req_blocked...: avg=30.1µs min=1.5µs med=3.1µs max=400.2µs p(90)=6.61µs p(95)=65.01µs
   ✗ http_req_duration...: avg=1m30s min=21.5µs med=1.02s max=1h2m3s p(90)=2m0s p(95)=3m20s
       { expected_response:true }...: avg=51.71ms min=50.62ms med=51.33ms max=54.54ms p(95)=54ms
   ✓ http_req_failed...: 15.00%  ✓ 3        ✗ 17
     http_reqs...: 20      19.287374/s
     iteration_duration...: avg=51.98ms min=50.75ms med=51.45ms max=55.12ms p(90)=54ms
     iterations...: 20      19.287374/s
     vus...: 1       min=1 max=1
     vus_max...: 1       min=1 max=1
"""


def recorded(name: str) -> RunRecord:
    [run] = scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(run, RunRecord)
    return run


def figures(run: RunRecord) -> dict[tuple[str, str], tuple[float, str]]:
    return {(f.metric, f.statistic): (f.value, f.unit) for f in run.figures}


def test_a_report() -> None:
    run = recorded("compact.txt")
    assert run.columns == {
        "threads": 3,
        "load_model": "closed",
        "duration_s": 14475 / 14472.405561,
        "requests": 14475,
        "errors": 0,
        "success_ratio": 1.0,
        "throughput_rps": 14472.405561,
        "goodput_rps": 14472.405561,
        "latency_mean_s": 0.00018345,
        "latency_min_s": 2.612e-05,
        "latency_p50_s": 0.00012112,
        "latency_max_s": 0.00917,
        "latency_p90_s": 0.00026207,
        "latency_p95_s": 0.00042701,
        "resolution_s": 1e-8,
    }
    assert (run.statuses, run.errors, run.notes, run.lines) == ({}, {}, [], (12, 36))
    kept = figures(run)
    assert kept["http_req_duration{expected_response:true}", "p95"] == (0.00042701, "s")
    assert kept["http_req_failed", "total"] == (0, "")
    assert kept["data_received", "total"] == (1.7e6, "B")
    assert kept["data_received", "rate"] == (1.6e6, "B/s")
    assert kept["iterations", "total"] == (14475, "")
    assert kept["complete iterations", "total"] == (14475, "")


def test_the_run_is_the_total_and_not_its_scenarios_and_groups() -> None:
    run = recorded("full.txt")
    assert (run.columns["requests"], run.columns["latency_p99_s"]) == (10396, 0.00238)
    kept = figures(run)
    assert kept["http_reqs{scenario:closed}", "total"] == (10345, "")
    assert kept["http_reqs{scenario:open}", "total"] == (51, "")
    assert kept["http_reqs{group:mixed}", "total"] == (51, "")
    assert kept["http_req_duration{scenario:open}", "p99"][1] == "s"
    assert kept["own_trend", "median"] == (0.00018097, "s")


def test_scenarios_whose_headings_are_missing_are_left_out() -> None:
    text = (DATA / "full.txt").read_text()
    [run] = scan(Text.from_text(re.sub(r".* SCENARIO: open \n", "", text)))
    assert isinstance(run, RunRecord)
    assert not [metric for metric, _ in figures(run) if "scenario:closed" in metric]
    assert run.lost == ["{scenario:closed} has metrics twice, some of another: left out"]


def test_a_threshold_that_was_crossed_is_named_and_no_other() -> None:
    crossed = "thresholds crossed: http_req_duration: p(99.9)<1"
    assert [note for note in recorded("full.txt").notes if "threshold" in note] == [crossed]
    assert "thresholds crossed: http_req_duration" in recorded("legacy.txt").notes


def test_failures_are_not_told_apart() -> None:
    run = recorded("mixed.txt")
    assert not {"errors", "non2xx"} & run.columns.keys()
    assert (run.columns["requests"], run.columns["success_ratio"]) == (200, 0.8)
    assert run.columns["throughput_rps"] == 2774.057574
    assert run.columns["goodput_rps"] == pytest.approx(0.8 * 2774.057574)
    assert run.notes[0].startswith("40 requests failed")


def test_without_a_connection_there_is_no_latency() -> None:
    run = recorded("refused.txt")
    assert run.columns == {
        "duration_s": 20 / 1038.216921,
        "requests": 20,
        "errors": 20,
        "success_ratio": 0.0,
        "throughput_rps": 0.0,
        "goodput_rps": 0.0,
    }
    assert run.quantiles == []


def test_the_least_latency_is_none_where_a_request_had_no_connection() -> None:
    text = (DATA / "drop.txt").read_text("utf-8").replace("min=94.4µs ", "min=0s ")
    [run] = scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    assert not {"latency_min_s", "throughput_rps", "errors"} & run.columns.keys()
    assert run.columns["latency_p50_s"] == 0.00038045


def test_a_small_latency_may_be_printed_as_0() -> None:
    text = (DATA / "seconds.txt").read_text("utf-8").replace("=0.02s", "=0.00s")
    [run] = scan(Text.from_text(text.replace("=0.03s", "=0.00s")))
    assert isinstance(run, RunRecord)
    assert (run.columns["latency_max_s"], run.columns["latency_p50_s"]) == (0.0, 0.0)
    assert run.columns["resolution_s"] == 0.01


def test_statistics_of_any_choice_and_unit() -> None:
    run = recorded("stats.txt")
    assert run.quantiles == [(0.999, 0.01053175), (0.5, 0.00010698), (0.25, 7.416e-05)]
    assert run.columns["latency_max_s"] == 0.01055238
    assert not {"latency_mean_s", "latency_min_s"} & run.columns.keys()
    assert figures(run)["http_req_duration", "total"] == (400, "")


def test_dots_go_as_far_as_the_longest_name() -> None:
    [run] = scan(Text.from_text(EARLIER.replace("...: ", f"{'.' * 330}: ")))
    [plain] = scan(Text.from_text(EARLIER))
    assert isinstance(run, RunRecord)
    assert isinstance(plain, RunRecord)
    assert run.columns == plain.columns


def test_iterations_that_were_dropped() -> None:
    run = recorded("dropped.txt")
    assert (run.columns["load_model"], run.columns["offered_rate_rps"]) == ("open", 200.0)
    assert figures(run)["dropped_iterations", "total"] == (122, "")
    assert run.notes[0].startswith("122 iterations were dropped")


def test_the_scenarios_tell_the_load() -> None:
    assert recorded("two-closed.txt").columns["load_model"] == "closed"
    run = recorded("legacy.txt")
    assert "load_model" not in run.columns
    assert "scenarios in an open and in a closed loop share this run" in run.notes
    assert "load_model" not in recorded("quiet.txt").columns


def test_an_earlier_report() -> None:
    [run] = scan(Text.from_text(EARLIER))
    assert isinstance(run, RunRecord)
    assert (run.columns["requests"], run.columns["success_ratio"]) == (20, 17 / 20)
    assert (run.columns["latency_mean_s"], run.columns["latency_max_s"]) == (90.0, 3723.0)
    assert run.quantiles == [(0.5, 1.02), (0.9, 120.0), (0.95, 200.0)]
    assert figures(run)["http_req_failed", "total"] == (3, "")
    assert "thresholds crossed: http_req_duration" in run.notes


def test_before_0_31_no_failures_are_counted() -> None:
    lines = [line for line in EARLIER.splitlines() if "http_req_failed" not in line]
    head = "    duration: 10s, iterations: -\n         vus: 1, max: 1\n"
    [run] = scan(Text.from_text(head + "\n".join(lines)))
    assert isinstance(run, RunRecord)
    assert (run.columns["throughput_rps"], run.columns["load_model"]) == (19.287374, "closed")
    assert not {"success_ratio", "errors"} & run.columns.keys()


def test_reports_one_after_the_other_are_as_many_runs() -> None:
    later = EARLIER.replace("19.287374", "29.5").replace(": 20 ", ": 31 ")
    runs = [
        run for run in scan(Text.from_text(EARLIER + "\n" + later)) if isinstance(run, RunRecord)
    ]
    assert [run.columns["requests"] for run in runs] == [20, 31]
    both = (DATA / "compact.txt").read_text("utf-8") + (DATA / "quiet.txt").read_text("utf-8")
    runs = [run for run in scan(Text.from_text(both)) if isinstance(run, RunRecord)]
    assert [run.columns["requests"] for run in runs] == [14475, 200]
    assert "load_model" not in runs[1].columns


def test_in_the_log_of_a_pipeline() -> None:
    lines = (DATA / "compact.txt").read_text("utf-8").splitlines()
    text = "\n".join(f"2026-11-22T20:10:43.1234567Z {line}" for line in lines)
    [run] = scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    assert run.columns == recorded("compact.txt").columns


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unknown-metric.txt", "found 'an error: invalid threshold defined on no_such_metric"),
        ("exception.txt", "found 'an error: could not initialize"),
        ("aborted.txt", "the run was aborted, or the output is cut off"),
        ("no-request.txt", "expected HTTP requests, 'http_reqs', in k6's report"),
    ],
)
def test_what_holds_no_run_is_refused_in_a_line(name: str, words: str) -> None:
    [error] = scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(error, InputError)
    assert words in str(error)


def test_a_figure_that_is_none_is_named() -> None:
    text = (DATA / "quiet.txt").read_text("utf-8").replace("avg=370.17µs", "avg=soon", 1)
    [error] = scan(Text.from_text(text))
    assert str(error).startswith("line 6: expected a figure of k6 in this line of the report")


@pytest.mark.parametrize("name", ["full.txt", "legacy.txt", "dropped.txt", "mixed.txt"])
def test_a_report_cut_at_a_line_says_nothing_else(name: str) -> None:
    lines = (DATA / name).read_text("utf-8").splitlines(keepends=True)
    whole = recorded(name)
    for end in range(1, len(lines)):
        for cut in scan(Text.from_text("".join(lines[:end]))):
            if isinstance(cut, RunRecord):
                assert cut.columns.items() <= whole.columns.items(), end
                assert {*figures(cut).items()} <= {*figures(whole).items()}
                assert cut.lost or "requests" in cut.columns


@pytest.mark.parametrize(
    "prose",
    [
        "The p(95) of http_req_duration was 3ms: see `http_reqs....`.\n",
        "Contents......: 12\nChapter 1.....: 13 14/s\n",
        'time="2026" level=error msg="cannot connect to the database"\n',
        "TOTAL REVENUE\n  net......: 100 5/s\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert [run for run in scan(Text.from_text(prose)) if isinstance(run, RunRecord)] == []


@pytest.mark.parametrize("width", [45, 79, 80])
def test_a_time_that_a_terminal_cut_is_no_other_time(width: int) -> None:
    """`max=68.14m|s` are no minutes, and `avg=6.38` alone no seconds."""
    text = (DATA / "interrupted.txt").read_text("utf-8")
    [error] = scan(Text.from_text("\n".join(line[:width] for line in text.splitlines())))
    assert isinstance(error, InputError)
    assert "expected a figure of k6" in str(error)


def test_a_time_that_was_wrapped_is_no_other_time() -> None:
    text = (DATA / "compact.txt").read_text("utf-8").replace("avg=183.45µs", "avg=183\n.45µs")
    [error] = scan(Text.from_text(text))
    assert isinstance(error, InputError)
    assert error.actual == "183"


@pytest.mark.parametrize("lines", [40, 50, 60, 70])
def test_a_scenario_or_group_is_not_taken_for_the_run(lines: int) -> None:
    """`tail` of a report in full shows the blocks below the total, with their own requests."""
    text = (DATA / "full.txt").read_text("utf-8")
    runs = list(scan(Text.from_text("\n".join(text.splitlines()[-lines:]))))
    assert runs
    assert all(isinstance(run, InputError) for run in runs)
    assert "expected the total of a run of k6" in str(runs[0])


def test_the_total_is_known_without_its_heading_by_its_virtual_users() -> None:
    text = (DATA / "full.txt").read_text("utf-8")
    [run] = scan(Text.from_text(text.partition("TOTAL RESULTS")[2]))
    assert isinstance(run, RunRecord)
    assert run.columns["requests"] == 10396


@pytest.mark.parametrize("name", ["refused.txt", "legacy.txt"])
def test_without_the_failed_requests_there_is_no_throughput(name: str) -> None:
    text = (DATA / name).read_text("utf-8")
    lines = [line for line in text.splitlines() if "http_req_failed" not in line]
    [run] = scan(Text.from_text("\n".join(lines)))
    assert isinstance(run, RunRecord)
    assert not {"errors", "throughput_rps", "goodput_rps"} & run.columns.keys()
    assert any(note.startswith("'http_req_failed' is missing") for note in run.lost)
