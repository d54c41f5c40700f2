"""Saves: all runs of one call as tables, under a manifest that is written last."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchkit.errors import InputError, UsageError, printable
from benchkit.history.columns import known_columns
from benchkit.model.bounds import MOST
from benchkit.model.run import MACHINE
from benchkit.model.tables import STORED
from benchkit.redaction import redact
from benchkit.redaction.saved import without_secrets
from benchkit.schema import FILES, RUNS, TABLES
from benchkit.stores import Store
from benchkit.stores.addresses import within
from benchkit.stores.inside import check_inside
from benchkit.stores.parquet import BoundedParquet, Expansion

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.api import Results
    from benchkit.model.run import Run

#: What a manifest says that it is; another number is of another benchkit.
FORMAT: Final = 1
MANIFESTS: Final = "manifests/"
DATA: Final = "data/"
_ID: Final = 16  # hexadecimal digits
#: Files that stay open: the tables of many saves that lie together.
_OPENED: Final = 16
#: Between the id of a save and that of a run.
_OF: Final = "/"
_LEFT_OUT: Final = "its saves are left out and the others can be read"
_KNOWN_ID: Final = re.compile(r"[0-9a-f]{1,64}")
#: What content raises that is none of a manifest.
_NO_MANIFEST: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)
_AGAIN: Final = 3  # times that a list is read anew, when what it names has been compacted since


class StoredTable(NamedTuple):
    """Where a table of a save lies: a file, and which of its row groups."""

    file: str
    groups: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Save:
    """One save, as its manifest has it.

    Attributes:
        id: Hash of data, commit, branch and time.
        commit: As given, without secrets when it is read; so are `branch` and `label`.
        label: A name for it, such as a release.
        saved_at: UTC, ISO 8601.
        runs: How many.
        benchkit: The version that read the runs.
        machine: Where it was saved; for runs that do not tell where they were made.
        withheld: By `run_id` the columns not to be shown with the reason, as found when it was
            saved.
        tables: By name; those without rows are left out.
        steps: By `run_id` those of columns that came from a coarser file, in s.
    """

    id: str
    commit: str
    branch: str
    label: str | None
    saved_at: str
    runs: int
    benchkit: str
    machine: Mapping[str, Any]
    withheld: Mapping[str, Mapping[str, str]]
    tables: Mapping[str, StoredTable]
    steps: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def date(self) -> str:
        """The day of `saved_at`."""
        return self.saved_at[:10]


@dataclass(frozen=True)
class SaveManifest:
    """What one manifest names, and which earlier manifests it stands for."""

    name: str
    saves: tuple[Save, ...]
    replaces: tuple[str, ...] = ()

    def text(self) -> bytes:
        """Return it as it is written."""
        content = {
            "benchkit_store": FORMAT,
            "replaces": self.replaces,
            "saves": [asdict(save) for save in self.saves],
        }
        return json.dumps(content, indent=1).encode()


def inputs_of(address: str) -> tuple[str, ...]:
    """Return the folders of a store in which nothing may be written but saves."""
    return tuple(within(address, folder.rstrip("/")) for folder in (MANIFESTS, DATA))


def save_results(
    results: Results,
    store: Store,
    *,
    commit: str,
    branch: str,
    label: str | None = None,
    machine: Mapping[str, Any] | None = None,
) -> Save:
    """Save all runs with their counts; the same ones again are another save.

    Args:
        results: Without secrets, as `load` returns them.
        store: Where to.
        commit: Any string; it is kept as given.
        branch: Likewise.
        label: A name for this save, such as a release.
        machine: Facts of this machine, of which those that make another one are kept.

    Raises:
        UsageError: the store cannot be written to, or a link leads out of it.
    """
    for folder in (DATA, MANIFESTS):
        check_inside(store, folder)
    payload = {name: data for name in STORED if (data := _parquet(results, name))}
    saved_at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    digest = hashlib.sha256(secrets.token_bytes(16))  # the same moment may be that of two
    for text in (commit, branch, saved_at):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    for name, data in payload.items():
        digest.update(name.encode() + b"\0" + data)
    made = Save(
        id=digest.hexdigest()[:_ID],
        commit=commit,
        branch=branch,
        label=label,
        saved_at=saved_at,
        runs=len(results),
        benchkit=version("benchkit"),
        machine={key: (machine or {}).get(key) for key in MACHINE},
        withheld=_withheld(results),
        tables={},
        steps={
            run.run_id: {name: float(step) for name, step in run.steps.items()}
            for run in results
            if run.steps
        },
    )
    files = {name: f"{DATA}{made.id}.{name}.parquet" for name in payload}
    made = replace(made, tables={name: StoredTable(file, ()) for name, file in files.items()})
    for name, data in payload.items():
        store.put(files[name], data)
    manifest = SaveManifest(f"{MANIFESTS}{made.id}.json", (made,))
    store.put(manifest.name, manifest.text())
    return made


def _parquet(results: Results, name: str) -> bytes:
    """Return a table as Parquet, nothing for one without rows."""
    from benchkit.export import write_pieces

    frame = results.table(name)
    if frame.empty:
        return b""
    out = io.BytesIO()
    write_pieces(TABLES[name], [frame], out)
    return out.getvalue()


def _withheld(runs: Iterable[Run]) -> dict[str, dict[str, str]]:
    from benchkit.validity import examine

    reasons: dict[str, dict[str, str]] = defaultdict(dict)
    for finding in examine(tuple(runs)).findings:
        for run_id in finding.run_ids if finding.withheld else ():
            reasons[run_id] = {**finding.withheld, **reasons[run_id]}
    return dict(reasons)


# --- reading ---


def manifests_of(store: Store) -> list[SaveManifest]:
    """Return all manifests, those that others stand for included.

    Raises:
        UsageError: there is no store, or a link leads out of it.
        InputError: a manifest cannot be read.
    """
    check_inside(store, MANIFESTS)
    for _ in range(_AGAIN):
        try:
            listed = store.list(MANIFESTS)
            return [_manifest(name, store) for name in listed if name.endswith(".json")]
        except FileNotFoundError:  # compacted and gone since it was listed
            continue
    raise InputError("manifests that stay", source=store.address, hint="try again")


def saves_of(store: Store) -> list[Save]:
    """Return every save by its time.

    Raises:
        UsageError: there is none.
        InputError: a manifest cannot be read.
    """
    saves = current(manifests_of(store))
    if not saves:
        raise UsageError(f"{store.address}: no save here; `benchkit save` makes one")
    return saves


def current(manifests: Sequence[SaveManifest]) -> list[Save]:
    """Return the saves of manifests by their time, each once, where it lies now."""
    replaced = {name for manifest in manifests for name in manifest.replaces}
    known: dict[str, Save] = {}
    for manifest in manifests:
        if manifest.name not in replaced:
            known |= {save.id: save for save in manifest.saves}
    return sorted(known.values(), key=lambda save: (save.saved_at, save.id))


def _manifest(name: str, store: Store) -> SaveManifest:
    check_inside(store, name)
    try:
        content = json.loads(store.read(name), parse_constant=_no_number)
        version_of = _field(content, "benchkit_store", int)
        listed = _field(content, "saves", list) if version_of == FORMAT else []
        replaces = _field(content, "replaces", list) if version_of == FORMAT else []
        manifest = SaveManifest(name, tuple(map(_save, listed)), tuple(map(str, replaces)))
    except _NO_MANIFEST as error:
        raise _no_manifest(name, store, str(error) or type(error).__name__) from error
    if version_of != FORMAT:
        raise _no_manifest(name, store, f"format {version_of}")
    return manifest


def _no_manifest(name: str, store: Store, actual: str) -> InputError:
    return InputError(
        f"a manifest of format {FORMAT}",
        actual=actual,
        source=f"{store.address}/{name}",
        hint=f"a later benchkit may have written it; moved away, {_LEFT_OUT}",
    )


def _save(entry: Mapping[str, Any]) -> Save:
    parts = {
        str(name): StoredTable(_inside(file), tuple(map(int, groups)))
        for name, (file, groups) in _field(entry, "tables", dict).items()
    }
    texts = {name: _field(entry, name, str) for name in ("id", "benchkit")}
    names = {name: redact(_field(entry, name, str)) for name in ("commit", "branch")}
    label, withheld = _field(entry, "label", str | None), _field(entry, "withheld", dict)
    if not _KNOWN_ID.fullmatch(texts["id"]):
        raise ValueError(f"no id of a save: {printable(texts['id'])}")
    runs = _field(entry, "runs", int)
    if not 0 <= runs < MOST:
        raise ValueError(f"{runs} runs")
    if runs and RUNS.name not in parts:
        raise ValueError(f"save {texts['id']} has no table of its runs")
    return Save(
        **texts,
        **names,
        label=None if label is None else redact(label),
        saved_at=datetime.fromisoformat(_field(entry, "saved_at", str))
        .astimezone(UTC)
        .isoformat(timespec="microseconds")
        .replace("+00:00", "Z"),
        runs=runs,
        machine={key: _fact(key, value) for key, value in _field(entry, "machine", dict).items()},
        withheld={run: _field(withheld, run, dict) for run in withheld},
        tables=parts,
        steps=_steps(entry.get("steps", {})),
    )


def _steps(given: Any) -> dict[str, dict[str, float]]:  # noqa: ANN401 - a value of JSON
    """Return steps of columns; none in a save of before they were kept."""
    if not isinstance(given, dict):
        raise TypeError(f"'steps': {json.dumps(given)[:60]}")
    steps = {run: {name: float(s) for name, s in _field(given, run, dict).items()} for run in given}
    if not all(0 <= step < math.inf for own in steps.values() for step in own.values()):
        raise ValueError("a step of a column that is no duration")
    return steps


def _field(entry: Any, name: str, kind: Any) -> Any:  # noqa: ANN401 - values of JSON
    """Return a field of an object of JSON.

    Raises:
        TypeError: it is missing, or of another kind.
    """
    if not isinstance(entry, dict) or name not in entry:
        raise TypeError(f"no '{name}'")
    value = entry[name]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"'{name}': {json.dumps(value)[:60]}")
    return value


def _no_number(text: str) -> Any:  # noqa: ANN401 - never returns
    raise ValueError(f"a number that is none: {text}")


def _fact(key: str, value: Any) -> Any:  # noqa: ANN401 - a value of JSON
    """Return a fact of a machine, which is a text, a number, or not known."""
    if not isinstance(value, str | int | float | None) or value in {math.inf, -math.inf}:
        raise TypeError(f"'{key}' of the machine: {json.dumps(value)[:60]}")
    return value


def _inside(file: Any) -> str:  # noqa: ANN401 - a value of JSON
    """Return the name of a file of data; none leads out of the store."""
    name = str(file)
    inner = name.removeprefix(DATA)
    if inner == name or "/" in inner or "\\" in inner or inner.startswith("."):
        raise ValueError(f"no file of this store: {name}")
    return name


def _without(file: str) -> str:
    """Return what leaves out damaged data: a manifest has the name of its files."""
    name = file.removeprefix(DATA).partition(".")[0]
    return f"move {MANIFESTS}{name}.json away: {_LEFT_OUT}"


def table_of_save(save: Save, name: str, store: Store) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return one saved table (of pyarrow) with its known columns, None where it has no rows.

    Raises:
        InputError: it cannot be read.
        UsageError: a link leads out of the store.
        FileNotFoundError: it was compacted and is gone since its manifest was read.
    """
    part = save.tables.get(name)
    if part is None:
        return None
    from pyarrow import ArrowException

    try:
        return known_columns(name, _opened(store, part.file).read(part.groups or None))
    except FileNotFoundError:
        raise
    except (ArrowException, ValueError, OSError, IndexError) as error:
        raise unfit(store, part.file, error) from error


def unfit(store: Store, file: str, error: Exception) -> InputError:
    """Return the error of a file that holds no table of saves, or none that can be."""
    return InputError(
        "a saved table",
        actual=str(error) or type(error).__name__,
        source=f"{store.address}/{file}",
        hint=_without(file),
    )


@lru_cache(maxsize=_OPENED)
def _opened(store: Store, name: str) -> BoundedParquet:
    """Return a Parquet file, which may hold many saves."""
    check_inside(store, name)
    data = store.read(name)
    return BoundedParquet(io.BytesIO(data), len(data))


def runs_of_saves(
    saves: Sequence[Save],
    store: Store,
    tables: Iterable[str] = STORED,
    *,
    show_secrets: bool = False,
) -> dict[str, list[Run]]:
    """Return the runs of each save by its id, with these of their tables.

    Secrets are taken out again, which a save has that was made with `--show-secrets`.

    Raises:
        UsageError: what was saved are no tables of the schema.
        InputError: they cannot be read.
        FileNotFoundError: they were compacted and are gone since the manifests were read.
    """
    from benchkit.api import Results

    frames = {name: _joined(saves, name, store) for name in tables if name != FILES.name}
    known = {
        name: frame if show_secrets else without_secrets(TABLES[name], frame)
        for name, frame in frames.items()
        if frame is not None
    }
    runs: dict[str, list[Run]] = {save.id: [] for save in saves}
    try:
        results = Results.from_saved(known, store.address)
    except UsageError:
        _refuse_damaged(saves, store, known)
        raise
    steps = {save.id: save.steps for save in saves}
    for run in results:
        save_id, _, run_id = run.run_id.partition(_OF)
        named = run.with_columns(run_id=run_id)
        runs[save_id].append(replace(named, steps=steps[save_id].get(run_id, {})))
    return runs


def damaged_in(saves: Iterable[Save], store: Store) -> int:
    """Return how many files, or parts of one, were skipped or damaged when they were saved.

    Raises:
        InputError: the store cannot be read.
    """
    count = 0
    for save in saves:
        try:
            table = table_of_save(save, FILES.name, store)
        except FileNotFoundError:  # compacted just now
            continue
        if table is None or not {"state", "message"} <= {*table.column_names}:
            continue
        states, messages = (table.column(name).to_pylist() for name in ("state", "message"))
        rows = zip(states, messages, strict=True)
        count += sum(state == "skipped" or (state == "read" and bool(m)) for state, m in rows)
    return count


def _refuse_damaged(saves: Iterable[Save], store: Store, names: Iterable[str]) -> None:
    """Raise the error of the first file that holds no table of the schema, if it is only one's.

    Raises:
        UsageError: with the name of the file.
    """
    from benchkit.api import Results

    for save in saves:
        runs = _joined([save], RUNS.name, store)
        for name in names:
            frame = _joined([save], name, store)
            if runs is None or frame is None:
                continue
            file = save.tables[name].file
            try:
                Results.from_saved({RUNS.name: runs, name: frame}, f"{store.address}/{file}")
            except UsageError as error:
                raise UsageError(f"{error}; {_without(file)}") from error


def _joined(saves: Iterable[Save], name: str, store: Store) -> pd.DataFrame | None:
    """Return one table of several saves, whose `run_id` begins with that of the save."""
    import pyarrow as pa
    from pyarrow import compute

    parts, expansion = [], Expansion()
    for save in saves:
        part = table_of_save(save, name, store)
        if part is None:
            continue
        file = save.tables[name].file
        try:
            expansion.add(file, _opened(store, file).size, part)
            at = part.column_names.index("run_id")
            ids = part.column("run_id").cast(pa.string())
            named = compute.binary_join_element_wise(save.id, ids, _OF)
            parts.append(part.set_column(at, "run_id", named))
            parts[-1].validate(full=True)
        except (ValueError, pa.ArrowException) as error:
            source = f"{store.address}/{file}"
            raise InputError(
                "a table of runs", actual=str(error), source=source, hint=_without(file)
            ) from error
    if not parts:
        return None
    frame: pd.DataFrame = pa.concat_tables(parts, promote_options="default").to_pandas()
    return frame
