r"""Reports in strings: of JSON, of a shell, of the source of a program.

A string with `\n` in it holds several lines; a list of strings, or strings that are
joined with `+`, one each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from benchkit.text.pieces import Piece

_QUOTES: Final = "\"'`"
_MARK: Final = re.compile("[\"'`\\\\]")
#: What a line has that is in a string, or has one, unless the string began above.
_OF_STRING: Final = re.compile(r"[\"'`]|\\[\\rn]")
#: A string; one that never ends goes to the end of its line.
_STRING: Final = re.compile(
    r"(?<!\w)(?:[rbfu]{1,2})?"
    r"(?:\"((?>(?:[^\"\\]++|\\.)*))(?:\"|\\?$)|'((?>(?:[^'\\]++|\\.|(?<=[0-9])'(?=[0-9]))*))(?:'|\\?$)|`((?>(?:[^`\\]++|\\.)*))(?:`|\\?$))"
)
_LINE_END: Final = re.compile(r"(?<!\\)\\++(?:r\\++)?n")
_ENTITY: Final = re.compile(r"&(?:quot|#x27|#39|#34);")
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|033|.)", re.DOTALL)
_CHARACTERS: Final = {"n": "\n", "r": "", "t": "\t", "e": "\x1b", "033": "\x1b"}
#: What stands before the only string of a line: nothing, an operator, a call, a command.
_BEFORE: Final = re.compile(r"\s*+(?:[\w.$:<-]{0,60}\s*+[=:(\[{,+<]++\s*+|echo\s++)?[rbfu]{0,2}$")
_AFTER: Final = " \t+,;.)]}\\"
#: Where a string of several lines begins that goes on below: behind `=`, or with three quotes.
_OPENING: Final = re.compile(
    r"(?:[\w.$\s-]{0,60}[=:(\[{,]\s*|\s*(?=[rbf]?(?:\"\"\"|\'\'\')))[rbfu]{0,2}(\"\"\"|\'\'\'|[\"\'`])"
)
_CLOSING: Final = ('"""', "'''", '"', "'")
_FEWEST: Final = 3
#: A string as a value of an object, or the first of a list.
_JSON: Final = re.compile(r'"\s*+:\s*+\[?"|^\s*+\[\s*+"')


def unquoted(pieces: Sequence[Piece], whole: str, sound: dict[str, str]) -> Sequence[Piece]:
    r"""Return the lines within strings in place of the strings.

    That is where a string has two `\n` or more, where three lines or more are one
    string each, and where a string has its ends on two lines.
    """
    if not _MARK.search(whole):
        return pieces
    listed: list[Piece] = []
    run: list[tuple[Piece, str]] = []
    opened = ""
    for piece in pieces:
        text = piece[1]  # thrice as quick as by its name
        plain = not _MARK.search(text) if opened else _is_plain(text, sound)
        if plain and (text or not run):
            if run:
                listed += _settled(run)
                run = []
            listed.append(piece)
            continue
        above, lines, inner = opened, [piece], _only_string(piece.text)
        if inner is None:
            opened, lines = _unfolded(piece, opened)
            if len(lines) == 1 and (not piece.text or lines[0] is not piece):
                inner = _only_string(lines[0].text) if piece.text or not run else ""
        if inner is not None:
            run.append((lines[0], inner))
        else:
            if not above and not opened and lines == [piece]:
                sound[piece.text] = piece.text
            if run:
                listed += _settled(run)
                run = []
            listed += lines
    listed += _settled(run)
    return listed if listed != pieces else pieces


def _is_plain(line: str, sound: dict[str, str]) -> bool:
    """Whether a line has nothing of a string to undo, or is one of those; if so it is added."""
    if line in sound:
        return True
    if _OF_STRING.search(line) and _may_be_undone(line):
        return False
    sound[line] = line
    return True


def _may_be_undone(line: str) -> bool:
    r"""Whether a line with a quote has two `\n`, ends with a string, or begins one that goes on."""
    ends = line.rstrip(_AFTER)[-1:] in _QUOTES
    return ends or line.count("\\n") > 1 or _OPENING.match(line) is not None


def _settled(run: Sequence[tuple[Piece, str]]) -> list[Piece]:
    if sum(bool(piece.text) for piece, _ in run) >= _FEWEST:
        return [Piece(p.number, line) for p, inner in run for line in inner.split("\n")]
    return [line for piece, _ in run for line in _unfolded(piece, "")[1]]


def _only_string(line: str) -> str | None:
    """Return what the string says that is all of a line, without a line end behind it."""
    rest = line.rstrip(_AFTER)
    quote = rest[-1:]
    if not quote or quote not in _QUOTES:
        return None
    first = rest.find(quote)
    inner = rest[first + 1 : -1]
    if first == len(rest) - 1 or not _BEFORE.match(rest[:first]):
        return None
    echoed = rest.lstrip().startswith("echo")  # where whoever wrote that forgot some
    if quote in inner and not echoed and re.search(rf"(?<!\\){quote}", inner):
        return None
    return _unescaped(inner).removesuffix("\n")


def _unfolded(piece: Piece, opened: str) -> tuple[str, list[Piece]]:
    """Return the quote of a string of several lines that is open behind a line, and its lines.

    Where such a string begins in another by the same quote, that has lost its end.

    Args:
        piece: A line.
        opened: The quote by which such a string began above, or nothing.
    """
    number, line = piece
    if _escaped_ends(line) > 1:
        return opened, [Piece(number, part) for part in _split(line)]
    rest = line.rstrip(_AFTER)
    opening = _OPENING.match(line)
    if opening and opened not in {"", opening[1]}:
        opening = None
    if opening and not opened and opening.end() == len(line):  # a report begins with a blank line
        return opening[1], []
    closing = ((opened,) if opened else _CLOSING) if rest[-1:] in _QUOTES else ()
    for quote in closing:
        if (
            rest.endswith(quote)
            and not rest.endswith(f"\\{quote}")
            and (opened or line.count(quote) == 1)
        ):
            return "", _lines(number, rest.removesuffix(quote), opened)
    if opening and opening[1] not in line[opening.end() :]:
        return opening[1], _lines(number, line[opening.end() :], opening[1])
    return opened, _lines(number, line, opened) if opened else [piece]


def _lines(number: int, inner: str, opened: str) -> list[Piece]:
    """Return the lines of a part of a string, which was wrapped if it has ends of lines in it."""
    if not inner or not opened or _ENTITY.search(inner):
        return [Piece(number, inner)]
    return [Piece(number, part) for part in _unescaped(inner).split("\n")]


def _escaped_ends(line: str) -> int:
    r"""Return how many `\n` a line has; none where its quotes are entities, which come first."""
    if "\\" not in line or (_ENTITY.search(line) and not _is_string(line)):
        return 0
    return len(_LINE_END.findall(line))


def _is_string(line: str) -> bool:
    """Whether all of a line is a string, but for what is assigned to: its quotes are its own."""
    rest = line.rstrip(_AFTER)
    first = rest.find(rest[-1:])
    return rest[-1:] in _QUOTES and 0 <= first < len(rest) - 1 and bool(_BEFORE.match(rest[:first]))


def _split(line: str) -> list[str]:
    """Return the lines in the strings of a line, and what stands between the strings."""
    parts: list[str] = []
    end = 0
    for string in _STRING.finditer(line):
        inner = string[string.lastindex or 0]
        if len(_LINE_END.findall(inner)) > 1:
            json = not string[0].endswith('"') and _JSON.search(inner)
            lines = _split(inner) if json else _unescaped(inner).split("\n")
            parts += [line[end : string.start()], "", *lines, ""]
            end = string.end()
    rest = line[end:]
    strings = any(_LINE_END.search(string[0]) for string in _STRING.finditer(rest))
    several = len(_LINE_END.findall(rest)) > 1 and not strings
    return [*parts, *(_unescaped(rest).split("\n") if several else [rest])]


def _unescaped(inner: str) -> str:
    return _ESCAPE.sub(_character, inner) if "\\" in inner else inner


def _character(escape: re.Match[str]) -> str:
    name = escape[1]
    if len(name) > 1 and name != "033":
        code = int(name[1:], 16)
        return "" if 0xD800 <= code < 0xE000 else chr(code)
    return _CHARACTERS.get(name, name)
