"""A check for a terminal, for Markdown, and for the summary of a step in a pipeline."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from benchkit.gates.ruling import Gate
from benchkit.report.gates import HEADINGS, NUMBERS, GateTable, gate_table
from benchkit.report.markdown import escaped, table
from benchkit.report.terminal import text_of
from benchkit.validity import text

_PROSE: Final = 100
_GAP: Final = 2


def render(gate: Gate, *, width: int, colour: bool = False) -> str:
    """Return the findings, the table of the rules and the verdict, within `width` columns."""
    shown = gate_table(gate)
    parts = [text.table(gate.examination, width=width)]
    if shown.ignored:
        parts.append("".join(f"{line}\n" for line in _wrapped(shown.ignored, width)))
    if shown.rows:
        parts.append(_table(shown, width, colour=colour))
    closing = (*shown.notes, f"{shown.verdict}: {shown.sentence}")
    parts.append("".join(f"{line}\n" for line in _wrapped(closing, width)))
    return "\n".join(parts)


def markdown(gate: Gate, *, title: str = "") -> str:
    """Return the same as Markdown, the verdict first."""
    shown = gate_table(gate)
    parts = [
        f"# {escaped(title)}" if title else "",
        f"**{shown.verdict}.** {escaped(_capital(shown.sentence))}",
        gate_markdown(shown),
        text.markdown(gate.examination).strip(),
        "\n".join(f"- {escaped(line)}" for line in shown.ignored),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def gate_markdown(shown: GateTable) -> str:
    """Return the table of the rules and what explains it as Markdown."""
    rows = [[*map(escaped, row.cells[:-1]), f"{row.mark} {row.outcome}"] for row in shown.rows]
    parts = [
        table(HEADINGS, rows, right=NUMBERS) if rows else "",
        "\n".join(f"- {escaped(note)}" for note in shown.notes),
    ]
    return "\n\n".join(part for part in parts if part)


def shortened(document: str, most: int) -> str:
    """Return a document of at most so many bytes in UTF-8, cut between lines with a note."""
    if len(document.encode()) <= most:
        return document
    note = "\n*Cut here: a summary has room for no more.*\n"
    room = most - len(note.encode())
    if room < 0:
        return ""
    kept = document.encode()[:room].decode(errors="ignore")
    return f"{kept[: kept.rfind(chr(10)) + 1]}{note}"


def _capital(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _wrapped(lines: tuple[str, ...], width: int) -> Iterator[str]:
    for line in lines:
        yield from textwrap.wrap(
            line, max(min(width, _PROSE), 40), subsequent_indent="  ", break_on_hyphens=False
        )


def _table(shown: GateTable, width: int, *, colour: bool) -> str:
    from rich.table import Table
    from rich.text import Text

    printed = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold")
    for number, heading in enumerate(HEADINGS):
        printed.add_column(
            heading,
            justify="right" if number in NUMBERS else "left",
            overflow="fold",
            no_wrap=number == len(HEADINGS) - 1,
            min_width=max((len(row.outcome) for row in shown.rows), default=0)
            if number == len(HEADINGS) - 1
            else None,
        )
    alone = len({row.scenario for row in shown.rows}) == 1
    for row in shown.rows:
        style = "bold" if row.outcome in {"failed", "missing"} else ""
        cells = list(row.cells)
        if alone and row.variant:  # the heading of the findings has the scenario
            cells[1] = row.variant
        printed.add_row(*(Text(cell, style=style) for cell in cells))
    return text_of([[printed]], width - _GAP, colour=colour)  # the last column is padded too


def without_commands(document: str) -> str:
    """Return text of which no line is a command to a pipeline that reads its log.

    Source: GitHub's runner, `ActionCommand.TryParseV2`: a line that begins, blanks aside, with
    `::`, and in the older form one with `##[` anywhere.
    """
    lines = document.split("\n")
    return "\n".join(_harmless(line) for line in lines)


def _harmless(line: str) -> str:
    line = line.replace("##[", "## [")
    begin = line.lstrip()
    if begin.startswith("::"):
        return f"{line[: len(line) - len(begin)]}: :{begin[2:]}"
    return line
