"""autocannon's tables: every layout, notation and breakage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.parsers.autocannon_text import PARSERS, scan
from benchkit.parsing import RunRecord
from benchkit.text import Text, decode

DATA = Path(__file__).parents[1] / "data" / "autocannon"
TABLES = sorted(path for path in DATA.glob("*.txt") if "Running" in path.read_text("utf-8"))

MARKDOWN = """\
## Nothing logged

| Stat    | 2.5% | 50%  | 97.5% | 99%  | Avg      | Stdev  | Max   |
|---------|------|------|-------|------|----------|--------|-------|
| Latency | 6 ms | 13 ms| 29 ms | 35 ms| 14.49 ms | 9.12 ms| 188 ms|

and per second:

| Stat     | 1%   | 2.5% | 50%   | 97.5% | Avg    | Stdev  | Min     |
|----------|------|------|-------|-------|--------|--------|-------|
| Req/Sec  | 586  | 586  | 662   | 723   | 666.6  | 44.01  | 586   |
| Bytes/Sec| 44 kB| 44 kB| 49.7 kB| 54.2 kB| 50 kB  | 3.3 kB | 44 kB |
"""

FIRST_LAYOUT = """\
$ autocannon -c 1000 http://localhost:3000
Running 10s test @ http://localhost:3000
1000 connections

Stat         Avg     Stdev     Max
Latency (ms) 60.4    66.35     1294
Req/Sec      16571.6 5114.16   21151
Bytes/Sec    1.84 MB 564.38 kB 2.36 MB

166k requests in 10s, 18.4 MB read
"""

SECOND_LAYOUT = """\
Running 5s test @ http://localhost:10000
100 connections with 4 pipelining factor

Stat    2.5%  50%   97.5% 99%   Avg      Stdev   Max
Latency 13 ms 17 ms 33 ms 40 ms 18.53 ms 7.03 ms 113.75 ms

Stat      1%      2.5%    50%     97.5%   Avg    Stdev   Min
Req/Sec   3399    3399    5699    5879    5259   936.69  3399
Bytes/Sec 4.78 MB 4.78 MB 8.02 MB 8.27 MB 7.4 MB 1.32 MB 4.78 MB

Req/Bytes counts sampled once per second.

26k requests in 5s, 37 MB read
"""


def records_of(text: str) -> list[RunRecord | InputError]:
    return list(scan(Text.from_text(text)))


def runs(text: str) -> list[RunRecord]:
    return [record for record in records_of(text) if isinstance(record, RunRecord)]


def errors(text: str) -> list[InputError]:
    return [record for record in records_of(text) if isinstance(record, InputError)]


def only(text: str) -> RunRecord:
    (record,) = records_of(text)
    assert isinstance(record, RunRecord), record
    return record


def recorded(name: str) -> RunRecord:
    content = decode((DATA / name).read_bytes())
    assert content is not None
    return only(content)


def figure(run: RunRecord, metric: str, statistic: str) -> float:
    (value,) = [f.value for f in run.figures if (f.metric, f.statistic) == (metric, statistic)]
    return value


def rates(cells: str, *, summary: str = "") -> str:
    """Return a report with these cells of Req/Sec."""
    return (
        "| Stat | 2.5% | 50% | Avg | Max |\n|--|--|--|--|--|\n"
        "| Latency | 1 ms | 2 ms | 2.5 ms | 9 ms |\n\n"
        "| Stat | 1% | 2.5% | 50% | 97.5% | Avg | Stdev | Min |\n|--|--|--|--|--|--|--|--|\n"
        f"| Req/Sec | {cells} |\n\n{summary}\n"
    )


class TestLayouts:
    def test_two_markdown_tables_are_one_run(self) -> None:
        run = only(MARKDOWN)
        assert run.quantiles == [(0.025, 0.006), (0.5, 0.013), (0.975, 0.029), (0.99, 0.035)]
        assert run.columns == {
            "throughput_rps": 666.6,
            "latency_p50_s": 0.013,
            "latency_p99_s": 0.035,
            "latency_mean_s": 0.01449,
            "latency_std_s": 0.00912,
            "latency_max_s": 0.188,
        }
        assert figure(run, "Req/Sec", "p97.5") == 723
        assert figure(run, "Bytes/Sec", "p50") == 49_700
        assert len([f for f in run.figures if f.metric == "Bytes/Sec"]) == 7
        assert run.lines == (2, 11)

    def test_many_runs_on_a_page_stay_apart(self) -> None:
        assert len(runs(MARKDOWN * 4)) == 4

    def test_columns_in_another_order_and_other_units(self) -> None:
        run = only(
            "| Max | Stat | Avg | 99% | 50% |\n|--|--|--|--|--|\n"
            "| 0.188 s | **Latency** | 14490 µs | 35 ms | 13000 us |\n"
        )
        assert run.columns["latency_max_s"] == 0.188
        assert run.columns["latency_mean_s"] == 0.01449
        assert run.columns["latency_p50_s"] == 0.013
        assert run.columns["resolution_s"] is None  # not autocannon's milliseconds any more

    def test_a_page_may_show_the_rates_first(self) -> None:
        heading, latency, _, per_second = MARKDOWN.split("\n\n")
        page = f"{heading}\n\n{per_second}\n{latency}\n\n"
        assert [run.columns["throughput_rps"] for run in runs(page * 2)] == [666.6, 666.6]
        assert all("latency_p50_s" in run.columns for run in runs(page * 2))

    def test_a_page_cut_off_above_does_not_mix_runs(self) -> None:
        rest = MARKDOWN.split("per second:")[1] + MARKDOWN
        assert ["latency_p50_s" in run.columns for run in runs(rest)] == [False, True]

    def test_before_3_0(self) -> None:
        run = only(FIRST_LAYOUT)
        assert run.quantiles == []
        assert run.columns["latency_mean_s"] == 0.0604
        assert run.columns["throughput_rps"] == 16571.6
        assert run.columns["duration_s"] == 10
        assert run.columns["connections"] == 1000
        assert figure(run, "Bytes/Sec", "stdev") == 564_380
        assert run.lines == (1, 9)

    def test_runs_one_after_another_without_a_blank_line(self) -> None:
        assert len(runs(FIRST_LAYOUT.removeprefix("$ autocannon") * 3)) == 3

    def test_3_0_and_3_1(self) -> None:
        run = only(SECOND_LAYOUT)
        assert run.columns["pipelining"] == 4
        assert run.columns["latency_max_s"] == 0.11375
        assert run.columns["received_bytes"] == 37_000_000
        assert figure(run, "Req/Sec", "p1") == 3399

    def test_blanks_collapsed_and_indented_in_a_list(self) -> None:
        collapsed = "\n".join("   - " + " ".join(row.split()) for row in SECOND_LAYOUT.split("\n"))
        assert only(collapsed).columns == only(SECOND_LAYOUT).columns

    @pytest.mark.parametrize("mark", ["# ", "> ", "    ", "// "])
    def test_commented_quoted_indented(self, mark: str) -> None:
        text = (DATA / "table.txt").read_text("utf-8")
        marked = "\n".join(mark + line for line in text.split("\n"))
        assert only(marked).columns == recorded("table.txt").columns

    @pytest.mark.parametrize("page", ["cp850", "cp437", "cp1252"])
    def test_box_characters_taken_for_a_code_page(self, page: str) -> None:
        raw = (DATA / "table.txt").read_bytes()
        text = "".join(bytes([b]).decode(page, errors="replace") for b in raw)
        assert only(text).columns == recorded("table.txt").columns


class TestRecorded:
    def test_a_plain_run(self) -> None:
        run = recorded("table.txt")
        assert run.columns == {
            "url": "http://127.0.0.1:8931/ok",
            "connections": 10,
            "pipelining": 1,
            "duration_s": 3.01,
            "received_bytes": 12_300_000,
            "errors": 0,
            "timeouts": 0,
            "non2xx": 0,
            "throughput_rps": 35962.67,
            "goodput_rps": 35962.67,
            "success_ratio": 1.0,
            "latency_mean_s": 0.00003,
            "latency_std_s": 0.00031,
            "latency_p50_s": 0.0,
            "latency_p99_s": 0.001,
            "latency_max_s": 0.018,
        }
        assert figure(run, "# of samples", "total") == 3
        assert figure(run, "requests in", "total") == 108_000  # rounded: no column

    @pytest.mark.parametrize(
        ("name", "average", "stdev"),
        [
            ("locale-de_DE.txt", 33628.0, 3412.0),
            ("locale-de_DE-slow.txt", 232.0, 2.17),
            ("locale-fr_FR.txt", 35360.0, 80.0),
            ("v7-locale-de.txt", 54608.0, 2336.0),
        ],
    )
    def test_notations(self, name: str, average: float, stdev: float) -> None:
        run = recorded(name)
        assert run.columns["throughput_rps"] == average
        assert figure(run, "Req/Sec", "stdev") == stdev

    def test_status_codes_give_success_and_goodput(self) -> None:
        run = recorded("table-mixed.txt")
        assert run.statuses == {200: 56623, 404: 7078, 500: 7078}
        assert run.columns["requests"] == 70_779
        assert run.columns["non2xx"] == 14_156
        assert run.columns["success_ratio"] == pytest.approx(56623 / 70779)
        assert run.columns["goodput_rps"] == pytest.approx(35392 * 56623 / 70779)

    def test_redirects_cannot_be_told_from_failures(self) -> None:
        run = recorded("table-redirect.txt")
        assert run.columns["non2xx"] == 61_190
        assert "success_ratio" not in run.columns

    def test_the_long_list_of_percentiles(self) -> None:
        run = recorded("latency-table.txt")
        assert len(run.quantiles) == 15
        assert "latency_p95_s" not in run.columns

    def test_nothing_answered_is_no_latency(self) -> None:
        run = recorded("table-refused.txt")
        assert not {"latency_p50_s", "latency_mean_s", "latency_max_s"} & set(run.columns)
        assert run.quantiles == []
        assert run.columns["errors"] == 33_000
        assert run.columns["success_ratio"] == 0.0
        assert any("no latency was recorded" in note for note in run.notes)

    def test_timeouts_are_part_of_the_errors(self) -> None:
        run = recorded("table-timeouts.txt")
        assert (run.columns["errors"], run.columns["timeouts"]) == (20, 20)
        assert run.errors == {"timeouts": 20}
        assert "requests" not in run.columns  # 300 were sent; how many answered is not printed

    def test_an_amount_that_was_reached_is_the_number_of_requests(self) -> None:
        assert recorded("table-amount.txt").columns["requests"] == 100

    def test_samples_shorter_than_a_second(self) -> None:
        run = recorded("table-samples.txt")
        assert run.columns["throughput_rps"] == 188.0  # 94 in each half second
        assert figure(run, "Req/Sec", "mean") == 94.0

    def test_workers(self) -> None:
        run = recorded("table-workers.txt")
        assert (run.columns["threads"], run.columns["connections"]) == (2, 10)

    def test_mismatched_bodies(self) -> None:
        run = recorded("table-mismatch.txt")
        assert figure(run, "requests with mismatched body", "total") == 66_000

    @pytest.mark.parametrize(("count", "success"), [("3", 0.9), ("33k", None)])
    def test_mismatched_bodies_are_failures(self, count: str, success: float | None) -> None:
        text = FIRST_LAYOUT.replace("166k", "30") + f"{count} requests with mismatched body\n"
        run = only(text)
        assert run.columns.get("success_ratio") == success
        assert run.columns["errors"] == 0

    def test_the_summary_alone(self) -> None:
        run = recorded("no-verbose.txt")
        assert run.columns["duration_s"] == 2.01
        assert "throughput_rps" not in run.columns

    @pytest.mark.parametrize("behind", [".", " 🎉", "!", " in total", " - not bad"])
    def test_anything_may_stand_behind_the_summary(self, behind: str) -> None:
        text = (DATA / "table-mixed.txt").read_text("utf-8")
        run = only(text.replace(" read\n", f" read{behind}\n"))
        assert run.columns == recorded("table-mixed.txt").columns

    @pytest.mark.parametrize(("sent", "requests"), [("30", 30), ("33", None), ("2k", None)])
    def test_requests_sent_are_requests_where_the_samples_add_up(
        self, sent: str, requests: int | None
    ) -> None:
        rows = "10 | 10 | 10 | 10 | 10 | 0 | 10"
        summary = (
            f"Req/Bytes counts sampled once per second.\n\n{sent} requests in 3.02s, 3 kB read"
        )
        assert only(rates(rows, summary=summary)).columns.get("requests") == requests

    def test_json_between_head_and_table_does_not_disturb(self) -> None:
        head, _, rest = (DATA / "table.txt").read_text("utf-8").partition("\n\n")
        text = f'{head}\n{{"requests": {{"total": 1}}}}\n{rest}'
        assert only(text).columns == recorded("table.txt").columns


class TestHeads:
    def test_workers_open_whole_shares_of_the_connections(self) -> None:
        run = only(SECOND_LAYOUT.replace("100 connections with 4 pipelining factor",
                                         "7 connections\n2 workers"))  # fmt: skip
        assert run.columns["connections"] == 6
        assert figure(run, "connections", "value") == 7

    def test_a_warm_up_is_no_run(self) -> None:
        text = "Running 1s warmup @ http://a/\n2 connections\n\n" + SECOND_LAYOUT
        assert only(text).columns["connections"] == 100

    def test_an_announced_run_without_a_table(self) -> None:
        (error,) = errors("Running 10s test @ http://a/\n10 connections\n\n^C\n")
        assert "line 1" in str(error)

    def test_the_next_section_s_table_is_not_taken(self) -> None:
        text = f"Running 9s test @ http://a/\n10 connections\n(left out)\n\n{MARKDOWN}"
        assert len(errors(text)) == 1
        assert "url" not in runs(text)[0].columns

    def test_runs_side_by_side_share_only_what_they_have_in_common(self) -> None:
        head, _, tables = SECOND_LAYOUT.partition("\n\n")
        text = f"{head}\n\n{head.replace('10000', '10001')}\n\n{tables}{tables}"
        both = runs(text)
        assert [run.columns["connections"] for run in both] == [100, 100]
        assert all("url" not in run.columns and run.notes for run in both)

    def test_wrk_s_head_and_summary_are_not_autocannon_s(self) -> None:
        assert not records_of(
            "Running 10s test @ http://a/\n  2 threads and 10 connections\n"
            "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
            "    Latency     6.61ms    8.06ms  97.15ms   89.41%\n"
            "    Req/Sec     1.00k    10.00     1.10k    70.00%\n"
            "  20000 requests in 10.00s, 2.50MB read\n"
        )

    def test_prose_is_no_run(self) -> None:
        assert not records_of("Latency and Req/Sec of 10 connections; 166k requests in 10s. Stat.")


class TestNotations:
    @pytest.mark.parametrize(
        "cells",
        [
            "80,575 | 80,575 | 87,871 | 94,911 | 87,916.8 | 4,933.47 | 80,560",
            "80.575 | 80.575 | 87.871 | 94.911 | 87.916,8 | 4.933,47 | 80.560",
            "80 575 | 80 575 | 87 871 | 94 911 | 87 916,8 | 4 933,47 | 80 560",
            "80\u202f575 | 80\u202f575 | 87\u202f871 | 94\u202f911 | 87\u202f916,8 | 4\u202f933,47 | 80\u202f560",  # noqa: E501
            "80’575 | 80’575 | 87’871 | 94’911 | 87’916.8 | 4’933.47 | 80’560",  # noqa: RUF001
            "80575 | 80575 | 87871 | 94911 | 87916.8 | 4933.47 | 80560",
        ],
    )
    def test_one_number_in_every_notation(self, cells: str) -> None:
        run = only(rates(cells))
        assert run.columns["throughput_rps"] == 87916.8
        assert figure(run, "Req/Sec", "min") == 80560

    def test_lakh(self) -> None:
        cells = "1,08,000 | 1,08,000 | 1,10,000 | 1,12,000 | 1,10,250.5 | 1,500 | 1,08,000"
        assert only(rates(cells)).columns["throughput_rps"] == 110250.5

    AMBIGUOUS = "1.201 | 1.201 | 1.300 | 1.402 | 1.310 | 0 | 1.201"

    def test_two_readings_are_refused(self) -> None:
        (error,) = errors(rates(self.AMBIGUOUS.replace("| 0 |", "| 1.010 |")))
        assert "-j" in str(error)
        assert error.where is not None
        assert error.where.line == 7

    @pytest.mark.parametrize(("summary", "average"), [("3k", 1310.0), ("3", 1.31)])
    def test_the_summary_decides(self, summary: str, average: float) -> None:
        cells = self.AMBIGUOUS.replace("| 0 |", "| 0.102 |" if average < 2 else "| 1.010 |")
        text = rates(cells, summary=f"{summary} requests in 2.01s, 1 MB read")
        assert only(text).columns["throughput_rps"] == average

    @pytest.mark.parametrize(("least", "minimum"), [("980", "980"), ("1.001", "999")])
    def test_the_order_of_a_row_decides(self, least: str, minimum: str) -> None:
        run = only(rates(f"{least} | {least} | 1.024 | 1.100 | 1.020 | 30 | {minimum}"))
        assert run.columns["throughput_rps"] == 1020.0

    def test_marks_that_fit_no_notation(self) -> None:
        (error,) = errors(rates("1,2,3 | 1 | 2 | 3 | 2 | 1 | 1"))
        assert "-j" in str(error)


class TestBroken:
    def test_a_table_cut_off_before_the_rates(self) -> None:
        run = only(MARKDOWN.split("\n\nand", maxsplit=1)[0])
        assert run.columns["latency_p50_s"] == 0.013
        assert "errors" not in run.columns

    def test_a_line_cut_off(self) -> None:
        (error,) = errors(MARKDOWN.split("| 29 ms", maxsplit=1)[0])
        assert "line 5" in str(error)

    def test_the_rest_of_a_refused_run_is_no_run(self) -> None:
        assert len(records_of(MARKDOWN.replace("14.49 ms", "fourteen"))) == 1

    def test_a_heading_cut_off(self) -> None:
        (error,) = errors("\n".join(MARKDOWN.split("\n")[:4]))
        assert "'Latency'" in str(error)

    def test_the_line_with_the_errors_is_missing(self) -> None:
        text = (DATA / "table-refused.txt").read_text("utf-8")
        run = only(text[: text.index("33k errors")])
        assert "errors" not in run.columns
        assert "success_ratio" not in run.columns

    @pytest.mark.parametrize("unit", ["мс", "", "parsecs"])
    def test_a_unit_that_is_none(self, unit: str) -> None:
        assert errors(MARKDOWN.replace("13 ms", f"13 {unit}"))

    def test_a_table_in_other_words_is_told_once(self) -> None:
        foreign = MARKDOWN.replace("Stat ", "Metric ").replace("Avg", "Average")
        (error,) = records_of(foreign * 2)
        assert "typed anew" in str(error)

    @pytest.mark.parametrize("spread", ["+/- Stdev", "± Stdev"])
    def test_a_table_that_somebody_made_of_wrks_figures_is_none(self, spread: str) -> None:
        table = (
            f"| Stat | Avg | Stdev | Max | {spread} |\n|--|--|--|--|--|\n"
            "| Latency | 2.1ms | 1.3ms | 40.2ms | 93% |\n"
            "| Req/Sec | 12.5k | 1.2k | 14.8k | 88% |\n"
        )
        assert records_of(table) == []

    @pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
    def test_every_truncation_gives_less_and_nothing_else(self, path: Path) -> None:
        lines = path.read_text("utf-8").split("\n")
        whole = only("\n".join(lines))
        for end in range(len(lines)):
            for record in records_of("\n".join(lines[:end])):
                if isinstance(record, InputError):
                    assert "\n" not in str(record)
                    continue
                told_later = set()
                if whole.columns.get("errors"):  # the line above looks like the end of a good run
                    told_later |= {"errors", "timeouts", "success_ratio"}
                if "mismatched" in "\n".join(lines):  # so does the summary
                    told_later |= {"goodput_rps", "success_ratio"}
                if "sampled every" in "\n".join(lines):  # told below the table
                    told_later |= {"throughput_rps", "goodput_rps"}
                for name in record.columns.keys() - told_later:
                    assert whole.columns.get(name) == record.columns[name], name
                assert set(record.quantiles) <= set(whole.quantiles)

    @pytest.mark.parametrize("digits", ["9" * 400, "1.2.3", "٣", "1e999", "-5"])
    def test_numbers_that_are_none_or_far_too_long(self, digits: str) -> None:
        for number in ("26k", "5s", "37", "100", "3399", "13"):
            for record in records_of(SECOND_LAYOUT.replace(number, digits)):
                assert isinstance(record, (RunRecord, InputError))

    @given(st.text(alphabet="|│ ─Stat%.,0123456789msLatencyReq/Sec\n", max_size=300))
    def test_no_text_raises(self, text: str) -> None:
        for record in records_of(SECOND_LAYOUT[:200] + text + MARKDOWN):
            assert isinstance(record, (RunRecord, InputError))

    @given(st.integers(0, len(SECOND_LAYOUT)), st.text(max_size=8))
    def test_no_damage_raises(self, at: int, text: str) -> None:
        for record in records_of(SECOND_LAYOUT[:at] + text + SECOND_LAYOUT[at + len(text) :]):
            assert isinstance(record, (RunRecord, InputError))


def test_only_declared_columns_are_filled() -> None:
    (parser,) = PARSERS
    declared = {*parser.fills, *parser.may_fill, *parser.constants}
    for path in TABLES:
        assert set(recorded(path.name).columns) <= declared, path.name


def test_before_2_0_nothing_was_recorded_for_non_2xx_and_the_mean_of_nothing_is_no_number() -> None:
    text = FIRST_LAYOUT.replace("60.4    66.35     1294", "NaN     NaN       0")
    run = only(text.replace("166k", "0 2xx responses, 165716 non 2xx responses\n166k"))
    assert "latency_mean_s" not in run.columns
    assert "latency_max_s" not in run.columns
    assert any("no latency was recorded" in note for note in run.notes)
    assert (run.columns["throughput_rps"], run.columns["non2xx"]) == (16571.6, 165716)


def test_labels_as_code_and_a_summary_as_a_list() -> None:
    text = MARKDOWN
    for label in ("Stat", "Latency", "Req/Sec"):
        text = text.replace(f"| {label} ", f"| `{label} ` ")
    run = only(f"{text}\n- \\# of samples: 10\n- 7k requests in 10.04s, 520 kB read\n- 3 errors\n")
    assert run.columns["throughput_rps"] == 666.6
    assert run.columns["latency_p99_s"] == 0.035
    assert (run.columns["duration_s"], run.columns["errors"]) == (10.04, 3)
    assert figure(run, "# of samples", "total") == 10


@pytest.mark.parametrize("word", ["reset", "resetted"])
def test_resets_in_both_spellings(word: str) -> None:
    run = only(f"{FIRST_LAYOUT}request pipeline was {word} 7 times\n")
    assert figure(run, "request pipeline was reset", "total") == 7


def test_the_warm_up_above_a_run_belongs_to_it() -> None:
    warmup = "Running 1s warmup @ http://localhost:10000\n3 connections\n\n"
    run = only(f"Cold\n{warmup}{SECOND_LAYOUT}")
    assert run.lines is not None
    assert run.lines[0] == 1
    assert run.columns["connections"] == 100


def cut(name: str, width: int) -> RunRecord:
    text = (DATA / name).read_text("utf-8")
    return only("\n".join(line[:width] for line in text.splitlines()))


@pytest.mark.parametrize(
    ("name", "width", "missing"),
    [
        ("v8-locale-de_DE.txt", 64, "latency_max_s"),  # `9 m|s`
        ("same-run.txt", 58, "latency_std_s"),  # `8.81 m|s`
        ("table.txt", 60, "throughput_rps"),  # `35,962.6|7`
    ],
)
def test_the_last_figure_of_a_row_without_its_border_is_left_out(
    name: str, width: int, missing: str
) -> None:
    run = cut(name, width)
    assert missing not in run.columns
    assert any("is cut off: its last figure is left out" in note for note in run.lost)
    whole = only((DATA / name).read_text("utf-8")).columns
    latencies = {name: run.columns[name] for name in run.columns if name.startswith("latency")}
    assert latencies.items() <= whole.items()


@pytest.mark.parametrize(("row", "missing"), [("99.9", "latency_p999_s"), ("200", "requests")])
def test_a_percentile_and_a_status_without_their_border_are_left_out(
    row: str, missing: str
) -> None:
    text = re.sub(r"\x1b\[[0-9]+m", "", (DATA / "v7.txt").read_text("utf-8"))
    whole = only(text).columns
    run = only(re.sub(rf"(│ {row} +│ [0-9]+)[0-9] +│", r"\1", text))
    assert missing in whole.keys() - run.columns.keys()
    assert run.columns.items() <= whole.items()
    assert len(run.lost) == 1


def test_a_row_that_lost_its_start_is_no_status() -> None:
    text = (DATA / "v8-table.txt").read_text("utf-8")
    torn = re.sub("│ Req/Sec   │ .*\n", "201  │ 3,161  │ 49.67   │ 3,090  │\n", text)
    whole, run = only(text), only(torn)
    assert run.statuses == whole.statuses
    assert run.columns["requests"] == whole.columns["requests"]
    assert any("is no whole row of a table" in note for note in run.lost)


def test_a_summary_that_lost_a_digit_makes_no_thousands_decimals() -> None:
    text = (DATA / "table-mixed.txt").read_text("utf-8")
    torn = re.sub(r"[0-9]+k requests in", "1k requests in", text)
    run = only(torn)
    assert run.columns["throughput_rps"] == only(text).columns["throughput_rps"]
    assert run.lost == ["the requests of the summary are fewer than the responses"]
    [error] = scan(Text.from_text(re.sub(r".* 2xx responses, .*\n", "", torn)))
    assert isinstance(error, InputError)


def test_minutes_are_milliseconds_cut_off() -> None:
    [error] = scan(Text.from_text(MARKDOWN.replace("188 ms|", "188 m")))
    assert isinstance(error, InputError)
    assert error.actual == "188 m"


def test_a_table_without_its_heading_has_not_that_of_the_other() -> None:
    text = (DATA / "v8-table.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("│ Stat      │ 1% ")]
    run = only("\n".join(lines))
    assert "throughput_rps" not in run.columns
    assert "'Req/Sec' is left out: the heading above it is missing" in run.lost
    assert run.columns["latency_max_s"] == 0.02


def test_the_table_of_statuses_stands_for_the_line_that_counts_them() -> None:
    text = (DATA / "v8-table.txt").read_text("utf-8")
    run = only(re.sub(r".* non 2xx responses\n", "", text))
    assert run.columns["non2xx"] == 6739 + 6738
    assert run.lost == ["the line 'non 2xx responses' is missing: the table of statuses has some"]


@pytest.mark.parametrize("width", [40, 44])
def test_the_end_of_a_heading_that_is_wrapped_is_no_heading(width: int) -> None:
    text = (DATA / "table-mixed.txt").read_text("utf-8")
    wrapped = [
        line[at : at + width]
        for line in text.splitlines()
        for at in range(0, max(len(line), 1), width)
    ]
    runs = [run for run in scan(Text.from_text("\n".join(wrapped))) if isinstance(run, RunRecord)]
    assert not any("throughput_rps" in run.columns for run in runs)
