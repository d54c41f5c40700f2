"""The runs of a comparison: beside each other, what they counted, and all that was read of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.failures import requests_sent
from benchkit.model.metric import BY_COLUMN, Metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.report.table import redundant
from benchkit.report.tabular import (
    Cell,
    ComparisonTable,
    MetricRow,
    NameCell,
    Sentence,
    mark,
    run_labels,
)
from benchkit.schema import QUANTILE_COLUMNS, RUNS, Column
from benchkit.validity.text import in_full

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
#: Of these the first that a run has stands where runs are searched.
_LOOKED_FOR: Final = ("latency_p99_s", "latency_p95_s", "latency_p50_s", "throughput_rps")
_TOTALS: Final = {
    "errors": "Requests without a response",
    "timeouts": "Timeouts",
    "non2xx": "Responses not 2xx",
}
#: The heading of their block among what was printed, and in small letters its anchor.
_PERCENTILES_HEADING: Final = "Percentiles"
_UNANSWERED: Final = "no response"
#: By variant; None where it is listed without a number.
_Count = Mapping[str, int | None]
#: By kind (0 for a status, 1 for a message, 2 for a total) and name.
_Counts = dict[tuple[int, str], dict[str, int | None]]
#: A figure with a cell per run, or a single one where all runs say the same.
PrintedRow = tuple[str, list[str]]
#: What a run says: its place in the order, its name, its text.
_PrintedEntry = tuple[Any, str, str]


@dataclass(frozen=True, slots=True)
class Printed:
    """Runs beside each other with everything that was read of them.

    Attributes:
        headings: The runs; `anchors` where each stands in the table of runs, which is how a link
            to one of its figures ends.
        blocks: Rows that belong together, under a heading of their own.
        commands: Command lines, each with the runs it is of, or nothing for all.
        notes: Remarks likewise.
        findings: What the list of findings sums up, for each run.
    """

    title: str
    headings: list[str]
    anchors: list[str]
    blocks: list[tuple[str, list[PrintedRow]]]
    commands: list[tuple[str, str]]
    notes: list[tuple[str, str]]
    findings: list[Sentence]

    @staticmethod
    def link_end(block: str, name: str) -> str:
        """Return how a link to a figure ends, before the run; empty where none leads to it."""
        linked = block == _PERCENTILES_HEADING or name.startswith("latency_")
        return name.replace(" *", "-computed") if linked else ""


def run_names(comparison: Comparison) -> dict[str, tuple[str, str]]:
    """Return label and p99 of the runs by the anchors in their table, none where there is none.

    Where no run has a p99 it is the next figure that one is looked for by.
    """
    if comparison.runs == len(comparison.variants):
        return {}
    runs = _runs(comparison)
    looked_for = (BY_COLUMN[column] for column in _LOOKED_FOR)
    metric = next((m for m in looked_for if any(run.get(m.column) for run, _ in runs)), None)
    labels = run_labels(comparison)
    figures = _figures(comparison, metric, runs) if metric else [""] * len(runs)
    return {
        _anchor(run.run_id): (labels[run.run_id], figure)
        for (run, _), figure in zip(runs, figures, strict=True)
    }


def left_out(comparison: Comparison, other: Comparison) -> list[str]:
    """Return the anchors of the runs of a comparison that another one is without."""
    kept = {run.run_id for run, _ in _runs(other)}
    return [_anchor(run.run_id) for run, _ in _runs(comparison) if run.run_id not in kept]


def folders(comparison: Comparison) -> list[str]:
    """Return the names of the folders that its runs lie in, without numbers."""
    sources = {str(run.get("source") or "") for run, _ in _runs(comparison)}
    names = {name for source in sources for name in source.split("/")[:-1]}
    return sorted(name for name in names if any(map(str.isalpha, name)))


def _figures(
    comparison: Comparison, metric: Metric, runs: Sequence[tuple[Run, Variant]]
) -> Iterator[str]:
    """Yield a figure of each run with name and unit, as the table of runs has it."""
    values = [run.number(metric.column) for run, _ in runs]
    unit = comparison.unit(metric)
    name = metric.heading(values, unit).removeprefix(metric.title).removeprefix(", ")
    for (_, variant), text in zip(runs, metric.cells(values, unit), strict=True):
        cell = Cell.without(variant, metric.column)
        absent = text is None or metric.column in variant.withheld
        yield f"{metric.title}{show.NBSP}{cell.text if absent else f'{text}{show.NBSP}{name}'}"


def _runs(comparison: Comparison) -> list[tuple[Run, Variant]]:
    """Return the runs with their variants, in the order of the variants."""
    variants = (comparison.by_label[label] for label in comparison.order)
    return [(run, variant) for variant in variants for run in variant.runs]


def _anchor(run_id: str) -> str:
    return f"run-{run_id}"


def run_table(comparison: Comparison, roles: Mapping[str, str]) -> ComparisonTable | None:
    """Return the runs beside each other, None where each is a variant of its own."""
    if comparison.runs == len(comparison.variants):
        return None
    findings = _findings_by_run(comparison)
    runs = _runs(comparison)
    places = {label: at for at, label in enumerate(comparison.order, 1)}
    apart = comparison.runs > MOST_BESIDE
    lists = [places[variant.label] if apart else 1 for _, variant in runs]
    rows = []
    for column in _LISTED:
        if redundant(comparison, column) or all(run.get(column) is None for run, _ in runs):
            continue
        metric, values = BY_COLUMN[column], [run.number(column) for run, _ in runs]
        unit, texts = comparison.unit(metric), metric.cells(values, comparison.unit(metric))
        part = f".{metric.name if column in QUANTILE_COLUMNS.values() else column}"
        cells = (
            replace(
                Cell.without(variant, column),
                printed=f"{number}{part}.{_anchor(run.run_id)}" if text is not None else "",
            )
            if text is None or variant.withheld.get(column)
            else Cell(text)
            for text, (run, variant), number in zip(texts, runs, lists, strict=True)
        )
        rows.append(MetricRow(column, metric.heading(values, unit), tuple(cells)))
    labels, named = [], run_labels(comparison)
    for run, variant in runs:
        marks = dict.fromkeys(
            m for sentence in findings.get(run.run_id, ()) for m in sentence.marks
        )
        label, anchor = named[run.run_id], _anchor(run.run_id)
        # All of them: a finding that a run does not bear is read as none of this run.
        labels.append(NameCell(label, roles[variant.label], anchor=anchor, marks=tuple(marks)))
    return ComparisonTable(tuple(labels), tuple(rows), by_metric=False, subject="Run")


def printed(comparison: Comparison) -> list[Printed]:
    """Return everything that was read, in groups of runs that fit beside each other."""
    variants = [comparison.by_label[label] for label in comparison.order]
    groups = {show.clean(variant.label): variant.runs for variant in variants}
    if comparison.runs <= MOST_BESIDE:
        together = tuple(run for variant in variants for run in variant.runs)
        groups = {show.plural(comparison.runs, "run"): together}
    findings, named = _findings_by_run(comparison), run_labels(comparison)
    return [
        Printed(
            title=title,
            headings=[named[run.run_id] for run in runs],
            anchors=[_anchor(run.run_id) for run in runs],
            blocks=[(name, rows) for name, kind in _BLOCKS.items() if (rows := _rows(runs, kind))],
            commands=_together(runs, lambda run: [run.get("command")], named),
            notes=_together(runs, lambda run: run.notes, named),
            findings=[f for run in runs for f in findings.get(run.run_id, ()) if f.text],
        )
        for title, runs in groups.items()
    ]


def _together(
    runs: Sequence[Run], texts: Callable[[Run], Iterable[str | None]], named: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return each text once with the runs it is of, none where it is of every run."""
    by_text: dict[str, list[str]] = {}
    for run in runs:
        for text in filter(None, texts(run)):
            by_text.setdefault(show.clean(text), []).append(named[run.run_id])
    return [
        ("" if len(labels) == len(runs) else ", ".join(labels), text)
        for text, labels in by_text.items()
    ]


def _rows(
    runs: Sequence[Run], entries: Callable[[Run], Iterable[_PrintedEntry]]
) -> list[PrintedRow]:
    """Return a row per entry of any run, in their order; what a run has twice keeps both."""
    texts: dict[tuple[Any, str], dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for at, run in enumerate(runs):
        for rank, name, text in entries(run):
            texts[rank, name][at].append(text)
    rows = []
    for (_, name), by_run in sorted(texts.items(), key=lambda item: item[0][0]):
        cells = ["; ".join(by_run.get(at, ())) for at in range(len(runs))]
        rows.append((name, cells[:1] if len(set(cells)) == 1 else cells))
    return rows


def _columns(run: Run) -> Iterator[_PrintedEntry]:
    version = f" {run.get('tool_version')}" if run.get("tool_version") else ""
    yield -1, "tool", show.clean(f"{run.tool}{version} ({run.get('format')})")
    for rank, column in enumerate(RUNS.columns):
        value = run.get(column.name)
        if column.name not in _ELSEWHERE and value is not None:
            yield rank, column.name, _exact(column, value)


def _exact(column: Column, value: Any) -> str:  # noqa: ANN401 - any column's value
    """Return a value as it is; the name of its column tells the unit."""
    if column.kind == "bool":
        return "yes" if value else "no"
    if column.kind == "int":
        return f"{value:,}"
    return show.exact(value) if column.kind == "float" else show.clean(str(value))


def _percentiles(run: Run) -> Iterator[_PrintedEntry]:
    known = {(quantile, origin): latency_s for quantile, latency_s, origin in run.quantiles}
    for (quantile, origin), latency_s in known.items():
        name = show.percentile(quantile) if quantile else "min"
        shown = name if origin == "printed" else f"{name} *"
        yield (quantile, origin), shown, show.duration(latency_s, digits=6)


def _further(run: Run) -> Iterator[_PrintedEntry]:
    for figure in run.figures:
        text = show.clean(figure.printed or "")
        if not text and figure.value is not None:
            text = f"{show.exact(figure.value)} {figure.unit or ''}"
        yield 0, f"{show.clean(figure.metric)} {show.clean(figure.statistic)}", text


#: What is printed of a run, by heading.
_BLOCKS: Final = {"": _columns, _PERCENTILES_HEADING: _percentiles, "Further figures": _further}


def _findings_by_run(comparison: Comparison) -> Mapping[str, Sequence[Sentence]]:
    """Return what was found of single runs; what its finding says above is not repeated."""
    sentences: dict[str, list[Sentence]] = defaultdict(list)
    for numbered in comparison.findings:
        above = in_full(numbered.findings)
        for finding in numbered.findings:
            if finding.run_id is not None:
                text = "" if finding in above else show.clean(finding.message)
                sentences[finding.run_id].append(Sentence(text, (mark(numbered),)))
    return sentences


# --- status codes and errors ---


def status_table(comparison: Comparison) -> list[tuple[str, ...]]:
    """Return headings, then status codes and errors with count and share per variant.

    Nothing without any.
    """
    counts = _by_status(comparison)
    for metric in ("timeouts",) if counts else _TOTALS:
        totals = _totals(comparison, metric)
        if totals:
            # A tool may count these among its errors by name.
            any_of = {label: count for label, count in totals.items() if count}
            counts = {key: row for key, row in counts.items() if not key[0] or row != any_of}
            counts[2, _TOTALS[metric]] = dict(totals)
    if not any(total or kind < 2 for (kind, _), row in counts.items() for total in row.values()):
        return []
    requests = {
        variant.label: sum(map(requests_sent, variant.runs)) for variant in comparison.variants
    }

    def text(row: Mapping[str, int | None], label: str) -> str:
        if label not in row:
            return "—"
        count, total = row[label], requests.get(label)
        if count and total:
            return f"{show.count(count)} ({show.share(count / total)})"
        return "listed" if count is None else str(count)

    return [
        ("Status or error", *map(show.clean, comparison.order)),
        *(
            (name, *(text(row, label) for label in comparison.order))
            for name, row in _parts(counts)
        ),
    ]


def _parts(counts: _Counts) -> Iterator[tuple[str, _Count]]:
    """Yield rows in order, below a status what it was counted with already, said to be so.

    A message that names no status is one of a request without a response, as far as there were
    as many; so are timeouts.
    """
    parts: dict[str, list[tuple[str, _Count]]] = defaultdict(list)
    unanswered = counts.get((0, _UNANSWERED), {})
    unnamed = {name: row for (kind, name), row in counts.items() if kind == 1}
    unnamed = {name: row for name, row in unnamed.items() if (0, name[:3]) not in counts}
    fit = _fits(unnamed.values(), unanswered)
    for (kind, name), row in counts.items():
        if kind == 1 and name not in unnamed:
            parts[name[:3]].append((name, row))
        elif kind:
            within = fit if kind == 1 else _fits([row], unanswered)
            parts[_UNANSWERED if within else ""].append((name, row))
    for (kind, status), row in counts.items():
        if not kind:
            yield status, row
            yield from ((f"of these: {name}", part) for name, part in parts[status])
    yield from parts[""]


def _fits(rows: Iterable[_Count], whole: _Count) -> bool:
    """Whether there is a whole of which counts of each variant are together no more."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums.update({label: count or 0 for label, count in row.items()})
    every = all(count <= (whole.get(label) or 0) for label, count in sums.items())
    return bool(whole) and every


def _by_status(comparison: Comparison) -> _Counts:
    """Return how often each status, and behind them each error, came per variant."""
    counts: _Counts = {}
    for label in comparison.order:
        for run in comparison.by_label[label].runs:
            codes = [((0, str(s) if s else _UNANSWERED), n) for s, n in run.statuses.items()]
            errors = [((1, show.clean(e, limit=160)), n) for e, n in run.errors.items()]
            for key, count in (*codes, *errors):
                row = counts.setdefault(key, {})
                before = row.get(label, 0)
                row[label] = None if count is None or before is None else before + count
    # An error may be the text of a status: `500 Internal Server Error`.
    return {
        (kind, text): row
        for (kind, text), row in counts.items()
        if not kind or counts.get((0, text[:3])) != row
    }


def no_errors(comparison: Comparison) -> str:
    """Return the sentence in place of a table of zeros."""
    every = len(comparison.variants)
    counted = [metric for metric in _TOTALS if len(_totals(comparison, metric)) == every]
    if not counted:
        return "Errors and status codes were not printed."
    never = show.listed([_TOTALS[metric].lower() for metric in counted])
    return f"None occurred: {never}."


def _totals(comparison: Comparison, column: str) -> dict[str, int]:
    totals = {}
    for variant in comparison.variants:
        known = [run.get(column) for run in variant.runs if run.get(column) is not None]
        if known:
            totals[variant.label] = sum(known)
    return totals
