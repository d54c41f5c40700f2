"""Status codes and errors of a comparison with count and share per variant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, rows_of
from benchkit.report.views import Grid

if TYPE_CHECKING:
    from benchkit.results import Results


def status_table(results: Results, comparison: Comparison) -> Grid | None:
    """Return status codes and errors with count and share per variant, None without any."""
    order = comparison.order
    owner = {i: one.label for one in comparison.variants for i in one.run_ids}
    counts: dict[tuple[int, str], dict[str, int | None]] = defaultdict(dict)
    for row in _of(results.statuses, owner):
        name = str(row["status"]) if row["status"] else "no response"
        _add(counts[0, name], owner[row["run_id"]], row["count"])
    for row in _of(results.errors, owner):
        _add(counts[1, show.clean(row["error"], limit=160)], owner[row["run_id"]], row["count"])
    for metric in ("timeouts",) if counts else ("errors", "timeouts", "non2xx"):
        for label, total in _totals(results, owner, metric).items():
            _add(counts[2, _TOTALS[metric]], label, total)
    if not any(total or kind < 2 for (kind, _), row in counts.items() for total in row.values()):
        return None
    requests = _totals(results, owner, "requests")
    rows = [
        (key[1], *(_count_text(found, label, requests) for label in order))
        for key, found in sorted(counts.items(), key=lambda item: item[0][0])
    ]
    return Grid(("Status or error", *(show.clean(label) for label in order)), tuple(rows))


_TOTALS: Final = {
    "errors": "Requests without a response",
    "timeouts": "Timeouts",
    "non2xx": "Responses not 2xx",
}


def no_errors(results: Results, comparison: Comparison) -> str:
    """Return the sentence in place of a table of zeros, empty where there are no counts."""
    owner = {i: one.label for one in comparison.variants for i in one.run_ids}
    counted = [m for m in _TOTALS if len(_totals(results, owner, m)) == len(comparison.variants)]
    if not counted:
        return "Errors and status codes were not printed."
    never = show.listed([_TOTALS[metric].lower() for metric in counted])
    return f"Counted and never seen: {never}."


def _of(frame: Any, owner: Mapping[str, str]) -> list[dict[str, Any]]:  # noqa: ANN401 - a dataframe
    return rows_of(frame[frame["run_id"].isin(list(owner))])


def _add(into: dict[str, int | None], label: str, count: int | None) -> None:
    before = into.get(label, 0)
    into[label] = None if count is None or before is None else before + count


def _totals(results: Results, owner: Mapping[str, str], metric: str) -> dict[str, int]:
    totals: dict[str, int] = {}
    for row in _of(results.runs, owner):
        if row[metric] is not None:
            totals[owner[row["run_id"]]] = totals.get(owner[row["run_id"]], 0) + row[metric]
    return totals


def _count_text(found: Mapping[str, int | None], label: str, requests: Mapping[str, int]) -> str:
    if label not in found:
        return "—"
    count = found[label]
    if count is None:
        return "listed"
    total = requests.get(label)
    return f"{show.count(count)} ({show.share(count / total)})" if count and total else str(count)
