"""The table in a database of oha's, read-only.

Nothing that the file defines is run: it has to have a plain table `oha`, of which columns are read
and no more rows than have room in it.

Source: hatoo/oha 1.16.0 `src/db.rs`.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError
from benchkit.parsing import RequestBatch, Source

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_PIECE: Final = 2**22
#: Rows of a batch.
_ROWS: Final = 2**16
#: Bytes of a value: URLs.
_LONGEST: Final = 2**24
#: A row takes more bytes than this.
_LEAST_BYTES: Final = 16
#: Instructions of SQLite's machine for a row: more are no reading of columns.
_STEPS: Final = 200
#: What is no number is not read: many rows can share the pages of one long text.
_NUMBER: Final = "CASE WHEN typeof({0}) IN ('integer', 'real') THEN {0} END"
_CORRECTED: Final = "start_latency_correction"
_START: Final = (
    f"CASE typeof({_CORRECTED}) WHEN 'null' THEN {_NUMBER.format('start')} "
    f"ELSE {_NUMBER.format(_CORRECTED)} END"
)
_OTHERS: Final = ", ".join(map(_NUMBER.format, ("duration", "status", "len_bytes")))
_SELECT: Final = f"SELECT {_NUMBER.format('run')}, {_START}, {_OTHERS} FROM oha"  # noqa: S608 - ours
_ALLOWED: Final = {
    sqlite3.SQLITE_SELECT: None,
    sqlite3.SQLITE_READ: {"oha", "sqlite_master"},
    sqlite3.SQLITE_FUNCTION: {"typeof"},
}
_FLOATS: Final = 2.0**51


def batches(source: Source) -> Iterator[RequestBatch]:
    """Yield the answers in the order of their runs.

    Raises:
        InputError: the database is damaged, or has another table of this name.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy, size = Path(folder) / "oha.db", 0
        with copy.open("wb") as file:
            while piece := source.content.read(size, _PIECE):
                size += file.write(piece)
        try:
            with contextlib.closing(_opened(copy, size)) as connection:
                yield from _read(connection, size // _LEAST_BYTES)
        except sqlite3.Error as error:
            raise InputError(
                "a database that oha wrote",
                actual=str(error),
                hint="it is damaged or was changed: write it anew with --db-url",
            ) from None


def _opened(path: Path, size: int) -> sqlite3.Connection:
    """Return a connection that reads columns of the table, and can nothing else."""
    steps = _STEPS * (size // _LEAST_BYTES + _ROWS)

    def allowed(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action not in _ALLOWED:
            return sqlite3.SQLITE_DENY
        names = _ALLOWED[action]
        name = second if action == sqlite3.SQLITE_FUNCTION else first
        return sqlite3.SQLITE_OK if names is None or name in names else sqlite3.SQLITE_DENY

    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    if any(hidden for *_, hidden in connection.execute("PRAGMA table_xinfo(oha)")):
        connection.close()
        raise sqlite3.DatabaseError("a column of oha is computed")
    connection.set_progress_handler(lambda: 1, steps)  # so many, and it is interrupted
    _check_pages(connection)
    connection.set_authorizer(allowed)
    return connection


def _check_pages(connection: sqlite3.Connection) -> None:
    """Refuse rows that share pages: each would be read through all of them."""
    connection.execute("PRAGMA ignore_check_constraints = ON")
    damage = "\n".join(row for (row,) in connection.execute("PRAGMA quick_check('oha')"))
    if damage != "ok":
        connection.close()
        raise sqlite3.DatabaseError(damage.rpartition("\n")[2])


def _read(connection: sqlite3.Connection, most: int) -> Iterator[RequestBatch]:
    kinds = connection.execute("SELECT type, rootpage FROM sqlite_master WHERE name = 'oha'")
    if [(kind, page > 0) for kind, page in kinds.fetchall()] != [("table", True)]:
        raise sqlite3.DatabaseError("oha is no plain table")
    cursor = connection.execute(_SELECT)
    names: list[str] = []
    count = 0
    while fetched := cursor.fetchmany(_ROWS):
        count += len(fetched)
        if count > most:
            raise sqlite3.DatabaseError("more rows than have room in the file")
        yield _batch(fetched, names)
    if not count:
        raise InputError("rows in the table oha", actual="none")


def _batch(fetched: Sequence[tuple[Any, ...]], names: list[str]) -> RequestBatch:
    import numpy as np

    run, start, duration, status, size = zip(*fetched, strict=True)
    codes = {name: code for code, name in enumerate(names)}
    attack = np.empty(len(run), np.int32)
    for at, begun in enumerate(map(str, _whole(run, "run"))):
        attack[at] = codes.setdefault(begun, len(codes))
    names.extend(list(codes)[len(names) :])
    return RequestBatch(
        latency_ns=_nanoseconds(duration, "duration"),
        started_ns=_nanoseconds(start, "start"),
        started_relative=True,
        status=np.clip(_whole(status, "status"), -1, 1000).astype(np.int32),
        received_bytes=_whole(size, "len_bytes"),
        attack=attack,
        attacks=names,
    )


def _nanoseconds(values: Sequence[Any], name: str) -> npt.NDArray[np.int64]:
    import numpy as np

    if not all(isinstance(value, (int, float)) for value in values):
        raise sqlite3.DataError(f"a value of {name} is no number")
    scaled = np.array(values, np.float64) * 1e9
    if not (np.abs(scaled) < _FLOATS).all():
        raise sqlite3.DataError(f"a value of {name} is no time of a run")
    numbers: npt.NDArray[np.int64] = np.rint(scaled).astype(np.int64)
    return numbers


def _whole(values: Sequence[Any], name: str) -> npt.NDArray[np.int64]:
    import numpy as np

    if not all(isinstance(value, int) for value in values):
        raise sqlite3.DataError(f"a value of {name} is no whole number")
    return np.array(values, np.int64)
