"""Whether there is enough of it: requests, samples, seconds, runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.grouping import grouped
from benchkit.model.metric import FIGURES
from benchkit.model.run import LOST_BESIDE, Run
from benchkit.model.variant import Variant
from benchkit.parsing import Figure
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity.evidence import RunSet
from benchkit.validity.finding import Check, Raised

_MISS: Final = 0.025
_SHORT_S: Final = 10.0
#: At a constant rate the last request goes out before the end, which is not there to be measured.
_NEARLY: Final = 0.99
_VERY_SHORT_S: Final = 0.9
_FEW_REQUESTS: Final = 100
#: A verdict takes as many repetitions of each variant; small differences take more.
TO_DECIDE, _ENOUGH = 5, 10
_FEW_PER_CONNECTION: Final = 100
#: How a note begins that a tool was interrupted.
INTERRUPTED: Final = "interrupted"
#: A run that is by so much shorter than was asked for, or sent so many fewer, was ended.
_SHORTER, _FEWER = 0.05, 0.01
#: p2.5 of as many samples is the smallest, whichever way the rank is rounded.
_AT_MOST: Final = 60


def needed(quantile: float) -> int:
    """Return how many samples put the quantile below the largest with 97.5 % confidence.

    From the other side for quantiles below the median; 1 for the extremes themselves.
    """
    tail = max(quantile, 1 - quantile)
    return math.ceil(math.log(_MISS) / math.log(tail)) if tail < 1 else 1


def carries(run: Run, quantile: float) -> bool:
    """Whether a run has the requests that a quantile takes, or it is not known how many it has."""
    requests = run.get("requests")
    return requests is None or requests >= needed(quantile)


def highest_carried(run: Run) -> float:
    """Return the highest quantile whose requests a run has, 1 where their number is not known."""
    requests = run.get("requests")
    return 1.0 if not requests else math.exp(math.log(_MISS) / requests)


def short_of(requests: float, quantile: float) -> str:
    """Return by how much a number of requests is too small for a quantile, a clause."""
    return f"{show.count(requests)} of the {show.count(needed(quantile))} requests that it takes"


def withheld_at(variant: Variant, quantile: float) -> str:
    """Return why a percentile of a variant is not shown, also of one without a column, or nothing.

    It takes requests of its own, and none is shown beyond one that is withheld. Nor is one without
    a column right below one that is for another reason: that may begin between the two.
    """
    if QUANTILE_COLUMNS.get(quantile) in variant.withheld:
        return variant.withheld[QUANTILE_COLUMNS[quantile]]
    short = [run for run in variant.runs if not carries(run, quantile)]
    if short:
        return short_of(min(run.need("requests")[0] for run in short), quantile)
    listed = sorted(QUANTILE_COLUMNS.items())
    below = [column for q, column in reversed(listed) if q <= quantile]
    next_q, above = next(((q, c) for q, c in listed if q > quantile), (1.0, "latency_max_s"))
    is_between = quantile not in QUANTILE_COLUMNS and next_q < 1
    if is_between and all(carries(run, next_q) for run in variant.runs):
        below.append(above)
    return next((variant.withheld[column] for column in below if column in variant.withheld), "")


@Check(
    "QUANTILE_N",
    "Too few requests for the percentiles withheld",
    "requests < ln 0.025 / ln q (p99 takes 368, p99.9 3,688, p99.99 36,887); withheld",
    needs="requests, percentiles",
    severities=("info", "warning"),
    source="binomial: with fewer, no request lies beyond the percentile in over 2.5 % of runs",
    advice="Measure longer, or quote a lower percentile.",
).for_run
def _quantile_n(run: Run) -> Iterator[Raised]:
    (requests,) = run.need("requests")
    quantiles = run.quantile_columns
    if not quantiles:
        raise MissingError("no percentile")
    short = {
        column: quantile
        for column, (quantile, _) in quantiles.items()
        if requests < needed(quantile)
    }
    if not short:
        return
    yield Raised(
        f"{run.name}: {show.plural(round(requests), 'request')} cannot give "
        f"{_named(list(short.values()))}.",
        severity="info" if min(short.values()) > 0.99 else "warning",
        values={"requests": requests, "needed": {c: needed(q) for c, q in short.items()}},
        touches=tuple(short),
        withheld={column: short_of(requests, quantile) for column, quantile in short.items()},
    )


def _named(quantiles: list[float]) -> str:
    """Return the quantiles and what they take, the first and the last by number."""
    first, last = quantiles[0], quantiles[-1]
    if len(quantiles) == 1:
        return f"{show.percentile(first)}, which takes {show.count(needed(first))}"
    to = " and" if len(quantiles) == 2 else " to"
    return (
        f"{show.percentile(first)}{to} {show.percentile(last)}, which take "
        f"{show.count(needed(first))}{to} {show.count(needed(last))}"
    )


def samples_of(run: Run) -> float | None:
    """Return how many samples of Req/Sec a run took, None where nothing tells."""
    workers = run.get("threads") or 1
    for name in ("samples", "# of samples"):
        count = run.figure(name, "total")
        if count:
            return count / workers
    interval = run.figure("sampleInt", "value") or 1.0
    seconds = run.get("duration_s") or run.figure("Running", "value")
    return math.floor(float(seconds) / interval) if seconds else None


@Check(
    "SAMPLES_N",
    "Percentiles of a handful of samples",
    "fewer samples of Req/Sec than a percentile takes (as in `QUANTILE_N`), or a low percentile "
    "that equals the minimum",
    needs="percentiles of Req/Sec, and its minimum or the number of samples",
    severities=("info",),
    source="autocannon 9 `lib/run.js`: one sample of Req/Sec per second",
    advice="Quote the average; for its spread repeat the run.",
    concerns=lambda tool: tool.rates_of == "second",
).for_run
def _samples_n(run: Run) -> Iterator[Raised]:
    printed = {
        float(statistic[1:]) / 100: value
        for (metric, statistic), value in run.by_figure.items()
        if metric == "Req/Sec" and statistic[:1] == "p" and statistic[1:].replace(".", "").isdigit()
    }
    if not printed:
        raise MissingError("no percentile of Req/Sec")
    count, least = samples_of(run), run.figure("Req/Sec", "min")
    low = [q for q in sorted(printed) if q < 0.5 and printed[q] == least]
    if count is None and not low:
        raise MissingError("the number of samples is not known")
    short = [q for q in sorted(printed) if count is not None and count < needed(q)]
    if not low and not short:
        return
    many = (
        f"Req/Sec has {show.plural(int(count), 'sample')}, about one per second"
        if count is not None
        else f"Req/Sec has one sample per second, here fewer than about {_AT_MOST}"
    )
    usual = [q for q in low if q in {0.01, 0.025}] or low[-2:]  # those of the printed table
    lowest = show.listed([show.percentile(q) for q in usual])
    is_least = (
        f"{lowest} {'are' if len(usual) > 1 else 'is'} its minimum, {show.number(least or 0)}"
    )
    ending = is_least if low else f"p2.5 would take {show.count(needed(0.025))}"
    yield Raised(
        f"{run.name}: {many}; {ending}.",
        values={"samples": count, "minimum": least, "too_few_for": short or low},
        touches=("throughput_rps",),
    )


@Check(
    "TOO_SHORT",
    "Measured for a short time",
    "under 10 s (wrk2: 20 s), or under 100 requests per connection; warning under 0.9 s "
    "or 100 requests",
    needs="duration, or requests and connections",
    severities=("info", "warning"),
    source="wrk2 README; convention",
    advice="Run for 30 s or more.",
).for_run
def _too_short(run: Run) -> Iterator[Raised]:
    duration, requests, connections = (
        run.get(name) for name in ("duration_s", "requests", "connections")
    )
    if duration is None and (requests is None or connections is None):
        raise MissingError("neither duration nor requests per connection are known")
    least = _SHORT_S + registry.tool(run.tool).calibration_s
    why = []
    if duration is not None and duration < _NEARLY * least:
        why.append(f"it lasted {show.duration(duration)}, less than {show.duration(least)}")
    each = requests / connections if requests is not None and connections else None
    if each is not None and each < _FEW_PER_CONNECTION:
        why.append(
            f"it sent {show.number(each)} requests per connection, less than {_FEW_PER_CONNECTION}"
        )
    tiny = duration is not None and duration < _VERY_SHORT_S
    if why:
        yield Raised(
            f"{run.name}: {', and '.join(why)}. Start and end weigh on its figures.",
            severity="warning"
            if tiny or (math.inf if requests is None else requests) < _FEW_REQUESTS
            else "info",
            values={"duration_s": duration, "requests": requests, "connections": connections},
            touches=("duration_s", "throughput_rps", "latency_p99_s", "latency_max_s"),
        )


def stopped_short(run: Run, sent: float, asked: float) -> bool:
    """Whether a run sent fewer requests than were asked for, and no other round number.

    That was asked for itself, by another command than that of the page.
    """
    least = (1 - _FEWER) * asked - (run.get("connections") or 0)
    return sent < least and sent != float(f"{sent:.2g}")


@Check(
    "ENDED_EARLY",
    "The run ended before it was done",
    "its tool says that it was interrupted; it lasted over a second and 5 % less than was asked "
    "for, or sent 1 % and a request per connection fewer, and no round number, which another "
    "command asked for",
    needs="a word of the tool that it was interrupted, or what was asked for",
    source="arithmetic",
    advice="Let it end by itself, and see what ended it.",
).for_run
def _ended_early(run: Run) -> Iterator[Raised]:
    asked = registry.tool(run.tool).asked(str(run.get("command") or ""))
    seconds = run.figure("Running", "value") or asked.get("duration_s")
    requests = run.figure("Running", "total") or asked.get("requests")
    lasted, sent = run.get("duration_s"), run.get("requests")
    interrupted = any(note.startswith(INTERRUPTED) for note in run.notes)
    why = ["its tool was interrupted"] if interrupted else []
    if seconds and lasted is not None and lasted < (1 - _SHORTER) * seconds - 1:
        why.append(f"it lasted {show.duration(lasted)} of {show.duration(seconds)}")
    if requests and sent is not None:
        done = sent + (run.get("errors") or 0)
        if stopped_short(run, done, requests):
            why.append(f"it sent {show.count(done)} of {show.plural(round(requests), 'request')}")
    if not (why or (seconds and lasted is not None) or (requests and sent is not None)):
        raise MissingError("what was asked for is not known")
    if why:
        yield Raised(
            f"{run.name}: {show.listed(why)}. Its figures are of a part.",
            values={"duration_s": lasted, "requests": sent, "asked": dict(asked)},
            touches=("duration_s", "requests", "throughput_rps"),
        )


@Check(
    "REPLICATES",
    "Few repetitions",
    "1 run of a variant: described only; fewer than 5: no verdict; a note below 10: small "
    "differences stay open",
    needs="nothing",
    severities=("info", "warning"),
    source="exact Mann-Whitney test; golang/perf benchstat",
    advice="Repeat each variant ten times, in turn.",
).for_set
def _replicates(runs: RunSet) -> Iterator[Raised]:
    variants = [variant for variant in runs.variants if not variant.is_warm_up] or runs.variants
    counts = [len(variant) for variant in variants]
    fewest, most = min(counts), max(counts)
    if fewest >= _ENOUGH:
        return
    each = "each" if len(counts) > 1 else "only"
    span = show.count(fewest) if fewest == most else f"{fewest}{show.EN_DASH}{most}"
    if fewest == 1 and most == 1:
        text = f"One run {each}: how much a repetition would differ is not known"
    elif fewest == 1:
        few = sum(count == 1 for count in counts)
        have, their = ("has", "its") if few == 1 else ("have", "their")
        text = f"{few} of {len(counts)} variants {have} a single run: {their} spread is not known"
    else:
        text = f"{span} runs {each}"
    yield Raised(
        f"{text}. {_can(fewest, most)}",
        severity="warning" if fewest < TO_DECIDE else "info",
        values={"runs": {variant.label: len(variant) for variant in variants}},
    )


@Check(
    "RUNS_LOST",
    "Runs failed, or cannot be read",
    "files that are called like those of runs, but for their numbers, hold none",
    needs="nothing",
    advice="See why they failed, and measure again: the runs that are left may be the lucky ones.",
).for_set
def _runs_lost(runs: RunSet) -> Iterator[Raised]:
    lost = grouped(runs.runs, lambda run: next(_lost_beside(run), None))
    for figure, beside in lost.items():
        if figure is not None:
            holds = "holds" if figure.value == 1 else "hold"
            yield Raised(
                f"{figure.statistic} {holds} no run: what is shown and compared are those beside.",
                values={"files": int(figure.value)},
                touches=("success_ratio", *FIGURES),
                runs=beside,
            )


def _lost_beside(run: Run) -> Iterator[Figure]:
    return (figure for figure in run.figures if figure.metric == LOST_BESIDE)


def _can(fewest: int, most: int) -> str:
    if fewest == 1:
        whose = "The figures" if most == 1 else "The figures of these"
        return f"{whose} describe single runs and test nothing."
    if fewest < TO_DECIDE:
        return f"A verdict takes {TO_DECIDE} of each."
    return f"Large differences show; small ones take {_ENOUGH} or more."
