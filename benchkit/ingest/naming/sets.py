"""The names of one folder read as a set: what is constant, what counts, what is a level."""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.ingest.naming.binding import (
    bind_identifiers,
    bind_words,
    drop_pods,
    part_letters,
    part_words,
    settle_letters,
    take_for_words,
)
from benchkit.ingest.naming.loads import deny_loads, take_dates, take_loads, take_paths
from benchkit.ingest.naming.numbers import settle_numbers
from benchkit.ingest.naming.path_names import Name
from benchkit.ingest.naming.phrases import read_words


def read_together(names: Sequence[Name]) -> None:
    """Fill in what each name says, given all others of the set."""
    if not names:
        return
    drop_pods(names)
    take_for_words(names)
    part_letters(names)
    bind_identifiers(names)
    bind_words(names)
    part_words(names)
    part_words(names)  # `go-size64.1` has two numbers at its end
    settle_letters(names)
    settle_numbers(names)
    take_paths(names)
    deny_loads(names)
    take_dates(names)
    take_loads(names)
    read_words(names)
