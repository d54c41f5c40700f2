"""`--strict` ends with 2 where anything was lost, and only there."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file

from .conftest import Benchkit

Files = Mapping[str, bytes]

TSUNG: Final = b"""\
# stats: dump at 1700000000
stats: users 1 1
"""

#: A report of wrk, beside which other files are laid.
GOOD: Final = "good.txt"
ROW: Final = b"1700000000000000000,200,5000000,0,9,,,a,0,GET,http://h/,\n"


def rows(*changes: tuple[bytes, bytes]) -> bytes:
    """Two good rows of vegeta's, and one with changes."""
    last = ROW.replace(b",a,0", b",a,2")
    for old, new in changes:
        assert old in last
        last = last.replace(old, new)
    return ROW + ROW.replace(b",a,0", b",a,1") + last


def zipped(path: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.write(path, path.name)
    return out.getvalue()


def archived(path: Path) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as packed:
        packed.add(path, path.name)
    return out.getvalue()


def line_without(text: bytes, word: bytes) -> bytes:
    return b"".join(line for line in text.splitlines(keepends=True) if word not in line)


#: Files of which all is read that is in them, made of fixtures by their names.
WHOLE: Final[Mapping[str, Callable[[Path], Files]]] = {
    "a report": lambda data: {"a.txt": (data / "ab/few.txt").read_bytes()},
    "a report without its begin": lambda data: {
        "a.txt": (data / "ab/few.txt").read_bytes().partition(b"Server Software")[2]
    },
    "a report of errors": lambda data: {"a.txt": (data / "vegeta/refused.report.txt").read_bytes()},
    "rows": lambda _: {"a.csv": rows()},
    "rows, one number twice": lambda _: {"a.csv": rows((b",a,2", b",a,1"))},
    "rows, one number missing": lambda _: {"a.csv": rows((b",a,2", b",a,7"))},
    "gob": lambda data: {"a.gob": (data / "vegeta/ok.gob").read_bytes()},
    "gzip": lambda _: {"a.csv.gz": gzip.compress(rows())},
    "a document, which is a zip file": lambda data: {"a.xlsx": zipped(data / "ab/few.txt")},
    "percentiles": lambda data: {"a.csv": (data / "ab/few.csv").read_bytes()},
    "percentiles of one request": lambda data: {"a.csv": (data / "ab/slow-all.csv").read_bytes()},
    "a row per request": lambda data: {"a.tsv": (data / "ab/few.tsv").read_bytes()},
    "autocannon's table": lambda data: {"a.txt": (data / "autocannon/same-run.txt").read_bytes()},
    "autocannon's table of latencies": lambda data: {
        "a.txt": (data / "autocannon/latency-table.txt").read_bytes()
    },
    "autocannon's summary alone": lambda data: {
        "a.txt": (data / "autocannon/no-verbose.txt").read_bytes()
    },
    "autocannon's JSON": lambda data: {"a.json": (data / "autocannon/plain.json").read_bytes()},
    "autocannon, refused": lambda data: {"a.json": (data / "autocannon/refused.json").read_bytes()},
    "autocannon, slower than its timeout": lambda data: {
        "a.json": (data / "autocannon/stalled.json").read_bytes()
    },
    "autocannon's JSON lines": lambda data: {
        "a.jsonl": (data / "autocannon/runs.jsonl").read_bytes()
    },
    "autocannon's responses": lambda data: {
        "a.csv": (data / "autocannon/responses.csv").read_bytes()
    },
    "the same twice": lambda data: dict.fromkeys(
        ("a.txt", "b.txt"), (data / "wrk/latency.txt").read_bytes()
    ),
    "a log beside": lambda _: {"server.log": b"listening\n" * 9},
    "keys of others in meta.json": lambda _: {"meta.json": b'{"colour": "red"}'},
    "samples": lambda _: {"resources.csv": b"elapsed_s,process,rss_bytes\n0.5,server,125\n"},
}


def autocannon(data: Path, **changes: object) -> bytes:
    content = json.loads((data / "autocannon/plain.json").read_bytes())
    return json.dumps({k: v for k, v in (content | changes).items() if v is not None}).encode()


#: Files of which something is lost.
LOST: Final[Mapping[str, Callable[[Path], Files]]] = {
    "a report, cut": lambda data: {"a.txt": (data / "ab/few.txt").read_bytes()[:-60]},
    "a report, cut in its middle": lambda data: {
        "a.txt": (data / "ab/few.txt").read_bytes().partition(b"Connection Times")[0]
    },
    "the second report, cut": lambda data: {
        "a.txt": (data / "ab/few.txt").read_bytes() * 2 + (data / "ab/few.txt").read_bytes()[:700]
    },
    "rows, the last cut": lambda _: {"a.csv": rows()[:-20]},
    "rows, the last without an end": lambda _: {"a.csv": rows()[:-1]},
    "rows, one that is none": lambda _: {"a.csv": rows((b"GET", b"GET\nno row\n"))},
    "rows, a time before 1970": lambda _: {"a.csv": rows((b"1700000000000000000", b"-1"))},
    "rows, without a time": lambda _: {"a.csv": rows((b"1700000000000000000", b"0"))},
    "rows, a time beyond 2262": lambda _: {
        "a.csv": rows((b"1700000000000000000", b"9223372036854775807"))
    },
    "rows, a status that is none": lambda _: {"a.csv": rows((b",200,", b",20000,"))},
    "rows, a latency below 0": lambda _: {"a.csv": rows((b",5000000,", b",-1,"))},
    "gob, cut": lambda data: {"a.gob": (data / "vegeta/ok.gob").read_bytes()[:-3]},
    "gzip, and a report behind it": lambda data: {
        "a.gz": gzip.compress((data / "ab/few.txt").read_bytes())
        + (data / "ab/refused.txt").read_bytes()
    },
    "gzip, cut before anything": lambda data: {
        "a.gz": gzip.compress((data / "ab/few.txt").read_bytes())[:40]
    },
    "gzip within gzip": lambda data: {
        "a.gz": gzip.compress(gzip.compress((data / "ab/few.txt").read_bytes()))
    },
    "zip": lambda data: {"a.zip": zipped(data / "ab/few.txt")},
    "tar within gzip": lambda data: {"a.tgz": archived(data / "ab/few.txt")},
    "gzip, cut": lambda _: {"a.csv.gz": gzip.compress(rows() * 50)[:-9]},
    "percentiles, cut": lambda data: {"a.csv": (data / "ab/few.csv").read_bytes()[:-9]},
    "percentiles, one gone": lambda data: {
        "a.csv": line_without((data / "ab/few.csv").read_bytes(), b"\n49,"[1:])
    },
    "a row per request, cut": lambda data: {"a.tsv": (data / "ab/few.tsv").read_bytes()[:-9]},
    "autocannon's table, cut": lambda data: {
        "a.txt": (data / "autocannon/same-run.txt").read_bytes()[:-9]
    },
    "autocannon's table, cut in a row": lambda data: {
        "a.txt": (data / "autocannon/same-run.txt").read_bytes().partition(b"Bytes/Sec")[0]
    },
    "autocannon's table of latencies, cut": lambda data: {
        "a.txt": (data / "autocannon/latency-table.txt").read_bytes()[:-3]
    },
    "autocannon's summary alone, cut": lambda data: {
        "a.txt": (data / "autocannon/no-verbose.txt").read_bytes()[:-3]
    },
    "autocannon's JSON, cut": lambda data: {
        "a.json": (data / "autocannon/plain.json").read_bytes()[:-3]
    },
    "autocannon's JSON lines, the last cut": lambda data: {
        "a.jsonl": (data / "autocannon/runs.jsonl").read_bytes()[:-3]
    },
    "autocannon's responses, cut": lambda data: {
        "a.csv": (data / "autocannon/responses.csv").read_bytes()[:-3]
    },
    "autocannon's responses, one that is none": lambda data: {
        "a.csv": (data / "autocannon/responses.csv").read_bytes() + b"x,y\n"
    },
    "autocannon, no latency": lambda data: {"a.json": autocannon(data, latency=None)},
    "autocannon, no number": lambda data: {"a.json": autocannon(data, errors=float("nan"))},
    "autocannon, more timeouts than errors": lambda data: {
        "a.json": autocannon(data, errors=1, timeouts=2)
    },
    "autocannon, a status that is none": lambda data: {
        "a.json": autocannon(data, statusCodeStats={"9999": {"count": 1}})
    },
    "an output of another tool": lambda _: {"a.txt": TSUNG},
    "meta.json, cut": lambda _: {"meta.json": b'{"variant": "a'},
    "meta.json, no number": lambda _: {"meta.json": b'{"connections": "many"}'},
    "samples, no number": lambda _: {"resources.csv": b"elapsed_s,process,rss_bytes\n1,server,x\n"},
}


def laid(files: Files, data: Path, folder: Path) -> Path:
    (folder / "run").mkdir()
    (folder / "run" / GOOD).write_bytes((data / "wrk" / "plain.txt").read_bytes())
    for name, content in files.items():
        (folder / "run" / name).write_bytes(content)
    return folder / "run"


@pytest.mark.parametrize("case", WHOLE)
def test_0_where_nothing_was_lost(
    case: str, data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    done = benchkit("files", laid(WHOLE[case](data), data, tmp_path), "--strict")
    assert (done.status, re.findall(r"skipped|recovered", done.err)) == (0, [])


@pytest.mark.parametrize("case", LOST)
def test_2_where_anything_was(case: str, data: Path, tmp_path: Path, benchkit: Benchkit) -> None:
    done = benchkit("files", laid(LOST[case](data), data, tmp_path), "--strict")
    assert done.status == 2
    assert re.search(r"^benchkit: --strict: 1 (skipped|recovered)$", done.err, re.MULTILINE)


def test_2_where_something_was_lost_when_it_was_saved(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    store = str(tmp_path / "store")
    named = ("--to", store, "--branch", "main", "--commit")
    folder = laid(LOST["gzip, cut"](data), data, tmp_path)
    assert benchkit("save", folder / GOOD, *named, "c1").status == 0
    assert benchkit("show", f"{store}@c1", "--strict").status == 0
    assert benchkit("save", folder, *named, "c2").status == 0
    done = benchkit("show", f"{store}@c2", "--strict")
    assert done.status == 2
    assert (
        f"recovered {store}@c2: 1\N{NO-BREAK SPACE}file skipped or damaged when saved" in done.err
    )
    assert benchkit("show", f"{store}@c2").status == 0


def test_what_lies_behind_the_bound_of_a_text_is_lost(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = data / "wrk" / "plain.txt"
    monkeypatch.setattr(sys.modules[read_file.__module__], "_MAX_TEXT", path.stat().st_size - 1)
    message = read_file(Input(str(path), path.name, path.name)).message
    assert message is not None
    assert message.endswith("all behind its first 0 MB is not looked at")


def test_reports_of_a_text_beyond_the_bound_are_lost(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("benchkit.parsers._grammar", "benchkit.text"):
        monkeypatch.setattr(f"{module}.MOST_REPORTS", 1)
    path = tmp_path / "two.txt"
    path.write_text((data / "vegeta" / "ok.report.txt").read_text() * 2)
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 1
    assert outcome.message is not None
    assert "of one text 1 reports are read; below line" in outcome.message


def test_reports_beyond_the_bound_are_lost_whatever_tools_printed_them(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("benchkit.parsers._grammar", "benchkit.text", read_file.__module__):
        monkeypatch.setattr(sys.modules[module], "MOST_REPORTS", 3)
    path = tmp_path / "both.md"
    names = ("wrk/plain.txt", "ab/all-503.txt", "wrk/plain.txt", "ab/all-503.txt")
    path.write_text("\n\n".join((data / name).read_text("utf-8") for name in names), "utf-8")
    outcome = read_file(Input(str(path), path.name, path.name))
    assert [run.parser.tool for run in outcome.runs] == ["wrk", "ab", "wrk"]
    last = outcome.runs[-1].record.lines
    assert last is not None
    assert str(outcome.message).endswith(
        f"of one text 3 reports are read; below line {last[1] + 1} are more"
    )


@pytest.mark.parametrize("depth", [17, 3000])
def test_what_is_nested_too_deep_is_told(depth: int, tmp_path: Path, benchkit: Benchkit) -> None:
    path = tmp_path / "deep.json"
    path.write_text('{"a":\n' + '{"a":' * (depth - 1) + "1" + "}" * depth, encoding="utf-8")
    done = benchkit("show", path)
    assert done.status == 2
    assert "deep.json, line 2: expected an output of ab" in done.err
    assert f"found 'JSON that is nested {depth:,} deep'" in done.err
