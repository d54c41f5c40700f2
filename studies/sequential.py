"""How often runs that stop when they know enough are wrong, and how many repeats they take.

    python -m studies.sequential [--experiments 4000] [--jobs 1] [--part level repeats methods]
                                 [--write]

Each experiment adds interleaved blocks up to `MOST`, in an order drawn anew for each block, and
looks at them with the very functions that `benchkit run --until` uses. Prints Markdown tables;
`--write` puts them into docs/inference.md. A rate has its own 95 % interval.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchkit.stats import ALPHA, MARGIN
from benchkit.stats.contrast import LEAST_PAIRS, Contrast
from benchkit.stats.decision import Decision, decide
from benchkit.stats.looks import looks_at
from studies.inference import METRICS, SHAPES, Floats, Rng, World, cell, family

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "inference.md"
BEGIN: Final = "<!-- runs that stop: python -m studies.sequential --write -->\n"
END: Final = "<!-- end of runs that stop -->\n"
#: The most repeats of an experiment.
MOST: Final = 30


class Judged(NamedTuple):
    """What a look says of one contrast: its direction, its interval of the ratio, its width."""

    direction: int
    equivalent: bool
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """As `Interval.half_width`."""
        return math.sqrt(self.high / self.low) - 1 if self.low > 0 else math.inf


@dataclass(frozen=True)
class Method:
    """When to look, and what to demand.

    Attributes:
        alphas: Chance to be wrong of each look, by the number of blocks.
        judge: Returns what the contrasts say at a look.
    """

    name: str
    alphas: dict[int, float] = field(repr=False)
    judge: Callable[[Sequence[Contrast], float, int], list[Judged]] = field(repr=False)


def by_permutation(contrasts: Sequence[Contrast], alpha: float, variants: int) -> list[Judged]:
    """Return what benchkit says of a family."""
    return [_judged(made) for made in decide(contrasts, alpha=alpha, variants=variants)]


def _judged(made: Decision) -> Judged:
    interval = made.estimate.interval
    low, high = (interval.low, interval.high) if interval else (0.0, math.inf)
    return Judged(made.direction, made.equivalent, low, high)


#: Variance of the effect over its deviation that the mixture of `anytime` expects.
_PRIOR: Final = 2.0


def anytime(contrasts: Sequence[Contrast], alpha: float, variants: int) -> list[Judged]:
    """Return what a sequential t test says: valid at any time for normal differences.

    Its e-value is the Bayes factor of a normal mixture over the standardised effect (Lai 1976;
    Grünwald, de Heide and Koolen 2024), the tests share the chance after Bonferroni.
    """
    differences = np.log([c.variant for c in contrasts]) - np.log([c.baseline for c in contrasts])
    n = differences.shape[1]
    centre = differences.mean(axis=1)
    error = differences.std(axis=1, ddof=1) / math.sqrt(n)
    tests = error * math.sqrt(_bound(n, alpha / len(contrasts)))
    shown = error * math.sqrt(_bound(n, ALPHA))
    inner = error * math.sqrt(_bound(n, 2 * alpha / variants))
    margin = math.log1p(MARGIN)
    return [
        Judged(
            int(np.sign(mid)) if abs(mid) > test and abs(mid) + near > margin else 0,
            abs(mid) + near <= margin,
            math.exp(mid - half),
            math.exp(mid + half),
        )
        for mid, test, half, near in zip(centre, tests, shown, inner, strict=True)
    ]


def _bound(n: int, alpha: float) -> float:
    """Return the square of the t value of n differences whose e-value is 1 / alpha."""
    grown = 1 + n * _PRIOR
    factor = (math.sqrt(grown) / alpha) ** (2 / n)
    return (n - 1) * (factor - 1) / (1 - factor / grown) if factor < grown else math.inf


def even(looks: int) -> Method:
    """Return what benchkit does: so many looks, each with an equal share."""
    at = looks_at(MOST, looks=looks)
    name = f"{len(at)} looks, even shares" if looks > 1 else f"one look at {MOST}"
    return Method(name, dict.fromkeys(at, ALPHA / len(at)), by_permutation)


def late(looks: int) -> Method:
    """Return looks whose shares grow with the cube of the number of runs."""
    at = looks_at(MOST, looks=looks)
    spent = [ALPHA * (runs / MOST) ** 3 for runs in at]
    shares = np.diff([0.0, *spent]).tolist()
    return Method(
        f"{len(at)} looks, late shares", dict(zip(at, shares, strict=True)), by_permutation
    )


_EVERY: Final = range(LEAST_PAIRS, MOST + 1)
NAIVE: Final = Method("after each block, each at 5 %", dict.fromkeys(_EVERY, ALPHA), by_permutation)
ANYTIME: Final = Method(
    "after each block, valid at any time", dict.fromkeys(_EVERY, ALPHA), anytime
)
CHOSEN: Final = even(5)


class Stop(NamedTuple):
    """Where one experiment ended.

    Attributes:
        runs: Repeats that it took.
        wrong: Whether any direction was said at any look that is not the true one.
        first: Whether the first metric of the first variant had its true direction at the end.
        covered: Share of the intervals that hold the true ratio at the end.
    """

    runs: int
    wrong: bool
    first: bool
    covered: float


def experiment(world: World, method: Method, limit: float, rng: Rng) -> Stop:
    """Return where one experiment stops: each metric narrow to `limit`, or with a verdict."""
    contrasts = family(replace(world, runs=MOST), rng, _slots(world, rng))
    truth = np.tile(np.log(world.ratios), world.variants)
    signs = np.sign(np.round(truth, 12))
    wrong, judged = False, list[Judged]()
    runs = MOST
    for runs, alpha in method.alphas.items():
        judged = method.judge([_first(c, runs) for c in contrasts], alpha, world.variants)
        directions = np.array([each.direction for each in judged])
        wrong |= bool(((directions != 0) & (directions != signs)).any())
        if _settled(judged, limit):
            break
    inside = [j.low <= math.exp(t) <= j.high for j, t in zip(judged, truth, strict=True)]
    return Stop(runs, wrong, judged[0].direction == signs[0] != 0, float(np.mean(inside)))


def _settled(judged: Sequence[Judged], limit: float) -> bool:
    """Whether every metric is narrow or has a verdict; all metrics of a variant are the same."""
    for start in range(0, len(judged), METRICS):
        metrics = judged[start : start + METRICS]
        same = all(each.equivalent for each in metrics)
        if not all(same or each.direction or each.half_width <= limit for each in metrics):
            return False
    return True


def _slots(world: World, rng: Rng) -> Floats:
    """Return when each run is made (runs × sides): each block in an order of its own."""
    sides = world.variants + 1
    slots = np.arange(MOST * sides, dtype=float).reshape(MOST, sides)
    return np.asarray(rng.permuted(slots, axis=1))


def _first(contrast: Contrast, runs: int) -> Contrast:
    return replace(contrast, baseline=contrast.baseline[:runs], variant=contrast.variant[:runs])


# --- tables ---


@dataclass(frozen=True)
class Row:
    """A line of a table: experiments of one kind."""

    name: str
    world: World
    method: Method
    limit: float


def _line(row: Row, experiments: int) -> str:
    """Return the Markdown line of a row, the same on every call."""
    rng = np.random.default_rng(zlib.crc32(f"{row.world} {row.method.name} {row.limit}".encode()))
    stops = [experiment(row.world, row.method, row.limit, rng) for _ in range(experiments)]
    runs = np.array([stop.runs for stop in stops])
    shifted = any(ratio != 1 for ratio in row.world.ratios)
    cells = [
        cell(float(np.mean([stop.wrong for stop in stops])), experiments, ALPHA),
        cell(float(np.mean([stop.first for stop in stops])), experiments, None) if shifted else "",
        f"{100 * np.mean([stop.covered for stop in stops]):.1f}",
        f"{runs.mean():.1f}",
        f"{np.median(runs):.0f}",
        f"{np.quantile(runs, 0.9):.0f}",
    ]
    return f"| {row.name} | {' | '.join(cells)} |"


HEADS: Final = (
    "| | wrong verdict, % | change found, % | interval holds, % | repeats, mean | median "
    "| in 9 of 10 |\n|---|--:|--:|--:|--:|--:|--:|"
)


def _limit(limit: float) -> str:
    return f"--until {100 * limit:g}%" if limit else "until a verdict alone"


def level_rows() -> Iterator[Row]:
    """Equal variants."""
    for variants in (1, 2):
        for shape in ("normal", "t3"):
            for drift in (0.0, 0.1):
                for limit in (0.0, 0.03):
                    world = World(
                        shape, variants=variants, correlation=0.5, drift=drift, paired=True
                    )
                    how = f", drift {100 * drift:g} %" if drift else ""
                    name = f"{variants + 1} variants, {SHAPES[shape]}{how}; {_limit(limit)}"
                    yield Row(name, world, CHOSEN, limit)


def repeats_rows() -> Iterator[Row]:
    """A difference of the first metric, and of all three."""
    for spread, effect in ((0.02, 0.05), (0.02, 0.03), (0.05, 0.05), (0.02, 0.2)):
        every = (1 + effect, 1 + effect, 1 / (1 + effect))
        for how, ratios in (("all three", every), ("one of three", (1 + effect, 1.0, 1.0))):
            for limit in (0.0, 0.03):
                world = World(correlation=0.5, ratios=ratios, paired=True, spread=spread, drift=0.1)
                size = f"{100 * effect:+g} % at a spread of {100 * spread:g} %"
                yield Row(f"{size}, {how}; {_limit(limit)}", world, CHOSEN, limit)


def method_rows() -> Iterator[Row]:
    """Equal variants, and +5 % in all metrics, as each method sees them; no width stops it."""
    methods = (even(1), even(3), CHOSEN, even(8), late(5), ANYTIME, NAIVE)
    for shape in ("normal", "t3"):
        for method in methods:
            world = World(shape, variants=2, correlation=0.5, paired=True)
            yield Row(f"equal, {SHAPES[shape]}: {method.name}", world, method, 0.0)
    for spread in (0.02, 0.05):
        for method in methods:
            ratios = (1.05, 1.05, 1 / 1.05)
            world = World(correlation=0.5, ratios=ratios, paired=True, spread=spread)
            yield Row(f"+5 % at {100 * spread:g} %: {method.name}", world, method, 0.0)


PARTS: Final = {
    "level": ("Equal variants", level_rows),
    "repeats": ("Different variants, drift 10 %", repeats_rows),
    "methods": ("The methods side by side", method_rows),
}


#: Of the experiments that are asked for one in so many.
_SHARE: Final = {"level": 1, "repeats": 1, "methods": 4}


def tables(parts: Sequence[str], experiments: int, jobs: int) -> Iterator[str]:
    """Yield the lines of the tables."""
    with ProcessPoolExecutor(jobs) as pool:
        for part in parts:
            title, make = PARTS[part]
            yield from (
                f"\n#### {title}, {experiments // _SHARE[part]:,} experiments each\n",
                HEADS,
            )
            yield from pool.map(partial(_line, experiments=experiments // _SHARE[part]), make())


def main() -> None:
    """Print the tables, and write them down where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--experiments", type=int, default=4000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    lines = []
    for line in tables(asked.part, asked.experiments, asked.jobs):
        print(line, flush=True)
        lines.append(line)
    if asked.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        text = "\n".join(lines).strip("\n")
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
