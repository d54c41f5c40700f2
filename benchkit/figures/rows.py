"""What figures with a row per variant have in common: heights, and marks with texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from benchkit.figures.chart import Series
from benchkit.figures.legend import Key

ROW: Final = 26  # px
_EDGE: Final = 64  # px of a panel besides its rows: axis, title
_LEAST: Final = 120


class Dot(NamedTuple):
    """One value of a row, with the texts beside it and on hover."""

    value: float
    labels: tuple[str, ...]
    hover: str
    filled: bool


def height(rows: int, row: int = ROW) -> int:
    """Return the height of a panel with so many rows in px."""
    return max(_LEAST, _EDGE + row * rows)


def span(
    key: Key,
    y: float,
    dots: Sequence[Dot],
    *,
    size: float,
    label_at: Literal["right", "above"] = "right",
) -> list[Series]:
    """Return marks of so many px, of two with a dotted line between them."""
    marks = [
        Series(
            *(*key.series, (dot.value,), (y,)),
            marker=size,
            filled=dot.filled,
            labels=dot.labels,
            label_at=label_at,
            hover=(dot.hover,),
        )
        for dot in dots
    ]
    values = tuple(dot.value for dot in dots)
    line = Series(*key.series, values, (y,) * len(dots), line=1.5, dotted=True, in_table=False)
    return [line, *marks] if len(dots) > 1 else marks
