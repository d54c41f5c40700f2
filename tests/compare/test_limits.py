"""What limits an answer: the worst first, in how many runs, and not what the grade says already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchkit.compare.limits import FAILURES, alike_failures, beyond_grade, worst_limit
from benchkit.model.comparison import Comparison, Grade
from benchkit.model.footnotes import Numbered
from benchkit.validity.finding import Finding
from tests.compare.runs import (
    compared,
    four_metrics,
    interleaved,
    plain,
    repeated_rows,
    results,
)

PAIR = compared(interleaved({"a": four_metrics(), "b": four_metrics(1.1)}))
RUNS = [run_id for name in "ab" for run_id in PAIR.by_label[name].run_ids]


def finding(run_id: str | None = None, **columns: Any) -> Finding:  # noqa: ANN401 - any field
    """A warning about one run, or about all."""
    usual: dict[str, Any] = dict.fromkeys(("variant", "label"))
    usual |= {"check": "BUSY", "severity": "warning", "title": "The client was busy"}
    usual |= {"scenario": "s", "tool": "wrk", "message": "", "advice": ""}
    usual |= {"values": {}, "touches": (), "withheld": {}}
    about = (run_id,) if run_id else tuple(RUNS)
    return Finding(**usual | {"run_id": run_id, "run_ids": about} | columns)


def limited(*findings: Sequence[Finding], grade: str = "established") -> Comparison:
    """Two variants of eight runs each with these findings, several of one kind together."""
    numbered = tuple(Numbered(number, tuple(each)) for number, each in enumerate(findings, 1))
    return replace(PAIR, findings=numbered, grade=Grade(grade, "●", "Graded"))  # type: ignore[arg-type]


def failures(*shares: float) -> list[Finding]:
    return [
        finding(run_id, check=FAILURES, values={"failed_share": share})
        for run_id, share in zip(RUNS, shares, strict=False)
    ]


def test_nothing_limits_what_has_notes_only() -> None:
    assert worst_limit(limited([finding(severity="info")])) == ""


def test_the_serious_is_first_and_a_symptom_behind_its_cause() -> None:
    symptom = finding(check="LITTLE_LOW", title="Little's law")
    serious = finding(check="WORSE", severity="error", title="Worse")
    problems = beyond_grade(limited([symptom], [finding()], [serious]))
    assert [each.first.check for each in problems] == ["WORSE", "BUSY", "LITTLE_LOW"]
    assert (
        plain(worst_limit(limited([symptom], [finding()], [serious]))) == "Worse, and 2 more limits"
    )


@pytest.mark.parametrize(
    ("runs", "extent"),
    [
        (RUNS, ""),
        ([None], ""),
        (RUNS[:3], " in 3 of 8 runs of a"),
        (RUNS[:8], " in all 8 runs of a"),
        (RUNS[6:10], " in 4 of 16 runs"),
        (RUNS[5:10], " in 5 of 16 runs"),
        (RUNS[7:10], " in 2 of 8 runs of b and 1 of 8 runs of a"),
        (RUNS[6:16], " in all 8 runs of b and 2 of 8 runs of a"),
    ],
)
def test_it_says_in_how_many_runs_and_whose(runs: Sequence[str | None], extent: str) -> None:
    text = worst_limit(limited([finding(run_id) for run_id in runs]))
    assert plain(text) == f"The client was busy{extent}"


SWEPT = compared(
    results(
        *(
            row | {"run_id": f"{level}/{row['run_id']}", "params": f'{{"c": {level}}}'}
            for level in (10, 100, 1000)
            for row in repeated_rows({"a": four_metrics(), "b": four_metrics(1.1)})
        )
    )
)


def _swept_runs(name: str, level: int) -> Sequence[str]:
    (variant,) = (v for v in SWEPT.variants if v.name == name and v.level("c") == level)
    return variant.run_ids


@pytest.mark.parametrize(
    ("runs", "extent"),
    [
        (_swept_runs("a", 100), " in all 8 runs of a at c 100"),
        ((*_swept_runs("a", 100), *_swept_runs("b", 100)), " in all 16 runs at c 100"),
        (
            (*_swept_runs("a", 1000)[:6], *_swept_runs("b", 1000)[:1]),
            " in 6 of 8 runs of a and 1 of 8 runs of b at c 1000",
        ),
        ((*_swept_runs("a", 10), *_swept_runs("a", 100)), " in 16 of 24 runs of a"),
    ],
)
def test_of_a_sweep_it_says_at_which_level(runs: Sequence[str], extent: str) -> None:
    made = replace(SWEPT, findings=(Numbered(1, tuple(map(finding, runs))),))
    assert plain(worst_limit(made)) == f"The client was busy{extent}"


def test_of_what_has_a_single_run_it_is_that() -> None:
    once = compared(interleaved({"a": four_metrics(runs=1), "b": four_metrics(runs=1)}))
    (run_id,) = once.by_label["a"].run_ids
    text = worst_limit(replace(once, findings=(Numbered(1, (finding(run_id),)),)))
    assert plain(text) == "The client was busy in the only run of a"


def test_of_a_single_variant_nobody_asks_whose() -> None:
    alone = compared(interleaved({"a": four_metrics()}))
    made = replace(alone, findings=(Numbered(1, (finding(RUNS[0]),)),))
    assert plain(worst_limit(made)) == "The client was busy in 1 of 8 runs"


def test_failures_that_all_runs_share_are_their_share() -> None:
    halves = limited(failures(*[0.5] * 16))
    assert plain(worst_limit(halves)) == "50 % of the requests failed, in every variant alike"
    assert alike_failures(halves).endswith("latencies and throughput mix these with the others")
    assert alike_failures(limited(failures(*[1.0] * 16))).endswith("are of these alone")


@pytest.mark.parametrize("shares", [[0.5] * 15, [0.1, *[0.5] * 15]])
def test_failures_of_some_runs_are_not_alike(shares: Sequence[float]) -> None:
    assert alike_failures(limited(failures(*shares))) == ""


@pytest.mark.parametrize(
    ("grade", "severity", "beyond"),
    [("few", "warning", 0), ("few", "info", 0), ("established", "warning", 1)],
)
def test_too_few_runs_are_named_by_their_grade(grade: str, severity: str, beyond: int) -> None:
    few = limited([finding(check="REPLICATES", severity=severity)], grade=grade)
    assert len(beyond_grade(few)) == beyond


def test_what_the_grade_names_is_counted_among_the_others() -> None:
    both = limited([finding(check="REPLICATES")], [finding()], grade="few")
    assert plain(worst_limit(both)) == "The client was busy, and 1 more limit"
