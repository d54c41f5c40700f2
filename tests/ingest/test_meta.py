"""`meta.json` beside the results, and the other sources of names."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.ingest.meta import GENERATOR, KEYS, UNIT

#: An object within 100 others.
NESTED: dict[str, Any] = {}
for _ in range(100):
    NESTED = {"a": NESTED}
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def wrk(data: Path) -> Path:
    return data / "wrk" / "latency.txt"


def copy_report(source: Path, path: Path, meta: dict[str, Any] | str | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, path)
    if meta is not None:
        text = meta if isinstance(meta, str) else json.dumps(meta)
        (path.parent / "meta.json").write_text(text, encoding="utf-8")


def test_metadata_names_the_run_and_tells_its_load(wrk: Path, tmp_path: Path) -> None:
    command = "wrk -t2 -c10 --timeout 7s http://127.0.0.1:8080/?token=abc"
    meta = {
        "scenario": "proxy",
        "variant": "nginx",
        "repeat": 3,
        "params": {"sleep_ms": 5, "cpus": 1},
        "command": command,
        "started_at": "2026-01-02T03:04:05+01:00",
        "environment": {"cpu": "any"},
    }
    copy_report(wrk, tmp_path / "wrk.txt", meta)
    (run,) = benchkit.load(tmp_path).runs.to_dict("records")
    assert (run["scenario"], run["variant"], run["repeat"]) == ("proxy", "nginx", 3)
    assert run["label"] == "proxy/nginx/3"
    assert run["params"] == '{"cpus": 1, "sleep_ms": 5}'
    assert run["timeout_s"] == 7.0
    assert run["started_at"].isoformat() == "2026-01-02T02:04:05+00:00"
    assert run["command"] == command.replace("abc", "[redacted]")
    assert run["environment"] == '{"cpu": "any"}'


def test_folders_name_the_run(wrk: Path, tmp_path: Path, data: Path) -> None:
    copy_report(wrk, tmp_path / "proxy" / "nginx" / "1" / "out.txt")
    copy_report(data / "wrk" / "plain.txt", tmp_path / "proxy" / "envoy" / "2" / "out.txt")
    runs = benchkit.load(tmp_path).runs
    assert runs["scenario"].tolist() == ["proxy", "proxy"]
    assert runs["variant"].tolist() == ["envoy", "nginx"]
    assert runs["repeat"].tolist() == [2, 1]
    assert runs["label"].tolist() == ["proxy/envoy/2", "proxy/nginx/1"]


def test_a_label_on_the_command_line_wins(wrk: Path, tmp_path: Path) -> None:
    copy_report(wrk, tmp_path / "a" / "out.txt", {"variant": "other"})
    runs = benchkit.load(f"mine={tmp_path / 'a' / 'out.txt'}").runs
    assert runs["label"].tolist() == ["mine"]
    assert runs["variant"].tolist() == ["mine"]


def test_a_run_without_params_keeps_its_label_beside_one_with(data: Path, tmp_path: Path) -> None:
    plain, copy = tmp_path / "v" / "out.txt", tmp_path / "v+aa" / "out.txt"
    for path, name, params in ((plain, "latency", {}), (copy, "plain", {"aa": True})):
        meta = {"scenario": "s", "variant": "v", "repeat": 1, "params": params}
        copy_report(data / "wrk" / f"{name}.txt", path, meta)
    assert set(benchkit.load(tmp_path).runs["label"]) == {"s/v/1", "s/v/1 · aa"}


def test_an_equals_sign_may_be_part_of_a_path(wrk: Path, tmp_path: Path) -> None:
    copy_report(wrk, tmp_path / "c=10" / "out.txt")
    assert len(benchkit.load(str(tmp_path / "c=10"))) == 1


def test_without_anything_the_path_names_the_run(wrk: Path, tmp_path: Path) -> None:
    copy_report(wrk, tmp_path / "first.txt")
    assert benchkit.load(tmp_path).runs["label"].tolist() == ["first.txt"]


def test_runs_in_one_folder_are_repetitions(data: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("latency.txt", "plain.txt"), 1):
        copy_report(data / "wrk" / name, tmp_path / "s" / "v" / f"{number}.txt")
    runs = benchkit.load(tmp_path).runs
    assert runs["variant"].tolist() == ["v", "v"]
    assert runs["repeat"].tolist() == [1, 2]
    assert runs["label"].is_unique


@pytest.mark.parametrize(
    ("meta", "line"),
    [
        ("{", "expected a JSON object"),
        ("[1]", "expected a JSON object, found 'list'"),
        ({"repeat": "one"}, "'repeat' to be a whole number, at least 1, found '\"one\"'"),
        ('{"repeat": 1e999}', "expected a JSON object, found 'a number out of range, 1e999'"),
        ({"repeat": -7}, "expected 'repeat' to be a whole number, at least 1, found '-7'"),
        ({"repeat": 0}, "expected 'repeat' to be a whole number, at least 1, found '0'"),
        ({"repeat": 1.5}, "expected 'repeat' to be a whole number, at least 1, found '1.5'"),
        ({"pipelining": 1e30}, "expected 'pipelining' to be a whole number, at least 0"),
        ({"threads": -1}, "expected 'threads' to be a whole number, at least 0, found '-1'"),
        (
            {"timeout_s": -0.5},
            "expected 'timeout_s' to be a number, at least 0, below 3,155,760,000, found '-0.5'",
        ),
        (
            {"offered_rate_rps": 1e12},
            "expected 'offered_rate_rps' to be a number, at least 0, below 1,000,000,000,000",
        ),
        ({"params": NESTED}, "expected 'params' to be a JSON object, at most 100 deep, found"),
        ('{"offered_rate_rps": 1' + 39 * "0" + "}", "'offered_rate_rps' to be a number"),
        ('{"params": {"a": NaN}}', "expected a JSON object, found 'NaN, which is not JSON'"),
        ('{"variant": "a", "variant": "b"}', "the key 'variant' twice in one object"),
        ({"started_at": "9999-12-31T23:59:59"}, "an ISO 8601 instant from 1970 to 2261"),
        ({"started_at": "0001-01-01T00:00:00+14:00"}, "an ISO 8601 instant from 1970 to"),
        ({"started_at": "1969-12-31T23:59:59Z"}, "an ISO 8601 instant from 1970 to 2261"),
        ({"keepalive": 1}, "expected 'keepalive' to be true or false"),
        ({"load_model": "half"}, "expected 'load_model' to be open or closed"),
        ({"started_at": "yesterday"}, "expected 'started_at' to be an ISO 8601 instant"),
        ({"params": [1]}, "expected 'params' to be a JSON object"),
    ],
)
def test_broken_metadata_is_told_and_the_run_is_read(
    wrk: Path, tmp_path: Path, meta: dict[str, Any] | str, line: str
) -> None:
    copy_report(wrk, tmp_path / "wrk.txt", meta)
    results = benchkit.load(tmp_path)
    assert len(results) == 1
    skipped = results.files[results.files["state"] == "skipped"]
    assert skipped["source"].str.endswith("meta.json").all()
    assert line in skipped["message"].iloc[0]


def test_broken_metadata_beside_named_files_is_told_once(
    wrk: Path, data: Path, tmp_path: Path
) -> None:
    copy_report(wrk, tmp_path / "a.txt", "{")
    copy_report(data / "wrk" / "plain.txt", tmp_path / "b.txt")
    files = benchkit.load([tmp_path / "a.txt", tmp_path / "b.txt"]).files
    assert files["state"].tolist() == ["read", "skipped", "read"]
    assert "meta.json: expected a JSON object" in files["message"].iloc[1]


def test_metadata_is_read_anew_by_each_call(
    wrk: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        copy_report(wrk, tmp_path / name / "wrk.txt", {"variant": name})
        monkeypatch.chdir(tmp_path / name)
        assert benchkit.load(".").runs["variant"].tolist() == [name]
    copy_report(data / "wrk" / "plain.txt", tmp_path / "two" / "wrk.txt", {"variant": "edited"})
    assert benchkit.load(".").runs["variant"].tolist() == ["edited"]


@pytest.mark.parametrize(
    ("meta", "capped"),
    [
        ({"warm_up_capped": True}, [True]),
        ({"facts": {"warm_up_capped": "yes"}}, [True]),
        ({"facts": {"warm_up_capped": "no"}}, [False]),
        ({"facts": {"warm_up_capped": "yes"}, "warm_up_capped": False}, [False]),
        ({"facts": {"warm_up_capped": ["yes"]}}, []),
        ({"facts": "warm_up_capped"}, []),
        ({}, []),
    ],
)
def test_a_warm_up_that_was_capped_may_be_told_among_the_facts(
    wrk: Path, tmp_path: Path, meta: dict[str, Any], capped: list[bool]
) -> None:
    copy_report(wrk, tmp_path / "wrk.txt", meta)
    assert benchkit.load(tmp_path).runs["warm_up_capped"].dropna().tolist() == capped


def test_the_docs_name_every_key() -> None:
    table = (DOCS / "meta.md").read_text(encoding="utf-8").split("##", maxsplit=1)[0]
    named = {
        key
        for row in table.splitlines()
        if row.startswith("| `")
        for key in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert named == {*KEYS, GENERATOR, UNIT}


@pytest.mark.parametrize("name", ["meta.json", "resources.csv"])
@pytest.mark.parametrize("kind", ["a link to nothing", "a FIFO"])
def test_a_file_of_ours_that_is_none_is_told(
    wrk: Path, tmp_path: Path, name: str, kind: str
) -> None:
    copy_report(wrk, tmp_path / "a" / "1.txt")
    path = tmp_path / "a" / name
    if kind == "a FIFO":
        os.mkfifo(path)
    else:
        path.symlink_to("nowhere")
    loaded = benchkit.load(tmp_path)
    assert loaded.runs["variant"].tolist() == ["a"]
    messages = loaded.files["message"].dropna()
    assert messages.str.contains(
        f"{name}: expected a regular file, found '{kind}'", regex=False
    ).any()


def test_a_command_that_asks_for_what_no_run_has_sets_nothing(wrk: Path, tmp_path: Path) -> None:
    command = "wrk2 -t1 -c1 -d1s -R999999999999999 http://h/"
    copy_report(wrk, tmp_path / "a" / "1.txt", {"command": command})
    benchkit.load(tmp_path).ingest(tmp_path / "set")
    assert benchkit.load(tmp_path / "set").runs["offered_rate_rps"].isna().all()
