from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchkit.compare.inference import infer
from benchkit.compare.rows import Row
from benchkit.compare.verdicts import Word
from benchkit.format import NBSP
from benchkit.results import Results
from benchkit.versus import markdown, sections, sweep_lines, table

NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.002, 0.998, 1.001)


def rows(
    by: float,
    noise: Sequence[float] = NOISE,
    *,
    name: str = "b",
    **columns: Any,  # noqa: ANN401
) -> list[Row]:
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
            "throughput_rps": 1000 * value * (by if variant == name else 1),
            "latency_p99_s": 0.05 * value / (by if variant == name else 1),
        }
        | columns
        for variant in ("a", name)
        for n, value in enumerate(noise)
    ]
    return infer(Results.of({"runs": runs}))


@pytest.mark.parametrize(
    ("made", "grade", "sentence"),
    [
        (
            rows(1.8),
            "established",
            "b is faster: p99 is 1.80× lower (1.79–1.81×, 8 runs each).",
        ),
        (rows(1 / 3), "established", "b is slower: p99 is 3.0× higher (3.0–3.0×, 8 runs"),
        (
            rows(1.0, (1.0, 1.1, 0.9, 1.05, 0.95, 1.2, 0.8, 1.01)),
            "no difference shown",
            "No p99 difference was shown: b/a lies between 0.88 and 1.14×",
        ),
        (
            rows(2.0, NOISE[:3]),
            "few runs",
            "p99 of b was 2.0× lower (3 runs each); too few runs for a verdict.",
        ),
        (
            rows(2.0, NOISE, success_ratio=0.5, errors=10),
            "not comparable",
            "No verdict: only 50% of the requests succeeded.",
        ),
        (rows(2.0, NOISE[:1]), "observed once", "p99 of b was 2.0× lower (1 run each)."),
        (rows(1.0, (1.0, 1.0001) * 4), "established", "b and a are the same: p99 is equal"),
    ],
)
def test_the_verb_is_limited_by_the_evidence(made: list[Row], grade: str, sentence: str) -> None:
    (one,) = sections(made)
    assert one.grade.words.lower() == grade
    assert one.sentence.replace(NBSP, " ").startswith(sentence)


@pytest.mark.parametrize(
    ("verdict", "grade", "limit"),
    [
        ("inconclusive", "no difference shown", "not enough for a verdict among 30 tests."),
        ("not-tested", "described, not tested", "described, not tested."),
    ],
)
def test_a_clear_interval_without_a_verdict_is_told_as_it_is(
    verdict: Word, grade: str, limit: str
) -> None:
    (one,) = sections([replace(row, verdict=verdict) for row in rows(1.8)], tests=30)
    assert one.grade.words.lower() == grade
    assert one.sentence.replace(NBSP, " ") == (
        f"p99 of b was 1.80× lower (1.79–1.81×, 8 runs each); {limit}"
    )


def test_the_table_fits_a_terminal_of_eighty_columns() -> None:
    text = table(rows(1.8), width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "proxy: b against a" in text
    assert "p = 0.00031, adjusted for 2 tests" in text.replace(NBSP, " ")
    assert "unadjusted, at 95%" in text


def test_params_that_both_have_stand_in_the_title() -> None:
    made = [replace(row, variant="b, 8, kept", baseline="a, 4, kept") for row in rows(1.8)]
    (one,) = sections(made)
    assert one.title == "proxy, kept: b, 8 against a, 4"
    assert one.headings[1:3] == ("a, 4", "b, 8")
    assert "b, 8” is faster" in one.sentence.replace(NBSP, " ")
    (same,) = sections([replace(row, variant="b, 1", baseline="b, 1") for row in rows(1.8)])
    assert same.title == "proxy, 1: b against b"


def test_markdown_is_a_table_with_its_reasons() -> None:
    text = markdown(rows(1.8)).replace(NBSP, " ")
    assert "**Established.** b is faster" in text
    assert "| Throughput, req/s | 1,000 | 1,801 | 1.80× higher | 1.79–1.81× | faster |" in text


def test_a_hostile_name_acts_on_nothing() -> None:
    made = rows(1.8, name="\x1b]0;x\x07|`<script>")
    assert "\x1b" not in table(made, width=100)
    assert "<script>" not in markdown(made).replace("\\<script\\>", "")


def test_the_knee_of_a_sweep_is_a_sentence() -> None:
    runs: list[dict[str, Any]] = [
        {
            "run_id": f"{level} {repeat}",
            "label": f"{level} {repeat}",
            "scenario": "proxy",
            "variant": "a",
            "params": f'{{"concurrency": {level}}}',
            "repeat": repeat,
            "tool": "ab",
            "format": "ab-text",
            "source": "x",
            "sha256": "0",
            "throughput_rps": min(1000.0, 125.0 * level) + repeat,
        }
        for level in (1, 2, 4, 8, 16)
        for repeat in (1, 2, 3)
    ]
    (line,) = sweep_lines(Results.of({"runs": runs}))
    assert line.replace(NBSP, " ") == (
        "proxy: a: throughput reaches 95% of its highest, 1.00 k req/s, at concurrency 8 "
        "(in each of 3 repetitions)."
    )
    (growing,) = sweep_lines(Results.of({"runs": [r for r in runs if r["throughput_rps"] < 1000]}))
    assert "still grew at the last concurrency" in growing
