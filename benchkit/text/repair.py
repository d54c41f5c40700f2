"""Undoes what pages, logs, chats and editors do to printed reports, whatever tool printed them.

Each step takes the lines of a text and returns them with one kind of damage less; what
a step does not understand it leaves as it is. Steps that make lines appear are taken
again, as there may be other damage below: a quoted mail in a table in a JSON string.
What was run together or wrapped anew stays so: only who knows the lines of a report can
tell where one begins.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from benchkit.text.columns import in_one_column, side_by_side
from benchkit.text.inline import as_printed
from benchkit.text.markup import without_marks, without_tags
from benchkit.text.pieces import Piece, are_thin, changed, joined, weight
from benchkit.text.prefixes import without_prefixes
from benchkit.text.quoted import unquoted

__all__ = ["Piece", "pieces"]

#: Blanks of other scripts and of web pages, and what they put between letters without showing it.
_CHARACTERS: Final = (
    dict.fromkeys((0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)), " ")
    | dict.fromkeys((0x2028, 0x2029, 0x202F, 0x205F, 0x3000), " ")
    | dict.fromkeys((0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xFE0F, 0xFEFF))
    | {0xFF1A: ":"}
)
_UNCOMMON: Final = re.compile(f"[{''.join(map(chr, _CHARACTERS))}]")
_THIN: Final = re.compile(r"(?<=[0-9])[\u2009\u202f](?=[0-9]{3}(?![0-9]))")
#: `[0m`, whose escape character was lost; but `[5ms, 10ms]` is an interval.
_COLOUR: Final = re.compile(
    r"(?:\x1b|\^\[|\\(?:e|033|x1b|u001[bB]))\[[0-9;]{0,9}m|\[[0-9;]{1,9}m(?![0-9a-zµ.]{0,8}+[,\]])"
)
#: Keys that a terminal echoes before a line; `^C` alone tells that a run was interrupted.
_ECHO: Final = re.compile(r"^\s*(?:\^(?:\[\[[A-D0-9;~FH]{1,5}|[@-_]))+\s*(?=\S)")
#: Box characters whose UTF-8 was taken for code page 850, 437 or 1252.
_BOX: Final = re.compile("[ÔΓâ](?:(?<=[ÔΓ])ö|(?<=â)”)(?:((?<=ö)é|(?<=”)\u201a)|.)")
#: A µ that did not survive.
_MICRO: Final = re.compile(r"(?<=[0-9])\s?(?:Âµ|Î¼|┬╡|\\xb5|\?|\ufffd)s(?=[\s,;|)\]]|$)")
#: No other text has anything of what is made common characters. A set comes first, as a search
#: passes over what is not in it at once.
_ODD: Final = re.compile(
    r"[\^\x1b\\\[?ÂÎÔΓâ┬\x85\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u3000\ufe0f\ufeff\uff1a\ufffd]"
    r"(?:(?<=[^\^\\\[?┬\ufffd])|(?<=\^)[@-_]|(?<=\\)(?:(?:e|033|x1b|u001[bB])\[|xb5s)"
    r"|(?<=\[)[0-9;]{1,9}m|(?<=[?\ufffd])s|(?<=┬)╡)"
)
#: A line in emphasis, or as code.
_WHOLE: Final = re.compile(r"(\*{1,3}+|`{1,2}+)([^*`]++)\1")
#: Where a page made from a template ends code, `{% endhighlight %}`.
_END_TAG: Final = re.compile(r"\{%-?+\s?end[a-z]{1,20}+\s?-?%\}$")
#: What may end a line that begins as it was printed.
_ENDS: Final = frozenset("\\`}")
_MOST_ROUNDS: Final = 4
_ISOLATED: Final = 6
#: So many lines with blank ones between.
_SPACED: Final = re.compile(rf"^(?:.++\n\n++){{{_ISOLATED - 1}}}.", re.MULTILINE)
#: So many lines the steps may look at, all together, and one more for each character: two rounds
#: over the shortest lines of reports are less.
_LEAST_WORK: Final = 100_000
_MUCH: Final = "more damage than is undone in a text of its length: reports may be left out"
#: Of more blank lines in a row nothing tells that these do not.
_MOST_BLANK: Final = 6000

#: From the lines, and what they say as one text, to the lines; the same ones if nothing is to do.
#: What a step made of lines, whatever stands around them, it may keep in the mapping, for when it
#: is taken again; of a line in which it has nothing to do, the line.
Step = Callable[[Sequence[Piece], str, dict[str, str]], Sequence[Piece]]


def pieces(lines: Sequence[str], unread: list[str]) -> Sequence[Piece]:
    """Return the clean lines of a text, in order; reports side by side one after the other.

    A step returns what it was given where there is nothing for it to do, and what it
    returned itself it would not change. Lines that become too many to be looked into
    are not repaired further; where that is too much work, `unread` is told.
    """
    written = whole = "\n".join(lines)
    shown: Sequence[Piece] = Piece.numbered(lines)
    if "\n" * _MOST_BLANK in whole:
        shown = list(_without_deserts(shown))
        whole = joined(shown)
    work = _LEAST_WORK + len(written)
    done: dict[Step, Sequence[Piece]] = {}
    known: defaultdict[Step, dict[str, str]] = defaultdict(dict)
    for _ in range(_MOST_ROUNDS):
        uncovered = False
        for step in _STEPS:
            if done.get(step) is not shown:
                work -= len(shown)
                if work < 0:
                    unread.append(_MUCH)
                    return as_printed(shown, whole)
                before, shown = shown, step(shown, whole, known[step])
                done[step] = shown
                if shown is not before:
                    uncovered |= step in _UNCOVERING
                    whole = joined(shown)
                    if are_thin(weight(whole.split("\n")), written):
                        return shown
        if not uncovered:
            break
    return as_printed(shown, whole)


def _without_deserts(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the lines; of very many blank ones in a row, many."""
    blank = 0
    for piece in pieces:
        blank = 0 if piece.text else blank + 1
        if blank <= _MOST_BLANK:
            yield piece


def _in_common_characters(
    pieces: Sequence[Piece], whole: str, known: dict[str, str]
) -> Sequence[Piece]:
    """Return the lines with common blanks, and without what a terminal does not show."""
    return changed(pieces, whole, _ODD, _shown, known)


def _shown(line: str) -> str:
    # A line may be the whole text: a look for a character takes a hundredth of a pattern's time.
    if not line.isascii():
        if _UNCOMMON.search(line):
            line = _THIN.sub("", line).translate(_CHARACTERS)
        if "Ô" in line or "Γ" in line or "â" in line:
            line = _BOX.sub(lambda box: "│" if box[1] else "─", line)
    line = _MICRO.sub("us", line)
    if "[" in line:
        line = _COLOUR.sub("", line)
    return _ECHO.sub("", line) if "^" in line else line


def _stripped(pieces: Sequence[Piece], _: str, sound: dict[str, str]) -> Sequence[Piece]:
    """Return the lines without marks before them and blanks around them."""
    shown: list[Piece] | None = None
    for at in [at for at, (_, text) in enumerate(pieces) if text not in sound]:
        number, text = pieces[at]
        line = text.strip()
        if line and not (line[0].isalnum() and line[-1] not in _ENDS):
            line = _bare(text)
        if line == text:
            sound[line] = line
        else:
            shown = shown or list(pieces)
            shown[at] = Piece(number, line)
    return shown or pieces


def _bare(line: str) -> str:
    line = without_marks(line).rstrip()
    if line[-1:] == "\\":
        line = line[:-1].rstrip()  # Markdown's line break
    elif line.endswith("```") and line[:1] != "`":
        line = line.rstrip("`").rstrip()  # a fence that was to stand below
    elif line[-2:] == "%}":
        line = line[: line.rindex("{%")].rstrip() if _END_TAG.search(line[-40:]) else line
    whole = _WHOLE.fullmatch(line) if line[:1] in {"*", "`"} else None
    return whole[2].strip() if whole else line


def _dense(pieces: Sequence[Piece], whole: str, _known: dict[str, str]) -> Sequence[Piece]:
    """Return the lines without the blank ones between all lines of a stretch."""
    if not _SPACED.search(whole):
        return pieces
    listed: list[Piece] = []
    stretch: list[Piece] = []
    above = ""
    for piece in pieces:
        if piece.text and above:
            listed += _closed(stretch)
            stretch = []
        stretch.append(piece)
        above = piece.text
    listed += _closed(stretch)
    return listed if len(listed) < len(pieces) else pieces


def _closed(stretch: Sequence[Piece]) -> Sequence[Piece]:
    """Return a stretch of single lines with every second blank line gone."""
    if len(stretch) < 2 * _ISOLATED - 1 or sum(bool(text) for _, text in stretch) < _ISOLATED:
        return stretch
    kept: list[Piece] = []
    gap: list[Piece] = []
    for piece in stretch:
        if piece.text:
            kept += [*gap[: (len(gap) - 1) // 2], piece]
            gap = []
        else:
            gap.append(piece)
    return [*kept, *gap]


#: Below what these take away there may be other damage.
_UNCOVERING: Final[tuple[Step, ...]] = (
    *(unquoted, without_prefixes, without_tags, side_by_side, _dense, in_one_column),
)
_STEPS: Final[tuple[Step, ...]] = (
    *(_in_common_characters, unquoted, side_by_side, without_prefixes, without_tags, _stripped),
    *(unquoted, without_prefixes, _stripped, _dense, in_one_column),
)
