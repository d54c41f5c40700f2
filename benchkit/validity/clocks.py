"""Latencies that are coarser than they look, or that nobody measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity.evidence import RunSet, median, names, runs_of
from benchkit.validity.finding import Check, Raised
from benchkit.validity.rows import bins_of

if TYPE_CHECKING:
    from benchkit.counting.arrays import Floats, Whole

#: Steps of clocks, in s: of Windows (1/64 s; 10, 1, 0.5 ms), and of what counts milliseconds.
_STEPS: Final = (0.015625, 0.010, 0.001, 0.0005)
_QUANTILES: Final = tuple(QUANTILE_COLUMNS.values())
_TOUCHED: Final = (*_QUANTILES, "latency_min_s", "latency_mean_s")
_MILLISECOND: Final = 1e-3


def _clock_step(run: Run) -> Iterator[Raised]:
    if run.get("resolution_s") == _MILLISECOND:
        yield from _whole_milliseconds(run)
    elif _shows_clock(run):
        yield from _in_rows(run)
    else:
        yield from _in_summary(run)


def _shows_clock(run: Run) -> bool:
    """Whether its rows are surely finer than a millisecond."""
    coarse = registry.tool(run.tool).step_s >= _MILLISECOND
    return run.distribution is not None and run.get("resolution_s") != _MILLISECOND and not coarse


def _whole_milliseconds(run: Run) -> Iterator[Raised]:
    """Say of whole milliseconds where half of one matters."""
    (median,) = run.need("latency_p50_s")
    if median >= 10 * _MILLISECOND:
        return
    half = _MILLISECOND / 2
    least = show.duration(round(median - half, 6)) if median else "0"
    finer = registry.tool(run.tool).finer
    yield Raised(
        f"{run.name}: latencies are in whole milliseconds. A p50 of "
        f"{show.duration(median) if median else '0'} is anything between {least} and "
        f"{show.duration(round(median + half, 6))}; no smaller difference is shown.",
        values={"step_s": _MILLISECOND, "latency_p50_s": median},
        touches=_TOUCHED,
        advice=f"Compare throughputs, or measure with a finer clock{finer and f' ({finer})'}.",
    )


def _in_rows(run: Run) -> Iterator[Raised]:
    import numpy as np

    middles, counts = bins_of(run)
    total = int(counts.sum())
    zero = int(counts[middles == 0].sum())
    step = _step_in(middles, counts)
    if zero <= 0.001 * total and step is None:
        return
    about = f" It ticks about every {show.duration(step)}." if step else ""
    low = float(np.min(middles[middles > 0])) if (middles > 0).any() else None
    yield Raised(
        f"{run.name}: {show.share(zero / total)} of the latencies are 0: the clock of that "
        f"machine does not resolve them.{about} Differences below its step are not shown."
        if zero
        else f"{run.name}: nearly all latencies are multiples of {show.duration(step or 0)}, "
        "the step of that machine's clock. Smaller differences are not shown.",
        values={"zeros": zero, "requests": total, "step_s": step, "smallest_s": low},
        touches=_TOUCHED,
        withheld=_below(run, step or 0.0),
    )


def _step_in(middles: Floats, counts: Whole) -> float | None:
    return next((step for step in _STEPS if _on_steps(middles, counts, step)), None)


def _on_steps(middles: Floats, counts: Whole, step: float) -> bool:
    """Whether 95 % of the latencies lie within 5 % of a step of its multiples, of two or more."""
    import numpy as np

    from benchkit.counting.grouping import summed

    near = middles < 50 * step  # bins are wider than that beyond
    at = np.rint(middles / step)
    hits = near & (np.abs(middles / step - at) <= 0.05)
    total = counts.sum()
    if counts[hits].sum() < 0.95 * total:
        return False
    ticks, amounts = summed(at[hits].astype(np.int64), counts[hits])
    used = ticks[amounts >= 0.01 * total]
    return len(used) >= 2 and {*(used % 2).tolist()} == {0, 1}


def _in_summary(run: Run) -> Iterator[Raised]:
    """Printed quantiles of 0 below a maximum above 0."""
    quantiles = run.quantile_columns
    (largest,) = run.need("latency_max_s")
    if not quantiles:
        raise MissingError("no percentile")
    zero = [quantile for quantile, latency in quantiles.values() if latency == 0]
    if not zero or largest <= 0:
        return
    top = max(zero)
    yield Raised(
        f"{run.name}: {show.share(top)} of the latencies are 0 and the largest is "
        f"{show.duration(largest)}: the clock of that machine did not resolve them. "
        "Percentiles between are interpolated, and differences below the clock's step are "
        "not shown.",
        values={"zero_up_to": top, "latency_max_s": largest},
        touches=_TOUCHED,
        withheld=_below(run, _MILLISECOND / 2),
    )


def _below(run: Run, step: float) -> dict[str, str]:
    """Return the quantile columns below a clock's step, or 0."""
    return {
        column: "below the step of the clock"
        for column, (_, latency) in run.quantile_columns.items()
        if latency < step / 2 or latency == 0
    }


def _step_between(runs: RunSet) -> Iterator[Raised]:
    """Differences of medians below the step of a clock."""
    for variants in runs.equally_loaded():
        steps = {variant.label: _step_of(variant) for variant in variants}
        first, *others = variants
        for other in others:
            step = max(steps[first.label], steps[other.label])
            base, value = (median(variant, "latency_p50_s") for variant in (first, other))
            if base is None or value is None or not 0 < abs(value - base) < step:
                continue
            yield Raised(
                f"{names([other, first])} differ by {show.duration(abs(value - base))} in "
                f"p50, and the clock ticks about every {show.duration(step)}: no difference "
                "was measured.",
                severity="error",
                values={"step_s": step, "difference_s": abs(value - base)},
                touches=("latency_p50_s",),
                runs=runs_of((first, other)),
            )


def _step_of(variant: Variant) -> float:
    """Return the step found in the rows of a variant's runs, 0 where there is none."""
    steps = (_step_in(*bins_of(run)) for run in variant.runs if _shows_clock(run))
    return max((step for step in steps if step), default=0.0)


CLOCK_STEP: Final = Check(
    "CLOCK_STEP",
    "The clock is too coarse for these latencies",
    "over 0.1 % of the rows are 0, or 95 % of them lie within 5 % of a step from its "
    "multiples; without rows, a percentile of 0 below a maximum above 0; ab: a p50 "
    "below 10 ms. Error where two variants' p50 differ by less than the step found",
    needs="rows or percentiles with a maximum; of ab p50",
    severities=("warning", "error"),
    source="convention; vegeta 12 interpolates percentiles (t-digest)",
    advice="Measure on a machine with a finer clock, or under a load with longer latencies.",
    concerns=lambda tool: not tool.truncates,
    of_run=_clock_step,
    of_set=_step_between,
)


@Check(
    "COARSE_MEAN",
    "The mean is known to whole milliseconds only",
    "the mean is from a file of coarser latencies than the percentiles are, and rounded by over "
    "5 % of it; it is withheld",
    needs="mean latency in one file of a run, finer percentiles in another",
    severities=("info",),
    source="ab 2.4 `support/ab.c`, output_results: the mean is rounded to 1 ms, `-e` is not",
    advice="Quote p50, or connections divided by throughput.",
).for_run
def _coarse_mean(run: Run) -> Iterator[Raised]:
    (mean,) = run.need("latency_mean_s")
    step = run.steps.get("latency_mean_s", 0.0)
    if step / 2 <= 0.05 * mean or not step:
        return
    reason = f"rounded to {show.duration(step)}"
    yield Raised(
        f"{run.name}: the mean is {reason}; percentiles are finer.",
        values={"latency_mean_s": mean, "step_s": step},
        touches=("latency_mean_s", "latency_std_s"),
        withheld=dict.fromkeys(("latency_mean_s", "latency_std_s"), reason),
    )


@Check(
    "TRUNCATED_MS",
    "Latencies are cut off to whole milliseconds",
    "the mean is below 10 ms: half a millisecond is over 5 % of it",
    needs="mean latency",
    source="autocannon 9 `lib/httpClient.js`: hdr-histogram of whole milliseconds",
    advice="Use c / throughput for the mean, and another generator for percentiles.",
    concerns=lambda tool: tool.truncates,
).for_run
def _truncated(run: Run) -> Iterator[Raised]:
    (mean,) = run.need("latency_mean_s")
    if run.get("resolution_s") != _MILLISECOND or mean >= 10 * _MILLISECOND:
        return
    shown = show.duration(mean) if mean else "0"
    how_much = (
        f"about half a millisecond, {show.share(_MILLISECOND / 2 / (mean + _MILLISECOND / 2))},"
        if mean >= _MILLISECOND
        else f"up to 1{show.NBSP}ms"
    )
    yield Raised(
        f"{run.name}: {run.tool} cuts latencies off to whole milliseconds. The true mean is "
        f"{how_much} above the printed {shown}; percentiles are up to 1{show.NBSP}ms too low.",
        values={"latency_mean_s": mean, "step_s": _MILLISECOND},
        touches=(*_QUANTILES, "latency_mean_s"),
    )


@Check(
    "PHANTOM",
    "Latencies that were never measured",
    "over 1 % more latencies than responses; or a set rate without -C and p50 from 2 ms",
    needs="the number of latencies and of responses; or the command and p50",
    severities=("error",),
    source="autocannon 8 and 9 `lib/run.js`: recordValueWithExpectedInterval of 1 ms",
    advice="Run with -C (--ignoreCoordinatedOmission), or without a rate.",
    concerns=lambda tool: tool.pads == "rate",
).for_run
def _phantom(run: Run) -> Iterator[Raised]:
    recorded, requests = run.figure("totalCount", "total"), run.get("requests")
    if recorded is not None and requests:
        if recorded > 1.01 * requests:
            yield _phantom_found(
                run,
                f"{show.count(recorded)} latencies for {show.count(requests)} responses: "
                f"{show.share(1 - requests / recorded)} were never measured",
                {"recorded": recorded, "requests": requests},
            )
        return
    if run.get("correction") is None:
        raise MissingError("neither the number of latencies nor the command is known")
    (median,) = run.need("latency_p50_s")
    if run.get("correction") == "backfilled" and median >= 2 * _MILLISECOND:
        yield _phantom_found(
            run,
            "the command sets a rate and no -C, and p50 is "
            f"{show.duration(median)}: for each latency above 1{show.NBSP}ms shorter ones were "
            "added that nobody measured",
            {"latency_p50_s": median},
        )


def _phantom_found(run: Run, what: str, values: dict[str, float]) -> Raised:
    shown = ("latency_mean_s", "latency_std_s", *run.quantile_columns)
    reason = "most of its samples were never measured"
    return Raised(
        f"{run.name}: {what}. Mean and percentiles are of these.",
        values=values,
        touches=shown,
        withheld={column: reason for column in shown if run.get(column) is not None},
    )
