"""What the page says where something was found, tested or withheld."""

import re
from dataclasses import replace
from pathlib import Path
from runpy import run_path
from typing import Literal

import pytest

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.figures import chart
from benchkit.figures.scales import percentile_x
from benchkit.report.markdown import markdown
from benchkit.report.sentences import headline
from benchkit.report.terminal import render as in_terminal
from tests.compare.runs import four_metrics, interleaved, spread
from tests.recorded import assessed

from .pages import answer, rendered, row, section, viewed

SAMPLES = run_path(str(Path(__file__).parent / "samples.py"))
REPEATED, REPEATED_ROWS = SAMPLES["repeated"], SAMPLES["repeated_rows"]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def short(count: int) -> Results:
    """Runs of which the first so many sent too few requests for a p99."""
    rows = REPEATED_ROWS(effect=1.5)
    runs = [
        run | {"requests": 300, "duration_s": 300 / run["throughput_rps"]} if n < count else run
        for n, run in enumerate(rows["runs"])
    ]
    return Results.from_tables(rows | {"runs": runs})


class TestHeadline:
    def test_established(self) -> None:
        assert plain(answer(REPEATED(effect=1.5)).headline) == (
            "new is faster than old: throughput +47 % (+44 to +51 %), 8 runs each."
        )

    def test_changes_of_two_stand_in_the_order_of_their_names(self) -> None:
        runs = interleaved(
            {name: four_metrics(by) for name, by in {"old": 1.0, "a": 2.5, "b": 3.0}.items()}
        )
        (comparison,) = assess(runs, baseline="old").comparisons
        named, amounts = plain(headline(comparison)).split(": ")
        assert named == "b and a are faster than old"
        assert re.match(r"throughput 3.00× and 2.5×", amounts)

    def test_a_small_difference_that_its_interval_shows_is_not_denied(self) -> None:
        """The same within the margin is not shown either, as p99 varies too much."""
        sides = {"from-old": four_metrics()}
        sides |= {
            name: four_metrics(1.015) | {"latency_p99_s": spread(0.05, 0.2, seed=seed)}
            for seed, name in enumerate("ab")
        }
        (comparison,) = assess(interleaved(sides), baseline="from-old").comparisons
        assert plain(headline(comparison)).startswith("a and b are inconclusive against from-old")

    @pytest.mark.parametrize("runs_of_b", [1, 3])
    def test_what_was_not_tested_is_not_called_undecided(self, runs_of_b: int) -> None:
        runs = interleaved(
            {name: four_metrics(by) for name, by in {"old": 1.0, "a": 2.5, "b": 2.0}.items()}
        )
        kept = [run for run in runs if run.variant != "b" or run.get("repeat") <= runs_of_b]
        (comparison,) = assess(kept, baseline="old").comparisons
        text = plain(headline(comparison))
        assert text.startswith("a is faster than old: ")
        assert text.endswith("; b has no verdict.")

    def test_a_variant_that_is_not_compared_is_named(self) -> None:
        """Else who reads “every other variant” takes it for one of them."""
        speeds = {"old": 3.0, "a": 1.0, "b": 1.4, "c": 1.8, "failing": 4.0}
        runs = interleaved({name: four_metrics(by) for name, by in speeds.items()})
        whole = plain(headline(assess(runs, baseline="old").comparisons[0]))
        assert whole.endswith("; c, b and a are slower than old.")
        failed = [
            run.with_columns(success_ratio=0.0) if run.variant == "failing" else run for run in runs
        ]
        text = plain(headline(assess(failed, baseline="old").comparisons[0]))
        assert text.startswith("a, b and c are slower than old: ")
        assert text.endswith("; failing is not comparable.")

    def test_what_goes_with_a_gain_stands_before_what_goes_against_it(self) -> None:
        """Of a mixed answer either side alone would mislead."""
        comparison = assessed("request-coalescing").comparisons[1]
        text = plain(headline(comparison))
        assert re.search(r"higher throughput than .*p99 better, 0\.11×, but p50 worse, 8\d×", text)

    def test_limits_are_in_the_verb(self) -> None:
        assert plain(answer(REPEATED(effect=1.5, errors=12_000)).headline).startswith(
            "In these runs new is faster than old: throughput +47 %"
        )

    def test_no_difference_gives_the_bound(self) -> None:
        headline = plain(answer(REPEATED(effect=1.0)).headline)
        assert re.match(
            r"No throughput difference of new from old was shown: [+−][\d.]+ % \(", headline
        )

    @pytest.mark.parametrize("runs", [1, 3])
    def test_nothing_is_faster_without_a_verdict(self, runs: int) -> None:
        headline = answer(REPEATED(effect=1.5, runs=runs)).headline
        assert " is " not in headline
        assert "faster" not in headline


class TestTable:
    def test_a_change_has_its_verdict_and_interval(self) -> None:
        view = answer(REPEATED(effect=1.5))
        change = row(view, "p99, ms").cells[1].change
        assert change is not None
        assert plain(change.amount) == "−32 %"
        assert plain(change.beside) == "faster, −34 to −31 %"
        assert "unadjusted" in view.remarks[0]

    def test_an_open_difference_has_its_bounds_and_no_bar(self) -> None:
        change = row(answer(REPEATED(effect=1.0)), "p99, ms").cells[1].change
        assert change is not None
        assert change.bar == 0
        assert re.fullmatch(r"inconclusive, −[\d.]+ to \+[\d.]+ %", plain(change.beside))

    def test_the_same_names_its_margin(self) -> None:
        rows = REPEATED_ROWS(effect=1.0)
        noise = (1.0, 1.001, 0.999, 1.002, 0.998, 1.0005, 0.9995, 1.0015)
        runs = [
            run
            | {"throughput_rps": 5000 * noise[n % 8], "latency_p50_s": 0.01 * noise[n % 8]}
            | {"latency_p99_s": 0.05 * noise[-1 - n % 8]}
            for n, run in enumerate(rows["runs"])
        ]
        view = answer(rows | {"runs": runs})
        change = row(view, "p99, ms").cells[1].change
        assert change is not None
        assert plain(change.verdict) == "same within ±3 %"
        assert plain(view.headline).startswith("new and old are the same within ±3 %: throughput ")

    def test_few_runs_have_ranges_and_no_interval(self) -> None:
        view = answer(REPEATED(effect=1.5, runs=3))
        p99 = row(view, "p99, ms")
        assert p99.cells[1].change is not None
        assert p99.cells[1].change.interval == ""
        assert not any("interval" in remark for remark in view.remarks)
        assert all(cell.spread for cell in p99.cells)

    def test_failures_are_those_of_all_runs_with_one_share(self) -> None:
        """Once 43 of one run and 0.86 % beside a finding of 1.3 %."""
        rows = REPEATED_ROWS(effect=1.5)
        for at, run in enumerate(rows["runs"][:8]):
            failed = 16_000 * (at % 2)
            run |= {"non2xx": failed, "success_ratio": 1 - failed / run["requests"]}
        shown = answer(rows)
        old, new = row(shown, "Not 2xx, all runs").cells
        assert (old.text, plain(old.share), old.spread) == ("64,000", "4 %", "")
        assert (new.text, new.share, new.change) == ("0", "", None)
        message = next(m for m in shown.messages.values() if "Over all runs, " in m)
        assert "Over all runs, 4 % of the requests failed in old" in plain(message)
        counted = {name: cells for name, *cells in shown.statuses}
        assert plain(counted["Responses not 2xx"][0]) == "64,000 (4 %)"

    def test_a_withheld_figure_is_a_word_with_its_reason(self) -> None:
        view = answer(short(1))
        old, new = row(view, "p99, ms").cells
        assert (old.text, old.absent) == ("withheld", True)
        assert "368" in old.why
        assert [mark.symbol for mark in old.marks] == ["①"]
        assert not new.absent
        assert new.change is None
        assert f'<i title="{old.why}">withheld</i>' in rendered(short(1))
        assert view.table.notes == (f"p99 of old withheld: {old.why}.",)

    def test_what_is_withheld_of_all_gives_the_reason_once(self) -> None:
        view = answer(short(16))
        (why,) = {cell.why for cell in row(view, "p99").cells}
        assert view.table.notes == (f"p99 withheld: {why}.",)


class TestCells:
    @pytest.mark.parametrize(("runs", "verdict"), [(3, "inconclusive"), (8, "faster")])
    def test_what_is_not_tested_beside_what_is_says_so(self, runs: int, verdict: str) -> None:
        view = answer(REPEATED(effect=1.5, runs=runs))
        tested = row(view, "Throughput, req/s").cells[1].change
        other = row(view, "Mean, ms").cells[1].change
        assert tested is not None
        assert other is not None
        assert (tested.verdict, other.verdict) == (verdict, "not tested")
        assert "verdict (adjusted)" in view.remarks[0]

    def test_changes_without_an_interval_are_promised_none(self) -> None:
        rows = REPEATED_ROWS(effect=1.5)
        runs = [run for run in rows["runs"] if run["variant"] == "old" or run["repeat"] == 1]
        view = answer(rows | {"runs": runs})
        assert (
            plain(view.remarks[0]) == "In the cells: of several runs the median, with their range."
        )


class TestFindings:
    def test_the_serious_come_first_and_the_others_are_folded(self) -> None:
        view = answer(REPEATED(effect=1.5, non2xx=4000))
        assert [finding.serious for finding in view.findings] == [True, False, False]
        numbers = [finding.number for finding in (*view.findings, *view.further)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert view.further
        assert plain(view.worst) == (
            "2 % of the requests of old failed, 0 % of new; in which order the runs were made is "
            "not known, and 1 more limit"
        )

    @pytest.mark.parametrize(
        ("severities", "text"),
        [
            (["info"], "1\u00a0note"),
            (["warning", "info", "info"], "1\u00a0further limit and 2\u00a0notes"),
            (["warning", "warning"], "2\u00a0further limits"),
        ],
    )
    def test_what_is_folded_is_counted_and_named(
        self, severities: list[Literal["info", "warning"]], text: str
    ) -> None:
        view = answer(REPEATED(effect=1.5, non2xx=4000))
        (first, *_) = view.further
        further = [
            replace(first, findings=(replace(first.first, severity=severity),))
            for severity in severities
        ]
        name = "Throughput and mean latency are one measurement"
        named = "; ".join(name for _ in severities)
        assert replace(view, further=tuple(further)).folded == f"{text}: {named}"

    def test_every_number_on_the_page_leads_to_a_finding(self) -> None:
        page = rendered(REPEATED(effect=1.5, non2xx=4000))
        wanted = set(re.findall(r"<a class=[rs] href=#([\w.-]+)>", page))
        assert wanted
        assert wanted <= set(re.findall(r'<li id="([\w.-]+)" tabindex="-1">', page))

    def test_a_run_repeats_only_what_is_not_told_above(self) -> None:
        printed = section(REPEATED(effect=1.5, non2xx=4000)).printed
        texts = [finding.text for group in printed for finding in group.findings]
        assert texts[0].startswith("checkout/old/2: 2\u00a0% of the requests")

    def test_terminal_and_markdown_say_them_too(self) -> None:
        comparisons = assess(REPEATED(effect=1.5, errors=12_000)).comparisons
        text = in_terminal(comparisons, width=100)
        assert "[in these runs only]" in text
        beside = "6\u00a0% of the requests failed, in every variant alike"
        assert beside in text.replace("\n", " ")
        assert "\n(1) old/1: 6\u00a0% of the requests failed" in text
        assert "\n- (1) **Over 1\u00a0% of the requests failed.** old/1: 6\u00a0%" in markdown(
            comparisons
        )

    def test_of_two_variants_each_row_names_what_qualifies_all_figures_of_one(self) -> None:
        comparisons = assess(REPEATED(effect=1.5, non2xx=4000)).comparisons
        (failing,) = comparisons[0].footnotes.at_name("old")
        rows = in_terminal(comparisons, width=100).split("\n")
        measured = [row for row in rows if row.startswith(("Throughput", "p50", "p99", "Max"))]
        assert len(measured) > 2
        assert all(f"({failing}" in row for row in measured)

    def test_a_withheld_figure_is_explained_in_the_terminal(self) -> None:
        text = in_terminal(assess(short(16)).comparisons, width=100)
        assert re.search(r"^p99 +withheld +withheld", text, re.MULTILINE)
        assert re.search(r"p99 withheld: .*368", text)

    def test_without_a_serious_one_the_first_doubt_is_named(self) -> None:
        rows = REPEATED_ROWS(effect=1.5)
        rows["runs"] = [
            run | {"duration_s": 800 / run["throughput_rps"], "requests": 800}
            for run in rows["runs"]
        ]
        view = answer(rows)
        assert view.worst.startswith("Measured for a short time")
        assert view.limits[-1].text == "Measured for a short time"
        assert [mark.number for mark in view.limits[-1].marks] == [1]

    def test_what_the_grade_says_is_not_said_twice(self) -> None:
        assert answer(REPEATED(effect=1.5, runs=1)).worst == ""


class TestFigures:
    def test_nothing_is_drawn_from_a_withheld_percentile_on(self) -> None:
        made = chart(assess(short(1)).comparisons[0], "percentiles")
        assert made is not None
        old = [s for s in made.panels[0].series if s.name == "old" and s.line]
        assert max(x for s in old for x in s.xs) == pytest.approx(percentile_x(0.9))
        assert "Withheld from p99 on of old." in made.caption
        cells = next(row for name, row in made.table.rows if name == "old" and row[0][0] == "p99")
        assert cells[1] == ("withheld", None)

    def test_ratios_of_repeated_runs_have_their_intervals(self) -> None:
        (comparison,) = assess(REPEATED(effect=1.5)).comparisons
        made = chart(comparison, "percentiles")
        assert made is not None
        effect = comparison.effect("new", "latency_p99_s")
        assert effect is not None
        assert effect.interval is not None
        bars = [series.ys for series in made.panels[1].series if series.faint]
        assert effect.interval[:2] in bars
        assert "Bars below are intervals of the ratio at p50, p90 and p99." in made.caption


def test_the_method_explains_the_words_of_this_page_only() -> None:
    terms = dict(viewed(REPEATED(effect=1.5)).method)
    assert {"Verdicts", "Adjustment", "Changes", "Intervals"} <= set(terms)
    assert "Observed once" not in terms
    once = dict(viewed(REPEATED(effect=1.5, runs=1)).method)
    assert set(once) == {"Observed once", "Changes"}


def test_checks_without_data_are_named_with_what_they_lack() -> None:
    blind = dict(viewed(REPEATED(effect=1.5)).blind)
    assert any("SEQ_GAP" in checks or "WARMUP" in checks for checks in blind)
