"""The words of names: which are one phrase, and which say something."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit.ingest.naming.levels import level_of_states
from benchkit.ingest.naming.path_names import Name, rank
from benchkit.ingest.naming.tokens import Token

_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}


def _closing(text: str) -> Iterator[str]:
    """Yield the brackets that end what begins in a text, the innermost first."""
    for opening in reversed([each for each in text if each in _BRACKETS]):
        if text.count(opening) > text.count(_BRACKETS[opening]):
            yield _BRACKETS[opening]


@dataclass(frozen=True)
class _Phrase:
    """Words that are written closer together than others."""

    words: tuple[Token, ...]

    @property
    def key(self) -> str:
        return self.words[0].lower

    @property
    def text(self) -> str:
        first, *rest = self.words
        text = first.text + "".join(word.before + word.text for word in rest)
        return text + "".join(_closing(text))


def read_words(names: Sequence[Name]) -> None:
    """Fill in the words that are left of each folder and file, and pairs of words as params."""
    # How close words must stand to be one piece: closer than the loosest separator.
    inner = (token for name in names for part in name.parts for token in part[1:])
    apart = min((rank(token.before) for token in inner), default=0)
    pieces = {
        id(name): [
            *([_whole(part) or _pieces(part, apart) for part in name.parts[:-1]]),
            _pieces(name.parts[-1], apart),
        ]
        for name in names
    }
    _part_states(pieces)
    _take_pairs(names, pieces)
    for name in names:
        every = [t for part in name.parts for t in part if t.kind in {"word", "plain"}]
        name.plain = _Phrase(tuple(every)).text if every else ""
        name.levels = []
    for depth in range(max(map(len, pieces.values()))):
        groups: defaultdict[tuple[str, ...], list[tuple[Name, list[_Phrase]]]] = defaultdict(list)
        for name in names:
            if depth < len(pieces[id(name)]):
                groups[tuple(name.levels)].append((name, pieces[id(name)][depth]))
        for group in groups.values():
            stripped = _stripped([part for _, part in group])
            for (name, _), text in zip(group, stripped, strict=True):
                name.levels = [*name.levels, text]


def _whole(part: Sequence[Token]) -> list[_Phrase]:
    """Return a folder's name as it is written where it is nothing but words of one kind."""
    plain = len({rank(token.before) for token in part[1:]}) < 2
    worded = all(token.kind == "word" for token in part)
    return [_Phrase(tuple(part))] if plain and part and worded else []


def _pieces(part: Sequence[Token], apart: int) -> list[_Phrase]:
    """Return the words of a part that say something, those that belong together as one."""
    pieces: list[list[Token]] = []
    last = None
    for token in part:
        if token.kind == "word":
            if last is not None and last.kind == "word" and rank(token.before) > apart:
                pieces[-1].append(token)
            else:
                pieces.append([token])
        last = token
    return [_Phrase(tuple(words)) for words in pieces]


def _part_states(pieces: Mapping[int, list[list[_Phrase]]]) -> None:
    """Make of files' names with a word for a state and others two levels: `login-before`."""
    files = [parts[-1] for parts in pieces.values()]
    columns = list(zip(*files, strict=False))
    if len({len(file) for file in files}) > 1 or len(columns) < 2:
        return
    texts = [[phrase.text for phrase in column] for column in columns]
    varying = [at for at, words in enumerate(texts) if len(set(words)) > 1]
    state = level_of_states([texts[at] for at in varying])
    if state is None or len(varying) < 2:
        return
    at = varying[state]
    for parts in pieces.values():
        file = parts[-1]
        parts[-1:] = [file[:at] + file[at + 1 :], [file[at]]]


def _take_pairs(names: Sequence[Name], pieces: Mapping[int, list[list[_Phrase]]]) -> None:
    """Take pairs of words such as `sink-file`, behind what is compared, into the params."""
    others: defaultdict[str, set[str]] = defaultdict(set)
    values: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        pairs = list(_pairs(pieces[id(name)]))
        rest = "/".join(p.text for part in pieces[id(name)] for p in part if p not in pairs)
        for piece in pairs:
            others[piece.key].add(rest)
            values[piece.key].append(piece.words[1].lower)
    keys = {key for key, rests in others.items() if len(rests) > 1}
    constant = {k for k in keys if len(set(values[k])) == 1 and len(values[k]) == len(names)}
    for name in names:
        taken = [piece for piece in _pairs(pieces[id(name)]) if piece.key in keys]
        for part in pieces[id(name)]:
            part[:] = [piece for piece in part if piece not in taken]
        for piece in taken:
            if piece.key not in constant:
                name.params[piece.words[0].text] = piece.words[1].text


def _pairs(parts: Sequence[Sequence[_Phrase]]) -> Iterator[_Phrase]:
    full = [number for number, part in enumerate(parts) if part]
    for number, part in enumerate(parts):
        inner = len(full) > 2 and number != full[0]
        for at, piece in enumerate(part):
            explicit = "=" in piece.words[-1].before
            if len(piece.words) == 2 and (at or inner or explicit):
                yield piece


def _stripped(parts: Sequence[Sequence[_Phrase]]) -> list[str]:
    """Return the words of each part without the pieces that all begin or end with."""
    texts = [[piece.text for piece in part] for part in parts]
    if len({tuple(text) for text in texts}) == 1:
        return [_written(part) for part in parts]
    most = max(min(map(len, texts)) - 1, 0)  # of each something is left
    first = next((n for n in range(most) if len({text[n] for text in texts}) > 1), most)
    most -= first
    last = next((n for n in range(most) if len({text[-1 - n] for text in texts}) > 1), most)
    return [_written(part[first : len(part) - last]) for part in parts]


def _written(pieces: Sequence[_Phrase]) -> str:
    return _Phrase(tuple(word for piece in pieces for word in piece.words)).text if pieces else ""
