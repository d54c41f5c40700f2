"""The runs in one file, by the attack that their requests name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchkit.counting.counter import Counter
from benchkit.counting.grouping import counted
from benchkit.counting.summary import RequestSummary

if TYPE_CHECKING:
    from benchkit.parsing import RequestBatch


class Summaries:
    """The summaries of the attacks in one file, the same with machine code and without."""

    def __init__(self, *, compiled: bool = False) -> None:
        self._counter = Counter.make() if compiled else None
        self._summaries: dict[str, RequestSummary] = {}

    def add(self, batch: RequestBatch) -> None:
        """Fold a batch into the summaries of its attacks."""
        if self._counter is not None and batch.repeats is not None:  # which it does not know
            for part in batch.expanded():
                self.add(part)
            return
        codes = batch.attack
        if codes is None or not len(batch):
            self._add("", batch)
            return
        if (codes == codes[0]).all():
            self._add(batch.attacks[codes[0]] if codes[0] >= 0 else "", batch)
            return
        for code in counted(codes)[0].tolist():
            self._add(batch.attacks[code] if code >= 0 else "", batch.where(codes == code))

    def by_name(self) -> dict[str, RequestSummary]:
        """Return the summary of each attack that has requests, in order of appearance."""
        if self._counter is not None:
            self._counter.flush()
        return {name: summary for name, summary in self._summaries.items() if summary.outcomes}

    def _add(self, name: str, batch: RequestBatch) -> None:
        summary = self._summaries.setdefault(name, RequestSummary(name=name or None))
        if self._counter is None:
            summary.add(batch)
            return
        counted = self._counter.add(batch, summary)
        if counted < len(batch):
            self._counter.flush(summary)  # its slices are as long as the summary's were until now
            summary.add(batch.since(counted) if counted else batch)
