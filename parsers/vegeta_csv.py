"""vegeta's results as CSV: `vegeta encode -to csv`, before 7.0 `vegeta dump -dumper csv`.

There is no header. The columns are instant (ns since 1970), status, latency (ns),
bytes out, bytes in, error; from 7.0 the body in base64; from 8.0 attack and
sequence number; from 12.8 method, URL, and headers in base64.

Source: vegeta 6.3, 7.0, 8.0 and 12.13 `lib/results.go`; 5.6.3 `lib/dumpers.go`.
"""

from __future__ import annotations

import re
from typing import Final

from benchkit.parsing import RowsParser, Source

from . import _vegeta
from ._rows_columns import RowField
from ._rows_csv import DelimitedRows
from ._rows_windows import head_of

_NAMES: Final = (
    *("timestamp", "code", "latency", "bytes_out", "bytes_in", "error", "body"),
    *("attack", "seq", "method", "url", "headers"),
)
TABLE: Final = DelimitedRows(
    columns=(RowField("started_ns", "timestamp"), *_vegeta.COLUMNS),
    headless=[_NAMES[:width] for width in (6, 7, 9, 12)],
)
_FIRST: Final = re.compile(
    rb"(?:\d{18,19}|NaN|[+-]?Inf),\d{1,3},(?:-?\d{1,19}|NaN|[+-]?Inf),\d{1,19},\d{1,19},"
)


def sniff(source: Source) -> bool:
    """Whether the file begins with a row of vegeta's CSV."""
    return _FIRST.match(head_of(source)) is not None


PARSERS: Final = (
    RowsParser(
        name="vegeta-csv",
        reads="results written by `vegeta encode -to csv` or `vegeta dump -dumper csv`",
        versions="2 to 12",
        detail=90,
        sniff=sniff,
        rows=TABLE.batches,
        parts=TABLE.parts,
        rows_of=TABLE.batches,
        **_vegeta.ROWS,
    ),
)
