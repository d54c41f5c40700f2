"""Commands whose paths are URLs: inputs, outputs, stores; what is refused, and never shown."""

import secrets
import sys
from pathlib import Path

import pytest

from benchkit.stores import Store, store_at
from tests.webserver import WebFile, WebServer

from .conftest import Benchkit

pytest.importorskip("obstore")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture
def store(data: Path) -> Store:
    """A store with results of two variants."""
    made = store_at(f"memory://{secrets.token_hex(4)}/results")
    for variant, file in {"before": "plain", "after": "latency"}.items():
        made.put(f"{variant}/a.txt", (data / "wrk" / f"{file}.txt").read_bytes())
    return made


def test_a_bucket_serves_input_output_and_history(s3: str, data: Path, benchkit: Benchkit) -> None:
    store = store_at(s3)
    for variant, file in {"before": "plain", "after": "latency"}.items():
        store.put(f"results/{variant}/a.txt", (data / "wrk" / f"{file}.txt").read_bytes())
    done = benchkit("compare", f"{s3}/results", "--format", "json")
    assert done.status == 0, done.err
    assert '"baseline": "before", "variant": "after"' in done.out
    done = benchkit("report", f"{s3}/results", "-o", f"{s3}/pages/report.html")
    assert (done.status, done.out) == (0, f"{s3}/pages/report.html\n"), done.err
    assert store.read("pages/report.html").startswith(b"<!doctype html>")
    saved = ("--to", f"{s3}/history", "--commit", "a", "--branch", "main")
    assert benchkit("save", f"{s3}/results", *saved).status == 0
    done = benchkit("show", f"{s3}/history@main")
    assert done.status == 0, done.err


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("report",), "page.html"),
        (("report",), "page.md"),
        (("export", "--table", "runs"), "runs.parquet"),
        (("export", "--table", "quantiles"), "quantiles.csv"),
        (("plot",), "figure.svg"),
        (("compare", "--format", "json"), "verdicts.json"),
    ],
)
def test_what_is_written_to_a_bucket_is_what_is_written_to_a_file(
    command: tuple[str, ...],
    name: str,
    store: Store,
    benchkit: Benchkit,
    tmp_path: Path,
) -> None:
    target = f"{store.address}-out/{name}"
    for output in (tmp_path / name, target):
        done = benchkit(*command, store.address, "-o", output)
        assert done.status == 0, done.err
    written = store_at(f"{store.address}-out").read(name)
    assert written
    assert written == (tmp_path / name).read_bytes()


_CHECKED = {"report": "page.html", "junit": "junit.xml", "markdown": "check.md", "json": "c.json"}


def test_a_check_writes_its_files_to_a_bucket(
    store: Store, benchkit: Benchkit, tmp_path: Path
) -> None:
    out = store_at(f"{store.address}-out")
    for folder in (tmp_path, out.address):
        options = [part for f, name in _CHECKED.items() for part in (f"--{f}", f"{folder}/{name}")]
        assert benchkit("check", store.address, *options).status in {0, 1}
    for option, name in _CHECKED.items():
        if option != "report":  # it shows the command with the names of the files
            assert out.read(name) == (tmp_path / name).read_bytes()
    assert b"<html" in out.read("page.html")
    done = benchkit("check", f"{store.address}/none", "--json", f"{out.address}/c.json")
    assert done.status == 2
    assert b'"troubles"' in out.read("c.json") or b"nothing there" in out.read("c.json")


def test_a_check_writes_over_no_input_in_a_bucket(store: Store, benchkit: Benchkit) -> None:
    target, before = f"{store.address}/after/a.txt", store.read("after/a.txt")
    for given in ([store.address], [store.address, "--variant", "none"]):
        done = benchkit("check", *given, "--junit", target)
        assert done.status == 2
        assert store.read("after/a.txt") == before
    twice = ("--junit", f"{store.address}-out/x", "--json", f"{store.address}-out/x")
    assert "is named for two outputs" in benchkit("check", store.address, *twice).err


def test_nothing_is_written_where_reading_fails(store: Store, benchkit: Benchkit) -> None:
    output = store_at(f"{store.address}-out")
    output.put("page.html", b"old")
    assert benchkit("report", f"{store.address}/none", "-o", f"{output.address}/page.html").status
    assert output.read("page.html") == b"old"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("https://host/page.html?sig=hunter2", "an address of the web can only be read"),
        ("s3://bucket", "it is a folder"),
        ("memory://a/b/", "it is a folder"),
        ("ftp://host/page.html", "no such kind of address"),
        ("s3://me:hunter2@bucket/page.html", "an address with credentials"),
    ],
)
def test_where_nothing_can_be_written_one_line_says_so(
    output: str, words: str, store: Store, benchkit: Benchkit
) -> None:
    done = benchkit("report", store.address, "-o", output)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert "hunter2" not in done.err
    assert done.err.count("\n") == 1


def test_an_input_is_not_written_over(store: Store, benchkit: Benchkit) -> None:
    before = store.read("after/a.txt")
    for name in ("after/a.txt", "after/meta.json", "benchkit.toml"):
        done = benchkit("export", store.address, "--format", "csv", "-o", f"{store.address}/{name}")
        assert done.status == 2
        assert "is one of the inputs" in done.err
    assert store.read("after/a.txt") == before


def test_a_secret_of_an_address_is_in_no_output(
    web: WebServer, data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    """Signatures go by any name; what is shown of an address ends where its query begins."""
    gob = (data / "vegeta" / "ok.gob").read_bytes()
    web.files["/a.gob"] = WebFile(gob, cut=len(gob) // 2, ranges=False)
    web.files["/b.txt"] = WebFile((data / "wrk" / "plain.txt").read_bytes())
    web.files["/c.txt"] = WebFile(status=403)
    query = "?X-Amz-Signature=hunter2&se=hunter2#hunter2"
    paths = [f"{web.address}/{name}{query}" for name in ("a.gob", "b.txt", "c.txt", "d.txt")]
    paths[1] = f"mine={paths[1]}"
    page = tmp_path / "page.html"
    commands = [
        ("show",),
        ("files",),
        ("compare",),
        ("check", "--report", str(page)),
        ("export", "--table", "files", "--show-secrets"),
        ("report", "--format", "markdown", "--show-secrets"),
    ]
    for command in commands:
        done = benchkit(*command, *paths)
        assert done.status == (2 if command[0] == "check" else 0), done.err
        assert "hunter2" not in done.out + done.err
        assert "c.txt: expected a readable file, found 'no permission'" in done.err
    assert "hunter2" not in page.read_text(encoding="utf-8")
    done = benchkit("show", *paths[2:])
    assert done.status == 2
    assert "hunter2" not in done.err


def test_credentials_of_the_environment_are_in_no_error(
    benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "hunter2")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    for arguments in (("show", "s3://bucket/x"), ("history", "s3://bucket/x")):
        done = benchkit(*arguments)
        assert done.status == 2
        assert "nobody who answers there" in done.err
        assert "hunter2" not in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("scheme", ["s3", "gs", "az", "https"])
def test_without_obstore_one_line_says_what_to_install(
    scheme: str, data: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    here, there = data / "wrk" / "plain.txt", f"{scheme}://host/a.txt"
    runs: list[tuple[str | Path, ...]] = [("show", there)]
    runs += [("report", here, "--format", "html", "-o", there)] * (scheme != "https")
    for arguments in runs:
        done = benchkit(*arguments)
        assert done.status == 2
        assert "needs obstore: pip install 'obstore>=0.8'" in done.err
        assert done.err.count("\n") == 1
