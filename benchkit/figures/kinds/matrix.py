"""Two factors as a grid: which combination is how much better or worse than the baseline?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from benchkit import format as show
from benchkit.figures.chart import Axis, CellGrid, Chart, Panel
from benchkit.figures.colourkey import ROOM, ratio_key, ratio_limit
from benchkit.figures.kinds.factor_grid import (
    MEASURED,
    SILENT,
    SUCCESS,
    FactorGrid,
    Layer,
    factor_grid,
)
from benchkit.figures.kinds.matrix_words import BASE, caption, colour_words, title
from benchkit.figures.marks import BESIDE_NAMES, VALUE_CHARACTER
from benchkit.figures.panels import Shows, any_panel, those_shown
from benchkit.figures.tables import by_column
from benchkit.figures.words import absent
from benchkit.model.comparison import DECIDED, Comparison, key_effect
from benchkit.model.metric import BY_COLUMN, MEAN, THROUGHPUT, Metric
from benchkit.model.variant import Variant

_ROW: Final = 34  # px
_EDGE: Final = 58  # px of a panel besides its rows
_APART: Final = 0.1  # of shares of success
_LATENCIES: Final = (*(BY_COLUMN[f"latency_{name}_s"] for name in ("p99", "p90", "p50")), MEAN)


def matrix(
    comparison: Comparison,
    siblings: Sequence[Comparison],
    metric: Metric | None = None,
    *,
    shows: Shows = any_panel,
) -> Chart | None:
    """Return the figure, None without two factors or with too many gaps between them.

    Variants with other params may stand in comparisons of their own; the figure then stands with
    the first of these, and in the others there is nothing to draw.
    """
    same = (comparison.scenario, comparison.tool)
    every = siblings if comparison in siblings else (comparison, *siblings)
    spanned = [other for other in every if (other.scenario, other.tool) == same]
    labels = {
        other.by_label[label]: show.joined(label, other.setting)
        for other in spanned
        for label in other.order
    }
    owners = {other.by_label[label]: other for other in spanned for label in other.order}
    grid = factor_grid(labels, owners) if spanned[0] is comparison else None
    metrics = _metrics(comparison, grid, metric) if grid else []
    metrics = those_shown(metrics, lambda each: each.name, shows)
    layers = [Layer(grid, each) for each in metrics] if grid else []
    if grid is None or not layers:
        return None
    ratios = (layer.ratio(variant) for variant in grid.cells.values() for layer in layers)
    # At both ends of the scale, the same in every panel.
    largest = math.exp(max([0.0, *(abs(math.log(ratio)) for ratio in ratios if ratio)]))
    limit = ratio_limit(largest)
    squares = {layer: _squares(layer, math.log(limit)) for layer in layers}
    words, size = title(layers), f"{len(grid.rows)} by {len(grid.columns)}"
    names = [f"{row}, {column}" for row in grid.rows.values() for column in grid.columns.values()]
    columns = [
        (layer.heading, [(s.text, s.value) for s in own.values()]) for layer, own in squares.items()
    ]
    tall = _ROW * len(grid.rows)
    coloured = any(
        square.shade not in {None, 0.5} for own in squares.values() for square in own.values()
    )
    keys = [ratio_key(limit, colour_words(layers), beside=tall)] * coloured
    return Chart(
        title=words,
        caption=caption(layers),
        label=f"{words}. A grid of {size}; values in the table below",
        panels=(*(_panel(layer, each) for layer, each in squares.items()), *keys),
        table=by_column("Combination", names, columns),
        height=len(layers) * (_EDGE + tall) + ROOM * len(keys),
    )


def _metrics(
    comparison: Comparison, grid: FactorGrid, wanted: Metric | None = None
) -> list[Metric]:
    """Return what is wanted, else the throughput where it answers something, and a latency.

    Another latency is with them that goes the other way in some cell.
    """
    from benchkit.model.load import is_paced

    def known(metric: Metric) -> bool:
        values = [variant.value(metric) for variant in grid.cells.values()]
        return sum(bool(value) for value in values) >= MEASURED * len(values)

    if wanted:
        return [wanted] if known(wanted) else []
    deciding = [metric for metric in _deciding(grid) if known(metric)]
    shares = [s for v in grid.cells.values() if (s := v.value(SUCCESS)) is not None]
    if shares and max(shares) - min(shares) > _APART:
        return [*deciding[:1], SUCCESS]  # where that differs nothing else can be compared
    paced = is_paced([run for variant in comparison.variants for run in variant.runs])
    rates = [] if paced or not known(THROUGHPUT) else [THROUGHPUT]
    latencies = dict.fromkeys(
        [*(m for m in deciding if m in _LATENCIES), *filter(known, _LATENCIES)]
    )
    chosen = [*rates, *[*latencies][:1]]
    contrary = (m for m in latencies if m not in chosen and _is_contrary(grid, m, chosen))
    return [*chosen, *[*contrary][:1]]


def _is_contrary(grid: FactorGrid, metric: Metric, chosen: Sequence[Metric]) -> bool:
    """Whether some cell is clearly better by a metric and worse by others, or the reverse."""

    def gains(metric: Metric, variant: Variant) -> int:
        effect = Layer(grid, metric).effect(variant)
        return effect.gain(grid.owners[variant].margin) if effect else 0

    others = [variant for variant in grid.cells.values() if variant not in grid.bases]
    return any(
        gains(metric, variant) * gains(other, variant) < 0 for variant in others for other in chosen
    )


def _deciding(grid: FactorGrid) -> list[Metric]:
    """Return the metrics that verdicts rest on, that of most cells first."""
    counts: Counter[Metric] = Counter()
    for variant, own in grid.owners.items():
        key = key_effect(own.effects_by_variant.get(variant.label, ()), own.rank_metric)
        if key is not None and key.verdict in DECIDED and variant in grid.labels:
            counts[key.metric] += 1
    return [metric for metric, _ in counts.most_common()]


class _Square(NamedTuple):
    """What stands in one cell; `shade` is 0 for better, 0.5 for the baseline's value, 1 for worse.

    It is None where nothing is answered, which is hatched; the caption says why.
    """

    shade: float | None
    text: str
    hover: str
    value: float | None = None


def _squares(layer: Layer, limit: float) -> dict[tuple[Any, Any], _Square]:
    grid = layer.grid
    squares = {
        variant: _square(layer, variant, text, limit) for variant, text in _texts(layer).items()
    }
    gap = _Square(None, show.NOT_RUN, show.NOT_RUN)
    every = product(grid.rows, grid.columns)
    return {at: squares[grid.cells[at]] if at in grid.cells else gap for at in every}


def _texts(layer: Layer) -> dict[Variant, str | None]:
    """Return the value of each cell, with the change that its colour shows if all have room."""
    texts = dict(zip(layer.values, layer.metric.cells([*layer.values.values()]), strict=True))
    coloured = [v for v in texts if v not in layer.grid.bases and layer.ratio(v)]
    changed = {v: f"{texts[v]} ({layer.change(v)})" for v in coloured if not layer.equals(v)}
    longest = max(map(len, changed.values()), default=0)
    roomy = longest * VALUE_CHARACTER <= BESIDE_NAMES / len(layer.grid.columns)
    return {**texts, **changed} if roomy else {**texts}


def _square(layer: Layer, variant: Variant, text: str | None, limit: float) -> _Square:
    metric, value = layer.metric, layer.values[variant]
    name = show.clean(layer.grid.labels[variant], limit=60)
    if value is None or text is None:
        why = variant.withheld.get(metric.column, show.NOT_PRINTED)
        return _Square(None, absent(variant, metric), f"{name}\n{why}")
    hover = f"{name}\n{metric.title} {layer.written(value)}"
    if variant in layer.grid.bases:
        return _Square(0.5, f"{text}{show.NBSP}{BASE}", hover, value)
    ratio, silence = layer.change_ratio(variant), layer.silence(variant)
    against = layer.against(variant)
    change = f", {layer.change(variant)} against the baseline" if ratio and not against else ""
    if silence:
        whys = [*map(show.clean, against)] or layer.problems(variant)
        why = "\n".join([SILENT[silence].capitalize(), *whys])
        return _Square(None, f"{text}{show.NBSP}{silence}", f"{hover}{change}\n{why}", value)
    if ratio is None:
        return _Square(0.5, text, hover, value)
    worse = -math.log(ratio) if metric.higher_is_better else math.log(ratio)
    shade = 0.5 + 0.5 * max(-1.0, min(1.0, worse / limit))
    return _Square(shade, text, f"{hover}{change}", value)


def _panel(layer: Layer, squares: Mapping[tuple[Any, Any], _Square]) -> Panel:
    grid = layer.grid
    lines = [[squares[row, column] for column in grid.columns] for row in reversed(grid.rows)]
    return Panel(
        x=_axis([*grid.columns.values()]),
        y=_axis([*grid.rows.values()][::-1]),
        series=(),
        title=layer.heading,
        name=layer.metric.name,
        cells=CellGrid(
            xs=tuple(float(n) for n in range(len(grid.columns) + 1)),
            ys=tuple(float(n) for n in range(len(grid.rows) + 1)),
            values=tuple(tuple(square.shade for square in line) for line in lines),
            scale="ratio",
            texts=tuple(tuple(square.text for square in line) for line in lines),
            hatched=True,
            hover=tuple(tuple(square.hover for square in line) for line in lines),
        ),
    )


def _axis(names: Sequence[str]) -> Axis:
    ticks = tuple((n + 0.5, name) for n, name in enumerate(names))
    return Axis("linear", 0.0, float(len(names)), ticks, grid=False)
