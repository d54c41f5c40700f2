"""How far the figures of two records agree, given how each was rounded."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from benchkit import units
from benchkit.counting.distribution import RELATIVE_ERROR, Distribution
from benchkit.ingest.fileruns import FileRun

_BUCKET: Final = re.compile(r"\[([^,\]]+), ([^,\]]+)\]")
_COUNTS: Final = ("requests", "errors", "non2xx")
_BYTES: Final = ("received_bytes", "body_bytes", "sent_bytes")
#: What differs from run to run by itself; of these the digits tell runs apart.
_MEASURED: Final = ("duration_s", "latency_min_s", "latency_mean_s", "latency_std_s")
#: autocannon's table rounds counts from here on.
_ROUNDED_FROM: Final = 1000
#: An estimate may be this many ranks, and this share of all ranks, away.
_RANKS_OFF: Final = 1.6
_SHARE_OFF: Final = 0.01
#: What a binary fraction may be off, as a share of a step.
SLACK: Final = 1.001

#: Lower bound in s, upper bound in s, count.
_Bucket = tuple[float, float, float]
#: A figure and half the step to which it is known.
Known = tuple[float, float]
#: What a figure is: the kind of it, and its name.
Key = tuple[str, Hashable]


@dataclass(frozen=True)
class Agreement:
    """How far two records agree.

    Attributes:
        figures: Figures that both give, and that agree.
        digits: Digits that would not agree in two runs but by chance.
        best: Digits of the one figure that tells most.
        possible: Figures of different kinds that do not contradict each other.
    """

    figures: int = 0
    digits: float = 0.0
    best: float = 0.0
    possible: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.figures + other.figures,
            self.digits + other.digits,
            max(self.best, other.best),
            self.possible + other.possible,
        )


class Print:
    """What identifies a record: its figures, each with half the step it is known to."""

    def __init__(self, run: FileRun) -> None:
        self.run = run
        columns = run.columns
        self._resolution = float(columns.get("resolution_s") or 0.0)
        self.n = columns.get("requests")
        self.counts = {
            name: (float(columns[name]), self._half_of_count(name, columns[name]))
            for name in (*_COUNTS, *_BYTES)
            if columns.get(name) is not None
        }
        self.measured = {
            name: (columns[name], self._half(name, columns[name]))
            for name in _MEASURED
            if columns.get(name) is not None
        }
        self.maximum = columns.get("latency_max_s")
        self.statuses = run.record.statuses

    @cached_property
    def quantiles(self) -> dict[float, Known]:
        """Quantiles, the maximum included."""
        known = self.run.known_quantiles
        quantiles = {q: (value, self._half("latency_p50_s", value)) for q, value in known.items()}
        if self.maximum is not None:
            quantiles[1.0] = (self.maximum, self._half("latency_max_s", self.maximum))
        return quantiles

    @cached_property
    def strict(self) -> dict[Key, Known]:
        """Figures in columns that no other record of the run can give differently."""
        quantiles = self.quantiles
        return {
            **{("count", name): known for name, known in self.counts.items()},
            **{("measured", name): known for name, known in self.measured.items()},
            **{("quantile", q): quantiles[q] for q in (0.0, 1.0) if q in quantiles},
        }

    @cached_property
    def further(self) -> dict[Key, Known]:
        """Further printed figures, to a whole step: some tools cut where others round."""
        figures = self.run.known_figures.items()
        return {("figure", key): (value, _step(value)) for key, value in figures}

    def known(self, key: Key) -> Known:
        """Return a figure of either."""
        return self.further[key] if key[0] == "figure" else self.strict[key]

    @cached_property
    def buckets(self) -> list[_Bucket]:
        """Counts between two latencies."""
        return [
            (_bound(matched[1]), _bound(matched[2]), figure.value)
            for figure in self.run.record.figures
            if figure.statistic == "total" and (matched := _BUCKET.fullmatch(figure.metric))
        ]

    @cached_property
    def distribution(self) -> Distribution | None:
        """All latencies, where there is a row for each request."""
        return self.run.summary.distribution if self.run.summary is not None else None

    def rank(self, q: float, n: int) -> int | None:
        """Return which of n sorted latencies a quantile is, None where it is estimated."""
        return None if self.run.parser.rank is None else self.run.parser.rank(q, n)

    def at(self, rank: int) -> Known:
        """Return the latency at a rank among the rows."""
        rows = self.distribution or Distribution()
        value = rows.ranked_s(rank + 1)
        if 2 * value * RELATIVE_ERROR < self._resolution:  # one tick of the clock in a bin
            value = round(value / self._resolution) * self._resolution
        return value, self._half("latency_p50_s", value)

    def _half(self, name: str, value: float) -> float:
        step = self.run.parser.steps.get(name, 0.0)
        if self.run.parser.step_s is not None:
            step = max(step, self.run.parser.step_s(value))
        if name in {"latency_min_s", "latency_p50_s", "latency_max_s"}:
            step = max(step, self._resolution)
        if self.run.summary is not None and name == "latency_p50_s":
            # Above some ticks of the clock a latency is only known to the middle of a bin.
            bin_half = value * RELATIVE_ERROR
            return step / 2 + (0.0 if 2 * bin_half < self._resolution else bin_half)
        return max(step, 0.0 if self.run.summary else _step(value)) / 2

    def _half_of_count(self, name: str, value: float) -> float:
        if name == "requests" or (name in _COUNTS and value < _ROUNDED_FROM):
            return 0.0
        return max(_step(value), _step_of_1024(value) if name in _BYTES else 0.0)


def agreement(record: Print, other: Print) -> Agreement | None:
    """Return how far two records agree; None where any figure that both give differs."""
    if record.statuses and other.statuses and record.statuses != other.statuses:
        return None
    if 1.0 in record.quantiles and 1.0 in other.quantiles and _held(record, other, 1.0) is None:
        return None
    total = Agreement()
    for compare in (*_COMMON, _in_quantiles, _in_buckets):
        part = compare(record, other)
        if part is None:
            return None
        total += part
    return total


def says_the_same(run: FileRun, other: FileRun) -> bool:
    """Whether two records of one format say the same to the last digit.

    One may give figures that the other was not asked for.
    """
    a, b = run.known_figures, other.known_figures
    return (
        run.record.columns == other.record.columns
        and run.record.quantiles == other.record.quantiles
        and run.record.statuses == other.record.statuses
        and all(a[key] == b[key] for key in a.keys() & b.keys())
    )


def _in_common(
    record: Print, other: Print, *, kind: str, weight: float, alone: bool = False
) -> Agreement | None:
    """Hold all figures of a kind against each other; `alone`: one of them may tell the run."""
    known: Mapping[Hashable, Known] = getattr(record, kind)
    theirs: Mapping[Hashable, Known] = getattr(other, kind)
    common, digits, best = known.keys() & theirs.keys(), 0.0, 0.0
    for key in common:
        a, b = known[key], theirs[key]
        if not agree(a, b):
            return None
        if weight:
            own = _digits(a[0], max(a[1], b[1]))
            digits, best = digits + weight * own, max(best, own)
    return Agreement(len(common), digits, best if alone else 0.0)


_COMMON: Final = (
    # Counts and sizes are by design, and tell nothing.
    partial(_in_common, kind="counts", weight=0.0),
    partial(_in_common, kind="measured", weight=1.0, alone=True),
    # Many of them follow from one another and from the columns.
    partial(_in_common, kind="further", weight=0.25),
)


def _in_quantiles(record: Print, other: Print) -> Agreement | None:
    common = sorted(record.quantiles.keys() & other.quantiles.keys())
    figures, digits, before = 0, 0.0, 0.0
    for q in common:
        held = _held(record, other, q)
        if held is None:
            return None
        figures += held
        if held:
            value, half = max(record.quantiles[q], other.quantiles[q], key=lambda known: known[1])
            digits += _digits(abs(value - before), max(half, 1e-9))
            before = value
    best = 0.0
    if 1.0 in common:
        (a, half_a), (_, half_b) = record.quantiles[1.0], other.quantiles[1.0]
        best = _digits(a, max(half_a, half_b, 5e-10))
    # Two runs of one server have much the same quantiles, so half of it counts.
    return Agreement(figures, max(digits / 2, best), best)


def _held(record: Print, other: Print, q: float) -> int | None:
    """Return 1 where a quantile agrees, 0 where nothing can be said, None where it differs."""
    if q in {0.0, 1.0}:
        return 1 if agree(record.quantiles[q], other.quantiles[q]) else None
    n = record.n or other.n
    ranks = (record.rank(q, n), other.rank(q, n)) if n else (None, None)
    for rows, printed, rank in ((record, other, ranks[1]), (other, record, ranks[0])):
        if rows.distribution is None or printed.distribution is not None:
            continue
        if rank is None:
            return 0 if _within(rows, printed.quantiles[q], q) else None
        return 1 if agree(rows.at(rank), printed.quantiles[q]) else None
    if agree(record.quantiles[q], other.quantiles[q]):
        return 1
    # Neighbouring ranks may lie anywhere between the neighbouring rows of the finer table.
    apart = n is None or ranks[0] != ranks[1]
    return 0 if apart and _between(record, other, q) else None


def _within(rows: Print, known: Known, q: float) -> bool:
    """Whether an estimate lies near its rank."""
    distribution = rows.distribution or Distribution()
    off = max(_RANKS_OFF / max(distribution.count, 1), _SHARE_OFF)
    low, high = distribution.quantiles_s([max(q - off, 0.0), min(q + off, 1.0)])
    slack = known[1] + high * RELATIVE_ERROR
    return low - slack <= known[0] <= high + slack


def _between(record: Print, other: Print, q: float) -> bool:
    fine, coarse = sorted((record, other), key=lambda known: -len(known.quantiles))
    order = sorted(fine.quantiles)
    at = order.index(q)
    low = fine.quantiles[order[max(at - 1, 0)]]
    high = fine.quantiles[order[min(at + 1, len(order) - 1)]]
    value, half = coarse.quantiles[q]
    if order[min(at + 1, len(order) - 1)] - order[max(at - 1, 0)] > 0.021:
        return False  # only a table of whole percentages is fine enough
    return low[0] - low[1] - half <= value <= high[0] + high[1] + half


def _in_buckets(record: Print, other: Print) -> Agreement | None:
    """Hold counts between two latencies against the latencies of the other record."""
    total = Agreement()
    for counts, known in ((record, other), (other, record)):
        if not counts.buckets or known.buckets:
            continue
        rows = known.distribution
        if rows is None:
            if not _possible(counts.buckets, known):
                return None
            total += Agreement(possible=len(known.quantiles))
            continue
        for low, high, count in counts.buckets:
            fewest, most = rows.count_between(low, high)
            if not fewest <= count <= most:
                return None
            total += Agreement(1, _digits(count, max((most - fewest) / 2, 0.5)) / 2)
    return total


def _possible(buckets: list[_Bucket], known: Print) -> bool:
    """Whether quantiles fall where the counts have room for them."""
    n = sum(count for _, _, count in buckets)
    off = max(_RANKS_OFF, _SHARE_OFF * n)
    for q, (latency, _) in known.quantiles.items():
        before = sum(count for _, high, count in buckets if high <= latency)
        upto = sum(count for low, _, count in buckets if low <= latency)
        if not before - off <= q * n <= upto + off:
            return False
    return True


def agree(known: Known, other: Known) -> bool:
    """Whether two figures are the same within the steps to which they are known."""
    # One value rounded twice to one step is the same twice; to two steps it is near.
    half = max(known[1], other[1]) + (min(known[1], other[1]) if known[1] != other[1] else 0.0)
    return abs(known[0] - other[0]) <= half * SLACK + 1e-12 * abs(known[0])


def _bound(text: str) -> float:
    return math.inf if text == "+Inf" else units.go_duration(text)


def _step(value: float) -> float:
    """Return the step to which a figure was printed, from its digits."""
    if not value:
        return 0.0
    digits, _, power = repr(float(value)).partition("e")
    whole, _, fraction = digits.partition(".")
    decimals = len(fraction.rstrip("0")) or len(whole.rstrip("0")) - len(whole)
    # Trailing zeros are lost in a number; three digits are printed at the least.
    three_digits = math.floor(math.log10(abs(value))) - 2
    return 10.0 ** min(int(power or 0) - decimals, three_digits)


def _step_of_1024(size: float) -> float:
    """Return the step of a size that may have been printed as `1.59MB`, with M = 1024 * 1024."""
    unit = 1.0
    while size >= 0.85 * 1024 * unit:
        unit *= 1024
    printed = round(round(size / unit, 2) * unit)
    return 0.01 * unit if printed == size else 0.0


def _digits(value: float, half: float) -> float:
    """Return how many digits a figure has above half its step."""
    return math.log10(1 + abs(value) / (2 * half)) if half else math.log10(1 + abs(value) / 1e-9)
