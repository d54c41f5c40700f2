"""Runs without their first seconds, worked out anew from their time slices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import UsageError
from benchkit.model.run import Counts, Run
from benchkit.schema import QUANTILE_COLUMNS, RUNS
from benchkit.units import as_number, seconds

if TYPE_CHECKING:
    from benchkit.counting.cells import Cells

_HINT: Final = "only runs with a row per request can be trimmed"
#: Columns that a cut leaves as they are: what the run was, not what it measured.
_UNCUT: Final = frozenset(
    name
    for name in RUNS.names
    if not name.startswith("latency_")
    and name
    not in {
        *("requests", "errors", "timeouts", "non2xx", "received_bytes", "sent_bytes"),
        *("body_bytes", "throughput_rps", "goodput_rps", "success_ratio", "duration_s"),
    }
)


def start_s(wanted: float | str) -> float:
    """Return how much of the start is to be left out, in s or a text such as `5s`, in s.

    Raises:
        UsageError: the text is no time.
    """
    if not isinstance(wanted, str):
        given = as_number(wanted)
        if given is None or not 0 <= given < math.inf:
            raise UsageError(f"trim_start {wanted!r:.40}: expected seconds from 0 on")
        return given
    try:
        return seconds(wanted, default="s")
    except ValueError:
        raise UsageError(f"'{wanted}' is no time; write for example 5s or 500ms") from None


def trimmed(runs: Iterable[Run], start_s: float) -> tuple[list[Run], dict[str, float]]:
    """Return the runs without what was sent in the first seconds of each, and the cuts.

    These are in s by `run_id`, at the next start of a time slice; runs that only have a summary
    stay as they are and are not among them.

    Raises:
        UsageError: no run has a row per request, or the cut leaves nothing of one.
    """
    kept, cuts = [], {}
    for run in runs:
        cells = run.counts.cells
        if cells is None or cells.length_ns is None or not len(cells.counts):
            kept.append(run)
            continue
        length_s = cells.length_ns / 1e9
        number = math.ceil((start_s + cells.early_s) / length_s - 1e-9)
        cut_s = number * length_s - cells.early_s
        rest = cells.since(number)
        if not rest.counts.sum():
            raise UsageError(f"without its first {start_s:g} s nothing is left of {run.label}")
        cuts[run.run_id] = cut_s
        kept.append(_cut(run, rest, cut_s))
    if not cuts:
        raise UsageError(f"{_HINT}, and there is none")
    return kept, cuts


def _cut(run: Run, rest: Cells, cut_s: float) -> Run:
    columns = dict.fromkeys(RUNS.names) | _columns(run, rest, cut_s)
    return Run(
        columns=columns,
        errors=_errors(run, columns["errors"]),
        counts=Counts(make_cells=partial(_kept, rest)),
        commands=run.commands,
        samples=tuple(sample for sample in run.samples if sample["elapsed_s"] >= cut_s),
    )


def _errors(run: Run, left: int | None) -> dict[str, int | None]:
    """Return the errors of a run of which so many are left: slices do not tell which these are."""
    if not left:
        return {}
    if left == run.number("errors"):
        return dict(run.errors)
    return dict.fromkeys(run.errors, left if len(run.errors) == 1 else None)


def _kept(rest: Cells) -> Cells:
    return rest


def _columns(run: Run, rest: Cells, cut_s: float) -> dict[str, Any]:
    import numpy as np

    from benchkit.counting.cells import quantiles

    matrix = rest.matrix
    assert matrix is not None  # noqa: S101 - the slices have a length
    total = matrix.counts.sum(axis=0)
    latencies = quantiles(total, matrix.bins_s, np.array(list(QUANTILE_COLUMNS)))[0]
    requests, filled = int(total.sum()), np.flatnonzero(total)
    columns: dict[str, Any] = {name: run.get(name) for name in _UNCUT}
    columns |= dict(zip(QUANTILE_COLUMNS.values(), map(float, latencies), strict=True))
    columns |= {
        "requests": requests,
        "latency_mean_s": float(total @ matrix.middle_s / requests),
        "latency_min_s": float(matrix.middle_s[filled[0]]),
        "latency_max_s": float(matrix.middle_s[filled[-1]]),
    }
    duration = None if run.get("duration_s") is None else run.get("duration_s") - cut_s
    if duration is None or duration <= 0 or matrix.answered is None or matrix.good is None:
        return columns
    answered, good = int(matrix.answered.sum()), int(matrix.good.sum())
    return columns | {
        "duration_s": float(duration),
        "errors": requests - answered,
        "success_ratio": good / requests,
        "throughput_rps": answered / float(duration),
        "goodput_rps": good / float(duration),
    }
