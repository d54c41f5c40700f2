"""The names of one folder read as a set: what is constant, what counts, what is a level."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from benchkit.ingest.naming.names import COLUMNS
from benchkit.ingest.naming.tokens import (
    Token,
    glued,
    identified,
    is_container,
    is_lettered,
    is_numbered,
    is_tool,
    pairs_in,
    param_of,
    parted,
    pod_in,
    split,
    with_name,
    with_pairs,
)

#: Param of a number of which nothing says what it is a level of.
LEVEL: Final = "level"
#: Letters that count repetitions as often as they state a load.
_COUNTING: Final = {"r": "rate", "t": "threads", "n": "requests"}
#: Separators by how far apart they set words: `go_fast` is two where `net-http` is one.
_RANKS: Final = ("_ +,~@:;!&", ".", "-")
_CLOSE: Final = 0.02  # a rate is as measured
#: What of a load in a name is no word.
_UNNUMBERED: Final = re.compile(r"[\W\d_]+")
#: A single number above is no repetition.
_MOST_REPEATS: Final = 20
#: Fewer releases of one version, `v1.9.1` and `v1.9.2`, are compared.
_PATCHES: Final = 3

_Slot = tuple[Any, ...]
_At = tuple[int, int]


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

    def tokens(self, *kinds: str) -> Iterator[tuple[_At, Token]]:
        """Yield the tokens of some kinds, each with the numbers of its part and in it."""
        for number, part in enumerate(self.parts):
            for at, token in enumerate(part):
                if token.kind in kinds:
                    yield (number, at), token


def read_together(names: Sequence[Name]) -> None:
    """Fill in what each name says, given all others of the set."""
    if not names:
        return
    _drop_pods(names)
    _take_for_words(names)
    _part_letters(names)
    _bind_identifiers(names)
    _bind_words(names)
    _part_words(names)
    _settle_letters(names)
    _settle_numbers(names)
    _take_paths(names)
    _deny_durations(names)
    for name in names:
        name.when = tuple(token.text for _, token in name.tokens("when"))
    _take_dates(names)
    _take_loads(names)
    _read_words(names)


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


def _are_levels(values: Collection[int]) -> bool:
    """Whether numbers look like levels: round ones, far apart."""
    powers = all(value & (value - 1) == 0 for value in values)
    rounded = max(values) >= 10 and all(value < 10 or value % 5 == 0 for value in values)
    return (powers or rounded) and max(values) >= 1.5 * max(min(values), 1)


def _drop_pods(names: Sequence[Name]) -> None:
    """Drop the endings of pods' names where each run has a pod of its own."""
    known = [
        (part, at) for name in names for part in name.parts if (at := pod_in(part)) is not None
    ]
    pods = Counter(part[at + 1].text for part, at in known)
    if len(known) == len(names) > 1 and 2 * len(pods) >= len(names):
        for part, at in known:
            del part[at : at + 2]


def _take_for_words(names: Sequence[Name]) -> None:
    """Take words that seem to say nothing for words where others stand in their place.

    As in `report-service`, `user-service`; or they alone tell names apart, as `report-service` and
    `results-service`. A folder of results beside others is one all the same.
    """
    shapes: defaultdict[int, list[Name]] = defaultdict(list)
    for name in names:
        shapes[len(name.parts)].append(name)
    for depth, alike in ((depth, alike) for n, alike in shapes.items() for depth in range(n)):
        rows = [[t for t in name.parts[depth] if t.kind in {"word", "plain"}] for name in alike]
        width = len(rows[0])
        if any(len(row) != width for row in rows) or not width:
            continue
        folder = depth < len(alike[0].parts) - 1
        for column in range(width):
            tokens = [row[column] for row in rows]
            if width == 1 and not (folder and not any(map(is_container, tokens))):
                continue
            if any(map(is_tool, tokens)) or not _tell_apart(alike, tokens):
                continue
            for name, token in zip(alike, tokens, strict=True):
                part = name.parts[depth]
                at = next(n for n, each in enumerate(part) if each is token)
                part[at] = replace(token, kind="word")


def _tell_apart(names: Sequence[Name], tokens: Sequence[Token]) -> bool:
    """Whether a word of each name tells which it is, although it may be one that says nothing."""
    plain = {token.lower for token in tokens if token.kind == "plain"}
    if not plain or len({token.lower for token in tokens}) < 2:
        return False
    if len(plain) < len({token.lower for token in tokens}):
        return True
    others = Counter(
        tuple(t.lower for part in name.parts for t in part if t is not token)
        for name, token in zip(names, tokens, strict=True)
    )
    return max(others.values()) > 1


def _part_letters(names: Sequence[Name]) -> None:
    """Part letters that name variants, `A1` and `C1`, from the numbers behind them.

    That is where each name has one such letter, not all the same, the numbers count, and those of
    no letter are all what the outputs print for what it may state.
    """
    lettered = [
        [(at, token) for at, token in name.tokens("word", "load", "repeat") if is_lettered(token)]
        for name in names
    ]
    if any(len(own) != 1 for own in lettered):
        return
    stated: defaultdict[str, list[bool]] = defaultdict(list)
    numbers = set()
    for name, ((_, token),) in zip(names, lettered, strict=True):
        numbers.add(int(token.text[1:]))
        known = token.param in name.printed
        stated[token.lower[0]].append(known and token.value == name.printed[token.param])
    if (
        len(stated) > 1
        and (counts(numbers) or numbers == {1})
        and not any(map(all, stated.values()))
    ):
        for name, (((part, at), token),) in zip(names, lettered, strict=True):
            name.parts[part][at : at + 1] = parted(replace(token, kind="word"))


def _bind_identifiers(names: Sequence[Name]) -> None:
    """Join words and the numbers that are names with them, as in `pr-41`: they do not count."""
    known = [
        (name, number, at, value)
        for name in names
        for number, part in enumerate(name.parts)
        for at, value in identified(part)
    ]
    if known and min(value for *_, value in known) > 1:
        for name, number, at, _ in known:
            name.parts[number] = with_name(name.parts[number], at)


def _bind_words(names: Sequence[Name]) -> None:
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
        numbered = all(len(list(name.tokens("number", "repeat"))) > 1 for name, _, _ in known)
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


def _part_words(names: Sequence[Name]) -> None:
    """Part words from the numbers at their ends that count, or are levels of the word.

    As in `nginx1`, `nginx2`; and in `go-size64`, `rust-size1024`, where others tell the variant.
    Where something else counts the repetitions, `rc1_3`, they are names.
    """
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    beside: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    having: defaultdict[str, list[tuple[Name, _At, int]]] = defaultdict(list)
    for name in names:
        words = [token for _, token in name.tokens("word", "plain")]
        for at, token in name.tokens("word", "plain"):
            pair = glued(token)
            if pair is not None:
                numbers[pair[0]].add(pair[1])
                having[pair[0]].append((name, at, pair[1]))
                beside[pair[0]].append(tuple(w.lower for w in words if w is not token))
    free = {word for word in numbers if _may_count(word, numbers)}
    counted = {
        word for word in free if counts(numbers[word]) and not _are_counted_apart(having[word])
    }
    known = set().union(*(numbers[word] for word in counted))
    apart = {word for word, own in numbers.items() if own <= known}
    for word in free - counted:
        others = set(beside[word])
        if len(beside[word]) == len(names) and () not in others and len(others) > 1:
            apart.add(word)
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


def _may_count(word: str, numbers: Mapping[str, set[int]]) -> bool:
    """Whether the numbers at the ends of a word may count, or be levels: no versions are.

    Of `v1.9.1` and the like they count where those of several versions do alike.
    """
    own = numbers[word]
    from_one = len(own) > 1 and min(own) == 1 and counts(own)
    if not word[-1].isdigit():
        return len(own) > 1 and not is_numbered(word)
    alike = list(numbers.values()).count(own) > 1 and len(own) >= _PATCHES
    named = "." in word or is_numbered(word) or word.isdigit()
    return from_one and (alike or not named)


class _Run(NamedTuple):
    """A run whose name has a number, and another that may count it among those with that number."""

    words: tuple[str, ...]
    value: int
    number: int
    is_printed: bool


def _are_counted_apart(known: Sequence[tuple[Name, _At, int]], *, behind: bool = False) -> bool:
    """Whether something else counts the runs at each of some numbers, which are names then.

    It stands behind the number, or, unless it has to, is no number at a word. What outputs print
    counts nothing.
    """
    columns: defaultdict[int, list[_Run]] = defaultdict(list)
    for name, at, value in known:
        words = tuple(t.lower for place, t in name.tokens("word", "load") if place != at)
        for column, number in enumerate(_counts_at(name, at, behind=behind)):
            run = _Run(words, value, number, number in name.printed.values())
            columns[column].append(run)
    return any(len(runs) == len(known) and _count_apart(runs) for runs in columns.values())


def _counts_at(name: Name, at: _At, *, behind: bool) -> Iterator[int]:
    """Yield what may count the runs at a number of a name."""
    for (part, place), token in name.tokens("number", "repeat"):
        bare = token.kind == "repeat" or not _key_before(name.parts[part], place)
        counting = (part, place) > at or (bare and not behind and (part, place) != at)
        if counting and token.value is not None:
            yield token.value


def _count_apart(runs: Sequence[_Run]) -> bool:
    """Whether numbers count anew, or on, at each of several others in names of the same words."""
    numbers: defaultdict[tuple[str, ...], dict[int, set[int]]] = defaultdict(dict)
    for run in runs:
        numbers[run.words].setdefault(run.value, set()).add(run.number)
    if not counts({run.number for run in runs}) or all(run.is_printed for run in runs):
        return False
    several = [[*own.values()] for own in numbers.values() if len(own) > 1]
    return any(set.intersection(*own) or min(map(len, own)) > 1 for own in several)


def _settle_letters(names: Sequence[Name]) -> None:
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
            repeated = repeated or not _are_levels(numbers)
        else:
            repeated = counts(numbers) and not all(id(name) in other for name, _ in known)
        kind: Any = "repeat" if repeated and not _agrees(known, param) else "load"
        if letter == "r" and kind == "repeat" and min(numbers) > 1:
            # r5 and r6 are machines where something else counts the runs of each.
            kind = "word" if all(id(name) in other for name, _ in known) else kind
        for name, _ in known:
            name.parts = [
                [replace(t, kind=kind, param=param) if t.letter == letter else t for t in part]
                for part in name.parts
            ]


def _agrees(known: Sequence[tuple[Name, int]], param: str) -> bool:
    """Whether numbers differ and are what the outputs print, wherever they print it."""
    pairs = [(value, name.printed[param]) for name, value in known if param in name.printed]
    close = all(abs(value - printed) <= _CLOSE * printed for value, printed in pairs)
    exact = all(value == printed for value, printed in pairs)
    return len({value for value, _ in pairs}) > 1 and (close if param == "rate" else exact)


# --- numbers ---


def _settle_numbers(names: Sequence[Name]) -> None:
    """Decide of each number without a unit what it is: a level, a repetition, or a word."""
    keys = _keys(names)
    slots: defaultdict[_Slot, list[tuple[Name, _At, Token]]] = defaultdict(list)
    for name in names:
        for slot, at, token in _slots(name, keys):
            slots[slot].append((name, at, token))
    repeated = Counter(id(name) for name in names for _ in name.tokens("repeat"))
    for slot in sorted(slots, key=lambda slot: (len(slot) == 1, slot)):
        _settle_slot(slot, slots[slot], names, repeated)


def _slots(name: Name, keys: Collection[str]) -> Iterator[tuple[_Slot, _At, Token]]:
    """Yield each number with what it has in common with those of other names.

    That is the word that it is a level of; or its part, counted from the file, and its place among
    the numbers there: of those in front of all words from the left, of others from the right.
    """
    for number, part in enumerate(name.parts):
        worded = [at for at, token in enumerate(part) if token.kind == "word"]
        numbers = [at for at, token in enumerate(part) if token.kind == "number"]
        free = [at for at in numbers if _key_before(part, at) not in keys]
        leading = sum(at < min(worded, default=0) for at in free)
        for at in numbers:
            if at not in free:
                yield (_key_before(part, at),), (number, at), part[at]
                continue
            rank = free.index(at)
            front = rank < leading
            order = rank if front else len(free) - rank
            yield (len(name.parts) - number, front, order), (number, at), part[at]


def _settle_slot(
    slot: _Slot,
    numbers: Sequence[tuple[Name, _At, Token]],
    names: Sequence[Name],
    repeated: Counter[int],
) -> None:
    known = [(name, token.value) for name, _, token in numbers]
    values = {value for _, value in known}
    everywhere = len(known) == len(names)
    alone = not any(repeated[id(name)] for name, _ in known)
    loads = ("connections", "rate", "threads", "requests", "duration", "pipelining")
    load = next((param for param in loads if _agrees(known, param)), None)
    change: dict[str, Any] = {"kind": "repeat"}
    if load or len(slot) == 1:
        change = {"kind": "load", "param": load}
    elif len(values) == 1 and not (everywhere and alone and max(values) < _MOST_REPEATS):
        warm = all(any(name.tokens("warm-up")) for name, _ in known)
        change = {"kind": "plain" if everywhere or warm else "word"}
    elif _are_levels(values) and not counts(values):
        change = {"kind": "load", "param": LEVEL}
    elif _are_names(numbers):
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


def _are_names(numbers: Sequence[tuple[Name, _At, Token]]) -> bool:
    """Whether numbers are names, as something else counts the runs at each.

    They stand at a word, `jdk-17_3`, or are large and have several runs each, as builds do. What
    is loosely at a word and counts from 1, `run2/nginx_1`, is no name for the run before it.
    """
    values = Counter(token.value for _, _, token in numbers)
    worded = all(_key_before(name.parts[part], at) for name, (part, at), _ in numbers)
    large = min(values) > _MOST_REPEATS and min(values.values()) > 1
    loose = min(values) <= 1 and all(_rank(token.before) == 0 for _, _, token in numbers)
    known = [(name, at, token.value) for name, at, token in numbers]
    return (worded or large) and _are_counted_apart(known, behind=loose)


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
            key = _key_before(name.parts[part], at)
            if key:
                having[key].append((name, token.value, _stands_alone(name.parts[part], at)))
                assigned[key].append("=" in token.before)
    return {
        key
        for key, known in having.items()
        if all(assigned[key]) or _is_key(key, known, frequency, len(names))
    }


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
    again = all(len(list(name.tokens("number", "repeat"))) > 1 for name, _, _ in known)
    values = {value for _, value, _ in known}
    return again or (len(values) > 1 and not counts(values))


def _key_before(part: Sequence[Token], at: int) -> str:
    """Return the word right before a number, empty where there is none."""
    before = part[at - 1] if at else None
    return before.lower if before is not None and before.kind == "word" else ""


def _stands_alone(part: Sequence[Token], at: int) -> bool:
    """Whether a number and the word before it are set apart from the rest of the name."""
    inner = _rank(part[at].before)
    outer = [part[at - 1].before if at > 1 else "", *(t.before for t in part[at + 1 : at + 2])]
    return all(_rank(text) < inner for text in outer if text)


def _rank(separator: str) -> int:
    """Return how close a separator binds: 0 for `_`, 3 for none."""
    ranks = (n for n, texts in enumerate(_RANKS) if set(texts) & set(separator))
    return next(ranks, len(_RANKS))


# --- loads ---


def _take_loads(names: Sequence[Name]) -> None:
    """Take what names state; into the params what differs, what all have alike not."""
    values: defaultdict[str, list[Any]] = defaultdict(list)
    contradicted = _contradicted(names)
    factors: dict[int, dict[str, Any]] = {}
    for name in names:
        own = factors[id(name)] = {}
        for _, token in name.tokens("load"):
            name.stated.setdefault(token.param, token.value)
            key = _UNNUMBERED.sub("", token.text) if token.param in contradicted else ""
            own.setdefault(
                f"{key} in the name" if key in COLUMNS else key or token.param, token.value
            )
        name.repeats = [t.value for _, t in name.tokens("repeat") if t.value is not None]
        name.warm_up = any(True for _ in name.tokens("warm-up"))
        for param, value in own.items():
            values[param].append(value)
    varying = {
        param
        for param, known in values.items()
        if len(known) < len(names) or len(set(map(str, known))) > 1
    }
    warm = all(name.warm_up for name in names)
    for name in names:
        own = factors[id(name)]
        name.params = {param: value for param, value in own.items() if param in varying}
        name.warm_up = name.warm_up and not warm


def _take_paths(names: Sequence[Name]) -> None:
    """Take words that are the ends of paths for the paths, where other words are compared there.

    As in `main_home`, `main_login`, `pr_home`, `pr_login`: two paths of main and pr each.
    """
    ends: list[_At] = []
    paths: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for name in names:
        end = (name.path or "").partition("?")[0].rpartition("/")[2].lower()
        words = list(name.tokens("word", "plain"))
        own = [at for at, token in words if end and token.lower == end]
        if len(own) != 1:
            return
        ends += own
        others = (token.lower for at, token in words if at not in own and token.kind == "word")
        paths[tuple(others)].add(name.path or "")
    if len(paths) > 1 and () not in paths and max(map(len, paths.values())) > 1:
        for name, (part, at) in zip(names, ends, strict=True):
            token = name.parts[part][at]
            name.parts[part][at] = replace(token, kind="load", param="path", value=name.path)


def _deny_durations(names: Sequence[Name]) -> None:
    """Take times that no output was asked for as words: `512m` is memory."""
    known = [
        (name, at, t) for name in names for at, t in name.tokens("load") if t.param == "duration"
    ]
    printed = [name.printed.get("duration") for name, _, _ in known]
    values = [token.value for _, _, token in known]
    if None in printed or any(a == b for a, b in zip(printed, values, strict=True)):
        return
    for name, (part, at), token in known:
        name.parts[part][at] = replace(token, kind="word", param="", value=None)


def _take_dates(names: Sequence[Name]) -> None:
    """Take dates for what is compared where nothing else is, and each has runs counted anew."""
    dates: defaultdict[tuple[str, ...], list[Name]] = defaultdict(list)
    counted: defaultdict[tuple[str, ...], set[Any]] = defaultdict(set)
    for name in names:
        date = tuple(token.lower for _, token in name.tokens("when"))
        dates[date].append(name)
        counted[date].update(token.value for _, token in name.tokens("repeat"))
    worded = {tuple(token.lower for _, token in name.tokens("word", "load")) for name in names}
    several = len(dates) > 1 and min(map(len, dates.values())) > 1
    if several and len(worded) == 1 and () not in dates and set.intersection(*counted.values()):
        for name in names:
            for (part, at), token in name.tokens("when"):
                name.parts[part][at] = replace(token, kind="word")


def _contradicted(names: Sequence[Name]) -> set[str]:
    """Return the loads that names state differently where all outputs print the same.

    `-2c` and `-4c` are cores then, or a mistake: either way their runs are not alike.
    """
    stated: defaultdict[str, set[Any]] = defaultdict(set)
    printed: defaultdict[str, set[float]] = defaultdict(set)
    for name in names:
        for _, token in name.tokens("load"):
            if token.param in name.printed:
                stated[token.param].add(token.value)
                printed[token.param].add(name.printed[token.param])
    return {p for p in COLUMNS if len(stated[p]) > 1 and len(printed[p]) == 1}


# --- words ---


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
        return first.text + "".join(word.before + word.text for word in rest)


def _read_words(names: Sequence[Name]) -> None:
    # How close words must stand to be one piece: closer than the loosest separator.
    inner = (token for name in names for part in name.parts for token in part[1:])
    apart = min((_rank(token.before) for token in inner), default=0)
    pieces = {
        id(name): [
            *([_whole(part) or _pieces(part, apart) for part in name.parts[:-1]]),
            _pieces(name.parts[-1], apart),
        ]
        for name in names
    }
    _take_pairs(names, pieces)
    for name in names:
        every = [t for part in name.parts for t in part if t.kind in {"word", "plain"}]
        name.plain = _Phrase(tuple(every)).text if every else ""
        name.levels = []
    for depth in range(max(len(name.parts) for name in names)):
        groups: defaultdict[tuple[str, ...], list[tuple[Name, list[_Phrase]]]] = defaultdict(list)
        for name in names:
            if depth < len(name.parts):
                groups[tuple(name.levels)].append((name, pieces[id(name)][depth]))
        for group in groups.values():
            stripped = _stripped([part for _, part in group])
            for (name, _), text in zip(group, stripped, strict=True):
                name.levels = [*name.levels, text]


def _whole(part: Sequence[Token]) -> list[_Phrase]:
    """Return a folder's name as it is written where it is nothing but words of one kind."""
    plain = len({_rank(token.before) for token in part[1:]}) < 2
    worded = all(token.kind == "word" for token in part)
    return [_Phrase(tuple(part))] if plain and part and worded else []


def _pieces(part: Sequence[Token], apart: int) -> list[_Phrase]:
    """Return the words of a part that say something, those that belong together as one."""
    pieces: list[list[Token]] = []
    last = None
    for token in part:
        if token.kind == "word":
            if last is not None and last.kind == "word" and _rank(token.before) > apart:
                pieces[-1].append(token)
            else:
                pieces.append([token])
        last = token
    return [_Phrase(tuple(words)) for words in pieces]


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
