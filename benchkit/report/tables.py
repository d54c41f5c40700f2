"""Comparisons and runs to tables of words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import BY_NAME, Comparison, VariantSummary, rows_of
from benchkit.figures import look
from benchkit.report.views import Cell, ChangeCell, Grid, Name, PairRow, PairTable, RankTable

if TYPE_CHECKING:
    from benchkit.results import Results

_BAR: Final = 64  # px
_PAIR: Final = (
    *("throughput_rps", "goodput_rps", "latency_mean_s", "latency_p50_s", "latency_p90_s"),
    *("latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s", "errors", "non2xx"),
)
_RANKED: Final = (
    *("throughput_rps", "goodput_rps", "success_ratio", "latency_mean_s", "latency_p50_s"),
    *("latency_p99_s", "latency_p999_s", "latency_max_s"),
)
_MOST_COLUMNS: Final = 6
#: Given up in this order where there are more columns.
_LESS_NEEDED: Final = ("latency_p999_s", "latency_mean_s", "goodput_rps")
#: A reader looks for these; where no run has them the table says so.
_EXPECTED: Final = ("latency_p50_s", "latency_p99_s")


def names(comparison: Comparison) -> dict[str, Name]:
    """Return each variant's name with its colour and symbol."""
    roles = look.roles(comparison)
    return {
        one.label: Name(
            show.clean(one.label),
            roles[one.label],
            look.SYMBOLS[roles[one.label]][2],
            baseline=one.is_baseline and len(comparison.variants) > 1,
            runs=show.plural(one.runs, "run") if one.runs > 1 else "",
        )
        for one in comparison.variants
    }


def pair_table(comparison: Comparison) -> PairTable:
    """Return the table of two variants, the baseline first."""
    base, other = comparison.base, comparison.others[0]
    shown = [m for m in _PAIR if _wanted(comparison, m)]
    longest = max([_log(other.ratio[metric]) for metric in shown], default=0.0)
    named = names(comparison)
    return PairTable(
        (named[base.label], named[other.label]),
        tuple(_pair_row(comparison, metric, longest) for metric in shown),
    )


def _pair_row(comparison: Comparison, metric: str, longest: float) -> PairRow:
    pair = (comparison.base, comparison.others[0])
    values = [one.values[metric] for one in pair]
    if values == [None, None]:
        word = f"{show.NOT_PRINTED} by {comparison.tool}"
        return PairRow(BY_NAME[metric].title, (), absent=word)
    cells = _column(metric, pair)
    change = _change_cell(metric, pair[1], longest) if comparison.grade.comparable else None
    return PairRow(BY_NAME[metric].heading(values), tuple(cells), change)


def _change_cell(metric: str, one: VariantSummary, longest: float) -> ChangeCell | None:
    change = show.change(one.ratio[metric])
    if change is None:
        return None
    bar = round(_BAR * _log(one.ratio[metric]) / longest) if longest else 0
    return ChangeCell(change.amount, change.word, bar if change.amount else 0)


def rank_table(comparison: Comparison) -> RankTable:
    """Return the table with a row per variant, best first."""
    variants = comparison.variants
    shown = [m for m in _RANKED if any(one.values[m] is not None for one in variants)]
    shown = [m for m in shown if not _redundant(comparison, m)]
    for metric in _LESS_NEEDED:
        if len(shown) > _MOST_COLUMNS and metric in shown:
            shown.remove(metric)
    columns = [_column(metric, variants, comparison=comparison) for metric in shown]
    headings = [BY_NAME[m].heading([one.values[m] for one in variants]) for m in shown]
    named = names(comparison)
    absent = [BY_NAME[m].title for m in _EXPECTED if m not in shown]
    return RankTable(
        ("Variant", *headings),
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


def _column(
    metric: str,
    variants: Sequence[VariantSummary],
    *,
    comparison: Comparison | None = None,
) -> list[Cell]:
    values = [one.values[metric] for one in variants]
    texts = BY_NAME[metric].cells(values)
    return [
        Cell(text, small=_small(metric, one, comparison), spread=_spread(metric, one, values))
        if text is not None
        else Cell(show.NOT_PRINTED, absent=True)
        for text, one in zip(texts, variants, strict=True)
    ]


def _small(metric: str, one: VariantSummary, comparison: Comparison | None) -> str:
    if metric in {"errors", "non2xx"}:
        value, requests = one.values[metric], one.values["requests"]
        return show.share(value / requests) if value and requests else ""
    if comparison is None or one.is_baseline or not comparison.grade.comparable:
        return ""
    change = show.change(one.ratio[metric])
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
    if all(one.values[metric] is None for one in comparison.variants):
        return False
    return not _redundant(comparison, metric)


def _redundant(comparison: Comparison, metric: str) -> bool:
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
