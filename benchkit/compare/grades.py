"""How far the evidence of a comparison carries.

As long as nothing is inferred there are three grades: one run on a side, several runs, and
comparisons whose load, meaning of latency or failures forbid any verdict. With verdicts and
findings there are three more: established, established with limits, no difference shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.evidence import by_variant, evidence
from benchkit.compare.model import Grade, VariantSummary

if TYPE_CHECKING:
    from benchkit.compare.rows import Row

#: Below this share of successes, or with shares further apart, latencies are of other things.
_SUCCESS_NEEDED: Final = 0.9
_SUCCESS_APART: Final = 0.1
#: With fewer successes nothing was done.
_SUCCESS_SOME: Final = 0.1
#: Shares so near to each other are the same, as the checks see it.
_SUCCESS_SAME: Final = 0.01
_RATE_APART: Final = 0.01
_MEANINGS: Final = {
    "load_model": "the load model (open or closed loop)",
    "correction": "whether the tool added samples",
    "clock": "what a latency spans",
}


def grade(variants: Sequence[VariantSummary]) -> Grade:
    """Return the grade of comparing these variants."""
    against = obstacles(variants)
    if len(variants) > 1 and against:
        return Grade("incomparable", "⊘", "Not comparable", tuple(against))
    fewest = min(one.runs for one in variants)
    if fewest == 1:
        return Grade("once", "◐", "Observed once", _once(variants))
    runs = sorted({one.runs for one in variants})
    each = show.EN_DASH.join(str(one) for one in dict.fromkeys((runs[0], runs[-1])))
    text = f"{each} runs each, described but not tested."
    if len(variants) == 1:
        text = f"{each} runs of one variant: there is nothing to compare them with."
    return Grade("few", "◔", "Few runs", (text,))


def obstacles(variants: Sequence[VariantSummary], *, failures: bool = True) -> list[str]:
    """Return why these variants cannot be compared, nothing where they can.

    Args:
        variants: Summaries of runs.
        failures: Whether failing requests are an obstacle; where they are what is counted, no.
    """
    found = [*_meanings(variants), *_load(variants)]
    return [*found, *_failures(variants)] if failures else found


def judged(described: Grade, rows: Sequence[Row], *, tests: int, serious: bool) -> Grade:
    """Return the grade of a comparison with its verdicts.

    Args:
        described: The grade without them.
        rows: Of this comparison.
        tests: How many tests were made in the scenario.
        serious: Whether a finding says that a figure is not what it seems.
    """
    tested = [row for row in rows if row.verdict != "not-tested"]
    if not described.comparable or not tested:
        return described
    parts = [evidence(part, tests=tests) for part in by_variant(rows)]
    keys = {part.key for part in parts}
    reason = _sentence(tested[0].reason)
    if "established" in keys:
        why = () if described.key != "once" else described.reasons
        if serious:
            return Grade("limited", "◕", "Established, with limits", why)
        return Grade("established", "●", "Established", why)
    if described.key == "once":
        return described
    if "few" in keys:
        return Grade("few", "◔", "Few runs", (reason,))
    return Grade("unshown", "○", "No difference shown", (reason,))


def _sentence(reason: str) -> str:
    # A p is no word that begins a sentence in capitals.
    start = reason[:1] if reason.startswith("p ") else reason[:1].upper()
    return f"{start}{reason[1:]}." if reason else ""


def _once(variants: Sequence[VariantSummary]) -> tuple[str, ...]:
    if len(variants) == 1:
        return ("One run: how much a repetition would differ is not known.",)
    if all(one.runs == 1 for one in variants):
        return ("One run each: how much a repetition would differ is not known.",)
    single = [show.quoted(one.label) for one in variants if one.runs == 1]
    return (f"Only one run of {show.listed(single)}: no run-to-run spread is known.",)


def _meanings(variants: Sequence[VariantSummary]) -> list[str]:
    found = []
    for column, what in _MEANINGS.items():
        values = sorted({value for one in variants for value in one.facts[column]})
        if len(values) > 1:
            found.append(f"The runs differ in {what}: {show.listed(values)}.")
    return found


def _load(variants: Sequence[VariantSummary]) -> list[str]:
    rates = sorted({rate for one in variants for rate in one.facts["offered_rate_rps"]})
    declared = len({str(sorted(one.params.items())) for one in variants}) > 1
    if declared or len(rates) < 2 or rates[-1] <= rates[0] * (1 + _RATE_APART):
        return []
    span = f"{show.rate(rates[0])} to {show.rate(rates[-1])}"
    return [f"The offered rate differs: {span}{show.NBSP}req/s."]


def _failures(variants: Sequence[VariantSummary]) -> list[str]:
    known = [(one.values["success_ratio"], one.label) for one in variants]
    shares = sorted((share, label) for share, label in known if share is not None)
    if not shares:
        return []
    (worst, label), (best, _) = shares[0], shares[-1]
    if worst >= _SUCCESS_NEEDED and best - worst <= _SUCCESS_APART:
        return []
    # Where each variant failed alike and answered every request, they did the same work.
    answered = all(one.high["errors"] == 0 for one in variants)
    if answered and best - worst <= _SUCCESS_SAME and worst >= _SUCCESS_SOME:
        return []
    if best - worst <= _SUCCESS_APART and best < _SUCCESS_NEEDED and len(shares) > 1:
        between = f"{show.share(worst)} to {show.share(best)}" if worst < best else show.share(best)
        return [f"Only {between} of the requests succeeded."]
    named = show.quoted(label)
    return [
        f"{show.share(worst)} of the requests of {named} succeeded, at best {show.share(best)}."
    ]
