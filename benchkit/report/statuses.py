"""Status codes and errors of a comparison with count and share per variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from benchkit.report.views import Grid

_TOTALS: Final = {
    "errors": "Requests without a response",
    "timeouts": "Timeouts",
    "non2xx": "Responses not 2xx",
}


def status_table(comparison: Comparison) -> Grid | None:
    """Return status codes and errors with count and share per variant, None without any."""
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
        return None
    requests = _totals(comparison, "requests")
    rows = [
        (name, *(_count_text(row, label, requests) for label in comparison.order))
        for (_, name), row in sorted(counts.items(), key=lambda item: item[0][0])
    ]
    return Grid(("Status or error", *map(show.clean, comparison.order)), tuple(rows))


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


def _count_text(row: Mapping[str, int | None], label: str, requests: Mapping[str, int]) -> str:
    if label not in row:
        return "—"
    count = row[label]
    if count is None:
        return "listed"
    total = requests.get(label)
    return f"{show.count(count)} ({show.share(count / total)})" if count and total else str(count)
