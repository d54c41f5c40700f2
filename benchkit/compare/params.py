"""What a run was given besides its variant: copies, and params that are swept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchkit.compare.model import VariantSummary

#: The param that declares runs to be a second copy of the baseline, or of the variant it names.
AA: Final = "aa"
#: Fewer levels are no sweep.
LEAST_LEVELS: Final = 3


def is_copy(one: VariantSummary) -> bool:
    """Whether its runs are declared to be a copy of another variant."""
    return one.params.get(AA) not in {None, False, ""}


def factors(one: VariantSummary) -> Mapping[str, Any]:
    """Return the params without the declaration of a copy."""
    return {key: value for key, value in one.params.items() if key != AA}


def level_of(one: VariantSummary, param: str) -> float | None:
    """Return the level of a numeric param, None where it is none."""
    value = one.params.get(param)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def axis_of(variants: Sequence[VariantSummary]) -> str:
    """Return the numeric param with the most levels, empty where none is swept.

    One that has a single level for each variant belongs to the variants, and is no sweep.
    """
    swept = {}
    for name in dict.fromkeys(name for one in variants for name in factors(one)):
        by_variant: defaultdict[str, set[float | None]] = defaultdict(set)
        for one in variants:
            by_variant[one.variant].add(level_of(one, name))
        levels = set().union(*by_variant.values())
        several = sum(len(found) > 1 for found in by_variant.values())
        if (
            None not in levels
            and len(levels) >= LEAST_LEVELS
            and several >= min(2, len(by_variant))
        ):
            swept[name] = len(levels)
    return max(swept, key=swept.__getitem__, default="")
