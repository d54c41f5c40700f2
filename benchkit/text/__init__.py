"""Bytes of unknown origin to clean lines with their numbers.

Results reach benchkit through shells, editors, chat windows and web pages.
This module undoes what those do to text: byte-order marks, UTF-16, line ends,
progress bars, colour codes, indentation, quoting and comment marks.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from benchkit.text.logmarks import without_marks
from benchkit.text.pieces import Piece, joined

_Made = TypeVar("_Made")

_ESCAPE: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|\x1b\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)?"  # OSC: titles, links
    r"|\x1b[@-Z\\-_]"
)
#: What readline prints to erase the rest of a line, or some characters of it; other sequences.
_ERASING: Final = r"\x1b\[(?:0?K|[0-9]{0,4}P)"
_TYPED: Final = re.compile(rf"{_ERASING}|[^\n\b\x1b]++|[^\n]")
_OTHERS: Final = re.compile(rf"(?!{_ERASING})(?:{_ESCAPE.pattern})")
_LONGEST_TYPED: Final = 4096
_CLEARED: Final = "\x1b[2J"
_PREFIX: Final = re.compile(r"(?:\s|>|//+|#+(?=\s|$)|[*-](?=\s))+")
_BREAK: Final = re.compile(r"</?(?:br|p|div)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?(?:pre|code|details|summary|span)\b[^<>]*>", re.IGNORECASE)
# With its semicolon only: `?a=1&copy=2` is a query.
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_BOMS: Final = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
#: What printed text or the recording of a terminal may have: all but most control characters. A NUL
#: is among it: a crashed machine leaves whole holes of them in its logs, PowerShell one behind each
#: character that it appends.
_OF_TEXT: Final = bytes([*b"\0\a\b\t\n\f\r\x0e\x0f\x1b", *range(0x20, 0x7F), *range(0x80, 0x100)])
#: Of a text at most one byte in so many is another. Of what is compressed one in eleven is, and
#: `ab -v` prints such answers above its report.
_BYTES_PER_CONTROL: Final = 8
#: So many bytes tell by a NUL that a file is no text, unless it is in what was lost on a disk.
_HEAD: Final = 4096
_HOLE: Final = re.compile(rb"\0{64,}+")
#: Of more bytes that are no characters nobody wants to know each.
_MOST_NAMED: Final = 10_000


def decode(data: bytes | memoryview) -> str | None:
    r"""Return the text of a file, or None where the bytes are not text.

    UTF-16 and UTF-32 are recognised by their byte-order mark, UTF-16 without one by the NULs of
    its ASCII characters. No text is what has a NUL near its begin, unless in a hole, or very many
    control characters. Bytes that are no characters come back as `\xNN`, very many as U+FFFD.
    """
    raw = bytes(data)
    for mark, codec in _BOMS:
        if raw.startswith(mark):
            return _decoded(raw, codec)
    head = raw[:_HEAD]
    left = _HOLE.sub(b"", raw.rstrip(b"\0")[:_HEAD]) if b"\0" in head else head
    if b"\0" not in left and (left or not raw):
        return None if _is_binary(raw) else _decoded(raw, "utf-8")
    for odd, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
        if head[odd::2].count(0) > 0.4 * len(head) and 0 not in head[1 - odd :: 2]:
            return _decoded(raw, codec)
    return None


def _is_binary(raw: bytes) -> bool:
    """Whether too many bytes for a text, but for NULs, are control characters."""
    controls = len(raw.translate(None, delete=_OF_TEXT))
    return controls * _BYTES_PER_CONTROL > len(raw) - raw.count(0)


def _decoded(raw: bytes, codec: str) -> str:
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        text = raw.decode(codec, errors="replace")
    # Names are not so long, and four characters of ASCII in place of each byte take their time.
    if text.count("\ufffd") > _MOST_NAMED:
        return text
    return raw.decode(codec, errors="backslashreplace")


#: In one text: so many of a hundred bytes each take a second.
MOST_REPORTS: Final = 2000


class Section(NamedTuple):
    """Lines that stand by themselves in a text, such as what one of several services printed.

    Attributes:
        first: The first line; nothing stands on that above it, nor on that below the last.
        names: Of what they are about, the outermost first.
        above: The line above them and those with other names beside them.
    """

    first: int
    last: int
    names: Sequence[str]
    above: int


@dataclass(frozen=True)
class Text:
    """A text as lines; all line numbers count from 0.

    Attributes:
        lines: The lines without escape sequences, line ends, and what a log wrote before them.
        sections: An outer one before those in it.
        ends: The lines, in order, with which a text within this one ends and may be cut off.
    """

    lines: Sequence[str]
    sections: Sequence[Section] = ()
    ends: Sequence[int] = ()

    @classmethod
    def from_text(
        cls, text: str, sections: Sequence[Section] = (), ends: Sequence[int] = ()
    ) -> Text:
        r"""Return the lines of `text`; of an overwritten line, what a terminal shows.

        A form feed, `\f`, stands where the screen was cleared.
        """
        return cls(without_marks(lines_of(text)), sections, ends)

    def note_more(self, last: int) -> None:
        """Note that there are more than `MOST_REPORTS` reports, below a line from 0."""
        # Of each tool so many are looked for; of all of them together fewer may be read.
        read = f"of one text {MOST_REPORTS:,} reports are read"
        self.unread[:] = [note for note in self.unread if not note.startswith(read)]
        self.unread.append(f"{read}; below line {last + 1} are more")

    @cached_property
    def bare(self) -> Sequence[str]:
        """The lines without indentation, quote and comment marks, and HTML tags."""
        return [bare(line) for line in self.lines]

    @cached_property
    def repaired(self) -> Sequence[Piece]:
        """The clean lines that parsers of printed reports read, in their order.

        One line of the file may give several, or none.
        """
        from benchkit.text.repair import pieces  # its patterns take long to compile

        return pieces(self.lines, self.unread)

    @cached_property
    def shown(self) -> str:
        """The clean lines as one text, to look for something in all of them at once."""
        return joined(self.repaired)

    def anew(self) -> Text:
        """Return the same text, its lines repaired, in which nobody has looked for anything."""
        text = Text(self.lines, self.sections, self.ends)
        vars(text).update(repaired=self.repaired, shown=self.shown)
        return text

    @cached_property
    def unread(self) -> list[str]:
        """What parsers left out as too much, for notes; they add to it."""
        return []

    def leave(self, lines: tuple[int, int]) -> None:
        """Take lines, given by first and last, that are no report for a part of one."""
        self.reported.discard(lines)
        self.rests.append(lines)

    @cached_property
    def reported(self) -> set[tuple[int, int]]:
        """First and last line of each report; grammars add to it."""
        return set()

    @cached_property
    def rests(self) -> list[tuple[int, int]]:
        """First and last line of each part of a tool's report that is in none of its reports."""
        return []

    @cached_property
    def printed(self) -> set[int]:
        """Lines that read like those of a report, in one or not; grammars add to it."""
        return set()

    @cached_property
    def openings(self) -> set[str]:
        """Patterns of the words with which lines of such reports begin; grammars add to it."""
        return set()

    def ends_line(self, piece: Piece) -> bool:
        """Whether a piece goes to the end of its line: repair took nothing away behind it."""
        return bool(piece.text) and self.lines[piece.number].rstrip().endswith(piece.text[-1])

    def end_below(self, number: int) -> int:
        """Return the last line of the text within this one in which a line stands."""
        following = bisect_left(self.ends, number)
        return self.ends[following] if following < len(self.ends) else len(self) - 1

    def once(self, make: Callable[[Text], _Made]) -> _Made:
        """Return the result of a function of the text: computed once, for all who read it."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]  # type: ignore[no-any-return]

    @cached_property
    def _made(self) -> dict[Callable[[Text], Any], Any]:
        return {}

    def __len__(self) -> int:
        return len(self.lines)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as a terminal shows them, with what a log wrote before them."""
    if "\b" in text:
        text = _without_backspaces(text)
    if "\x1b" in text:
        text = _ESCAPE.sub("", text.replace(_CLEARED, "\f"))
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        if "\n" not in text:
            text = text.replace("\r", "\n")
        shown = (reversed(line.split("\r")) for line in text.split("\n"))
        return [next(filter(str.strip, parts), "") for parts in shown]
    return text.split("\n")


def _without_backspaces(text: str) -> str:
    """Return a text as a terminal shows it where characters were written over others.

    In a line that is too long to be typed they are taken out.
    """
    lines = text.split("\n")
    short = (_overwritten(ln) if "\b" in ln and len(ln) <= _LONGEST_TYPED else ln for ln in lines)
    return "\n".join(short).replace("\b", "")


def _overwritten(line: str) -> str:
    shown: list[str] = []
    at = 0
    for part in _TYPED.findall(_OTHERS.sub("", line) if "\x1b" in line else line):
        if part == "\b":
            at = max(at - 1, 0)
        elif part[0] == "\x1b" and len(part) > 1:
            stop = at + int(part[2:-1] or 1) if part[-1] == "P" else len(shown)
            del shown[at:stop]
        else:
            shown[at : at + len(part)] = part
            at += len(part)
    return "".join(shown)


def bare(line: str) -> str:
    """Return a line without indentation, quote and comment marks, and HTML tags.

    The blanks that a page keeps from breaking are common ones.
    """
    if "<" in line:
        line = _TAG.sub("", _BREAK.sub(" ", line))
    if "&" in line:
        line = _ENTITY.sub(lambda entity: html.unescape(entity[0]), line)
    if "\xa0" in line:
        line = line.replace("\xa0", " ")
    matched = _PREFIX.match(line)
    return (line[matched.end() :] if matched else line).rstrip()
