"""Runs to the variants that they repeat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from benchkit import format as show
from benchkit.model.run import Run
from benchkit.model.variant import Variant


def by_scenario_and_tool(runs: Iterable[Run]) -> dict[tuple[str | None, str], list[Run]]:
    """Return the runs by scenario and tool, in order of first appearance; tools never mix."""
    parts: dict[tuple[str | None, str], list[Run]] = defaultdict(list)
    for run in runs:
        parts[run.scenario, run.tool].append(run)
    return parts


def variants_of(runs: Iterable[Run]) -> list[Variant]:
    """Return the variants of one scenario and tool in order of first appearance.

    The label of each is its name.
    """
    parts: dict[tuple[str, tuple[str, ...]], list[Run]] = defaultdict(list)
    for run in runs:
        parts[run.variant, same_params(run.params)].append(run)
    return [
        Variant(name, repeats[0].params, name, tuple(repeats))
        for (name, _), repeats in parts.items()
    ]


def same_params(params: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is equal for equal params: whoever writes them writes 1 or "1"."""
    return tuple(sorted(show.params(params))) if params else ()
