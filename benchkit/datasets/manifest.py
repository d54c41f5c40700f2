"""What a dataset consists of: its files with their hashes, written after all of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.ingest.packing import SHA256
from benchkit.ingest.portable import DiskForm, fault, form_of, keyed, of_dataclass, several
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
_KEY: Final = "benchkit_dataset"
#: What to do about a dataset that is not what was written.
INGEST_AGAIN: Final = "ingest the inputs again, into another folder"


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
        content = _form().written(self)
        del content["number"]
        whole = {_KEY: DATASET_FORMAT, **content, "sha256": _hash_of(content)}
        return json.dumps(whole, indent=1).encode()


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
        InputError: it is none, one of another version, one that was changed since, or it names
            what lies elsewhere.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise _unreadable("no JSON", source) from None
    if not isinstance(content, dict) or _KEY not in content:
        raise _unreadable(f"JSON without '{_KEY}'", source)
    version, written = content.pop(_KEY), content.pop("sha256", None)
    if version != DATASET_FORMAT or isinstance(version, bool):
        raise _unreadable(f"format {version!r:.20}", source, "another benchkit has written it")
    lacking = [each.name for each in fields(Manifest) if each.name not in {*content, "number"}]
    if lacking:
        raise _unreadable(f"no '{lacking[0]}'", source)
    try:
        manifest = _manifest(content, number)
    except InputError as error:
        error.hint = INGEST_AGAIN
        raise error.within(source) from None
    if written != _hash_of(content):
        raise _unreadable("another content than was written", source)
    return manifest


def _unreadable(actual: str, source: str, hint: str | None = None) -> InputError:
    expected = f"a manifest of a dataset, format {DATASET_FORMAT}"
    return InputError(expected, actual=actual, source=source, hint=hint or INGEST_AGAIN)


def _hash_of(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _manifest(content: Mapping[str, Any], number: int) -> Manifest:
    manifest: Manifest = _form().read({"number": number, **content}, "manifest")
    beyond = sorted(manifest.tables.keys() - TABLES.keys())
    if beyond:
        raise fault("a table of the schema", beyond[0], "tables")
    for at, entry in enumerate(manifest.files):
        _check(entry, f"files[{at}]")
    runs = [stored.run_id for stored in manifest.of_table(REQUESTS.name)]
    if None in runs or len({*runs}) < len(runs):
        raise fault("requests of a run each", "of none, or twice of one", "tables.requests")
    lacking = [name for name in TABLES if name != REQUESTS.name and not manifest.of_table(name)]
    if lacking and any(stored.rows for stored in manifest.supplements):
        raise fault("every table of the schema", f"no '{lacking[0]}'", "tables")
    return manifest


@cache
def _form() -> DiskForm:
    form = of_dataclass(
        Manifest,
        tables=keyed(several(form_of(StoredFile), tuple)),
        inputs=several(keyed(form_of(str | None)), tuple),
    )
    return DiskForm(
        form.written, lambda content, path: Manifest(**form.read(content, path)), form.kind
    )


def _check(stored: StoredFile, path: str) -> None:
    """Raise an InputError where an entry can be of no file of a dataset."""
    if not _is_inside(stored.file):
        raise fault("a file of this dataset", stored.file, f"{path}.file")
    if not SHA256.fullmatch(stored.sha256):
        raise fault("a SHA-256", stored.sha256, f"{path}.sha256")
    for name in ("size_bytes", "rows"):
        if not 0 <= getattr(stored, name) < _MOST_BYTES:
            raise fault("a size that a file can have", getattr(stored, name), f"{path}.{name}")


def _is_inside(name: str) -> bool:
    """Whether the path of a file leads below the dataset, and nowhere else."""
    path = PurePosixPath(name)
    return (
        path.as_posix() == name
        and name.isprintable()
        and ".." not in path.parts
        and path.parts[:1] in {(TABLES_AT,), (SUPPLEMENT_AT,)}
        and not set(name) & set("\\:")
    )
