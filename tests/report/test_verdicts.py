"""What the page says where something was found, tested or withheld."""

import re
from pathlib import Path
from runpy import run_path

import pytest

from benchkit.assessment import assess
from benchkit.figures import chart
from benchkit.figures.scales import percentile_x
from benchkit.markdown import markdown
from benchkit.report.build import page_view
from benchkit.report.html import render
from benchkit.report.views import AnswerView, PairRow, SectionView
from benchkit.results import Results
from benchkit.terminal import render as in_terminal

REPEATED = run_path(str(Path(__file__).parent / "samples.py"))["repeated"]


def section(results: Results) -> SectionView:
    (one,) = page_view(results)[0].sections
    return one


def answer(results: Results) -> AnswerView:
    return section(results).answer


def row(of: AnswerView, heading: str) -> PairRow:
    assert of.pair is not None
    return next(one for one in of.pair.rows if one.heading == heading)


class TestHeadline:
    def test_established(self) -> None:
        told = answer(REPEATED(effect=1.5)).headline.replace("\u00a0", " ")
        assert told == "new is faster: p99 is 1.48× lower (1.45–1.51×, 8 runs each)."

    def test_limits_are_in_the_verb(self) -> None:
        assert answer(REPEATED(effect=1.5, non2xx=4000)).headline.startswith(
            "In these runs new is faster: p99 is 1.48×"
        )

    def test_no_difference_gives_the_bound(self) -> None:
        told = answer(REPEATED(effect=1.0)).headline
        assert re.match(r"No p\d+ difference was shown: new/old lies between", told)

    @pytest.mark.parametrize("runs", [1, 3])
    def test_nothing_is_faster_without_a_verdict(self, runs: int) -> None:
        of = answer(REPEATED(effect=1.5, runs=runs))
        assert " is " not in of.headline
        assert "faster" not in of.headline


class TestTable:
    def test_a_change_has_its_verdict_and_interval(self) -> None:
        of = answer(REPEATED(effect=1.5))
        change = row(of, "p99, ms").change
        assert change is not None
        assert (change.amount, change.word) == ("1.48×", "lower")
        assert change.verdict == "faster, 1.45–1.51×"
        assert "unadjusted" in of.remarks[0]

    def test_an_open_difference_has_no_direction(self) -> None:
        change = row(answer(REPEATED(effect=1.0)), "p99, ms").change
        assert change is not None
        assert (change.amount, change.word) == ("", "inconclusive")
        assert change.verdict.startswith("ratio 0.9")

    def test_few_runs_have_ranges_and_no_interval(self) -> None:
        of = answer(REPEATED(effect=1.5, runs=3))
        p99 = row(of, "p99, ms")
        assert p99.change is not None
        assert p99.change.verdict == ""
        assert not any("Intervals" in one for one in of.remarks)
        assert all(cell.spread for cell in p99.cells)

    def test_a_withheld_figure_is_a_word_with_its_reason(self) -> None:
        results = REPEATED(effect=1.5)
        results.tables["runs"].loc[0, "requests"] = 300
        p99 = row(answer(results), "p99, ms")
        old, new = p99.cells
        assert (old.text, old.absent, old.why) == ("withheld", True, "300 requests; needs 368")
        assert [mark.symbol for mark in old.marks] == ["①"]
        assert not new.absent
        assert p99.change is None
        assert '<i title="300 requests; needs 368">withheld</i>' in render(results)

    def test_what_is_withheld_of_all_gives_the_reason_once(self) -> None:
        p99 = row(answer(REPEATED(effect=1.5, requests=300)), "p99")
        assert p99.absent == "withheld: 300 requests; needs 368"


class TestFindings:
    def test_the_serious_come_first_and_the_others_are_folded(self) -> None:
        of = answer(REPEATED(effect=1.5, non2xx=4000))
        assert [one.mark.serious for one in of.findings] == [True, False]
        numbers = [one.mark.number for one in (*of.findings, *of.further)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert of.further
        assert of.worst == "Failures among the requests"

    def test_every_number_on_the_page_leads_to_a_finding(self) -> None:
        page = render(REPEATED(effect=1.5, non2xx=4000))
        wanted = set(re.findall(r"<a class=[rs] href=#([\w.-]+)>", page))
        assert wanted
        assert wanted <= set(re.findall(r'<li id="([\w.-]+)" tabindex="-1">', page))

    def test_a_run_repeats_only_what_is_not_told_above(self) -> None:
        of = section(REPEATED(effect=1.5, non2xx=4000))
        told = [one.text for printed in of.printed for one in printed.findings]
        assert told[0].startswith("checkout/old/2: 2% of the requests")

    def test_terminal_and_markdown_say_them_too(self) -> None:
        results = REPEATED(effect=1.5, non2xx=4000)
        text = in_terminal(results, assess(results), width=100)
        assert "[established, with limits]" in text
        assert re.search(r"^p99, ms .*\(1\)$", text, re.MULTILINE)
        assert "\n(1) 2% of the requests failed in old, 0% in new." in text
        assert "\n- (1) **Failures among the requests.** 2%" in markdown(results, assess(results))

    def test_a_withheld_figure_is_explained_in_the_terminal(self) -> None:
        results = REPEATED(effect=1.5, requests=300)
        text = in_terminal(results, assess(results), width=100)
        assert re.search(r"^p99 +withheld +—", text, re.MULTILINE)
        assert "p99 withheld: 300 requests; needs 368." in text

    def test_without_a_serious_one_the_first_doubt_is_named(self) -> None:
        results = REPEATED(effect=1.5)
        results.tables["runs"]["duration_s"] = 4.0
        of = answer(results)
        assert of.worst == "A short run"
        assert of.limits[-1].text == "A short run"
        assert [mark.number for mark in of.limits[-1].marks] == [1]

    def test_what_the_grade_says_is_not_said_twice(self) -> None:
        assert answer(REPEATED(effect=1.5, runs=1)).worst == ""


class TestFigures:
    def test_nothing_is_drawn_from_a_withheld_percentile_on(self) -> None:
        results = REPEATED(effect=1.5)
        results.tables["runs"].loc[0, "requests"] = 300
        (one,) = assess(results)
        made = chart(results, one, "percentiles")
        assert made is not None
        old = [s for s in made.panels[0].series if s.name == "old" and s.line]
        assert max(x for s in old for x in s.xs) == pytest.approx(percentile_x(0.9))
        assert "Withheld from p99 on of old." in made.subtitle
        cells = next(cells for heading, cells in made.table.rows if heading == "p99")
        assert cells[0] == ("withheld", None)

    def test_ratios_of_repeated_runs_have_their_intervals(self) -> None:
        results = REPEATED(effect=1.5)
        (one,) = assess(results)
        made = chart(results, one, "percentiles")
        assert made is not None
        effect = one.effect("new", "latency_p99_s")
        assert effect is not None
        bands = [pair for s in made.panels[1].series for pair in zip(s.low, s.high, strict=True)]
        assert (1 / effect.high, 1 / effect.low) in bands
        assert "Bands below are intervals of the ratio." in made.subtitle


def test_the_method_explains_the_words_of_this_page_only() -> None:
    terms = dict(page_view(REPEATED(effect=1.5))[0].method)
    assert {"Verdicts", "Margin", "Adjustment", "Intervals"} <= set(terms)
    assert "Observed once" not in terms
    once = dict(page_view(REPEATED(effect=1.5, runs=1))[0].method)
    assert set(once) == {"Observed once"}


def test_checks_without_data_are_named_with_what_they_lack() -> None:
    blind = dict(page_view(REPEATED(effect=1.5))[0].blind)
    assert any("SEQ_GAP" in checks or "WARMUP" in checks for checks in blind)
