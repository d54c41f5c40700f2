"""Runs without their first seconds, worked out anew from the time-sliced histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchkit.compare.slices import Slices, quantiles, slices_of
from benchkit.errors import UsageError
from benchkit.frames import rows_of
from benchkit.schema import QUANTILE_COLUMNS, RUNS

if TYPE_CHECKING:
    from benchkit.results import Results

_HINT = "only runs with a row per request can be trimmed"
#: Tables that a cut cannot leave as they are, and nothing here works out anew.
_GONE = frozenset({"quantiles", "figures", "statuses", "errors", "timeline", "latencies"})
#: Columns that a cut leaves as they are: what the run was, not what it measured.
_KEPT = frozenset(
    name
    for name in RUNS.names
    if not name.startswith("latency_")
    and name
    not in {
        *("requests", "errors", "timeouts", "non2xx", "received_bytes", "sent_bytes"),
        *("body_bytes", "throughput_rps", "goodput_rps", "success_ratio", "duration_s"),
    }
)


def trimmed(results: Results, start_s: float) -> tuple[Results, dict[str, float]]:
    """Return the results without what was sent in the first seconds of each run.

    Args:
        results: The runs.
        start_s: At least so much is left out; the cut is the next start of a time slice.

    Returns:
        The results, and by `run_id` where the cut is, in s; runs that only have a summary stay
        as they are and are not among them.

    Raises:
        UsageError: no run has a row per request, or the cut leaves nothing of one.
    """
    cuts: dict[str, float] = {}
    rows = []
    for row in rows_of(results.runs):
        slices = slices_of(results, row["run_id"])
        kept = None if slices is None else slices.after(start_s)
        if kept is None:
            rows.append(row)
            continue
        if not kept.counts.sum():
            raise UsageError(f"--trim-start {start_s:g}s leaves nothing of {row['label']}")
        cuts[row["run_id"]] = float(kept.starts_s[0])
        rows.append(_row(row, kept))
    if not cuts:
        raise UsageError(f"--trim-start: {_HINT}, and there is none")
    return _with(results, rows, cuts), cuts


def _row(row: dict[str, Any], kept: Slices) -> dict[str, Any]:
    total = kept.counts.sum(axis=0)
    wanted = np.array(list(QUANTILE_COLUMNS))
    found = quantiles(total, kept.bins_s, wanted)[0]
    requests, seen = int(total.sum()), np.flatnonzero(total)
    columns: dict[str, Any] = {name: row[name] for name in _KEPT}
    columns |= dict(zip(QUANTILE_COLUMNS.values(), map(float, found), strict=True))
    columns |= {
        "requests": requests,
        "latency_mean_s": float(total @ kept.middle_s / requests),
        "latency_min_s": float(kept.middle_s[seen[0]]),
        "latency_max_s": float(kept.middle_s[seen[-1]]),
    }
    duration = None if row["duration_s"] is None else row["duration_s"] - kept.starts_s[0]
    if duration is None or duration <= 0 or kept.answered is None or kept.good is None:
        return columns
    answered, good = int(kept.answered.sum()), int(kept.good.sum())
    return columns | {
        "duration_s": float(duration),
        "errors": requests - answered,
        "success_ratio": good / requests,
        "throughput_rps": answered / float(duration),
        "goodput_rps": good / float(duration),
    }


def _with(results: Results, rows: list[dict[str, Any]], cuts: dict[str, float]) -> Results:
    from benchkit.results import Results as Bundle

    tables = dict(results.tables)
    tables["runs"] = RUNS.frame(rows)
    for name in _GONE & set(tables):
        frame = tables[name]
        tables[name] = frame[~frame["run_id"].isin(list(cuts))].reset_index(drop=True)
    histogram = tables["histogram"]
    before = histogram["slice_start_s"] < histogram["run_id"].map(cuts).astype("Float64") - 1e-9
    whole = histogram["slice_start_s"].isna() & histogram["run_id"].isin(list(cuts))
    gone = before.fillna(value=False).astype(bool) | whole
    tables["histogram"] = histogram[~gone].reset_index(drop=True)
    samples = tables["resources"]
    early = samples["elapsed_s"] < samples["run_id"].map(cuts).astype("Float64")
    tables["resources"] = samples[~early.fillna(value=False).astype(bool)].reset_index(drop=True)
    return Bundle(tables)
