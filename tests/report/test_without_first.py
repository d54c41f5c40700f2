"""An answer that hangs on the first runs says so, in every output."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchkit.compare.assess import Assessment, assess
from benchkit.model.comparison import Comparison, Grade
from benchkit.report.build import page_view
from benchkit.report.markdown import document, markdown, verdicts_markdown
from benchkit.report.terminal import render, render_verdicts
from benchkit.report.without_first import other_answer
from tests.recorded import assessed, example


def of_example(name: str) -> Assessment:
    return assessed(name)


def other_of(name: str) -> str:
    return other_answer(of_example(name).comparisons[0])


@pytest.fixture(scope="module")
def gateways() -> Comparison:
    return of_example("gateways").comparisons[0]


def test_the_other_answer_is_said_and_for_whom(gateways: Comparison) -> None:
    assert other_answer(gateways) == (
        "Only in these runs: without the first run of each, finagle-stand-in and "
        "spring-cloud-gateway faster than “none” in p99"
    )


def test_an_answer_that_it_contradicts_is_established_with_limits(gateways: Comparison) -> None:
    (plain,) = of_example("gateways").of_all_runs
    assert (plain.grade.key, gateways.grade.key) == ("established", "limited")
    limited = {label for label, grade in gateways.grades.items() if grade.key == "limited"}
    assert {"finagle-stand-in", "spring-cloud-gateway"} <= limited


def test_there_is_none_where_nobody_looked_or_nothing_was_tested(gateways: Comparison) -> None:
    assert other_answer(replace(gateways, without_first=None)) == ""
    untested = replace(gateways, grade=Grade("described", "◔", "Described, not tested"))
    assert other_answer(untested) == ""


def test_the_same_answer_is_not_said_again() -> None:
    assert other_of("quickstart") == ""


def test_a_leading_metric_that_first_runs_decide_is_named() -> None:
    assert other_of("request-coalescing") == (
        "Without the first run of each: throughput inconclusive, still faster in p99"
    )


def test_of_two_runs_none_is_left_out() -> None:
    runs = [run for run in example("gateways") if run.get("repeat") in {1, 2}]
    (comparison,) = assess(runs).comparisons
    assert {len(variant) for variant in comparison.variants} == {2}
    assert comparison.without_first is None


def test_too_few_runs_for_a_verdict_are_no_other_answer() -> None:
    """Once each established answer of five runs was followed by "not shown to differ"."""
    runs = [run for run in example("quickstart") if run.get("repeat") in range(1, 6)]
    (comparison,) = assess(runs).comparisons
    left = comparison.without_first
    assert left is not None
    assert (comparison.grade.key, left.grade.key) == ("established", "few")
    assert other_answer(comparison) == ""


def test_every_output_says_it() -> None:
    assessment = of_example("request-coalescing")
    answers = assessment.comparisons
    output = "Without the first run of each: throughput inconclusive, still faster in p99"
    page = page_view(assessment, drawn=False)
    texts = {
        "show": render(answers, width=200),
        "show, Markdown": markdown(answers),
        "compare": render_verdicts(answers, width=200),
        "compare, Markdown": verdicts_markdown(answers),
        "report, Markdown": document(assessment),
        "the page": "\n".join(section.answer.worst for section in page.sections),
    }
    assert [name for name, text in texts.items() if output not in " ".join(text.split())] == []
