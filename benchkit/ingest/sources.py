"""Opens files: plain, gzipped, or standard input."""

from __future__ import annotations

import hashlib
import stat
import sys
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from benchkit.errors import InputError
from benchkit.ingest.hashing import Hashing, hash_of_parts
from benchkit.parsing import Bytes, Content, Source

STDIN: Final = "-"

_GZIP: Final = b"\x1f\x8b\x08"
#: What else a file may be packed with, by its first bytes, and what unpacks it.
_PACKED: Final = {
    b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"),
    b"BZh": ("bzip2", "bunzip2"),
    b"PK\x03\x04": ("zip", "unzip"),
    b"7z\xbc\xaf\x27\x1c": ("7z", "7z x"),
}
_MAX_EXPANDED: Final = 8 * 2**30
_MAX_RATIO: Final = 200
_FREE_BYTES: Final = 2**20  # below this any ratio is harmless
_IN_MEMORY: Final = 2**24  # larger files are read piece by piece
_PIECE: Final = 2**20
_AS_INPUT: Final = "pipe it in as '-'"
_KINDS: Final = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}


class NoFileError(InputError):
    """What lies there is no regular file: a FIFO, a device, a link to nothing."""


@dataclass(frozen=True)
class Opened:
    """The content of a file with what identifies it on disk.

    Attributes:
        source: What parsers read.
        size_bytes: Size on disk.
        path: Where it lies, None for standard input.
        raw: The bytes on disk where they are in memory.
        packed: What unpacks them, if they are packed.
    """

    source: Source
    size_bytes: int
    path: Path | None = None
    raw: bytes | None = None
    packed: _Unpacked | None = None

    @property
    def large(self) -> bool:
        """Whether it is read piece by piece."""
        return self.raw is None and self.path is not None

    @property
    def cut(self) -> bool:
        """Whether all is read and a gzip stream ended early."""
        return self.packed is not None and self.packed.cut

    @cached_property
    def key(self) -> str:
        """What the bytes on disk are known by: their SHA-256, of a large file one of parts.

        Raises:
            OSError: the file cannot be read any more.
        """
        if self.large and self.path is not None:
            return hash_of_parts(self.path, self.size_bytes)
        return self.sha256()

    @cached_property
    def content_key(self) -> str:
        """The same for the content: equal for a file and the same packed, if it is not large."""
        content = self.source.content
        if isinstance(content, Bytes) and content.data is not self.raw:
            return hashlib.sha256(content.data).hexdigest()
        return self.key

    def sha256(self) -> str:
        """Return the SHA-256 of the bytes on disk.

        Raises:
            OSError: the file cannot be read any more.
        """
        if self.large:
            return self._hashing.result()
        return hashlib.sha256(self.raw or b"").hexdigest()

    @property
    def reached(self) -> int:
        """How many bytes on disk are read so far; all of what is in memory."""
        content = self.source.content
        if isinstance(content, _Unpacked):
            return min(content.packed_at, self.size_bytes)
        return content.reached if isinstance(content, _Plain) else self.size_bytes

    @property
    def packing(self) -> tuple[str, str] | None:
        """With what it is packed that is not unpacked here, and the command that does."""
        head = self.source.head[:8]
        return next((how for mark, how in _PACKED.items() if head.startswith(mark)), None)

    @property
    def compressed(self) -> bool:
        """Whether one file is packed in it, not a folder's worth."""
        return self.packing is not None and self.packing[0] in {"xz", "zstd", "bzip2"}

    def grown(self) -> bool:
        """Whether the file has changed in size since it was opened."""
        try:
            return self.path is not None and self.path.stat().st_size != self.size_bytes
        except OSError:
            return False

    def hash_ahead(self) -> None:
        """Begin to hash a large file, beside what comes next."""
        if self.large:
            _ = self._hashing

    @cached_property
    def _hashing(self) -> Hashing:
        return Hashing(self.path or Path(), self.size_bytes)


@dataclass
class _Plain:
    """A file that is read piece by piece."""

    path: Path
    size: int
    reached: int = 0

    def read(self, start: int, count: int) -> bytes:
        with self.path.open("rb", buffering=0) as file:
            file.seek(start)
            data = file.read(min(count, max(self.size - start, 0)))
        self.reached = start + len(data)
        return data

    def read_into(self, buffer: bytearray, start: int, count: int) -> int:
        with self.path.open("rb", buffering=0) as file:
            file.seek(start)
            room = memoryview(buffer)[: min(count, max(self.size - start, 0))]
            count = file.readinto(room)
        self.reached = start + count
        return count


@dataclass
class _Unpacked:
    """Gzip content that is unpacked piece by piece; reading goes forward.

    A stream that is cut off ends where it is cut: what could be read is used, as
    with any other cut file: `cut` tells as soon as reading gets there.
    """

    packed: Content
    name: str
    kept: bytes = b""
    kept_from: int = 0
    reached: int = 0
    packed_at: int = 0
    rest: bytes = b""
    stream: zlib._Decompress | None = field(default=None, repr=False)
    cut: bool = False

    @property
    def size(self) -> int:
        # Twice is a guess; it only chooses between two ways that give the same.
        return 2 * self.packed.size

    def read(self, start: int, count: int) -> bytes:
        if start < self.kept_from:
            self.kept, self.kept_from, self.reached = b"", 0, 0
            self.packed_at, self.rest, self.stream = 0, b"", None
        pieces = [self.kept]
        while self.reached < start + count and (more := self._more()):
            pieces.append(more)
            while self.kept_from + len(pieces[0]) <= start and len(pieces) > 1:
                self.kept_from += len(pieces.pop(0))
        joined = b"".join(pieces)
        dropped = min(start - self.kept_from, len(joined))
        self.kept, self.kept_from = joined[dropped:], self.kept_from + dropped
        return self.kept[:count]

    def _more(self) -> bytes:
        """Return the next piece, empty at the end."""
        while True:
            if not self.rest:
                self.rest = self.packed.read(self.packed_at, _PIECE)
                self.packed_at += len(self.rest)
            ended = self.stream is None or self.stream.eof
            if not self.rest:
                self.cut = self.cut or not ended
                return b""
            if self.stream is not None and ended:
                self.rest = self.rest.lstrip(b"\0")
                if not self.rest:
                    continue
            if self.stream is None or ended:
                self.stream = zlib.decompressobj(wbits=31)
            try:
                piece = self.stream.decompress(self.rest, _PIECE)
            except zlib.error as error:
                if not self.reached:
                    raise InputError(
                        "a gzip stream", actual=str(error), source=self.name
                    ) from error
                self.cut = self.cut or not ended  # else something else follows
                self.rest, self.packed_at, self.stream = b"", sys.maxsize, None
                return b""
            self.rest = self.stream.unconsumed_tail or self.stream.unused_data
            if piece:
                self.reached += len(piece)
                self._check()
                return piece

    def _check(self) -> None:
        allowed = max(_FREE_BYTES, _MAX_RATIO * self.packed.size)
        if self.reached > min(_MAX_EXPANDED, allowed):
            raise InputError(
                f"gzip that expands at most {_MAX_RATIO} times",
                actual=f"more than {self.reached // max(self.packed.size, 1)} times",
                source=self.name,
                hint="unpack it yourself if you trust it",
            )


def open_source(path: str | Path, *, name: str) -> Opened:
    """Return the content of a regular file, or of standard input for `-`.

    Raises:
        NoFileError: it does not exist, or is no regular file.
        InputError: it may not be read, or is a gzip stream that is broken or
            expands without measure.
    """
    file = Path(path)
    try:
        if path == STDIN:
            if sys.stdin is None:
                raise InputError("standard input to be open", source=name)
            return in_memory(sys.stdin.buffer.read(), name, None)
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            actual = _KINDS.get(stat.S_IFMT(status.st_mode), "a device")
            raise NoFileError("a regular file", actual=actual, source=name, hint=_AS_INPUT)
        if status.st_size <= _IN_MEMORY:
            return in_memory(file.read_bytes(), name, file)
        plain = _Plain(file, status.st_size)
        packed = plain.read(0, len(_GZIP)) == _GZIP
        unpacked = _Unpacked(plain, name) if packed else None
        return Opened(Source(name, unpacked or plain), status.st_size, file, packed=unpacked)
    except OSError as error:
        reason = error.strerror or str(error)
        kind = NoFileError if isinstance(error, FileNotFoundError) else InputError
        raise kind("a readable file", actual=reason, source=name) from error


def in_memory(raw: bytes, name: str, file: Path | None = None) -> Opened:
    """Return bytes as an opened file.

    Raises:
        InputError: they are a gzip stream that is broken or expands without measure.
    """
    if not raw.startswith(_GZIP):
        return Opened(Source.of(raw, name=name), len(raw), file, raw)
    unpacked = _Unpacked(Bytes(raw), name)
    if len(raw) > _PIECE:
        source = Source(name, unpacked)
    else:
        source = Source.of(unpacked.read(0, _MAX_EXPANDED), name=name)
    return Opened(source, len(raw), file, raw, unpacked)
