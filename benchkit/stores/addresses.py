"""Addresses: paths of this machine, and URLs of what lies elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import urlsplit

from benchkit.errors import UsageError

#: Two letters at least: `C:` is a drive.
_URL: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]++)://")
_FILE: Final = "file"
#: What holds objects below names; all of a key is a name, and nothing in it is encoded.
BUCKETS: Final = ("s3", "gs", "az", "memory")
#: What can only be read, a file at a time.
WEB: Final = ("https", "http")
#: What is written like an address, and would be a path: `s3:/bucket`, `https:host`.
_NEARLY: Final = re.compile(
    r"(?:(file|s3|gs|az|memory)(?=:[/\\])|(https?)(?=:)):(?!//)", re.IGNORECASE
)
_HOST: Final = re.compile(r"(?:\[[^\]]++\]|[^:\[\]]++)(?::([0-9]*+))?")
_PORTS: Final = 2**16
#: From these nobody on the way can listen to what comes.
_HERE: Final = {"localhost", "127.0.0.1", "::1"}


def scheme_of(address: str) -> str | None:
    """Return what a URL begins with, in small letters; None for a path."""
    match = _URL.match(address)
    return match[1].lower() if match else None


def is_url(address: str) -> bool:
    """Whether an address is a URL rather than a path."""
    return _URL.match(address) is not None


def is_web(address: str) -> bool:
    """Whether an address is that of a file that stands alone: nothing is listed around it."""
    return scheme_of(address) in WEB


def checked(address: str) -> str:
    """Return a path as it is, of `file://` that path, and any other URL as benchkit writes it.

    Raises:
        UsageError: nothing can be read or written there.
    """
    scheme = scheme_of(address)
    if scheme is None:
        _check_path(address)
        return address
    rest = address[len(scheme) + 3 :]
    # Where an @ is left the parts may be others than they look: nothing behind the scheme is shown.
    shown = f"{scheme}://…" if "@" in rest else public(address)
    if scheme == _FILE:
        return _path_of(rest, shown)
    if scheme not in (*BUCKETS, *WEB):
        known = ", ".join(f"{name}://" for name in (*BUCKETS, "https", _FILE))
        raise UsageError(f"{shown}: no such kind of address; there are paths and {known}")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        raise UsageError(
            f"{scheme}://[redacted]@…: an address with credentials in it is seen by whoever lists "
            "processes; give them by environment variables"
        )
    if not authority:
        raise UsageError(f"{shown}: names no {'host' if scheme in WEB else 'bucket'}")
    if scheme in WEB:
        _check_host(scheme, address, shown)
        return f"{scheme}://{rest.partition('#')[0]}"
    if ":" in authority:
        raise UsageError(f"{scheme}://…: the name of a bucket has no ':'")
    key = rest[len(authority) :].strip("/")
    if any(part in {"", ".", ".."} for part in key.split("/") if key):
        raise UsageError(f"{public(address)}: a key with an empty part, '.' or '..' is not read")
    return f"{scheme}://{authority}/{key}".rstrip("/")


def _check_path(path: str) -> None:
    matched = _NEARLY.match(path)
    if matched:
        scheme = (matched[1] or matched[2]).lower()
        what = "/PATH" if scheme == _FILE else "HOST/PATH" if scheme in WEB else "BUCKET/KEY"
        raise UsageError(
            f"{scheme}:…: an address has two slashes, {scheme}://{what}; "
            f"of a folder of that name write ./{scheme}:"
        )


def _path_of(rest: str, shown: str) -> str:
    """Return the path that stands behind `file://`."""
    host, _, path = rest.partition("/")
    if host not in {"", "localhost"}:
        raise UsageError(f"{shown}: file:// has no host; write file:///PATH")
    if not path:
        raise UsageError(f"{shown}: names no path; write file:///PATH")
    from urllib.request import url2pathname  # with all that speaks HTTP

    return url2pathname(f"/{path}")


def _check_host(scheme: str, address: str, shown: str) -> None:
    rest = address[len(scheme) + 3 :]
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    matched = _HOST.fullmatch(authority)
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    if matched and int((matched[1] or "0")[:6]) >= _PORTS:
        matched = None
    if not matched and ":" in authority and not authority.startswith("["):
        # It may be the password of `user:pass/word@host`, and is not shown.
        raise UsageError(f"{scheme}://…: behind the ':' of a host stands its port, a number")
    if not matched or not host:
        raise UsageError(f"{scheme}://…: names no host")
    if matched[1] and "@" in rest and "." not in host and host not in _HERE:
        raise UsageError(
            f"{scheme}://…: looks like a login whose password has a '/', '?' or '#'; credentials "
            "are given by environment variables, and an @ in a path is written %40"
        )
    if scheme == "http" and host not in _HERE:
        raise UsageError(
            f"{shown}: what comes by http:// may be changed on its way; use https:// "
            "(http:// is for this machine)"
        )


def public(address: str) -> str:
    """Return an address without what may be a secret in it: user, password, signature."""
    match = _URL.match(address)
    if match is None:
        return address
    scheme, rest = match[1].lower(), address[match.end() :]
    if scheme not in BUCKETS:
        rest = re.split(r"[?#]", rest, maxsplit=1)[0]
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def public_argument(argument: str) -> str:
    """Return `label=address` or an address likewise."""
    label, equals, address = argument.partition("=")
    if equals and is_url(address) and not is_url(argument):
        return f"{label}={public(address)}"
    return public(argument)


def split(address: str) -> tuple[str, str]:
    """Return of `s3://bucket/a/b` the parts `s3://bucket` and `a/b`."""
    scheme, _, rest = address.partition("://")
    bucket, _, key = rest.partition("/")
    return f"{scheme}://{bucket}", key.strip("/")


def folder_of(address: str) -> str:
    """Return in what a file lies."""
    if not is_url(address):
        return str(PurePath(address).parent)
    root, key = split(public(address))
    return within(root, key.rpartition("/")[0])


def within(folder: str, name: str) -> str:
    """Return the address of a name in a folder."""
    if is_url(folder):
        return f"{folder.rstrip('/')}/{name}".rstrip("/")
    return str(PurePath(folder) / name)


def parts_of(address: str) -> tuple[str, ...]:
    """Return an absolute address as its parts, the first of them what it is rooted in."""
    if not is_url(address):
        return Path(address).absolute().parts
    root, key = split(public(address))
    return (root, *key.split("/")) if key else (root,)


def common_parts(several: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return what several addresses that are taken apart begin with."""
    first, last = min(several := list(several)), max(several)
    different = (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(different, min(len(first), len(last)))]


def joined(parts: tuple[str, ...]) -> str:
    """Return what `parts_of` has taken apart."""
    if parts and is_url(parts[0]):
        return "/".join(parts)
    return os.path.join(*parts) if parts else ""  # noqa: PTH118 - a text
