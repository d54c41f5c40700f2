import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from benchkit.errors import UsageError
from benchkit.export import FORMATS, write_records, write_table
from benchkit.parsing import Figure
from benchkit.schema import REQUESTS, TABLES, Table


def written(results: Results, name: str, form: str) -> bytes:
    out = io.BytesIO()
    write_table(results, name, form=form, to=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def results(data: Path) -> Results:
    """Runs that fill every table but `resources`, of which one row is made up."""
    files = [data / "vegeta" / "errors.gob", data / "ab" / "few.txt", data / "ab" / "refused.txt"]
    recorded = benchkit.load(files)
    sample = {"elapsed_s": 0.1, "process": "server", "rss_bytes": 2**40}
    first, *others = recorded
    return Results(
        [replace(first, samples=(sample,), notes=("made up",)), *others], recorded.sources
    )


def expected(results: Results, name: str) -> pd.DataFrame:
    return results.table(name)


def from_json(described: Table, content: bytes) -> pd.DataFrame:
    rows = json.loads(content)
    for row in rows:
        for column in described.columns:
            if column.kind == "instant" and row[column.name] is not None:
                assert row[column.name].endswith("Z")
                row[column.name] = pd.Timestamp(row[column.name])
    return described.frame(rows)


def from_csv(described: Table, content: bytes) -> pd.DataFrame:
    readers: dict[str, Any] = {
        "string": lambda text: text.removeprefix("'"),
        "int": int,
        "float": float,
        "bool": {"true": True, "false": False}.__getitem__,
        "instant": pd.Timestamp,
    }
    rows = csv.DictReader(io.StringIO(content.decode(), newline=""))
    return described.frame(
        {c.name: readers[c.kind](row[c.name]) if row[c.name] else None for c in described.columns}
        for row in rows
    )


@pytest.mark.parametrize("name", TABLES)
def test_json_gives_back_every_table(name: str, results: Results) -> None:
    got = from_json(TABLES[name], written(results, name, "json"))
    pd.testing.assert_frame_equal(got, expected(results, name), check_exact=True)
    assert len(got) > 0


@pytest.mark.parametrize("name", TABLES)
def test_csv_gives_back_every_table(name: str, results: Results) -> None:
    got = from_csv(TABLES[name], written(results, name, "csv"))
    pd.testing.assert_frame_equal(got, expected(results, name), check_exact=True)


@pytest.mark.parametrize("name", TABLES)
def test_parquet_gives_back_every_table(name: str, results: Results) -> None:
    from pyarrow.parquet import read_schema

    content = written(results, name, "parquet")
    described = TABLES[name]
    types = {c.name: c.dtype for c in described.columns}
    got = pd.read_parquet(io.BytesIO(content)).astype(types)
    pd.testing.assert_frame_equal(got, expected(results, name), check_exact=True)
    assert read_schema(io.BytesIO(content)).names == list(described.names)


@pytest.mark.parametrize("form", FORMATS)
def test_requests_are_written_piece_by_piece(form: str) -> None:
    alive: list[int] = []

    def parts(run: str) -> Any:  # noqa: ANN401 - a generator of dataframes
        def read() -> Any:  # noqa: ANN401
            for number in range(3):
                alive.append(number)
                yield REQUESTS.frame([{"run_id": run, "latency_s": number / 7, "seq": number}] * 2)

        return read

    run = {"run_id": "a", "label": "a", "tool": "vegeta", "format": "x", "source": "x"}
    results = Results.from_tables({"runs": [run | {"sha256": "0"}]}, {"a": parts("a")})
    content = written(results, "requests", form)
    assert alive == [0, 1, 2]
    if form == "parquet":
        from pyarrow.parquet import ParquetFile

        assert ParquetFile(io.BytesIO(content)).num_row_groups == 3
    else:
        read = from_json if form == "json" else from_csv
        latencies = read(REQUESTS, content)["latency_s"].tolist()
        assert latencies == [0, 0, 1 / 7, 1 / 7, 2 / 7, 2 / 7]


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_without_rows_still_has_its_shape(form: str) -> None:
    content = written(Results.from_tables({}), "requests", form)
    if form == "csv":
        assert content.decode() == ",".join(REQUESTS.names) + "\n"
    elif form == "json":
        assert json.loads(content) == []
    else:
        assert list(pd.read_parquet(io.BytesIO(content)).columns) == list(REQUESTS.names)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\nx", "\uff1d1", "-H 'a: b'"])
def test_csv_text_is_no_formula(text: str) -> None:
    run = {"run_id": "a", "label": "a", "tool": "ab", "format": "x", "source": "x", "sha256": "0"}
    errors = [{"run_id": "a", "error": text, "count": -3}]
    results = Results.from_tables({"runs": [run], "errors": errors})
    content = written(results, "errors", "csv").decode()
    ((run_id, error, count),) = list(csv.reader(io.StringIO(content, newline="")))[1:]
    assert (run_id, error, count) == ("a", f"'{text}", "-3")


def test_json_is_an_array_with_a_line_per_record_and_null_for_na() -> None:
    started = datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)
    run = {"run_id": "a", "label": "ü", "tool": "ab", "format": "x", "source": "x", "sha256": "0"}
    results = Results.from_tables({"runs": [run | {"started_at": started, "keepalive": True}]})
    content = written(results, "runs", "json").decode()
    assert content.count("\n") == 3
    (record,) = json.loads(content)
    assert record["started_at"] == "2026-01-02T03:04:05.678000Z"
    assert record["keepalive"] is True
    assert record["latency_p50_s"] is None
    assert '"label": "ü"' in content


def test_json_has_no_infinity() -> None:
    run = {"run_id": "a", "label": "a", "tool": "ab", "format": "x", "source": "x", "sha256": "0"}
    (only,) = Results.from_tables({"runs": [run]})
    results = Results([replace(only, figures=(Figure("m", "s", float("inf")),))])
    assert json.loads(written(results, "figures", "json"))[0]["value"] is None


def test_records_of_a_comparison_keep_lists_in_csv_as_json() -> None:
    out = io.BytesIO()
    write_records([{"a": [1, 2], "b": None, "c": "=x", "d": -1.5}], form="csv", to=out)
    assert out.getvalue().decode() == 'a,b,c,d\n"[1, 2]",,\'=x,-1.5\n'


def test_an_unknown_table_or_format_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no table 'chairs'; there are runs, "):
        written(Results.from_tables({}), "chairs", "csv")
    with pytest.raises(UsageError, match="no format 'xlsx'; there are csv, json, parquet"):
        written(Results.from_tables({}), "runs", "xlsx")
