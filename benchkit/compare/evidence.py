"""How far the rows of one variant carry: the grade that limits the verb of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit.compare.measures import COUNT_FAILURES
from benchkit.compare.model import Grade
from benchkit.compare.power import ALPHA, LEAST_RUNS
from benchkit.compare.ranksum import least_p
from benchkit.compare.rows import Row

#: The metrics that a sentence is about, the weightiest first.
_KEY: Final = ("p99", "throughput", "p50", "p95", "p90", "mean", "p99.9", "goodput")
_DECIDED: Final = frozenset({"faster", "slower", "same"})


def evidence(rows: Sequence[Row], *, tests: int) -> Grade:
    """Return the grade of the rows of one variant.

    Args:
        rows: All of one scenario and variant.
        tests: Number of tests in the scenario.
    """
    speeds = [row for row in rows if row.metric not in COUNT_FAILURES] or rows
    reasons = tuple(dict.fromkeys(row.reason for row in speeds))[:1]
    if all(row.reason.startswith("not comparable") or row.ratio is None for row in speeds):
        return Grade("incomparable", "⊘", "Not comparable", reasons)
    if any(row.verdict in _DECIDED for row in rows):
        return Grade("established", "●", "Established")
    measured = [row for row in rows if row.ratio is not None]
    if min(min(row.runs, row.baseline_runs) for row in measured) < 2:
        return Grade("once", "◐", "Observed once", reasons)
    fewest = max(min(row.runs, row.baseline_runs) for row in measured)
    if fewest < LEAST_RUNS or max(tests, 1) * least_p(fewest, fewest) > ALPHA:
        return Grade("few", "◔", "Few runs", reasons)
    if all(row.verdict == "not-tested" for row in rows):
        return Grade("described", "◔", "Described, not tested", reasons)
    return Grade("unshown", "○", "No difference shown", reasons)


def key_row(rows: Sequence[Row]) -> Row | None:
    """Return the row that a sentence about a variant is about.

    It is one that differs where there is any, then one that does not, then one that was tested,
    then the weightiest.
    """
    ratios = [row for row in rows if row.ratio is not None]
    for wanted in ({"faster", "slower"}, {"same"}, {"inconclusive"}, {"not-tested"}):
        found = [row for row in ratios if row.verdict in wanted]
        if found:
            return min(found, key=lambda row: _place(row.metric))
    return None


def by_variant(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows of each scenario, variant and baseline, in order of first appearance."""
    found: dict[tuple[str | None, str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.scenario, row.baseline, row.variant), []).append(row)
    return list(found.values())


def tests_in(rows: Sequence[Row], scenario: str | None) -> int:
    """Return how many rows of a scenario were tested."""
    return sum(row.scenario == scenario and row.verdict != "not-tested" for row in rows)


def _place(metric: str) -> int:
    name = metric.partition("@")[0]
    return _KEY.index(name) if name in _KEY else len(_KEY)
