"""What lies in a bucket, on the web or in memory is read as the same files on disk are."""

import gzip
import json
import secrets
import shutil
from pathlib import Path

import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from benchkit.errors import NothingToReportError, UsageError
from benchkit.ingest.packing import packed
from benchkit.ingest.paths import Input, find_inputs
from benchkit.ingest.read import read_file
from benchkit.schema import TABLES
from benchkit.stores import Store, store_at
from benchkit.stores.objects import Objects
from benchkit.stores.store import ForbiddenError
from tests.webserver import WebFile, WebServer

pytest.importorskip("obstore")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def fill(store: Store, folder: Path) -> str:
    """Put all files of a folder into a store; return its address."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            store.put(path.relative_to(folder).as_posix(), path.read_bytes())
    return store.address


def memory() -> Store:
    return store_at(f"memory://{secrets.token_hex(4)}/results")


def tables(results: Results, here: str) -> dict[str, pd.DataFrame]:
    """All tables, the address of what was read left out of their texts."""

    def plain(column: pd.Series) -> pd.Series:
        texts = isinstance(column.dtype, pd.StringDtype)
        return column.str.replace(here, "HERE", regex=False) if texts else column

    names = [name for name in TABLES if name != "requests"]
    return {name: results.table(name).apply(plain) for name in names}


def assert_same(address: str, folder: Path) -> None:
    there, here = benchkit.load(address), benchkit.load(folder)
    mine, theirs = tables(here, folder.as_posix()), tables(there, address)
    for name, table in mine.items():
        pd.testing.assert_frame_equal(table, theirs[name], obj=name)
    assert there.naming == here.naming


@pytest.fixture
def tree(data: Path, tmp_path: Path) -> Path:
    """A folder of results with all that a folder may have beside and among them."""
    top = tmp_path / "results"
    for number, name in enumerate(["plain", "latency", "plain"], 1):
        folder = top / "wrk" / f"c{number}=5" / "a b%20ü#?"
        folder.mkdir(parents=True)
        shutil.copy(data / "wrk" / f"{name}.txt", folder / "out [1].txt")
        described = {"variant": f"v{number}", "repeat": number}
        (folder / "meta.json").write_text(json.dumps(described), encoding="utf-8")
        rows = "elapsed_s,process,cpu_ratio\n0.5,server,0.25\n"
        (folder / "resources.csv").write_text(rows, encoding="utf-8")
    (top / "ab").mkdir()
    (top / "ab" / "few.txt.gz").write_bytes(gzip.compress((data / "ab" / "few.txt").read_bytes()))
    (top / "run-10.gob").write_bytes((data / "vegeta" / "ok.gob").read_bytes())
    (top / "run-9.txt").write_bytes((data / "wrk" / "latency.txt").read_bytes()[:-40])
    (top / "notes.md").write_text("what we did\n", encoding="utf-8")
    (top / ".hidden.txt").write_bytes((data / "ab" / "few.txt").read_bytes())
    (top / "skip").mkdir()
    (top / "skip" / "x.txt").write_text("nothing", encoding="utf-8")
    (top / "benchkit.toml").write_text('ignore = ["skip/*"]\n', encoding="utf-8")
    return top


def test_a_tree_is_the_same_in_memory(tree: Path) -> None:
    assert_same(fill(memory(), tree), tree)


def test_a_tree_is_the_same_in_a_bucket(tree: Path, s3: str) -> None:
    assert_same(fill(store_at(f"{s3}/a/results"), tree), tree)


def test_all_fixtures_are_the_same_in_memory(data: Path) -> None:
    store = store_at(f"memory://{secrets.token_hex(4)}/data")
    assert_same(fill(store, data), data)


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["vegeta", "k6"])  # most of a bucket's time is its server's
def test_fixtures_are_the_same_in_a_bucket(tool: str, data: Path, s3: str) -> None:
    assert_same(fill(store_at(f"{s3}/data"), data / tool), data / tool)


def names(*arguments: str) -> list[str]:
    return [each.name if isinstance(each, Input) else str(each) for each in find_inputs(arguments)]


def test_files_come_in_the_order_of_a_folder(tmp_path: Path) -> None:
    store, folder = memory(), tmp_path / "results"
    given = ["b/a", "a/z", "a/b/c", "a/b/c.d/e", "c", "B", "a-b/c", "a.b", ".x", "d/.y/z", "run-10"]
    for name in given:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"1")
    fill(store, folder)
    local = [Path(name).relative_to(folder).as_posix() for name in names(str(folder))]
    assert [name.removeprefix(f"{store.address}/") for name in names(store.address)] == local
    entries = find_inputs([store.address])
    assert [(e.below, e.parts) for e in entries if isinstance(e, Input)] == [
        (e.below, e.parts) for e in find_inputs([folder]) if isinstance(e, Input)
    ]


@pytest.mark.parametrize(
    "pattern", ["*", "*.txt", "run-*", "a/*.txt", "**/x.txt", "a/**", "**", "[rs]un-?.txt", "*/*"]
)
def test_a_glob_fits_what_it_fits_in_a_folder(pattern: str, tmp_path: Path) -> None:
    store, folder = memory(), tmp_path / "results"
    for name in ["run-10.txt", "run-9.txt", "a/x.txt", "a/y.md", "a/b/x.txt", "sun-1.txt", "c/d"]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"1")
    fill(store, folder)
    here = {Path(name).relative_to(folder).as_posix() for name in names(str(folder / pattern))}
    there = names(f"{store.address}/{pattern}")
    assert {name.removeprefix(f"{store.address}/") for name in there} == here
    assert len(there) == len(here)


@pytest.mark.parametrize("pattern", ["*", "arch*", "**/*", "**/*.json", "a*/tables/*"])
def test_a_glob_that_fits_a_dataset_says_so(pattern: str, data: Path) -> None:
    top = memory()
    benchkit.load(data / "vegeta" / "ok.gob").ingest(f"{top.address}/archive")
    (entry,) = find_inputs([f"{top.address}/{pattern}"])
    assert isinstance(entry, Input)
    assert (entry.path, entry.dataset) == (f"{top.address}/archive", True)
    with pytest.raises(NothingToReportError, match="datasets are read where they are named"):
        benchkit.load(f"{top.address}/{pattern}")


def test_a_glob_that_fits_nothing_says_what_there_is() -> None:
    store = memory()
    store.put("a.txt", b"1")
    with pytest.raises(UsageError, match=r"fits no file; there are results/a\.txt"):
        names(f"{store.address}/*.gob")


def test_a_dataset_below_a_prefix_is_stepped_over() -> None:
    store = memory()
    for name in ("a.txt", "b/set/benchkit-dataset.json", "b/set/runs/1.parquet", "b/x.txt"):
        store.put(name, b"1")
    top = store.address
    assert names(top) == [f"{top}/a.txt", f"{top}/b/x.txt", f"{top}/b/set"]


def test_markers_of_folders_are_no_files() -> None:
    store = memory()
    store.put("a", b"")  # as some programs make a folder
    store.put("a/b", b"1")
    store.put("c", b"")
    assert names(store.address) == [f"{store.address}/c", f"{store.address}/a/b"]


def test_an_object_is_named_with_a_label(data: Path) -> None:
    store = memory()
    store.put("x/plain.txt", (data / "wrk" / "plain.txt").read_bytes())
    results = benchkit.load([f"before={store.address}/x/plain.txt"])
    assert [run.label for run in results] == ["before"]
    assert [row["source"] for row in results.sources] == [f"{store.address}/x/plain.txt"]


def test_several_folders_are_told_apart_as_if_what_holds_them_was_named(data: Path) -> None:
    store = memory()
    for name, file in {"before": "plain", "after": "latency"}.items():
        store.put(f"{name}/a.txt", (data / "wrk" / f"{file}.txt").read_bytes())
    results = benchkit.load([f"{store.address}/before", f"{store.address}/after/"])
    assert sorted(str(run.variant) for run in results) == ["after", "before"]


def test_a_file_that_is_named_twice_is_read_once(data: Path) -> None:
    store = memory()
    store.put("a.txt", (data / "wrk" / "plain.txt").read_bytes())
    assert len(names(store.address, f"{store.address}/", f"{store.address}/a.txt")) == 1


def test_a_file_address_is_a_path(data: Path) -> None:
    path = data / "wrk" / "plain.txt"
    assert names(path.as_uri()) == [path.as_posix()]


def test_what_is_not_there_is_one_line(s3: str) -> None:
    with pytest.raises(NothingToReportError, match=f"{s3}/x: .* found 'nothing there'"):
        benchkit.load(f"{s3}/x")
    with pytest.raises(NothingToReportError, match=f"{s3}-none: .* found 'no such bucket'"):
        benchkit.load(f"{s3}-none")


def test_requests_are_read_again_from_where_they_lie(data: Path) -> None:
    store = memory()
    store.put("ok.gob", (data / "vegeta" / "ok.gob").read_bytes())
    there, here = benchkit.load(store.address), benchkit.load(data / "vegeta" / "ok.gob")
    pd.testing.assert_frame_equal(there.requests(), here.requests())


# --- the web ---


def test_a_file_of_the_web_stands_alone(web: WebServer, data: Path) -> None:
    web.files["/r/plain.txt"] = WebFile((data / "wrk" / "plain.txt").read_bytes())
    web.files["/r/meta.json"] = WebFile(b'{"variant": "mine"}')
    web.files["/r/benchkit.toml"] = WebFile(b"no toml")
    results = benchkit.load(f"{web.address}/r/plain.txt")
    assert [row["source"] for row in results.sources] == [f"{web.address}/r/plain.txt"]
    assert not web.files["/r/meta.json"].requests
    assert not web.files["/r/benchkit.toml"].requests


def test_a_cut_connection_is_told_as_a_cut_file_is(web: WebServer, data: Path) -> None:
    content = (data / "vegeta" / "ok.gob").read_bytes()
    web.files["/a.gob"] = WebFile(content, cut=len(content) // 2, ranges=False)
    (row,) = benchkit.load(f"{web.address}/a.gob").sources
    assert row["state"] == "read"
    assert f"a connection that ends early, after {len(content) // 2:,} of" in str(row["message"])


def test_a_cut_connection_that_leaves_nothing_is_an_error(web: WebServer, data: Path) -> None:
    content = (data / "wrk" / "plain.txt").read_bytes()
    web.files["/a.txt"] = WebFile(content, cut=3, ranges=False)
    with pytest.raises(NothingToReportError, match="a connection that ends early, after 3 of"):
        benchkit.load(f"{web.address}/a.txt")


def test_a_signature_is_neither_kept_nor_shown(web: WebServer, data: Path, tmp_path: Path) -> None:
    content = (data / "vegeta" / "ok.gob").read_bytes()
    web.files["/a.gob"] = WebFile(content, cut=len(content) // 2, ranges=False)
    web.files["/b.txt"] = WebFile(status=403)
    query = "?X-Amz-Credential=AKIAhunter2&X-Amz-Signature=hunter2&sv=1&se=hunter2&plain=hunter2"
    addresses = [f"{web.address}/{name}{query}" for name in ("a.gob", "b.txt", "none.txt")]
    results = benchkit.load(addresses)
    assert web.files["/a.gob"].requests[0].endswith(query)
    benchkit.report(addresses, tmp_path / "report.html")
    shown = [
        (tmp_path / "report.html").read_text(encoding="utf-8"),
        *(results.table(name).to_csv() for name in TABLES),
        *results.naming,
        *results.inputs,
    ]
    with pytest.raises(NothingToReportError) as caught:
        benchkit.load([f"label={addresses[1]}", addresses[2]])
    shown.append(str(caught.value))
    for entry in find_inputs(addresses):
        assert isinstance(entry, Input)
        shown.append(packed(read_file(entry)).decode())  # what goes to other machines and datasets
    assert not [text for text in shown if "hunter2" in text]


def test_what_may_not_be_read_is_told_and_the_rest_is_read(web: WebServer, data: Path) -> None:
    web.files["/a.gob"] = WebFile((data / "vegeta" / "ok.gob").read_bytes())
    web.files["/b.txt"] = WebFile(status=403)
    results = benchkit.load([f"{web.address}/a.gob", f"{web.address}/b.txt"])
    assert [row["state"] for row in results.sources] == ["read", "skipped"]
    assert "no permission" in str(results.sources[1]["message"])


def test_only_what_is_listed_is_asked_for(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = memory()
    for name in "abc":
        store.put(f"{name}/x.txt", (data / "wrk" / "plain.txt").read_bytes())
    store.put("a/meta.json", b"{}")
    asked = []
    read = Objects.read

    def counted(self: Objects, name: str, **how: int | None) -> bytes:
        asked.append(f"{self.address}/{name}".removeprefix(f"{store.address}/"))
        return read(self, name, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Objects, "read", counted)
    benchkit.load(store.address)
    assert asked == ["benchkit.toml", "a/meta.json"]


def test_metadata_that_may_not_be_looked_for_are_none(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who may not list a bucket is told of nothing in it that it is not there."""
    store = memory()
    store.put("a.txt", (data / "wrk" / "plain.txt").read_bytes())

    def forbidden(*_: object, **__: object) -> bytes:
        raise ForbiddenError("what can be read", actual="no permission")

    monkeypatch.setattr(Objects, "read", forbidden)
    address = f"{store.address}/a.txt"
    assert [row["state"] for row in benchkit.load(address).sources] == ["read"]


@pytest.mark.parametrize("argument", ["ftp://host/x", "http://example.org/x", "s3://a:b@c/x"])
def test_what_cannot_be_read_ends_with_one_line(argument: str) -> None:
    with pytest.raises(UsageError):
        benchkit.load(argument)


def test_wrong_metadata_are_told_with_their_address(data: Path) -> None:
    store = memory()
    store.put("ok.txt", (data / "wrk" / "plain.txt").read_bytes())
    store.put("x/meta.json", b"[")
    store.put("x/resources.csv", b"elapsed_s,process\n-1,a\n")
    lines = [str(row["message"]) for row in benchkit.load(store.address).sources]
    assert any(f"{store.address}/x/meta.json: expected a JSON object" in line for line in lines)
    assert any(f"{store.address}/x/resources.csv, line 2:" in line for line in lines)
