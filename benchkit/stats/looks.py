"""When runs are looked at while they are still being made, so that the level is kept.

The looks are fixed before the first run, and each may spend an equal share of the chance to be
wrong (Pocock 1977, with Bonferroni's bound for his constant). They lie at even ratios of the
number of runs: a difference that shows late is one that many more runs show.
"""

from __future__ import annotations

from typing import Final

from benchkit.stats import ALPHA
from benchkit.stats.contrast import LEAST_PAIRS
from benchkit.stats.power import least_runs

#: More find little earlier, and every one asks for a smaller p-value of all.
MOST_LOOKS: Final = 5


def looks_at(most: int, *, looks: int = MOST_LOOKS) -> tuple[int, ...]:
    """Return after how many pairs of runs to look, ascending; the last is `most`.

    The first is one that can reach a verdict at its share of the chance to be wrong; where `most`
    leaves no place for so many looks, there are fewer.

    Raises:
        ValueError: So few pairs reach no verdict, however often they are looked at.
    """
    if most < LEAST_PAIRS:
        raise ValueError(f"fewer than {LEAST_PAIRS} pairs reach no verdict")
    for count in range(looks, 1, -1):
        first = least_runs(ALPHA / count, paired=True)
        ratio = (most / first) ** (1 / (count - 1))
        steps = tuple(round(first * ratio**step) for step in range(count))
        if first < most and len(set(steps)) == count:
            return steps
    return (most,)
