"""Two factors as a grid: which combination is how much better or worse than the baseline?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final, NamedTuple

from benchkit import format as show
from benchkit.compare.obstacles import obstacles
from benchkit.compare.sweep import sweeps
from benchkit.figures.chart import Axis, CellGrid, Chart, Panel
from benchkit.figures.colourkey import ROOM, ratio_key, ratio_limit
from benchkit.figures.marks import BESIDE_NAMES, VALUE_CHARACTER
from benchkit.figures.words import absent, by_column, claimed, outermost, overlapping
from benchkit.model.comparison import DECIDED, Comparison, Effect, key_effect
from benchkit.model.grouping import grouped
from benchkit.model.metric import BY_COLUMN, MEAN, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from benchkit.names import short_names

#: Share of the cells that is measured at least.
_MEASURED: Final = 0.6
#: The factor that is the name of the variant and no param.
_VARIANT: Final = ""
_MOST: Final = 12  # levels of a factor
_ROW: Final = 34  # px
_EDGE: Final = 58  # px of a panel besides its rows
_APART: Final = 0.1  # of shares of success
_SEVERAL: Final = 2  # cells of which one differs most
_CLAUSES: Final = 2  # of a title
_BASE: Final = "⌂"  # unlike the symbols of grades
_KEY: Final = f"Times better (left) or worse (right) than the baseline {_BASE}"
_INCOMPARABLE: Final = "⊘"
#: What stands in a cell without a colour, and why it has none.
_SILENT: Final = {
    _INCOMPARABLE: "not comparable with its baseline",
    "÷": "without a ratio, as the cell or its baseline is 0",
    "!": "not tested, with a serious problem in the data",
    "–": "not tested",
    "?": "inconclusive",
}
#: Grades of runs too few for a test: their colours describe.
_DESCRIBED: Final = frozenset({"once", "few"})
_LATENCIES: Final = (*(BY_COLUMN[f"latency_{name}_s"] for name in ("p99", "p90", "p50")), MEAN)
_SUCCESS: Final = BY_COLUMN["success_ratio"]


def matrix(
    comparison: Comparison, siblings: Sequence[Comparison], metric: Metric | None = None
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
    grid = _grid(labels, owners) if spanned[0] is comparison else None
    layers = [_Layer(grid, m) for m in _metrics(comparison, grid, metric)] if grid else []
    if grid is None or not layers:
        return None
    ratios = (layer.ratio(variant) for variant in grid.cells.values() for layer in layers)
    # At both ends of the scale, the same in every panel.
    largest = math.exp(max([0.0, *(abs(math.log(ratio)) for ratio in ratios if ratio)]))
    limit = ratio_limit(largest)
    squares = {layer: _squares(layer, math.log(limit)) for layer in layers}
    title, size = _title(layers), f"{len(grid.rows)} by {len(grid.columns)}"
    names = [f"{row}, {column}" for row in grid.rows.values() for column in grid.columns.values()]
    columns = [
        (layer.heading, [(s.text, s.value) for s in own.values()]) for layer, own in squares.items()
    ]
    tall = _ROW * len(grid.rows)
    coloured = any(
        square.shade not in {None, 0.5} for own in squares.values() for square in own.values()
    )
    keys = [ratio_key(limit, _key(layers), beside=tall)] * coloured
    return Chart(
        title=title,
        caption=_caption(layers),
        label=f"{title}. A grid of {size}; values in the table below",
        panels=(*(_panel(layer, each) for layer, each in squares.items()), *keys),
        table=by_column("Combination", names, columns),
        height=len(layers) * (_EDGE + tall) + ROOM * len(keys),
    )


@dataclass(frozen=True, slots=True)
class _FactorGrid:
    """Two factors with their levels in order, and what was measured at each two of them.

    Attributes:
        row: One factor; `rows` has its levels, each with its name.
        column: The other.
        labels: Unique among all settings of the scenario.
        owners: The comparison that each is part of: its baseline is that of the cell.
    """

    row: str
    column: str
    rows: Mapping[Any, str]
    columns: Mapping[Any, str]
    cells: Mapping[tuple[Any, Any], Variant]
    labels: Mapping[Variant, str]
    owners: Mapping[Variant, Comparison]

    @property
    def bases(self) -> list[Variant]:
        """The baselines of the cells, each once."""
        return list(dict.fromkeys(self.owners[variant].base for variant in self.cells.values()))


def _grid(
    labels: Mapping[Variant, str], owners: Mapping[Variant, Comparison]
) -> _FactorGrid | None:
    variants = [variant for variant in labels if not variant.is_copy]
    levels = _levels(variants)
    if len(levels) != 2 or sweeps(variants):
        return None
    (row, rows), (column, columns) = levels.items()
    if len(columns) > len(rows) and row != _VARIANT:
        (row, rows), (column, columns) = (column, columns), (row, rows)
    cells = {(_level(variant, row), _level(variant, column)): variant for variant in variants}
    measured = _MEASURED * len(rows) * len(columns)
    if max(len(rows), len(columns)) > _MOST or len(cells) < measured:
        return None
    names = _named(row, rows), _named(column, columns)
    return _FactorGrid(row, column, *names, cells, labels, owners)


def _named(factor: str, levels: Sequence[Any]) -> dict[Any, str]:
    """Return the levels with their names for people; of a param that is part of each."""
    if factor == _VARIANT:
        short = short_names([str(level) for level in levels])
        return {level: short[str(level)] for level in levels}
    words = [("off", "on")[level] if isinstance(level, bool) else level for level in levels]
    names = (show.clean(f"{factor} {word}", limit=30) for word in words)
    return dict(zip(levels, names, strict=True))


def _levels(variants: Sequence[Variant]) -> dict[str, list[Any]]:
    """Return the levels of each factor that has several; the variant's name is one of them."""
    names = [_VARIANT, *dict.fromkeys(key for variant in variants for key in variant.factors)]
    levels = {name: list(dict.fromkeys(_level(v, name) for v in variants)) for name in names}
    return {
        name: sorted(each) if all(isinstance(level, int | float) for level in each) else each
        for name, each in levels.items()
        if len(each) > 1
    }


def _level(variant: Variant, factor: str) -> Any:  # noqa: ANN401 - any value of a param
    if factor == _VARIANT:
        return variant.name
    value = variant.params.get(factor)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def _metrics(
    comparison: Comparison, grid: _FactorGrid, wanted: Metric | None = None
) -> list[Metric]:
    """Return what is wanted, else the throughput where it answers something, and one latency."""
    from benchkit.compare.design import is_paced

    def known(metric: Metric) -> bool:
        values = [variant.value(metric) for variant in grid.cells.values()]
        return sum(bool(value) for value in values) >= _MEASURED * len(values)

    if wanted:
        return [wanted] if known(wanted) else []
    deciding = [metric for metric in _deciding(grid) if known(metric)]
    shares = [s for v in grid.cells.values() if (s := v.value(_SUCCESS)) is not None]
    if shares and max(shares) - min(shares) > _APART:
        return [*deciding[:1], _SUCCESS]  # where that differs nothing else can be compared
    paced = is_paced([run for variant in comparison.variants for run in variant.runs])
    rates = [] if paced or not known(THROUGHPUT) else [THROUGHPUT]
    latencies = dict.fromkeys(
        [*(m for m in deciding if m in _LATENCIES), *filter(known, _LATENCIES)]
    )
    chosen = [*rates, *[*latencies][:1]]
    contrary = (m for m in latencies if m not in chosen and _is_contrary(grid, m, chosen))
    return [*chosen, *[*contrary][:1]]


def _is_contrary(grid: _FactorGrid, metric: Metric, chosen: Sequence[Metric]) -> bool:
    """Whether some cell is clearly better by a metric and worse by others, or the reverse."""

    def gains(metric: Metric, variant: Variant) -> int:
        effect = _Layer(grid, metric).effect(variant)
        return effect.gain(grid.owners[variant].margin) if effect else 0

    others = [variant for variant in grid.cells.values() if variant not in grid.bases]
    return any(
        gains(metric, variant) * gains(other, variant) < 0 for variant in others for other in chosen
    )


def _deciding(grid: _FactorGrid) -> list[Metric]:
    """Return the metrics that verdicts rest on, that of most cells first."""
    counts: Counter[Metric] = Counter()
    for variant, own in grid.owners.items():
        key = key_effect(own.effects_by_variant.get(variant.label, ()), own.rank_metric)
        if key is not None and key.verdict in DECIDED and variant in grid.labels:
            counts[key.metric] += 1
    return [metric for metric, _ in counts.most_common()]


@dataclass(frozen=True, eq=False)
class _Layer:
    """One metric of a grid, each cell against the baseline of its comparison."""

    grid: _FactorGrid
    metric: Metric

    @cached_property
    def values(self) -> dict[Variant, float | None]:
        return {variant: variant.value(self.metric) for variant in self.grid.cells.values()}

    @property
    def heading(self) -> str:
        return self.metric.heading([*self.values.values()])

    def against(self, variant: Variant) -> list[str]:
        """Return why a cell cannot be compared with its baseline, nothing where it can."""
        own = self.grid.owners[variant]
        if variant is own.base:
            return []
        if self.metric == _SUCCESS:
            return obstacles((own.base, variant), failures=False)
        grade = own.grades.get(variant.label, own.grade)
        return [] if grade.comparable else list(grade.reasons)

    def effect(self, variant: Variant) -> Effect | None:
        """Return what its comparison says of a cell."""
        return self.grid.owners[variant].effect(variant.label, self.metric.column)

    def ratio(self, variant: Variant) -> float | None:
        """Return variant over baseline, None where that is not known or not to be said."""
        return None if self.silence(variant) else self.change_ratio(variant)

    def change_ratio(self, variant: Variant) -> float | None:
        """Return the same, whatever may be said of it."""
        value, base = self.values[variant], self.grid.owners[variant].base.value(self.metric)
        if not value or not base:
            return None
        effect = self.effect(variant)
        return effect.ratio if effect and effect.ratio else value / base

    def silence(self, variant: Variant) -> str:
        """Return the mark of `_SILENT` for why a cell has no colour, empty where it may have one.

        A verdict is one whatever limits it: what is wrong with the data limits its grade. What
        equals its baseline needs no test: it has none to show.
        """
        own, effect = self.grid.owners[variant], self.effect(variant)
        value, base = self.values[variant], own.base.value(self.metric)
        if value is None or variant in self.grid.bases:
            return ""
        undecided = effect is not None and effect.verdict == "inconclusive"
        decided = effect is not None and effect.verdict in DECIDED
        untested = effect is None or not effect.tested
        whys = {
            _INCOMPARABLE: bool(self.against(variant)),
            "÷": value != base and self.change_ratio(variant) is None,
            "!": value != base and not decided and bool(self.problems(variant)),
            "?": undecided,
            "–": value != base and untested and own.grade.key not in _DESCRIBED,
        }
        return next((mark for mark, holds in whys.items() if holds), "")

    def problems(self, variant: Variant) -> list[str]:
        """Return the titles of serious findings on this metric of a cell or of its baseline."""
        own = self.grid.owners[variant]
        ids = {*variant.run_ids, *own.base.run_ids}
        touching = (n for n in own.serious if n.touches(ids, self.metric.column))
        return list(dict.fromkeys(show.clean(n.first.title) for n in touching))

    def written(self, value: float) -> str:
        """Return a value with the unit of the heading."""
        return self.metric.prose(value, self.unit)

    @cached_property
    def unit(self) -> show.Unit | None:
        """The one unit of a time."""
        is_time = self.metric.quantity == "time"
        return show.time_unit(self.values.values()) if is_time else None

    def change(self, variant: Variant) -> str:
        """Return the change of a cell as its comparison writes it, empty where none is known."""
        ratio, effect = self.change_ratio(variant), self.effect(variant)
        bounds = effect.bounds if effect else ()
        return self.grid.owners[variant].change(self.metric, ratio, bounds) if ratio else ""


class _Square(NamedTuple):
    """What stands in one cell; `shade` is 0 for better, 0.5 for the baseline's value, 1 for worse.

    Without a ratio it has no colour, which is the middle of the scale; the caption says so.
    """

    shade: float | None
    text: str
    hover: str
    value: float | None = None


def _squares(layer: _Layer, limit: float) -> dict[tuple[Any, Any], _Square]:
    grid = layer.grid
    squares = {
        variant: _square(layer, variant, text, limit) for variant, text in _texts(layer).items()
    }
    gap = _Square(None, show.NOT_RUN, show.NOT_RUN)
    every = product(grid.rows, grid.columns)
    return {at: squares[grid.cells[at]] if at in grid.cells else gap for at in every}


def _texts(layer: _Layer) -> dict[Variant, str | None]:
    """Return the value of each cell, with the change that its colour shows if all have room."""
    texts = dict(zip(layer.values, layer.metric.cells([*layer.values.values()]), strict=True))
    coloured = [v for v in texts if v not in layer.grid.bases and layer.ratio(v)]
    changed = {v: f"{texts[v]} ({layer.change(v)})" for v in coloured if not _equal(layer, v)}
    longest = max(map(len, changed.values()), default=0)
    roomy = longest * VALUE_CHARACTER <= BESIDE_NAMES / len(layer.grid.columns)
    return {**texts, **changed} if roomy else {**texts}


def _square(layer: _Layer, variant: Variant, text: str | None, limit: float) -> _Square:
    metric, value = layer.metric, layer.values[variant]
    name = show.clean(layer.grid.labels[variant], limit=60)
    if value is None or text is None:
        why = variant.withheld.get(metric.column, show.NOT_PRINTED)
        return _Square(None, absent(variant, metric), f"{name}\n{why}")
    hover = f"{name}\n{metric.title} {layer.written(value)}"
    if variant in layer.grid.bases:
        return _Square(0.5, f"{text}{show.NBSP}{_BASE}", hover, value)
    ratio, silence = layer.change_ratio(variant), layer.silence(variant)
    against = layer.against(variant)
    change = f", {layer.change(variant)} against the baseline" if ratio and not against else ""
    if silence:
        whys = [*map(show.clean, against)] or layer.problems(variant)
        why = "\n".join([_SILENT[silence].capitalize(), *whys])
        return _Square(0.5, f"{text}{show.NBSP}{silence}", f"{hover}{change}\n{why}", value)
    if ratio is None:
        return _Square(0.5, text, hover, value)
    worse = -math.log(ratio) if metric.higher_is_better else math.log(ratio)
    shade = 0.5 + 0.5 * max(-1.0, min(1.0, worse / limit))
    return _Square(shade, text, f"{hover}{change}", value)


def _panel(layer: _Layer, squares: Mapping[tuple[Any, Any], _Square]) -> Panel:
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


def _title(layers: Sequence[_Layer]) -> str:
    """Return which cell differs most, or which variants did, with what a single cell has."""
    if most := _most(layers[0]):
        return most
    seen = [*filter(None, (next(filter(None, map(_decided, layers)), ""), *map(_odd, layers)))]
    if seen:
        return "; ".join([seen[0], *(text[:1].lower() + text[1:] for text in seen[1:])])
    grid = layers[0].grid
    factors = [show.clean(factor or "variant", limit=30) for factor in (grid.row, grid.column)]
    what = show.listed([layer.metric.subject for layer in layers])
    return f"{what[:1].upper()}{what[1:]} by {show.listed(factors)}"


def _most(layer: _Layer) -> str:
    """Return which cell differs most from its baseline, empty where no test says so of one."""
    grid, metric = layer.grid, layer.metric
    others = {grid.labels[v]: v for v in layer.values if v not in grid.bases}
    # What may not be said of a cell could be more.
    known = {name: r for name, v in others.items() if (r := layer.change_ratio(v))}
    sizes = {
        name: abs(math.log(ratio))
        for name, ratio in known.items()
        if not layer.against(others[name])
    }
    label = outermost(sizes, lambda size: show.change(math.exp(size)))
    if label is None or len(sizes) < _SEVERAL or not layer.ratio(others[label]):
        return ""
    if not claimed(grid.owners[others[label]], others[label].label, metric.column):
        return ""
    effects = {name: layer.effect(others[name]) for name in sizes}
    rest = [effect for name, effect in effects.items() if name != label]
    if any(overlapping(effects[label], effect) for effect in rest):
        return ""
    change = layer.change(others[label])
    return f"{metric.title} differed most with {show.clean(label, limit=60)}: {change}"


def _decided(layer: _Layer) -> str:
    """Return in how many settings which variants differ by the tests, empty for none."""
    grid = layer.grid
    if _VARIANT not in {grid.row, grid.column}:
        return ""
    names = {variant.name for variant in grid.bases}
    base = show.quoted(names.pop(), limit=40) if len(names) == 1 else "the baseline"
    compared = [v for v in layer.values if v not in grid.bases and layer.values[v] is not None]
    cells = grouped(compared, lambda variant: variant.name)
    alike = grouped(cells, lambda name: _outcome(layer, cells[name], base))
    clauses = [
        f"{show.listed([show.quoted(name, limit=40) for name in own])} had {outcome}"
        for outcome, own in alike.items()
        if outcome
    ]
    return "; ".join(clauses) if len(clauses) <= _CLAUSES else ""


def _outcome(layer: _Layer, variants: Sequence[Variant], base: str) -> str:
    """Return in how many of some settings the tests show what, empty for none."""
    tested = [e for v in variants if not layer.against(v) and (e := layer.effect(v)) and e.tested]
    shown: list[str] = [effect.verdict for effect in tested]
    up, down = ("faster", "slower") if layer.metric.higher_is_better else ("slower", "faster")
    counts = {"higher": shown.count(up), "lower": shown.count(down)}
    first, *second = [(word, n) for word, n in counts.items() if n] or [("", 0)]
    if not first[1]:
        return ""
    where = _where(first[1], tested=len(tested), every=len(variants))
    other = "".join(f", and a {word} one in {n}" for word, n in second)
    return f"a {first[0]} {layer.metric.subject} than {base} in {where}{other}"


def _where(count: int, *, tested: int, every: int) -> str:
    """Return in how many of some settings something is, of which not all need be tested."""
    if count == tested:
        if tested == every:
            return "every setting"
        tried = "the one setting" if tested == 1 else f"each of the {tested} settings"
        return f"{tried} tested of {every}"
    return f"{count} of {tested}{' tested' if tested < every else ''} settings"


def _odd(layer: _Layer) -> str:
    """Return which cell alone has another value than all others, empty where none has."""
    known = {v: value for v, value in layer.values.items() if value is not None}
    cells = grouped(known, lambda variant: layer.written(known[variant]))
    rare, *rest = sorted(cells, key=lambda text: len(cells[text])) or [""]
    if len(rest) != 1 or len(cells[rare]) != 1 or len(cells[rest[0]]) == 1:
        return ""
    name = show.clean(layer.grid.labels[cells[rare][0]], limit=60)
    return f"{layer.metric.title} was {rare} with {name}, {rest[0]} elsewhere"


def _caption(layers: Sequence[_Layer]) -> str:
    grid = layers[0].grid
    variants = grid.cells.values()
    every = [(v, layer) for v in variants for layer in layers if layer.values[v] is not None]
    compared = [(v, layer) for v, layer in every if v not in grid.bases]
    parts = [_baselines(grid)]
    if any(len(variant) > 1 for variant in variants):
        parts.append("Medians over runs.")
    if _methods(layers):
        parts.append("Changes are not from these: they are estimated over pairs of runs.")
    if len(every) < len(grid.rows) * len(grid.columns) * len(layers):
        parts.append("Hatched: withheld, or without data.")
    silent = {layer.silence(v) for v, layer in compared}
    whys = [f"{mark} {why}" for mark, why in _SILENT.items() if mark in silent]
    if "!" in silent:
        titles = dict.fromkeys(t for v, layer in compared for t in layer.problems(v))
        whys = [f"{w} ({'; '.join(titles)})" if w.startswith("!") else w for w in whys]
    if whys:
        parts.append(f"Without colour: {', '.join(whys)}.")
    if any(_equal(layer, variant) for variant, layer in compared):
        parts.append(f"Neither colour nor mark: equal to {_BASE}.")
    return " ".join(parts)


def _equal(layer: _Layer, variant: Variant) -> bool:
    """Whether a cell looks as its baseline does, as both have one value."""
    return layer.ratio(variant) == 1 or (
        not layer.silence(variant) and layer.change_ratio(variant) is None
    )


def _key(layers: Sequence[_Layer]) -> str:
    """Return what the colours are; a paired change need not be that of the medians shown."""
    return ", ".join([_KEY, *_methods(layers), "log scale"])


def _methods(layers: Sequence[_Layer]) -> list[str]:
    """Return how the changes that cells show were estimated, where not from the values in them."""
    variants = layers[0].grid.cells.values()
    effects = (layer.effect(v) for layer in layers for v in variants if layer.ratio(v))
    return list(dict.fromkeys(effect.method for effect in effects if effect and effect.method))


def _baselines(grid: _FactorGrid) -> str:
    """Return whose baseline the marked cells are."""
    if len(grid.bases) > 1:
        return f"{_BASE} is the baseline for each {show.clean(grid.column or grid.row, limit=30)}."
    return f"{_BASE} is the baseline of every cell, {show.quoted(grid.labels[grid.bases[0]])}."
