"""What figures with one row per variant have in common: the panel of rates and the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures import claims
from benchkit.figures.chart import DataTable, Panel, Series
from benchkit.figures.legend import legend
from benchkit.figures.scales import from_zero, names_axis
from benchkit.model.comparison import Comparison
from benchkit.model.metric import GOODPUT, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from benchkit.names import with_marks

ROW: Final = 26  # px
_EDGE: Final = 64  # px of a panel besides its rows: axis, title
_LEAST: Final = 120


def height(comparison: Comparison) -> int:
    """Return the height of a panel with a row per variant in px."""
    return max(_LEAST, _EDGE + ROW * len(comparison.variants))


def rate_title(comparison: Comparison) -> str:
    """Return which variant had the highest throughput, where that may be claimed."""
    from benchkit.compare.design import is_paced

    rates = ((variant.label, variant.value(THROUGHPUT)) for variant in comparison.variants)
    known = {label: rate for label, rate in rates if rate is not None}
    label = claims.outermost(known, show.rate)
    paced = is_paced([run for variant in comparison.variants for run in variant.runs])
    if label is None or paced or not claims.comparable(comparison):
        return "Throughput and goodput"
    if not claims.differs(comparison, label, THROUGHPUT.column):
        return "Throughput and goodput"
    return f"{show.quoted(label)} had the highest throughput, {THROUGHPUT.prose(known[label])}"


def rates_subtitle(comparison: Comparison) -> str:
    """Return quantity, scale and marks of the panel of rates."""
    parts = ["Responses per second, axis from zero."]
    if any(_apart(variant) for variant in comparison.variants):
        parts.append("Open marks are goodput: responses of status 200 to 399.")
    absent = [v.label for v in comparison.variants if v.value(GOODPUT) is None]
    if absent and len(absent) == len(comparison.variants):
        parts.append("Goodput cannot be told from this output.")
    elif absent:
        names = [show.clean(label, limit=30) for label in absent]
        parts.append(f"Goodput not known of {show.listed(names)}.")
    if any(len(variant) > 1 for variant in comparison.variants):
        parts.append("Marks are medians, the bars below them the range over runs.")
    return " ".join(parts)


def _apart(variant: Variant) -> bool:
    """Whether goodput is a mark of its own."""
    good, every = variant.value(GOODPUT), variant.value(THROUGHPUT)
    return good is not None and (every is None or abs(good - every) > 0.001 * every)


def rates(comparison: Comparison) -> Panel | None:
    """Return the panel of throughput and goodput, None where neither is known."""
    samples = (v.sample(m) for v in comparison.variants for m in (THROUGHPUT, GOODPUT))
    values = [value for sample in samples for value in sample]
    if not values:
        return None
    names = legend(comparison)
    series = [
        marks
        for row, variant in enumerate(comparison.variants)
        for marks in _rate_marks(comparison, variant, -float(row), names.roles[variant.label])
    ]
    return Panel(
        x=from_zero(values, room=0.34),
        y=names_axis([names.short[variant.label] for variant in comparison.variants]),
        series=tuple(series),
        title="Throughput, requests/s",
    )


def _rate_marks(comparison: Comparison, variant: Variant, y: float, role: str) -> list[Series]:
    label, name = variant.label, show.clean(variant.label, limit=40)
    every, good = variant.value(THROUGHPUT), variant.value(GOODPUT)
    marks = _range(variant, y, role)
    if good is not None and _apart(variant):
        text = f"goodput {show.rate(good)}"
        marks.append(
            Series(
                label,
                role,
                (good,),
                (y,),
                marker=10,
                filled=False,
                labels=(text,) if every is None else (),
                hover=(f"{name}\n{text} req/s",),
                stems="" if every is not None else "x",
            )
        )
    if every is not None:
        text = show.rate(every) + _change(comparison, label)
        numbers = comparison.marks(label, THROUGHPUT.column)
        labels, hover = (with_marks(text, numbers),), (f"{name}\n{text}",)
        marks.append(
            Series(label, role, (every,), (y,), marker=10, stems="x", labels=labels, hover=hover)
        )
    return marks


def _change(comparison: Comparison, label: str) -> str:
    ratio = comparison.ratio(label, THROUGHPUT.column)
    return f", {show.change(ratio)}" if ratio and comparison.grade.comparable else ""


def _range(variant: Variant, y: float, role: str) -> list[Series]:
    sample = variant.sample(THROUGHPUT)
    if len(variant) < 2 or not sample or min(sample) == max(sample):
        return []
    span, below = (min(sample), max(sample)), (y - 0.22, y - 0.22)
    return [Series(variant.label, role, span, below, line=2.5, faint=True, in_table=False)]


def table(comparison: Comparison, metrics: Sequence[Metric]) -> DataTable:
    """Return the metrics that any variant has, a row per variant."""
    columns = {metric: [v.value(metric) for v in comparison.variants] for metric in metrics}
    known = {m: values for m, values in columns.items() if any(v is not None for v in values)}
    texts = {metric: metric.cells(values) for metric, values in known.items()}
    rows = [
        (
            variant.label,
            tuple((texts[m][n] or absent(variant, m), values[n]) for m, values in known.items()),
        )
        for n, variant in enumerate(comparison.variants)
    ]
    return DataTable(("Variant", *(m.heading(known[m]) for m in known)), tuple(rows))


def absent(variant: Variant, metric: Metric) -> str:
    """Return why a variant has no value in a cell of a table."""
    return show.WITHHELD if metric.column in variant.withheld else show.NOT_PRINTED
