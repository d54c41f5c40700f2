"""Every kind of damage to every printed fixture, and what became of its values."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Final, Literal

from benchkit import registry
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers._wrk_rules import LATENCY_COLUMNS
from benchkit.parsing import RunRecord, TextParser
from benchkit.schema import QUANTILE_COLUMNS
from tests.damage.kinds import BARS, KINDS, LAST, TWICE, beside

DATA: Final = Path(__file__).parent.parent / "data"
Outcome = Literal["right", "absent, noted", "absent", "refused", "split", "wrong"]
OUTCOMES: Final[tuple[Outcome, ...]] = (
    *("right", "absent, noted", "absent", "refused", "split", "wrong"),
)
Kinds = tuple[str, ...]
#: One value of a run, by the table and the name it stands under.
Values = Mapping[tuple[str, str], Any]


@dataclass(frozen=True)
class Report:
    """A printed fixture: its path below tests/data, its text, its runs' tool and values."""

    name: str
    text: str
    tool: str
    runs: Sequence[Values]


def reports(scratch: Path, tools: Sequence[str] = ()) -> Iterator[Report]:
    """Yield every fixture that a parser of printed text reads, or those of some tools."""
    printed = {p.name for p in registry.parsers() if isinstance(p, TextParser)}
    for path in sorted(DATA.glob("*/**/*.txt")):
        if tools and path.relative_to(DATA).parts[0] not in tools:
            continue
        text = path.read_bytes().decode(errors="replace").replace("\r\n", "\n").rstrip("\n")
        outcome = read(text, scratch)
        runs = [values(run.record) for run in outcome.runs]
        if runs and not outcome.problems and {r.parser.name for r in outcome.runs} <= printed:
            name = path.relative_to(DATA).as_posix()
            yield Report(name, text, outcome.runs[0].parser.tool, runs)


def pairs(wanted: Sequence[Report], count: int, *, seed: int) -> Iterator[tuple[Report, Kinds]]:
    """Yield so many reports with two kinds of damage, drawn at random but always the same."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    twos = list(permutations(KINDS, 2))
    for _ in range(count):
        yield drawn.choice(wanted), drawn.choice(twos)


def neighbours(
    wanted: Sequence[Report], count: int, *, seed: int
) -> Iterator[tuple[Report, Report, str]]:
    """Yield so many times two different reports, and what stands between them side by side."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(count):
        left, right = drawn.sample(wanted, 2)
        yield left, right, drawn.choice(list(BARS))


def damaged(text: str, kinds: Sequence[str]) -> str:
    """Return a text with several kinds of damage, one after the other."""
    for kind in sorted(kinds, key=LAST.__contains__):
        text = KINDS[kind](text)
    return text


def outcome_of(report: Report, kinds: Sequence[str], scratch: Path) -> tuple[Outcome, str]:
    """Return what becomes of a report's values when it is damaged, and of which, in words."""
    times = 2 ** sum(kind in TWICE for kind in kinds)
    outcome = read(damaged(report.text, kinds), scratch)
    return _compared(list(report.runs) * times, outcome, tool=report.tool)


def outcome_beside(left: Report, right: Report, bar: str, scratch: Path) -> tuple[Outcome, str]:
    """Return what becomes of the values of two reports side by side, and of which, in words."""
    outcome = read(beside(left.text, right.text, BARS[bar]), scratch)
    return _compared([*left.runs, *right.runs], outcome, tool=max(left.tool, right.tool))


def _compared(
    expected: Sequence[Values], outcome: FileOutcome, *, tool: str
) -> tuple[Outcome, str]:
    runs = [values(run.record) for run in outcome.runs]
    noted = outcome.message is not None or bool(outcome.problems)
    if not runs:
        return "refused", str(outcome.problems[0]) if outcome.problems else ""
    twice = {key for run in runs for key in run if printed_twice(tool, key)}
    by_likeness = [min(expected, key=lambda whole: _distance(whole, run)) for run in runs]
    for whole, run in zip(by_likeness, runs, strict=True):
        for key, value in run.items():
            if key not in twice and (key not in whole or not same(value, whole[key])):
                return "wrong", f"{key}: {value!r} for {whole.get(key)!r}"
    if len(runs) > len(expected):
        return "split", f"{len(runs)} runs for {len(expected)}"
    missing = [f"{key}" for w, r in zip(by_likeness, runs, strict=True) for key in w.keys() - r]
    fewer = Counter(map(id, expected)) - Counter(map(id, by_likeness))
    if missing or len(runs) < len(expected) or (fewer and len(runs) != len(expected)):
        missing = missing or [f"{len(runs)} runs for {len(expected)}"]
        return ("absent, noted" if noted else "absent"), ", ".join(sorted(missing)[:4])
    return "right", ""


def _distance(whole: Values, run: Values) -> tuple[int, int]:
    """Return how many values are others, and how many are missing."""
    wrong = sum(key not in whole or not same(value, whole[key]) for key, value in run.items())
    return wrong, len(whole.keys() - run.keys())


def printed_twice(tool: str, key: tuple[str, str]) -> bool:
    """Whether a tool prints a value first rounded, from another count, and then again, which wins.

    Both are its own; where the second is lost, the first stands.
    """
    latency = {*LATENCY_COLUMNS.values(), *QUANTILE_COLUMNS.values(), "Uncorrected"}
    if tool in {"fortio", "vegeta"}:
        return key[1] in {"throughput_rps", "goodput_rps"}
    return tool == "wrk2" and (key[0] == "quantile" or key[1].split()[0] in latency)


def same(value: object, other: object) -> bool:
    """Whether two values are one, but for the last bits of a float."""
    if isinstance(value, float) and isinstance(other, (int, float)):
        return math.isclose(value, other, rel_tol=1e-12)
    return value == other


def read(content: str | bytes, scratch: Path, *, name: str = "report.txt") -> FileOutcome:
    """Return what becomes of a file with some content; a text has an end of its last line."""
    path = scratch / name
    path.write_bytes(content if isinstance(content, bytes) else f"{content}\n".encode())
    return read_file(Input(str(path), name, name))


def values(record: RunRecord) -> Values:
    """Return all that a run says, by table and name; what is not known is left out."""
    listed: dict[tuple[str, str], Any] = {
        ("column", name): value for name, value in record.columns.items() if value is not None
    }
    listed |= {("quantile", f"{q:.10g}"): latency for q, latency in record.quantiles}
    listed |= {("status", str(code)): count for code, count in record.statuses.items()}
    listed |= {("error", text): count for text, count in record.errors.items()}
    for number, figure in enumerate(record.figures):
        same = sum(
            (f.metric, f.statistic) == (figure.metric, figure.statistic)
            for f in record.figures[:number]
        )
        listed["figure", f"{figure.metric} {figure.statistic} {same or ''}"] = figure.value
    return listed
