"""What counts as a defect, and what two of a kind have in common."""

from __future__ import annotations

import math
import re
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.parsing import Figure
from benchkit.schema import RUNS

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = tuple(f"{ROOT / name}{'/'}" for name in ("benchkit", "parsers", "templates"))
#: Processor time of an input of less than `SMALL` bytes, in s, as `machine` has it.
MOST_SECONDS: Final = 2.0
SMALL: Final = 1_000_000
#: Memory of the process, in bytes.
MOST_MEMORY: Final = 2**29
_MOST_MESSAGE: Final = 1000
_THEN_A_LINE: Final = "left out: "
_QUOTED: Final = re.compile(r"(?<![A-Za-z])'[^']*+'|\"[^\"]*+\"|(?<!\w)/[\w./-]{6,}+|[0-9]++")


@dataclass(frozen=True)
class Defect:
    """Something that no input may bring about.

    Attributes:
        kind: `crash`, `value`, `message`, `difference`, `slow`, `growth`, `memory`, `hang`
            or `death`.
        key: What it has in common with others of the same cause.
        text: What a person needs to look into it.
    """

    kind: str
    key: str
    text: str


def of_exception(error: BaseException, stage: str) -> Defect:
    """Return what an exception is that should not have come through.

    Args:
        error: What was raised.
        stage: What was done with the input.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(SOURCES)]
    innermost = next(reversed(ours), None)
    where = "outside" if innermost is None else _position(innermost)
    key = f"{stage}: {type(error).__name__} in {where}"
    return Defect("crash", key, "".join(traceback.format_exception(error))[-4000:])


def _position(frame: traceback.FrameSummary) -> str:
    return f"{Path(frame.filename).relative_to(ROOT).as_posix()}: {frame.name}"


def template(message: str) -> str:
    """Return a message without what it took from an input."""
    return _QUOTED.sub("#", message.partition(_THEN_A_LINE)[0])[:120]


def unprintable(text: str, *, allowed: str = "\N{NO-BREAK SPACE}") -> list[str]:
    """Return what no terminal should be sent, escaped."""
    if text.isprintable():
        return []
    return sorted({ascii(char) for char in text if not (char.isprintable() or char in allowed)})


def in_message(message: str, *, source: str | None, about: str | None = None) -> Iterator[Defect]:
    """Yield what is wrong with a line that is meant for a person.

    Args:
        message: The line.
        about: What it has in common with others; else itself without what it quotes.
        source: The name of the file it is to begin with; None where it need not.
    """
    shape = template(message)[:50] if about is None else about
    odd = unprintable(message)
    if odd:
        yield Defect("message", f"unprintable: {shape!a}", f"{', '.join(odd)} in {message!a}")
    if source is not None and not message.startswith(source):
        yield Defect("message", f"nameless: {shape!a}", ascii(message))
    if len(message) > _MOST_MESSAGE:
        yield Defect("message", "long message", ascii(message))


def in_outcome(outcome: FileOutcome) -> Iterator[Defect]:
    """Yield what is wrong with what became of a file."""
    name = outcome.input.name
    for problem in outcome.problems:
        yield from in_message(str(problem), source=name)
    if outcome.message is not None:
        yield from in_message(outcome.message, source=name)
    for run in outcome.runs:
        format_name = run.parser.name
        for what, text in _in_run(run):
            yield Defect("value", f"{format_name}: {what}", f"{format_name}: {what}: {text}")


def _in_run(run: FileRun) -> Iterator[tuple[str, str]]:
    record = run.record
    yield from in_columns(run.columns)
    yield from _in_quantiles(run.known_quantiles, ordered=run.summary is not None)
    yield from _in_figures(record.figures)
    for status, count in record.statuses.items():
        if not 0 <= status < 2**31 or not 0 <= count < 2**63:
            yield "status", f"{status}: {count}"
    for text, times in record.errors.items():
        if times is not None and not 0 <= times < 2**63:
            yield "error count", f"{text}: {times}"
    if record.measured is not None:
        yield from in_columns(record.measured.columns)
        yield from _in_quantiles(dict(record.measured.quantiles), ordered=True)
    if run.summary is not None:
        count = run.summary.distribution.count
        counted = sum(run.summary.statuses.values())
        if counted not in {0, count}:
            yield "requests by status", f"{counted} of {count}"
    for note in (*record.notes, *record.lost):
        for defect in in_message(note, source=None):
            yield f"note: {defect.key}", defect.text


def in_columns(columns: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (column, value) of those that cannot be."""
    for name, value in columns.items():
        if value is not None and not _fits(RUNS.kinds[name], value):
            yield f"column {name}", repr(value)
    share = columns.get("success_ratio")
    if share is not None and share > 1:
        yield "column success_ratio", repr(share)


def _fits(kind: str, value: Any) -> bool:  # noqa: ANN401 - a value of any column
    if kind == "float":
        return bool(math.isfinite(value) and value >= 0)
    if kind == "int":
        return bool(int(value) == value and 0 <= value < 2**63)
    return isinstance(value, {"string": str, "bool": bool}.get(kind, object))


def _in_quantiles(quantiles: Mapping[float, float], *, ordered: bool) -> Iterator[tuple[str, str]]:
    for quantile, latency_s in quantiles.items():
        if not 0 <= quantile <= 1 or not math.isfinite(latency_s) or latency_s < 0:
            yield "quantile", f"{quantile}: {latency_s}"
    values = [quantiles[quantile] for quantile in sorted(quantiles)]
    if ordered and values != sorted(values):
        yield "quantiles out of order", str(values)


def _in_figures(figures: list[Figure]) -> Iterator[tuple[str, str]]:
    for figure in figures:
        if not math.isfinite(figure.value) or figure.value < 0:
            yield "figure", repr(figure)
