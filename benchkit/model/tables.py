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
from benchkit.model.supplement import supplemented
from benchkit.model.variant import COPY, is_copy
from benchkit.schema import FILES, REQUESTS, RUNS, TABLES, Table

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.counting.arrays import Whole
    from benchkit.counting.cells import Cells
    from benchkit.counting.distribution import Distribution

Row = Mapping[str, Any]
#: Rows by the name of their table.
Rows = Mapping[str, Iterable[Row]]

#: Tables with a row for each run, or several; `files` are of no run.
STORED: Final = tuple(name for name in TABLES if name != REQUESTS.name)
#: Those with many rows for each run, looked at when they are asked for.
LARGE: Final = ("latencies", "histogram", "timeline")
#: What the variant of a copy ends with, as it is called beside its original in a comparison.
_ENDING: Final = f", {COPY}"
#: Beyond it a time in ns does not fit into 63 bits.
_LONGEST_S: Final = 9.2e9
#: Far beyond what `histogram` has of a run.
_MOST_SLICES: Final = 2**16


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
        by_column = columns(run)
        if by_column:
            parts["run_id"].append([run.run_id] * len(by_column["count"]))
            for name, values in by_column.items():
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
    frames = {name: TABLES[name].frame(rows[name]) for name in rows if name != REQUESTS.name}
    return _runs(frames, readers or {})


def check_counts(frame: pd.DataFrame) -> None:
    """Say what cannot be in a table of counts per bin of latency.

    Raises:
        ValueError: with the first thing that cannot be.
    """
    low, high = frame["latency_low_s"], frame["latency_high_s"]
    wrong = {
        "a count below 1": frame["count"] < 1,
        "a bin that is none": ~((low >= 0) & (low < high) & (high <= _LONGEST_S)).fillna(
            value=False
        ),
    }
    if "slice_s" in frame:
        start, length = frame["slice_start_s"], frame["slice_s"]
        wrong |= {
            "a start without a slice": start.isna() != length.isna(),
            "a slice that is none": (length <= 0) | (start.abs() > _LONGEST_S),
            "more slices than a run has": start.abs() > _MOST_SLICES * length,
        }
    for what, rows in wrong.items():
        if bool(rows.fillna(value=False).any()):
            raise ValueError(what)


def runs_of_frames(
    frames: Mapping[str, pd.DataFrame],
    supplements: Mapping[str, Mapping[str, Any]] | None = None,
    readers: Mapping[str, RequestsReader] | None = None,
) -> tuple[Run, ...]:
    """Return the runs that validated tables describe.

    Args:
        frames: By the name of the table; absent ones are empty.
        supplements: Per `run_id` what tables do not have; with them the very runs come back.
        readers: Per `run_id` what reads its requests.

    Raises:
        ValueError: a supplement that is none.
    """
    runs = _runs(frames, readers or {})
    if supplements is None:
        return _together(runs)
    return tuple(supplemented(run, supplements.get(run.run_id, {})) for run in runs)


def _runs(
    frames: Mapping[str, pd.DataFrame], readers: Mapping[str, RequestsReader]
) -> tuple[Run, ...]:
    of_run = {
        name: grouped(rows_of(frame), itemgetter("run_id"))
        for name, frame in frames.items()
        if name not in {FILES.name, RUNS.name, *LARGE}
    }
    large = {name: _by_run(frames[name]) for name in LARGE if name in frames}
    return tuple(
        _run(
            row,
            parts={name: listed.get(row["run_id"], []) for name, listed in of_run.items()},
            large={name: listed.get(row["run_id"]) for name, listed in large.items()},
            requests=readers.get(row["run_id"]),
        )
        for row in (rows_of(frames[RUNS.name]) if RUNS.name in frames else ())
    )


def _by_run(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of each run, which need not stand together."""
    import numpy as np
    import pandas as pd

    codes, ids = pd.factorize(frame["run_id"])
    if len(codes) and (np.diff(codes) < 0).any():
        frame = frame.iloc[np.argsort(codes, kind="stable")]
    ends = np.cumsum(np.bincount(codes, minlength=len(ids))).tolist()
    bounds = zip(ids, [0, *ends], ends, strict=False)
    return {str(run_id): frame.iloc[start:end] for run_id, start, end in bounds}


def _run(
    row: Row,
    *,
    parts: Mapping[str, Sequence[Row]],
    large: Mapping[str, pd.DataFrame | None],
    requests: RequestsReader | None,
) -> Run:
    from benchkit.parsing import Figure

    def listed(name: str) -> list[dict[str, Any]]:
        return [_without_id(part) for part in parts.get(name, ())]

    return Run(
        columns=RUNS.record(row),
        quantiles=tuple(Quantile(**part) for part in listed("quantiles")),
        figures=tuple(Figure(**part | {"unit": part["unit"] or ""}) for part in listed("figures")),
        statuses={part["status"]: part["count"] for part in listed("statuses")},
        errors={part["error"]: part["count"] for part in listed("errors")},
        notes=tuple(part["note"] for part in listed("notes")),
        counts=Counts(
            outcomes=_outcomes(row, large.get("latencies")),
            make_cells=partial(cells_of, large.get("histogram")),
            make_timeline=partial(timeline_of, large.get("timeline")),
        ),
        samples=tuple(listed("resources")),
        requests=requests,
    )


def cells_of(rows: pd.DataFrame | None) -> Cells | None:
    """Return the requests of one run by slice, of its rows of `histogram`."""
    from benchkit.counting.cells import Cells

    if rows is None:
        return None
    kinds = TABLES["histogram"].kinds
    columns = {
        name: rows[name].to_numpy(float, na_value=float("nan"))
        if kind == "float"
        else rows[name].array.to_numpy(dtype=object, na_value=None)
        for name, kind in kinds.items()
    }
    return Cells.of_columns(columns)


def timeline_of(rows: pd.DataFrame | None) -> list[Row]:
    """Return the rows of `timeline` of one run, without `run_id`, in order of time."""
    listed = [] if rows is None else rows_of(rows)
    return sorted(map(_without_id, listed), key=itemgetter("second"))


def _outcomes(row: Row, bins: pd.DataFrame | None) -> dict[str, Distribution]:
    """Return the distribution of each outcome; of its bins only the bounds are known."""
    if bins is None:
        return {}
    import numpy as np

    from benchkit.counting.distribution import bin_of

    middle = (bins["latency_low_s"].to_numpy(float) + bins["latency_high_s"].to_numpy(float)) / 2
    numbers = bin_of(np.floor(middle * 1e9).astype(np.int64))
    counts = bins["count"].to_numpy(np.int64)
    names = bins["outcome"].fillna("").to_numpy(object)
    return {
        str(name): _distribution(row, numbers[names == name], counts[names == name])
        for name in dict.fromkeys(names)
    }


def _distribution(row: Row, numbers: Whole, counts: Whole) -> Distribution:
    from benchkit.counting.distribution import Distribution

    distribution = Distribution.of_bins(numbers, counts)
    # The extremes of the run lie in the first and last of its bins.
    smallest, largest = row["latency_min_s"], row["latency_max_s"]
    if smallest is not None and distribution.min_ns is not None:
        distribution.min_ns = max(distribution.min_ns, round(smallest * 1e9))
    if largest is not None and distribution.max_ns is not None:
        distribution.max_ns = min(distribution.max_ns, round(largest * 1e9))
    return distribution


def _without_id(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "run_id"}
