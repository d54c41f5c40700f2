"""Answers to other questions, made beforehand: another baseline, or without some runs.

A page does no statistics. What a reader may choose is computed here as the report itself is,
checks included, and the page only shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.assessment import Assessed, assess
from benchkit.compare.evidence import by_variant
from benchkit.compare.params import is_copy
from benchkit.report.verdicts import DECIDED, verdicts_by_word
from benchkit.validity import Examination, examine

if TYPE_CHECKING:
    from benchkit.results import Results

#: So many baselines of one comparison can be chosen, the report's own among them.
MOST_BASELINES: Final = 6
#: Each run of a scenario with so many can be left out; with more runs one hardly matters.
MOST_RUNS: Final = 24
#: The first runs are left out where so many remain.
_LEAST_LEFT: Final = 2


@dataclass(frozen=True, slots=True)
class Other:
    """Another question with its answer.

    Attributes:
        label: What is chosen.
        results: The runs that it rests on.
        baseline: Whether it is another baseline; else some runs are left out.
        single: Whether one run is left out.
    """

    label: str
    note: str
    results: Results
    comparison: Assessed
    baseline: bool = False
    single: bool = False


def others(results: Results, comparison: Assessed, examined: Examination) -> list[Other]:
    """Return the other questions about a comparison, baselines first.

    There are none where variants cannot be compared: against another they cannot either.
    """
    if len(comparison.variants) < 2 or not comparison.grade.comparable:
        return []
    mine = results.select(run_ids=_of_scenario(results, comparison))
    baselines = _baselines(mine, comparison, examined)
    found = [*baselines, *_left_out(mine, comparison, examined)]
    return [one for one in found if one is not None]


def own_baseline(comparison: Assessed) -> str:
    """Return the name of what the report compares with."""
    return show.clean(_baseline_names(comparison)[comparison.baseline])


def missing(results: Results, comparison: Assessed) -> str:
    """Return what a reader may want to choose and cannot, empty where nothing is missing."""
    if not comparison.grade.comparable:
        return ""
    more = len(_baseline_names(comparison)) - MOST_BASELINES
    parts = [f"{more} more baselines: --baseline NAME"] if more > 0 else []
    runs = len(_of_scenario(results, comparison))
    if comparison.grade.key in DECIDED and runs > MOST_RUNS:
        parts.append(f"single runs of {runs}: name the others to benchkit report")
    return "; ".join(parts)


def stability(comparison: Assessed, found: Sequence[Other]) -> str:
    """Return whether the verdict hangs on a single run, empty where that was not tried."""
    tried = [one for one in found if one.single]
    if comparison.grade.key not in DECIDED or len(tried) < comparison.runs:
        return ""
    told = _verdicts(comparison)
    changed = [one.label for one in tried if _verdicts(one.comparison) != told]
    if not changed:
        return "No verdict changes if any one run is left out."
    if len(changed) > 3:
        return (
            f"A verdict changes where one run is left out, for {len(changed)} of {len(tried)} runs."
        )
    return f"Leaving out {show.listed(changed, last='or')} alone changes a verdict."


def _verdicts(comparison: Assessed) -> tuple[str, dict[str, str]]:
    by_word = verdicts_by_word(by_variant(comparison.rows))
    words = {part[0].variant: word for word, parts in by_word.items() for part in parts}
    return comparison.grade.key, words


def _of_scenario(results: Results, comparison: Assessed) -> list[str]:
    """Return the runs of a scenario, of whatever tool: its tests are adjusted together."""
    runs = results.runs
    name = comparison.scenario
    inside = runs["scenario"].isna() if name is None else runs["scenario"] == name
    return [str(one) for one in runs[inside]["run_id"]]


def _baselines(
    mine: Results, comparison: Assessed, examined: Examination
) -> Iterator[Other | None]:
    named = _baseline_names(comparison)
    usual = show.quoted(named[comparison.baseline])
    offered = [one for one in named if one != comparison.baseline][: MOST_BASELINES - 1]
    for label in offered:
        found = _again(mine, comparison, baseline=label, examined=examined)
        if found is not None and found.baseline == label:
            name = named[label]
            note = f"Against {show.quoted(name)}, as chosen here; the report compares with {usual}."
            yield Other(show.clean(name), note, mine, found, baseline=True)


def _baseline_names(comparison: Assessed) -> dict[str, str]:
    """Return the labels that may be the baseline with their names, the report's own first.

    Where each setting has a baseline of its own, a variant is chosen for all of them.
    """
    copies = {one.label for one in comparison.variants if is_copy(one)}
    labels = [comparison.baseline, *(one for one in comparison.order if one not in copies)]
    if len({row.baseline for row in comparison.rows}) < 2:
        return {label: label for label in labels}
    variant = {one.label: one.variant for one in comparison.variants}
    first: dict[str, str] = {}
    for label in labels:
        first.setdefault(variant[label], label)
    return {label: name for name, label in first.items()}


def _left_out(mine: Results, comparison: Assessed, examined: Examination) -> Iterator[Other | None]:
    def without(gone: set[str], label: str) -> Other | None:
        left = mine.select(run_ids=[i for i in mine.runs["run_id"] if i not in gone])
        return _without(left, comparison, examine(left, known=examined), label)

    runs = [one.run_ids for one in comparison.variants]
    least = min(len(ids) for ids in runs)
    labels = dict(zip(mine.runs["run_id"], mine.runs["label"], strict=True))
    if least > _LEAST_LEFT:
        yield without({ids[0] for ids in runs}, "the first run of each")
    if comparison.grade.key in DECIDED and least > 1 and len(mine) <= MOST_RUNS:
        by_label = {one.label: one.run_ids for one in comparison.variants}
        for run_id in [i for label in comparison.order for i in by_label[label]]:
            made = without({run_id}, show.clean(str(labels[run_id])))
            yield made and replace(made, single=True)


def _without(
    left: Results, comparison: Assessed, examined: Examination, label: str
) -> Other | None:
    found = _again(left, comparison, baseline=comparison.baseline, examined=examined)
    if found is None or found.baseline != comparison.baseline:
        return None
    note = f"Without {label}, chosen after the fact. The report's answer is that of all runs."
    return Other(label, note, left, found)


def _again(
    results: Results, comparison: Assessed, *, baseline: str, examined: Examination
) -> Assessed | None:
    """Return the same comparison asked anew."""
    name = f"{comparison.scenario}/{baseline}" if comparison.scenario else baseline
    made = assess(results, baseline=name, examined=examined)
    same = (comparison.tool, comparison.order, comparison.shared_params)
    found = (one for one in made if (one.tool, one.order, one.shared_params) == same)
    return next(found, None)
