"""How often a series of equal commits has a change point, and how soon a real one is found.

    python studies/changepoints.py [--series 2000] [--part alarms family delays sizes]

Each series is looked at after each commit, with what was there until then. Prints Markdown tables;
a rate in per cent has its own 95 % interval (Wilson 1927).
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from benchkit.stats.changepoint import LEAST, bound, change_points, deviates

Floats = npt.NDArray[np.float64]
Rng = np.random.Generator

COMMITS: Final = 50
#: A change point so near to the true place is the right one.
NEAR: Final = 3
#: Where AR(1) series begin, so that their start is like the rest.
_BEFORE: Final = 100


def _normal(rng: Rng, shape: tuple[int, int]) -> Floats:
    return rng.standard_normal(shape)


def _heavy(rng: Rng, shape: tuple[int, int]) -> Floats:
    return np.asarray(rng.standard_t(3, shape) / math.sqrt(3))


def _outliers(rng: Rng, shape: tuple[int, int]) -> Floats:
    return np.asarray(rng.standard_normal(shape) + 15 * (rng.random(shape) < 0.1))


def _correlated(correlation: float) -> Callable[[Rng, tuple[int, int]], Floats]:
    def noise(rng: Rng, shape: tuple[int, int]) -> Floats:
        fresh = rng.standard_normal((shape[0], shape[1] + _BEFORE))
        fresh *= math.sqrt(1 - correlation**2)
        for n in range(1, fresh.shape[1]):
            fresh[:, n] += correlation * fresh[:, n - 1]
        return fresh[:, _BEFORE:]

    return noise


#: What noise is like, of a standard deviation of 1.
NOISES: Final = {
    "normal": _normal,
    "heavy tails (t, 3 degrees of freedom)": _heavy,
    "one commit in ten 30 % higher": _outliers,
    "AR(1) 0.2": _correlated(0.2),
    "AR(1) 0.5": _correlated(0.5),
}


@dataclass(frozen=True)
class World:
    """How a series is made.

    Attributes:
        noise: One of `NOISES`.
        spread: Standard deviation of the logarithm of a run.
        runs: Of each commit, whose median is looked at.
        clock: Values are rounded to so much of their level; 0 for an exact clock.
        at: The first commit of the new level; None for no step.
        ratio: New level over old.
        commits: In all.
    """

    noise: str = "normal"
    spread: float = 0.02
    runs: int = 1
    clock: float = 0.0
    at: int | None = None
    ratio: float = 1.05
    commits: int = COMMITS

    def series(self, count: int) -> Floats:
        """Return so many series (series × commits), the same each time."""
        rng = np.random.default_rng(zlib.crc32(repr(self).encode()))
        noise = [NOISES[self.noise](rng, (count, self.commits)) for _ in range(self.runs)]
        values = np.exp(self.spread * np.median(noise, axis=0))
        if self.at is not None:
            values[:, self.at :] *= self.ratio
        return np.asarray(np.round(values / self.clock) * self.clock if self.clock else values)


def alarmed(values: Floats, *, tests: int = 1, step: float = 0.0) -> bool:
    """Whether a look at a series, one after each of its values, ever has a change point."""
    looks = range(2 * LEAST, len(values) + 1)
    return any(deviates(values[:n], step).max() > bound(tests) for n in looks)


def delay(values: Floats, at: int, *, tests: int = 1) -> float:
    """Return after how many commits of the new level it is found; infinite for never."""
    for n in range(at + 1, len(values) + 1):
        if any(abs(point - at) <= NEAR for point in change_points(values[:n], tests=tests)):
            return n - at
    return math.inf


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate."""
    z = 1.96
    rate, share = count / total, z * z / total
    middle = (rate + share / 2) / (1 + share)
    half = z / (1 + share) * math.sqrt(rate * (1 - rate) / total + share / (4 * total))
    return middle - half, middle + half


def rate_cell(count: int, total: int) -> str:
    """Return a rate in per cent with its interval."""
    low, high = wilson(count, total)
    return f"{100 * count / total:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def delay_cell(world: World, count: int, *, tests: int = 1) -> str:
    """Return within how many commits half and nine in ten of the steps are found."""
    assert world.at is not None  # noqa: S101 - the study asks for it
    delays = sorted(delay(row, world.at, tests=tests) for row in world.series(count))
    half, most = (delays[math.ceil(share * count) - 1] for share in (0.5, 0.9))
    return " / ".join("–" if math.isinf(value) else f"{value:g}" for value in (half, most))


def alarms(world: World, count: int) -> int:
    """Return how many series have a false alarm."""
    return sum(alarmed(row, step=world.clock) for row in world.series(count))


def alarm_lines(count: int) -> Iterator[str]:
    """Yield the table of false alarms."""
    yield f"| {count} series without a change | any change point, ever, % |\n|---|--:|"
    worlds = [(name, World(name)) for name in NOISES]
    worlds += [
        ("normal, the median of 5 runs", World(runs=5)),
        ("normal, printed in steps of 1 %", World(clock=0.01)),
        ("normal, printed in steps of 10 %", World(clock=0.1)),
        ("normal, 100 commits", World(commits=100)),
    ]
    for name, world in worlds:
        yield f"| {name} | {rate_cell(alarms(world, count), count)} |"


def family_lines(count: int) -> Iterator[str]:
    """Yield the false alarms of several series that are looked at together."""
    yield "| series looked at together | any change point in any of them, ever, % |\n|---|--:|"
    for tests in (3, 9):
        together = max(count // 4, 1)
        series = World().series(together * tests).reshape(together, tests, COMMITS)
        hits = sum(any(alarmed(row, tests=tests) for row in rows) for rows in series)
        yield f"| {tests} ({together} times) | {rate_cell(hits, together)} |"


def delay_lines(count: int) -> Iterator[str]:
    """Yield how soon a step of 5 % is found."""
    places = (10, 20, 30)
    yield f"| step of 5 %, found within | {' | '.join(f'after {n} commits' for n in places)} |"
    yield f"|---|{'--:|' * len(places)}"
    worlds: list[tuple[str, dict[str, object], int]] = [
        (name, {"noise": name}, 1) for name in NOISES
    ]
    worlds += [("normal, the median of 5 runs", {"runs": 5}, 1), ("normal, one of 9 series", {}, 9)]
    for name, changes, tests in worlds:
        cells = [
            delay_cell(World(at=at, **changes), count, tests=tests)  # type: ignore[arg-type]
            for at in places
        ]
        yield f"| {name} | {' | '.join(cells)} |"


def size_lines(count: int) -> Iterator[str]:
    """Yield how soon steps of other sizes are found."""
    ratios = (1.03, 1.05, 1.10, 1.30)
    yield f"| normal, found within | {' | '.join(f'+{100 * (r - 1):.0f} %' for r in ratios)} |"
    yield f"|---|{'--:|' * len(ratios)}"
    for at in (6, 12, 25):
        cells = [delay_cell(World(at=at, ratio=ratio), count) for ratio in ratios]
        yield f"| after {at} commits | {' | '.join(cells)} |"


PARTS: Final[dict[str, tuple[str, Callable[[int], Iterator[str]]]]] = {
    "alarms": ("False alarms, looked at after each of 50 commits, noise of 2 %", alarm_lines),
    "family": ("The same of a family, normal noise", family_lines),
    "delays": ("Commits until half / nine in ten are found, noise of 2 %", delay_lines),
    "sizes": ("The same of other steps", size_lines),
}


def main(given: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--series", type=int, default=2000)
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=list(PARTS))
    asked = parser.parse_args(given)
    for part in asked.part:
        title, lines = PARTS[part]
        print(f"\n{title}\n")
        for line in lines(asked.series):
            print(line, flush=True)


if __name__ == "__main__":
    main()
