"""Many small saves into one file per table; what they were read from goes after a time of grace.

Killed at any moment it leaves a store that reads the same: files that no manifest names are not
read, a manifest that stands for others is written last, and those go before their data do.
"""

from __future__ import annotations

import io
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError
from benchkit.history.saves import (
    DATA,
    MANIFESTS,
    Save,
    SaveManifest,
    StoredTable,
    current,
    manifests_of,
    table_of_save,
    unfit,
)
from benchkit.model.bounds import require_possible
from benchkit.model.saved import NO_TABLE
from benchkit.model.tables import STORED
from benchkit.schema import TABLES, Table
from benchkit.stores import Store
from benchkit.stores.inside import check_inside

if TYPE_CHECKING:
    import pandas as pd

#: Whoever began to read before has done so by then.
GRACE_S: Final = 3600.0
#: A file with so many saves is not written again.
_MOST: Final = 1000
#: Longer than between the data of a save and its manifest.
_MAKING_S: Final = 3600.0
#: Rows of a row group at most.
_ROWS: Final = 2**20
#: What a save, or several put together, are called; nobody else's file is removed.
_NAME: Final = r"(?:[0-9a-f]{1,64}|packed-[0-9a-f]{16})"
_OURS: Final = re.compile(
    rf"{MANIFESTS}{_NAME}\.json|{DATA}{_NAME}\.(?:{'|'.join(STORED)})\.parquet"
)


@dataclass(frozen=True)
class Compacted:
    """What was done.

    Attributes:
        saves: That were put together.
        removed: Files that are gone.
        waiting: Files that go when their time of grace is over.
    """

    saves: int
    removed: int
    waiting: int


def compact(store: Store, *, grace_s: float = GRACE_S) -> Compacted:
    """Put saves together, and remove what is no longer named; no save is changed or lost.

    Args:
        store: With any number of saves.
        grace_s: What is no longer needed stays so long, for those who read at the same time.

    Raises:
        InputError: the store cannot be read.
        UsageError: it cannot be written to, or a link leads out of it.
    """
    check_inside(store, DATA)
    manifests = manifests_of(store)
    merged = _mergeable(manifests)
    saves = current(merged) if len(merged) > 1 else []
    try:
        if saves:
            _merge(store, saves, merged)
    except FileNotFoundError as error:
        raise InputError(
            "the data of every save",
            actual=f"no {PurePath(error.filename or str(error)).name}",
            source=store.address,
            hint="if another process compacted just now, try again",
        ) from error
    removed, waiting = _remove(store, grace_s)
    return Compacted(len(saves), removed, waiting)


def _mergeable(manifests: Sequence[SaveManifest]) -> list[SaveManifest]:
    replaced = {name for manifest in manifests for name in manifest.replaces}
    live = [manifest for manifest in manifests if manifest.name not in replaced]
    return [manifest for manifest in live if len(manifest.saves) < _MOST]


def _merge(store: Store, saves: Sequence[Save], merged: Sequence[SaveManifest]) -> None:
    name = f"packed-{secrets.token_hex(8)}"
    tables: dict[str, dict[str, StoredTable]] = {save.id: {} for save in saves}
    for table in STORED:
        file = f"{DATA}{name}.{table}.parquet"
        groups = _write_table(store, saves, table, file)
        for save_id, own in groups.items():
            tables[save_id][table] = StoredTable(file, own)
    moved = tuple(replace(save, tables=tables[save.id]) for save in saves)
    # Whom the merged ones stood for must not come back when they are gone.
    replaces = {own for manifest in merged for own in (manifest.name, *manifest.replaces)}
    manifest = SaveManifest(f"{MANIFESTS}{name}.json", moved, tuple(sorted(replaces)))
    store.put(manifest.name, manifest.text())


def _write_table(
    store: Store, saves: Sequence[Save], table: str, file: str
) -> dict[str, tuple[int, ...]]:
    """Write one table of all saves, and return the row groups of each that has rows."""
    from benchkit.export import write_pieces

    groups: dict[str, tuple[int, ...]] = {}

    def pieces() -> Iterator[pd.DataFrame]:
        number = 0
        for save in saves:
            saved = table_of_save(save, table, store)
            if saved is None:
                continue
            known = _known(TABLES[table], saved, store, save.tables[table].file)
            starts = range(0, len(known), _ROWS)
            groups[save.id] = tuple(range(number, number + len(starts)))
            number += len(starts)
            for start in starts:
                yield known.iloc[start : start + _ROWS]

    out = io.BytesIO()
    write_pieces(TABLES[table], pieces(), out)
    if groups:
        store.put(file, out.getvalue())
    return groups


def _known(table: Table, saved: Any, store: Store, file: str) -> pd.DataFrame:  # noqa: ANN401 - of pyarrow
    try:
        known = table.typed(saved.to_pandas())
        require_possible(table, known)
    except NO_TABLE as error:
        raise unfit(store, file, error) from error
    return known


def _remove(store: Store, grace_s: float) -> tuple[int, int]:
    """Remove manifests that others stand for, then data that none names."""
    manifests = manifests_of(store)
    old = {m.name for m in manifests if m.replaces and store.age_s(m.name) >= grace_s}
    gone = {name for m in manifests if m.name in old for name in m.replaces}
    replaced = {name for m in manifests for name in m.replaces}
    there = [m for m in manifests if m.name in replaced and _OURS.fullmatch(m.name)]
    going = [m for m in there if m.name in gone]
    for manifest in going:
        store.delete(manifest.name)
    left = _files(going)
    kept = [m for m in manifests if m.name not in {manifest.name for manifest in going}]
    named, data = _files(kept), [name for name in store.list(DATA) if _OURS.fullmatch(name)]
    # Data without a manifest may be of a save, or of several put together, that are being made.
    least_s = max(grace_s, _MAKING_S)
    stale = {
        name
        for name in data
        if name not in named and (name in left or store.age_s(name) >= least_s)
    }
    for name in stale:
        store.delete(name)
    needed = _files(m for m in kept if m.name not in replaced)
    unneeded = [name for name in data if name not in needed and name not in stale]
    return len(going) + len(stale), len(there) - len(going) + len(unneeded)


def _files(manifests: Iterable[SaveManifest]) -> set[str]:
    """Return the data that manifests name."""
    return {part.file for m in manifests for save in m.saves for part in save.tables.values()}
