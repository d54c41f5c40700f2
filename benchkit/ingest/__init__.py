"""Paths to results: find the files, read each, tell runs from copies, name them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchkit.errors import InputError, NothingToReportError
from benchkit.ingest.found import FileOutcome, FoundRun
from benchkit.ingest.identity import merge_same
from benchkit.ingest.labels import name_runs
from benchkit.ingest.meta import NAME as META_NAME
from benchkit.ingest.meta import Meta, read_meta
from benchkit.ingest.paths import Input, find_inputs
from benchkit.ingest.read import read_file
from benchkit.ingest.rows import tables_of
from benchkit.ingest.sources import STDIN
from benchkit.results import Results


@dataclass(frozen=True)
class Progress:
    """How far reading is: the file at hand, and files and runs so far."""

    name: str
    file: int
    files: int
    runs: int


def load(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    show_secrets: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Read files and folders of load-generator outputs into one schema.

    Args:
        paths: A file, a folder, or several; `label=path` names what is in it,
            `-` is standard input.
        show_secrets: Keep credentials in commands, URLs and messages.
        progress: Called before each file.

    Returns:
        The tables; what could not be read stands in `files` with the reason.

    Raises:
        NothingToReportError: not one run was found; the message says why.
    """
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    outcomes: list[FileOutcome] = []
    inputs = find_inputs(listed)
    runs = 0
    for number, one in enumerate(inputs, 1):
        if isinstance(one, InputError):
            outcomes.append(_missing(one))
            continue
        if progress is not None:
            progress(Progress(one.name, number, len(inputs), runs))
        outcome = _read(one)
        if outcome is not None:
            outcomes.append(outcome)
            runs += len(outcome.runs)
    kept = _kept(outcomes)
    if not kept:
        raise NothingToReportError(_nothing(listed, outcomes))
    return tables_of(kept, name_runs(kept), outcomes, show_secrets=show_secrets)


def _read(one: Input) -> FileOutcome | None:
    """Return what became of a file; None for metadata, which belongs to its neighbours."""
    meta: Meta | InputError = Meta()
    if one.path != STDIN:
        if Path(one.path).name == META_NAME and not one.named:
            found = read_meta(Path(one.path).parent)
            if not isinstance(found, InputError):
                return None
            return FileOutcome(one, "skipped", problems=[found])
        meta = read_meta(Path(one.path).parent)
    outcome = read_file(one)
    outcome.meta = meta if isinstance(meta, Meta) else Meta()
    return outcome


def _missing(error: InputError) -> FileOutcome:
    name = error.source or ""
    return FileOutcome(Input(name, name, name), "skipped", problems=[error])


def _kept(outcomes: Sequence[FileOutcome]) -> list[FoundRun]:
    first: dict[str, FileOutcome] = {}
    runs: list[FoundRun] = []
    for outcome in outcomes:
        if outcome.opened is None or not outcome.runs:
            continue
        before = first.setdefault(outcome.content or outcome.input.path, outcome)
        if before is not outcome:
            outcome.state = "duplicate"
            outcome.message = f"the same content as {before.input.name}"
            continue
        runs += outcome.runs
    kept = merge_same(runs)
    remaining = {id(run.file) for run in kept}
    for run in kept:
        for other in run.others:
            if id(other.file) not in remaining:
                other.file.state = "merged"
                other.file.message = f"the same run as {run.file.input.name}"
    return kept


def _nothing(paths: Sequence[str | os.PathLike[str]], outcomes: Sequence[FileOutcome]) -> str:
    problems = [str(problem) for outcome in outcomes for problem in outcome.problems]
    if len(problems) == 1:
        return problems[0]
    foreign = sum(outcome.state == "foreign" for outcome in outcomes)
    named = ", ".join(os.fspath(path) for path in paths)
    parts = [f"no results of a load generator in {named}"]
    if foreign:
        parts.append(f"{foreign} files of other kinds")
    if problems:
        parts.append(f"{len(problems)} that cannot be read, the first: {problems[0]}")
    return "; ".join(parts)
