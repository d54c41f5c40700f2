"""What one repeat of all variants takes: runs with their starts, warm-ups and pauses."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter

from benchkit.compare.blocks import Block
from benchkit.model.run import Run


@dataclass(frozen=True, slots=True)
class Cost:
    """What one repeat of all variants takes.

    Attributes:
        runs: In a block, copies included.
        run_s: Median length of what is measured in a run; None where no run tells it.
        block_s: From the start of a block to that of the next; None likewise.
        whole: Whether that counts pauses, starts and warm-ups, as the times of the runs have them.
    """

    runs: int
    run_s: float | None
    block_s: float | None
    whole: bool

    def doubled(self) -> Cost:
        """Return what a repeat takes with as many runs of another variant."""
        block_s = None if self.block_s is None else 2 * self.block_s
        return replace(self, runs=2 * self.runs, block_s=block_s)

    def minutes(self, repeats: int, factor: float = 1.0) -> float | None:
        """Return the minutes of so many blocks whose runs are so many times as long."""
        if self.block_s is None:
            return None
        return repeats * (self.block_s + (factor - 1) * self.runs * (self.run_s or 0.0)) / 60


def cost_of(block: Block, runs: Sequence[Run]) -> Cost:
    """Return what one repeat of all variants of a block takes.

    Args:
        block: What is compared.
        runs: All of its scenario and tool: the next run in time may be one of another setting.
    """
    lengths = [length for run in runs if (length := run.number("duration_s")) is not None]
    cycles = dict(_cycles(runs))
    block_s, whole = 0.0, True
    for variant in block.variants:
        own = [cycles[run.run_id] for run in variant.runs if run.run_id in cycles]
        whole &= bool(own)
        own = own or [each for run in variant.runs if (each := run.number("duration_s"))]
        if not own:
            return Cost(len(block.variants), None, None, whole=False)
        block_s += statistics.median(own)
    run_s = statistics.median(lengths) if lengths else None
    return Cost(len(block.variants), run_s, block_s, whole)


def _cycles(runs: Sequence[Run]) -> Iterator[tuple[str, float]]:
    """Yield per run the seconds from its start to that of the next; the last has none."""
    timed = [(began_s, run) for run in runs if (began_s := run.started_s) is not None]
    timed.sort(key=itemgetter(0))
    for (began_s, run), (next_s, _) in pairwise(timed):
        if next_s - began_s >= (run.number("duration_s") or 0.0):  # else they ran at once
            yield run.run_id, next_s - began_s
