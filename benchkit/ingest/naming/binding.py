"""Which tokens of names belong together, and which fall apart: `threads-4`, `pr-41`, `A1`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
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
    versions,
)
from benchkit.ingest.naming.tokens import (
    Token,
    glued,
    identified,
    is_container,
    is_language,
    is_lettered,
    is_numbered,
    is_tool,
    pairs_in,
    param_of,
    parted,
    pod_in,
    with_name,
    with_pairs,
)

#: Letters that count repetitions as often as they state a load.
_COUNTING: Final = {"r": "rate", "t": "threads", "n": "requests"}
#: Fewer releases of one version, `v1.9.1` and `v1.9.2`, are compared.
_PATCHES: Final = 3


def drop_pods(names: Sequence[Name]) -> None:
    """Drop the endings of pods' names where each run has a pod of its own.

    The hash of a deployment goes with them where other words tell as much.
    """
    known = [
        (name, part, at)
        for name in names
        for part in name.parts
        if (at := pod_in(part)) is not None
    ]
    pods = {(part[at].text, part[at + 1].text) for _, part, at in known}
    if not 1 < len(known) == len(names) == len(pods):
        return
    hashes: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, part, at in known:
        pod = part[at : at + 2]
        words = tuple(token.lower for _, token in name.tokens("word") if token not in pod)
        hashes[words].add(part[at].text)
    kept = 1 if max(map(len, hashes.values())) > 1 or () in hashes else 0
    for _, part, at in known:
        del part[at + kept : at + 2]


def take_for_words(names: Sequence[Name]) -> None:
    """Take words that seem to say nothing for words where others stand in their place.

    As in `report-service`, `user-service`; or they alone tell names apart, as `report-service` and
    `results-service`. A folder of results beside others is one all the same.
    """
    shapes: defaultdict[int, list[Name]] = defaultdict(list)
    for name in names:
        shapes[len(name.parts)].append(name)
    for depths, alike in shapes.items():
        for depth in range(depths):
            _take_for_words_at(depth, alike)


def _take_for_words_at(depth: int, names: Sequence[Name]) -> None:
    """Do so in one folder's names, or the files', of names with as many parts."""
    rows = [[t for t in name.parts[depth] if t.kind in {"word", "plain"}] for name in names]
    if len({len(row) for row in rows}) > 1:
        return
    folder = depth < len(names[0].parts) - 1
    for tokens in zip(*rows, strict=True):
        alone = len(rows[0]) == 1
        if alone and (not folder or any(map(is_container, tokens))):
            continue
        if any(map(is_tool, tokens)) or not _tell_apart(names, tokens):
            continue
        for name, token in zip(names, tokens, strict=True):
            part = name.parts[depth]
            part[:] = [replace(t, kind="word") if t is token else t for t in part]


def _tell_apart(names: Sequence[Name], tokens: Sequence[Token]) -> bool:
    """Whether a word of each name tells which it is, although it may be one that says nothing."""
    plain = {token.lower for token in tokens if token.kind == "plain"}
    every = {token.lower for token in tokens}
    if not plain or len(every) < 2:
        return False
    if len(plain) < len(every):
        return True
    others = Counter(
        tuple(t.lower for part in name.parts for t in part if t is not token)
        for name, token in zip(names, tokens, strict=True)
    )
    return max(others.values()) > 1


def part_letters(names: Sequence[Name]) -> None:
    """Part letters that name variants, `A1` and `C1`, from the numbers behind them.

    That is where each name has one such letter, not all the same, the numbers count, and those of
    no letter are all what the outputs print for what it may state.
    """
    texts = [{token.lower for part in name.parts for token in part} for name in names]
    constant = set.intersection(*texts)
    lettered = [
        [
            (at, token)
            for at, token in name.tokens("word", "load", "repeat")
            if is_lettered(token) and token.lower not in constant
        ]
        for name in names
    ]
    if any(len(own) != 1 for own in lettered):
        return
    stated: defaultdict[str, list[bool]] = defaultdict(list)
    numbers = set()
    named = False
    for name, ((_, token),) in zip(names, lettered, strict=True):
        numbers.add(int(token.text[1:]))
        is_printed = token.param in name.printed and name.printed[token.param] == token.value
        stated[token.lower[0]].append(is_printed)
        named |= token.kind == "word" or token.param in name.printed
    if (
        len(stated) > 1
        and (counts(numbers) or numbers == {1})
        and not any(map(all, stated.values()))
    ):
        for name, (((part, at), token),) in zip(names, lettered, strict=True):
            name.parts[part][at : at + 1] = parted(replace(token, kind="word"))


def bind_identifiers(names: Sequence[Name]) -> None:
    """Join words and the numbers that are names with them, as in `pr-41`: they do not count."""
    numbers = [value for name in names for part in name.parts for _, value in identified(part)]
    if not numbers or min(numbers) <= MOST_REPEATS:
        return
    for name in names:
        for number, part in enumerate(name.parts):
            for at, _ in reversed([*identified(part)]):
                name.parts[number] = with_name(name.parts[number], at)


def bind_words(names: Sequence[Name]) -> None:
    """Bind words that may state a load to the numbers beside them, as in `threads-4`, `c_50`.

    They do where every name has them; a longer word also where it is not the only one, and its
    numbers do not count the repetitions: `threads_1`, `threads_2` may be a server with threads.
    """
    having: defaultdict[str, list[tuple[Name, int, bool]]] = defaultdict(list)
    for name in names:
        for part in name.parts:
            for pair in pairs_in(part):
                words = sum(token.kind == "word" for token in part)
                folder = len(part) == 2 and part is not name.parts[-1]
                beside = not pair.behind and (words > 1 or folder)
                having[pair.key].append((name, pair.value, beside))
    keys = set()
    for key, known in having.items():
        numbered = all(len(name.tokens("number", "repeat")) > 1 for name, _, _ in known)
        loads = numbered or not counts({value for _, value, _ in known})
        inside = len(key) > 1 and loads and all(beside for _, _, beside in known)
        denied = not loads and _is_denied([(name, value) for name, value, _ in known], key)
        if inside or (len({id(name) for name, _, _ in known}) == len(names) and not denied):
            keys.add(key)
    if keys:
        for name in names:
            name.parts = [with_pairs(part, keys) for part in name.parts]


def _is_denied(known: Sequence[tuple[Name, int]], key: str) -> bool:
    """Whether all outputs print what a word may state, and not all of them the number beside it."""
    printed = [name.printed.get(param_of(key)) for name, _ in known]
    return None not in printed and printed != [value for _, value in known]


def part_words(names: Sequence[Name]) -> None:
    """Part words from the numbers at their ends that count, or are levels.

    As in `nginx1`, `nginx2`; in `go-size64`, `rust-size1024`, where others tell the variant; and
    in `go16`, `go64` of outputs with so many connections. Where something else counts the
    repetitions, `rc1_3`, they are names.
    """
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    beside: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    having: defaultdict[str, list[tuple[Name, At, int]]] = defaultdict(list)
    for name in names:
        words = [token for _, token in name.tokens("word", "plain")]
        for at, token in name.tokens("word", "plain"):
            pair = glued(token)
            if pair is not None:
                numbers[pair[0]].add(pair[1])
                having[pair[0]].append((name, at, pair[1]))
                beside[pair[0]].append(tuple(w.lower for w in words if w is not token))
    alike = Counter(map(frozenset, numbers.values()))
    free = {word for word, own in numbers.items() if _may_count(word, own, alike[frozenset(own)])}
    numbered = {id(name) for known in having.values() for name, _, _ in known}
    counted = {
        word
        for word in free - versions(numbers, numbered, names)
        if counts(numbers[word]) and not are_counted_apart(having[word])
    }
    known = set().union(*(numbers[word] for word in counted))
    apart = {word for word, own in numbers.items() if own <= known}
    for word in free - counted:
        others = set(beside[word])
        if len(beside[word]) == len(names) and () not in others and len(others) > 1:
            apart.add(word)
    apart |= {word for word in having if _are_loads(word, having[word])}
    if not apart:
        return
    for name in names:
        name.parts = [
            [
                piece
                for token in part
                for piece in (parted(token) if (glued(token) or ("",))[0] in apart else [token])
            ]
            for part in name.parts
        ]


def _are_loads(word: str, known: Sequence[tuple[Name, At, int]]) -> bool:
    """Whether the numbers at the ends of a word are the loads that the outputs print."""
    values = [(name, value) for name, _, value in known]
    return not word[-1].isdigit() and any(
        agrees(values, param) for param in ("connections", "rate")
    )


def _may_count(word: str, own: Collection[int], alike: int) -> bool:
    """Whether the numbers at the ends of a word may count, or be levels: no versions are.

    Of `v1.9.1` and the like they count where those of several versions do `alike`.
    """
    from_one = len(own) > 1 and min(own) == 1 and counts(own)
    if not word[-1].isdigit():
        several = from_one and alike > 1 and is_language(word)
        return len(own) > 1 and (several or not is_numbered(word))
    named = "." in word or is_numbered(word) or word.isdigit()
    return from_one and ((alike > 1 and len(own) >= _PATCHES) or not named)


def settle_letters(names: Sequence[Name]) -> None:
    """Decide what `r3`, `t2` and `n1` are: a load, or the number of a repetition."""
    values: defaultdict[str, list[tuple[Name, int]]] = defaultdict(list)
    other = set()
    for name in names:
        for _, token in name.tokens("load", "repeat"):
            if token.letter:
                values[token.letter].append((name, token.value))
        counting = (t for _, t in name.tokens("number", "repeat") if not t.letter)
        if any(token.value is not None for token in counting):
            other.add(id(name))
    for letter, param in _COUNTING.items():
        if not (known := values[letter]):
            continue
        numbers = {number for _, number in known}
        if letter == "r":
            repeated = counts(numbers) or (len(numbers) == 1 and max(numbers) < 10)
            repeated = repeated or not are_levels(numbers)
        else:
            repeated = counts(numbers) and not all(id(name) in other for name, _ in known)
        kind: Any = "repeat" if repeated and not agrees(known, param) else "load"
        if letter == "r" and kind == "repeat" and min(numbers) > 1:
            # r5 and r6 are machines where something else counts the runs of each.
            kind = "word" if all(id(name) in other for name, _ in known) else kind
        for name, _ in known:
            name.parts = [
                [replace(t, kind=kind, param=param) if t.letter == letter else t for t in part]
                for part in name.parts
            ]
