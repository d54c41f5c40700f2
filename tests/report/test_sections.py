"""Each variant against its baseline, as `benchkit compare` says it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchkit.api import Results
from benchkit.compare.assess import Assessment, assess
from benchkit.model.comparison import Comparison, Effect, Grade, Verdict
from benchkit.report.markdown import verdicts_markdown
from benchkit.report.sections import sections
from benchkit.report.sentences import claim_and_measure, headline
from benchkit.report.tabular import Section
from benchkit.report.terminal import render_verdicts
from benchkit.stats.interval import Interval
from tests.compare.runs import four_metrics, interleaved
from tests.report.samples import identity

NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.002, 0.998, 1.001)


def assessed(
    by: float,
    noise: Sequence[float] = NOISE,
    *,
    names: Sequence[str] = ("a", "b"),
    **columns: Any,  # noqa: ANN401
) -> Assessment:
    """Runs of two variants, the second faster by a factor."""
    runs = [
        {
            "run_id": f"{variant}{n}",
            "label": f"{variant}{n}",
            "scenario": "proxy",
            "variant": variant,
            "tool": "wrk",
            "format": "wrk-text",
            "source": "x",
            "sha256": "0",
            "load_model": "closed",
            "throughput_rps": 1000 * value * (by if variant == names[1] else 1),
            "latency_p99_s": 0.05 * value / (by if variant == names[1] else 1),
        }
        | columns
        for variant in names
        for n, value in enumerate(noise)
    ]
    return assess(Results.from_tables({"runs": runs}))


def comparison(*given: Any, **named: Any) -> Comparison:  # noqa: ANN401
    (only,) = assessed(*given, **named).comparisons
    return only


def section(shown: Comparison) -> Section:
    (only,) = sections(shown)
    return only


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("shown", "grade", "sentence"),
    [
        (
            comparison(1.8),
            "established",
            "b is faster than a: throughput +80 % (+79 to +81 %), 8 runs each.",
        ),
        (
            comparison(1 / 3),
            "established",
            "b is slower than a: throughput 0.33× (0.33–0.34×), 8 runs each.",
        ),
        (
            comparison(1.0, (1.0, 1.1, 0.9, 1.05, 0.95, 1.2, 0.8, 1.01)),
            "no difference shown",
            "No throughput difference of b from a was shown: 0 % (",
        ),
        (
            comparison(2.0, NOISE[:3]),
            "few runs",
            "b against a: throughput 2.0×; p99 was 25 ms instead of 50 ms, in all runs.",
        ),
        (
            comparison(2.0, NOISE, success_ratio=0.5, errors=10),
            "not comparable",
            "No verdict: 50 % of the requests failed.",
        ),
        (
            comparison(2.0, NOISE[:1]),
            "observed once",
            "b against a: throughput 2.0×; p99 was 25 ms instead of 50 ms.",
        ),
        (
            comparison(1.0, (1.0, 1.0001) * 4),
            "established",
            "b and a are the same within ±3 %: throughput 0.00 % (",
        ),
    ],
)
def test_the_verb_is_limited_by_the_evidence(shown: Comparison, grade: str, sentence: str) -> None:
    only = section(shown)
    assert only.grade.lower() == grade
    assert plain(only.sentence).startswith(sentence)
    assert headline(shown) == only.sentence


@pytest.mark.parametrize(
    ("grade", "start", "limit"),
    [
        (
            Grade("unshown", "○", "No difference shown"),
            "Throughput of b against a",
            "; not enough for a verdict among 30 tests.",
        ),
        (
            Grade("described", "◔", "Described, not tested"),
            "b had a higher throughput than a",
            ".",  # its grade says that it was not tested
        ),
    ],
)
def test_a_clear_interval_without_a_verdict_is_told_as_it_is(
    grade: Grade, start: str, limit: str
) -> None:
    shown = comparison(1.8)
    word: Verdict = "inconclusive" if grade.key == "unshown" else "not-tested"
    effects = tuple(replace(effect, verdict=word) for effect in shown.effects)
    shown = replace(shown, effects=effects, grade=grade, grades={"b": grade}, tests=30)
    assert plain(section(shown).sentence) == f"{start}: +80 % (+79 to +81 %), 8 runs each{limit}"


def test_untested_figures_that_contradict_each_other_are_both_told() -> None:
    shown = comparison(1.8)
    grade = Grade("described", "◔", "Described, not tested")

    def turned(effect: Effect) -> Effect:
        effect = replace(effect, verdict="not-tested")
        if effect.metric.name != "throughput":
            return effect
        return replace(effect, ratio=0.31, interval=Interval(0.24, 0.40, 0.95))

    effects = tuple(turned(effect) for effect in shown.effects)
    shown = replace(
        shown,
        effects=effects,
        grade=grade,
        grades={"b": grade},
        factors={"throughput_rps", "latency_p99_s"},
    )
    both = "b had a lower throughput than a: 0.31× (0.24–0.40×), but p99 better, 0.56× (0.55–0.56×)"
    assert plain(section(shown).sentence).startswith(both)
    assert headline(shown) == section(shown).sentence
    open_ = tuple(
        replace(e, interval=Interval(0.24, 1.1, 0.95)) if e.ratio == 0.31 else e for e in effects
    )
    assert ", but" not in headline(replace(shown, effects=open_))


def test_better_by_one_metric_and_worse_by_another() -> None:
    shown = comparison(1.8)
    worse = {"p99": "slower", "throughput": "faster"}

    def turned(effect: Effect) -> Effect:
        return replace(effect, verdict=worse.get(effect.metric.name, effect.verdict))  # type: ignore[arg-type]

    shown = replace(shown, effects=tuple(map(turned, shown.effects)))
    assert plain(headline(shown)) == (
        "b is faster in throughput and slower in p99 than a: throughput +80 % (+79 to +81 %); "
        "p99 −44 % (−45 to −44 %), 8 runs each."
    )


def test_of_many_that_are_described_the_first_of_the_table_are_named() -> None:
    """Once those whose names came first, though another was further ahead than any of them."""
    runs = [
        identity(f"{name}-{n}", "proxy", name, "wrk")
        | {"baseline": "a", "repeat": n, "requests": 10_000, "errors": 0, "duration_s": 10.0}
        | {"throughput_rps": 1000 * ratio * (1 + n / 500), "non2xx": 0 if name == "a" else 600}
        for name, ratio in {"a": 1.0, "b": 1.25, "c": 1.5, "d": 1.75, "e": 2.0}.items()
        for n in range(8)
    ]
    (comparison,) = assess(Results.from_tables({"runs": runs})).comparisons
    assert comparison.grade.key == "described"
    sentences = headline(comparison).replace("\u00a0", " ").split(". ")
    assert [sentence[:2] for sentence in sentences] == ["e ", "d ", "c ", "1 "]
    assert sentences[-1] == "1 more variant in the table."


def test_an_estimate_that_is_not_of_the_values_shown_is_named() -> None:
    shown = comparison(1.8)
    effects = tuple(replace(effect, estimate="pairs") for effect in shown.effects)
    shown = replace(shown, effects=effects)
    assert "throughput +80 % (paired, +79 to +81 %), 8 runs each" in plain(headline(shown))
    changes = [row.cells[1].change for row in section(shown).table.rows]
    assert all(change is None or change.amount.endswith(" paired") for change in changes)


def test_the_table_fits_a_terminal_of_eighty_columns() -> None:
    text = render_verdicts([comparison(1.8)], width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "proxy: b against a" in text
    assert "adjusted for 2 tests" in plain(text)
    assert "unadjusted, at 9" in text


def test_params_that_both_have_stand_in_the_title() -> None:
    shown = comparison(1.8)

    def renamed(variant: str, baseline: str) -> Comparison:
        effects = [replace(e, variant=variant, baseline=baseline) for e in shown.effects]
        grades = {(baseline, variant): shown.grades["b"]}
        return replace(shown, effects=(), sweep_effects=tuple(effects), sweep_grades=grades)

    only = section(renamed("b, 8, kept", "a, 4, kept"))
    assert only.title == "proxy, kept: b, 8 against a, 4"
    assert [name.label for name in only.table.names] == ["a, 4", "b, 8"]
    assert "“b, 8” is faster than “a, 4”" in plain(only.sentence)
    assert section(renamed("b, 1", "b, 1")).title == "proxy, 1: b against b"


def test_markdown_is_a_table_with_its_reasons() -> None:
    text = plain(verdicts_markdown([comparison(1.8)]))
    assert "**Established.** b is faster than a" in text
    row = "| Throughput, req/s | 1,000 | 1,801 | +80 % | +79 to +81 % | faster |"
    assert row in text


def test_several_variants_have_a_headline_and_a_section_each() -> None:
    runs = [
        {"run_id": f"{name}{n}", "label": f"{name}{n}", "variant": name, "scenario": "proxy"}
        | {"tool": "wrk", "format": "wrk-text", "source": "x", "sha256": "0"}
        | {"load_model": "closed", "throughput_rps": 1000 * value * by}
        for name, by in (("a", 1.0), ("b", 1.5), ("c", 0.7))
        for n, value in enumerate(NOISE)
    ]
    (shown,) = assess(Results.from_tables({"runs": runs})).comparisons
    text = plain(render_verdicts([shown], width=100))
    assert text.startswith("proxy\nb is faster than a: throughput +50 % (")
    assert ", 8 runs each; c is slower than a.\n" in text
    assert "\nproxy: b against a\n" in text
    assert "\nproxy: c against a\nc is slower than a: throughput −30 %" in text


@pytest.mark.parametrize(
    ("sentence", "claim", "measure"),
    [
        ("b is faster than a: p50 −9 % (paired), 8 runs each.", "b is faster than a", "p50 −9 %"),
        ("“b: 1” is faster than “a”: p50 −9 %.", "“b: 1” is faster than “a”", "p50 −9 %"),
        ("No verdict: 50 % of b failed: all.", "No verdict", "50 % of b failed: all"),
        ("Throughput was about equal for all 3.", "Throughput was about equal for all 3", ""),
        ("http://a:80 against b: p50 −9 %.", "http://a:80 against b", "p50 −9 %"),
    ],
)
def test_a_headline_is_a_claim_and_its_measure(sentence: str, claim: str, measure: str) -> None:
    parts = claim_and_measure(sentence)
    assert parts[0] == claim
    assert parts[1].startswith(measure)
    assert sentence == f"{': '.join(filter(None, parts))}."


def test_a_hostile_name_acts_on_nothing() -> None:
    shown = comparison(1.8, names=("a", "\x1b]0;x\x07|`<script>"))
    assert "\x1b" not in render_verdicts([shown], width=100)
    assert "<script>" not in verdicts_markdown([shown]).replace("\\<script\\>", "")


def test_a_mean_over_scenarios_compares_like_with_like() -> None:
    first = comparison(1.5)
    other = replace(comparison(1.5), scenario="other")
    text = plain(render_verdicts([first, other], width=100))
    assert "Over 2 scenarios, geometric mean: throughput of b against a +50 %." in text
    alone = replace(other, effects=tuple(replace(e, variant="c") for e in other.effects))
    text = plain(render_verdicts([first, replace(alone, grades={}, effects=())], width=100))
    assert "geometric mean" not in text


def test_what_was_found_is_named_below_the_comparison_that_it_is_about() -> None:
    """Once `compare` said nothing of another kernel, and `show` did."""
    runs = interleaved({name: four_metrics(by) for name, by in {"a": 1.0, "b": 1.2}.items()})
    kernels = {"a": '{"kernel": "6.1"}', "b": '{"kernel": "6.8"}'}
    made = [run.with_columns(environment=kernels[run.variant]) for run in runs]
    (section,) = sections(assess(made).comparisons[0])
    assert section.reasons[-1] == (
        "What limits it: The machines or their systems differ (benchkit check has the details)."
    )


def test_a_small_difference_is_within_the_margin_and_no_lack_of_runs() -> None:
    """Once it was said to be not enough for a verdict among the tests."""
    noise = (1.0, 1.0001, 0.9999, 1.0002, 0.9998, 1.0001, 0.9999, 1.0)
    rows = [
        {"run_id": f"{name}{n}", "label": f"{name}{n}", "variant": name, "scenario": "proxy"}
        | {"tool": "wrk", "format": "wrk-text", "source": "x", "sha256": "0"}
        | {"load_model": "closed", "throughput_rps": 1000 * value * by}
        | {"latency_p99_s": 0.05 * value ** (1000 if n % 2 else -1000)}
        for name, by in (("a", 1.0), ("b", 0.99))
        for n, value in enumerate(noise)
    ]
    (shown,) = assess(Results.from_tables({"runs": rows})).comparisons
    assert plain(headline(shown)) == (
        "Throughput of b against a: −1.00 % (−1.01 to −0.99 %), 8 runs each; "
        "within ±3 %, which is not shown of every primary metric."
    )
    assert shown.grade.words == "No verdict"  # a difference was shown
