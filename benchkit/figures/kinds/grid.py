"""Two factors and what was measured at each two of their levels, in however many comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchkit import format as show
from benchkit.compare.sweep import sweeps
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from benchkit.names import short_names

#: Share of the cells that is measured at least.
MEASURED: Final = 0.6
#: The factor that is the name of the variant and no param.
VARIANT: Final = ""
_MOST: Final = 12  # levels of a factor


@dataclass(frozen=True, slots=True)
class FactorGrid:
    """Two factors with their levels in order, and what was measured at each two of them.

    Attributes:
        labels: Unique among all settings of the scenario.
    """

    row: str
    column: str
    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    cells: Mapping[tuple[Any, Any], Variant]
    labels: Mapping[Variant, str]

    def names(self, factor: str, levels: Sequence[Any]) -> list[str]:
        """Return the levels for people; those of a param with its name."""
        if factor == VARIANT:
            short = short_names([str(level) for level in levels])
            return [short[str(level)] for level in levels]
        words = (("off", "on")[level] if isinstance(level, bool) else level for level in levels)
        return [show.clean(f"{factor} {word}", limit=30) for word in words]


def grid_of(comparison: Comparison, siblings: Sequence[Comparison]) -> FactorGrid | None:
    """Return the grid, None without two factors or with too many gaps between them.

    Variants with other params may stand in comparisons of their own; the figure then stands with
    the first of these, and in the others there is nothing to draw.
    """
    every = siblings if comparison in siblings else (comparison, *siblings)
    spanned = [
        other
        for other in every
        if (other.scenario, other.tool) == (comparison.scenario, comparison.tool)
    ]
    if spanned[0] is not comparison:
        return None
    return _grid(
        {
            other.by_label[label]: show.joined(label, other.setting)
            for other in spanned
            for label in other.order
        }
    )


def _grid(labels: Mapping[Variant, str]) -> FactorGrid | None:
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
    return FactorGrid(row, column, tuple(rows), tuple(columns), cells, labels)


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
