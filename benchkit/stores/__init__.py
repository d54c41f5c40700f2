"""Stores of bytes: a folder, or a bucket; saved runs, datasets and pages are written to them."""

from __future__ import annotations

from pathlib import Path

from benchkit.errors import UsageError
from benchkit.stores.addresses import checked, is_url, is_web, public
from benchkit.stores.store import Listed, Store, ThereAlreadyError

__all__ = ["Listed", "Store", "ThereAlreadyError", "store_at"]


def store_at(address: str) -> Store:
    """Return the store at an address, which need not be there yet.

    Raises:
        UsageError: no store can be there.
    """
    if not address:
        raise UsageError("a store needs an address: name a folder")
    where = checked(address)
    if is_web(where):
        raise UsageError(f"{public(where)}: can only be read, and a store is written to")
    if is_url(where):
        from benchkit.stores.objects import Objects

        return Objects(where)
    path = Path(where)
    if path.exists() and not path.is_dir():
        raise UsageError(f"{address}: a store is a folder, and this is a file")
    from benchkit.stores.folder import Folder

    return Folder(path)
