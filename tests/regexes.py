"""Regular expressions of ours, and the texts over which one of them might go back and forth.

A maintained linter would be better: regexploit 1.0.0 knows neither possessive quantifiers nor
atomic groups, with which most patterns here keep to one way. So each pattern is tried on texts
that are made after its own structure: what it repeats, repeated, behind what stands in front of
it, and before what it cannot match. How often it fails shows in the time alone.
"""

from __future__ import annotations

import ast
import importlib
import math
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice, takewhile
from pathlib import Path
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as reader  # type: ignore[attr-defined]
from typing import Any, Final

import benchkit
from tests.shares import share

ROOT: Final = Path(benchkit.__file__).parents[1]
#: A character of each kind that a class may have; what a pattern names itself comes first.
_SAMPLES: Final = " a0A\t-._/:,\"'<>()[]{}|*`#=&;%@$\\~\n\xe9"
#: What ends most matches.
_KILLERS: Final = ("", "\x01!", "\nx")
_MOST_PUMPS: Final = 14
#: Of more texts a share: those of whole grammars are in thousands, those of a line are few.
_MOST_TEXTS: Final = 100
_UNBOUNDED: Final = 1000
#: What a linear pattern takes at eight times the length, at the most; a quadratic one takes 64.
MOST_GROWTH: Final = 20.0
#: What a place of a text may cost, of a megabyte of which the whole may then take two seconds.
MOST_PRICE: Final = 110.0
_ROUNDS: Final = 3
_SLOW_S: Final = 0.02  # no pattern takes so long over few characters
_UNCLEAR_S: Final = 4e-5  # what is shorter is noise
_SIZES: Final = (16, 20, 24, 28, 32, 48, 192, 1536)  # 2 ** 20 steps are still quick
#: For what grew too much: a pattern with a bound of some hundred characters does so below that.
_LONGEST: Final = 8 * _SIZES[-1]
_LONG_S: Final = 0.1  # eight times as long may take 64 times as long

#: What stands in outputs again and again, of which a text may be made: figures, words, marks.
_PIECES: Final = (
    *("0 ", "0.0 ", "1% ", "1ms ", "0,000 ", "1 0.5 ", "0: ", "12 r", "0 a ", "1.", "1'"),
    *(
        "a ",
        "A ",
        "A  ",
        "Re ",
        "a: ",
        "a.",
        "a=1 ",
        "aa",
        "\ufffd\\",
        "\u2502",
        "\u2502 ",
        ". ",
        "- ",
    ),
    *("[", "( ", '" ', "*", "**a** ", "`a`", "#", "  ", "\t", "\\n", "<a>", "&a;", '{"a":1},'),
)
_PRICED: Final = 4096
#: What is looked for everywhere at the least cost: words that are not there.
_PLAIN: Final = re.compile(r"(?<![\w.,/-])(?:xq|qx)")

_REPEATS: Final = {kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT}
_SINGLE: Final = [[kinds.LITERAL], [kinds.NOT_LITERAL], [kinds.ANY], [kinds.IN]]
_ONCE: Final = {"match", "fullmatch"}
_EVERYWHERE: Final = {"search", "findall", "finditer", "sub", "subn", "split"}


@dataclass(frozen=True)
class Pattern:
    """A pattern, where it stands, and how it is applied: at one place or at each."""

    origin: str
    compiled: re.Pattern[Any]
    methods: frozenset[str] = frozenset()

    @property
    def everywhere(self) -> bool:
        """Whether it is looked for at each place of a text."""
        return not self.methods.isdisjoint(_EVERYWHERE)

    @property
    def anchored(self) -> bool:
        """Whether it is asked only whether it stands at one place."""
        return bool(self.methods) and self.methods <= _ONCE


@cache
def ours() -> Sequence[Pattern]:
    """Return every pattern that modules keep or functions write down, each once."""
    patterns: dict[tuple[str | bytes, int, frozenset[str]], Pattern] = {}
    for pattern in (*_kept(), *_written()):
        key = pattern.compiled.pattern, pattern.compiled.flags, pattern.methods
        patterns.setdefault(key, pattern)
    return tuple(patterns.values())


def _modules() -> Iterator[Any]:
    for name in ("benchkit", "benchkit.parsers"):
        root = Path(importlib.import_module(name).__path__[0])
        for path in sorted(root.rglob("*.py")):
            folders = [folder for folder in path.parents if folder.is_relative_to(root)]
            if path.stem != "__main__" and all((f / "__init__.py").exists() for f in folders):
                parts = path.relative_to(root).with_suffix("").parts
                yield importlib.import_module(".".join((name, *parts)).removesuffix(".__init__"))


def _kept() -> Iterator[Pattern]:
    everything = "".join(path.read_text(encoding="utf-8") for path in _sources())
    for module in _modules():
        source = _source_of(module.__name__)
        for name, value in vars(module).items():
            asked = _methods(name, source if name[0] == "_" else everything)
            for compiled, methods in _within(value, asked):
                yield Pattern(f"{module.__name__}.{name}", compiled, methods)


def _methods(name: str, source: str) -> frozenset[str]:
    """Return how the pattern of a name is asked, `.name` for an attribute; "" where it goes on."""
    return frozenset(_uses(source).get(name, ()))


@cache
def _uses(source: str) -> Mapping[str, Iterable[str]]:
    """Return what is asked of each name: a pass over a source, not one for each of its names."""
    uses: dict[str, set[str]] = {}
    for name, asked in re.findall(r"(\.?\b\w++)(?=(: Final|\.\w++)?)", source):
        if asked != ": Final":
            uses.setdefault(name, set()).add(asked.removeprefix("."))
    return uses


def _within(
    value: Any,  # noqa: ANN401 - any global
    asked: frozenset[str],
    depth: int = 0,
) -> Iterator[tuple[re.Pattern[Any], frozenset[str]]]:
    """Yield the patterns that a value holds, each with how it is asked."""
    if isinstance(value, re.Pattern):
        yield value, asked
    elif depth < 5:
        inner: Iterable[tuple[Any, frozenset[str]]] = ()
        if isinstance(value, Mapping):
            inner = ((part, frozenset()) for part in value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            inner = ((part, frozenset()) for part in value)
        elif type(value).__module__.startswith("benchkit."):
            inner = _attributes(value)
        for part, methods in inner:
            yield from _within(part, methods, depth + 1)


def _attributes(value: object) -> Iterator[tuple[Any, frozenset[str]]]:
    """Yield what an object of ours keeps or makes once, with how its class asks it."""
    source = _source_of(type(value).__module__)
    made = (name for name, kept in vars(type(value)).items() if isinstance(kept, cached_property))
    for name in (*getattr(value, "__dict__", {}), *getattr(value, "__slots__", ()), *made):
        # Another class may have an attribute of that name that is no pattern.
        yield getattr(value, name, None), _methods(f".{name}", source) - {""}


@cache
def _source_of(module: str) -> str:
    return Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8")


def _sources() -> list[Path]:
    return sorted(path for room in ("benchkit", "parsers") for path in (ROOT / room).rglob("*.py"))


def _written() -> Iterator[Pattern]:
    """Yield the patterns that stand in calls such as `re.search(r"…", text)`."""
    for path in _sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            called, owner = node.func.attr, node.func.value
            first = node.args[0] if node.args else None
            if isinstance(owner, ast.Name) and owner.id == "re" and isinstance(first, ast.Constant):
                anchor = f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
                if called in _ONCE | _EVERYWHERE:
                    yield Pattern(anchor, re.compile(first.value), frozenset([called]))


def growth(pattern: Pattern) -> tuple[float, str]:
    """Return how much more the worst text takes at eight times its length, and that text."""
    worst = 0.0, ""
    for prefix, pump, killer in share([*_texts(pattern.compiled)], _MOST_TEXTS):
        described = f"{prefix!r} + {pump!r} * n + {killer!r}"
        texts = {
            size: prefix + pump * max(size // len(pump), 1) + killer for size in (*_SIZES, _LONGEST)
        }
        times = []
        for size in _SIZES:
            times.append(_least(pattern, texts[size], 1))
            if size < _SIZES[-1] and times[-1] > _SLOW_S:
                return math.inf, described  # exponential or cubic: longer would take for ever
        ratio = _ratio(times[-2], times[-1])
        if ratio > MOST_GROWTH:
            longer, shorter = (_least(pattern, texts[size], 3) for size in _SIZES[:-3:-1])
            ratio = _ratio(shorter, longer)
            if ratio > MOST_GROWTH and longer < _LONG_S:
                # What is bounded takes its most from each place by now, and grows no faster.
                ratio = min(ratio, _ratio(longer, _least(pattern, texts[_LONGEST], 1)))
        if ratio > worst[0]:
            worst = ratio, described
            if ratio > MOST_GROWTH:
                break
    return worst


def price(pattern: Pattern) -> tuple[float, str]:
    """Return how much more it costs per character than to look for words, and in what text."""
    worst = 0.0, ""
    for piece in _PIECES:
        text = piece * (_PRICED // len(piece))
        ratio = _least(pattern, text, 1) / _plainly(text)
        for _ in range(_ROUNDS):
            if ratio < MOST_PRICE:
                break
            _plainly.cache_clear()  # the machine may be slower than it was
            ratio = _least(pattern, text, 1) / _plainly(text)
        worst = max(worst, (ratio, f"{piece!r} * n"))
    return worst


@cache
def _plainly(text: str) -> float:
    """Return what it takes to look for words in a text."""
    return max(_least(Pattern("plain", _PLAIN), text, 3), _UNCLEAR_S)


def _ratio(shorter: float, longer: float) -> float:
    return longer / max(shorter, _UNCLEAR_S)


def _least(pattern: Pattern, text: str, times: int) -> float:
    subject = text.encode() if isinstance(pattern.compiled.pattern, bytes) else text
    spent = []
    for _ in range(times):
        start = time.process_time()
        if pattern.anchored:
            for method in pattern.methods:
                getattr(pattern.compiled, method)(subject)
        else:
            for _match in islice(pattern.compiled.finditer(subject), len(subject)):
                pass
        spent.append(time.process_time() - start)
    return min(spent)


def _texts(compiled: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    written = compiled.pattern
    text = written.decode("latin-1") if isinstance(written, bytes) else written
    tree = reader.parse(
        text, compiled.flags & ~re.UNICODE if isinstance(written, bytes) else compiled.flags
    )
    seen = set()
    for prefix, pumps in _repeats(list(tree), ""):
        for pump in list(dict.fromkeys(pumps))[:_MOST_PUMPS]:
            for before in dict.fromkeys(("", prefix, f"{prefix}a")):
                for killer in _KILLERS:
                    if pump and (before, pump, killer) not in seen:
                        seen.add((before, pump, killer))
                        yield before, pump, killer


def _repeats(items: list[Any], before: str) -> Iterator[tuple[str, list[str]]]:
    """Yield for each long repeat what may stand before it, and what to repeat."""
    for at, (kind, value) in enumerate(items):
        if kind in _REPEATS:
            low, high, body = value
            if high >= _UNBOUNDED:
                fullest = [_sample(branch, least=1) for branch in _alternatives(list(body))]
                behind = _sample(
                    [*takewhile(lambda item: item[0] not in _REPEATS, items[at + 1 :])]
                )
                within = _characters(list(body))
                yield before, [*fullest, before, before + "a", behind, *_turns(within), *within]
            yield from _repeats(list(body), before)
            before += _sample(list(body)) * min(low, 3)
            continue
        for branch in _branches(kind, value):
            yield from _repeats(branch, before)
        before += _sample([(kind, value)])


def possessive_groups(pattern: Pattern) -> list[str]:
    """Return what a pattern repeats possessively besides single characters.

    Before 3.11.5 Python loses its place in a text where such a repeat ends (its issue 106052):
    `(?:[a-z]+:)?+x` is not found in "x". An atomic group, `(?>(?:[a-z]+:)?)x`, is the same.
    """
    flags = pattern.compiled.flags & ~re.UNICODE
    return [*_possessive(list(reader.parse(pattern.compiled.pattern, flags)))]


def _possessive(items: list[Any]) -> Iterator[str]:
    for kind, value in items:
        body = list(value[2]) if kind in _REPEATS else None
        if kind is kinds.POSSESSIVE_REPEAT and [each for each, _ in body or ()] not in _SINGLE:
            yield str(body)
        for branch in [body] if body else _branches(kind, value):
            yield from _possessive(branch)


def _branches(kind: Any, value: Any) -> list[list[Any]]:  # noqa: ANN401 - opcodes of re
    if kind is kinds.SUBPATTERN:
        return [list(value[-1])]
    if kind is kinds.ATOMIC_GROUP:
        return [list(value)]
    if kind is kinds.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind in {kinds.ASSERT, kinds.ASSERT_NOT}:
        return [list(value[1])]
    return []


def _alternatives(body: list[Any]) -> list[list[Any]]:
    """Return what a repeat may be of: each branch of it, where it has some."""
    if len(body) == 1 and (branches := _branches(*body[0])):
        return [way for branch in branches for way in _alternatives(branch)]
    return [body]


def _sample(items: list[Any], *, least: int = 0) -> str:
    """Return a short text that the items match, what may be left out so often at least."""
    parts = []
    for kind, value in items:
        if kind is kinds.LITERAL:
            parts.append(chr(value))
        elif kind in {kinds.IN, kinds.NOT_LITERAL, kinds.ANY}:
            parts.append(next(iter(_characters([(kind, value)])), ""))
        elif kind in _REPEATS:
            parts.append(_sample(list(value[2]), least=least) * min(max(value[0], least), 3))
        elif kind not in {kinds.ASSERT, kinds.ASSERT_NOT}:
            parts += [_sample(branch, least=least) for branch in _branches(kind, value)[:1]]
    return "".join(parts)


def _turns(characters: list[str]) -> list[str]:
    """Return characters of words and others in turn: between each two is the boundary of a word."""
    word = next((character for character in characters if _is_of_word(character)), None)
    others = [character for character in characters if not _is_of_word(character)]
    return [word + other for other in dict.fromkeys(others[:2])] if word else []


def _is_of_word(character: str) -> bool:
    return re.match(r"\w", character) is not None


def _characters(items: list[Any]) -> list[str]:
    """Return characters of several kinds that the items match."""
    characters: list[str] = []
    for kind, value in items:
        if kind is kinds.LITERAL:
            characters.append(chr(value))
        elif kind is kinds.ANY:
            characters += list(_SAMPLES.replace("\n", ""))[:8]
        elif kind is kinds.NOT_LITERAL:
            characters += [c for c in _SAMPLES if ord(c) != value][:8]
        elif kind is kinds.IN:
            named = [chr(v) for k, v in value if k is kinds.LITERAL]
            spans = [chr(v[0]) for k, v in value if k is kinds.RANGE]
            characters += [c for c in (*named[:4], *spans[:4], *_SAMPLES) if _in(value, c)][:10]
        elif kind in _REPEATS:
            characters += _characters(list(value[2]))
        else:
            for branch in _branches(kind, value):
                characters += _characters(branch)
    return characters


def _in(members: list[Any], character: str) -> bool:
    negated = members[0][0] is kinds.NEGATE
    return negated != any(_is(kind, value, character) for kind, value in members)


_CATEGORIES: Final = {
    kinds.CATEGORY_DIGIT: r"\d",
    kinds.CATEGORY_NOT_DIGIT: r"\D",
    kinds.CATEGORY_SPACE: r"\s",
    kinds.CATEGORY_NOT_SPACE: r"\S",
    kinds.CATEGORY_WORD: r"\w",
    kinds.CATEGORY_NOT_WORD: r"\W",
}


def _is(kind: Any, value: Any, character: str) -> bool:  # noqa: ANN401 - opcodes of re
    if kind is kinds.LITERAL:
        return bool(ord(character) == value)
    if kind is kinds.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    return kind is kinds.CATEGORY and re.match(_CATEGORIES[value], character) is not None
