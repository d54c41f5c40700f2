"""Comparisons and runs to tables of words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare import BY_NAME, Comparison, VariantSummary, rows_of
from benchkit.figures import look
from benchkit.figures.names import short_names
from benchkit.report.marks import marks
from benchkit.report.views import Cell, ChangeCell, Grid, Name, PairRow, PairTable, RankTable
from benchkit.versus import change_text, interval_text

if TYPE_CHECKING:
    from benchkit.compare.rows import Row
    from benchkit.results import Results

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
#: Given up in this order where there are more columns.
_LESS_NEEDED: Final = ("latency_p999_s", "latency_mean_s", "goodput_rps")
#: A reader looks for these; where no run has them the table says so.
_EXPECTED: Final = ("latency_p50_s", "latency_p99_s")


def names(comparison: Assessed, *, short: bool = False) -> dict[str, Name]:
    """Return each variant's name with its colour and symbol; short without the shared words."""
    roles, cut = look.roles(comparison), short_names(list(comparison.order))
    return {
        one.label: Name(
            cut[one.label] if short else show.clean(one.label),
            roles[one.label],
            baseline=one.is_baseline and len(comparison.variants) > 1,
            runs=show.plural(one.runs, "run") if one.runs > 1 else "",
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
    return PairTable(
        (named[base.label], named[other.label]),
        tuple(_pair_row(comparison, metric, longest) for metric in shown),
    )


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
    shown = [m for m in RANKED if any(_known(one, m) for one in variants)]
    shown = [m for m in shown if not redundant(comparison, m)]
    for metric in _LESS_NEEDED:
        if len(shown) > _MOST_COLUMNS and metric in shown:
            shown.remove(metric)
    columns = [_column(comparison, metric, variants, ranked=True) for metric in shown]
    headings = [
        (
            BY_NAME[m].heading([one.values[m] for one in variants]),
            marks(comparison, comparison.shared_marks(m)),
        )
        for m in shown
    ]
    named = names(comparison)
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


def _order(comparison: Comparison) -> str:
    if len(comparison.variants) == 1:
        return ""
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


def status_table(results: Results, comparison: Comparison) -> Grid | None:
    """Return status codes and errors with count and share per variant, None without any."""
    order = comparison.order
    owner = {i: one.label for one in comparison.variants for i in one.run_ids}
    counts: dict[tuple[int, str], dict[str, int | None]] = defaultdict(dict)
    for row in _of(results.statuses, owner):
        name = str(row["status"]) if row["status"] else "no response"
        _add(counts[0, name], owner[row["run_id"]], row["count"])
    for row in _of(results.errors, owner):
        _add(counts[1, show.clean(row["error"], limit=160)], owner[row["run_id"]], row["count"])
    for metric in ("timeouts",) if counts else ("errors", "timeouts", "non2xx"):
        for label, total in _totals(results, owner, metric).items():
            _add(counts[2, _TOTALS[metric]], label, total)
    if not any(total or kind < 2 for (kind, _), row in counts.items() for total in row.values()):
        return None
    requests = _totals(results, owner, "requests")
    rows = [
        (key[1], *(_count_text(found, label, requests) for label in order))
        for key, found in sorted(counts.items(), key=lambda item: item[0][0])
    ]
    return Grid(("Status or error", *(show.clean(label) for label in order)), tuple(rows))


_TOTALS: Final = {
    "errors": "Requests without a response",
    "timeouts": "Timeouts",
    "non2xx": "Responses not 2xx",
}


def no_errors(results: Results, comparison: Comparison) -> str:
    """Return the sentence in place of a table of zeros, empty where there are no counts."""
    owner = {i: one.label for one in comparison.variants for i in one.run_ids}
    counted = [m for m in _TOTALS if len(_totals(results, owner, m)) == len(comparison.variants)]
    if not counted:
        return "Errors and status codes were not printed."
    never = show.listed([_TOTALS[metric].lower() for metric in counted])
    return f"Counted and never seen: {never}."


def _of(frame: Any, owner: Mapping[str, str]) -> list[dict[str, Any]]:  # noqa: ANN401 - a dataframe
    return rows_of(frame[frame["run_id"].isin(list(owner))])


def _add(into: dict[str, int | None], label: str, count: int | None) -> None:
    before = into.get(label, 0)
    into[label] = None if count is None or before is None else before + count


def _totals(results: Results, owner: Mapping[str, str], metric: str) -> dict[str, int]:
    totals: dict[str, int] = {}
    for row in _of(results.runs, owner):
        if row[metric] is not None:
            totals[owner[row["run_id"]]] = totals.get(owner[row["run_id"]], 0) + row[metric]
    return totals


def _count_text(found: Mapping[str, int | None], label: str, requests: Mapping[str, int]) -> str:
    if label not in found:
        return "—"
    count = found[label]
    if count is None:
        return "listed"
    total = requests.get(label)
    return f"{show.count(count)} ({show.share(count / total)})" if count and total else str(count)


def _log(ratio: float | None) -> float:
    return abs(math.log(ratio)) if ratio else 0.0
