"""wrk's report: recorded ones, pasted ones, damaged ones."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.cli import formats
from benchkit.errors import InputError
from benchkit.parsers import wrk2_text, wrk_hyperfoil, wrk_text
from benchkit.parsing import RunRecord
from benchkit.text import Text, decode

DATA = Path(__file__).parent.parent / "data" / "wrk"
REPORTS = sorted(p for p in DATA.glob("*.txt") if p.name != "refused.txt")

GATEWAY = """\
Running 30s test @ http://localhost:8082/hello.txt
  10 threads and 200 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     6.61ms    4.71ms  49.59ms   69.36%
    Req/Sec     3.24k   278.42     9.02k    75.89%
  969489 requests in 30.10s, 175.67MB read
Requests/sec:  32213.38
Transfer/sec:      5.84MB
"""
MESH = """\
Running 30s test @ http://localhost:4140/hello.txt
  10 threads and 200 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     7.62ms    5.45ms  53.51ms   69.82%
    Req/Sec     2.82k   184.58     4.11k    72.17%
  843418 requests in 30.07s, 186.61MB read
Requests/sec:  28050.76
Transfer/sec:      6.21MB
"""


def scan(text: str) -> list[RunRecord | InputError]:
    if not any(marker in text for marker in wrk_text.PARSERS[0].markers):
        return []
    return list(wrk_text.scan(Text.from_text(text)))


def run(text: str) -> RunRecord:
    (record,) = scan(text)
    assert isinstance(record, RunRecord)
    return record


def error(text: str) -> InputError:
    (record,) = scan(text)
    assert isinstance(record, InputError)
    return record


def recorded(name: str) -> RunRecord:
    return run(decode((DATA / name).read_bytes()) or "")


def figures(actual: RunRecord, metric: str) -> dict[str, float]:
    return {f.statistic: f.value for f in actual.figures if f.metric == metric}


def test_every_figure_of_a_plain_report() -> None:
    record = run(GATEWAY)
    assert record.columns == {
        "url": "http://localhost:8082/hello.txt",
        "threads": 10,
        "connections": 200,
        "latency_mean_s": 0.00661,
        "latency_std_s": 0.00471,
        "latency_max_s": 0.04959,
        "requests": 969489,
        "duration_s": 30.10,
        "received_bytes": round(175.67 * 1024**2),
        "throughput_rps": 32213.38,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 0,
        "goodput_rps": 32213.38,
        "success_ratio": 1.0,
    }
    assert figures(record, "Latency") == {"within_stdev": 0.6936}
    assert figures(record, "Req/Sec") == {
        "mean": 3240.0,
        "stdev": 278.42,
        "max": 9020.0,
        "within_stdev": 0.7589,
    }
    assert figures(record, "Transfer/sec") == {"rate": 5.84 * 1024**2}
    assert record.lines == (0, 7)
    assert record.quantiles == []


def test_quantiles_with_latency() -> None:
    record = recorded("latency.txt")
    assert record.quantiles == [(0.5, 0.000112), (0.75, 0.00024), (0.9, 0.00158), (0.99, 0.00435)]
    assert record.columns["latency_p75_s"] == 0.00024
    assert record.columns["latency_mean_s"] == 0.00047759


def test_patched_builds_print_more_quantiles() -> None:
    text = (DATA / "latency.txt").read_text()
    record = run(text.replace("     99%    4.35ms", "     95%    2.10ms\n   99.9%    4.35ms"))
    assert record.columns["latency_p95_s"] == 0.0021
    assert record.columns["latency_p999_s"] == 0.00435


def test_commas_that_a_page_put_between_thousands() -> None:
    text = GATEWAY.replace("969489 requests", "969,489 requests").replace("32213.38", "32,213.38")
    failed = "  Socket errors: connect 0, read 1,204, write 0, timeout 7\n"
    record = run(text.replace("Requests/sec", failed + "Requests/sec"))
    assert record.columns["requests"] == 969489
    assert record.columns["throughput_rps"] == 32213.38
    assert record.columns["errors"] == 1211


@pytest.mark.parametrize("bad", ["96,9489", "969,48", ",969"])
def test_commas_elsewhere_are_none_of_thousands(bad: str) -> None:
    assert error(GATEWAY.replace("969489", bad)).actual == bad


@pytest.mark.parametrize(
    "remark",
    [
        *(
            " (all four threads)",
            "\uff08每秒\uff09",
            " 每秒处理的请求数",
            "  # in total",
            "  <-- here",
        ),
        *(" ← here", "  // in total", " - in total", " -- in total", " ==> in total"),
    ],
)
def test_remarks_behind_the_figures(remark: str) -> None:
    lines = GATEWAY.splitlines()
    text = "\n".join([lines[0], *(line + remark for line in lines[1:])]) + "\n"
    assert run(text).columns == run(GATEWAY).columns
    assert run(text).figures == run(GATEWAY).figures


def below(report: str) -> str:
    """Return a report with its rows below it, as a fork prints them."""
    head, rows, end = report[:-1].split("\n")[:2], report.split("\n")[3:5], report.split("\n")[5:]
    latency, rate = (row.split() for row in rows)
    table = [
        "Thread Stats         Avg       Stdev         Min         Max    +/- Stdev ",
        f"     Latency:  {latency[1]}  {latency[2]}  94.00us  {latency[3]}  {latency[4]}",
        f"     Req/sec:  {rate[1]}  {rate[2]}  49.00  {rate[3]}  {rate[4]}",
    ]
    return "\n".join([*head, *end, *table, ""])


def test_a_fork_prints_the_rows_below_the_rest() -> None:
    first, second = scan(below(GATEWAY) + below(MESH))
    for record, usual in ((first, GATEWAY), (second, MESH)):
        assert isinstance(record, RunRecord)
        assert record.columns == run(usual).columns
        assert figures(record, "Latency") == {**figures(run(usual), "Latency"), "min": 94e-6}
        assert not record.lost


def test_figures_of_two_runs_on_a_line_are_not_taken_for_one() -> None:
    record = error(GATEWAY.replace("32213.38", "32213.38 -> 33109.02"))
    assert record.actual == "32213.38 -> 33109.02"


def test_seconds_are_followed_by_a_blank() -> None:
    assert [q for _, q in recorded("seconds.txt").quantiles] == [1.2, 1.2, 1.2, 1.2]


def test_minutes_count_the_time_really_taken() -> None:
    columns = recorded("one-minute.txt").columns
    assert columns["duration_s"] == 61.2
    assert figures(recorded("one-minute.txt"), "Running") == {"value": 60.0}


def test_minutes_never_become_hours_and_bytes_reach_tera() -> None:
    columns = run(
        GATEWAY.replace("Running 30s", "Running 5760m")
        .replace("969489 requests in 30.10s", "20458115192 requests in 5615.74m")
        .replace("175.67MB", "2.60TB")
    ).columns
    assert columns["duration_s"] == 336944.4
    assert columns["requests"] == 20458115192
    assert columns["received_bytes"] == round(2.60 * 1024**4)


def test_socket_errors_are_requests_without_an_answer() -> None:
    record = recorded("connect-errors.txt")
    assert (record.columns["errors"], record.columns["timeouts"]) == (25, 0)
    assert record.errors == {"connect": 25}
    assert record.columns["success_ratio"] == 132301 / (132301 + 25)
    assert figures(record, "Socket errors: read") == {"total": 0}


def test_late_answers_are_answers() -> None:
    columns = recorded("timeouts.txt").columns
    assert (columns["requests"], columns["errors"], columns["timeouts"]) == (77, 20, 20)
    assert columns["success_ratio"] == 1.0


def test_statuses_above_399() -> None:
    columns = recorded("non2xx.txt").columns
    assert columns["non2xx"] == 27309
    assert columns["success_ratio"] == (136550 - 27309) / 136550
    assert columns["goodput_rps"] == pytest.approx(columns["throughput_rps"] * 0.8, rel=1e-4)
    assert columns["errors"] == 0


def test_redirects_are_no_failures() -> None:
    assert recorded("redirect.txt").columns["success_ratio"] == 1.0


def test_connections_are_shared_evenly() -> None:
    record = recorded("uneven.txt")
    assert (record.columns["threads"], record.columns["connections"]) == (3, 9)
    assert figures(record, "connections") == {"value": 10}


@pytest.mark.parametrize("name", ["all-late.txt", "all-late-plain.txt", "stalled.txt"])
def test_zeros_without_a_sample_are_missing(name: str) -> None:
    record = recorded(name)
    assert not [column for column in record.columns if column.startswith("latency")]
    assert record.quantiles == []
    assert "no latency sample" in record.notes[0]


def test_rates_of_an_all_late_run_are_there() -> None:
    record = recorded("all-late.txt")
    assert figures(record, "Req/Sec")["mean"] == 1.0
    assert record.columns["throughput_rps"] == 2.0


def test_nan_of_a_mac() -> None:
    record = run(
        GATEWAY.replace("6.61ms    4.71ms  49.59ms   69.36%", "0.00us    0.00us   0.00us     nan%")
    )
    assert "latency_mean_s" not in record.columns
    assert figures(record, "Req/Sec")["mean"] == 3240.0


def test_a_zero_above_a_lower_quantile_is_missing() -> None:
    text = (DATA / "latency.txt").read_text().replace("4.35ms", "0.00us")
    record = run(text)
    assert [q for q, _ in record.quantiles] == [0.5, 0.75, 0.9]
    assert "latency_p99_s" not in record.columns
    assert record.notes == ["the 99% quantile is printed as 0 and left out"]


def test_an_overflown_counter_is_missing() -> None:
    text = GATEWAY.replace("Requests/sec", "  Non-2xx or 3xx responses: -17\nRequests/sec")
    columns = run(text).columns
    assert "non2xx" not in columns
    assert "success_ratio" not in columns
    assert columns["errors"] == 0


def test_percentiles_of_a_script_stay_figures() -> None:
    record = recorded("lua-done.txt")
    assert figures(record, "done()")["p99.9"] == 0.007955
    assert "latency_p999_s" not in record.columns
    assert record.lines == (0, 19)


def test_a_scripts_numbers_without_a_unit_stay_plain() -> None:
    record = run(GATEWAY + "------------------------------\n50%,151\n99.999%,12239\nrate: 5\n")
    assert [(f.value, f.unit) for f in record.figures if f.metric == "done()"] == [
        (151, ""),
        (12239, ""),
    ]


@pytest.mark.parametrize("between", ["rate: 5\n", "--- mine ---\n\nlatency in us\n", '{"a": 1}\n'])
def test_a_scripts_percentiles_are_found_below_other_lines(between: str) -> None:
    records = run(GATEWAY + "50%,151\n" + between + "90%,350\n")
    assert figures(records, "done()") == {"p50": 151, "p90": 350}


@pytest.mark.parametrize(
    "between",
    [
        "\n\n",
        "```\n",
        "## More\n",
        "Percentage of the requests served within a certain time (ms)\n",
        "Running 10s test @ http://127.0.0.1/\n",
    ],
)
def test_what_stands_below_another_output_is_not_the_scripts(between: str) -> None:
    records = next(record for record in scan(GATEWAY + "50%,151\n" + between + "90%  350\n"))
    assert isinstance(records, RunRecord)
    assert figures(records, "done()") == {"p50": 151}


def test_a_script_may_print_while_the_run_lasts() -> None:
    noisy = GATEWAY.replace("  Thread Stats", "thread 1 created\nresponse 500\n  Thread Stats")
    assert run(noisy).columns["throughput_rps"] == 32213.38


def test_interrupted_is_a_report() -> None:
    assert recorded("interrupted.txt").columns["requests"] == 1440
    assert run(GATEWAY.replace("  Thread Stats", "^C  Thread Stats")).columns["threads"] == 10


def test_two_runs_without_a_line_between() -> None:
    runs = scan((DATA / "two-in-one-file.txt").read_text())
    assert [r.lines for r in runs if isinstance(r, RunRecord)] == [(0, 12), (13, 20)]


def test_version_printed_above() -> None:
    banner = "wrk {} [epoll] Copyright (C) 2012 Will Glozer\n"
    assert run(banner.format("4.2.0") + GATEWAY).columns["tool_version"] == "4.2.0"
    assert run(banner.format("3.1.2") + GATEWAY).columns["correction"] == "none"
    assert "correction" not in run(banner.format("4.2.0") + GATEWAY).columns


def test_the_formats_say_that_version_4_is_assumed() -> None:
    assert "`correction` (where nothing tells the version, 4 is assumed" in formats.markdown()


def indented(text: str) -> str:
    return "".join(f"\t    {line}\n" for line in text.splitlines())


def commented(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def collapsed(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def double_spaced(text: str) -> str:
    return text.replace("\n", "\n\n")


def page(text: str) -> str:
    return f"# Proxies\n\n## First\n```bash\n~% wrk -t 10 -c 200 http://h/\n{text}```\n\nFast.\n"


def html_page(text: str) -> str:
    return f"<pre><code>{text}</code></pre>"


def from_windows(text: str) -> str:
    return text.replace("\n", "\r\n")


@pytest.mark.parametrize(
    "paste",
    [indented, commented, quoted, collapsed, double_spaced, page, html_page, from_windows],
)
@pytest.mark.parametrize("name", ["latency.txt", "non2xx.txt", "drop.txt", "all-late.txt"])
def test_whatever_was_done_to_a_paste(paste: Callable[[str], str], name: str) -> None:
    text = (DATA / name).read_text()
    pasted, whole = run(paste(text)), run(text)
    assert (pasted.columns, pasted.quantiles) == (whole.columns, whole.quantiles)


def test_runs_of_a_page_are_where_they_stand() -> None:
    text = f"# Mesh\n{MESH}\nand the gateway:\n\n    $ wrk http://x/\n{indented(GATEWAY)}\nend"
    first, second = scan(text)
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert first.columns["throughput_rps"] == 28050.76
    assert second.columns["throughput_rps"] == 32213.38
    assert (first.lines, second.lines) == ((1, 8), (13, 20))


def test_a_paste_without_its_head() -> None:
    record = run(GATEWAY.split("\n", 2)[2])
    assert record.columns["requests"] == 969489
    assert "threads" not in record.columns


def test_an_ampersand_in_a_target_stays() -> None:
    record = run(GATEWAY.replace("/hello.txt", "/x?a=1&copy=2"))
    assert record.columns["url"] == "http://localhost:8082/x?a=1&copy=2"


@pytest.mark.parametrize(
    "prose",
    [
        "We ran wrk with 2 threads and 10 connections",
        "- 2 threads and 10 connections\n- 30 seconds",
        "Running 30s test @ http://x:1/\n10 connections\n\n251k requests in 10.05s, 27.9 MB read",
        "Thread Stats Avg Stdev Max +/- Stdev is the header row",
        "Requests/sec: 12.00",
        "unable to connect to the database, try again",
        "unable to connect to db:5432 because the host is down.",
        "",
    ],
)
def test_prose_and_other_tools_yield_nothing(prose: str) -> None:
    assert scan(prose) == []


def test_refused() -> None:
    records = error((DATA / "refused.txt").read_text())
    assert str(records) == (
        "line 1: expected a report of wrk, found 'unable to connect to 127.0.0.1:8999 "
        "Connection refused'; wrk could not start: there is no result to read"
    )


@pytest.mark.parametrize(
    ("good", "bad", "line"),
    [
        ("6.61ms", "6.6x1ms", 4),
        ("   69.36%", "", 4),
        ("3.24k", "3.24q", 5),
        ("969489", "9694 89x", 6),
        ("30.10s", "soon", 6),
        ("175.67MB", "175.67", 6),
        ("175.67MB", "99999999999TB", 6),
        ("32213.38", "fast", 7),
        ("10 threads", "300 threads", 2),
    ],
)
def test_a_figure_that_is_none_is_an_error_on_its_line(good: str, bad: str, line: int) -> None:
    first, second = scan(GATEWAY.replace(good, bad) + "\n\n\n\n" + MESH)
    assert isinstance(first, InputError)
    assert first.where is not None
    assert first.where.line == line
    assert isinstance(second, RunRecord)


def test_without_its_summary_no_counter_is_known() -> None:
    record = run(GATEWAY.replace("  969489 requests in 30.10s, 175.67MB read\n", ""))
    assert record.columns["throughput_rps"] == 32213.38
    assert not {"requests", "errors", "non2xx", "success_ratio"} & record.columns.keys()


def test_a_report_without_its_end_is_read_as_far_as_it_goes() -> None:
    record = run(GATEWAY[: GATEWAY.index("Requests/sec")])
    assert record.columns == {
        "url": "http://localhost:8082/hello.txt",
        "threads": 10,
        "connections": 200,
        "latency_mean_s": 0.00661,
        "latency_std_s": 0.00471,
        "latency_max_s": 0.04959,
        "requests": 969489,
        "duration_s": 30.1,
        "received_bytes": 184203346,
    }
    assert record.lost == ["the report breaks off at line 6: what it prints below is missing"]


def test_errors_are_known_where_their_line_is_there() -> None:
    cut = GATEWAY[: GATEWAY.index("Requests/sec")]
    late = run(cut + "  Socket errors: connect 0, read 2, write 0, timeout 5\n")
    assert (late.columns["errors"], late.columns["timeouts"]) == (7, 5)
    assert not {"non2xx", "success_ratio"} & late.columns.keys()
    refused = run(cut + "  Non-2xx or 3xx responses: 3\n")
    assert refused.columns["non2xx"] == 3
    assert not {"errors", "success_ratio"} & refused.columns.keys()


def test_a_head_alone_is_no_report() -> None:
    assert error(GATEWAY[: GATEWAY.index("  Thread")] + "Killed\n").where is not None
    assert error(GATEWAY[: GATEWAY.index("    Latency")]).where is not None


@pytest.mark.parametrize(
    "end",
    [
        "  Latency Distribution\n     50%    6.01ms\n     99%    9.43m",
        "  Socket errors: connect 0, read 2, write 0, timeout 5",
        "  Non-2xx or 3xx responses: 3",
        "Requests/sec:  32213.3",
    ],
)
def test_a_last_line_that_may_be_cut_in_its_middle_is_left_out(end: str) -> None:
    cut = GATEWAY[: GATEWAY.index("Requests/sec")]
    record = run((cut if "%" not in end else cut[: cut.index("  969489")]) + end)
    lost = {"latency_p99_s", "errors", "timeouts", "non2xx", "throughput_rps"}
    assert not lost & record.columns.keys()
    assert len(record.lost) == 1


def test_a_cut_report_does_not_swallow_the_next() -> None:
    cut = GATEWAY[: GATEWAY.index("Requests/sec")]
    first, second = scan(cut + MESH)
    assert isinstance(first, RunRecord)
    assert first.columns["requests"] == 969489
    assert "throughput_rps" not in first.columns
    assert isinstance(second, RunRecord)
    assert second.columns["requests"] == 843418


def test_a_cut_report_takes_nothing_from_another_tool() -> None:
    hey = "\nSummary:\n  Total: 1 secs\n  Slowest: 2\n  Fastest: 1\n  Requests/sec: 5.00\n"
    table = run(GATEWAY[: GATEWAY.index("  969489")] + hey)
    assert not {"requests", "throughput_rps"} & table.columns.keys()
    assert isinstance(scan(GATEWAY[: GATEWAY.index("  Thread")] + hey)[0], InputError)


@pytest.mark.parametrize(
    ("begin", "requests"),
    [("  969489", 969489), ("969489", 969489), ("69489", None), ("9", None), ("6", None)],
)
def test_a_count_with_which_a_text_begins_may_be_cut(begin: str, requests: int | None) -> None:
    """wrk prints blanks before it; without them the rate tells whether it is whole."""
    record = run(begin + GATEWAY[GATEWAY.index(" requests in") :])
    assert record.columns.get("requests") == requests
    assert record.columns["throughput_rps"] == 32213.38
    assert bool(record.lost) == (requests is None)


def test_the_end_of_a_report_alone() -> None:
    record = run("After a minute:\n\n" + GATEWAY[GATEWAY.index("  969489") :])
    assert record.columns["requests"] == 969489
    assert record.columns["throughput_rps"] == 32213.38
    assert "url" not in record.columns
    assert record.columns["load_model"] is None  # wrk2 ends its reports so, too
    assert record.notes == ["only the end of a report, which may be wrk's or wrk2's"]


def test_a_report_from_its_figures_on() -> None:
    record = run(GATEWAY[GATEWAY.index("    Latency") :])
    assert record.columns["latency_max_s"] == 0.04959
    assert record.columns["throughput_rps"] == 32213.38


def test_runs_at_the_same_time_do_not_get_each_others_target() -> None:
    heads = [
        record[: record.index("  Thread")] for record in (GATEWAY, MESH.replace("10 th", "8 th"))
    ]
    tables = [record[record.index("  Thread") :] for record in (GATEWAY, MESH)]
    first, second = scan("$ wrk -t10 x & wrk -t8 y &\n" + "".join(heads + tables))
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    for run in (first, second):
        message = [run.columns[name] for name in ("url", "threads", "connections")]
        assert message == [None, None, None]
        assert run.notes == ["one of 2 reports printed at once: which head is its own is not told"]
    assert (first.columns["requests"], second.columns["requests"]) == (969489, 843418)
    assert (first.lines, second.lines) == ((1, 10), (11, 16))


def test_runs_at_the_same_time_have_what_their_heads_say_alike() -> None:
    heads = [record[: record.index("  Thread")] for record in (GATEWAY, MESH, GATEWAY)]
    tables = [record[record.index("  Thread") :] for record in (GATEWAY, MESH, GATEWAY)]
    records = scan("\n".join(heads + tables))
    assert len(records) == 3
    for record in records:
        assert isinstance(record, RunRecord)
        assert (record.columns["threads"], record.columns["connections"]) == (10, 200)
        assert record.columns["url"] is None


def test_a_run_that_was_killed_before_another_is_not_beside_it() -> None:
    killed, record = scan(GATEWAY[: GATEWAY.index("  Thread")] + MESH)
    assert isinstance(killed, InputError)
    assert isinstance(record, RunRecord)
    assert record.columns["url"] == "http://localhost:4140/hello.txt"


@pytest.mark.parametrize(
    ("printed", "edited"),
    [
        ("Requests/sec:", "*Requests/sec:"),
        ("  10 threads", "  *10* threads"),
        ("  10 threads", "  **10** threads"),
        ("Running 30s", "```Running 30s"),
        ("5.84MB", "5.84MB```"),
        ("5.84MB", "5.84MB`"),
        ("5.84MB", '5.84MB""",'),
        ("32213.38", "32213.38 req/s"),
        ("32213.38", "32213.38 requests/sec"),
        ("in 30.10s,", "in 30.10 s,"),
        ("MB read", "MB read."),
        ("Running 30s", "output := `Running 30s"),
        ("Running 30s", "$ wrk -t10 -c200 http://localhost:8082/hello.txt    Running 30s"),
        ("32213.38", "32213.38  \u2705 (target: 30,000)"),
        ("Requests/sec:  32213.38", "**Requests/sec:  32213.38**"),
        ("    Latency ", "    延迟 "),
        ("    Req/Sec ", "    每秒请求数 "),
    ],
)
def test_what_pages_and_translators_do_to_a_line(printed: str, edited: str) -> None:
    assert printed in GATEWAY
    record = run(GATEWAY.replace(printed, edited))
    assert record.columns == run(GATEWAY).columns
    assert record.figures == run(GATEWAY).figures


def test_rows_of_a_table_that_was_made_of_the_figures() -> None:
    head, rest = GATEWAY.split("  Thread")
    end = rest[rest.index("  969489") :]
    table = (
        "| Thread Stats | Avg | Stdev | Max | +/- Stdev |\n|---|---:|---|---|---|\n"
        "| Latency | 6.61ms | 4.71ms | 49.59ms | 69.36% |\n"
        "| Req/Sec | 3.24k | 278.42 | 9.02k | 75.89% |\n"
    )
    text = f"```\n{head}```\n\n{table}\n```\n{end}```\n"
    assert run(text).columns == run(GATEWAY).columns


def test_a_table_of_other_columns_is_no_report() -> None:
    head = "| | p50 | p90 | p99 | SLO |\n|---|---|---|---|---|\n"
    assert scan(head + "| Latency | 1ms | 2ms | 3ms | 99% |\n") == []


def test_quantiles_with_the_throughput_only() -> None:
    record = run(
        "  Latency Distribution\n     50%   15ms\n     99%   38ms\n\nRequests/sec: 52.45\n"
    )
    assert record.quantiles == [(0.5, 0.015), (0.99, 0.038)]
    assert record.columns["throughput_rps"] == 52.45


def test_a_distribution_below_the_totals() -> None:
    record = run(GATEWAY + "  Latency Distribution\n     50%    6.01ms\n     99%    9.43ms\n")
    assert record.quantiles == [(0.5, 0.00601), (0.99, 0.00943)]
    assert record.columns["throughput_rps"] == 32213.38


def test_a_distribution_without_a_report_is_told() -> None:
    rows = "  Latency Distribution\n     50%    6.01ms\n     99%    9.43ms\n"
    lost, whole = scan(f"# GET\n\n{rows}\n# PUT\n\n{GATEWAY}")
    assert isinstance(whole, RunRecord)
    assert isinstance(lost, InputError)
    assert lost.actual == "only its distribution of latencies"


def test_a_distribution_repeated_below_is_no_other_run() -> None:
    rows = "  Latency Distribution\n     50%    6.01ms\n     99%    9.43ms\n"
    end = GATEWAY.index("  969489")
    whole = GATEWAY[:end] + rows + GATEWAY[end:]
    assert run(whole + "\nwhat do the percentages mean?\n\n" + rows).columns == run(whole).columns


def test_a_line_of_threads_that_was_left_out() -> None:
    record = run(GATEWAY.replace("  10 threads and 200 connections\n", ""))
    assert record.columns["url"] == "http://localhost:8082/hello.txt"
    assert "threads" not in record.columns


def test_version_1_makes_a_number_of_requests() -> None:
    first = "Making 969480 requests to http://localhost:8082/hello.txt"
    text = first + GATEWAY[GATEWAY.index("\n") :]
    record = run(text)
    assert record.columns == {**run(GATEWAY).columns, "correction": "none"}
    assert figures(record, "Making") == {"value": 969480}
    assert run(" ".join(text.split())).columns == record.columns


def test_line_breaks_of_markdown() -> None:
    lines = GATEWAY.splitlines()
    assert run(" \\\n".join(lines)).columns == run(GATEWAY).columns


def test_units_apart_from_their_numbers() -> None:
    text = GATEWAY.replace("6.61ms", "6.61 ms").replace("49.59ms", "49.59 ms")
    text = (
        text.replace("3.24k", "3.24 k").replace("75.89%", "75.89 %").replace("5.84MB", "5.84 MB/s")
    )
    assert run(text).columns == run(GATEWAY).columns


def test_a_rate_that_was_shortened() -> None:
    assert run(GATEWAY.replace("32213.38", "32.2k") + "\n.").columns["throughput_rps"] == 32200


def test_a_fork_counts_other_errors_too() -> None:
    line = "  Socket errors: connect 0, read 4, write 0, timeout 2, http 5\n"
    record = run(GATEWAY.replace("Requests/sec", line + "Requests/sec"))
    assert record.columns["errors"] == 6
    assert figures(record, "Socket errors: http") == {"total": 5}


def test_a_plus_minus_sign_and_a_protocol() -> None:
    text = GATEWAY.replace("+/- Stdev", "± Stdev").replace(" read", " read [HTTP/1.1]")
    text = text.replace("hello.txt", "hello.txt [HTTP/1.1]").replace("sec:  3", "sec:3")
    assert run(text).columns == run(GATEWAY).columns
    assert run(text).figures == run(GATEWAY).figures


def test_rows_quoted_to_explain_them_are_no_other_run() -> None:
    rows = GATEWAY[GATEWAY.index("  Thread") : GATEWAY.index("  969489")]
    end = GATEWAY[GATEWAY.index("  969489") :]
    text = f"{GATEWAY}\nThe rows:\n\n{rows}\nare per thread.\n\n## Totals\n\n{end}"
    assert run(text).lines == (0, 7)


def test_a_part_that_is_shown_again_is_no_other_run() -> None:
    part = GATEWAY[GATEWAY.index("  Thread") : GATEWAY.index("  969489")]
    rows = part[part.index("    Latency") :]
    record = run(f"# Stage 1\n\n{part}\n# Stage 2\n\nBefore:\n{part}\n# Again\n\n{rows}")
    assert record.lines == (2, 4)


def test_prose_with_a_percentage_below_a_cut_report_is_no_quantile() -> None:
    cut = GATEWAY[: GATEWAY.index("  969489")] + "  Latency Distribution\n     50%    6.01ms\n"
    record = run(f"{cut}\nThe flame graph shows:\n7.1% in the lock, and\n12% in the collector.\n")
    assert record.quantiles == [(0.5, 0.00601)]


def test_a_report_in_two_parts_with_words_between_is_one() -> None:
    end = GATEWAY.index("  969489")
    text = f"```\n{GATEWAY[:end]}```\n\nThat is per thread. In total:\n\n```\n{GATEWAY[end:]}```\n"
    record = run(text)
    assert record.columns == run(GATEWAY).columns
    assert record.lost == []


@pytest.mark.parametrize("between", ["## Mesh", "$ wrk -t1 http://localhost:4140/"])
def test_the_end_of_another_report_is_not_joined(between: str) -> None:
    end = GATEWAY.index("  969489")
    first, second = scan(f"{GATEWAY[:end]}\n{between}\n{MESH[MESH.index('  843418') :]}")
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert "requests" not in first.columns
    assert second.columns["requests"] == 843418


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_cut_at_any_line_nothing_is_invented(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    whole = scan("".join(lines))
    for end in range(len(lines)):
        check_part(scan("".join(lines[:end])), whole)


@given(end=st.integers(0, 600))
def test_cut_at_any_character_nothing_is_invented(end: int) -> None:
    text = (DATA / "drop.txt").read_text()
    check_part(scan(text[:end]), scan(text))


def check_part(part: list[RunRecord | InputError], whole: list[RunRecord | InputError]) -> None:
    """Hold a cut output against the whole one: runs and their values are among the whole's."""
    for got, want in zip(part, whole, strict=False):
        if isinstance(got, InputError):
            assert got is part[-1]
            assert got.where is not None
            continue
        assert isinstance(want, RunRecord)
        assert got.columns.items() <= want.columns.items()
        assert set(got.figures) <= set(want.figures)
        assert set(got.quantiles) <= set(want.quantiles)
        assert got.lost or got.columns == want.columns


@given(st.text(max_size=300), st.sampled_from(GATEWAY.splitlines()), st.integers(0, 400))
def test_any_text_is_read_or_refused(noise: str, line: str, at: int) -> None:
    for text in (GATEWAY[:at] + noise + GATEWAY[at:], GATEWAY.replace(line, noise), noise):
        for module in (wrk_text, wrk2_text, wrk_hyperfoil):
            for record in module.scan(Text.from_text(text)):
                assert isinstance(record, RunRecord | InputError)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_of_windows(codec: str) -> None:
    data = from_windows(GATEWAY).encode(codec)
    assert run(decode(data) or "").columns == run(GATEWAY).columns


def test_no_block_has_two_owners() -> None:
    for path in sorted(DATA.parent.glob("wrk*/*.txt")):
        text = Text.from_text(path.read_text())
        owners = [m for m in (wrk_text, wrk2_text, wrk_hyperfoil) if list(m.scan(text))]
        assert len(owners) == 1, path


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("  50 goroutine(s) running concurrently\n", ""),
        ("", "Fastest Request:\t2.741ms\nNumber of Errors:\t12\n"),
    ],
)
def test_a_report_of_go_wrk_is_none_of_wrk(above: str, below: str) -> None:
    """It shares lines with it, and has errors of its own."""
    report = (
        f"Running 30s test @ http://127.0.0.1:8080/\n{above}"
        "64782 requests in 29.982840726s, 8.83MB read\n"
        f"Requests/sec:\t\t2160.64\nTransfer/sec:\t\t301.73KB\n{below}"
    )
    [error] = wrk_text.scan(Text.from_text(report))
    assert isinstance(error, InputError)
    assert "go-wrk" in str(error)


def test_a_fence_behind_the_last_row() -> None:
    report = (DATA / "plain.txt").read_text("utf-8").rstrip()
    [run] = wrk_text.scan(Text.from_text(f"{report} ```\n"))
    [plain] = wrk_text.scan(Text.from_text(f"{report}\n"))
    assert isinstance(run, RunRecord)
    assert isinstance(plain, RunRecord)
    assert run.columns == plain.columns
