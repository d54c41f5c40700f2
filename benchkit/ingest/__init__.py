"""Paths to results: find the files, read each, tell runs from copies, name them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from benchkit.config import NAME as CONFIG_NAME
from benchkit.config import project_files
from benchkit.errors import InputError, NothingToReportError, UsageError
from benchkit.ingest.attacks import joined
from benchkit.ingest.config import Config, scope_of
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.identity import merge_same
from benchkit.ingest.interpreter import quick_turns, rare_collections
from benchkit.ingest.meta import NAME as META_NAME
from benchkit.ingest.meta import Meta, read_meta
from benchkit.ingest.naming import name_runs
from benchkit.ingest.paths import Input, find_inputs
from benchkit.ingest.progress import Meter, Progress
from benchkit.ingest.read import read_file
from benchkit.ingest.resources import NAME as RESOURCES_NAME
from benchkit.ingest.resources import read_resources
from benchkit.ingest.runs import cleaner, facts_of, file_rows, runs_of
from benchkit.ingest.sources import STDIN, Opened
from benchkit.ingest.unitless import settle
from benchkit.stores.addresses import folder_of, public, public_argument

if TYPE_CHECKING:
    from benchkit.ingest.workers import Job
    from benchkit.model.run import Run


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes:
        runs: Each once, however many files hold it.
        files: Rows of the table `files`: every file that was looked at; one that could not be
            read has the reason.
        naming: How the names were understood, a line each.
        inputs: Paths of what was read, or could not be: no output may take their place.
    """

    runs: tuple[Run, ...]
    files: tuple[Mapping[str, Any], ...]
    naming: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


@rare_collections()
def read(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    config: Config | None = None,
    show_secrets: bool = False,
    hashes: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Reading:
    """Read files and folders of load-generator outputs: `benchkit.load` has the arguments.

    Raises:
        NothingToReportError: not one run was found; the message says why.
        UsageError: `paths` names nothing, or standard input twice.
    """
    listed = _listed(paths)
    scope = scope_of(find_inputs(listed), config or Config())
    inputs = scope.inputs
    meter, beside = Meter(inputs, progress), _Beside()
    with quick_turns(), _ahead(meter.large, hashed=hashes) as jobs:
        meter.watch(jobs)
        outcomes = list(_outcomes(inputs, meter, jobs, beside, hashed=hashes))
        _note_empty(outcomes)
        runs = _different(outcomes)
        kept = joined(_kept(runs))
    if not kept:
        raise NothingToReportError(_nothing(listed, outcomes))
    samples = beside.samples_of(kept)
    facts = [facts_of(run) for run in kept]
    names, naming = name_runs(kept, facts, scenario=scope.scenario)
    made = runs_of(kept, names, facts, samples, show_secrets=show_secrets)
    clean = cleaner(show_secrets=show_secrets)
    files = tuple(row for outcome in outcomes for row in file_rows(outcome, clean))
    naming = [clean(line) for line in naming]
    return Reading(made, files, tuple(naming), tuple(_inputs(outcomes)))


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
    inputs: Sequence[Input | InputError],
    meter: Meter,
    jobs: Mapping[str, Job],
    beside: _Beside,
    *,
    hashed: bool,
) -> Iterator[FileOutcome]:
    for entry in inputs:
        meter.begin(entry)
        if isinstance(entry, InputError):
            name = entry.source or ""
            yield FileOutcome(Input(name, name, name), "skipped", problems=[entry])
            continue
        if entry.ignored is not None:
            yield FileOutcome(entry, "foreign", message=f"left alone by '{entry.ignored}'")
            continue
        if entry.again:
            yield FileOutcome(entry, "duplicate", message="named before with another label")
            continue
        outcome = _read(entry, meter, jobs.get(entry.path), beside, hashed=hashed)
        if outcome is not None:
            meter.runs += len(outcome.runs)
            yield outcome


def _note_empty(outcomes: Sequence[FileOutcome]) -> None:
    """Refuse empty files that are called like those with runs: runs of which nothing came."""
    called = {_unnumbered(outcome) for outcome in outcomes if outcome.runs}
    for outcome in outcomes:
        opened = outcome.opened
        is_empty = opened is not None and not opened.size_bytes
        if outcome.state == "foreign" and is_empty and _unnumbered(outcome) in called:
            outcome.state = "skipped"
            error = InputError("an output, as the files beside it hold", actual="an empty file")
            outcome.problems.append(error.within(outcome.input.name))


def _unnumbered(outcome: FileOutcome) -> str:
    """Return the path of a file without its numbers."""
    return re.sub("[0-9]++", "", outcome.input.below)


class _Beside:
    """What lies beside outputs: metadata and samples, each folder's read once."""

    def __init__(self) -> None:
        self.meta = cache(read_meta)
        self.samples = cache(read_resources)
        self.reported: set[InputError] = set()

    def own(self, entry: Input, folder: str) -> Meta | Sequence[Any] | InputError | None:
        """Return what a file of ours holds or why it cannot be read, None for any other."""
        name = os.path.basename(entry.path)  # noqa: PTH119 - for each of many files
        if name == META_NAME and not entry.named:
            return self.meta(folder)
        return self.samples(folder) if name == RESOURCES_NAME else None

    def samples_of(self, runs: Sequence[FileRun]) -> Mapping[int, Sequence[dict[str, Any]]]:
        """Return the samples of each run that is the only one of its folder, by its number."""
        paths = [run.file.input.path for run in runs]
        folders = [None if path == STDIN else folder_of(path) for path in paths]
        many = Counter(folders)
        read = {at: self.samples(f) for at, f in enumerate(folders) if f and many[f] == 1}
        return {at: rows for at, rows in read.items() if rows and not isinstance(rows, InputError)}


def _read(
    entry: Input, meter: Meter, job: Job | None, beside: _Beside, *, hashed: bool
) -> FileOutcome | None:
    """Return what became of a file; None for what belongs to its neighbours."""
    meta: Meta | InputError = Meta()
    if entry.path != STDIN:
        folder = folder_of(entry.path)
        content = beside.own(entry, folder)
        if isinstance(content, InputError):
            return FileOutcome(entry, "skipped", problems=[content])
        if content is not None:
            return None
        meta = beside.meta(folder)
    ahead = meter.answer_of(job) if job is not None else None
    outcome = read_file(entry, hashed=hashed, listener=meter.advance, ahead=ahead)
    if isinstance(meta, Meta):
        outcome.meta = meta
    elif entry.named and meta not in beside.reported:  # in a folder the file speaks for itself
        beside.reported.add(meta)
        outcome.problems.append(meta)
    unsettled = [settle(r.record, given=outcome.meta.unit, name=entry.name) for r in outcome.runs]
    outcome.problems += [problem for problem in unsettled[:1] if problem is not None]
    return outcome


def _inputs(outcomes: Iterable[FileOutcome]) -> Iterator[str]:
    """Yield the paths of outputs, and where files of ours that belong to them may lie."""
    kept = (each for each in outcomes if each.state != "foreign" or each.input.named)
    entries = [outcome.input for outcome in kept]
    paths = [public(entry.path) for entry in entries]
    yield from paths
    folders = dict.fromkeys(map(os.path.dirname, paths))
    for name in (META_NAME, RESOURCES_NAME):
        yield from (os.path.join(folder, name) for folder in folders)  # noqa: PTH118 - fast
    yield from (os.path.join(top, CONFIG_NAME) for top in {entry.top for entry in entries})  # noqa: PTH118
    yield from map(str, project_files())


def _different(outcomes: Sequence[FileOutcome]) -> list[FileRun]:
    """Return the records of all files, of files with one content those of the first."""
    first: dict[str, FileOutcome] = {}
    runs: list[FileRun] = []
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


def _kept(runs: Sequence[FileRun]) -> list[FileRun]:
    kept = merge_same(runs)
    remaining = {id(run.file) for run in kept}
    for run in kept:
        for other in run.others:
            if id(other.file) not in remaining:
                other.file.state = "merged"
                lost = f"; {other.file.message}" if other.file.message else ""
                other.file.message = f"the same run as {run.file.input.name}{lost}"
    return kept


def _nothing(paths: Sequence[str | os.PathLike[str]], outcomes: Sequence[FileOutcome]) -> str:
    problems = [str(problem) for outcome in outcomes for problem in outcome.problems]
    if len(problems) == 1:
        return problems[0]
    foreign = sum(outcome.state == "foreign" for outcome in outcomes)
    named = ", ".join(public_argument(os.fspath(path)) for path in paths)
    parts = [f"no results of a load generator in {named}"]
    if foreign:
        parts.append(f"{foreign} files of other kinds")
    if problems:
        parts.append(f"{len(problems)} that cannot be read, the first: {problems[0]}")
    return "; ".join(parts)
