"""The runs of a comparison: beside each other, and with everything that was read of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare import BY_NAME, rows_of
from benchkit.report.marks import findings_of
from benchkit.report.tables import RANKED, names, redundant
from benchkit.report.views import Cell, Mark, Name, Printed, PrintedRow, RankTable
from benchkit.schema import QUANTILE_COLUMNS, RUNS, Column

if TYPE_CHECKING:
    from benchkit.results import Results

#: Columns that the page shows elsewhere, or that say nothing to a reader.
_ELSEWHERE: Final = {
    *("run_id", "label", "scenario", "variant", "tool", "tool_version", "format"),
    *("command", "sha256", "baseline", "environment"),
    *QUANTILE_COLUMNS.values(),
}
#: So many runs stand beside each other; of more there is a table per variant.
MOST_BESIDE: Final = 8
_LISTED: Final = (*RANKED, "errors", "non2xx", "requests", "duration_s")
_Row = Mapping[str, Any]


class RunViews:
    """Makes the views of the runs of some results; tables are split by run once."""

    def __init__(self, results: Results) -> None:
        self.runs = {row["run_id"]: row for row in rows_of(results.runs)}
        self._quantiles = _by_run(rows_of(results.quantiles))
        self._figures = _by_run(rows_of(results.figures))
        self._notes = _by_run(rows_of(results.notes))

    def printed(self, comparison: Assessed) -> tuple[Printed, ...]:
        """Return everything that was read, in groups of runs that fit beside each other."""
        by_label = {one.label: one for one in comparison.variants}
        groups = {show.clean(label): by_label[label].run_ids for label in comparison.order}
        if comparison.runs <= MOST_BESIDE:
            together = tuple(i for label in comparison.order for i in by_label[label].run_ids)
            groups = {show.plural(comparison.runs, "run"): together}
        return tuple(self._printed(title, ids, comparison) for title, ids in groups.items())

    def _printed(self, title: str, run_ids: Sequence[str], comparison: Assessed) -> Printed:
        found = [one for i in run_ids for one in findings_of(comparison, i)]
        notes = [
            (self._label(i), show.clean(row["note"])) for i in run_ids for row in self._notes[i]
        ]
        commands = [
            (self._label(i), show.clean(self.runs[i]["command"] or ""))
            for i in run_ids
            if self.runs[i]["command"]
        ]
        blocks = (
            ("", self._columns(run_ids)),
            ("Percentiles", self._percentiles(run_ids)),
            ("Further figures", self._further(run_ids)),
        )
        return Printed(
            title=title,
            headings=tuple(self._label(i) for i in run_ids),
            blocks=tuple((name, tuple(rows)) for name, rows in blocks if rows),
            commands=_together(commands, of=len(run_ids)),
            notes=_together(notes, of=len(run_ids)),
            findings=tuple(one for one in found if one.text),
        )

    def _label(self, run_id: str) -> str:
        """Return the label of a run without the scenario, which the section is about."""
        run = self.runs[run_id]
        return show.clean(run["label"].removeprefix(f"{run['scenario']}/"))

    def _columns(self, run_ids: Sequence[str]) -> list[PrintedRow]:
        rows = [self.runs[i] for i in run_ids]
        told = [PrintedRow("tool", _same([_tool(row) for row in rows]))]
        told += [
            PrintedRow(column.name, _same([_exact(column, row[column.name]) for row in rows]))
            for column in RUNS.columns
            if column.name not in _ELSEWHERE and any(row[column.name] is not None for row in rows)
        ]
        return told

    def _percentiles(self, run_ids: Sequence[str]) -> list[PrintedRow]:
        found: dict[tuple[float, str], dict[str, str]] = defaultdict(dict)
        for i in run_ids:
            for row in self._quantiles[i]:
                text = show.duration(row["latency_s"], digits=6)
                found[row["quantile"], row["origin"]][i] = text
        return [
            PrintedRow(_quantile(*key), _same([texts.get(i, "") for i in run_ids]))
            for key, texts in sorted(found.items())
        ]

    def _further(self, run_ids: Sequence[str]) -> list[PrintedRow]:
        """Return further figures; one that a run has twice keeps both."""
        found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for i in run_ids:
            for row in self._figures[i]:
                key = show.clean(row["metric"]), show.clean(row["statistic"])
                found[key][i].append(_figure(row))
        return [
            PrintedRow(" ".join(key), _same(["; ".join(texts[i]) for i in run_ids]))
            for key, texts in found.items()
        ]

    def table(self, comparison: Assessed) -> RankTable | None:
        """Return the runs beside each other, None where each is a variant of its own."""
        if comparison.runs == len(comparison.variants):
            return None
        by_label = {one.label: one for one in comparison.variants}
        of = [(i, label) for label in comparison.order for i in by_label[label].run_ids]
        shown = [m for m in _LISTED if any(self.runs[i][m] is not None for i, _ in of)]
        shown = [m for m in shown if not redundant(comparison, m)]
        columns = {m: [_number(self.runs[i][m]) for i, _ in of] for m in shown}
        texts = {m: BY_NAME[m].cells(values) for m, values in columns.items()}
        named = names(comparison)
        return RankTable(
            (("Run", ()), *((BY_NAME[m].heading(columns[m]), ()) for m in shown)),
            tuple(
                (
                    _name(self._label(i), named[label], findings_of(comparison, i)),
                    tuple(_cell(texts[m][n], by_label[label].withheld.get(m, "")) for m in shown),
                )
                for n, (i, label) in enumerate(of)
            ),
            order="",
        )


def _by_run(rows: Sequence[dict[str, Any]]) -> Mapping[str, list[dict[str, Any]]]:
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["run_id"]].append(row)
    return found


def _same(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a row; one cell where all runs say the same."""
    return tuple(texts[:1]) if len(set(texts)) == 1 else tuple(texts)


def _together(told: Iterable[tuple[str, str]], *, of: int) -> tuple[tuple[str, str], ...]:
    """Return each text once with the labels it is of, none where it is of every run."""
    by_text: dict[str, list[str]] = {}
    for label, text in told:
        by_text.setdefault(text, []).append(label)
    return tuple(
        ("" if len(labels) == of else ", ".join(labels), text) for text, labels in by_text.items()
    )


def _name(label: str, variant: Name, found: Iterable[Any]) -> Name:
    marks: dict[int, Mark] = {mark.number: mark for one in found for mark in one.marks}
    return Name(label, variant.role, marks=tuple(marks.values())[:3])


def _cell(text: str | None, withheld: str) -> Cell:
    if withheld:
        return Cell(show.WITHHELD, absent=True, why=withheld)
    return Cell(show.NOT_PRINTED, absent=True) if text is None else Cell(text)


def _number(value: Any) -> float | None:  # noqa: ANN401 - a number of any column
    return None if value is None else float(value)


def _tool(run: _Row) -> str:
    version = f" {run['tool_version']}" if run["tool_version"] else ""
    return show.clean(f"{run['tool']}{version} ({run['format']})")


def _exact(column: Column, value: Any) -> str:  # noqa: ANN401 - any column's value
    """Return a value as it is; the name of its column tells the unit."""
    if value is None:
        return ""
    if column.kind == "bool":
        return "yes" if value else "no"
    if column.kind == "int":
        return f"{value:,}"
    return show.number(value, digits=17) if column.kind == "float" else show.clean(str(value))


def _quantile(quantile: float, origin: str) -> str:
    name = show.percentile(quantile) if quantile else "min"
    return name if origin == "printed" else f"{name} *"


def _figure(row: _Row) -> str:
    if row["printed"]:
        return show.clean(row["printed"])
    return (
        ""
        if row["value"] is None
        else f"{show.number(row['value'], digits=17)} {row['unit'] or ''}"
    )
