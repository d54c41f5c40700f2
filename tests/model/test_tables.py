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
    frame = recorded.table(name)
    TABLES[name].validate(frame)
    if name != "files":
        assert set(frame["run_id"]) <= {r.run_id for r in recorded}


@pytest.mark.parametrize("name", STORED)
def test_saved_tables_give_the_same_tables_back(
    name: str, recorded: Results, tmp_path: Path
) -> None:
    recorded.ingest(tmp_path)
    again = benchkit.load(tmp_path)
    pd.testing.assert_frame_equal(again.table(name), recorded.table(name))


def test_saved_tables_give_the_same_runs_back(recorded: Results, tmp_path: Path) -> None:
    recorded.ingest(tmp_path)
    for first, second in zip(recorded, benchkit.load(tmp_path), strict=True):
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


# --- tables as attributes, for pandas ---


def with_metadata(*params: str | None, environment: str | None = None) -> Results:
    rows = [
        run(n, variant="a", params=text, environment=environment)
        for n, text in enumerate(params, 1)
    ]
    return Results.from_tables({"runs": rows})


def test_params_are_columns_of_their_kind() -> None:
    made = with_metadata('{"connections": 10, "cache": true}', '{"connections": 50}', None).runs
    assert made["param_connections"].tolist() == [10, 50, pd.NA]
    assert made[["param_connections", "param_cache"]].dtypes.tolist() == ["Int64", "boolean"]


def test_the_environment_is_columns_without_objects_in_them() -> None:
    machine = '{"cores": 2, "sysctl": {"net": {"somaxconn": "4096"}}, "disks": ["a", "b"]}'
    made = with_metadata(None, None, environment=machine).runs
    assert made["environment_cores"].tolist() == [2, 2]
    assert made["environment_sysctl.net.somaxconn"].tolist() == ["4096", "4096"]
    assert made["environment_disks"].tolist() == ['["a", "b"]', '["a", "b"]']
    assert made.nunique()["environment_disks"] == 1  # nothing that cannot be hashed


@pytest.mark.parametrize(
    "value", ["1e400", str(2**70), r'"\ud800"', '"' + "x" * 1000 + '"', "null", "[1, {}]"]
)
def test_any_value_of_params_has_its_column(value: str) -> None:
    made = with_metadata(f'{{"p": {value}, "q": {{"r": {value}}}}}', '{"p": 1}').runs
    assert {"param_p", "param_q.r"} <= {*made.columns}


def test_of_very_many_params_the_most_frequent_are_columns() -> None:
    texts = [f'{{"usual": 1, "own-{n}": 1}}' for n in range(400)]
    named = [name for name in map(str, with_metadata(*texts).runs) if name.startswith("param_")]
    assert named[0] == "param_usual"
    assert len(named) == 256


def test_the_columns_of_the_schema_come_first_and_are_as_they_were() -> None:
    made = with_metadata('{"connections":10}')
    stored = made.table("runs")
    assert tuple(stored.columns) == TABLES["runs"].names
    pd.testing.assert_frame_equal(made.runs[[*stored.columns]], stored)
    assert made.runs["params"].tolist() == ['{"connections":10}']


def test_a_copy_is_never_grouped_with_its_original() -> None:
    rows = [
        run(1, scenario="s", variant="a"),
        run(2, scenario="s", variant="a", params='{"aa": true}'),
        run(3, scenario="s", variant="b", params='{"aa": "a"}'),
        run(4, scenario="s", variant="c", params='{"aa": false}'),
    ]
    made = Results.from_tables({"runs": rows})
    groups = made.runs.groupby(["scenario", "variant"]).size()
    assert groups.to_dict() == {("s", name): 1 for name in ("a", "a, copy", "b", "c")}
    assert [r.run_id for r in made.select(variant="a, copy")] == [rows[1]["run_id"]]
    assert [r.run_id for r in made.select(variant="a")] == [rows[0]["run_id"], rows[1]["run_id"]]


def test_a_saved_copy_is_still_the_copy_of_its_original(tmp_path: Path) -> None:
    rows = [run(1, variant="a"), run(2, variant="a", params='{"aa": true}')]
    made = Results.from_tables({"runs": rows})
    made.ingest(tmp_path)
    assert [r.variant for r in benchkit.load(tmp_path)] == ["a", "a"]


def test_a_quantile_stands_once_and_as_it_was_printed() -> None:
    listed = [(0.5, 1.0, "computed"), (0.5, 1.1, "printed"), (0.9, 2.0, "computed")]
    names = ("quantile", "latency_s", "origin")
    first = run(1)
    rows = [{"run_id": first["run_id"], **dict(zip(names, row, strict=True))} for row in listed]
    made = Results.from_tables({"runs": [first], "quantiles": rows})
    assert made.quantiles[[*names]].to_numpy().tolist() == [
        [0.5, 1.1, "printed"],
        [0.9, 2.0, "computed"],
    ]
    assert len(made.table("quantiles")) == 3


def test_what_somebody_does_to_a_frame_changes_no_saved_table(
    recorded: Results, tmp_path: Path
) -> None:
    mine = Results(iter(recorded))
    mine.timeline["second"] = -1
    mine.ingest(tmp_path)
    assert benchkit.load(tmp_path).timeline["second"].min() >= 0
