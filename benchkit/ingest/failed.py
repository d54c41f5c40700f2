"""What is left of a run that failed: words in place of a report, or a status in `meta.json`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from benchkit import registry
from benchkit.errors import InputError
from benchkit.ingest.beside import folder_of, is_meta
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.sources import open_source
from benchkit.text import Text, decode

#: What stands in place of a report is no longer: characters, lines.
_MOST_CHARACTERS, _MOST_LINES = 1000, 5
#: How shells, loaders and wrappers say that a program did not run, or did not end by itself.
_DID_NOT_RUN: Final = (
    r"not found|no such file|not recogni[sz]ed|cannot execute|can't open|cannot find|exec format"
    r"|permission denied|failed to run|error while loading|segmentation fault|killed|core dumped"
)
_HINT: Final = "measure again, or leave it out with --ignore"


def words_of(text: Text | None) -> tuple[str, ...]:
    """Return the lines of a short text that are not blank, none of a longer one."""
    lines = tuple(line.strip() for line in (text.lines if text is not None else ()))
    written = tuple(filter(None, lines[: 2 * _MOST_LINES + 1]))
    is_short = len(lines) <= 2 * _MOST_LINES and len(written) <= _MOST_LINES
    return written if is_short and sum(map(len, written)) <= _MOST_CHARACTERS else ()


def failure_of(words: Iterable[str], name: str) -> InputError | None:
    """Return that a load generator could not run, where a short text says so."""
    return next((_no_report(line, name) for line in words if _failures().search(line)), None)


def note_failed(outcomes: Iterable[FileOutcome]) -> None:
    """Refuse files without a run that are called like those with runs: empty ones, short texts."""
    outcomes = list(outcomes)
    foreign = [outcome for outcome in outcomes if outcome.state == "foreign"]
    called = {_unnumbered(outcome) for outcome in outcomes if outcome.runs and foreign}
    for outcome in foreign:
        if _unnumbered(outcome) in called:
            words = "an empty file" if outcome.size_bytes == 0 else _first_line(outcome)
            if words:
                error = InputError("an output, as the files beside it hold", actual=words)
                outcome.state = "skipped"
                outcome.problems.append(error.within(outcome.input.name))


def lost_beside(outcomes: Iterable[FileOutcome], runs: Sequence[FileRun]) -> list[Sequence[str]]:
    """Return per run the files that are called like its own, but for numbers, and hold none."""
    lost: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.state != "skipped" or outcome.runs:
            continue
        path, is_record = _unnumbered(outcome), is_meta(outcome.input)
        if not is_record or outcome.meta.further.get("exit_status"):
            key = posixpath.dirname(path) if is_record else path
            lost.setdefault(key, []).append(outcome.input.below)
    paths = [_unnumbered(run.file) for run in runs]
    return [[*lost.get(path, ()), *lost.get(posixpath.dirname(path), ())] for path in paths]


def _first_line(outcome: FileOutcome) -> str:
    """Return the first line of a file that is a short text and has a number, else nothing."""
    file = outcome.input
    if (outcome.size_bytes or 0) > _MOST_CHARACTERS or not re.search("[0-9]", file.below):
        return ""
    try:
        content = decode(open_source(file.path, name=file.name).source.head)
    except (OSError, InputError):
        return ""
    return next(iter(words_of(Text.from_text(content or ""))), "")


def failed_records(
    records: Mapping[int, FileOutcome], outcomes: Iterable[FileOutcome]
) -> dict[int, FileOutcome]:
    """Return those of some `meta.json` whose command failed and left no run beside them."""
    read = {folder_of(outcome.input) for outcome in outcomes if outcome.runs}
    failed = {}
    for position, outcome in records.items():
        status = outcome.meta.further.get("exit_status")
        if isinstance(status, int) and status and folder_of(outcome.input) not in read:
            actual = f"none: its command ended with status {status}"
            error = InputError("a run beside it", actual=actual, hint=_HINT)
            outcome.state = "skipped"
            outcome.problems.append(error.within(outcome.input.name))
            failed[position] = outcome
    return failed


def _no_report(line: str, name: str) -> InputError:
    return InputError("the report of a run", actual=line, hint=_HINT, source=name)


@cache
def _failures() -> re.Pattern[str]:
    """Return the pattern of lines that say that a load generator could not run.

    That is what it prints then itself, its name and a colon, or its name set off beside words of
    a shell.
    """
    programs = "|".join(map(re.escape, sorted(registry.programs(), key=len, reverse=True)))
    name = rf"(?:{programs})(?:\.exe)?"
    set_off = rf"(?:^|[:/'\"\u2018\u201c`]\s?){name}(?:['\"\u2019\u201d`:]|$)"
    own = [failure for tool in registry.tools().values() for failure in tool.failures]
    return re.compile(
        rf"^{name}: |{'|'.join(f'^(?:{failure})' for failure in own) or '(?!)'}"
        rf"|^(?=.*{set_off})(?i:.*(?:{_DID_NOT_RUN}))"
    )


def _unnumbered(outcome: FileOutcome) -> str:
    """Return the path of a file without its numbers."""
    return re.sub("[0-9]++", "", outcome.input.below)
