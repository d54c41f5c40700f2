"""What the workers of a cluster run: a file as a whole, or parts of a large one that are added.

A large file is cut by one worker, its parts are read by whoever is free, and what they hold goes
from worker to worker to the one that adds it. Where that is no sum, it reads the file as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from benchkit import registry
from benchkit.errors import InputError
from benchkit.ingest.engines.reader import reader
from benchkit.ingest.engines.workers import Answer, rows_parser
from benchkit.ingest.packing import packed
from benchkit.ingest.parts import PartRows, joined, parts_of, read_part
from benchkit.ingest.paths import Input
from benchkit.ingest.perrequest import rows_of_parts
from benchkit.ingest.read import read_file
from benchkit.ingest.sources import Opened, open_source
from benchkit.parsing import Part, RowsParser
from benchkit.runtime.interpreter import quick_turns
from benchkit.stores.addresses import is_url

#: A part is about so large, and a file of less than two is not cut: less is read in a fraction
#: of a second.
PART_BYTES: Final = 2**27
#: Each part may have its share of what is bounded for a file, such as the number of texts.
MOST_PARTS: Final = 32


class Sent(NamedTuple):
    """What a worker sends: which benchkit read a file, and what became of it, packed."""

    reader: str
    data: bytes


@dataclass(frozen=True)
class Cut:
    """How a file is cut.

    Attributes:
        reader: Which benchkit has cut it.
        version: What the file is known by; another one is not what was cut.
        parser: The name of its parser.
        parts: None where it is to be read as a whole.
    """

    reader: str
    version: str = ""
    parser: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class ReadPart:
    """What is in a part of a file, by which benchkit; no rows where they cannot be added."""

    reader: str
    rows: PartRows | None


def read_there(file: Input, *, hashed: bool) -> Sent:
    """Return what becomes of a file.

    Raises:
        FileNotFoundError: the worker has no such file.
    """
    _require(file)
    with quick_turns():
        return Sent(reader(), packed(read_file(file, hashed=hashed)))


def cut_there(file: Input, part_bytes: int = PART_BYTES) -> Cut:
    """Return how a file is cut, into parts of about so many bytes.

    Raises:
        FileNotFoundError: the worker has no such file.
    """
    _require(file)
    try:
        opened = open_source(file.path, name=file.name)
        count = min(opened.size_bytes // part_bytes, MOST_PARTS)
        parser = rows_parser(opened.source) if opened.seekable and count > 1 else None
        parts = () if parser is None else parts_of(parser, opened.source, count)
        version = opened.version if parts else ""
    except (InputError, OSError):  # which is told where the file is read
        return Cut(reader())
    if parser is None:
        return Cut(reader())
    return Cut(reader(), version, parser.name, tuple(parts))


def read_part_there(file: Input, cut: Cut, part: Part) -> ReadPart:
    """Return what is in a part of a file.

    Raises:
        FileNotFoundError: the worker has no such file.
    """
    _require(file)
    opened = _as_cut(file, cut)
    if opened is None:
        return ReadPart(reader(), None)
    with quick_turns():
        rows = read_part(_rows_parser(cut), opened.source, part)
    return ReadPart(reader(), rows if _is_whole(opened, cut) else None)


def hash_there(file: Input, cut: Cut) -> str | None:
    """Return the SHA-256 of a file, None where it is not what was cut.

    Raises:
        FileNotFoundError: the worker has no such file.
    """
    _require(file)
    opened = _as_cut(file, cut)
    if opened is None:
        return None
    try:
        total = opened.sha256()
    except OSError:
        return None
    return total if _is_whole(opened, cut) else None


def join_there(
    file: Input, cut: Cut, parts: Sequence[ReadPart], sha256: str | None, *, hashed: bool
) -> Sent:
    """Return what becomes of a file by what is in its parts.

    `sha256`: its hash if `hashed`; None is none that holds.

    Raises:
        FileNotFoundError: the worker has no such file.
    """
    others = {cut.reader, *(part.reader for part in parts)} - {reader()}
    if others:
        return Sent(others.pop(), b"")
    total = joined([part.rows for part in parts])
    if total is None or (hashed and sha256 is None) or _as_cut(file, cut) is None:
        return read_there(file, hashed=hashed)
    ahead = Answer(rows_of_parts(_rows_parser(cut), total), sha256)
    return Sent(reader(), packed(read_file(file, hashed=hashed, ahead=ahead)))


def _require(file: Input) -> None:
    if not is_url(file.path):
        Path(file.path).stat()


def _rows_parser(cut: Cut) -> RowsParser:
    parser = registry.parser(cut.parser)
    if not isinstance(parser, RowsParser):
        raise TypeError(cut.parser)
    return parser


def _as_cut(file: Input, cut: Cut) -> Opened | None:
    """Return a file, None where it is not what was cut."""
    try:
        opened = open_source(file.path, name=file.name)
        version = opened.version
    except (InputError, OSError):
        return None
    return opened if version == cut.version else None


def _is_whole(opened: Opened, cut: Cut) -> bool:
    """Whether nothing happened to a file while it was read."""
    try:
        return opened.lost is None and opened.version == cut.version
    except OSError:
        return False
