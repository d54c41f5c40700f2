"""Opens files: plain, gzipped, elsewhere, or standard input."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError
from benchkit.ingest.hashing import Hashing, hash_of_parts, hash_of_remote_parts
from benchkit.parsing import Bytes, Content, Source
from benchkit.stores.addresses import is_url, is_web, scheme_of, within

if TYPE_CHECKING:
    from benchkit.stores.reading import RemoteFile

STDIN: Final = "-"

#: Bytes of a file of ours beside the results, `meta.json` or `resources.csv`.
_MOST_BESIDE: Final = 64 * 2**20
_GZIP: Final = b"\x1f\x8b\x08"
#: What else a file may be packed with, by its first bytes, and what unpacks it.
_PACKED: Final = {
    b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"),
    b"BZh": ("bzip2", "bunzip2"),
    b"PK\x03\x04": ("zip", "unzip"),
    b"7z\xbc\xaf\x27\x1c": ("7z", "7z x"),
}
#: What stands in the first header of a tar, and where.
_TAR: Final = b"ustar"
_TAR_AT: Final = 257
_MAX_EXPANDED: Final = 8 * 2**30
_MAX_RATIO: Final = 200
_FREE_BYTES: Final = 2**20  # below this any ratio is harmless
_IN_MEMORY: Final = 2**24  # larger files are read piece by piece
_PIECE: Final = 2**20
_AS_INPUT: Final = "pipe it in as '-'"
_KINDS: Final = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}


class NoFileError(InputError):
    """What lies there is no regular file: a FIFO, a device, or nothing any more."""


@dataclass(frozen=True)
class Opened:
    """The content of a file with what identifies it on disk.

    Attributes:
        source: What parsers read.
        size_bytes: Size on disk.
        file: Where the bytes come from, None for standard input.
        raw: The bytes on disk where they are in memory.
        packed: What unpacks them, if they are packed.
    """

    source: Source
    size_bytes: int
    file: _LocalFile | RemoteFile | None = None
    raw: bytes | None = None
    packed: _Unpacked | None = None

    @property
    def large(self) -> bool:
        """Whether it is read piece by piece."""
        return self.raw is None and self.file is not None

    @property
    def seekable(self) -> bool:
        """Whether it is read piece by piece, from any byte on."""
        return self.large and self.packed is None

    @property
    def divisible(self) -> bool:
        """Whether several may read it at once: what lies elsewhere is read ahead, in order."""
        return self.seekable and isinstance(self.file, _LocalFile)

    @property
    def version(self) -> str:
        """What all who open the same bytes by the same path agree on, and others hardly do.

        Raises:
            OSError: the file cannot be looked at any more.
        """
        if isinstance(self.file, _LocalFile):
            return f"{self.size_bytes} {self.file.path.stat().st_mtime_ns}"
        return f"{self.size_bytes} {None if self.file is None else self.file.tag}"

    @property
    def cut(self) -> bool:
        """Whether all is read and a gzip stream ended early."""
        return self.packed is not None and self.packed.cut

    @property
    def followed(self) -> bool:
        """Whether all is read and something else stands behind a gzip stream."""
        return self.packed is not None and self.packed.followed

    @cached_property
    def key(self) -> str:
        """What the bytes on disk are known by: their SHA-256, of a large file one of parts.

        Raises:
            OSError: the file cannot be read any more.
        """
        if self.raw is not None or self.file is None:
            return self.sha256()
        if isinstance(self.file, _LocalFile):
            return hash_of_parts(self.file.path, self.size_bytes)
        if self.file.lost is not None:  # of what nobody has seen nothing else is known
            return hashlib.sha256(f"{self.source.name}: {self.file.lost}".encode()).hexdigest()
        return hash_of_remote_parts(self.file)

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
        if self.raw is None and self.file is not None:
            return self.file.sha256()
        return hashlib.sha256(self.raw or b"").hexdigest()

    @property
    def reached(self) -> int:
        """How many bytes on disk are read so far; all of what is in memory."""
        content = self.source.content
        if isinstance(content, _Unpacked):
            return min(content.packed_at, self.size_bytes)
        return self.size_bytes if self.raw is not None or self.file is None else self.file.reached

    @property
    def packing(self) -> tuple[str, str] | None:
        """With what it is packed that is not unpacked here, and the command that does."""
        head = self.source.head
        if head[_TAR_AT:].startswith(_TAR):
            return "tar", "tar -xf"
        if self.packed is not None and head.startswith(_GZIP):
            return "gzip twice", "gunzip"
        return next((how for mark, how in _PACKED.items() if head.startswith(mark)), None)

    @property
    def compressed(self) -> bool:
        """Whether results may be packed in it: many documents and programs are zip files too."""
        if self.packing is None:
            return False
        return self.packing[0] != "zip" or self.source.name.lower().endswith(".zip")

    def grown(self) -> bool:
        """Whether a file of this machine has changed in size since it was opened."""
        return isinstance(self.file, _LocalFile) and self.file.grown(self.size_bytes)

    @property
    def lost(self) -> str | None:
        """Why the rest of what lies elsewhere could not be read; None where nothing is lost."""
        return None if self.file is None or isinstance(self.file, _LocalFile) else self.file.lost

    def hash_ahead(self) -> None:
        """Begin to hash a large file, beside what comes next."""
        if self.raw is None and self.file is not None:
            self.file.hash_ahead()


@dataclass
class _LocalFile:
    """A file of this machine that is read piece by piece."""

    path: Path
    size: int
    reached: int = 0
    hashing: Hashing | None = None

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

    def grown(self, size: int) -> bool:
        try:
            return self.path.stat().st_size != size
        except OSError:
            return False

    def hash_ahead(self) -> None:
        if self.hashing is None:
            self.hashing = Hashing(self.path, self.size)

    def sha256(self) -> str:
        self.hash_ahead()
        return "" if self.hashing is None else self.hashing.result()


@dataclass
class _Unpacked:
    """Gzip content that is unpacked piece by piece; reading goes forward.

    A stream that is cut off ends where it is cut: what could be read is used, as
    with any other cut file: `cut` tells as soon as reading gets there, and
    `followed` if what stands behind a whole one is none, and is not read.
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
    followed: bool = False

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
                self.cut, self.followed = self.cut or not ended, self.followed or ended
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
    if is_url(str(path)):
        return _open_remote(str(path), name)
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
        local = _LocalFile(file, status.st_size)
        if status.st_size <= _IN_MEMORY:
            return in_memory(file.read_bytes(), name, local)
        return _in_pieces(local, name)
    except OSError as error:
        reason, gone = error.strerror or str(error), isinstance(error, FileNotFoundError)
        if gone and file.is_symlink():  # something should be there, as behind one in a loop
            raise InputError("a readable file", actual="a link to nothing", source=name) from error
        kind = NoFileError if gone else InputError
        raise kind("a readable file", actual=reason, source=name) from error


def _open_remote(address: str, name: str) -> Opened:
    from benchkit.stores.reading import open_remote

    try:
        file = open_remote(address)
    except FileNotFoundError:
        raise NoFileError("a readable file", actual="nothing there", source=name) from None
    if file.size <= _IN_MEMORY:
        opened = in_memory(file.whole(), name, file)
    else:
        opened = _in_pieces(file, name)
    if file.trouble is not None and not opened.source.head:
        raise InputError(
            "a readable file", actual=file.trouble.reason, hint=file.trouble.hint, source=name
        )
    return opened


def _in_pieces(file: _LocalFile | RemoteFile, name: str) -> Opened:
    packed = file.read(0, len(_GZIP)) == _GZIP
    unpacked = _Unpacked(file, name) if packed else None
    return Opened(Source(name, unpacked or file), file.size, file, packed=unpacked)


def is_here_alone(path: str) -> bool:
    """Whether no other process can read what lies there: standard input, our memory."""
    return path == STDIN or scheme_of(path) == "memory"


def address_of(folder: str, name: str) -> str:
    """Return what messages call a file in a folder."""
    address = within(folder, name)
    return address if is_url(address) else PurePath(address).as_posix()


def read_beside(folder: str, name: str, *, count: int | None = None) -> bytes | None:
    """Return what lies in a folder under a name, its first `count` bytes; None without a file.

    Around a file of the web nothing is looked for: what it was named for is that file alone.

    Raises:
        OSError: it cannot be read.
        InputError: it lies elsewhere and cannot be read.
    """
    if is_web(folder):
        return None
    address = within(folder, name)
    if not is_url(address):
        if not os.path.isfile(address):  # noqa: PTH113 - which never raises
            if os.path.lexists(address):
                raise InputError("a regular file", actual=_kind_of(address), source=address)
            return None
        with open(address, "rb") as file:  # noqa: PTH123 - for each of many folders
            data = file.read(_MOST_BESIDE + 1 if count is None else count)
        if len(data) > _MOST_BESIDE:
            raise InputError(f"at most {_MOST_BESIDE:,} bytes", actual="more", source=address)
        return data
    from benchkit.stores import store_at
    from benchkit.stores.store import ForbiddenError

    try:
        return store_at(folder).read(name, count=count)
    except (FileNotFoundError, ForbiddenError):
        return None


def _kind_of(path: str) -> str:
    """Return what lies at a path that is no regular file."""
    try:
        return _KINDS.get(stat.S_IFMT(os.stat(path).st_mode), "a device")  # noqa: PTH116 - as above
    except OSError:
        return "a link to nothing"


def in_memory(raw: bytes, name: str, file: _LocalFile | RemoteFile | None = None) -> Opened:
    """Return bytes as an opened file.

    Raises:
        InputError: they are a gzip stream that is broken or expands without measure.
    """
    if not raw.startswith(_GZIP):
        return Opened(Source.from_bytes(raw, name=name), len(raw), file, raw)
    unpacked = _Unpacked(Bytes(raw), name)
    if len(raw) > _PIECE:
        source = Source(name, unpacked)
    else:
        source = Source.from_bytes(unpacked.read(0, _MAX_EXPANDED), name=name)
    return Opened(source, len(raw), file, raw, unpacked)
