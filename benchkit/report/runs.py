"""The runs of a comparison: beside each other, what they counted, and all that was read of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.model.comparison import MOST_MARKS, Comparison
from benchkit.model.metric import BY_COLUMN
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.report.table import names, redundant
from benchkit.report.tabular import Cell, ComparisonTable, MetricRow, Name, Sentence, mark
from benchkit.schema import QUANTILE_COLUMNS, RUNS, Column

if TYPE_CHECKING:
    from benchkit.parsing import Figure

#: Columns that the page shows elsewhere, or that say nothing to a reader.
_ELSEWHERE: Final = {
    *("run_id", "label", "scenario", "variant", "tool", "tool_version", "format"),
    *("command", "sha256", "baseline", "environment"),
    *QUANTILE_COLUMNS.values(),
}
#: So many runs stand beside each other; of more there is a table per variant.
MOST_BESIDE: Final = 8
_LISTED: Final = (
    *("throughput_rps", "goodput_rps", "success_ratio", "latency_mean_s", "latency_p50_s"),
    *("latency_p99_s", "latency_p999_s", "latency_max_s", "errors", "non2xx", "requests"),
    "duration_s",
)
_TOTALS: Final = {
    "errors": "Requests without a response",
    "timeouts": "Timeouts",
    "non2xx": "Responses not 2xx",
}
#: A figure with a cell per run, or a single one where all runs say the same.
Row = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Printed:
    """Runs beside each other with everything that was read of them.

    Attributes:
        headings: The runs.
        blocks: Rows that belong together, under a heading of their own.
        commands: Command lines, each with the runs it is of, or nothing for all.
        notes: Remarks likewise.
        findings: What the list of findings sums up, for each run.
    """

    title: str
    headings: tuple[str, ...]
    blocks: tuple[tuple[str, tuple[Row, ...]], ...]
    commands: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]
    findings: tuple[Sentence, ...]


def run_table(comparison: Comparison, roles: Mapping[str, str]) -> ComparisonTable | None:
    """Return the runs beside each other, None where each is a variant of its own."""
    if comparison.runs == len(comparison.variants):
        return None
    named, findings = names(comparison, roles), _findings_by_run(comparison)
    variants = [comparison.by_label[label] for label in comparison.order]
    runs = [(run, variant) for variant in variants for run in variant.runs]
    shown = [column for column in _LISTED if any(run.get(column) is not None for run, _ in runs)]
    rows = []
    for column in shown:
        if redundant(comparison, column):
            continue
        metric, values = BY_COLUMN[column], [run.number(column) for run, _ in runs]
        cells = (
            _cell(text, variant.withheld.get(column, ""))
            for text, (_, variant) in zip(metric.cells(values), runs, strict=True)
        )
        rows.append(MetricRow(column, metric.heading(values), tuple(cells)))
    return ComparisonTable(
        names=tuple(
            _name(run, named[variant.label], findings.get(run.run_id, ())) for run, variant in runs
        ),
        rows=tuple(rows),
        by_metric=False,
        subject="Run",
    )


def printed(comparison: Comparison) -> tuple[Printed, ...]:
    """Return everything that was read, in groups of runs that fit beside each other."""
    variants = [comparison.by_label[label] for label in comparison.order]
    groups = {show.clean(variant.label): variant.runs for variant in variants}
    if comparison.runs <= MOST_BESIDE:
        together = tuple(run for variant in variants for run in variant.runs)
        groups = {show.plural(comparison.runs, "run"): together}
    findings = _findings_by_run(comparison)
    return tuple(_printed(title, runs, findings) for title, runs in groups.items())


def _printed(title: str, runs: Sequence[Run], by_run: Mapping[str, Sequence[Sentence]]) -> Printed:
    findings = [finding for run in runs for finding in by_run.get(run.run_id, ())]
    notes = [(_label(run), show.clean(note)) for run in runs for note in run.notes]
    commands = [(_label(run), show.clean(run.get("command"))) for run in runs if run.get("command")]
    blocks = (
        ("", _columns(runs)),
        ("Percentiles", _percentiles(runs)),
        ("Further figures", _further(runs)),
    )
    return Printed(
        title=title,
        headings=tuple(map(_label, runs)),
        blocks=tuple((name, tuple(rows)) for name, rows in blocks if rows),
        commands=_together(commands, every=len(runs)),
        notes=_together(notes, every=len(runs)),
        findings=tuple(finding for finding in findings if finding.text),
    )


def _label(run: Run) -> str:
    """Return the label of a run without the scenario, which the section is about."""
    return show.clean(run.label.removeprefix(f"{run.scenario}/"))


def _columns(runs: Sequence[Run]) -> list[Row]:
    rows = [("tool", _same([_tool(run) for run in runs]))]
    return rows + [
        (column.name, _same([_exact(column, run.get(column.name)) for run in runs]))
        for column in RUNS.columns
        if column.name not in _ELSEWHERE and any(run.get(column.name) is not None for run in runs)
    ]


def _percentiles(runs: Sequence[Run]) -> list[Row]:
    texts: dict[tuple[float, str], dict[str, str]] = defaultdict(dict)
    for run in runs:
        for quantile, latency_s, origin in run.quantiles:
            texts[quantile, origin][run.run_id] = show.duration(latency_s, digits=6)
    return [
        (_quantile(*key), _same([by_run.get(run.run_id, "") for run in runs]))
        for key, by_run in sorted(texts.items())
    ]


def _further(runs: Sequence[Run]) -> list[Row]:
    """Return further figures; one that a run has twice keeps both."""
    texts: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for figure in run.figures:
            key = show.clean(figure.metric), show.clean(figure.statistic)
            texts[key][run.run_id].append(_figure(figure))
    return [
        (" ".join(key), _same(["; ".join(by_run[run.run_id]) for run in runs]))
        for key, by_run in texts.items()
    ]


def _same(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a row; one cell where all runs say the same."""
    return tuple(texts[:1]) if len(set(texts)) == 1 else tuple(texts)


def _together(labelled: Iterable[tuple[str, str]], *, every: int) -> tuple[tuple[str, str], ...]:
    """Return each text once with the labels it is of, none where it is of every run."""
    by_text: dict[str, list[str]] = {}
    for label, text in labelled:
        by_text.setdefault(text, []).append(label)
    return tuple(
        ("" if len(labels) == every else ", ".join(labels), text)
        for text, labels in by_text.items()
    )


def _name(run: Run, variant: Name, findings: Iterable[Sentence]) -> Name:
    marks = {mark.number: mark for finding in findings for mark in finding.marks}
    first = tuple(marks.values())[:MOST_MARKS]
    return replace(variant, label=_label(run), baseline=False, runs="", marks=first)


def _cell(text: str | None, withheld: str) -> Cell:
    if withheld:
        return Cell(show.WITHHELD, absent=True, why=withheld)
    return Cell(show.NOT_PRINTED, absent=True) if text is None else Cell(text)


def _tool(run: Run) -> str:
    version = f" {run.get('tool_version')}" if run.get("tool_version") else ""
    return show.clean(f"{run.tool}{version} ({run.get('format')})")


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


def _figure(figure: Figure) -> str:
    if figure.printed:
        return show.clean(figure.printed)
    if figure.value is None:
        return ""
    return f"{show.number(figure.value, digits=17)} {figure.unit or ''}"


def _findings_by_run(comparison: Comparison) -> Mapping[str, Sequence[Sentence]]:
    """Return what was found of single runs; what its finding says above is not repeated."""
    sentences: dict[str, list[Sentence]] = defaultdict(list)
    for numbered in comparison.findings:
        for finding in numbered.findings:
            if finding.run_id is not None:
                text = "" if finding is numbered.first else show.clean(finding.message)
                sentences[finding.run_id].append(Sentence(text, (mark(numbered),)))
    return sentences


# --- status codes and errors ---


def status_table(comparison: Comparison) -> list[tuple[str, ...]]:
    """Return headings, then status codes and errors with count and share per variant.

    Nothing without any.
    """
    counts: dict[tuple[int, str], dict[str, int | None]] = {}
    for label in comparison.order:
        for key, count in _counted(comparison.by_label[label]):
            row = counts.setdefault(key, {})
            before = row.get(label, 0)
            row[label] = None if count is None or before is None else before + count
    for metric in ("timeouts",) if counts else _TOTALS:
        totals = _totals(comparison, metric)
        if totals:
            counts[2, _TOTALS[metric]] = dict(totals)
    if not any(total or kind < 2 for (kind, _), row in counts.items() for total in row.values()):
        return []
    requests = _totals(comparison, "requests")

    def text(row: Mapping[str, int | None], label: str) -> str:
        if label not in row:
            return "—"
        count, total = row[label], requests.get(label)
        if count is None:
            return "listed"
        return (
            f"{show.count(count)} ({show.share(count / total)})" if count and total else str(count)
        )

    ordered = sorted(counts.items(), key=lambda item: item[0][0])
    return [
        ("Status or error", *map(show.clean, comparison.order)),
        *((name, *(text(row, label) for label in comparison.order)) for (_, name), row in ordered),
    ]


def no_errors(comparison: Comparison) -> str:
    """Return the sentence in place of a table of zeros."""
    every = len(comparison.variants)
    counted = [metric for metric in _TOTALS if len(_totals(comparison, metric)) == every]
    if not counted:
        return "Errors and status codes were not printed."
    never = show.listed([_TOTALS[metric].lower() for metric in counted])
    return f"Counted and never seen: {never}."


def _counted(variant: Variant) -> Iterator[tuple[tuple[int, str], int | None]]:
    """Yield what each run counted by status, then by error."""
    for run in variant.runs:
        for status, count in run.statuses.items():
            yield (0, str(status) if status else "no response"), count
        for error, times in run.errors.items():
            yield (1, show.clean(error, limit=160)), times


def _totals(comparison: Comparison, column: str) -> dict[str, int]:
    """Return the sum over the runs of each variant of which a run has the column."""
    totals = {}
    for variant in comparison.variants:
        known = [run.get(column) for run in variant.runs if run.get(column) is not None]
        if known:
            totals[variant.label] = sum(known)
    return totals
