"""What a run knows that no table has, as JSON: with it tables give the very same run back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchkit.model.run import Counts, Lateness, Run

if TYPE_CHECKING:
    from benchkit.counting.cells import Cells
    from benchkit.counting.distribution import Distribution

#: Whole numbers of a distribution of which bins know only the neighbourhood.
_EXACT: Final = ("total_ns", "squares_ns2", "min_ns", "max_ns")


def supplement(run: Run) -> dict[str, Any]:
    """Return what is in no table: a JSON object, without what is empty."""
    outcomes = run.counts.outcomes.items()
    parts = {
        "variant": run.columns["variant"],
        "steps": {name: float(step) for name, step in run.steps.items()},
        "commands": dict(run.commands),
        "outcomes": {name: _exact(part) for name, part in outcomes},
        "endpoints": _endpoints(run.counts.cells),
        "numbering": _numbering(run.counts),
        "lateness": run.lateness,
    }
    return {name: value for name, value in parts.items() if value not in (None, {}, [])}


def supplemented(run: Run, given: Mapping[str, Any]) -> Run:
    """Return a run of tables with what they do not have.

    Raises:
        ValueError: that is no supplement.
    """
    try:
        exact = {str(name): _numbers(part) for name, part in given.get("outcomes", {}).items()}
        return replace(
            run,
            columns={**run.columns, "variant": _text(given.get("variant"))},
            steps={str(name): float(step) for name, step in given.get("steps", {}).items()},
            commands={str(k): str(v) for k, v in given.get("commands", {}).items()},
            counts=_counts(run.counts, exact, given),
            lateness=_lateness(given.get("lateness")),
        )
    except (TypeError, AttributeError, KeyError, OverflowError) as error:
        raise ValueError(f"no supplement of a run: {error}") from error


def _exact(part: Distribution) -> dict[str, int | None]:
    values = {name: getattr(part, name) for name in _EXACT}
    return {name: None if value is None else int(value) for name, value in values.items()}


def _numbering(counts: Counts) -> list[int]:
    if counts.first_seq is None or counts.last_seq is None:
        return []
    return [int(counts.first_seq), int(counts.last_seq), int(counts.repeated_seq)]


def _endpoints(cells: Cells | None) -> list[str | None]:
    """Return the names of endpoints in their order, which rows of a table do not tell."""
    return [] if cells is None else [*cells.names]


def _counts(
    counts: Counts, exact: Mapping[str, Mapping[str, Any]], given: Mapping[str, Any]
) -> Counts:
    from benchkit.counting.distribution import Distribution

    known = {name: counts.outcomes.get(name, Distribution()) for name in exact}
    if counts.outcomes.keys() - known.keys():
        raise ValueError("latencies of an outcome that no supplement has")
    first, last, repeated = given.get("numbering", (None, None, 0))
    return replace(
        counts,
        outcomes={name: replace(known[name], **values) for name, values in exact.items()},
        make_cells=partial(_named, counts, [_text(name) for name in given.get("endpoints", ())]),
        first_seq=None if first is None else int(first),
        last_seq=None if last is None else int(last),
        repeated_seq=int(repeated),
    )


def _named(counts: Counts, names: list[str | None]) -> Cells | None:
    """Return the cells of a table with their endpoints in the order that they had."""
    import numpy as np

    cells = counts.cells
    if cells is None or not {*cells.names} <= {*names}:
        return cells
    numbers = np.array([names.index(name) for name in cells.names], np.int64)
    return replace(cells, names=names, endpoints=numbers[cells.endpoints])


def _numbers(part: Mapping[str, Any]) -> dict[str, int | None]:
    return {name: None if part[name] is None else int(part[name]) for name in _EXACT}


def _lateness(value: Any) -> Lateness | str | None:  # noqa: ANN401 - a value of JSON
    if value is None or isinstance(value, str):
        return value
    return Lateness(*map(float, value))


def _text(value: Any) -> str | None:  # noqa: ANN401 - a value of JSON
    return None if value is None else str(value)
