"""Opens files: plain, gzipped, or standard input."""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchkit.errors import InputError
from benchkit.parsing import Source

_GZIP: Final = b"\x1f\x8b\x08"
_MAX_EXPANDED: Final = 8 * 2**30
_MAX_RATIO: Final = 200
_FREE_BYTES: Final = 2**20  # below this any ratio is harmless
_MAP_FROM: Final = 2**24

STDIN: Final = "-"


@dataclass(frozen=True)
class Opened:
    """The content of a file with what identifies it on disk."""

    source: Source
    size_bytes: int
    raw: bytes | memoryview

    def sha256(self) -> str:
        """Return the hash of the bytes on disk."""
        return hashlib.sha256(self.raw).hexdigest()

    def content_sha256(self) -> str:
        """Return the hash of the content after decompression."""
        return hashlib.sha256(self.source.data).hexdigest()


def open_source(path: str | Path, *, name: str) -> Opened:
    """Return the content of a regular file, or of standard input for `-`.

    Raises:
        InputError: it does not exist, may not be read, is no regular file, or
            is a gzip stream that is broken or expands without measure.
    """
    raw = sys.stdin.buffer.read() if path == STDIN else _content(Path(path), name)
    if bytes(raw[:3]) == _GZIP:
        return Opened(Source(name, _expand(raw, name)), len(raw), raw)
    return Opened(Source(name, raw), len(raw), raw)


def _content(path: Path, name: str) -> bytes | memoryview:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError("a regular file", source=name, hint="pipe it in as '-'")
            if status.st_size < _MAP_FROM:
                return file.read()
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("a readable file", found=reason, source=name) from error


def _expand(raw: bytes | memoryview, name: str) -> bytes:
    parts: list[bytes] = []
    total, rest = 0, bytes(raw)
    try:
        while rest:
            stream = zlib.decompressobj(wbits=31)
            while rest and not stream.eof:
                part = stream.decompress(rest, 2**20)
                rest = stream.unconsumed_tail or stream.unused_data
                parts.append(part)
                total += len(part)
                if total > min(_MAX_EXPANDED, max(_FREE_BYTES, _MAX_RATIO * len(raw))):
                    raise InputError(
                        "gzip that expands at most 200 times",
                        found=f"more than {total // max(len(raw), 1)} times",
                        source=name,
                        hint="unpack it yourself if you trust it",
                    )
            if not stream.eof:
                break  # cut off: what could be read is used, as with any cut file
            rest = rest.lstrip(b"\0")
    except zlib.error as error:
        if not total:
            raise InputError("a gzip stream", found=str(error), source=name) from error
    return b"".join(parts)
