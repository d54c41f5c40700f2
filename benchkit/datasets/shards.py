"""Reading divided among jobs that know nothing of each other: each takes the files of its shard.

A shard is written down when all its files are read; when all shards are, they are combined, and
what comes of it is what one job would have found.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

from benchkit.datasets.manifest import SHARDS_AT
from benchkit.datasets.outcomes import KeptOutcomes, forget, keep, keep_beside, kept, kept_beside
from benchkit.datasets.sends import batches_of, keep_sends
from benchkit.datasets.shardrecord import (
    SHARD_FILE,
    SHARDS_AGAIN,
    ShardRecord,
    shard_records,
    write_record,
)
from benchkit.datasets.storage import remove_unnamed
from benchkit.errors import InputError, UsageError
from benchkit.ingest.beside import NOTHING
from benchkit.ingest.combination import Reading, combined
from benchkit.ingest.config import Scope
from benchkit.ingest.engines import Engine
from benchkit.ingest.engines.reader import reader
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.outcomes import outcomes_of
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Progress
from benchkit.ingest.sources import STDIN
from benchkit.redaction import redact
from benchkit.stores import Store
from benchkit.validity.sending import lateness

_WRITTEN: Final = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")


@dataclass(frozen=True)
class Shard:
    """One of so many parts of the inputs; they are numbered from 1."""

    number: int
    count: int

    @classmethod
    def of_text(cls, text: str) -> Shard:
        """Return a shard such as `3/16`.

        Raises:
            UsageError: it is none.
        """
        match = _WRITTEN.fullmatch(text)
        number, count = (int(match[1]), int(match[2])) if match else (1, 0)
        if number > count:
            raise UsageError(f"--shard {text!r:.30}: no shard; write for example 3/16")
        return cls(number, count)

    def has(self, entry: Input | InputError) -> bool:
        """Whether an input is of it, by its name below the folder that was named."""
        name = entry.short if isinstance(entry, Input) else str(entry)
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8]) % self.count == self.number - 1


def read_shard_of(
    scope: Scope,
    named: Sequence[str],
    shard: Shard,
    store: Store,
    engine: Engine,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> list[int]:
    """Read the files of a shard and write down what became of them; return which are missing.

    Raises:
        UsageError: an input is standard input, which only one job has.
    """
    inputs = list(scope.inputs)
    if any(isinstance(entry, Input) and entry.path == STDIN for entry in inputs):
        raise UsageError("standard input ('-') is in no shard; ingest it without --shard")
    mine = [at for at, entry in enumerate(inputs) if shard.has(entry)]
    keeping = KeptOutcomes(engine, store)
    read = outcomes_of([inputs[at] for at in mine], keeping, hashed=True, progress=progress)
    beside: dict[int, str] = {}
    outcomes, sends = [], []
    for at, outcome in read.items():
        known = id(outcome.beside)
        if outcome.beside != NOTHING and known not in beside:
            beside[known] = keep_beside(store, outcome.beside)
        name = keeping.names.get(outcome.input) or keep(store, outcome)
        outcomes.append((mine[at], name, beside.get(known)))
        sends += [(mine[at], *kept_as) for kept_as in keep_sends(store, outcome, name)]
    record = ShardRecord(
        shard.number,
        shard.count,
        _listing(inputs),
        tuple(map(redact, named)),
        scope.scenario,
        tuple(outcomes),
        tuple(sends),
    )
    write_record(store, record)
    there = {each.number for each in shard_records(store) if each.reading == record.reading}
    return [number for number in range(1, shard.count + 1) if number not in there]


def _listing(inputs: Sequence[Input | InputError]) -> str:
    """Return a hash of what all shards of one reading have in common: inputs, and who reads."""
    names = [
        (entry.short, entry.label, entry.named, entry.again, entry.ignored, entry.patterns)
        if isinstance(entry, Input)
        else str(entry)
        for entry in inputs
    ]
    return hashlib.sha256(json.dumps([reader(), *names]).encode()).hexdigest()


def has_shards(store: Store) -> bool:
    """Whether shards are written down that were not combined."""
    return bool(store.list(f"{SHARDS_AT}/"))


def combined_shards(store: Store) -> Reading:
    """Return what all shards together hold, as if one job had read them.

    Raises:
        InputError: not every shard is there, or one of them cannot be read.
        NothingToReportError: there is not one run.
    """
    shards = shard_records(store)
    if len({shard.reading for shard in shards}) > 1:
        counts = ", ".join(sorted({f"{shard.number} of {shard.count}" for shard in shards}))
        raise InputError(
            "the shards of one reading, of the same files and by the same benchkit",
            actual=counts,
            source=store.address,
            hint=SHARDS_AGAIN,
        )
    there = {shard.number for shard in shards}
    count = shards[0].count if shards else 1
    missing = [str(number) for number in range(1, count + 1) if number not in there]
    if missing:
        raise InputError(
            f"all {count} shards",
            actual=f"none of {', '.join(missing[:8])}{', …' if len(missing) > 8 else ''}",
            source=store.address,
            hint="ingest those too, then `benchkit ingest --to` it without paths",
        )
    outcomes = _outcomes(store, shards)
    sends: dict[tuple[str | None, str], str] = {
        (outcomes[at].input.path, run.record.name or ""): name
        for shard in shards
        for at, number, name in shard.sends
        for run in outcomes[at].runs
        if run.number == number
    }
    reading = combined(
        [outcomes[at] for at in sorted(outcomes)],
        named=shards[0].named,
        scenario=shards[0].scenario,
    )
    runs = (
        run
        if run.requests is None
        else replace(run, lateness=lateness(run, batches_of(run, store, sends)))
        for run in reading.runs
    )
    return replace(reading, runs=tuple(runs))


def _outcomes(store: Store, shards: Iterable[ShardRecord]) -> dict[int, FileOutcome]:
    """Return what became of each input, by its position."""
    beside = cache(partial(kept_beside, store))
    outcomes: dict[int, FileOutcome] = {}
    for shard in shards:
        for at, name, lies_beside in shard.outcomes:
            outcomes[at] = kept(store, name)
            outcomes[at].rest()
            outcomes[at].beside = NOTHING if lies_beside is None else beside(lies_beside)
    return outcomes


def forget_shards(store: Store) -> None:
    """Remove what was kept of shards, when the tables stand.

    Raises:
        UsageError: a link leads out of the dataset.
    """
    remove_unnamed(store, SHARDS_AT, (), ours=SHARD_FILE)
    forget(store)
