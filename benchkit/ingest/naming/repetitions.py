"""Words of a page that count the runs of one thing: `old run 2`, `Round 3: new`, `nginx (1/5)`.

A heading is prose: unlike a file's name it keeps its words, and only what counts is taken out of
it, where that leaves several runs with the same words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from benchkit.ingest.naming.path_names import counts
from benchkit.ingest.naming.tokens import is_language, is_numbered, param_of, stem_of

_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
#: First to fifth in other languages, each with its forms.
_ABROAD: Final = (
    (r"erste[rs]?", "первый", r"premi(?:er|ère)", r"primer[ao]?", r"第一|첫"),
    (r"zweite[rs]?", "второй", r"deuxième|seconde?", r"segund[ao]", r"第二|두"),
    (r"dritte[rs]?", "третий", r"troisième", r"tercer[ao]?", r"第三|세"),
    (r"vierte[rs]?", r"четв[её]ртый", r"quatrième", r"cuart[ao]", r"第四|네"),
    (r"fünfte[rs]?", "пятый", r"cinquième", r"quint[ao]", r"第五|다섯"),
)
_BEGIN, _END = r"(?<![^\W_])", r"(?![^\W_])"
_WORD: Final = (
    r"(?:run|rep|repeat|repetition|round|iter|iteration|trial|attempt|pass|take|try"
    r"|(?:durch)?lauf|versuch|запуск|прогон|попытка|essai|intento)"
)
#: What may stand behind an ordinal, and before a number says nothing: `Prueba 1` is a test.
_WORD_ABROAD: Final = rf"(?:{_WORD}|раз|passage|vez|prueba)"
_TOTAL: Final = r"\s*+(?:/|of|out of)\s*+[0-9]{1,4}" + _END
#: What counts wherever it stands.
_NAMED: Final = re.compile(
    rf"{_BEGIN}{_WORD}[\s#:=._-]{{0,3}}+(?P<number>[0-9]{{1,4}}){_END}(?![.,][0-9])(?>(?:{_TOTAL})?)"
    rf"|{_BEGIN}(?:(?P<nth>[0-9]{{1,3}})(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)}))"
    rf"\s++{_WORD}{_END}"
    rf"|(?P<warm>(?<!after )(?<!after a ){_BEGIN}(?:pre)?warm(?:ing)?[-_ ]?ups?"
    rf"(?:\s++{_WORD}s?)?{_END})"
    rf"|{_BEGIN}(?P<abroad>{'|'.join(f'(?:{form})' for forms in _ABROAD for form in forms)})"
    rf"(?:\s++{_WORD_ABROAD}{_END}|\s?(?:[次回轮輪遍]|번째))"
    r"|(?:第\s?(?P<times>[0-9]{1,3})\s?[次回轮輪遍]|(?<![0-9])(?P<kaime>[0-9]{1,3})\s?(?:回目|회차))"
    rf"|[\[(]\s*+(?P<part>[0-9]{{1,4}}){_TOTAL}\s*+[\])]"
    r"|(?<=\s)(?P<share>[0-9]{1,3})/[0-9]{1,3}$",
    re.IGNORECASE,
)
#: A bare number at the end of a name, which counts only where others count alike.
_BARE: Final = re.compile(
    r"(?:(?<=[^\W\d_]{2})|(?<=\w)[\s_/-]{1,3}#?|(?<=\w)\s?[(\[#])(?P<number>[0-9]{1,3})[)\]]?$"
    r"|^#(?P<alone>[0-9]{1,3})$"
)
_WORDS: Final = re.compile(r"[^\W_]++")
#: What sets the words beside it apart from what was taken out.
_JOINTS: Final = " \t-\u2013\u2014_:,;.|·=/"
_ARTICLE: Final = re.compile(r"(?:^|(?<=[\s,;:]))the$", re.IGNORECASE)
_LINK: Final = re.compile(r"(?:of|for|with|on|using)\s++", re.IGNORECASE)
_WRAPPED: Final = re.compile(r"[(\[]([^()\[\]]*+)[)\]]")


@dataclass(frozen=True)
class Counted:
    """A text without what counts in it, and the number; None where nothing does.

    Attributes:
        words: What is left; empty for a text that does nothing but count.
        warm_up: Whether it says that; it has no number then.
    """

    words: str
    number: int | None = None
    warm_up: bool = False

    @property
    def counts(self) -> bool:
        """Whether anything was taken out."""
        return self.warm_up or self.number is not None


def without_counts(chains: Sequence[Sequence[str]]) -> list[list[Counted]]:
    """Return the texts above each run of a page, outermost first, without what counts in them.

    Nothing is taken out where it would not leave at least two runs the same words.
    """
    named = [[_named(text) for text in chain] for chain in chains]
    if any(len(set(numbers)) > 1 for numbers in _numbers(named).values()):
        return named
    bare = [[*map(Counted, chain[:-1]), _bare(chain[-1])] for chain in chains]
    return bare if _count_alike(bare) else _without_warm_ups(chains)


def _without_warm_ups(chains: Sequence[Sequence[str]]) -> list[list[Counted]]:
    """Return the texts without what says that a run warms up, where some do not."""
    all_warm = all(any(map(warms_up, chain)) for chain in chains)
    return [
        [_named(text) if warms_up(text) and not all_warm else Counted(text) for text in chain]
        for chain in chains
    ]


def warms_up(text: str) -> bool:
    """Whether a text says that a run warms up."""
    return _named(text).warm_up


def only_counts(text: str) -> bool:
    """Whether a text says nothing but which repetition it is."""
    return not _named(text).words


@lru_cache(maxsize=4096)
def _named(text: str) -> Counted:
    """Return a text without what says itself that it counts; a unit behind it makes it a load."""
    name = _without_ending(text)
    for matched in _NAMED.finditer(name):
        behind = name[matched.end() :].split(None, 1)
        if behind and param_of(behind[0].strip(_JOINTS)):
            continue
        words, part = _without(name, matched), matched.groupdict()
        if part["warm"]:
            return Counted(words, warm_up=True)
        if part["word"]:
            return Counted(words, _ORDINALS.index(part["word"].lower()) + 1)
        if part["abroad"]:
            return Counted(words, _number_abroad(part["abroad"]))
        numbers = ("number", "nth", "part", "share", "times", "kaime")
        return Counted(words, int(next(filter(None, map(part.get, numbers)))))
    return Counted(text)


def _number_abroad(word: str) -> int:
    """Return the number of an ordinal in another language."""
    return next(
        number
        for number, forms in enumerate(_ABROAD, 1)
        if any(re.fullmatch(form, word, re.IGNORECASE) for form in forms)
    )


def _without_ending(text: str) -> str:
    """Return a path without what tells the format of its file; words as they are."""
    return text if " " in text else stem_of(text)


def _without(text: str, matched: re.Match[str]) -> str:
    """Return a text without a part of it and what set that apart."""
    left, right = text[: matched.start()], text[matched.end() :]
    if left[-1:] in {"(", "["} and right[:1] in {")", "]"}:
        left, right = left[:-1], right[1:]
    left, right = _ARTICLE.sub("", left.rstrip(_JOINTS)).rstrip(_JOINTS), right.strip(_JOINTS)
    if not left and _LINK.match(right):
        right = _LINK.sub("", right, count=1)
    words = f"{left} {right}".strip()
    wrapped = _WRAPPED.fullmatch(words)
    return wrapped[1].strip() if wrapped else words


def _bare(text: str) -> Counted:
    """Return a text without the number at its end, which may count; one with a unit does not."""
    name = _without_ending(text)
    matched = _BARE.search(name)
    if matched is None or (matched[0][0] == "/" and name == text):
        return Counted(text)
    if matched["alone"]:
        return Counted("", int(matched["alone"]))
    last = _WORDS.findall(name[: matched.start()])[-1:]
    if any((is_numbered(word) and not is_language(word)) or param_of(word) for word in last):
        return Counted(text)
    return Counted(name[: matched.start()], int(matched["number"]))


def _count_alike(chains: Sequence[Sequence[Counted]]) -> bool:
    """Whether numbers count from 0 or 1 on, and alike behind each of several names.

    A run may be missing.
    """
    if not all(chain[-1].counts for chain in chains):
        return False
    sets = [{number for (number,) in own} for own in _numbers(chains).values()]
    every = set.union(*sets)
    alike = len(sets) > 1 and all(2 * len(own) >= len(every) for own in sets)
    return alike and every in sets and min(every) <= 1 and counts(every)


def _numbers(
    chains: Sequence[Sequence[Counted]],
) -> dict[tuple[str, ...], list[tuple[int, ...]]]:
    """Return what counts the runs that are left with the same words."""
    numbers: defaultdict[tuple[str, ...], list[tuple[int, ...]]] = defaultdict(list)
    for chain in chains:
        words = tuple(text.words for text in chain if text.words)
        numbers[words].append(tuple(text.number or 0 for text in chain if text.counts))
    return numbers
