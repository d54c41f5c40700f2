"""Two factors as a grid: which combination is how much better or worse than the baseline?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare import BY_NAME, Comparison, VariantSummary
from benchkit.compare.grades import obstacles
from benchkit.figures.chart import Axis, Cells, Chart, DataTable, Panel
from benchkit.figures.grid import MEASURED, VARIANT, Grid, base_name, grid_of

if TYPE_CHECKING:
    from benchkit.results import Results

_ROW: Final = 34  # px
_EDGE: Final = 58  # px of a panel besides its rows
_LEAST: Final = math.log(1.25)  # differences below are not blown up to the ends of the scale
_APART: Final = 0.1  # of shares of success
_BASE: Final = "●"
_INCOMPARABLE: Final = "⊘"
_LATENCIES: Final = ("latency_p99_s", "latency_p90_s", "latency_p50_s", "latency_mean_s")


def matrix(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None without two factors or with too many gaps between them."""
    grid = grid_of(results, comparison)
    if grid is None:
        return None
    metrics = _metrics(comparison, grid)
    if not metrics:
        return None
    limit = _limit(comparison, grid, metrics)
    title = _title(comparison, grid, metrics[0])
    return Chart(
        kind="matrix",
        title=title,
        subtitle=_subtitle(comparison, grid, metrics, limit),
        label=f"{title}. A grid of {len(grid.rows)} by {len(grid.columns)}; "
        "values in the table below",
        panels=tuple(_panel(comparison, grid, metric, limit) for metric in metrics),
        table=_table(comparison, grid, metrics),
        height=len(metrics) * (_EDGE + _ROW * len(grid.rows)),
        rows=True,
    )


def _metrics(comparison: Comparison, grid: Grid) -> list[str]:
    """Return what is shown: the throughput where it answers something, and one latency."""

    def told(name: str) -> bool:
        values = [one.values[name] for one in grid.at.values()]
        return sum(bool(value) for value in values) >= MEASURED * len(values)

    shares = [one.values["success_ratio"] for one in grid.at.values()]
    known = [share for share in shares if share is not None]
    if known and max(known) - min(known) > _APART:
        return ["success_ratio"]  # nothing else can be compared
    rates = ["throughput_rps"] if comparison.facts("load_model") != ("open",) else []
    latency = next((name for name in _LATENCIES if told(name)), None)
    return [*(name for name in rates if told(name)), *([latency] if latency else [])]


def _limit(comparison: Comparison, grid: Grid, metrics: Sequence[str]) -> float:
    """Return the logarithm of the ratio at both ends of the scale, the same in every panel."""
    ratios = [_ratio(comparison, one, name) for one in grid.at.values() for name in metrics]
    return max([_LEAST, *(abs(math.log(ratio)) for ratio in ratios if ratio)])


def _ratio(comparison: Comparison, one: VariantSummary, metric: str) -> float | None:
    """Return variant over baseline, None where that is not known or not to be said."""
    value, base = one.values[metric], comparison.base.values[metric]
    if not value or not base or _against(comparison, one, metric):
        return None
    return value / base


def _against(comparison: Comparison, one: VariantSummary, metric: str) -> list[str]:
    """Return why a cell cannot be compared with the baseline, nothing where it can.

    Those of other settings stand in other comparisons, which say nothing of this baseline.
    """
    counted = metric == "success_ratio"
    if not comparison.grade.comparable and not counted:
        return list(comparison.grade.reasons)
    if one.label == base_name(comparison):
        return []
    return obstacles((comparison.base, one), failures=not counted)


def _panel(comparison: Comparison, grid: Grid, metric: str, limit: float) -> Panel:
    of = BY_NAME[metric]
    every = [one.values[metric] for one in grid.at.values()]
    texts = dict(zip(grid.at, of.cells(every), strict=True))
    rows = list(reversed(grid.rows))
    places = [[(row, column) for column in grid.columns] for row in rows]
    size = (len(grid.rows), len(grid.columns))
    return Panel(
        x=_axis(grid.names(grid.column, grid.columns)),
        y=_axis(grid.names(grid.row, rows)),
        series=(),
        title=of.heading(every),
        cells=Cells(
            xs=tuple(float(n) for n in range(size[1] + 1)),
            ys=tuple(float(n) for n in range(size[0] + 1)),
            values=tuple(
                tuple(_place(comparison, grid.at.get(at), metric, limit) for at in line)
                for line in places
            ),
            scale="ratio",
            texts=tuple(
                tuple(_text(comparison, grid.at.get(at), metric, texts.get(at)) for at in line)
                for line in places
            ),
            hatched=True,
            hover=tuple(
                tuple(_hover(comparison, grid.at.get(at), metric) for at in line) for line in places
            ),
        ),
    )


def _axis(names: Sequence[str]) -> Axis:
    ticks = tuple((n + 0.5, name) for n, name in enumerate(names))
    return Axis("linear", 0.0, float(len(names)), ticks, grid=False)


def _place(
    comparison: Comparison, one: VariantSummary | None, metric: str, limit: float
) -> float | None:
    """Return where a cell lies on the scale: better is 0, the baseline's value 0.5, worse 1.

    Without a ratio it has no colour, which is the middle of the scale; the subtitle says so.
    """
    if one is None or one.values[metric] is None:
        return None
    ratio = _ratio(comparison, one, metric)
    if ratio is None:
        return 0.5
    worse = -math.log(ratio) if BY_NAME[metric].better == "higher" else math.log(ratio)
    return 0.5 + 0.5 * max(-1.0, min(1.0, worse / limit))


def _text(
    comparison: Comparison, one: VariantSummary | None, metric: str, written: str | None
) -> str:
    if one is None:
        return show.NOT_RUN
    if written is None:
        return show.WITHHELD if metric in one.withheld else show.NOT_PRINTED
    if one.label == base_name(comparison):
        return f"{written}{show.NBSP}{_BASE}"
    return f"{written}{show.NBSP}{_INCOMPARABLE}" if _lone(comparison, one, metric) else written


def _lone(comparison: Comparison, one: VariantSummary, metric: str) -> bool:
    """Whether this cell is not comparable, though others are."""
    counted = metric == "success_ratio"
    return (comparison.grade.comparable or counted) and bool(_against(comparison, one, metric))


def _hover(comparison: Comparison, one: VariantSummary | None, metric: str) -> str:
    if one is None:
        return show.NOT_RUN
    name, value = show.clean(one.label, limit=60), one.values[metric]
    if value is None:
        return f"{name}\n{one.withheld.get(metric, show.NOT_PRINTED)}"
    told = f"{name}\n{BY_NAME[metric].title} {BY_NAME[metric].prose(value)}"
    if one.label == base_name(comparison):
        return told
    if against := _against(comparison, one, metric):
        return "\n".join([told, "Not comparable with the baseline", *map(show.clean, against)])
    change = show.change(_ratio(comparison, one, metric))
    return told if change is None else f"{told}, {change} than the baseline"


def _title(comparison: Comparison, grid: Grid, metric: str) -> str:
    of = BY_NAME[metric]
    known = [
        (ratio, one)
        for one in grid.at.values()
        if one.label != base_name(comparison) and (ratio := _ratio(comparison, one, metric))
    ]
    if not known:
        return f"{of.title} by {_factor(grid.row)} and {_factor(grid.column)}"
    ratio, one = max(known, key=lambda item: abs(math.log(item[0])))
    name = show.clean(one.label, limit=60)
    return f"{of.title} differed most with {name}: {show.change(ratio)}"


def _factor(name: str) -> str:
    return name if name != VARIANT else "variant"


def _subtitle(comparison: Comparison, grid: Grid, metrics: Sequence[str], limit: float) -> str:
    if not comparison.grade.comparable and "success_ratio" not in metrics:
        return "Values of combinations that are not comparable; hatched ones were not run."
    every = [(one, m) for one in grid.at.values() for m in metrics if one.values[m] is not None]
    base, ends = show.quoted(base_name(comparison)), show.factor(math.exp(limit))
    parts = [f"Blue is better, orange worse than {base} ({_BASE}), on a log scale up to {ends}"]
    parts[0] += " both ways."
    if any(one.runs > 1 for one in grid.at.values()):
        parts.append("Medians over runs.")
    parts.append("Hatched: without data.")
    if any(_lone(comparison, one, m) for one, m in every):
        parts.append(f"{_INCOMPARABLE} without colour: not comparable with it.")
    if any(
        _ratio(comparison, one, m) is None and not _lone(comparison, one, m) for one, m in every
    ):
        parts.append("What has no ratio to it, as 0 has none, is without colour too.")
    return " ".join(parts)


def _table(comparison: Comparison, grid: Grid, metrics: Sequence[str]) -> DataTable:
    rows, columns = grid.names(grid.row, grid.rows), grid.names(grid.column, grid.columns)
    listed = []
    units = {m: [one.values[m] for one in grid.at.values()] for m in metrics}
    texts = {m: dict(zip(grid.at, BY_NAME[m].cells(units[m]), strict=True)) for m in metrics}
    for row, name in zip(grid.rows, rows, strict=True):
        for column, beside in zip(grid.columns, columns, strict=True):
            at = (row, column)
            one = grid.at.get(at)
            cells = tuple(
                (
                    _text(comparison, one, m, texts[m].get(at)),
                    one.values[m] if one else None,
                )
                for m in metrics
            )
            listed.append((f"{name}, {beside}", cells))
    headings = tuple(BY_NAME[m].heading(units[m]) for m in metrics)
    return DataTable(("Combination", *headings), tuple(listed))
