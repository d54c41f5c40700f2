"""What a path, and what a URL says; what is refused, in one line."""

import os
import re
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
        ("https://host:99999/a", "its port, a number"),
        ("https://host:x/a", "its port, a number"),
        ("file://", "names no path"),
        ("file://localhost", "names no path"),
        ("s3:/bucket", "two slashes, s3://BUCKET"),
        ("S3:/bucket/key", "two slashes, s3://BUCKET"),
        ("gs:/x", "two slashes, gs://BUCKET"),
        ("s3:\\bucket", "two slashes"),
        ("file:/tmp", "two slashes, file:///PATH"),
        ("https:/host/a", "two slashes, https://HOST"),
        ("https:host/a", "two slashes"),
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


@pytest.mark.parametrize(
    "given",
    [
        "https://me:hun/ter2@host.example/a",
        "https://me:hun?ter2@host.example/a",
        "https://me:hun#ter2@host.example/a",
        "https://me:12/hunter2@host.example/a",
        "https://me:hun ter2@host.example/a",
        "https://me:hun@ter2/x@host.example/a",
        "https:/me:hunter2@host.example/a",
        "https:me:hunter2@host.example/a",
        "https:\\\\me:hunter2@host.example",
        "https:///me:hunter2@host.example/a",
        "http://me.org/hunter2@host.example/a",
        "s3://AKIA:hun/ter2@bucket/a",
        "s3:/AKIA:hunter2@bucket",
        "ftp://me:hun/ter2@host.example/a",
        "file://me:hun/ter2@host.example/a",
        # What is left of one where `STORE@NAME` is taken apart first.
        "https://me:hun/ter2",
        "s3://AKIA:hun/ter2",
    ],
)
def test_a_malformed_address_shows_no_credentials(given: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked(given)
    assert not re.search("me:|AKIA|hun|ter2", str(caught.value))


def test_what_only_looks_like_an_address_is_a_path() -> None:
    for path in ("./s3:/x", "s3:x", "https", "a/https:/x", "s3"):
        assert checked(path) == path
    for address in (
        "https://host.example:8443/pkg@1/a",
        "http://localhost:80/a@b",
        "https://h/a@b",
    ):
        assert checked(address) == address


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
