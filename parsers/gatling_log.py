r"""Gatling's `simulation.log` as text, up to 3.12: lines of RUN, USER, REQUEST, GROUP, ERROR.

    REQUEST <groups> <name> <start> <end> <OK or KO> <message>

between tabs; from 3.0 to 3.3 with the number of the user before the groups, in 2.2 and 2.3 with
that of the scenario before it, and more behind the message. Before 2.2 a line begins with the
scenario. Where there is no message a blank stands for it: an editor that strips lines takes it
away with the tab before it.

Source: Gatling 2.0.3 to 3.12.0 `core/stats/writer/LogFileDataWriter.scala`, `FileDataWriter.scala`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.errors import InputError, Where
from benchkit.parsing import RequestBatch, RowsParser, Source

from ._gatling_rows import OK, ROWS, status_of
from ._rows_columns import MS, CodedText, Converted, Number, RowField
from ._rows_csv import DelimitedRows
from ._rows_windows import head_of, utf8

if TYPE_CHECKING:
    from ._rows_columns import Arrays
    from ._texts import TextCodes

_RUN: Final = re.compile(
    rb"^RUN\t[^\t\n]++\t[^\t\n]*+\t(?:[^\t\n]*+\t)?[0-9]{13}\t[^\t\n]*+\t[0-9][^\t\n]*+\r?$",
    re.MULTILINE,
)
_ASSERTION: Final = re.compile(rb"ASSERTION\t[A-Za-z0-9+/]++={0,2}\r?$", re.MULTILINE)
_OLD: Final = re.compile(rb"^[\w.$]++\t[^\t\n]++\tRUN\t[0-9]{13}\t", re.MULTILINE)
#: A request without a message, and without the blank that stands for one.
_STRIPPED: Final = re.compile(rb"^REQUEST\t[^\n]*+(?<=\tOK)\r?$", re.MULTILINE)
_REQUEST: Final = ("groups", "name", "start", "end", "status", "message")
_FORMS: Final = (
    ("REQUEST", *_REQUEST),
    ("REQUEST", "user", *_REQUEST),
    *(
        ("REQUEST", "scenario", "user", *_REQUEST, *(f"more {at}" for at in range(more)))
        for more in range(12)
    ),
)

#: So much is looked at at once for a further run, and so much of it again: a line may be cut.
_PIECE: Final = 2**20
_OVERLAP: Final = 4


def _outcome(text: str) -> int | None:
    return {"OK": 1, "KO": 0}.get(text)


def _finish(arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:
    """Return starts and latencies, and what stands for a status."""
    end = arrays.pop("end_ns")
    good = arrays.pop("ok") == 1
    meant = [status_of(text) for text in names["error"].texts]
    error = arrays.get("error", np.full(len(end), -1, np.int32))
    arrays["status"] = np.where(good, OK, np.array([*meant, status_of("")])[error])
    arrays["error"] = np.where(good, -1, error).astype(np.int32)
    arrays["latency_ns"] = end - arrays["started_ns"]
    return arrays


TABLE: Final = DelimitedRows(
    columns=(
        RowField("started_ns", "start", Number(MS)),
        RowField("end_ns", "end", Number(MS)),
        RowField("ok", "status", Converted(_outcome, "OK or KO")),
        RowField("error", "message", CodedText(), absent=-1),
        RowField("url", "name", CodedText(), absent=-1),
    ),
    delimiters="\t",
    quote="",
    headless=_FORMS,
    begins=b"REQUEST\t",
    finish=_finish,
)
#: The same without messages.
STRIPPED: Final = replace(
    TABLE,
    headless=[names[:-1] for names in (*_FORMS[:2], ("REQUEST", "scenario", "user", *_REQUEST))],
)


def sniff(source: Source) -> bool:
    """Whether the line of a run stands in the first bytes, below those of assertions."""
    head = head_of(source)
    if not head.startswith((b"ASSERTION\t", b"RUN\t")):
        return _OLD.match(head) is not None
    return bool(_RUN.search(head) or _ASSERTION.match(head))


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the requests in file order, that in which they ended.

    Raises:
        InputError: a line is broken, all before it have been yielded; no request; before 2.2.
    """
    head = head_of(source)
    if _OLD.match(head):
        raise InputError(
            "a simulation.log of Gatling 2.2 on",
            actual="one of an older version",
            where=Where(line=1),
            hint="use js/global_stats.json or js/stats.json of its report",
        )
    if _has_further_run(source):
        raise InputError(
            "the log of one run",
            actual="a second line RUN",
            hint="split the file there: each log is a run of its own",
        )
    table = STRIPPED if _STRIPPED.search(head) else TABLE
    yield from table.batches(source)


def _has_further_run(source: Source) -> bool:
    """Whether a line RUN stands below another one, wherever."""
    read, at, count = utf8(source), 0, 0
    while data := read(at, _PIECE):
        count += data.count(b"\nRUN\t") + (not at and data.startswith(b"RUN\t"))
        at += max(len(data) - _OVERLAP, 1) if len(data) == _PIECE else len(data)
    return count > 1


PARSERS: Final = (
    RowsParser(
        name="gatling-log",
        reads="simulation.log as text",
        versions="2.2 to 3.12",
        sniff=sniff,
        rows=rows,
        **ROWS,
    ),
)
