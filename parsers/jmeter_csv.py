"""JMeter's results as CSV (`-l FILE`, JTL): a row per sample, the columns as configured.

Columns, their delimiter, the form of times and the header are properties
(`jmeter.save.saveservice.*`). The order of columns is always the same; without a header it is
known by what stands in the first row. Times in another form than milliseconds since 1970 are those
of the machine's own time zone. A second run into the same file goes on below the first, without a
mark: it cannot be told from a pause.

Source: Apache JMeter 2.13 to 5.6.3 `save/CSVSaveService.java` (resultToDelimitedString,
printableFieldNamesToString), `samplers/SampleSaveConfiguration.java`, `jmeter.properties`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.errors import InputError, Where
from benchkit.parsing import InseparableError, Part, RequestBatch, RowsParser, Source

from ._jmeter_rows import ROWS, Samples, with_remarks
from ._rows_columns import MS, NO_TIME, CodedText, Number, RowField, ValueKind
from ._rows_csv import DelimitedRows, cells_of, first_row
from ._rows_windows import head_of, line_ends, utf8

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._texts import TextCodes

#: All columns in their order.
_NAMES: Final = (
    *("timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName"),
    *("dataType", "success", "failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads"),
    *("URL", "Filename", "Latency", "Encoding", "SampleCount", "ErrorCount", "Hostname"),
    *("IdleTime", "Connect"),
)
_START: Final = re.compile(r"(?:timeStamp([^\w\"]))?elapsed([^\w\"])|timeStamp([^\w\"])elapsed$")
_FIRST: Final = re.compile(
    r"([0-9]{12,14}|[0-9]{2,4}[-/][^,;|\t]{4,30}?)([^\w\".:/ -]|\t)[0-9]{1,9}\2"
)
#: A time that is none of milliseconds, after 1973.
_SECONDS: Final = re.compile(r"[0-9]{1,11}(?:\.[0-9]*)?")
_BOOLEANS: Final = frozenset({"true", "false"})
_WHOLE: Final = re.compile(r"[0-9]{1,18}")
_LOCAL: Final = re.compile(
    r"([0-9]{4})[-/]([0-9]{2})[-/]([0-9]{2})[ T]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:[.,]([0-9]{3}))?"
)
_SHORT: Final = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})")


@dataclass(frozen=True)
class LocalTime:
    """A time of day of the machine's own time zone, as ns since 1970 were that UTC."""

    expected: str = "a time such as 2026/11/22 20:12:15.744"
    is_text: bool = False

    def arrow(self, *, exact: bool) -> Any:  # noqa: ANN401, ARG002
        """Return text."""
        import pyarrow as pa

        return pa.string()

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[np.int64]:  # noqa: ANN401
        """Return ns, each time of day looked at once."""
        coded = column.dictionary_encode()
        values = [self.value(text, names) for text in coded.dictionary.to_pylist()]
        if None in values:
            raise ValueError(self.expected)
        at = coded.indices.to_numpy(zero_copy_only=False)
        numbers: npt.NDArray[np.int64] = np.array(values, np.int64)[at]
        return numbers

    def value(self, raw: object, names: TextCodes) -> int | None:  # noqa: ARG002
        """Return ns, None for what is no time of day."""
        text = raw if isinstance(raw, str) else ""
        matched = _LOCAL.fullmatch(text)
        if matched is not None:
            year, month, day, hour, minute, second = (int(matched[part]) for part in range(1, 7))
        elif (matched := _SHORT.fullmatch(text)) is not None:
            month, day, year, hour, minute, second = (int(matched[part]) for part in range(1, 7))
            year += 2000
        else:
            return None
        try:
            instant = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError:
            return NO_TIME
        since = instant - datetime(1970, 1, 1, tzinfo=UTC)
        millisecond = int(matched[7] or 0) if matched.re is _LOCAL else 0
        return ((since.days * 86_400 + since.seconds) * 1000 + millisecond) * MS


def _columns(time: ValueKind) -> Sequence[RowField]:
    return (
        RowField("started_ns", "timeStamp", time, absent=0),
        RowField("latency_ns", "elapsed", Number(MS)),
        RowField("label", "label", CodedText(), absent=-1),
        RowField("code", "responseCode", CodedText(), absent=-1),
        RowField("message", "responseMessage", CodedText(), absent=-1),
        RowField("thread", "threadName", CodedText(), absent=-1),
        RowField("success", "success", CodedText(), absent=-1),
        RowField("error", "failureMessage", CodedText(), absent=-1),
        RowField("received_bytes", "bytes", absent=0),
        RowField("sent_bytes", "sentBytes", absent=0),
        RowField("url", "URL", CodedText(), absent=-1),
        RowField("first_byte_ns", "Latency", Number(MS), absent=0),
        RowField("count", "SampleCount", absent=1),
        RowField("connect_ns", "Connect", Number(MS), absent=0),
    )


@dataclass(frozen=True)
class _RowForm:
    """How a file is written: delimiter, names of columns, and whether these are its header."""

    delimiter: str
    names: Sequence[str]
    headed: bool
    time: str

    @property
    def is_local(self) -> bool:
        """Whether times are those of a day."""
        return bool(self.time) and not _WHOLE.fullmatch(self.time)

    def table(self, samples: Samples) -> DelimitedRows:
        """Return the table that reads it."""
        constants: dict[str, Any] = {}
        if self.headed and _SECONDS.fullmatch(self.time):
            raise InputError(
                "milliseconds since 1970 as timeStamp",
                actual=self.time,
                where=Where(line=2),
                hint="let JMeter save its own (jmeter.save.saveservice.timestamp_format=ms)",
            )
        if self.is_local:
            fine = (matched := _LOCAL.fullmatch(self.time)) is not None and matched[7]
            constants = {"started_relative": True, "started_step_ns": 1 if fine else 10**9}
        return DelimitedRows(
            columns=_columns(LocalTime() if self.is_local else Number(MS)),
            delimiters=self.delimiter,
            headless=() if self.headed else (self.names,),
            finish=samples.requests_of,
            constants=constants,
        )


def _form_of(head: bytes) -> _RowForm | None:
    first = first_row(head, b'"')
    text = first.decode("utf-8", "replace").strip("\r\n")[:4000]
    if (matched := _START.match(text)) is not None:
        delimiter = next(filter(None, matched.groups()))
        names = [name.strip() for name in cells_of(text, delimiter)]
        known = sum(name in _NAMES for name in names)
        if known < 3 or len(set(names)) < len(names):
            return None
        second = first_row(head[len(first) :].lstrip(b"\r\n"), b'"').decode("utf-8", "replace")
        time = cells_of(second, delimiter)[:1] if names[0] == "timeStamp" else []
        return _RowForm(delimiter, names, headed=True, time="".join(time))
    if (matched := _FIRST.match(text)) is None:
        return None
    cells = cells_of(text, matched[2])
    inferred = _names_of(cells)
    return _RowForm(matched[2], inferred, headed=False, time=cells[0]) if inferred else None


def _names_of(cells: Sequence[str]) -> Sequence[str]:
    """Return the names of the columns of a row without header, as far as they are sure.

    From the label to whether it succeeded they are always there, the type of data but in old
    versions; behind them are numbers, and between these the URL.
    """
    at = next((at for at in (6, 7) if cells[at : at + 1] and cells[at].lower() in _BOOLEANS), 0)
    if not at or not _WHOLE.fullmatch(cells[1]):
        return ()
    names = [*_NAMES[:6], *(["dataType"] if at == 7 else []), "success"]
    rest = list(cells[at + 1 :])
    if rest and not _WHOLE.fullmatch(rest[0]):
        names.append("failureMessage")
        rest.pop(0)
    url = next((at for at, cell in enumerate(rest) if not _WHOLE.fullmatch(cell)), None)
    before = len(rest) if url is None else url
    names += _numbers(before, has_times=url is None)
    if url is not None:
        times = {1: ["Latency"], 3: ["Latency", "IdleTime", "Connect"]}
        after = len(rest) - url - 1
        sure = all(_WHOLE.fullmatch(cell) for cell in rest[url + 1 :])
        known = times.get(after, ["Latency"] if after else [])
        names += ["URL", *(known if sure else [])]
    unknown = len(cells) - len(names)
    return [*names, *(f"column {number}" for number in range(unknown))]


def _numbers(count: int, *, has_times: bool) -> list[str]:
    """Return the names of numbers behind each other: of 5.x, of 3.1, of 3.0, or only the size."""
    sizes = ["bytes", "sentBytes", "grpThreads", "allThreads"]
    times = ["Latency", "IdleTime", "Connect"]
    without = ["bytes", "grpThreads", "allThreads"]
    known = {4: sizes, 3: without}
    if has_times:
        known = {7: [*sizes, *times], 6: [*without, *times], 2: ["bytes", "Latency"]}
    names = known.get(count, ["bytes"][:count])
    return [*names, *(f"number {at}" for at in range(count - len(names)))]


def sniff(source: Source) -> bool:
    """Whether a file begins with a header of JMeter, or with a row in its order."""
    return _form_of(head_of(source)) is not None


class _RunRows:
    """The content of a file up to a header further down: where another file was appended."""

    def __init__(self, source: Source, start: int, header: bytes, *, lines: bool = True) -> None:
        self._read, self._start = utf8(source), start
        self._header = b"\n" + header if header else b""
        self._lines = (header + b"\n", header + b"\r\n")
        self._longest = len(header) + 2
        self.size = source.content.size
        self.next: int | None = None
        self.lines = self._counted = 0
        self._counts_lines = lines

    def read(self, start: int, count: int) -> bytes:
        """Return a piece, up to the next header."""
        if self.next is not None and self._start + start >= self.next:
            return b""
        data = self._read(self._start + start, count)
        if start and self._header and data[: self._longest].startswith(self._lines):
            self.next = self._start + start
            return b""
        end = data.find(self._header, 0 if start else 1) if self._header else -1
        if end >= 0:
            data = data[: end + 1]
            self.next = self._start + start + end + 1
        if self._counts_lines and start + len(data) > self._counted:
            self.lines += line_ends(data, max(self._counted - start, 0))
            self._counted = start + len(data)
        return data


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the requests in file order; those below a further header are another run.

    Raises:
        InputError: a row is broken, all before it have been yielded; there is no request.
    """
    samples = Samples()
    yield from with_remarks(_sections(source, samples), samples)


def parts(source: Source, count: int) -> Sequence[Part]:
    """Cut a file at line ends into at most so many parts."""
    form = _form_of(head_of(source))
    return form.table(Samples()).parts(source, count) if form is not None else ()


def rows_of(source: Source, part: Part) -> Iterator[RequestBatch]:
    """Yield the requests of a part in file order.

    Raises:
        InputError: as `rows`.
        InseparableError: what its rows mean depends on others: there is a header among them, or a
            sample that may be a part of another.
    """
    samples = Samples(alone=False)
    yield from with_remarks(_part_rows(source, samples, part), samples)


def _part_rows(source: Source, samples: Samples, part: Part) -> Iterator[RequestBatch]:
    form = _form_of(head_of(source))
    if form is None:  # pragma: no cover - it was cut by its form
        raise InseparableError
    header = first_row(head_of(source), b'"').strip(b"\r\n") if form.headed else b""
    section = _RunRows(source, 0, header, lines=False)
    table = form.table(samples)  # threads tell which rows are parts, of which there are none
    table = replace(table, columns=[c for c in table.columns if c.field != "thread"])
    for batch in table.batches(Source(source.name, section), part):
        yield replace(batch, attack=np.zeros(len(batch), np.int32), attacks=("",))
    if section.next is not None:
        raise InseparableError


def _sections(source: Source, samples: Samples) -> Iterator[RequestBatch]:
    start: int | None = 0
    number = line = 0
    attacks = [""]
    while start is not None:
        head = utf8(source)(start, 2**16) if start else head_of(source)
        form = _form_of(head)
        if form is None:  # pragma: no cover - what was found looks like one
            return
        header = first_row(head, b'"').strip(b"\r\n") if form.headed else b""
        section = _RunRows(source, start, header)
        try:
            for batch in form.table(samples).batches(Source(source.name, section)):
                attack = np.full(len(batch), number, np.int32)
                yield replace(batch, attack=attack, attacks=tuple(attacks))
        except InputError as error:
            raise _shifted(error, line) from None
        start, number, line = section.next, number + 1, line + section.lines
        attacks.append(f"part {number + 1} of the file")


def _shifted(error: InputError, lines: int) -> InputError:
    """Return an error of a section with the line of the file."""
    if lines and error.where is not None and error.where.line is not None:
        error.where = Where(line=error.where.line + lines)
    return error


PARSERS: Final = (
    RowsParser(
        name="jmeter-csv",
        reads="results as CSV (-l, JTL), with or without header, any delimiter",
        versions="2.13 on",
        detail=5,
        sniff=sniff,
        rows=rows,
        parts=parts,
        rows_of=rows_of,
        **ROWS,
    ),
)
