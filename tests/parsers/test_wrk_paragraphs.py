"""Reports of wrk that a page ran together, wrapped anew, or put into a table."""

import textwrap
from collections.abc import Callable

import pytest

from benchkit.parsers import wrk2_text, wrk_text
from benchkit.parsing import RunRecord
from benchkit.text import Text

SHOP = """\
Running 20s test @ http://localhost:8081/shop?page=2
  4 threads and 48 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     3.11ms    1.52ms  40.28ms   88.10%
    Req/Sec     3.94k   201.77     5.20k    71.25%
  Latency Distribution
     50%    2.90ms
     75%    3.61ms
     90%    4.58ms
     99%    8.97ms
  314159 requests in 20.05s, 44.12MB read
  Socket errors: connect 0, read 3, write 0, timeout 7
  Non-2xx or 3xx responses: 26
Requests/sec:  15668.78
Transfer/sec:      2.20MB
"""
RATED = """\
Running 30s test @ http://localhost:8081/rated
  2 threads and 16 connections
  Thread calibration: mean lat.: 1.204ms, rate sampling interval: 10ms
  Thread calibration: mean lat.: 1.198ms, rate sampling interval: 10ms
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.21ms  418.00us   6.03ms   66.01%
    Req/Sec   527.30     61.14   777.00     74.20%
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%    1.19ms
 99.000%    2.35ms
100.000%    6.03ms

  Detailed Percentile spectrum:
       Value   Percentile   TotalCount 1/(1-Percentile)

       0.071     0.000000            1         1.00
       1.190     0.500000         9920         2.00
       6.031     1.000000        19800          inf
#[Mean    =        1.207, StdDeviation   =        0.418]
#[Max     =        6.028, Total count    =        19800]
#[Buckets =           27, SubBuckets     =         2048]
----------------------------------------------------------
  29982 requests in 30.00s, 3.40MB read
Requests/sec:    999.39
Transfer/sec:    116.12KB
"""


def only(text: str) -> RunRecord:
    (record,) = list(wrk_text.scan(Text.from_text(text))) + list(
        wrk2_text.scan(Text.from_text(text))
    )
    assert isinstance(record, RunRecord)
    return record


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def comment(text: str) -> str:
    filled = textwrap.fill("Measured with 2 cores. " + on_one_line(text), 76)
    return textwrap.indent(filled, " * ")


def quoted(text: str) -> str:
    return '{"tool": "wrk", "raw": "' + text.replace("\n", "\\n") + '", "ok": true}'


def cell(text: str) -> str:
    return "| variant | output |\n|---|---|\n| a | <pre>" + text.replace("\n", "<br>") + "</pre> |"


@pytest.mark.parametrize("report", [SHOP, RATED], ids=["wrk", "wrk2"])
@pytest.mark.parametrize("paste", [on_one_line, comment, quoted, cell])
def test_every_figure_is_read_whatever_became_of_the_lines(
    paste: Callable[[str], str], report: str
) -> None:
    record, printed = only(paste(report)), only(report)
    assert record.columns == printed.columns
    assert record.quantiles == printed.quantiles
    assert record.figures == printed.figures
    assert record.errors == printed.errors


@pytest.mark.parametrize("width", range(40, 130, 7))
def test_wherever_the_lines_are_wrapped(width: int) -> None:
    record = only(textwrap.fill(on_one_line(SHOP), width, break_on_hyphens=False))
    assert record.columns == only(SHOP).columns


def test_a_command_before_and_words_behind_stay_out() -> None:
    record = only(f"$ wrk -t4 {on_one_line(SHOP)} total requests: 12 [1] + done wrk -t4")
    assert record.columns == only(SHOP).columns


def test_two_reports_in_a_row_of_a_table() -> None:
    text = "| " + " | ".join(f"<pre>{on_one_line(record)}</pre>" for record in (SHOP, RATED)) + " |"
    (shop,), (rated,) = wrk_text.scan(Text.from_text(text)), wrk2_text.scan(Text.from_text(text))
    assert isinstance(shop, RunRecord)
    assert isinstance(rated, RunRecord)
    assert shop.columns == only(SHOP).columns
    assert rated.columns == only(RATED).columns


@pytest.mark.parametrize("bar", ["   | ", "|", "\t"])
def test_columns_side_by_side_are_read_each_for_itself(bar: str) -> None:
    pairs = zip(SHOP.splitlines(), SHOP.replace("1", "2").splitlines(), strict=True)
    text = "\n".join(left + bar + right for left, right in pairs)
    left, right = wrk_text.scan(Text.from_text(text))
    assert isinstance(left, RunRecord)
    assert isinstance(right, RunRecord)
    assert left.columns == only(SHOP).columns
    assert right.columns == only(SHOP.replace("1", "2")).columns


def test_lines_are_where_the_report_begins_and_ends() -> None:
    text = "Prose.\n\n" + textwrap.fill(on_one_line(SHOP), 80) + "\n\nMore prose.\n"
    assert only(text).lines == (2, 2 + textwrap.fill(on_one_line(SHOP), 80).count("\n"))


def test_prose_that_names_the_lines_is_no_report() -> None:
    text = (
        "See Requests/sec: 4000.00 against Transfer/sec: 1.20MB and 12 threads and 10 connections."
    )
    assert list(wrk_text.scan(Text.from_text(text))) == []


@pytest.mark.parametrize("keys", ["^C", "^[[A", "^[[A^[[B", "^[[1;5C", "^Z"])
def test_keys_that_were_pressed_meanwhile(keys: str) -> None:
    text = SHOP.replace("  Thread Stats", f"{keys}  Thread Stats")
    assert only(text).columns == only(SHOP).columns
