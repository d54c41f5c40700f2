"""Checks of what is read from an undamaged output."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.parsing import Bytes, FileParser, Parser, RowsParser, RunRecord, Source, Unitless
from benchkit.schema import RUNS
from benchkit.testing.reading import CheckError, Fixture, ParserAnswer, read

#: No latency of a request that anybody waited for is longer, in s.
_LONGEST_S: Final = 3600.0
_LONGEST_RUN_S: Final = 30 * 86400.0
#: How far figures of one run may lie apart that should be equal: a wrong unit is off by 1,000.
_APART: Final = 30.0
_ROUNDING: Final = 0.02

ParserCheck = Callable[[Parser, Fixture], None]


def _reads(parser: Parser, fixture: Fixture) -> None:
    reading = fixture.answer(parser)
    if not (reading.runs or reading.refusals):
        raise CheckError(f"{fixture.name}: nothing is read, and nothing says why")


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
        if column.kind in {"int", "float"} and value is not None and value < 0:
            yield f"{column.name} is {value}, below 0"
    for code, count in record.statuses.items():
        if not (code == 0 or 100 <= code <= 999) or count < 0:
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
        yield f"declared in `fills`, and not filled: {', '.join(sorted(missing))}"
    if beyond:
        yield f"filled, and not declared: {', '.join(sorted(beyond))}"


def _units(_: Parser, record: RunRecord, columns: dict[str, Any]) -> Iterator[str]:
    latencies = {name: value for name, value in columns.items() if name.startswith("latency_")}
    latencies |= {f"the latency at {q:g}": value for q, value in record.quantiles}
    for name, value in latencies.items():
        if value is not None and value > _LONGEST_S:
            yield f"{name} is {value:,.0f} s: is that its unit?"
    duration = columns.get("duration_s")
    if duration is not None and duration > _LONGEST_RUN_S:
        yield f"duration_s is {duration:,.0f} s: is that its unit?"
    rate, requests = columns.get("throughput_rps"), columns.get("requests")
    lost = columns.get("errors") or 0
    if rate and duration and requests and requests - lost > 0:
        made = rate * duration
        if not 1 / _APART < made / (requests - lost) < _APART:
            yield f"{rate:g} responses/s in {duration:g} s are not {requests} requests"
    yield from _instants(columns)
    yield from _waiting(columns)


def _instants(columns: dict[str, Any]) -> Iterator[str]:
    started = columns.get("started_at")
    if isinstance(started, datetime):
        now = datetime.now(UTC)
        year = started.year
        if not 1995 <= year <= now.year + 1:
            yield f"started_at is {started}: is that its unit?"


def _waiting(columns: dict[str, Any]) -> Iterator[str]:
    """Check that closed connections wait no longer than there was time (Little's law)."""
    mean, rate = columns.get("latency_mean_s"), columns.get("throughput_rps")
    connections = columns.get("connections")
    if columns.get("load_model") != "closed" or not (mean and rate and connections):
        return
    pipelining = columns.get("pipelining") or 1
    if mean * rate > _APART * connections * pipelining:
        yield (
            f"{connections} connections cannot wait {mean:g} s for each of {rate:g} responses/s: "
            "is that the unit of latency_mean_s?"
        )


def _quantiles(_: Parser, record: RunRecord, columns: dict[str, Any]) -> Iterator[str]:
    values = record.unitless or Unitless()
    columns = {**columns, **values.columns}
    ends = [(0.0, columns.get("latency_min_s")), (1.0, columns.get("latency_max_s"))]
    printed = [*record.quantiles, *values.quantiles]
    known = sorted([*printed, *((q, v) for q, v in ends if v is not None)])
    step = columns.get("resolution_s") or 0.0
    for (low, below), (high, above) in pairwise(known):
        if low < high and below > above * (1 + _ROUNDING) + step:
            yield f"the latency at {high:g} is {above:g} s, below the {below:g} s at {low:g}"


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
        source = Source.of(fixture.data, name=fixture.name)
        if not fixture.data.startswith(b"\x1f\x8b") and parser.sniff(source):
            _drain(pickle.loads(pickle.dumps(batch)) for batch in parser.rows(source))  # noqa: S301 - dumped here
        return
    for record in fixture.answer(parser).records:
        if pickle.loads(pickle.dumps(record)) != record:  # noqa: S301 - the same
            raise CheckError(f"{fixture.name}: a run that was pickled is another one")


ON_RECORDS: Final[Mapping[str, ParserCheck]] = {
    "reads": _reads,
    "schema": _each(_schema),
    "declared-columns": _each(_declared),
    "units": _each(_units),
    "quantiles": _each(_quantiles),
    "gzip": _gzip,
    "read-again": _again,
    "forward": _forward,
    "pickling": _pickles,
}
