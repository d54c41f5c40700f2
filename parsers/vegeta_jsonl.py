"""vegeta's results as JSON lines: `vegeta encode`, before 7.0 `vegeta dump`.

One object a line, its fields by generation as in the binary results; the instant
is RFC 3339 with up to nine decimals in the writer's zone, the latency nanoseconds.

Source: vegeta 12.13 `lib/results.go`, `lib/results_easyjson.go`; 6.3 `lib/results.go`.
"""

from __future__ import annotations

from typing import Final

from benchkit.parsing import RowsParser, Source

from . import _vegeta
from ._rows_columns import Instant, RowField
from ._rows_json import JsonObjects
from ._rows_windows import head_of

OBJECTS: Final = JsonObjects(
    columns=(RowField("started_ns", "timestamp", Instant()), *_vegeta.COLUMNS)
)
_KEYS: Final = (b'"timestamp"', b'"code"', b'"bytes_in"')


def sniff(source: Source) -> bool:
    """Whether the first line is an object with the keys of a result."""
    first = head_of(source).lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and all(key in first for key in _KEYS)


PARSERS: Final = (
    RowsParser(
        name="vegeta-jsonl",
        reads="results written by `vegeta encode` (JSON lines) or `vegeta dump`",
        versions="2 to 12",
        detail=90,
        sniff=sniff,
        rows=OBJECTS.batches,
        parts=OBJECTS.parts,
        rows_of=OBJECTS.batches,
        **_vegeta.ROWS,
    ),
)
