"""What a path, and what a URL says; what is refused, in one line."""

import os
from pathlib import Path

import pytest

from benchkit.errors import UsageError
from benchkit.stores.addresses import (
    checked,
    folder_of,
    is_url,
    joined,
    parts_of,
    public,
    split,
    within,
)


@pytest.mark.parametrize("path", ["a.txt", "a/b", "/a:b", "C:\\x", "C://x", "a=b", ":// ", "-"])
def test_a_path_is_none(path: str) -> None:
    assert not is_url(path)
    assert checked(path) == path
    assert public(path) == path


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("s3://bucket/a/b/", "s3://bucket/a/b"),
        ("S3://bucket", "s3://bucket"),
        ("gs://bucket/a b%20?.txt", "gs://bucket/a b%20?.txt"),
        ("https://host/a%20b?sig=1#part", "https://host/a%20b?sig=1"),
        ("http://127.0.0.1:80/a", "http://127.0.0.1:80/a"),
        ("http://[::1]/a", "http://[::1]/a"),
    ],
)
def test_an_address_is_written_in_one_way(given: str, written: str) -> None:
    assert checked(given) == written


def test_a_file_address_is_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a b.txt"
    assert checked(path.as_uri()) == os.fspath(path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("ftp://host/a", "no such kind of address"),
        ("s3:///a", "names no bucket"),
        ("https:///a", "names no host"),
        ("s3://bucket/a//b", "empty part"),
        ("s3://bucket/../b", "empty part"),
        ("file://host/a", "file:// has no host"),
        ("http://example.org/a", "may be changed on its way"),
        ("http://127.0.0.1.example.org/a", "may be changed on its way"),
        ("https://[::1/a", "names no host"),
    ],
)
def test_what_cannot_be_read_is_refused(given: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        checked(given)


@pytest.mark.parametrize(
    "given", ["https://me:hunter2@host/a", "s3://AKIA:hunter2@bucket/a", "http://me:hunter2@[::1]/"]
)
def test_credentials_in_an_address_are_refused_without_showing_them(given: str) -> None:
    with pytest.raises(UsageError, match="environment variables") as caught:
        checked(given)
    assert "hunter2" not in str(caught.value)
    assert "://[redacted]@" in str(caught.value)


def test_what_is_shown_has_no_signature() -> None:
    assert public("https://host/a.gob?X-Amz-Signature=abc#x") == "https://host/a.gob"
    assert public("https://me:pw@host/a") == "https://host/a"
    assert public("s3://bucket/a?b#c") == "s3://bucket/a?b#c"  # a key may have these


def test_an_address_is_taken_apart_and_joined() -> None:
    assert split("s3://bucket/a/b") == ("s3://bucket", "a/b")
    assert folder_of("s3://bucket/a/b") == "s3://bucket/a"
    assert folder_of("s3://bucket/b") == "s3://bucket"
    assert folder_of(str(Path("x") / "y")) == "x"
    assert within("s3://bucket", "meta.json") == "s3://bucket/meta.json"
    assert within("x", "y") == str(Path("x") / "y")
    for address in ("s3://bucket", "s3://bucket/a/b", str(Path.cwd() / "x")):
        assert joined(parts_of(address)) == address
