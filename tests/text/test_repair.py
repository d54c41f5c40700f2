"""What pages, logs, chats and editors did to a printed report is undone; nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.text import Text
from tests.timing import growth, processor_s

REPORT = (
    "Running 3s test @ http://127.0.0.1:8931/ok?a_b=1",
    "2 threads and 10 connections",
    "Thread Stats   Avg      Stdev     Max   +/- Stdev",
    "Latency   477.59us    0.98ms   9.84ms   89.30%",
    "",
    "12345 requests in 3.10s, 22.74MB read",
    "Requests/sec:  67475.37",
    "Time per request:       0.180 [ms] (mean, across all concurrent requests)",
)


def repaired(text: str) -> list[str]:
    return [piece.text for piece in Text.from_text(text).repaired]


def shown(text: str) -> list[str]:
    """The lines that are not blank, with single blanks: what a table or a page does to both."""
    return [" ".join(line.split()) for line in repaired(text) if line]


WORDS = [" ".join(line.split()) for line in REPORT if line]


@pytest.mark.parametrize(
    "form",
    [
        *("{}", "  {}", "> > {}", "// {}", "# {}", " * {}", "- {}", "-- {}", "-> {}", "→ {}"),
        *(
            'Step #2 - "ab": {}',
            "stdout: {}",
            "[  12.5] {}",
            "bench_1  | {}",
            "2026-11-22 10:00:00 INFO bench: {}",
        ),
        *(
            "+{}",
            "{}\\",
            "`{}`",
            "**{}**",
            "<li>{}</li>",
            "<p>{}</p>",
            "\x1b[1m{}\x1b[0m",
            "[32m{}[0m",
        ),
        *("│ {} │", "| {} |", "||{}||", "\t{}\t", "{}\u200b", "\u00a0\u00a0{}"),
        *('"{}",', "'{}',", '    + "{}\\n"', "echo '{}'"),
    ],
)
def test_what_stands_around_every_line_is_taken_off(form: str) -> None:
    lines = "\n".join(form.format(line) for line in REPORT)
    assert shown(lines.replace("****", "").replace("``", "")) == WORDS


def test_numbers_before_lines_are_theirs_and_no_figures() -> None:
    numbered = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(REPORT, 1))
    assert shown(numbered) == WORDS
    assert shown("5 a\n9 b\n3 c\n4 d\n7 e") == ["5 a", "9 b", "3 c", "4 d", "7 e"]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("**Requests/sec:** 5.5", "Requests/sec: 5.5"),
        ("_Requests/sec:_ `5.5`", "Requests/sec: 5.5"),
        ("'''Latency'''  *1.5ms*  ***2ms***", "Latency  1.5ms  2ms"),
        ("Requests/sec: 5.5  # warm cache", "Requests/sec: 5.5"),
        ("Requests/sec: 5.5 // warm cache", "Requests/sec: 5.5"),
        ("  50%     36   # 50% of them", "50%     36"),
        ("Requests/sec: 5.5 (warm cache)", "Requests/sec: 5.5"),
        ("Requests/sec: 5.5 <- here", "Requests/sec: 5.5"),
        ("Requests/sec: 5.5 - in total", "Requests/sec: 5.5"),
        ("Requests/sec: 5.5 每秒", "Requests/sec: 5.5"),
        ("Requests/sec: 5.5 -> 6.5", "Requests/sec: 5.5 -> 6.5"),
        ("Code 200 : 400 (100.0 %)", "Code 200 : 400 (100.0%)"),
        ("Failed: 25 (Connect: 0, Length: 25)", "Failed: 25 (Connect: 0, Length: 25)"),
        ("Requests/sec\uff1a5.5", "Requests/sec:5.5"),
        ("Connect: 0 1. 4 15. 25", "Connect: 0 1.4 15.25"),
        ("3. 5 requests", "3. 5 requests"),
        ("Requests/sec: 1,234,567.5", "Requests/sec: 1234567.5"),
        ("`Stat `  5", "Stat   5"),
        ("Requests/sec: 1'234.5", "Requests/sec: 1234.5"),
        ("Requests/sec: 1\u202f234.5", "Requests/sec: 1234.5"),
        ("1,234 requests in 3.10s", "1234 requests in 3.10s"),
        ("Socket errors: read 1,204, write 0", "Socket errors: read 1204, write 0"),
        ("Time taken for tests: 1,234 seconds", "Time taken for tests: 1,234 seconds"),
        ("Req/Sec 1.234 2,5", "Req/Sec 1.234 2,5"),
        ("100,200,300", "100,200,300"),
        ("Latency 5.00 ms 50 %", "Latency 5.00ms 50%"),
        ("Latency 5.00?s 5\ufffds", "Latency 5.00us 5us"),
        ("^[[ALatency 5ms", "Latency 5ms"),
        ("^C", "^C"),
    ],
)
def test_what_stands_within_a_line_is_taken_out_where_that_is_beyond_doubt(
    line: str, plain: str
) -> None:
    assert repaired(line) == [plain]


@pytest.mark.parametrize(
    "line",
    [
        "This is ApacheBench, Version 2.3 <$Revision$>",
        "Benchmarking 127.0.0.1 (be patient)",
        "Requests per second:    55570.99 [#/sec] (mean)",
        "Latency Distribution (HdrHistogram - Recorded Latency)",
        "#[Mean    =        0.879, StdDeviation   =        0.376]",
        "[5ms,   10ms]  0    0.00%",
        "[10s,  +Inf]   5    1.20%   ##",
        'Get "http://h:1/": dial tcp 0.0.0.0:0->127.0.0.1:1: connect: connection refused',
        'unsupported protocol scheme "foo"',
        "1,5,9",
        "let x = a || b",
        "a & b; c < d",
    ],
)
def test_lines_that_tools_print_and_other_text_stay(line: str) -> None:
    assert repaired(line) == [line]


def test_reports_side_by_side_follow_one_another() -> None:
    for bar in (" | ", "\t", " │ "):
        both = "\n".join(f"{line:75}{bar}{line.replace('3', '4')}" for line in REPORT)
        assert shown(both) == [*WORDS, *(word.replace("3", "4") for word in WORDS)]


def test_reports_in_the_cells_of_a_row_follow_one_another() -> None:
    first, second = ("<br/>".join(WORDS), "<br/>".join(WORDS).replace("3", "4"))
    assert shown(f"| | A | B |\n|---|---|---|\n| **wrk** | {first} | {second} |\n")[1:] == [
        *("wrk", *WORDS, *(word.replace("3", "4") for word in WORDS)),
    ]


def test_a_dash_in_a_cell_is_a_cell() -> None:
    assert repaired("| Total | - | 5 |\n| Waiting | 4 | - |") == ["Total  -  5", "Waiting  4  -"]


def test_rows_of_tables_are_lines_with_two_blanks_between_cells() -> None:
    rows = ["Latency  1 ms  2ms", "Requests/sec: 5"]
    assert repaired("| Latency | 1 ms | 2ms |\n|---|:-:|---|\n| Requests/sec: | 5 | |") == [
        row.replace("1 ms", "1ms") for row in rows
    ]
    page = (
        "<tr><td>Latency</td><td>1ms</td>\n<td>2ms</td></tr>"
        "<tr>\n<td>Requests/sec:</td><td>5</td>\n</tr>"
    )
    assert shown(page) == ["Latency 1ms 2ms", "Requests/sec: 5"]
    drawn = "┌───┬───┐\n│ Stat │ Avg │\n├───┼───┤\n│ Latency │ 5 │\n└───┴───┘"
    assert repaired(drawn) == ["Stat  Avg", "Latency  5"]
    assert repaired("Requests/sec: | 1 | 2 |\nLatency | 3 | 4 |")[0] == "Requests/sec: 1  2"


def test_strings_of_several_lines_are_the_lines_and_what_is_around_them_is_apart() -> None:
    inner = "\\n".join(REPORT)
    for text in (f'{{"a": 1, "out": "{inner}\\n", "b": 2}}', f"x = '{inner}'", inner):
        pieces = repaired(text)
        assert [" ".join(p.split()) for p in pieces if "".join(p.split()) and p in REPORT] == WORDS
    assert shown('out = """' + "\n".join(REPORT) + '"""') == WORDS


def test_blank_lines_between_all_lines_go_and_others_stay() -> None:
    assert repaired("\n\n".join(REPORT)) == list(REPORT)
    prose = "A line.\nAnother.\n\nA paragraph.\n\nA third."
    assert repaired(prose) == prose.split("\n")


def test_every_piece_knows_its_line() -> None:
    text = "title\n<p>a 1<br>b 2</p>\n\nx 1 | x 4\nx 2 | x 5\nx 3 | x 6"
    assert [tuple(piece) for piece in Text.from_text(text).repaired] == [
        *((0, "title"), (1, "a 1"), (1, "b 2"), (2, "")),
        *((3, "x 1"), (4, "x 2"), (5, "x 3"), (3, "x 4"), (4, "x 5"), (5, "x 6")),
    ]


@pytest.mark.parametrize("wrapped", ["┐ │ x", "│ 1", "┼──┤ │ y", "y │", "└──", "┘ b"])
def test_a_drawn_table_that_was_wrapped_anew_or_run_together_has_its_rows(wrapped: str) -> None:
    text = "a ┌──┬──┐ │ x │ 1 │ ├──┼──┤ │ y │ 2 │ │ z │ 3 │ └──┴──┘ b"
    assert shown(text) == ["a", "x 1", "y 2", "z 3", "b"]
    broken = text.replace(wrapped, "\n".join(wrapped.rsplit(" ", 1)))
    assert shown(broken) == ["a", "x 1", "y 2", "z 3", "b"]


def test_rows_that_differ_in_their_figures_alone_have_no_prefix() -> None:
    rows = [f"{share}% in 0.02{at:02} secs" for at, share in enumerate((50, 75, 90, 99))]
    assert repaired("\n".join(rows)) == rows


def test_a_row_with_a_request_more_than_the_last_has_no_number_of_its_own() -> None:
    rows = [f"0.{n}57   0.{n}   {n}   {1 / (1 - n / 9):.3f}" for n in range(8)]
    assert repaired("\n".join(rows)) == rows


def test_a_string_that_opens_at_the_end_of_a_line_is_one() -> None:
    report = '\nSummary:\n  Get "http://h/": EOF'
    quoted = 'out="' + report.replace('"', '\\"') + '"'
    assert shown(quoted) == ["Summary:", 'Get "http://h/": EOF']


def test_a_string_ends_with_its_own_quote_only() -> None:
    lines = ["Error report", "1  GET /: HTTPError('404 for url: \"a\"')", "2  x"]
    whole = "\n".join(lines)
    escaped = whole.replace('"', '\\"')
    for quoted in (f'out="{escaped}"', f'out = """{whole}"""', f"out = {whole!r}"):
        assert shown(quoted)[-3:] == [" ".join(line.split()) for line in lines]


def test_strings_that_lost_their_ends_are_opened_all_at_once() -> None:
    """Each line opens one anew: else the first took the rest, and was all that a round undid."""
    lines = [" ".join(line.split()) for line in REPORT if line]
    torn = [f'{number}: "{line}' for number, line in enumerate(lines)]
    assert shown("\n".join(torn)) == lines


def test_what_is_echoed_may_have_quotes_of_its_own() -> None:
    lines = ["Count 7", "Error: the 'Connection: close' header", "RPS 5", "Max 3"]
    assert repaired("\n".join(f"echo '{line}'" for line in lines)) == lines


def test_a_mark_around_words_is_no_prefix() -> None:
    lines = ["`RPS`  915", "`Concurrency`  1", "`Reads`  2", "`Writes`  3"]
    assert repaired("\n".join(lines)) == [line.replace("`", "") for line in lines]


def test_a_number_too_long_for_a_prefix_is_none() -> None:
    lines = ["1 a", "200 200", "3 e", "9" * 400]
    assert repaired("\n".join(lines)) == lines


def test_what_follows_a_sentence_is_no_remark() -> None:
    assert repaired("counted once. # of samples: 3") == ["counted once. # of samples: 3"]


def test_recorded_reports_are_their_own_repair(data: Path) -> None:
    """But for what marks them as a table, and blanks before units; tabs and bars are blanks.

    Others' have signs in them that elsewhere are quotation marks, prompts or tables.
    """
    plain_tools = ("ab", "autocannon", "hey", "k6", "vegeta", "wrk", "wrk2")
    for path in sorted(path for tool in plain_tools for path in data.glob(f"{tool}/*.txt")):
        lines = path.read_text(encoding="utf-8").split("\n")
        if "<table" in lines[-2:] or any("│" in line or "</t" in line for line in lines):
            continue
        whole = [
            line.strip().removeprefix("# ").replace(" MB", "MB").replace(" us", "us")
            for line in lines
        ]
        plain = [line.removesuffix(" (longest request)") for line in whole]
        for line, clean in zip(plain, repaired("\n".join(lines)), strict=True):
            if line.startswith(("/", "* ", "↳")):  # k6: a banner, a list, a share of checks
                continue
            if "B/s" in line:
                assert clean.replace(" ", "") == line.replace(" ", "")
                continue
            assert words(clean) == words(line) if "\t" in line else clean == line, path.name


def words(line: str) -> list[str]:
    return line.replace("|", " ").split()


@given(st.lists(st.text(max_size=40), max_size=8).map("\n".join))
def test_any_text_has_pieces_within_its_lines(text: str) -> None:
    whole = Text.from_text(text)
    assert all(0 <= piece.number < len(whole) for piece in whole.repaired)
    assert all("\n" not in piece.text for piece in whole.repaired)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "> ",
            "- ",
            "* ",
            "*a ",
            "`a ",
            "_a ",
            "'a ",
            '"a',
            "\\'",
            '\\n"',
            "\\n",
            "<tr>\n",
            "<td>",
        ),
        *("<", "<p ", "&", "|", "a | b\n", "\t", "5 (", "5 # ", "5 - ", "1,234", "1 ", "^A", "[0"),
        *("┌─┐ ", "│ ", "┌─┐ │ a │ └─┘\n", "a ┌─┐\n│ b │\n", "┌", "├─"),
        *("a\n\n", "\uff08", "Ô", '"""a', "1: x y\n", "ab: 1\n", "ab: c\n"),
    ],
)
def test_time_is_linear_in_the_text(piece: str) -> None:
    def spent(count: int) -> float:
        whole = Text.from_text("a" + piece * count)
        return processor_s(lambda: whole.repaired)

    assert growth(spent, 10_000, 40_000, most=9) < 9
