"""`benchkit compact`."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from benchkit.cli import options
from benchkit.cli.console import say
from benchkit.errors import UsageError

_UNITS: Final = {"s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def compact(
    store: Annotated[
        str,
        typer.Argument(
            metavar="STORE", help="A store of `benchkit save`, or a dataset of `benchkit ingest`."
        ),
    ],
    *,
    grace: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="What is no longer needed stays so long, for those who read meanwhile.",
        ),
    ] = "1h",
) -> int:
    """Put the files of a store or of a dataset into fewer ones.

    None is changed or lost. What saves were read from is removed by a later call, when the time
    of grace is over; of a dataset at once, as engines read whatever lies there.
    """
    from benchkit.datasets.arguments import is_dataset

    if is_dataset(store):
        say(_dataset(store))
        return 0
    grace_s = options.amount(grace, _UNITS)
    if grace_s is None:
        raise UsageError(f"--grace {grace}: not a time; write for example 1h or 30min")
    from benchkit.format import clean, plural
    from benchkit.history import compact as compacting
    from benchkit.history.saves import saves_of
    from benchkit.stores import store_at

    opened = store_at(store)
    saves_of(opened)
    done = compacting.compact(opened, grace_s=grace_s)
    parts = [
        f"{plural(done.saves, 'save')} put together" if done.saves else "nothing to put together",
        f"{plural(done.removed, 'file')} removed" if done.removed else "",
        f"{plural(done.waiting, 'file')} to be removed after {grace}" if done.waiting else "",
    ]
    say(clean(f"{store}: {', '.join(filter(None, parts))}").replace("\xa0", " ") + "\n")
    return 0


def _dataset(address: str) -> str:
    """Put the files of a dataset together, and return a line about it."""
    from benchkit.datasets.compaction import compact as compacting
    from benchkit.format import clean, plural
    from benchkit.stores import store_at

    before, after = compacting(store_at(address))
    counts = [plural(count, "file").replace("\xa0", " ") for count in (before, after)]
    done = "nothing to put together" if before == after else f"{counts[0]} before, {counts[1]} now"
    return clean(f"{address}: {done}") + "\n"
