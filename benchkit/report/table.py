"""The table of a comparison and the notes below it, made once for every output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.model.circumstances import USUAL, cost_processes, together
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.failures import late_answers, requests_sent
from benchkit.model.metric import BY_COLUMN, COSTS, TABLED, Metric
from benchkit.model.variant import Variant
from benchkit.names import short_names, some
from benchkit.report import changes
from benchkit.report.asked import (
    asked_metrics,
    is_name,
    sort_metric,
    sorted_variants,
    with_withheld,
)
from benchkit.report.tabular import (
    Cell,
    Change,
    ComparisonTable,
    Mark,
    MetricRow,
    NameCell,
    marks,
)
from benchkit.schema import QUANTILE_COLUMNS

#: A reader looks for these: where no run has them, the table says so.
_EXPECTED: Final = frozenset({"latency_p50_s", "latency_p99_s", "latency_p999_s"})
#: Where there is no room for all, the first of these go first.
_LEAST: Final = (
    *("latency_mean_s", "latency_p95_s", "latency_p90_s", "rss", "cpu_per_request"),
    *("latency_max_s", "goodput_rps", "latency_p999_s", "errors", "non2xx", "success_ratio"),
    *("latency_p50_s", "latency_p99_s", "throughput_rps"),
)
_FAILURES: Final = frozenset({"errors", "non2xx"})
_PERCENTILES: Final = frozenset(QUANTILE_COLUMNS.values())


def comparison_table(
    comparison: Comparison,
    *,
    percentiles: Sequence[float] = (),
    sort: str | None = None,
    roles: Mapping[str, str] | None = None,
    most: int | None = None,
) -> ComparisonTable:
    """Return the table of a comparison; of one or two variants metrics are rows.

    Args:
        comparison: What is shown.
        percentiles: These, between 0 and 100, instead of the usual ones.
        sort: A column, best first, or `variant`, instead of the order of the comparison.
        roles: Colour and symbol by label, where the output has them.
        most: So many metrics at most where variants are rows, all by default.

    Raises:
        UsageError: no such percentile or column.
    """
    asked = asked_metrics(percentiles)
    comparison = with_withheld(comparison, asked)
    by_metric = len(comparison.variants) <= 2
    variants = sorted_variants(comparison, sort)
    if by_metric:
        variants = tuple(sorted(variants, key=lambda v: not comparison.is_baseline(v)))
    metrics = _metrics(comparison, list(asked.values()))
    effects = {m: [comparison.tabled_effect(v.label, m) for v in variants] for m in metrics}
    longest = changes.longest(effect for line in effects.values() for effect in line)
    rows = [
        _row(comparison, variants, metric, own, longest=longest, asked=list(asked.values()))
        for metric, own in effects.items()
    ]
    shown = rows if by_metric or most is None else _narrowed(rows, most)
    # Of a metric that makes way only its absence is said, where a reader looks for it.
    noted = [row for row in rows if row in shown or (row.empty and row.column in _EXPECTED)]
    columns = {row.column for row in noted}
    named = _names(comparison, roles or {})
    method = _method(shown)
    return ComparisonTable(
        names=tuple(named[variant.label] for variant in variants),
        rows=tuple(_without_method(row) for row in shown) if method else tuple(shown),
        by_metric=by_metric,
        method=method,
        level=show.clean(comparison.axis, limit=40) if roles else "",
        ranking=comparison.rank_metric.column if comparison.rank_metric else "",
        notes=tuple(_notes(comparison, noted, [m for m in metrics if m.column in columns], sort)),
    )


def effects_table(
    comparison: Comparison, effects: Sequence[Effect], labels: tuple[str, str]
) -> ComparisonTable:
    """Return a row per effect of one variant; `labels` are what the baseline and it are called."""
    rows = []
    measured = any(effect.baseline_value is not None for effect in effects)  # by another tool
    for effect in effects:
        values = (effect.baseline_value, effect.value)
        known = any(value is not None for value in values)
        missing = show.WITHHELD if effect.obstacle == "withheld" else show.NOT_PRINTED
        if effect.throughput_rps is not None:  # that of whole sweeps, which a side did not have
            missing = show.NOT_RUN
        unit = comparison.unit(BY_COLUMN.get(effect.metric.column, effect.metric))
        texts = effect.metric.cells(values, unit)
        not_run = comparison.lacks_baseline(effect) and not measured
        whys = (show.NOT_RUN if not_run else missing, missing)
        cells = [
            Cell(why if text is None else text, absent=text is None)
            for why, text in zip(whys, texts, strict=True)
        ]
        cells[1] = replace(cells[1], change=changes.change(comparison, effect))
        heading = effect.metric.heading(values, unit) if known else effect.metric.title
        rows.append(MetricRow(effect.metric.column, heading, tuple(cells)))
    named = tuple(NameCell(show.clean(label, limit=24), "") for label in labels)
    return ComparisonTable(named, tuple(rows), by_metric=True)


def _narrowed(rows: Sequence[MetricRow], most: int) -> list[MetricRow]:
    """Return the weightiest metrics that have a value, at most so many."""
    known = [row for row in rows if not row.empty]
    kept = sorted(known, key=lambda row: -row.weight)[:most]
    return [row for row in known if row in kept]


def _names(comparison: Comparison, roles: Mapping[str, str]) -> dict[str, NameCell]:
    """Return the name of each variant by its label, with its runs where they differ.

    With a role, which tells it apart too, it is without the words that all share.
    """
    cut = short_names(list(comparison.order)) if roles else {}
    uneven = len(set(map(len, comparison.variants))) > 1
    numbers = {label: number for number, label in enumerate(comparison.order, 1)}
    return {
        variant.label: NameCell(
            cut.get(variant.label) or show.clean(variant.label),
            roles.get(variant.label, ""),
            numbers[variant.label],
            f"variant-{numbers[variant.label]}",
            baseline=comparison.is_baseline(variant) and len(comparison.variants) > 1,
            runs=show.plural(len(variant), "run") if uneven else "",
            marks=marks(comparison, comparison.footnotes.at_name(variant.label)),
        )
        for variant in comparison.variants
    }


def _metrics(comparison: Comparison, asked: Sequence[Metric]) -> list[Metric]:
    usual = [c for c in TABLED if not (asked and c in _PERCENTILES)]
    metrics = [BY_COLUMN[column] for column in usual if _says_something(comparison, column)]
    before = sum(metric.column in TABLED[:4] for metric in metrics)
    return [*metrics[:before], *asked, *metrics[before:]]


def _says_something(comparison: Comparison, column: str) -> bool:
    variants = comparison.variants
    known = sum(v.values[column] is not None or column in v.withheld for v in variants)
    least = min(2, len(variants)) if BY_COLUMN[column] in COSTS else 1
    return column in _EXPECTED or (known >= least and not redundant(comparison, column))


def redundant(comparison: Comparison, column: str) -> bool:
    """Whether a metric says nothing beside others.

    So it is with goodput that equals throughput, with failures that nobody had, with
    successes where failures are counted, and with a mean that is withheld beside medians; with
    nothing that was tested or orders the variants.
    """
    variants = comparison.variants
    if BY_COLUMN[column] == comparison.rank_metric or any(
        effect.tested for effect in comparison.effects if effect.metric.column == column
    ):
        return False
    if column == "latency_mean_s":
        medians = all(v.values["latency_p50_s"] is not None for v in variants)
        return medians and any(column in v.withheld for v in variants)
    if column == "goodput_rps":
        pairs = [(v.values["throughput_rps"], v.values[column]) for v in variants]
        return all(good is None or good == every for every, good in pairs)
    if column == "success_ratio":
        counted = any(v.values[failures] for v in variants for failures in _FAILURES)
        return counted or all(v.values[column] in {None, 1.0} for v in variants)
    return column == "errors" and not any(v.values[column] for v in variants)


def _row(
    comparison: Comparison,
    variants: Sequence[Variant],
    metric: Metric,
    effects: Sequence[Effect | None],
    *,
    longest: float,
    asked: Sequence[Metric],
) -> MetricRow:
    column, values = metric.column, [variant.value(metric) for variant in variants]
    known = any(value is not None for value in values)
    printed = known or any(column in variant.withheld for variant in variants)
    cells = []
    for variant, effect, text in zip(variants, effects, metric.cells(values), strict=True):
        beside = marks(comparison, comparison.footnotes.at_figure(variant.label, column))
        if text is None:
            cells.append(Cell.without(variant, column, beside))
            continue
        if column in _FAILURES:
            cells.append(_failures(variant, column, beside))
            continue
        change = None
        if comparison.grade.comparable:
            change = changes.change(comparison, effect, longest=longest)
        spread = _spread(metric, variant, values)
        cells.append(Cell(text, spread=spread, change=change, marks=beside))
    counts = any(values) or metric in asked
    weight = _weight(comparison, metric, effects, asked) if counts else -1
    return MetricRow(
        column=column,
        heading=_heading(metric, values, variants) if known else metric.title,
        cells=tuple(cells),
        absent="" if printed else f"{show.NOT_PRINTED} by {comparison.tool}",
        marks=marks(comparison, comparison.footnotes.at_metric(column)) if printed else (),
        weight=weight,
    )


def _weight(
    comparison: Comparison,
    metric: Metric,
    effects: Iterable[Effect | None],
    asked: Sequence[Metric],
) -> int:
    """Return how long a metric stays: those asked for go last, then those a verdict is about."""
    if metric in asked:
        return 2 * len(_LEAST) + asked.index(metric)
    decides = metric == comparison.rank_metric or any(e and e.tested for e in effects)
    return _LEAST.index(metric.column) + (len(_LEAST) if decides else 0)


def _heading(metric: Metric, values: Sequence[float | None], variants: Sequence[Variant]) -> str:
    counted = metric.column in _FAILURES and max(map(len, variants)) > 1
    return f"{metric.title}, all runs" if counted else metric.heading(values)


def _failures(variant: Variant, column: str, beside: tuple[Mark, ...]) -> Cell:
    """Return the failures of all runs with their share of the requests: no median has both.

    What was answered, if late, is none.
    """
    known = [run for run in variant.runs if run.get(column) is not None]
    count, sent = sum(run.get(column) for run in known), sum(map(requests_sent, known))
    count -= sum(map(late_answers, known)) if column == "errors" else 0
    share = show.share(count / sent) if count and all(map(requests_sent, known)) else ""
    return Cell(show.count(count), share=share, marks=beside)


def _changes(rows: Sequence[MetricRow]) -> list[Change]:
    return [cell.change for row in rows for cell in row.cells if cell.change]


def _method(rows: Sequence[MetricRow]) -> str:
    """Return how all changes were estimated, empty where not all were alike."""
    methods = {change.estimate for change in _changes(rows)}
    return methods.pop() if len(methods) == 1 else ""


def _without_method(row: MetricRow) -> MetricRow:
    """Return a row whose changes do not say how they were estimated: a heading does."""
    cells = (
        replace(cell, change=replace(cell.change, estimate="")) if cell.change else cell
        for cell in row.cells
    )
    return replace(row, cells=tuple(cells))


def _spread(metric: Metric, variant: Variant, row: Sequence[float | None]) -> str:
    """Return smallest and largest of the runs in the unit of the heading, or nothing."""
    sample = variant.sample(metric)
    if len(sample) < 2 or min(sample) == max(sample):
        return ""
    first, last = metric.ends(sample, show.time_unit(row) if metric.quantity == "time" else None)
    return f"{first}{show.EN_DASH}{last}" if first != last else ""


# --- notes ---


def _notes(
    comparison: Comparison, rows: Sequence[MetricRow], metrics: Sequence[Metric], sort: str | None
) -> Iterator[str]:
    if len(comparison.variants) > 2:
        yield _order(comparison, sort)
        missing = [row.heading for row in rows if row.absent]
        if missing:
            yield f"{show.listed(missing)} {show.NOT_PRINTED} by {comparison.tool}."
    if any(change.estimate for change in _changes(rows)):
        paired = "Changes are paired: " if _method(rows) else "Paired changes are "
        yield f"{paired}estimated over pairs of runs, not from the medians beside them."
    copies = [show.quoted(variant.label) for variant in comparison.variants if variant.is_copy]
    if copies:
        again = "are the baselines" if len(copies) > 1 else "is the baseline"
        yield f"{show.listed(copies)} {again} measured again: the change is noise."
    alone = [
        show.quoted(label)
        for label, effects in comparison.effects_by_variant.items()
        if label in comparison.by_label and all(map(comparison.lacks_baseline, effects))
    ]
    if alone and len(comparison.variants) > 2:
        yield f"{some(alone)}: no change, as the baseline was not run with these params."
    yield from _in_some_runs(comparison, metrics)
    yield from _withheld(comparison, metrics)
    spent = [metric.title for metric in COSTS if metric in metrics]
    processes = cost_processes(run for variant in comparison.variants for run in variant.runs)
    if spent and processes and processes != [USUAL]:
        verb = "is" if len(spent) == 1 else "are"
        yield f"{show.listed(spent)} {verb} of {together(processes)}."


def _order(comparison: Comparison, sort: str | None) -> str:
    if sort is not None and is_name(sort):
        return "Ordered by name."
    if sort is None and comparison.axis:
        return f"In the order of {show.clean(comparison.axis, limit=40)}."
    metric = comparison.rank_metric if sort is None else sort_metric(sort)
    if metric is None:
        return "Order withheld: rows stand as in the input."
    return f"Ordered by {metric.subject}, best first."


def _in_some_runs(comparison: Comparison, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield whose medians are of some runs only, a sentence for what variants have in common."""
    labels: dict[tuple[tuple[str, ...], int, int], list[str]] = {}
    for variant in comparison.variants:
        titled: dict[int, list[str]] = {}
        for metric in metrics:
            if 0 < (count := len(variant.sample(metric))) < len(variant):
                titled.setdefault(count, []).append(metric.title)
        for count, own in titled.items():
            key = tuple(own), count, len(variant)
            labels.setdefault(key, []).append(show.quoted(variant.label))
    for (titles, count, runs), names in labels.items():
        each = "each " if len(names) > 1 else ""
        yield f"{show.listed(titles)} of {some(names)} from {count} of {each}{runs} runs."


def _withheld(comparison: Comparison, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield what is withheld and why, a sentence for what variants have in common."""
    labels: dict[tuple[str, ...], dict[str, list[str]]] = {}  # by titles, then by reason
    for variant in comparison.variants:
        reasons: dict[str, list[str]] = {}
        for metric in metrics:
            why = variant.withheld.get(metric.column)
            if why:
                reasons.setdefault(why, []).append(metric.title)
        for why, titled in reasons.items():
            quoted = show.quoted(variant.label)
            labels.setdefault(tuple(titled), {}).setdefault(why, []).append(quoted)
    for titles, by_reason in labels.items():
        # `p99 of a withheld: why. Likewise of b.`; of all variants none is named.
        (why, first), *others = by_reason.items()
        names = "" if len(first) == len(comparison.variants) else f" of {show.listed(first)}"
        rest = [name for _, each in others for name in each]
        likewise = f" Likewise of {show.listed(rest)}." if rest else ""
        yield f"{show.listed(titles)}{names} {show.WITHHELD}: {show.clean(why)}.{likewise}"
