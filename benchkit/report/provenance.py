"""How the page came to its words and figures: methods, checks, files, and the machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import mode
from typing import Any, Final, NamedTuple

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.model.run import Run
from benchkit.report import changes
from benchkit.stats import ALPHA
from benchkit.validity.amounts import TO_DECIDE
from benchkit.validity.finding import blind_checks

#: So many different values of one entry are listed.
_MOST_LISTED: Final = 3
_STATES: Final = {"read": "read", "merged": "same run as another", "duplicate": "identical copy"}
Terms = tuple[tuple[str, str], ...]

_GRADES: Final = {
    "established": (
        "The runs differ beyond chance, by the tests below, and no serious finding speaks against "
        "putting that down to the variants."
    ),
    "once": (
        "One run on a side shows what happened once. A repetition may differ by any amount, so "
        "nothing is called faster, and the past tense is meant."
    ),
    "few": (
        f"Too few runs for a verdict, which takes at least {TO_DECIDE} of each. Values are medians "
        "over runs, the ranges below them the smallest and the largest run."
    ),
    "limited": (
        "The runs differ beyond chance, but a figure does not mean what it seems to mean, as a "
        "serious finding says, or because many requests failed in every variant, or without the "
        "first runs the answer is another: the verdict is on these runs, not on the variants."
    ),
    "unshown": (
        "The interval says which differences are still possible: that none was shown is not the "
        "same as equal, and one that was may count as none, or be one of many tests."
    ),
    "described": (
        "What can be seen in the runs. Nothing was tested: no test was asked for that could decide "
        "it, or requests failed, so that the figures are of different work."
    ),
    "forbidden": (
        "A serious finding says that something else than the variants differed, such as when they "
        "ran, under which load or on which machine. However many the runs and however large the "
        "difference, it cannot be put down to the variants."
    ),
    "incomparable": (
        "Load, failures, or the meaning of a latency differ so much that a difference in the "
        "figures says nothing about the variants."
    ),
}
_VERDICTS: Final = (
    "The run is the unit. “Faster” and “slower” need a permutation test of the runs with p ≤ {p} "
    "after adjustment{looks} and an interval without 1 that reaches beyond the margin of {margin}; "
    "“same” needs the interval of every primary metric inside it, at 95\u00a0%, and wider for "
    "three variants or several looks; all else is “inconclusive”."
)
_ADJUSTMENT: Final = (
    "All tests of a scenario share one chance of 5\u00a0% to be wrong (Westfall and Young): "
    "throughput where the server sets it, p50 and p99. Other metrics are described, not tested."
)
_CHANGES: Final = (
    "Variant against baseline: signed percentages, or ratios where any change of the metric "
    "in its comparison is a factor of two or more; of what orders the variants, in any setting of "
    "the scenario. It is the ratio of the values before they were rounded to be shown"
)
_PAIRED: Final = (
    "; “paired” is the estimate over pairs of runs that were made one after the other "
    "(Hodges–Lehmann), which what both have in common does not move"
)
_INTERVALS: Final = "Of the change, at {levels}, unadjusted."
_BANDS: Final = (
    "One run of each, but with the times of its requests: the band of a ratio comes from redrawn "
    "stretches of these two runs (block bootstrap, 95\u00a0%) and describes them only."
)
_WITHHELD: Final = (
    "Printed by the tool or computed from its requests, but the data cannot carry it; the finding "
    "beside it says why. It takes part in no order, ratio, verdict or figure. Under “As printed” "
    "it stands as it was read."
)


class Vocabulary(NamedTuple):
    """What is said of some comparisons whose meaning a page explains.

    Attributes:
        grades: Their words by key.
        looks: How often the runs are looked at; 0 where nothing was tested.
        estimates: How the changes were estimated.
        confidences: Of the intervals over runs; `bands`: whether there are others.
    """

    grades: Mapping[str, str]
    looks: int
    margin: float
    estimates: frozenset[str]
    confidences: frozenset[float]
    bands: bool
    withheld: bool


def vocabulary(comparisons: Sequence[Comparison]) -> Vocabulary:
    """Return what is said of some comparisons, at least one."""
    comparable = [comparison for comparison in comparisons if comparison.grade.comparable]
    effects = [effect for comparison in comparable for effect in comparison.effects]
    known = [(effect, effect.interval) for effect in effects if effect.interval]
    repeated = [interval for e, interval in known if min(e.runs, e.baseline_runs) > 1]
    return Vocabulary(
        grades={comparison.grade.key: comparison.grade.words for comparison in comparisons},
        looks=max(c.looks if c.grade.tested else 0 for c in comparisons),
        margin=comparisons[0].margin,
        estimates=frozenset(effect.estimate for effect in effects if effect.ratio),
        confidences=frozenset(interval.confidence for interval in repeated),
        bands=len(repeated) < len(known),
        withheld=any(variant.withheld for c in comparisons for variant in c.variants),
    )


def method(vocabularies: Sequence[Vocabulary]) -> Iterator[tuple[str, str]]:
    """Yield the terms that a page uses, each with what it means."""
    grades = {key: words for each in vocabularies for key, words in each.grades.items()}
    yield from ((grades[key], text) for key, text in _GRADES.items() if key in grades)
    if looks := max((each.looks for each in vocabularies), default=0):
        margin = show.margin(vocabularies[0].margin)
        announced = f", {show.share(ALPHA)} over {looks} looks," if looks > 1 else ""
        p_value = show.number(ALPHA / looks)
        yield "Verdicts", _VERDICTS.format(margin=margin, p=p_value, looks=announced)
        yield "Adjustment", _ADJUSTMENT
    if estimates := frozenset[str]().union(*(each.estimates for each in vocabularies)):
        yield "Changes", f"{_CHANGES}{_PAIRED if 'pairs' in estimates else ''}."
    if confidences := frozenset[float]().union(*(each.confidences for each in vocabularies)):
        low, *_, high = changes.levels(confidences) * 2
        yield "Intervals", _INTERVALS.format(levels=low if low == high else f"{low} to {high}")
    if any(each.bands for each in vocabularies):
        yield "Bands", _BANDS
    if any(each.withheld for each in vocabularies):
        yield "Withheld", _WITHHELD


def blind(comparisons: Sequence[Comparison]) -> Terms:
    """Return the checks that had no data to look at in any run, by what was missing."""
    statuses = (status for comparison in comparisons for status in comparison.statuses)
    # The reason that was given most often, of equals the first.
    usual = {check: mode(reasons) for check, reasons in blind_checks(statuses).items()}
    by_reason = grouped(usual, usual.__getitem__)
    return tuple((", ".join(checks), reason) for reason, checks in by_reason.items())


@dataclass(frozen=True)
class Provenance:
    """Where the figures come from: the runs, and the rows of the table `files`."""

    runs: Sequence[Run]
    rows: Sequence[Mapping[str, Any]]

    @cached_property
    def files(self) -> list[dict[str, str]]:
        """The files that hold runs or copies of runs."""
        shown = ("source", "runs", "format", "sha256", "message")
        return [
            {name: show.clean(str(row[name] or "")) for name in shown}
            | {"state": _STATES[row["state"]]}
            for row in self.rows
            if row["state"] in _STATES
        ]

    @property
    def skipped(self) -> list[tuple[str, str]]:
        """Each file, or part of one, that could not be read, with the reason."""
        return [
            (show.clean(row["source"]), show.clean(_reason(row)))
            for row in self.rows
            if row["state"] == "skipped" or (row["state"] == "read" and row["message"])
        ]

    @property
    def foreign(self) -> str:
        """How many files of other kinds there were, empty for none."""
        amount = sum(row["state"] == "foreign" for row in self.rows)
        return f"{show.plural(amount, 'file')} of no known format." if amount else ""

    @property
    def environment(self) -> list[tuple[str, str]]:
        """What metadata say of the machine, each entry with its values over all runs."""
        entries: dict[str, list[str]] = {}
        for run in self.runs:
            for name, value in _flat(run.environment).items():
                entries.setdefault(name, []).append(value)
        listed = []
        for name, values in entries.items():
            distinct = list(dict.fromkeys(values))
            more = len(distinct) - _MOST_LISTED
            parts = [*distinct[:_MOST_LISTED], *([f"and {more} more"] if more > 0 else [])]
            listed.append((show.clean(name, limit=80), "; ".join(parts)))
        return listed

    @property
    def tools(self) -> list[str]:
        """The load generators with their versions."""
        names = (f"{r.tool} {r.get('tool_version') or '(version not stated)'}" for r in self.runs)
        return list(dict.fromkeys(map(show.clean, names)))


def _flat(entries: Mapping[str, Any], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in entries.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{name} ")
        elif value is not None:
            flat[f"{before}{name}"] = _plain(value)
    return flat


def _plain(value: Any) -> str:  # noqa: ANN401 - JSON values
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, float):
        return show.number(value)
    return show.clean(str(value), limit=200)


def _reason(row: Mapping[str, Any]) -> str:
    """Return why a file was skipped, without its name, which stands before it."""
    message = str(row["message"] or "not readable")
    return message.removeprefix(str(row["source"])).removeprefix(",").removeprefix(":").lstrip()
