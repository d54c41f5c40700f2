r"""Locust's console: its tables of requests, of percentiles, and of errors.

    [2026-11-22 20:16:50,121] vm/INFO/locust.main: Shutting down (exit code 1)
    Type     Name      # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s
    --------|----------|-------|------------|-------|-------|-------|-------|--------|-----------
    GET      /            518     0(0.00%) |      6       0     360      2 |   74.76        0.00
             Aggregated   705    37(5.25%) |      5       0     360      2 |  101.75        5.34

    Response time percentiles (approximated)

The first table is printed every two seconds; the last one, above the percentiles, is of the whole
run, and only its rates are. Averages and extremes are cut off to a millisecond.

Source: locust 0.13.5 to 2.47.0 `stats.py` (StatsEntry.to_string, get_stats_summary,
get_percentile_stats_summary, get_error_report_summary), `main.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text
from benchkit.text.pieces import Piece, stretches

from . import _locust

_START: Final = re.compile(r"/locust\.main: Starting Locust ([0-9][\w.]*+)")
_FIGURES: Final = (
    r"(?P<requests>[0-9]++)\s++(?P<failed>[0-9]++)\([0-9]++\.[0-9]{2}%\)\s*+\|?\s*+"
    r"(?P<mean>[0-9]++)\s++(?P<min>[0-9]++)\s++(?P<max>[0-9]++)\s*+\|?\s*+"
    r"(?P<median>[0-9]++)\s++(?:\|\s*+)?(?P<rate>[0-9]++\.[0-9]{2})\s++[0-9]++\.[0-9]{2}(?![0-9])"
)
_TOTAL: Final = re.compile(rf"(?<!\S)Aggregated\s++{_FIGURES}")
_NAME: Final = r"\S(?>(?:[^|\s]|\s(?!\s))*)"
_ROW: Final = re.compile(rf"\s*+(?P<name>{_NAME}(?:\s++{_NAME})??)\s++{_FIGURES}")
_HEAD: Final = "# fails"
#: The latter up to 1.1.
_HEADINGS: Final = (
    "Response time percentiles",
    "Percentage of the requests completed within given times",
)
_HEADER: Final = re.compile(r"Type\s++Name\s++((?:(?:[0-9.]++%|# reqs)\s*+){3,})$")
#: Lines of a table: the bars in them divide no columns of a page.
_TABLE: Final = re.compile(r"\([0-9]++\.[0-9]{2}%\)|# reqs|-{6}\|")
_PERCENTILES: Final = re.compile(r"(?<!\S)Aggregated((?:\s++[0-9]++){3,})\s*+$")
_ERRORS: Final = re.compile(r"occurrences\s++Error\s*+$")
_ERROR: Final = re.compile(r"([0-9]{1,18}+)\s++(\S.*+)$")
#: A line of a message that goes on.
_CONTINUED: Final = re.compile(r"\s*+[^-\s\[]")
_BAR: Final = re.compile(r"\|")
_REQUESTS: Final = "#reqs"
#: Longer than any row of a table.
_LONGEST: Final = 2000
#: So many lines around tables are cleaned with them.
_NEAR: Final = 200


@dataclass
class _Console:
    """What one run printed: matches of its lines, each with its number from 0."""

    first: int
    version: str | None = None
    total: tuple[int, re.Match[str]] | None = None
    endpoints: list[re.Match[str]] = field(default_factory=list)
    percentiles: dict[float, float] = field(default_factory=dict)
    headed: bool = False
    errors: dict[str, int] | None = None
    last: int = 0
    rows: list[re.Match[str]] = field(default_factory=list)
    is_open: bool = False

    def close(self, number: int, total: re.Match[str]) -> None:
        """Take in the last row of a table; those above it are its own where they add up."""
        added = sum(int(row["requests"]) for row in self.rows)
        rows = self.rows if added == int(total["requests"]) else []
        self.total, self.endpoints, self.last = (number, total), rows, number
        self.rows, self.is_open = [], False

    def takes(self, number: int, line: str) -> bool:
        """Whether a line is one of a table of requests, or stands above that of percentiles."""
        if "%)" in line and len(line) < _LONGEST and (row := _ROW.match(line)) is not None:
            self.rows.append(row)
        elif _HEAD in line:
            self.is_open = True
        elif any(heading in line for heading in _HEADINGS):
            self.headed, self.last = True, number
            if self.rows or self.is_open:  # the row that counts is not there
                self.total = None
        else:
            return False
        return True

    @property
    def requests(self) -> int:
        """Requests in its last table."""
        return 0 if self.total is None else int(self.total[1]["requests"])


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of a text, and a console without a table as an error."""
    if not any("Aggregated" in line or _START.search(line) for line in text.lines):
        return
    for console in _consoles([*_pieces(text)], text.lines):
        if console.total is None or not console.headed:
            yield InputError(
                "the last table of a run of Locust, above its percentiles",
                actual="only tables of the run so far" if console.total else "none that is whole",
                where=Where(line=max(console.first, console.last) + 1),
                hint="the run was killed, or printed something else (--json); use another output",
            )
        else:
            yield _run(console)


def _pieces(text: Text) -> Iterator[Piece]:
    """Yield the clean lines of a text in which the bars of tables divide nothing."""
    barred = [at for at, line in enumerate(text.lines) if "|" in line and _TABLE.search(line)]
    # A longer line is no part of a table, and costs as much again.
    long = {at for at, line in enumerate(text.lines) if len(line) > _LONGEST}.difference(barred)
    near = {
        line: stretch
        for stretch in stretches(barred, _NEAR, len(text.lines))
        for line in range(*stretch)
        if line not in long
    }
    shown = set[tuple[int, int]]()
    for piece in text.repaired:
        stretch = near.get(piece.number)
        if stretch is None:
            yield piece
        elif stretch not in shown:
            shown.add(stretch)
            lines = ["" if at in long else text.lines[at] for at in range(*stretch)]
            tables = Text.from_text("\n".join(_without_bars(lines))).repaired
            yield from (Piece(stretch[0] + number, line) for number, line in tables)


def _without_bars(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines without the bars of tables; two consoles side by side keep that between."""
    plain = [line.replace("|", " ") if _TABLE.search(line) else line for line in lines]
    between = _between_columns(lines)
    for line, bare in zip(lines, plain, strict=True):
        kept = between and line[between : between + 1] == "|"
        yield f"{bare[:between]}|{bare[between + 1 :]}" if kept else bare


def _between_columns(lines: Sequence[str]) -> int:
    """Return where most lines have a bar, not only those of tables; 0 if there is none."""
    bars = Counter(bar.start() for line in lines for bar in _BAR.finditer(line[:_LONGEST]))
    others = (line for line in lines if not _TABLE.search(line))
    beside = {bar.start() for line in others for bar in _BAR.finditer(line[:_LONGEST])}
    written = sum(bool(line.strip()) for line in lines)
    wanted = (at for at, count in bars.most_common(20) if at in beside and 5 * count > 4 * written)
    return next(wanted, 0)


def _consoles(pieces: Sequence[Piece], lines: Sequence[str]) -> Iterator[_Console]:
    """Yield the consoles of a text: each begins with Locust, or where counts are less again."""
    console = _Console(0)
    begun = False
    above = -1
    for at, (number, line) in enumerate(pieces):
        # Of a line of the file that was taken apart only the first piece is looked for in it.
        source, above = lines[number] if number != above else line, number
        started = _START.search(line)
        total = _TOTAL.search(line) if "Aggregated" in line else None
        fewer = console.headed and total is not None
        if started is not None or fewer:
            if begun:
                yield console
            version = started[1] if started else None
            console = _Console(number, version, rows=console.rows if fewer else [])
            begun = True
        if total is not None:
            begun = True
            console.close(number, total)
        elif console.takes(number, line):
            continue
        elif console.headed and (header := _HEADER.search(source) or _HEADER.search(line)):
            console.percentiles = _percentiles(_below(pieces, at), header[1], console)
        elif _ERRORS.search(line) and console.total is not None:
            console.errors = _errors(_below(pieces, at), console)
    if begun:
        yield console


def _below(pieces: Sequence[Piece], above: int) -> Iterator[Piece]:
    """Yield what stands below a heading, up to another."""
    below = (pieces[at] for at in range(above + 1, len(pieces)))
    headings = (_HEADER, _ERRORS)
    return takewhile(lambda piece: not any(h.search(piece.text) for h in headings), below)


def _percentiles(below: Iterable[Piece], columns: str, console: _Console) -> dict[float, float]:
    """Return the percentiles of all requests, in s, below a header."""
    names = columns.replace("# reqs", _REQUESTS).split()
    if _REQUESTS not in names:  # which may be taken for a remark behind the line
        names.append(_REQUESTS)
    for number, line in below:
        matched = _PERCENTILES.search(line)
        if matched is not None:
            cells = matched[1].split()
            console.last = number
            if len(cells) != len(names):
                return {}
            return {
                units.scaled(name.removesuffix("%"), "1e-2"): units.scaled(cell, "1e-3")
                for name, cell in zip(names, cells, strict=True)
                if name.endswith("%") and name != "100%"
            }
        if _START.search(line) or _TOTAL.search(line):
            break
    return {}


def _errors(below: Iterable[Piece], console: _Console) -> dict[str, int] | None:
    """Return the errors with their counts, None where they may go on below the text."""
    errors: dict[str, int] = {}
    for number, line in below:
        matched = _ERROR.match(line.strip())
        if matched is not None:
            console.last = number
            words = " ".join(matched[2].split())
            errors[words] = errors.get(words, 0) + int(matched[1])
        elif errors and not _CONTINUED.match(line):
            return errors
    return None


def _run(console: _Console) -> RunRecord:
    assert console.total is not None  # noqa: S101 - of what is asked for here
    number, total = console.total
    record = RunRecord(lines=(console.first, max(console.last, number)))
    if console.version is not None:
        record.columns["tool_version"] = console.version
    failed = int(total["failed"])
    if console.errors is not None:
        _locust.fill_failures(record, console.errors, failed)
    known = "errors" in record.columns
    answered = record.columns.get("errors", 0) < console.requests if known else None
    if _locust.fill_counts(record, console.requests, failed, answered=answered):
        _fill_latencies(record, total, console.percentiles)
        if sum((console.errors or {}).values()) == failed:
            _locust.fill_rates(record, units.number(total["rate"]))
    if console.requests and not console.percentiles:
        record.damaged("the table of percentiles is cut off")
    elif sum((console.errors or {}).values()) != failed:
        record.damaged("the table of errors is cut off")
    _add_endpoints(record, console.endpoints)
    return record


def _fill_latencies(
    record: RunRecord, total: re.Match[str], percentiles: Mapping[float, float]
) -> None:
    for column, group in zip(_locust.LATENCIES, ("min", "mean", "max"), strict=True):
        record.columns[column] = units.scaled(total[group], "1e-3")
    median = units.scaled(total["median"], "1e-3")
    record.figure("Med", "median", median, unit="s", printed=total["median"])
    for quantile, latency in percentiles.items():
        record.quantile(quantile, latency)


def _add_endpoints(record: RunRecord, rows: Sequence[re.Match[str]]) -> None:
    names = [" ".join(row["name"].split()).lstrip("\"'`") for row in rows]
    _locust.fill_method(record, {name.partition(" ")[0] for name in names})
    for name, row in zip(names, rows, strict=True):
        record.figure(name, "requests", int(row["requests"]), printed=row["requests"])
        record.figure(name, "failures", int(row["failed"]), printed=row["failed"])
        if int(row["requests"]) > int(row["failed"]):
            mean = units.scaled(row["mean"], "1e-3")
            record.figure(name, "mean", mean, unit="s", printed=row["mean"])


PARSERS: Final = (
    TextParser(
        name="locust-text",
        tool=_locust.TOOL,
        reads="the tables that are printed on the console",
        versions="0.13 on",
        fills=("requests",),
        may_fill=(
            *("errors", "timeouts", "non2xx", "method", "tool_version"),
            *_locust.RATES,
            *_locust.LATENCIES,
            *_locust.QUANTILES,
        ),
        when={
            "errors": "where the errors tell it",
            "timeouts": "where the errors tell it",
            "non2xx": "where the errors tell it",
        },
        constants=_locust.CONSTANTS,
        rank=_locust.rank,
        steps=_locust.STEPS,
        step_s=_locust.step_s,
        markers=("Aggregated", "locust.main: Starting Locust"),
        scan=scan,
    ),
)
