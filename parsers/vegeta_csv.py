"""vegeta's results as CSV: `vegeta encode -to csv`, before 7.0 `vegeta dump -dumper csv`.

There is no header. The columns are instant (ns since 1970), status, latency (ns),
bytes out, bytes in, error; from 7.0 the body in base64; from 8.0 attack and
sequence number; from 12.8 method, URL, and headers in base64.

Source: vegeta 6.3, 7.0, 8.0 and 12.13 `lib/results.go`; 5.6.3 `lib/dumpers.go`.
"""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit.parsing import RequestBatch, RowsParser, Source

from . import _vegeta, _vegeta_rows
from ._vegeta_rows import BadRowError, Way

if TYPE_CHECKING:
    import pyarrow as pa

_NAMES: Final = (
    *("timestamp", "code", "latency", "bytes_out", "bytes_in", "error", "body"),
    *("attack", "seq", "method", "url", "headers"),
)
_WIDTHS: Final = (6, 7, 9, 12)
_FIRST: Final = re.compile(
    rb"(?:\d{18,19}|NaN|[+-]?Inf),\d{1,3},(?:-?\d{1,19}|NaN|[+-]?Inf),\d{1,19},\d{1,19},"
)
_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_LIMIT_LOCK: Final = threading.Lock()


def sniff(source: Source) -> bool:
    """Whether the file begins with a row of vegeta's CSV."""
    return _FIRST.match(_vegeta_rows.head_of(source)) is not None


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the results in file order.

    Raises:
        InputError: a row is broken; all before it have been yielded.
    """
    way = Way(quote=b'"', ended=b"\n", quick=_quick, careful=_careful)
    yield from _vegeta.checked(_vegeta_rows.batches(source, way))


def _quick(data: bytes) -> pa.Table:
    import pyarrow as pa
    from pyarrow import csv as fast

    width = len(next(_reader(_first_row(data))))
    if width not in _WIDTHS:
        msg = f"{width} columns"
        raise ValueError(msg)
    names = _NAMES[:width]
    wanted = [name for name in names if name not in {"body", "headers"}]
    text = pa.dictionary(pa.int32(), pa.binary())
    kinds = {name: pa.int64() if name in _vegeta_rows.NUMBERS else text for name in wanted}
    return fast.read_csv(
        pa.BufferReader(data),
        read_options=fast.ReadOptions(column_names=names, block_size=len(data) + 1),
        parse_options=fast.ParseOptions(newlines_in_values=True, ignore_empty_lines=True),
        convert_options=fast.ConvertOptions(
            column_types=kinds, include_columns=wanted, null_values=[], strings_can_be_null=False
        ),
    )


def _first_row(data: bytes) -> bytes:
    start, quotes = 0, 0
    while (end := data.find(b"\n", start)) >= 0:
        quotes += data.count(b'"', start, end)
        if quotes % 2 == 0:
            return data[:end]
        start = end + 1
    return data


def _careful(data: bytes) -> Iterator[Mapping[str, Any]]:
    width, line = 0, 0
    with _LIMIT_LOCK:  # the limit is the whole process's
        before = csv.field_size_limit(max(len(data), 2))
        try:
            reader = _reader(data)
            for row in reader:
                if row:
                    width = width or len(row)
                    yield _read_row(row, width, line)
                line = reader.line_num
        except csv.Error as error:
            raise BadRowError(line, "a row of vegeta's CSV", str(error)) from None
        finally:
            csv.field_size_limit(before)


def _reader(data: bytes) -> Any:  # noqa: ANN401 - csv has no name for it
    return csv.reader(io.StringIO(data.decode("utf-8", "backslashreplace"), newline=""))


def _read_row(row: Sequence[str], width: int, line: int) -> dict[str, Any]:
    if len(row) != width or width not in _WIDTHS:
        expected = f"{width} columns" if width in _WIDTHS else "6, 7, 9 or 12 columns"
        raise BadRowError(line, expected, f"{len(row)}")
    values: dict[str, Any] = {}
    for name, text in zip(_NAMES, row, strict=False):
        if name in _vegeta_rows.TEXTS:
            values[name] = text.encode("utf-8", "surrogatepass")
        elif name in _vegeta_rows.NUMBERS:
            if not _WHOLE.fullmatch(text) or abs(int(text)) >= 2**63:
                raise BadRowError(line, f"a whole number as {name}", text)
            values[name] = int(text)
    return values


PARSERS: Final = (
    RowsParser(
        name="vegeta-csv",
        reads="results written by `vegeta encode -to csv` or `vegeta dump -dumper csv`",
        versions="2 to 12",
        detail=90,
        sniff=sniff,
        rows=rows,
        **_vegeta.ROWS,
    ),
)
