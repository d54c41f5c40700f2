"""ab's report: recorded ones, old ones, pasted ones, damaged ones."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.parsers import _ab_lines as lines
from benchkit.parsers import ab_text
from benchkit.parsing import RunRecord
from benchkit.text import Text, decode
from tests.timing import growth

DATA = Path(__file__).parent.parent / "data" / "ab"
ABORTED = {"refused.txt", "reset-abort.txt", "timeout-abort.txt"}
REPORTS = sorted(p for p in DATA.glob("**/*.txt") if p.name not in ABORTED)

SHARED = """\
This is ApacheBench, Version 2.3 <$Revision: 1879490 $>
Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/
Licensed to The Apache Software Foundation, http://www.apache.org/

Benchmarking localhost (be patient)


Server Software:        
Server Hostname:        localhost
Server Port:            8080

Document Path:          /cached
Document Length:        146 bytes

Concurrency Level:      1000
Time taken for tests:   15.742 seconds
Complete requests:      50000
Failed requests:        6424
   (Connect: 0, Receive: 0, Length: 6424, Exceptions: 0)
Non-2xx responses:      1591
Total transferred:      12924697 bytes
HTML transferred:       7062881 bytes
Requests per second:    3176.16 [#/sec] (mean)
Time per request:       314.846 [ms] (mean)
Time per request:       0.315 [ms] (mean, across all concurrent requests)
Transfer rate:          801.77 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    0   1.4      0      15
Processing:     0  205 1145.2     55   15719
Waiting:        0  205 1145.1     55   15719
Total:          0  206 1145.4     55   15728

Percentage of the requests served within a certain time (ms)
  50%     55
  66%     84
  75%     93
  80%    100
  90%    122
  95%   1063
  98%   1338
  99%   3497
 100%  15728 (longest request)
"""  # noqa: W291 - ab prints blanks after an unnamed server
HEAD = SHARED.index("Server Software")


def scan(text: str) -> list[RunRecord | InputError]:
    lines = Text.from_text(text)
    records = [record for parser in ab_text.PARSERS for record in parser.scan(lines)]
    return sorted(records, key=first_line)


def first_line(actual: RunRecord | InputError) -> int:
    lines = actual.lines if isinstance(actual, RunRecord) else None
    return lines[0] if lines else 0


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


def columns(text: str, *names: str) -> list[Any]:
    records = run(text).columns
    return [records.get(name) for name in names]


# --- the report ---


def test_every_column_of_a_report() -> None:
    assert run(SHARED).columns == {
        "tool_version": "2.3",
        "url": "http://localhost:8080/cached",
        "connections": 1000,
        "duration_s": 15.742,
        "requests": 50000,
        "errors": 0,
        "non2xx": 1591,
        "keepalive": False,
        "received_bytes": 12924697,
        "body_bytes": 7062881,
        "throughput_rps": 3176.16,
        "latency_min_s": 0.0,
        "latency_mean_s": 0.206,
        "latency_std_s": 1.1454,
        "latency_p50_s": 0.055,
        "latency_p75_s": 0.093,
        "latency_p90_s": 0.122,
        "latency_p95_s": 1.063,
        "latency_p99_s": 3.497,
        "latency_max_s": 15.728,
    }


def test_every_percentile_is_kept() -> None:
    assert run(SHARED).quantiles == [
        (0.5, 0.055),
        (0.66, 0.084),
        (0.75, 0.093),
        (0.8, 0.1),
        (0.9, 0.122),
        (0.95, 1.063),
        (0.98, 1.338),
        (0.99, 3.497),
        (1.0, 15.728),
    ]


def test_figures_without_a_column_are_kept_as_printed() -> None:
    record = run(SHARED)
    assert figures(record, "Connect") == {
        "min": 0, "mean": 0, "stdev": 0.0014, "median": 0, "max": 0.015
    }  # fmt: skip
    assert figures(record, "Processing")["stdev"] == 1.1452
    assert figures(record, "Waiting")["max"] == 15.719
    assert figures(record, "Total") == {"median": 0.055}
    assert figures(record, "Document Length") == {"value": 146}
    assert figures(record, "Failed requests") == {"total": 6424}
    assert figures(record, "Failed requests: Length") == {"total": 6424}
    assert figures(record, "Time per request") == {"mean": 0.314846}
    assert figures(record, "Time per request, across all concurrent requests") == {"mean": 0.000315}
    assert figures(record, "Transfer rate") == {"rate": 801.77 * 1024}
    assert figures(record, "Revision") == {"value": 1879490}
    assert {f.printed for f in record.figures if f.metric == "Processing"} >= {"1145.2", "15719"}


def test_length_failures_are_no_errors() -> None:
    record = run(SHARED)
    assert record.columns["errors"] == 0
    assert record.errors == {}


def test_a_run_of_errors_only_has_no_failed_requests() -> None:
    records = recorded("all-503.txt").columns
    assert (records["requests"], records["non2xx"], records["errors"]) == (300, 300, 0)
    assert "success_ratio" not in records  # redirects are among the non-2xx
    assert "goodput_rps" not in records


def test_without_any_failure_all_succeeded() -> None:
    records = recorded("keepalive.txt").columns
    assert records["success_ratio"] == 1.0
    assert records["goodput_rps"] == records["throughput_rps"] == 55570.99


def test_failures_by_kind() -> None:
    record = recorded("reset-r.txt")
    assert record.columns["errors"] == 25  # of 500 requests, every 20th: Receive and Exceptions
    assert record.errors == {"Receive": 25}
    assert figures(record, "Failed requests: Exceptions") == {"total": 25}
    assert "success_ratio" not in record.columns
    assert any("several kinds" in note for note in record.notes)


@pytest.mark.parametrize(
    ("kinds", "errors"),
    [
        ("Connect: 0, Receive: 15, Length: 0, Exceptions: 15", {"Receive": 15}),
        ("Connect: 2, Receive: 3, Length: 0, Exceptions: 5",
         {"Connect": 2, "Receive": 3, "Exceptions": 2}),
        ("Connect: 9, Receive: 15, Length: 0, Exceptions: 0", {"Connect": 9, "Receive": 15}),
    ],
)  # fmt: skip
def test_a_connection_that_breaks_is_one_error(kinds: str, errors: dict[str, int]) -> None:
    text = SHARED.replace("50000\n", "20\n").replace("6424\n", "30\n")
    record = run(text.replace("Connect: 0, Receive: 0, Length: 6424, Exceptions: 0", kinds))
    assert record.errors == errors
    assert record.columns["errors"] == min(sum(errors.values()), 20)  # never above the requests


def test_closed_connections_count_as_length_failures_and_so_success_is_unknown() -> None:
    record = recorded("drop-r.txt")
    assert record.columns["errors"] == 0
    assert "success_ratio" not in record.columns
    assert any("none at all" in note for note in record.notes)


def test_answers_of_varying_length_succeeded_where_all_have_their_headers() -> None:
    record = recorded("length-failures.txt")
    assert figures(record, "Failed requests") == {"total": 900}
    assert record.columns["success_ratio"] == 1.0


@pytest.mark.parametrize(("name", "reused"), [("keepalive.txt", True), ("no-keepalive.txt", False)])
def test_keepalive_as_the_report_tells(name: str, reused: bool) -> None:  # noqa: FBT001
    assert recorded(name).columns["keepalive"] is reused


def test_keepalive_asked_for_and_refused() -> None:
    asked = SHARED.replace("Total transferred", "Keep-Alive requests:    0\nTotal transferred")
    record = run(asked)
    assert record.columns["keepalive"] is False
    assert any("no connection was kept" in note for note in record.notes)


@pytest.mark.parametrize(
    ("label", "cut", "column"),
    [
        ("Requests per second", 3, "throughput_rps"),
        ("Total transferred", 2, "received_bytes"),
    ],
)
def test_a_line_that_lost_its_last_words_is_left_out(label: str, cut: int, column: str) -> None:
    text = decode((DATA / "quiet.txt").read_bytes()) or ""
    record = run(re.sub(rf"({label}: +[0-9]{{{cut}}}).*", r"\1", text))
    assert column in run(text).columns.keys() - record.columns.keys()
    assert len(record.lost) == 1


def test_a_time_without_its_unit_is_named() -> None:
    text = decode((DATA / "quiet.txt").read_bytes()) or ""
    [error] = scan(re.sub(r"(Time taken for tests: +[0-9.]+[0-9]) seconds", r"\1", text))
    assert isinstance(error, InputError)


def test_a_body_was_sent() -> None:
    record = recorded("post.txt")
    assert record.columns["sent_bytes"] == 203000
    assert figures(record, "Transfer rate sent") == {"rate": 12021790.72}
    assert figures(record, "Transfer rate total") == {"rate": 20549570.56}
    assert "method" not in record.columns


def test_any_length_is_accepted() -> None:
    record = recorded("variable-length.txt")
    assert figures(record, "Document Length") == {}
    assert any("-l" in note for note in record.notes)


def test_tls_makes_the_url_https() -> None:
    tls = SHARED.replace("8080", "443").replace(
        "\nDocument Path", "SSL/TLS Protocol:       TLSv1.3,X,256,256\n\nDocument Path"
    )
    assert columns(tls, "url") == ["https://localhost/cached"]


@pytest.mark.parametrize(
    ("host", "port", "url"),
    [
        ("localhost", "80", "http://localhost/cached"),
        ("::1", "8080", "http://[::1]:8080/cached"),
        ("localhost", "443", "http://localhost:443/cached"),
    ],
)
def test_default_ports_are_left_out(host: str, port: str, url: str) -> None:
    text = SHARED.replace(" localhost\n", f" {host}\n").replace("8080", port)
    assert columns(text, "url") == [url]


@pytest.mark.parametrize("mark", ["`", "\\", "</b>", "^[[0m", "\uff08目标\uff09"])
def test_what_pages_put_behind_a_target_is_no_part_of_it(mark: str) -> None:
    text = SHARED.replace("localhost\n", f"localhost{mark}\n").replace("/cached", "/cached" + mark)
    assert run(text).columns["url"] == "http://localhost:8080/cached"


def test_only_min_avg_max() -> None:
    record = recorded("no-median.txt")
    assert "latency_std_s" not in record.columns
    assert record.columns["latency_max_s"] == 0.001
    assert figures(record, "Processing") == {"min": 0, "mean": 0, "max": 0.001}


def test_min_avg_max_that_touch_are_cut_by_position() -> None:
    text = SHARED[: SHARED.index("Connection Times")] + (
        "Connection Times (ms)\n"
        "              min   avg   max\n"
        "Connect:        0     0    0\n"
        "Processing:     0 1234523456\n"
        "Total:          0 1234623457\n"
    )
    record = run(text)
    assert figures(record, "Processing") == {"min": 0, "mean": 12.345, "max": 23.456}
    assert record.columns["latency_max_s"] == 23.457


def test_without_percentiles_the_median_is_that_of_the_times() -> None:
    text = SHARED[: SHARED.index("Percentage")]
    assert run(text).quantiles == [(0.5, 0.055)]


def test_one_request_has_no_percentiles() -> None:
    record = recorded("one.txt")
    assert record.columns["requests"] == 1
    assert any("single request" in note for note in record.notes)


def test_html_tables() -> None:
    record = recorded("html.txt")
    assert record.columns["throughput_rps"] == 8513.54
    assert record.columns["url"] == "http://127.0.0.1:8931/ok"
    assert record.columns["latency_max_s"] == 0.001
    assert figures(record, "Connect") == {"min": 0, "mean": 0, "max": 0.001}
    assert figures(record, "Transfer rate") == {"rate": 970547.2}


def test_html_tables_in_one_line() -> None:
    one_line = (DATA / "html.txt").read_text(encoding="utf-8").replace("\n", "")
    expected = recorded("html.txt")
    assert run(one_line).columns == expected.columns
    assert run(one_line).figures == expected.figures


def test_warnings_between_times_and_percentiles() -> None:
    assert recorded("warning.txt").columns["latency_p99_s"] == 0.003
    assert recorded("with-progress.txt").columns["latency_p99_s"] == 0.002


# --- interrupted and aborted ---


def test_interrupted_by_a_signal() -> None:
    record = recorded("interrupted.txt")
    assert record.columns["requests"] == 729
    assert any(note.startswith("interrupted") for note in record.notes)
    assert recorded("with-progress.txt").notes == []


def test_interrupted_at_the_keyboard() -> None:
    text = SHARED.replace("(be patient)\n", "(be patient)\nCompleted 10000 requests\n^C\n")
    assert any(note.startswith("interrupted") for note in run(text).notes)


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("refused.txt", 5, "apr_socket_recv: Connection refused (111)"),
        ("reset-abort.txt", 6, "apr_socket_recv: Connection reset by peer (104)"),
        ("timeout-abort.txt", 8, "apr_pollset_poll: The timeout specified has expired (70007)"),
    ],
)
def test_an_aborted_run_says_what_ab_said(name: str, line: int, message: str) -> None:
    record = error((DATA / name).read_text(encoding="utf-8"))
    assert record.where is not None
    assert record.where.line == line
    assert record.actual == message


def test_how_many_were_done_before_it_gave_up() -> None:
    assert "after 98 requests" in str(error((DATA / "reset-abort.txt").read_text("utf-8")))


def test_an_aborted_run_does_not_hide_the_next_one() -> None:
    refused = (DATA / "refused.txt").read_text(encoding="utf-8")
    first, second = scan(refused + "\n" + SHARED)
    assert isinstance(first, InputError)
    assert isinstance(second, RunRecord)
    assert second.columns["requests"] == 50000


def test_a_run_that_died_without_a_word_is_told_where_the_next_begins() -> None:
    first, second = scan(SHARED[:HEAD] + "====\n\n" + SHARED)
    assert isinstance(first, InputError)
    assert isinstance(second, RunRecord)


def test_messages_before_a_report_are_no_abort() -> None:
    text = SHARED.replace("(be patient)\n", "(be patient)\n" + 40 * "SSL handshake failed (5).\n")
    assert columns(text, "requests", "tool_version") == [50000, "2.3"]


def test_the_version_alone_is_no_run() -> None:
    assert scan(SHARED[: SHARED.index("Benchmarking")]) == []


def test_nothing_completed() -> None:
    start, stop = SHARED.index("Complete requests"), SHARED.index("Total transferred")
    text = (
        SHARED[:start]
        + "Complete requests:      0\nFailed requests:        0\n"
        + "Total transferred:      0 bytes\nHTML transferred:       0 bytes\n"
    )
    assert stop > start
    record = run(text)
    assert record.columns["requests"] == 0
    assert not record.columns.keys() & {"throughput_rps", "success_ratio", "latency_mean_s"}


# --- old versions ---

OLD = """\
This is ApacheBench, Version 2.0.41-dev <$Revision: 1.141 $> apache-2.0
Benchmarking 10.0.0.7 (be patient)
Finished 600 requests

Server Hostname:        10.0.0.7
Server Port:            80
Document Path:          /form
Document Length:        94 bytes

Concurrency Level:      100
Time taken for tests:   2.1002 seconds
Complete requests:      600
Failed requests:        3
   (Connect: 1, Length: 2, Exceptions: 0)
Write errors:           0
Total transferred:      93300 bytes
Total POSTed:           8700
HTML transferred:       40600 bytes
Requests per second:    299.85 [#/sec] (mean)
Transfer rate:          45.51 [Kbytes/sec] received
"""


def test_microseconds_without_leading_zeros() -> None:
    record = run(OLD)
    assert record.columns["duration_s"] == 2.001002
    assert any("2.001002" in note for note in record.notes)


def test_microseconds_are_told_from_milliseconds_by_the_rate() -> None:
    unknown = OLD.split("\n", 1)[1]
    assert columns(unknown, "duration_s") == [2.001002]
    assert columns(SHARED[HEAD:], "duration_s") == [15.742]


def test_three_kinds_of_failure() -> None:
    record = run(OLD)
    assert record.columns["errors"] == 1
    assert record.columns["sent_bytes"] == 8700


def test_html_counts_receive_failures_without_printing_them() -> None:
    html = (
        (DATA / "html.txt")
        .read_text("utf-8")
        .replace(
            "Failed requests:</th><td colspan=2 bgcolor=white>0</td></tr>",
            "Failed requests:</th><td colspan=2 bgcolor=white>9</td></tr>\n"
            "<tr ><td colspan=4 >   (Connect: 0, Length: 4, Exceptions: 2)</td></tr>",
        )
    )
    assert columns(html, "errors") == [3]  # 9 - 4 - 2, and the exceptions are among them


def test_version_1_3() -> None:
    record = run(
        "Concurrency Level:      10\n"
        "Time taken for tests:   3.421 seconds\n"
        "Complete requests:      1000\n"
        "Failed requests:        0\n"
        "Broken pipe errors:     0\n"
        "Total transferred:      9604000 bytes\n"
        "HTML transferred:       9373000 bytes\n"
        "Requests per second:    292.31\n"
        "Transfer rate:          2807.37 kb/s received\n"
        "\n"
        "Connnection Times (ms)\n"
        "              min   avg   max\n"
        "Connect:        0     0     1\n"
        "Processing:     3    31  1037\n"
        "Total:          3    31  1037\n"
        "Percentage of the requests served within a certain time (ms)\n"
        "  50%     13\n"
        " 100%   1037 (last request)\n"
    )
    assert record.columns["throughput_rps"] == 292.31
    assert figures(record, "Transfer rate") == {"rate": 2807370.0}  # its K is 1000
    assert figures(record, "Broken pipe errors") == {"total": 0}
    assert record.columns["latency_max_s"] == 1.037


def test_the_trunk_of_httpd_prints_workers() -> None:
    text = SHARED.replace("Concurrency Level:", "Number of workers:      4\nConcurrency Level:")
    assert columns(text, "threads", "connections") == [4, 1000]


# --- pages ---


def test_two_runs_one_after_another() -> None:
    first, second = scan((DATA / "two-in-one-file.txt").read_text("utf-8"))
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert (first.columns["keepalive"], second.columns["keepalive"]) == (True, False)
    assert first.lines is not None
    assert second.lines is not None
    assert first.lines[1] < second.lines[0]


def test_lines_run_from_the_banner_to_the_last_percentile() -> None:
    page = "# Cache\n\n```\n" + SHARED + "```\n\nIt got faster: Total: 5 6\n"
    record = run(page)
    assert record.lines == (3, 2 + len(SHARED.splitlines()))


@pytest.mark.parametrize(
    "wrapped",
    [
        "".join(f"# {line}\n" for line in SHARED.split("\n")),
        "".join(f"    {line}\n" for line in SHARED.split("\n")),
        "".join(f"> {line}\n" for line in SHARED.split("\n")),
        "<details><pre>\n" + SHARED + "</pre></details>",
        SHARED.replace("\n", "\r\n"),
        "\n".join(" ".join(line.split()) for line in SHARED.split("\n")),
        "".join(f"bench-1  | {line}\n" for line in SHARED.split("\n")),
        "".join(f"2024-05-01T10:00:00.123Z {line}\n" for line in SHARED.split("\n")),
        "$ ab -n 50000 -c 1000 http://localhost:8080/cached\n" + SHARED,
        SHARED.replace("Document Length", "Document length").replace("Times (ms)", "times (ms)"),
        SHARED.replace("seconds", "seconds  # 总时间").replace("[#/sec] (mean)", "[#/sec] 吞吐率"),
        SHARED.replace("\n\nConnection", "\n[..snip..]\nConnection"),
        SHARED.replace("\n\nConnection", "\n```\n\nand\n\n```\nConnection"),
        " ".join(SHARED.split()),
        "\n\n".join(" ".join(part.split()) for part in SHARED.split("\n\n")),
        " ".join(SHARED.split()).replace("[", r"\[").replace("]", r"\]").replace("#", r"\#"),
        re.sub(r"(?m)^([A-Z][\w /-]+:)( +)(.*)", r"- **\1**\2`\3`", SHARED),
        re.sub(r"(?m)^([A-Z][\w /-]+:)( +)([\d.]+)", r"\1\2**\3**", SHARED),
        re.sub(r"(: +)([\d.]+)", r"\1<strong>\2</strong>", SHARED).replace("\n", "<br>\n"),
        "<ul>\n" + "".join(f"<li>{line}</li>\n" for line in SHARED.split("\n")) + "</ul>",
        json.dumps({"rc": 0, "stdout": SHARED}, indent=4),
        json.dumps({"stdout_lines": SHARED.split("\n")}, indent=4),
        SHARED.replace("50000", "50,000").replace("12924697", "12,924,697"),
        SHARED.replace("3176.16", "3,176.16"),
        SHARED.replace(" ", "\u00a0"),
        SHARED.replace(" ", "\u202f").replace(":", ":\u200b"),
        re.sub(r"(?m)(?<=[0-9]\.)(?=[0-9]+[\s0-9]+$|742)", " ", SHARED),
    ],
    ids=[
        *("commented", "indented", "quoted", "details", "crlf", "collapsed", "compose", "stamped"),
        *("prompt", "translated", "annotated", "snipped", "two fences"),
        *("a paragraph", "paragraphs", "escaped", "bold labels", "bold numbers", "strong", "list"),
        *("JSON", "JSON lines", "grouped counts", "grouped rates", "hard blanks", "hidden"),
        "slipped points",
    ],
)
def test_what_pages_do_to_a_report(wrapped: str) -> None:
    record, expected = run(wrapped), run(SHARED)
    assert record.columns == expected.columns
    assert record.quantiles == expected.quantiles
    assert record.figures == expected.figures


@pytest.mark.parametrize(
    "prefix",
    [
        *("10:20:30 ", "[10:20:30] ", "[INFO] ", "2024-05-01T10:00:00.123456Z 01O "),
        *("2024-05-01T10:00:00.123456789Z stdout F ", "May  1 10:00:00 host ab[123]: "),
        *("+", "| ", ";; ", "    default: ", 'Step #2 - "ab": ', "#12 3.456 ", "[pod/ab-x7k/ab] "),
        *("bench\tRun ab\t2024-05-01T10:00:00.1234567Z ", "  17\t", "remote: "),
    ],
)
def test_what_logs_and_quotes_put_before_every_line(prefix: str) -> None:
    def stamped(line: str, number: int) -> str:
        return prefix.replace("30", f"{30 + number}").replace("17", f"{number}") + line

    logged = "\n".join(stamped(line, at) for at, line in enumerate(SHARED.split("\n")))
    record, expected = run("Log of the job\n" + logged), run(SHARED)
    assert record.columns == expected.columns
    assert record.quantiles == expected.quantiles
    assert record.figures == expected.figures


def test_lines_that_grep_took_out_of_files() -> None:
    line = "out/c{}.txt:Requests per second:    {}76.16 [#/sec] (mean)\n"
    records = scan("".join(line.format(c, c) for c in (1, 2, 4)))
    rates = [
        record.columns["throughput_rps"] for record in records if isinstance(record, RunRecord)
    ]
    assert rates == [176.16, 276.16, 476.16]


LABELLED = [
    (label.strip(), value.strip())
    for label, _, value in (
        line.partition(":")
        for line in SHARED[SHARED.index("Server Soft") : SHARED.index("Connection")].split("\n")
    )
    if value.strip() and "(" not in label
]
ROW = "<tr>\n  <td>{}</td>\n  <td>{}</td>\n</tr>"


@pytest.mark.parametrize(
    "row",
    [
        *("| {} | {} |", "| {}: | {} |", "| **{}** | `{}` |", "| 7 | {} | {} | what it says |"),
        *("| 7 | {}: {} | what it says |", ROW, ROW.replace("\n", "")),
    ],
)
def test_a_report_that_was_made_a_table(row: str) -> None:
    rows = "\n".join(row.format(*pair) for pair in LABELLED)
    percents = "\n".join(
        row.format(*line.split("%")).replace("</td>", "%</td>", 1)
        if "<" in row
        else f"| {line.strip().replace('%', '% |')} |"
        for line in SHARED[SHARED.index("  50%") :].strip().split("\n")
    )
    text = f"{rows}\n\nPercentage of the requests served within a certain time (ms)\n\n{percents}"
    record, expected = run(text), run(SHARED)
    assert record.columns.items() <= expected.columns.items()
    assert record.columns["requests"] == 50000
    assert record.columns["throughput_rps"] == 3176.16
    assert record.columns["url"] == "http://localhost:8080/cached"
    assert record.quantiles == expected.quantiles


def test_a_report_in_each_cell_of_a_table() -> None:
    body = SHARED[SHARED.index("Concurrency") : SHARED.index("\n\nConnection")]
    cells = [body.replace("\n", "<br/>"), body.replace("3176", "3177").replace("\n", "<br/>")]
    records = scan(f"| | one | two |\n|---|---|---|\n| **ab** | {cells[0]} | {cells[1]} |\n")
    rates = [
        record.columns["throughput_rps"] for record in records if isinstance(record, RunRecord)
    ]
    assert rates == [3176.16, 3177.16]


def test_percentiles_with_their_unit() -> None:
    text = re.sub(r"(?m)^( +[0-9]+% +[0-9]+)", r"\1ms", SHARED)
    assert run(text).quantiles == run(SHARED).quantiles


def test_a_table_that_compares_gives_its_figures_to_nobody() -> None:
    rows = "\n".join(f"| {label} | {value} | {value} |" for label, value in LABELLED)
    assert scan(f"| | nginx | apache |\n|---|---|---|\n{rows}\n") == []


def test_a_table_with_words_of_ab_may_be_of_anything() -> None:
    assert scan("| Requests per second | 12 |\n| Failed requests | 0 |\n") == []


def test_html_tables_with_a_cell_in_each_line() -> None:
    cells = (DATA / "html.txt").read_text(encoding="utf-8").replace("<t", "\n    <t")
    expected = recorded("html.txt")
    assert run(cells).columns == expected.columns
    assert run(cells).figures == expected.figures


def test_lines_that_were_glued_together() -> None:
    glued = SHARED.replace("max\nConnect", "maxConnect").replace("15\nProc", "15Proc")
    glued = glued.replace("6424)\nNon", "6424)Non").replace("bytes\nHTML", "bytesHTML")
    assert run(glued).columns == run(SHARED).columns


def test_values_that_were_wrapped_to_the_next_line() -> None:
    wrapped = SHARED.replace("rate:          801", "rate:\n801").replace(
        "0  205 1145.2 ", "0  205\n"
    )
    wrapped = wrapped.replace("0  205\n    55", "0  205\n1145.2 55")
    assert run(wrapped).figures == run(SHARED).figures


def test_without_banner_a_heading_ends_a_run() -> None:
    body = SHARED[HEAD:]
    times = SHARED[SHARED.index("Percentage") :]
    no_percentiles = body[: body.index("Percentage")]
    first, second = scan(f"# One\n{no_percentiles}\n# Two\n{times}")
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert "latency_p99_s" not in first.columns
    assert second.columns["latency_p99_s"] == 3.497
    assert "requests" not in second.columns


def test_a_report_without_its_end_says_what_is_lost() -> None:
    record = run(SHARED[: SHARED.index("  98%")])
    assert record.lost == ["the percentiles end at 95 %: the report is cut"]
    assert set(record.lost) <= set(record.notes)


def test_an_excerpt_has_only_what_is_there() -> None:
    record = run("We got\n\n    Requests per second:    3176.16 [#/sec] (mean)\n")
    assert record.columns == {"throughput_rps": 3176.16}
    assert any("excerpt" in note for note in record.notes)


def test_an_excerpt_that_repeats_the_report_is_no_run() -> None:
    again = "Complete requests:      50000\nRequests per second:    3176.16 [#/sec] (mean)\n"
    assert len(scan(SHARED + "\n# In short\n" + again)) == 1
    assert len(scan(SHARED + "\n# In short\n" + again.replace("3176", "3177"))) == 2
    table = "| Requests per second | 3176.16 [#/sec] (mean) |\n| Failed requests | 6424 |\n"
    assert len(scan(f"# In short\n\n{table}\n# In full\n\n{SHARED}")) == 1
    assert len(scan(f"# A\n\n{table}\n# B\n\n{SHARED.replace('3176.16', '3177.16')}")) == 2


def test_figures_that_prose_repeats_are_no_report_that_was_cut() -> None:
    again = "* Requests per second: 3176.16, not bad\n* Concurrency Level: 1000 is what -c asked\n"
    assert len(scan(SHARED + "\nIn short:\n\n" + again)) == 1
    again = "* Concurrency Level: 1000\n* Complete requests: 50000\n"
    assert len(scan(SHARED + "\nIn short:\n\n" + again)) == 1
    first, second = scan(SHARED + "\nIn short:\n\n" + again.replace("1000", "500"))
    assert isinstance(first, RunRecord)
    assert isinstance(second, InputError)


def test_counters_that_an_author_left_out_are_unknown() -> None:
    text = SHARED.replace("Non-2xx responses:      1591\n", "[...]\n")
    assert columns(text, "non2xx", "requests", "errors") == [None, 50000, 0]


@pytest.mark.parametrize(
    "prose",
    [
        "ab reports Requests per second: 100 and so on.",
        "Complete requests: The number of successful responses received",
        "Requests per second: 512",
        "Concurrency Level: high\nServer Hostname: yours\nDocument Path: /\n",
        "Total: 12 13 14\nConnect: 1 2 3\n",
        "Percentage of the requests served within a certain time (ms)\nis the last section",
        "This is ApacheBench, the tool for ...\n  50%     55\n  66%     84\n",
        "## Connection Times (ms)\n\nare explained below",
    ],
)
def test_prose_about_ab_is_no_run(prose: str) -> None:
    assert scan(prose) == []


def test_another_tool_that_prints_ab_s_labels_is_not_read() -> None:
    text = SHARED[HEAD:].replace("Transfer rate:", "HTML Transfer rate:")
    assert "GoHttpBench" in str(error(text))


# --- damage ---


@pytest.mark.parametrize("value", ["nan", "5000O", "1.2.3", "50,00", "9" * 40, "-50000"])
def test_a_number_that_is_none(value: str) -> None:
    record = error(SHARED.replace(" 50000", f" {value}"))
    assert record.where is not None
    assert record.where.line == 17
    assert "Complete requests" in record.expected


def test_a_count_of_bytes_that_overflowed_is_missing() -> None:
    record = run(SHARED.replace(" 12924697", " -12924697"))
    assert "received_bytes" not in record.columns
    assert any("-12924697" in note for note in record.notes)


def test_a_report_cut_before_its_rates() -> None:
    text = SHARED[: SHARED.index("Requests per second")]
    record = error(text)
    assert "Requests per second" in record.expected
    assert record.where is not None
    assert record.where.line == 22


def test_a_number_cut_at_the_end_is_not_taken() -> None:
    assert "Requests per second" in error(SHARED[: SHARED.index("3176.16") + 4]).expected
    assert run(SHARED[: SHARED.index("3497") + 2]).quantiles[-1] == (0.98, 1.338)


def test_times_below_0_are_left_out_and_told() -> None:
    record = run(re.sub(r"(Total|Waiting): +[0-9]+", r"\1:  -3", SHARED))
    assert record.columns["latency_max_s"] == 15.728
    assert "latency_min_s" not in record.columns
    assert all(figure.value >= 0 for figure in record.figures)
    assert "connection times below 0, 2, are left out: the clock was set back" in record.notes


def test_percentiles_out_of_order_are_told_in_one_note() -> None:
    record = run(re.sub(r"( 50%) +[0-9]+", r"\1 9000", SHARED))
    assert [q for q, _ in record.quantiles if q < 1] == [0.5]
    assert record.notes.count("7 rows of 66 % to 99 % are below one before them and left out") == 1


@pytest.mark.parametrize("path", REPORTS, ids=lambda p: p.name)
def test_a_report_cut_at_any_line_invents_nothing(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    known = {(k, str(v)) for record in scan("".join(lines)) for k, v in record.columns.items()}  # type: ignore[union-attr]
    for stop in range(len(lines)):
        for record in scan("".join(lines[:stop])):
            if isinstance(record, RunRecord):
                assert {(k, str(v)) for k, v in record.columns.items()} <= known
            else:
                assert "\n" not in str(record)


@pytest.mark.parametrize("path", REPORTS, ids=lambda p: p.name)
def test_what_the_parser_declares_holds(path: Path) -> None:
    parser = ab_text.PARSERS[0]
    for record in parser.scan(Text.from_text(path.read_text(encoding="utf-8"))):
        assert isinstance(record, RunRecord)
        assert set(parser.fills) <= record.columns.keys()
        assert record.columns.keys() <= {*parser.fills, *parser.may_fill}


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings(codec: str) -> None:
    assert run(decode(SHARED.encode(codec)) or "").columns == run(SHARED).columns


@given(st.lists(st.integers(0, len(SHARED.splitlines()) - 1), max_size=60))
def test_lines_in_any_order_never_crash(order: list[int]) -> None:
    lines = SHARED.splitlines()
    for record in scan("\n".join(lines[number] for number in order)):
        assert isinstance(record, (RunRecord, InputError))


@given(st.integers(0, len(SHARED)), st.text(max_size=20))
def test_text_anywhere_never_crashes(at: int, text: str) -> None:
    scan(SHARED[:at] + text + SHARED[at:])


@pytest.mark.parametrize(
    "hostile",
    [
        *("Requests per second: ", "Requests per second: 1 ", "Requests per second: 1\n", ",000"),
        *("1", "1.", "min ", "mean[+/-sd] ", "min mean max\nTotal: 1 2 3\n", "- ", "(", "ab cd "),
        *("Benchmarking x (be patient)", "Benchmarking x (be patient)\n", ".", "apr_x (1", "$ "),
        *("This is ApacheBench, Version 2.3 ", "Connection Times (ms)\n", "50% 1\n", "xTotal"),
        "Requests per second: 5 [#/sec]\nComplete requests: 7\n\n",
    ],
)
def test_time_is_linear_in_the_text(hostile: str) -> None:
    def spent(times: int) -> float:
        begin = "Complete requests: 5\nTotal: 1 2 3\nBenchmarking x (be patient)"
        text = Text.from_text(begin + hostile * times)
        assert text.repaired
        start = time.process_time()
        for parser in ab_text.PARSERS:
            assert list(parser.scan(text)) is not None
        return time.process_time() - start

    times = 12_000 // len(hostile)
    assert growth(spent, times, 8 * times, most=24, quick_s=0.1) < 24


def test_a_line_far_from_others_is_an_excerpt_whatever_stands_below_it() -> None:
    line = "Requests per second:    {}.45 [#/sec] (mean)\n"
    words = "".join(f"2024-03-01 worker {n} did something, fine\n" for n in range(1100))
    text = Text.from_text(
        f"{line.format(9123)}\n# Log\n\n{words}\n{line.format(9000)}3 more runs\n"
    )
    runs = list(ab_text.scan_excerpts(text))
    rates = [run.columns["throughput_rps"] for run in runs if isinstance(run, RunRecord)]
    assert rates == [9123.45, 9000.45]


@pytest.mark.parametrize("remarks", [["# mean"], ["# mean", "# of all"]])
def test_remarks_between_the_rows_of_a_report(remarks: list[str]) -> None:
    rows = (DATA / "few.txt").read_text("utf-8").splitlines()
    at = next(n for n, row in enumerate(rows) if row.startswith("Time per request"))
    remarked = run("\n".join([*rows[:at], *remarks, *rows[at:]]))
    assert remarked.columns == run("\n".join(rows)).columns


def test_a_remark_behind_a_percentile_may_begin_with_one() -> None:
    report = (DATA / "few.txt").read_text("utf-8")
    remarked = re.sub(r"(?m)^  ([0-9]+)%.*$", r"\g<0>     # \1%的请求", report)
    assert remarked != report
    assert run(remarked).columns == run(report).columns


def test_a_heading_between_the_parts_of_two_reports_is_no_remark() -> None:
    """A remark above makes none of what has blank lines around it."""
    rows = (DATA / "few.txt").read_text("utf-8").splitlines()
    at = next(n for n, row in enumerate(rows) if row.startswith("Time per request"))
    below = next(n for n, row in enumerate(rows) if row.startswith("Percentage"))
    for between in (["", "# caddy", ""], ["", "# caddy"], ["# caddy", ""]):
        page = [*rows[:at], "# mean", rows[at], *between, *rows[below:]]
        spans = [report.span for report in lines.AB.reports(Text.from_text("\n".join(page)))]
        assert spans == [(0, at + 1), (at + 2 + len(between), len(page) - 1)]
