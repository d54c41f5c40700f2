"""Reading divided among jobs that know nothing of each other: each takes the files of its shard.

A shard is written down when all its files are read; when all shards are, they are combined, and
what comes of it is what one job would have found.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final

from benchkit.datasets.manifest import SHARDS_AT
from benchkit.datasets.outcomes import (
    KeptOutcomes,
    forget,
    keep,
    keep_beside,
    kept,
    kept_beside,
)
from benchkit.datasets.storage import check_inside, remove_unnamed
from benchkit.errors import InputError, NothingToReportError, UsageError
from benchkit.ingest.beside import NOTHING
from benchkit.ingest.combination import Reading, combined
from benchkit.ingest.config import Scope
from benchkit.ingest.engines import Engine
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.outcomes import outcomes_of
from benchkit.ingest.paths import Input
from benchkit.ingest.portable import form_of
from benchkit.ingest.progress import Progress
from benchkit.ingest.sources import STDIN
from benchkit.model.run import Lateness, Run
from benchkit.redaction import redact
from benchkit.stores import Store
from benchkit.stores.addresses import within
from benchkit.validity.sending import lateness

#: Version of what is written down of a shard.
FORMAT: Final = 1
_WRITTEN: Final = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")
_FILE: Final = re.compile(r"[1-9][0-9]{0,5}-of-[1-9][0-9]{0,5}\.json")
_AGAIN: Final = "ingest the shards again, into another folder"


@dataclass(frozen=True)
class Portion:
    """A number of shards, and which of them, from 1."""

    number: int
    count: int

    @classmethod
    def of_text(cls, text: str) -> Portion:
        """Return a portion such as `3/16`.

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

    @property
    def file(self) -> str:
        """Where it is written down."""
        return f"{SHARDS_AT}/{self.number}-of-{self.count}.json"


@dataclass(frozen=True)
class ReadShard:
    """What is written down of a shard.

    Attributes:
        listing: Hash of the names of all inputs; the same in every shard.
        named: The paths of the call.
        outcomes: Of each input its position among all, and the names of what became of it and of
            what lies beside it.
        lateness: By `run_id` and the rate that was set how late requests were sent, or why that
            is not known: who combines the shards may not have the files any more.
    """

    number: int
    count: int
    listing: str
    named: tuple[str, ...]
    scenario: str | None
    outcomes: tuple[tuple[int, str, str | None], ...]
    lateness: tuple[tuple[str, float, tuple[float, float, float, float] | str], ...] = ()


def read_shard_of(
    scope: Scope,
    named: Sequence[str],
    portion: Portion,
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
    mine = [at for at, entry in enumerate(inputs) if portion.has(entry)]
    read = outcomes_of(
        [inputs[at] for at in mine], KeptOutcomes(engine, store), hashed=True, progress=progress
    )
    beside: dict[int, str] = {}
    outcomes = []
    for at, outcome in read.items():
        known = id(outcome.beside)
        if outcome.beside != NOTHING and known not in beside:
            beside[known] = keep_beside(store, outcome.beside)
        outcomes.append((mine[at], keep(store, outcome), beside.get(known)))
    shard = ReadShard(
        portion.number,
        portion.count,
        _listing(inputs),
        tuple(map(redact, named)),
        scope.scenario,
        tuple(outcomes),
        tuple(_lateness_of(list(read.values()))),
    )
    text = json.dumps({"benchkit_shard": FORMAT, **form_of(ReadShard).written(shard)})
    check_inside(store, portion.file)
    store.replace(portion.file, text.encode())
    there = {each.number for each in _shards(store) if _alike(each) == _alike(shard)}
    return [number for number in range(1, portion.count + 1) if number not in there]


def _lateness_of(outcomes: Sequence[FileOutcome]) -> Iterator[tuple[str, float, Lateness | str]]:
    """Yield how late the requests of each run of some files were sent, which uses the outcomes."""
    with suppress(NothingToReportError):
        for run in combined(outcomes, named=()).runs:
            rate = run.number("offered_rate_rps")
            if run.requests is not None and rate is not None:
                yield run.run_id, rate, lateness(run)


def _listing(inputs: Sequence[Input | InputError]) -> str:
    names = [
        (entry.short, entry.label, entry.named, entry.again, entry.ignored, entry.patterns)
        if isinstance(entry, Input)
        else str(entry)
        for entry in inputs
    ]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def _alike(shard: ReadShard) -> tuple[str, int]:
    """Return what the shards of one reading have in common."""
    return shard.listing, shard.count


def has_shards(store: Store) -> bool:
    """Whether shards are written down that were not combined."""
    return bool(store.list(f"{SHARDS_AT}/"))


def combined_shards(store: Store) -> Reading:
    """Return what all shards together hold, as if one job had read them.

    Raises:
        InputError: not every shard is there, or one of them cannot be read.
        NothingToReportError: there is not one run.
    """
    shards = _shards(store)
    sets = {_alike(shard) for shard in shards}
    if len(sets) > 1:
        counts = ", ".join(sorted({f"{shard.number} of {shard.count}" for shard in shards}))
        raise InputError(
            "the shards of one reading, of the same files",
            actual=counts,
            source=store.address,
            hint=_AGAIN,
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
    beside = cache(partial(kept_beside, store))
    outcomes: dict[int, FileOutcome] = {}
    for shard in shards:
        for at, name, lies_beside in shard.outcomes:
            outcomes[at] = kept(store, name)
            outcomes[at].rest()
            outcomes[at].beside = NOTHING if lies_beside is None else beside(lies_beside)
    reading = combined(
        [outcomes[at] for at in sorted(outcomes)],
        named=shards[0].named,
        scenario=shards[0].scenario,
    )
    known = {(run_id, rate): late for shard in shards for run_id, rate, late in shard.lateness}
    runs = (_examined(run, known) for run in reading.runs)
    return replace(reading, runs=tuple(runs))


def _examined(run: Run, known: Mapping[tuple[str, float], tuple[float, ...] | str]) -> Run:
    rate = run.number("offered_rate_rps")
    late = known.get((run.run_id, rate)) if rate is not None else None
    return run if late is None else replace(run, lateness=_late(late))


def _late(late: tuple[float, ...] | str) -> Lateness | str:
    return late if isinstance(late, str) else Lateness(*late)


def forget_shards(store: Store) -> None:
    """Remove what was kept of shards, when the tables stand.

    Raises:
        UsageError: a link leads out of the dataset.
    """
    remove_unnamed(store, SHARDS_AT, (), ours=_FILE)
    forget(store)


def _shards(store: Store) -> list[ReadShard]:
    shards = []
    for name in store.list(f"{SHARDS_AT}/"):
        source = within(store.address, name)
        try:
            shard = _shard(store.read(name), source)
        except FileNotFoundError:
            raise _refused("a link to nothing", source) from None
        if Portion(shard.number, shard.count).file != name or not _FILE.fullmatch(
            name.removeprefix(f"{SHARDS_AT}/")
        ):
            raise _refused(f"what another name has: {shard.number} of {shard.count}", source)
        shards.append(shard)
    return shards


def _shard(data: bytes, source: str) -> ReadShard:
    try:
        written: dict[str, Any] = json.loads(data)
        version = written.pop("benchkit_shard")
        shard: ReadShard = form_of(ReadShard).read(written, "shard")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _refused(str(error), source) from None
    except InputError as error:
        raise error.within(source) from None
    late = [value for _, _, each in shard.lateness if isinstance(each, tuple) for value in each]
    if not all(map(math.isfinite, late)):
        raise _refused("a lateness that is none", source)
    if version != FORMAT:
        raise _refused(f"format {version!r:.20}", source)
    positions = [at for at, *_ in shard.outcomes]
    if any(at < 0 for at in positions) or len({*positions}) < len(positions):
        raise _refused("a position that no input has", source)
    return shard


def _refused(actual: str, source: str) -> InputError:
    expected = f"a shard of a dataset, format {FORMAT}"
    return InputError(expected, actual=actual, source=source, hint=_AGAIN)
