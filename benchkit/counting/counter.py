"""Counts large batches of requests by machine code, for one summary at a time."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.counting import gathering, loop, merging
from benchkit.counting.distribution import Distribution
from benchkit.counting.numbering import Numbering
from benchkit.counting.slices import ENDPOINTS, MOST_SLICES, OTHER, OUTCOMES, Slices
from benchkit.runtime import jit

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.arrays import Whole
    from benchkit.counting.summary import RequestSummary
    from benchkit.parsing import RequestBatch

#: A batch below this is counted by numpy, unless it is the second of one summary in turn: emptying
#: the counter costs as much.
ENOUGH: Final = 4096
_MOST_PAIRS: Final = 2**20
_NONE: Final = np.zeros(1, np.int32)
_NOTHING: Final = np.zeros(1, np.int64)
#: Columns that a batch may have, as the loop takes them, and what stands for an absent one.
_COLUMNS: Final = (
    ("started_ns", np.int64, _NOTHING),
    *((name, np.int32, _NONE) for name in ("status", "method", "url", "error")),
    *((name, np.int64, _NOTHING) for name in ("received_bytes", "sent_bytes", "seq")),
)
#: Options by which the loop empties its table.
_EMPTY: Final = np.array([-1, *[0] * 11], np.int64)
_FEW: Final = 1024
#: Cells that are put aside before they are added to those of the run.
_ASIDE: Final = loop.CELLS // 2
_ORDER: Final = 2**17  # numbers of requests that are looked at together


class Counter:
    """Counts for one summary at a time, by the loop as machine code; `flush` adds the counts."""

    def __init__(self, call: jit.Call) -> None:
        self._call = call
        self._seed = secrets.randbits(63) | 1
        self._owner: RequestSummary | None = None
        self._before: RequestSummary | None = None
        self._names: tuple[Sequence[str], ...] = ()
        self._counts = (-1, -1)
        self._numbers_of = np.full(1, -1, np.int64)
        self._fine = np.zeros((len(OUTCOMES), loop.BINS), np.int64)
        self._statuses = np.zeros(loop.STATUSES, np.int64)
        self._texts: Sequence[str] = ()
        self._errors = np.zeros(_FEW, np.int64)
        self._order = np.empty(_ORDER, np.int64)
        self._newest = np.zeros(loop.WITHIN, np.int64)
        self._marks = np.zeros(loop.MARKS, np.int64)
        self._cells = np.empty((2, loop.CELLS), np.int64)
        self._table = np.full((loop.SLOTS, 2), -1, np.int64)
        self._aside: list[Slices] = []
        self._aside_cells = 0
        self._aside_slices = 0
        self._reset()

    @classmethod
    def make(cls) -> Counter | None:
        """Return a counter, None where there is no compiler."""
        code = loop.load()
        gathering.load()
        merging.load()
        return None if code is None else cls(code.caller())

    def add(self, batch: RequestBatch, to: RequestSummary) -> int:
        """Count a batch for a summary; return how many rows: the others are for numpy."""
        counts = (len(batch.methods), len(batch.urls))  # whoever reads ahead makes them grow
        if not len(batch) or (counts[0] + 1) * (counts[1] + 1) > _MOST_PAIRS:
            return 0
        if self._owner is not to or self._texts is not batch.errors:
            if len(batch) < ENOUGH and self._before is not to:
                self._before = to
                return 0
            self.flush()
            self._owner, self._counts, self._texts = to, (-1, -1), batch.errors
        self._make_room(batch, to)
        self._take_names(batch, counts, to)
        *columns, options = _arguments(batch, to.slices.length_ns, counts[1] + 1)
        while True:
            row = self._call(*columns, options, *self._room())
            if row == len(batch):
                return row
            if self._numbers[0] >= loop.FULL or self._numbers[11] >= loop.CELLS:
                self._empty_table(to)
                options[2] = to.slices.length_ns
            elif not self._name_endpoint(batch, row, to):
                return row
            options[0] = row

    def flush(self, only: RequestSummary | None = None) -> None:
        """Add what is counted to its summary; with `only`, if it is that one."""
        to = self._owner
        if to is None or (only is not None and only is not to):
            return
        self._empty_table(to)
        self._add_slices(to)
        self._take_order(to)
        for at, name in enumerate(OUTCOMES):
            part = _distribution(self._fine[at], self._sums[at])
            if part.count:
                to.outcomes[name] = to.outcomes.get(name, Distribution()) + part
        for code in np.flatnonzero(self._statuses).tolist():
            to.statuses[code] = to.statuses.get(code, 0) + int(self._statuses[code])
        for code in np.flatnonzero(self._errors).tolist():
            text = self._texts[code]
            to.errors[text] = (to.errors.get(text) or 0) + int(self._errors[code])
        _, first, last, end, _, *sizes = self._numbers.tolist()
        if end >= 0:
            to.spread(first, last, end)
        bytes_of = zip(sizes[::2], sizes[1::2], self._sized, strict=False)
        to.transferred(*(low + (high << 32) if known else None for low, high, known in bytes_of))
        for counts in (self._fine, self._statuses, self._errors):
            counts[:] = 0
        self._reset()
        self._owner = None

    def _room(self) -> Sequence[Whole]:
        """Return where the loop counts."""
        counts = (self._fine, self._sums, self._statuses, self._errors, self._order)
        slices = (self._newest, self._marks, self._cells, self._table)
        return (self._numbers_of, *counts, *slices, self._numbers)

    def _reset(self) -> None:
        self._sums = np.zeros((len(OUTCOMES), loop.SUMS), np.int64)
        self._sums[:, 8:] = 2**63 - 1, -1
        self._numbers = np.array([0, 2**63 - 1, -1, -1, *[0] * 5, self._seed, -1, 0, 0], np.int64)
        self._sized = [False, False]

    def _make_room(self, batch: RequestBatch, to: RequestSummary) -> None:
        """Make ready for what a batch has."""
        to.started_step_ns = batch.started_step_ns
        to.started_relative = batch.started_relative
        if batch.started_ns is None:
            to.slices.timed = False
        self._sized[0] |= batch.received_bytes is not None
        self._sized[1] |= batch.sent_bytes is not None
        if len(batch.errors) > len(self._errors):
            more = np.zeros(2 * len(batch.errors), np.int64)
            more[: len(self._errors)] = self._errors
            self._errors = more
        if self._numbers[4] + len(batch) > len(self._order):
            self._take_order(to)
            self._order = np.empty(max(len(batch), _ORDER), np.int64)

    def _take_order(self, to: RequestSummary) -> None:
        numbers = self._order[: self._numbers[4]]
        if len(numbers):
            to.numbering = (to.numbering or Numbering()) + Numbering.from_numbers(numbers)
        self._numbers[4] = 0

    def _empty_table(self, to: RequestSummary) -> None:
        """Put the cells aside, and add what lies there to the slices where it is as much."""
        nothing = (_NOTHING, _NOTHING, *[_NONE] * 4, *[_NOTHING] * 3)
        count = self._call(*nothing, _EMPTY, *self._room())
        like, written = to.slices, int(self._numbers[12])
        # Where the loop writes again soon: what is kept longer has to be copied.
        keys, values = self._cells[:, :written]
        newest = Slices(like.doublings, keys, values, timed=like.timed)
        others = Slices.from_cells(like, *self._table[:count].T.copy())
        self._table.fill(-1)
        self._numbers[11:] = 0
        self._aside_cells += written + count
        self._aside_slices += max(len(newest.distinct), len(others.distinct))
        self._aside += [newest, others]
        kept = newest
        if self._aside_cells > _ASIDE or self._aside_slices > MOST_SLICES:
            self._add_slices(to)
            kept = to.slices
        if kept.keys is keys:
            kept.keys, kept.values = keys.copy(), values.copy()

    def _add_slices(self, to: RequestSummary) -> None:
        if not self._aside:
            return
        parts, self._aside, self._aside_cells = [*self._aside, to.slices], [], 0
        to.slices = Slices(timed=to.slices.timed)  # the others are given away
        to.slices = Slices.total(parts)
        self._aside_slices = len(to.slices.distinct)

    def _take_names(self, batch: RequestBatch, counts: tuple[int, int], to: RequestSummary) -> None:
        """Make a place for every pair of a method and a URL, of so many of each."""
        names = (batch.methods, batch.urls)
        if self._counts == counts and all(map(operator.is_, names, self._names)):
            return
        unknown = OTHER if len(to.endpoints) == ENDPOINTS else -1
        self._names, self._counts = names, counts
        self._numbers_of = np.full((counts[0] + 1) * (counts[1] + 1), unknown, np.int64)
        if not to.endpoints:
            return
        methods, urls = (
            _codes_of(texts[:count]) for texts, count in zip(names, counts, strict=True)
        )
        for (method, url), number in to.endpoints.items():
            for method_code in methods.get(method, ()):
                for url_code in urls.get(url, ()):
                    pair = (method_code + 1) * (counts[1] + 1) + url_code + 1
                    self._numbers_of[pair] = number

    def _name_endpoint(self, batch: RequestBatch, row: int, to: RequestSummary) -> bool:
        """Give the endpoint of a row a number; False if it has one."""
        method = -1 if batch.method is None else int(batch.method[row])
        url = -1 if batch.url is None else int(batch.url[row])
        counts = self._counts
        pair = (method + 1) * (counts[1] + 1) + url + 1
        if self._numbers_of[pair] >= 0:
            return False
        self._numbers_of[pair] = to.number_of(_text(batch.methods, method), _text(batch.urls, url))
        if len(to.endpoints) == ENDPOINTS:
            self._counts = (-1, -1)  # now every pair has a number
            self._take_names(batch, counts, to)
        return True


def _arguments(batch: RequestBatch, length_ns: int, pairs: int) -> list[npt.NDArray[Any]]:
    """Return the columns as the loop takes them, and its options."""
    columns: list[Any] = [np.ascontiguousarray(batch.latency_ns, np.int64)]
    there = []
    for name, kind, absent in _COLUMNS:
        column = getattr(batch, name)
        there.append(int(column is not None))
        columns.append(absent if column is None else np.ascontiguousarray(column, kind))
    options = np.array([0, len(batch), length_ns, *there, pairs], np.int64)
    return [*columns, options]


def _distribution(counts: Whole, sums: Whole) -> Distribution:
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


def _codes_of(texts: Sequence[str]) -> dict[str | None, list[int]]:
    """Return the codes of each text; different bytes may be shown as the same."""
    codes: dict[str | None, list[int]] = {None: [-1]}
    for code, text in enumerate(texts):
        codes.setdefault(text, []).append(code)
    return codes


def _text(names: Sequence[str], code: int) -> str | None:
    return names[code] if code >= 0 else None
