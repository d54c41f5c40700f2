"""What limits the answer of a comparison, and what of that its grade says already."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.compare.obstacles import failing_apart, failure_reasons
from benchkit.model.comparison import Comparison
from benchkit.model.footnotes import Numbered
from benchkit.model.grouping import grouped
from benchkit.model.variant import Variant
from benchkit.names import short_names, some
from benchkit.validity.failures import APART

#: Grades that are about the number of runs.
_OF_AMOUNT: Final = frozenset({"once", "few", "unshown"})
#: What follows where one slow request holds a run up.
_SYMPTOMS: Final = frozenset({"LITTLE_LOW"})
_NAMED: Final = 6  # problems, each of which has room in a caption
#: So many times another's share of the runs is far more of them.
_FAR_MORE: Final = 2
#: The check of failures.
FAILURES: Final = "ERROR_MIX"


def worst_limit(comparison: Comparison, *, alone: bool = False) -> str:
    """Return the worst problem with the data in a few words, empty where there is none.

    Where failures are why nothing was tested, which no headline says, they stand first. The others
    are counted as they are listed, that of the grade among them; where the words stand `alone`,
    without such a list, a few are named.
    """
    problems = beyond_grade(comparison)
    described = comparison.grade.key == "described"
    failing = failing_apart(comparison.variants) if described else ""
    if not problems:
        return failing
    of_grade = len(comparison.doubts) > len(problems)
    others = len(comparison.doubts) - 1 - bool(failing and of_grade)
    more = f", and {show.plural(others, 'more limit')}" if others else ""
    if alone and len(problems) <= _NAMED:
        more = "".join(f"; {_begun(in_short(comparison, each))}" for each in problems[1:])
    first = problems[0].first
    alike = alike_failures(comparison) if first.check == FAILURES else ""
    worst = alike.partition(":")[0] or f"{first.title}{extent(comparison, problems[:1])}"
    worst = f"{failing}; {_begun(worst)}" if failing else worst
    return f"{worst}{more}"


def _begun(sentence: str) -> str:
    """Return a sentence as it goes on another."""
    first, *_ = sentence.split(" ", 1)
    return sentence if first.isupper() and len(first) > 1 else sentence[:1].lower() + sentence[1:]


def in_short(comparison: Comparison, numbered: Numbered) -> str:
    """Return the title of a finding and in how many runs, or else what tells it from others."""
    title = show.clean(numbered.first.title)
    alike = sum(show.clean(each.first.title) == title for each in comparison.findings)
    where = extent(comparison, [numbered]) if alike == 1 else ""
    return f"{title}{where}" if where else titles(comparison)[numbered.number]


def _urgency(numbered: Numbered) -> tuple[bool, bool]:
    """Return what orders problems: the serious first, a symptom behind what may be its cause."""
    return not numbered.serious, numbered.first.check in _SYMPTOMS


def extent(comparison: Comparison, alike: Sequence[Numbered]) -> str:
    """Return in how many runs something was found, empty where that is in all or of a whole.

    Where only one variant's are concerned, or one's far more than another's, it is in how many of
    its: what holds that back alone changes the answer. So does what is of one level of a sweep.
    """
    runs = {finding.run_id for numbered in alike for finding in numbered.findings}
    if None in runs or len(runs) >= comparison.runs:
        return ""
    variants, level = _of_one_level(comparison, runs)
    shares = {
        name: (sum(len(runs.intersection(variant.run_ids)) for variant in own), sum(map(len, own)))
        for name, own in grouped(variants, lambda variant: variant.name).items()
    }
    concerned = {name: share for name, share in shares.items() if share[0]}
    every = sum(map(len, variants))
    if len(runs) == every:
        return f" in {_all_of(every)}{level}"
    if len(shares) == 1 or not _differ_by_variant(concerned):
        return f" in {len(runs)} of {show.plural(every, 'run')}{level}"
    ordered = sorted(concerned.items(), key=lambda item: -item[1][0] / item[1][1])
    return f" in {show.listed([_of_variant(*item) for item in ordered])}{level}"


def _differ_by_variant(concerned: Mapping[str, tuple[int, int]]) -> bool:
    """Whether it matters whose runs they are: of one variant, or of two by far more of one's."""
    low, *others = sorted(number / every for number, every in concerned.values())
    return not others or (len(others) == 1 and others[0] >= _FAR_MORE * low)


def _of_variant(name: str, share: tuple[int, int]) -> str:
    number, every = share
    if number < every:
        return f"{number} of {show.plural(every, 'run')} of {show.quoted(name)}"
    return f"{_all_of(every)} of {show.quoted(name)}"


def _all_of(runs: int) -> str:
    return {1: "the only run", 2: "both runs"}.get(runs, f"all {show.plural(runs, 'run')}")


def _of_one_level(
    comparison: Comparison, runs: Collection[str | None]
) -> tuple[Sequence[Variant], str]:
    """Return the variants of the only level of a sweep that some runs are of, and its words.

    They are all, and no words, where there is no sweep or the runs are of several of its levels.
    """
    axis, every = comparison.axis, comparison.variants
    by_level = grouped(every, lambda variant: variant.level(axis)) if axis else {}
    levels = [
        level
        for level, own in by_level.items()
        if any(not {*runs}.isdisjoint(variant.run_ids) for variant in own)
    ]
    if len(by_level) < 2 or len(levels) != 1 or levels[0] is None:
        return every, ""
    words = f" at {show.clean(axis, limit=40)} {show.level(levels[0])}"
    return by_level[levels[0]], words


def alike_failures(comparison: Comparison) -> str:
    """Return the share of the requests without success, in all runs alike, and what follows.

    A verdict is then on a mixture, the same on all sides. Empty where they differ.
    """
    findings = [f for n in comparison.findings if n.first.check == FAILURES for f in n.findings]
    shares = {f.run_id: float(f.values["failed_share"]) for f in findings if f.run_id is not None}
    if len(shares) < comparison.runs or any(f.run_id is None for f in findings):
        return ""
    if max(shares.values()) - min(shares.values()) > APART:
        return ""
    share = statistics.median(shares.values())
    mixed = "are of these alone" if share == 1.0 else "mix these with the others"
    where = "variant" if len(comparison.variants) > 1 else "run"
    certain = all(
        f.values.get("least_failed_share", share) == f.values["failed_share"] for f in findings
    )
    how = "failed" if certain else "got no 2xx answer"
    return (
        f"{show.share(share)} of the requests {how}, in every {where} alike: "
        f"latencies and throughput {mixed}"
    )


def is_of_grade(comparison: Comparison, numbered: Numbered) -> bool:
    """Whether a finding, which is no note, is what the grade is about: it stands beside it."""
    key, first = comparison.grade.key, numbered.first
    if key == "forbidden":
        return any(finding.forbids for finding in numbered.findings)
    if first.check == FAILURES and key in {"described", "incomparable"}:
        return bool(failing_apart(comparison.variants) or failure_reasons(comparison.variants))
    return key in _OF_AMOUNT and first.check == "REPLICATES" and not numbered.is_note


def beyond_grade(comparison: Comparison) -> list[Numbered]:
    """Return findings, notes left out, that the grade does not name already, the worst first."""
    beyond = [n for n in comparison.doubts if not is_of_grade(comparison, n)]
    return sorted(beyond, key=_urgency)


def titles(comparison: Comparison) -> dict[int, str]:
    """Return the title of each finding by its number, equal ones told apart by what they are of."""
    named: dict[int, str] = {}
    for title, alike in grouped(comparison.findings, lambda n: show.clean(n.first.title)).items():
        whose = [_whose(comparison, n) for n in alike]
        if len(set(whose)) < len(whose):
            whose = [show.plural(len(n.run_ids), "run") for n in alike]
        single = len(alike) == 1
        named |= {
            n.number: title if single else f"{title}: {owner}"
            for n, owner in zip(alike, whose, strict=True)
        }
    return named


def _whose(comparison: Comparison, numbered: Numbered) -> str:
    """Return the variants that a finding is about in words: those of its runs, or all together.

    What is found between variants is not of any run of theirs.
    """
    single = {f.run_id for f in numbered.findings if f.run_id is not None}
    between = len(single) < len(numbered.findings)
    short = short_names(list(comparison.order))
    names = [
        show.quoted(short[label])
        for label in comparison.order
        if not (single or numbered.run_ids).isdisjoint(comparison.by_label[label].run_ids)
    ]
    if between and not single and len(names) > 1:
        return "between variants"
    return "every variant" if len(names) == len(short) > 1 else some(names)
