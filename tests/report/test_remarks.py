"""What stands beside an answer: the true reason, once, with the finding that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from benchkit import format as show
from benchkit.compare.assess import assess
from benchkit.compare.limits import alike_failures, titles, worst_limit
from benchkit.model.comparison import Comparison
from benchkit.model.run import Run
from benchkit.report import remarks
from benchkit.report.markdown import markdown
from benchkit.report.provenance import method, vocabulary
from benchkit.report.sentences import headline
from benchkit.report.tabular import finding_messages
from benchkit.report.terminal import render
from benchkit.validity import examine
from benchkit.validity.text import table
from tests.compare.runs import four_metrics, interleaved, repeated_rows, results
from tests.recorded import assessed

BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def blocked(**factors: float) -> Comparison:
    """Eight runs of each variant, all of one before all of the next."""
    rows = repeated_rows({name: four_metrics(by) for name, by in factors.items()})
    for number, row in enumerate(rows):
        row["started_at"] = BEGAN + np.timedelta64(10 * number, "s")
    return assess(results(*rows)).comparisons[0]


def loaded_apart(**connections: int) -> Comparison:
    """Two variants in turn, each with connections of its own."""
    runs = interleaved({name: four_metrics(1.0) for name in connections})
    made = [run.with_columns(connections=connections[run.variant]) for run in runs]
    return assess(made).comparisons[0]


class TestForbiddenVerdict:
    def test_the_sentence_does_not_ask_for_more_runs(self) -> None:
        sentence = plain(headline(blocked(a=1.0, b=1.5)))
        assert sentence.endswith("8 runs each; verdict withheld.")

    def test_the_page_explains_what_forbids_it(self) -> None:
        terms = dict(method([vocabulary([blocked(a=1.0, b=1.5)])]))
        assert "cannot be put down to the variants" in terms["Verdict withheld"]
        assert "No difference shown" not in terms

    def test_of_several_variants_each_has_its_own_reason(self) -> None:
        rows = repeated_rows({name: four_metrics(1.0) for name in "abc"})
        order = "ab" * 8 + 8 * "c"
        left = {name: [row for row in rows if row["variant"] == name] for name in "abc"}
        for at, name in enumerate(order):
            left[name].pop(0)["started_at"] = BEGAN + np.timedelta64(10 * at, "s")
        sentence = plain(headline(assess(results(*rows)).comparisons[0]))
        assert sentence.startswith("b is the same as a within ±3 %: throughput 0 % (paired, ")
        assert sentence.endswith("; the verdict on c is withheld.")


class TestFindings:
    """A finding is worded once: by `check`, in the terminal and in Markdown alike."""

    def test_all_differences_are_named(self) -> None:
        """Once `show` named the first of two settings, and `check` both."""
        runs = interleaved({name: four_metrics(1.0) for name in "ab"})
        columns = {
            "a": {"connections": 2, "method": "GET"},
            "b": {"connections": 4, "method": "PUT"},
        }
        made = [run.with_columns(**columns[run.variant]) for run in runs]
        self.alike(made, "Connections: 2 in a; 4 in b.", "Method: GET in a; PUT in b.")

    def test_as_many_runs_are_counted(self) -> None:
        runs = interleaved({name: four_metrics(1.0) for name in "ab"}, requests=1000, errors=0)
        made = [run.with_columns(non2xx=500 if run.variant == "b" else 0) for run in runs]
        self.alike(made, "and 5 more runs.")

    @staticmethod
    def alike(runs: Sequence[Run], *texts: str) -> None:
        comparisons = assess(runs).comparisons
        outputs = (
            table(examine(runs), width=100),
            render(comparisons, width=100),
            markdown(comparisons),
        )
        for output in outputs:
            words = " ".join(plain(output).replace("\\", "").split())
            assert all(text in words for text in texts), words


class TestLimits:
    @pytest.mark.parametrize(
        ("comparison", "check"),
        [
            (blocked(a=1.0, b=1.5), "BLOCKED_ORDER"),
            (loaded_apart(a=16, b=32), "CONFIG_DIFFERS"),
        ],
    )
    def test_what_forbids_the_verdict_is_named_once(
        self, comparison: Comparison, check: str
    ) -> None:
        (sentence,) = remarks.limits(comparison)
        (mark,) = sentence.marks
        assert comparison.findings[mark.number - 1].first.check == check

    def test_few_runs_are_the_finding_beside_few_runs(self) -> None:
        runs = interleaved({name: four_metrics(by) for name, by in {"a": 1.0, "b": 1.5}.items()})
        few = assess([run for run in runs if run.get("repeat") <= 4]).comparisons[0]
        numbers = [mark.number for s in remarks.limits(few) for mark in s.marks]
        checks = [few.findings[number - 1].first.check for number in numbers]
        assert checks == ["REPLICATES"]

    def test_no_number_refers_to_a_note_that_a_terminal_leaves_out(self) -> None:
        runs = interleaved({name: four_metrics(1.0) for name in "ab"})
        text = render(assess(runs).comparisons, width=100)
        assert "(1)" not in text.partition("\n\n")[0]


def failing(**non2xx: int) -> Comparison:
    """Eight runs of each variant in turn, `b` the faster, so many of 1,000 requests not 2xx."""
    factors = {"a": 1.0, "b": 1.5}
    runs = interleaved(
        {name: four_metrics(by) for name, by in factors.items()}, requests=1000, errors=0
    )
    made = []
    for run in runs:
        count = non2xx[run.variant] + run.get("repeat") % 2
        made.append(run.with_columns(non2xx=count, success_ratio=1 - count / 1000))
    return assess(made).comparisons[0]


def test_requests_known_more_coarsely_than_their_percentiles_say_so() -> None:
    """ab writes percentiles in µs beside each request in ms."""
    (comparison, *_) = assessed("quickstart").comparisons
    meaning = plain(remarks.meaning(comparison))
    assert meaning.endswith("in steps of 1 µs; single requests in steps of 1 ms.")


class TestListing:
    """What limits a comparison stands on the page; only notes are folded."""

    def test_other_limits_are_counted_as_they_are_listed(self) -> None:
        apart = assessed("gin-panic").comparisons[0]
        shown, folded = remarks.listed(apart)
        limits = [n for n in (*shown, *folded) if n.first.severity != "info"]
        assert len(limits) > 1
        assert worst_limit(apart).endswith(f", and {show.plural(len(limits) - 1, 'more limit')}")

    def test_of_many_limits_three_stand_and_the_least_serious_are_folded(
        self,
    ) -> None:
        apart = assessed("gin-panic").comparisons[0]
        shown, folded = remarks.listed(apart)
        assert [n.number for n in shown] == [1, 2, 3]
        assert [n.first.severity for n in folded][:3] == ["warning"] * 3
        assert not any(n.serious for n in folded)

    def test_failures_that_are_named_are_not_counted_again(self) -> None:
        unbounded = assessed("request-coalescing").comparisons[1]
        every = chain(*remarks.listed(unbounded))
        limits = [n for n in every if n.first.severity != "info"]
        named = (
            "1.3\u00a0% of the requests of “without” got no 2xx answer, 0\u00a0% of “with”; "
            "one slow request"
        )
        assert worst_limit(unbounded).startswith(named)
        assert worst_limit(unbounded).endswith(f", and {len(limits) - 2}\u00a0more limits")

    def test_tests_elsewhere_in_the_scenario_are_told_from_those_here(self) -> None:
        comparison = failing(a=0, b=0)
        (alone,) = [plain(s.text) for s in remarks.limits(comparison) if "tests" in s.text]
        own = int(alone.split()[0])
        (among,) = [
            plain(s.text)
            for s in remarks.limits(replace(comparison, tests=own + 4))
            if "tests" in s.text
        ]
        assert among.startswith(f"{own + 4} tests in all comparisons of ")
        assert f", {own} of them here" in among


class TestFailuresAlike:
    """A verdict on a mixture is limited, and says what it is of."""

    def test_what_all_runs_share_is_said_with_what_follows(self) -> None:
        alike = failing(a=500, b=500)
        text = (
            "50 % of the requests failed, in every variant alike: latencies and "
            "throughput mix these with the others"
        )
        assert alike.grade.key == "limited"
        assert text in [plain(sentence.text) for sentence in remarks.limits(alike)]
        assert plain(remarks.worst(alike)) == text.partition(":")[0]
        assert text in plain(markdown([alike]))

    def test_what_differs_is_not(self) -> None:
        apart = failing(a=500, b=100)
        assert alike_failures(apart) == ""
        assert "alike" not in remarks.worst(apart)

    def test_the_page_says_why_it_is_limited(self) -> None:
        terms = dict(method([vocabulary([failing(a=500, b=500)])]))
        assert "many requests failed in every variant" in terms["In these runs only"]


def test_findings_of_one_title_are_told_apart() -> None:
    apart = failing(a=500, b=30)
    named = [
        title
        for title in titles(apart).values()
        if title.startswith("Over 1\u00a0% of the requests failed")
    ]
    assert len(named) == len(set(named)) > 1
    assert all(": " in title for title in named)
    assert f"**{named[0]}.**" in markdown([apart])
    single = [
        title
        for title in titles(failing(a=500, b=500)).values()
        if "Over 1\u00a0% of the requests failed" in title
    ]
    assert single == ["Over 1\u00a0% of the requests failed"]


def test_that_nothing_was_tested_is_said_once() -> None:
    """Once headline, grade and the reason beside it said so."""
    comparison = assessed("request-coalescing").comparisons[1]
    first, *_ = remarks.limits(comparison)
    texts = (headline(comparison), comparison.grade.words, first.text)
    assert ["not tested" in text for text in texts] == [False, True, False]
    assert plain(first.text).startswith("1.3 % of the requests of “without” got no 2xx answer, ")


def test_findings_name_variants_as_headlines_do() -> None:
    """Once they spoke of the requests "in without"."""
    (comparison,) = assessed("request-coalescing").comparisons[1:]
    text = " ".join(finding_messages(comparison).values())
    assert "got no 2xx answer in “without”, 0 % in “with”." in plain(text)
    assert "“without” has the lower p50" in plain(text)


def test_quotes_for_a_setting_that_is_not_said_go_with_it() -> None:
    (comparison, *_) = assessed("gin-panic").comparisons
    texts = [plain(text) for text in finding_messages(comparison).values()]
    assert any("failed in default, 50 % in nolog and recover." in text for text in texts)
    assert "“recover, gin 1.12.0, sink console”" in plain(
        " ".join(
            finding.message for numbered in comparison.findings for finding in numbered.findings
        )
    )
