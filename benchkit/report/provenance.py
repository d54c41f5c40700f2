"""Where the figures come from: files, what was left out of them, and the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import rows_of
from benchkit.report.views import FileRow

if TYPE_CHECKING:
    from benchkit.results import Results

#: So many different values of one entry are listed.
_MOST_LISTED: Final = 3


def files(results: Results) -> tuple[FileRow, ...]:
    """Return the files that hold runs or copies of runs."""
    states = {"read": "read", "merged": "same run as another", "duplicate": "identical copy"}
    return tuple(
        FileRow(
            source=show.clean(row["source"]),
            state=states[row["state"]],
            runs=str(row["runs"] or ""),
            format=show.clean(row["format"] or ""),
            sha256=show.clean(row["sha256"] or ""),
            message=show.clean(row["message"] or ""),
        )
        for row in rows_of(results.files)
        if row["state"] in states
    )


def skipped(results: Results) -> tuple[tuple[str, str], ...]:
    """Return each file, or part of one, that could not be read, with the reason."""
    return tuple(
        (show.clean(row["source"]), show.clean(row["message"] or "not readable"))
        for row in rows_of(results.files)
        if row["state"] == "skipped" or (row["state"] == "read" and row["message"])
    )


def foreign(results: Results) -> str:
    """Return how many files of other kinds there were, empty for none."""
    amount = int((results.files["state"] == "foreign").sum())
    return f"{show.plural(amount, 'file')} of no known format." if amount else ""


def environment(results: Results) -> tuple[tuple[str, str], ...]:
    """Return what metadata say of the machine, each entry with its values over all runs."""
    found: dict[str, list[str]] = {}
    for text in results.runs["environment"].dropna():
        for name, value in _flat(json.loads(text)).items():
            found.setdefault(name, []).append(value)
    return tuple((show.clean(name, limit=80), _told(values)) for name, values in found.items())


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
        return ", ".join(_plain(one) for one in value)
    if isinstance(value, float):
        return show.number(value)
    return show.clean(str(value), limit=200)


def _told(values: list[str]) -> str:
    distinct = list(dict.fromkeys(values))
    if len(distinct) <= _MOST_LISTED:
        return "; ".join(distinct)
    return f"{'; '.join(distinct[:_MOST_LISTED])}; and {len(distinct) - _MOST_LISTED} more"


def tools(results: Results) -> tuple[str, ...]:
    """Return the load generators with their versions."""
    found = dict.fromkeys(
        show.clean(f"{row['tool']} {row['tool_version'] or '(version not stated)'}")
        for row in rows_of(results.runs)
    )
    return tuple(found)
