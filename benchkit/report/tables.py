"""Comparisons and runs to tables of words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare import BY_NAME, Comparison, VariantSummary
from benchkit.figures import look
from benchkit.names import short_names
from benchkit.report.costs import Cost, costs, has_interval
from benchkit.report.marks import marks
from benchkit.report.verdicts import DECIDED
from benchkit.report.views import Cell, ChangeCell, Name, PairRow, PairTable, RankTable
from benchkit.versus import change_text, interval_text

if TYPE_CHECKING:
    from benchkit.compare.rows import Row

_BAR: Final = 64  # px
_PAIR: Final = (
    *("throughput_rps", "goodput_rps", "latency_mean_s", "latency_p50_s", "latency_p90_s"),
    *("latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s", "errors", "non2xx"),
)
RANKED: Final = (
    *("throughput_rps", "goodput_rps", "success_ratio", "latency_mean_s", "latency_p50_s"),
    *("latency_p99_s", "latency_p999_s", "latency_max_s"),
)
_MOST_COLUMNS: Final = 6
#: Where there are ranges over runs, which are wide.
_MOST_WIDE: Final = 5
#: Where verdicts and intervals stand there too.
_MOST_TESTED: Final = 4
#: Given up in this order where there are more columns.
_LESS_NEEDED: Final = ("latency_p999_s", "latency_mean_s", "goodput_rps", "latency_max_s")
#: A reader looks for these; where no run has them the table says so.
_EXPECTED: Final = ("latency_p50_s", "latency_p99_s")


def names(comparison: Assessed, *, short: bool = False) -> dict[str, Name]:
    """Return each variant's name with its colour and symbol, and its runs where they differ.

    Short names are without the words that all share.
    """
    roles, cut = look.roles(comparison), short_names(list(comparison.order))
    uneven = len({one.runs for one in comparison.variants}) > 1
    return {
        one.label: Name(
            cut[one.label] if short else show.clean(one.label),
            roles[one.label],
            baseline=one.is_baseline and len(comparison.variants) > 1,
            runs=show.plural(one.runs, "run") if uneven else "",
            marks=marks(comparison, comparison.name_marks(one.label)),
        )
        for one in comparison.variants
    }


def pair_table(comparison: Assessed) -> PairTable:
    """Return the table of two variants, the baseline first."""
    base, other = comparison.base, comparison.others[0]
    shown = [m for m in _PAIR if _wanted(comparison, m)]
    longest = max([_log(other.ratio[metric]) for metric in shown], default=0.0)
    named = names(comparison, short=True)
    rows = [_pair_row(comparison, metric, longest) for metric in shown]
    return PairTable(
        (named[base.label], named[other.label]),
        (*rows, *(_cost_row(comparison, one, longest) for one in costs(comparison))),
    )


def _cost_row(comparison: Assessed, cost: Cost, longest: float) -> PairRow:
    other = comparison.others[0].label
    values = cost.column((comparison.base.label, other))
    texts = cost.metric.cells(values)
    row = cost.rows.get(other)
    change = show.change(row.ratio) if row and comparison.grade.comparable else None
    cell = None
    if row is not None and change is not None:
        bar = min(_BAR, round(_BAR * _log(row.ratio) / longest)) if longest else 0
        said = interval_text(row) if has_interval(row) else ""
        cell = ChangeCell(change.amount, change.word, bar if change.amount else 0, said)
    cells = tuple(Cell(text or show.NOT_PRINTED, absent=text is None) for text in texts)
    return PairRow(cost.metric.heading(values), cells, cell)


def _pair_row(comparison: Assessed, metric: str, longest: float) -> PairRow:
    pair = (comparison.base, comparison.others[0])
    values = [one.values[metric] for one in pair]
    beside = marks(comparison, comparison.shared_marks(metric))
    if values == [None, None] and (_reasons(metric, pair) or not any(_withheld(metric, pair))):
        return PairRow(
            BY_NAME[metric].title, (), absent=_absent(comparison, metric, pair), marks=beside
        )
    cells = _column(comparison, metric, pair, ranked=False)
    change = _change_cell(comparison, metric, longest) if comparison.grade.comparable else None
    return PairRow(BY_NAME[metric].heading(values), tuple(cells), change, marks=beside)


def _absent(comparison: Assessed, metric: str, variants: Sequence[VariantSummary]) -> str:
    reason = _reasons(metric, variants)
    if reason:
        return f"{show.WITHHELD}: {reason}"
    return f"{show.NOT_PRINTED} by {comparison.tool}"


def _withheld(metric: str, variants: Sequence[VariantSummary]) -> list[str]:
    return [one.withheld.get(metric, "") for one in variants]


def _reasons(metric: str, variants: Sequence[VariantSummary]) -> str:
    """Return the one reason for which a figure is withheld from all, empty otherwise."""
    found = set(_withheld(metric, variants))
    return found.pop() if len(found) == 1 else ""


def _change_cell(comparison: Assessed, metric: str, longest: float) -> ChangeCell | None:
    one = comparison.others[0]
    change = show.change(one.ratio[metric])
    if change is None:
        return None
    said = _verdict(comparison, one, metric)
    row = comparison.row(one.label, metric)
    if row is not None and said:
        if _open(row):
            return ChangeCell("", row.verdict, 0, said)
        change = replace(change, amount=change_text(row).partition(show.NBSP)[0])
    bar = round(_BAR * _log(one.ratio[metric]) / longest) if longest else 0
    return ChangeCell(change.amount, change.word, bar if change.amount else 0, said)


def _verdict(comparison: Assessed, one: VariantSummary, metric: str) -> str:
    """Return the interval of a difference and the verdict, empty without an interval."""
    row = comparison.row(one.label, metric)
    if row is None or comparison.effect(one.label, metric) is None:
        return ""
    if row.ci_low == row.ci_high == 1:
        return "equal at this resolution"
    ratio = "ratio " if _crosses(row) else ""
    word = "" if row.verdict == "not-tested" or _open(row) else f"{row.verdict}, "
    return f"{word}{ratio}{interval_text(row)}"


def _open(row: Row) -> bool:
    """Whether a direction would say more than the test does."""
    return row.verdict == "same" or (row.verdict == "inconclusive" and _crosses(row))


def _crosses(row: Row) -> bool:
    """Whether the interval holds 1, no difference."""
    return (row.ci_low or 0.0) <= 1 <= (row.ci_high or 0.0)


def rank_table(comparison: Assessed) -> RankTable:
    """Return the table with a row per variant, best first."""
    variants = comparison.variants
    labels = tuple(one.label for one in variants)
    shown = [m for m in RANKED if any(_known(one, m) for one in variants)]
    shown = [m for m in shown if not redundant(comparison, m)]
    spent = costs(comparison)
    most = _MOST_COLUMNS if max(one.runs for one in variants) == 1 else _MOST_WIDE
    most = min(most, _MOST_TESTED) if comparison.grade.key in DECIDED else most
    for metric in _LESS_NEEDED:
        if len(shown) + len(spent) > most and metric in shown:
            shown.remove(metric)
    columns = [_column(comparison, metric, variants, ranked=True) for metric in shown]
    headings = [
        (
            BY_NAME[m].heading([one.values[m] for one in variants]),
            marks(comparison, comparison.shared_marks(m)),
        )
        for m in shown
    ]
    for cost in spent[: max(0, most - len(shown))]:
        headings.append((cost.metric.heading(cost.column(labels)), ()))
        columns.append(_cost_column(comparison, cost, labels))
    named = names(comparison, short=True)
    absent = [BY_NAME[m].title for m in _EXPECTED if m not in shown]
    return RankTable(
        (("Variant", ()), *headings),
        tuple(
            (named[one.label], tuple(column[n] for column in columns))
            for n, one in enumerate(variants)
        ),
        order=_order(comparison),
        absent=f"{show.listed(absent)} {show.NOT_PRINTED} by {comparison.tool}." if absent else "",
    )


def _cost_column(comparison: Assessed, cost: Cost, labels: tuple[str, ...]) -> list[Cell]:
    found = []
    for label, text in zip(labels, cost.metric.cells(cost.column(labels)), strict=True):
        row = cost.rows.get(label)
        change = show.change(row.ratio) if row and comparison.grade.comparable else None
        small = str(change) if change else ""
        found.append(Cell(text or show.NOT_PRINTED, absent=text is None, small=small))
    return found


def _order(comparison: Comparison) -> str:
    if len(comparison.variants) == 1:
        return ""
    if comparison.axis:
        return f"In the order of {show.clean(comparison.axis, limit=40)}."
    if not comparison.rank_metric:
        return "Order withheld: rows stand as in the input."
    metric = BY_NAME[comparison.rank_metric]
    title = metric.title if metric.title.startswith("p") else metric.title.lower()
    return f"Ordered by {title}, best first."


def _known(one: VariantSummary, metric: str) -> bool:
    return one.values[metric] is not None or metric in one.withheld


def _column(
    comparison: Assessed, metric: str, variants: Sequence[VariantSummary], *, ranked: bool
) -> list[Cell]:
    values = [one.values[metric] for one in variants]
    texts = BY_NAME[metric].cells(values)
    return [
        _cell(comparison, metric, one, text, values, ranked=ranked)
        for text, one in zip(texts, variants, strict=True)
    ]


def _cell(
    comparison: Assessed,
    metric: str,
    one: VariantSummary,
    text: str | None,
    values: Sequence[float | None],
    *,
    ranked: bool,
) -> Cell:
    beside = marks(comparison, comparison.marks(one.label, metric))
    if metric in one.withheld:
        return Cell(show.WITHHELD, absent=True, why=one.withheld[metric], marks=beside)
    if text is None:
        return Cell(show.NOT_PRINTED, absent=True)
    versus = ranked and comparison.grade.comparable and comparison.against(one.label) is not None
    said = _verdict(comparison, one, metric) if versus else ""
    row = comparison.row(one.label, metric)
    undecided = row is not None and said != "" and _open(row)
    return Cell(
        text,
        small=row.verdict if row and undecided else _small(metric, one, versus=versus),
        spread=_spread(metric, one, values),
        verdict=said,
        marks=beside,
    )


def intervals(comparison: Assessed) -> str:
    """Return what the intervals of the table are, empty where it has none."""
    rows = [
        row
        for one in comparison.variants
        for metric in (*_PAIR, *RANKED)
        if (row := comparison.row(one.label, metric)) and comparison.effect(one.label, metric)
    ]
    if not rows or not comparison.grade.comparable:
        return ""
    if min(min(row.runs, row.baseline_runs) for row in rows) == 1:
        return "Bands describe these single runs only: another run may differ more."
    levels = sorted({row.confidence or 0.0 for row in rows})
    spread = dict.fromkeys(show.share(round(one, 3)) for one in (levels[0], levels[-1]))
    return f"Intervals of the ratio at {' to '.join(spread)}, unadjusted; verdicts are adjusted."


def _small(metric: str, one: VariantSummary, *, versus: bool) -> str:
    if metric in {"errors", "non2xx"}:
        value, requests = one.values[metric], one.values["requests"]
        return show.share(value / requests) if value and requests else ""
    change = show.change(one.ratio[metric]) if versus else None
    return str(change) if change else ""


def _spread(metric: str, one: VariantSummary, row: Sequence[float | None]) -> str:
    low, high = one.low[metric], one.high[metric]
    if one.runs < 2 or low is None or high is None or low == high:
        return ""
    if BY_NAME[metric].quantity == "time":
        texts = show.in_unit([low, high], show.time_unit(row))
    else:
        texts = BY_NAME[metric].cells([low, high])
    return f"{texts[0]}{show.EN_DASH}{texts[1]}"


def _wanted(comparison: Comparison, metric: str) -> bool:
    if metric in {*_EXPECTED, "latency_p999_s"}:
        return True
    if not any(_known(one, metric) for one in comparison.variants):
        return False
    return not redundant(comparison, metric)


def redundant(comparison: Comparison, metric: str) -> bool:
    """Goodput that equals throughput everywhere, and failures that nobody had."""
    variants = comparison.variants
    if metric == "goodput_rps":
        pairs = [(one.values["throughput_rps"], one.values[metric]) for one in variants]
        return all(good is None or good == every for every, good in pairs)
    if metric == "success_ratio":
        return all(one.values[metric] in {None, 1.0} for one in variants)
    if metric == "latency_mean_s":
        return len(variants) > 2 and all(
            one.values["latency_p50_s"] is not None for one in variants
        )
    return metric == "errors" and not any(one.values[metric] for one in variants)


def _log(ratio: float | None) -> float:
    return abs(math.log(ratio)) if ratio else 0.0
