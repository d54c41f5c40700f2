"""Reads one input as `benchkit` would read a file, in memory, and looks at what comes of it."""

from __future__ import annotations

import io
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Self
from unittest.mock import patch

import numpy as np

import benchkit
from benchkit.compare.assess import assess
from benchkit.datasets.tables import frame_from
from benchkit.errors import BenchkitError, InputError
from benchkit.export import write_table
from benchkit.ingest import defects as house
from benchkit.ingest.config import of_folder
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.ingest.sources import STDIN
from benchkit.model.saved import saved_runs
from benchkit.model.tables import STORED
from benchkit.parsers import _vegeta_loops, vegeta_gob
from benchkit.parsing import Content, RequestBatch, Source
from benchkit.report.markdown import document
from benchkit.report.records import variant_records
from benchkit.report.terminal import render
from benchkit.scenarios.runset import _read as read_run_set
from studies.fuzz.defects import (
    Defect,
    in_message,
    in_outcome,
    of_exception,
    template,
    unprintable,
)

NAME: Final = "results.txt"
_DECODE: Final = vegeta_gob.decode
_WIDTH: Final = 100


@dataclass
class Observation:
    """What came of one input.

    Attributes:
        features: What distinguishes it from others: formats, columns, kinds of errors.
        defects: What should not have happened.
    """

    features: set[str] = field(default_factory=set)
    defects: list[Defect] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take in an exception as a defect, and one that is declared as a feature."""
        try:
            yield
        except BenchkitError as error:
            self.features.add(f"{name}: {_template(error)}")
            self.defects += in_message(str(error), source=None, about=name)
        except Exception as error:  # noqa: BLE001 - which is what this looks for
            self.defects.append(of_exception(error, name))


Reading = Callable[[bytes, str], Observation]


@contextmanager
def strictly() -> Iterator[None]:
    """Let defects of parsers and warnings come through as exceptions."""
    with (
        patch.object(house, "ends_command", new=True),
        warnings.catch_warnings(),
        np.errstate(all="warn"),
    ):
        warnings.simplefilter("error")
        yield


@contextmanager
def as_standard_input(data: bytes) -> Iterator[None]:
    """Make bytes what is read from standard input: the shortest way to a reader."""
    with patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))):
        yield


def as_file(data: bytes, _kind: str) -> Observation:
    """Read an input as one file."""
    seen = Observation()
    with seen.stage("read"), as_standard_input(data):
        outcome = read_file(Input(STDIN, NAME, NAME))
        seen.features |= features(outcome)
        seen.defects += in_outcome(outcome)
    return seen


def features(outcome: FileOutcome) -> set[str]:
    """Return what distinguishes an outcome from others."""
    listed = {f"{outcome.state} {outcome.format} {min(len(outcome.runs), 3)}"}
    for run in outcome.runs:
        record, name = run.record, run.parser.name
        # Not the set of them: there are more sets than anybody would keep an input for.
        listed |= {f"{name}: {column}" for column in record.columns}
        listed.add(f"{name}: {len(record.columns)} columns")
        listed |= {f"{name}: {template(note.partition(', found')[0])}" for note in record.notes}
        # Without their names, which an input chooses.
        listed |= {f"{name}: figure in {figure.unit}" for figure in record.figures}
        listed.add(f"{name}: {min(len(record.figures), 12)} figures")
        listed.add(f"{name}: {len(record.quantiles)} quantiles")
    return listed | {_template(problem) for problem in outcome.problems}


def _template(error: BenchkitError) -> str:
    """Return what an error has in common with others."""
    if isinstance(error, InputError):
        # Its first words: others may be those of the input.
        return template(f"{' '.join(error.expected.split()[:3])} {error.hint}"[:60])
    return type(error).__name__


def everything(data: bytes, _kind: str) -> Observation:
    """Read an input and do with it whatever benchkit can do: tables, checks, comparison, report."""
    seen = Observation()
    with as_standard_input(data), seen.stage("load"):
        results = benchkit.load(STDIN)
        _used(results, seen)
    return seen


def loaded(data: bytes, _kind: str) -> Observation:
    """Read an input to runs."""
    seen = Observation()
    with as_standard_input(data), seen.stage("load"):
        benchkit.load(STDIN)
    return seen


def _used(results: benchkit.Results, seen: Observation) -> None:
    for name in STORED:
        with seen.stage(f"table {name}"):
            getattr(results, name)
    with seen.stage("requests"):
        if results.has_requests:
            results.requests()
    with seen.stage("findings"):
        frame = results.findings()
        for check, message in zip(frame["check"], frame["message"], strict=True):
            seen.defects += in_message(message, source=None, about=f"finding {check}")
    with seen.stage("compare"):
        assessment = assess(results)
        with seen.stage("records"):
            json.dumps(list(variant_records(assessment.comparisons)), allow_nan=False)
        with seen.stage("terminal"):
            _printable(render(assessment.comparisons, width=_WIDTH, colour=False), seen, "terminal")
        with seen.stage("markdown"):
            _printable(document(assessment, results.sources), seen, "markdown")


def _printable(text: str, seen: Observation, what: str) -> None:
    odd = unprintable(text, allowed="\n\N{NO-BREAK SPACE}")
    if odd:
        seen.defects.append(Defect("message", f"{what}: unprintable", f"{odd} in {text!a}"))


# --- gob: two decoders ---


#: Rows of a batch, so few that inputs have several, and that making columns takes no time.
_ROWS: Final = 32


def gob(data: bytes, kind: str) -> Observation:
    """Read an input as one file, and hold the compiled decoder against the plain one."""
    with patch.object(_vegeta_loops, "ROWS", _ROWS):
        plain = _Decoded(compiled=False)
        with patch.object(vegeta_gob, "decode", plain.following):
            seen = as_file(data, kind)
        with seen.stage("decode"):
            content = plain.content or Source.from_bytes(data).content
            if not plain.whole:  # no reader took it for gob, or not to its end
                plain = _Decoded.from_content(content, compiled=False)
            compiled = _Decoded.from_content(content, compiled=True)
            _compared(plain.parts(), compiled.parts(), seen)
    return seen


def _compared(
    plain: Mapping[str, object], compiled: Mapping[str, object], seen: Observation
) -> None:
    if plain == compiled:
        return
    where = next((at for at in plain if plain[at] != compiled.get(at)), "more")
    both = (ascii(decoded.get(where))[:500] for decoded in (plain, compiled))
    text = f"{where}: {' plain, '.join(both)} compiled"
    seen.defects.append(Defect("difference", f"gob: {where.split()[0]}", text))


class _Decoded:
    """What a decoder finds.

    Attributes:
        content: The input, unpacked.
        whole: Whether the decoder came to its end, or to what is wrong with it.
    """

    def __init__(self, *, compiled: bool) -> None:
        self.content: Content | None = None
        self.whole = False
        self._compiled = compiled
        self._batches: list[RequestBatch] = []
        self._error = ""

    @classmethod
    def from_content(cls, content: Content, *, compiled: bool) -> Self:
        """Return what a decoder finds in an input."""
        decoded = cls(compiled=compiled)
        with suppress(InputError):
            for _ in decoded.following(content):
                pass
        return decoded

    def following(self, content: Content) -> Iterator[RequestBatch]:
        """Yield what the decoder yields, and take it in."""
        self.content, self._batches, self._error, self.whole = content, [], "", False
        try:
            for batch in _DECODE(content, compiled=self._compiled):
                self._batches.append(batch)
                yield batch
        except InputError as error:
            self._error = str(error)
            raise
        finally:
            self.whole = sys.exc_info()[0] is not GeneratorExit

    def parts(self) -> Mapping[str, object]:
        """Return all by a name for each part."""
        listed: dict[str, object] = {"error": self._error}
        for number, batch in enumerate(self._batches):
            for name, value in vars(batch).items():
                shown = value.tolist() if isinstance(value, np.ndarray) else value
                listed[f"{name} {number}"] = list(shown) if isinstance(shown, Sequence) else shown
        return listed


# --- files of our own ---


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    shared = Path("/dev/shm")  # noqa: S108 - a file system in memory, where there is one
    return tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None)


@cache
def _folder(neighbours: tuple[str, ...]) -> Path:
    """Return a folder with fixtures in it, made once."""
    folder = Path(tempfile.mkdtemp(dir=_scratch().name))
    for path in neighbours:
        (folder / Path(path).name).write_bytes(Path(path).read_bytes())
    return folder


def beside(neighbours: Sequence[Path]) -> Reading:
    """Return what reads an input as the file of its kind, beside outputs."""
    listed = tuple(map(str, neighbours))

    def read(data: bytes, kind: str) -> Observation:
        seen = Observation()
        path = _folder(listed) / kind
        path.write_bytes(data)
        try:
            with seen.stage(kind):
                results = benchkit.load(path.parent)
                for row in results.sources:
                    message = row["message"] or ""
                    seen.features.add(f"{row['state']} {template(message.partition(', found')[0])}")
                    seen.defects += in_message(message, source=None)
                given = (run.columns for run in results)
                seen.features |= {f"{k} {type(v).__name__}" for c in given for k, v in c.items()}
                seen.features |= {f"{len(run.samples)} {len(run.commands)}" for run in results}
        finally:
            path.unlink()
        return seen

    return read


def configuration(data: bytes, kind: str) -> Observation:
    """Read an input as `benchkit.toml`."""
    seen = Observation()
    path = _folder(()) / kind
    path.write_bytes(data)
    with seen.stage(kind):
        config = of_folder(str(path.parent))
        seen.features |= {f"{key}: {bool(value)}" for key, value in vars(config).items()}
    return seen


def run_set(data: bytes, kind: str) -> Observation:
    """Read an input as `run-set.json`."""
    seen = Observation()
    path = _folder(()) / kind
    path.write_bytes(data)
    with seen.stage(kind):
        schedule = read_run_set(path.parent)
        for entry in schedule.runs:
            seen.features.add(f"{entry.state} {schedule.run_folder(entry).is_relative_to(path)}")
    return seen


def saved_tables(neighbours: Sequence[Path]) -> Reading:
    """Return what reads an input as one table of a dataset, the others being whole."""

    def read(data: bytes, kind: str) -> Observation:
        seen = Observation()
        parts = tables(tuple(neighbours)) | {kind: data}
        with seen.stage("open"):
            saved = saved_runs(lambda table: frame_from(table, [parts[table.name]]), "tables")
            _used(benchkit.Results(*saved), seen)
            seen.features.add("opened")
        return seen

    return read


@cache
def tables(paths: tuple[Path, ...]) -> dict[str, bytes]:
    """Return the tables of some results by their names, as Parquet."""
    results = benchkit.load(paths)
    saved: dict[str, bytes] = {}
    for name in STORED:
        out = io.BytesIO()
        write_table(results, name, form="parquet", to=out)
        saved[name] = out.getvalue()
    return saved
