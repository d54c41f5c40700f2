"""Lines declared once, and reports found by them: a tool that nobody has."""

import textwrap
import time

import pytest

from benchkit.errors import InputError
from benchkit.parsers._grammar import Grammar, Report
from benchkit.parsers._line import FAR, Line
from benchkit.text import Text
from benchkit.text.pieces import Piece
from tests.timing import growth

AIMED = Line("Aiming at {url:url} for {time:time}")
CREWS = Line("{crews:count} crews of {size:whole}", foreign=0)
HITS = Line("Hits: ?{hits:count} \\({share:percent}\\)", foreign=FAR)
DELAY = Line("{share:percent} within {delay:time}", repeats=True, foreign=0)
LOST = Line("Lost: ?{counts:counts}", late=True, foreign=0)
RATE = Line("Hits per second: ?{rate:rate}")
LANCE = Grammar(
    *(AIMED, CREWS, HITS, DELAY, LOST, RATE),
    begins={AIMED: (CREWS, HITS), HITS: (DELAY, RATE), RATE: ()},
    head=CREWS,
    end=RATE,
    markers=("Hits",),
    whole=(HITS, RATE),
    marks=(HITS,),
    divides=r"\$ lance ",
)
REPORT = """\
Aiming at http://localhost/ for 10s
  4 crews of 25
Hits: 1200 (98.40%)
  50.00% within 1.20ms
  99.00% within 8.04ms
Lost: late 3, torn 0
Hits per second: 120.00
"""
OTHER = REPORT.replace("1200 (", "2400 (").replace("120.00", "240.00")


def reports(text: str) -> list[Report]:
    return list(LANCE.reports(Text.of(text)))


def hits(text: str) -> list[float | None]:
    lines = [report.get(HITS) for report in reports(text)]
    return [None if line is None else line.read("hits") for line in lines]


def kinds(report: Report) -> list[Line]:
    return [line.line for line in report.lines]


def part(first: str, last: str, text: str = REPORT) -> str:
    return text[text.index(first) : text.index(last)]


def test_a_report_and_its_figures_in_base_units() -> None:
    (report,) = reports("Some words.\n\n" + REPORT)
    assert report.span == (2, 8)
    aimed, rate = report.get(AIMED), report.get(RATE)
    assert aimed is not None
    assert rate is not None
    assert (aimed["url"], aimed.read("time"), rate.read("rate")) == ("http://localhost/", 10, 120)
    assert [line.read("delay") for line in report.all(DELAY)] == [0.0012, 0.00804]
    assert all(line.strict for line in report.lines)


@pytest.mark.parametrize(
    ("line", "name"),
    [("Hits: many (98%)", "hits"), ("Hits: 12 (most)", "share"), ("Hits: -1 (98%)", "hits")],
)
def test_what_is_no_figure_is_the_line_and_an_error_on_it(line: str, name: str) -> None:
    matched = HITS.match(Piece(6, line))
    assert matched is not None
    with pytest.raises(InputError) as raised:
        matched.read(name)
    assert str(raised.value).startswith("line 7: expected a ")


@pytest.mark.parametrize(("printed", "count"), [("1,200", 1200), ("1,200,300", 1_200_300)])
def test_a_comma_in_a_count_stands_between_thousands(printed: str, count: int) -> None:
    assert hits(REPORT.replace("1200", printed)) == [count]


def test_a_figure_that_opens_a_line_begins_like_one() -> None:
    assert CREWS.match(Piece(0, "4 5x crews of 25")) is not None
    assert CREWS.match(Piece(0, "We had 4 crews of 25")) is None
    assert CREWS.match(Piece(0, "4 crews of ours")) is None


def test_words_behind_a_line_that_ends_with_one_are_ignored() -> None:
    matched = CREWS.match(Piece(0, "4 crews of 25 each"))
    assert matched is not None
    assert (matched.text, matched.strict) == ("4 crews of 25", False)


@pytest.mark.parametrize("width", range(24, 90, 6))
def test_a_paragraph_that_was_filled_is_taken_apart(width: int) -> None:
    (report,) = reports("Measured. " + textwrap.fill(" ".join(REPORT.split()), width))
    (printed,) = reports(REPORT)
    assert [line.text for line in report.lines] == [
        " ".join(line.text.split()) for line in printed.lines
    ]


def test_lines_right_behind_one_another_are_taken_apart() -> None:
    (report,) = reports(REPORT.replace("10s\n  4", "10s 4"))
    assert kinds(report)[:2] == [AIMED, CREWS]


def test_a_first_line_behind_a_command() -> None:
    (report,) = reports("$ lance -n4 " + REPORT)
    assert kinds(report)[0] is AIMED


def test_figures_of_several_runs_on_a_line_are_not_taken_apart() -> None:
    (report,) = reports(REPORT.replace("120.00", "120.00 -> 130.00"))
    rate = report.get(RATE)
    assert rate is not None
    assert rate["rate"] == "120.00 -> 130.00"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "Hits: 1200 (98.40%)Hits per second: 5.00",
            ["Hits: 1200 (98.40%)", "Hits per second: 5.00"],
        ),
        ("Hits per second: 5.00  per crew", ["Hits per second: 5.00"]),  # the next cell of a row
        ("Hits per second: 5.00 Hits per second: 6.00", ["Hits per second: 5.00"]),
        ("a.txt:Hits per second: 5.00\nb.txt:Hits per second: 6.00", ["Hits per second: 5.00"]),
    ],
)
def test_lines_on_one_line_and_words_beside_them(text: str, lines: list[str]) -> None:
    first, *others = reports(text)
    assert [line.text for line in first.lines] == lines
    assert [report.lines[0].text for report in others] == ["Hits per second: 6.00"] * ("6" in text)


@pytest.mark.parametrize(
    "text",
    [
        "We got Hits per second: 120.00 there.",
        "xHits: 5,5 (1%) or so",
        "5.00  Hits per second:\n6.00  Lost:",  # columns that are not those of the tool
    ],
)
def test_a_line_alone_among_words_is_none(text: str) -> None:
    assert not reports(text)


def test_reports_follow_one_another_whole_or_cut() -> None:
    assert hits(REPORT + OTHER) == [1200, 2400]
    assert hits(part("Aiming", "Lost") + OTHER) == [1200, 2400]
    assert hits(part("Aiming", "Hits") + OTHER) == [None, 2400]


def test_a_server_may_print_while_the_run_lasts_and_words_do_not_end_a_report() -> None:
    assert hits(REPORT.replace("Hits: ", "GET /\n" * 50 + "Hits: ")) == [1200]
    (report,) = reports(REPORT.replace("Hits per", "\nand then\n\nHits per"))
    assert kinds(report)[-1] is RATE


def test_a_line_that_is_late_comes_at_the_end_or_in_its_place() -> None:
    lost = "Lost: late 3, torn 0\n"
    (report,) = reports(REPORT.replace(lost, "") + lost)
    assert kinds(report)[-2:] == [RATE, LOST]
    (report,) = reports(REPORT + lost)
    assert kinds(report)[-2:] == [LOST, RATE]


def test_two_parts_with_words_between_are_one_report_unless_something_begins_there() -> None:
    upper, lower = part("Aiming", "Lost"), REPORT[REPORT.index("Hits per") :]
    (report,) = reports(f"```\n{upper}```\nIn total:\n```\n{lower}```\n")
    assert kinds(report)[-1] is RATE
    for between in ("## Another", "$ lance -n8"):
        assert len(reports(f"{upper}\n{between}\n{lower}")) == 2


def test_a_heading_below_the_head_of_a_report_is_that_of_another() -> None:
    text = REPORT.replace("Hits: 1200", "\n## Another day\n\nHits: 1200")
    assert [kinds(report)[0] for report in reports(text)] == [AIMED, HITS]


def test_a_part_that_is_shown_again_is_no_report() -> None:
    assert hits(f"{REPORT}\nThat is:\n\n{part('Hits', 'Lost')}\n\nOf which more.") == [1200]
    assert hits(f"{REPORT}\n# Again\n\n{OTHER}") == [1200, 2400]
    shown = "| Hits: 1200 (98.40%) |\n| 50.00% within 1.20ms |"
    assert hits(f"{shown}\n\n# Whole\n\n{REPORT}") == [1200]


def test_reports_printed_at_once_have_what_their_heads_say_alike() -> None:
    heads = [part("Aiming", "Hits", text) for text in (REPORT, OTHER.replace("4 crews", "8 crews"))]
    tables = [text[text.index("Hits") :] for text in (OTHER, REPORT)]
    first, second = reports("".join(heads + tables))
    assert (first.at_once, second.at_once) == (2, 2)
    assert kinds(first)[:2] == kinds(second)[:2] == [AIMED, HITS]
    assert first.span == (0, 8)
    assert second.span == (9, 13)


@pytest.mark.parametrize(
    ("end", "cut"),
    [
        *(("120.0", True), ("120.00", False), ("120.0\n", True), ("120.0\nx\n", False)),
    ],
)
def test_a_last_line_that_may_be_cut_in_its_middle_is_put_aside(end: str, *, cut: bool) -> None:
    (report,) = reports(REPORT.replace("120.00\n", end))
    assert (report.cut is not None, report.get(RATE) is None) == (cut, cut)


def test_a_line_in_a_table_is_not_cut_where_its_bar_stands() -> None:
    (report,) = reports(REPORT.replace("Hits per second: 120.00\n", "| Hits per second: | 120.0 |"))
    assert report.cut is None


def test_what_stands_below_up_to_the_next_report_or_a_fence() -> None:
    first, second = reports(f"{REPORT}one\n\ntwo\n{OTHER}three\n```\nfour\n")
    assert [piece.text for piece in first.below() if piece.text] == ["one", "two"]
    assert [piece.text for piece in second.below()] == ["three"]


def test_words_at_the_end_of_a_line_go_on_to_the_next_line() -> None:
    ship, crew = Line("Ship: {name:rest}", any_case=True), Line("Crew: {size:count}")
    fleet = Grammar(ship, crew, begins={ship: (crew,)}, markers=("Crew",))
    for text in ("Ship: Old Tom\nCrew: 12\n", "so SHIP:  Old Tom Crew: 12 men\n"):
        (report,) = fleet.reports(Text.of(text))
        assert [line["name"] for line in report.all(ship)] == ["Old Tom"]
        assert [line.read("size") for line in report.all(crew)] == [12]


def test_a_line_has_one_owner() -> None:
    rival = Grammar(HITS, RATE, begins={HITS: ()}, end=RATE, markers=("Hits",))
    text = Text.of(REPORT + "\n## More\n\nHits: 7 (1%)\n")
    assert [report.span for report in LANCE.reports(text)] == [(0, 6)]
    assert [report.span for report in rival.reports(text)] == [(10, 10)]


def test_figures_are_not_taken_apart_at_large_letters() -> None:
    sent, group = Line("sent: {size:size}"), Line("room: {name:rest}", again=True)
    grammar = Grammar(sent, group, begins={sent: ()}, markers=("sent",))
    [report] = grammar.reports(Text.of("sent: 749kB room: the rest\n"))
    assert [line.text for line in report.lines] == ["sent: 749kB", "room: the rest"]


@pytest.mark.parametrize(
    "hostile",
    [
        "Hits: ",
        "Hits: 1",
        "Hits",
        "4 crews of ",
        "Hits: 1 (2%)\nx\n",
        "99.00% within 1",
        "1",
        REPORT[REPORT.index("Hits") :],
        part("Aiming", "Hits"),
    ],
)
def test_time_is_linear_in_the_text(hostile: str) -> None:
    def spent(times: int) -> float:
        text = Text.of(hostile * times)
        assert text.repaired
        start = time.process_time()
        LANCE.reports(text)
        return time.process_time() - start

    times = 20_000 // len(hostile)
    assert growth(spent, times, 8 * times, most=24, quick_s=0.1) < 24


def test_of_very_many_reports_the_first_are_read_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchkit.parsers._grammar.MOST_REPORTS", 2)
    text = Text.of(REPORT + OTHER + REPORT.replace("1200 (", "3600 ("))
    assert len(LANCE.reports(text)) == 2
    assert text.unread == ["of one text 2 reports are read; below line 14 are more"]
