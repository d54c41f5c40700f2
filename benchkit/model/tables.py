"""Runs to the tables of the schema, for people and other programs; and saved tables to runs.

Nothing inside benchkit passes data on as a DataFrame: these are its edge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from benchkit.frames import rows_of
from benchkit.model.grouping import grouped
from benchkit.model.run import Counts, Quantile, RequestsReader, Run
from benchkit.model.variant import COPY, is_copy
from benchkit.schema import REQUESTS, RUNS, TABLES, Table

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.counting.cells import Cells

Row = Mapping[str, Any]
#: Rows by the name of their table.
Rows = Mapping[str, Iterable[Row]]

#: Tables with a row for each run, or several; `files` are of no run.
STORED: Final = tuple(name for name in TABLES if name != REQUESTS.name)
#: What the variant of a copy ends with, as it is called beside its original in a comparison.
_ENDING: Final = f", {COPY}"
#: Beyond it a time in ns does not fit into 63 bits.
_LONGEST_S: Final = 9.2e9


def frame_of(name: str, runs: Sequence[Run], files: Sequence[Row]) -> pd.DataFrame:
    """Return one table of some runs, validated."""
    table = TABLES[name]
    if name == "files":
        return table.frame(files)
    if name == RUNS.name:
        variants = variants_apart(runs)
        return table.frame(
            {**run.columns, "variant": variant} for run, variant in zip(runs, variants, strict=True)
        )
    if name in _COLUMNS:
        return _of_columns(table, runs, _COLUMNS[name])
    rows = _ROWS[name]
    return table.frame({"run_id": run.run_id, **row} for run in runs for row in rows(run))


def variants_apart(runs: Sequence[Run]) -> list[str | None]:
    """Return the variant of each run; a copy has another than what it is a copy of."""
    originals = {(run.scenario, run.variant) for run in runs if not is_copy(run.params)}
    return [
        run.variant + _ENDING
        if is_copy(run.params) and (run.scenario, run.variant) in originals
        else run.get("variant")
        for run in runs
    ]


def _together(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs read from a table, their variants as they were before `variants_apart`."""
    originals = {(run.scenario, run.variant) for run in runs if not is_copy(run.params)}
    return tuple(
        run.with_columns(variant=name)
        if is_copy(run.params)
        and (name := run.variant.removesuffix(_ENDING)) != run.variant
        and (run.scenario, name) in originals
        else run
        for run in runs
    )


def _of_columns(
    table: Table, runs: Sequence[Run], columns: Callable[[Run], dict[str, Sequence[Any]]]
) -> pd.DataFrame:
    """Return a table with many rows from the columns of each run."""
    parts: dict[str, list[Sequence[Any]]] = defaultdict(list)
    for run in runs:
        made = columns(run)
        if made:
            parts["run_id"].append([run.run_id] * len(made["count"]))
            for name, values in made.items():
                parts[name].append(values)
    return table.of_columns({name: _joined(listed) for name, listed in parts.items()})


def _joined(parts: list[Sequence[Any]]) -> Sequence[Any]:
    import numpy as np

    if all(isinstance(part, np.ndarray) and part.dtype != object for part in parts):
        return np.concatenate(parts)  # type: ignore[return-value]
    return [value for part in parts for value in part]


def _latencies(run: Run) -> dict[str, Sequence[Any]]:
    import numpy as np

    from benchkit.counting.distribution import bounds_of
    from benchkit.counting.slices import OUTCOMES

    parts = [(name, run.counts.outcomes[name]) for name in OUTCOMES if name in run.counts.outcomes]
    if not parts:
        return {}
    low, high = bounds_of(np.concatenate([part.bins for _, part in parts]))
    return {
        "outcome": [name or None for name, part in parts for _ in range(len(part.bins))],
        "latency_low_s": low / 1e9,  # type: ignore[dict-item]
        "latency_high_s": high / 1e9,  # type: ignore[dict-item]
        "count": np.concatenate([part.counts for _, part in parts]),  # type: ignore[dict-item]
    }


def _histogram(run: Run) -> dict[str, Sequence[Any]]:
    return {} if run.counts.cells is None else run.counts.cells.table()


_COLUMNS: Final = {"latencies": _latencies, "histogram": _histogram}
_ROWS: Final[Mapping[str, Callable[[Run], Iterable[Row]]]] = {
    "quantiles": lambda run: (quantile._asdict() for quantile in run.quantiles),
    "figures": lambda run: (asdict(f) | {"unit": f.unit or None} for f in run.figures),
    "timeline": lambda run: run.timeline,
    "statuses": lambda run: (
        {"status": status, "count": count} for status, count in run.statuses.items()
    ),
    "errors": lambda run: ({"error": text, "count": count} for text, count in run.errors.items()),
    "resources": lambda run: run.samples,
    "notes": lambda run: ({"note": note} for note in run.notes),
}


# --- tables to runs ---


def runs_of(rows: Rows, readers: Mapping[str, RequestsReader] | None = None) -> tuple[Run, ...]:
    """Return the runs that rows of tables describe.

    Args:
        rows: Rows by table, `run_id` in each; absent tables and columns are empty.
        readers: Per `run_id` what reads its requests again.

    Raises:
        ValueError: a column that its table does not have, a required value that is missing, or
            one outside a column's list.
    """
    checked = {
        name: rows_of(TABLES[name].frame(rows[name])) for name in rows if name != REQUESTS.name
    }
    return _runs(checked, readers or {})


def check_counts(frame: pd.DataFrame) -> None:
    """Say what cannot be in a table of counts per bin of latency.

    Raises:
        ValueError: with the first thing that cannot be.
    """
    low, high = frame["latency_low_s"], frame["latency_high_s"]
    wrong = {
        "a count below 1": frame["count"] < 1,
        "a bin that is none": ~((low >= 0) & (low < high) & (high <= _LONGEST_S)),
    }
    if "slice_s" in frame:
        start, length = frame["slice_start_s"], frame["slice_s"]
        wrong |= {
            "a start without a slice": start.isna() != length.isna(),
            "a slice that is none": (length <= 0) | (start.abs() > _LONGEST_S),
        }
    for what, rows in wrong.items():
        if bool(rows.fillna(value=False).any()):
            raise ValueError(what)


def runs_of_frames(frames: Mapping[str, pd.DataFrame]) -> tuple[Run, ...]:
    """Return the runs that validated tables describe."""
    return _together(_runs({name: rows_of(frame) for name, frame in frames.items()}, {}))


def _runs(
    rows: Mapping[str, Sequence[Row]], readers: Mapping[str, RequestsReader]
) -> tuple[Run, ...]:
    listed = {name: each for name, each in rows.items() if name != "files"}
    of_run = {name: grouped(each, itemgetter("run_id")) for name, each in listed.items()}

    def parts(name: str, run_id: str) -> Sequence[Row]:
        return of_run.get(name, {}).get(run_id, ())

    return tuple(
        _run(row, parts=parts, requests=readers.get(row["run_id"]))
        for row in rows.get(RUNS.name, ())
    )


def _run(
    row: Row, *, parts: Callable[[str, str], Sequence[Row]], requests: RequestsReader | None
) -> Run:
    from benchkit.parsing import Figure

    run_id = row["run_id"]
    return Run(
        columns=RUNS.record(row),
        quantiles=tuple(Quantile(**_without_id(part)) for part in parts("quantiles", run_id)),
        figures=tuple(
            Figure(**_without_id(part) | {"unit": part["unit"] or ""})
            for part in parts("figures", run_id)
        ),
        statuses={part["status"]: part["count"] for part in parts("statuses", run_id)},
        errors={part["error"]: part["count"] for part in parts("errors", run_id)},
        notes=tuple(part["note"] for part in parts("notes", run_id)),
        counts=_counts(row, parts),
        samples=tuple(_without_id(part) for part in parts("resources", run_id)),
        requests=requests,
    )


def _counts(row: Row, parts: Callable[[str, str], Sequence[Row]]) -> Counts:
    """Return the counts of a run; of its bins only the bounds are known."""
    cells, timeline = parts("histogram", row["run_id"]), parts("timeline", row["run_id"])
    by_outcome = grouped(parts("latencies", row["run_id"]), lambda part: part["outcome"] or "")
    return Counts(
        outcomes={name: _distribution(row, listed) for name, listed in by_outcome.items()},
        make_cells=partial(_cells, cells),
        make_timeline=partial(_timeline, timeline),
    )


def _cells(rows: Sequence[Row]) -> Cells | None:
    from benchkit.counting.cells import Cells

    return Cells.of_rows(rows) if rows else None


def _timeline(rows: Sequence[Row]) -> list[Row]:
    return sorted(map(_without_id, rows), key=lambda row: row["second"])


def _distribution(row: Row, bins: Sequence[Row]) -> Any:  # noqa: ANN401 - imported late
    import numpy as np

    from benchkit.counting.distribution import Distribution, bin_of

    low = np.array([part["latency_low_s"] for part in bins], float)
    counts = np.array([part["count"] for part in bins], np.int64)
    made = Distribution.of_bins(bin_of(np.rint(low * 1e9).astype(np.int64)), counts)
    # The extremes of the run lie in the first and last of its bins.
    smallest, largest = row["latency_min_s"], row["latency_max_s"]
    if smallest is not None and made.min_ns is not None:
        made.min_ns = max(made.min_ns, round(smallest * 1e9))
    if largest is not None and made.max_ns is not None:
        made.max_ns = min(made.max_ns, round(largest * 1e9))
    return made


def _without_id(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "run_id"}
