"""The words of the figure of two factors: its title, its caption, what its colours are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.kinds.factor_grid import SILENT, VARIANT, FactorGrid, Layer
from benchkit.figures.words import claimed, outermost, overlapping
from benchkit.model.grouping import grouped
from benchkit.model.variant import Variant

_SEVERAL: Final = 2  # cells of which one differs most
_CLAUSES: Final = 2  # of a title
BASE: Final = "⌂"  # unlike the symbols of grades
_KEY: Final = f"Times better (left) or worse (right) than the baseline {BASE}"


def title(layers: Sequence[Layer]) -> str:
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


def _most(layer: Layer) -> str:
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


def _decided(layer: Layer) -> str:
    """Return in how many settings which variants differ by the tests, empty for none."""
    grid = layer.grid
    if VARIANT not in {grid.row, grid.column}:
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


def _outcome(layer: Layer, variants: Sequence[Variant], base: str) -> str:
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


def _odd(layer: Layer) -> str:
    """Return which cell alone has another value than all others, empty where none has."""
    known = {v: value for v, value in layer.values.items() if value is not None}
    cells = grouped(known, lambda variant: layer.written(known[variant]))
    rare, *rest = sorted(cells, key=lambda text: len(cells[text])) or [""]
    if len(rest) != 1 or len(cells[rare]) != 1 or len(cells[rest[0]]) == 1:
        return ""
    name = show.clean(layer.grid.labels[cells[rare][0]], limit=60)
    return f"{layer.metric.title} was {rare} with {name}, {rest[0]} elsewhere"


def caption(layers: Sequence[Layer]) -> str:
    """Return what the cells are against, and why some have no colour or no value."""
    grid = layers[0].grid
    variants = grid.cells.values()
    every = [(v, layer) for v in variants for layer in layers if layer.values[v] is not None]
    compared = [(v, layer) for v, layer in every if v not in grid.bases]
    parts = [_baselines(grid)]
    if any(len(variant) > 1 for variant in variants):
        parts.append("Medians over runs.")
    if _methods(layers):
        parts.append("Changes are not from these: they are estimated over pairs of runs.")
    silent = {layer.silence(v) for v, layer in compared}
    whys = [f"{mark} {why}" for mark, why in SILENT.items() if mark in silent]
    if "!" in silent:
        titles = dict.fromkeys(t for v, layer in compared for t in layer.problems(v))
        whys = [f"{w} ({'; '.join(titles)})" if w.startswith("!") else w for w in whys]
    if len(every) < len(grid.rows) * len(grid.columns) * len(layers):
        whys.append("withheld or without data")
    if whys:
        parts.append(f"Hatched: {', '.join(whys)}.")
    if any(layer.equals(variant) for variant, layer in compared):
        parts.append(f"Neither colour nor mark: equal to {BASE}.")
    return " ".join(parts)


def colour_words(layers: Sequence[Layer]) -> str:
    """Return what the colours are; a paired change need not be that of the medians shown."""
    return ", ".join([_KEY, *_methods(layers), "log scale"])


def _methods(layers: Sequence[Layer]) -> list[str]:
    """Return how changes were estimated, where not from the values in the cells."""
    return list(dict.fromkeys(method for layer in layers for method in layer.methods))


def _baselines(grid: FactorGrid) -> str:
    """Return whose baseline the marked cells are."""
    if len(grid.bases) > 1:
        return f"{BASE} is the baseline for each {show.clean(grid.column or grid.row, limit=30)}."
    return f"{BASE} is the baseline of every cell, {show.quoted(grid.labels[grid.bases[0]])}."
