"""Hyperfoil's imitation of wrk is told from wrk, and read for what it is."""

from benchkit.errors import InputError
from benchkit.parsers import wrk2_text, wrk_hyperfoil, wrk_text
from benchkit.parsing import RunRecord
from benchkit.text import Text

# Laid out as WrkAbstract.java prints; the figures are invented.
REPORT = """\
Running 10s test @ http://shop.test/
  2 threads and 15 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    71.20ms  604.11μs   1.04s     71.43%
    Req/Sec    88.00      2.10    91.00     80.00
  880 requests in 10.021s,   1.25MB read
Requests/sec: 87.82
Transfer/sec: 127.73kB
"""
ERRORS = """\
Socket errors: connectionErrors 3, requestTimeouts 2
Non-2xx or 3xx responses: 7
"""


def run(text: str) -> RunRecord:
    (record,) = wrk_hyperfoil.scan(Text.from_text(text))
    assert isinstance(record, RunRecord)
    return record


def test_it_is_nobody_elses() -> None:
    assert list(wrk_text.scan(Text.from_text(REPORT))) == []
    assert list(wrk2_text.scan(Text.from_text(REPORT))) == []


def test_its_figures() -> None:
    record = run(REPORT)
    assert record.columns == {
        "url": "http://shop.test/",
        "threads": 2,
        "connections": 15,
        "latency_mean_s": 0.0712,
        "latency_std_s": 0.00060411,
        "latency_max_s": 1.04,
        "requests": 880,
        "duration_s": 10.021,
        "throughput_rps": 87.82,
    }
    kept = {(f.metric, f.statistic): f.value for f in record.figures}
    assert kept["Req/Sec", "within_stdev"] == 0.8
    assert kept["read", "total"] == 1.25 * 1024**2
    assert record.lines == (0, 7)


def test_errors_come_last() -> None:
    record = run(REPORT + ERRORS)
    assert (record.columns["errors"], record.columns["timeouts"]) == (5, 2)
    assert record.columns["non2xx"] == 7
    assert record.errors == {"connectionErrors": 3, "requestTimeouts": 2}
    assert record.lines == (0, 9)


def test_a_micro_sign_that_did_not_survive() -> None:
    assert run(REPORT.replace("μs", "?s")).columns == run(REPORT).columns


def test_a_line_of_errors_that_is_damaged() -> None:
    text = REPORT + ERRORS.replace("requestTimeouts 2", "requestTimeouts")
    (record,) = wrk_hyperfoil.scan(Text.from_text(text))
    assert isinstance(record, InputError)
    assert record.where is not None
    assert record.where.line == 9
