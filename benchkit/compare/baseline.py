"""Which variant the others are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from benchkit import format as show
from benchkit.compare.blocks import Block
from benchkit.errors import UsageError


def baselines(blocks: Sequence[Block], wanted: str | None) -> list[str]:
    """Return the label of the baseline of each block.

    Args:
        blocks: What is compared.
        wanted: A variant, `scenario/variant`, the label of a run or of a variant; where a block
            has none of that name, and by default, the one that metadata name, or else its
            first variant in path order.

    Raises:
        UsageError: no block has a variant of that name; the message lists the choices.
    """
    chosen = [None if wanted is None else _match(block, wanted) for block in blocks]
    if wanted is not None and not any(chosen):
        choices = [_in_scenario(block, v.name) for block in blocks for v in block.real]
        labels = [run.label for block in blocks for v in block.variants for run in v.runs]
        labels = [label for label in labels if label not in choices]
        more = f"; or the label of a run: {_listed(labels, most=3)}" if labels else ""
        msg = f"no variant '{show.clean(wanted, limit=80)}' to be the baseline; there are: "
        raise UsageError(msg + _listed(choices, most=12) + more)
    return [label or default_baseline(block) for label, block in zip(chosen, blocks, strict=True)]


def has_baseline(blocks: Sequence[Block], wanted: str | None) -> bool:
    """Whether a block has the baseline that is wanted; None is in every block."""
    return wanted is None or any(_match(block, wanted) for block in blocks)


def default_baseline(block: Block) -> str:
    """Return the label of the baseline that metadata name, or else of the first variant."""
    stated = [v.label for v in block.real if v.name == block.stated_baseline]
    return stated[0] if stated else block.real[0].label


def _listed(names: Sequence[str], *, most: int) -> str:
    unique = list(dict.fromkeys(names))
    shown = [show.clean(name, limit=80) for name in unique[:most]]
    more = [f"and {len(unique) - most} more"] if len(unique) > most else []
    return ", ".join(shown + more)


def _match(block: Block, wanted: str) -> str | None:
    for variant in block.real:
        labels = {variant.name, variant.label, block.full(variant.label)}
        if wanted in labels | {_in_scenario(block, label) for label in labels}:
            return variant.label
    for variant in block.real:
        if any(run.label == wanted for run in variant.runs):
            return variant.label
    return None


def _in_scenario(block: Block, name: str) -> str:
    return f"{block.scenario}/{name}" if block.scenario else name
