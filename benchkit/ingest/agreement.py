"""How far the figures of two records agree, given how each was rounded."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from benchkit import units
from benchkit.distribution import RELATIVE_ERROR, Distribution
from benchkit.ingest.found import FoundRun

_BUCKET: Final = re.compile(r"\[([^,\]]+), ([^,\]]+)\]")
_COUNTS: Final = ("requests", "errors", "non2xx")
_ROUNDED: Final = (
    *("duration_s", "latency_max_s", "latency_mean_s", "latency_std_s", "throughput_rps"),
    *("received_bytes", "body_bytes", "sent_bytes"),
)
#: autocannon's table rounds counts from here on.
_ROUNDED_FROM: Final = 1000
#: Figures that are no finer than the tool's clock; means and deviations are.
_BY_CLOCK: Final = ("latency_min_s", "latency_p50_s", "latency_max_s")
#: A quantile may be taken this many ranks, or this share of all ranks, away from ours.
_RANKS_OFF: Final = 1.6
_SHARE_OFF: Final = 0.01
#: Some tools cut where others round, so a whole step is allowed.
_SLACK: Final = 1.001


#: Lower bound in s, upper bound in s, count.
_Bucket = tuple[float, float, float]


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
    for name in (*_COUNTS, *_ROUNDED):
        if a.get(name) is None or b.get(name) is None:
            continue
        exact = name == "requests" or (name in _COUNTS and a[name] < _ROUNDED_FROM)
        step = 0.0 if exact else max(_step(one, name, a[name]), _step(other, name, b[name]))
        if abs(a[name] - b[name]) > step * _SLACK:
            return None
        total += Agreement(1, _digits(a[name], step or 1.0))
    for found in (
        _in_figures(one, other),
        _in_buckets(one, other),
        _in_buckets(other, one),
        _in_quantiles(one, other),
    ):
        if found is None:
            return None
        total += found
    return total


def says_the_same(one: FoundRun, other: FoundRun) -> bool:
    """Whether two records of one format say the same to the last digit.

    One may give figures that the other was not asked for.
    """
    a, b = one.known_figures, other.known_figures
    return (
        one.record.columns == other.record.columns
        and one.record.quantiles == other.record.quantiles
        and one.record.statuses == other.record.statuses
        and all(a[key] == b[key] for key in a.keys() & b.keys())
    )


def _in_figures(one: FoundRun, other: FoundRun) -> Agreement | None:
    a, b = one.known_figures, other.known_figures
    total = Agreement()
    for key in a.keys() & b.keys():
        step = max(_step_of_digits(a[key]), _step_of_digits(b[key]))
        if abs(a[key] - b[key]) > step * _SLACK:
            return None
        total += Agreement(1, _digits(a[key], step))
    return total


def _in_buckets(one: FoundRun, other: FoundRun) -> Agreement | None:
    """Hold counts between two latencies against the latencies of another record."""
    buckets = [
        (_bound(matched[1]), _bound(matched[2]), figure.value)
        for figure in one.record.figures
        if figure.statistic == "total" and (matched := _BUCKET.fullmatch(figure.metric))
    ]
    if not buckets:
        return Agreement()
    return _by_count(buckets, other) if other.summary else _by_quantile(buckets, other)


def _by_count(buckets: list[_Bucket], other: FoundRun) -> Agreement | None:
    total = Agreement()
    distribution = other.summary.distribution if other.summary else Distribution()
    for low, high, count in buckets:
        fewest, most = distribution.count_between(low, high)
        if not fewest <= count <= most:
            return None
        total += Agreement(1, _digits(count, max(most - fewest, 1.0)))
    return total


def _by_quantile(buckets: list[_Bucket], other: FoundRun) -> Agreement | None:
    n = sum(count for _, _, count in buckets)
    off = max(_RANKS_OFF, _SHARE_OFF * n)
    total = Agreement()
    for q, latency in other.known_quantiles.items():
        before = sum(count for _, high, count in buckets if high <= latency)
        upto = sum(count for low, _, count in buckets if low <= latency)
        if not before - off <= q * n <= upto + off:
            return None
        total += Agreement(1, 0)
    return total


def _bound(text: str) -> float:
    return math.inf if text == "+Inf" else units.go_duration(text)


def _in_quantiles(one: FoundRun, other: FoundRun) -> Agreement | None:
    a, b = one.known_quantiles, other.known_quantiles
    common = sorted(a.keys() & b.keys())
    total = Agreement()
    for q in common:
        name = "latency_max_s" if q == 1.0 else "latency_p50_s"
        step = max(_step(one, name, a[q]), _step(other, name, b[q])) * _SLACK
        if abs(a[q] - b[q]) <= step:
            total += Agreement(1, _digits(a[q], step))
        elif _overlap(_around(one, q), _around(other, q), step):
            total += Agreement(1, 0)
        else:
            return None
    return total


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


def _step(run: FoundRun, name: str, value: float) -> float:
    """Return the step to which a figure was printed: declared, by the clock, or by its digits."""
    declared = run.parser.steps.get(name, 0.0)
    if name in _BY_CLOCK:
        declared = float(run.columns.get("resolution_s") or 0.0)
    if name == "latency_p50_s" and run.summary is not None:
        declared = max(declared, 2 * RELATIVE_ERROR * value)
    duration = run.columns.get("duration_s")
    if name == "throughput_rps" and duration:
        # Some formats have no rate of their own, only a duration to compute it from.
        declared = value * _step(run, "duration_s", duration) / duration
    return max(declared, _step_of_digits(value))


def _step_of_digits(value: float) -> float:
    if not value:
        return 0.0
    exponent = Decimal(repr(float(value))).normalize().as_tuple().exponent
    # Trailing zeros are lost in a number; three digits are printed at the least.
    three_digits = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    return float(min(10.0 ** int(exponent), three_digits))


def _digits(value: float, step: float) -> int:
    return max(round(math.log10(abs(value) / step)), 0) if value and step else 0
