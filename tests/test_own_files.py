"""Our own files are input too: what is wrong in one is said in a line that names it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from benchkit.datasets.tables import frame_from
from benchkit.errors import BenchkitError, UsageError
from benchkit.model.saved import saved_runs
from benchkit.model.tables import STORED
from benchkit.scenarios.checked import Value
from benchkit.scenarios.declaration import read_scenario
from benchkit.scenarios.runset import FILE, Entry, Schedule, _read

#: Content, and what its error says behind the name of the file.
META = [
    (b"", "expected a JSON object, found "),
    (b"{", "expected a JSON object, found "),
    (b"[]", "expected a JSON object, found 'list'"),
    (b"null", "expected a JSON object, found 'NoneType'"),
    (b"\xff\xfe{}", "expected a JSON object, found "),
    (b"\0\0\0\0", "expected a JSON object, found "),
    (b'{"repeat": NaN}', "expected a JSON object, found "),
    (b'{"a": 1, "a": 2}', "expected a JSON object, found "),
    (b"[" * 100_000, "expected a JSON object, found "),
    (b'{"repeat": ' + b"9" * 5000 + b"}", "expected a JSON object, found "),
    (b'{"repeat": 0}', "expected 'repeat' to be a whole number, at least 1, found '0'"),
    (b'{"repeat": 1.5}', "expected 'repeat' to be a whole number, at least 1, found '1.5'"),
    (b'{"repeat": "1"}', "expected 'repeat' to be a whole number, at least 1, found "),
    (b'{"repeat": true}', "expected 'repeat' to be a whole number, at least 1, found 'true'"),
    (b'{"repeat": 1e30}', "expected 'repeat' to be a whole number, at least 1, found '1e+30'"),
    (b'{"connections": -1}', "expected 'connections' to be a whole number, at least 0, found "),
    (b'{"offered_rate_rps": "fast"}', "expected 'offered_rate_rps' to be a number, at least 0"),
    (b'{"keepalive": 1}', "expected 'keepalive' to be true or false, found '1'"),
    (b'{"scenario": {}}', "expected 'scenario' to be a string, found '{}'"),
    (b'{"variant": ["a"]}', "expected 'variant' to be a string, found "),
    (b'{"label": false}', "expected 'label' to be a string, found 'false'"),
    (b'{"params": []}', "expected 'params' to be a JSON object, at most 100 deep, found '[]'"),
    (b'{"params": "a"}', "expected 'params' to be a JSON object, at most 100 deep, found "),
    (b'{"started_at": "today"}', "expected 'started_at' to be an ISO 8601 instant from 1970 to"),
    (b'{"started_at": "1969-01-01"}', "expected 'started_at' to be an ISO 8601 instant from 1970"),
    (b'{"started_at": "9999-12-31T23:59:59-23:59"}', "expected 'started_at' to be an ISO 8601"),
    (b'{"started_at": 5}', "expected 'started_at' to be an ISO 8601 instant from 1970 to 2261"),
    (b'{"load_model": "half-open"}', "expected 'load_model' to be open or closed, found "),
    (b'{"correction": "some"}', "expected 'correction' to be none or backfilled, found "),
]
HEADER = b"elapsed_s,process,cpu_ratio,rss_bytes\n"
RESOURCES = [
    (HEADER + b"1,server,fast,1\n", "line 2: expected 'cpu_ratio' to be a number, at least 0"),
    (HEADER + b"1,server,1e999,1\n", "line 2: expected 'cpu_ratio' to be a number, at least 0"),
    (HEADER + b"1,server,1,1.5\n", "line 2: expected 'rss_bytes' to be a whole number, at least"),
    (HEADER + b"1,server,1,-1\n", "line 2: expected 'rss_bytes' to be a whole number, at least"),
    (
        HEADER + b",server,1,1\n",
        "line 2: expected 'elapsed_s' to be a number, at least 0, below 3,155,760,000, found",
    ),
    (HEADER + b"1,,1,1\n", "line 2: expected 'process' to be a string, found 'nothing'"),
    (HEADER + b"1,a,1,1\n2,a,1,1,5\n", "line 3: expected as many cells as the header has"),
    (HEADER + b"1,caf\xe9,1,1\n", "expected samples as CSV, found "),
    (HEADER + b'1,"' + b"a" * 200_000 + b'",1,1\n', "expected samples as CSV, found "),
]
RUN_SET: dict[str, Any] = {
    "scenario": "s",
    "profile": "quick",
    "tool": "ab",
    "settings": {"seconds": 1},
    "seed": 3,
    "runs": [{"variant": "a", "params": {"size": 1}, "repeat": 1, "state": "done"}],
}
RUN_SETS = [
    (b"", "expected a run set as `benchkit run` writes it, found "),
    (b"{", "expected a run set as `benchkit run` writes it, found "),
    (b"\xff", "expected a run set as `benchkit run` writes it, found "),
    (b"[" * 100_000, "expected a run set as `benchkit run` writes it, found "),
    (b"[]", "expected a table, found '[]'"),
    (b"null", "expected a table, found 'None'"),
    (b'"text"', "expected a table, found 'text'"),
    ({"scenario": 5}, "scenario: expected a string, found '5'"),
    ({"profile": None}, "profile: expected a string, found 'None'"),
    ({"tool": ["ab"]}, "tool: expected a string, found '['ab']'"),
    ({"settings": []}, "settings: expected a table of plain values, found '[]'"),
    ({"settings": {"a": {}}}, "settings: expected a table of plain values, found "),
    ({"seed": "three"}, "seed: expected a number, whole and 0 or more, found 'three'"),
    ({"seed": -1}, "seed: expected a number, whole and 0 or more, found '-1'"),
    ({"surprise": 1}, "surprise: expected no such key, found 'surprise'"),
    ({"runs": {}}, "runs: expected a list of runs, found '{}'"),
    ({"runs": "none"}, "runs: expected a list of runs, found 'none'"),
    ({"runs": [5]}, "runs.0: expected a table, found '5'"),
    ({"runs": [None]}, "runs.0: expected a table, found 'None'"),
    ({"runs": [{}]}, "runs.0.variant: expected the key 'variant', found 'none'"),
    ({"run": {"variant": 1}}, "runs.0.variant: expected a string, found '1'"),
    ({"run": {"params": None}}, "runs.0.params: expected a table of plain values, found 'None'"),
    ({"run": {"params": {"a": []}}}, "runs.0.params: expected a table of plain values, found "),
    ({"run": {"repeat": "../../x"}}, "runs.0.repeat: expected a number, whole and 0 or more, "),
    ({"run": {"repeat": 1.5}}, "runs.0.repeat: expected a number, whole and 0 or more, "),
    ({"run": {"state": "half"}}, "runs.0.state: expected one of pending, done, failed, found "),
    ({"run": {"state": []}}, "runs.0.state: expected one of pending, done, failed, found '[]'"),
    ({"run": {"reason": 5}}, "runs.0.reason: expected a string, found '5'"),
    ({"run": {"when": "now"}}, "runs.0.when: expected no such key, found 'when'"),
]
CONFIGS = [
    (b"names", "expected TOML, found "),
    (b"\xff\xfe", "expected TOML, found "),
    (b"names = 5", "expected 'names' to be a text or several, found '5'"),
    (b"names = ['']", "expected 'names' to be a text or several, found "),
    (b"names = [['a']]", "expected 'names' to be a text or several, found "),
    (b"ignore = {}", "expected 'ignore' to be a text or several, found '{}'"),
    (b"scenario = ['a']", "expected 'scenario' to be a text, found "),
    (b"labels = 'a'", "expected 'labels' to be a table of texts, found 'a'"),
    (b"[labels]\na = 5", "expected 'labels' to be a table of texts, found "),
    (b"name = 'x'", "found 'name'; did you mean 'names'?"),
]


def test_there_are_sixty_and_more() -> None:
    assert len([*META, *RESOURCES, *RUN_SETS, *CONFIGS]) >= 60


def ids(value: object) -> str | None:
    return ascii(value)[:40] if isinstance(value, (bytes, dict)) else ""


@pytest.fixture
def folder(tmp_path: Path, data: Path) -> Path:
    shutil.copy(data / "ab" / "few.txt", tmp_path / "report.txt")
    return tmp_path


def message_of(results: Results) -> str:
    (row,) = (row for row in results.sources if row["state"] == "skipped")
    return str(row["message"])


def is_line(text: str, path: Path, error: str) -> bool:
    """Whether this is the one line about a file, whatever stands between its name and the rest."""
    begin = path.as_posix()
    assert text.startswith(begin), text
    assert error in text, text
    return text.removeprefix(begin).startswith((": ", ", ")) and text.isprintable()


@pytest.mark.parametrize(("content", "error"), META, ids=ids)
def test_metadata(content: bytes, error: str, folder: Path) -> None:
    (folder / "meta.json").write_bytes(content)
    results = benchkit.load(folder)
    assert len(results) == 1
    assert is_line(message_of(results), folder / "meta.json", error)


@pytest.mark.parametrize(("content", "error"), RESOURCES, ids=ids)
def test_samples(content: bytes, error: str, folder: Path) -> None:
    (folder / "resources.csv").write_bytes(content)
    results = benchkit.load(folder)
    assert len(results) == 1
    assert is_line(message_of(results), folder / "resources.csv", error)


@pytest.mark.parametrize(("content", "error"), RUN_SETS, ids=ids)
def test_run_sets(content: bytes | dict[str, Any], error: str, tmp_path: Path) -> None:
    if isinstance(content, dict):
        run = RUN_SET["runs"][0] | content.get("run", {})
        made = RUN_SET | {"runs": [run]} | {k: v for k, v in content.items() if k != "run"}
        content = json.dumps(made).encode()
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(BenchkitError) as caught:
        _read(tmp_path)
    assert is_line(str(caught.value), tmp_path / FILE, error)


def test_a_run_set_is_read_as_it_was_written(tmp_path: Path) -> None:
    settings: dict[str, Value] = {"seconds": 1.5, "name": "a", "quick": True}
    runs = [
        Entry("a", {"size": 1}, 1, "done", "2026-01-01", "2026-01-02"),
        Entry("b", {}, 2, "failed", reason="no port"),
        Entry("c", {"x": "y"}, 1),
    ]
    schedule = Schedule(tmp_path, "s", "quick", "ab", settings, 7, runs)
    schedule.save()
    assert _read(tmp_path) == schedule


@pytest.mark.parametrize(("content", "error"), CONFIGS, ids=ids)
def test_configuration(content: bytes, error: str, folder: Path) -> None:
    (folder / "benchkit.toml").write_bytes(content)
    with pytest.raises(BenchkitError) as caught:
        benchkit.load(folder)
    assert is_line(str(caught.value), folder / "benchkit.toml", error)


# --- saved tables ---


def without_a_column(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop(columns=frame.columns[0])


def of_texts(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: ["x"] for name in frame.columns})


def of_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: [-(2.5**100)] for name in frame.columns})


def of_nothing(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: [None] for name in frame.columns})


DAMAGE: list[Callable[[pd.DataFrame], pd.DataFrame]] = [
    *(without_a_column, of_texts, of_numbers, of_nothing),
]


@pytest.fixture(scope="module")
def saved(data: Path) -> dict[str, pd.DataFrame]:
    results = benchkit.load([data / "ab" / "refused.txt", data / "vegeta" / "errors.gob"])
    return {name: results.table(name) for name in STORED}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", STORED)
def test_saved_tables(
    name: str, damage: Callable[[pd.DataFrame], pd.DataFrame], saved: dict[str, pd.DataFrame]
) -> None:
    frames = saved | {name: damage(saved[name])}
    with pytest.raises(UsageError, match=f"tables: no saved table '{name}' of this version: ."):
        saved_runs(lambda table: frames[table.name], "tables")


@pytest.mark.parametrize(
    ("name", "cell", "reason"),
    [
        ("histogram", {"count": 0}, "a count below 1"),
        ("latencies", {"count": -5}, "a count below 1"),
        ("histogram", {"latency_low_s": 1e300}, "a bin that is none"),
        ("latencies", {"latency_high_s": 1e300}, "a bin that is none"),
        ("histogram", {"latency_low_s": -1.0}, "a bin that is none"),
        ("histogram", {"slice_start_s": None}, "a start without a slice"),
        ("histogram", {"slice_s": 0.0}, "a slice that is none"),
        ("histogram", {"slice_start_s": 1e12}, "a slice that is none"),
    ],
)
def test_saved_counts_that_cannot_be(
    name: str, cell: dict[str, float | None], reason: str, saved: dict[str, pd.DataFrame]
) -> None:
    frame = saved[name].copy()
    for column, value in cell.items():
        frame.loc[0, column] = pd.NA if value is None else value
    frames = saved | {name: frame}
    with pytest.raises(UsageError, match=f"'{name}' of this version: {reason}"):
        saved_runs(lambda table: frames[table.name], "tables")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" * 100, b"\0" * 1000])
def test_a_saved_table_that_is_none(content: bytes) -> None:
    with pytest.raises(UsageError, match="no saved table 'runs' of this version: "):
        saved_runs(lambda table: frame_from(table, [content]), "tables")


# --- scenarios ---


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("tools = [", "tools = [] # ", "a load generator or several in 'tools', found 'none'"),
        ("[variants]", "[variant]", "variants"),
        ("repeats = ", "repeats = -", "repeats"),
        ("build = ", 'build = "twice" # ', "build"),
        ("baseline = ", 'baseline = "nobody" # ', "baseline"),
        ("question = ", "question = 5 # ", "question"),
        ("title", "headline", "title"),
        ("run_s = ", "run_s = true # ", "run_s"),
    ],
)
def test_declarations(old: str, new: str, error: str, tmp_path: Path) -> None:
    bundled = Path(benchkit.__file__).parent / "scenarios" / "quickstart"
    shutil.copytree(bundled, tmp_path / "mine")
    declaration = tmp_path / "mine" / "scenario.toml"
    text = declaration.read_text("utf-8")
    assert old in text
    declaration.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BenchkitError) as caught:
        read_scenario(tmp_path / "mine")
    assert is_line(str(caught.value), declaration, error)
