"""Two factors and what was measured at each two of their levels, in however many comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary
from benchkit.compare.params import factors, is_copy
from benchkit.compare.summaries import groups_of
from benchkit.compare.sweep import sweeps
from benchkit.names import short_names

if TYPE_CHECKING:
    from benchkit.results import Results

#: Share of the cells that is measured at least.
MEASURED: Final = 0.6
#: The factor that is the name of the variant and no param.
VARIANT: Final = ""
_MOST: Final = 12  # levels of a factor


@dataclass(frozen=True, slots=True)
class Grid:
    """Two factors with their levels in order, and what was measured at each two of them."""

    row: str
    column: str
    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    at: Mapping[tuple[Any, Any], VariantSummary]

    def names(self, factor: str, levels: Sequence[Any]) -> list[str]:
        """Return the levels for people; those of a param with its name."""
        if factor == VARIANT:
            short = short_names([str(level) for level in levels])
            return [short[str(level)] for level in levels]
        return [show.clean(f"{factor} {_word(level)}", limit=30) for level in levels]


def grid_of(results: Results, comparison: Comparison) -> Grid | None:
    """Return the grid, None without two factors or with too many gaps between them."""
    found = _grid(_described(results, comparison))
    return None if found is None else _grid(_all(results, comparison)) or found


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


def base_name(comparison: Comparison) -> str:
    """Return the name of the baseline among all variants of the scenario."""
    return show.joined(comparison.baseline, comparison.setting)


def _grid(every: Sequence[VariantSummary]) -> Grid | None:
    variants = [one for one in every if not is_copy(one)]
    levels = _levels(variants)
    if len(levels) != 2 or sweeps(variants):
        return None
    (row, rows), (column, columns) = levels.items()
    if len(columns) > len(rows) and row != VARIANT:
        (row, rows), (column, columns) = (column, columns), (row, rows)
    at = {(_level(one, row), _level(one, column)): one for one in variants}
    if max(len(rows), len(columns)) > _MOST or len(at) < MEASURED * len(rows) * len(columns):
        return None
    return Grid(row, column, tuple(rows), tuple(columns), at)


def _levels(variants: Sequence[VariantSummary]) -> dict[str, list[Any]]:
    """Return the levels of each factor that has several; the variant's name is one of them."""
    names = [VARIANT, *dict.fromkeys(key for one in variants for key in factors(one))]
    levels = {name: list(dict.fromkeys(_level(one, name) for one in variants)) for name in names}
    return {name: _ordered(found) for name, found in levels.items() if len(found) > 1}


def _level(one: VariantSummary, factor: str) -> Any:  # noqa: ANN401 - any value of a param
    if factor == VARIANT:
        return one.variant
    value = one.params.get(factor)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def _ordered(levels: list[Any]) -> list[Any]:
    numbers = all(isinstance(level, (int, float)) for level in levels)
    return sorted(levels) if numbers else levels


def _word(value: Any) -> str:  # noqa: ANN401 - any value of a param
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
