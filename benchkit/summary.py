"""Requests to the summary of their run: counts, quantiles, a line per second.

Batches are folded in one after another, so that memory does not grow with the
number of requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.distribution import Distribution, bin_of, bounds_of, merged
from benchkit.schema import QUANTILE_COLUMNS

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.parsing import RequestBatch

OUTCOMES: Final = ("success", "http-error", "no-response")
#: Quantiles that are computed for runs with a row per request.
QUANTILES: Final = (
    *(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.66, 0.75, 0.8, 0.9, 0.95, 0.975, 0.98, 0.99),
    *(0.995, 0.999, 0.9999, 0.99999),
)
_SECOND: Final = 1_000_000_000
_COARSE: Final = 7  # log2 of the bins per power of two within one second
_STRIDE: Final = 1 << 20
_MAX_SECONDS: Final = 200_000  # beyond this, seconds without any event get no row


@dataclass
class _Seconds:
    """Counts per second, sparse: key is the second since `origin`."""

    origin: int
    counts: dict[str, dict[int, int]] = field(default_factory=dict)
    bins: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    weights: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    largest: dict[int, int] = field(default_factory=dict)

    def add(
        self,
        name: str,
        seconds: npt.NDArray[np.int64],
        weights: npt.NDArray[np.int64] | None = None,
    ) -> None:
        if not len(seconds):
            return
        keys, where = np.unique(seconds, return_inverse=True)
        totals = np.zeros(len(keys), np.int64)
        np.add.at(totals, where, 1 if weights is None else weights)
        into = self.counts.setdefault(name, {})
        for key, total in zip(keys.tolist(), totals.tolist(), strict=True):
            into[key] = into.get(key, 0) + total

    def add_latencies(self, seconds: npt.NDArray[np.int64], ns: npt.NDArray[np.int64]) -> None:
        keys = (seconds + _STRIDE) * _STRIDE + bin_of(ns, precision=_COARSE)
        merged_keys, where = np.unique(np.concatenate([self.bins, keys]), return_inverse=True)
        weights = np.zeros(len(merged_keys), np.int64)
        ones = np.ones(len(keys), np.int64)
        np.add.at(weights, where, np.concatenate([self.weights, ones]))
        self.bins, self.weights = merged_keys, weights
        order = np.argsort(seconds, kind="stable")
        firsts = np.flatnonzero(np.diff(seconds[order], prepend=np.int64(-_STRIDE)))
        for second, top in zip(
            seconds[order][firsts].tolist(),
            np.maximum.reduceat(ns[order], firsts).tolist(),
            strict=True,
        ):
            self.largest[second] = max(self.largest.get(second, 0), top)


@dataclass
class RequestSummary:
    """What is kept of the requests of one run.

    Attributes:
        outcomes: Latencies by what came back; under "" where that is not known.
        latency_step_ns: Smallest step of a latency in the format.
    """

    name: str | None = None
    outcomes: dict[str, Distribution] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    errors: dict[str, int | None] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)
    urls: set[str] = field(default_factory=set)
    received_bytes: int | None = None
    sent_bytes: int | None = None
    first_ns: int | None = None
    last_ns: int | None = None
    end_ns: int | None = None
    started_step_ns: int = 1
    latency_step_ns: int = 1
    seconds: _Seconds | None = None

    def add(self, batch: RequestBatch) -> None:
        """Fold in a batch whose rows all belong to this run."""
        for name, mask in _outcomes(batch):
            part = Distribution.of(batch.latency_ns[mask])
            self.outcomes[name] = self.outcomes.get(name, Distribution()) + part
        if batch.status is not None:
            _count_into(self.statuses, *np.unique(batch.status, return_counts=True))
        self._add_strings(batch)
        self._add_bytes(batch)
        if batch.started_ns is not None and len(batch):
            self._add_times(batch, batch.started_ns)

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
        columns |= self._bytes_columns() | self._time_columns() | self._status_columns()
        if len(self.urls) == 1 and len(self.methods) <= 1:
            columns |= {"url": next(iter(self.urls)), "method": next(iter(self.methods), None)}
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
        return (
            [] if self.seconds is None else _timeline(self.seconds, has_status=bool(self.statuses))
        )

    def histogram(self) -> list[dict[str, Any]]:
        """Return rows of the table `histogram`, without `run_id`."""
        rows: list[dict[str, Any]] = []
        for outcome, part in self.outcomes.items():
            low, high = bounds_of(part.bins)
            rows += [
                {
                    "outcome": outcome or None,
                    "latency_low_s": _s(a),
                    "latency_high_s": _s(b),
                    "count": n,
                }
                for a, b, n in zip(low.tolist(), high.tolist(), part.counts.tolist(), strict=True)
            ]
        return rows

    def _quantiles_s(self, asked: Sequence[float]) -> list[float]:
        step = self.latency_step_ns
        found = self.distribution.quantiles_s(asked)
        if step == 1:
            return found
        # The middle of a bin is no value that a clock of this step shows.
        return [round(latency * 1e9 / step) * step / 1e9 for latency in found]

    def _add_strings(self, batch: RequestBatch) -> None:
        for codes, names, into in (
            (batch.method, batch.methods, self.methods),
            (batch.url, batch.urls, self.urls),
        ):
            if codes is not None:
                into.update(names[code] for code in np.unique(codes).tolist() if code >= 0)
        if batch.error is not None:
            codes, counts = np.unique(batch.error[batch.error >= 0], return_counts=True)
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
                text = batch.errors[code]
                self.errors[text] = (self.errors.get(text) or 0) + count

    def _add_bytes(self, batch: RequestBatch) -> None:
        if batch.received_bytes is not None:
            self.received_bytes = (self.received_bytes or 0) + int(batch.received_bytes.sum())
        if batch.sent_bytes is not None:
            self.sent_bytes = (self.sent_bytes or 0) + int(batch.sent_bytes.sum())

    def _add_times(self, batch: RequestBatch, started: npt.NDArray[np.int64]) -> None:
        ends = started + batch.latency_ns
        self.started_step_ns = batch.started_step_ns
        self.first_ns = min(int(started.min()), self.first_ns or int(started.min()))
        self.last_ns = max(int(started.max()), self.last_ns or 0)
        self.end_ns = max(int(ends.max()), self.end_ns or 0)
        if self.seconds is None:
            self.seconds = _Seconds(self.first_ns)
        at = (started - self.seconds.origin) // _SECOND
        self.seconds.add("requests", at)
        self.seconds.add("ended", (ends - self.seconds.origin) // _SECOND)
        self.seconds.add_latencies(at, batch.latency_ns)
        if batch.status is not None:
            self.seconds.add("errors", at[batch.status == 0])
            failed = (batch.status != 0) & ~_is_success(batch.status)
            self.seconds.add("http_errors", at[failed])
        if batch.received_bytes is not None:
            self.seconds.add("received_bytes", at, batch.received_bytes)

    def _bytes_columns(self) -> dict[str, Any]:
        return {
            "received_bytes": self.received_bytes,
            "body_bytes": self.received_bytes,
            "sent_bytes": self.sent_bytes,
        }

    def _time_columns(self) -> dict[str, Any]:
        if self.first_ns is None or self.end_ns is None or self.last_ns is None:
            return {}
        columns: dict[str, Any] = {"started_at": np.datetime64(self.first_ns, "ns")}
        if self.started_step_ns == 1:
            columns["duration_s"] = _s(self.end_ns - self.first_ns)
            columns["wait_s"] = _s(self.end_ns - self.last_ns)
        return columns

    def _status_columns(self) -> dict[str, Any]:
        if not self.statuses:
            return {}
        total = sum(self.statuses.values())
        lost = self.statuses.get(0, 0)
        good = sum(n for code, n in self.statuses.items() if 200 <= code < 400)
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


def summarise(batch: RequestBatch, into: dict[str, RequestSummary]) -> None:
    """Fold a batch into the summaries of its attacks, keyed by attack name."""
    if batch.attack is None or not len(batch):
        into.setdefault("", RequestSummary()).add(batch)
        return
    for code in np.unique(batch.attack).tolist():
        name = batch.attacks[code] if code >= 0 else ""
        part = batch if (batch.attack == code).all() else batch.where(batch.attack == code)
        into.setdefault(name, RequestSummary(name=name or None)).add(part)


def _outcomes(batch: RequestBatch) -> list[tuple[str, npt.NDArray[np.bool_]]]:
    if batch.status is None:
        return [("", np.ones(len(batch), np.bool_))]
    good, lost = _is_success(batch.status), batch.status == 0
    masks = zip(OUTCOMES, (good, ~good & ~lost, lost), strict=True)
    return [(name, mask) for name, mask in masks if mask.any()]


def _is_success(status: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    return (status >= 200) & (status < 400)


def _count_into(
    into: dict[int, int], keys: npt.NDArray[np.int32], counts: npt.NDArray[np.int64]
) -> None:
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        into[key] = into.get(key, 0) + count


def _timeline(seconds: _Seconds, *, has_status: bool) -> list[dict[str, Any]]:
    sent = seconds.counts.get("requests", {})
    ended = seconds.counts.get("ended", {})
    quantiles = _second_quantiles(seconds)
    start, rows, open_requests = min(sent), [], 0
    every = range(start, max(ended) + 1)
    for second in every if len(every) <= _MAX_SECONDS else sorted({*sent, *ended}):
        open_requests += sent.get(second, 0) - ended.get(second, 0)
        row: dict[str, Any] = {
            "second": second - start,
            "requests": sent.get(second, 0),
            "in_flight": open_requests,
        }
        for name in ("errors", "http_errors"):
            row[name] = seconds.counts.get(name, {}).get(second, 0) if has_status else None
        if "received_bytes" in seconds.counts:
            row["received_bytes"] = seconds.counts["received_bytes"].get(second, 0)
        rows.append(row | quantiles.get(second, {}))
    return rows


def _second_quantiles(seconds: _Seconds) -> dict[int, dict[str, float]]:
    at = seconds.bins // _STRIDE - _STRIDE
    starts = np.flatnonzero(np.diff(at, prepend=np.int64(-2 * _STRIDE)))
    found = {}
    for start, stop in zip(starts, [*starts[1:], len(at)], strict=True):
        second = int(at[start])
        cumulated = np.cumsum(seconds.weights[start:stop])
        top = seconds.largest[second]
        ranks = np.ceil(np.array([0.5, 0.9, 0.99]) * cumulated[-1] - 1e-9)
        where = np.minimum(np.searchsorted(cumulated, ranks), len(cumulated) - 1)
        low, high = bounds_of((seconds.bins[start:stop] % _STRIDE)[where], precision=_COARSE)
        middle = np.minimum((low + high) / 2, top).tolist()
        names = ("latency_p50_s", "latency_p90_s", "latency_p99_s")
        found[second] = dict(zip(names, (_s(ns) for ns in middle), strict=True))
        found[second]["latency_max_s"] = _s(top)
    return found


def _s(nanoseconds: float) -> float:
    return nanoseconds / 1e9


def names_of(codes: Sequence[int], names: Sequence[str]) -> list[str | None]:
    """Return the names behind codes; -1 is None."""
    return [names[code] if code >= 0 else None for code in codes]
