"""What is written down of a shard, and read as what a stranger may have written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from benchkit.datasets.manifest import SHARDS_AT
from benchkit.datasets.storage import check_inside
from benchkit.errors import InputError
from benchkit.ingest.portable import form_of
from benchkit.stores import Store
from benchkit.stores.addresses import within

_FORMAT: Final = 2
_KEY: Final = "benchkit_shard"
#: What such a file is called.
SHARD_FILE: Final = re.compile(r"[1-9][0-9]{0,5}-of-[1-9][0-9]{0,5}\.json")
#: What to do about shards that cannot be combined.
SHARDS_AGAIN: Final = "ingest the shards again, into another folder"


@dataclass(frozen=True)
class ShardRecord:
    """What is written down of a shard.

    Attributes:
        listing: Hash of the names of all inputs; the same in every shard.
        named: The paths of the call.
        outcomes: Of each input its position among all, and the names of what became of it and of
            what lies beside it.
        sends: Of each run whose requests are numbered the position of its file, its number there,
            and the name of when they were sent.
    """

    number: int
    count: int
    listing: str
    named: tuple[str, ...]
    scenario: str | None
    outcomes: tuple[tuple[int, str, str | None], ...]
    sends: tuple[tuple[int, int, str], ...]

    @property
    def reading(self) -> tuple[str, int]:
        """What the shards of one reading have in common."""
        return self.listing, self.count

    @property
    def file(self) -> str:
        """Where it is written down."""
        return f"{SHARDS_AT}/{self.number}-of-{self.count}.json"


def write_record(store: Store, record: ShardRecord) -> None:
    """Write down a shard, in the place of what was written of it before.

    Raises:
        UsageError: it cannot be written, or a link leads out of the dataset.
    """
    text = json.dumps({_KEY: _FORMAT, **form_of(ShardRecord).written(record)})
    check_inside(store, record.file)
    store.replace(record.file, text.encode())


def shard_records(store: Store) -> list[ShardRecord]:
    """Return what is written down of every shard.

    Raises:
        InputError: a file there is no such record, or that of another shard.
    """
    records = []
    for name in store.list(f"{SHARDS_AT}/"):
        source = within(store.address, name)
        try:
            record = _record(store.read(name), source)
        except FileNotFoundError:
            raise _refused("a link to nothing", source) from None
        if record.file != name or not SHARD_FILE.fullmatch(name.removeprefix(f"{SHARDS_AT}/")):
            raise _refused(f"what another name has: {record.number} of {record.count}", source)
        records.append(record)
    return records


def _record(data: bytes, source: str) -> ShardRecord:
    try:
        content: dict[str, Any] = json.loads(data)
        version = content.pop(_KEY)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _refused(f"JSON without '{_KEY}', or none", source) from None
    if version != _FORMAT:
        raise _refused(f"format {version!r:.20}", source)
    try:
        record: ShardRecord = form_of(ShardRecord).read(content, "shard")
    except InputError as error:
        error.hint = SHARDS_AGAIN
        raise error.within(source) from None
    positions = [at for at, *_ in record.outcomes]
    if any(at < 0 for at in positions) or len({*positions}) < len(positions):
        raise _refused("a position that no input has", source)
    if not {at for at, *_ in record.sends} <= {*positions}:
        raise _refused("sends of a position that it does not have", source)
    return record


def _refused(actual: str, source: str) -> InputError:
    expected = f"a shard of a dataset, format {_FORMAT}"
    return InputError(expected, actual=actual, source=source, hint=SHARDS_AGAIN)
