"""The runs in one file, by the attack that their requests name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from benchkit.counting.counter import Counter
from benchkit.counting.grouping import firsts_of
from benchkit.counting.summary import RequestSummary

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from benchkit.parsing import RequestBatch


class Summaries:
    """The summaries of the attacks in one file, the same with machine code and without.

    Attributes:
        errors: The texts of all errors so far, as keys, in order of appearance.
    """

    def __init__(self, *, compiled: bool = False) -> None:
        self._counter = Counter.make() if compiled else None
        self._summaries: dict[str, RequestSummary] = {}
        self._texts: tuple[Sequence[str], int] = ((), 0)
        self.errors: dict[str, None] = {}

    def add(self, batch: RequestBatch) -> None:
        """Fold a batch into the summaries of its attacks."""
        if self._counter is not None and batch.repeats is not None:  # which it does not know
            for part in batch.expanded():
                self.add(part)
            return
        self._note_errors(batch.errors)
        codes = batch.attack
        if codes is None or not len(batch):
            self._add("", batch)
            return
        if (codes == codes[0]).all():
            self._add(batch.attacks[codes[0]] if codes[0] >= 0 else "", batch)
            return
        for code in _distinct(codes):
            self._add(batch.attacks[code] if code >= 0 else "", batch.where(codes == code))

    def by_name(self) -> dict[str, RequestSummary]:
        """Return the summary of each attack that has requests, in order of appearance."""
        if self._counter is not None:
            self._counter.flush()
        there = {name: summary for name, summary in self._summaries.items() if summary.outcomes}
        return in_order(there, self.errors)

    def most_endpoints(self) -> int:
        """Return of how many endpoints an attack has requests, those that are told apart."""
        return max((len(summary.endpoints) for summary in self._summaries.values()), default=0)

    def _note_errors(self, texts: Sequence[str]) -> None:
        """Take in the texts of a list that grows as a file is read, or of another one."""
        known, count = self._texts
        more = texts[count:] if texts is known else texts
        if more:
            self.errors.update(dict.fromkeys(more))
        self._texts = texts, (count if texts is known else 0) + len(more)

    def _add(self, name: str, batch: RequestBatch) -> None:
        summary = self._summaries.setdefault(name, RequestSummary(name=name or None))
        if self._counter is None:
            summary.add(batch)
            return
        counted = self._counter.add(batch, summary)
        if counted < len(batch):
            self._counter.flush(summary)  # its slices are as long as the summary's were until now
            summary.add(batch.since(counted) if counted else batch)


def in_order(
    summaries: Mapping[str, RequestSummary], errors: Iterable[str]
) -> dict[str, RequestSummary]:
    """Return summaries whose errors and statuses stand in an order that no cut of a file changes.

    Args:
        summaries: By attack.
        errors: The texts of all errors of the file, in order of appearance.
    """
    ranks = {text: rank for rank, text in enumerate(errors)}
    for summary in summaries.values():
        summary.errors = dict(sorted(summary.errors.items(), key=lambda item: ranks[item[0]]))
        summary.statuses = dict(sorted(summary.statuses.items()))
    return dict(summaries)


def _distinct(codes: npt.NDArray[np.int32]) -> Iterator[int]:
    """Yield each code once, in order of appearance."""
    order = codes.argsort(kind="stable")
    firsts = order[firsts_of(codes[order])]
    firsts.sort()
    yield from codes[firsts].tolist()
