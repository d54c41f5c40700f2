"""The tables of some runs, laid out as the checks look at them."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from benchkit import format as show
from benchkit.frames import rows_of
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity.model import NotApplicableError
from benchkit.validity.rows import Requests, requests_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from benchkit.results import Results

Row = Mapping[str, Any]


@dataclass(eq=False)
class Run:
    """One run: its row of `runs`, and what the other tables have of it.

    Attributes:
        figures: Value per (metric, statistic), the first where there are several.
        quantiles: Latency in s per quantile, as printed, else as computed.
        statuses: Count per status code.
        errors: Count per error text, None where the tool gives none.
    """

    row: Row
    results: Results
    params: Mapping[str, Any]
    figures: Mapping[tuple[str, str], float] = field(default_factory=dict)
    quantiles: Mapping[float, float] = field(default_factory=dict)
    statuses: Mapping[int, int] = field(default_factory=dict)
    errors: Mapping[str, int | None] = field(default_factory=dict)
    set: RunSet = field(init=False)

    @property
    def run_id(self) -> str:
        """Its id."""
        return str(self.row["run_id"])

    @property
    def tool(self) -> str:
        """Its load generator."""
        return str(self.row["tool"])

    @property
    def variant(self) -> str:
        """What it measures; the label where there is no name."""
        return str(self.row["variant"] or self.row["label"])

    @property
    def name(self) -> str:
        """Its label, safe to print."""
        return show.clean(str(self.row["label"]), limit=60)

    def get(self, column: str) -> Any:  # noqa: ANN401 - a cell may hold any kind
        """Return a column of `runs`, None where it is missing."""
        return self.row[column]

    def need(self, *columns: str) -> list[float]:
        """Return columns as numbers.

        Raises:
            NotApplicableError: one is missing.
        """
        absent = [column for column in columns if self.row[column] is None]
        if absent:
            raise NotApplicableError(f"{show.listed(absent)} not known")
        return [float(self.row[column]) for column in columns]

    def figure(self, metric: str, statistic: str) -> float | None:
        """Return a figure, None where it is missing."""
        return self.figures.get((metric, statistic))

    def need_figure(self, metric: str, statistic: str) -> float:
        """Return a figure.

        Raises:
            NotApplicableError: it is missing.
        """
        value = self.figure(metric, statistic)
        if value is None:
            raise NotApplicableError(f"no figure '{metric}' ({statistic})")
        return value

    @property
    def printed_quantiles(self) -> dict[str, tuple[float, float]]:
        """(quantile, latency in s) per column of `runs` that holds a quantile."""
        return {
            column: (quantile, float(self.row[column]))
            for quantile, column in QUANTILE_COLUMNS.items()
            if self.row[column] is not None
        }

    @cached_property
    def seconds(self) -> list[dict[str, Any]]:
        """Its rows of `timeline`, in order."""
        frame = self.results.timeline
        return rows_of(frame[frame["run_id"] == self.run_id].sort_values("second"))

    @cached_property
    def latencies(self) -> dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]]:
        """Per outcome ("" where unknown) the middles of the bins in s, ascending, and counts."""
        import numpy as np

        whole, sliced = self.results.latencies, self.results.histogram
        mine = whole[whole["run_id"] == self.run_id]
        if not len(mine):
            mine = sliced[sliced["run_id"] == self.run_id]
        found = {}
        for outcome, part in mine.groupby(mine["outcome"].fillna("")):
            low = part["latency_low_s"].to_numpy(float)
            high = part["latency_high_s"].to_numpy(float)
            # A bin of one nanosecond holds one value, its lower bound.
            middles = np.where(high - low < 1.5e-9, low, (low + high) / 2)
            bins, where = np.unique(middles, return_inverse=True)
            counts = np.zeros(len(bins), np.int64)
            np.add.at(counts, where, part["count"].to_numpy(np.int64))
            found[str(outcome)] = (bins, counts)
        return found

    @cached_property
    def requests(self) -> Requests:
        """Number, time and latency of each request.

        Raises:
            NotApplicableError: there is no row per request, or there are too many.
        """
        return requests_of(self.results, self.run_id, self.row["requests"])


@dataclass(eq=False)
class Arm:
    """The runs of one variant with one set of params."""

    name: str
    variant: str
    params: str
    runs: list[Run]

    def median(self, column: str) -> float | None:
        """Return the median over the runs that have the column, None where none has."""
        values = [float(run.row[column]) for run in self.runs if run.row[column] is not None]
        return statistics.median(values) if values else None

    def values(self, column: str) -> tuple[Any, ...]:
        """Return the distinct known values of a column, in order."""
        return tuple(
            dict.fromkeys(run.row[column] for run in self.runs if run.row[column] is not None)
        )


@dataclass(eq=False)
class RunSet:
    """All runs of one scenario and tool."""

    scenario: str | None
    tool: str
    runs: list[Run]

    @cached_property
    def arms(self) -> list[Arm]:
        """One per variant and set of params, in order of first appearance."""
        found: dict[tuple[str, str], list[Run]] = defaultdict(list)
        for run in self.runs:
            found[run.variant, run.row["params"] or "{}"].append(run)
        variants = [variant for variant, _ in found]
        return [
            Arm(
                _arm_name(variant, runs[0], alone=variants.count(variant) == 1), variant, text, runs
            )
            for (variant, text), runs in found.items()
        ]

    def comparable(self) -> list[list[Arm]]:
        """Return the arms that differ in nothing but the variant: one list per set of params.

        Raises:
            NotApplicableError: there are no two such arms.
        """
        by_params: dict[str, list[Arm]] = defaultdict(list)
        for arm in self.arms:
            by_params[arm.params].append(arm)
        several = [arms for arms in by_params.values() if len(arms) > 1]
        if not several:
            raise NotApplicableError("no second variant with the same params")
        return several

    def equally_loaded(self) -> list[list[Arm]]:
        """Return the comparable arms by connections and offered rate: a sweep's points apart.

        Raises:
            NotApplicableError: there are no two such arms.
        """
        found = []
        for arms in self.comparable():
            by_load: dict[tuple[float | None, ...], list[Arm]] = defaultdict(list)
            for arm in arms:
                by_load[arm.median("connections"), _rate(arm)].append(arm)
            found += [alike for alike in by_load.values() if len(alike) > 1]
        if not found:
            raise NotApplicableError("no second variant under the same load")
        return found


def sets_of(results: Results) -> list[RunSet]:
    """Return the runs by scenario and tool, in order of first appearance."""
    found: dict[tuple[str | None, str], list[Run]] = defaultdict(list)
    for run in _runs(results):
        found[run.row["scenario"], run.tool].append(run)
    sets = [RunSet(scenario, tool, runs) for (scenario, tool), runs in found.items()]
    for one in sets:
        for run in one.runs:
            run.set = one
    return sets


def _runs(results: Results) -> Iterable[Run]:
    figures, quantiles = _figures(results), _quantiles(results)
    statuses = _counts(results.statuses, "status")
    errors = _counts(results.errors, "error")
    for row, params in zip(rows_of(results.runs), results.params(), strict=True):
        key = row["run_id"]
        yield Run(
            row=row,
            results=results,
            params=params,
            figures=figures.get(key, {}),
            quantiles=quantiles.get(key, {}),
            statuses=statuses.get(key, {}),
            errors=errors.get(key, {}),
        )


def _figures(results: Results) -> dict[str, dict[tuple[str, str], float]]:
    found: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for row in rows_of(results.figures):
        found[row["run_id"]].setdefault((row["metric"], row["statistic"]), float(row["value"]))
    return found


def _quantiles(results: Results) -> dict[str, dict[float, float]]:
    found: dict[str, dict[float, float]] = defaultdict(dict)
    for row in sorted(rows_of(results.quantiles), key=lambda row: row["origin"] == "computed"):
        found[row["run_id"]].setdefault(float(row["quantile"]), float(row["latency_s"]))
    return found


def _counts(frame: pd.DataFrame, name: str) -> dict[str, dict[Any, Any]]:
    found: dict[str, dict[Any, Any]] = defaultdict(dict)
    for row in rows_of(frame):
        found[row["run_id"]][row[name]] = row["count"]
    return found


def _rate(arm: Arm) -> float | None:
    """Return the rate asked for; where vegeta's is not known, to two digits, the rate sent."""
    offered = arm.median("offered_rate_rps")
    if offered is not None or arm.runs[0].tool != "vegeta":
        return offered
    sent = [rate for run in arm.runs if (rate := run.figure("Requests", "rate"))]
    if not sent:
        requests, duration, wait = map(arm.median, ("requests", "duration_s", "wait_s"))
        if requests and duration and duration > (wait or 0.0):
            sent = [requests / (duration - (wait or 0.0))]
    return float(f"{statistics.median(sent):.1e}") if sent else None


def _arm_name(variant: str, run: Run, *, alone: bool) -> str:
    name = show.clean(variant, limit=60)
    if alone or not run.params:
        return name
    own = ", ".join(f"{key} {json.dumps(value)}" for key, value in run.params.items())
    return f"{name} ({show.clean(own, limit=60)})"


def names(arms: Sequence[Arm]) -> str:
    """Return the names of some arms in words, at most four of them."""
    if len(arms) <= 4:
        return show.listed([arm.name for arm in arms])
    return show.listed([*(arm.name for arm in arms[:3]), f"{len(arms) - 3} more"])
