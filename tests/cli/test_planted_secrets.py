"""Hundreds of secrets, planted wherever a text can stand: no output shows any of them."""

import base64
import csv
import io
import json
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from benchkit.schema import TABLES

from .conftest import Benchkit

HERE = Path(__file__).parents[1]
PLANTED: list[Any] = run_path(str(HERE / "redaction" / "catalogue.py"))["planted"]()
GOB = run_path(str(HERE / "parsers" / "test_vegeta_gob.py"))
TEXTS = [each.text for each in PLANTED]
COMMANDS = [each.text for each in PLANTED if each.kind == "command"]
URLS = [each.text for each in PLANTED if each.kind == "url"]
PATHS = [each.text for each in PLANTED if each.kind == "path"]
CALLS = [text for text in COMMANDS if re.match(r"(?:wrk|ab|vegeta|autocannon|hey) ", text)]
START = 1_795_174_806_000_000_000


def csv_rows(texts: Sequence[str]) -> str:
    """vegeta's CSV: each text once as a URL, once as an error."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for at, text in enumerate(texts):
        header = base64.b64encode(f"Set-Cookie: {text}\r\n\r\n".encode()).decode()
        for code, error, url in ((200, "", text), (0, text, "http://h/")):
            seq = 2 * at + (code == 0)
            row = (START + seq * 10**6, code, 10**6 + seq, 0, 2, error, "YQ==", "", seq, "GET")
            writer.writerow((*row, url, header))
    return out.getvalue()


def json_rows(texts: Sequence[str]) -> str:
    return "".join(
        json.dumps(
            {
                "attack": "",
                "seq": at,
                "code": 0 if at % 2 else 200,
                "timestamp": f"2026-11-20T11:40:{at % 60:02}.{at:06}Z",
                "latency": 2_000_000 + at,
                "bytes_out": 0,
                "bytes_in": 0,
                "error": text if at % 2 else "",
                "body": "",
                "method": "GET",
                "url": text,
                "headers": {"Cookie": [text]},
            }
        )
        + "\n"
        for at, text in enumerate(texts)
    )


def gob(texts: Sequence[str]) -> bytes:
    twelve, text = GOB["TWELVE"], GOB["text"]
    records = [
        GOB["result"](
            twelve,
            first=64,
            Attack=text(b"a"),
            Seq=GOB["uint"](at),
            Code=GOB["uint"](0 if at % 2 else 200),
            Timestamp=GOB["instant"](START + at * 10**6),
            Latency=GOB["sint"](3_000_000 + at),
            Error=text(planted.encode() if at % 2 else b""),
            Method=text(b"GET"),
            URL=text(planted.encode()),
        )
        for at, planted in enumerate(texts)
    ]
    return bytes(GOB["definitions"](twelve, first=64)) + b"".join(records)


def page(data: Path) -> str:
    """A page with commands, each above the report that it printed."""
    report = (data / "wrk" / "latency.txt").read_text("utf-8")
    parts = ["# A page\n"]
    for at, call in enumerate(CALLS):
        own = report.replace("Requests/sec:  6", f"Requests/sec:  {at + 11}")
        parts += [f"## {TEXTS[at]}\n", f"```\n$ {call}\n{own}```\n"]
    return "\n".join(parts)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    top = tmp_path_factory.mktemp("planted")
    report = (data / "wrk" / "plain.txt").read_text("utf-8")
    for at in range(0, len(TEXTS), 60):
        part = TEXTS[at : at + 60]
        folder = top / "by-meta" / str(at)
        folder.mkdir(parents=True)
        own = report.replace("Requests/sec:  ", f"Requests/sec:  {at + 1}")
        (folder / "run.txt").write_text(own, encoding="utf-8")
        meta = {
            "scenario": part[0],
            "variant": part[1],
            "label": part[2],
            "server": part[3],
            "command": part[4],
            "url": part[5],
            "baseline": part[1],
            "tool_version": part[6],
            "params": {f"p{n}": text for n, text in enumerate(part[:8])},
            "environment": {f"e{n}": text for n, text in enumerate(part)},
            "commands": [{"name": text, "command": text} for text in part],
            "before": {"texts": part},
        }
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        with (folder / "resources.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("elapsed_s", "process", "cpu_ratio", "rss_bytes"))
            writer.writerows((1, text, 0.5, 1000) for text in part)
    for at, name in enumerate(PATHS):
        folder = top / "by-name" / name / "x"
        folder.mkdir(parents=True)
        own = report.replace("Requests/sec:  ", f"Requests/sec:  9{at}")
        (folder / name).write_text(own, encoding="utf-8")
        (folder / f"{name}-broken.txt").write_text("Running 1s test @ http://h/\n  2 threads and")
    tools = top / "by-tool"
    tools.mkdir()
    (tools / "attack.csv").write_text(csv_rows(TEXTS), encoding="utf-8")
    (tools / "attack.json").write_text(json_rows(TEXTS), encoding="utf-8")
    (tools / "attack.bin").write_bytes(gob(TEXTS))
    (tools / "page.md").write_text(page(data), encoding="utf-8")
    cannon = json.loads((data / "autocannon" / "secrets.json").read_text("utf-8"))
    for at, url in enumerate(URLS[:12]):
        changed = cannon | {
            "url": url,
            "title": url,
            "2xx": 30_000 + at,
            "headers": {"Cookie": url},
        }
        (tools / f"cannon-{at}.json").write_text(json.dumps(changed), encoding="utf-8")
    ab = (data / "ab" / "secrets.txt").read_text("utf-8")
    for at, url in enumerate(each for each in URLS if each.startswith("/")):
        own = ab.replace("/cookie?token=fixture-token", url).replace("16700", f"1670{at}")
        own = own.replace("Server Software:        ", f"Server Software:        {TEXTS[at]}")
        (tools / f"ab-{at}.txt").write_text(own, encoding="utf-8")
    return top


OUTPUTS = [
    *(["show", "--format", form] for form in ("table", "markdown", "csv", "json")),
    *(["compare", "--format", form] for form in ("table", "markdown", "csv", "json")),
    *(["check", "--format", form] for form in ("table", "markdown", "json")),
    *(["files", "--format", form] for form in ("table", "markdown", "csv", "json")),
    ["report", "-o", "OUT/report.html"],
    ["report", "--format", "markdown"],
    ["plot", "-o", "OUT/plot.svg", "--kind", "throughput"],
    ["plot", "-o", "OUT/plot.html", "--kind", "percentiles"],
    ["plot", "-o", "OUT/plot.svg", "--kind", "endpoints"],
    ["plot", "-o", "OUT/plot.html", "--kind", "runs"],
    *(["export", "--table", name, "--format", "json"] for name in TABLES),
    *(["export", "--table", name, "--format", "csv"] for name in ("runs", "requests", "errors")),
    *(["export", "--table", name, "-o", "OUT/t.parquet"] for name in ("runs", "requests", "files")),
]


def leaks(*shown: bytes) -> list[str]:
    text = b"\n".join(shown).decode("utf-8", "replace")
    return [each.text for each in PLANTED if each.secret in text]


def files_of(folder: Path) -> bytes:
    parts = []
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        if path.suffix == ".parquet":
            import pandas as pd

            content = pd.read_parquet(path).to_csv().encode()
        parts.append(content)
    return b"\n".join(parts)


def test_there_are_hundreds_of_them() -> None:
    assert len({each.secret for each in PLANTED}) == len(PLANTED) >= 300


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_no_output_shows_any_of_them(
    arguments: list[str], results: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    command = [word.replace("OUT", str(tmp_path)) for word in arguments]
    done = benchkit(command[0], results, *command[1:])
    assert done.status in {0, 1} if command[0] == "check" else done.status == 0, done.err[-300:]
    assert leaks(done.raw, done.err.encode(), files_of(tmp_path)) == []


def test_no_error_line_shows_any_of_them(benchkit: Benchkit, tmp_path: Path, data: Path) -> None:
    file = data / "wrk" / "plain.txt"
    lines = []
    for at, each in enumerate(PLANTED):
        commands = (
            ["show", file, "--baseline", each.text],
            ["show", each.text],
            ["show", file, f"--variant={each.text}"],
            ["export", file, f"--table={each.text}"],
            ["show", file, f"--names={each.text}"],
            ["report", file, "-o", f"{tmp_path}/no/{each.text}"],
        )
        done = benchkit(*commands[at % len(commands)])
        assert done.status in {0, 2}, done.err
        lines += [done.raw, done.err.encode()]
    assert leaks(*lines) == []


def test_record_writes_none_of_them_unless_asked(tmp_path: Path) -> None:
    def recorded(name: str, *options: str) -> Path:
        folder = tmp_path / name
        program = (sys.executable, "-m", "benchkit", "record")
        command = [*program, "-q", "-o", str(folder), *options]
        labels = f"--label={' | '.join(TEXTS[:40])}"
        done = subprocess.run(
            [*command, labels, "--", "true", *TEXTS], capture_output=True, check=False
        )
        assert done.returncode == 0
        return folder

    folder = recorded("redacted")
    assert leaks(files_of(folder)) == []
    assert "[redacted]" in (folder / "meta.json").read_text("utf-8")
    kept = recorded("kept", "--keep-secrets")
    assert len(leaks(files_of(kept))) == len(PLANTED)
    assert stat.S_IMODE((kept / "meta.json").stat().st_mode) == 0o600
