r"""A line of a printed report: declared once, recognised and cut out by that.

    RUNNING = Line("Running {asked:time} test @ {url:url}")
    SUMMARY = Line("{requests:count} requests in {duration:time}, {size:size} read")

A line is a regular expression in which a blank stands for any white space, ` ?` for some or
none, and `{name:slot}` for what `SLOTS`, or the line's own `slots`, have of that name; groups
are named or `(?:…)`. From it follow

- the strict form, in which every slot is what it should be: by it a line is cut out of a
  paragraph that a page ran together or wrapped anew;
- the loose form, in which a figure may be anything: `12 requests in soon, 3MB read` is that
  line, and `line.read("duration")` raises the error that names it. A slot that opens a line
  has to begin like a figure; an exact slot (`word`, `url`, `decimal`) is never loose; what
  stands behind a line that ends with a word or an exact slot is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunRecord
from benchkit.text.pieces import Piece

#: Lines that a script or a server may print into a report while the run lasts.
FAR: Final = 5000
_NUMBER: Final = r"[0-9]++(?:\.[0-9]++)?"
_PER_SECOND: Final = r"(?:\s?+(?:(?:req(?:uests|s)?)?/s(?:ec)?|rps))?"
_BEHIND: Final = re.compile(_PER_SECOND + "$", re.IGNORECASE)
#: A comma in a count stands between thousands.
COUNT: Final = r"(?:[0-9]{1,3}(?>(?:,[0-9]{3})+)(?![0-9])|[0-9]++)"
#: What stands behind a number and a blank is not the rest of its digits.
_NO_THOUSANDS: Final = r"(?=[-0-9])(?:(?<![0-9] )|(?![0-9]{3}(?![0-9])))"
#: What stands before the unit of a time.
_UNIT: Final = re.compile(r"^[-+]?[0-9.]*+\s*+")
_SIZE: Final = rf"{_NUMBER}\s?+[kKMGTP]?B{_PER_SECOND}"
_MOST_BYTES: Final = 2.0**63
#: A line does not begin in the middle of a word or a number.
NOT_WITHIN: Final = r"(?<![\w.,/-])"
#: What of a template is no word: a character with a meaning of its own, a set, an innermost group.
_BEFORE_GROUPS: Final = re.compile(r"(?>(?:\\.|\[(?>(?:[^\[\]\\]|\\.)+)\]|[^(\\\[])*)", re.DOTALL)
#: Of a template, not those of `\s`.
_LETTERS: Final = re.compile(r"(?<!\\)[A-Za-z]{2}")
_NESTED: Final = re.compile(r"\\.|(?<!\\)\[(?>(?:[^\[\]\\]|\\.)+)\]|\((?>(?:[^()\\]|\\.)*)\)")


@dataclass(frozen=True)
class Slot:
    """What stands at one place of a line.

    Attributes:
        expected: What it is, for messages: "a time".
        strict: Pattern of it.
        read: Its characters to a number in base units, where it is a figure; raises ValueError.
        opening: Pattern of what is taken for it where it opens a line; `strict` if None, as of
            all that are exact.
        ended: Pattern of how it ends where nothing of it can be cut off.
        exact: Whether nothing but the strict pattern is taken for it.
        first: Pattern of the character with which it begins, where it is no single figure:
            other lines that it might open are passed over at once.
    """

    expected: str
    strict: str
    read: Callable[[str], float] | None = None
    opening: str | None = None
    ended: str | None = None
    exact: bool = False
    first: str = ""


def count(printed: str) -> int:
    """Return a whole number, whose thousands commas may divide."""
    grouped = re.fullmatch(f"-?{COUNT}", printed)
    return units.whole(printed.replace(",", "") if grouped else printed)


def _rate(printed: str) -> float:
    return units.count(_BEHIND.sub("", printed))


def _size(printed: str, base: int = 1024) -> float:
    plain = _BEHIND.sub("", printed)
    size = units.octets(plain, base=base)
    if not plain.endswith("B") or size >= _MOST_BYTES:
        raise ValueError
    return size


def share(printed: str) -> float:
    """Return a percentage as a ratio up to 1."""
    ratio = units.percent(printed)
    if ratio > 1:
        raise ValueError
    return ratio


def go_time(printed: str) -> float:
    """Return a time as Go and k6 print it: `1m8.1s`, `68.14ms`; `68.14m` of it is cut off.

    Source: Go 1.26 `time.Duration.String`, k6 1.8 `internal/js/summary.js`
    (humanizeGenericDuration).
    """
    if not printed.endswith("s"):
        raise units.QuantityError(f"not a whole Go duration: {printed[:40]!r}")
    return units.go_duration(printed)


def time_in(*known: str) -> Callable[[str], float]:
    """Return what reads times of a tool that prints no other units than these.

    Of a line that ends in the middle of `68.14ms` there is `68.14m`, which are no minutes.
    """

    def read(printed: str) -> float:
        if _UNIT.sub("", printed) not in known:
            raise units.QuantityError(f"not a time of this tool: {printed[:40]!r}")
        return units.seconds(printed)

    return read


#: The slots of most tools; a K of `size` is 1024, one of `size1000` is 1000.
SLOTS: Final[Mapping[str, Slot]] = {
    "time": Slot("a time", _NUMBER + r"\s?+(?:[nuµμm]?s|m|h)", units.seconds, ended="s$"),
    "count": Slot("a count", "-?" + COUNT, count, r"[-+.,]?[0-9]\S*(?:\s\S+)?"),
    "rate": Slot("a rate", rf"{_NUMBER}[kM]?{_PER_SECOND}", _rate, ended=r"\.[0-9][0-9]$"),
    "size": Slot("a size", _SIZE, _size, ended="B$"),
    "size1000": Slot("a size", _SIZE, partial(_size, base=1000), ended="B$"),
    "number": Slot("a number", rf"[-+]?{_NUMBER}", units.number, r"[-+.,]?[0-9]\S*"),
    "percent": Slot("a percentage", rf"{_NUMBER}\s?+%", units.percent, ended="%$"),
    "ms": Slot("a time", _NUMBER, partial(units.scaled, factor="1e-3"), exact=True),
    "decimal": Slot("a number", r"[0-9]++\.[0-9]++", units.number, exact=True),
    "share": Slot("a percentage up to 100", r"[0-9]{1,3}(?:\.[0-9]++)?%", share, exact=True),
    "whole": Slot("a count", COUNT, count, exact=True),
    "counts": Slot("names with counts", r"[A-Za-z]\w*+\s-?[0-9]++(?>(?:,\s\w++\s-?[0-9]++)*)"),
    "word": Slot("a word", r"\S++", exact=True),
    "url": Slot("a URL", r"[^\s|\\<>]++", exact=True),
    "rest": Slot("words", r"\S.*+", exact=True),
}


class Form:
    """One of the ways in which a line is printed.

    Attributes:
        slots: Its slots by name.
        last: The slot with which it ends, if it may end with one.
        opening: The word with which it begins, and the blank behind it; or nothing.
        begin_small: That word in small letters, where letters may be small or large; or nothing.
        word: A word that stands in it, whatever its figures are; or nothing.
        other: Pattern of what else tells it, large or small; or nothing. Of letters alone it is a
            word that does.
        has_word: Whether it is told by a word, large or small: quick to look for.
        has: Looks in a text for that; None where there is nothing.
        has_small: The same in a text of ASCII and small letters, which is far quicker.
    """

    def __init__(
        self,
        template: str,
        slots: Mapping[str, Slot],
        *,
        any_case: bool,
        has: str = "",
        before: str = "",
    ) -> None:
        parts = re.split(r"\{(\w+):(\w+)\}", template)
        words = [re.sub(r" (\?)?", lambda m: r"\s*+" if m[1] else r"\s++", w) for w in parts[::3]]
        self.slots = {
            name: slots[kind] for name, kind in zip(parts[1::3], parts[2::3], strict=True)
        }
        self._strict = self._loose = words[0]
        self._known = next((known for word in words if (known := _ungrouped(word))), "")
        for at, (name, slot) in enumerate(self.slots.items(), start=1):
            free = r"\S.*+" if not words[at] and at == len(self.slots) else r"\S+"
            if slot.exact or not self._loose:
                free = slot.opening or slot.strict
            self._strict += f"(?P<{name}>{slot.strict}){words[at]}"
            self._loose += f"(?P<{name}>{free}){words[at]}"
        self._before = before
        self.last = slots[parts[-2]] if self.slots and _may_be_nothing(words[-1]) else None
        self._flags = re.IGNORECASE if any_case else re.NOFLAG
        opening = re.match(r"[A-Za-z]++ ?", template)
        self.opening = opening[0] if opening else ""
        begin = re.match(r"[A-Za-z]++(?![?*{])", template) if any_case and not before else None
        self.begin_small = begin[0].lower() if begin else ""
        word = _longest_word(parts[::3])
        self.word = "" if any_case else word
        self.other = has or word * any_case
        self.has_word = self.other.isalpha() if self.other else bool(word)
        self.has = re.compile(self.other, re.IGNORECASE).search if self.other else None
        self.has_small = re.compile(_in_small(self.other)).search if self.other else None
        first = re.match(r"[A-Za-z]{1,2}(?![?*{])|#(?![?*{])|\[\^?[^\]]+\]", template)
        opens = None if words[0] else next(iter(self.slots.values()))
        self._counts = opens is SLOTS["count"]
        number = "[-+.,0-9]" if opens and opens.read else ""
        self._first = first[0] if first else (opens and opens.first) or number
        self._begin = re.compile("" if before else self._first, self._flags)

    @cached_property
    def strict(self) -> re.Pattern[str]:
        """Pattern of the whole line as it should be."""
        return re.compile(self._before + self._strict, self._flags)

    @cached_property
    def loose(self) -> re.Pattern[str]:
        """Pattern of how the line begins, whatever its figures are."""
        return re.compile(self._before + self._loose + r"(?!\S)", self._flags)

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether what stands behind it, or where a piece ends, may make it another line."""
        return "(?!" in self._strict or r"\n" in self._strict

    @property
    def has_rest(self) -> bool:
        """Whether the line ends with words, and so where the next begins."""
        return self.last is SLOTS["rest"]

    @property
    def within(self) -> str:
        """The strict pattern to search in a paragraph: no groups, and no words at its end."""
        known = self._strict[: self._strict.rindex("(?P<")] if self.has_rest else self._strict
        known = _NO_THOUSANDS * self._counts + self._before + known
        return self._unnamed(known) + r"(?![\w%]|[.,][0-9])" * (not self.has_rest)

    @property
    def label(self) -> str:
        """The pattern of its first words: no groups."""
        return self._unnamed(self._known)

    def find_other(self, text: str, start: int) -> int:
        """Return where in a text something else than a word of it stands, -1 where nothing does."""
        matched = self.has(text, start) if self.has else None
        return -1 if matched is None else matched.start()

    def anywhere(self, *, loose: bool) -> re.Pattern[str]:
        """Pattern of the line in a longer text, or with `loose` of the words of it."""
        return self._words if loose else self._anywhere

    @cached_property
    def _words(self) -> re.Pattern[str]:
        # Without the blanks before it: looked for, they would be, at each of many.
        known = self._known.removeprefix(r"\s++").removeprefix(r"\s*+")
        has = self.word or self.other or known
        return re.compile(self._unnamed(known if _LETTERS.search(known) else has))

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        # One that begins with a figure does not begin in the middle of one; to look for that at
        # each character takes long.
        first = f"(?=({'?i:' if self._flags else '?:'}{self._first}))" if self._first else ""
        begin = "" if self.opening else first + NOT_WITHIN
        return re.compile(begin + self._unnamed(self._strict))

    def _unnamed(self, pattern: str) -> str:
        plain = re.sub(r"\(\?P<\w+>", "(?:", pattern)
        if not self._flags:
            return f"(?:{plain})"
        first = self.opening[:1]
        letter = f"[{first.upper()}{first.lower()}]" if first else ""
        return f"{letter}(?i:{plain[len(first) :]})"

    def may_begin(self, letters: str) -> bool:
        """Whether a line may begin with two letters, as far as that is cheap to tell."""
        return self._begin.match(letters) is not None

    def may_be_in(self, text: str, small: str) -> bool:
        """Whether what tells it is in a text, which is given in small letters, too."""
        if self.word not in text:
            return False
        if self.has and self.has_word:
            return self.other.lower() in small
        return self.has is None or self.has(text) is not None

    def match(self, line: Line, piece: Piece) -> ReportLine | None:
        """Return a piece of text as a line in this form, None where it is another."""
        number, text = piece[0], piece[1]  # thrice as quick
        strict = self.strict.fullmatch(text)
        matched = strict or self.loose.match(text)
        if matched is None:
            return None
        return ReportLine(line, self, matched, number, strict is not None)


def _ungrouped(pattern: str) -> str:
    """Return what of a pattern stands before its first group."""
    before = _BEFORE_GROUPS.match(pattern)
    return before[0] if before else ""


def _may_be_nothing(pattern: str) -> bool:
    """Whether nothing need stand where a pattern does; groups may end in it."""
    try:
        return re.fullmatch(re.sub(r"^\)[)?+]*+", "", pattern), "") is not None
    except re.error:  # one of several that are separated in it
        return False


def _longest_word(words: Sequence[str]) -> str:
    """Return the longest word of all that stand outside of groups and sets."""
    template, nested = "#".join(words), ""
    while template != nested:
        template, nested = _NESTED.sub("#", template), template
    return max(re.findall(r"[A-Za-z]++(?![?*{])", template), key=len, default="")


def _in_small(pattern: str) -> str:
    """Return a pattern with its letters small, but for those that a backslash stands before."""
    return re.sub(r"(?<!\\)[A-Z]", lambda letter: letter[0].lower(), pattern)


class Line:
    """A line of a report, as a tool prints it.

    Attributes:
        has_words: Whether a word stands in each of the ways in which it is printed.

    Args:
        templates: The ways in which it is printed.
        slots: Slots of its own, by the name in the template.
        any_case: Whether letters may be small or large.
        repeats: Whether several may follow one another.
        again: Whether it is of a part that may stand there again: such a line may follow
            any other.
        late: Whether it may stand further down than it should, where there was none.
        foreign: So many lines that are none of the report may stand above it.
        blank: So many blank lines may.
        ended: Pattern of how it ends where nothing of it can be cut off, where its last slot
            does not tell.
        has: Pattern of what stands in it, large or small, where the templates have no word; quick
            to look for.
        before: Pattern of what may stand before it in its line; where it begins is told without.
    """

    def __init__(
        self,
        *templates: str,
        slots: Mapping[str, Slot] | None = None,
        any_case: bool = False,
        repeats: bool = False,
        again: bool = False,
        late: bool = False,
        foreign: int = 3,
        blank: int = 3,
        ended: str | None = None,
        has: str = "",
        before: str = "",
    ) -> None:
        known = {**SLOTS, **(slots or {})}
        self.forms = tuple(
            Form(form, known, any_case=any_case, has=has, before=before) for form in templates
        )
        self.repeats, self.again, self.late = repeats or again, again, late
        self.foreign, self.blank, self.ended = foreign, blank, ended
        self.has_words = all(form.has_word for form in self.forms)

    def match(self, piece: Piece) -> ReportLine | None:
        """Return a piece of text as this line, None where it is another."""
        return next(filter(None, (form.match(self, piece) for form in self.forms)), None)


@dataclass(slots=True, unsafe_hash=True)  # frozen ones take thrice as long to make
class ReportLine:
    """A line that was recognised, by number `number` of the text, from 0.

    Attributes:
        at: Which piece of the text it is, once it is in a report.
    """

    line: Line
    form: Form
    match: re.Match[str]
    number: int
    strict: bool
    at: int = field(default=0, compare=False)

    def __getitem__(self, name: str) -> str:
        return self.match[name] or ""

    @property
    def text(self) -> str:
        """The line without what stands behind it."""
        return self.match[0]

    @property
    def figures(self) -> tuple[Line | str, ...]:
        """The line, and what it has at its places: alike wherever a report is shown."""
        return (self.line, *(" ".join(part.split()) for part in self.match.groups(default="")))

    @property
    def is_ended(self) -> bool:
        """Whether nothing can be cut off behind what is there of it."""
        last, ended = self.form.last, self.line.ended
        if ended is None:
            open_end = last and self.match.end([*self.form.slots][-1]) == len(self.text)
            ended = last.ended if last and open_end else ""
        return ended is not None and re.search(ended, self.text) is not None

    def read(self, name: str, *, least: float = 0.0) -> float:
        """Return the figure in a slot in base units.

        Raises:
            InputError: it is none, or below `least`.
        """
        slot = self.form.slots[name]
        return self.figure(self[name], slot.expected, slot.read or units.number, least=least)

    def keep(
        self, record: RunRecord, metric: str, statistic: str, slot: str, *, unit: str = ""
    ) -> None:
        """Add the figure in a slot to those of a run; raises InputError as `read` does."""
        record.figure(metric, statistic, self.read(slot), unit=unit, printed=self[slot])

    def figure(
        self, printed: str, expected: str, read: Callable[[str], float], *, least: float = 0.0
    ) -> float:
        """Return a figure of a part of the line; `expected` and `read` as for a slot."""
        try:
            value = read(printed)
        except ValueError:
            raise self.error(expected, printed) from None
        if value < least:
            raise self.error(expected, printed)
        return value

    def error(self, expected: str, actual: str) -> InputError:
        """Return the error that something else stands on this line."""
        return InputError(
            f"{expected} in this line of the report",
            actual=actual,
            where=Where(line=self.number + 1),
            hint="the report is damaged; run the test again or restore the line",
        )
