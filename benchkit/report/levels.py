"""Sentences about a sweep: who is ahead at which levels, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare import BY_NAME, Comparison
from benchkit.compare.params import level_of
from benchkit.report.verdicts import DECIDED

_NAMED: Final = 3
_SAME: Final = 0.005
_Word = Literal["better", "worse", "same", "open"]
_VERDICTS: Final[Mapping[str, _Word]] = {
    "faster": "better",
    "slower": "worse",
    "same": "same",
    "inconclusive": "open",
}


@dataclass(frozen=True, slots=True)
class _Level:
    """One variant at one level: its ratio to the baseline, and what that is worth."""

    level: float
    ratio: float
    word: _Word


def swept(comparison: Comparison) -> str:
    """Return what a sweep shows in a sentence, empty where no metric is known at two levels."""
    metric = comparison.rank_metric
    base = comparison.base.variant
    names = dict.fromkeys(one.variant for one in comparison.variants if one.variant != base)
    found = {name: _levels(comparison, name, metric) for name in names} if metric else {}
    told = [
        _of_one(name, base, levels, comparison)
        for name, levels in list(found.items())[:_NAMED]
        if len(levels) > 1
    ]
    return f"{'; '.join(told)}." if told else ""


def _levels(comparison: Comparison, name: str, metric: str) -> list[_Level]:
    found = []
    for one in comparison.variants:
        level, ratio = level_of(one, comparison.axis), one.ratio[metric]
        if one.variant != name or level is None or not ratio:
            continue
        word = _word(comparison, one.label, ratio)
        if word is not None:
            found.append(_Level(level, ratio, word))
    return sorted(found, key=lambda one: one.level)


def _word(comparison: Comparison, label: str, ratio: float) -> _Word | None:
    """Return whether a variant is better: by its verdict where tests were made, else as observed.

    None where others were tested and this one was not.
    """
    row = (
        comparison.row(label, comparison.rank_metric) if isinstance(comparison, Assessed) else None
    )
    if row is not None and comparison.grade.key in DECIDED:
        return _VERDICTS.get(row.verdict)
    if abs(ratio - 1) <= _SAME:
        return "same"
    higher = BY_NAME[comparison.rank_metric].better == "higher"
    return "better" if (ratio > 1) == higher else "worse"


def _of_one(name: str, base: str, levels: Sequence[_Level], comparison: Comparison) -> str:
    title = BY_NAME[comparison.rank_metric].title
    subject = title if title.startswith("p") else f"{title[:1].lower()}{title[1:]}"
    tested = comparison.grade.key in DECIDED
    parts = []
    for word in ("better", "worse", "same", "open"):
        some = [one for one in levels if one.word == word]
        if some:
            plain = "not shown to differ" if word == "open" else "the same"
            told = plain if word in {"same", "open"} else _span(some)
            parts.append(f"{told} {_where(some, levels, comparison.axis)}")
    verb = "is" if tested else "was"
    start = f"{show.quoted(name)} against {show.quoted(base)}: {subject} {verb} "
    return start + "; ".join(parts)


def _where(some: Sequence[_Level], levels: Sequence[_Level], axis: str) -> str:
    if len(some) == len(levels):
        span = f"{_number(levels[0].level)} to {_number(levels[-1].level)}"
        return f"at each of {len(levels)} levels of {show.clean(axis, limit=30)}, {span}"
    at = show.listed([_number(one.level) for one in some[:_NAMED]])
    if len(some) > _NAMED:
        at = f"{len(some)} of {len(levels)} levels"
    return f"at {show.clean(axis, limit=30)} {at}" if len(some) <= _NAMED else f"at {at}"


def _span(some: Sequence[_Level]) -> str:
    ratios = sorted((one.ratio for one in some), key=lambda ratio: max(ratio, 1 / ratio))
    least, most = show.change(ratios[0]), show.change(ratios[-1])
    if least is None or most is None:
        return ""
    if least.amount == most.amount:
        return str(most)
    return f"{least.amount} to {most.amount}{show.NBSP}{most.word}"


def _number(level: float) -> str:
    return show.count(int(level)) if level == int(level) else f"{level:g}"
