"""siege's log: a line per run, to which every run adds one.

The columns are the local time at the end of the run, transactions, seconds, MB (whole), mean
latency, transactions a second, MB a second, concurrency, successful and failed transactions. Runs
of -m have their mark on a line above them. Where a clock did not tick a figure is `inf` or `nan`.
The MB a second are of the whole MB and the seconds beside them, and add nothing.

Source: JoeDog/siege 3.1.4, 4.0.7 and 4.1.7 `src/log.c` (create_logfile, write_to_log,
mark_log_file).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import FileParser, RunOrError, RunRecord, Source
from benchkit.text import decode

from . import _siege

_HEADER: Final = re.compile(
    r"\s*+Date & Time,\s++Trans,\s++Elap Time,\s++Data Trans,\s++Resp Time,\s++Trans Rate,"
)
_MARK: Final = re.compile(r"\*{4} (.*) \*{4}\s*+")
_FIGURE: Final = r",\s*+((?:[0-9]{1,18}(?:\.[0-9]{1,9})?|-?(?:inf|nan)))"
_ROW: Final = re.compile(
    r"\s*+([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})" + 9 * _FIGURE + r"\s*+"
)
_NAMES: Final = (
    *("transactions", "elapsed_time", "data_transferred", "response_time", "transaction_rate"),
    *("throughput", "concurrency", "successful_transactions", "failed_transactions"),
)
#: Of the whole megabytes and the time beside it, from which it follows.
_DERIVED: Final = "throughput"


def sniff(source: Source) -> bool:
    """Whether a file begins with the header, or with a run, as a log that was rotated does."""
    first = source.head_text.split("\n", 1)[0]
    return bool(_HEADER.match(first) or _ROW.fullmatch(first))


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield a run per line, or the error of one."""
    mark = None
    for number, line in enumerate((decode(source.data) or "").split("\n"), start=1):
        marked, row = _MARK.fullmatch(line), _ROW.fullmatch(line)
        if marked is not None:
            mark = marked[1].strip()
        elif row is not None:
            record = _run(row)
            record.name, mark = mark or None, None
            record.lines = (number - 1, number - 1)
            yield record
        elif line.strip() and not _HEADER.match(line.lstrip("\ufeff")):
            yield InputError(
                "a row of date, time and nine figures",
                actual=line,
                where=Where(line=number),
                hint="the log is cut off here or was edited",
            )


def _run(row: re.Match[str]) -> RunRecord:
    record = RunRecord()
    printed = dict(zip(_NAMES, row.groups()[1:], strict=True))
    known = {
        name: text
        for name, text in printed.items()
        if name != _DERIVED and text.lstrip("-") not in {"inf", "nan"}
    }
    figures = {
        name: units.scaled(text, "1048576" if name == "data_transferred" else "1")
        for name, text in known.items()
    }
    _siege.add(record, figures, known)
    return record


PARSERS: Final = (
    FileParser(
        name="siege-log",
        tool=_siege.TOOL,
        reads="the log of -l: a line per run, the marks of -m as their names",
        versions="3.1 to 4.1",
        may_fill=tuple(
            column for column in _siege.MAY_FILL if column not in {"latency_min_s", "latency_max_s"}
        ),
        when={
            name: why
            for name, why in _siege.WHEN.items()
            if name not in {"latency_min_s", "latency_max_s"}
        },
        constants=_siege.CONSTANTS,
        sniff=sniff,
        parse=parse,
    ),
)
