"""How far the figures of two records agree, and which of them differ.

Two records are held against each other figure by figure, and a figure that both give must be the
same in both (`precision.agree`):

- Counts of requests, errors and status codes are the same to the last digit; bytes, and counts
  of a table that rounds them, to the step to which they were printed.
- Latencies are the same to the coarser of the two steps: that of the clock (of a mean of rows, too:
  each was rounded to it), of the print (at most fifteen digits, as no more outlive a change of
  units), or of the bins that keep rows.
- A standard deviation may be that of the population in one and of the sample in the other: by
  the factor √(n / (n - 1)) apart, for n requests.
- A duration is from the first send to the last answer, or a schedule's, which ends with the last
  send: a record that tells how long it waited for the last answer may give that much more than
  another. Instants of rows begin late and are taken by other calls of the clock than what a tool
  prints of the whole: by 10 ms and 1 % at most.
- Quantiles are at the same rank, where both tools say which they take; an estimate lies near it.
- Counts between two latencies are those of the rows, or leave room for the quantiles.

Of a group of records that are one run, and another record or group, a figure differs only where it
does so from each that gives it: what agrees with the JSON agrees with the run, although a report
rounds it another way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from benchkit import units
from benchkit.counting.distribution import RELATIVE_ERROR, Distribution
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.precision import Known, agree, apart, digits_of, printed_step, step_of_1024
from benchkit.parsing import Figure

_BUCKET: Final = re.compile(r"\[([^,\]]+), ([^,\]]+)\]")
#: A number, its decimals apart, with a prefix of its unit: two digits may be all there are.
_NUMBER: Final = re.compile(r"\s*+(\d[\d,]*(?:\.(\d+))?)\s?[kKMGT]\D*+")
_LONGEST_NUMBER: Final = 40
_COUNTS: Final = ("requests", "errors", "non2xx")
_BYTES: Final = ("received_bytes", "body_bytes", "sent_bytes")
#: What differs from run to run by itself; of these the digits tell runs apart.
_MEASURED: Final = ("duration_s", "latency_min_s", "latency_mean_s", "latency_std_s")
#: autocannon's table rounds counts from here on.
_ROUNDED_FROM: Final = 1000
#: An estimate may be this many ranks, and this share of all ranks, away.
_RANKS_OFF: Final = 1.6
_SHARE_OFF: Final = 0.01
#: How far the instants of rows may be from what a tool prints of the whole.
_INSTANTS_OFF_S: Final = 0.01
_INSTANTS_OFF: Final = 0.01

#: Lower bound in s, upper bound in s, count.
_Bucket = tuple[float, float, float]
#: What a figure is: the kind of it, and its name.
Key = tuple[str, Any]
_STATUSES: Final[Key] = ("status codes", "")
_BUCKETS: Final[Key] = ("counts between latencies", "")


@dataclass(frozen=True)
class Agreement:
    """How far two records agree.

    Attributes:
        figures: Figures that both give, and that agree.
        digits: Digits that would not agree in two runs but by chance.
        best: Digits of the one figure that tells most.
        possible: Figures of different kinds that do not contradict each other.
        differ: Figures that both give, and that differ.
    """

    figures: int = 0
    digits: float = 0.0
    best: float = 0.0
    possible: int = 0
    differ: frozenset[Key] = frozenset()

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.figures + other.figures,
            self.digits + other.digits,
            max(self.best, other.best),
            self.possible + other.possible,
            self.differ | other.differ,
        )


class Print:
    """What identifies a record: its figures, each with half the step it is known to."""

    def __init__(self, run: FileRun) -> None:
        self.run = run
        columns = run.columns
        self._resolution = float(columns.get("resolution_s") or 0.0)
        self.n = columns.get("requests")
        self.counts: dict[Key, Known] = {
            ("count", name): Known(float(columns[name]), self._half_of_count(name, columns[name]))
            for name in (*_COUNTS, *_BYTES)
            if columns.get(name) is not None
        }
        self.measured: dict[Key, Known] = {
            ("measured", name): Known(
                columns[name], self._half(name, columns[name]), *self._otherwise(name)
            )
            for name in _MEASURED
            if columns.get(name) is not None
        }
        self.maximum = columns.get("latency_max_s")
        self._quantiles: dict[float, Known] = {}
        self.statuses = run.record.statuses

    @cached_property
    def quantiles(self) -> dict[float, float]:
        """Latency in s per quantile, the maximum included."""
        maximum = {} if self.maximum is None else {1.0: self.maximum}
        return self.run.known_quantiles | maximum

    def quantile(self, q: float) -> Known:
        """Return a quantile; of many that a record has, few are ever held against another."""
        known = self._quantiles.get(q)
        if known is None:
            name = "latency_p50_s" if q != 1.0 or self.maximum is None else "latency_max_s"
            value = self.quantiles[q]
            known = self._quantiles[q] = Known(value, self._half(name, value))
        return known

    @cached_property
    def strict(self) -> dict[Key, Known]:
        """Figures in columns that any other record of the run gives alike."""
        ends: dict[Key, Known] = {
            ("quantile", q): self.quantile(q) for q in (0.0, 1.0) if q in self.quantiles
        }
        return {**self.counts, **self.measured, **ends}

    @cached_property
    def further(self) -> dict[Key, Known]:
        """Further printed figures, to a whole step: some tools cut where others round."""
        steps = {(f.metric, f.statistic): _step(f) for f in self.run.record.figures}
        figures = self.run.known_figures.items()
        return {("figure", key): Known(value, steps[key]) for key, value in figures}

    def known(self, key: Key) -> Known:
        """Return a figure."""
        kind, name = key
        if kind == "quantile":
            return self.quantile(name)
        return self.further[key] if kind == "figure" else self.strict[key]

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
        return Known(value, self._half("latency_p50_s", value))

    def gives(self, key: Key) -> bool:
        """Whether the record has a figure of that name."""
        if key == _STATUSES:
            return bool(self.statuses)
        if key == _BUCKETS:
            return bool(self.buckets or self.quantiles)
        kind, name = key
        of_quantile = kind == "quantile" and name in self.quantiles
        return of_quantile or key in self.strict or key in self.further

    def _otherwise(self, name: str) -> tuple[float, float]:
        """Return how far below and above a column may be what was measured in another way."""
        columns, n = self.run.columns, self.n or 0
        if name == "latency_std_s" and n > 1:
            factor = math.sqrt(n / (n - 1))
            return columns[name] * (1 - 1 / factor), columns[name] * (factor - 1)
        if name != "duration_s":
            return 0.0, 0.0
        rows = self.run.summary is not None
        off = _INSTANTS_OFF_S + _INSTANTS_OFF * columns[name] if rows else 0.0
        return float(columns.get("wait_s") or 0.0) + off, off

    def _half(self, name: str, value: float) -> float:
        step = self.run.parser.steps.get(name, 0.0)
        if self.run.parser.step_s is not None:
            step = max(step, self.run.parser.step_s(value))
        of_rows = self.run.summary is not None and name in {"latency_mean_s", "latency_std_s"}
        if of_rows or name in {"latency_min_s", "latency_p50_s", "latency_max_s"}:
            step = max(step, self._resolution)
        if self.run.summary is not None and name == "latency_p50_s":
            # Above some ticks of the clock a latency is only known to the middle of a bin.
            bin_half = value * RELATIVE_ERROR
            return step / 2 + (0.0 if 2 * bin_half < self._resolution else bin_half)
        return max(step, 0.0 if self.run.summary else printed_step(value)) / 2

    def _half_of_count(self, name: str, value: float) -> float:
        if name == "requests" or (name in _COUNTS and value < _ROUNDED_FROM):
            return 0.0
        return max(printed_step(value), step_of_1024(value) if name in _BYTES else 0.0)


def agreement(record: Print, other: Print) -> Agreement:
    """Return how far two records agree, and in what they differ."""
    total = Agreement(differ=frozenset(_differing_outright(record, other)))
    for compare in (*_COMMON, _in_quantiles, _in_buckets):
        total += compare(record, other)
    return total


def _differing_outright(record: Print, other: Print) -> Iterator[Key]:
    if record.statuses and other.statuses and record.statuses != other.statuses:
        yield _STATUSES


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
) -> Agreement:
    """Hold all figures of a kind against each other; `alone`: one of them may tell the run."""
    known: Mapping[Key, Known] = getattr(record, kind)
    theirs: Mapping[Key, Known] = getattr(other, kind)
    common, digits, best, differ = known.keys() & theirs.keys(), 0.0, 0.0, set()
    for key in common:
        half = apart(known[key], theirs[key])
        if half is None:
            differ.add(key)
        elif weight:
            own = digits_of(known[key].value, half)
            digits, best = digits + weight * own, max(best, own)
    agreed = len(common) - len(differ)
    return Agreement(agreed, digits, best if alone else 0.0, differ=frozenset(differ))


_COMMON: Final = (
    # Counts and sizes are by design, and tell nothing.
    partial(_in_common, kind="counts", weight=0.0),
    partial(_in_common, kind="measured", weight=1.0, alone=True),
    # Many of them follow from one another and from the columns.
    partial(_in_common, kind="further", weight=0.25),
)


def _in_quantiles(record: Print, other: Print) -> Agreement:
    common = sorted(record.quantiles.keys() & other.quantiles.keys())
    figures, digits, before, differ = 0, 0.0, 0.0, set()
    for q in common:
        held = _held(record, other, q)
        if held is None:
            differ.add(("quantile", q))
        elif held:
            coarser = max(record.quantile(q), other.quantile(q), key=lambda known: known.half)
            digits += digits_of(abs(coarser.value - before), max(coarser.half, 1e-9))
            figures, before = figures + 1, coarser.value
    best = 0.0
    if 1.0 in common:
        a, b = record.quantile(1.0), other.quantile(1.0)
        best = digits_of(a.value, max(a.half, b.half, 5e-10))
    # Two runs of one server have much the same quantiles, so half of it counts.
    return Agreement(figures, max(digits / 2, best), best, differ=frozenset(differ))


def _held(record: Print, other: Print, q: float) -> int | None:
    """Return 1 where a quantile agrees, 0 where nothing can be said, None where it differs."""
    if q in {0.0, 1.0}:
        return 1 if agree(record.quantile(q), other.quantile(q)) else None
    n = record.n or other.n
    ranks = (record.rank(q, n), other.rank(q, n)) if n else (None, None)
    for rows, printed, rank in ((record, other, ranks[1]), (other, record, ranks[0])):
        if rows.distribution is None or printed.distribution is not None:
            continue
        if rank is None:
            return 0 if _within(rows, printed.quantile(q), q) else None
        return 1 if agree(rows.at(rank), printed.quantile(q)) else None
    if agree(record.quantile(q), other.quantile(q)):
        return 1
    # Neighbouring ranks may lie anywhere between the neighbouring rows of the finer table.
    apart = n is None or ranks[0] != ranks[1]
    return 0 if apart and _between(record, other, q) else None


def _within(rows: Print, known: Known, q: float) -> bool:
    """Whether an estimate lies near its rank."""
    distribution = rows.distribution or Distribution()
    off = max(_RANKS_OFF / max(distribution.count, 1), _SHARE_OFF)
    low, high = distribution.quantiles_s([max(q - off, 0.0), min(q + off, 1.0)])
    slack = known.half + high * RELATIVE_ERROR
    return low - slack <= known.value <= high + slack


def _between(record: Print, other: Print, q: float) -> bool:
    fine, coarse = sorted((record, other), key=lambda known: -len(known.quantiles))
    order = sorted(fine.quantiles)
    at = order.index(q)
    low = fine.quantile(order[max(at - 1, 0)])
    high = fine.quantile(order[min(at + 1, len(order) - 1)])
    known = coarse.quantile(q)
    if order[min(at + 1, len(order) - 1)] - order[max(at - 1, 0)] > 0.021:
        return False  # only a table of whole percentages is fine enough
    return low.value - low.half - known.half <= known.value <= high.value + high.half + known.half


def _in_buckets(record: Print, other: Print) -> Agreement:
    """Hold counts between two latencies against the latencies of the other record."""
    total, differing = Agreement(), Agreement(differ=frozenset({_BUCKETS}))
    for counts, known in ((record, other), (other, record)):
        if not counts.buckets or known.buckets:
            continue
        rows = known.distribution
        if rows is None:
            is_possible = _possible(counts.buckets, known)
            total += Agreement(possible=len(known.quantiles)) if is_possible else differing
            continue
        for low, high, count in counts.buckets:
            fewest, most = rows.count_between(low, high)
            within = fewest <= count <= most
            digits = digits_of(count, max((most - fewest) / 2, 0.5)) / 2
            total += Agreement(1, digits) if within else differing
    return total


def _possible(buckets: list[_Bucket], known: Print) -> bool:
    """Whether quantiles fall where the counts have room for them."""
    n = sum(count for _, _, count in buckets)
    off = max(_RANKS_OFF, _SHARE_OFF * n)
    for q, latency in known.quantiles.items():
        before = sum(count for _, high, count in buckets if high <= latency)
        upto = sum(count for low, _, count in buckets if low <= latency)
        if not before - off <= q * n <= upto + off:
            return False
    return True


def _step(figure: Figure) -> float:
    """Return the step to which a figure was printed, with a prefix that of its text: `5.0 kB`."""
    text = figure.printed or ""
    matched = _NUMBER.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    number = float(matched[1].replace(",", "")) if matched else 0.0
    own = abs(figure.value) / number * 10.0 ** -len(matched[2] or "") if matched and number else 0.0
    return max(printed_step(figure.value), own)


def _bound(text: str) -> float:
    return math.inf if text == "+Inf" else units.go_duration(text)
