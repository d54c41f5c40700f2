"""Counts large batches of requests by machine code, for one summary at a time."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit import counting
from benchkit.distribution import Distribution
from benchkit.slices import ENDPOINTS, OTHER, OUTCOMES, Slices

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.parsing import RequestBatch
    from benchkit.summary import RequestSummary

#: Batches below this are counted by numpy: emptying the counter costs as much.
ENOUGH: Final = 4096
_MOST_PAIRS: Final = 2**20
_NONE: Final = np.zeros(1, np.int32)
_NOTHING: Final = np.zeros(1, np.int64)


class Counter:
    """Counts for one summary at a time; `flush` adds the counts to it."""

    def __init__(self, call: Any) -> None:  # noqa: ANN401 - machine code
        self._call = call
        self._owner: RequestSummary | None = None
        self._names: tuple[Sequence[str], ...] = ()
        self._counts = (-1, -1)
        self._numbers_of = np.full(1, -1, np.int64)
        self._fine = np.zeros((len(OUTCOMES), counting.BINS), np.int64)
        self._statuses = np.zeros(counting.STATUSES, np.int64)
        self._keys = np.full(counting.SLOTS, -1, np.int64)
        self._values = np.zeros(counting.SLOTS, np.int64)
        self._reset()

    @classmethod
    def make(cls) -> Counter | None:
        """Return a counter, None where there is no compiler."""
        call = counting.load()
        return None if call is None else cls(call)

    def add(self, batch: RequestBatch, to: RequestSummary) -> bool:
        """Count a batch for a summary; False if it is one for numpy."""
        if len(batch) < ENOUGH or not _fits(batch):
            return False
        if self._owner is not to:
            self.flush()
            self._owner, self._counts = to, (-1, -1)
        if batch.started_ns is None:
            to.slices.timed = False
        self._take_names(batch, to)
        given = _arguments(batch, len(batch), to.slices.length_ns)
        options = given[-1]
        options[8], options[9] = len(batch.urls) + 1, len(self._numbers_of)
        parts = (*given, self._numbers_of, self._fine, self._sums, self._statuses)
        while True:
            options[0] = self._call(*parts, self._keys, self._values, self._numbers)
            row = int(options[0])
            if row == len(batch):
                break
            if self._numbers[0] >= counting.FULL:
                self._empty_table(to)
                options[2] = to.slices.length_ns
            else:
                self._name_endpoint(batch, row, to)
        return True

    def flush(self) -> None:
        """Add what is counted to its summary."""
        to = self._owner
        if to is None:
            return
        self._empty_table(to)
        for at, name in enumerate(OUTCOMES):
            part = _distribution(self._fine[at], self._sums[at])
            if part.count:
                to.outcomes[name] = to.outcomes.get(name, Distribution()) + part
        for code in np.flatnonzero(self._statuses).tolist():
            to.statuses[code] = to.statuses.get(code, 0) + int(self._statuses[code])
        _, first, last, end = self._numbers.tolist()
        if end >= 0:
            to.spread(first, last, end)
        self._fine[:] = 0
        self._statuses[:] = 0
        self._reset()
        self._owner = None

    def _reset(self) -> None:
        self._sums = np.zeros((len(OUTCOMES), counting.SUMS), np.int64)
        self._sums[:, 8:] = 2**63 - 1, -1
        self._numbers = np.array([0, 2**63 - 1, -1, -1], np.int64)

    def _empty_table(self, to: RequestSummary) -> None:
        used = np.flatnonzero(self._keys >= 0)
        order = used[np.argsort(self._keys[used])]
        keys, values = self._keys[order], self._values[order]
        to.slices += Slices(to.slices.doublings, keys, values, timed=to.slices.timed)
        self._keys[used] = -1
        self._numbers[0] = 0

    def _take_names(self, batch: RequestBatch, to: RequestSummary) -> None:
        """Make a place for every pair of a method and a URL, as far as they are known now."""
        names = (batch.methods, batch.urls)
        counts = (len(batch.methods), len(batch.urls))
        if self._counts == counts and all(map(operator.is_, names, self._names)):
            return
        unknown = OTHER if len(to.endpoints) == ENDPOINTS else -1
        self._names, self._counts = names, counts
        self._numbers_of = np.full((counts[0] + 1) * (counts[1] + 1), unknown, np.int64)
        if not to.endpoints:
            return
        methods, urls = ({None: -1} | {text: n for n, text in enumerate(one)} for one in names)
        for (method, url), number in to.endpoints.items():
            if method in methods and url in urls:
                pair = (methods[method] + 1) * (counts[1] + 1) + urls[url] + 1
                self._numbers_of[pair] = number

    def _name_endpoint(self, batch: RequestBatch, row: int, to: RequestSummary) -> None:
        method = -1 if batch.method is None else int(batch.method[row])
        url = -1 if batch.url is None else int(batch.url[row])
        pair = (method + 1) * (len(batch.urls) + 1) + url + 1
        self._numbers_of[pair] = to.number_of(_text(batch.methods, method), _text(batch.urls, url))
        if len(to.endpoints) == ENDPOINTS:
            self._numbers_of[self._numbers_of < 0] = OTHER


def _arguments(batch: RequestBatch, size: int, length_ns: int) -> list[npt.NDArray[Any]]:
    """Return the columns as the loop takes them, and its options."""
    given = (batch.started_ns, batch.status, batch.method, batch.url, batch.received_bytes)
    kinds = (np.int64, np.int32, np.int32, np.int32, np.int64)
    absent = (_NOTHING, _NONE, _NONE, _NONE, _NOTHING)
    found: list[Any] = [
        missing if one is None else np.ascontiguousarray(one, kind)
        for one, kind, missing in zip(given, kinds, absent, strict=True)
    ]
    there = [int(one is not None) for one in given]
    options = np.array([0, size, length_ns, *there, 0, 0], np.int64)
    return [np.ascontiguousarray(batch.latency_ns, np.int64), *found, options]


def _fits(batch: RequestBatch) -> bool:
    """Whether all values are such as the loop takes."""
    most = int(batch.latency_ns.max())
    good = int(batch.latency_ns.min()) >= 0 and most < counting.LATENCIES
    good &= (len(batch.methods) + 1) * (len(batch.urls) + 1) <= _MOST_PAIRS
    if batch.status is not None:
        good &= int(batch.status.min()) >= 0 and int(batch.status.max()) < counting.STATUSES
    if batch.started_ns is not None:
        latest = int(batch.started_ns.max()) + most
        good &= int(batch.started_ns.min()) >= 0 and latest < 2**63
    return good


def _distribution(counts: npt.NDArray[np.int64], sums: npt.NDArray[np.int64]) -> Distribution:
    bins = np.flatnonzero(counts)
    if not len(bins):
        return Distribution()
    low, high, *squares, smallest, largest = sums.tolist()
    small, mixed, large = (squares[n] + (squares[n + 1] << 32) for n in (0, 2, 4))
    return Distribution(
        bins=bins,
        counts=counts[bins],
        total_ns=low + (high << 32),
        squares_ns2=small + (mixed << 32) + (large << 62),
        min_ns=smallest,
        max_ns=largest,
    )


def _text(names: Sequence[str], code: int) -> str | None:
    return names[code] if code >= 0 else None
