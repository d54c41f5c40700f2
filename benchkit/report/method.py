"""How the page came to its words, in plain words, and what could not be checked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit import format as show
from benchkit.assessment import LEAST_CONFIDENCE, Assessed
from benchkit.compare.rows import Row

Terms = tuple[tuple[str, str], ...]

_GRADES: Final = {
    "once": (
        "Observed once",
        (
            "One run on a side shows what happened once. A repetition may differ by any amount, "
            "so nothing is called faster, and the past tense is meant."
        ),
    ),
    "few": (
        "Few runs",
        (
            "Too few runs for any verdict: even if every run of one side beat every run of the "
            "other, chance could not be ruled out at 5%. Values are medians over runs, the ranges "
            "below them the smallest and the largest run."
        ),
    ),
    "limited": (
        "Established, with limits",
        (
            "The runs differ beyond chance, but a serious finding says that a figure does not mean "
            "what it seems to mean: the verdict is on these runs, not on the variants."
        ),
    ),
    "unshown": (
        "No difference shown",
        "That is not the same as equal: the interval says which differences are still possible.",
    ),
    "incomparable": (
        "Not comparable",
        (
            "Load, failures, or the meaning of a latency differ so much that a difference in the "
            "figures says nothing about the variants."
        ),
    ),
}
_VERDICTS: Final = (
    (
        "Verdicts",
        (
            "The run is the unit. Runs of two sides are compared with an exact rank test "
            "(rank-sum; signed-rank from 12 interleaved pairs on). “Faster” and “slower” need "
            "p ≤ 0.05 after adjustment and an interval beyond the margin; “same” needs the 90% "
            "interval inside it; all else is “inconclusive”."
        ),
    ),
    (
        "Margin",
        (
            "Differences within ±1% count as none, or within half the interval of two sets of runs "
            "of the same variant, where such runs are declared and differ by more."
        ),
    ),
    (
        "Adjustment",
        (
            "All tests of a scenario share one chance of 5% to be wrong (Holm): throughput where "
            "the loop is closed, p50 and p99. Other figures are described, not tested."
        ),
    ),
)
_BANDS: Final = (
    "One run of each, but with the times of its requests: the band of a ratio comes from redrawn "
    "stretches of these two runs (block bootstrap, 95%) and describes them only."
)
_WITHHELD: Final = (
    "Printed by the tool, but its data cannot carry it; the finding beside it says why. It takes "
    "part in no order, ratio, verdict or figure. Under “Runs, as printed” it stands as printed."
)


def method(comparisons: Sequence[Assessed]) -> Terms:
    """Return the terms that this page uses, each with what it means."""
    return tuple(_terms(comparisons))


def _terms(comparisons: Sequence[Assessed]) -> Iterator[tuple[str, str]]:
    keys = {one.grade.key for one in comparisons}
    rows = [row for one in comparisons for row in one.rows]
    yield from ((words, text) for key, (words, text) in _GRADES.items() if key in keys)
    if keys & {"established", "limited", "unshown"}:
        yield from _VERDICTS
        yield from _levels(rows)
    if any(row.confidence is not None and min(_runs(row)) == 1 for row in rows):
        yield "Bands", _BANDS
    if any(one.withheld for comparison in comparisons for one in comparison.variants):
        yield "Withheld", _WITHHELD


def _levels(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    known = sorted(row.confidence for row in rows if row.confidence is not None)
    levels = [one for one in known if one >= LEAST_CONFIDENCE]
    if levels:
        shown = dict.fromkeys(show.share(round(one, 3)) for one in (levels[0], levels[-1]))
        yield (
            "Intervals",
            (
                "Of the ratio of the two sides (Hodges–Lehmann estimate), unadjusted. Whole "
                f"numbers of runs attain {' to '.join(shown)} rather than exactly 95%."
            ),
        )


def _runs(row: Row) -> tuple[int, int]:
    return row.runs, row.baseline_runs


def blind(comparisons: Sequence[Assessed]) -> Terms:
    """Return the checks that had no data to look at in any run, by what was missing."""
    reasons: dict[str, list[str]] = defaultdict(list)
    applied: set[str] = set()
    for status in (status for one in comparisons for status in one.statuses):
        if status.state != "not applicable":
            applied.add(status.check)
        elif not status.reason.startswith(("only of ", "no second variant")):
            reasons[status.check].append(status.reason)
    by_reason: dict[str, list[str]] = defaultdict(list)
    for check, given in reasons.items():
        if check not in applied:
            by_reason[_most(given)].append(check)
    return tuple((", ".join(checks), reason) for reason, checks in by_reason.items())


def _most(given: Sequence[str]) -> str:
    """Return the reason that was given most often, of equals the first."""
    return max(dict.fromkeys(given), key=given.count)
