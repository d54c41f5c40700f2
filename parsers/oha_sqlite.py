"""oha's database, `--db-url`: a row per answer, those of later runs behind those of earlier ones.

Column `run` is when a run began, in whole seconds since 1970; the other times are seconds since
then. `duration` begins at `start_latency_correction` where that is set, when the request was
due, else at `start`; `url` is the path alone. Requests without an answer have no row.

Source: hatoo/oha 1.16.0 `src/db.rs`, `src/lib.rs` (run).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit.parsing import RequestBatch, RowsParser, Source

from .oha_csv import ROWS

_MAGIC: Final = b"SQLite format 3\0"
_TABLE: Final = b"CREATE TABLE oha ("


def sniff(source: Source) -> bool:
    """Whether the file is a database with a table of oha's."""
    return source.head.startswith(_MAGIC) and _TABLE in source.head


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the answers in the order of their runs.

    Raises:
        InputError: the database is damaged, or has another table of this name.
    """
    from ._oha_database import batches  # which needs SQLite

    yield from batches(source)


PARSERS: Final = (
    RowsParser(
        name="oha-sqlite",
        reads="the database written by `oha --db-url`, a run for each",
        versions="1.4.6 on",
        detail=95,
        sniff=sniff,
        rows=rows,
        **ROWS,
    ),
)
