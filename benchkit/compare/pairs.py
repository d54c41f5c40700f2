"""Who is compared with whom: equal params where there are several variants, one baseline else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchkit.compare.baseline import baselines
from benchkit.compare.blocks import Block
from benchkit.model.grouping import same_params
from benchkit.model.variant import Variant


@dataclass(frozen=True, slots=True)
class Pair:
    """Two variants; `baseline` is None where none was run under the same params."""

    variant: Variant
    baseline: Variant | None

    @property
    def sides(self) -> tuple[Variant, ...]:
        """The variants that there are, the baseline first."""
        return (self.variant,) if self.baseline is None else (self.baseline, self.variant)


@dataclass(frozen=True, eq=False)
class Plan:
    """What is compared in one block.

    Attributes:
        baseline: Label of the baseline.
        pairs: Each variant with what it is compared with.
        copies: Declared copies with what they are compared with: as the others, never tested.
    """

    block: Block
    baseline: str
    pairs: tuple[Pair, ...]
    copies: tuple[Pair, ...] = ()


def plans(blocks: Sequence[Block], baseline: str | None) -> list[Plan]:
    """Return what is compared in each block.

    Raises:
        UsageError: no block has that baseline.
    """
    labels = baselines(blocks, baseline)
    return [_plan(block, label) for block, label in zip(blocks, labels, strict=True)]


def _plan(block: Block, label: str) -> Plan:
    real = block.real
    base = next(v for v in real if v.label == label)
    names = {v.name for v in real}
    others = [v for v in real if v is not base]
    if len(names) > 1:
        # The same variant under other params is a sweep of its own.
        others = [v for v in others if v.name != base.name]
    kin = {same_params(base.factors): base}
    for variant in real:
        if variant.name == base.name:
            kin.setdefault(same_params(variant.factors), variant)
    copies = [v for v in block.variants if v.is_copy] if len(real) < len(block.variants) else []

    def partner(variant: Variant) -> Variant | None:
        params = same_params(variant.factors)
        if params in kin or block.axis:  # another level of a sweep is no baseline
            return kin.get(params)
        # Params that set the two apart once and for all belong to the variant.
        return base if len(kin) == 1 else None

    return Plan(
        block,
        label,
        tuple(Pair(v, base if len(names) == 1 else partner(v)) for v in others),
        tuple(Pair(v, partner(v)) for v in copies),
    )
