"""One metric of one pair of variants: its values, and whether they can be tested."""

from __future__ import annotations

import operator
import statistics
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.blocks import Pair
from benchkit.compare.design import by_id, by_repeat, interleaved
from benchkit.compare.obstacles import metric_obstacle
from benchkit.model.failures import late_answers, requests_sent
from benchkit.model.metric import COUNT_FAILURES, ERROR_RATIO, MEAN, METRICS, Metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.stats import LEVEL
from benchkit.stats.contrast import LEAST_PAIRS, Contrast

if TYPE_CHECKING:
    from benchkit.compare.bootstrap import Draws
    from benchkit.counting.arrays import Floats
    from benchkit.stats.interval import Interval

#: Above this share of requests in flight, the printed mean contradicts the printed throughput.
_IMPOSSIBLE: Final = 1.05
_PADDED: Final = "backfilled"
_Sides = tuple[tuple[Run, ...], tuple[Run, ...]]
ONCE: Final = "one run of each: no run-to-run spread is known, so no interval"


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of one metric of one pair before anything is judged, and what is asked of it.

    Attributes:
        baseline_value: Median over the runs, as shown.
        value: Likewise.
        runs: Runs of the baseline and of the variant that have the metric.
        ratio: Variant over baseline of these values, None where there is none.
        contrast: What can be tested; None where nothing can.
        interval: Where something else than repeated runs supports one.
        points: Variant less baseline, of a share that has no ratio.
        remarks: What limits the comparison, why nothing is tested first.
        padded: Whether the tool added samples to these latencies that it never measured.
        labels: Of the baseline and the variant, as effects call them.
        tested: Whether a verdict is asked for.
        shown: Whether its effect is wanted; others only say whether all is the same.
        primary: Whether a variant that is the same must be the same in it.
        doubtful: Whether no equality may rest on its figures.
        forbidden: Why no verdict can be established, empty where one can.
        pair_key: What the drafts of one variant and baseline have in common.
        throughput_rps: Of whole sweeps that at which their metric is compared.
        passed_again: Labels of those whose throughput falls back through that at higher levels.
    """

    metric: Metric
    pair: Pair
    baseline_value: float | None
    value: float | None
    runs: tuple[int, int]
    ratio: float | None = None
    contrast: Contrast | None = None
    interval: Interval | None = None
    remarks: tuple[str, ...] = ()
    padded: bool = False
    points: float | None = None
    labels: tuple[str, str] = ("", "")
    tested: bool = False
    shown: bool = True
    primary: bool = False
    doubtful: bool = False
    forbidden: str = ""
    pair_key: object = None
    throughput_rps: float | None = None
    passed_again: tuple[str, ...] = ()

    @property
    def asked(self) -> Contrast | None:
        """What a verdict is asked for and may be reached about."""
        return self.contrast if self.tested and not self.forbidden else None

    @property
    def too_few(self) -> bool:
        """Whether there are too few runs for that verdict."""
        return self.asked is not None and not self.asked.testable

    def remarked(self, *texts: str) -> Draft:
        """Return the same with further remarks, as far as there are any."""
        more = tuple(filter(None, texts))
        return replace(self, remarks=(*self.remarks, *more)) if more else self

    def because(self, *reasons: str) -> Draft:
        """Return the same with reasons before its remarks."""
        return replace(self, remarks=(*reasons, *self.remarks))


@dataclass(frozen=True, slots=True)
class Drafter:
    """Makes drafts.

    Attributes:
        bands: Redraws single runs.
        cuts: By `run_id` what was left out of the start, in s.
        _orders: Of the runs of two sides whether they are pairs in time, and their order.
        _obstacles: Why two variants cannot be compared in metrics that count failures, or in
            others.
    """

    bands: Bands
    cuts: Mapping[str, float]
    _orders: dict[_Sides, tuple[bool, Sequence[Sequence[Run]]]] = field(
        default_factory=dict, repr=False
    )
    _obstacles: dict[tuple[Variant, Variant, bool], str] = field(default_factory=dict, repr=False)

    def drafts(
        self, pair: Pair, metrics: Sequence[Metric], asked: Collection[Metric]
    ) -> Iterator[Draft]:
        """Yield a draft per metric that was asked for or that any of the runs has."""
        runs = [run for variant in pair.sides for run in variant.runs]
        for metric in metrics:
            if metric in asked or any(metric.value(run) is not None for run in runs):
                yield self.draft(pair, metric)

    def draft(self, pair: Pair, metric: Metric) -> Draft:
        """Return what the runs of two variants say about one metric."""
        base, variant = pair.baseline, pair.variant
        value = variant.value(metric)
        if base is None:
            runs = (0, len(variant.having(metric)))
            draft = Draft(metric, pair, None, value, runs)
            return draft.because("the baseline was not run with these params")
        chosen = base.having(metric), variant.having(metric)
        start = base.value(metric)
        plain = Draft(metric, pair, start, value, (len(chosen[0]), len(chosen[1])))
        missing = _missing(metric, pair.sides, chosen)
        plain = plain.remarked(*missing, *_over_all(metric, pair.sides, chosen))
        if not all(chosen) or start is None or value is None:
            return plain
        obstacle = self._obstacle(base, variant, metric) or self._trim_obstacle(pair)
        return plain.because(obstacle) if obstacle else self._described(plain, chosen)

    def _obstacle(self, base: Variant, variant: Variant, metric: Metric) -> str:
        """Return the obstacle, which only asks of a metric whether it counts failures."""
        key = base, variant, metric.name in COUNT_FAILURES
        if key not in self._obstacles:
            self._obstacles[key] = metric_obstacle(base, variant, metric)
        return self._obstacles[key]

    def _trim_obstacle(self, pair: Pair) -> str:
        if not self.cuts:
            return ""
        cut = {run.run_id in self.cuts for v in pair.sides for run in v.runs}
        return "not comparable: only some of these runs could be trimmed" if len(cut) > 1 else ""

    def _described(self, plain: Draft, chosen: _Sides) -> Draft:
        metric = plain.metric
        paired, ordered = self._ordered(chosen)
        sides = [_values(metric, runs) for runs in ordered]
        ratio = (plain.value or 0.0) / plain.baseline_value if plain.baseline_value else None
        if min(map(min, sides)) <= 0:
            points = None
            if metric.quantity == "share":
                points = (plain.value or 0.0) - (plain.baseline_value or 0.0)
            late = sum(late_answers(run) for runs in chosen for run in runs)
            return replace(plain, points=points).because(of_zeros(metric, sides, late=late))
        plain = replace(plain, ratio=ratio)
        if min(plain.runs) == 1:
            return self._once(plain, chosen)
        steps = _step(metric, chosen[0]), _step(metric, chosen[1])
        contrast = Contrast(sides[0], sides[1], paired=paired, steps=steps)
        padded = is_padded(metric, [run for runs in chosen for run in runs])
        return replace(plain, contrast=contrast, padded=padded)

    def _ordered(self, chosen: _Sides) -> tuple[bool, Sequence[Sequence[Run]]]:
        """Return whether runs are pairs in time, and their order: once for all their metrics."""
        if chosen not in self._orders:
            paired = min(map(len, chosen)) >= LEAST_PAIRS and interleaved(*chosen)
            order = by_repeat if paired else by_id
            self._orders[chosen] = paired, [order(runs) for runs in chosen]
        return self._orders[chosen]

    def _once(self, plain: Draft, chosen: _Sides) -> Draft:
        if max(plain.runs) > 1:
            return plain.because("one run on a side: nothing is tested")
        band = self.bands.band(chosen[0][0], chosen[1][0], plain.metric, plain.ratio or 1.0)
        if band is None:
            little = _little_remarks(chosen[0][0], chosen[1][0]) if plain.metric is MEAN else []
            return plain.because(ONCE, *little)
        interval, block_s = band
        why = (
            "one run of each: the band describes these two runs only, from redrawn stretches of "
            f"{show.duration(block_s)}; another run may differ more"
        )
        return replace(plain, interval=interval).because(why)


class Bands:
    """Bands of runs; each run is redrawn once, when first asked for."""

    def __init__(self) -> None:
        self._draws: dict[str, Draws | None] = {}

    def band(
        self, baseline: Run, variant: Run, metric: Metric, ratio: float
    ) -> tuple[Interval, float] | None:
        """Return the band around the ratio of two runs, None where a run does not support it.

        It describes these two runs; beside it is the length of the longer redrawn block in s.
        """
        import numpy as np

        from benchkit.counting.quantiles import sample_quantiles
        from benchkit.stats.interval import Interval

        first, second = self._drawn(baseline), self._drawn(variant)
        if first is None or second is None:
            return None
        base, value = redrawn(first, metric), redrawn(second, metric)
        if base is None or value is None or not base.all():
            return None
        # Bins are coarser than the figures: what varies is taken over, not where it lies.
        moved = (value / np.median(value)) / (base / np.median(base))
        low, high = sample_quantiles(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        band = Interval(ratio * float(low), ratio * float(high), LEVEL)
        return band, max(first.block_s, second.block_s)

    def _drawn(self, run: Run) -> Draws | None:
        from benchkit.compare.bootstrap import LEAST_SLICES, Draws

        if run.run_id not in self._draws:
            self._draws[run.run_id] = None
            if run.matrix is not None and len(run.matrix) >= LEAST_SLICES:
                # Two runs are drawn apart, and each in one way whichever is the baseline.
                seed = zlib.crc32(run.run_id.encode())
                self._draws[run.run_id] = Draws(run.matrix, seed=seed)
        return self._draws[run.run_id]


def redrawn(draws: Draws, metric: Metric) -> Floats | None:
    """Return a metric of each draw, None where the draws do not tell it."""
    import numpy as np

    if metric.quantile is not None:
        return np.asarray(draws.quantiles(np.array([metric.quantile]))[:, 0])
    rows = {"mean": draws.mean, "throughput": draws.throughput, "goodput": draws.goodput}
    return rows[metric.name]() if metric.name in rows else None


def is_padded(metric: Metric, runs: Sequence[Run]) -> bool:
    """Whether a tool added samples to a metric that it never measured."""
    return metric.is_latency and any(run.get("correction") == _PADDED for run in runs)


def _values(metric: Metric, runs: Sequence[Run]) -> tuple[float, ...]:
    return tuple(metric.value(run) or 0.0 for run in runs)


def _step(metric: Metric, runs: Sequence[Run]) -> float:
    """Return the step of the clock that a metric was measured or printed with, 0 for none.

    A mean has that of its requests: where these are cut off, so is it.
    """
    if not metric.is_latency:
        return 0.0
    return max((run.step_of(metric.column) for run in runs), default=0.0)


def of_zeros(metric: Metric, sides: Sequence[Sequence[float]], *, late: int = 0) -> str:
    """Return why there is no ratio of two sides of which one has a 0.

    `late` is how many answers came after the timeout, which the tool counts as errors.
    """
    share = metric.quantity == "share"
    if any(map(any, sides)):
        instead = "; the difference is in points, and not tested" if share else ""
        return f"no ratio where a run has 0{instead}"
    if share:
        answered = f", {show.count(late)} were answered after the timeout" if late else ""
        return f"no request failed on either side{answered}"
    time = metric.quantity == "time"
    return "0 in every run, less than a step of the clock" if time else "none in any run"


def _over_all(
    metric: Metric, variants: Sequence[Variant], chosen: Sequence[Sequence[Run]]
) -> Iterator[str]:
    """Yield which share of all requests failed, where the median of the runs says another."""
    for variant, runs in zip(variants, chosen, strict=True) if metric is ERROR_RATIO else ():
        sent = [*map(requests_sent, runs)]
        if not (sent and all(sent)):
            continue
        shares = _values(metric, runs)
        share = show.share(sum(map(operator.mul, shares, sent)) / sum(sent))
        if share != show.share(statistics.median(shares)):
            yield f"{share} of all requests of {show.quoted(variant.label, limit=80)} failed"


def _missing(
    metric: Metric, variants: Sequence[Variant], chosen: Sequence[Sequence[Run]]
) -> Iterator[str]:
    for variant, having in zip(variants, chosen, strict=True):
        absent = len(variant) - len(having)
        if not absent:
            continue
        label = show.quoted(variant.label, limit=80)
        have = "has" if absent == 1 else "have"
        lacking = f"{show.plural(absent, 'run')} of {label} {have} no value"
        why = variant.withheld.get(metric.column)
        reason = f": withheld, {show.clean(why, limit=120)}" if why else ""
        yield f"{lacking if having else f'no run of {label} has a value'}{reason}"


def _largest_mean_s(run: Run) -> float | None:
    """Return the largest mean latency that the throughput of a run allows, in s.

    By Little's law throughput times mean latency are in flight, and no more than the connections
    have places. None for an open loop or without the figures.
    """
    connections, throughput = run.number("connections"), run.number("throughput_rps")
    if run.get("load_model") == "open" or not connections or not throughput:
        return None
    return connections * float(run.get("pipelining") or 1) / throughput


def _little_remarks(baseline: Run, variant: Run) -> list[str]:
    """Return what the bounds say about two means, in words; nothing where they say nothing."""
    first, second = _largest_mean_s(baseline), _largest_mean_s(variant)
    if first is None or second is None:
        return []
    text = (
        f"by Little's law the means are at most {show.duration(first)} and {show.duration(second)}"
    )
    printed = [
        (run.number("latency_mean_s"), most) for run, most in ((baseline, first), (variant, second))
    ]
    if any(mean is not None and mean > _IMPOSSIBLE * most for mean, most in printed):
        text += f", less than printed: a change of {show.change(second / first)}"
    return [text]


#: Every metric that has a row in a comparison.
ROWS: Final = tuple(metric for metric in METRICS if metric.role != "shown")
