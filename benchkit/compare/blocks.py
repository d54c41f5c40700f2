"""Runs to the blocks that are compared, and who is compared with whom in each.

A block is one scenario, one tool, one setting. Equal params are compared where there are several
variants, else all with one baseline.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Final

from benchkit import format as show
from benchkit.errors import UsageError, nearest
from benchkit.model.grouping import by_scenario_and_tool, same_params, variants_of
from benchkit.model.load import have_one_in_common, loads_of
from benchkit.model.run import Run
from benchkit.model.states import BASELINES, CHANGED
from benchkit.model.variant import COPY, Variant, distinct

#: Fewer levels are no sweep.
LEAST_LEVELS: Final = 3


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
class Block:
    """The variants of one scenario, tool and setting, in order of first appearance.

    Attributes:
        shared_params: Params that all variants have in common.
        stated_baseline: The variant that metadata name as such, None where they name none or
            several.
        setting: The params by which it differs from other blocks of its scenario and tool.
        axis: The swept param, whose levels order the variants; empty for none.
        baseline: Label of the baseline; empty until that is chosen, as are the pairs.
        pairs: Each variant with what it is compared with.
        copies: Declared copies with what they are compared with: as the others, never tested.
    """

    scenario: str | None
    tool: str
    variants: tuple[Variant, ...]
    shared_params: Mapping[str, Any]
    stated_baseline: str | None = None
    axis: str = ""
    setting: Mapping[str, Any] = field(default_factory=dict)
    baseline: str = ""
    pairs: tuple[Pair, ...] = ()
    copies: tuple[Pair, ...] = ()

    @property
    def real(self) -> tuple[Variant, ...]:
        """The variants without declared copies, or all where there is nothing else."""
        return tuple(v for v in self.variants if not v.is_copy) or self.variants

    def full(self, label: str) -> str:
        """Return the label of a variant with the setting, unique within scenario and tool."""
        return show.joined(label, self.setting)


def blocks_of(runs: Iterable[Run]) -> list[Block]:
    """Return the blocks in order of first appearance; tools are never mixed.

    A warm-up is a block of its own: it is compared with nothing.
    """
    blocks: list[Block] = []
    for (scenario, tool), part in by_scenario_and_tool(runs).items():
        variants = variants_of(part)
        measured = [variant for variant in variants if not variant.is_warm_up]
        if measured:
            blocks += _settings(_whole(scenario, tool, measured))
        warm_ups = (variant for variant in variants if variant.is_warm_up)
        blocks += (
            Block(scenario, tool, (variant,), variant.params, setting=variant.params)
            for variant in warm_ups
        )
    return blocks


def _whole(scenario: str | None, tool: str, variants: Sequence[Variant]) -> Block:
    shared = _shared(v.params for v in variants)
    stated = distinct(run.get("baseline") for v in variants for run in v.runs)
    return Block(
        scenario,
        tool,
        _labelled(variants, shared, axis_of(variants)),
        shared,
        stated[0] if len(stated) == 1 else None,
    )


def _settings(block: Block) -> list[Block]:
    """Split a block whose variants all ran under several settings into one for each of them.

    What is compared then differs in the variant alone, and in the level of a swept param, which
    orders it. Where the baseline is missing in a setting, the block stays whole.
    """
    axis = axis_of(block.variants)
    parts: dict[tuple[str, ...], list[Variant]] = defaultdict(list)
    for variant in block.variants:
        rest = {key: value for key, value in variant.factors.items() if key != axis}
        parts[same_params(rest)].append(variant)
    label = default_baseline(block)
    base = next(v.name for v in block.real if v.label == label)
    everywhere = all(any(v.name == base for v in part) for part in parts.values())
    several = any(len({v.name for v in part}) > 1 for part in parts.values())
    if not (everywhere and several):
        return [block]
    return [_setting(block, part, axis, base) for part in parts.values()]


def _setting(block: Block, variants: Sequence[Variant], axis: str, base: str) -> Block:
    if axis:
        variants = sorted(variants, key=lambda v: (v.level(axis) or 0.0, v.name != base))
    shared = _shared(v.params for v in variants)
    return replace(
        block,
        variants=_labelled(variants, shared, axis),
        shared_params=shared,
        axis=axis,
        setting={key: value for key, value in shared.items() if key not in block.shared_params},
    )


def axis_of(variants: Sequence[Variant]) -> str:
    """Return the numeric param with the most levels, empty where none is swept.

    One that has a single level for each variant belongs to the variants, and is no sweep; where
    one variant alone has several, the others are at levels of its own.
    """
    swept = {}
    for name in dict.fromkeys(name for v in variants for name in v.factors):
        by_variant: defaultdict[str, set[float | None]] = defaultdict(set)
        for variant in variants:
            by_variant[variant.name].add(variant.level(name))
        levels = set().union(*by_variant.values())
        several = [part for part in by_variant.values() if len(part) > 1]
        among = len(several) > 1 or several == [levels]
        enough = len(levels) >= LEAST_LEVELS and among
        if None not in levels and enough:
            swept[name] = len(levels)
    return max(swept, key=swept.__getitem__, default="")


def _labelled(
    variants: Sequence[Variant], shared: Mapping[str, Any], axis: str
) -> tuple[Variant, ...]:
    names = Counter(v.name for v in variants)
    seen: Counter[str] = Counter()
    labelled = []
    for variant in variants:
        label = _label(variant, shared, axis, alone=names[variant.name] == 1)
        seen[label] += 1
        if seen[label] > 1:  # two copies, or a name that reads like another with its params
            label = f"{label} ({seen[label]})"
        labelled.append(replace(variant, label=label))
    return tuple(labelled)


def _label(variant: Variant, shared: Mapping[str, Any], axis: str, *, alone: bool) -> str:
    own = {key: value for key, value in variant.factors.items() if key not in shared}
    ending = [COPY] if variant.is_copy else []
    if alone or not (own or ending):
        return variant.name
    # What differs most comes first: the rest is left out where a whole table shares it.
    ordered = {key: own[key] for key in sorted(own, key=lambda key: (key != axis, key))}
    return ", ".join([variant.name, *ending, *show.params(ordered)])


def _shared(params: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    first, *others = params
    same = {key: show.params({key: value}) for key, value in first.items()}
    return {
        key: value
        for key, value in first.items()
        if all(key in other and show.params({key: other[key]}) == same[key] for other in others)
    }


def baselines(blocks: Sequence[Block], wanted: str | None) -> list[str]:
    """Return the label of the baseline of each block.

    `wanted` is a variant, `scenario/variant`, the label of a run or of a variant; where a block
    has none of that name, and by default, it is the `default_baseline`.

    Raises:
        UsageError: no block has a variant of that name; the message lists the choices.
    """
    if wanted is None:
        return [default_baseline(block) for block in blocks]
    chosen = [_match(block, wanted) for block in blocks]
    if not any(chosen):
        choices = [_in_scenario(block, v.name) for block in blocks for v in block.real]
        labels = [run.label for block in blocks for v in block.variants for run in v.runs]
        labels = [label for label in labels if label not in choices]
        more = f"; or the label of a run: {_listed(labels, most=3)}" if labels else ""
        names = (v.name for block in blocks for v in block.real)
        near = nearest(wanted, dict.fromkeys([*names, *choices, *labels]))
        there = f"{near} There are: " if near else "there are: "
        msg = f"no variant '{show.clean(wanted, limit=80)}' to be the baseline; {there}"
        raise UsageError(msg + _listed(choices, most=12) + more)
    return [label or default_baseline(block) for label, block in zip(chosen, blocks, strict=True)]


def has_baseline(blocks: Sequence[Block], wanted: str | None) -> bool:
    """Whether a block has the baseline that is wanted; None is in every block."""
    return wanted is None or any(_match(block, wanted) for block in blocks)


def with_baseline(blocks: Sequence[Block], wanted: str | None) -> Block:
    """Return which of the blocks of a scenario, one for each tool, has the baseline of all."""
    if wanted is not None:
        named = (block for block in blocks if has_baseline([block], wanted))
        return next(named, blocks[0])
    names = dict.fromkeys(variant.name for block in blocks for variant in block.real)
    called = {name for name in names if _is_called_so(name, names)}
    named = (
        block
        for block in blocks
        if any(v.label == block.baseline and v.name in called for v in block.real)
    )
    return next(named, blocks[0]) if len(called) == 1 else blocks[0]


def of_variant(blocks: Sequence[Block], wanted: str | None) -> str | None:
    """Return the baseline that is wanted by its variant: the run that it is named by may go."""
    if wanted is None or any(_called(block, wanted) for block in blocks):
        return wanted
    runs = ((block, label) for block in blocks if (label := _match(block, wanted)))
    return next((block.full(label) for block, label in runs), wanted)


def default_baseline(block: Block) -> str:
    """Return the label of the baseline.

    That is the variant that metadata name; or the only one with a word such as before, old or main
    in its name; or that of the least level; or the first.
    """
    stated = [v.label for v in block.real if v.name == block.stated_baseline]
    names = dict.fromkeys(variant.name for variant in block.real)
    called = [name for name in names if _is_called_so(name, names)]
    named = [v.label for v in block.real if [v.name] == called]
    return next(iter([*stated, *named, _first(block.real).label]))


def _first(variants: Sequence[Variant]) -> Variant:
    """Return the first variant, of one at several numeric levels that with the least."""
    levels = [tuple(variant.factors.values()) for variant in variants]
    numeric = all(isinstance(value, int | float) for level in levels for value in level)
    if numeric and len({(v.name, *v.factors) for v in variants}) == 1:
        return min(zip(levels, variants, strict=True), key=itemgetter(0))[1]
    return variants[0]


def _is_called_so(name: str, names: Iterable[str]) -> bool:
    """Whether a variant is called like a baseline: `main`, or `without-gzip` beside `gzip`."""
    words = _words(name)
    rest = words - BASELINES
    if rest == words:
        return False
    others = [_words(other) for other in names if other != name]
    changed = bool(others) and not any(CHANGED.isdisjoint(other) for other in others)
    return changed or not rest or any(rest <= other for other in others)


def _words(name: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", name.lower()))


def _listed(names: Sequence[str], *, most: int) -> str:
    unique = list(dict.fromkeys(names))
    shown = [show.clean(name, limit=80) for name in unique[:most]]
    more = [f"and {len(unique) - most} more"] if len(unique) > most else []
    return ", ".join(shown + more)


def _match(block: Block, wanted: str) -> str | None:
    """Return the label of the variant that is called so, or has a run that is."""
    if label := _called(block, wanted):
        return label
    for variant in block.real:
        if any(run.label == wanted for run in variant.runs):
            return variant.label
    return None


def _called(block: Block, wanted: str) -> str | None:
    for variant in block.real:
        labels = {variant.name, variant.label, block.full(variant.label)}
        if wanted in labels | {_in_scenario(block, label) for label in labels}:
            return variant.label
    return None


def _in_scenario(block: Block, name: str) -> str:
    return f"{block.scenario}/{name}" if block.scenario else name


def paired(blocks: Sequence[Block], baseline: str | None) -> list[Block]:
    """Return the blocks with a baseline each, and what is compared with what.

    Raises:
        UsageError: no block has that baseline.
    """
    labels = baselines(blocks, baseline)
    return [_paired(block, label) for block, label in zip(blocks, labels, strict=True)]


def _paired(block: Block, label: str) -> Block:
    real = block.real
    base = next(v for v in real if v.label == label)
    names = {v.name for v in real}
    others = [v for v in real if v is not base]
    if len(names) > 1:
        # The same variant under other params is a sweep of its own.
        others = [v for v in others if v.name != base.name]
    loads = loads_of(base.runs)
    kin = {same_params(base.factors): base}
    for variant in real:
        if variant.name == base.name:
            kin.setdefault(same_params(variant.factors), variant)
    copies = [v for v in block.variants if v.is_copy] if len(real) < len(block.variants) else []

    def partner(variant: Variant) -> Variant | None:
        params = same_params(variant.factors)
        if params in kin or block.axis:  # another level of a sweep is no baseline
            return kin.get(params)
        if len(kin) > 1:
            return None
        # Params that set the two apart once and for all belong to the variant; the load does not
        # where it has run under that of the baseline, too.
        levels = [v for v in real if v.name == variant.name]
        fitting = [v for v in levels if same_params(v.factors) in kin]
        fitting = fitting or [v for v in levels if have_one_in_common(loads_of(v.runs), loads)]
        return base if not fitting or variant in fitting else None

    return replace(
        block,
        baseline=label,
        pairs=tuple(Pair(v, base if len(names) == 1 else partner(v)) for v in others),
        copies=tuple(Pair(v, partner(v)) for v in copies),
    )
