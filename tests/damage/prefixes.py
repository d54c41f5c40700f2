"""Every prefix of a recorded output, and what became of its values.

A tool's output is cut where a disk was full, a terminal or a log had its end, or somebody's mouse
stopped: behind any character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from benchkit import registry
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.parsing import FileParser, RowsParser, TextParser
from tests.damage.matrix import DATA, Values, printed_twice, read, same, values

Outcome = Literal[
    "as the whole", "refused", "absent, noted", "absent, remarked", "absent", "told late", "wrong"
]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
SUFFIXES: Final = frozenset(
    (".txt", ".csv", ".tsv", ".json", ".jsonl", ".jtl", ".log", ".influx", ".hlog", ".hgrm")
)
#: Each line of which adds to all the figures: a shorter one is another run.
GROWING: Final = frozenset(("hdrhistogram-log", "locust-history"))
#: Of a file with a row per request, so many bytes at its begin and its end: rows are alike.
_ENDS: Final = 1500


@dataclass(frozen=True)
class Recording:
    """A fixture that is read line by line: its path below tests/data, and what is read of it."""

    name: str
    content: bytes
    format: str
    tool: str
    runs: Sequence[Values]
    notes: AbstractSet[str]

    @property
    def lengths(self) -> Sequence[int]:
        """The lengths of its prefixes, but for the middle of a long list of requests."""
        size = len(self.content)
        if self.runs:
            return range(1, size)
        return [*range(1, min(size, _ENDS)), *range(max(size - _ENDS, _ENDS), size)]


def recordings(scratch: Path) -> Iterator[Recording]:
    """Yield every fixture whose parser reads line by line."""
    kinds = (TextParser, FileParser, RowsParser)
    by_line = {p.name for p in registry.parsers() if isinstance(p, kinds)}
    for path in sorted(DATA.glob("*/**/*")):
        if path.suffix not in SUFFIXES or path.name == "post-body.json":
            continue
        content = path.read_bytes()
        outcome = read(content, scratch, name=f"whole{path.suffix}")
        if outcome.runs and {run.parser.name for run in outcome.runs} <= by_line:
            run = outcome.runs[0]
            whole = [values(each.record) for each in outcome.runs if each.summary is None]
            name = path.relative_to(DATA).as_posix()
            notes = {note for each in outcome.runs for note in each.record.notes}
            yield Recording(name, content, run.parser.name, run.parser.tool, whole, notes)


def outcome_of(recording: Recording, length: int, scratch: Path) -> tuple[Outcome, str]:
    """Return what becomes of the values of a prefix, and of which, in words."""
    part = recording.content[:length]
    name = f"part{Path(recording.name).suffix}"
    outcome = read(part, scratch, name=name)
    noted = outcome.message is not None or bool(outcome.problems)
    remarked = bool({note for run in outcome.runs for note in run.record.notes} - recording.notes)
    if not outcome.runs:
        return "refused", ""
    if not recording.runs or recording.format in GROWING:
        return _of_requests(part, outcome, scratch, name)
    wrong, missing = _differences(recording, [values(run.record) for run in outcome.runs])
    if wrong:
        late = _told_late(part, recording.content)
        return "told late" if any(name in wrong for name in late) else "wrong", wrong
    if missing and noted:
        return "absent, noted", missing
    absent: Outcome = "absent, remarked" if remarked else "absent"
    return (absent if missing else "as the whole"), missing


def _differences(recording: Recording, runs: Sequence[Values]) -> tuple[str, str]:
    """Return, in words, the first value that is another, and some that are missing."""
    if len(runs) > len(recording.runs):
        return f"{len(runs)} runs for {len(recording.runs)}", ""
    missing: list[str] = []
    for run, whole in zip(runs, recording.runs, strict=False):
        for key, value in run.items():
            right = key in whole and same(value, whole[key])
            if not right and not printed_twice(recording.tool, key):
                return f"{key}: {value!r} for {whole.get(key)!r}", ""
        missing += [f"{key}" for key in whole.keys() - run.keys()]
    return "", ", ".join(sorted(missing)[:4])


def _told_late(part: bytes, whole: bytes) -> AbstractSet[str]:
    """Return names of values that a line below puts in another light, where nothing tells of it.

    autocannon prints errors and mismatches behind what is otherwise its last line, and below its
    tables that it counted in other steps than a second. plow prints what it has until then again
    and again, and rewrk its errors below all else.
    """
    late: set[str] = set()
    if whole.count(b"\n  Elapsed ") > 1:
        late |= {"column", "quantile", "figure", "status", "error"}
    if b" Errors: " in whole:
        late |= {"throughput_rps"}
    if re.search(rb"\n\d\S* requests in \S+, .* read\s*\Z", part):
        late |= {"errors", "timeouts", "success_ratio", "goodput_rps", "requests"}
    if b"sampled every" in whole and b"sampled every" not in part:
        late |= {"throughput_rps", "goodput_rps", "Req/Sec", "Bytes/Sec"}
    return late


def _of_requests(
    part: bytes, outcome: FileOutcome, scratch: Path, name: str
) -> tuple[Outcome, str]:
    """Return what becomes of rows: they are those whose line is whole, and a cut one is noted."""
    noted = outcome.message is not None or bool(outcome.problems)
    rows, _, rest = part.rpartition(b"\n")
    whole = _counts(read(rows + b"\n", scratch, name=name).runs)
    if _counts(outcome.runs) == whole:
        if rest.strip():
            return ("absent, noted" if noted else "absent"), ""
        return "as the whole", ""
    if _counts(outcome.runs) == _counts(read(part + b"\n", scratch, name=name).runs):
        return ("wrong" if _is_open(rest) else "as the whole"), repr(rest[-60:])
    return "wrong", repr(rest[-60:])


def _is_open(row: bytes) -> bool:
    """Whether a row may go on: JSON ends with a bracket, a compressed histogram has a checksum."""
    return not (row.endswith((b"}", b"=")) or b"HISTFA" in row)


def _counts(runs: Sequence[FileRun]) -> Sequence[object]:
    return [
        (run.summary.distribution.count if run.summary else None, values(run.record))
        for run in runs
    ]
