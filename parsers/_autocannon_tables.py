"""Finds autocannon's tables in a text: borderless, drawn, or Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from benchkit.errors import InputError, Where
from benchkit.text import Text
from benchkit.text.tables import cells as drawn_cells

#: Box characters whose UTF-8 was taken for code page 850, 437 or 1252.
_MANGLED_BAR: Final = re.compile("Ôöé|Γöé|â”\u201a")
_MANGLED: Final = re.compile("(?:Ôö|Γö|â”).")
_BAR: Final = re.compile(r"[|│┃║]")
_WORD: Final = re.compile(r"[^\W_]")
_PERCENT: Final = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,3})?) ?%")
_CELL: Final = re.compile(r"\S+(?: (?:[mnuµμ]?s|[kMGTP]?B)(?=\s|$))?")
_LABEL: Final = re.compile(
    r"(latency(?: ?\((?:[mnuµμ]?s)\))?|req/sec|bytes/sec)(?=\s|$)", re.IGNORECASE
)
#: A column of wrk's, whose figures people put into tables of their own.
_OF_WRK: Final = re.compile(r"(?:\+/-|±) ?stdev")
_STATISTICS: Final = frozenset({"avg", "stdev", "min", "max"})

TableKind = Literal["stat", "codes", "percentiles"]


@dataclass
class StatRow:
    """One row: its line from 0, its label, and its cells by column."""

    line: int
    label: str
    cells: dict[str, str]


@dataclass
class StatTable:
    """One table; lines count from 0.

    Attributes:
        kind: `stat` for Latency, Req/Sec and Bytes/Sec; `codes` for status codes;
            `percentiles` for the long list of latencies.
        rows: By label in lower case without a unit; for the other two kinds the
            label is the code or the percentage, and there is one column, ``.
    """

    kind: TableKind
    first: int
    last: int
    rows: list[StatRow] = field(default_factory=list)

    def row(self, label: str) -> StatRow | None:
        """Return the row whose label begins with `label`."""
        return next((row for row in self.rows if row.label.lower().startswith(label)), None)


def tables(text: Text) -> Iterator[StatTable | InputError]:
    """Yield autocannon's tables, and an error for each that cannot be read.

    A table is known by its own words: `Stat` above the labels, and Latency,
    Req/Sec or Bytes/Sec below. One with the same columns under other words was
    typed by somebody, and gives one error for the text.
    """
    number, retyped = 0, False
    while number < len(text):
        line = text.bare[number]
        if not line or ("%" not in line and not _OTHER_HEADS.search(line)):
            number += 1
            continue
        header = _split(line)
        kind = _kind(header)
        if kind is None:
            if not retyped and {"2.5%", "97.5%"} <= set(header) and _BAR.search(line):
                retyped = True
                yield _not_its_own(header, number)
            number += 1
            continue
        columns = _columns(header) if kind == "stat" else []
        table = _read(text, StatTable(kind, number, number), columns)
        yield table
        number = table.last + 1 if isinstance(table, StatTable) else number + 1


_OTHER_HEADS: Final = re.compile(r"\bStat\b|\bCode\b|\bPercentile\b", re.IGNORECASE)


def _read(text: Text, table: StatTable, columns: list[str | None]) -> StatTable | InputError:
    start, gap = table.first, 0
    for number in range(start + 1, len(text)):
        line = text.bare[number]
        if not _WORD.search(_MANGLED.sub("", line)):
            gap = 0 if line else gap + 1
            if gap > 1:
                break
            continue
        row = _row(line, number, columns)
        if isinstance(row, InputError):
            return row
        if row is None:
            break
        table.rows.append(row)
        table.last, gap = number, 0
    if not table.rows:
        if not columns:
            return table
        expected = "a row 'Latency' or 'Req/Sec' below autocannon's heading"
        return InputError(expected, where=Where(line=start + 1), hint="the table seems cut off")
    return _with_frame(text, table)


def _row(line: str, number: int, columns: list[str | None]) -> StatRow | InputError | None:
    parts = _split(line)
    if not columns:
        pair = [part.removesuffix("%").strip() for part in parts]
        fits = len(pair) == 2 and all(re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", p) for p in pair)
        return StatRow(number, pair[0], {"": pair[1]}) if fits else None
    at = columns.index("")
    label = parts[at] if at < len(parts) else ""
    if not _LABEL.fullmatch(label):
        return None
    if len(parts) != len(columns):
        return InputError(
            f"{len(columns) - 1} figures in the row '{label}'",
            actual=str(len(parts) - 1),
            where=Where(line=number + 1),
            hint="the line seems cut off",
        )
    named = zip(columns, parts, strict=True)
    return StatRow(number, label, {column: part for column, part in named if column})


def _split(line: str) -> list[str]:
    """Return the cells of a line, whether something separates them or not."""
    if line.startswith("?"):  # a box character that an encoding had no room for
        line = line.replace("?", "│")
    line = _MANGLED_BAR.sub("│", line)
    if _BAR.search(line):
        return drawn_cells(line)
    label = _LABEL.match(line)
    if label:
        return [label[1], *_CELL.findall(line[label.end() :])]
    return re.split(r"\s+(?!\()", line.strip())


def _kind(header: Sequence[str]) -> TableKind | None:
    names = [name.lower() for name in header]
    if names == ["code", "count"]:
        return "codes"
    if names == ["percentile", "latency (ms)"]:
        return "percentiles"
    if any(_OF_WRK.fullmatch(name) for name in names):
        return None
    columns = _columns(header)
    known = [name for name in columns if name]
    return "stat" if "" in columns and "avg" in known and len(known) >= 3 else None


def _columns(header: Sequence[str]) -> list[str | None]:
    """Return the columns: a statistic, a percentage, '' for the labels, None for others."""
    if "" in header[:1] and any(_PERCENT.fullmatch(name) for name in header):
        return ["", *(_column(name) for name in header[1:])]
    return [_column(name) for name in header]


def _column(name: str) -> str | None:
    lower = name.lower()
    if lower == "stat":
        return ""
    percent = _PERCENT.fullmatch(lower)
    if percent:
        return percent[1]
    return lower if lower in _STATISTICS else None


def _with_frame(text: Text, table: StatTable) -> StatTable:
    """Let a table begin and end with its frame."""
    if table.first and _is_edge(text.bare[table.first - 1]):
        table.first -= 1
    if table.last + 1 < len(text) and _is_edge(text.bare[table.last + 1]):
        table.last += 1
    return table


def _is_edge(line: str) -> bool:
    return bool(re.search("[─━+┌└╔╚]", line) or _MANGLED.search(line)) and not _WORD.search(
        _MANGLED.sub("", line)
    )


def _not_its_own(header: Sequence[str], number: int) -> InputError:
    return InputError(
        "autocannon's own table, with 'Stat' and 'Avg' in its heading",
        actual=" | ".join(header),
        where=Where(line=number + 1),
        hint="a table typed anew is not read; keep autocannon's output or its -j result",
    )
