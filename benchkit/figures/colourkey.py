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
_FEW: Final = 6  # requests, each with a colour and a tick: as many as an inline SVG tells apart
_MOST_TICKS: Final = 5
_TENS: Final = 20  # requests from which powers of ten are ticks enough
#: Ends of a scale of ratios: differences below the first are not blown up to these.
_RATIOS: Final = (1.25, 1.5)
_STEPS: Final = (2.0, 3.0, 5.0, 10.0)
_FINE: Final = 2.0  # below it two digits tell too little
_ROUNDING: Final = 1e-9


def count_shade(count: int, most: int) -> float | None:
    """Return where a count of at most so many lies on the scale, None for nothing.

    Few counts are evenly apart, so that each has a colour of its own; many lie by the logarithm of
    one more.
    """
    if not count:
        return None
    return count / most if most <= _FEW else math.log1p(count) / math.log1p(most)


def count_key(most: int, title: str, *, beside: float) -> Panel:
    """Return the key of cells coloured by `count_shade`: a block per count where these are few.

    `beside` is the height in px of a panel of weight 1.
    """
    if most <= _FEW:
        counts = range(1, most + 1)
        edges = [0.5, *(n + 0.5 for n in counts)]
        shades = tuple(count_shade(n, most) for n in counts)
        ticks = [(float(n), show.count(n)) for n in counts]
        return _blocks("count", edges, shades, ticks, title, beside=beside)
    full = math.log1p(most)
    factors = (1, 2, 5) if most < _TENS else (1,)
    every = (factor * 10**n for n in range(len(str(most))) for factor in factors)
    named = [n for n in every if n <= most]
    step = math.ceil(len(named) / _MOST_TICKS)
    # The last of them may stand too near to the end, which is named in any case.
    inside = [n for n in named[::step] if math.log1p(n) < 0.88 * full]
    places = {n: (math.log1p(n) / full, show.count(n)) for n in (*inside, most)}
    low = math.log1p(1) / full
    return _key("count", [*places.values()], f"{title}, log scale", low=low, beside=beside)


def ratio_limit(largest: float) -> float:
    """Return a round ratio of at least so much, at which a scale may end."""
    least = largest * (1 - _ROUNDING)
    tens = 10.0 ** math.floor(math.log10(least))
    rounds = (*_RATIOS, *(step * tens for step in _STEPS))
    return next(ratio for ratio in rounds if ratio >= least)


def ratio_key(limit: float, title: str, *, beside: float) -> Panel:
    """Return the key of cells coloured by a ratio, up to `limit` both ways on a log scale."""
    half, far = (
        f"{show.fixed(ratio, 2)}{show.TIMES}" if ratio < _FINE else show.factor(ratio)
        for ratio in (math.sqrt(limit), limit)
    )
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
    middles = [(a + b) / 2 for a, b in pairwise(edges)]
    return _blocks(scale, edges, middles, ticks, title, beside=beside)


def _blocks(
    scale: Literal["count", "ratio"],
    edges: Sequence[float],
    shades: Sequence[float | None],
    ticks: Sequence[tuple[float, str]],
    title: str,
    *,
    beside: float,
) -> Panel:
    return Panel(
        Axis("linear", edges[0], edges[-1], tuple(ticks), grid=False),
        Axis("linear", 0.0, 1.0, (), grid=False),
        (),
        title=title,
        weight=_HEIGHT / beside,
        cells=CellGrid(tuple(edges), (0.0, 1.0), (tuple(shades),), scale),
        name="key",
    )
