"""How far the figures of two records agree, given how each was rounded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from benchkit.ingest.found import FoundRun

_EXACT: Final = ("requests", "errors", "non2xx")
_ROUNDED: Final = (
    *("duration_s", "latency_max_s", "latency_mean_s", "latency_std_s", "throughput_rps"),
    *("received_bytes", "body_bytes", "sent_bytes"),
)
#: A quantile may be taken this many ranks, or this share of all ranks, away from ours.
_RANKS_OFF: Final = 1.6
_SHARE_OFF: Final = 0.01
#: Some tools cut where others round, so a whole step is allowed.
_SLACK: Final = 1.001


@dataclass(frozen=True)
class Agreement:
    """How far two records agree.

    Attributes:
        figures: Figures that both give, and that agree.
        digits: Digits of these figures together.
    """

    figures: int = 0
    digits: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(self.figures + other.figures, self.digits + other.digits)


def agreement(one: FoundRun, other: FoundRun) -> Agreement | None:
    """Return how far two records agree; None where any figure that both give differs."""
    a, b = one.columns, other.columns
    statuses = one.record.statuses, other.record.statuses
    if all(statuses) and statuses[0] != statuses[1]:
        return None
    total = Agreement()
    for name in (*_EXACT, *_ROUNDED):
        if a.get(name) is None or b.get(name) is None:
            continue
        step = 0.0 if name in _EXACT else max(_step(a, a[name], name), _step(b, b[name], name))
        if abs(a[name] - b[name]) > step * _SLACK:
            return None
        total += Agreement(1, _digits(a[name], step or 1.0))
    for found in (_in_figures(one, other), _in_quantiles(one, other)):
        if found is None:
            return None
        total += found
    return total


def says_the_same(one: FoundRun, other: FoundRun) -> bool:
    """Whether two records say exactly the same."""
    return (
        one.record.columns == other.record.columns
        and one.record.quantiles == other.record.quantiles
        and one.record.figures == other.record.figures
        and one.record.statuses == other.record.statuses
    )


def _in_figures(one: FoundRun, other: FoundRun) -> Agreement | None:
    a, b = one.known_figures, other.known_figures
    total = Agreement()
    for key in a.keys() & b.keys():
        step = max(_step({}, a[key]), _step({}, b[key]))
        if abs(a[key] - b[key]) > step * _SLACK:
            return None
        total += Agreement(1, _digits(a[key], step))
    return total


def _in_quantiles(one: FoundRun, other: FoundRun) -> Agreement | None:
    a, b = one.known_quantiles, other.known_quantiles
    common = sorted(a.keys() & b.keys())
    total = Agreement()
    for q in common:
        step = max(_step(one.columns, a[q]), _step(other.columns, b[q])) * _SLACK
        if abs(a[q] - b[q]) <= step:
            total += Agreement(1, _digits(a[q], step))
        elif not _overlap(_around(one, q), _around(other, q), step):
            return None
    return total if total.figures >= len(common) / 2 else None


def _overlap(one: tuple[float, float], other: tuple[float, float], step: float) -> bool:
    return one[0] <= other[1] + step and other[0] <= one[1] + step


def _around(run: FoundRun, q: float) -> tuple[float, float]:
    """Return the latencies between which another way of counting ranks may put a quantile.

    Tools count ranks differently, ab by one, and vegeta estimates; the ends of
    the distribution are beyond doubt.
    """
    known = run.known_quantiles
    if q in {0.0, 1.0}:
        return known[q], known[q]
    if run.summary is not None:
        distribution = run.summary.distribution
        off = max(_RANKS_OFF / max(distribution.count, 1), _SHARE_OFF)
        low, high = distribution.quantiles_s([max(q - off, 0.0), min(q + off, 1.0)])
        return low, high
    order = sorted(known)
    at = order.index(q)
    return known[order[max(at - 1, 0)]], known[order[min(at + 1, len(order) - 1)]]


def _step(columns: Mapping[str, Any], value: float, name: str = "latency") -> float:
    """Return the step to which a figure was printed, from its digits and the resolution."""
    resolution = 0.0
    if name.startswith("latency"):
        resolution = float(columns.get("resolution_s") or 0.0)
    if not value:
        return resolution
    exponent = Decimal(repr(float(value))).normalize().as_tuple().exponent
    by_digits = 10.0 ** int(exponent)
    # Trailing zeros are lost in a number; three digits are printed at the least.
    three_digits = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    return max(resolution, min(by_digits, three_digits))


def _digits(value: float, step: float) -> int:
    return max(round(math.log10(abs(value) / step)), 0) if value and step else 0
