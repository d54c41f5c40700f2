"""Which rows of JMeter's results are parts of the sample in another row.

Of a followed redirect, or a page with what it embeds, JMeter writes the sum and then its parts:
LABEL, LABEL-0, LABEL-1, …, where a part may have parts of its own, LABEL-0-0. A sampler may be
called so as well. A row is a part where its thread's row before is that of the sum or of the part
before, and it lies within the time of the sum: what else the thread sends lies behind that.

Source: Apache JMeter 5.6.3 `core/.../samplers/SampleResult.java` (storeSubResult),
`save/CSVSaveService.java` (saveSampleResult: the sum first), `http/.../HTTPSamplerBase.java`
(followRedirects, downloadPageResources).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Whole = npt.NDArray[np.int64]

_PART: Final = re.compile(r"(.*)-([0-9]{1,6})", re.DOTALL)
#: Parts of parts of … that are looked for.
_DEEPEST: Final = 4
#: Start and end are of two clocks, each rounded down to a millisecond.
_SLACK_NS: Final = 1_000_000


class Parts:
    """Finds the parts among rows that come in stretches, in the order of the file."""

    def __init__(self) -> None:
        self._seen = 0
        self._codes: dict[str, int] = {}
        self._before: list[int] = []
        self._first: list[bool] = []
        self._depth: list[int] = []
        self._kept: tuple[Whole, ...] | None = None

    @property
    def possible(self) -> bool:
        """Whether a label so far is that of a first part; without one there is no other."""
        return any(self._first)

    def among(
        self, labels: Whole, threads: Whole, started: Whole, ended: Whole, texts: Sequence[str]
    ) -> npt.NDArray[np.bool_]:
        """Return which rows are parts.

        Args:
            labels: Codes into `texts`.
            threads: Codes of threads, all 0 where they are not known.
            started: When the samples began, in ns.
            ended: When they ended.
            texts: All labels so far.
        """
        import numpy as np

        self._learn(texts)
        columns: tuple[Whole, ...] = (labels, threads, started, ended)
        if not any(self._depth):
            self._keep_last(columns)
            return np.zeros(len(labels), np.bool_)
        before = 0
        if self._kept is not None:
            before = len(self._kept[0])
            joined = zip(self._kept, columns, strict=True)
            columns = tuple(np.concatenate(pair) for pair in joined)
        order = np.argsort(columns[1], kind="stable")
        is_part = np.zeros(len(order), np.bool_)
        is_part[order] = self._in_order(*(column[order] for column in columns))
        self._keep(columns, order)
        return is_part[before:]

    def _learn(self, texts: Sequence[str]) -> None:
        """Note of each new label whether it may be a part, and what then stands before it."""
        for code in range(self._seen, len(texts)):
            self._codes.setdefault(texts[code], code)
            matched = _PART.fullmatch(texts[code])
            base = None if matched is None else self._codes.get(matched[1])
            number = -1 if matched is None else int(matched[2])
            # The sum stands first in the file, and so do the parts in their order.
            before = None
            if matched is not None and base is not None:
                earlier = matched[1] if number == 0 else f"{matched[1]}-{number - 1}"
                before = self._codes.get(earlier)
            self._before.append(-1 if before is None else before)
            self._first.append(number == 0)
            depth = 0 if before is None or base is None else self._depth[base] + 1
            self._depth.append(depth)
        self._seen = len(texts)

    def _in_order(
        self, labels: Whole, threads: Whole, started: Whole, ended: Whole
    ) -> npt.NDArray[np.bool_]:
        """Return which rows, sorted by thread, are parts: the parts of parts first."""
        import numpy as np

        depths = np.array([*self._depth, 0])[labels]
        is_part = np.zeros(len(labels), np.bool_)
        for depth in range(min(int(depths.max(initial=0)), _DEEPEST), 0, -1):
            # Without parts of parts, parts of one sum follow each other.
            at = np.flatnonzero(~is_part | (depths <= depth))
            is_part[at] |= self._next_to_sum(
                labels[at], threads[at], started[at], ended[at], possible=depths[at] == depth
            )
        return is_part

    def _next_to_sum(
        self,
        labels: Whole,
        threads: Whole,
        started: Whole,
        ended: Whole,
        *,
        possible: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.bool_]:
        import numpy as np

        if len(labels) < 2:
            return np.zeros(len(labels), np.bool_)
        follows = np.zeros(len(labels), np.bool_)
        wanted = np.array([*self._before, -1])[labels]
        follows[1:] = possible[1:] & (wanted[1:] == labels[:-1]) & (threads[1:] == threads[:-1])
        first = np.array([*self._first, False])[labels]
        continues = follows & ~first
        rows = np.arange(len(labels))
        head = np.maximum.accumulate(np.where(continues, 0, rows))
        # A stretch begins with the first part, right behind the sum.
        sums = np.maximum(head - 1, 0)
        chained = follows & follows[head] & first[head]
        within = (started >= started[sums] - _SLACK_NS) & (ended <= ended[sums] + _SLACK_NS)
        parts: npt.NDArray[np.bool_] = chained & within
        return parts

    def _keep_last(self, columns: tuple[Whole, ...]) -> None:
        """Keep each thread's last row, behind which its first part may come."""
        import numpy as np

        threads = columns[1]
        last = np.full(int(threads.max(initial=-1)) + 2, -1)  # no thread is the last of all
        last[threads] = np.arange(len(threads))
        keep = np.sort(last[last >= 0])
        self._kept = tuple(column[keep] for column in columns)

    def _keep(self, columns: tuple[Whole, ...], order: Whole) -> None:
        """Keep the rows behind which more parts may come: each thread's last sum, and on."""
        import numpy as np

        labels, threads = columns[0][order], columns[1][order]
        rows = np.arange(len(order))
        is_top = np.array([*self._depth, 0])[labels] == 0
        last_of_thread = np.append(threads[1:] != threads[:-1], True) if len(rows) else is_top
        # From the end of each thread back to its last row that is no part by its name.
        block_end = np.minimum.accumulate(np.where(last_of_thread, rows, len(rows))[::-1])[::-1]
        last_top = np.full(len(rows) + 1, -1)
        np.maximum.at(last_top, block_end[is_top], rows[is_top])
        keep = np.sort(order[rows >= np.maximum(last_top[block_end], 0)])
        self._kept = tuple(column[keep] for column in columns)
