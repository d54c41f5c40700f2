"""A dataset comes from strangers: whatever is wrong with it is one line, and nothing leads out."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow.parquet import ParquetFile
from pyarrow.parquet import write_table as write_parquet

import benchkit
from benchkit.api import Results
from benchkit.cli.guard import run as command
from benchkit.errors import BenchkitError
from benchkit.schema import TABLES


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with rows in every table but `resources`."""
    folder = tmp_path_factory.mktemp("hostile") / "set"
    files = [data / "vegeta" / "errors.gob", data / "ab" / "few.txt", data / "wrk" / "plain.txt"]
    benchkit.load(files).ingest(folder, requests=True)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return Path(shutil.copytree(whole, tmp_path / "set"))


def refusal(folder: Path) -> str:
    """The one line that says why a dataset is not read."""
    with pytest.raises(BenchkitError) as caught:
        looked_at(folder)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    assert "defect" not in line
    return line


def looked_at(folder: Path) -> None:
    """Look at all that a dataset has, of which much is read only then."""
    results = benchkit.load(folder)
    for name in TABLES:
        results.table(name)


def rewritten(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what the manifest says, as somebody does who knows how it is sealed."""
    path = folder / "manifest-000001.json"
    content = json.loads(path.read_bytes())
    change(content)
    sealed = {key: content[key] for key in content.keys() - {"benchkit_dataset", "sha256"}}
    text = json.dumps(sealed, sort_keys=True).encode()
    content["sha256"] = hashlib.sha256(text).hexdigest()
    path.write_text(json.dumps(content), encoding="utf-8")


def replaced(folder: Path, table: str, data: bytes) -> None:
    """Put other bytes in the place of a table, with the hash that they have."""

    def change(content: dict[str, Any]) -> None:
        (shard,) = content["tables"][table]
        (folder / shard["file"]).write_bytes(data)
        shard |= {"sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data)}
        shard["rows"] = ParquetFile(BytesIO(data)).metadata.num_rows

    rewritten(folder, change)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"benchkit_dataset": 1}',
        "\x00\xff",
        '{"a": 1e999}',
    ],
)
def test_what_is_no_manifest_is_refused(text: str, folder: Path) -> None:
    (folder / "manifest-000001.json").write_text(text, encoding="utf-8")
    assert "expected a manifest of a dataset, format 1" in refusal(folder)


def test_another_version_is_refused(folder: Path) -> None:
    rewritten(folder, lambda content: content.update(benchkit_dataset=2))
    assert "found 'format 2'; another benchkit has written it" in refusal(folder)


WRONG: Mapping[str, Mapping[str, Any]] = {
    "out": {"file": "../../../etc/passwd"},
    "absolute": {"file": "/etc/passwd"},
    "windows": {"file": "tables\\..\\x"},
    "drive": {"file": "C:/x"},
    "elsewhere": {"file": "outcomes/x"},
    "empty": {"file": ""},
    "the folder": {"file": "."},
    "list": {"file": ["a"]},
    "escape": {"file": "tables/\x1b[2J.parquet"},
    "nul": {"file": "tables/\x00"},
    "no hash": {"sha256": "x"},
    "a negative size": {"size_bytes": -1},
    "a huge size": {"size_bytes": 10**400},
    "no number": {"rows": "many"},
}


@pytest.mark.parametrize("name", WRONG)
def test_an_entry_that_makes_no_sense_is_refused(name: str, folder: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["tables"]["runs"][0].update(WRONG[name])

    rewritten(folder, change)
    refusal(folder)


@pytest.mark.parametrize("table", ["runs", "requests"])
def test_nothing_is_there_twice(table: str, folder: Path) -> None:
    rewritten(folder, lambda content: content["tables"][table].extend(content["tables"][table]))
    assert "two runs with one run_id" in (line := refusal(folder)) or "twice of one" in line


def test_a_table_that_there_is_not_is_refused(folder: Path) -> None:
    rewritten(folder, lambda content: content["tables"].update(chairs=[]))
    assert "tables: expected a table of the schema, found 'chairs'" in refusal(folder)


def with_many_rows(content: dict[str, Any], table: str) -> None:
    content["tables"][table][0]["rows"] += 1


def with_naming(content: dict[str, Any], naming: object) -> None:
    content["naming"] = naming


def without_runs(content: dict[str, Any]) -> None:
    content["supplements"] = []


def with_a_stranger(content: dict[str, Any]) -> None:
    content["tables"]["requests"][0]["run_id"] = "0123456789ab-1"


BY_HAND: Mapping[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "rows": (partial(with_many_rows, table="runs"), "found '3 rows, not 4 as the manifest says'"),
    "rows of requests": (partial(with_many_rows, table="requests"), "as the manifest says'"),
    "rows of bins": (partial(with_many_rows, table="histogram"), "as the manifest says'"),
    "no table": (lambda content: content["tables"].pop("notes"), "expected every table"),
    "no timeline": (lambda content: content["tables"].update(timeline=[]), "found 'no 'timeline''"),
    "no supplement": (without_runs, "in a table or a supplement only"),
    "a stranger's requests": (with_a_stranger, "requests of a run 0123456789ab-1, not in 'runs'"),
    "naming": (partial(with_naming, naming="by folder"), "naming: expected a list, each a text"),
    "a number": (partial(with_naming, naming=[5]), "naming[0]: expected a text, found '5'"),
    "no inputs": (lambda content: content.pop("inputs"), "found 'no 'inputs''"),
    "entries": (lambda content: content["tables"].update(runs=5), "tables.runs: expected a list"),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_is_changed_by_hand_is_told(name: str, folder: Path) -> None:
    change, text = BY_HAND[name]
    rewritten(folder, change)
    line = refusal(folder)
    assert text in line
    assert line.startswith(str(folder))
    assert " in another folder" in line or "into another folder" in line


def test_a_file_that_is_taken_off_the_list_is_missed(folder: Path, data: Path) -> None:
    benchkit.load(data / "vegeta" / "ok.gob").ingest(folder)
    path = folder / "manifest-000002.json"
    content = json.loads(path.read_bytes())
    content["tables"]["latencies"].pop()
    path.write_text(json.dumps(content), encoding="utf-8")
    assert (
        "manifest-000002.json: expected a manifest of a dataset, format 1, found 'another con"
        in (refusal(folder))
    )


@pytest.mark.parametrize("name", [name for name in TABLES if name != "resources"])
def test_a_missing_or_changed_file_is_named(name: str, folder: Path) -> None:
    for path in sorted((folder / "tables" / name).rglob("*.parquet")):
        data = path.read_bytes()
        path.unlink()
        assert f"{path}: expected the file that the manifest names, found 'nothing there'" in (
            refusal(folder)
        )
        for damaged in (data[:-1], data + b"\0", bytes([data[0] ^ 1]) + data[1:], b""):
            path.write_bytes(damaged)
            assert str(path) in refusal(folder)
        path.write_bytes(data)
    looked_at(folder)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_lead_nowhere(folder: Path, tmp_path: Path) -> None:
    (path,) = (folder / "tables" / "runs").glob("*.parquet")
    outside = path.rename(tmp_path / "outside.parquet")
    for target in (outside, tmp_path, path, Path("/dev/zero")):
        path.symlink_to(target)
        assert str(path) in refusal(folder)
        path.unlink()
    os.mkfifo(path)
    assert str(path) in refusal(folder)
    for name in ("manifest-000002.json", "manifest-000003.json"):
        os.mkfifo(folder / name)
        assert name in refusal(folder)
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")
        assert name in refusal(folder)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("name", ["tables", "supplement", "tables/runs", "manifest-000002.json"])
def test_nothing_is_written_through_a_link(name: str, folder: Path, data: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / f"{'0' * 20}.parquet").write_bytes(b"precious")
    if (folder / name).exists():
        shutil.copytree(folder / name, outside, dirs_exist_ok=True)
        shutil.rmtree(folder / name)
    (folder / name).symlink_to(outside / "new.json" if "manifest" in name else outside)
    before = sorted(outside.rglob("*"))
    with pytest.raises(BenchkitError):
        benchkit.load(data / "hey").ingest(folder)
    assert sorted(outside.rglob("*")) == before


def test_a_table_of_another_kind_is_refused(folder: Path) -> None:
    for frame in (
        pd.DataFrame({"a": [1]}),
        TABLES["runs"].frame(),
        benchkit.load(folder).table("runs").assign(requests="many"),
        benchkit.load(folder).table("runs").assign(label=None),
    ):
        path = folder.parent / "other.parquet"
        frame.to_parquet(path)
        replaced(folder, "runs", path.read_bytes())
        assert "no saved table" in refusal(folder)


@pytest.mark.parametrize(
    ("table", "column", "value", "message"),
    [
        ("quantiles", "latency_s", float("inf"), "latency_s of inf"),
        ("quantiles", "latency_s", 1e308, "latency_s of 1e+308"),
        ("runs", "requests", -(2**63), "requests of -9223372036854775808"),
        ("runs", "throughput_rps", -5.0, "throughput_rps of -5.0"),
        ("quantiles", "quantile", 1.5, "quantile of 1.5"),
        ("histogram", "count", 2**62, "count of more requests than 62 bits count"),
        ("timeline", "span_s", None, "a row without span_s"),
        ("timeline", "requests", None, "a row without requests"),
    ],
)
def test_numbers_that_no_run_has_are_refused(
    table: str, column: str, value: float | None, message: str, folder: Path
) -> None:
    path = (
        folder
        / json.loads((folder / "manifest-000001.json").read_bytes())["tables"][table][0]["file"]
    )
    rows = ParquetFile(path).read()
    values = pa.array([value] * len(rows), rows.schema.field(column).type)
    changed = folder.parent / "other.parquet"
    write_parquet(rows.set_column(rows.column_names.index(column), column, values), changed)
    replaced(folder, table, changed.read_bytes())
    assert message in refusal(folder)


def test_a_histogram_of_endless_slices_is_refused(folder: Path) -> None:
    frame = benchkit.load(folder).table("histogram")
    path = folder.parent / "other.parquet"
    frame.assign(slice_start_s=1e9, slice_s=1e-9).to_parquet(path)
    replaced(folder, "histogram", path.read_bytes())
    assert "more slices than a run has" in refusal(folder)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"x": 1}',
        '{"RUN": []}',
        '{"RUN": {"outcomes": []}}',
        '{"RUN": {"outcomes": {"success": {}}}}',
        '{"RUN": {"numbering": [1]}}',
        '{"RUN": {"numbering": ["a", 1, 1]}}',
        '{"RUN": {"endpoints": 5}}',
        '{"RUN": {"lateness": [1]}}',
        '{"RUN": {"steps": {"a": "b"}}}',
        '{"RUN": {"commands": 5}}',
        "[" * 100_000,
    ],
)
def test_what_no_table_has_is_looked_at_too(text: str, folder: Path) -> None:
    run_id = next(run.run_id for run in benchkit.load(folder) if run.tool == "vegeta")
    data = text.replace("RUN", run_id).encode()

    def change(content: dict[str, Any]) -> None:
        (shard,) = content["supplements"]
        (folder / shard["file"]).write_bytes(data)
        shard |= {"sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data)}

    rewritten(folder, change)
    refusal(folder)


def test_requests_of_another_run_are_refused(folder: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        (shard,) = content["tables"]["requests"]
        shard["run_id"] = next(r.run_id for r in benchkit.load(folder) if r.tool == "ab")

    rewritten(folder, change)
    assert "requests of another run" in refusal(folder)


def test_random_damage_is_a_line_or_nothing(folder: Path) -> None:
    rng = Random(7)  # noqa: S311 - no secret
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for _ in range(25):
        path = rng.choice(files)
        data = path.read_bytes()
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :])
        line = ""
        try:
            looked_at(folder)
        except BenchkitError as error:
            line = str(error)
        assert "\n" not in line
        path.write_bytes(data)


@pytest.mark.parametrize(
    "name",
    [
        "../../x",
        "a/b",
        "..",
        ".",
        "",
        "CON",
        "a" * 300,
        "ü" * 200,
        "\x1b[2J",
        "a=b%20~",
        "\ud800",
        "x\n",
    ],
)
def test_names_of_runs_make_no_paths(name: str, data: Path, tmp_path: Path) -> None:
    runs = benchkit.load(data / "vegeta" / "ok.gob")
    name = name.encode("utf-8", "backslashreplace").decode()
    named = Results([run.with_columns(scenario=name) for run in runs], runs.sources)
    folder = tmp_path / "top" / "set"
    named.ingest(folder, requests=True)
    assert [path.name for path in (tmp_path / "top").iterdir()] == ["set"]
    assert next(path.name for path in (folder / "tables" / "histogram").iterdir()).startswith(
        "scenario="
    )
    assert [run.scenario for run in benchkit.load(folder)] == [name]


def test_the_command_says_it_in_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "manifest-000001.json").write_text("{", encoding="utf-8")
    for name in ("show", "report", "compare", "files", "export", "check", "plan"):
        assert command([name, str(folder)]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        assert "manifest-000001.json: expected a manifest of a dataset" in line


def test_nothing_is_added_to_what_cannot_be_read_again(folder: Path, data: Path) -> None:
    (supplement,) = (folder / "supplement").iterdir()
    supplement.write_bytes(supplement.read_bytes() + b" ")
    before = sorted(path.name for path in folder.rglob("*"))
    with pytest.raises(BenchkitError, match="supplement/"):
        benchkit.load(data / "wrk" / "latency.txt").ingest(folder)
    assert sorted(path.name for path in folder.rglob("*")) == before
