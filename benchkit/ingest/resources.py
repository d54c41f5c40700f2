"""`resources.csv`: samples of processes that a harness lays beside the output."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.ingest.meta import value_of, wanted
from benchkit.ingest.sources import address_of, read_beside
from benchkit.schema import RESOURCES

NAME: Final = "resources.csv"
_HEADER: Final = 4096
_GZIP: Final = b"\x1f\x8b"
_NEEDED: Final = ("elapsed_s", "process")
#: Without the first, `run_id`.
_COLUMNS: Final = {column.name: column for column in RESOURCES.columns[1:]}
#: `float` takes more, such as `1_0`.
_NUMBER: Final = re.compile(r"[0-9.eE+-]++")
_Row = dict[str, Any]


@dataclass(frozen=True)
class Samples:
    """The rows of one file, each with every column but `run_id`, and what is lost of it."""

    rows: Sequence[_Row]
    lost: str | None = None


def read_resources(folder: str) -> Samples | InputError | None:
    """Return what the file in a folder holds.

    None where there is none, or one that is not ours: its header has not our first column.
    """
    try:
        head = read_beside(folder, NAME, count=_HEADER)
        if head is None or not _is_ours(head):
            return None
        _require_header(head)
        data = read_beside(folder, NAME) or b""
        return _samples(data.decode("utf-8-sig"))
    except InputError as error:
        error.source = error.source or address_of(folder, NAME)
        return error
    except (OSError, ValueError, csv.Error) as error:
        return InputError("samples as CSV", actual=str(error), source=address_of(folder, NAME))


def _is_ours(head: bytes) -> bool:
    """Whether a header has our first column, in whatever encoding and with whatever between.

    Raises:
        InputError: there is nothing in the file, or it is packed: nobody else's is likely so.
    """
    if not head.strip() or head.startswith(_GZIP):
        raise InputError("samples as CSV", actual="gzip" if head.strip() else "nothing")
    header = head.replace(b"\0", b"").partition(b"\n")[0]
    return re.search(rb"(?<!\w)elapsed_s(?!\w)", header) is not None


def _require_header(head: bytes) -> None:
    """Make sure that the first line has our columns, each once.

    Raises:
        InputError: it has not.
        ValueError, csv.Error: it is no text of UTF-8, or no CSV.
    """
    names = next(csv.reader([head.partition(b"\n")[0].decode("utf-8-sig")]), [])
    wrong = [f"no '{name}'" for name in _NEEDED if name not in names]
    wrong += [f"'{name}'" for name in names if name not in _COLUMNS]
    wrong += [f"'{name}' twice" for name, count in Counter(names).items() if count > 1]
    if wrong:
        listed = ", ".join(_COLUMNS)
        raise InputError(f"the columns {listed}", actual=", ".join(wrong), where=Where(line=1))


def _samples(text: str) -> Samples:
    """Return the rows, or raise an InputError with the line of what does not fit."""
    reader = csv.reader(io.StringIO(text, newline=""))
    header = next(reader, [])
    lines = [(reader.line_num, cells) for cells in reader if cells]
    # A number that is cut off is another number.
    is_open = bool(lines) and not text.endswith(("\n", "\r"))
    whole = lines[:-1] if is_open else lines
    short = [line for line, cells in whole if len(cells) < len(header)]
    full = [(line, cells) for line, cells in whole if len(cells) >= len(header)]
    return Samples([*_rows(header, full)], "; ".join(_losses(short, is_open=is_open)) or None)


def _losses(short: Sequence[int], *, is_open: bool) -> Iterator[str]:
    if short:
        rows = "1 row has" if len(short) == 1 else f"{len(short)} rows have"
        left = "is" if len(short) == 1 else "are"
        yield f"{rows} fewer cells than the header (line {short[0]}) and {left} left out"
    if is_open:
        yield "its last row has no end of line, so that it may be cut off, and is left out"


def _rows(header: Sequence[str], lines: Iterable[tuple[int, Sequence[str]]]) -> Iterator[_Row]:
    for line, cells in lines:
        try:
            yield _row(header, cells)
        except InputError as error:
            error.where = Where(line=line)
            raise


def _row(header: Sequence[str], cells: Sequence[str]) -> _Row:
    """Return one row, an empty cell as None, or raise an InputError for what does not fit."""
    if len(cells) > len(header):
        many = f"{len(cells) - len(header)} cells too many"
        raise InputError("as many cells as the header has", actual=many)
    texts = dict(zip(header, cells, strict=True))
    return {name: _value(name, texts.get(name, "")) for name in _COLUMNS}


@lru_cache(maxsize=2**14)  # most cells of many files are the same few
def _value(name: str, text: str) -> Any:  # noqa: ANN401 - of any column
    column = _COLUMNS[name]
    if not text:
        if name in _NEEDED:
            raise InputError(f"'{name}' to be {wanted(column)}", actual="nothing")
        return None
    try:
        return value_of(column, text if column.kind == "string" else _number(text))
    except ValueError:
        raise InputError(f"'{name}' to be {wanted(column)}", actual=text) from None


def _number(text: str) -> float:
    return float(text) if _NUMBER.fullmatch(text) else math.nan
