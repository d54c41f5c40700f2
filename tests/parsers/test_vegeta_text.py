"""vegeta's text report, of every version, and what pages make of it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.parsers.vegeta_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text, decode

DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"

TIMEOUTS = """\
Requests      [total, rate, throughput]         5000, 50.01, 0.05
Duration      [total, attack, wait]             2m10s, 1m40s, 30.001s
Latencies     [min, mean, 50, 90, 95, 99, max]  6.997ms, 29.967s, 30.001s, 30.001s, 30.004s, \
30.024s, 30.147s
Bytes In      [total, mean]                     72, 0.01
Bytes Out     [total, mean]                     0, 0.00
Success       [ratio]                           0.12%
Status Codes  [code:count]                      0:4992  200:6  500:2
Error Set:
500 Internal Server Error
Get "http://127.0.0.1:8080/panic": context deadline exceeded
"""


def runs(text: str) -> list[RunRecord]:
    records = list(scan(Text.from_text(text)))
    assert all(isinstance(record, RunRecord) for record in records), [
        str(record) for record in records
    ]
    return [record for record in records if isinstance(record, RunRecord)]


def figures(run: RunRecord) -> dict[str, tuple[float, str, str | None]]:
    return {f"{f.metric} {f.statistic}": (f.value, f.unit, f.printed) for f in run.figures}


def test_every_figure_of_a_report() -> None:
    [run] = runs("Some prose.\n\n" + TIMEOUTS + "\nMore prose.\n")
    assert run.lines == (2, 11)
    assert run.columns == {
        "requests": 5000,
        "goodput_rps": 0.05,
        "duration_s": 130.0,
        "wait_s": 30.001,
        "latency_min_s": 0.006997,
        "latency_mean_s": 29.967,
        "latency_p50_s": 30.001,
        "latency_p90_s": 30.001,
        "latency_p95_s": 30.004,
        "latency_p99_s": 30.024,
        "latency_max_s": 30.147,
        "received_bytes": 72,
        "body_bytes": 72,
        "sent_bytes": 0,
        "success_ratio": 0.0012,
        "errors": 4992,
        "non2xx": 2,
        "throughput_rps": 8 / 130,
    }
    assert run.quantiles == [(0.5, 30.001), (0.9, 30.001), (0.95, 30.004), (0.99, 30.024)]
    assert run.statuses == {0: 4992, 200: 6, 500: 2}
    assert list(run.errors) == TIMEOUTS.splitlines()[-2:]
    assert figures(run) == {
        "Requests rate": (50.01, "1/s", "50.01"),
        "Requests throughput": (0.05, "1/s", "0.05"),
        "Duration attack": (100.0, "s", "1m40s"),
        "Bytes In mean": (0.01, "B", "0.01"),
        "Bytes Out mean": (0.0, "B", "0.00"),
    }


@pytest.mark.parametrize("path", sorted(DATA.glob("*.report.txt")), ids=lambda path: path.name)
def test_recorded_reports(path: Path) -> None:
    [run] = runs(path.read_text("utf-8"))
    assert run.columns["requests"] == sum(run.statuses.values())
    assert run.lines == (0, 7 + len(run.errors))
    assert not run.notes


OLD = """\
Requests\t[total]\t\t\t{requests}
Duration\t[total{attack}]\t\t{duration}
Latencies\t[{items}]\t{latencies}
Bytes In\t[total, mean]\t\t3714690, 3095.57
Bytes Out\t[total, mean]\t\t0, 0.00
Success\t\t[ratio]\t\t\t55.42%
Status Codes\t[code:count]\t\t0:535  200:665
Error Set:
Get http://localhost:6060: EOF
"""


def test_reports_of_1_0_call_the_attack_the_duration() -> None:
    text = OLD.format(
        requests=1200,
        attack="",
        duration="9.982504s",
        items="mean, 95, 99, max",
        latencies="113.172398ms, 235.8ms, 0.5s, 530.8ms",
    )
    [run] = runs(text)
    assert run.columns["latency_p99_s"] == 0.5
    assert "latency_p50_s" not in run.columns
    assert "throughput_rps" not in run.columns
    assert run.columns["duration_s"] == 9.982504
    assert run.notes == ["the duration is from first to last send, as vegeta up to 5.0.0 prints it"]


def test_reports_before_12_6_have_no_throughput() -> None:
    text = OLD.replace("[total]", "[total, rate]").format(
        requests="1200, 120.00",
        attack=", attack, wait",
        duration="10s, 9s, 1s",
        items="mean, 50, 95, 99, max",
        latencies="113.172398ms, 108.272568ms, 140.18235ms, 247.771566ms, 264.815246ms",
    )
    [run] = runs(text)
    assert run.columns["latency_p50_s"] == 0.108272568
    assert run.columns["goodput_rps"] == 66.5
    assert run.columns["throughput_rps"] == 66.5


def test_redirects_count_as_successes_whatever_an_old_version_printed() -> None:
    text = TIMEOUTS.replace("0:4992  200:6  500:2", "200:2500  301:2500").replace("0.12%", "50.00%")
    [run] = runs(text)
    assert run.columns["success_ratio"] == 1.0
    assert figures(run)["Success ratio"] == (0.5, "ratio", None)


@pytest.mark.parametrize("mark", ["    ", "> ", "# ", "// ", "- ", "\t", "<pre>", "web-1  | "])
def test_marks_before_the_lines(mark: str) -> None:
    [run] = runs("".join(f"{mark}{line}\n" for line in TIMEOUTS.splitlines()[:7]))
    assert run.columns["requests"] == 5000
    assert run.columns["non2xx"] == 2


@pytest.mark.parametrize("glue", [" ", "\n\n"])
def test_collapsed_and_spread_lines(glue: str) -> None:
    [run] = runs(glue.join(" ".join(line.split()) for line in TIMEOUTS.splitlines()[:7]))
    assert run.columns["latency_max_s"] == 30.147
    assert run.statuses == {0: 4992, 200: 6, 500: 2}


def test_figures_that_a_page_broke_into_two_lines() -> None:
    [run] = runs(TIMEOUTS.replace("30.001s, 30.004s", "30.001s,\n   30.004s"))
    assert run.columns["latency_p95_s"] == 30.004
    assert run.columns["received_bytes"] == 72


@pytest.mark.parametrize(
    "after", ["", "```", "~~~", "$ vegeta report", "PS C:\\x> vegeta", "</pre>", "![](a.png)"]
)
def test_where_the_errors_end(after: str) -> None:
    [run, second] = runs(TIMEOUTS + after + "\n" + TIMEOUTS)
    assert list(run.errors) == list(second.errors) == TIMEOUTS.splitlines()[-2:]


def test_without_a_failure_there_are_no_errors_to_read() -> None:
    text = TIMEOUTS.replace("0:4992  200:6  500:2", "200:5000").split("500 Int")[0]
    [run] = runs(text + "Duration: 60s\nRate: 5\n")
    assert run.errors == {}


@pytest.mark.parametrize(
    ("pattern", "changed"),
    [
        (r"(Status Codes .*\n)(Error Set:\n)", r"\2\1"),
        (r"(Status Codes .*\n)", ""),
        (r"(Error Set:\n)", r"\1\1"),
    ],
)
def test_statuses_below_the_heading_of_errors_are_no_error(pattern: str, changed: str) -> None:
    text = (DATA / "errors.report.txt").read_text("utf-8")
    [whole], [run] = runs(text), runs(re.sub(pattern, changed, text))
    assert run.errors == whole.errors
    assert run.statuses in ({}, whole.statuses)
    assert len(run.lost) == 1


def test_text_of_errors_is_kept_as_it_is() -> None:
    odd = 'parse "%zz": <b>[total] 100%</b> Requests'
    [run] = runs(TIMEOUTS + odd + "\n")
    assert odd.replace("<b>", "").split("[", maxsplit=1)[0] in list(run.errors)[-1]


def test_another_program_that_prints_the_layout() -> None:
    text = """\
Requests      [total, rate, throughput]         480, 0.00, 0.00
Duration      [total, attack, wait]             0s, 0s, 0s
Latencies     [min, mean, 50, 90, 95, 99, max]  1.68ms, 0s, 0s, 0s, 0s, 0s, 3.393s
Bytes In      [total, mean]                     6240, 0.00
Bytes Out     [total, mean]                     0, 0.00
Success       [ratio]                           0.00%
Status Codes  [code:count]                      200:480
"""
    [run] = runs(text)
    assert run.columns == {
        "requests": 480,
        "latency_min_s": 0.00168,
        "latency_max_s": 3.393,
        "received_bytes": 6240,
        "body_bytes": 6240,
        "sent_bytes": 0,
        "errors": 0,
        "non2xx": 0,
        "success_ratio": 1.0,
    }
    assert run.quantiles == []
    assert "another program" in run.notes[0]


def test_a_latency_line_alone_is_a_fragment() -> None:
    [run] = runs("    Latencies     [mean, 50, 95, 99, max]  19.5ms, 6.3ms, 11.3ms, 800ms, 1.0s\n")
    assert run.columns["latency_max_s"] == 1.0
    assert "requests" not in run.columns


@pytest.mark.parametrize(
    "prose",
    [
        "The line `Requests [total, rate]` shows how many.",
        "Latencies [min, mean, 50, 90, 95, 99, max] are in Go's notation.",
        "Requests [total, rate, throughput]",
        "Status Codes  [code:count]  200:5\nError Set:\n",
        "Success [ratio] 100.00%",
    ],
)
def test_prose_and_tails_are_no_runs(prose: str) -> None:
    assert runs(prose) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("30.147s", "30.147 seconds", "line 3: expected a figure as 'max' of Latencies"),
        (", 30.147s", "", "line 3: expected 7 figures after 'Latencies [min, "),
        (
            "5000,",
            "5x000,",
            "line 1: expected a figure as 'total' of Requests in this line of the report, found '5",
        ),
        (
            "500:2",
            "500:x",
            "line 7: expected pairs of status code and count in this line of the report, found '5",
        ),
        ("0.12%", "0.12", "line 6: expected a figure as 'ratio' of Success"),
        ("0.12%", "200%", "line 6: expected a figure as 'ratio' of Success"),
    ],
)
def test_garbled_figures_are_one_line(old: str, new: str, message: str) -> None:
    [error] = scan(Text.from_text(TIMEOUTS.replace(old, new)))
    assert isinstance(error, InputError)
    assert str(error).startswith(message)


def test_a_report_without_latencies_is_cut_off() -> None:
    [error, run] = scan(Text.from_text("\n".join(TIMEOUTS.splitlines()[:2]) + "\n```\n" + TIMEOUTS))
    assert str(error).startswith("line 2: expected the line 'Latencies' of vegeta's report")
    assert isinstance(run, RunRecord)


def test_cuts_at_line_boundaries_invent_nothing() -> None:
    [whole] = runs(TIMEOUTS)
    lines = TIMEOUTS.splitlines(keepends=True)
    for end in range(3, len(lines)):
        [run] = runs("".join(lines[:end]))
        derived = {"success_ratio", "throughput_rps"}
        assert run.columns.items() - whole.columns.items() == set() or end < 7
        assert run.columns.keys() - derived <= whole.columns.keys()
        assert run.errors.keys() <= whole.errors.keys()


@given(st.text(max_size=300))
def test_any_text_around_a_report(noise: str) -> None:
    list(scan(Text.from_text(noise)))
    records = list(scan(Text.from_text(noise + "\n\n\n\n" + TIMEOUTS)))
    assert isinstance(records[-1], RunRecord)
    assert records[-1].columns["requests"] == 5000


def test_a_report_written_by_powershell() -> None:
    text = decode(TIMEOUTS.replace("\n", "\r\n").encode("utf-16"))
    assert text is not None
    assert runs(text)[0].columns["requests"] == 5000


@pytest.mark.parametrize(
    "at", range(len("6.997ms, 29.967s, ") + 1, len("6.997ms, 29.967s, 30.001s, "))
)
def test_figures_that_a_terminal_broke_anywhere(at: int) -> None:
    figures_of = TIMEOUTS.splitlines()[2].split("max]  ")[1]
    [run] = runs(TIMEOUTS.replace(figures_of, f"{figures_of[:at]}\n{figures_of[at:]}"))
    assert run.columns["latency_p50_s"] == run.columns["latency_p90_s"] == 30.001
    assert run.columns["latency_max_s"] == 30.147
    assert run.columns["received_bytes"] == 72


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_a_last_figure_that_a_terminal_broke(cut: int) -> None:
    [run] = runs(TIMEOUTS.replace("30.147s", "30.147s"[:-cut] + "\n" + "30.147s"[-cut:]))
    assert run.columns["latency_max_s"] == 30.147


def test_a_report_as_a_markdown_table() -> None:
    rows = [line.replace("[", "| \\[").replace("]", "\\] |") for line in TIMEOUTS.splitlines()[:7]]
    [run] = runs("| What | Which | Value |\n|--|--|--|\n" + "".join(f"| {row} |\n" for row in rows))
    assert run.columns["latency_max_s"] == 30.147
    assert run.statuses == {0: 4992, 200: 6, 500: 2}


def test_the_end_of_a_report_before_it_belongs_to_it() -> None:
    """As a program writes it that looks for failures first."""
    end = "".join(f"{line}\n" for line in TIMEOUTS.splitlines()[6:])
    [first, second] = runs(f"One\n{end}{TIMEOUTS}\nTwo\n{end}{TIMEOUTS}")
    assert (first.lines, second.lines) == ((1, 14), (17, 30))


def test_only_the_last_report_counts_where_the_screen_was_cleared_before_the_others() -> None:
    clear = "\x1b[2J\x1b[0;0H"
    early = TIMEOUTS.replace("5000,", "2500,")
    [run] = runs(f"$ vegeta report -every=1s\n{clear}{early}{clear}{early}{TIMEOUTS}")
    assert run.columns["requests"] == 5000
    assert run.lines == (1, 30)
    assert run.notes == ["the last of 3 reports that `-every` wrote of one attack"]
    assert len(runs(f"{clear}{TIMEOUTS}$ vegeta report b.bin\n{clear}{TIMEOUTS}")) == 2


def test_a_list_that_has_the_latencies_last() -> None:
    lines = TIMEOUTS.splitlines()
    some = "".join(f"- {lines[at]}\n" for at in (5, 6, 2))
    for text in (f"### One\n\n{some}\n### Two\n\n{some}", f"{some}{some}"):
        first, second = runs(text)
        assert first.columns == second.columns
        assert first.statuses == {0: 4992, 200: 6, 500: 2}
        assert first.columns["latency_max_s"] == 30.147


def test_the_end_of_a_report_does_not_run_into_the_next() -> None:
    end = "".join(f"{line}\n" for line in TIMEOUTS.splitlines()[5:7])
    [run] = runs(end.replace("500:2", "500:3") + TIMEOUTS)
    assert run.statuses == {0: 4992, 200: 6, 500: 2}
    assert run.columns["success_ratio"] == 0.0012


def test_a_time_that_is_cut_off_is_no_time_in_minutes() -> None:
    [error] = scan(Text.from_text(TIMEOUTS.replace("30.024s, 30.147s", "30.024s, 30.147m")))
    assert isinstance(error, InputError)
    assert error.actual == "30.147m"


def test_codes_that_are_cut_off_are_less_than_the_share_of_successes_tells() -> None:
    """Without the line of the requests nothing else tells how many there are."""
    lines = TIMEOUTS.replace("0:4992  200:6", "0:4  200:6").splitlines()[1:]
    [run] = runs("\n".join(lines))
    assert not {"errors", "non2xx", "throughput_rps"} & run.columns.keys()
    assert run.columns["success_ratio"] == 0.0012
    assert "the status codes are not as many as the requests: some are missing" in run.lost


def test_up_to_go_1_6_no_time_is_printed_without_a_unit() -> None:
    [run] = runs(TIMEOUTS.replace("6.997ms, 29.967s", "0, 29.967s"))
    assert run.columns["latency_min_s"] == 0
