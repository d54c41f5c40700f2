"""Who is compared with whom: equal params where there are several variants, one baseline else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchkit.compare.baseline import baselines
from benchkit.compare.model import VariantSummary
from benchkit.compare.params import AA, factors, is_copy
from benchkit.compare.summaries import Group


@dataclass(frozen=True, slots=True)
class Pair:
    """One comparison; `baseline` is None where none was run under the same params."""

    variant: VariantSummary
    baseline: VariantSummary | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared in one group.

    Attributes:
        baseline: Label of the baseline.
        pairs: Each variant with what it is compared with.
        copies: Declared pairs of equals: their difference is noise.
    """

    group: Group
    baseline: str
    pairs: tuple[Pair, ...]
    copies: tuple[Pair, ...] = field(default=())


def plans(groups: Sequence[Group], baseline: str | None) -> list[Plan]:
    """Return what is compared in each group.

    Raises:
        UsageError: no group has that baseline.
    """
    real = [without_copies(group) for group in groups]
    chosen = baselines(real, baseline)
    return [_plan(group, of, label) for group, of, label in zip(groups, real, chosen, strict=True)]


def without_copies(group: Group) -> Group:
    """Return a group without its declared copies, or as it is where there is nothing else."""
    real = tuple(one for one in group.variants if not is_copy(one))
    return replace(group, variants=real or group.variants)


def _plan(group: Group, real: Group, label: str) -> Plan:
    base = next(one for one in real.variants if one.label == label)
    names = {one.variant for one in real.variants}
    others = [one for one in real.variants if one is not base]
    if len(names) > 1:
        # The same variant under other params is a sweep of its own.
        others = [one for one in others if one.variant != base.variant]
    pairs = [Pair(one, _match(one, base, real, alone=len(names) == 1)) for one in others]
    copies = [Pair(one, _original(one, base, real)) for one in group.variants if is_copy(one)]
    return Plan(group, label, tuple(pairs), tuple(pair for pair in copies if pair.baseline))


def _match(
    one: VariantSummary, base: VariantSummary, group: Group, *, alone: bool
) -> VariantSummary | None:
    if alone or factors(one) == factors(base):
        return base
    same = [
        other
        for other in group.variants
        if other.variant == base.variant and factors(other) == factors(one)
    ]
    if same or group.axis:  # another level of a sweep is no baseline
        return same[0] if same else None
    levels = {str(sorted(factors(o).items())) for o in group.variants if o.variant == base.variant}
    # Params that set the two apart once and for all belong to the variant.
    return base if len(levels) == 1 else None


def _original(one: VariantSummary, base: VariantSummary, group: Group) -> VariantSummary | None:
    named = one.params[AA]
    wanted = named if isinstance(named, str) else None
    same = [other for other in group.variants if factors(other) == factors(one)]
    for name in (wanted, None if wanted else one.variant, None if wanted else base.variant):
        found = next((other for other in same if name is not None and other.variant == name), None)
        if found is not None:
            return found
    return None
