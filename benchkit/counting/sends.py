"""When the requests of a run were sent, by their numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole
    from benchkit.parsing import RequestBatch


_NONE: Final = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Sends:
    """Number, instant and latency of each request of a run, in the order of its file."""

    seq: Whole
    started_ns: Whole
    latency_ns: Whole


def sends_of(batches: Iterable[RequestBatch]) -> Sends | None:
    """Return those of some batches, None where one lacks numbers or times."""
    listed = [(_NONE, _NONE, _NONE)]
    for batch in batches:
        if batch.seq is None or batch.started_ns is None:
            return None
        listed.append((batch.seq, batch.started_ns, batch.latency_ns))
    return Sends(*map(np.concatenate, zip(*listed, strict=True)))
