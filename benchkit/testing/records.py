"""Checks of what is read from an undamaged output."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.parsing import (
    Bytes,
    FileParser,
    Parser,
    RowsParser,
    RunRecord,
    Source,
    TextParser,
    Unitless,
)
from benchkit.schema import RUNS
from benchkit.testing.magnitudes import units
from benchkit.testing.reading import CheckError, Fixture, ParserAnswer, read
from benchkit.text import decode

_ROUNDING: Final = 0.02

ParserCheck = Callable[[Parser, Fixture], None]


def _reads(parser: Parser, fixture: Fixture) -> None:
    reading = fixture.answer(parser)
    if reading.impossible:
        raise CheckError(
            f"{fixture.name}: {reading.impossible[0]}. What the tool wrote is whole: the parser "
            "misreads it"
        )
    if not (reading.runs or reading.refusals):
        raise CheckError(
            f"{fixture.name}: nothing is read, and nothing says why{_unasked(parser, fixture)}"
        )


def _unasked(parser: Parser, fixture: Fixture) -> str:
    """Return why a parser is not asked for an output."""
    if isinstance(parser, TextParser):
        text = decode(fixture.data)
        if text is None or not any(marker in text for marker in parser.markers):
            return "; none of the `markers` stands in it"
    if isinstance(parser, (RowsParser, FileParser)):
        if not parser.sniff(Source.from_bytes(fixture.data, name=fixture.name)):
            return "; `sniff` says that it is none"
        if isinstance(parser, RowsParser):
            return "; of a header without rows `rows` raises an InputError"
    return ""


def _each(fault: Callable[[Parser, RunRecord, dict[str, Any]], Iterator[str]]) -> ParserCheck:
    """Return a check of each run; it is given the columns with the constants."""

    def check(parser: Parser, fixture: Fixture) -> None:
        for number, record in enumerate(fixture.answer(parser).records, start=1):
            columns = {**parser.constants, **record.columns}
            for text in fault(parser, record, columns):
                raise CheckError(f"{fixture.name}, run {number}: {text}")

    return check


def _schema(parser: Parser, record: RunRecord, columns: dict[str, Any]) -> Iterator[str]:
    if not parser.name.startswith(f"{parser.tool}-"):
        yield f"the parser is called {parser.name}, which does not begin with {parser.tool}-"
    for column in RUNS.columns:
        value = columns.get(column.name)
        if column.values and value is not None and value not in column.values:
            yield f"{column.name} is {value!r}, not one of {', '.join(column.values)}"
    for code, count in record.statuses.items():
        if not (code == 0 or 100 <= code <= 999):
            yield f"{count} responses of status {code}"
    for name in ("errors", "timeouts", "non2xx"):
        if (columns.get(name) or 0) > columns.get("requests", float("inf")) + (
            columns.get("errors") or 0
        ):
            yield f"{name} is {columns[name]} of {columns['requests']} requests"


def _declared(parser: Parser, _: RunRecord, columns: dict[str, Any]) -> Iterator[str]:
    filled = {name for name, value in columns.items() if value is not None}
    missing = set(parser.fills) - filled
    beyond = filled - {*parser.fills, *parser.may_fill, *parser.constants}
    if missing:
        yield (
            f"declared in `fills`, and not filled: {', '.join(sorted(missing))}; "
            "what only some outputs have belongs in `may_fill`"
        )
    if beyond:
        yield (
            f"filled, and not declared: {', '.join(sorted(beyond))}; "
            "name it in `fills`, or in `may_fill` where not every output has it"
        )


def _follows(parser: Parser, fixture: Fixture) -> None:
    """Check that nothing is lost of what rows give."""
    if not isinstance(parser, RowsParser):
        return
    for _, summary in fixture.answer(parser).runs:
        given = {k for k, v in summary.columns().items() if v is not None} if summary else set()
        if lost := sorted((given & parser.gives) - {*parser.fills, *parser.may_fill}):
            raise CheckError(
                f"{fixture.name}: its rows give {', '.join(lost)}, and nobody sees it: declare it "
                "in `fills`, in `may_fill` where not every output has it, or in `withholds` where "
                "it means something else here"
            )


def _quantiles(_: Parser, record: RunRecord, columns: dict[str, Any]) -> Iterator[str]:
    values = record.unitless or Unitless()
    columns = {**columns, **values.columns}
    yield from _spread(columns)
    ends = [(0.0, columns.get("latency_min_s")), (1.0, columns.get("latency_max_s"))]
    printed = [*record.quantiles, *values.quantiles]
    known = sorted([*printed, *((q, v) for q, v in ends if v is not None)])
    step = columns.get("resolution_s") or 0.0
    for (low, below), (high, above) in pairwise(known):
        if low < high and below > above * (1 + _ROUNDING) + step:
            yield f"the latency at {high:g} is {above:g} s, below the {below:g} s at {low:g}"


def _spread(columns: Mapping[str, Any]) -> Iterator[str]:
    """Yield a mean beyond the ends, and a deviation that is larger than the largest latency."""
    step = columns.get("resolution_s") or 0.0
    for name, end in (("mean", "max"), ("std", "max"), ("min", "mean")):
        low, high = columns.get(f"latency_{name}_s"), columns.get(f"latency_{end}_s")
        if low is not None and high is not None and low > high * (1 + _ROUNDING) + step:
            yield f"latency_{name}_s is {low:g}, above the latency_{end}_s of {high:g}"


def _gzip(parser: Parser, fixture: Fixture) -> None:
    if fixture.data.startswith(b"\x1f\x8b"):
        return
    packed = gzip.compress(fixture.data, mtime=0)
    _same(fixture.answer(parser), read(parser, packed, fixture.name), f"{fixture.name}, gzipped")


def _again(parser: Parser, fixture: Fixture) -> None:
    again = read(parser, fixture.data, fixture.name)
    _same(fixture.answer(parser), again, f"{fixture.name}, read again")


def _same(expected: ParserAnswer, got: ParserAnswer, what: str) -> None:
    if got.records != expected.records or got.refusals != expected.refusals:
        raise CheckError(f"{what}: it reads otherwise than before")


class _Forward(Bytes):
    """Content that holds its reader to the contract of `Content.read`."""

    def read(self, start: int, count: int) -> bytes:
        last = self.__dict__.get("last", 0)
        if start < last - count:
            raise CheckError(f"{count} bytes are read at {start}, after some at {last}")
        self.__dict__["last"] = start
        return super().read(start, count)


def _forward(parser: Parser, fixture: Fixture) -> None:
    """Check that a file is read from its beginning to its end, as a packed one must be."""
    if fixture.data.startswith(b"\x1f\x8b"):
        return
    source = Source(fixture.name, _Forward(fixture.data))
    if isinstance(parser, RowsParser) and parser.sniff(source):
        _drain(parser.rows(source))
    elif isinstance(parser, FileParser) and parser.sniff(source):
        _drain(parser.parse(source))


def _drain(results: Iterator[Any]) -> None:
    try:
        for _ in results:
            pass
    except InputError:
        return


def _pickles(parser: Parser, fixture: Fixture) -> None:
    """Check what is handed from one process to another."""
    if isinstance(parser, RowsParser):
        source = Source.from_bytes(fixture.data, name=fixture.name)
        if not fixture.data.startswith(b"\x1f\x8b") and parser.sniff(source):
            _drain(pickle.loads(pickle.dumps(batch)) for batch in parser.rows(source))  # noqa: S301 - dumped here
        return
    for record in fixture.answer(parser).records:
        if pickle.loads(pickle.dumps(record)) != record:  # noqa: S301 - the same
            raise CheckError(f"{fixture.name}: a run that was pickled is another one")


def _some_run(parser: Parser, fixtures: Sequence[Fixture]) -> None:
    if not any(fixture.answer(parser).runs for fixture in fixtures):
        raise CheckError("every output is refused: record one that gives a run")


def _may_fill(parser: Parser, fixtures: Sequence[Fixture]) -> None:
    """Check that rows give what they may: of what is printed nobody has recorded all."""
    if not isinstance(parser, RowsParser):
        return
    records = [record for fixture in fixtures for record in fixture.answer(parser).records]
    filled = {name for record in records for name in record.columns}
    if never := sorted({*parser.may_fill} - filled):
        raise CheckError(
            f"declared in `may_fill`, and in no output: {', '.join(never)}; record an output that "
            "has it, or take it out"
        )


ON_ALL: Final[Mapping[str, Callable[[Parser, Sequence[Fixture]], None]]] = {
    "some-run": _some_run,
    "may-fill": _may_fill,
}
ON_RECORDS: Final[Mapping[str, ParserCheck]] = {
    "reads": _reads,
    "schema": _each(_schema),
    "declared-columns": _each(_declared),
    "columns-of-rows": _follows,
    "units": units,
    "quantiles": _each(_quantiles),
    "gzip": _gzip,
    "read-again": _again,
    "forward": _forward,
    "pickling": _pickles,
}
