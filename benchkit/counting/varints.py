"""Whole numbers as few bytes: the differences of neighbours, those near 0 in a byte each.

Cells of a run are many and lie close together, so that most take one byte instead of eight. No
number takes less: what is unpacked is never far larger than what was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole

#: Bits of a number in each of its bytes, the lowest first; the bit above says that more follow.
_BITS: Final = 7
_MORE: Final = 1 << _BITS
_LOW: Final = np.uint64(_MORE - 1)
_LONGEST: Final = 10


def written(numbers: Whole) -> bytes:
    """Return numbers of 64 bits as bytes."""
    steps = numbers.astype(np.int64)
    steps[1:] -= numbers[:-1]
    folded = ((steps << 1) ^ (steps >> 63)).view(np.uint64)  # 0, -1, 1, -2 to 0, 1, 2, 3
    sizes = np.ones(len(folded), np.int64)
    rest = np.flatnonzero(folded >= _MORE)
    longer = [rest]  # which numbers have a second byte, a third …
    while len(rest):
        sizes[rest] += 1
        rest = rest[folded[rest] >> np.uint64(_BITS * len(longer)) >= _MORE]
        longer.append(rest)
    starts = np.cumsum(sizes) - sizes
    out = np.empty(int(sizes.sum()), np.uint8)
    out[starts] = folded & _LOW
    for at, there in enumerate(longer):
        out[starts[there] + at] |= np.uint8(_MORE)
        out[starts[there] + at + 1] = folded[there] >> np.uint64(_BITS * (at + 1)) & _LOW
    return out.tobytes()


def read(data: bytes) -> Whole:
    """Return the numbers in some bytes.

    Raises:
        ValueError: no numbers of 64 bits are written so.
    """
    stored = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(stored < _MORE)
    if len(stored) and stored[-1] >= _MORE:
        raise ValueError("a number that is cut off")
    starts = np.append(0, ends[:-1] + 1)[: len(ends)]
    sizes = ends - starts + 1
    longest = int(sizes.max(initial=0))
    if longest > _LONGEST or (stored[ends[sizes == _LONGEST]] > 1).any():
        raise ValueError("a number of more than 64 bits")
    folded = (stored[starts] & np.uint8(_MORE - 1)).astype(np.uint64)
    there = np.flatnonzero(sizes > 1)
    for at in range(1, longest):
        byte = stored[starts[there] + at] & np.uint8(_MORE - 1)
        folded[there] |= byte.astype(np.uint64) << np.uint64(_BITS * at)
        there = there[sizes[there] > at + 1]
    halves, odd = (folded >> np.uint64(1)).view(np.int64), (folded & np.uint64(1)).view(np.int64)
    return np.cumsum(halves ^ -odd)
