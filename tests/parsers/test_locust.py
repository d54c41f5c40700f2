"""Locust: its command, its CSV files, JSON, report and console."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchkit
from benchkit.errors import BenchkitError, InputError
from benchkit.parsers import _locust, locust, locust_csv, locust_html, locust_json, locust_text
from benchkit.parsing import RunRecord, Source
from benchkit.text import Text
from tests.damage.kinds import beside

DATA = Path(__file__).resolve().parents[1] / "data" / "locust"


def source(name: str) -> Source:
    return Source.from_bytes((DATA / name).read_bytes(), name=name)


def console(name: str) -> RunRecord:
    [run] = locust_text.scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(run, RunRecord)
    return run


def figures(run: RunRecord) -> dict[tuple[str, str], float]:
    return {(f.metric, f.statistic): f.value for f in run.figures}


def test_a_command_gives_host_and_users() -> None:
    words = [
        "-f",
        "locustfile.py",
        "--headless",
        "-u",
        "5",
        "-r",
        "5",
        "-t",
        "20s",
        "--host",
        "http://127.0.0.1:8931",
    ]
    expected = {"load_model": "closed", "url": "http://127.0.0.1:8931", "connections": 5}
    assert locust.read(words) == expected
    assert locust.read(["--users=many"]) == {"load_model": "closed"}
    assert locust.read(["--version"]) == {}


def test_the_row_aggregated_is_the_run() -> None:
    [run] = locust_csv.parse_stats(source("plain_stats.csv"))
    assert isinstance(run, RunRecord)
    assert run.columns["requests"] == 599
    assert run.columns["throughput_rps"] == pytest.approx(99.6666363)
    assert run.columns["latency_mean_s"] == pytest.approx(0.0063483, abs=1e-7)
    assert run.columns["latency_max_s"] == pytest.approx(0.3608267, abs=1e-7)
    assert run.columns["latency_p999_s"] == 0.36  # rounded to two digits
    assert (run.columns["body_bytes"], run.columns["method"]) == (7095, "GET")
    assert "errors" not in run.columns
    assert run.columns["success_ratio"] == 568 / 599
    assert run.columns["goodput_rps"] == pytest.approx(99.6666363 * 568 / 599)
    assert figures(run)['GET mixed, "quoted"', "requests"] == 154
    assert run.notes == ["31 of 599 requests failed; the rate counts them, answered or not"]


def test_before_1_columns_had_other_names() -> None:
    [stats] = locust_csv.parse_stats(source("before-1_stats.csv"))
    assert isinstance(stats, RunRecord)
    printed = console("before-1.txt")
    for column in ("requests", "success_ratio", "throughput_rps", "latency_mean_s", "method"):
        assert stats.columns[column] == printed.columns[column], column
    assert (stats.columns["requests"], stats.columns["success_ratio"]) == (577, 543 / 577)
    assert stats.columns["latency_p99_s"] == printed.columns["latency_p99_s"] == 0.064
    assert "body_bytes" not in stats.columns  # of a mean that is cut off
    assert (printed.columns["errors"], printed.columns["non2xx"]) == (0, 34)
    assert printed.columns["tool_version"] == "0.13.5"


def test_a_run_without_requests_has_counts_only() -> None:
    for name, parse in (
        ("zero_stats.csv", locust_csv.parse_stats),
        ("zero_stats_history.csv", locust_csv.parse_history),
    ):
        [run] = parse(source(name))
        assert isinstance(run, RunRecord)
        assert run.columns == {"requests": 0}


def test_where_all_failed_nothing_tells_whether_any_was_answered() -> None:
    for run in (
        *locust_csv.parse_stats(source("refused_stats.csv")),
        *locust_json.parse(source("refused.json")),
    ):
        assert isinstance(run, RunRecord)
        assert not {"throughput_rps", "latency_mean_s", "latency_p50_s"} & run.columns.keys()


def test_a_history_has_totals_and_no_percentiles() -> None:
    [run] = locust_csv.parse_history(source("aggregated_stats_history.csv"))
    assert isinstance(run, RunRecord)
    [stats] = locust_csv.parse_stats(source("aggregated_stats.csv"))
    assert isinstance(stats, RunRecord)
    assert run.quantiles == [(0.5, 0.002)]
    same = ("requests", "latency_min_s", "latency_mean_s", "latency_max_s", "body_bytes")
    assert [run.columns[c] for c in same] == [stats.columns[c] for c in same]
    assert figures(run)["User Count", "max"] == 2


def test_history_and_stats_of_a_run_are_one() -> None:
    loaded = benchkit.load([DATA / "plain_stats.csv", DATA / "plain_stats_history.csv"])
    assert loaded.runs["format"].tolist() == ["locust-stats"]


@pytest.mark.parametrize("kind", ["failures", "exceptions"])
def test_companions_without_a_run_are_refused(kind: str) -> None:
    with pytest.raises(BenchkitError, match=rf"the list of {kind} .*_stats\.csv"):
        benchkit.load(DATA / f"plain_{kind}.csv")


def test_a_cut_table_is_one_line() -> None:
    lines = (DATA / "plain_stats.csv").read_bytes().splitlines(keepends=True)
    [error] = locust_csv.parse_stats(Source.from_bytes(b"".join(lines[:2])))
    assert "the row 'Aggregated'" in str(error)
    [error] = locust_csv.parse_stats(Source.from_bytes(b"".join(lines[:3]) + lines[3][:40]))
    assert str(error).startswith("line 4: expected 22 cells")


def test_json_has_the_percentiles_that_locust_takes() -> None:
    [run] = locust_json.parse(source("aggregated.json"))
    assert isinstance(run, RunRecord)
    assert run.columns["requests"] == 411
    assert run.columns["latency_p99_s"] == 0.015
    assert run.columns["latency_mean_s"] == pytest.approx(0.0029855, abs=1e-7)
    assert figures(run)["GET /", "requests"] == 303


def test_json_behind_the_log_of_the_run() -> None:
    text = (DATA / "killed.txt").read_bytes() + (DATA / "plain.json").read_bytes()
    [run] = locust_json.parse(Source.from_bytes(text))
    assert isinstance(run, RunRecord)
    assert run.columns["requests"] == 421


def test_json_whose_counts_are_not_as_many() -> None:
    text = (
        (DATA / "plain.json").read_text("utf-8").replace('"num_requests": 304', '"num_requests": 9')
    )
    [error] = locust_json.parse(Source.from_bytes(text.encode()))
    assert "as many as there are response times as num_requests" in str(error)


def test_percentiles_are_those_at_the_whole_part_of_their_rank() -> None:
    assert [_locust.rank(q, 10) for q in (0.0, 0.5, 0.99, 1.0)] == [0, 5, 9, 9]
    assert [_locust.step_s(s) for s in (0.05, 0.15, 1.5, 15.0)] == [1e-3, 1e-2, 0.1, 1.0]


def test_a_report_has_json() -> None:
    [run] = locust_html.parse(source("plain.html"))
    assert isinstance(run, RunRecord)
    assert (run.columns["requests"], run.columns["non2xx"], run.columns["errors"]) == (705, 37, 0)
    assert run.columns["throughput_rps"] == pytest.approx(101.7504025)
    assert run.columns["latency_p95_s"] == 0.02
    assert run.columns["url"] == "http://127.0.0.1:8931"


def test_an_older_report_is_refused() -> None:
    page = Source.from_bytes(
        b"<html><head><title>Test Report for locustfile.py</title></head></html>"
    )
    assert locust_html.sniff(page)
    [error] = locust_html.parse(page)
    assert "use the file that ends with _stats.csv" in str(error)


def test_report_and_console_of_a_run_are_one() -> None:
    loaded = benchkit.load([DATA / "plain.html", DATA / "plain.txt"])
    assert len(loaded.runs) == 1


def test_the_last_table_of_a_console_is_the_run() -> None:
    run = console("plain.txt")
    assert run.columns == {
        "tool_version": "2.47.0",
        "method": "GET",
        "requests": 705,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 37,
        "success_ratio": 668 / 705,
        "throughput_rps": 101.75,
        "goodput_rps": pytest.approx(101.75 * 668 / 705),
        "latency_min_s": 0.0,
        "latency_mean_s": 0.005,
        "latency_max_s": 0.36,
        "latency_p50_s": 0.002,
        "latency_p75_s": 0.005,
        "latency_p90_s": 0.012,
        "latency_p95_s": 0.02,
        "latency_p99_s": 0.028,
        "latency_p999_s": 0.36,
    }
    assert sum(n or 0 for n in run.errors.values()) == 37


def test_errors_tell_what_was_not_answered() -> None:
    run = console("stall.txt")
    wanted = ("requests", "errors", "timeouts", "non2xx")
    assert [run.columns[c] for c in wanted] == [318, 22, 22, 17]
    assert run.columns["throughput_rps"] == pytest.approx(36.35 * 296 / 318)
    refused = console("refused.txt")
    assert (refused.columns["requests"], refused.columns["errors"]) == (143, 143)
    assert "latency_mean_s" not in refused.columns


def test_an_error_of_a_script_tells_nothing() -> None:
    run = RunRecord()
    _locust.fill_failures(run, {"GET /: CatchResponseError('too long')": 3}, 3)
    assert run.columns == {}
    assert run.errors == {"GET /: CatchResponseError('too long')": 3}


def test_an_interrupted_run_has_its_last_table() -> None:
    assert console("interrupted.txt").columns["requests"] == 459


def test_a_killed_run_is_refused() -> None:
    [error] = locust_text.scan(Text.from_text((DATA / "killed.txt").read_text("utf-8")))
    assert isinstance(error, InputError)
    assert "only tables of the run so far" in str(error)


def test_two_consoles_are_two_runs() -> None:
    both = "".join((DATA / name).read_text("utf-8") for name in ("plain.txt", "slow.txt"))
    runs = list(locust_text.scan(Text.from_text(both)))
    assert [run.columns["requests"] for run in runs if isinstance(run, RunRecord)] == [705, 403]


def test_the_form_before_2_11() -> None:
    figures = "10     0(0.00%)  |      12       3      40      11  |    5.50    0.00"
    table = (
        " Name      # reqs      # fails  |     Avg     Min     Max  Median  |   req/s failures/s\n"
        f" GET /            {figures}\n"
        f" Aggregated       {figures}\n"
        "\nResponse time percentiles (approximated)\n"
        " Type Name 50% 66% 75% 80% 90% 95% 98% 99% 99.9% 99.99% 100% # reqs\n"
        " None Aggregated  11  12  13  14  20  30  40  40  40  40  40  10\n"
    )
    [run] = locust_text.scan(Text.from_text(table))
    assert isinstance(run, RunRecord)
    assert (run.columns["requests"], run.columns["latency_p90_s"]) == (10, 0.02)


def test_the_form_before_1_2() -> None:
    figures = "10     0(0.00%)       12       3      40      11  |    5.50    0.00"
    table = (
        " Name      # reqs      # fails     Avg     Min     Max  Median  |   req/s failures/s\n"
        f" GET /            {figures}\n"
        f" Aggregated       {figures}\n"
        "\nPercentage of the requests completed within given times\n"
        " Type Name # reqs 50% 66% 75% 80% 90% 95% 98% 99% 99.9% 99.99% 100%\n"
        " None Aggregated  10  11  12  13  14  20  30  40  40  40  40  40\n"
    )
    [run] = locust_text.scan(Text.from_text(table))
    assert isinstance(run, RunRecord)
    assert (run.columns["requests"], run.columns["latency_p90_s"]) == (10, 0.02)
    assert run.columns["throughput_rps"] == 5.5


def test_a_last_table_without_its_last_row_is_none() -> None:
    lines = (DATA / "plain.txt").read_text("utf-8").split("\n")
    last = max(at for at, line in enumerate(lines) if "Aggregated" in line and "%)" in line)
    [error] = locust_text.scan(Text.from_text("\n".join(lines[:last] + lines[last + 1 :])))
    assert isinstance(error, InputError)


def test_two_consoles_side_by_side_are_two_runs() -> None:
    left, right = ((DATA / name).read_text("utf-8") for name in ("plain.txt", "slow.txt"))
    runs = list(locust_text.scan(Text.from_text(beside(left, right, " | "))))
    assert [run.columns["requests"] for run in runs if isinstance(run, RunRecord)] == [705, 403]


def test_a_long_line_beside_tables_is_none_of_theirs_and_repaired_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else whatever else a log has in a line took as long again."""
    table = (DATA / "plain.txt").read_text(encoding="utf-8")
    other = "a message of a server " * 200
    text = Text.from_text(f"{table}{other}\n")
    repaired = text.repaired
    cleaned: list[str] = []
    split = Text.from_text

    def kept(lines: str) -> Text:
        cleaned.append(lines)
        return split(lines)

    monkeypatch.setattr(Text, "from_text", kept)
    (run,) = locust_text.scan(text)
    assert isinstance(run, RunRecord)
    assert figures(run) == figures(console("plain.txt"))
    assert any(piece.text == other.strip() for piece in repaired)
    assert cleaned
    assert other not in "".join(cleaned)


def test_prose_is_no_console() -> None:
    assert list(locust_text.scan(Text.from_text("Aggregated over 5 runs, 2(3.00%) failed\n"))) == []
