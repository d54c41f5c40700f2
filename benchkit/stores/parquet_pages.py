"""What the pages of a Parquet file say they unpack to; its footer can say anything.

Source: apache/parquet-format 2.11.0 `parquet.thrift` (PageHeader); apache/thrift 0.22.0
`doc/specs/thrift-compact-protocol.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final

_SIZE_UNPACKED: Final = 2  # fields of PageHeader
_SIZE_PACKED: Final = 3
_BYTE, _DOUBLE, _BINARY, _STRUCT = 3, 7, 8, 12
_INTEGERS: Final = (4, 5, 6)
_HEADER_BYTES: Final = 2**15  # of one page, with its statistics
_LONGEST_NUMBER: Final = 10  # bytes
_DEPTH: Final = 8


def unpacked_bytes(source: IO[bytes], size: int, groups: Iterable[Any]) -> int:
    """Return the bytes of all pages of some row groups, by their own headers.

    Raises:
        ValueError: what stands where a page begins is none, or columns share pages.
    """
    columns = [group.column(number) for group in groups for number in range(group.num_columns)]
    # Of a column without values nothing is read, and where it stands is not always told.
    extents = [_extent(column) for column in columns if column.num_values]
    if sum(end - start for start, end in extents) > size:
        raise ValueError("columns that share their pages")
    return sum(sum(_page_sizes(source, start, end)) for start, end in extents)


def _extent(column: Any) -> tuple[int, int]:  # noqa: ANN401 - of pyarrow
    """Return where the pages of a column begin and end.

    Raises:
        ValueError: at no byte of a file.
    """
    start, length = column.data_page_offset, column.total_compressed_size
    if column.has_dictionary_page and 0 < column.dictionary_page_offset < start:
        start = column.dictionary_page_offset
    if start < 0 or length < 0:
        raise ValueError(f"a column of {length:,} bytes at byte {start:,}")
    return start, start + length


def _page_sizes(source: IO[bytes], start: int, end: int) -> Iterator[int]:
    while start < end:
        source.seek(start)
        header = _Header(source.read(_HEADER_BYTES))
        sizes = header.integers()
        unpacked, packed = sizes.get(_SIZE_UNPACKED, -1), sizes.get(_SIZE_PACKED, -1)
        if unpacked < 0 or packed < 0:
            raise ValueError(f"no page of a column at byte {start:,}")
        yield unpacked
        start += header.position + packed


class _Header:
    """A structure in Thrift's compact protocol."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.position = 0

    def integers(self, depth: int = 0) -> dict[int, int]:
        """Read a structure, and return the whole numbers among its fields."""
        if depth > _DEPTH:
            raise ValueError("structures within each other in the header of a page")
        fields: dict[int, int] = {}
        field = 0
        while head := self._byte():
            kind, step = head & 15, head >> 4
            field = field + step if step else self._signed()
            if kind in _INTEGERS:
                fields[field] = self._signed()
            else:
                self._skip(kind, depth)
        return fields

    def _skip(self, kind: int, depth: int) -> None:
        skips: dict[int, Callable[[], object]] = {
            1: lambda: None,  # true and false are their kind
            2: lambda: None,
            _BYTE: self._byte,
            _DOUBLE: lambda: self._bytes(8),
            _BINARY: lambda: self._bytes(self._number()),
            _STRUCT: lambda: self.integers(depth + 1),
        }
        if kind not in skips:
            raise ValueError(f"a field of kind {kind} in the header of a page")
        skips[kind]()

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, count: int) -> bytes:
        piece = self._content[self.position : self.position + count]
        if len(piece) < count:
            raise ValueError("the header of a page is cut short or too long")
        self.position += count
        return piece

    def _number(self) -> int:
        value = 0
        for index in range(_LONGEST_NUMBER):
            byte = self._byte()
            value |= (byte & 127) << 7 * index
            if byte < 128:
                return value
        raise ValueError("a number in the header of a page has no end")

    def _signed(self) -> int:
        number = self._number()
        return (number >> 1) ^ -(number & 1)
