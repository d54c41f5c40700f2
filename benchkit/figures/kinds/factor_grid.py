"""Two factors as a grid, and one metric of it: what each cell is beside its baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from benchkit import format as show
from benchkit.compare.obstacles import obstacles
from benchkit.compare.sweep import sweeps
from benchkit.model.comparison import DECIDED, Comparison, Effect
from benchkit.model.metric import BY_COLUMN, Metric
from benchkit.model.variant import Variant
from benchkit.names import short_names

#: Share of the cells that is measured at least.
MEASURED: Final = 0.6
#: The factor that is the name of the variant and no param.
VARIANT: Final = ""
_MOST: Final = 12  # levels of a factor
INCOMPARABLE: Final = "⊘"
#: What stands in a cell without a colour, and why it has none.
SILENT: Final = {
    INCOMPARABLE: "not comparable with its baseline",
    "÷": "without a ratio, as the cell or its baseline is 0",
    "!": "not tested, with a serious problem in the data",
    "–": "not tested",
    "?": "inconclusive",
}
#: Grades of runs too few for a test: their colours describe.
_DESCRIBED: Final = frozenset({"once", "few"})
SUCCESS: Final = BY_COLUMN["success_ratio"]


@dataclass(frozen=True, slots=True)
class FactorGrid:
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


def factor_grid(
    labels: Mapping[Variant, str], owners: Mapping[Variant, Comparison]
) -> FactorGrid | None:
    """Return the two factors of some settings by their labels, None without two or with gaps."""
    variants = [variant for variant in labels if not variant.is_copy]
    levels = _levels(variants)
    if len(levels) != 2 or sweeps(variants):
        return None
    (row, rows), (column, columns) = levels.items()
    if len(columns) > len(rows) and row != VARIANT:
        (row, rows), (column, columns) = (column, columns), (row, rows)
    cells = {(_level(variant, row), _level(variant, column)): variant for variant in variants}
    measured = MEASURED * len(rows) * len(columns)
    if max(len(rows), len(columns)) > _MOST or len(cells) < measured:
        return None
    names = _named(row, rows), _named(column, columns)
    return FactorGrid(row, column, *names, cells, labels, owners)


def _named(factor: str, levels: Sequence[Any]) -> dict[Any, str]:
    """Return the levels with their names for people; of a param that is part of each."""
    if factor == VARIANT:
        short = short_names([str(level) for level in levels])
        return {level: short[str(level)] for level in levels}
    words = [("off", "on")[level] if isinstance(level, bool) else level for level in levels]
    names = (show.clean(f"{factor} {word}", limit=30) for word in words)
    return dict(zip(levels, names, strict=True))


def _levels(variants: Sequence[Variant]) -> dict[str, list[Any]]:
    """Return the levels of each factor that has several; the variant's name is one of them."""
    names = [VARIANT, *dict.fromkeys(key for variant in variants for key in variant.factors)]
    levels = {name: list(dict.fromkeys(_level(v, name) for v in variants)) for name in names}
    return {
        name: sorted(each) if all(isinstance(level, int | float) for level in each) else each
        for name, each in levels.items()
        if len(each) > 1
    }


def _level(variant: Variant, factor: str) -> Any:  # noqa: ANN401 - any value of a param
    if factor == VARIANT:
        return variant.name
    value = variant.params.get(factor)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


@dataclass(frozen=True, eq=False)
class Layer:
    """One metric of a grid, each cell against the baseline of its comparison."""

    grid: FactorGrid
    metric: Metric

    @cached_property
    def values(self) -> dict[Variant, float | None]:
        """The metric of each cell, None where it is withheld or not known."""
        return {variant: variant.value(self.metric) for variant in self.grid.cells.values()}

    @property
    def heading(self) -> str:
        """The metric with the unit of its cells."""
        return self.metric.heading([*self.values.values()])

    def against(self, variant: Variant) -> list[str]:
        """Return why a cell cannot be compared with its baseline, nothing where it can."""
        own = self.grid.owners[variant]
        if variant is own.base:
            return []
        if self.metric == SUCCESS:
            return obstacles((own.base, variant), failures=False)
        grade = own.grade_of(variant.label)
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
        """Return the mark of `SILENT` for why a cell has no colour, empty where it may have one.

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
            INCOMPARABLE: bool(self.against(variant)),
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

    def equals(self, variant: Variant) -> bool:
        """Whether a cell looks as its baseline does, as both have one value."""
        return self.ratio(variant) == 1 or (
            not self.silence(variant) and self.change_ratio(variant) is None
        )

    @property
    def methods(self) -> list[str]:
        """How the changes that cells show were estimated, where not from the values in them."""
        effects = (self.effect(v) for v in self.values if self.ratio(v))
        return list(dict.fromkeys(effect.method for effect in effects if effect and effect.method))
