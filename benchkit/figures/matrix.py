"""Two factors as a grid: which combination is how much better or worse than the baseline?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import BY_NAME, Comparison, VariantSummary
from benchkit.compare.params import is_copy
from benchkit.compare.summaries import groups_of
from benchkit.compare.sweep import sweeps
from benchkit.figures.chart import Axis, Cells, Chart, DataTable, Panel
from benchkit.figures.names import short_names

if TYPE_CHECKING:
    from benchkit.results import Results

_MEASURED: Final = 0.6  # of the cells, at least
_MOST: Final = 12  # levels of a factor
_ROW: Final = 34  # px
_EDGE: Final = 58  # px of a panel besides its rows
_LEAST: Final = math.log(1.25)  # differences below are not blown up to the ends of the scale
_APART: Final = 0.1  # of shares of success
_BASE: Final = "●"
_NOT_RUN: Final = "not run"
_VARIANT: Final = ""
_LATENCIES: Final = ("latency_p99_s", "latency_p90_s", "latency_p50_s", "latency_mean_s")


@dataclass(frozen=True, slots=True)
class _Grid:
    """Two factors with their levels in order, and what was measured at each two of them."""

    row: str
    column: str
    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    at: Mapping[tuple[Any, Any], VariantSummary]

    def names(self, factor: str, levels: Sequence[Any]) -> list[str]:
        """Return the levels for people; those of a param with its name."""
        if factor == _VARIANT:
            short = short_names([str(level) for level in levels])
            return [short[str(level)] for level in levels]
        return [show.clean(f"{factor} {_word(level)}", limit=30) for level in levels]


def matrix(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None without two factors or with too many gaps between them."""
    grid = _grid(_described(results, comparison))
    if grid is None:
        return None
    grid = _grid(_all(results, comparison)) or grid
    metrics = _metrics(comparison, grid)
    if not metrics:
        return None
    limit = _limit(comparison, grid, metrics)
    title = _title(comparison, grid, metrics[0])
    return Chart(
        kind="matrix",
        title=title,
        subtitle=_subtitle(comparison, limit),
        label=f"{title}. A grid of {len(grid.rows)} by {len(grid.columns)}; "
        "values in the table below",
        panels=tuple(_panel(comparison, grid, metric, limit) for metric in metrics),
        table=_table(comparison, grid, metrics),
        height=len(metrics) * (_EDGE + _ROW * len(grid.rows)),
        rows=True,
    )


def _described(results: Results, comparison: Comparison) -> list[VariantSummary]:
    """Return every variant of the scenario and tool, in input order.

    Those with other params may stand in comparisons of their own; the figure then stands with
    the first of these, and in the others there is nothing to draw.
    """
    of = (comparison.scenario, comparison.tool)
    groups = [one for one in groups_of(results) if (one.scenario, one.tool) == of]
    if not any(one.run_ids == comparison.base.run_ids for one in groups[0].variants):
        return []
    return [
        replace(variant, label=group.full(variant.label))
        for group in groups
        for variant in group.variants
    ]


def _all(results: Results, comparison: Comparison) -> list[VariantSummary]:
    """Return the same without what is withheld."""
    from benchkit.assessment import assess

    of = (comparison.scenario, comparison.tool)
    known = _named(comparison)
    if len(known) == len(_described(results, comparison)):
        return list(known.values())
    blocks = assess(results.select(scenario=comparison.scenario))
    for block in (one for one in blocks if (one.scenario, one.tool) == of):
        known = known | {name: one for name, one in _named(block).items() if name not in known}
    return list(known.values())


def _named(comparison: Comparison) -> dict[str, VariantSummary]:
    """Return the variants in input order by their names among all of the scenario."""
    by_label = {one.label: one for one in comparison.variants}
    full = {label: show.joined(label, comparison.setting) for label in comparison.order}
    return {name: replace(by_label[label], label=name) for label, name in full.items()}


def _base(comparison: Comparison) -> str:
    return show.joined(comparison.baseline, comparison.setting)


def _grid(every: Sequence[VariantSummary]) -> _Grid | None:
    variants = [one for one in every if not is_copy(one)]
    levels = _factors(variants)
    if len(levels) != 2 or sweeps(variants):
        return None
    (row, rows), (column, columns) = levels.items()
    if len(columns) > len(rows) and row != _VARIANT:
        (row, rows), (column, columns) = (column, columns), (row, rows)
    at = {(_level(one, row), _level(one, column)): one for one in variants}
    if max(len(rows), len(columns)) > _MOST or len(at) < _MEASURED * len(rows) * len(columns):
        return None
    return _Grid(row, column, tuple(rows), tuple(columns), at)


def _factors(variants: Sequence[VariantSummary]) -> dict[str, list[Any]]:
    """Return the levels of each factor that has several; the variant's name is one of them."""
    names = [_VARIANT, *dict.fromkeys(key for one in variants for key in one.params)]
    levels = {name: list(dict.fromkeys(_level(one, name) for one in variants)) for name in names}
    return {name: _ordered(found) for name, found in levels.items() if len(found) > 1}


def _level(one: VariantSummary, factor: str) -> Any:  # noqa: ANN401 - any value of a param
    if factor == _VARIANT:
        return one.variant
    value = one.params.get(factor)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def _ordered(levels: list[Any]) -> list[Any]:
    numbers = all(isinstance(level, (int, float)) for level in levels)
    return sorted(levels) if numbers else levels


def _word(value: Any) -> str:  # noqa: ANN401 - any value of a param
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _metrics(comparison: Comparison, grid: _Grid) -> list[str]:
    """Return what is shown: the throughput where it answers something, and one latency."""

    def told(name: str) -> bool:
        values = [one.values[name] for one in grid.at.values()]
        return sum(bool(value) for value in values) >= _MEASURED * len(values)

    shares = [one.values["success_ratio"] for one in grid.at.values()]
    known = [share for share in shares if share is not None]
    if known and max(known) - min(known) > _APART:
        return ["success_ratio"]  # nothing else can be compared
    rates = ["throughput_rps"] if comparison.facts("load_model") != ("open",) else []
    latency = next((name for name in _LATENCIES if told(name)), None)
    return [*(name for name in rates if told(name)), *([latency] if latency else [])]


def _limit(comparison: Comparison, grid: _Grid, metrics: Sequence[str]) -> float:
    """Return the logarithm of the ratio at both ends of the scale, the same in every panel."""
    ratios = [_ratio(comparison, one, name) for one in grid.at.values() for name in metrics]
    return max([_LEAST, *(abs(math.log(ratio)) for ratio in ratios if ratio)])


def _ratio(comparison: Comparison, one: VariantSummary, metric: str) -> float | None:
    """Return variant over baseline, None where that is not known or not to be said."""
    value, base = one.values[metric], comparison.base.values[metric]
    if not value or not base:
        return None
    if not comparison.grade.comparable and metric != "success_ratio":
        return None
    return value / base


def _panel(comparison: Comparison, grid: _Grid, metric: str, limit: float) -> Panel:
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
                tuple(
                    _text(_base(comparison), grid.at.get(at), metric, texts.get(at)) for at in line
                )
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
    """Return where a cell lies on the scale: better is 0, the baseline's value 0.5, worse 1."""
    if one is None or one.values[metric] is None:
        return None
    ratio = _ratio(comparison, one, metric)
    if ratio is None:
        return 0.5
    worse = -math.log(ratio) if BY_NAME[metric].better == "higher" else math.log(ratio)
    return 0.5 + 0.5 * max(-1.0, min(1.0, worse / limit))


def _text(base: str, one: VariantSummary | None, metric: str, written: str | None) -> str:
    if one is None:
        return _NOT_RUN
    if written is None:
        return show.WITHHELD if metric in one.withheld else show.NOT_PRINTED
    return f"{written}{show.NBSP}{_BASE}" if one.label == base else written


def _hover(comparison: Comparison, one: VariantSummary | None, metric: str) -> str:
    if one is None:
        return _NOT_RUN
    name, value = show.clean(one.label, limit=60), one.values[metric]
    if value is None:
        return f"{name}\n{one.withheld.get(metric, show.NOT_PRINTED)}"
    told = f"{name}\n{BY_NAME[metric].title} {BY_NAME[metric].prose(value)}"
    change = show.change(_ratio(comparison, one, metric))
    return (
        told
        if one.label == _base(comparison) or change is None
        else f"{told}, {change} than the baseline"
    )


def _title(comparison: Comparison, grid: _Grid, metric: str) -> str:
    of = BY_NAME[metric]
    known = [
        (ratio, one)
        for one in grid.at.values()
        if one.label != _base(comparison) and (ratio := _ratio(comparison, one, metric))
    ]
    if not known:
        return f"{of.title} by {_factor(grid.row)} and {_factor(grid.column)}"
    ratio, one = max(known, key=lambda item: abs(math.log(item[0])))
    name = show.clean(one.label, limit=60)
    return f"{of.title} differed most with {name}: {show.change(ratio)}"


def _factor(name: str) -> str:
    return name if name != _VARIANT else "variant"


def _subtitle(comparison: Comparison, limit: float) -> str:
    base = show.clean(_base(comparison), limit=60)
    if not comparison.grade.comparable:
        return "Values of combinations that are not comparable; hatched ones were not run."
    ends = show.factor(math.exp(limit))
    several = " Medians over runs." if any(one.runs > 1 for one in comparison.variants) else ""
    return (
        f"Blue is better, orange worse than {show.quoted(base)} ({_BASE}), on a log scale up to "
        f"{ends} both ways.{several} Hatched: without data."
    )


def _table(comparison: Comparison, grid: _Grid, metrics: Sequence[str]) -> DataTable:
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
                    _text(_base(comparison), one, m, texts[m].get(at)),
                    one.values[m] if one else None,
                )
                for m in metrics
            )
            listed.append((f"{name}, {beside}", cells))
    headings = tuple(BY_NAME[m].heading(units[m]) for m in metrics)
    return DataTable(("Combination", *headings), tuple(listed))
