"""One run with everything that was read of it, and the files it came from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare import rows_of
from benchkit.report.marks import findings_of
from benchkit.report.views import FileRow, Grid, RunView
from benchkit.schema import QUANTILE_COLUMNS, RUNS, Column

if TYPE_CHECKING:
    from benchkit.results import Results

#: Columns that the page shows elsewhere, or that say nothing to a reader.
_ELSEWHERE: Final = {
    *("run_id", "label", "scenario", "variant", "tool", "tool_version", "format"),
    *("command", "sha256"),
    *QUANTILE_COLUMNS.values(),
}
_UNITS: Final = {"1/s": "/s"}


class RunViews:
    """Makes the view of any run of some results; tables are split by run once."""

    def __init__(self, results: Results) -> None:
        self.runs = {row["run_id"]: row for row in rows_of(results.runs)}
        self._quantiles = _by_run(rows_of(results.quantiles))
        self._figures = _by_run(rows_of(results.figures))
        self._notes = _by_run(rows_of(results.notes))

    def of(self, comparison: Assessed) -> tuple[RunView, ...]:
        """Return the runs of a comparison, variants in input order."""
        by_label = {one.label: one for one in comparison.variants}
        return tuple(
            self.view(run_id, comparison)
            for label in comparison.order
            for run_id in by_label[label].run_ids
        )

    def view(self, run_id: str, comparison: Assessed) -> RunView:
        """Return one run of a comparison."""
        run = self.runs[run_id]
        return RunView(
            label=show.clean(run["label"]),
            summary=_summary(run),
            columns=tuple(_columns(run)),
            quantiles=tuple(_quantile(row) for row in self._quantiles[run_id]),
            figures=_figures(self._figures[run_id]),
            notes=tuple(show.clean(row["note"]) for row in self._notes[run_id]),
            command=show.clean(run["command"] or ""),
            findings=findings_of(comparison, run_id),
        )


def _by_run(rows: Sequence[dict[str, Any]]) -> Mapping[str, list[dict[str, Any]]]:
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["run_id"]].append(row)
    return found


def _summary(run: Mapping[str, Any]) -> str:
    version = f" {run['tool_version']}" if run["tool_version"] else ""
    parts = [f"{run['tool']}{version} ({run['format']})"]
    if run["requests"] is not None:
        parts.append(show.plural(run["requests"], "request"))
    if run["duration_s"] is not None:
        parts.append(show.duration(run["duration_s"]))
    return show.clean(", ".join(parts))


def _columns(run: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (column.name, _exact(column, run[column.name]))
        for column in RUNS.columns
        if run[column.name] is not None and column.name not in _ELSEWHERE
    ]


def _exact(column: Column, value: Any) -> str:  # noqa: ANN401 - any column's value
    unit = _UNITS.get(column.unit, column.unit)
    if column.kind == "bool":
        return "yes" if value else "no"
    if column.kind == "int":
        text = f"{value:,}"
    elif column.kind == "float":
        text = show.number(value, digits=17)
    else:
        return show.clean(str(value))
    return f"{text}{show.NBSP}{unit}" if unit else text


def _quantile(row: Mapping[str, Any]) -> tuple[str, str]:
    name = show.percentile(row["quantile"]) if row["quantile"] else "min"
    mark = "" if row["origin"] == "printed" else " *"
    return name + mark, show.duration(row["latency_s"], digits=6)


def _figures(rows: Sequence[Mapping[str, Any]]) -> Grid | None:
    if not rows:
        return None
    listed = tuple(
        (show.clean(row["metric"]), show.clean(row["statistic"]), _printed(row)) for row in rows
    )
    return Grid(("Figure", "Statistic", "As printed"), listed, numbers_from=2)


def _printed(row: Mapping[str, Any]) -> str:
    if row["printed"]:
        return show.clean(row["printed"])
    return (
        ""
        if row["value"] is None
        else f"{show.number(row['value'], digits=17)} {row['unit'] or ''}"
    )


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
