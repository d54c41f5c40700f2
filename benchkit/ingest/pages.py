"""What surrounds a run in a page: title, headings, short lines, commands.

Works on Markdown, reStructuredText and plain notes alike; it knows nothing of
any load generator beyond where its runs and command lines stand.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Final

from benchkit import registry
from benchkit.ingest import fences
from benchkit.ingest.captions import LinesAbove, captions_of, fact_of, is_warm_up, subjects
from benchkit.ingest.commands import (
    CommandLine,
    comment_in_code,
    comment_of,
    find_commands,
    folder_of,
    server_of,
    typed,
)
from benchkit.ingest.headings import (
    BANNER_LEVEL,
    LONGEST,
    UNDERLINE,
    Heading,
    banner_at,
    caption_of,
    end_of,
    heading_at,
    is_tagged,
    level_of,
    may_be_heading,
    names_nothing,
    plain,
)
from benchkit.ingest.marked import cells
from benchkit.model.grouping import grouped
from benchkit.text import Section, Text

#: The begin of a fence that lost a backtick or two.
_TORN_FENCE: Final = re.compile(r"`{1,2}+\w{0,12}+")
_DIRECTIVE: Final = re.compile(r"\.\. [\w-]+::")
_FRONT_TITLE: Final = re.compile(r"^title\s*:\s*(.+)$", re.IGNORECASE)
_SKIPPED: Final = re.compile(r"^(?:!\[|\[!\[|<!--|<|\[[^\]]+\]:|\.\. |:\w+:|-{3,}$|\||$)")
_LOOK_ABOVE: Final = 8
#: Lines above one that may be cut off in which the rest of its report is looked for.
_FARTHEST_ABOVE: Final = 60
#: So many lines below the one before it a line may belong to the same report: one that is cut off,
#: and one that is whole.
_NEAR, _BETWEEN = 3, 12
#: A blank in the pattern of a line, and what stands for several texts.
_BLANK: Final = re.compile(r"\\s[*+]\+")
_META: Final = re.compile(r"(?<!\\)[(\[|?*+]|\\[A-Za-z]")
#: A shorter text is a name, although the first line of a run begins with it: C, R, Go.
_SHORTEST_CUT: Final = 3
_DIGITS: Final = re.compile(r"[0-9]++")
_NO_LETTER: Final = re.compile(r"[\W\d_]++")
#: So many sections are looked at for that in which a run stands.
_MOST_WITHIN: Final = 8
#: Of a rate that was asked for: more was asked of another command.
_FASTER: Final = 1.1


@dataclass
class Context:
    """What the page says about one run.

    Attributes:
        trail: The headings above it without the title.
        caption: The short line above it that tells most.
        above: The short line above that.
    """

    title: str | None = None
    trail: list[str] = field(default_factory=list)
    caption: str | None = None
    above: str | None = None
    command: CommandLine | None = None


@dataclass(frozen=True)
class Load:
    """What a run prints of its load.

    Attributes:
        sent_rps: Requests that it sent per second, which are no more than it was asked for.
    """

    tool: str
    url: str | None = None
    connections: int | None = None
    sent_rps: float | None = None

    def may_be_of(self, command: CommandLine) -> bool:
        """Whether the run may be that of a command."""
        url, asked = command.columns.get("url"), command.columns.get("connections")
        rate = command.columns.get("offered_rate_rps")
        if rate and self.sent_rps and self.sent_rps > _FASTER * rate:
            return False
        return (
            command.tool == self.tool
            and (
                not isinstance(url, str)
                or self.url is None
                or _bare_url(url) == _bare_url(self.url)
            )
            and (asked is None or self.connections is None or asked == self.connections)
        )


@dataclass
class Page:
    """A text seen as a page.

    Attributes:
        spans: First and last lines of the runs.
        unread: Last lines of others that cannot be read.
        loads: What each run prints of its load.
    """

    text: Text
    spans: Sequence[tuple[int, int]]
    unread: Sequence[int] = ()
    loads: Sequence[Load] = ()
    _only: dict[Load, CommandLine | None] = field(default_factory=dict)
    _alike: dict[int, bool] = field(default_factory=dict)

    @property
    def fenced(self) -> Sequence[bool]:
        """For each line, whether it stands in a code fence, the fence itself included.

        A fence may end behind the last line of a run or of what stands right below it, where people
        put it although Markdown does not take it for one there.
        """
        return self._fences[0]

    @cached_property
    def _fences(self) -> tuple[list[bool], set[int]]:
        """What is `fenced`, and the lines at whose begin a fence ends."""
        inside: str | None = None
        flags, ends, of_run = [], set(), False
        begins, outer = {each.first - 1 for each in self.text.sections}, list[str | None]()
        for number, line in enumerate(self.text.lines):
            matched = fences.match(line)
            if number in begins:
                outer.append(inside)
                inside = None
            elif number in self._borders:  # what was open above a section still is below it
                inside = outer.pop()
            of_run = number in self._taken or (of_run and line.strip() != "")
            flags.append(inside is not None or matched is not None)
            if inside is None:
                inside = fences.opening(line)
            elif matched and matched[1].startswith(inside):
                inside = None
                ends.add(number)
            elif not matched and of_run and line.rstrip().endswith(inside):
                inside = None
        return flags, ends

    @cached_property
    def headings(self) -> list[Heading]:
        """All headings outside runs, and outside fences but for banners."""
        headings: list[Heading] = []
        adornments: list[str] = []
        for number in range(self._front_matter[1], len(self.text)):
            if not may_be_heading(self.text.lines, number):
                continue
            if number in self._taken or number in self._left_over or self._is_remark(number):
                continue
            lines, fenced = self.text.lines, self.fenced[number]
            at = banner_at if fenced else heading_at
            heading = at(lines, number, adornments)
            if heading is not None and not self._is_ruled_line(heading):
                headings.append(end_of(headings, heading) or heading)
        # What has no blank behind its marks, and stands there again, is a tag or a comment.
        tags = Counter(each.text for each in headings if self._lacks_blank(each))
        return [each for each in headings if tags[each.text] < 2 or not self._lacks_blank(each)]

    def _lacks_blank(self, heading: Heading) -> bool:
        line = self.text.lines[heading.line]
        marked = line.lstrip().startswith("#") and not self.fenced[heading.line]
        return marked and level_of(line) is None

    @cached_property
    def _taken(self) -> frozenset[int]:
        """The lines of the runs."""
        return frozenset(n for first, last in self.spans for n in range(first, last + 1))

    @cached_property
    def _left_over(self) -> frozenset[int]:
        """Lines of reports that are in no run: what is left of one that was cut off.

        They read like lines of a report that a tool prints, and stand together; the last may be
        cut off itself, also right below a run. A single one may as well be a heading, such as
        `10 connections`.
        """
        lines: set[int] = set()
        above: int | None = None
        for number, line in enumerate(self.text.lines):
            text = line.strip()
            if not text or UNDERLINE.match(text):
                continue
            if number in self._taken:
                above = number
                continue
            known = number in self.text.printed
            within = 1 if above in self._taken else _BETWEEN if known else _NEAR
            if above is not None and number - above <= within:
                sure, next_line = above in lines, number - above == 1
                if known:
                    lines |= {above, number}
                elif self._goes_on(text, sure=sure, next_line=next_line):
                    lines.add(number)
            above = number if known else above
        return frozenset(lines - self._taken)

    def _goes_on(self, text: str, *, sure: bool, next_line: bool) -> bool:
        """Whether a line that is cut off may belong to what stands above it."""
        return (sure and text[0].isdigit()) or ((sure or next_line) and self._opens_a_line(text))

    def _opens_a_line(self, text: str) -> bool:
        """Whether a text begins as a line of a report does, or is the beginning of one."""
        begins = self._openings.match(text) is not None
        return begins or _any_begins_with(text, self._plain_openings)

    @cached_property
    def _openings(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted(self.text.openings)) or "(?!)")

    @cached_property
    def _plain_openings(self) -> Sequence[str]:
        """How lines of reports begin, those with several ways left out."""
        blank = (_BLANK.sub(" ", opening[3:-1]) for opening in self.text.openings)
        return sorted(opening.replace("\\", "") for opening in blank if not _META.search(opening))

    def _is_ruled_line(self, heading: Heading) -> bool:
        """Whether a heading is a line of a report that was cut off, which has rules around it."""
        below = self.text.lines[heading.line + 1 : heading.line + 2]
        ruled = any(map(UNDERLINE.match, below))
        return ruled and _wording(self.text.lines[heading.line]) in self._wordings

    @cached_property
    def title(self) -> str | None:
        """The front matter's title, or the heading that opens the page."""
        given = self._front_matter[0]
        if given or not self.headings:
            return given
        headings = self._outer_headings
        if not headings:
            return None
        first = headings[0]
        below = range(self._front_matter[1], len(self.text))
        opening = next((n for n in below if not _SKIPPED.match(self.text.lines[n].strip())), None)
        highest = min(h.level for h in headings)
        if opening != first.line or first.level != highest or highest > BANNER_LEVEL:
            return None
        return None if self._heads_only_its_own(first) else first.text

    def _heads_only_its_own(self, first: Heading) -> bool:
        """Whether the opening heading is one of several of its level, with runs of its own.

        One stands right below it, be it read or not, or it begins as the others do: with `Run 1`,
        with `nginx`.
        """
        below = [h for h in self._outer_headings if h.line > first.line]
        sibling = next((h.line for h in below if h.level == first.level), None)
        if sibling is None:
            return False
        others = {h.text for h in below if h.line > sibling}
        known = [start for start, _ in self.spans] + [*self.unread]
        near = any(first.line < line < below[0].line for line in known)
        return near or (below[0].line < sibling and below[0].text in others)

    @cached_property
    def commands(self) -> list[CommandLine]:
        """The command lines of load generators above runs, and of their URLs anywhere."""
        hosts = {_bare_url(load.url).partition("/")[0] for load in self.loads if load.url}
        firsts = [first for first, _ in self.spans]
        return list(find_commands(self.text, until=max(firsts), hosts=hosts, runs=firsts))

    def contexts(self) -> list[Context]:
        """Return the context of each run."""
        if len(self.spans) == 1 and not self.commands and self._is_bare:
            return [Context()]  # as most files of results are
        contexts: list[Context] = []
        above: list[LinesAbove] = []
        for load, (first, _) in zip(self.loads, self.spans, strict=True):
            after = self._end_above(first)
            command = self._command(load, first, after)
            contexts.append(Context(title=self.title, trail=self._trail(first), command=command))
            lines = self._lines_above(first, after)
            start = None if lines.lines else self._above_section(first)
            if start is not None:
                lines = self._lines_above(start, self._end_above(start))
            above.append(lines)
        for context, caption in zip(contexts, captions_of(above), strict=True):
            context.caption, context.above = caption.text, caption.above
        common = Counter(text for run in above for text in set(run.lines))
        for context in _with_plain_captions(contexts, common):
            context.caption = None
        _leave_to_headings(contexts)
        for context in contexts:
            if context.trail and context.trail[-1] == context.caption:
                context.trail.pop()  # a banner right above the run
        if not any(context.caption or context.trail for context in contexts):
            self._name_by_commands(contexts)
        _name_by_sentences(contexts, above, [first for first, _ in self.spans])
        self._name_by_folders(contexts)
        return contexts

    def _end_above(self, line: int) -> int:
        """Return the last line of the run above a line, -1 without any."""
        before = bisect_left(self._lasts, line)
        return self._lasts[before - 1] if before else -1

    @cached_property
    def _lasts(self) -> Sequence[int]:
        return sorted([*(last for _, last in self.spans), *self.unread])

    def _name_by_commands(self, contexts: Sequence[Context]) -> None:
        """Take for captions commands above the runs, where they differ.

        They stand right above each run, `$ ./bench.sh nginx`, or start the server of it and of the
        runs right below it, `$ node app.js &`.
        """
        firsts = [first for first, _ in self.spans]
        calls: list[str | None] = []
        for first in firsts:
            calls.append(server_of(self._commands_above(first), calls[-1] if calls else None))
        if None in calls:
            calls = [*map(self._script_above, firsts)]
        if None not in calls and len(set(calls)) > 1:
            for context, call in zip(contexts, calls, strict=True):
                context.caption = call

    def _name_by_folders(self, contexts: Sequence[Context]) -> None:
        """Take for captions the folders in which runs of one URL were started, if nothing does.

        Prompts have them: `me@laptop:~/servers/nginx$ wrk …`.
        """
        trails = {tuple(context.trail) for context in contexts}
        if len(trails) > 1 or any(context.caption for context in contexts):
            return
        folders = [self._folder_above(first) for first, _ in self.spans]
        known = [folder.split("/") for folder in folders if folder is not None]
        if len(known) < len(folders) or len(set(folders)) < 2:
            return
        if not {parts[-1] for parts in known}.isdisjoint((*registry.programs(), "~")):
            return  # who is where the load generator lies tells no server
        common = os.path.commonprefix(known)  # noqa: RUF071 - of parts
        shared = min(len(common), *(len(parts) - 1 for parts in known))
        names = ["/".join(parts[shared:]) for parts in known]
        of_url: defaultdict[object, set[str]] = defaultdict(set)
        for context, load, name in zip(contexts, self.loads, names, strict=True):
            asked = context.command.columns.get("url") if context.command else None
            of_url[load.url or asked].add(name)
        apart = any(len(own) > 1 for own in of_url.values())
        if apart and len({_DIGITS.sub("", name) for name in names}) > 1:
            for context, name in zip(contexts, names, strict=True):
                context.caption = name

    def _folder_above(self, line: int) -> str | None:
        """Return the folder of the nearest prompt above a run, below the one before it."""
        least = max(line - _LOOK_ABOVE, self._end_above(line) + 1, 0)
        folders = (folder_of(self._beginning(n)) for n in range(line - 1, least - 1, -1))
        return next(filter(None, folders), None)

    def _script_above(self, line: int) -> str | None:
        """Return the command right above a run, without its prompt, unless it is the run's own."""
        above = range(line - 1, max(line - _LOOK_ABOVE, -1), -1)
        lines = (n for n in above if self._beginning(n) and not self._is_remark(n))
        number = next(lines, None)
        if number is None or number in self._command_lines or number in self._heads:
            return None
        return typed(self._beginning(number))

    def _commands_above(self, line: int) -> list[str]:
        """Return what was typed between the run before a line and it, but for commands of runs."""
        above = range(max(line - _LOOK_ABOVE, self._end_above(line) + 1, 0), line)
        numbers = (number for number in above if number not in self._command_lines)
        return [*filter(None, (typed(self._beginning(number)) for number in numbers))]

    @property
    def _is_bare(self) -> bool:
        """Whether nothing stands around the first run."""
        first, last = self.spans[0]
        return not any(map(str.strip, (*self.text.lines[:first], *self.text.lines[last + 1 :])))

    def _command(self, load: Load, first: int, after: int) -> CommandLine | None:
        """Return the command of a run: one below the run before it, or the only one of its URL."""
        lines = [bisect_right(self.commands, n, key=lambda c: c.line) for n in (after, first)]
        above = self.commands[slice(*lines)]
        near = [command for command in above if load.may_be_of(command)]
        if near:
            exact = [command for command in near if load.url and command.columns.get("url")]
            return (exact or near)[-1]
        return self._only_command(load) if load.url else None

    def _only_command(self, load: Load) -> CommandLine | None:
        if load not in self._only:
            same = self._by_url[load.tool, _bare_url(load.url or "")]
            fits = [command for command in same if load.may_be_of(command)]
            alone = len({command.text for command in fits}) == 1
            self._only[load] = fits[-1] if alone else None
        return self._only[load]

    @cached_property
    def _by_url(self) -> defaultdict[tuple[str, str], list[CommandLine]]:
        commands: defaultdict[tuple[str, str], list[CommandLine]] = defaultdict(list)
        for command in self.commands:
            url = command.columns.get("url")
            if url and isinstance(url, str) and not command.of_many:
                commands[command.tool, _bare_url(url)].append(command)
        return commands

    @cached_property
    def _front_matter(self) -> tuple[str | None, int]:
        lines = self.text.lines
        if not lines or lines[0].strip() != "---":
            return None, 0
        for end in range(1, min(len(lines), 60)):
            if lines[end].strip() in {"---", "..."}:
                titles = [m[1] for line in lines[1:end] if (m := _FRONT_TITLE.match(line))]
                return (plain(titles[0].strip("\"' ")) if titles else None), end + 1
        return None, 0

    def _trail(self, line: int) -> list[str]:
        changes, trails = self._trails
        trail = list(trails[bisect_left(changes, line)])
        if trail and self._is_below_a_run(trail[-1], level_of(self.text.lines[line])):
            trail.pop()
        while trail and self.fenced[trail[-1].line] and self._leaves_fence(trail[-1].line, line):
            trail.pop()
        texts = [*(h.text for h in trail if h.text), *self._cells.get(line, ())]
        return (
            texts[1:]
            if texts and texts[0] == self.title and len(texts) > 1
            else [t for t in texts if t != self.title]
        )

    def _is_below_a_run(self, heading: Heading, own: int | None) -> bool:
        """Whether a heading sums up the run right above it, and not one that opens as a higher one.

        `own` is the level of the line with which that run begins, None where it is no heading.
        """
        at = heading.line
        apart = not self.text.lines[at + 1].strip()
        return own is not None and heading.level > own and at - 1 in self._taken and apart

    @cached_property
    def _cells(self) -> Mapping[int, Sequence[str]]:
        """What heads the cells of tables in which runs begin, by their first lines."""
        beginning = Counter(first for first, _ in self.spans)
        alone = {line for line, runs in beginning.items() if runs == 1}
        return cells(self.text.lines, alone, self.fenced)

    @cached_property
    def _trails(self) -> tuple[list[int], list[tuple[Heading, ...]]]:
        """Lines below which other headings hold, and those above the first and below each.

        They are the outermost first, the names of sections among them. What stands in a section
        has none of those that stand in others beside it.
        """
        headings = ((each.line, 1, each) for each in self.headings)
        begins = ((each.first - 1, 0, each) for each in self.text.sections)
        ends = ((each.last, 2, each) for each in self.text.sections)
        lines: list[int] = []
        trails: list[tuple[Heading, ...]] = [()]
        # Those above the sections in which a line stands, and how many of these are of others.
        outer: list[tuple[tuple[Heading, ...], int]] = []
        within = 0
        changes: list[tuple[int, int, Heading | Section]] = [*headings, *begins, *ends]
        for line, kind, each in sorted(changes, key=lambda change: change[:2]):
            if isinstance(each, Heading):
                own = (h for h in trails[-1][within:] if h.level < each.level)
                trail = (*trails[-1][:within], *own, each)
            elif kind == 0:
                outer.append((trails[-1], within))
                trail = (*trails[-1], *(Heading(line, 0, name) for name in each.names))
                within = len(trail)
            else:
                trail, within = outer.pop()
            lines.append(line)
            trails.append(trail)
        return lines, trails

    @cached_property
    def _outer_headings(self) -> list[Heading]:
        """The headings that stand in no section."""
        outer: list[Section] = []
        for section in self.text.sections:
            if not outer or section.first > outer[-1].last:
                outer.append(section)
        before = (bisect_right(outer, h.line, key=lambda each: each.first) for h in self.headings)
        return [
            heading
            for heading, count in zip(self.headings, before, strict=True)
            if not count or heading.line > outer[count - 1].last
        ]

    def _leaves_fence(self, first: int, stop: int) -> bool:
        """Whether any of some lines stands outside of code fences."""
        at = bisect_left(self._unfenced, first)
        return at < len(self._unfenced) and self._unfenced[at] < stop

    @cached_property
    def _unfenced(self) -> list[int]:
        return [number for number, fenced in enumerate(self.fenced) if not fenced]

    @cached_property
    def _heads(self) -> set[int]:
        return self._borders.union(h.line for h in self.headings if h.level < BANNER_LEVEL)

    @cached_property
    def _borders(self) -> set[int]:
        """The lines above and below sections."""
        return {line for each in self.text.sections for line in (each.first - 1, each.last + 1)}

    def _above_section(self, line: int) -> int | None:
        """Return the line above the sections beside each other in one of which a line stands."""
        begun = bisect_right(self.text.sections, line, key=lambda each: each.first)
        near = reversed(self.text.sections[max(begun - _MOST_WITHIN, 0) : begun])
        return next((each.above for each in near if line <= each.last), None)

    def _lines_above(self, line: int, after: int) -> LinesAbove:
        """Return the short lines right above a run, and below the last line of that before it."""
        above, begun = LinesAbove(), False
        for number in range(line - 1, max(line - _LOOK_ABOVE, after, -1), -1):
            text = self._behind_fence(number, self._beginning(number))
            if number in self._heads or (begun and not text):
                return above
            if self._is_passed_over(number, text):
                continue
            begun = True
            text = comment_of(text) or self._comment_in_code(number, text) or text
            if names_nothing(text):
                continue
            if number in self._left_over or self._is_of_report(after, number):
                return above
            # Where headings tell the runs apart a paragraph in tags is one of the page.
            tagged = is_tagged(text) and self._headings_tell
            caption = None if tagged else caption_of(text)
            if caption is None:
                # A line of prose that ends in the middle of a sentence, which the one below ends.
                end = self.text.lines[number][-LONGEST:].rstrip()[-1:]
                goes_on = end not in ".:;!?>" and not self.fenced[number]
                if goes_on and above.lines and above.lines[-1][0].islower():
                    above.lines.pop()
                if not above.lines and self._is_prose(number, text):
                    above.sentence = text
                return above
            above.lines.append(caption)
        above.joins = line - _LOOK_ABOVE <= after
        return above

    def _beginning(self, number: int) -> str:
        """Return a line without blanks around it, as far as anything is told from it.

        The same long line may be above many runs.
        """
        line = self.text.lines[number]
        return line.strip() if len(line) <= LONGEST else line[:LONGEST].strip()

    def _is_prose(self, number: int, text: str) -> bool:
        """Whether a line may be a sentence of who wrote the page."""
        written = (
            (text[0].isalpha() or text[0] == "@") and "|" not in text and len(text.split()) > 2
        )
        return written and not self.fenced[number] and typed(text) is None

    def _behind_fence(self, number: int, text: str) -> str:
        """Return the words that were written right behind the end of a fence, else the text."""
        fence = fences.match(text) if number in self._fences[1] else None
        words = text[fence.end() :].strip() if fence else ""
        return words if " " in words else text

    def _comment_in_code(self, number: int, text: str) -> str | None:
        """Return the words of a comment in a fence, where headings do not tell the runs apart."""
        looks = self.fenced[number] and not self._headings_tell
        return comment_in_code(text) if looks else None

    @cached_property
    def _headings_tell(self) -> bool:
        """Whether each run has headings of its own."""
        trails = {tuple(self._trail(first)) for first, _ in self.spans}
        return () not in trails and len(trails) == len(self.spans)

    def _is_passed_over(self, number: int, text: str) -> bool:
        """Whether a line above a run is neither a caption nor the end of those above it."""
        return (
            not text
            or self._is_remark(number)
            or fences.match(text) is not None
            or _TORN_FENCE.fullmatch(text) is not None
            or _DIRECTIVE.match(text) is not None
            or number in self._command_lines
            or UNDERLINE.match(text) is not None
        )

    def _is_of_report(self, after: int, number: int) -> bool:
        """Whether a line is one of a report that was cut off, or the beginning of one.

        It reads like a line in a run, stands in one paragraph with such a line, begins like one
        below others or as the first line of a run does, or is the rest of one.
        """
        if self._is_like_a_run(number):
            return True
        words, stretch = _wording(self.text.lines[number]), range(after + 1, number)
        blank_above, written_above = self._above[number]
        is_top = written_above <= after
        if is_top and self._ends_within_a_word(words):
            return True
        text = self.text.lines[number].strip()
        if len(text) >= _SHORTEST_CUT and _any_begins_with(text, self._firsts):
            return True
        near = stretch[-_FARTHEST_ABOVE:]
        like = [n for n in near if self._is_like_a_run(n)]
        joined = bool(like) and blank_above < like[-1]
        closed = after >= 0 and blank_above <= after
        below = like or closed or (after >= 0 and is_top and len(text) >= _SHORTEST_CUT)
        return joined or (bool(below) and _any_begins_with(words, self._sorted_wordings))

    @cached_property
    def _above(self) -> Sequence[tuple[int, int]]:
        """By line the numbers of the nearest blank and written lines above, -1 for none."""
        blank, written, nearest = -1, -1, []
        for number, line in enumerate(self.text.lines):
            nearest.append((blank, written))
            blank, written = (blank, number) if line.strip() else (number, written)
        return nearest

    @cached_property
    def _firsts(self) -> Sequence[str]:
        """The first lines of the runs, sorted."""
        numbers = {first for first, _ in self.spans}
        return sorted({self.text.lines[number].strip() for number in numbers})

    @cached_property
    def _wordings(self) -> frozenset[str]:
        """The lines of the runs by their letters, those without any left out."""
        numbers = {n for first, last in self.spans for n in range(first, last + 1)}
        return frozenset({_wording(self.text.lines[number]) for number in numbers} - {""})

    def _is_like_a_run(self, number: int) -> bool:
        """Whether a line reads like a line in a run."""
        if number not in self._alike:  # of most lines nobody asks, of some again and again
            self._alike[number] = _wording(self.text.lines[number]) in self._wordings
        return self._alike[number]

    @cached_property
    def _reversed_wordings(self) -> Sequence[str]:
        return sorted(wording[::-1] for wording in self._wordings)

    def _ends_within_a_word(self, words: str) -> bool:
        """Whether a line of a run ends so, and begins in the middle of the word before."""
        end = words[::-1]
        # What follows the end is a blank or a letter.
        at = bisect_left(self._reversed_wordings, f"{end}A")
        ordered = self._reversed_wordings
        return bool(end) and at < len(ordered) and ordered[at].startswith(end)

    @cached_property
    def _sorted_wordings(self) -> Sequence[str]:
        return sorted(self._wordings)

    def _is_remark(self, number: int) -> bool:
        return registry.remarks().fullmatch(self.text.lines[number].strip()) is not None

    @cached_property
    def _command_lines(self) -> frozenset[int]:
        commands = self.commands
        return frozenset(n for command in commands for n in range(command.line, command.last + 1))


def _name_by_sentences(
    contexts: Sequence[Context], above: Sequence[LinesAbove], firsts: Sequence[int]
) -> None:
    """Give runs that nothing else tells apart what the sentences above them are about."""
    if len({tuple(context.trail) for context in contexts}) > 1:
        return
    captions = [context.caption for context in contexts]
    if all(captions):
        return
    texts = [caption or run.sentence for caption, run in zip(captions, above, strict=True)]
    named = subjects(texts)
    # Beside others that sentences name one without is called by where it stands.
    by_line = any(named) and not any(captions)
    for context, subject, line in zip(contexts, named, firsts, strict=True):
        at = f"at line {line + 1}" if by_line else None
        context.caption = context.caption or subject or at


def _leave_to_headings(contexts: Sequence[Context]) -> None:
    """Leave out the lines right above some runs where headings of other words name each."""
    trails = {tuple(_DIGITS.sub("", text) for text in context.trail) for context in contexts}
    if () in trails or len(trails) < len(contexts):
        return
    facts = {c.caption and fact_of(c.caption) for c in contexts}
    if all(c.caption for c in contexts) and (len(facts) > 1 or None in facts):
        return
    for context in contexts:
        warms_up = context.caption and is_warm_up(context.caption)
        context.caption = context.caption if warms_up else None


def _with_plain_captions(contexts: Sequence[Context], common: Counter[str]) -> list[Context]:
    """Return the runs whose caption says no more than their headings.

    That is one that several runs have, unless it tells the runs below one heading apart, or all
    below headings of the same words.
    """
    stretches = [[*own] for _, own in groupby(contexts, lambda context: context.trail)]
    alike = grouped(contexts, lambda context: tuple(context.trail))
    telling = {trail for trail, own in alike.items() if _are_told_apart(own)}
    return [
        context
        for own in stretches
        if len(alike) > 1 and not _are_told_apart(own)
        for context in own
        if context.caption and common[context.caption] > 1 and tuple(context.trail) not in telling
        if not is_warm_up(context.caption)
    ]


def _are_told_apart(contexts: Sequence[Context]) -> bool:
    captions = [context.caption for context in contexts]
    return 1 < len(captions) == len(set(captions))


def _any_begins_with(text: str, ordered: Sequence[str]) -> bool:
    at = bisect_left(ordered, text)
    return at < len(ordered) and ordered[at].startswith(text)


def _wording(line: str) -> str:
    """Return the letters of a line, which do not change with what was measured."""
    return _NO_LETTER.sub(" ", line[:LONGEST]).strip()


@lru_cache(256)
def _bare_url(url: str) -> str:
    text = re.sub(r"^https?://", "", url.lower())
    host, slash, rest = text.partition("/")
    host = re.sub(r":(?:80|443)$", "", host)
    return host + slash + rest if rest else host
