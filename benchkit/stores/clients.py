"""Clients of object stores and web servers; what they say when something is wrong."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchkit.errors import UsageError
from benchkit.stores.addresses import WEB, is_web, public, scheme_of, split

if TYPE_CHECKING:
    from obstore.store import ObjectStore

#: The class of obstore's for each kind of address.
_KINDS: Final[Mapping[str, str]] = {
    "s3": "S3Store",
    "gs": "GCSStore",
    "az": "AzureStore",
    "memory": "MemoryStore",
    "https": "HTTPStore",
    "http": "HTTPStore",
}
#: Variables that say where a store is, and who asks.
_VARIABLES: Final = ("AWS_", "GOOGLE_", "AZURE_", "SSL_CERT_")
_RETRIES: Final = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=30),
    "backoff": {
        "init_backoff": timedelta(milliseconds=100),
        "max_backoff": timedelta(seconds=3),
        "base": 2,
    },
}
_TIMES: Final = {"timeout": "60s", "connect_timeout": "5s"}


def located(address: str) -> tuple[ObjectStore, str]:
    """Return the client for an address, and the key of what is meant there.

    Raises:
        UsageError: obstore is not installed, or a variable says what no client takes.
    """
    if is_web(address):  # as it stands: a path of the web is encoded, and may have a query
        return client_of(address), ""
    root, key = split(address)
    if scheme_of(root) == "memory":  # one store for all, in which buckets are folders
        key = "/".join(filter(None, (root.partition("://")[2], key)))
    return client_of(root), key


def client_of(root: str) -> ObjectStore:
    """Return the client of a bucket, or of a whole address of the web.

    Source: obstore 0.12.1, `obstore.store`: each reads its own environment variables.

    Raises:
        UsageError: obstore is not installed, or a variable says what no client takes.
    """
    scheme = scheme_of(root) or ""
    try:
        import obstore.store  # noqa: F401 - whether it is there
    except ImportError as error:
        raise UsageError(
            f"{public(root)}: reading or writing {scheme}:// needs obstore: "
            "pip install 'obstore>=0.8'"
        ) from error
    if scheme == "memory":
        return _memory()
    stated = tuple(sorted(pair for pair in os.environ.items() if pair[0].startswith(_VARIABLES)))
    try:
        return _client(scheme, root, stated)
    except troubles() as error:
        raise UsageError(f"{public(root)}: no such store: {trouble(error).reason}") from None


@lru_cache(maxsize=16)
def _client(scheme: str, root: str, stated: tuple[tuple[str, str], ...]) -> ObjectStore:  # noqa: ARG001
    from obstore import store

    # A server of one's own may have no certificate; then its address begins with http. On the
    # web that is refused, also where a page says that the file has moved there.
    allowed = scheme not in WEB or scheme == "http"
    kind: Any = getattr(store, _KINDS[scheme])
    options = {"allow_http": allowed, **_TIMES}
    client: ObjectStore = kind.from_url(root, client_options=options, retry_config=_RETRIES)
    return client


@lru_cache(maxsize=1)
def _memory() -> ObjectStore:
    """Return the store that lasts as long as this process."""
    from obstore.store import MemoryStore

    return MemoryStore()


def troubles() -> tuple[type[Exception], ...]:
    """Return what clients raise."""
    from obstore.exceptions import BaseError

    return OSError, ValueError, BaseError


class Trouble(NamedTuple):
    """What went wrong between us and a server, in words of ours, and what to do."""

    reason: str
    hint: str | None = None


_CREDENTIALS: Final = "docs/anywhere.md has the variables that credentials are taken from"
_REGION: Final = "name the right one: AWS_REGION, and AWS_ENDPOINT_URL if it is not of AWS"
_TRUST: Final = "SSL_CERT_FILE names a file of those that are"
#: What stands in the words of a client, the first that fits, and what it means.
_MEANINGS: Final[tuple[tuple[str, Trouble], ...]] = (
    ("NoSuchBucket", Trouble("no such bucket")),
    ("BucketNotFound", Trouble("no such bucket")),
    ("ContainerNotFound", Trouble("no such bucket")),
    ("InvalidAccessKeyId", Trouble("credentials that are not known there", _CREDENTIALS)),
    ("SignatureDoesNotMatch", Trouble("credentials that are not accepted", _CREDENTIALS)),
    ("Request has expired", Trouble("a signature that has expired", "ask for another address")),
    ("ExpiredToken", Trouble("credentials that have expired", _CREDENTIALS)),
    ("AuthorizationHeaderMalformed", Trouble("another region", _REGION)),
    ("PermanentRedirect", Trouble("another region", _REGION)),
    ("incorrectly configured region", Trouble("another region", _REGION)),
    ("BareRedirect", Trouble("another region", _REGION)),
    ("TooManyRedirects", Trouble("more redirects than are followed")),
    ("error following redirect", Trouble("a redirect that is not followed")),
    ("RangeNotSupported", Trouble("a server that sends no parts of a file", "download it")),
    ("MissingContentLength", Trouble("a server that does not say the size", "download it")),
    ("169.254.169.254", Trouble("no credentials", _CREDENTIALS)),
    ("metadata.google.internal", Trouble("no credentials", _CREDENTIALS)),
    ("Account must be", Trouble("no account", "name it in AZURE_STORAGE_ACCOUNT_NAME")),
    ("InvalidCertificate", Trouble("a certificate that is not trusted", _TRUST)),
    ("InvalidContentType", Trouble("no answer by TLS")),
    ("dns error", Trouble("no host of that name")),
    ("Connection refused", Trouble("nobody who answers there")),
    ("TimedOut", Trouble("no answer in time")),
    ("timed out", Trouble("no answer in time")),
    ("kind: Timeout", Trouble("no answer in time")),
    ("kind: Interrupted", Trouble("a connection that ends early")),
    ("IncompleteMessage", Trouble("a connection that ends early")),
    ("connection closed", Trouble("a connection that ends early")),
)
_BY_STATUS: Final = {
    "401": Trouble("no credentials that are accepted", _CREDENTIALS),
    "403": Trouble("no permission", _CREDENTIALS),
    "404": Trouble("nothing there"),
}
_BY_TYPE: Final = {
    "FileNotFoundError": _BY_STATUS["404"],
    "PermissionDeniedError": _BY_STATUS["403"],
    "UnauthenticatedError": _BY_STATUS["401"],
}


def trouble(error: Exception, *, web: bool = False) -> Trouble:
    """Return what an error of a client means; no credential that stands in it.

    A file of the `web` is asked for without credentials but those in its address.
    """
    meaning = _meaning(error)
    return Trouble(meaning.reason) if web and meaning.hint == _CREDENTIALS else meaning


def _meaning(error: Exception) -> Trouble:
    text = str(error)
    for words, meaning in _MEANINGS:
        if words in text:
            return meaning
    known = _BY_TYPE.get(type(error).__name__)
    if known is not None:
        return known
    status = re.search(r"\bstatus: (\d{3})\b", text)
    if status is not None:
        return _BY_STATUS.get(status[1], Trouble(f"an answer of status {status[1]}"))
    from benchkit.redaction import redact

    line = text.partition("\n")[0]
    return Trouble(redact(re.sub(r"\?\S*+", "", line)))
