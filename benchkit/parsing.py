"""What a parser is handed, what it declares, and what it returns.

There are four kinds of parser, by what an output looks like:

- `RowsParser`: a file with a row per request (vegeta's gob, ab's `-g`);
- `FileParser`: any other file that is one output from end to end (ab's `-e`);
- `JsonParser`: a JSON object, wherever it stands: a file of its own, an element
  of an array, a line, a fence in a page;
- `TextParser`: printed text, wherever it stands in a file.

A module of `benchkit.parsers` names its parsers in `PARSERS`; nothing else needs
to know them.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from benchkit.declarations import DeclarationError, require_several, require_words
from benchkit.errors import InputError
from benchkit.schema import QUANTILE_COLUMNS, RUNS
from benchkit.text import decode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from benchkit.text import Text

#: The version of what parsers are made of: this module, `benchkit.tool` and the columns of
#: `runs`. It rises when a parser that was right before has to change.
INTERFACE = 1
#: Bytes of a file that `sniff` sees.
HEAD_BYTES = 65536


class Content(Protocol):
    """Bytes that can be read piece by piece."""

    @property
    def size(self) -> int:
        """How many there are, or about as many where only reading would tell."""

    def read(self, start: int, count: int) -> bytes:
        """Return `count` bytes from `start` on; fewer only at the end.

        `start` never lies before that of the last call by more than `count`, but for a parser
        that can cut a file into parts.
        """


def read_into(buffer: bytearray, content: Content, start: int, count: int) -> memoryview:
    """Return `count` bytes of some content from `start` on; fewer only at the end.

    They lie in the buffer, which has room for them, and are good until its next use, where the
    content has a method `read_into` with the same other arguments that returns how many it put
    there.
    """
    put = getattr(content, "read_into", None)
    if put is None:
        return memoryview(content.read(start, count))
    return memoryview(buffer)[: put(buffer, start, count)]


@dataclass(frozen=True)
class Bytes:
    """Content that is in memory."""

    data: bytes

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.data)

    def read(self, start: int, count: int) -> bytes:
        """Return a piece."""
        return self.data[start : start + count]


@dataclass(frozen=True)
class Source:
    """The content of one file after decompression.

    Attributes:
        name: How messages call the file.
        content: Its bytes, piece by piece: a file may be larger than memory.
    """

    name: str
    content: Content

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str = "input") -> Source:
        """Return bytes in memory as a source."""
        return cls(name, Bytes(data))

    @cached_property
    def head(self) -> bytes:
        """The first bytes, for recognising the format."""
        return self.content.read(0, HEAD_BYTES)

    @cached_property
    def head_text(self) -> str:
        """The same as text from its first line that is not blank; empty where it is no text."""
        return (decode(self.head) or "").lstrip("\ufeff\r\n")

    @cached_property
    def data(self) -> bytes:
        """All bytes: for formats that are small."""
        return self.content.read(0, sys.maxsize)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a file of rows that is read by itself, beside the others.

    Attributes:
        start: Its first byte.
        stop: The byte after its last, None for the end of the file.
        given: What its reader has to know of what stands before it.
        share: Of how many parts it is one: so much of what is bounded for a file is its own.
    """

    start: int
    stop: int | None = None
    given: bytes = b""
    share: int = 1


class InseparableError(Exception):
    """A part of a file cannot be read by itself: the file is to be read as a whole."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed figure without a column of its own, in base units."""

    metric: str
    statistic: str
    value: float
    unit: str = ""
    printed: str | None = None


@dataclass
class Measured:
    """Latencies without the samples that the tool added to what it prints.

    Attributes:
        columns: Values for columns of `runs`.
        quantiles: (quantile 0..1, latency in s).
        counts: Samples per latency in ns, ascending.
    """

    columns: dict[str, Any] = field(default_factory=dict)
    quantiles: list[tuple[float, float]] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)


@dataclass
class Unitless:
    """Latencies whose unit the output does not state.

    Attributes:
        columns: Values for columns of `runs` called `latency_…_s`, in that unit.
        quantiles: (quantile 0..1, value).
        unit: ns, us, ms or s where a remark in the output says so.
    """

    columns: dict[str, float] = field(default_factory=dict)
    quantiles: list[tuple[float, float]] = field(default_factory=list)
    unit: str | None = None


@dataclass
class RunRecord:
    """One run as a parser found it.

    Attributes:
        columns: Values for columns of `runs`; what the file lacks is left out.
        quantiles: (quantile 0..1, latency in s), as printed.
        statuses: Count per HTTP status code, 0 for no response.
        errors: Count per distinct error; None where no count is printed.
        name: What the file itself calls the run (an attack name, a title).
        lines: First and last line it covers, counted from 0, in a text.
        measured: What was measured, where the tool added samples to `columns` and `quantiles`.
        unitless: Latencies that become columns and quantiles when their unit is known.
        notes: Remarks for the reader: what was recovered, what was left out.
        lost: Those of them that say what is missing because the file is damaged.
    """

    columns: dict[str, Any] = field(default_factory=dict)
    quantiles: list[tuple[float, float]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    errors: dict[str, int | None] = field(default_factory=dict)
    name: str | None = None
    lines: tuple[int, int] | None = None
    measured: Measured | None = None
    unitless: Unitless | None = None
    notes: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def quantile(self, q: float, latency_s: float) -> None:
        """Add a printed quantile, to its column too where it has one."""
        self.quantiles.append((q, latency_s))
        if q in QUANTILE_COLUMNS:
            self.columns[QUANTILE_COLUMNS[q]] = latency_s

    def damaged(self, note: str) -> None:
        """Add a note that something is missing because the file is damaged."""
        self.notes.append(note)
        self.lost.append(note)

    def figure(
        self, metric: str, statistic: str, value: float, *, unit: str = "", printed: str = ""
    ) -> None:
        """Add a printed figure that has no column of its own."""
        self.figures.append(Figure(metric, statistic, value, unit, printed or None))


@dataclass
class RequestBatch:
    """Some requests of a file, in file order: one array element per request.

    Strings are codes into a list of distinct values, so that no row costs a
    Python object; code -1 is 'none'. Arrays that a format lacks are None.

    Attributes:
        latency_ns: int64, nanoseconds.
        started_ns: int64, nanoseconds since 1970 UTC.
        started_step_ns: Step of that clock; above 1 ms no duration is computed from it.
        started_relative: Whether `started_ns` counts from the start of the run instead.
        status: int32; 0 is no response.
        rejected: bool, whether the tool counts an answer as a failure whatever its status, as
            where an assertion about its body does not hold.
        attack: int32 codes into `attacks`: rows of one attack are one run.
        repeats: int64, how many requests a row stands for; None for one each.
        notes: Remarks that something is missing because the file is damaged.
        remarks: Other remarks for the reader.
        left_out: How many of what in the file so far are no requests of the run: the last batch
            counts.
        announced: How many requests the file so far tells of in other rows than theirs, told at
            its end: with fewer or more rows it has lost some. None where it does not tell.
    """

    latency_ns: npt.NDArray[np.int64]
    started_ns: npt.NDArray[np.int64] | None = None
    status: npt.NDArray[np.int32] | None = None
    rejected: npt.NDArray[np.bool_] | None = None
    received_bytes: npt.NDArray[np.int64] | None = None
    sent_bytes: npt.NDArray[np.int64] | None = None
    seq: npt.NDArray[np.int64] | None = None
    connect_ns: npt.NDArray[np.int64] | None = None
    first_byte_ns: npt.NDArray[np.int64] | None = None
    attack: npt.NDArray[np.int32] | None = None
    error: npt.NDArray[np.int32] | None = None
    method: npt.NDArray[np.int32] | None = None
    url: npt.NDArray[np.int32] | None = None
    attacks: Sequence[str] = ()
    errors: Sequence[str] = ()
    methods: Sequence[str] = ()
    urls: Sequence[str] = ()
    notes: Sequence[str] = ()
    remarks: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    announced: int | None = None
    started_step_ns: int = 1
    started_relative: bool = False
    repeats: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.latency_ns)

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays that it has."""
        return tuple(name for name in ARRAYS if getattr(self, name) is not None)

    def expanded(self) -> Iterator[RequestBatch]:
        """Yield the same with one row per request, so many at a time."""
        import numpy as np

        if self.repeats is None:
            yield self
            return
        lasts = np.cumsum(self.repeats)
        total = int(lasts[-1]) if len(lasts) else 0
        for first in range(0, total, _EXPANDED):
            requests = np.arange(first, min(first + _EXPANDED, total))
            rows = np.searchsorted(lasts, requests, side="right")
            yield replace(self.where(rows), repeats=None)

    def where(self, rows: npt.NDArray[np.bool_ | np.intp] | slice) -> RequestBatch:
        """Return the rows that a mask, their numbers or a slice picks."""
        arrays = {name: getattr(self, name)[rows] for name in self.arrays}
        return replace(self, **arrays)

    def since(self, row: int) -> RequestBatch:
        """Return the rows from one on."""
        return self.where(slice(row, None))


def remarks_of(left_out: Mapping[str, int]) -> list[str]:
    """Return what was left out as remarks for the reader."""
    return [f"left out: {count:,} {what}" for what, count in left_out.items() if count]


#: The arrays of a batch, and what their elements are.
ARRAYS: Mapping[str, str] = {
    **dict.fromkeys(("latency_ns", "started_ns"), "int64"),
    "status": "int32",
    "rejected": "bool",
    **dict.fromkeys(("received_bytes", "sent_bytes", "seq"), "int64"),
    **dict.fromkeys(("connect_ns", "first_byte_ns"), "int64"),
    **dict.fromkeys(("attack", "error", "method", "url"), "int32"),
    "repeats": "int64",
}
#: The columns of `runs` that follow from each array of all batches of a run.
COLUMNS_OF_ARRAYS: Mapping[str, tuple[str, ...]] = {
    "latency_ns": (
        *("requests", "latency_min_s", "latency_mean_s", "latency_std_s"),
        *(*QUANTILE_COLUMNS.values(), "latency_max_s"),
    ),
    "started_ns": ("started_at", "duration_s", "wait_s", "throughput_rps", "goodput_rps"),
    "status": ("errors", "non2xx", "success_ratio", "throughput_rps", "goodput_rps"),
    "received_bytes": ("received_bytes", "body_bytes"),
    "sent_bytes": ("sent_bytes",),
    "seq": ("unrecorded",),
    "method": ("method",),
    "url": ("url", "method"),
}
_OF_ROWS = frozenset(column for columns in COLUMNS_OF_ARRAYS.values() for column in columns)
#: Requests at a time, where rows stand for several.
_EXPANDED = 2**20

#: A run, or the reason why what looks like one cannot be read.
RunOrError = RunRecord | InputError


def nearest_rank(quantile: float, n: int) -> int:
    """Return the rank, from 0, of a quantile among n sorted latencies."""
    # 0.99 * 100 must be rank 98: forgive the last bits of the product.
    return max(math.ceil(quantile * n - 1e-9 * n) - 1, 0)


@dataclass(frozen=True, kw_only=True)
class Parser:
    """What every parser declares.

    Attributes:
        name: `tool-format`, as `runs.format` shows it.
        tool: The load generator.
        reads: What it reads, for people, in a phrase.
        versions: Versions of the tool whose output it reads.
        fills: Columns of `runs` that are always filled.
        may_fill: Columns of `runs` that are filled where the output has them.
        when: Per column that may be filled or is constant, the version or option that gives it.
        detail: Rank among files that hold the same run; the highest wins.
        constants: Columns that follow from tool and format alone.
        rank: At which of n sorted latencies, from 0, the tool reads a quantile; None
            where it estimates.
        steps: Steps to which columns are printed, where their digits do not tell.
        step_s: The step to which a latency or duration in s is printed, where that follows
            from its size.
        folder: Of which name the folder is that the tool makes for it, in that of the run.
        lags: Whether the tool writes it from time to time, so that the end of a run may lack.
    """

    name: str
    tool: str
    reads: str
    versions: str
    fills: tuple[str, ...] = ()
    may_fill: tuple[str, ...] = ()
    when: Mapping[str, str] = field(default_factory=dict)
    detail: int = 0
    constants: Mapping[str, Any] = field(default_factory=dict)
    rank: Callable[[float, int], int] | None = nearest_rank
    steps: Mapping[str, float] = field(default_factory=dict)
    step_s: Callable[[float], float] | None = None
    folder: str = ""
    lags: bool = False

    def __post_init__(self) -> None:
        owner = f"parser {self.name}"
        require_several(owner, self, ("fills", "may_fill"))
        named = {name: getattr(self, name) for name in ("fills", "may_fill", "constants", "steps")}
        require_words(owner, named, RUNS.names)
        require_words(owner, {"when": self.when}, {*self.may_fill, *self.constants})
        for column in RUNS.columns:
            if column.values and column.name in self.constants:
                require_words(owner, {column.name: [self.constants[column.name]]}, column.values)


@dataclass(frozen=True, kw_only=True)
class RowsParser(Parser):
    """A file with a row per request.

    `rows` yields batches and raises InputError where it cannot go on; the rows
    before stay good.

    Attributes:
        parts: Cuts a file into at most so many parts, which cover all its rows in their order;
            fewer than two where it cannot be cut. None for a format that cannot.
        rows_of: Yields the batches of a part, which the parts before and after do not change; each
            need be good only until the next.
            Raises InseparableError where it sees that they do, as behind a cut that was a guess.
        answers_only: Whether requests without a response have no row: of errors and success
            nothing is known.
        codes: Whether `status` has codes of HTTP; else it tells outcomes only, 200 for what
            succeeded, and no code is listed.
        withholds: Columns that would follow from the rows, and mean something else in this format:
            `body_bytes` where `received_bytes` counts headers, `url` where `urls` are names.
        header: The columns of `runs` that the beginning of a file states, `source.head`, for every
            run in it: `tool_version`, `connections`, `offered_rate_rps`.
    """

    sniff: Callable[[Source], bool]
    rows: Callable[[Source], Iterator[RequestBatch]]
    parts: Callable[[Source, int], Sequence[Part]] | None = None
    rows_of: Callable[[Source, Part], Iterator[RequestBatch]] | None = None
    answers_only: bool = False
    codes: bool = True
    withholds: tuple[str, ...] = ()
    header: Callable[[Source], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = f"parser {self.name}"
        require_several(owner, self, ("withholds",))
        declared = {*self.fills, *self.may_fill, *self.withholds}
        if self.header is None and (others := declared - _OF_ROWS):
            raise DeclarationError(
                f"{owner}: {min(others)} follows from no rows (benchkit.parsing.COLUMNS_OF_ARRAYS "
                "has what does); where the file states it, give it in `header`"
            )
        if twice := {*self.withholds} & {*self.fills, *self.may_fill}:
            raise DeclarationError(f"{owner}: {min(twice)} is filled, and in `withholds`")

    @property
    def gives(self) -> frozenset[str]:
        """The columns that it fills from rows which have what they need."""
        lacking = {*self.withholds}
        if self.answers_only:
            lacking |= {"errors", "success_ratio"}
        if not self.codes:
            lacking |= {"non2xx"}
        return _OF_ROWS - lacking


@dataclass(frozen=True, kw_only=True)
class FileParser(Parser):
    """A file that is one output from end to end, with a summary."""

    sniff: Callable[[Source], bool]
    parse: Callable[[Source], Iterator[RunOrError]]


@dataclass(frozen=True, kw_only=True)
class JsonParser(Parser):
    """A JSON object; `matches` looks at its keys, `parse` raises InputError.

    Attributes:
        markers: An object without any of these keys is none of its outputs, and `matches` is not
            asked; where there are none it is asked of each.
        keys: Keys of an output that hardly another JSON has; three of them in
            JSON that breaks off, or lacks what is needed, tell that it was one.
        begins: The pattern of a beginning that hardly another JSON has, for an output that
            breaks off before three of its keys; "" for none.
        needs: Paths such as `latency.average` that `matches` asks for: which of them an object
            lacks is told where it does not match, but has most of them.
        parse_all: Where a run prints its result again and again while it lasts: yields the runs
            of all objects in one text, each with the number of its last object.
    """

    matches: Callable[[Mapping[str, Any]], bool]
    parse: Callable[[Mapping[str, Any]], RunRecord]
    markers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    begins: str = ""
    needs: tuple[str, ...] = ()
    parse_all: Callable[[Sequence[Mapping[str, Any]]], Iterator[tuple[int, RunOrError]]] | None = (
        None
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require_several(f"parser {self.name}", self, ("markers",))


@dataclass(frozen=True, kw_only=True)
class TextParser(Parser):
    """Printed text; `scan` finds every output of the tool in a text.

    Attributes:
        markers: A text without any of these strings has none.
        scan: Yields runs with `lines` set, and an InputError whose `where.line`
            (from 1) is set for what begins like an output and cannot be read.
    """

    markers: tuple[str, ...]
    scan: Callable[[Text], Iterator[RunOrError]]

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = f"parser {self.name}"
        require_several(owner, self, ("markers",))
        if not all(self.markers) or not self.markers:
            raise DeclarationError(
                f"{owner}: markers are words of which each of its outputs has one, not "
                f"{self.markers}"
            )


@dataclass(frozen=True)
class Unread:
    r"""A load generator whose outputs are known by sight, and not read.

    Attributes:
        tool: Its name.
        marks: Patterns of what stands in the first bytes of its outputs, each beginning with what
            is quick to find; each line begins behind `\n`, the first as well.
    """

    tool: str
    marks: tuple[bytes, ...]

    def wrote(self, head: bytes) -> bool:
        """Whether a file seems to be its output."""
        lines = b"\n" + head
        return any(pattern.search(lines) for pattern in self._patterns)

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[bytes], ...]:
        return tuple(map(re.compile, self.marks))
