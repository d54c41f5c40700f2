"""What became of single files, kept in a dataset until its tables stand.

Whoever goes on after an interruption, or puts the shards of many jobs together, finds there what
is done. Credentials are redacted before anything is kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from benchkit.datasets.manifest import OUTCOMES_AT
from benchkit.datasets.storage import check_inside, remove_unnamed
from benchkit.errors import BenchkitError, InputError
from benchkit.ingest.beside import Beside
from benchkit.ingest.engines import Engine
from benchkit.ingest.engines.reader import reader
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.packing import packed, packed_beside, unpacked, unpacked_beside
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter
from benchkit.ingest.sources import STDIN, open_source
from benchkit.redaction import redact
from benchkit.stores import Store
from benchkit.stores.addresses import public, within

_NAME: Final = re.compile(r"[0-9a-f]{40}\.json")


@dataclass(frozen=True)
class KeptOutcomes:
    """An engine that keeps what another one reads, and reads nothing that is kept.

    Attributes:
        names: Of each file that was read what its outcome is called.
    """

    engine: Engine
    store: Store
    names: dict[Input, str] = field(default_factory=dict)

    def outcomes(
        self, files: Sequence[Input], meter: Meter, *, hashed: bool
    ) -> Iterator[tuple[int, FileOutcome]]:
        """Yield the number of each file and what became of it."""
        there = {*self.store.list(f"{OUTCOMES_AT}/")}
        numbers = []
        for number, file in enumerate(files):
            outcome = self._known(file, there) if there else None
            if outcome is None:
                numbers.append(number)
            else:
                meter.begin(file)
                yield number, outcome
        rest = [files[number] for number in numbers]
        for at, outcome in self.engine.outcomes(rest, meter, hashed=hashed) if rest else ():
            if outcome.key and outcome.input.path != STDIN:
                self.names[outcome.input] = keep(self.store, outcome)
            yield numbers[at], outcome

    def _known(self, file: Input, there: set[str]) -> FileOutcome | None:
        """Return what is kept of a file, None where nothing is that can be used."""
        with suppress(BenchkitError, OSError):
            name = _name(file, open_source(file.path, name=file.name).key)
            if file.path != STDIN and f"{OUTCOMES_AT}/{name}" in there:
                outcome = kept(self.store, name)
                outcome.input = file
                self.names[file] = name
                return outcome
        return None


def _name(file: Input, key: str) -> str:
    """Return what the outcome of a file is called: by its content, how it is named, the reader."""
    changed = 0
    with suppress(OSError, ValueError):
        changed = Path(file.path).stat().st_mtime_ns  # the key of a large file is of parts of it
    known = repr((reader(), replace(file, path=public(file.path)), key, changed))
    return f"{hashlib.sha256(known.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}.json"


def keep(store: Store, outcome: FileOutcome) -> str:
    """Keep an outcome, and return its name."""
    data = packed(outcome, clean=redact)
    name = _name(outcome.input, outcome.key) if outcome.key else name_of(data)
    write_kept(store, name, data)
    return name


def keep_beside(store: Store, beside: Beside) -> str:
    """Keep what lies beside outputs, and return its name."""
    data = packed_beside(beside, clean=redact)
    name = name_of(data)
    write_kept(store, name, data)
    return name


def write_kept(store: Store, name: str, data: bytes) -> None:
    """Write down what is kept under a name that `name_of` has made."""
    check_inside(store, f"{OUTCOMES_AT}/{name}")
    store.replace(f"{OUTCOMES_AT}/{name}", data)


def name_of(data: bytes) -> str:
    """Return a name for what is kept, made of some bytes."""
    return f"{hashlib.sha256(data).hexdigest()[:40]}.json"


def kept(store: Store, name: str) -> FileOutcome:
    """Return an outcome by its name.

    Raises:
        InputError: there is none.
    """
    return unpacked(read_kept(store, name), source=source_of(store, name))


def kept_beside(store: Store, name: str) -> Beside:
    """Return what lies beside outputs, by its name.

    Raises:
        InputError: there is none.
    """
    return unpacked_beside(read_kept(store, name), source=source_of(store, name))


def source_of(store: Store, name: str) -> str:
    """Return what messages call something that is kept."""
    return within(store.address, f"{OUTCOMES_AT}/{name}")


def read_kept(store: Store, name: str) -> bytes:
    """Return what is kept under a name.

    Raises:
        InputError: there is nothing.
    """
    if not _NAME.fullmatch(name):
        raise InputError("the name of an outcome", actual=name, source=store.address)
    try:
        return store.read(f"{OUTCOMES_AT}/{name}")
    except FileNotFoundError:
        raise InputError(
            "an outcome that a shard names", actual="nothing", source=source_of(store, name)
        ) from None


def forget(store: Store) -> None:
    """Remove what is kept, when the tables stand.

    Raises:
        UsageError: a link leads out of the dataset.
    """
    remove_unnamed(store, OUTCOMES_AT, (), ours=_NAME)
