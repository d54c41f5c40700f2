"""Puts heads, tables and lines together: which of them are one run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.text import Text

from . import _autocannon_lines as lines
from . import _autocannon_tables as tables

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+\S")
_HEAD_REACH: Final = 80  # lines between a head and its table: a progress bar, JSON, warnings
_PART_REACH: Final = 20  # lines between the tables of one run
_TAIL_REACH: Final = 12  # lines between a table and a line of the summary

Event = lines.Head | lines.Tail | tables.StatTable | InputError


@dataclass
class Printout:
    """What belongs to one run; lines count from 0."""

    first: int
    last: int
    head: lines.Head | None = None
    shared: int = 0
    latency: tables.StatRow | None = None
    rates: tables.StatRow | None = None
    octets: tables.StatRow | None = None
    codes: tables.StatTable | None = None
    percentiles: tables.StatTable | None = None
    tails: dict[lines.TailName, re.Match[str]] = field(default_factory=dict)

    @property
    def has_table(self) -> bool:
        """Whether a Latency or Req/Sec row was seen."""
        return self.latency is not None or self.rates is not None or self.octets is not None

    def take(self, table: tables.StatTable) -> None:
        """Add a table's rows."""
        self.first, self.last = min(self.first, table.first), max(self.last, table.last)
        if table.kind == "codes":
            self.codes = table
        elif table.kind == "percentiles":
            self.percentiles = table
        else:
            self.latency = table.row("latency") or self.latency
            self.rates = table.row("req") or self.rates
            self.octets = table.row("bytes") or self.octets


def printouts(text: Text) -> Iterator[Printout | InputError]:
    """Yield the runs of a text, and an error for each that has no table."""
    events: list[Event] = [*lines.heads(text), *lines.tails(text), *tables.tables(text)]
    events.sort(key=_line)
    yield from _Assembly(text, rates_first=_rates_first(events)).run(events)


def _line(event: Event) -> int:
    if isinstance(event, InputError):
        return (event.where.line or 1) - 1 if event.where else 0
    return event.line if isinstance(event, lines.Tail) else event.first


def _rates_first(events: Sequence[Event]) -> bool:
    """Whether a page shows every Req/Sec table above its Latency table."""
    kinds: list[bool] = []
    for event in events:
        if isinstance(event, lines.Tail) and event.name == "summary":
            return False
        if isinstance(event, tables.StatTable) and event.kind == "stat":
            kinds.append(event.row("latency") is None)
    return bool(kinds) and kinds == [True, False] * (len(kinds) // 2)


class _Assembly:
    """Goes through a text once, from the first event to the last."""

    def __init__(self, text: Text, *, rates_first: bool) -> None:
        self.text = text
        self.rates_first = rates_first
        self.current: Printout | None = None
        self.heads: list[lines.Head] = []
        self.warmup: lines.Head | None = None
        self.served = 0
        self.refused = -_PART_REACH - 1

    def run(self, events: Sequence[Event]) -> Iterator[Printout | InputError]:
        for event in events:
            if isinstance(event, InputError):
                yield from self.close()
                self.heads, self.served = [], 0  # the error speaks for the run
                self.refused = _line(event)
                yield event
            elif isinstance(event, lines.Head):
                yield from self.announce(event)
            elif isinstance(event, lines.Tail):
                yield from self.add_tail(event)
            else:
                yield from self.add_table(event)
        yield from self.close()
        yield from self.forget()

    def close(self) -> Iterator[Printout]:
        if self.current is not None:
            yield self.current
        self.current = None

    def forget(self) -> Iterator[InputError]:
        """Report heads that no table followed."""
        left = self.heads[self.served :]
        self.heads, self.served = [], 0
        if left and left[0].connections is not None and not left[0].warmup:
            yield InputError(
                "autocannon's table below 'Running …'",
                actual="none",
                where=Where(line=left[0].first + 1),
                hint="the run was cut off or stopped; run it again",
            )

    def announce(self, head: lines.Head) -> Iterator[Printout | InputError]:
        yield from self.close()
        together = self.heads and not any(self.text.bare[self.heads[-1].last + 1 : head.first])
        if self.served or not together:
            yield from self.forget()
        if head.warmup:
            self.warmup = head
        elif not head.wrk:
            warmup, self.warmup = self.warmup, None
            near = warmup is not None and head.first - warmup.last <= _PART_REACH
            self.heads.append(replace(head, first=warmup.first) if warmup and near else head)

    def add_table(self, table: tables.StatTable) -> Iterator[Printout | InputError]:
        current = self.current
        if table.kind != "stat":
            if current is not None and "summary" not in current.tails and _near(current, table):
                current.take(table)
            return
        if current is not None and self.joins(current, table):
            current.take(table)
            return
        yield from self.close()
        if table.row("latency") is None and table.first - self.refused <= _PART_REACH:
            return  # the other half of what was refused
        if self.heads and not self.near_head(table.first):
            yield from self.forget()
        self.current = self.start(table.first, table.last)
        self.current.take(table)

    def joins(self, printout: Printout, table: tables.StatTable) -> bool:
        """Whether a table is the other half of an open run."""
        if not printout.has_table or printout.tails or not _near(printout, table):
            return False
        if printout.latency is not None:
            return printout.rates is None and table.row("latency") is None
        between = self.text.lines[printout.last + 1 : table.first]
        return (
            self.rates_first
            and table.row("req") is None
            and not any(_HEADING.match(line) for line in between)
        )

    def start(self, first: int, last: int) -> Printout:
        printout = Printout(first, last)
        if not self.heads:
            return printout
        if len(self.heads) == 1:
            printout.head = self.heads[0]
            printout.first = printout.head.first
        else:
            printout.head, printout.shared = _common(self.heads), len(self.heads)
        self.served += 1
        if self.served == len(self.heads):
            self.heads, self.served = [], 0
        return printout

    def add_tail(self, tail: lines.Tail) -> Iterator[Printout | InputError]:
        if self.current is None and self.heads and tail.name in {"statuses", "summary"}:
            if not self.near_head(tail.line):
                yield from self.forget()
                return
            self.current = self.start(self.heads[0].first, tail.line)  # --no-verbose
        if self.current is None or tail.line - self.current.last > _TAIL_REACH:
            return
        self.current.tails.setdefault(tail.name, tail.match)
        self.current.last = max(self.current.last, tail.line)

    def near_head(self, line: int) -> bool:
        """Whether nothing ends a section between the announcement and `line`."""
        last = self.heads[-1]
        if self.served:
            return True
        between = self.text.lines[last.last + 1 : line]
        marked = self.text.lines[last.first].lstrip().startswith("#")
        return len(between) <= _HEAD_REACH and not any(
            _FENCE.match(each) or (_HEADING.match(each) and not marked) for each in between
        )


def _near(printout: Printout, table: tables.StatTable) -> bool:
    return table.first - printout.last <= _PART_REACH


def _common(heads: Sequence[lines.Head]) -> lines.Head:
    """Return the common head of several runs that were started together."""
    unknown = {"asked": "", "url": "", "connections": None, "pipelining": None, "workers": None}
    differing: dict[str, Any] = {
        name: value
        for name, value in unknown.items()
        if len({getattr(head, name) for head in heads}) > 1
    }
    return replace(heads[0], last=heads[-1].last, **differing)
