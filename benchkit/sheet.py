"""A comparison as figures per metric: what terminal, Markdown and records are made of."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import (
    BY_NAME,
    METRICS,
    Comparison,
    Metric,
    VariantSummary,
    rows_of,
)
from benchkit.errors import UsageError
from benchkit.schema import QUANTILE_COLUMNS

if TYPE_CHECKING:
    from benchkit.results import Results

#: In the order of a table; the percentiles are those nobody asked for.
SHOWN: Final = (
    *("throughput_rps", "goodput_rps", "latency_mean_s", "latency_p50_s", "latency_p90_s"),
    *("latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s", "errors", "non2xx"),
)
#: A reader looks for these: where no run has them, the table says so.
_EXPECTED: Final = ("latency_p50_s", "latency_p99_s", "latency_p999_s")
_PERCENTILE_COLUMNS: Final = frozenset(QUANTILE_COLUMNS.values())


@dataclass(frozen=True, slots=True)
class Line:
    """One metric over the variants of a comparison, in their order, in base units.

    Attributes:
        asked: Whether somebody asked for it.
        withheld: Per variant why its value is not shown, empty where it is.
    """

    metric: Metric
    values: tuple[float | None, ...]
    ratios: tuple[float | None, ...]
    lows: tuple[float | None, ...]
    highs: tuple[float | None, ...]
    asked: bool = False
    withheld: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The title with the unit of the cells; without any there is no unit."""
        return self.metric.title if self.absent else self.metric.heading(self.values)

    def cells(self) -> list[str]:
        """Return the values for people; an absent one is a word."""
        return [
            self.absence(place) if text is None else text
            for place, text in enumerate(self.metric.cells(self.values))
        ]

    def absence(self, place: int) -> str:
        """Return the word for a value that is not there."""
        return show.WITHHELD if any(self.withheld[place : place + 1]) else show.NOT_PRINTED

    @property
    def absent(self) -> bool:
        """Whether no variant has it."""
        return all(value is None for value in self.values)

    def ranges(self) -> list[str]:
        """Return smallest and largest of the runs in the unit of the heading, or nothing."""
        return [self._range(low, high) for low, high in zip(self.lows, self.highs, strict=True)]

    def _range(self, low: float | None, high: float | None) -> str:
        if low is None or high is None or low == high:
            return ""
        if self.metric.quantity == "time":
            texts = show.in_unit([low, high], show.time_unit(self.values))
        else:
            texts = self.metric.cells([low, high])
        return f"{texts[0]}{show.EN_DASH}{texts[1]}" if texts[0] != texts[1] else ""


def quantile_of(percentile: float) -> float:
    """Return 99.9 as 0.999.

    Raises:
        UsageError: it is not above 0 and below 100: the extremes have columns of their own.
    """
    if not 0 < percentile < 100:
        raise UsageError(f"no percentile {percentile:g}: it is above 0 and below 100")
    return float(Decimal(repr(percentile)) / 100)


def lines(
    results: Results, comparison: Comparison, *, percentiles: Sequence[float] = ()
) -> list[Line]:
    """Return what a table of a comparison shows, metric by metric.

    Args:
        results: The runs, for percentiles that no summary has.
        comparison: What is shown.
        percentiles: These, between 0 and 100, instead of the usual ones.
    """
    names = [n for n in SHOWN if not (percentiles and n in _PERCENTILE_COLUMNS)]
    found = [_line(comparison, BY_NAME[name]) for name in names if _wanted(comparison, name)]
    asked = [_at(results, comparison, quantile_of(p)) for p in sorted(set(percentiles))]
    place = next((n for n, one in enumerate(found) if _after_percentiles(one)), len(found))
    return [*found[:place], *asked, *found[place:]]


def _after_percentiles(line: Line) -> bool:
    return line.metric.name not in {"throughput_rps", "goodput_rps", "latency_mean_s"}


def _wanted(comparison: Comparison, name: str) -> bool:
    """Whether it says anything: goodput that is the throughput and no errors do not."""
    variants = comparison.variants
    if name in _EXPECTED:
        return True
    if all(one.values[name] is None and name not in one.withheld for one in variants):
        return False
    if name == "goodput_rps":
        return any(v.values[name] not in {None, v.values["throughput_rps"]} for v in variants)
    return name != "errors" or any(one.values[name] for one in variants)


def _line(comparison: Comparison, metric: Metric, *, asked: bool = False) -> Line:
    variants, name = comparison.variants, metric.name
    return Line(
        metric,
        tuple(one.values[name] for one in variants),
        tuple(one.ratio[name] for one in variants),
        tuple(one.low[name] for one in variants),
        tuple(one.high[name] for one in variants),
        asked,
        tuple(one.withheld.get(name, "") for one in variants),
    )


def _at(results: Results, comparison: Comparison, quantile: float) -> Line:
    if quantile in QUANTILE_COLUMNS:
        return _line(comparison, BY_NAME[QUANTILE_COLUMNS[quantile]], asked=True)
    name = f"latency_{show.percentile(quantile)}_s"
    metric = Metric(name, show.percentile(quantile), "time", "lower")
    withheld = tuple(_why_not(one, quantile) for one in comparison.variants)
    runs = [
        [] if reason else _of_runs(results, one, quantile)
        for one, reason in zip(comparison.variants, withheld, strict=True)
    ]
    values = [statistics.median(found) if found else None for found in runs]
    base = values[comparison.variants.index(comparison.base)]
    return Line(
        metric,
        tuple(values),
        tuple(value / base if value and base else None for value in values),
        tuple(min(found, default=None) for found in runs),
        tuple(max(found, default=None) for found in runs),
        asked=True,
        withheld=withheld,
    )


def _why_not(one: VariantSummary, quantile: float) -> str:
    """Return why a quantile without a column is withheld: one below it is."""
    below = [q for q, column in QUANTILE_COLUMNS.items() if q < quantile and column in one.withheld]
    return one.withheld[QUANTILE_COLUMNS[max(below)]] if below else ""


def _of_runs(results: Results, one: VariantSummary, quantile: float) -> list[float]:
    """Return a quantile of each run that gives it, printed or from its requests."""
    frame = results.quantiles
    inside = frame["run_id"].isin(one.run_ids) & ((frame["quantile"] - quantile).abs() < 1e-9)
    rows = zip(frame[inside]["run_id"], frame[inside]["latency_s"], strict=True)
    found = {str(run_id): float(latency) for run_id, latency in rows}
    missing = [run_id for run_id in one.run_ids if run_id not in found]
    if missing and len(results.histogram):
        from benchkit.measured import distributions

        facts = {row["run_id"]: row for row in rows_of(results.runs)}
        counted = distributions(results, missing)
        found |= {i: _exact(of.quantiles_s([quantile])[0], facts[i]) for i, of in counted.items()}
    return list(found.values())


def _exact(latency_s: float, run: Mapping[str, Any]) -> float:
    """Return what a bin's middle stands for: a step of the run's clock, within its extremes."""
    step, low, high = run["resolution_s"], run["latency_min_s"], run["latency_max_s"]
    if step:
        latency_s = round(float(round(latency_s / step) * Decimal(repr(step))), 12)
    inside = latency_s if low is None else max(latency_s, low)
    return inside if high is None else min(inside, high)


def withheld_notes(comparison: Comparison, shown: Sequence[Line]) -> list[str]:
    """Return what a table of these lines withholds and why, a sentence per reason."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in shown:
        for one, why in zip(comparison.variants, line.withheld, strict=False):
            if why:
                found.setdefault(why, {}).setdefault(one.label, []).append(line.metric.title)
    return [
        f"{_of(of, len(comparison.variants))} {show.WITHHELD}: {why}." for why, of in found.items()
    ]


def _of(titles: Mapping[str, Sequence[str]], every: int) -> str:
    """Return `p50 and p99 of a and b`; of all variants none is named."""
    metrics = list(dict.fromkeys(title for one in titles.values() for title in one))
    if len(titles) == every:
        return show.listed(metrics)
    return f"{show.listed(metrics)} of {show.listed([show.quoted(label) for label in titles])}"


def sorted_variants(comparison: Comparison, by: str) -> tuple[VariantSummary, ...]:
    """Return the variants in the order of a metric, best first, or of their names.

    Raises:
        UsageError: no such column.
    """
    if by in {"variant", "label"}:
        return tuple(sorted(comparison.variants, key=lambda one: one.label))
    metric = sort_metric(by)
    sign = -1 if metric.better == "higher" else 1
    return tuple(sorted(comparison.variants, key=lambda one: _place(one.values[metric.name], sign)))


def _place(value: float | None, sign: int) -> tuple[bool, float]:
    return value is None, 0.0 if value is None else sign * value


def sort_metric(by: str) -> Metric:
    """Return the metric that is called so: its column, or its title in small letters.

    Raises:
        UsageError: there is none; the message lists them.
    """
    named = {m.title.lower().replace(" ", "-"): m for m in METRICS} | dict(BY_NAME)
    if by.lower() not in named:
        short = ", ".join(name for name in named if name not in BY_NAME)
        raise UsageError(f"no column '{by}' to sort by; there are variant, {short}")
    return named[by.lower()]


def records(
    results: Results, comparisons: Sequence[Comparison], *, percentiles: Sequence[float] = ()
) -> list[dict[str, Any]]:
    """Return one flat record per variant, in base units, None where something is missing."""
    found = []
    for comparison in comparisons:
        extra = [_at(results, comparison, quantile_of(p)) for p in percentiles]
        shown = [_line(comparison, metric) for metric in METRICS]
        shown += [line for line in extra if line.metric.name not in BY_NAME]
        found += [_record(comparison, place, shown) for place in range(len(comparison.variants))]
    return found


def _record(comparison: Comparison, place: int, shown: Sequence[Line]) -> dict[str, Any]:
    one = comparison.variants[place]
    figures: dict[str, Any] = {}
    for line in shown:
        name, value = line.metric.name, line.values[place]
        whole = line.metric.quantity in {"count", "bytes"} and value is not None
        figures[name] = int(value) if whole and value == int(value or 0) else value
        figures[f"{name}_ratio"] = line.ratios[place]
    return {
        "scenario": comparison.scenario,
        "tool": comparison.tool,
        "variant": one.variant,
        "params": _sorted(one.params),
        "label": show.joined(one.label, comparison.setting),
        "baseline": show.joined(comparison.baseline, comparison.setting),
        "is_baseline": one.is_baseline,
        "rank": place + 1 if comparison.rank_metric and not comparison.axis else None,
        "rank_metric": comparison.rank_metric or None,
        "evidence": comparison.grade.words.lower(),
        "runs": one.runs,
        "run_ids": list(one.run_ids),
        **figures,
        "withheld": {
            name: reason.replace(show.NBSP, " ") for name, reason in sorted(one.withheld.items())
        },
    }


def _sorted(params: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a JSON object
    return json.loads(json.dumps(params, sort_keys=True))
