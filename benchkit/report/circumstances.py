"""Under which load, and what a latency is: what the runs of a comparison have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from benchkit import format as show
from benchkit.model.comparison import Comparison

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


def eyebrow(comparison: Comparison, *, number: int = 1, among: int = 1) -> str:
    """Return tool, load and runs, as far as all runs share them.

    Args:
        comparison: What is shown.
        number: Its place.
        among: So many comparisons.
    """
    parts = [f"Comparison {number} of {among}"] if among > 1 else []
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
    runs = sorted({len(variant) for variant in comparison.variants})
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


def _once(comparison: Comparison, column: str, write: Callable[[Any], str]) -> list[str]:
    values = comparison.facts(column)
    if len(values) > 1:
        return [f"differs: {show.listed([write(value) for value in values])}"]
    return [write(values[0])] if values else []
