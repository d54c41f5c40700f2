"""Printed reports: where in a text one stands, and which of its lines it has.

A tool's grammar has the lines of its report (`_line`) in the order in which they are printed:

    RATE = Line("Requests/sec: ?{rate:rate}")
    REPORT = Grammar(RUNNING, SUMMARY, RATE, begins={RUNNING: [SUMMARY]}, head=RUNNING, end=RATE, …)

`REPORT.reports(text)` returns every report of a text, for a parser to ask for its lines:

    for report in REPORT.reports(text):
        report.fill(record, RATE, rate="throughput_rps")

It finds them whole, cut, or their end only; in parts with words between; run together into a
paragraph; several printed at the same time. What somebody made of the lines (prefixes, tables,
remarks, units apart) has been undone in `Text.repaired`: here and in parsers nothing is. A line
belongs to one report; where two grammars could have it, to the one that was asked first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise, takewhile
from typing import Final

from benchkit.errors import InputError, Where, printable
from benchkit.parsing import RunOrError, RunRecord
from benchkit.text import MOST_REPORTS, Text
from benchkit.text.pieces import Piece

from ._candidates import FENCES, WORD, Candidate, Candidates, LinePart, Vocabulary
from ._line import Line, ReportLine

_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s")
#: Words, or what stands for some that were left out.
_OMITTED: Final = re.compile(r"[^\W_]{2}|\.\.|…")
#: A word before a line, and what sets it apart.
_NAME: Final = re.compile(r"(\w[\w.+/-]{1,40}+)\s?[:=\u2013-]?")
#: So many lines may stand between two parts of a report.
_BETWEEN: Final = 12
#: So near to the end of the text a report ends with it.
_REACH: Final = 8
#: Lines right below a report in which another tool's may go on.
_BESIDE: Final = 4
#: So much is a part of a report, of lines with words and rows without, which count less.
_ENOUGH_OF_IT, _WORDED = 3, 2
#: What adds to a run what a part of a report says; may raise InputError.
Fill = Callable[[RunRecord, "Report"], None]
#: First and last line of a text, from 0.
Lines = tuple[int, int]


@dataclass
class Report:
    """The lines of one report, in order.

    Attributes:
        pieces: The whole text; the report goes from piece `start` to piece `stop`.
        at_once: How many were printed at once; lines that tell them apart are missing.
        limit: The piece with which the next report begins, or the end.
        cut: The last line, where the text may end in its middle: not among `lines`.
        breaks_off: Whether the text ends where the tool would have printed more.
        gaps: The lines above which something stands that is none of the report.
    """

    lines: list[ReportLine]
    pieces: Sequence[Piece]
    start: int
    stop: int
    at_once: int = 1
    limit: int = 0
    cut: ReportLine | None = None
    breaks_off: bool = False
    gaps: set[Line] = field(default_factory=set)

    @property
    def loss(self) -> str | None:
        """What the end of the text took of the report, for a note."""
        if self.cut is not None:
            shown = printable(self.cut.text)
            return f"line {self.cut.number + 1} may be cut off and is left out: {shown}"
        last = self.span[1] + 1
        return f"the report breaks off below line {last}" if self.breaks_off else None

    @property
    def span(self) -> tuple[int, int]:
        """First and last line of the text, from 0."""
        return self.pieces[self.start].number, self.pieces[self.stop].number

    def get(self, line: Line) -> ReportLine | None:
        """Return the first of some line."""
        lines = self._by_line.get(line)
        return lines[0] if lines else None

    def all(self, line: Line) -> Sequence[ReportLine]:
        """Return all of some line."""
        return self._by_line.get(line, ())

    def has(self, *lines: Line) -> bool:
        """Whether some lines are all there."""
        return all(map(self._by_line.__contains__, lines))

    @cached_property
    def _by_line(self) -> dict[Line, list[ReportLine]]:
        lines: defaultdict[Line, list[ReportLine]] = defaultdict(list)
        for known in self.lines:
            lines[known.line].append(known)
        return dict(lines)

    def read(self, line: Line, slot: str, *, least: float = 0.0) -> float | None:
        """Return a figure of the first of some line in base units, None where there is none.

        Raises:
            InputError: it is no figure, or below `least`.
        """
        known = self.get(line)
        return None if known is None else known.read(slot, least=least)

    def fill(self, record: RunRecord, line: Line, **columns: str) -> None:
        """Put figures of the first of some line into columns, by slot; raises as `read` does."""
        if known := self.get(line):
            record.columns |= {column: known.read(slot) for slot, column in columns.items()}

    def run(self, *fills: Fill) -> RunOrError:
        """Return the run that functions make of the report in turn, or the error of one."""
        record = RunRecord(lines=self.span, name=self._name)
        try:
            for fill in fills:
                fill(record, self)
        except InputError as error:
            return error
        return record

    @property
    def _name(self) -> str | None:
        """The word before a report of one line, as in a list of them: `nginx Requests/sec: 1`."""
        before = self.pieces[self.start - 1] if self.start and len(self.lines) == 1 else None
        named = _NAME.fullmatch(before.text) if isinstance(before, LinePart) else None
        return named[1] if named else None

    def broken_off(
        self,
        expected: str,
        hint: str = "the report is cut off here; use the whole output",
        actual: str = "the end of the report",
    ) -> InputError:
        """Return the error of a report that ends before it says anything."""
        where = Where(line=self.span[1] + 1)
        return InputError(expected, actual=actual, where=where, hint=hint)

    def of_another(self, tool: str, others: re.Pattern[str], hint: str) -> InputError | None:
        """Return the error of a report that is only like a tool's, if some line is another's.

        Such lines, `others`, stand in the report, or directly above or below it.
        """
        near = [*range(self.start, self.stop + 1)]
        near += [self.start - 1] if self.start else []
        below = range(self.stop + 1, min(self.stop + 1 + _BESIDE, self.limit))
        near += takewhile(lambda at: self.pieces[at].text != "", below)
        foreign = next((at for at in near if others.match(self.pieces[at].text)), None)
        if foreign is None:
            return None
        number, line = self.pieces[foreign]
        where = Where(line=number + 1)
        return InputError(f"a report of {tool}", actual=line, where=where, hint=hint)

    def between(self, above: ReportLine, below: ReportLine | None = None) -> Iterator[Piece]:
        """Yield what stands below a line of it, above another or up to the next report."""
        stop = self.limit if below is None else below.at
        return (self.pieces[at] for at in range(above.at + 1, stop))

    def below(self) -> Iterator[Piece]:
        """Yield what stands below the last line, up to the next report or a fence."""
        rest = (self.pieces[at] for at in range(self.stop + 1, self.limit))
        return takewhile(lambda piece: not piece.text.startswith(FENCES), rest)

    def touches(self, other: Report) -> bool:
        """Whether only blank lines stand between this report and another below."""
        return not any(self.pieces[at].text for at in range(self.stop + 1, other.start))


@dataclass
class _Open:
    """A report that may go on, and what stands below its last line so far.

    Attributes:
        remark: Whether the last line explains rows, `# like this`, and is no heading.
    """

    report: Report
    kinds: set[Line]
    foreign: int = 0
    blank: int = 0
    blanks: int = 0
    fenced: bool = False
    divided: bool = False
    gap: bool = False
    remark: bool = False

    def add(self, line: ReportLine, at: int) -> None:
        line.at = at
        self.report.lines.append(line)
        self.report.stop = at
        if self.gap:
            self.report.gaps.add(line.line)
        self.kinds.add(line.line)
        self.foreign = self.blank = self.blanks = 0
        self.fenced = self.divided = self.gap = self.remark = False

    def is_doubled(self, piece: Piece, at: int) -> bool:
        """Whether a line is the last one once more: no second report begins with it."""
        report = self.report
        above = report.pieces[report.stop].text
        return len(report.lines) > 1 and at == report.stop + 1 and piece.text == above

    def pass_over(self, piece: Piece) -> None:
        self.gap = self.gap or _OMITTED.search(piece.text) is not None
        if piece.text.startswith(FENCES):
            self.fenced = True
        elif WORD.search(piece.text):
            self.foreign, self.blanks = self.foreign + 1, 0
        else:
            self.blanks += 1
            self.blank = max(self.blank, self.blanks)


def note_loss(record: RunRecord, report: Report) -> None:
    """Note what the end of the text took of a report."""
    if report.loss is not None:
        record.damaged(report.loss)


class Grammar:
    """The lines of a tool's report, in the order in which they are printed.

    Args:
        lines: The lines.
        begins: With what a report, or the rest of one, may begin, and what must then stand
            below, if anything; below the head both only in their strict form.
        head: The last of the lines that are printed before the results, if there are any.
        end: The line with which a report has its end, if there is one: with what stands below
            it the report is not put together again.
        closes: The lines below which nothing has to follow; with none no report breaks off.
        markers: Strings of which each report has one. A paragraph below other words is taken
            apart only where one stands, or the first word of a line with which a report begins.
        whole: The lines that make a report whole.
        marks: Lines whose figures together no other run has: where a report is not whole and
            they stand in a longer one, it is a part of that, shown again.
        divides: Pattern of lines below which something else begins, such as a command.
    """

    def __init__(
        self,
        *lines: Line,
        begins: Mapping[Line, Sequence[Line]],
        head: Line | None = None,
        end: Line | None = None,
        closes: Sequence[Line] = (),
        markers: Sequence[str],
        whole: Sequence[Line] = (),
        marks: Sequence[Line] = (),
        divides: str = "(?!)",
    ) -> None:
        self.begins, self.end, self.closes, self.markers = begins, end, closes, tuple(markers)
        self.whole, self.marks, self._divides = whole, marks, re.compile(divides)
        self._rank = {line: rank for rank, line in enumerate(lines)}
        self._head = -1 if head is None else self._rank[head]
        self._most_foreign = max(line.foreign for line in lines)
        self._most_blank = max(line.blank for line in lines)
        self._vocabulary = Vocabulary(lines, begins, self._head, markers)

    def reports(self, text: Text) -> Sequence[Report]:
        """Return every report of a text, whole or broken, in order; looked for only once."""
        return text.once(self._reports)

    def _reports(self, text: Text) -> Sequence[Report]:
        beginnings = self._vocabulary.beginnings(text)
        if not beginnings:
            return ()
        candidates = Candidates(self._vocabulary, text, beginnings)
        gathered = self._gathered(text, candidates)
        every = self._apart(list(islice(gathered, MOST_REPORTS)))
        reports = self._unquoted(every)
        if next(gathered, None) is not None:
            text.note_more(reports[-1].span[1])
        candidates.close()
        limit = len(candidates.pieces)
        for report in reversed(reports):
            if self._is_sure(report):
                own = report.pieces[report.start : report.stop + 1]
                # A blank line may stand on the same line of the file as that of a report beside.
                candidates.claim(piece for piece in own if piece.text)
            report.limit, limit = limit, report.start
            self._cut(report, text)
        text.reported.update(report.span for report in every)
        text.rests.extend(self._rests(text, candidates.listed, every))
        return reports

    def _rests(
        self, text: Text, listed: Sequence[Candidate], reports: Sequence[Report]
    ) -> Sequence[Lines]:
        """Return first and last line of each part of a report that is in none.

        There is a line with words among several, or at the top of the text, as several rows are:
        elsewhere a single one is quoted, and rows are anybody's.
        """
        own = {at for report in reports for at in range(report.start, report.stop + 1)}
        rests: list[Lines] = []
        first = last = -_BESIDE - 1
        weight, worded = 0, False
        top = next((number for number, line in enumerate(text.lines) if line.strip()), 0)
        for at, (piece, readings) in enumerate(listed):
            if not readings or at in own:
                continue
            line = next((each for each in readings if each.strict), None)
            if line is None or self._is_head(line):
                continue
            if piece.number > last + _BESIDE:
                first, weight, worded = piece.number, 0, False
            last = piece.number
            weight += _WORDED if line.form.has_word else 1
            worded = worded or line.form.has_word
            if sum((worded, weight >= _ENOUGH_OF_IT, first == top)) > 1:
                if rests and rests[-1][0] == first:
                    rests.pop()
                rests.append((first, last))
        return rests

    def _gathered(self, text: Text, candidates: Candidates) -> Iterator[Report]:
        """Yield the lines that stand together."""
        current: _Open | None = None
        at = -1
        while (at := candidates.after(at, goes_on=current is not None)) < len(candidates.listed):
            piece, readings = candidates.listed[at]
            if current is None and not readings:
                continue
            if not readings and not candidates.is_foreign(piece):
                if current is not None:
                    current.remark = self._is_remark(candidates, at, current, text)
                    current.pass_over(piece)
                    current.divided |= self._divides_at(text, piece, current)
                    if current.divided or self._is_over(current, at):
                        yield current.report
                        current = None
                continue
            if current is not None:
                if self._takes(candidates, at, current):
                    continue
                yield current.report
            current = None
            if line := next((c for c in readings if self._begins(candidates, at, c)), None):
                current = _Open(Report([], candidates.pieces, at, at), set())
                current.add(line, at)
        if current is not None:
            yield current.report

    def _takes(self, candidates: Candidates, at: int, current: _Open) -> bool:
        """Whether the open report goes on with a line, which it then has, or has it already."""
        piece, readings = candidates.listed[at]
        line = next((c for c in readings if self._goes_on(candidates, at, c, current)), None)
        if line is not None:
            current.add(line, at)
        return line is not None or current.is_doubled(piece, at)

    def _is_over(self, current: _Open, at: int) -> bool:
        """Whether no line goes on with the open report, whatever it is; see `_goes_on`."""
        if not current.foreign or at - current.report.stop <= _BETWEEN:
            return False
        return current.foreign > self._most_foreign or current.blank > self._most_blank

    def _goes_on(self, candidates: Candidates, at: int, line: ReportLine, current: _Open) -> bool:
        """Whether a line is the next of the open report, or belongs to what comes after it."""
        kind, last = line.line, current.report.lines[-1].line
        if kind in current.kinds and not kind.repeats:
            return False
        late = kind.late and kind not in current.kinds and not current.foreign
        in_order = self._rank[kind] >= self._rank[last]
        if not in_order and not late and not (kind.again and last.again):
            return False
        if current.divided:
            return False
        if not current.fenced and current.foreign <= kind.foreign and current.blank <= kind.blank:
            return True
        # What can stand for itself may stand below a fence, or words that explain it.
        waiting = not self._is_head(current.report.lines[-1]) and self.end not in current.kinds
        near = not current.foreign or (waiting and at - current.report.stop <= _BETWEEN + 1)
        return near and self._begins(candidates, at, line)

    def _begins(self, candidates: Candidates, at: int, line: ReportLine) -> bool:
        """Whether a line is one with which a report, or the rest of one, begins."""
        below = self.begins.get(line.line)
        sure = not self._is_head(line)
        if below is None or (sure and not line.strict):
            return False
        if not below:
            return True
        candidates.read_to(at + 3)
        after = next((c for piece, c in candidates.listed[at + 1 : at + 4] if piece.text), ())
        return any(c.line in below and (c.strict or not sure) for c in after)

    def _is_remark(self, candidates: Candidates, at: int, current: _Open, text: Text) -> bool:
        """Whether lines right between two rows explain them: a heading has blank ones around it."""
        is_comment = text.lines[candidates.pieces[at].number].startswith("# ")
        if not is_comment or current.remark:
            return is_comment
        if at != current.report.stop + 1:
            return False
        candidates.read_to(at + _BESIDE + 1)
        listed = candidates.listed[at : at + _BESIDE + 1]
        remarks = [*takewhile(lambda each: text.lines[each[0].number].startswith("# "), listed)]
        below = at + len(remarks)
        rows = listed[len(remarks)][1] if len(remarks) < len(listed) else ()
        return any(self._goes_on(candidates, below, row, current) for row in rows)

    def _divides_at(self, text: Text, piece: Piece, current: _Open) -> bool:
        """Whether a line is a heading or a command, below which another report begins."""
        if not piece.text or current.remark:
            return False
        line, report = text.lines[piece.number], current.report
        if _HEADING.match(line):  # of a line that may be the whole text only the begin
            above = text.lines[report.span[1]].lstrip()
            return not (above.startswith("#") or self._vocabulary.is_label(piece.text))
        return not self._is_head(report.lines[-1]) and bool(self._divides.match(piece.text))

    def _is_sure(self, report: Report) -> bool:
        """Whether a report is one for sure: not a head above what only resembles its lines."""
        below = [line.strict for line in report.lines if not self._is_head(line)]
        return not below or any(below)

    def _is_head(self, line: ReportLine) -> bool:
        return self._rank[line.line] <= self._head

    def _cut(self, report: Report, text: Text) -> None:
        """Put the last line aside where the text may end in the middle of it, or of the next.

        It does not where something stood behind that repair took away: a bar, a remark.
        """
        last, end = report.lines[-1], text.end_below(report.span[1])
        near = report.pieces[report.stop + 1 : report.stop + _REACH]
        below = [piece for piece in near if piece.number <= end]
        final = not below or (last.line is self.end and not any(p.text for p in below[:3]))
        final = final and text.ends_line(report.pieces[report.stop])
        if final and not last.is_ended and len(report.lines) > 1:
            report.cut = report.lines.pop()
        words = [piece for piece in below if WORD.search(piece.text)]
        ends = len(below) < _REACH - 1 and words in ([], below[-1:])
        closed = last.line in self.closes and not (words and self._may_follow(last, words[0].text))
        report.breaks_off = ends and bool(self.closes) and not closed

    def _may_follow(self, last: ReportLine, words: str) -> bool:
        """Whether the last words of a text may be the first of a line below the last one."""
        rank, begin = self._rank[last.line], words[:2]
        forms = (form for line, form in self._vocabulary.forms if self._rank[line] >= rank)
        if not begin[0].isalnum():
            return False
        return any(form.may_begin(begin) or form.opening.startswith(begin) for form in forms)

    def _apart(self, reports: Sequence[Report]) -> list[Report]:
        """Return the reports, those printed at once without what may be another's.

        All their heads come first, then one table after the other in the order in which the
        runs ended: nothing tells which head belongs to which.
        """
        touching = [above.touches(below) for above, below in pairwise(reports)] + [False]
        listed: list[Report] = []
        at = 0
        while at < len(reports):
            table = at
            while touching[table] and self._is_head(reports[table].lines[-1]):
                table += 1
            last = table
            while (
                touching[last]
                and last - table < table - at
                and not self._is_head(reports[last + 1].lines[0])
            ):
                last += 1
            if last > table:
                listed += self._at_once(reports[at:table], reports[table : last + 1])
            else:
                listed += reports[at : table + 1]
            at = last + 1
        return listed

    def _at_once(self, heads: Sequence[Report], tables: Sequence[Report]) -> Iterator[Report]:
        """Yield reports printed at once, each with the lines that are alike in all heads."""
        printed = [
            {line.text for line in report.lines if self._is_head(line)}
            for report in (*heads, tables[0])
        ]
        alike = set.intersection(*printed)
        common = [line for line in heads[0].lines if line.text in alike]
        for table in tables:
            start = heads[0].start if table is tables[0] else table.start
            results = [line for line in table.lines if not self._is_head(line)]
            yield replace(table, lines=[*common, *results], start=start, at_once=len(printed))

    def _unquoted(self, reports: Sequence[Report]) -> list[Report]:
        """Return the reports without parts of them that are shown again."""
        if len(reports) < 2:
            return list(reports)
        marks = [
            [line.figures for line in report.lines if line.line in self.marks] for report in reports
        ]
        sets = [frozenset(own) for own in marks]
        common = Counter(mark for own in marks for mark in own)
        longest: dict[Hashable, int] = {}
        for at, own in enumerate(marks):
            for mark in own:
                before = longest.setdefault(mark, at)
                if len(reports[at].lines) > len(reports[before].lines):
                    longest[mark] = at
        kept = []
        for at, (report, own) in enumerate(zip(reports, marks, strict=True)):
            other = longest[min(own, key=common.__getitem__)] if own else at
            whole = {line.line for line in report.lines}.issuperset(self.whole)
            if other == at or whole or not sets[at] <= sets[other]:
                kept.append(report)
        return kept
