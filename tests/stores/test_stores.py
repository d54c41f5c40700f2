"""A store does the same in a folder, in a bucket and in memory."""

import os
import secrets
import sys
from pathlib import Path

import pytest

from benchkit.errors import InputError, UsageError
from benchkit.stores import Listed, Store, ThereAlreadyError, store_at

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(params=["folder", "memory", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "folder":
        return store_at(str(tmp_path / "store"))
    if request.param == "memory":
        pytest.importorskip("obstore")
        return store_at(f"memory://{secrets.token_hex(4)}/store")
    return store_at(f"{request.getfixturevalue('s3')}/store")


def test_an_object_is_created_once(store: Store) -> None:
    assert store.list("data/") == []
    assert store.walk() == []
    store.put("data/a", b"1")
    with pytest.raises(ThereAlreadyError, match="never changed"):
        store.put("data/a", b"2")
    assert store.read("data/a") == b"1"
    assert 0 <= store.age_s("data/a") < 100
    assert store.age_s("data/b") == 0
    with pytest.raises(FileNotFoundError):
        store.read("data/b")
    with pytest.raises(FileNotFoundError):
        store.read("data/b", start=1, count=1)


def test_an_object_is_replaced_as_a_whole(store: Store, tmp_path: Path) -> None:
    store.replace("a", b"old")
    store.replace("a", b"new")
    assert store.read("a") == b"new"
    large = tmp_path / "large"
    large.write_bytes(bytes(range(256)) * 2**17)  # 32 MB: more than one part
    store.replace("a", large)
    assert store.read("a") == large.read_bytes()


def test_a_part_of_an_object_is_read(store: Store) -> None:
    store.put("a", b"0123456789")
    assert store.read("a", start=2, count=3) == b"234"
    assert store.read("a", start=8, count=30) == b"89"
    assert store.read("a", start=8) == b"89"
    assert store.read("a", count=2) == b"01"


def test_names_are_listed_in_order_and_hidden_ones_left_out(store: Store) -> None:
    names = ["b", "a/x", "a/y z%20ü", "a/.hidden", ".git/a", "a.b", "a/c/d=1/e"]
    for name in names:
        store.put(name, name.encode())
    assert store.list("") == ["a.b", "b"]
    assert store.list("a/x") == ["a/x"]
    assert [each.name for each in store.walk()] == ["a.b", "a/c/d=1/e", "a/x", "a/y z%20ü", "b"]
    assert store.walk("a/c") == [Listed("a/c/d=1/e", 9)]
    assert all(store.read(each.name) == each.name.encode() for each in store.walk())


def test_what_is_deleted_is_gone(store: Store) -> None:
    store.put("a", b"1")
    store.delete("a")
    store.delete("a")
    assert store.walk() == []


def test_no_bucket_is_one_line(s3: str) -> None:
    missing = store_at(f"{s3}-none/x")
    with pytest.raises(InputError, match=f"{s3}-none/x.* found 'no such bucket'"):
        missing.walk()
    with pytest.raises(UsageError, match=r"cannot write to the store .*: no such bucket"):
        missing.put("a", b"1")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "needs an address"),
        ("https://host/x", "can only be read"),
        ("ftp://host/x", "no such kind"),
        (__file__, "this is a file"),
    ],
)
def test_there_is_no_store_anywhere_else(address: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        store_at(address)


@pytest.mark.parametrize("scheme", ["s3", "gs", "az"])
def test_without_obstore_one_line_says_what_to_install(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    with pytest.raises(UsageError, match=r"needs obstore: pip install 'obstore>=0\.8'"):
        store_at(f"{scheme}://bucket/x")


def test_who_may_not_remove_is_told_in_a_line(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import obstore
    from obstore.exceptions import PermissionDeniedError

    def refused(*_: object) -> None:
        raise PermissionDeniedError("Access Denied")

    monkeypatch.setattr(obstore, "delete", refused)
    with pytest.raises(UsageError, match="cannot write to the store"):
        store_at(s3).delete("manifest-000001.json")


def test_what_cannot_be_removed_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "manifest-000001.json").mkdir()
    with pytest.raises(UsageError, match="cannot remove "):
        store_at(str(tmp_path)).delete("manifest-000001.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_what_is_no_file_of_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    with pytest.raises(InputError, match="a: expected a store that can be read, found 'no regular"):
        store_at(str(tmp_path)).read("a")
