"""A scenario at a glance: a verdict per variant and level, or per variant and setting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect, Grade, key_effect
from benchkit.model.grouping import grouped
from benchkit.model.variant import Variant
from benchkit.names import short_names
from benchkit.report import changes
from benchkit.report.tabular import Change, ComparisonTable

Tone = Literal["better", "worse", "same", ""]

#: More columns than rows and than these become rows.
_MOST_COLUMNS: Final = 8
_NARROW: Final = 4
_BASELINE: Final = "baseline"
_WAYS: Final[Mapping[int, str]] = {1: "better", -1: "worse"}
#: By what a verdict begins with.
_TONES: Final[Mapping[str, Tone]] = {
    "faster": "better",
    "slower": "worse",
    "same": "same",
}


@dataclass(frozen=True, slots=True)
class VerdictCell:
    """One variant at one level or in one setting.

    Attributes:
        change: Of the leading metric, or of that which decided and its name; or a word for none.
        verdict: With the symbol of its grade; empty where nothing was compared.
        tone: What colours it besides.
        target: The anchor of what it stands for, empty for what was not run.
        method: How the change was estimated, as in that table; None for no change.
        sure: Whether the verdict is established; the colour of others is paler.
        metric: That which decided, where it is not the leading one.
    """

    change: str
    verdict: str = ""
    tone: Tone = ""
    target: str = ""
    method: str | None = None
    sure: bool = True
    metric: str = ""


@dataclass(frozen=True, slots=True)
class GridHead:
    """The name of a row or column; that of a comparison has its grade, and leads there."""

    label: str
    target: str = ""
    grade: Grade | None = None


@dataclass(frozen=True, slots=True)
class VerdictGrid:
    """Variants by levels or settings.

    Attributes:
        title: What changes, against what, and by what.
        corner: What the rows are.
        rows: Each with a cell per column.
    """

    title: str
    corner: str
    columns: tuple[GridHead, ...]
    rows: tuple[tuple[GridHead, tuple[VerdictCell, ...]], ...]

    @property
    def wide(self) -> bool:
        """Whether it needs the whole width of a page."""
        return len(self.columns) > _NARROW

    @property
    def size(self) -> int:
        """Number of its cells."""
        return len(self.columns) * len(self.rows)


@dataclass(frozen=True, slots=True)
class TabledComparison:
    """A comparison with its table, its anchor on the page, and what sets it apart.

    Attributes:
        name: The scenario.
        setting: What tells it from others of the scenario, empty for nothing.
    """

    comparison: Comparison
    table: ComparisonTable
    anchor: str
    name: str
    setting: str


class _GridEntry(NamedTuple):
    row: GridHead
    column: GridHead
    order: float
    cell: VerdictCell


def verdict_grids(tabled: Iterable[TabledComparison]) -> Iterator[VerdictGrid]:
    """Yield the grid of each scenario that has several settings, or levels of a sweep."""
    several = (each for each in tabled if len(each.comparison.variants) > 1)
    parts = grouped(several, lambda each: (each.name, each.comparison.axis))
    for (name, axis), part in parts.items():
        spots = [spot for each in part for spot in _spots(each, axis)]
        if axis:
            spots.sort(key=lambda spot: spot.order)
        by = f" by {show.clean(axis, limit=40)}" if axis else ""
        grid = _grid(f"{name}: {_subject(part)}{by}", axis or "Setting", spots)
        if len(grid.columns) > 1:
            yield grid


def _subject(part: Sequence[TabledComparison]) -> str:
    metrics = dict.fromkeys(m.subject for each in part if (m := each.comparison.rank_metric))
    names = dict.fromkeys(show.quoted(each.comparison.base.name) for each in part)
    base = next(iter(names)) if len(names) == 1 else "the baseline"
    return f"{' or '.join(metrics) or 'change'} against {base}"


def _spots(tabled: TabledComparison, axis: str) -> Iterator[_GridEntry]:
    comparison = tabled.comparison
    head = GridHead(show.clean(tabled.setting, limit=60), tabled.anchor, comparison.grade)
    names = short_names(comparison.order)
    cells = _cells(tabled)
    for label in comparison.order:
        variant = comparison.by_label[label]
        if variant.is_copy or (axis and comparison.is_baseline(variant)):
            continue
        level = variant.level(axis) if axis else None
        if level is None:
            column, row, order = head, GridHead(names[label]), 0.0
        else:
            named = ", ".join(filter(None, (_line(comparison, variant), tabled.setting)))
            row = GridHead(show.clean(named, limit=60), tabled.anchor, comparison.grade)
            column, order = GridHead(show.level(level)), level
        yield _GridEntry(row, column, order, cells[label])


def _line(comparison: Comparison, variant: Variant) -> str:
    """Return the name of a swept variant with the params that set it apart besides the level."""
    shared = {comparison.axis, *comparison.shared_params}
    return show.joined(variant.name, {k: v for k, v in variant.factors.items() if k not in shared})


def _cells(tabled: TabledComparison) -> dict[str, VerdictCell]:
    """Return a cell per label, with the change and the verdict of the table."""
    comparison, table = tabled.comparison, tabled.table
    leading = next((row for row in table.rows if row.column == table.ranking), None)
    cells = {}
    for at, name in enumerate(table.names):
        label = comparison.order[name.number - 1]
        target = f"{tabled.anchor}.{name.anchor}"
        if name.baseline:
            cells[label] = VerdictCell(_BASELINE, target=target)
            continue
        grade = comparison.grade_of(label)
        if leading is None or not grade.comparable:
            cells[label] = VerdictCell(grade.symbol, grade.words.lower(), target=target)
            continue
        cell = leading.cells[at]
        if cell.change is None:
            cells[label] = VerdictCell(cell.text, target=target)
            continue
        effect = comparison.effect(label, leading.column)
        change, metric = cell.change, ""
        if change.verdict == "inconclusive" and (other := _deciding(tabled, label, at)):
            # Another metric decided it: number and verdict are of that.
            effect, change = other
            metric = effect.metric.subject
        tone: Tone = _TONES.get(change.verdict.partition(" ")[0], "")
        symbol = grade.symbol if tone or grade.key != "established" else ""
        words = f"{symbol} {change.verdict or changes.NOT_TESTED}".lstrip()
        words += _contrary(comparison, label, effect) if effect else ""
        method = effect.method if effect else ""
        text = f"{metric} {change.text}".lstrip()
        sure = grade.key == "established"
        cells[label] = VerdictCell(text, words, tone, target, method, sure, metric)
    return cells


def _contrary(comparison: Comparison, label: str, effect: Effect) -> str:
    """Return which primary metric clearly goes the other way, empty for none."""
    sign = effect.gain(comparison.margin)
    other = changes.primary(comparison.effects_by_variant[label], -sign, comparison)
    if not sign or other is None:
        return ""
    return f", {other.metric.subject} {other.verdict if other.tested else _WAYS[-sign]}"


def _deciding(tabled: TabledComparison, label: str, at: int) -> tuple[Effect, Change] | None:
    """Return what decided about a variant, the column `at` of the table; None for nothing."""
    comparison, table = tabled.comparison, tabled.table
    key = key_effect(comparison.effects_by_variant.get(label, ()), comparison.rank_metric)
    if key is None or key.verdict not in _TONES:
        return None
    rows = (row for row in table.rows if row.column == key.metric.column)
    change = next((row.cells[at].change for row in rows), None)
    return (key, change) if change else None


def _grid(title: str, levels: str, spots: Sequence[_GridEntry]) -> VerdictGrid:
    """Return spots as a grid; the rows of baselines alone say nothing."""
    corner = "Variant"
    telling = {spot.row.label for spot in spots if spot.cell.change != _BASELINE}
    kept = [spot for spot in spots if spot.row.label in telling]
    rows = tuple(dict.fromkeys(spot.row for spot in kept))
    columns = tuple(dict.fromkeys(spot.column for spot in kept))
    cells = {(spot.row, spot.column): spot.cell for spot in kept}
    methods = {cell.method for cell in cells.values() if cell.method is not None}
    if len(methods) == 1:
        title = ", ".join(filter(None, (title, *methods)))
    else:
        cells = {
            at: replace(cell, change=f"{cell.change} {cell.method or ''}".rstrip())
            for at, cell in cells.items()
        }
    if deciding := dict.fromkeys(cell.metric for cell in cells.values() if cell.metric):
        title += f"; {' or '.join(deciding)} where it decided"
    if len(columns) > max(_MOST_COLUMNS, len(rows)):
        cells = {(column, row): cell for (row, column), cell in cells.items()}
        rows, columns, corner = columns, rows, levels
    gap = VerdictCell(show.NOT_RUN)
    lines = tuple((row, tuple(cells.get((row, at), gap) for at in columns)) for row in rows)
    return VerdictGrid(title, show.clean(corner, limit=40), columns, lines)
