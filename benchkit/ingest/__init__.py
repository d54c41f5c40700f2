"""Paths to results: find the files, read each, tell runs from copies, name them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from benchkit.errors import InputError, NothingToReportError, UsageError
from benchkit.ingest.found import FileOutcome, FoundRun
from benchkit.ingest.hashing import quick_turns
from benchkit.ingest.identity import merge_same
from benchkit.ingest.labels import first_names, name_runs
from benchkit.ingest.meta import NAME as META_NAME
from benchkit.ingest.meta import Meta, MetaReader
from benchkit.ingest.paths import Input, find_inputs
from benchkit.ingest.progress import Meter, Progress
from benchkit.ingest.read import read_file
from benchkit.ingest.resources import NAME as RESOURCES_NAME
from benchkit.ingest.resources import is_resources, read_resources
from benchkit.ingest.rows import tables_of
from benchkit.ingest.sources import STDIN, Opened
from benchkit.ingest.tops import told_apart
from benchkit.results import Results

if TYPE_CHECKING:
    from benchkit.ingest.workers import Job


def load(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    show_secrets: bool = False,
    hashes: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Read files and folders of load-generator outputs into one schema.

    Args:
        paths: A file, a folder, or several; `label=path` names what is in it,
            `-` is standard input.
        show_secrets: Keep credentials in commands, URLs and messages.
        hashes: Tell the SHA-256 of files above 16 MB too, which may take as long as
            reading them; of smaller ones it is always told.
        progress: Called before each file, and several times a second while a large
            one is read.

    Returns:
        The tables; what could not be read stands in `files` with the reason.

    Raises:
        NothingToReportError: not one run was found; the message says why.
        UsageError: `paths` names nothing, or standard input twice.
    """
    listed = _listed(paths)
    inputs = told_apart(find_inputs(listed))
    meter = Meter(inputs, progress)
    with quick_turns(), _ahead(meter.large, hashed=hashes) as jobs:
        meter.watch(jobs)
        outcomes = list(_outcomes(inputs, meter, jobs, hashed=hashes))
        runs = _different(outcomes)
        names = first_names(runs)
        kept = _kept(runs)
    if not kept:
        raise NothingToReportError(_nothing(listed, outcomes))
    return tables_of(kept, name_runs(kept, names), outcomes, show_secrets=show_secrets)


def _listed(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> list[str | os.PathLike[str]]:
    try:
        return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    except TypeError:
        raise UsageError(f"expected a path or several, not {paths!r:.40}") from None


def _ahead(large: Sequence[Input], *, hashed: bool) -> AbstractContextManager[Mapping[str, Job]]:
    if len(large) < 2:
        return nullcontext({})
    from benchkit.ingest.workers import reading_ahead

    return reading_ahead(large, hashed=hashed)


def _outcomes(
    inputs: Sequence[Input | InputError], meter: Meter, jobs: Mapping[str, Job], *, hashed: bool
) -> Iterator[FileOutcome]:
    metas = MetaReader()
    for one in inputs:
        meter.begin(one)
        if isinstance(one, InputError):
            yield _missing(one)
            continue
        if one.again:
            yield FileOutcome(one, "duplicate", message="named before with another label")
            continue
        outcome = _read(one, meter, jobs.get(one.path), metas=metas, hashed=hashed)
        if outcome is not None:
            meter.runs += len(outcome.runs)
            yield outcome


def _read(
    one: Input, meter: Meter, job: Job | None, *, metas: MetaReader, hashed: bool
) -> FileOutcome | None:
    """Return what became of a file; None for what belongs to its neighbours."""
    meta: Meta | InputError = Meta()
    if one.path != STDIN:
        if Path(one.path).name == META_NAME and not one.named:
            found = metas.of(Path(one.path).parent)
            if not isinstance(found, InputError):
                return None
            return FileOutcome(one, "skipped", problems=[found])
        if Path(one.path).name == RESOURCES_NAME and is_resources(Path(one.path)):
            samples = read_resources(Path(one.path))
            if not isinstance(samples, InputError):
                return None
            return FileOutcome(one, "skipped", problems=[samples])
        meta = metas.of(Path(one.path).parent)
    ahead = meter.answer_of(job) if job is not None else None
    outcome = read_file(one, hashed=hashed, tell=meter.tell, ahead=ahead)
    if isinstance(meta, Meta):
        outcome.meta = meta
    elif one.named and metas.first(meta):  # in a folder the file speaks for itself
        outcome.problems.append(meta)
    return outcome


def _missing(error: InputError) -> FileOutcome:
    name = error.source or ""
    return FileOutcome(Input(name, name, name), "skipped", problems=[error])


def _different(outcomes: Sequence[FileOutcome]) -> list[FoundRun]:
    """Return the records of all files, of files with one content those of the first."""
    first: dict[str, FileOutcome] = {}
    runs: list[FoundRun] = []
    for outcome in outcomes:
        if outcome.opened is None or not outcome.runs:
            continue
        try:
            before = _first_with_content(outcome, outcome.opened, first)
        except OSError as error:
            outcome.unreadable(error)
            continue
        if before is not outcome:
            outcome.state = "duplicate"
            outcome.message = f"the same content as {before.input.name}"
            continue
        runs += outcome.runs
    return runs


def _first_with_content(
    outcome: FileOutcome, opened: Opened, first: dict[str, FileOutcome]
) -> FileOutcome:
    """Return the first file of this content, after noting this one if there is none before."""
    before = first.setdefault(opened.content_key, outcome)
    if before is outcome or not opened.large or before.whole() == outcome.whole():
        return before
    outcome.key = outcome.whole()  # parts of large files are equal, all of them is not
    return first.setdefault(outcome.key, outcome)


def _kept(runs: Sequence[FoundRun]) -> list[FoundRun]:
    kept = merge_same(runs)
    remaining = {id(run.file) for run in kept}
    for run in kept:
        for other in run.others:
            if id(other.file) not in remaining:
                other.file.state = "merged"
                same = f"the same run as {run.file.input.name}"
                lost = other.file.message
                other.file.message = f"{same}; {lost}" if lost else same
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
