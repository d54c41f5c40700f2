"""What belongs together: anything by a key, and runs to the variants that they repeat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from benchkit import format as show
from benchkit.model.run import Run
from benchkit.model.variant import Variant

_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


def grouped(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """Return the items of each key, both in order of first appearance; they need not be sorted."""
    parts: dict[_Key, list[_Item]] = defaultdict(list)
    for item in items:
        parts[key(item)].append(item)
    return dict(parts)


def by_scenario_and_tool(runs: Iterable[Run]) -> dict[tuple[str | None, str], list[Run]]:
    """Return the runs by scenario and tool, in order of first appearance; tools never mix."""
    return grouped(runs, lambda run: (run.scenario, run.tool))


def variants_of(runs: Iterable[Run]) -> list[Variant]:
    """Return the variants of one scenario and tool in order of first appearance.

    The label of each is its name.
    """
    parts = grouped(runs, lambda run: (run.variant, same_params(run.params)))
    return [
        Variant(name, repeats[0].params, name, tuple(repeats))
        for (name, _), repeats in parts.items()
    ]


def same_params(params: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is equal for equal params: whoever writes them writes 1 or "1"."""
    return tuple(sorted(show.params(params))) if params else ()
