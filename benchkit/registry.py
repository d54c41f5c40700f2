"""Finds parsers and the facts of their tools: the bundled ones, and a stranger's by entry point.

Only this module knows that parsers exist. A third party's distribution names a
module with `PARSERS` and `TOOLS` in the entry-point group `benchkit.parsers`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType

from benchkit.errors import BenchkitError
from benchkit.parsing import Parser, Unread
from benchkit.tool import Tool

GROUP = "benchkit.parsers"


@cache
def parsers() -> tuple[Parser, ...]:
    """Return every parser, sorted by name.

    Raises:
        BenchkitError: two parsers of one name, or a third party's module that
            cannot be imported.
    """
    by_name: dict[str, Parser] = {}
    for module in _modules():
        for parser in getattr(module, "PARSERS", ()):
            if parser.name in by_name:
                msg = f"two parsers are called {parser.name}; the second is in {module.__name__}"
                raise BenchkitError(msg)
            by_name[parser.name] = parser
    return tuple(by_name[name] for name in sorted(by_name))


@cache
def tools() -> Mapping[str, Tool]:
    """Return every load generator that declares itself, by name, sorted."""
    declared = [tool for module in _modules() for tool in getattr(module, "TOOLS", ())]
    return {tool.name: tool for tool in sorted(declared, key=lambda tool: tool.name)}


def tool(name: str) -> Tool:
    """Return a load generator; of one that declares nothing only the name is known."""
    return tools().get(name) or _undeclared(name)


@cache
def _undeclared(name: str) -> Tool:
    return Tool(name=name)


@cache
def programs() -> Mapping[str, Tool]:
    """Return whose each program is, by its name."""
    return {program: tool for tool in tools().values() for program in tool.programs}


@cache
def unread() -> tuple[Unread, ...]:
    """Return the load generators that are known by sight only."""
    read = {parser.tool for parser in parsers()}
    known = (u for module in _modules() for u in getattr(module, "UNREAD", ()))
    return tuple(tool for tool in known if tool.tool not in read)


def parser(name: str) -> Parser:
    """Return the parser of that name.

    Raises:
        KeyError: there is none.
    """
    return {parser.name: parser for parser in parsers()}[name]


def _modules() -> Iterator[ModuleType]:
    package = importlib.import_module("benchkit.parsers")
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"benchkit.parsers.{info.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            yield point.load()
        except Exception as error:
            msg = f"the parser '{point.name}' of {point.value} cannot be loaded: {error!r}"
            raise BenchkitError(msg) from error
