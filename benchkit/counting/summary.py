"""Requests to the summary of their run: counts, quantiles, slices of time.

Batches are folded in one after another, so that memory does not grow with the
number of requests; summaries of parts of a run add up to that of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from benchkit.counting import timeline, varints
from benchkit.counting.cells import Cells
from benchkit.counting.distribution import Distribution, exact_sum, merged
from benchkit.counting.grouping import counted, firsts_of, summed
from benchkit.counting.numbering import Numbering
from benchkit.counting.slices import ENDPOINTS, OTHER, OUTCOMES, Slices, relabelled
from benchkit.schema import QUANTILE_COLUMNS

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole
    from benchkit.parsing import RequestBatch

#: Quantiles that are computed for runs with a row per request.
QUANTILES: Final = (
    *(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.66, 0.75, 0.8, 0.9, 0.95, 0.975, 0.98, 0.99),
    *(0.995, 0.999, 0.9999, 0.99999),
)
#: From so many on cells are kept as bytes.
_MANY_CELLS: Final = 2**12
#: A coarser clock gives instants, and no duration.
_FINE_NS: Final = 1_000_000
_Summed = TypeVar("_Summed", int, Numbering)


@dataclass(frozen=True)
class _Resting:
    """Slices as the bytes of their keys and values."""

    doublings: int
    timed: bool
    keys: bytes
    values: bytes

    @classmethod
    def of_slices(cls, slices: Slices) -> _Resting:
        parts = map(varints.written, (slices.keys, slices.values))
        return cls(slices.doublings, slices.timed, *parts)

    def slices(self) -> Slices:
        keys, values = map(varints.read, (self.keys, self.values))
        return Slices(self.doublings, keys, values, timed=self.timed)


@dataclass
class RequestSummary:
    """What is kept of the requests of one run.

    Attributes:
        outcomes: Latencies by what came back; under "" where that is not known.
        slices: Requests by time, endpoint, outcome and latency.
        endpoints: Numbers of the pairs (method, URL), in order of appearance; beyond
            the first ENDPOINTS there are only others.
        numbering: The numbers of the requests, where the format has them.
        latency_step_ns: Smallest step of a latency in the format.
    """

    name: str | None = None
    outcomes: dict[str, Distribution] = field(default_factory=dict)
    slices: Slices = field(default_factory=Slices)
    endpoints: dict[tuple[str | None, str | None], int] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    errors: dict[str, int | None] = field(default_factory=dict)
    received_bytes: int | None = None
    sent_bytes: int | None = None
    numbering: Numbering | None = None
    first_ns: int | None = None
    last_ns: int | None = None
    end_ns: int | None = None
    started_step_ns: int = 1
    started_relative: bool = False
    latency_step_ns: int = 1

    def rest(self) -> None:
        """Keep slices as few bytes, of which they are made whenever they are looked at.

        A run may have a million cells, and who reads a thousand files waits for the last.
        """
        if len(self.slices.keys) >= _MANY_CELLS:
            self._resting = _Resting.of_slices(self.slices)
            del self.slices

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Slices:
            """Return `slices`, where they rest."""
            if name == "slices" and "_resting" in self.__dict__:
                return self._resting.slices()
            raise AttributeError(name)

    def add(self, batch: RequestBatch) -> None:
        """Fold in a batch whose rows all belong to this run."""
        if not len(batch):
            return
        self.started_step_ns = batch.started_step_ns
        self.started_relative = batch.started_relative
        self._add_errors(batch)
        self.transferred(_total(batch.received_bytes), _total(batch.sent_bytes))
        if batch.seq is not None:
            self.numbering = (self.numbering or Numbering()) + Numbering.from_numbers(batch.seq)
        self._add_counts(batch)

    def __add__(self, other: RequestSummary) -> RequestSummary:
        total = RequestSummary(
            name=self.name,
            outcomes=dict(self.outcomes),
            endpoints=dict(self.endpoints),
            statuses=dict(self.statuses),
            errors=dict(self.errors),
            received_bytes=_sum(self.received_bytes, other.received_bytes),
            sent_bytes=_sum(self.sent_bytes, other.sent_bytes),
            numbering=_sum(self.numbering, other.numbering),
            started_step_ns=max(self.started_step_ns, other.started_step_ns),
            started_relative=self.started_relative or other.started_relative,
            latency_step_ns=max(self.latency_step_ns, other.latency_step_ns),
        )
        for name, part in other.outcomes.items():
            total.outcomes[name] = total.outcomes.get(name, Distribution()) + part
        for status, count in other.statuses.items():
            total.statuses[status] = total.statuses.get(status, 0) + count
        for text, n in other.errors.items():
            total.errors[text] = _sum(total.errors.get(text), n)
        numbers = np.full(OTHER + 1, OTHER, np.int64)
        for (method, url), number in other.endpoints.items():
            numbers[number] = total.number_of(method, url)
        alike = (numbers == np.arange(OTHER + 1))[[*other.endpoints.values()]].all()
        total.slices = self.slices + (other.slices if alike else relabelled(other.slices, numbers))
        for side in (self, other):
            if side.first_ns is not None and side.last_ns is not None and side.end_ns is not None:
                total.spread(side.first_ns, side.last_ns, side.end_ns)
        return total

    def untimed(self) -> RequestSummary:
        """Return the same without when its requests were sent."""
        return replace(self, slices=self.slices.untimed(), first_ns=None, last_ns=None, end_ns=None)

    def leave_astray(self) -> int:
        """Leave out of the course over time what was sent far from all else; return how many.

        From when to when the others were sent is not known any more then.
        """
        slices, strays = self.slices.astray()
        if strays:
            self.slices = slices
            self.first_ns = self.last_ns = self.end_ns = None
        return strays

    def number_of(self, method: str | None, url: str | None) -> int:
        """Return the number of an endpoint, a new one where there is room."""
        number = self.endpoints.get((method, url))
        if number is None:
            if len(self.endpoints) == ENDPOINTS:
                return OTHER
            self.endpoints[method, url] = number = len(self.endpoints)
        return number

    def spread(self, first_ns: int, last_ns: int, end_ns: int) -> None:
        """Take in the first and last send and the last end of some requests."""
        self.first_ns = first_ns if self.first_ns is None else min(first_ns, self.first_ns)
        self.last_ns = last_ns if self.last_ns is None else max(last_ns, self.last_ns)
        self.end_ns = end_ns if self.end_ns is None else max(end_ns, self.end_ns)

    def transferred(self, received_bytes: int | None, sent_bytes: int | None) -> None:
        """Take in the bytes of some requests, None where the format does not tell them."""
        self.received_bytes = _sum(self.received_bytes, received_bytes)
        self.sent_bytes = _sum(self.sent_bytes, sent_bytes)

    @property
    def distribution(self) -> Distribution:
        """All latencies, whatever came back."""
        return merged(self.outcomes.values())

    def columns(self) -> dict[str, Any]:
        """Return columns of `runs`, as far as the rows support them."""
        all_of = self.distribution
        columns: dict[str, Any] = {"requests": all_of.count}
        if all_of.count and all_of.min_ns is not None and all_of.max_ns is not None:
            columns |= {
                "latency_min_s": _s(all_of.min_ns),
                "latency_mean_s": all_of.mean_s(),
                "latency_std_s": all_of.std_s(),
                "latency_max_s": _s(all_of.max_ns),
            }
            quantiles = self._quantiles_s(list(QUANTILE_COLUMNS))
            columns |= dict(zip(QUANTILE_COLUMNS.values(), quantiles, strict=True))
        if self.numbering is not None:
            columns["unrecorded"] = self.numbering.missing
        columns |= self._bytes_columns() | self._time_columns() | self._status_columns()
        methods, urls = ({pair[at] for pair in self.endpoints} - {None} for at in (0, 1))
        if len(urls) == 1 and len(methods) <= 1:
            columns |= {"url": next(iter(urls)), "method": next(iter(methods), None)}
        return columns

    def quantiles(self) -> list[tuple[float, float]]:
        """Return (quantile, latency in s) as far into the tail as there are requests."""
        all_of = self.distribution
        if not all_of.count:
            return []
        asked = [q for q in QUANTILES if q <= 1 - 1 / all_of.count or q in QUANTILE_COLUMNS]
        return list(zip([*asked, 1.0], self._quantiles_s([*asked, 1.0]), strict=True))

    def timeline(self) -> list[dict[str, Any]]:
        """Return rows of the table `timeline`, without `run_id`."""
        return timeline.timeline(self.slices, has_status=bool(self.statuses))

    def cells(self) -> Cells:
        """Return the requests by time slice, endpoint, outcome and latency."""
        cells = Cells.from_slices(self.slices, self.endpoints)
        if self.first_ns is None or not cells.length_ns:
            return cells
        # Slices begin at multiples of their length, since whatever the times are.
        return replace(cells, early_s=self.first_ns % cells.length_ns / 1e9)

    def _quantiles_s(self, asked: Sequence[float]) -> list[float]:
        step = self.latency_step_ns
        latencies = self.distribution.quantiles_s(asked)
        if step == 1:
            return latencies
        # The middle of a bin is no value that a clock of this step shows.
        return [round(latency * 1e9 / step) * step / 1e9 for latency in latencies]

    def _add_counts(self, batch: RequestBatch) -> None:
        kinds = _kinds(batch)
        for kind in np.flatnonzero(np.bincount(kinds)).tolist():
            name = OUTCOMES[kind]
            chosen = kinds == kind
            repeats = None if batch.repeats is None else batch.repeats[chosen]
            part = Distribution.from_latencies(batch.latency_ns[chosen], repeats=repeats)
            self.outcomes[name] = self.outcomes.get(name, Distribution()) + part
        if batch.status is not None:
            status = batch.status.astype(np.int64)
            repeats = batch.repeats
            codes, counts = counted(status) if repeats is None else summed(status, repeats)
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
                self.statuses[code] = self.statuses.get(code, 0) + count
        if batch.started_ns is not None:
            started = batch.started_ns
            ends = started + batch.latency_ns
            self.spread(int(started.min()), int(started.max()), int(ends.max()))
        self.slices += Slices.from_requests(
            batch.latency_ns,
            started_ns=batch.started_ns,
            kinds=kinds,
            endpoints=self._endpoints(batch),
            received=batch.received_bytes,
            repeats=batch.repeats,
            doublings=self.slices.doublings,
        )

    def _endpoints(self, batch: RequestBatch) -> Whole:
        """Return the number of the endpoint of each request."""
        width = len(batch.urls) + 1
        pairs = np.zeros(len(batch), np.int64)
        if batch.method is not None:
            pairs += (batch.method.astype(np.int64) + 1) * width
        if batch.url is not None:
            pairs += batch.url + 1
        if (pairs == pairs[0]).all():
            return np.full(len(pairs), self._number_in(batch, int(pairs[0])))
        order = np.argsort(pairs, kind="stable")
        firsts = firsts_of(pairs[order])
        numbers = np.empty(len(firsts), np.int64)
        for at in np.argsort(order[firsts]).tolist():  # in order of appearance
            numbers[at] = self._number_in(batch, int(pairs[order[firsts[at]]]))
        numbered = np.empty(len(pairs), np.int64)
        numbered[order] = np.repeat(numbers, np.diff(firsts, append=len(pairs)))
        return numbered

    def _number_in(self, batch: RequestBatch, pair: int) -> int:
        method, url = divmod(pair, len(batch.urls) + 1)
        return self.number_of(
            batch.methods[method - 1] if method else None, batch.urls[url - 1] if url else None
        )

    def _add_errors(self, batch: RequestBatch) -> None:
        if batch.error is None:
            return
        codes, counts = counted(batch.error[batch.error >= 0])
        for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
            text = batch.errors[code]
            self.errors[text] = (self.errors.get(text) or 0) + count

    def _bytes_columns(self) -> dict[str, Any]:
        # Damaged sizes may add up to more than a column holds.
        received, sent = (
            total if total is None or abs(total) < 2**63 else None
            for total in (self.received_bytes, self.sent_bytes)
        )
        return {"received_bytes": received, "body_bytes": received, "sent_bytes": sent}

    def _time_columns(self) -> dict[str, Any]:
        if self.first_ns is None or self.end_ns is None or self.last_ns is None:
            return {}
        columns: dict[str, Any] = {}
        if not self.started_relative:
            columns["started_at"] = np.datetime64(self.first_ns, "ns")
        if self.started_step_ns <= _FINE_NS:
            columns["duration_s"] = _s(self.end_ns - self.first_ns)
            columns["wait_s"] = _s(self.end_ns - self.last_ns)
        return columns

    def _status_columns(self) -> dict[str, Any]:
        if not self.statuses:
            return {}
        total = sum(self.statuses.values())
        lost = self.statuses.get(0, 0)
        good = int(self.outcomes.get("success", Distribution()).counts.sum())
        in_200s = sum(n for code, n in self.statuses.items() if 200 <= code < 300)
        columns: dict[str, Any] = {
            "errors": lost,
            "non2xx": total - lost - in_200s,
            "success_ratio": good / total,
        }
        duration = self._time_columns().get("duration_s")
        if duration:
            columns |= {"throughput_rps": (total - lost) / duration, "goodput_rps": good / duration}
        return columns


def _kinds(batch: RequestBatch) -> Whole:
    """Return the outcome of each request as an index into OUTCOMES."""
    if batch.status is None:
        return np.full(len(batch), OUTCOMES.index(""), np.int64)
    good = (batch.status >= 200) & (batch.status < 400)
    if batch.rejected is not None:
        good &= ~batch.rejected
    return np.where(good, 0, np.where(batch.status == 0, 2, 1))


def _sum(first: _Summed | None, second: _Summed | None) -> _Summed | None:
    if first is None or second is None:
        return second if first is None else first
    return first + second


def _total(values: Whole | None) -> int | None:
    return None if values is None else exact_sum(values)


def _s(nanoseconds: float) -> float:
    return nanoseconds / 1e9
