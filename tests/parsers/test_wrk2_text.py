"""wrk2's report: histogram, spectrum, what wins over what."""

import re
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.parsers import wrk2_text, wrk_text
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).parent.parent / "data" / "wrk2"


def scan(text: str) -> list[RunRecord | InputError]:
    return list(wrk2_text.scan(Text.from_text(text)))


def run(text: str) -> RunRecord:
    (record,) = scan(text)
    assert isinstance(record, RunRecord)
    return record


def recorded(name: str) -> RunRecord:
    return run((DATA / name).read_text())


def figures(actual: RunRecord, metric: str) -> dict[str, tuple[float, str | None]]:
    return {f.statistic: (f.value, f.printed) for f in actual.figures if f.metric == metric}


def test_spectrum_and_footer_win_over_rounded_rows() -> None:
    record = recorded("overload.txt")
    assert record.columns["latency_mean_s"] == 39.054036
    assert record.columns["latency_std_s"] == 16.890771
    assert record.columns["latency_max_s"] == 68.288512
    assert record.columns["latency_p75_s"] == 53.706751
    assert figures(record, "Latency")["mean"] == (39.05, "39.05s")
    assert figures(record, "Latency")["max"] == (68.4, "1.14m")
    assert figures(record, "Latency Distribution")["p75"] == (54.0, "0.90m")


def test_rounded_rows_fill_what_the_spectrum_lacks() -> None:
    columns = recorded("overload.txt").columns
    assert columns["latency_p99_s"] == 67.8
    assert columns["latency_p999_s"] == 68.4


def test_the_whole_spectrum_is_among_the_quantiles() -> None:
    quantiles = dict(recorded("latency.txt").quantiles)
    assert len(quantiles) == 56
    assert quantiles[0.55] == 0.000816
    assert quantiles[0.99999] == 0.00849
    assert quantiles[1.0] == 0.008487


def test_without_a_spectrum_the_rounded_rows_are_the_quantiles() -> None:
    text = (DATA / "overload.txt").read_text()
    before, _, rest = text.partition("  Detailed Percentile spectrum:")
    record = run(before + rest[rest.index("#[Mean") :])
    assert len(record.quantiles) == 8
    assert record.columns["latency_p50_s"] == 39.06
    assert record.columns["latency_mean_s"] == 39.054036


def test_counts_and_calibration_are_kept() -> None:
    record = recorded("latency.txt")
    assert figures(record, "Total count") == {"total": (990, "990")}
    assert figures(record, "TotalCount")["p100"] == (990, "990")
    assert figures(record, "Thread calibration 2") == {"mean": (0.000831, "0.831ms")}
    assert figures(record, "Thread calibration 1: rate sampling interval")["value"][0] == 0.01
    assert record.columns["requests"] == 3002


def test_calibration_as_early_versions_print_it() -> None:
    text = (DATA / "plain.txt").read_text()
    old = text.replace("0.846ms", "9747 usec").replace("10ms", "21 msec")
    assert figures(run(old), "Thread calibration 1")["mean"] == (0.009747, "9747us")


def test_the_first_of_two_distributions_counts() -> None:
    record = recorded("uncorrected.txt")
    assert record.columns["latency_p50_s"] == 0.00096
    assert record.columns["latency_mean_s"] == 0.007066
    second = figures(record, "Uncorrected Latency")
    assert second["p50"] == (0.000058, "0.058")
    assert second["mean"] == (0.00419, "4.190")
    assert figures(record, "Uncorrected Latency (rounded)")["p50"] == (0.000058, "58.00us")
    assert figures(record, "Uncorrected Latency: Total count") == {"total": (298, "298")}


def test_the_second_distribution_alone_is_not_the_latency() -> None:
    text = (DATA / "uncorrected.txt").read_text()
    first = text.index("  Latency Distribution (HdrHistogram - Recorded")
    record = run(text[:first] + text[text.index("  Latency Distribution (HdrHistogram - Uncorr") :])
    assert record.quantiles == []
    assert record.columns["latency_mean_s"] == 0.00707


def test_a_short_run_has_no_rate_per_thread() -> None:
    record = recorded("short.txt")
    assert figures(record, "Req/Sec") == {}
    assert record.columns["latency_mean_s"] == 0.00086
    assert record.columns["non2xx"] == 120


def test_a_run_without_an_answer_has_no_latency() -> None:
    record = recorded("stalled.txt")
    assert not [column for column in record.columns if column.startswith("latency")]
    assert record.quantiles == []
    assert record.columns["timeouts"] == 6
    assert "success_ratio" not in record.columns


def test_crlf_and_two_in_one_file() -> None:
    text = (DATA / "latency.txt").read_bytes().replace(b"\n", b"\r\n").decode()
    first, second = scan(text + text)
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert first.columns == second.columns == recorded("latency.txt").columns
    assert (first.lines, second.lines) == ((0, 78), (79, 157))


def test_a_spectrum_with_lines_left_out() -> None:
    text = (DATA / "latency.txt").read_text().splitlines(keepends=True)
    record = run("".join(text[:25]) + "       ....\n" + "".join(text[60:]))
    assert record.columns["latency_max_s"] == 0.00848


def test_a_spectrum_that_is_damaged_is_an_error() -> None:
    text = (DATA / "latency.txt").read_text()
    (record,) = scan(text.replace(" 0.500000 ", " 0.5" + 70 * "0" + " "))
    assert isinstance(record, InputError)
    assert record.where is not None


def test_a_distribution_whose_spectrum_and_end_were_left_out() -> None:
    text = (DATA / "latency.txt").read_text()
    record = run(text[: text.index("  Detailed")])
    whole = run(text)
    printed = {f.statistic: f.value for f in whole.figures if f.metric == "Latency Distribution"}
    assert {value for _, value in record.quantiles} >= set(printed.values())
    assert "throughput_rps" not in record.columns
    assert len(record.lost) == 1


def test_a_spectrum_without_its_heading_may_be_the_uncorrected_one() -> None:
    for name in ("latency.txt", "uncorrected.txt"):
        text = (DATA / name).read_text()
        record, whole = run(text[text.rindex("       Value") :]), run(text)
        kept = ("throughput_rps", "requests")
        assert [record.columns[name] for name in kept] == [whole.columns[name] for name in kept]
        assert not [column for column in record.columns if column.startswith("latency")]
        assert len(record.lost) == 1


def test_a_spectrum_that_agrees_with_the_latency_row_needs_no_heading() -> None:
    text = (DATA / "uncorrected.txt").read_text()
    recorded_heading, uncorrected_heading = re.findall(r"  Latency Distribution .*\n", text)
    assert run(text.replace(recorded_heading, "")).columns == run(text).columns
    assert len(run(text.replace(uncorrected_heading, "")).lost) == 1
    assert run(text.replace(uncorrected_heading, "")).columns == run(text).columns


FORK = """\
Running 20s test @ http://localhost:5000
  2 threads and 8 connections

  Thread calibration: mean lat.: 6.012ms, rate sampling interval: 15ms
  Thread calibration: mean lat.: 6.104ms, rate sampling interval: 15ms

-----------------------------------------------------------------------
Test Results @ http://localhost:5000/hotels\x20
  Thread Stats   Avg      Stdev     99%   +/- Stdev
    Latency     7.11ms    2.08ms  13.05ms   71.30%
    Req/Sec   101.44     31.02   178.00     66.10%
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%    6.90ms
 99.000%   13.05ms
100.000%   18.11ms
-----------------------------------------------------------------------
  3998 requests in 20.00s, 1.21MB read
Requests/sec:    199.88 \x20
Transfer/sec:     61.98KB
"""


def test_the_fork_of_deathstarbench() -> None:
    record = run(FORK)
    assert record.columns["url"] == "http://localhost:5000/hotels"
    assert (record.columns["threads"], record.columns["connections"]) == (2, 8)
    assert record.columns["latency_p99_s"] == 0.01305
    assert "latency_max_s" not in record.columns
    assert record.columns["throughput_rps"] == 199.88
    assert record.lost == []


def test_several_targets_below_one_head() -> None:
    more = FORK[FORK.index("-----") :].replace("hotels", "rooms").replace("3998", "4003")
    first, second = scan(FORK + more)
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert first.columns["requests"] == 3998
    assert second.columns["requests"] == 4003
    assert second.columns["url"] == "http://localhost:5000/rooms"


def test_a_footer_of_another_output_is_left_out() -> None:
    text = (DATA / "latency.txt").read_text()
    mixed = re.sub(r"(#\[Mean *= *)[0-9.]+", r"\g<1>133.544", text)
    record, whole = run(mixed), run(text)
    row = next(f.value for f in whole.figures if (f.metric, f.statistic) == ("Latency", "mean"))
    assert record.columns["latency_mean_s"] == row
    assert record.lost == ["the footer with the mean is not that of the Latency row: left out"]
    assert whole.lost == []


def test_a_spectrum_of_another_output_is_left_out() -> None:
    text = (DATA / "latency.txt").read_text()
    record = run(re.sub(r"(?m)^100\.000% .*$", "100.000%    3.73s ", text))
    assert record.quantiles[-1] == (1.0, 3.73)
    assert len(record.quantiles) == 8
    assert len(record.lost) == 1


def test_a_spectrum_alone_is_no_run() -> None:
    text = (DATA / "latency.txt").read_text()
    spectrum = text[text.index("  Detailed") : text.index("-----")]
    assert list(wrk2_text.scan(Text.from_text(spectrum))) == []


@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda path: path.name)
def test_cut_at_any_line_nothing_is_invented(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    whole = run("".join(lines))
    printed = {*whole.columns.values(), *(figure.value for figure in whole.figures)}
    for end in range(2, len(lines)):
        text = Text.from_text("".join(lines[:end]))
        (record,) = list(wrk2_text.scan(text)) + list(wrk_text.scan(text))
        if isinstance(record, RunRecord):
            assert record.lost or end == len(lines) - 1
            assert set(record.columns.values()) <= printed
            assert {value for _, value in record.quantiles} <= printed | {
                value for _, value in whole.quantiles
            }


@pytest.mark.parametrize("remark", ["  # remark", "  (all)", "  // note", "  <-- here"])
def test_remarks_behind_its_figures_make_no_second_run(remark: str) -> None:
    text = (DATA / "uncorrected.txt").read_text()
    lines = [line + remark * any(map(str.isdigit, line)) for line in text.splitlines()]
    remarked = Text.from_text("\n".join(lines) + "\n")
    (record,) = list(wrk2_text.scan(remarked)) + list(wrk_text.scan(remarked))
    assert record == run(text)
