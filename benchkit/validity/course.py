"""Whether a run was the same from its beginning to its end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.metric import FIGURES, LATENCIES
from benchkit.model.run import Run
from benchkit.validity.finding import Check, Raised

if TYPE_CHECKING:
    from benchkit.counting.arrays import Floats

#: Seconds without which neither a warm-up nor a drift can be told.
_LEAST_SECONDS: Final = 20
#: A beginning is cut off only where its latency differs by this much.
_MATERIAL: Final = 0.10
_WITHIN: Final = 0.02
_DAY_S: Final = 86_400
#: A pause so long that is over half of a run is none of the run.
_PAUSE_S: Final = 60
_RESAMPLES: Final = 2000
_SEED: Final = 20240229
_UNITS: Final = 2e9  # of a second: half nanoseconds, as the middle of a bin has them


def _medians(run: Run) -> Floats:
    """Return the median latency of each whole second.

    Raises:
        MissingError: there is no timeline, or a short one.
    """
    import numpy as np

    sent = [row for row in run.timeline if row["requests"] and row["latency_p50_s"] is not None]
    if not sent:
        raise MissingError("no figures per second")
    typical = sorted(row["requests"] for row in sent)[len(sent) // 2]
    if sent[-1]["requests"] < typical / 2:
        sent = sent[:-1]  # the last second is a part of one
    if len(sent) < _LEAST_SECONDS:
        raise MissingError(f"fewer than {_LEAST_SECONDS} whole seconds")
    return np.array([float(row["latency_p50_s"]) for row in sent])


@dataclass(frozen=True, slots=True)
class _Beginning:
    """Seconds to leave out, the medians of what they hold and of the rest, the rest's spread."""

    seconds: int
    before_s: float
    after_s: float
    spread_s: float

    @property
    def matters(self) -> bool:
        """Whether it differs by more than a tenth, and than the rest differs from itself."""
        if not self.before_s or not self.after_s:
            return False
        apart = abs(math.log(self.before_s / self.after_s)) > math.log(1 + _MATERIAL)
        return apart and abs(self.before_s - self.after_s) > 2 * self.spread_s


def beginning(medians: Floats) -> _Beginning:
    """Return the beginning whose removal makes the mean of the rest surest (MSER).

    It is d = argmin over d ≤ k/2 of Σ_{j>d} (z_j − mean)² / (k − d)².
    """
    cut = _surest_cut([round(_UNITS * value) for value in medians.tolist()])
    before, rest = (part.tolist() for part in (medians[: cut or None], medians[cut:]))
    after = median(rest)
    return _Beginning(
        seconds=cut,
        before_s=median(before),
        after_s=after,
        spread_s=1.4826 * median([abs(value - after) for value in rest]),
    )


def _surest_cut(values: Sequence[int]) -> int:
    """Return how many values to leave out; in integers, in which equal costs are equal."""
    count, total, squares = len(values), sum(values), sum(value * value for value in values)
    costs = []
    for value in values[: count // 2 + 1]:
        costs.append((count * squares - total * total) / count**3)
        count, total, squares = count - 1, total - value, squares - value * value
    return costs.index(min(costs))


@Check(
    "TWO_STRETCHES",
    "Nothing was sent for most of the time",
    "a day or more between two seconds in which requests were sent, or a minute or more and "
    "over half of the run",
    needs="figures per second",
    severities=("error",),
    advice="Look at the times of the file: they are damaged, or several runs stand in it. Take "
    "each stretch for a run of its own.",
).for_run
def _stretches(run: Run) -> Iterator[Raised]:
    sent = [row for row in run.timeline if row["requests"]]
    if not sent:
        raise MissingError("no figures per second")
    gaps = [late["second"] - early["second"] - early["span_s"] for early, late in pairwise(sent)]
    longest = max(gaps, default=0)
    whole = sent[-1]["second"] + sent[-1]["span_s"] - sent[0]["second"]
    if longest >= _DAY_S or (longest >= _PAUSE_S and 2 * longest > whole):
        yield Raised(
            f"{run.name}: no request was sent for {show.duration(longest)}. Duration and "
            "throughput are of that time, too.",
            values={"gap_s": longest},
            touches=("duration_s", "throughput_rps", "goodput_rps"),
        )


@Check(
    "WARMUP",
    "The beginning was different",
    "MSER on the medians per second cuts off over 10 % of the run, and these differ from "
    "the rest by over 10 % and two robust deviations of it; error where it is half of "
    "the run",
    needs="figures per second of 20 s or more",
    severities=("warning", "error"),
    source="White 1997 (MSER); Barrett et al. 2017",
    advice="Warm the server up before measuring, and measure longer.",
).for_run
def _warmup(run: Run) -> Iterator[Raised]:
    medians = _medians(run)
    start, size = beginning(medians), len(medians)
    if start.seconds <= 0.1 * size or not start.matters:
        return
    settled = start.seconds < size // 2
    change = show.change(start.before_s / start.after_s)
    yield Raised(
        f"{run.name}: in the first {show.count(start.seconds)} of {show.count(size)} s the "
        f"median latency was {show.duration(start.before_s)}, then "
        f"{show.duration(start.after_s)} ({change} at first)."
        + ("" if settled else " It had not settled when half of the run was over."),
        severity="warning" if settled else "error",
        values={
            "warmup_s": start.seconds,
            "seconds": size,
            "before_s": start.before_s,
            "after_s": start.after_s,
        },
        touches=LATENCIES,
        advice=f"Cut it off: benchkit compare --trim-start {start.seconds}s." if settled else "",
    )


@Check(
    "WARMUP_CAPPED",
    "The warm-up was cut short",
    "the warm-up was ended by its cap, before the rate was steady",
    needs="`warm_up_capped` in metadata, as scenarios that watch their warm-up write it",
    source="Barrett et al. 2017: some programs never reach a steady state",
    advice="Allow the warm-up more time, and see whether the figures change.",
).for_run
def _capped(run: Run) -> Iterator[Raised]:
    (capped,) = run.need("warm_up_capped")
    if capped:
        yield Raised(
            f"{run.name}: the warm-up was ended by its cap: it may still have been getting faster.",
            touches=FIGURES,
        )


@Check(
    "DRIFT",
    "The latency drifted",
    "the 95 % block-bootstrap interval of median second half / first half, after the "
    "warm-up, lies outside ±2 %",
    needs="figures per second of 20 s or more",
    source="circular block bootstrap, Politis & Romano 1992",
    advice="Measure longer, and look for what changes: caches, garbage, heat, other load.",
).for_run
def _drift(run: Run) -> Iterator[Raised]:
    medians = _medians(run)
    cut = beginning(medians)
    if cut.seconds > 0.1 * len(medians) and cut.matters:
        medians = medians[cut.seconds :]  # WARMUP says that
    if len(medians) < _LEAST_SECONDS:
        raise MissingError(f"fewer than {_LEAST_SECONDS} seconds after the warm-up")
    if not (medians > 0).all():
        raise MissingError("latencies of 0")
    half = len(medians) // 2
    first, second = medians[:half], medians[half:]
    low, high = _interval(first, second)
    if low <= 1 + _WITHIN and high >= 1 - _WITHIN:
        return
    before_s, after_s = median(first.tolist()), median(second.tolist())
    ratio = after_s / before_s
    yield Raised(
        f"{run.name}: the median latency was {show.duration(before_s)} in the "
        f"first half and {show.duration(after_s)} in the second: "
        f"{show.change_with_interval(ratio, low, high)}.",
        values={"ratio": ratio, "low": low, "high": high},
        touches=LATENCIES,
    )


def _interval(first: Floats, second: Floats) -> tuple[float, float]:
    """Return the 95 % interval of the ratio of medians, by a circular block bootstrap."""
    import numpy as np

    from benchkit.counting.quantiles import sample_quantiles

    random = np.random.default_rng(_SEED)

    def medians(part: Floats) -> Floats:
        size = len(part)
        length = max(2, round(size ** (1 / 3)))
        starts = random.integers(0, size, (_RESAMPLES, -(-size // length)))
        # Ranks in place of values: short integers are sorted ten times as fast.
        ascending, ranks = np.sort(part), part.argsort().argsort()
        blocks = ranks[(np.arange(size)[:, None] + np.arange(length)) % size]
        drawn = blocks.astype(np.min_scalar_type(size))[starts].reshape(_RESAMPLES, -1)[:, :size]
        middle = np.sort(drawn, axis=1)[:, [(size - 1) // 2, size // 2]]
        return np.asarray(ascending[middle].mean(axis=1))

    ratios = medians(second) / medians(first)
    low, high = sample_quantiles(ratios, [0.025, 0.975])
    return float(low), float(high)
