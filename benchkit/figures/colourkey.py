"""What the colours of cells mean: a strip with ticks below their panels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from benchkit import format as show
from benchkit.figures.chart import Axis, CellGrid, Panel

_HEIGHT: Final = 10  # px
#: What it adds to the height of a figure, in px.
ROOM: Final = 72
_COLUMNS: Final = 60
_FEW: Final = 6  # requests, each with a tick
_MOST_TICKS: Final = 5
_TENS: Final = 20  # requests from which powers of ten are ticks enough


def count_key(most: int, title: str, *, beside: float) -> Panel:
    """Return the key of cells coloured by the logarithm of one more than their count.

    `beside` is the height in px of a panel of weight 1.
    """
    full = math.log1p(most)
    named: Sequence[int] = range(1, most + 1)
    if most > _FEW:
        factors = (1, 2, 5) if most < _TENS else (1,)
        every = (factor * 10**n for n in range(len(str(most))) for factor in factors)
        named = [n for n in every if n <= most]
    step = math.ceil(len(named) / _MOST_TICKS)
    # The last of them may stand too near to the end, which is named in any case.
    inside = [n for n in named[::step] if most <= _FEW or math.log1p(n) < 0.88 * full]
    ticks = {n: (math.log1p(n) / full, show.count(n)) for n in (*inside, most)}
    low = math.log1p(1) / full if most > 1 else 0.0
    return _key("count", [*ticks.values()], title, low=low, beside=beside)


def ratio_key(limit: float, title: str, *, beside: float) -> Panel:
    """Return the key of cells coloured by a ratio, up to `limit` both ways on a log scale."""
    half, far = show.factor(math.sqrt(limit)), show.factor(limit)
    ticks = [(n / 4, text) for n, text in enumerate((far, half, f"1{show.TIMES}", half, far))]
    return _key("ratio", ticks, title, low=0.0, beside=beside)


def _key(
    scale: Literal["count", "ratio"],
    ticks: Sequence[tuple[float, str]],
    title: str,
    *,
    low: float,
    beside: float,
) -> Panel:
    edges = [low + (1 - low) * n / _COLUMNS for n in range(_COLUMNS + 1)]
    middles = tuple((a + b) / 2 for a, b in pairwise(edges))
    return Panel(
        Axis("linear", low, 1.0, tuple(ticks), grid=False),
        Axis("linear", 0.0, 1.0, (), grid=False),
        (),
        title=title,
        weight=_HEIGHT / beside,
        cells=CellGrid(tuple(edges), (0.0, 1.0), (middles,), scale),
        name="key",
    )
