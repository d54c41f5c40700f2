"""Runs to tables and back: the edge where dataframes are made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from benchkit.model.run import Run
from benchkit.model.tables import STORED, frame_of
from benchkit.schema import TABLES
from tests.compare.runs import run


@pytest.fixture(scope="module")
def recorded(data: Path) -> Results:
    """Runs with requests, with a printed summary, with statuses, errors and notes."""
    files = [
        data / "vegeta" / "errors.gob",
        data / "ab" / "refused.txt",
        data / "wrk" / "plain.txt",
    ]
    return benchkit.load([*files, data / "wrk" / "histogram.csv"])


@pytest.mark.parametrize("name", STORED)
def test_every_table_is_of_its_schema(name: str, recorded: Results) -> None:
    frame = getattr(recorded, name)
    TABLES[name].validate(frame)
    if name != "files":
        assert set(frame["run_id"]) <= {r.run_id for r in recorded}


@pytest.mark.parametrize("name", STORED)
def test_saved_tables_give_the_same_tables_back(
    name: str, recorded: Results, tmp_path: Path
) -> None:
    recorded.save(tmp_path)
    again = Results.open(tmp_path)
    pd.testing.assert_frame_equal(getattr(again, name), getattr(recorded, name))


def test_saved_tables_give_the_same_runs_back(recorded: Results, tmp_path: Path) -> None:
    recorded.save(tmp_path)
    for first, second in zip(recorded, Results.open(tmp_path), strict=True):
        assert dict(first.columns) == dict(second.columns)
        assert first.quantiles == second.quantiles
        assert first.by_figure == second.by_figure
        assert (first.statuses, first.errors) == (second.statuses, second.errors)
        assert list(first.timeline) == list(second.timeline)
        assert (first.distribution is None) == (second.distribution is None)
        if first.distribution and second.distribution:
            assert first.distribution.bins.tolist() == second.distribution.bins.tolist()
            assert first.distribution.counts.tolist() == second.distribution.counts.tolist()
            assert first.distribution.quantiles_s([0.0, 0.5, 1.0]) == pytest.approx(
                second.distribution.quantiles_s([0.0, 0.5, 1.0]), rel=1e-3
            )
        if first.matrix and second.matrix:
            assert np.array_equal(first.matrix.counts, second.matrix.counts)


def test_rows_of_an_unknown_column_are_refused() -> None:
    with pytest.raises(ValueError, match="table runs has no column variantt"):
        Results.from_tables({"runs": [run(1, variantt="b")]})


def test_missing_is_none_and_not_nan() -> None:
    (only,) = Results.from_tables({"runs": [run(1, requests=None, latency_p50_s=float("nan"))]})
    assert (only.get("requests"), only.get("latency_p50_s")) == (None, None)


def test_runs_without_anything_make_empty_tables_of_the_right_shape() -> None:
    for name in STORED:
        frame = frame_of(name, [Run({**dict.fromkeys(TABLES["runs"].names), **run(1)})], [])
        assert tuple(frame.columns) == TABLES[name].names
        assert len(frame) == (name == "runs")
