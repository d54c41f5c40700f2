"""How often benchkit's verdicts are wrong, and how often they find what is there.

    python studies/inference.py [--scenarios 4000] [--jobs 1] [--part aa coverage ...]

Prints Markdown tables: a rate in per cent with its own 95 % interval (Wilson 1927). A rate whose
interval lies wholly on the wrong side of its target is marked with an exclamation mark.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from benchkit.stats.contrast import Contrast
from benchkit.stats.decision import Decision, decide
from benchkit.stats.estimate import estimate
from benchkit.stats.family import adjusted_p
from benchkit.stats.power import runs_for_effect, runs_for_same
from benchkit.validity.evidence import lie_apart

Floats = npt.NDArray[np.float64]
Rng = np.random.Generator

METRICS: Final = 3
#: Latency in ms around which values lie: coarse for a clock of 1 ms.
LATENCY: Final = 3.2


# --- what runs are like ---


@dataclass(frozen=True)
class World:
    """How one simulated experiment is made.

    Attributes:
        shape: Of the noise from run to run, one of `SHAPES`.
        runs: Of each variant.
        variants: Beside the baseline.
        correlation: Between the three metrics of a run.
        ratios: True ratio of each metric.
        paired: Whether runs are interleaved.
        drift: Growth of all values over the experiment.
        turns: Whether every second block runs in reverse order.
        order: The sides of the runs in time, as "aabb", where they are not interleaved; or
            "by lot".
        clock: "round" or "cut" to whole ms, "mean" of requests cut off to whole ms, "" for an
            exact clock.
        spread: Standard deviation of the logarithms, where the shape does not say.
    """

    shape: str = "normal"
    runs: int = 8
    variants: int = 1
    correlation: float = 0.0
    ratios: tuple[float, ...] = (1.0,) * METRICS
    paired: bool = False
    drift: float = 0.0
    turns: bool = True
    order: str = field(default="", repr=False)  # the seed of older figures knows no order
    clock: str = ""
    spread: float = 0.02


SHAPES: Final = {
    "normal": "lognormal, 2 %",
    "unequal": "lognormal, 2 % against 15 %",
    "unequal back": "lognormal, 15 % against 2 %",
    "t3": "heavy tails (t, 3 degrees of freedom)",
    "outliers": "one run in ten 30 % higher",
    "requests": "runs of 1,600 autocorrelated requests",
}


def family(world: World, rng: Rng, slots: Floats | None = None) -> list[Contrast]:
    """Return the contrasts of one experiment, variant by variant.

    Args:
        world: How it is made.
        rng: Draws it.
        slots: When its runs were made, as `slots_of`, where that is known.
    """
    times = slots_of(world, rng) if slots is None else slots
    sides = [_noise(world, rng, side) for side in range(world.variants + 1)]
    grown = math.log1p(world.drift) * times / (times.size - 1)
    sides = [side + grown[:, position, None] for position, side in enumerate(sides)]
    effects = np.log(world.ratios)
    baseline = _clocked(world, sides[0])
    return [
        Contrast(
            tuple(baseline[:, metric].tolist()),
            tuple(values[:, metric].tolist()),
            paired=world.paired,
            steps=(1.0, 1.0) if world.clock else (0.0, 0.0),
        )
        for values in (_clocked(world, side + effects) for side in sides[1:])
        for metric in range(len(effects))
    ]


def _noise(world: World, rng: Rng, side: int) -> Floats:
    """Return logarithms (runs × metrics) of one side."""
    size = world.runs, len(world.ratios)
    if world.shape == "padded":
        pool = pool_of_padded(slower_tail=side > 0)
        return np.asarray(pool[rng.integers(len(pool), size=world.runs)][:, : size[1]])
    if world.shape == "requests":
        pool = pool_of_runs()
        return np.asarray(pool[rng.integers(len(pool), size=world.runs)][:, : size[1]])
    shared = rng.standard_normal((world.runs, 1))
    own = rng.standard_normal(size)
    normal = math.sqrt(world.correlation) * shared + math.sqrt(1 - world.correlation) * own
    together = (world.runs, 1) if world.correlation else size
    if world.shape == "t3":
        normal = normal / np.sqrt(rng.chisquare(3, together) / 3)
    wide = {"unequal": side > 0, "unequal back": side == 0}.get(world.shape, False)
    noise = normal * (0.15 if wide else world.spread)
    if world.shape == "outliers":
        noise = noise + math.log(1.3) * (rng.random(together) < 0.1)
    return np.asarray(noise)


@lru_cache(maxsize=1)
def pool_of_runs(runs: int = 4000, requests: int = 1600) -> Floats:
    """Return log p50, p99 and throughput of simulated runs that vary as real ones did.

    A Gaussian process with a lag-1 correlation of 0.20 to 0.54 decides how slow a request is;
    each run has its own level and its own tail.
    """
    rng = np.random.default_rng(5)
    kept = rng.uniform(0.20, 0.54, runs)
    latent = rng.standard_normal((requests, runs))
    for now in range(1, requests):
        latent[now] = kept * latent[now - 1] + np.sqrt(1 - kept**2) * latent[now]
    level, tail = rng.normal(0, 0.016, runs), rng.normal(1.6, 0.27, runs)
    logs = level + 0.15 * latent + tail * np.maximum(latent - 1.645, 0)
    p50, p99 = np.quantile(logs, [0.5, 0.99], axis=0)
    throughput = -np.log(np.exp(logs).mean(axis=0))
    return np.asarray(np.stack([p50, p99, throughput], axis=1))


def slots_of(world: World, rng: Rng) -> Floats:
    """Return the place of each run in the order of all (runs × sides), from 0."""
    sides = world.variants + 1
    slots = np.arange(world.runs * sides)
    if world.order == "by lot":
        return np.asarray(rng.permutation(slots).reshape(world.runs, sides), float)
    if world.order:
        return np.asarray(
            np.argsort(list(world.order), kind="stable").reshape(sides, world.runs).T, float
        )
    rounds = slots.reshape(world.runs, sides)
    if world.turns:
        rounds[1::2] = rounds[1::2, ::-1]
    return np.asarray(rounds, float)


def _clocked(world: World, logs: Floats) -> Floats:
    values = LATENCY * np.exp(logs)
    if not world.clock:
        return values
    if world.clock == "mean":
        return np.asarray(np.floor(values[..., None] * requests_around_mean()).mean(axis=-1))
    steps = np.round(values) if world.clock == "round" else np.floor(values)
    return np.asarray(np.maximum(steps, 1.0))


@lru_cache(maxsize=2)
def pool_of_padded(*, slower_tail: bool, runs: int = 500, requests: int = 10_000) -> Floats:
    """Return log p50, p99 and throughput of runs of a closed loop as wrk prints them.

    Four requests of a thousand meet a pause of 60 ms, others take some 1.5 ms; with a slower
    tail, one in fifty of these takes longer, so that the measured p99 is 10 % higher. wrk adds
    samples below each latency, an average request apart (wg/wrk 4.2.0 src/stats.c,
    stats_correct).
    """
    rng = np.random.default_rng(7)
    made = []
    for _ in range(runs):
        latencies = 1.5 * np.exp(0.25 * rng.standard_normal(requests) + 0.005 * rng.normal())
        ordered = np.argsort(latencies)
        latencies[ordered[-requests // 50 :]] *= 1.1 if slower_tail else 1.0
        latencies[rng.permutation(requests)[: requests // 250]] = 60.0
        every = float(latencies.mean())
        late = latencies[latencies > 2 * every]
        added = [np.arange(latency - every, every, -every) for latency in late]
        printed = np.concatenate([latencies, *added])
        made.append([*np.log(np.quantile(printed, [0.5, 0.99])), -math.log(every)])
    return np.asarray(made)


@lru_cache(maxsize=1)
def requests_around_mean(spread: float = 0.2, requests: int = 100) -> Floats:
    """Return latencies of requests as multiples of their mean, log-normal."""
    normal = NormalDist()
    deviates = [normal.inv_cdf((n + 0.5) / requests) for n in range(requests)]
    latencies = np.exp(spread * np.array(deviates))
    return np.asarray(latencies / latencies.mean())


# --- what is asked of each experiment: whether it went so ---

Ask = Callable[[World, Rng], bool]


def any_direction(world: World, rng: Rng) -> bool:
    """Return whether any contrast has a direction."""
    return _any_direction(family(world, rng), variants=world.variants)


def _any_direction(
    contrasts: Sequence[Contrast], *, alpha: float = 0.05, variants: int = 1
) -> bool:
    if min(adjusted_p(contrasts)) > alpha:  # no direction without it; the rest costs time
        return False
    answers = decide(contrasts, alpha=alpha, variants=variants)
    return any(answer.direction for answer in answers)


def forbidden(world: World, rng: Rng) -> bool:
    """Return whether the order of the runs allows no verdict."""
    return _forbidden(slots_of(world, rng))


def established(world: World, rng: Rng) -> bool:
    """Return whether any contrast has a direction although the order may forbid it."""
    slots = slots_of(world, rng)
    return not _forbidden(slots) and _any_direction(family(world, rng, slots))


def _forbidden(slots: Floats) -> bool:
    return lie_apart(*([(at, at) for at in side] for side in slots.T.tolist()))


def right_direction(world: World, rng: Rng) -> bool:
    """Return whether a shifted metric has its direction, and no metric another."""
    signs = [int(np.sign(math.log(ratio))) for ratio in world.ratios]
    answers = [answer.direction for answer in _decided(world, rng)]
    right = [answer == sign for answer, sign in zip(answers, signs, strict=True) if sign]
    return any(right) and all(
        answer in {0, sign} for answer, sign in zip(answers, signs, strict=True)
    )


def first_direction(world: World, rng: Rng) -> bool:
    """Return whether the first metric has its direction."""
    return _decided(world, rng)[0].direction == (1 if world.ratios[0] > 1 else -1)


def any_same(world: World, rng: Rng) -> bool:
    """Return whether all metrics of any variant are equivalent."""
    answers = [answer.equivalent for answer in _decided(world, rng)]
    return bool(np.array(answers).reshape(world.variants, -1).all(axis=1).any())


def covered(world: World, rng: Rng) -> bool:
    """Return whether the interval, where there is one, holds the true ratio."""
    interval = estimate(family(world, rng)[0]).interval
    return interval is None or interval.low <= world.ratios[0] <= interval.high


def _decided(world: World, rng: Rng) -> list[Decision]:
    return decide(family(world, rng), variants=world.variants)


LOOKS: Final = (8, 12, 16, 20)


def looked(rule: str) -> Ask:
    """Return whether any of four looks at growing equal sets gives a direction."""
    return {"naive": _naive, "announced": _announced, "new": _new_alone}[rule]


def _naive(world: World, rng: Rng) -> bool:
    return _at_looks(world, rng, alpha=0.05)


def _announced(world: World, rng: Rng) -> bool:
    return _at_looks(world, rng, alpha=0.05 / len(LOOKS))


def _at_looks(world: World, rng: Rng, *, alpha: float) -> bool:
    everything = family(replace(world, runs=LOOKS[-1]), rng)
    return any(
        _any_direction([_part(contrast, 0, runs) for contrast in everything], alpha=alpha)
        for runs in LOOKS
    )


def _new_alone(world: World, rng: Rng) -> bool:
    """The first eight runs suggest; what they suggest is judged by twelve new runs alone."""
    everything = family(replace(world, runs=20), rng)
    return _any_direction([_part(contrast, 8, 20) for contrast in everything])


def _part(contrast: Contrast, first: int, last: int) -> Contrast:
    baseline, variant = contrast.baseline[first:last], contrast.variant[first:last]
    return replace(contrast, baseline=baseline, variant=variant)


# --- tables ---


@dataclass(frozen=True)
class Row:
    """A line of a table: one question in several worlds.

    Attributes:
        name: Of the line.
        ask: What is counted.
        worlds: One per column, None where there is none.
        target: Rate that is the goal; above 0.5 it is a least rate, else a highest.
    """

    name: str
    ask: Ask
    worlds: tuple[World | None, ...]
    target: float | None = None


def rate(ask: Ask, world: World, scenarios: int) -> float:
    """Return how often `ask` is true of the world, the same on every call."""
    rng = np.random.default_rng(zlib.crc32(f"{ask.__name__} {world}".encode()))
    return sum(ask(world, rng) for _ in range(scenarios)) / scenarios


def bounds(share: float, scenarios: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson 1927)."""
    z = 1.96
    centre = (share + z * z / (2 * scenarios)) / (1 + z * z / scenarios)
    half = math.sqrt(share * (1 - share) / scenarios + (z / (2 * scenarios)) ** 2)
    half *= z / (1 + z * z / scenarios)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def cell(share: float, scenarios: int, target: float | None) -> str:
    """Return a rate with its interval, marked where that misses the target."""
    low, high = bounds(share, scenarios)
    missed = target is not None and (high < target if target > 0.5 else low > target)
    return f"{100 * share:.1f} ({100 * low:.1f}–{100 * high:.1f}){' !' if missed else ''}"


RUNS: Final = (5, 6, 8, 10, 20)
PAIRS: Final = (6, 8, 10, 20)


def _over(runs: Sequence[int], world: World) -> tuple[World | None, ...]:
    return tuple(replace(world, runs=n) if n in runs else None for n in RUNS)


def aa_rows() -> Iterator[Row]:
    """Equal variants: any direction is false."""
    for shape, name in SHAPES.items():
        for paired in (False, True):
            if paired and shape in {"unequal back", "requests"}:
                continue
            for variants, correlation in ((1, 0.0), (1, 0.8), (3, 0.5)):
                if shape == "requests" and correlation != 0.8:
                    continue
                world = World(shape, variants=variants, correlation=correlation, paired=paired)
                design = "one variant" if variants == 1 else "three variants"
                label = f"{name}; {'pairs, ' if paired else ''}{design}"
                if shape != "requests":
                    label += f", metrics correlated by {correlation:g}"
                yield Row(label, any_direction, _over(PAIRS if paired else RUNS, world), 0.05)


CLOCKS: Final = {
    "round": "3.2 ms rounded to 1 ms",
    "cut": "3.2 ms cut off to 1 ms",
    "mean": "mean of 3.2 ms of requests cut off to 1 ms",
}


def coverage_rows() -> Iterator[Row]:
    """A true ratio of 1.3 is within the interval."""
    for paired in (False, True):
        runs = PAIRS if paired else RUNS
        start = "pairs, " if paired else ""
        for shape, name in SHAPES.items():
            ratios = (1.0,) if shape == "requests" else (1.3,)
            world = World(shape, ratios=ratios, paired=paired)
            yield Row(start + name, covered, _over(runs, world), 0.93)
        for clock, how in CLOCKS.items():
            for spread in (0.02, 0.15):
                world = World(ratios=(1.3,), paired=paired, clock=clock, spread=spread)
                name = f"{start}{how}, {100 * spread:g} %"
                yield Row(name, covered, _over(runs, world), 0.93)


def drift_rows() -> Iterator[Row]:
    """Eight interleaved pairs that drift by 10 %, a true +5 %."""
    shifted = (1.05, 1.05, 1 / 1.05)
    for turns, order in ((True, "AB BA"), (False, "AB AB")):
        world = World(paired=True, drift=0.1, turns=turns, correlation=0.5, ratios=shifted)
        name = f"{order}, all three shifted: "
        yield Row(name + "variant", right_direction, (world,), 0.95)
        yield Row(name + "first metric", first_direction, (world,))
        single = replace(world, ratios=(1.05, 1.0, 1.0))
        yield Row(f"{order}, one metric of three shifted", first_direction, (single,))
        equal = replace(world, ratios=(1.0,) * METRICS)
        yield Row(f"{order}, equal: any direction", any_direction, (equal,), 0.05)


#: How sixteen runs may follow each other.
ORDERS: Final = {
    "all of A, then all of B": 8 * "a" + 8 * "b",
    "one run of each changed places": 7 * "a" + "ba" + 7 * "b",
    "one run of A made again at the end": 7 * "a" + 8 * "b" + "a",
    "three runs of each changed places": 5 * "a" + 3 * "b" + 3 * "a" + 5 * "b",
    "five, four, three, four": 5 * "a" + 4 * "b" + 3 * "a" + 4 * "b",
    "four and four, twice": 2 * (4 * "a" + 4 * "b"),
    "A around B": 4 * "a" + 8 * "b" + 4 * "a",
    "by lot": "by lot",
}


def order_rows() -> Iterator[Row]:
    """Equal variants of eight runs while the machine drifts, in several orders."""
    for name, order in ORDERS.items():
        world = World(order=order, drift=0.05, spread=0.01, correlation=0.5)
        yield Row(f"{name}: any direction, were it tested", any_direction, (world,))
        yield Row(f"{name}: any direction, said", established, (world,), 0.05)
    yield Row("by lot: no verdict, whatever was measured", forbidden, (world,))
    for drift in (0.0, 0.1):
        for turns, how in ((True, "AB BA"), (False, "AB AB")):
            world = World(runs=5, drift=drift, turns=turns, correlation=0.5)
            name = f"five of each in turn, {how}, drift {100 * drift:g} %, spread 2 %"
            yield Row(f"{name}: any direction, said", established, (world,), 0.05)


def same_rows() -> Iterator[Row]:
    """A metric at the edge of the margin: the variant is not to be called the same."""
    for paired in (False, True):
        runs = PAIRS if paired else RUNS
        start = "pairs, " if paired else ""
        for spread in (0.005, 0.01, 0.02):
            world = World(ratios=(1.03,), spread=spread, paired=paired)
            yield Row(f"{start}one metric, {100 * spread:g} %", any_same, _over(runs, world), 0.05)
        for shape in ("t3", "outliers"):
            world = World(shape, ratios=(1.03,), spread=0.01, paired=paired)
            yield Row(f"{start}one metric, {shape}, 1 %", any_same, _over(runs, world), 0.05)
        world = World(ratios=(1.03, 1.0, 1.0), spread=0.005, correlation=0.5, paired=paired)
        name = f"{start}one metric of three, 0.5 %"
        yield Row(name, any_same, _over(runs, world), 0.05)
        world = World(ratios=(1.03,), spread=0.005, variants=3, paired=paired)
        yield Row(f"{start}three variants, 0.5 %", any_same, _over(runs, world), 0.05)
        name = f"{start}measured p99 10 % apart, were it judged by what wrk prints"
        yield Row(name, any_same, _over(runs, World("padded", paired=paired)))


def looks_rows() -> Iterator[Row]:
    """Equal variants looked at after 8, 12, 16 and 20 runs."""
    for paired in (False, True):
        start = "pairs" if paired else "no pairs"
        world = World(correlation=0.5, paired=paired)
        yield Row(f"{start}, each look at 5 %", looked("naive"), (world,))
        yield Row(f"{start}, each look at 5 % / 4", looked("announced"), (world,), 0.05)
        yield Row(f"{start}, twelve new runs alone", looked("new"), (world,), 0.05)


def power_rows() -> Iterator[Row]:
    """As many runs as the formulas ask for."""
    for paired in (False, True):
        start = "pairs, " if paired else ""
        for spread, effect in ((0.02, 0.05), (0.05, 0.05), (0.05, 0.10), (0.10, 0.20)):
            runs = runs_for_effect(effect, deviation=spread, paired=paired, tests=METRICS)
            world = World(runs=runs, spread=spread, ratios=(1 + effect, 1.0, 1.0), paired=paired)
            name = (
                f"{start}{100 * spread:g} %, {100 * effect:+g} %, one metric of three: {runs} runs"
            )
            yield Row(name, first_direction, (world,))
        for spread in (0.01, 0.02):
            runs = runs_for_same(1.0, margin=0.03, deviation=spread, paired=paired)
            world = World(runs=runs, spread=spread, ratios=(1.0,), paired=paired)
            yield Row(f"{start}{100 * spread:g} %, same: {runs} runs", any_same, (world,))


PARTS: Final = {
    "aa": ("Equal variants: any direction", aa_rows),
    "coverage": ("The 95 % interval holds the true ratio", coverage_rows),
    "drift": ("Eight pairs, spread 2 %, drift 10 %, +5 %", drift_rows),
    "order": ("Order of the runs: equal variants, drift of 5 % over the series", order_rows),
    "same": ("False 'same' at the edge of the margin of 3 %", same_rows),
    "looks": ("Adding runs: equal variants, any direction at any look", looks_rows),
    "power": ("As many runs as the formulas ask for", power_rows),
}


def line(row: Row, scenarios: int) -> str:
    """Return the Markdown line of a row."""
    cells = [
        cell(rate(row.ask, world, scenarios), scenarios, row.target) if world else ""
        for world in row.worlds
    ]
    if row.target is None:
        target = ""
    else:
        target = f"{'≥' if row.target > 0.5 else '≤'} {100 * row.target:g}"
    return f"| {row.name} | {' | '.join(cells)} | {target} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--scenarios", type=int, default=4000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=list(PARTS))
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for part in asked.part:
            title, make = PARTS[part]
            rows = list(make())
            heads = [f"{n} runs" for n in RUNS] if len(rows[0].worlds) > 1 else ["rate"]
            print(f"\n{title}, {asked.scenarios} experiments each, %\n")
            print(f"| | {' | '.join(heads)} | goal |\n|---{'|--:' * (len(heads) + 1)}|")
            for text in pool.map(line, rows, [asked.scenarios] * len(rows)):
                print(text, flush=True)


if __name__ == "__main__":
    main()
