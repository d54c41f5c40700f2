"""Lines declared once, and reports found by them: a tool that nobody has."""

import textwrap
from collections.abc import Sequence

import pytest

from benchkit.errors import InputError
from benchkit.parsers import _candidates
from benchkit.parsers._candidates import Vocabulary
from benchkit.parsers._grammar import Grammar, Report, note_loss
from benchkit.parsers._line import FAR, Line, ReportLine
from benchkit.parsing import Figure, RunRecord
from benchkit.text import Text
from benchkit.text.pieces import Piece
from tests.timing import growth, processor_s

AIMED = Line("Aiming at {url:url} for {time:time}")
CREWS = Line("{crews:count} crews of {size:whole}", foreign=0)
HITS = Line("Hits: ?{hits:count} \\({share:percent}\\)", foreign=FAR)
DELAY = Line("{share:percent} within {delay:time}", repeats=True, foreign=0)
LOST = Line("Lost: ?{counts:counts}", late=True, foreign=0)
RATE = Line("Hits per second: ?{rate:rate}")
SIZE = Line("Cargo: {size:size}")
LINES = (AIMED, CREWS, HITS, DELAY, LOST, RATE)
BEGINS = {AIMED: (CREWS, HITS), HITS: (DELAY, RATE), RATE: ()}
LANCE = Grammar(
    *LINES,
    begins=BEGINS,
    head=CREWS,
    end=RATE,
    markers=("Hits",),
    whole=(HITS, RATE),
    marks=(HITS,),
    divides=r"\$ lance ",
)
#: One of a tool that always prints the last line.
CLOSED = Grammar(*LINES, begins=BEGINS, head=CREWS, end=RATE, closes=(RATE,), markers=("Hits",))
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
    return list(LANCE.reports(Text.from_text(text)))


def hits(text: str) -> list[float | None]:
    lines = [report.get(HITS) for report in reports(text)]
    return [None if line is None else line.read("hits") for line in lines]


def kinds(report: Report) -> list[Line]:
    return [line.line for line in report.lines]


def as_line(line: Line, text: str) -> ReportLine:
    read = line.match(Piece(6, text))
    assert read is not None
    assert read.line is line
    return read


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


def test_what_a_report_says_and_what_it_does_not() -> None:
    (report,) = reports("Hits: -1 (98.40%)\n  50.00% within 1.20ms\nHits per second: 0.50\n")
    assert report.has(HITS, DELAY, RATE)
    assert not report.has(HITS, LOST)
    assert report.read(RATE, "rate") == 0.5
    assert report.read(LOST, "counts") is None
    assert report.read(HITS, "hits", least=-1) == -1
    with pytest.raises(InputError, match="expected a count"):
        report.read(HITS, "hits")


def test_a_run_is_what_functions_make_of_a_report_or_the_first_error() -> None:
    def crews(record: RunRecord, report: Report) -> None:
        report.fill(record, CREWS, crews="connections", size="threads")
        report.fill(record, LOST, counts="errors")

    def first_hits(record: RunRecord, report: Report) -> None:
        record.columns["requests"] = report.read(HITS, "hits")

    (report,) = reports("Some words.\n" + part("Aiming", "Lost").replace("8.04ms\n", "8.04"))
    run = report.run(crews, first_hits, note_loss)
    assert isinstance(run, RunRecord)
    assert run.lines == (1, 5)
    assert run.columns == {"connections": 4, "threads": 25, "requests": 1200}
    assert run.notes == ["line 6 may be cut off and is left out: '99.00% within 8.04'"]
    (report,) = reports(part("Aiming", "Lost").replace("1200", "many"))
    error = report.run(crews, first_hits)
    assert str(error).startswith("line 3: expected a count in this line of the report")
    assert str(report.broken_off("a line with what was lost")) == (
        "line 5: expected a line with what was lost, found 'the end of the report'; "
        "the report is cut off here; use the whole output"
    )


def test_words_between_two_lines_or_to_the_end() -> None:
    (report,) = reports(REPORT.replace("Hits: ", "GET /\nPUT /\nHits: ") + "The end.\n")
    aimed, hits_line, rate = map(report.get, (AIMED, HITS, RATE))
    assert aimed is not None
    assert rate is not None
    between = [piece.text for piece in report.between(aimed, hits_line)]
    assert between == ["4 crews of 25", "GET /", "PUT /"]
    assert [piece.text for piece in report.between(rate) if piece.text] == ["The end."]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("Hits: many (98%)", "hits", "a count in this line of the report, found 'many'"),
        ("Hits: 12 (most)", "share", "a percentage in this line of the report, found 'most'"),
        ("Hits: -1 (98%)", "hits", "a count in this line of the report, found '-1'"),
    ],
)
def test_what_is_no_figure_is_the_line_and_an_error_on_it(
    text: str, name: str, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        as_line(HITS, text).read(name)
    hint = "the report is damaged; run the test again or restore the line"
    assert str(raised.value) == f"line 7: expected {message}; {hint}"


@pytest.mark.parametrize(
    ("head", "line", "name"),
    [
        ("Aiming at http://h/ for soon\n  4 crews of 25\n", AIMED, "time"),
        ("Aiming at http://h/ for 10s\n  4 5x crews of 25\n", CREWS, "crews"),
    ],
)
def test_a_head_is_one_though_a_figure_is_damaged(head: str, line: Line, name: str) -> None:
    (report,) = reports(head)
    with pytest.raises(InputError, match=r"line [12]: expected a "):
        report.read(line, name)


@pytest.mark.parametrize(
    ("printed", "size_b"), [("3kB", 3072), ("3kB/s", 3072), ("8589934591GB", 2**63 - 2**30)]
)
def test_a_size_in_bytes(printed: str, size_b: int) -> None:
    assert as_line(SIZE, f"Cargo: {printed}").read("size") == size_b


@pytest.mark.parametrize("printed", ["8589934592GB", "3k"])
def test_no_size_is_what_no_column_holds_or_has_no_unit(printed: str) -> None:
    with pytest.raises(InputError, match="expected a size"):
        as_line(SIZE, f"Cargo: {printed}").read("size")


def test_a_figure_without_a_column_is_kept_in_its_unit_and_as_it_was_printed() -> None:
    record = RunRecord()
    as_line(HITS, "Hits: 1,200 (98%)").keep(record, "Hits", "total", "hits")
    as_line(DELAY, "99% within 8ms").keep(record, "Delay", "p99", "delay", unit="s")
    assert record.figures == [
        Figure("Hits", "total", 1200.0, "", "1,200"),
        Figure("Delay", "p99", 0.008, "s", "8ms"),
    ]


@pytest.mark.parametrize(("printed", "count"), [("1,200", 1200), ("1,200,300", 1_200_300)])
def test_a_comma_in_a_count_stands_between_thousands(printed: str, count: int) -> None:
    assert hits(REPORT.replace("1200", printed)) == [count]


def test_a_figure_that_opens_a_line_begins_like_one() -> None:
    assert CREWS.match(Piece(0, "4 5x crews of 25")) is not None
    assert CREWS.match(Piece(0, "We had 4 crews of 25")) is None
    assert CREWS.match(Piece(0, "4 crews of ours")) is None
    assert CREWS.match(Piece(0, "4 crewsof 25")) is None


def test_a_line_may_open_with_any_word() -> None:
    sank = Line("{name:word} sank after {time:time}")
    fleet = Grammar(sank, begins={sank: ()}, markers=("sank",))
    (report,) = fleet.reports(Text.from_text("Seagull sank after 5s\n"))
    assert report.read(sank, "time") == 5


def test_a_count_is_not_the_rest_of_one_with_blanks_between_thousands() -> None:
    (report,) = reports(" ".join(REPORT.replace("4 crews", "4 200 crews").split()))
    with pytest.raises(InputError, match="found '4 200'"):
        report.read(CREWS, "crews")


def test_words_behind_a_line_that_ends_with_one_are_ignored() -> None:
    line = as_line(CREWS, "4 crews of 25 each")
    assert (line.text, line.strict) == ("4 crews of 25", False)


@pytest.mark.parametrize("width", range(24, 90, 6))
def test_a_paragraph_that_was_filled_is_taken_apart(width: int) -> None:
    (report,) = reports("Measured. " + textwrap.fill(" ".join(REPORT.split()), width))
    (printed,) = reports(REPORT)
    assert [line.text for line in report.lines] == [
        " ".join(line.text.split()) for line in printed.lines
    ]


def test_a_paragraph_without_a_word_of_the_tool_is_taken_apart_right_below_its_lines() -> None:
    upper, filled = part("Aiming", "  99"), " ".join(part("  99", "Hits per").split())
    (report,) = reports(f"{upper}{filled}\n")
    assert kinds(report)[3:] == [DELAY, DELAY, LOST]
    (report,) = reports(f"{upper}\n{filled}\n")
    assert LOST not in kinds(report)


def test_a_first_line_that_was_wrapped_behind_its_first_word() -> None:
    (report,) = reports("Aiming\nat http://localhost/ for 10s 4 crews of\n25\n")
    assert kinds(report) == [AIMED, CREWS]


def test_of_the_forms_of_a_line_that_which_it_fits() -> None:
    took = Line("Took {time:time}", "Took {steps:count} steps")
    walk = Grammar(took, begins={took: ()}, markers=("Took",))
    for text, slot in (("Took 5s", "time"), ("Took 5 steps", "steps")):
        (report,) = walk.reports(Text.from_text(f"{text}\n"))
        assert report.read(took, slot) == 5


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


def test_nor_are_those_on_lines_that_follow_one_another() -> None:
    hits_line, rate = "Hits: 1200 (98.40%) -> 1300 (99.00%)", "Hits per second: 120.00 -> 130.00"
    (report,) = reports(f"{part('Aiming', 'Hits')}{hits_line}\n{rate}\n")
    with pytest.raises(InputError, match=r"found '120\.00 -> 130\.00'"):
        report.read(RATE, "rate")


@pytest.mark.parametrize("words", ["with Crew: 12", "with Crew: 12 or Crew: 14 men"])
def test_a_line_with_which_no_report_begins_is_left_in_a_sentence(words: str) -> None:
    ship, crew = Line("Ship: {name:word}"), Line("Crew: {size:count}")
    fleet = Grammar(ship, crew, begins={ship: ()}, markers=("Ship", "Crew"))
    (report,) = fleet.reports(Text.from_text(f"Ship: Seagull\n{words}\n"))
    assert kinds(report) == [ship]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("doneHits per second: 5.00", ["Hits per second: 5.00"]),
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
        "hits per second: 5.00",
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


def test_a_report_waits_for_its_rest_over_twelve_lines_and_its_head_for_none() -> None:
    upper, rest = part("Aiming", "  50"), REPORT[REPORT.index("Hits per") :]
    assert len(reports(upper + "So it went.\n" * 12 + rest)) == 1
    assert len(reports(upper + "So it went.\n" * 13 + rest)) == 2
    assert len(reports(part("Aiming", "Hits") + "So it went.\n" * 3 + rest)) == 1
    assert len(reports(part("Aiming", "Hits") + "So it went.\n" * 4 + rest)) == 2


def test_as_many_blank_lines_as_a_line_allows_stand_above_it() -> None:
    hits_line, delay = part("Hits", "  50"), part("  50", "Lost")
    for blank, kept in ((3, [HITS, DELAY, DELAY]), (4, [HITS])):
        (report,) = reports(f"{part('Aiming', 'Hits')}{hits_line}" + "\n" * blank + delay)
        assert kinds(report)[2:] == kept


@pytest.mark.parametrize("between", ["and then", "...", "…", "and then\n-----"])
def test_a_gap_is_where_words_stand_in_a_report_or_a_mark_for_some(between: str) -> None:
    (report,) = reports(REPORT.replace("Hits per", f"{between}\nHits per"))
    assert report.gaps == {RATE}
    (report,) = reports(REPORT.replace("Hits per", "-----\n\nHits per"))
    assert report.gaps == set()


def test_a_report_of_another_tool_ends_one() -> None:
    wind = Line("Wind: {speed:count}")
    weather = Grammar(wind, begins={wind: ()}, markers=("Wind",))
    text = Text.from_text(f"{part('Aiming', 'Lost')}Wind: 12\n{REPORT[REPORT.index('Hits per') :]}")
    assert len(weather.reports(text)) == 1
    assert [kinds(report)[0] for report in LANCE.reports(text)] == [AIMED, RATE]


def test_a_heading_below_the_head_of_a_report_is_that_of_another() -> None:
    text = REPORT.replace("Hits: 1200", "\n## Another day\n\nHits: 1200")
    assert [kinds(report)[0] for report in reports(text)] == [AIMED, HITS]


def test_a_part_that_is_shown_again_is_no_report() -> None:
    assert hits(f"{REPORT}\nThat is:\n\n{part('Hits', 'Lost')}\n\nOf which more.") == [1200]
    assert hits(f"{REPORT}\n# Again\n\n{OTHER}") == [1200, 2400]
    shown = "| Hits: 1200 (98.40%) |\n| 50.00% within 1.20ms |"
    assert hits(f"{shown}\n\n# Whole\n\n{REPORT}") == [1200]


def test_a_part_is_of_the_report_with_which_it_shares_what_no_other_has() -> None:
    marks = (CREWS, HITS)  # of which the crews are those of both runs
    grammar = Grammar(
        *LINES, begins=BEGINS, head=CREWS, end=RATE, markers=("Hits",), whole=LINES, marks=marks
    )
    quote = part("Aiming", "Lost", OTHER)
    kept = grammar.reports(Text.from_text(f"{REPORT}## Two\n\n{OTHER}## That is\n\n{quote}"))
    assert [report.read(HITS, "hits") for report in kept] == [1200, 2400]


def test_reports_printed_at_once_have_what_their_heads_say_alike() -> None:
    heads = [part("Aiming", "Hits", text) for text in (REPORT, OTHER.replace("4 crews", "8 crews"))]
    tables = [text[text.index("Hits") :] for text in (OTHER, REPORT)]
    first, second = reports("".join(heads + tables))
    assert (first.at_once, second.at_once) == (2, 2)
    assert kinds(first)[:2] == kinds(second)[:2] == [AIMED, HITS]
    assert first.span == (0, 8)
    assert second.span == (9, 13)


def test_heads_with_words_between_were_not_printed_at_once() -> None:
    head, table = part("Aiming", "Hits"), REPORT[REPORT.index("Hits") :]
    assert [report.at_once for report in reports(f"{head}\n{head}{table}{table}")] == [2, 2]
    apart = reports(f"{head}First.\n{head}{table}{table}")
    assert [report.at_once for report in apart] == [1, 1, 1]


def test_of_reports_printed_at_once_there_are_no_more_than_heads() -> None:
    head, table, rate = part("Aiming", "Hits"), part("Hits", "Hits per"), "Hits per second: 5.00\n"
    rest = table + rate
    other = rate.replace("5", "6")
    first, second, third, fourth = reports(f"{REPORT}## Two\n\n{head}{head}{rest}{other}{rest}")
    assert [report.at_once for report in (first, second, third, fourth)] == [1, 2, 2, 1]
    assert kinds(third) == [AIMED, CREWS, RATE]
    assert kinds(fourth)[0] is HITS


@pytest.mark.parametrize(
    "start",
    [
        "Hits: many (98%)\n  50.00% within 1.20ms\n",  # no head above: each as it should be
        "Hits: 12 (98%)\n  50.00% within long\n",
        "Hits: 12 (98%)\n  4 crews of 25\n",
        "Hits: 12 (98%)\n\n\n\n  50.00% within 1.20ms\n",
    ],
)
def test_what_only_resembles_the_rest_of_a_report_is_none(start: str) -> None:
    assert hits(f"{start}\n# Another day\n\n{REPORT}") == [1200]


def test_the_rest_of_a_report_begins_with_two_lines_of_it() -> None:
    assert hits("Hits: 12 (98%)\n\n\n  50.00% within 1.20ms\n") == [12]


def test_a_first_line_that_was_made_a_heading() -> None:
    upper, rest = part("Aiming", "Lost"), REPORT[REPORT.index("Hits per") :]
    assert len(reports(f"# {upper}{rest}")) == 1
    assert len(reports(f"# {upper}## Another day\n{rest}")) == 2


def test_in_a_comment_words_are_no_heading() -> None:
    upper, rest = part("Aiming", "Lost"), REPORT[REPORT.index("Hits per") :]
    comment = textwrap.indent(f"{upper}and in all\n{rest}", "  # ")
    (report,) = reports(comment)
    assert kinds(report)[-1] is RATE


def test_lines_below_a_head_that_are_none_of_the_report_may_be_of_another_tool() -> None:
    remark = Line("Hits per second: {words:rest}")
    rival = Grammar(AIMED, remark, begins={AIMED: (), remark: ()}, markers=("Hits",))

    def left(below: str) -> int:
        text = Text.from_text(part("Aiming", "Hits") + below)
        assert len(LANCE.reports(text)) == 1
        return len(rival.reports(text))

    assert left("Hits per second: as ever\n") == 1
    assert left("Hits per second: 120.00\n") == 0
    assert left("") == 0


def test_where_the_text_ends_and_more_would_follow_the_report_breaks_off() -> None:
    def loss(text: str) -> str | None:
        (report,) = CLOSED.reports(Text.from_text(text))
        words: str | None = report.loss
        return words

    upper = part("Aiming", "Lost")
    assert loss(REPORT) is None
    assert loss(upper) == loss(upper + "Lo") == "the report breaks off below line 5"
    assert loss(upper.rstrip()) == "the report breaks off below line 5"  # its time has a unit
    assert loss(upper + "So it went.\nAnd so on.\n") is None
    assert loss(upper + "\n" * 5) == "the report breaks off below line 5"
    assert loss(upper + "\n" * 6) is None
    assert loss(upper + "\nLo") == "the report breaks off below line 5"
    assert loss(upper + "So it went.\n\n") is None
    for begun in ("H", "Hi"):  # as the last line does
        assert loss(REPORT + begun) == "the report breaks off below line 7"
    for other in ("By", "(Hi", "Lo"):
        assert loss(REPORT + other) is None
    assert (
        loss(upper + "Lost: late 3, torn")
        == "line 6 may be cut off and is left out: 'Lost: late 3, torn'"
    )
    (report,) = reports(upper)
    assert report.loss is None  # of a tool of which nothing must follow


def test_a_line_alone_is_not_put_aside_but_one_below_another() -> None:
    (report,) = reports("Hits per second: 120.0")
    assert (kinds(report), report.cut) == ([RATE], None)
    (report,) = reports("Aiming at http://h/ for 10s\n  4 crews of 2")
    assert kinds(report) == [AIMED]
    assert report.cut is not None
    assert report.cut.text == "4 crews of 2"


@pytest.mark.parametrize(
    ("end", "cut"),
    [
        *(("120.0", True), ("120.00", False), ("120.0\n", True), ("120.0\nx\n", False)),
        *(("120.0\n\n\nx\n", False), ("120.0\n\n\n\nx\n", True)),
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
    for text in (
        "Ship: Old Tom\nCrew: 12\n",
        "so SHIP:  Old Tom Crew: 12 men\n",
        "so ship:  Old Tom Crew: 12 men\n",
        "Ship:\nOld Tom\nCrew: 12 men\n",
    ):
        (report,) = fleet.reports(Text.from_text(text))
        assert [line["name"] for line in report.all(ship)] == ["Old Tom"]
        assert [line.read("size") for line in report.all(crew)] == [12]


def test_a_word_at_the_end_of_a_row_or_above_a_fence_does_not_go_on_below() -> None:
    ship = Line("Ship: {name:rest}")
    fleet = Grammar(ship, begins={ship: ()}, markers=("Ship",))
    assert not fleet.reports(Text.from_text("5.00  Ship:\n6.00  Mast:\n"))
    for fence in ("```", "~~~ text"):
        assert not fleet.reports(Text.from_text(f"Ship:\n{fence}\nOld Tom\n"))


def test_a_line_of_20_000_characters_is_read_and_no_longer_one() -> None:
    ship = Line("Ship: {name:rest}")
    fleet = Grammar(ship, begins={ship: ()}, markers=("Ship",))
    for length, count in ((20_000, 1), (20_001, 0)):
        text = "Ship: ".ljust(length, "x")
        assert len(fleet.reports(Text.from_text(f"{text}\n"))) == count


def test_a_line_has_one_owner() -> None:
    rival = Grammar(HITS, RATE, begins={HITS: ()}, end=RATE, markers=("Hits",))
    text = Text.from_text(REPORT + "\n## More\n\nHits: 7 (1%)\n")
    assert [report.span for report in LANCE.reports(text)] == [(0, 6)]
    assert [report.span for report in rival.reports(text)] == [(10, 10)]


def test_lines_within_a_line_of_another_tool_are_its_own() -> None:
    note = Line("Note: {words:rest}")
    diary = Grammar(note, begins={note: ()}, markers=("Note",))
    text = Text.from_text("Note: Hits: 1200 (98.40%) Hits per second: 5.00\n")
    assert len(diary.reports(text)) == 1
    assert not LANCE.reports(text)


def test_figures_are_not_taken_apart_at_large_letters() -> None:
    sent, group = Line("sent: {size:size}"), Line("room: {name:rest}", again=True)
    grammar = Grammar(sent, group, begins={sent: ()}, markers=("sent",))
    [report] = grammar.reports(Text.from_text("sent: 749kB room: the rest\n"))
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
        text = Text.from_text(hostile * times)
        assert text.repaired
        return processor_s(lambda: LANCE.reports(text))

    times = 20_000 // len(hostile)
    assert growth(spent, times, 8 * times, most=24, quick_s=0.1) < 24


def test_only_lines_near_to_what_a_report_may_begin_with_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[int] = []
    read = Vocabulary.read

    def noted(vocabulary: Vocabulary, piece: Piece) -> Sequence[ReportLine]:
        looked_at.append(piece.number)
        return list(read(vocabulary, piece))

    monkeypatch.setattr(Vocabulary, "read", noted)
    prose = "words of a log\n" * (5 * FAR)
    late = part("Aiming", "Hits") + "words\n" * (FAR - 1) + part("Hits", "99.00", OTHER)
    text = REPORT + prose + late + prose + REPORT.replace("1200 (", "3600 (")
    assert hits(text) == [1200, 2400, 3600]
    assert not set(range(7 + 2 * FAR, 7 + 3 * FAR)) & set(looked_at)
    assert len(looked_at) == len(set(looked_at))


def test_a_table_of_very_many_rows_is_whole() -> None:
    rows = "".join(f"  50.00% within {n}.20ms\n" for n in range(3 * FAR))
    (report,) = reports(part("Aiming", "  50.00%") + rows + part("Lost", "Hits per") + "end\n")
    assert len([*report.all(DELAY)]) == 3 * FAR
    assert report.has(LOST)


def test_of_very_many_reports_the_first_are_read_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("benchkit.parsers._grammar", "benchkit.text"):
        monkeypatch.setattr(f"{module}.MOST_REPORTS", 3)
    text = Text.from_text("".join(REPORT.replace("1200 (", f"{count} (") for count in (1, 2, 3, 4)))
    assert len(LANCE.reports(text)) == 3
    assert text.unread == ["of one text 3 reports are read; below line 21 are more"]


@pytest.mark.parametrize(("longest", "hits"), [(500_000, [1200]), (len(REPORT) - 20, [])])
def test_a_very_long_paragraph_is_not_taken_apart_and_that_is_told(
    longest: int, hits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.parsers._candidates._LONGEST_APART", longest)
    text = Text.from_text("It printed " + " ".join(REPORT.split("\n")))
    lines = [report.get(HITS) for report in LANCE.reports(text)]
    assert [line.read("hits") for line in lines if line] == hits
    note = f"more than {longest:,} characters run together from line 1 on: they are not taken apart"
    assert text.unread == ([] if hits else [note])


def test_of_very_many_lines_run_together_the_first_are_taken_apart_and_that_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = sum(map(bool, REPORT.split("\n")))
    monkeypatch.setattr("benchkit.parsers._candidates._MOST_APART", 2 * lines + 1)
    together = " ".join(REPORT.split("\n"))
    texts = (together.replace("1200 (", f"{count} (") for count in (1, 2, 3, 4))
    text = Text.from_text("\n\n".join(texts))
    known = [report.get(HITS) for report in LANCE.reports(text)]
    assert [line.read("hits") for line in known if line] == [1, 2]
    much = f"more than {2 * lines + 1} lines of a tool run together"
    assert text.unread == [f"{much}: from line 5 on not all are taken apart"]


def test_a_paragraph_that_does_not_look_filled_at_first_is_told_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchkit.parsers._candidates._MOST_APART", 9)
    together = " ".join(REPORT.split("\n"))
    rows = "\n".join(["50.00% within 1.20ms or so"] * 3)
    text = Text.from_text(f"{together}\n\n{rows}\n{together.replace('1200 (', '2 (')}")
    known = [report.get(HITS) for report in LANCE.reports(text)]
    assert [line.read("hits") for line in known if line] == [1200]
    assert text.unread == [
        "more than 9 lines of a tool run together: from line 3 on not all are taken apart"
    ]


#: Reports as people paste them: whole, run together, wrapped, glued to what stands before.
PASTED = (
    REPORT,
    " ".join(REPORT.split("\n")),
    "\n".join(textwrap.wrap(" ".join(REPORT.split("\n")), 23)),
    "\n".join(f"words of prose {n}" for n in range(12)) + "\n" + " ".join(REPORT.split("\n")),
    "\n".join(f"words of prose {n}" for n in range(12)) + "\n" + REPORT.replace("1200", "many"),
    part("Hits", "Hits per") + "\n" + part("Hits per", "Cargo", REPORT + "Cargo"),
    "```\n" + REPORT + "```\n" + OTHER,
)


@pytest.mark.parametrize("near", [1, 8])
@pytest.mark.parametrize("blank", ["\n", "\n\n"])
@pytest.mark.parametrize("pasted", PASTED)
def test_how_much_around_a_beginning_is_read_changes_no_report(
    pasted: str, blank: str, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "".join(f"words of a log {n}\n" for n in range(40))
    text = f"{words}{blank}{pasted}\n{blank}{words}{blank}{OTHER}"
    expected = [(report.span, list(map(str, report.lines))) for report in reports(text)]
    assert len(expected) > 1
    monkeypatch.setattr(_candidates, "NEAR", near)
    assert [(report.span, list(map(str, report.lines))) for report in reports(text)] == expected


def test_a_damaged_line_is_enough_below_the_head() -> None:
    damaged = REPORT.replace("4 crews of 25", "4x crews of 25").replace("1200 (", "3 (")
    (report,) = reports(part("Aiming", "50.00%", damaged) + "words\n" * 9)
    crews = report.get(CREWS)
    assert crews is not None
    assert not crews.strict


@pytest.mark.parametrize("above", [FAR - 12, FAR + 2, 2 * FAR - 9])
def test_a_report_that_is_wrapped_below_very_many_words_is_whole(above: int) -> None:
    wrapped = textwrap.wrap(" ".join(REPORT.split("\n")), 23)
    words = [f"words of a log {n}" for n in range(above)]
    (report,) = reports("\n".join([*words, *wrapped, *words]))
    assert kinds(report) == [AIMED, CREWS, HITS, DELAY, DELAY, LOST, RATE]


def test_far_from_any_report_words_of_it_without_figures_are_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Piece] = []
    read = Vocabulary.read

    def noted(self: Vocabulary, piece: Piece) -> Sequence[ReportLine]:
        asked.append(piece)
        lines: Sequence[ReportLine] = read(self, piece)
        return lines

    monkeypatch.setattr(Vocabulary, "read", noted)
    words = "50.00% within ages\n"
    assert hits(REPORT + words * 40_000 + OTHER) == [1200, 2400]
    assert len(asked) < 15_000
