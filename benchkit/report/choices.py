"""Answers to other questions, made beforehand: another baseline, or without some runs.

A page does no statistics. What a reader may choose is computed here as the report itself is,
checks included, and the page only shows it. A question is asked once for all comparisons of a
scenario, whose tests are adjusted together.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.grades import capped_by
from benchkit.compare.obstacles import obstacles
from benchkit.model.comparison import Comparison
from benchkit.model.run import Run
from benchkit.report.without_first import FIRST

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment

#: So many baselines of one comparison can be chosen, the report's own among them.
MOST_BASELINES: Final = 6
#: Each run of a scenario with so many can be left out, of more where it is wished: one of many
#: hardly matters, and each takes as long as the report's own answer.
MOST_RUNS: Final = 24
#: So many runs that change a verdict are named.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Other:
    """Another question with its answer.

    Attributes:
        label: What is chosen.
        note: What differs from the report as it was made.
        group: `Baseline` or `Leaving out`.
        comparison: The answer; where runs are left out, with no better grades than of all runs.
        is_single: Whether one run is left out.
        changes_verdict: Whether that one decides something, before its grades were held back.
        options: With these a command reports what is left, where it is not in `command_words`.
    """

    label: str
    note: str
    comparison: Comparison
    group: str = "Leaving out"
    is_single: bool = False
    changes_verdict: bool = False
    options: Sequence[str] = ()

    @property
    def has_all_runs(self) -> bool:
        """Whether only the baseline is another."""
        return self.group == "Baseline"

    @property
    def link(self) -> str:
        """What stands for it in an address: `against=new`, `without=first`, `without=old/1`."""
        if self.has_all_runs:
            return f"against={self.label}"
        return f"without={'first' if self.label == FIRST else self.label}"


class Choices:
    """The other questions about the comparisons of an assessment.

    With `each_run` a single run may be left out however many a scenario has.
    """

    def __init__(self, assessment: Assessment, *, each_run: bool = False) -> None:
        self._each_run = each_run
        only = self._scenarios = assessment.scenarios
        self._against = cache(lambda name, label: _by_key(only[name].again(baseline=label)))
        self._left = cache(
            lambda name, run_ids: _by_key(only[name].without(run_ids, any_baseline=True))
        )

    def others(self, comparison: Comparison) -> list[Other]:
        """Return the other questions about a comparison, baselines first.

        Where variants cannot be compared, they cannot either against another or without a run; but
        perhaps without a variant.
        """
        if len(comparison.variants) < 2:
            return []
        if not comparison.grade.comparable:
            return [*self._without_variants(comparison)]
        return [*self._baselines(comparison), *self._left_out(comparison)]

    def holds_back(self, comparison: Comparison) -> bool:
        """Whether single runs could be left out, but are too many for that to be offered."""
        if self._each_run or not _has_repeats(comparison):
            return False
        return len(self._scenarios[comparison.scenario].runs) > MOST_RUNS

    def _baselines(self, comparison: Comparison) -> Iterator[Other]:
        named = _baseline_names(comparison)
        usual = show.quoted(named[comparison.baseline])
        offered = [label for label in named if label != comparison.baseline]
        for label in offered[: MOST_BASELINES - 1]:
            against = self._against(comparison.scenario, label)
            other = against.get(comparison.key)
            if other is not None and other.baseline == label:
                name = named[label]
                chosen = f"Against {show.quoted(name)}, as chosen here"
                note = f"{chosen}; the report compares with {usual}."
                yield Other(show.clean(name), note, other, "Baseline")

    def _left_out(self, comparison: Comparison) -> Iterator[Other]:
        if comparison.without_first is not None:
            yield Other(FIRST, _note(FIRST), capped_by(comparison.without_first, comparison))
        if _has_repeats(comparison) and not self.holds_back(comparison):
            for label in comparison.order:
                for run in comparison.by_label[label].runs:
                    yield from self._other(comparison, frozenset({run.run_id}), run.name)

    def _without_variants(self, comparison: Comparison) -> Iterator[Other]:
        """Return the answers for the variants without any one of them that can be compared.

        It is left out of all comparisons of the scenario, whose settings stay complete.
        """
        scenario = self._scenarios[comparison.scenario]
        variants = [each for other in scenario.comparisons for each in other.variants]
        whose = show.quoted(comparison.scenario) if comparison.scenario else "these runs"
        everywhere = f" in all comparisons of {whose}"
        for label in comparison.order if len(comparison.variants) > 2 else ():
            rest = tuple(each for each in comparison.order if each != label)
            if obstacles([comparison.by_label[each] for each in rest]):
                continue
            same = [v for v in variants if v.name == comparison.by_label[label].name]
            run_ids = frozenset(run_id for variant in same for run_id in variant.run_ids)
            other = self._left(comparison.scenario, run_ids).get((*comparison.key[:2], rest))
            if other is not None and other.grade.comparable:
                name = show.clean(label)
                note = _note(name if len(scenario.comparisons) == 1 else f"{name}{everywhere}")
                alone = _only(comparison, rest)
                yield Other(name, note, capped_by(other, comparison), options=alone)

    def _other(
        self, comparison: Comparison, run_ids: frozenset[str], label: str
    ) -> Iterator[Other]:
        left = self._left(comparison.scenario, run_ids)
        other = left.get(comparison.key)
        if other is not None and other.baseline == comparison.baseline:
            yield Other(
                label,
                _note(label),
                capped_by(other, comparison),
                is_single=True,
                changes_verdict=_verdicts(other) != _verdicts(comparison),
            )


def _has_repeats(comparison: Comparison) -> bool:
    """Whether something is tested, of which any run can be left out."""
    return comparison.grade.tested and min(map(len, comparison.variants)) > 1


def _note(label: str) -> str:
    return f"Without {label}, chosen after the fact. The report's answer is that of all runs."


def command_words(comparison: Comparison) -> dict[str, list[tuple[str, str]]]:
    """Return what a command is told for any other question: baselines and runs to leave out.

    Each has a name for people and its words for a shell.
    """
    if len(comparison.variants) < 2:
        return {}
    variants = (comparison.by_label[label] for label in comparison.order)
    runs = (run for variant in variants for run in variant.runs)
    return {
        "baselines": [
            (show.clean(name), shlex.join(["--baseline", label]))
            for label, name in _baseline_names(comparison).items()
        ],
        "runs": [(run.name, shlex.join(["--without", _argument(run)])) for run in runs],
    }


def _argument(run: Run) -> str:
    """Return the label of a run, its id where the label is not as it is shown."""
    return run.label if run.label == run.name else run.run_id


def _only(comparison: Comparison, labels: Sequence[str]) -> list[str]:
    """Return the options for some of the variants of a scenario and nothing else."""
    scenario = [("--scenario", comparison.scenario)] if comparison.scenario else []
    names = dict.fromkeys(comparison.by_label[label].name for label in labels)
    return [shlex.join(words) for words in [*scenario, *(("--variant", name) for name in names)]]


def own_baseline(comparison: Comparison) -> str:
    """Return the name of what the report compares with."""
    return show.clean(_baseline_names(comparison)[comparison.baseline])


def comparable_without(comparison: Comparison, others: Sequence[Other]) -> str:
    """Return without which variant the others can be compared, where there is no verdict."""
    if comparison.grade.comparable or not others:
        return ""
    names = show.listed([show.quoted(other.label) for other in others], last="or")
    return f"Without {names} the others can be compared"


def stability(comparison: Comparison, others: Sequence[Other]) -> str:
    """Return whether the verdict hangs on a single run, empty where that was not tried."""
    tried = [other for other in others if other.is_single]
    grade = comparison.grade
    if not grade.tested or grade.key == "forbidden" or len(tried) < comparison.runs:
        return ""
    changed = [other.label for other in tried if other.changes_verdict]
    if not changed:
        return "No verdict changes if any one run is left out."
    if len(changed) > _NAMED:
        amount = f"{len(changed)} of {len(tried)} runs"
        return f"A verdict changes where one run is left out, for {amount}."
    return f"Leaving out {show.listed(changed, last='or')} alone changes a verdict."


def _verdicts(comparison: Comparison) -> tuple[str, Mapping[tuple[str, str], str]]:
    """Return the grade, and the verdict of each variant in each metric."""
    words = {(e.variant, e.metric.column): e.verdict for e in comparison.effects}
    return comparison.grade.key, words


def _baseline_names(comparison: Comparison) -> dict[str, str]:
    """Return the labels that may be the baseline with their names, the report's own first.

    Where each setting has a baseline of its own, a variant is chosen for all of them.
    """
    own = [label for label in comparison.order if not comparison.by_label[label].is_copy]
    labels = [comparison.baseline, *own]
    if len({effect.baseline for effect in comparison.effects}) < 2:
        return {label: label for label in labels}
    first: dict[str, str] = {}
    for label in labels:
        first.setdefault(comparison.by_label[label].name, label)
    return {label: name for name, label in first.items()}


def _by_key(assessment: Assessment) -> Mapping[object, Comparison]:
    return {comparison.key: comparison for comparison in assessment.comparisons}
