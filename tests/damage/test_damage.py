"""Damaged reports read as the whole ones: a share of the matrix, and all that ever failed.

`python -m studies.damage` goes through all of it and writes docs/robustness.md.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from benchkit.ingest import defects
from tests.damage.kinds import KINDS
from tests.damage.matrix import (
    Kinds,
    Report,
    neighbours,
    outcome_beside,
    outcome_of,
    pairs,
    reports,
)

#: What failed and was mended; whoever mends another adds it.
FAILED = Path(__file__).parent / "failed.txt"
ALONE, IN_PAIRS = 0.95, 0.85
SHARE = 400
#: Damage after which a value was another, and what it was done to.
ONCE_WRONG = (
    ("one paragraph", "vegeta/errors.report.txt"),
    ("wrapped anew", "vegeta/mixed-post.report.txt"),
    ("mail quote + lines in bold", "vegeta/ok.hist.txt"),
    ("remark # + one paragraph", "wrk/non2xx.txt"),
    ("&nbsp; + wrapped anew", "wrk/histogram-late.txt"),
    ("HTML columns + <li>", "wrk/all-503.txt"),
    ("<br> + <p>", "wrk/timeouts.txt"),
    ("thousands thin + one paragraph", "wrk/uneven.txt"),
    ("comment // + wrapped anew", "autocannon/same-run-mixed.txt"),
    ("REPL + wrapped anew", "autocannon/table-pipelining-drop.txt"),
    ("line breaks \\ + wrapped anew", "autocannon/table-samples.txt"),
    ("<pre> + wrapped anew", "hey/refused.txt"),
    ("one paragraph + Go lines", "hey/reset.txt"),
    ("repr + wrapped anew", "hey/million.txt"),
    ("HTML rows + Markdown table", "hey/reset.txt"),
    ("log prefix + two columns, tab", "hey/stall.txt"),
    ("shell string + wrapped anew", "hey/reset.txt"),
    ("wrapped anew", "k6/full.txt"),
    ("diff + wrapped anew", "k6/full.txt"),
    ("cat -n + wrapped anew", "fortio/mixed.txt"),
    ("Go lines + echo", "locust/stall.txt"),
    ("HTML columns + Markdown table", "locust/refused.txt"),
    ("colours without escape + wrapped anew", "artillery/plain.txt"),
    ("two columns, tab + frame", "ghz/plain.txt"),
    ("Java lines + shell string", "siege/text-refused.txt"),
    ("blank lines between + JSON string", "vegeta/mixed-post.report.txt"),
    ("array of lines + triple quotes", "vegeta/refused.report.txt"),
    ("arrow prefix + wrapped anew", "autocannon/table-mismatch.txt"),
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Report]:
    return list(reports(tmp_path_factory.mktemp("damage")))


def failures(
    cases: Iterable[tuple[Report, Kinds]], scratch: Path
) -> tuple[list[str], Counter[str]]:
    """Return the cases that are not right, a line each, and the count per outcome."""
    counts: Counter[str] = Counter()
    lines = []
    for report, kinds in cases:
        outcome, what = outcome_of(report, kinds, scratch)
        counts[outcome] += 1
        if outcome != "right":
            lines.append(f"{outcome}: {' + '.join(kinds)}: {report.name}: {what}")
    return lines, counts


def test_a_report_is_what_it_is(printed: Sequence[Report], tmp_path: Path) -> None:
    assert len(printed) > 100
    assert failures([(report, ()) for report in printed], tmp_path)[0] == []


def test_one_kind_of_damage(printed: Sequence[Report], tmp_path: Path) -> None:
    drawn = random.Random(1)  # noqa: S311 - no secret
    cases = [(drawn.choice(printed), (kind,)) for _ in range(SHARE // len(KINDS)) for kind in KINDS]
    lines, counts = failures(cases, tmp_path)
    assert counts["right"] >= ALONE * len(cases), lines
    assert not counts["wrong"], lines


def test_two_kinds_of_damage(printed: Sequence[Report], tmp_path: Path) -> None:
    lines, counts = failures(pairs(printed, SHARE, seed=2), tmp_path)
    assert counts["right"] >= IN_PAIRS * SHARE, lines
    assert not counts["wrong"], lines


def test_two_reports_side_by_side(printed: Sequence[Report], tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    lines = []
    for left, right, bar in neighbours(printed, SHARE, seed=4):
        outcome, what = outcome_beside(left, right, bar, tmp_path)
        counts[outcome] += 1
        lines += [f"{outcome}: {left.name} {bar} {right.name}: {what}"] * (outcome != "right")
    assert counts["right"] >= ALONE * SHARE, lines
    assert not counts["wrong"], lines


def test_no_damage_is_a_defect_of_a_parser(
    printed: Sequence[Report], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(defects, "ends_command", True)
    failures(pairs(printed, SHARE, seed=3), tmp_path)


def test_what_failed_once_does_not_fail_again(printed: Sequence[Report], tmp_path: Path) -> None:
    by_name = {report.name: report for report in printed}
    lines = [line for line in FAILED.read_text(encoding="utf-8").splitlines() if line]
    parts = [line.rpartition(": ") for line in lines]
    cases = [(by_name[name], tuple(kinds.split(" + "))) for kinds, _, name in parts]
    assert failures(cases, tmp_path)[0] == []


@pytest.mark.parametrize(("kinds", "name"), ONCE_WRONG)
def test_what_was_wrong_once_is_not_wrong_again(
    printed: Sequence[Report], tmp_path: Path, kinds: str, name: str
) -> None:
    report = next(report for report in printed if report.name == name)
    outcome, what = outcome_of(report, kinds.split(" + "), tmp_path)
    assert outcome != "wrong", what
