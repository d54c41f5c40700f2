"""Where the figures come from: files, what was left out of them, and the machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchkit import format as show
from benchkit.model.run import Run
from benchkit.report.views import FileRow

#: So many different values of one entry are listed.
_MOST_LISTED: Final = 3
_STATES: Final = {"read": "read", "merged": "same run as another", "duplicate": "identical copy"}
_Files = Sequence[Mapping[str, Any]]


def files(rows: _Files) -> tuple[FileRow, ...]:
    """Return the files that hold runs or copies of runs."""
    return tuple(
        FileRow(
            source=show.clean(row["source"]),
            state=_STATES[row["state"]],
            runs=str(row["runs"] or ""),
            format=show.clean(row["format"] or ""),
            sha256=show.clean(row["sha256"] or ""),
            message=show.clean(row["message"] or ""),
        )
        for row in rows
        if row["state"] in _STATES
    )


def skipped(rows: _Files) -> tuple[tuple[str, str], ...]:
    """Return each file, or part of one, that could not be read, with the reason."""
    return tuple(
        (show.clean(row["source"]), show.clean(row["message"] or "not readable"))
        for row in rows
        if row["state"] == "skipped" or (row["state"] == "read" and row["message"])
    )


def foreign(rows: _Files) -> str:
    """Return how many files of other kinds there were, empty for none."""
    amount = sum(row["state"] == "foreign" and not row["message"] for row in rows)
    return f"{show.plural(amount, 'file')} of no known format." if amount else ""


def environment(runs: Iterable[Run]) -> tuple[tuple[str, str], ...]:
    """Return what metadata say of the machine, each entry with its values over all runs."""
    entries: dict[str, list[str]] = {}
    for run in runs:
        for name, value in _flat(run.environment).items():
            entries.setdefault(name, []).append(value)
    return tuple((show.clean(name, limit=80), _some(values)) for name, values in entries.items())


def tools(runs: Iterable[Run]) -> tuple[str, ...]:
    """Return the load generators with their versions."""
    names = (f"{run.tool} {run.get('tool_version') or '(version not stated)'}" for run in runs)
    return tuple(dict.fromkeys(map(show.clean, names)))


def _flat(entries: Mapping[str, Any], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in entries.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{name} ")
        elif value is not None:
            flat[f"{before}{name}"] = _plain(value)
    return flat


def _plain(value: Any) -> str:  # noqa: ANN401 - JSON values
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, float):
        return show.number(value)
    return show.clean(str(value), limit=200)


def _some(values: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(values))
    if len(distinct) <= _MOST_LISTED:
        return "; ".join(distinct)
    return f"{'; '.join(distinct[:_MOST_LISTED])}; and {len(distinct) - _MOST_LISTED} more"
