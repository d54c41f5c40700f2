"""What a dataset consists of: its files with their hashes, written after all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.ingest.packing import SHA256
from benchkit.schema import REQUESTS, TABLES

#: Version of the layout and of the schema of the tables; another number is of another benchkit.
DATASET_FORMAT: Final = 1
#: Where tables lie, and what they do not have.
TABLES_AT: Final = "tables"
SUPPLEMENT_AT: Final = "supplement"
#: Where files and shards that were read are kept until the tables stand.
OUTCOMES_AT: Final = "outcomes"
SHARDS_AT: Final = "shards"
_NAME: Final = "manifest-{:06d}.json"
_KNOWN: Final = re.compile(r"manifest-([0-9]{6}|[1-9][0-9]{6,14})\.json")
_MOST_BYTES: Final = 2**62
_NO_MANIFEST: Final = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


@dataclass(frozen=True)
class StoredFile:
    """One file of a dataset.

    Attributes:
        file: Its path below the dataset, with `/`.
        sha256: Hash of its bytes; its name begins with that, too.
        rows: Of its table.
        run_id: Of requests the run that they are of.
    """

    file: str
    sha256: str
    size_bytes: int
    rows: int
    run_id: str | None = None


@dataclass(frozen=True)
class Manifest:
    """A dataset as it is at one moment.

    Attributes:
        number: Of several manifests the highest holds.
        benchkit: The version that wrote it.
        tables: The files of each table; one without rows has none.
        supplements: What a run knows that no table has.
        naming: How the names were understood, a line each.
        inputs: What was read: name and, where it is known, hash of each file that holds runs.
    """

    number: int
    benchkit: str
    tables: Mapping[str, tuple[StoredFile, ...]]
    supplements: tuple[StoredFile, ...]
    naming: tuple[str, ...] = ()
    inputs: tuple[Mapping[str, str | None], ...] = ()

    @property
    def name(self) -> str:
        """The file in which it lies."""
        return name_of(self.number)

    @property
    def files(self) -> Iterator[StoredFile]:
        """Every file but the manifest itself."""
        yield from self.supplements
        for listed in self.tables.values():
            yield from listed

    def of_table(self, name: str) -> tuple[StoredFile, ...]:
        """Return the files of a table."""
        return self.tables.get(name, ())

    def text(self) -> bytes:
        """Return it as it is written."""
        content = {"benchkit_dataset": DATASET_FORMAT, **asdict(self)}
        del content["number"]
        return json.dumps(content, indent=1).encode()


def name_of(number: int) -> str:
    """Return the file of a manifest."""
    return _NAME.format(number)


def number_of(name: str) -> int | None:
    """Return the number of a manifest by the name of its file, None for another file."""
    match = _KNOWN.fullmatch(name)
    return int(match[1]) if match else None


def manifest_of(data: bytes, number: int, *, source: str) -> Manifest:
    """Return a manifest as it was written.

    Raises:
        InputError: it is none, one of another version, or names what lies elsewhere.
    """
    try:
        content = json.loads(data)
        version = int(content["benchkit_dataset"])
        manifest = _manifest(content, number) if version == DATASET_FORMAT else None
    except (*_NO_MANIFEST, RecursionError) as error:
        reason = f"no '{error.args[0]}'" if isinstance(error, KeyError) else str(error)
        raise _unreadable(reason, source) from error
    if manifest is None:
        raise _unreadable(f"format {version}", source, hint="another benchkit has written it")
    return manifest


def _unreadable(actual: str, source: str, hint: str | None = None) -> InputError:
    return InputError(
        f"a manifest of a dataset, format {DATASET_FORMAT}",
        actual=actual,
        source=source,
        hint=hint or "`benchkit ingest` makes the dataset anew, in another folder",
    )


def _manifest(content: Mapping[str, Any], number: int) -> Manifest:
    tables = {
        str(name): tuple(map(_stored_file, listed)) for name, listed in content["tables"].items()
    }
    beyond = sorted(tables.keys() - TABLES.keys())
    if beyond:
        raise ValueError(f"no table '{beyond[0]}'")
    runs = [stored.run_id for stored in tables.get(REQUESTS.name, ())]
    if None in runs or len(set(runs)) < len(runs):
        raise ValueError("requests of no run, or twice of one")
    inputs = [
        {str(name): None if value is None else str(value) for name, value in entry.items()}
        for entry in content["inputs"]
    ]
    return Manifest(
        number=number,
        benchkit=str(content["benchkit"]),
        tables=tables,
        supplements=tuple(map(_stored_file, content["supplements"])),
        naming=tuple(map(str, content["naming"])),
        inputs=tuple(inputs),
    )


def _stored_file(entry: Mapping[str, Any]) -> StoredFile:
    run_id = entry["run_id"]
    stored = StoredFile(
        file=_inside(str(entry["file"])),
        sha256=str(entry["sha256"]),
        size_bytes=int(entry["size_bytes"]),
        rows=int(entry["rows"]),
        run_id=None if run_id is None else str(run_id),
    )
    if not SHA256.fullmatch(stored.sha256):
        raise ValueError(f"no hash: {stored.sha256}")
    if not 0 <= stored.size_bytes < _MOST_BYTES or not 0 <= stored.rows < _MOST_BYTES:
        raise ValueError("a size that no file has")
    return stored


def _inside(name: str) -> str:
    """Return the path of a file below the dataset; none leads out of it."""
    path = PurePosixPath(name)
    plain = path.as_posix() == name and name.isprintable() and ".." not in path.parts
    if (
        not plain
        or not path.parts
        or path.parts[0] not in {TABLES_AT, SUPPLEMENT_AT}
        or set(name) & set("\\:")
    ):
        raise ValueError(f"no file of this dataset: {name}")
    return name
