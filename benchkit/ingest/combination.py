"""What became of all files to runs: tells runs from copies, adds parts up, names them.

Whoever has read the files: from the same outcomes in the same order comes the same.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.config import NAME as CONFIG_NAME
from benchkit.errors import InputError, NothingToReportError
from benchkit.ingest.attacks import joined, note_copy
from benchkit.ingest.beside import NAMES, folder_of
from benchkit.ingest.failed import lost_beside, note_failed
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.identity import merge_same
from benchkit.ingest.inputs import three
from benchkit.ingest.naming import name_runs
from benchkit.ingest.resources import NAME as RESOURCES_NAME
from benchkit.ingest.runs import cleaner, facts_of, file_rows, runs_of
from benchkit.ingest.unitless import settle
from benchkit.redaction.factors import Factors
from benchkit.stores.addresses import public, public_argument

if TYPE_CHECKING:
    from benchkit.model.run import Run


#: What the runner writes beside the runs it made, and of those that failed.
_RUN_SET: Final = "run-set.json"
#: How file managers call a copy.
_COPY: Final = re.compile(
    r"(?:^|[/\\])(?:copy of|kopie von|copie de) | - (?:copy|kopie|copie|copia)\b"
    r"|\([0-9]+\)\.[^/]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes:
        runs: Each once, however many files hold it.
        files: Rows of the table `files`: every file that was looked at; one that could not be
            read has the reason.
        naming: How names were understood, and which runs may be one, a line each.
        inputs: Paths of what was read, or could not be: no output may take their place.
    """

    runs: tuple[Run, ...]
    files: tuple[Mapping[str, Any], ...]
    naming: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


def combined(
    outcomes: Sequence[FileOutcome],
    *,
    named: Sequence[str],
    scenario: str | None = None,
    show_secrets: bool = False,
) -> Reading:
    """Return the runs of some files, given what became of each in the order of the inputs.

    The outcomes are changed: each tells in the end what it was among the others.

    Args:
        outcomes: As an engine made them.
        named: The paths of the call, for a message.
        scenario: That of runs whose names tell none.
        show_secrets: Keep credentials.

    Raises:
        NothingToReportError: there is not one run; the message says why.
    """
    _take_beside(outcomes)
    note_failed(outcomes)
    merged, lookalikes = _merged(_different(outcomes))
    kept = joined(merged)
    if not kept:
        raise NothingToReportError(_nothing(named, outcomes))
    lost = lost_beside(outcomes, kept)
    facts = [replace(facts_of(run), lost=files) for run, files in zip(kept, lost, strict=True)]
    levels = dict if show_secrets else Factors().shown
    names, naming = name_runs(kept, facts, levels, scenario=scenario)
    samples = _samples_of(kept)
    made = runs_of(kept, names, facts, samples, levels, show_secrets=show_secrets)
    clean = cleaner(show_secrets=show_secrets)
    files = tuple(row for outcome in outcomes for row in file_rows(outcome, clean))
    lines = (*naming, *lookalikes)
    return Reading(made, files, tuple(map(clean, lines)), tuple(_inputs(outcomes)))


def _take_beside(outcomes: Iterable[FileOutcome]) -> None:
    """Tell of what lies beside and cannot be read, and give runs the unit that metadata say."""
    reported: set[str | None] = set()
    for outcome in outcomes:
        folder = folder_of(outcome.input)
        # In a folder a file of ours speaks for itself.
        if outcome.input.named and folder not in reported:
            reported.add(folder)
            outcome.problems += outcome.beside.problems
            if outcome.beside.lost:
                outcome.lose(f"{RESOURCES_NAME} beside it: {outcome.beside.lost}")
        unit, name = outcome.meta.unit, outcome.input.name
        unsettled = [settle(run.record, given=unit, name=name) for run in outcome.runs]
        for lack in unsettled[:1]:
            if lack is not None:  # its counts are read all the same
                outcome.lose(str(lack.within("")))


def _samples_of(runs: Sequence[FileRun]) -> Mapping[int, Sequence[Mapping[str, Any]]]:
    """Return the samples of each run that is the only one of its folder, by its number."""
    folders = [folder_of(run.file.input) for run in runs]
    many = Counter(folders)
    rows = {at: runs[at].file.beside.samples for at, f in enumerate(folders) if many[f] == 1}
    return {at: each for at, each in rows.items() if each and not isinstance(each, InputError)}


def _inputs(outcomes: Iterable[FileOutcome]) -> Iterator[str]:
    """Yield the paths of outputs, and where files of ours that belong to them may lie."""
    kept = (each for each in outcomes if each.state != "foreign" or each.input.named)
    entries = [outcome.input for outcome in kept]
    paths = [public(entry.path) for entry in entries]
    yield from paths
    folders = dict.fromkeys(map(os.path.dirname, paths))
    for name in NAMES:
        yield from (os.path.join(folder, name) for folder in folders)  # noqa: PTH118 - fast
    yield from (os.path.join(top, CONFIG_NAME) for top in {entry.top for entry in entries})  # noqa: PTH118


def _different(outcomes: Sequence[FileOutcome]) -> list[FileRun]:
    """Return the records of all files, of files with one content those of the first.

    What is called a copy is none of them: `new2 (1).txt` comes behind `new2.txt`.
    """
    first: dict[str, FileOutcome] = {}
    kept: set[int] = set()
    for outcome in sorted(outcomes, key=lambda each: bool(_COPY.search(each.input.name))):
        if not outcome.runs:
            continue
        try:
            before = _first_with_content(outcome, first)
        except (OSError, InputError) as error:
            outcome.unreadable(error)
            continue
        if before is not outcome:
            outcome.state = "duplicate"
            outcome.message = f"the same content as {before.input.name}"
            note_copy(before, outcome)
            continue
        kept.add(id(outcome))
    return [run for outcome in outcomes if id(outcome) in kept for run in outcome.runs]


def _first_with_content(outcome: FileOutcome, first: dict[str, FileOutcome]) -> FileOutcome:
    """Return the first file of this content, after noting this one if there is none before."""
    before = first.setdefault(outcome.content_key, outcome)
    if before is outcome or not outcome.large or before.whole == outcome.whole:
        return before
    outcome.key = outcome.whole  # parts of large files are equal, all of them is not
    return first.setdefault(outcome.key, outcome)


def _merged(runs: Sequence[FileRun]) -> tuple[list[FileRun], list[str]]:
    """Return the runs, each once, and lines on those that may be one; notes it of the files."""
    kept, unfinished, lookalikes = merge_same(runs)
    same = [(other, run, "") for run in kept for other in run.others]
    for begun, run in unfinished.items():
        same += [(each, run, ", before its end") for each in (begun, *begun.others)]
    remaining = {id(run.file) for run in kept}
    for other, run, when in same:
        if id(other.file) not in remaining:
            other.file.state = "merged"
            lost = f"; {other.file.message}" if other.file.message else ""
            other.file.message = f"the same run as {run.file.input.name}{when}{lost}"
    return kept, lookalikes


def _nothing(paths: Sequence[str], outcomes: Sequence[FileOutcome]) -> str:
    problems = [str(problem) for outcome in outcomes for problem in outcome.problems]
    if len(problems) == 1:
        return problems[0]
    datasets = [outcome.input.name for outcome in outcomes if outcome.input.dataset]
    foreign = [o.input.name for o in outcomes if o.state == "foreign" and not o.input.dataset]
    parts = [f"no results of a load generator in {', '.join(map(public_argument, paths))}"]
    if records := [name for name in foreign if PurePath(name).name == _RUN_SET]:
        parts.append(f"no run was made; {records[0]} says why")
        foreign = [name for name in foreign if name not in records]
    if foreign:
        kinds = "of another kind" if len(foreign) == 1 else "of other kinds"
        parts.append(f"{show.plural(len(foreign), 'file')} {kinds}: {three(foreign)}")
        parts.append("a tool's own output is read, no table that somebody made of it")
    if datasets:
        parts.append(f"datasets are read where they are named: {three(datasets)}")
    if problems:
        parts.append(f"{len(problems)} that cannot be read, the first: {problems[0]}")
    return "; ".join(parts)
