"""What each number without a unit is: a level, a repetition, or a part of a name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from benchkit.ingest.naming.counted import are_counted_apart
from benchkit.ingest.naming.path_names import (
    MOST_REPEATS,
    At,
    Name,
    agrees,
    are_levels,
    counts,
    key_before,
    rank,
    versions,
)
from benchkit.ingest.naming.tokens import Token

#: Param of a number of which nothing says what it is a level of.
LEVEL: Final = "level"
#: So many may well be the number of a repetition.
_FEW: Final = 3
_Slot = tuple[Any, ...]


def settle_numbers(names: Sequence[Name]) -> None:
    """Decide of each number without a unit what it is: a level, a repetition, or a word."""
    keys = _keys(names)
    slots: defaultdict[_Slot, list[tuple[Name, At, Token]]] = defaultdict(list)
    for name in names:
        for slot, at, token in _slots(name, keys):
            slots[slot].append((name, at, token))
    repeated = Counter(id(name) for name in names for _ in name.tokens("repeat"))
    for slot in sorted(slots, key=lambda slot: (len(slot) == 1, slot)):
        _settle_slot(slot, slots[slot], names, repeated)


def _slots(name: Name, keys: Collection[str]) -> Iterator[tuple[_Slot, At, Token]]:
    """Yield each number with what it has in common with those of other names.

    That is the word that it is a level of; or its part, counted from the file, and its place among
    the numbers there: of those in front of all words from the left, of others from the right.
    """
    for number, part in enumerate(name.parts):
        worded = [at for at, token in enumerate(part) if token.kind == "word"]
        numbers = [at for at, token in enumerate(part) if token.kind == "number"]
        free = [at for at in numbers if key_before(part, at) not in keys]
        leading = sum(at < min(worded, default=0) for at in free)
        for at in numbers:
            if at not in free:
                yield (key_before(part, at),), (number, at), part[at]
                continue
            before = free.index(at)
            front = before < leading
            order = before if front else len(free) - before
            yield (len(name.parts) - number, front, order), (number, at), part[at]


def _settle_slot(
    slot: _Slot,
    numbers: Sequence[tuple[Name, At, Token]],
    names: Sequence[Name],
    repeated: Counter[int],
) -> None:
    known = [(name, token.value) for name, _, token in numbers]
    values = {value for _, value in known}
    everywhere = len(known) == len(names)
    alone = not any(repeated[id(name)] for name, _ in known)
    loads = ("connections", "rate", "threads", "requests", "duration", "pipelining")
    load = next((param for param in loads if agrees(known, param)), None)
    if load is None and len(slot) > 1 and _is_load_of_all(known, names):
        load = "connections"
    change: dict[str, Any] = {"kind": "repeat"}
    if load or len(slot) == 1:
        change = {"kind": "load", "param": load}
    elif len(values) == 1 and not (everywhere and alone and max(values) < MOST_REPEATS):
        warm = all(any(name.tokens("warm-up")) for name, _ in known)
        change = {"kind": "plain" if everywhere or warm else "word"}
    elif are_levels(values) and not counts(values):
        change = {"kind": "load", "param": LEVEL}
    elif _are_names(numbers) or _are_versions(numbers, names) or _are_in_prose(numbers):
        change = {"kind": "word"}
    else:
        repeated.update(id(name) for name, _ in known)
    for name, (part, at), token in numbers:
        if len(slot) == 1:
            key = name.parts[part][at - 1]
            name.parts[part][at - 1] = replace(key, kind="plain")
            change["param"] = load or key.text
        if not load and change["kind"] == "load":
            # 1kb and 512b, 1ms and 500us: what has a unit keeps it, a bare 10k is a number.
            scaled = token.text.isdigit() or (len(slot) > 1 and token.text[:-1].isdigit())
            change["value"] = token.value if scaled else token.text
        name.parts[part][at] = replace(token, **change)


def _is_load_of_all(known: Sequence[tuple[Name, int]], names: Sequence[Name]) -> bool:
    """Whether the same number in names is how many connections each of their outputs prints.

    Up to three it counts something rather; and names without it say theirs in other words.
    """
    first, numbered = known[0][1], {id(name) for name, _ in known}
    others = (name.tokens("load") for name in names if id(name) not in numbered)
    if not all(any(token.param == "connections" for _, token in own) for own in others):
        return False
    printed = {name.printed.get("connections") for name, _ in known}
    return first > _FEW and {value for _, value in known} == printed == {first}


def _are_names(numbers: Sequence[tuple[Name, At, Token]]) -> bool:
    """Whether numbers are names, as something else counts the runs at each.

    They stand at a word, `jdk-17_3`, or are large and have several runs each, as builds do. What
    is loosely at a word and counts from 1, `run2/nginx_1`, is no name for the run before it.
    """
    values = Counter(token.value for _, _, token in numbers)
    worded = all(key_before(name.parts[part], at) for name, (part, at), _ in numbers)
    large = min(values) > MOST_REPEATS and min(values.values()) > 1
    loose = min(values) <= 1 and all(rank(token.before) == 0 for _, _, token in numbers)
    known = [(name, at, token.value) for name, at, token in numbers]
    return (worded or large) and are_counted_apart(known, behind=loose)


def _are_versions(numbers: Sequence[tuple[Name, At, Token]], names: Sequence[Name]) -> bool:
    """Whether numbers are versions of the word before them, and count no runs of it."""
    by_word: defaultdict[str, set[int]] = defaultdict(set)
    for name, (part, at), token in numbers:
        by_word[key_before(name.parts[part], at)].add(token.value)
    return versions(by_word, {id(name) for name, _, _ in numbers}, names) == by_word.keys()


def _are_in_prose(numbers: Sequence[tuple[Name, At, Token]]) -> bool:
    """Whether all stand between words, as in `Aliyun 8 cores` and `Express with 2 workers`."""
    following = [name.parts[part][at + 1 : at + 2] for name, (part, at), _ in numbers]
    if counts({token.value for _, _, token in numbers}):
        return False
    return all(
        key_before(name.parts[part], at)
        and token.before == " "
        and [(each.kind, each.before) for each in behind] == [("word", " ")]
        for (name, (part, at), token), behind in zip(numbers, following, strict=True)
    )


def _keys(names: Sequence[Name]) -> set[str]:
    """Return the words whose numbers are levels of them: `sleep` of `sleep-0`, `sleep-100`.

    `pool=5` says so itself.
    """
    having: defaultdict[str, list[tuple[Name, int, bool]]] = defaultdict(list)
    assigned: defaultdict[str, list[bool]] = defaultdict(list)
    frequency: Counter[str] = Counter()
    for name in names:
        frequency.update({token.lower for _, token in name.tokens("word")})
        for (part, at), token in name.tokens("number"):
            key = key_before(name.parts[part], at)
            if key:
                having[key].append((name, token.value, _stands_alone(name.parts[part], at)))
                assigned[key].append("=" in token.before)
    exchanged = _exchanged(names)
    return {
        key
        for key, known in having.items()
        if (all(assigned[key]) and _may_be_levels(known))
        or (_is_key(key, known, frequency, len(names)) and not _is_named(key, known, exchanged))
    }


def _is_named(
    key: str,
    known: Sequence[tuple[Name, int, bool]],
    exchanged: Mapping[frozenset[str], Collection[str]],
) -> bool:
    """Whether a word with one number is a name: another word stands in its place elsewhere.

    As `feature-123` beside `main`; what others have nothing in the place of is a level.
    """
    if len({value for _, value, _ in known}) > 1:
        return False
    rests = {_words(name) - {key} for name, _, _ in known}
    return any(len(exchanged[rest]) > 1 for rest in rests)


def _exchanged(names: Sequence[Name]) -> Mapping[frozenset[str], Collection[str]]:
    """Return which words stand beside the same other ones in names."""
    exchanged: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for words in {_words(name) for name in names}:
        for word in words:
            exchanged[words - {word}].add(word)
    return exchanged


def _words(name: Name) -> frozenset[str]:
    return frozenset(token.lower for _, token in name.tokens("word"))


def _may_be_levels(known: Sequence[tuple[Name, int, bool]]) -> bool:
    """Whether numbers differ and do not count, or something else does."""
    again = all(len(name.tokens("number", "repeat")) > 1 for name, _, _ in known)
    values = {value for _, value, _ in known}
    return again or (len(values) > 1 and not counts(values))


def _is_key(
    key: str, known: Sequence[tuple[Name, int, bool]], frequency: Counter[str], total: int
) -> bool:
    others = {
        tuple(token.lower for _, token in name.tokens("word") if token.lower != key)
        for name, _, _ in known
    }
    everywhere = len(known) == total
    if () in others or frequency[key] != len(known) or not (everywhere or len(others) > 1):
        return False
    if not everywhere and not all(alone for _, _, alone in known):
        return False
    return _may_be_levels(known)


def _stands_alone(part: Sequence[Token], at: int) -> bool:
    """Whether a number and the word before it are set apart from the rest of the name."""
    inner = rank(part[at].before)
    outer = [part[at - 1].before if at > 1 else "", *(t.before for t in part[at + 1 : at + 2])]
    return all(rank(text) < inner for text in outer if text)
