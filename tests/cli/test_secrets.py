"""No output shows a secret, whichever way it came in, unless it is asked for."""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import benchkit as library
from benchkit.model.tables import STORED
from benchkit.schema import TABLES

from .conftest import Benchkit

SECRET = "hunter2"  # noqa: S105 - it is made up, to be looked for


@pytest.fixture
def planted(data: Path, tmp_path: Path) -> Path:
    """Results with secrets in every place that strings come from."""
    top = tmp_path / "planted"
    by_meta = top / f"token={SECRET}" / "a"
    by_meta.mkdir(parents=True)
    (by_meta / "run.txt").write_bytes((data / "wrk" / "latency.txt").read_bytes())
    meta = {
        "scenario": f"/?api_key={SECRET}",
        "variant": f"Cookie: {SECRET}",
        "label": f"http://u:{SECRET}@h/",
        "params": {"password": SECRET, "run": f"wrk -H 'Authorization: Bearer {SECRET}'"},
        "command": f"wrk -t1 -c10 -d1s -H 'Authorization: Bearer {SECRET}' http://u:{SECRET}@h/",
        "url": f"http://u:{SECRET}@h/?token={SECRET}",
    }
    (by_meta / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    by_name = top / "s" / f"password={SECRET}"
    by_name.mkdir(parents=True)
    for number, name in enumerate(("latency.txt", "plain.txt")):
        shutil.copy(data / "wrk" / name, by_name / f"key={SECRET}-{number}.txt")
    vegeta = (data / "vegeta" / "errors.csv").read_bytes()
    for anchor in (b"refused", b"ok", b"drop?every=1"):
        vegeta = vegeta.replace(b"8999/" + anchor, b"8999/?token=" + SECRET.encode())
        vegeta = vegeta.replace(b"http://127", b"http://u:" + SECRET.encode() + b"@127")
    (by_name / "attack.csv.gz").write_bytes(gzip.compress(vegeta, mtime=0))
    refused = (data / "ab" / "refused.txt").read_bytes()
    (top / f"token={SECRET}.txt").write_bytes(refused)
    return top


PAGE = """# The server with token={secret}

## http://u:{secret}@h/ under load

    $ wrk -t1 -c10 -d1s --latency -H "X-Api-Key: {secret}" "http://h/?password={secret}"
{report}

## Cookie: sid={secret}

    $ wrk -t1 -c10 -d1s --latency -H "Cookie: {secret}" "http://h/?key={secret}"
{other}
"""


@pytest.fixture
def page(data: Path, tmp_path: Path) -> Path:
    def quoted(name: str) -> str:
        text = (data / "wrk" / name).read_text("utf-8").replace("http://", f"http://u:{SECRET}@")
        return "".join(f"    {line}\n" for line in text.splitlines())

    path = tmp_path / "page.md"
    plain = (data / "wrk" / "stalled.txt").read_bytes()
    (tmp_path / "labelled.md").write_bytes(plain)
    text = PAGE.format(secret=SECRET, report=quoted("latency.txt"), other=quoted("slow-some.txt"))
    path.write_text(text, encoding="utf-8")
    return path


OUTPUTS = [
    *(["show", "--format", form] for form in ("table", "markdown", "csv", "json")),
    ["report", "-o", "OUT/report.html"],
    *(["export", "--table", name, "--format", "json"] for name in TABLES),
    *(["export", "--table", name, "--format", "csv"] for name in TABLES),
    *(["export", "--table", name, "--format", "parquet", "-o", "OUT/t.parquet"] for name in TABLES),
    ["plot", "-o", "OUT/plot.svg"],
    ["plot", "-o", "OUT/plot.html"],
    ["plot", "-o", "OUT/plot.pdf", "--kind", "throughput"],
    ["plot", "-o", "OUT/plot.html", "--kind", "throughput"],
    ["plot", "-o", "OUT/plot.html", "--kind", "ecdf"],
]
#: The other tables hold no string that an input can shape, or that these inputs shape.
_TEXTS = {"runs", "errors", "requests", "files"}


def everything(done_out: bytes, err: str, folder: Path) -> str:
    parts = [done_out, err.encode()]
    for path in sorted(folder.glob("*.*")):
        content = path.read_bytes()
        if path.suffix == ".parquet":
            import pandas as pd

            content = pd.read_parquet(path).to_csv().encode()
        parts.append(content)
        path.unlink()
    return b"\n".join(parts).decode("utf-8", "replace")


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_no_output_shows_a_secret_unless_asked(
    arguments: list[str], *, planted: Path, page: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    command = [word.replace("OUT", str(folder)) for word in arguments]
    command += [str(planted), str(page), f"http://u:{SECRET}@h/={page.parent / 'labelled.md'}"]
    done = benchkit(*command)
    assert done.status == 0, done.err
    shown = everything(done.raw, done.err, folder)
    assert SECRET not in shown
    message = benchkit(*command, "--show-secrets")
    assert message.status == 0, message.err
    assert SECRET in message.err
    without = "OUT/plot.pdf" in arguments or ("--table" in arguments and arguments[2] not in _TEXTS)
    if not without:
        assert SECRET in everything(message.raw, "", folder)


def test_a_save_with_secrets_shows_none_of_them_unless_asked(
    planted: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    store = str(tmp_path / "store")
    named = ("--to", store, "--commit", "c1", "--branch", "main")
    assert benchkit("save", planted, *named, "--show-secrets").status == 0
    page = str(tmp_path / "page.html")
    for command in (
        ["show", f"{store}@main"],
        ["export", f"{store}@main", "--format", "json"],
        ["report", f"{store}@main", "-o", page],
        ["check", f"{store}@main", "--format", "json"],
        ["check", str(planted / "s"), "--baseline", f"{store}@main", "--format", "json"],
        ["history", store, "--branch", "main", "--format", "json"],
    ):
        done = benchkit(*command)
        assert done.status in {0, 1}, done.err
        assert SECRET not in everything(done.raw, done.err, tmp_path), command
    shown = benchkit("export", f"{store}@main", "--format", "json", "--show-secrets")
    assert SECRET in shown.out


NAMES = (f"token={SECRET}", f"password: {SECRET}", f"http://u:{SECRET}@h/")


@pytest.mark.parametrize("option", [[], ["--show-secrets"]], ids=["redacted", "shown"])
def test_the_names_of_a_save_are_redacted(
    option: list[str], data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    store, (branch, label, commit) = tmp_path / "store", NAMES
    given = ("--branch", branch, "--label", label, "--commit", commit)
    results = str(data / "wrk" / "plain.txt")
    saved = benchkit("save", results, "--to", str(store), *given, *option)
    assert saved.status == 0, saved.err
    (manifest,) = (store / "manifests").iterdir()
    for text in (saved.out + saved.err, manifest.read_text("utf-8")):
        assert (SECRET in text) == bool(option)
    for command in (
        *(["history", str(store), "--format", form] for form in ("text", "json", "html")),
        *(["history", str(store), "--branch", name] for name in (branch, "token=[redacted]")),
        *(["show", f"{store}@{name}"] for name in (branch, label, "token=[redacted]")),
        ["check", results, "--baseline", f"{store}@{branch}", "--format", "json"],
        ["compact", str(store)],
    ):
        done = benchkit(*command)
        assert done.status in {0, 1}, (command, done.err)
        assert SECRET not in done.out + done.err, command
    refused = benchkit("history", str(store), "--branch", f"token={SECRET}x")
    assert SECRET not in refused.out + refused.err


def test_the_names_of_a_save_that_are_no_secrets_stay(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    store = tmp_path / "store"
    given = ("--branch", "fix/token-bucket", "--label", "pass-through: on", "--commit", "abcdef12")
    saved = benchkit("save", str(data / "wrk" / "plain.txt"), "--to", str(store), *given)
    assert "abcdef12 on fix/token-bucket" in saved.out
    (manifest,) = (store / "manifests").iterdir()
    assert "pass-through: on" in manifest.read_text("utf-8")


def test_a_save_without_secrets_is_read_as_it_was_saved(
    planted: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    store = str(tmp_path / "store")
    assert (
        benchkit("save", planted, "--to", store, "--commit", "c1", "--branch", "main").status == 0
    )
    saved, kept = (
        benchkit("export", f"{store}@main", "--format", "csv", *option)
        for option in ([], ["--show-secrets"])
    )
    assert saved.out == kept.out


#: Where a harness writes down what it was called with, in the ways of several languages.
CALLED = {
    "environment": {
        "argv": ["wrk", "--token", SECRET],
        "headers": [{"name": "X-Api-Key", "value": SECRET}],
        "pairs": [["Authorization", SECRET]],
        "make": f"TOKEN := {SECRET}",
        "login": f"user: me, pass: {SECRET}",
    },
    "params": {"headers": f"[('Authorization', '{SECRET}')]"},
    "command": f"wget --http-password \\\n  {SECRET} http://h/",
    "url": f"http://h/?%74oken={SECRET}&f=%7B%22password%22%3A%22{SECRET}%22%7D",
}


@pytest.mark.parametrize(
    "arguments",
    [["show"], ["export", "--format", "json"], ["report", "-o", "OUT/a.html"]],
    ids=" ".join,
)
def test_no_output_shows_a_secret_that_a_harness_was_called_with(
    arguments: list[str], *, data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    shutil.copy(data / "wrk" / "plain.txt", run / "out.txt")
    (run / "meta.json").write_text(json.dumps(CALLED), encoding="utf-8")
    command, *options = (word.replace("OUT", str(tmp_path)) for word in arguments)
    done = benchkit(command, run, *options)
    assert done.status == 0, done.err
    assert SECRET not in everything(done.raw, done.err, tmp_path)


def test_no_error_line_shows_a_secret(data: Path, benchkit: Benchkit) -> None:
    missing = f"http://u:{SECRET}@h/missing.txt"
    for arguments in (
        ["show", missing],
        ["show", str(data / "wrk" / "plain.txt"), "--baseline", f"http://u:{SECRET}@h/"],
        ["export", "--table", f"token={SECRET}"],
    ):
        done = benchkit(*arguments)
        assert done.status == 2
        assert SECRET not in done.err
        assert "[redacted]" in done.err
        shown = benchkit(*arguments, "--show-secrets").err
        assert (SECRET in shown) == (missing not in arguments)  # of an address it never is


@pytest.mark.parametrize("name", ["token.json", "auth key.txt", "cookie.log", "secret.bin.gz"])
def test_an_error_line_stays_whole_where_a_file_is_named_like_a_secret(
    name: str, tmp_path: Path, benchkit: Benchkit
) -> None:
    path = tmp_path / name
    path.write_text("token: hunter2", encoding="utf-8")
    err = benchkit("show", path).err
    assert err.startswith(f"benchkit: {path.as_posix()}: expected an output of ab, ")


def test_no_repr_shows_a_secret(planted: Path, page: Path) -> None:
    results = library.load([planted, page])
    assert SECRET not in repr(results)
    assert SECRET not in results._repr_html_()
    assert SECRET not in "".join(getattr(results, name).to_csv() for name in STORED)
    assert SECRET not in results.requests().to_csv()


@pytest.mark.parametrize(
    "file", ["ab/secrets.txt", "vegeta/secrets.gob", "autocannon/secrets.json"]
)
@pytest.mark.parametrize("table", ["runs", "figures", "errors", "histogram", "files"])
def test_recorded_secrets_stay_in_their_files(
    file: str, table: str, data: Path, benchkit: Benchkit
) -> None:
    done = benchkit("export", data / file, "--table", table, "--format", "json")
    assert done.status == 0
    assert "fixture-" not in done.out


def test_progress_on_a_terminal_shows_no_secret(planted: Path) -> None:
    pytest.importorskip("pty")
    code = (
        "import os, pty, sys\n"
        "status = pty.spawn([sys.executable, '-m', 'benchkit', 'show', sys.argv[1]])\n"
        "sys.exit(os.waitstatus_to_exitcode(status))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, planted],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert b"reading" in done.stdout
    assert SECRET.encode() not in done.stdout
