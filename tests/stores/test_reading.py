"""A file that lies elsewhere is read by ranges: in order, in bounded memory, whatever happens."""

import gzip
import hashlib
import random
import secrets
import tracemalloc
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest.sources import Opened, open_source
from benchkit.stores import clients, store_at
from benchkit.stores.reading import RemoteFile, open_remote
from tests.webserver import WebFile, WebServer

pytest.importorskip("obstore")

#: Three blocks and a part; what lies in one place lies in no other.
LARGE = random.Random(7).randbytes(3 * 2**23 + 12345)  # noqa: S311 - no secret


@pytest.fixture(scope="module")
def large() -> str:
    address = f"memory://{secrets.token_hex(4)}"
    store_at(address).put("large.bin", LARGE)
    return f"{address}/large.bin"


def windows(file: RemoteFile, size: int) -> bytes:
    """All bytes, read as parsers do: forward, each window beginning within the last."""
    data, at = bytearray(), 0
    while window := file.read(at, size):
        data += window[len(data) - at :]
        at = max(at + 1, at + len(window) - 100)
        if at + 100 >= file.size and len(data) >= file.size:
            break
    return bytes(data)


@pytest.mark.parametrize("size", [2**21, 2**23, 2**24 + 1])
def test_it_is_read_forward_in_windows(size: int, large: str) -> None:
    file = open_remote(large)
    assert (file.size, file.lost) == (len(LARGE), None)
    assert windows(file, size) == LARGE
    assert file.reached == len(LARGE)
    assert file.read(len(LARGE), 5) == b""


def test_it_may_be_read_again_from_its_beginning(large: str) -> None:
    file = open_remote(large)
    assert file.read(2**24, 10) == LARGE[2**24 : 2**24 + 10]
    assert file.read(0, 10) == LARGE[:10]
    assert file.read(2**16 - 5, 10) == LARGE[2**16 - 5 : 2**16 + 5]
    assert file.whole() == LARGE


@pytest.mark.parametrize("ahead", [True, False])
def test_it_is_hashed_while_it_is_read(ahead: bool, large: str) -> None:  # noqa: FBT001
    file = open_remote(large)
    if ahead:
        file.hash_ahead()
    windows(file, 2**22)
    assert file.sha256() == hashlib.sha256(LARGE).hexdigest()


def test_a_large_file_has_the_keys_that_it_has_on_disk(large: str, tmp_path: Path) -> None:
    (tmp_path / "large.bin").write_bytes(LARGE)
    here, there = open_source(tmp_path / "large.bin", name="a"), open_source(large, name="a")
    assert (here.key, here.content_key, here.sha256()) == (
        there.key,
        there.content_key,
        there.sha256(),
    )
    assert (here.large, here.divisible) == (True, True)
    assert (there.large, there.divisible) == (True, False)
    assert not there.grown()


def test_a_packed_one_is_unpacked(tmp_path: Path) -> None:
    packed = gzip.compress(LARGE, 1)
    address = f"memory://{secrets.token_hex(4)}"
    store_at(address).put("large.gz", packed)
    (tmp_path / "large.gz").write_bytes(packed)
    here = open_source(tmp_path / "large.gz", name="a")
    there = open_source(f"{address}/large.gz", name="a")
    assert there.source.data == here.source.data == LARGE
    assert (there.cut, there.reached) == (False, len(packed))


def test_memory_does_not_grow_with_the_file() -> None:
    address = f"memory://{secrets.token_hex(4)}"
    store_at(address).put("a", bytes(2**27))
    file = open_remote(f"{address}/a")
    tracemalloc.start()
    at = 0
    while window := file.read(at, 2**21):
        at += len(window)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert at == 2**27
    assert peak < 8 * 2**23  # as many blocks


# --- what goes wrong ---


def opened(web: WebServer, file: WebFile) -> Opened:
    web.files["/a"] = file
    return open_source(f"{web.address}/a", name="a")


def test_a_connection_that_ends_is_taken_up_where_it_ended(web: WebServer) -> None:
    file = WebFile(LARGE, cut=5_000_000)
    source = opened(web, file)
    assert source.source.data == LARGE
    assert source.lost is None
    assert len(file.requests) > 6


def test_what_came_before_the_last_connection_ended_is_kept(web: WebServer) -> None:
    small = opened(web, WebFile(b"0123456789", cut=4, ranges=False))
    assert small.source.data == b"0123"
    assert small.lost == "a connection that ends early, after 4 of 10 bytes"


def test_a_connection_that_gives_nothing_ends_the_file(web: WebServer) -> None:
    file = WebFile(LARGE)
    source = opened(web, file)
    content = source.source.content
    assert content.read(0, 2**22) == LARGE[: 2**22]
    file.cut = 0
    rest = content.read(2**22, 2**26)
    assert 2**22 <= len(rest) < len(LARGE) - 2**22
    assert LARGE[2**22 :].startswith(rest)
    assert content.read(2**22 + len(rest), 10) == b""
    assert (
        source.lost
        == f"a connection that ends early, after {2**22 + len(rest):,} of {len(LARGE):,} bytes"
    )
    with pytest.raises(OSError, match="a connection that ends early"):
        source.sha256()


def test_a_file_that_changes_ends_where_it_changed(web: WebServer) -> None:
    source = opened(web, WebFile(LARGE, changes_at=4))
    data = source.source.data
    assert len(data) in {2**23, 2**24}
    assert LARGE.startswith(data)
    assert source.lost is not None
    assert source.lost.startswith("it changed while it was read, after ")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (WebFile(status=403), "no permission"),
        (WebFile(status=401), "no credentials that are accepted"),
        (WebFile(status=302, location="/a"), "more redirects than are followed"),
        (WebFile(status=302, location="http://127.0.0.1:1/"), "nobody who answers there"),
        (WebFile(status=400), "an answer of status 400"),
        (WebFile(LARGE, ranges=False), "a server that sends no parts of a file'; download it"),
        (WebFile(b"abc", cut=0), "a connection that ends early"),
    ],
)
def test_what_cannot_be_opened_is_one_line(file: WebFile, words: str, web: WebServer) -> None:
    with pytest.raises(InputError, match=words) as caught:
        opened(web, file)
    assert "\n" not in str(caught.value)


def test_a_redirect_is_followed(web: WebServer) -> None:
    web.files["/b c"] = web.files["/b%20c"] = WebFile(b"abc")
    assert opened(web, WebFile(status=302, location="/b%20c?x=1")).source.data == b"abc"


def test_an_answer_that_does_not_come_is_waited_for_in_bounds(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(clients._TIMES, "timeout", "100ms")
    monkeypatch.setitem(clients._RETRIES, "max_retries", 1)
    with pytest.raises(InputError, match="no answer in time"):
        opened(web, WebFile(b"abc", wait_s=2))


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (301, "PermanentRedirect", "another region'; name the right one: AWS_REGION"),
        (400, "AuthorizationHeaderMalformed", "another region'; name the right one: AWS_REGION"),
        (403, "InvalidAccessKeyId", "credentials that are not known there'; docs/anywhere.md"),
        (403, "SignatureDoesNotMatch", "credentials that are not accepted'; docs/anywhere.md"),
        (400, "ExpiredToken", "credentials that have expired'; docs/anywhere.md"),
        (403, "AccessDenied", "no permission'; docs/anywhere.md"),
        (404, "NoSuchBucket", "no such bucket'"),
    ],
)
def test_what_a_server_of_buckets_says_becomes_a_line(
    status: int, code: str, words: str, web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Source: the error codes of Amazon S3's API reference."""
    text = f"<Error><Code>{code}</Code><AWSAccessKeyId>hunter2</AWSAccessKeyId></Error>"
    web.files["/bucket"] = web.files["/bucket/a"] = WebFile(text.encode(), status=status)
    monkeypatch.setenv("AWS_ENDPOINT_URL", web.address)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "hunter2")
    with pytest.raises(InputError, match=words) as listing:
        store_at("s3://bucket").walk()
    assert "hunter2" not in str(listing.value)
    if status != 404:
        with pytest.raises(InputError, match=words) as reading:
            store_at("s3://bucket").read("a")
        assert "hunter2" not in str(reading.value)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of localhost that nobody has signed, with its key."""
    from datetime import UTC, datetime, timedelta

    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = tmp_path / "localhost.pem"
    path.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, *private))
    return path


def test_a_certificate_is_trusted_or_refused(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = WebServer(certificate)
    try:
        port = web.address.rpartition(":")[2]
        web.files["/a"] = WebFile(b"abc")
        web.files["/down"] = WebFile(status=302, location=f"http://localhost:{port}/a")
        with pytest.raises(InputError, match="not trusted'; SSL_CERT_FILE names"):
            open_remote(f"https://localhost:{port}/a")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert open_remote(f"https://localhost:{port}/a").whole() == b"abc"
        with pytest.raises(InputError, match="a redirect that is not followed"):
            open_remote(f"https://localhost:{port}/down")
    finally:
        web.close()
