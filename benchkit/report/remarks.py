"""What stands beside an answer: the circumstances of its runs, and what limits it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from benchkit import format as show
from benchkit.compare.limits import (
    FAILURES,
    alike_failures,
    beyond_grade,
    extent,
    is_of_grade,
    titles,
    worst_limit,
)
from benchkit.model.circumstances import circumstances
from benchkit.model.comparison import Comparison
from benchkit.model.footnotes import Numbered
from benchkit.model.grouping import grouped
from benchkit.names import short_names
from benchkit.report import changes
from benchkit.report.tabular import Sentence, finding_messages, mark
from benchkit.report.without_first import other_answer
from benchkit.stats import ALPHA

#: So many findings stand on a page at least; of the others only the serious ones do.
_MOST_STANDING: Final = 3
_CLOCK: Final = {
    "connect-to-last-byte": "from connecting to the last byte",
    "send-to-last-byte": "from sending to the last byte",
    "due-to-last-byte": "from when the request was due to the last byte",
    "send-to-first-byte": "from sending to the first byte",
}
_MODEL: Final = {
    "open": "open loop: requests were sent on schedule",
    "closed": "closed loop: a connection waits for its answer before it sends again",
}
_CORRECTION: Final = {
    "none": "measured samples only",
    "backfilled": "the tool added samples that it never measured",
}


def eyebrow(comparison: Comparison) -> str:
    """Return tool, load and runs as far as all runs share them."""
    return " · ".join(circumstances([comparison]))


def meaning(comparison: Comparison) -> str:
    """Return what a latency of these runs is; differences are named."""
    parts = [
        *_once(comparison, "clock", _CLOCK.__getitem__),
        *_once(comparison, "load_model", _MODEL.__getitem__),
        *_once(comparison, "correction", _CORRECTION.__getitem__),
        *_once(comparison, "resolution_s", lambda value: f"in steps of {show.duration(value)}"),
        *_of_requests(comparison),
    ]
    stated = {"load_model": "open or closed loop", "clock": "span"}
    unknown = [word for column, word in stated.items() if not comparison.facts(column)]
    if unknown:
        parts.append(f"not stated: {show.listed(unknown)}")
    return f"Latency: {'; '.join(parts)}." if parts else ""


def _of_requests(comparison: Comparison) -> list[str]:
    """Return the step of single requests where it is coarser than that of the figures."""
    finest = max(comparison.facts("resolution_s"), default=0.0)
    runs = [run for variant in comparison.variants for run in variant.runs]
    step = max((run.request_step_s for run in runs), default=0.0)
    return [f"single requests in steps of {show.duration(step)}"] if step > finest > 0 else []


def _once(comparison: Comparison, column: str, write: Callable[[Any], str]) -> list[str]:
    values = comparison.facts(column)
    if len(values) > 1:
        return [f"differs: {show.listed([write(value) for value in values])}"]
    return [write(values[0])] if values else []


def limits(comparison: Comparison) -> list[Sentence]:
    """Return what limits the comparison: the grade's own reasons, then the serious findings.

    Those of one kind stand together; where none is serious, the first doubt does.
    """
    grade = comparison.grade
    reasons = [reason.rstrip(".") for reason in grade.reasons]
    if not grade.comparable:
        reasons = reasons[1:]
    beside = tuple(mark(n) for n in comparison.findings if is_of_grade(comparison, n))
    sentences = [Sentence(show.clean(reason)) for reason in reasons]
    if sentences:
        sentences[0] = Sentence(sentences[0].text, beside)
    elif grade.key in {"established", "limited"}:
        sentences.append(Sentence(_tests(comparison)))
    if not grade.comparable:
        order = "Figures stand as each run printed them, in the order of the input"
        sentences.append(Sentence(order))
    beyond = beyond_grade(comparison)
    named = [n for n in beyond if n.serious] or beyond[:1]
    other = other_answer(comparison)
    return [
        *sentences,
        *([Sentence(other)] if other else []),
        *(
            Sentence(_limit(comparison, title, alike), tuple(map(mark, alike)))
            for title, alike in grouped(named, lambda n: n.first.title).items()
        ),
    ]


def _limit(comparison: Comparison, title: str, findings: Sequence[Numbered]) -> str:
    alike = alike_failures(comparison) if findings[0].first.check == FAILURES else ""
    where = extent(comparison, findings) or _where(comparison, findings)
    return alike or f"{title}{where}"


def worst(comparison: Comparison) -> str:
    """Return what the answer would be without first runs, and the worst problem with the data."""
    return ". ".join(filter(None, (other_answer(comparison), worst_limit(comparison))))


def listed(comparison: Comparison) -> tuple[list[Numbered], list[Numbered]]:
    """Return the findings that stand on the page, and those that are folded away.

    These are notes, and of many findings the least serious.
    """
    every = comparison.doubts
    shown = [n for at, n in enumerate(every) if n.serious or at < _MOST_STANDING]
    return shown, [n for n in comparison.findings if n not in shown]


def in_short(comparison: Comparison) -> list[str]:
    """Return the findings for a terminal: serious ones in full, the others by name.

    Of notes only those are named that withhold a figure, beside which their number stands.
    """
    messages = finding_messages(comparison)
    full = [f"({n.number}) {messages[n.number]}" for n in comparison.serious]
    minor = [
        n
        for n in comparison.findings
        if n.first.severity == "warning"
        or (n.is_note and any(finding.withheld for finding in n.findings))
    ]
    named = titles(comparison)
    warnings = [f"{named[n.number]} ({n.number})" for n in minor]
    return [*full, *([f"Also: {'; '.join(warnings)}."] if warnings else [])]


def cells(comparison: Comparison) -> str:
    """Return what stands in the cells of a table; empty where each has the value of one run."""
    repeated = any(len(variant) > 1 for variant in comparison.variants)
    values = ["of several runs the median, with their range"] if repeated else []
    effects = comparison.effects if comparison.grade.comparable else ()
    bounded = [e for e in effects if e.interval is not None]
    single = [e for e in bounded if min(e.runs, e.baseline_runs) == 1]
    if single and not repeated:
        return "Bands describe these single runs only: another run may differ more."
    beside = []
    if levels := changes.levels(changes.confidences(e for e in bounded if e not in single)):
        level = " to ".join(dict.fromkeys((levels[0], levels[-1])))
        beside.append(f"interval at {level} (unadjusted)")
    if effects and changes.has_verdicts(comparison):
        beside.append("verdict (adjusted)")
    if beside:
        values.append(f"of a change its {' and '.join(beside)}")
    if single:
        values.append("intervals beside a single run are of that run only")
    return f"In the cells: {'; '.join(values)}." if values else ""


def _tests(comparison: Comparison) -> str:
    """Return how many tests there were, of all in the scenario, and how many decided nothing."""
    looks = f" at each of {comparison.looks} looks" if comparison.looks > 1 else ""
    if comparison.tests == 1:
        in_all = " in all" if looks else ""
        return f"One test{looks}, with a chance of {show.share(ALPHA)}{in_all} to be wrong"
    every = (*comparison.effects, *comparison.sweep_effects)
    verdicts = [effect.verdict for effect in every if effect.adjusted_p is not None]
    open_ = verdicts.count("inconclusive")
    undecided = f"{open_} of them inconclusive" if open_ else ""
    amount = f"{show.plural(comparison.tests, 'test')}{looks}"
    if len(verdicts) < comparison.tests:
        name = show.quoted(comparison.scenario) if comparison.scenario else "these runs"
        here = f"{show.count(len(verdicts))} of them here"
        open_here = f" ({open_} inconclusive)" if open_ else ""
        amount, undecided = f"{amount} in all comparisons of {name}", f"{here}{open_here}"
    chance = f"with a chance of {show.share(ALPHA)} in all to be wrong"
    return ", ".join(filter(None, (amount, undecided, chance)))


def _where(comparison: Comparison, findings: Sequence[Numbered]) -> str:
    labels = {comparison.only(numbered) for numbered in findings}
    label = labels.pop() if len(labels) == 1 else None
    if label is None:
        return ""
    return f" (in {show.quoted(short_names(list(comparison.order))[label])})"
