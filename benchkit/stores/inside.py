"""What lies in a store, whatever is a link there: nothing else is written, read or removed."""

from __future__ import annotations

from benchkit.errors import UsageError
from benchkit.stores.addresses import within
from benchkit.stores.folder import Folder
from benchkit.stores.store import Store


def check_inside(store: Store, name: str, *, what: str = "store") -> None:
    """Make sure that a name of a store lies in it; `what` is what an error calls the store.

    Raises:
        UsageError: it leads out.
    """
    if not isinstance(store, Folder):
        return
    try:
        leads_out = not (store.folder / name).resolve().is_relative_to(store.folder.resolve())
    except (OSError, RuntimeError):  # a link to itself
        leads_out = True
    if leads_out:
        raise UsageError(f"{within(store.address, name)} leads out of the {what}")
