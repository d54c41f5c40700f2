"""Tables in text, and reports side by side: with bars between the cells, drawn lines, or tabs.

Of reports side by side one follows the other. A row of any other table becomes one
line, its cells two blanks apart; its rules become blank lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, islice, pairwise
from operator import itemgetter
from statistics import mode
from typing import Final, NamedTuple, TypeVar

from benchkit.text.markup import without_marks
from benchkit.text.pieces import Piece, are_thin, weight

_RULE: Final = re.compile(r"[-+|:=~\s─━┄┼├┤┌┐└┘┬┴╞╡╪═│┃║╔╗╚╝╠╣╦╩╬╭╮╯╰]*+")
_FRAME: Final = re.compile(r"(?=[^-=─━═]*[-=─━═])(?=[-=\s]*[^-=\s])" + _RULE.pattern)
#: With which character such a line begins.
_OF_RULES: Final = frozenset(
    "-+|:=~─━┄┼├┤┌┐└┘┬┴╞╡╪═│┃║╔╗╚╝╠╣╦╩╬╭╮╯╰ \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_FRAMES: Final = re.compile(r"[─━═+|](?:(?<=[─━═])| ?[-=:])")
#: Lines of a wiki's table that are no rows.
_WIKI: Final = re.compile(r"\{\||\|\}|\|-")
#: A rule of a drawn table, whose rows have a bar for each of its joints.
_DRAWN: Final = re.compile(r"[┌├└╔╠╚](?<!\S.)[─┬┼┴═╦╬╩]++[┐┤┘╗╣╝](?!\S)")
#: Two rules of tables that stand side by side.
_RULES: Final = re.compile(r"^[^\w\n]*([┌├└╔╠╚])[^\w\n]*\1", re.MULTILINE)
#: A row of a drawn table that does not stand on a line of its own.
_TORN: Final = re.compile(
    r"^(?![^\S\n]*+[│║┃┌├└╔╠╚].*[│║┃┐┤┘╗╣╝][^\S\n]*+$)(?=.*[│║┃┌├└╔╠╚])", re.MULTILINE
)
_JOINT: Final = re.compile("[^─═]")
_BAR: Final = re.compile("[│║┃]")
#: By the characters with which they begin; only a text with the first is looked at.
_SEPARATORS: Final = (
    ("\t", re.compile(r"\t")),
    ("║┃", re.compile(r"[║┃]")),
    # The bar first: a search passes over what is not it at once.
    ("|", re.compile(r"\|(?<!\\.)\|?")),
    ("│", re.compile(r"│")),
)
_BETWEEN_REPORTS: Final = ("|", "\t")
_DIGITS: Final = re.compile(r"[0-9]++(?:\.[0-9]++)?")
_WHOLE_LINE: Final = re.compile(r"(?=\D*\d)(?=.*?[^\W\d_]{2})\S+\s+\S")
#: What of the first word of a line stands before a digit, which may be another behind a separator.
_FIRST_WORD: Final = re.compile(r"[|│║* ]*+([^\s0-9|│║┃]*+)")
_LETTER: Final = re.compile(r"[^\W\d_]")
#: What a piece says.
_TEXT: Final = itemgetter(1)
_MOST_COLUMNS: Final = 20
_FEWEST: Final = 3
#: Behind so many words of a log a line begins at the latest.
_MOST_WORDS: Final = 6


#: A line of a report, no cell: a word and a figure, a figure before a word, or four figures.
_LINE: Final = re.compile(
    r"[\W_]*+(?:[^\W\d_]{2}.*[0-9]|[0-9]\S*+ [^\W\d_]{6})"
    r"|(?!.*[^\W\d_]{3})(?=.*[0-9])\s*+\S++(?:\s++\S++){3}"
)
#: A tab between a label, or a bracket, and what stands behind it in the same line of a report,
#: and a bar that a tool draws behind one.
_WITHIN: Final = re.compile(
    r"(?<=[:\]])\t(?= *+NaN|[-+0-9|\"]|[A-Z][a-z]++ (?:\"|\S++:))|(?<=\t)\|"
    r"|(?<=:)\t(?=\t *+[0-9]| {4} *+[0-9](?![0-9]?%))|(?<=:\t)\t(?= *+[0-9])"
)
_T = TypeVar("_T")
#: A stretch of lines, and what stands there instead.
_Other = tuple[int, int, Sequence[Piece]]
#: What stands for a line of which it is not told where one column ends and the next begins.
_UNCLEAR: Final = "…"


def side_by_side(pieces: Sequence[Piece], whole: str, _known: dict[str, str]) -> Sequence[Piece]:
    """Return the lines; of different reports that stand beside each other, one below the other."""
    shown = pieces
    for separator in _BETWEEN_REPORTS:
        if separator in whole:
            tables = _tables([*map(_TEXT, shown)], separator)
            shown = _replaced(shown, tables, partial(_beside, separator=separator))
    return shown if shown != pieces else pieces


def _beside(block: Sequence[Piece], separator: str) -> Sequence[Piece] | None:
    """Return two reports that stand beside each other, one below the other, if it is these."""
    if not _has_figures(block):
        return None
    rows = list(_cut([piece.text for piece in block], separator))
    columns = list(zip(*rows, strict=True))
    fewest_first = sorted(map(set, columns), key=len)
    if any(len(set(_kinds(lines))) < _FEWEST for lines in fewest_first):
        return None
    numbers = [piece.number for piece in block]
    return [
        Piece(number, part)
        for column in columns
        for number, part in [*zip(numbers, column, strict=True), (numbers[-1], "")]
    ]


def _kinds(column: Iterable[str]) -> Iterator[str]:
    """Yield the lines of reports, with 0 for their numbers: what a log writes is one of a kind."""
    return (_DIGITS.sub("0", line.strip()) for line in column if _LINE.match(line))


def _cut(lines: Sequence[str], separator: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of two columns: cut where all have a bar, or at their only one."""
    places = {line: [*_all_of(separator, line)] for line in set(lines)}
    cuts = [places[line] for line in lines]
    common, count = Counter(at for own in cuts for at in own).most_common(1)[0]
    in_line = 2 * count > len(lines)
    for line, own in zip(lines, cuts, strict=True):
        if in_line and common in own:
            between = [common]
        else:
            between = [at for at in own if len(own) == 1 or not _WITHIN.match(line, at)]
        if len(between) == 1:
            yield line[: between[0]], line[between[0] + 1 :]
        else:
            yield (_UNCLEAR, _UNCLEAR) if own else ("", "")


def _all_of(character: str, line: str) -> Iterator[int]:
    """Yield where a character stands in a line."""
    at = line.find(character)
    while at >= 0:
        yield at
        at = line.find(character, at + 1)


def in_one_column(pieces: Sequence[Piece], whole: str, _known: dict[str, str]) -> Sequence[Piece]:
    """Return the lines without bars and tabs between cells."""
    shown = pieces
    if _DRAWN.search(whole) and _TORN.search(whole) and not _RULES.search(whole):
        shown = list(_unwrapped(pieces, whole))
    if _FRAMES.search(whole):
        shown = [p for p in shown if p[1][:1] not in _OF_RULES or not _FRAME.fullmatch(p[1])]
    separators = {separator: begin for begin, separator in _SEPARATORS if begin[0] in whole}
    texts = [*map(_TEXT, shown)] if separators else []
    cut = {each: [*_tables(texts, begin, each)] for each, begin in separators.items()}
    rows = {each: _Known(partial(_Row.from_line, separator=each)) for each in separators}
    for _ in separators:
        ordered = _most_below_other(shown, cut, rows)
        if not ordered:
            break
        shown = _spliced(shown, ordered)
        texts = [*map(_TEXT, shown)]
        if are_thin(weight(texts), whole):
            return shown
        cut = {each: [*_tables(texts, begin, each)] for each, begin in separators.items()}
    for separator, begin in separators.items():
        tables = cut[separator] if cut else _tables([*map(_TEXT, shown)], begin, separator)
        lines = _Known(partial(_as_line, separator=separator))
        apart = _replaced(shown, tables, partial(_taken_apart, lines=lines))
        if apart is not shown:
            shown, cut = apart, {}
    return shown if shown != pieces else pieces


def _unwrapped(pieces: Sequence[Piece], whole: str) -> Iterator[Piece]:
    """Yield the lines, those of drawn tables that were run together or wrapped row by row."""
    starts = list(accumulate((len(piece[1]) + 1 for piece in pieces), initial=0))
    start = joints = 0
    for rule in (*_DRAWN.finditer(whole), None):
        part = whole[start : rule.start() if rule else len(whole)]
        first, parts = bisect_right(starts, start) - 1, part.split("\n")
        lines = list(zip(pieces[first : first + len(parts)], parts, strict=True))
        bars = [bar.start() for bar in _BAR.finditer(part)]
        rows = bars[::joints] if joints and len(bars) % joints == 0 else []
        if rows and any(len(_BAR.findall(line)) not in {0, joints} for line in parts):
            for begin, end in pairwise([0, *rows, len(part)]):
                number = pieces[bisect_right(starts, start + begin) - 1].number
                yield Piece(number, part[begin:end].replace("\n", " ").strip())
        else:
            kept = ((p, line) for p, line in lines if not p[1] or line.strip())
            yield from (p if p[1] == line else Piece(p.number, line) for p, line in kept)
        if rule:
            start, joints = rule.end(), len(_JOINT.findall(rule[0]))


def _tables(
    texts: Sequence[str], begin: str, separator: re.Pattern[str] | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines with a separator, rules between them among these.

    `begin`: the characters with one of which the separator begins, without one that it is.
    """
    first = stop = -1
    # A search takes thrice as long as a look for one character.
    having = enumerate(texts) if len(begin) > 1 else [e for e in enumerate(texts) if begin in e[1]]
    for at in [at for at, text in having if separator is None or separator.search(text)]:
        if stop < 0:
            first = at
        elif at > stop and not all(map(_is_rule, texts[stop:at])):
            yield first, stop
            first = at
        stop = at + 1
    if stop > 0:
        yield first, stop


def _replaced(
    pieces: Sequence[Piece],
    tables: Iterable[tuple[int, int]],
    replace: Callable[[Sequence[Piece]], Sequence[Piece] | None],
) -> Sequence[Piece]:
    """Return the lines, those of a table replaced where it is; the same ones where none is."""
    others: list[_Other] = []
    for first, stop in tables:
        lines = replace(pieces[first:stop])
        if lines is not None:
            others.append((first, stop, lines))
    return _spliced(pieces, others)


def _spliced(pieces: Sequence[Piece], others: Sequence[_Other]) -> Sequence[Piece]:
    """Return the lines with others in place of stretches of them."""
    if not others:
        return pieces
    listed: list[Piece] = []
    done = 0
    for first, stop, lines in others:
        listed += pieces[done:first]
        listed += lines
        done = stop
    return [*listed, *pieces[done:]]


def _has_figures(block: Sequence[Piece]) -> bool:
    """Whether so many lines have figures as those of a report at least do."""
    return _are_some(filter(_DIGITS.search, map(_TEXT, block)))


def _are_some(lines: Iterable[str]) -> bool:
    """Whether lines are as many as those of a report at least are."""
    return next(islice(lines, _FEWEST - 1, None), None) is not None


def _may_repeat(line: str) -> bool:
    """Whether the first word of a line may stand in it again, as far as that is cheap to tell."""
    matched = _FIRST_WORD.match(line)
    word = matched[1] if matched else ""
    return not word or line.count(word) > 1


def _is_rule(line: str) -> bool:
    """Whether a line is blank, or drawn between the rows of a table."""
    return not line[:1].isalnum() and _RULE.fullmatch(line) is not None


def _taken_apart(block: Sequence[Piece], lines: _Known[str]) -> Sequence[Piece] | None:
    """Return the rows of a table as lines; nothing of a line with a separator in its middle."""
    first = block[0][1]
    if len(block) == 1 and not first.startswith(("|", "│", "║")) and "\t" not in first:
        return None
    return [Piece(number, lines[row]) for number, row in block]


def _as_line(row: str, separator: re.Pattern[str]) -> str:
    cells = () if _no_row(row) else _cells(row, separator)
    return "  ".join(filter(None, cells)).replace(":  ", ": ")


def _no_row(line: str) -> bool:
    return not line[:1].isalnum() and (_is_rule(line) or _WIKI.match(line) is not None)


def _cells(line: str, separator: re.Pattern[str]) -> list[str]:
    stripped = map(str.strip, separator.split(line))
    cells = [cell if cell[:1].isalnum() else without_marks(cell) for cell in stripped]
    framed = not cells[0] and separator.match(line) is not None
    if framed and len(cells) > 1:
        cells = cells[1:]
    return cells[:-1] if framed and not cells[-1] else cells


def _one_below_other(
    pieces: Sequence[Piece],
    tables: Iterable[tuple[int, int]],
    separator: re.Pattern[str],
    known: _Known[_Row],
) -> list[_Other]:
    """Return the tables that are reports side by side, each report below the other."""
    ordered: list[_Other] = []
    for first, stop in tables:
        block = pieces[first:stop]
        columns = _columns(block, separator, known) if _has_figures(block) else ()
        if columns:
            ordered.append((first, stop, [*chain.from_iterable(columns)]))
    return ordered


def _most_below_other(
    pieces: Sequence[Piece],
    tables: Mapping[re.Pattern[str], Sequence[tuple[int, int]]],
    rows: Mapping[re.Pattern[str], _Known[_Row]],
) -> list[_Other]:
    """Return the tables of the separator between most lines of reports side by side."""
    most: list[_Other] = []
    lines = {each: sum(stop - first for first, stop in own) for each, own in tables.items()}
    for separator in sorted(lines, key=lambda each: -lines[each]):
        if lines[separator] < _lines_of(most):
            break  # not even all of its lines would be more
        ordered = _one_below_other(pieces, tables[separator], separator, rows[separator])
        most = max(most, ordered, key=_lines_of)
    return most


def _lines_of(ordered: Sequence[_Other]) -> int:
    """Return how many lines of the text others stand for."""
    return sum(stop - first for first, stop, _ in ordered)


def _columns(
    block: Sequence[Piece], separator: re.Pattern[str], known: _Known[_Row]
) -> Sequence[Sequence[Piece]]:
    """Return the reports side by side in a block; none where it is anything else.

    In some lines the beginning of the first stands further on again: in the lines of each
    report the separator may stand, too; in most others two lines stand beside each other.
    These are taken apart where they have as many cells for each report.
    """
    lines = ["" if _no_row(piece.text) else piece.text for piece in block]
    if all(separator.match(line) for line in lines if line):
        lines = [separator.sub("", line, count=1) for line in lines]
    several = (line for line in lines if sum(map(bool, map(str.strip, separator.split(line)))) > 1)
    if not (_are_some(several) and _are_some(filter(_may_repeat, lines))):
        return []
    rows = [known[line] for line in lines]
    alike = [len(row.reports) for row in rows if len(row.reports) > 1]
    if len(alike) < _FEWEST:
        return []
    beside = sum(row.is_beside for row in rows)
    if 2 * beside < len(rows) and 2 * beside < sum(r.is_known and r.has_several for r in rows):
        return []
    count = min(mode(alike), _MOST_COLUMNS)
    columns: list[list[Piece]] = [[] for _ in range(count)]
    for piece, row in zip(block, rows, strict=True):
        parts = row.parts(count)
        for at, column in enumerate(columns):
            part = parts[at] if at < len(parts) else ""
            # Of blank lines one is enough: there are never more lines than there were cells.
            if part or at == 0 or (column and column[-1].text):
                column.append(Piece(piece.number, without_marks(part)))
    return columns


class _Known(dict[str, _T]):
    """What is known of a line, made once: tables repeat theirs."""

    def __init__(self, make: Callable[[str], _T]) -> None:
        self._make = make

    def __missing__(self, line: str) -> _T:
        self[line] = made = self._make(line)
        return made


class _Row(NamedTuple):
    """A line in cells, and which of them begin like the first.

    Only words tell: rows of figures resemble each other.
    """

    line: str
    separator: re.Pattern[str]
    cells: Sequence[str]
    reports: Sequence[int]
    is_known: bool

    @classmethod
    def from_line(cls, line: str, separator: re.Pattern[str]) -> _Row:
        cells = separator.split(line)
        if len(cells) == 1:  # of one report, and beside nothing
            return cls(line, separator, cells, (), is_known=False)
        begin = [w if w.isalpha() else _DIGITS.sub("0", w) for w in _words(cells[0], 2)]
        is_known = _LETTER.search("".join(begin)) is not None
        reports: Sequence[int] = [0] * is_known
        if is_known and _may_repeat(line):
            reports = [0, *(at for at, cell in enumerate(cells[1:], 1) if _has(cell, begin))]
        return cls(line, separator, cells, reports, is_known)

    @property
    def has_several(self) -> bool:
        return sum(bool(cell.strip()) for cell in self.cells) > 1

    @property
    def is_beside(self) -> bool:
        """Whether a line of a report stands beside one of another, or the same one."""
        if len(self.reports) > 1 or not self.is_known:
            return self.is_known
        first, *others = (cell.strip() for cell in self.cells)
        return bool(_WHOLE_LINE.match(first)) and any(map(_WHOLE_LINE.match, others))

    def parts(self, count: int) -> Sequence[str]:
        """Return what of the row is in each of so many reports."""
        if len(self.cells) == count:
            return [cell.strip() for cell in self.cells]
        begins: Sequence[int] = self.reports
        if len(begins) != count:
            each, rest = divmod(len(self.cells), count)
            begins = [0] if rest else range(0, len(self.cells), each)
        separators = self.separator.findall(self.line)
        spans = pairwise([*begins, len(self.cells)])
        return [self._joined(start, stop, separators) for start, stop in spans]

    def _joined(self, start: int, stop: int, separators: Sequence[str]) -> str:
        between = [*separators[start : stop - 1], ""]
        cells = zip(self.cells[start:stop], between, strict=True)
        return "".join(f"{cell}{separator}" for cell, separator in cells).strip()


def _words(cell: str, most: int) -> list[str]:
    """Return the first words of a cell."""
    return cell.lstrip("|│║* ").split(maxsplit=most)[:most]


def _has(cell: str, begin: Sequence[str]) -> bool:
    """Whether a cell has a beginning among its first words, behind what a log may put there."""
    if begin[0].isalpha() and begin[0] not in cell:
        return False
    cell = _DIGITS.sub("0", cell)
    words, count = _words(cell, _MOST_WORDS + 1), len(begin)
    if words[:count] == begin:
        return True
    if begin[0] not in words:
        return False
    return any(words[at : at + count] == begin for at in range(1, _MOST_WORDS))
