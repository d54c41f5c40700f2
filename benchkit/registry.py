"""Finds parsers and the facts of their tools: the bundled ones, and those of plug-ins.

Only this module knows that parsers exist; `benchkit.plugins` finds those of other distributions.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Final

from benchkit.errors import BenchkitError, PluginWarning
from benchkit.parsing import Parser, Unread
from benchkit.plugins import Plugin
from benchkit.plugins import plugins as installed
from benchkit.tool import Tool

_BUNDLED: Final = "benchkit.parsers"


@cache
def bundled() -> tuple[Parser, ...]:
    """Return the parsers that come with benchkit, sorted by name.

    Raises:
        BenchkitError: two of them have one name.
    """
    by_name: dict[str, Parser] = {}
    for module in _modules():
        for parser in getattr(module, "PARSERS", ()):
            if parser.name in by_name:
                msg = f"two parsers are called {parser.name}; the second is in {module.__name__}"
                raise BenchkitError(msg)
            by_name[parser.name] = parser
    return tuple(by_name[name] for name in sorted(by_name))


def plugins() -> tuple[Plugin, ...]:
    """Return the plug-ins that are installed; of each that is left out a PluginWarning tells."""
    known = _installed()
    while _left_out:  # emptied first: who shows a warning may ask for the tools
        warnings.warn(_left_out.pop().warning, PluginWarning, stacklevel=2)
    return known


#: Plug-ins of which no warning told yet.
_left_out: list[Plugin] = []


@cache
def _installed() -> tuple[Plugin, ...]:
    known = installed(bundled(), _tools())
    _left_out.extend(plugin for plugin in reversed(known) if plugin.problem)
    return known


@cache
def parsers() -> tuple[Parser, ...]:
    """Return every parser, sorted by name."""
    strangers = (parser for plugin in plugins() for parser in plugin.parsers)
    return tuple(sorted((*bundled(), *strangers), key=lambda parser: parser.name))


@cache
def tools() -> Mapping[str, Tool]:
    """Return every load generator that declares itself, by name, sorted."""
    declared = [*_tools(), *(tool for plugin in plugins() for tool in plugin.tools)]
    return {tool.name: tool for tool in sorted(declared, key=lambda tool: tool.name)}


def _tools() -> list[Tool]:
    return [tool for module in _modules() for tool in getattr(module, "TOOLS", ())]


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
def remarks() -> re.Pattern[str]:
    """Return the pattern of lines that load generators print around their reports."""
    listed = [remark for tool in tools().values() for remark in tool.remarks]
    return re.compile("|".join(f"(?:{remark})" for remark in listed) or "(?!)")


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


def homes() -> tuple[str, ...]:
    """Return the names of the packages and modules that the parsers come with."""
    return (_BUNDLED, *(plugin.module for plugin in plugins() if not plugin.problem))


def _modules() -> Iterator[ModuleType]:
    package = importlib.import_module(_BUNDLED)
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"{_BUNDLED}.{info.name}")
