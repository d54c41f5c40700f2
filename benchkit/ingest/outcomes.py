"""Every input to what became of it, whoever reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchkit.errors import InputError
from benchkit.ingest.beside import Folders, is_meta
from benchkit.ingest.engines import Engine
from benchkit.ingest.failed import failed_records
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter, Progress


def outcomes_of(
    inputs: Sequence[Input | InputError],
    engine: Engine,
    *,
    hashed: bool,
    progress: Callable[[Progress], None] | None = None,
) -> dict[int, FileOutcome]:
    """Return what became of each input by its position, without what belongs to its neighbours."""
    folders = Folders(entry for entry in inputs if isinstance(entry, Input))
    outcomes: dict[int, FileOutcome] = {}
    files: dict[int, Input] = {}
    for at, entry in enumerate(inputs):
        known = _known(entry, folders)
        if isinstance(known, FileOutcome):
            outcomes[at] = known
        elif known is not None:
            files[at] = known
    positions, meter = list(files), Meter(list(files.values()), progress)
    for number, outcome in engine.outcomes(list(files.values()), meter, hashed=hashed):
        meter.runs += len(outcome.runs)
        outcome.beside = folders.beside(outcome.input)
        if len(files) > 1:
            outcome.rest()
        outcomes[positions[number]] = outcome
    records = {
        at: FileOutcome(entry, "foreign", beside=folders.beside(entry))
        for at, entry in enumerate(inputs)
        if isinstance(entry, Input) and at not in outcomes and is_meta(entry)
    }
    outcomes |= failed_records(records, list(outcomes.values()))
    return {at: outcomes[at] for at in sorted(outcomes)}


def _known(entry: Input | InputError, folders: Folders) -> FileOutcome | Input | None:
    """Return what becomes of an input that is not read; a file to be read as it is.

    None is what belongs to its neighbours.
    """
    if isinstance(entry, InputError):
        name = entry.source or ""
        return FileOutcome(Input(name, name, name), "skipped", problems=[entry])
    if entry.ignored is not None:
        return FileOutcome(entry, "foreign", message=f"left alone by '{entry.ignored}'")
    if entry.dataset:
        return FileOutcome(entry, "foreign", message="a dataset; name it to read it")
    if entry.again:
        return FileOutcome(entry, "duplicate", message="named before with another label")
    return _own(entry, folders)


def _own(entry: Input, folders: Folders) -> FileOutcome | Input | None:
    """Return what there is to tell of a file of ours, None if nothing; else the input."""
    content, lost = folders.own(entry), folders.lost(entry)
    if isinstance(content, InputError):
        return FileOutcome(entry, "skipped", problems=[content])
    if content is None:
        return entry
    return FileOutcome(entry, "read", message=f"{entry.name}: {lost}") if lost else None
