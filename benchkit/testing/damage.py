"""Checks of what is read from an output that is cut off, broken, or written by an enemy.

What is left gives runs without an invented value, or one clear line, and never another error. A
value is not invented where the run of the whole output has it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from benchkit.parsing import Parser, RunRecord
from benchkit.schema import RUNS
from benchkit.testing.reading import CheckError, Fixture, ParserAnswer, read

#: Places at most where an output is cut, at ends of lines and anywhere; bytes that are changed.
_LINES: Final = 40
_ANYWHERE: Final = 20
_CHANGES: Final = 30
#: Bytes read at most for all of these.
_MOST: Final = 2**22
_SEED: Final = 1
#: What is put in place of a name, a target or an error.
_HOSTILE: Final = (
    "<script>alert(1)</script>",
    "\x1b[31m\x1b]0;t\x07",
    "\u202e\u0000\ufeff",
    "| a | `b` | $(c) |",
    "../../../../etc/passwd",
    "%s%n{0}{x}\\1",
    "\"]}',",
    "9" * 5000,
)
_STRINGS: Final = 6

Late = Callable[[bytes, bytes], set[str]]
ParserCheck = Callable[[Parser, Fixture, Late], None]


def nothing_late(_part: bytes, _whole: bytes) -> set[str]:
    """Return no names: nothing that is printed later changes what was printed before."""
    return set()


def _truncations(parser: Parser, fixture: Fixture, late: Late) -> None:
    whole = fixture.answer(parser)
    for cut in _cuts(fixture.data):
        part = fixture.data[:cut]
        what = f"{fixture.name}, cut at byte {cut}"
        _require_no_more(read(parser, part, what), whole, late(part, fixture.data), what)


def _cuts(data: bytes) -> Iterator[int]:
    """Yield places at ends of lines, and some between them."""
    ends = [at + 1 for at, byte in enumerate(data) if byte == 0x0A and at + 1 < len(data)]
    yield from ends[:: max(len(ends) // _count(_LINES, data), 1)]
    random = Random(_SEED)  # noqa: S311 - nothing secret
    if len(data) > 1:
        yield from sorted(random.randrange(1, len(data)) for _ in range(_count(_ANYWHERE, data)))


def _count(most: int, data: bytes) -> int:
    return max(min(most, _MOST // (len(data) + 1)), 3)


def _require_no_more(part: ParserAnswer, whole: ParserAnswer, late: set[str], what: str) -> None:
    if len(part.runs) > len(whole.runs):
        raise CheckError(f"{what}: {len(part.runs)} runs instead of {len(whole.runs)}")
    known = whole.facts()
    for (_, summary), facts, (_, complete), all_facts in zip(
        part.runs, part.facts(), whole.runs, known, strict=False
    ):
        if summary is not None and complete is not None:
            # Fewer requests are another run; no request may be added.
            count, most = summary.distribution.count, complete.distribution.count
            if count > most:
                raise CheckError(f"{what}: {count} requests instead of {most}")
            continue
        if invented := {fact for fact in facts - all_facts if not late & set(fact[:2])}:
            raise CheckError(f"{what}: the whole output does not have {sorted(invented, key=str)}")


def _changed_bytes(parser: Parser, fixture: Fixture, _: Late) -> None:
    random = Random(_SEED)  # noqa: S311 - nothing secret
    for _number in range(_count(_CHANGES, fixture.data) if fixture.data else 0):
        at, byte = random.randrange(len(fixture.data)), random.randrange(256)
        changed = fixture.data[:at] + bytes([byte]) + fixture.data[at + 1 :]
        read(parser, changed, f"{fixture.name}, byte {at} changed to {byte}")


def _hostile(parser: Parser, fixture: Fixture, _: Late) -> None:
    words = {text for record in fixture.answer(parser).records
             for text in _words(record)}  # fmt: skip
    there = [text for text in sorted(words) if text.encode() in fixture.data]
    for text in there[:_STRINGS]:
        for hostile in _HOSTILE:
            changed = fixture.data.replace(text.encode(), hostile.encode())
            read(parser, changed, f"{fixture.name}, {text!r} changed to {hostile[:40]!r}")


def _words(record: RunRecord) -> Iterator[str]:
    """Yield what a run has of words that somebody chose."""
    free = {column.name for column in RUNS.columns if column.kind == "string" and not column.values}
    strings = [value for name, value in record.columns.items() if name in free]
    strings += [record.name, *record.errors, *(figure.metric for figure in record.figures)]
    yield from (text for text in strings if isinstance(text, str) and len(text) > 2)


ON_DAMAGE: Final[Mapping[str, ParserCheck]] = {
    "truncations": _truncations,
    "changed-bytes": _changed_bytes,
    "hostile-strings": _hostile,
}
