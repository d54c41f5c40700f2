"""What figures with one row per variant have in common: marks, the panel of rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from benchkit import format as show
from benchkit.compare.design import is_paced
from benchkit.figures import claims
from benchkit.figures.chart import DataTable, Panel, Series
from benchkit.figures.legend import Key, legend
from benchkit.figures.scales import from_zero, names_axis
from benchkit.figures.tables import by_column, metric_column
from benchkit.model.comparison import Comparison
from benchkit.model.metric import GOODPUT, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from benchkit.names import with_marks

ROW: Final = 26  # px
_EDGE: Final = 64  # px of a panel besides its rows: axis, title
_LEAST: Final = 120
_RATES: Final = "Throughput and goodput"


class Dot(NamedTuple):
    """One value of a row, with the texts beside it and on hover."""

    value: float
    labels: tuple[str, ...]
    hover: str
    filled: bool


def height(rows: int, row: int = ROW) -> int:
    """Return the height of a panel with so many rows in px."""
    return max(_LEAST, _EDGE + row * rows)


def span(
    key: Key,
    y: float,
    dots: Sequence[Dot],
    *,
    size: float,
    label_at: Literal["right", "above"] = "right",
) -> list[Series]:
    """Return marks of so many px, of two with a dotted line between them."""
    values = tuple(dot.value for dot in dots)
    line = Series(*key.series, values, (y,) * len(dots), line=1.5, dotted=True, in_table=False)
    marks = [
        Series(
            *key.series,
            (dot.value,),
            (y,),
            marker=size,
            filled=dot.filled,
            labels=dot.labels,
            label_at=label_at,
            hover=(dot.hover,),
        )
        for dot in dots
    ]
    return [line, *marks] if len(dots) > 1 else marks


def rate_title(comparison: Comparison) -> str:
    """Return which variant had the highest throughput, where that may be claimed."""
    rates = ((variant.label, variant.value(THROUGHPUT)) for variant in comparison.variants)
    known = {label: rate for label, rate in rates if rate is not None}
    label = claims.outermost(known, show.rate)
    paced = is_paced([run for variant in comparison.variants for run in variant.runs])
    if label is None or paced or not claims.comparable(comparison):
        return _RATES
    if not claims.differs(comparison, label, THROUGHPUT.column):
        return _RATES
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
    keys = ranked(comparison)
    series = [
        marks for row, key in enumerate(keys) for marks in _rate_marks(comparison, key, -float(row))
    ]
    return Panel(
        x=from_zero(values, room=0.34),
        y=names_axis([key.short for key in keys]),
        series=tuple(series),
        title="Throughput, requests/s",
    )


def ranked(comparison: Comparison) -> list[Key]:
    """Return the look of the variants from the top row to the last."""
    keys = legend(comparison)
    return [keys[variant.label] for variant in comparison.variants]


def _rate_marks(comparison: Comparison, key: Key, y: float) -> list[Series]:
    variant = key.variant
    every, good = variant.value(THROUGHPUT), variant.value(GOODPUT)
    marks = _range(key, y)
    if good is not None and _apart(variant):
        text = f"goodput {show.rate(good)}"
        marks.append(
            Series(
                *key.series,
                (good,),
                (y,),
                marker=10,
                filled=False,
                labels=(text,) if every is None else (),
                hover=(f"{key.name}\n{text} req/s",),
                stems="" if every is not None else "x",
            )
        )
    if every is not None:
        ratio = comparison.ratio(key.label, THROUGHPUT.column)
        change = f", {show.change(ratio)}" if ratio and comparison.grade.comparable else ""
        text = show.rate(every) + change
        labels = (with_marks(text, comparison.marks(key.label, THROUGHPUT.column)),)
        hover = (f"{key.name}\n{text}",)
        marks.append(
            Series(*key.series, (every,), (y,), marker=10, stems="x", labels=labels, hover=hover)
        )
    return marks


def _range(key: Key, y: float) -> list[Series]:
    sample = key.variant.sample(THROUGHPUT)
    if len(key.variant) < 2 or not sample or min(sample) == max(sample):
        return []
    reach, below = (min(sample), max(sample)), (y - 0.22, y - 0.22)
    return [Series(*key.series, reach, below, line=2.5, faint=True, in_table=False)]


def rate_table(comparison: Comparison, metrics: Sequence[Metric]) -> DataTable:
    """Return the metrics that any variant has, a row per variant."""
    variants = comparison.variants
    every = {metric: [variant.value(metric) for variant in variants] for metric in metrics}
    known = {m: values for m, values in every.items() if any(v is not None for v in values)}
    columns = [metric_column(metric, values, variants) for metric, values in known.items()]
    return by_column("Variant", [variant.label for variant in variants], columns)
