"""Which variant the others are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from benchkit import format as show
from benchkit.compare.summaries import Group
from benchkit.errors import UsageError


def baselines(groups: Sequence[Group], wanted: str | None) -> list[str]:
    """Return the label of the baseline of each group.

    Args:
        groups: What is compared.
        wanted: A variant, `scenario/variant`, the label of a run or of a row; where a group
            has none of that name, and by default, the one that metadata name, or else its
            first variant in path order.

    Raises:
        UsageError: no group has a variant of that name; the message lists the choices.
    """
    found = [None if wanted is None else _match(group, wanted) for group in groups]
    if wanted is not None and not any(found):
        choices = [_full(group, one.variant) for group in groups for one in group.variants]
        labels = [label for group in groups for label in group.labels if label not in choices]
        more = f"; or the label of a run: {_listed(labels, most=3)}" if labels else ""
        msg = f"no variant '{show.clean(wanted, limit=80)}' to be the baseline; there are: "
        raise UsageError(msg + _listed(choices, most=12) + more)
    return [label or _default(group) for label, group in zip(found, groups, strict=True)]


def _default(group: Group) -> str:
    stated = [one.label for one in group.variants if one.variant == group.baseline]
    return stated[0] if stated else group.variants[0].label


def _listed(names: Sequence[str], *, most: int) -> str:
    found = list(dict.fromkeys(names))
    shown = [show.clean(name, limit=80) for name in found[:most]]
    more = [f"and {len(found) - most} more"] if len(found) > most else []
    return ", ".join(shown + more)


def _match(group: Group, wanted: str) -> str | None:
    run_id = group.labels.get(wanted)
    for one in group.variants:
        labels = {one.variant, one.label, group.full(one.label)}
        names = labels | {_full(group, label) for label in labels}
        if wanted in names:
            return one.label
    return next((one.label for one in group.variants if run_id in one.run_ids), None)


def _full(group: Group, variant: str) -> str:
    return f"{group.scenario}/{variant}" if group.scenario else variant
