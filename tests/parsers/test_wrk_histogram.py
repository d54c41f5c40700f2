"""wrk's whole histogram, as the script of the bundled scenarios writes it."""

from pathlib import Path

import pytest

import benchkit
from benchkit.errors import InputError
from benchkit.parsers import wrk_histogram
from benchkit.parsing import RunRecord, Source

DATA = Path(__file__).parent.parent / "data" / "wrk"
HEADER = "latency_us,samples,measured"
#: 8 requests of two connections in 4 s: what took over 2 s was given a sample a second below.
SMALL = f"""\
wrk-histogram,1
duration_us,4000000
requests,8
bytes,1192
connect_errors,0
read_errors,1
write_errors,0
timeouts,1
status_errors,2
interval_us,1000000
samples,8
measured,7
min_us,90
max_us,2500000
mean_us,500078.750
stdev_us,925000.5
p50,110
measured_mean_us,357230.0
measured_p50,110
steps,1024
{HEADER}
90,3,3
110,3,3
1500000,1,0
2500000,1,1
"""


def record_of(text: str) -> RunRecord | InputError:
    every: list[RunRecord | InputError] = list(
        wrk_histogram.parse(Source.from_bytes(text.encode()))
    )
    assert len(every) == 1
    return every[0]


def record(text: str) -> RunRecord:
    results = record_of(text)
    assert isinstance(results, RunRecord), results
    return results


@pytest.mark.parametrize("name", ["histogram", "histogram-late", "histogram-none"])
def test_it_is_one_run_with_the_report_beside_it(name: str) -> None:
    results = benchkit.load([DATA / f"{name}.csv", DATA / f"{name}.txt"])
    (run,) = results.runs.to_dict("records")
    assert run["format"] == "wrk-histogram"
    assert (run["threads"], run["connections"]) == (2, 8)  # from the report
    assert sorted(results.files["state"]) == ["merged", "read"]


def test_times_below_one_of_their_unit_have_two_digits_in_the_report(tmp_path: Path) -> None:
    """0.90ms stands for all from 895 to 905 us, 1.00m for all from 59.7 to 60.3 s."""
    printed = (DATA / "histogram.txt").read_text(encoding="utf-8")
    counted = (DATA / "histogram.csv").read_text(encoding="utf-8")
    for old, new in (("359.00us", "  0.90ms"), ("in 2.09s", "in 1.00m")):
        assert old in printed
        printed = printed.replace(old, new)
    for old, new in (("\np50,359\n", "\np50,896\n"), ("us,2087129", "us,60200000")):
        assert old in counted
        counted = counted.replace(old, new)
    (tmp_path / "report.txt").write_text(printed, encoding="utf-8")
    (tmp_path / "histogram.csv").write_text(counted, encoding="utf-8")
    assert len(benchkit.load(tmp_path).runs) == 1


def test_reports_of_other_runs_do_not_join() -> None:
    results = benchkit.load([DATA / "histogram.csv", DATA / "histogram-late.txt"])
    assert len(results.runs) == 2


def test_added_samples_are_no_requests() -> None:
    results = benchkit.load([DATA / "histogram.csv", DATA / "histogram.txt"])
    (run,) = results.runs.to_dict("records")
    figures = results.figures.set_index(["metric", "statistic"])["value"]
    assert run["requests"] == 13252
    assert figures["samples", "total"] == 24426
    assert figures["samples added", "total"] == 11174
    assert run["correction"] == "none"
    assert "wrk added 11,174 of 24,426 latency samples (46%)" in results.notes["note"][0]


def test_printed_quantiles_are_figures_with_all_their_digits() -> None:
    (run,) = benchkit.load([DATA / "histogram.csv", DATA / "histogram.txt"])
    printed = {s: v for (m, s), v in run.by_figure.items() if m == "latency with added samples"}
    assert printed["p99"] == 48_379e-6  # the report prints 48.38ms
    assert printed["p99.9"] == 64_759e-6  # the report prints none
    assert printed["mean"] == 6_590.127e-6
    assert len(printed) > 100


def test_the_latencies_of_a_run_are_those_that_were_measured() -> None:
    """The report's median of 359 us is one of samples that were never measured."""
    (run,) = benchkit.load([DATA / "histogram.csv"])
    assert run.get("latency_p50_s") == 44e-6
    assert run.get("latency_mean_s") == 1_246.597e-6
    assert run.get("latency_max_s") == 76_099e-6  # the largest is always one of a request
    assert {quantile.origin for quantile in run.quantiles} == {"computed"}
    assert run.distribution is not None
    assert run.distribution.count == run.get("requests")
    assert run.distribution.mean_s() == pytest.approx(run.get("latency_mean_s"), rel=1e-3)


def test_what_the_script_cannot_tell_from_what_was_added_stays_what_was_printed() -> None:
    assert record(SMALL).measured is not None
    assert record(SMALL.replace("measured,7", "measured,")).measured is None


def test_late_answers_are_requests_without_a_sample() -> None:
    results = benchkit.load([DATA / "histogram-late.csv"])
    (run,) = results.runs.to_dict("records")
    figures = results.figures.set_index(["metric", "statistic"])["value"]
    assert (run["requests"], run["timeouts"], run["errors"]) == (1252, 24, 24)
    assert figures["samples", "total"] == 1252 - 24


def test_without_a_sample_there_is_no_latency() -> None:
    results = benchkit.load([DATA / "histogram-none.csv"])
    (run,) = results.runs.to_dict("records")
    assert (run["requests"], run["timeouts"]) == (8, 8)
    assert len(results.quantiles) == 0
    latencies = [name for name in results.runs.columns if name.startswith("latency_")]
    assert results.runs[latencies].isna().all(axis=None)  # and not 0


def test_failures_are_counted_by_kind() -> None:
    run = record(SMALL)
    assert run.errors == {"read": 1, "timeout": 1}
    assert (run.columns["errors"], run.columns["non2xx"]) == (2, 2)
    assert run.columns["success_ratio"] == pytest.approx(6 / 9)
    assert run.columns["throughput_rps"] == 2.0
    assert run.columns["goodput_rps"] == 1.5


def test_connections_that_were_all_refused_are_no_success() -> None:
    counts = {"requests,8": "requests,0", "connect_errors,0": "connect_errors,100"}
    counts |= {"status_errors,2": "status_errors,0", "timeouts,1": "timeouts,0"}
    text = SMALL
    for old, new in counts.items():
        text = text.replace(old, new)
    columns = record(text).columns
    assert (columns["success_ratio"], columns["goodput_rps"]) == (0.0, 0.0)


def test_of_nothing_that_was_sent_no_share_is_told() -> None:
    text = SMALL.replace("requests,8", "requests,0").replace("read_errors,1", "read_errors,0")
    assert "success_ratio" not in record(text.replace("status_errors,2", "status_errors,0")).columns


def test_what_cannot_be_told_is_left_out() -> None:
    text = SMALL.replace("interval_us,1000000", "interval_us,").replace("measured,7", "measured,")
    figures = {figure.metric for figure in record(text).figures}
    assert "samples" in figures
    assert not {"interval", "samples added"} & figures
    assert record(text).notes == []


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        (SMALL[: SMALL.index("interval_us")], 10, f"the header {HEADER}"),
        (SMALL.replace("requests,8", "requests,many"), 3, "a count of requests"),
        (SMALL.replace("requests,8\n", ""), 21, "a count of requests"),
        (SMALL.replace("p50,110", "p50,fast", 1), 17, "p50 in microseconds"),
        (SMALL.replace("p50,110", "p50"), 17, "a line of name and value"),
        (SMALL.replace("110,3,3", "80,3,3"), 23, "a latency above 90 and its counts"),
        (SMALL.replace("requests,8", "requests,-8"), 3, "a count of requests"),
        (SMALL.replace("p50,110", "p50,-1", 1), 17, "p50 in microseconds"),
    ],
    ids=["cut", "no count", "no line", "no time", "no value", "order", "negative", "before 0"],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, expected: str) -> None:
    record = record_of(text)
    assert isinstance(record, InputError)
    assert record.where is not None
    assert (record.where.line, record.expected) == (line, expected)


@pytest.mark.parametrize("cut", ["2500000,1,1\n", "1500000,1,0\n2500000,1,1\n", ",1,1\n"])
def test_a_table_that_is_cut_is_told(cut: str) -> None:
    run = record(SMALL.removesuffix(cut))
    assert run.columns["latency_p50_s"] == 110e-6
    (lost,) = run.lost
    assert lost.startswith("the table lacks")


def test_a_table_with_more_than_was_counted_is_told() -> None:
    (lost,) = record(SMALL.replace("110,3,3", "110,8,3")).lost
    assert lost == "the table has 5 samples beyond the 8 of the run"


def test_other_files_are_not_ours() -> None:
    assert wrk_histogram.sniff(Source.from_bytes(b"wrk-histogram,1\r\nrequests,1"))
    assert not wrk_histogram.sniff(Source.from_bytes(b"wrk-histogram,2\nrequests,1"))
    assert not wrk_histogram.sniff(Source.from_bytes(b"latency_us,samples,measured\n"))
