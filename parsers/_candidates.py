"""Which piece of a text may be which line of a report: read no further than somebody asks.

A report begins where one of the lines with which it may begin stands, as the tool prints it, whole
or wrapped (`Vocabulary.beginnings`). Of a long text only what is near to these is looked at, and
what stands below as long as a report goes on (`Candidates.after`). There a paragraph into which
lines were run together is taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import accumulate, islice, pairwise, repeat
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from benchkit.text import Text
from benchkit.text.pieces import Piece, stretches

from ._line import NOT_WITHIN, Form, Line, ReportLine

#: Three of these begin and end a block of code.
FENCES: Final = ("```", "~~~")
WORD: Final = re.compile(r"[^\W_]")
#: What stands behind a line in another cell of its row.
_NEXT_CELL: Final = re.compile(r"\s{2,}[^\W\d_]")
#: Where a line was glued to what stands before it.
_GLUE: Final = "\v"
_CLOSING: Final = r"[a-z0-9)\]%]"
_RUN_TOGETHER: Final = re.compile(_CLOSING + "[A-Z]")
#: A paragraph of more characters is not taken apart, nor one with which more lines of reports in a
#: text would be.
_LONGEST_APART: Final = 500_000
_MOST_APART: Final = 20_000
#: In a paragraph of more characters only lines are looked for whose word is in it.
_LONG: Final = 100_000
_MOST_CHARACTERS: Final = 20_000
#: Of a paragraph so many pieces, no lines or far from any beginning, end what is read.
_MOST_WORDS: Final = 5000
_MOST_KEPT: Final = 4000
#: A word in more than one piece of so many is not looked for from one to the next.
_FEW: Final = 16
#: So near to a beginning lines are those of a report, also if they are left over from another.
NEAR: Final = 1000
#: Over so many pieces a line, and what must stand below it, may be wrapped.
_WRAPPED: Final = 24

#: Whether a line is as the tool prints it, and the piece of a candidate: quicker than by name.
_STRICT: Final = attrgetter("strict")
_PIECE: Final = itemgetter(0)
#: A piece, and the lines that it may be.
Candidate = tuple[Piece, Sequence[ReportLine]]


class LinePart(Piece):
    """A piece of a paragraph into which lines of a report were run together."""


class _Within(NamedTuple):
    """A line that stands in a paragraph."""

    match: re.Match[str]
    line: Line
    form: Form


class Vocabulary:
    """The lines of a tool's report, as far as each tells itself.

    Args:
        lines: The lines, in the order in which they are printed.
        begins: With what a report may begin, and what must then stand below, if anything.
        head: The rank of the last line whose words are enough to begin a report.
        marks: A paragraph below other words is taken apart only where one of these stands in it.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        begins: Mapping[Line, Sequence[Line]],
        head: int,
        marks: Iterable[str],
    ) -> None:
        self.forms = [(line, form) for line in lines for form in line.forms]
        self._begins = begins
        self._loose = frozenset(lines[: head + 1])
        openings = [form.opening for line in begins for form in line.forms if form.opening]
        self._marks = sorted({mark.lower() for mark in (*openings, *marks)})
        self._forms_of = lru_cache(_MOST_KEPT)(self._that_may_begin)

    def _that_may_begin(self, letters: str) -> Sequence[tuple[Line, Form]]:
        return [each for each in self.forms if each[1].may_begin(letters)]

    @cached_property
    def openings(self) -> frozenset[str]:
        """Patterns of the words with which lines begin."""
        labels = {form.label for _, form in self.forms}
        worded = (label for label in labels if not re.match(label, ""))
        return frozenset(label for label in worded if WORD.search(label))

    def is_label(self, text: str) -> bool:
        """Whether a text is no more than the words with which a line begins, and a colon."""
        return text[-1:] == ":" and self._labels.fullmatch(text[:-1].rstrip()) is not None

    @cached_property
    def _labels(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted(self.openings)) or "(?!)")

    def _matches(self, joined: str) -> Iterator[_Within]:
        """Yield the lines that stand in a paragraph."""
        forms = self.forms
        pattern = self._any
        if len(joined) > _LONG:  # to compile a pattern takes less than to look for all in it
            small = joined.lower()
            forms = [each for each in forms if each[1].may_be_in(joined, small)]
            pattern = _any_of(forms)
        return (_Within(m, *forms[(m.lastindex or 1) - 1]) for m in pattern.finditer(joined))

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return _any_of(self.forms)

    @cached_property
    def _glued(self) -> re.Pattern[str]:
        labels = {form.label for _, form in self.forms if form.opening[:1].isupper()} or {"(?!)"}
        return re.compile(rf"(?<={_CLOSING})(?=[A-Z])(?={'|'.join(sorted(labels))})")

    def beginnings(self, text: Text) -> Sequence[int]:
        """Return, in order, with which pieces a report may begin; none where it has no report.

        Where the whole text is near to some of them, those are enough.
        """
        occurrences, numbers = text.once(_Occurrences), set[int]()
        everywhere = (0, len(text.repaired))

        def standing(line: Line, others: Sequence[int] | None = None) -> set[int]:
            return occurrences.standing(line, others, loose=line in self._loose)

        for line, below in self._begins.items():
            if not below:
                numbers |= standing(line)
            elif line in self._loose:
                # Its words are enough, and so are those of a line below it, if any is as it should.
                if any(map(standing, below)):
                    words = {
                        n
                        for each in below
                        for form in each.forms
                        for n in occurrences.pieces_of(form)
                    }
                    numbers |= standing(line, sorted(words))
            elif line.has_words:
                own = sorted(standing(line))
                others = {n for each in below for n in standing(each, own)}
                numbers.update(_near_to(sorted(others), own))
            else:
                others = {n for each in below for n in standing(each)}
                numbers |= standing(line, sorted(others))
            if next(stretches(sorted(numbers), NEAR, everywhere[1]), None) == everywhere:
                break
        return sorted(numbers)

    def read(self, piece: Piece) -> Sequence[ReportLine]:
        """Return the lines that a piece may be, the first of them first."""
        words = piece[1]
        if len(words) > _MOST_CHARACTERS:
            return ()
        lines: list[ReportLine] = []
        settled: Line | None = None
        is_ascii = words.isascii()
        small = words.lower() if is_ascii else words
        for line, form in self._forms_of(words[:2]):
            if line is settled or form.word not in words:
                continue
            has = form.has_small if is_ascii else form.has
            if has and not has(small):
                continue
            if matched := form.match(line, piece):
                lines.append(matched)
                settled = line if matched.strict else None
        return lines

    def has_mark(self, paragraph: Sequence[Candidate]) -> bool:
        """Whether a mark stands in a paragraph, also where it goes from one piece to the next."""
        small = " ".join([piece[1] for piece, _ in paragraph]).lower()
        return any(mark in small for mark in self._marks)

    def mended(
        self,
        text: Text,
        broken: list[Candidate],
        read: Callable[[Piece], Sequence[ReportLine]],
        most: int,
    ) -> list[Candidate]:
        """Return a paragraph in which no line is what it should be, taken apart if it was filled.

        That is where lines of a report begin in the middle of it, or are wrapped. `read` returns
        the lines that a piece may be; with more lines than `most` it stays as it is.
        """
        texts = [piece.text for piece, _ in broken]
        if sum(map(len, texts)) > _LONGEST_APART:
            if self.has_mark(broken):
                _note_long(text, broken[0][0].number)
            return broken
        if _RUN_TOGETHER.search(" ".join(texts)):
            texts = [self._glued.sub(_GLUE, words) for words in texts]
        joined = " ".join(texts)
        starts = list(accumulate((len(part) + 1 for part in texts), initial=0))
        candidates = self._matches(joined)
        inside = (each for each in candidates if not _leaves_cell(each.match, starts))
        matches = list(islice(inside, _MOST_APART + 1))
        if not self._is_filled(matches, starts):
            return broken
        if len(matches) > most:
            _note_crowded(text, broken[0][0].number)
            return broken
        stops = (match.end() for match, _, form in matches if not form.has_rest)
        bounds = {0, len(joined), *(match.start() for match, _, _ in matches), *stops}
        parts = [(start, joined[start:stop].strip()) for start, stop in pairwise(sorted(bounds))]
        pieces = [
            LinePart(broken[bisect_right(starts, start) - 1][0].number, part)
            for start, part in parts
            if part
        ]
        own = dict(broken)  # most of them, as a rule, are lines as they stand
        return [(each, own.pop(each) if each in own else read(each)) for each in pieces]

    def _is_filled(self, matches: Sequence[_Within], starts: Sequence[int]) -> bool:
        """Whether a line is wrapped, several begin within lines, or one has words beside it.

        Several are two kinds of lines, or two with which a report may begin; one of these is
        enough behind another line, or glued to a word, and any kind right behind another.
        Words may stand before the first kind of line, and in the next cell of a table.
        """
        within: set[Line] = set()
        beginnings = last = end = 0
        above: Line | None = None
        for matched, kind, _ in matches:
            at = bisect_right(starts, matched.start())
            if matched.start() > starts[at - 1]:
                within.add(kind)
                sure = at == last or matched.string[matched.start() - 1] == _GLUE
                beginnings += 1 + sure if kind in self._begins else 0
            next_to = at == last and matched.start() == end + 1 and kind is not above
            several = len(within) > 1 or beginnings > 1 or next_to
            behind_words = within and kind is self.forms[0][0] and matched.end() + 1 == starts[at]
            before_words = _NEXT_CELL.match(matched.string, matched.end())
            if matched.end() >= starts[at] or several or behind_words or before_words:
                return True
            last, end, above = at, matched.end(), kind
        return False


class Candidates:
    """The pieces of a text, paragraphs taken apart, with the lines that each may be.

    Attributes:
        listed: Those that were asked for so far, in order.
        pieces: The same without the lines.
    """

    def __init__(self, vocabulary: Vocabulary, text: Text, beginnings: Sequence[int]) -> None:
        self.listed: list[Candidate] = []
        self.pieces: list[Piece] = []
        self._vocabulary, self._text, self._whole = vocabulary, text, text.repaired
        self._owners = text.once(_owners)
        self._readings: dict[str, Sequence[ReportLine]] = {}
        self._apart = 0
        self._done = 0
        self._beginnings = beginnings
        self._zones = [*self._near(beginnings)]
        self._zones.reverse()

    def after(self, at: int, *, goes_on: bool) -> int:
        """Return the number of the piece behind one; there may be none of that number.

        Where no report `goes_on`, it is that of the next that may be a line.
        """
        at += 1
        if goes_on:
            self.read_to(at)
            return at
        listed = self.listed
        while True:
            for number in range(at, len(listed)):
                if listed[number][1]:
                    return number
            if self._done >= len(self._whole):
                return len(listed)
            at = len(listed)
            self._skip()
            self.read_to(len(listed))

    def read_to(self, at: int) -> None:
        """Have a piece listed, if there are so many."""
        while len(self.listed) <= at and self._done < len(self._whole):
            self._read_on()

    def close(self) -> None:
        """List the rest, and tell the text what reads like lines of a report."""
        self._pass_over(len(self._whole))
        known = (each for each in self.listed if each[1])  # hardly any
        own = (piece.number for piece, lines in known if any(map(_STRICT, lines)))
        self._text.printed.update(own)
        self._text.openings.update(self._vocabulary.openings)

    def is_foreign(self, piece: Piece) -> bool:
        """Whether a piece is of a report that another tool printed."""
        own = self._vocabulary
        return self._owners.get(piece, own) is not own

    def claim(self, pieces: Iterable[Piece]) -> None:
        """Have pieces foreign to all others."""
        self._owners.update(zip(pieces, repeat(self._vocabulary), strict=False))

    def _near(self, beginnings: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield what is near to beginnings, each from the begin of a paragraph on."""
        done = 0
        for first, stop in stretches(beginnings, NEAR, len(self._whole)):
            start, least = first, max(done, first - _MOST_WORDS)
            while start > least and not self._is_bound(self._whole[start - 1]):
                start -= 1
            yield start, stop
            done = stop

    def _is_near(self, number: int) -> bool:
        """Whether a piece is near to a beginning."""
        at = bisect_left(self._beginnings, number - NEAR)
        return at < len(self._beginnings) and self._beginnings[at] <= number + NEAR

    def _is_bound(self, piece: Piece) -> bool:
        """Whether a piece ends any paragraph: a blank one, a fence, one of another's report."""
        return not piece[1] or piece[1][:3] in FENCES or self.is_foreign(piece)

    def _skip(self) -> None:
        """Pass over what is near to no beginning."""
        while self._zones and self._zones[-1][1] <= self._done:
            self._zones.pop()
        start = self._zones[-1][0] if self._zones else len(self._whole)
        self._pass_over(max(start, self._done))

    def _pass_over(self, stop: int) -> None:
        if stop == self._done:
            return
        passed = self._whole[self._done : stop]
        self.listed += zip(passed, repeat(()), strict=False)
        self.pieces += passed
        self._done = stop

    def _read_on(self) -> None:
        """Read a paragraph, and the piece with which it ends; of a very long one a part.

        It is parted where nothing tells that lines of a report stand.
        """
        paragraph: list[Candidate] = []
        ending: list[Candidate] = []
        words, known = 0, self._readings.get
        own, owner = self._vocabulary, self._owners.get if self._owners else None
        self._pass_over(self._next_own())
        for at in range(self._done, len(self._whole)):
            if words > _MOST_WORDS and not self._is_near(at):
                break
            piece = self._whole[at]
            text = piece[1]
            if not text or (owner and owner(piece, own) is not own):
                ending.append((piece, ()))
                break
            lines = () if known(text) == () else self._lines(piece)
            if text[:3] in FENCES or (lines and any(map(_STRICT, lines))):
                ending.append((piece, lines))
                break
            paragraph.append((piece, lines))
            words = 0 if lines and self._is_near(at) else words + 1
        self._done += len(paragraph) + len(ending)
        if paragraph:
            begun = self.listed and self.listed[-1][1]
            if begun or self._vocabulary.has_mark(paragraph):
                paragraph = self._taken_apart(paragraph)
        listed = paragraph + ending
        self.listed += listed
        self.pieces += map(_PIECE, listed)

    def _taken_apart(self, broken: list[Candidate]) -> list[Candidate]:
        """Return a paragraph with lines that were run together apart, as long as these are few."""
        most = _MOST_APART - self._apart
        paragraph = self._vocabulary.mended(self._text, broken, self._lines, most)
        if paragraph is not broken:
            standing = {piece for piece, _ in broken}
            self._apart += sum(piece not in standing for piece, _ in paragraph)
        return paragraph

    def _next_own(self) -> int:
        """Return the number of the next piece that is neither blank nor another's."""
        own, owner = self._vocabulary, self._owners.get
        for at in range(self._done, len(self._whole)):
            piece = self._whole[at]
            if piece[1] and owner(piece, own) is own:
                return at
        return len(self._whole)

    def _lines(self, piece: Piece) -> Sequence[ReportLine]:
        """Return the lines that a piece may be; most say what others said, and are read once."""
        number, text = piece[0], piece[1]
        known = self._readings.get(text)
        if known is None:
            known = self._readings[text] = self._vocabulary.read(piece) or ()
            return known
        return [ReportLine(each.line, each.form, each.match, number, each.strict) for each in known]


class _Occurrences:
    """In which pieces of a text something stands, looked for once for all who ask."""

    def __init__(self, text: Text) -> None:
        self._shown, self._small = text.shown, text.shown.lower()
        if len(self._small) != len(self._shown):  # of some letters of other scripts it takes two
            self._small = ""
        #: The same as bytes, among which it is quicker to see that a word is none of them.
        self._bytes = text.shown.lower().encode("utf-8", "surrogatepass")
        self._texts = [piece[1] for piece in text.repaired]
        self._ends = list(accumulate(len(line) + 1 for line in self._texts))
        self._known: dict[tuple[str, str], Sequence[int]] = {}
        self._standing: dict[tuple[Line, bool], set[int]] = {}
        #: What is near to one line, of a text of reports all, is near to others as well.
        self._searched: dict[tuple[Form, bool, tuple[int, int]], Sequence[int]] = {}

    @cached_property
    def _small_texts(self) -> Sequence[str]:
        return [text.lower() for text in self._texts]

    def standing(self, line: Line, others: Sequence[int] | None, *, loose: bool) -> set[int]:
        """Return in which pieces a line begins, near to some pieces only if they are given.

        With `loose` its words are enough.
        """
        if others is None and (line, loose) in self._standing:
            return self._standing[line, loose]
        numbers = set[int]()
        for form in line.forms:
            if others is None:
                near = self.pieces_of(form)
            else:  # what has no word of its own takes long to look for
                near = _near_to(others, self.pieces_of(form)) if form.has_word else others
            if near:
                numbers.update(self.matches(form, near, loose=loose))
        if others is None:
            self._standing[line, loose] = numbers
        return numbers

    def pieces_of(self, form: Form) -> Sequence[int]:
        """Return which pieces have the word of a form, or something else that stands in it.

        They are all where nothing is known of it.
        """
        key = form.word, form.other
        known = self._known.get(key)
        if known is None:
            known = [*self._with(form)] if any(key) else range(len(self._ends))
            self._known[key] = known
        return known

    def _with(self, form: Form) -> Iterator[int]:
        whole, word = self._shown, form.word
        if form.other:
            whole, word = self._small, form.other.lower() if form.has_word else ""
        if (word or form.word).lower().encode() not in self._bytes:
            return
        if not (whole and word):
            find = partial(form.find_other, self._shown)
        elif self._bytes.count(word.lower().encode()) * _FEW > len(self._ends):
            texts = self._small_texts if form.other else self._texts
            # Quicker than to ask for the number of each place.
            yield from [number for number, text in enumerate(texts) if word in text]
            return
        else:
            find = partial(whole.find, word)
        at = find(0)
        while at >= 0:
            number = bisect_right(self._ends, at)
            yield number
            at = find(self._ends[number])

    def matches(self, form: Form, near: Sequence[int], *, loose: bool) -> Iterator[int]:
        """Yield in which pieces a form begins, near to some; with `loose` the words of it.

        A pattern may see that a line does not end with its piece; one that does is told by itself.
        """
        for stretch in stretches(near, _WRAPPED, len(self._ends)):
            key = form, loose, stretch
            if key not in self._searched:
                self._searched[key] = [*self._within(form, *stretch, loose=loose)]
            yield from self._searched[key]
        if not loose and form.looks_ahead:
            texts = self._texts
            yield from (number for number in near if form.strict.fullmatch(texts[number]))

    def _within(self, form: Form, first: int, stop: int, *, loose: bool) -> Iterator[int]:
        """Yield in which pieces of a stretch a form begins; with `loose` the words of it."""
        pattern = form.anywhere(loose=loose)
        start, end = self._ends[first - 1] if first else 0, self._ends[stop - 1]
        begin = form.begin_small if self._small and not loose else ""
        matches = self._behind(begin, pattern, start, end) if begin else None
        for matched in matches or pattern.finditer(self._shown, start, end):
            yield bisect_right(self._ends, matched.start())

    def _behind(
        self, begin: str, pattern: re.Pattern[str], start: int, end: int
    ) -> Iterator[re.Match[str]]:
        """Yield the matches that begin with a word in small letters: ten times as quick."""
        at = self._small.find(begin, start, end)
        while at >= 0:
            matched = pattern.match(self._shown, at, end)
            if matched:
                yield matched
            at = self._small.find(begin, matched.end() if matched else at + 1, end)


def _any_of(forms: Iterable[tuple[Line, Form]]) -> re.Pattern[str]:
    """Return the pattern of some lines within a paragraph, with an empty group for each."""
    # The group behind tells which: before it, it would hide with which letter a line begins.
    lines = "|".join(f"{form.within}()" for _, form in forms) or "(?!)"
    return re.compile(f"{NOT_WITHIN}(?:{lines})")


def _near_to(others: Sequence[int], numbers: Sequence[int]) -> Sequence[int]:
    """Return those of some numbers that are near to others."""

    def is_near(number: int) -> bool:
        at = bisect_left(others, number - _WRAPPED)
        return at < len(others) and others[at] <= number + _WRAPPED

    return [number for number in numbers if is_near(number)]


def _leaves_cell(matched: re.Match[str], starts: Sequence[int]) -> bool:
    """Whether a line goes on in the row below that of a table in whose last cell it begins."""
    wrapped = matched.end() >= starts[bisect_right(starts, matched.start())]
    return wrapped and matched.string[max(matched.start() - 2, 0) : matched.start()] == "  "


def _note_long(text: Text, first: int) -> None:
    """Note that a paragraph, from a line from 0 on, has more characters than is taken apart."""
    much = f"more than {_LONGEST_APART:,} characters run together from line {first + 1} on"
    if (note := f"{much}: they are not taken apart") not in text.unread:
        text.unread.append(note)


def _note_crowded(text: Text, first: int) -> None:
    """Note that from a line from 0 on not all is taken apart: once, where the first such line is.

    Each tool's reports are counted by themselves.
    """
    much = f"more than {_MOST_APART:,} lines of a tool run together"
    known = text.once(_crowded)
    if known and known[0] <= first:
        return
    known[:] = [first]
    text.unread[:] = [note for note in text.unread if not note.startswith(much)]
    text.unread.append(f"{much}: from line {first + 1} on not all are taken apart")


def _crowded(_: Text) -> list[int]:
    """Return from which line on, from 0, not all is taken apart: none, or one."""
    return []


def _owners(_: Text) -> dict[Piece, Vocabulary]:
    """Return by whose lines each piece of a text is told; grammars fill it."""
    return {}
