"""A run's name, as its path has it, in tokens; what numbers and separators are on their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit.ingest.naming.tokens import Token, split

#: Separators by how far apart they set words: `go_fast` is two where `net-http` is one.
_RANKS: Final = ("_ +,~@:;!&", ".", "-")
_CLOSE: Final = 0.02  # a rate is as measured
#: Repetitions of which so many are missing at the begin are none.
_FIRST_VERSION, _FIRST_BESIDE = 4, 3
#: A single number above is no repetition.
MOST_REPEATS: Final = 20
#: Where a token stands: the number of its part, and in it.
At = tuple[int, int]


@dataclass
class Name:
    """One run's name: its folders and last its file, in tokens, and what has been read of it.

    Attributes:
        printed: What the output says of the load, by the param that a name may state.
        path: That of the URL, as the output or its command has it.
        stated: What the name says of the load.
        params: Further factors: what differs among the names of the set.
        repeats: What counts repetitions in it, from left to right.
        levels: Words that are left of each folder and of the file, outermost first.
        plain: All words, those too that say nothing.
        warm_up: Whether it says that it is a warm-up, where others do not.
        when: The dates and times in it.
    """

    parts: list[list[Token]]
    printed: Mapping[str, float] = field(default_factory=dict)
    path: str | None = None
    stated: dict[str, Any] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    repeats: list[int] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    plain: str = ""
    warm_up: bool = False
    when: tuple[str, ...] = ()

    @classmethod
    def from_parts(
        cls, parts: Iterable[str], printed: Mapping[str, float], path: str | None = None
    ) -> Name:
        """Return the name of a file below some folders."""
        return cls([list(split(part)) for part in parts], printed, path)

    def tokens(self, *kinds: str) -> list[tuple[At, Token]]:
        """Return the tokens of some kinds, each with the numbers of its part and in it."""
        return [
            ((number, at), token)
            for number, part in enumerate(self.parts)
            for at, token in enumerate(part)
            if token.kind in kinds
        ]


def counts(values: Collection[int]) -> bool:
    """Whether numbers count something from 0 or 1 on, some of them missing, as repetitions do."""
    distinct = sorted(set(values))
    if len(distinct) < 2:
        return False
    low, high = distinct[0], distinct[-1]
    doubling = len(distinct) > 2 and all(value & (value - 1) == 0 for value in distinct)
    if len(distinct) == high - low + 1:
        return high < 1000
    return low <= 1 and 2 * len(distinct) >= high and not doubling


def versions(
    numbers: Mapping[str, Collection[int]], having: Collection[int], names: Sequence[Name]
) -> set[str]:
    """Return words whose numbers are rather versions: `Rails 6`, `Rails 7`, and `Sinatra` beside.

    Repetitions begin with 1, or all of a set have their numbers; they count alike at several
    words, or the word stands without one elsewhere.

    Args:
        numbers: Those at each word.
        having: The names (by `id`) that have one.
        names: All of the set.
    """
    first = _FIRST_VERSION if len(having) == len(names) else _FIRST_BESIDE
    others = (name for name in names if id(name) not in having)
    bare = {token.lower for name in others for _, token in name.tokens("word")}
    alike = Counter(map(frozenset, numbers.values()))
    return {
        word
        for word, own in numbers.items()
        if word and word not in bare and alike[frozenset(own)] == 1 and min(own) >= first
    }


def are_levels(values: Collection[int]) -> bool:
    """Whether numbers look like levels: round ones, far apart."""
    powers = all(value & (value - 1) == 0 for value in values)
    rounded = max(values) >= 10 and all(value < 10 or value % 5 == 0 for value in values)
    return (powers or rounded) and max(values) >= 1.5 * max(min(values), 1)


def agrees(known: Sequence[tuple[Name, int]], param: str) -> bool:
    """Whether numbers differ and are what the outputs print, wherever they print it."""
    pairs = [(value, name.printed[param]) for name, value in known if param in name.printed]
    close = all(abs(value - printed) <= _CLOSE * printed for value, printed in pairs)
    exact = all(value == printed for value, printed in pairs)
    return len({value for value, _ in pairs}) > 1 and (close if param == "rate" else exact)


def key_before(part: Sequence[Token], at: int) -> str:
    """Return the word right before a number, empty where there is none."""
    before = part[at - 1] if at else None
    return before.lower if before is not None and before.kind == "word" else ""


def rank(separator: str) -> int:
    """Return how close a separator binds: 0 for `_`, 3 for none."""
    ranks = (n for n, texts in enumerate(_RANKS) if set(texts) & set(separator))
    return next(ranks, len(_RANKS))
