"""Parsers of strangers: found through their distributions, and left out where they cannot be used.

A distribution names a module in the entry-point group `benchkit.parsers`. The module has
`INTERFACE`, the version of `benchkit.parsing` that it was written for, `PARSERS`, and `TOOLS` where
it knows more of a load generator than its name. Whatever is wrong with it costs that plug-in alone:
it is left out, with a warning that names its distribution.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, Final, TypeVar

from benchkit.declarations import DeclarationError
from benchkit.errors import printable
from benchkit.parsing import (
    ARRAYS,
    INTERFACE,
    FileParser,
    JsonParser,
    Parser,
    RequestBatch,
    RowsParser,
    TextParser,
)
from benchkit.tool import Tool

GROUP: Final = "benchkit.parsers"
#: `off` leaves all of them out, in silence.
VARIABLE: Final = "BENCHKIT_PLUGINS"
T = TypeVar("T")
_KINDS: Final = (RowsParser, FileParser, JsonParser, TextParser)


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """One entry of a distribution.

    Attributes:
        name: As the distribution calls it.
        distribution: Its name and version.
        module: The module that was imported for it.
        problem: Why it is left out; empty where it is used.
    """

    name: str
    distribution: str
    module: str = ""
    parsers: tuple[Parser, ...] = ()
    tools: tuple[Tool, ...] = ()
    problem: str = ""

    @property
    def warning(self) -> str:
        """What is said of one that is left out."""
        return f"the plug-in {printable(self.name)} of {self.distribution} is left out: " + (
            self.problem
        )


def plugins(parsers: Iterable[Parser], tools: Iterable[Tool]) -> tuple[Plugin, ...]:
    """Return the plug-ins that are installed, sorted by distribution; names taken are given."""
    if os.environ.get(VARIABLE, "").lower() == "off":
        return ()
    taken = dict.fromkeys(_names(parsers, tools), "benchkit")
    known = []
    for point in sorted(entry_points(group=GROUP), key=lambda p: (_distribution(p), p.name)):
        plugin = _plugin(point)
        names = _names(plugin.parsers, plugin.tools)
        if clash := [name for name in names if name in taken]:
            problem = _clash(*clash[0], taken[clash[0]])
            plugin = Plugin(name=point.name, distribution=plugin.distribution, problem=problem)
        else:
            taken |= dict.fromkeys(names, plugin.distribution)
        known.append(plugin)
    return tuple(known)


def _names(parsers: Iterable[Parser], tools: Iterable[Tool]) -> list[tuple[str, str]]:
    """Return the names of parsers and tools, each with what it is of."""
    return [*(("parser", p.name) for p in parsers), *(("tool", t.name) for t in tools)]


def _clash(kind: str, name: str, owner: str) -> str:
    todo = "its author has to choose another name"
    if owner == "benchkit":
        todo += ", or leave it out of TOOLS" if kind == "tool" else ""
    else:
        todo = f"uninstall one of the two, or {todo}"
    return f"{owner} has a {kind} called {printable(name)}, too: {todo}"


def _distribution(point: EntryPoint) -> str:
    dist = point.dist
    return "an unnamed distribution" if dist is None else f"{dist.name} {dist.version}"


def _plugin(point: EntryPoint) -> Plugin:
    owner = _distribution(point)
    try:
        parsers, tools = _declared(point.load())
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's, whatever it is
        explained = isinstance(error, (_UnusableError, DeclarationError))
        problem = str(error) if explained else _failure(error)
        return Plugin(name=point.name, distribution=owner, problem=problem)
    return Plugin(
        name=point.name, distribution=owner, module=point.module, parsers=parsers, tools=tools
    )


def _failure(error: BaseException) -> str:
    return f"it cannot be imported: {printable(f'{type(error).__name__}: {error}', limit=120)}"


class _UnusableError(Exception):
    """It was imported, and is no plug-in that can be used."""


def _declared(module: ModuleType) -> tuple[tuple[Parser, ...], tuple[Tool, ...]]:
    """Return what a module declares.

    Raises:
        _UnusableError: it was written for another version, or declares something else.
    """
    version = getattr(module, "INTERFACE", None)
    if version != INTERFACE:
        theirs = "does not say" if version is None else f"says {printable(str(version))}"
        raise _UnusableError(
            f"it {theirs} for which version of the parser interface it was written; "
            f"this benchkit has INTERFACE = {INTERFACE}"
        )
    parsers = _several(module, "PARSERS")
    tools = _several(module, "TOOLS")
    others = [p for p in parsers if not isinstance(p, _KINDS)]
    others += [tool for tool in tools if not isinstance(tool, Tool)]
    if others or not parsers:
        what = f"{type(others[0]).__name__} among them" if others else "none"
        raise _UnusableError(f"it declares no PARSERS and TOOLS that can be used: {what}")
    names = [p.name for p in parsers]
    if len({*names}) < len(names):
        raise _UnusableError("two of its parsers have one name")
    return tuple(map(checked, parsers)), tuple(_guarded(tool) for tool in tools)


def _several(module: ModuleType, name: str) -> tuple[Any, ...]:
    """Return what a module declares several of.

    Raises:
        _UnusableError: it declares something else than several.
    """
    declared = getattr(module, name, ())
    if not isinstance(declared, (tuple, list)):
        raise _UnusableError(
            f"its {name} should be a tuple, such as {name} = (…,); "
            f"it is {printable(repr(declared), limit=60)}"
        )
    return tuple(declared)


def checked(parser: Parser) -> Parser:
    """Return a parser whose rows can be counted, or fail with a TypeError that says why not."""
    if not isinstance(parser, RowsParser):
        return parser
    rows, rows_of = parser.rows, parser.rows_of
    return replace(
        parser,
        rows=lambda source: _countable(rows(source)),
        rows_of=rows_of and (lambda source, part: _countable(rows_of(source, part))),
    )


def _countable(batches: Iterable[RequestBatch]) -> Iterator[RequestBatch]:
    for batch in batches:
        wrong = next(_faults(batch), None)
        if wrong is not None:
            raise TypeError(wrong)
        yield batch


def _faults(batch: RequestBatch) -> Iterator[str]:
    """Yield why rows are none that can be counted; machine code asks for nothing."""
    for name in ("latency_ns", *batch.arrays):
        values, expected = getattr(batch, name), ARRAYS[name]
        if getattr(values, "dtype", None) != expected:
            kind = getattr(values, "dtype", type(values).__name__)
            yield f"{name}: {kind}, array of {expected} expected"
    size = len(batch)
    for name in batch.arrays:
        values, texts = getattr(batch, name), getattr(batch, f"{name}s", None)
        if len(values) != size:
            yield f"{len(values)} of {name} beside {size} of latency_ns"
        elif size and texts is not None and not -1 <= values.min() <= values.max() < len(texts):
            yield f"{name} from {values.min()} to {values.max()} for {len(texts)} texts"
        elif size and name == "repeats" and values.min() < 1:
            yield f"{name} of {values.min()}, below 1"


def _guarded(tool: Tool) -> Tool:
    """Return a tool whose functions return nothing where they fail, as a command is only a hint.

    Raises:
        re.error: the pattern of its opening is none.
    """
    re.compile(tool.opening)
    read, options = tool.read, tool.options
    return replace(
        tool,
        read=_quiet(lambda arguments: dict(read(arguments)), {}),
        options=_quiet(lambda arguments: tuple(options(arguments)), ()),
    )


def _quiet(function: Callable[[Sequence[str]], T], nothing: T) -> Callable[[Sequence[str]], T]:
    def guarded(arguments: Sequence[str]) -> T:
        try:
            return function(arguments)
        except Exception:  # noqa: BLE001 - a stranger's, whatever it is
            return nothing

    return guarded
