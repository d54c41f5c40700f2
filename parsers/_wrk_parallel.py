"""Reports of runs that went on at the same time, printed into one another.

All heads come first, then one table after the other in the order in which the runs
ended: nothing tells which head belongs to which table. What all heads say alike is
true of every run; the rest is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit.parsers._wrk_lines import ReportLine, Token, WrkBlock
from benchkit.text import Text

_MOST: Final = 64  # runs that anybody starts at the same time


def apart(text: Text, blocks: Sequence[WrkBlock]) -> list[WrkBlock]:
    """Return reports in order, those printed at once without what may be another's."""
    reports: list[WrkBlock] = []
    at = 0
    while at < len(blocks):
        heads, tables = _group(text, blocks[at : at + 2 * _MOST])
        if heads and len(tables) > 1:
            common = _common([*heads, WrkBlock(_head(tables[0]))])
            starts = [heads[0].span[0], *(table.span[0] for table in tables[1:])]
            reports += [
                WrkBlock([*common, *_table(table)], batch_size=len(heads) + 1, first=start)
                for table, start in zip(tables, starts, strict=True)
            ]
            at += len(heads) + len(tables)
        else:
            reports.append(blocks[at])
            at += 1
    return reports


def _group(text: Text, blocks: Sequence[WrkBlock]) -> tuple[list[WrkBlock], list[WrkBlock]]:
    """Return the heads without a table that stand first, and the tables next to them."""
    heads: list[WrkBlock] = []
    while len(heads) + 1 < min(len(blocks), _MOST) and not _table(blocks[len(heads)]):
        if not _adjacent(text, blocks[len(heads)], blocks[len(heads) + 1]):
            break
        heads.append(blocks[len(heads)])
    tables = list(blocks[len(heads) : len(heads) + 1])
    for block in blocks[len(heads) + 1 : 2 * len(heads) + 1]:
        if _head(block) or not _adjacent(text, tables[-1], block):
            break
        tables.append(block)
    return heads, tables


def _adjacent(text: Text, above: WrkBlock, below: WrkBlock) -> bool:
    return not any(line.strip() for line in text.lines[above.span[1] + 1 : below.span[0]])


def _head(block: WrkBlock) -> list[ReportLine]:
    return [line for line in block.lines if line.kind <= Token.CALIBRATION]


def _table(block: WrkBlock) -> list[ReportLine]:
    return [line for line in block.lines if line.kind > Token.CALIBRATION]


def _common(heads: Sequence[WrkBlock]) -> list[ReportLine]:
    """Return the lines that stand in every head."""
    alike = set.intersection(*({line.match[0] for line in head.lines} for head in heads))
    return [line for line in heads[0].lines if line.match[0] in alike]
