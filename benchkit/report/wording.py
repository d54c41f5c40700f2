"""Sentences about a comparison; the grade of the evidence limits the verb.

Without a run-to-run interval nothing *is* better: it *was*, in these runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare import BY_NAME, Comparison, VariantSummary
from benchkit.report.levels import swept
from benchkit.report.verdicts import DECIDED, verdict

_CLOCK: Final = {
    "connect-to-last-byte": "from connecting to the last byte",
    "send-to-last-byte": "from sending to the last byte",
    "due-to-last-byte": "from when the request was due to the last byte",
}
_MODEL: Final = {
    "open": "open loop: requests were sent on schedule",
    "closed": "closed loop: a connection waits for its answer before it sends again",
}
_CORRECTION: Final = {
    "none": "measured samples only",
    "backfilled": "the tool added samples that it never measured",
}
_KEY: Final = ("latency_p99_s", "latency_p95_s", "latency_p50_s", "latency_mean_s")


def headline(comparison: Comparison) -> str:
    """Return the answer of a comparison in one sentence, or why there is none."""
    if comparison.axis and comparison.grade.comparable and (told := swept(comparison)):
        limited = comparison.grade.key == "limited"
        return f"In these runs {told}" if limited else told
    if isinstance(comparison, Assessed) and comparison.grade.key in DECIDED:
        return verdict(comparison)
    if not comparison.grade.comparable:
        reason = comparison.grade.reasons[0]
        return f"No verdict: {reason[0].lower()}{reason[1:]}"
    if len(comparison.variants) == 1:
        return _alone(comparison.base)
    if len(comparison.variants) == 2:
        return _pair(comparison.base, comparison.others[0])
    return _several(comparison)


def eyebrow(comparison: Comparison, *, number: int, of: int) -> str:
    """Return tool, load and runs, as far as all runs share them."""
    parts = [f"Comparison {number} of {of}"] if of > 1 else []
    parts.append(comparison.tool)
    for column, noun in (("connections", "connection"), ("requests", "request")):
        values = comparison.facts(column)
        if len(values) == 1:
            parts.append(show.plural(int(values[0]), noun))
    parts += _once(
        comparison, "offered_rate_rps", lambda v: f"{show.rate(v)}{show.NBSP}req/s asked"
    )
    durations = comparison.facts("duration_s")
    if durations and max(durations) < 1.02 * min(durations):
        parts.append(show.duration(durations[0]))
    parts += show.params(comparison.shared_params)
    runs = sorted({one.runs for one in comparison.variants})
    each = " each" if len(comparison.variants) > 1 else ""
    span = show.plural(runs[0], "run") if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    return " · ".join([*(show.clean(part, limit=60) for part in parts), span + each])


def meaning(comparison: Comparison) -> str:
    """Return what a latency of these runs is; differences are named."""
    parts = [
        *_once(comparison, "clock", lambda value: _CLOCK[value]),
        *_once(comparison, "load_model", lambda value: _MODEL[value]),
        *_once(comparison, "correction", lambda value: _CORRECTION[value]),
        *_once(comparison, "resolution_s", lambda value: f"in steps of {show.duration(value)}"),
    ]
    unknown = [
        word
        for column, word in (("load_model", "open or closed loop"), ("clock", "span"))
        if not comparison.facts(column)
    ]
    if unknown:
        parts.append(f"not stated: {show.listed(unknown)}")
    return f"Latency: {'; '.join(parts)}." if parts else ""


def _once(comparison: Comparison, column: str, write: Any) -> list[str]:  # noqa: ANN401 - any column
    values = comparison.facts(column)
    if len(values) > 1:
        return [f"differs: {show.listed([str(write(value)) for value in values])}"]
    return [write(values[0])] if values else []


def _alone(one: VariantSummary) -> str:
    parts = [_plain(one, name) for name in ("throughput_rps", *_KEY) if one.values[name]]
    shown = [part for part in parts if part][:2]
    return f"{_name(one)}: {'; '.join(shown)}." if shown else f"{_name(one)}: no summary figures."


def _plain(one: VariantSummary, name: str) -> str:
    value = one.values[name]
    return f"{_word(name)} was {BY_NAME[name].prose(value)}" if value is not None else ""


def _pair(base: VariantSummary, other: VariantSummary) -> str:
    parts = [_percentiles(base, other), _key(base, other)]
    if not parts[0]:
        parts = [_throughput(other), _conflict(other) or _key(base, other)]
    shown = [part for part in parts if part]
    if not shown:
        return f"{_named(other)} and {_named(base)} share no figure that could be compared."
    return f"{_name(other)}: {'; '.join(shown)}{_overlap(base, other)}."


def _percentiles(base: VariantSummary, other: VariantSummary) -> str:
    common = [q for q in base.quantiles if q in other.quantiles and 0 < q < 1]
    if len(common) < 2:
        return ""
    lower = [q for q in common if other.quantiles[q] < base.quantiles[q]]
    higher = [q for q in common if other.quantiles[q] > base.quantiles[q]]
    for side, word in ((lower, "lower"), (higher, "higher")):
        if len(side) == len(common):
            return f"every printed percentile was {word}"
    if not lower and not higher:
        return "every printed percentile was equal"
    if lower and higher:
        low, high = show.percentile(lower[-1]), show.percentile(higher[-1])
        return f"percentiles went both ways, {low} lower and {high} higher"
    word, side = ("lower", lower) if lower else ("higher", higher)
    return f"{len(side)} of {len(common)} printed percentiles were {word}, the others equal"


def _key(base: VariantSummary, other: VariantSummary) -> str:
    name = next((n for n in _KEY if base.values[n] and other.values[n]), None)
    if name is None:
        return ""
    was, now = base.values[name], other.values[name]
    if was is None or now is None or was == now:
        return ""
    prose = BY_NAME[name].prose
    return f"{_word(name)} was {prose(now)} instead of {prose(was)}"


def _conflict(other: VariantSummary) -> str:
    """Return both directions where middle and mean disagree: neither alone is the answer."""
    changes = {name: show.change(other.ratio[name]) for name in reversed(_KEY)}
    up = next((n for n, c in changes.items() if c and c.amount and c.word == "higher"), None)
    down = next((n for n, c in changes.items() if c and c.amount and c.word == "lower"), None)
    if up is None or down is None:
        return ""
    return f"{_word(down)} was {changes[down]}, but {_word(up)} was {changes[up]}"


def _throughput(other: VariantSummary) -> str:
    change = show.change(other.ratio["throughput_rps"])
    return f"throughput was {change}" if change else ""


def _overlap(base: VariantSummary, other: VariantSummary) -> str:
    if min(base.runs, other.runs) < 2:
        return ""
    name = next((n for n in _KEY if base.values[n] and other.values[n]), "throughput_rps")
    if _apart(base, other, name):
        return ", in all runs"
    return " by the medians, while the runs overlap"


def _apart(a: VariantSummary, b: VariantSummary, name: str) -> bool:
    low_a, high_a, low_b, high_b = a.low[name], a.high[name], b.low[name], b.high[name]
    if low_a is None or high_a is None or low_b is None or high_b is None:
        return False
    return high_a < low_b or high_b < low_a


def _several(comparison: Comparison) -> str:
    name = comparison.rank_metric
    if not name:
        return "These runs share no figure that orders them."
    first, second = comparison.variants[:2]
    if _even(comparison.variants, name):
        return f"{_word(name).capitalize()} was about equal for all {len(comparison.variants)}."
    extreme = "highest" if BY_NAME[name].better == "higher" else "lowest"
    value = BY_NAME[name].prose(first.values[name] or 0.0)
    if min(first.runs, second.runs) > 1 and not _apart(first, second, name):
        return (
            f"{_named(first)} had the {extreme} median {_word(name)}, {value}, "
            f"but its runs overlap with those of {_named(second)}."
        )
    start = f"{_named(first)} had the {extreme} {_word(name)}, {value}"
    if first.is_baseline:
        change = show.change(second.ratio[name])
        rest = f"; the next, {_named(second)}, was {change}" if change else ""
    else:
        change = show.change(first.ratio[name])
        rest = f", {change} than {_named(comparison.base)}" if change and change.amount else ""
    return f"{start}{rest}{_ahead(comparison)}."


def _ahead(comparison: Comparison) -> str:
    first, second = comparison.variants[:2]
    return "" if min(first.runs, second.runs) < 2 else ", ahead in all runs"


def _even(variants: Sequence[VariantSummary], name: str) -> bool:
    values = [one.values[name] or 0.0 for one in variants]
    return max(values) <= 1.005 * min(values)


def _word(name: str) -> str:
    title = BY_NAME[name].title
    return title if title.startswith("p") else title[0].lower() + title[1:]


def _name(one: VariantSummary) -> str:
    return show.clean(one.label, limit=60)


def _named(one: VariantSummary) -> str:
    return show.quoted(one.label)
