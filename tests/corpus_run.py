"""One run of some results as plain values, for tests that hold it against something."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from benchkit.api import Results

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """One run of some results, as plain values: what is NA is None."""

    results: Results
    columns: Mapping[str, Any]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows that a table has of this run."""
        frame = self.results.table(table)
        return plain_rows(frame[frame["run_id"] == self.columns["run_id"]])

    @property
    def number(self) -> int:
        """Its place in the file, from 1."""
        return int(str(self.columns["run_id"]).rpartition("-")[2])

    def quantile(self, q: Decimal) -> list[Any]:
        """Return what stands for a quantile, in s; the ends have columns too."""
        matches = [
            row["latency_s"]
            for row in self.rows("quantiles")
            if abs(row["quantile"] - float(q)) < 1e-12
        ]
        ends = {0: "latency_min_s", 1: "latency_max_s"}
        return [*matches, self.columns[ends[int(q)]]] if q in ends else matches

    def figures(self, metric: str, *statistics: str) -> list[float]:
        """Return the figures whose metric matches a pattern, with one of some statistics."""
        return [
            row["value"]
            for row in self.rows("figures")
            if re.fullmatch(metric, row["metric"], re.IGNORECASE)
            and (not statistics or row["statistic"] in statistics)
        ]

    def counts(self, table: str, key: str) -> dict[str, Any]:
        """Return the counts of `statuses` or `errors` by code or lower-case name."""
        return {str(row[key]).lower(): row["count"] for row in self.rows(table)}


def runs_of(results: Results) -> dict[int, Run]:
    """Return the runs of results from one file by their number in it."""
    runs = [Run(results, row) for row in plain_rows(results.runs)]
    return {run.number: run for run in runs}


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table; what is NA is None."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(key): value for key, value in row.items()} for row in rows]
