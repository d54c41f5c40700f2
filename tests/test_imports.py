"""Imports run one way, and nowhere in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from benchkit import registry

ROOT = Path(__file__).resolve().parent.parent
#: Folders and what they are installed as.
SOURCES = {"benchkit": "benchkit", "parsers": "benchkit.parsers", "templates": "benchkit.templates"}

#: What is known everywhere: no room of its own, and it knows none.
COMMON = {"errors", "units", "format", "schema", "frames"}
#: Each room, the lowest first, and the rooms that it may import from besides the common ones.
ROOMS: Mapping[str, set[str]] = {
    **{room: set() for room in sorted(COMMON)},
    # what everybody may need for a text, a name, a file
    "runtime": set(),
    "toml": set(),
    "config": {"toml"},
    "names": set(),
    "templates": set(),
    "text": set(),
    # from bytes to runs
    "declarations": set(),
    "parsing": {"declarations", "text"},
    "tool": {"declarations"},
    "plugins": {"declarations", "parsing", "tool"},
    "registry": {"parsing", "tool", "plugins"},
    "redaction": {"registry"},
    # bytes, here and elsewhere
    "stores": {"redaction"},
    "output": {"stores", "config"},
    "parsers": {"parsing", "tool", "text", "runtime", "errors", "units", "schema"},
    "counting": {"runtime", "parsing"},
    "model": {"counting", "parsing", "registry"},
    "ingest": {
        *("model", "counting", "parsing", "tool", "registry", "redaction", "text", "names"),
        *("config", "stores", "runtime"),
    },
    "testing": {"ingest", "counting", "parsing", "plugins", "registry", "text", "tool"},
    # from runs to answers
    "stats": set(),
    "validity": {"model", "counting", "parsing", "registry", "tool", "names"},
    "compare": {"validity", "stats", "model", "counting", "registry", "names"},
    "gates": {"compare", "stats", "validity", "model"},
    "figures": {"compare", "stats", "validity", "model", "counting", "names", "output"},
    "report": {
        *("figures", "gates", "compare", "stats", "validity", "model", "templates"),
        *("names", "text", "redaction", "output", "stores", "runtime"),
    },
    # for people and other programs
    "export": set(),
    "datasets": {
        *("export", "validity", "model", "ingest", "counting", "parsing", "redaction", "stores"),
    },
    "api": {
        *("report", "figures", "gates", "compare", "stats", "validity", "model", "ingest"),
        *("datasets", "output"),
    },
    "benchkit": {"api"},
    "scenarios": {"benchkit", "compare", "stats", "output", "redaction", "stores", "toml"},
    "history": {
        *("api", "report", "figures", "compare", "validity", "stats", "model", "export", "output"),
        *("redaction", "stores"),
    },
    "cli": {
        *("benchkit", "api", "report", "figures", "gates", "compare", "validity", "model"),
        *("ingest", "scenarios", "history", "registry", "redaction", "export", "output", "text"),
        *("names", "config", "stores", "datasets"),
    },
    "__main__": {"cli"},
}
#: Rooms that know what stands in their line and nothing else: numbers; formats.
STRICT = {"stats", "parsers"}
#: (module, room): why one module goes further than its room.
EXCEPTIONS = {
    ("benchkit.scenarios.runner", "api"): "reads what was recorded as its user would",
    ("benchkit.scenarios.until", "api"): "judges what was recorded as its user would",
}


def modules() -> dict[str, Path]:
    """Every module of ours by its name; the scripts of bundled scenarios are none."""
    matches = {}
    for folder, name in SOURCES.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            inner = path.relative_to(ROOT / folder).with_suffix("").parts
            if inner[0] == "scenarios" and len(inner) > 2:
                continue
            matches[".".join([name, *inner]).removesuffix(".__init__")] = path
    return matches


MODULES = modules()


def room_of(module: str) -> str:
    """The part of a module's name behind `benchkit`."""
    return module.split(".")[1] if "." in module else module


def statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of a tree, inside functions as well, without those for types alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        yield from statements(child)


def imports(module: str) -> set[str]:
    """The modules of ours that a module imports."""
    path = MODULES[module]
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    names: set[str] = set()
    for statement in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
            continue
        above = package[: len(package) - statement.level + 1] if statement.level else []
        base = ".".join([*above, *([statement.module] if statement.module else [])])
        for alias in statement.names:
            inner = f"{base}.{alias.name}"
            names.add(inner if inner in MODULES else base)
    return {name for name in names if name in MODULES and name != module}


@cache  # not as the file is collected, which every process of the tests does
def edges() -> dict[str, set[str]]:
    """What each module imports."""
    return {module: imports(module) for module in MODULES}


def test_every_room_has_its_place() -> None:
    assert {room_of(module) for module in MODULES} == set(ROOMS)


def test_the_rooms_stand_one_above_the_other() -> None:
    known: set[str] = set()
    for room, below in ROOMS.items():
        assert below <= known, f"{room} stands below what it may import"
        known.add(room)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_from_those_below_it(room: str) -> None:
    allowed = ROOMS[room] | {room} | (set() if room in STRICT else COMMON)
    beyond = [
        f"{module} imports {other}"
        for module, others in edges().items()
        if room_of(module) == room
        for other in sorted(others)
        if room_of(other) not in allowed and (module, room_of(other)) not in EXCEPTIONS
    ]
    assert not beyond


def test_an_exception_is_still_one() -> None:
    for module, room in EXCEPTIONS:
        assert room in {room_of(other) for other in edges()[module]}


def test_no_module_imports_itself_in_the_end() -> None:
    try:
        TopologicalSorter(edges()).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_only_the_registry_knows_that_there_are_parsers() -> None:
    named = {
        module
        for module, path in MODULES.items()
        if "benchkit.parsers" in path.read_text(encoding="utf-8")
        and room_of(module) not in {"parsers", "registry", "plugins"}
    }
    assert named <= {"benchkit.parsing", "benchkit.tool"}  # whose docstrings say where they are


def is_prose(node: ast.AST) -> bool:
    """Whether texts below may name tools: in the declaration of a check, and in help."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "Check"
    return isinstance(node, ast.keyword) and node.arg == "help"


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module with their lines, without docstrings and prose."""
    prose = {id(text) for node in ast.walk(tree) if is_prose(node) for text in ast.walk(node)}
    prose |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


@pytest.mark.parametrize("module", MODULES)
def test_only_parsers_know_a_tool_by_its_name(module: str) -> None:
    if room_of(module) in {"parsers", "schema"}:  # the columns' descriptions give examples
        return
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    words = "|".join(sorted({*registry.tools(), *registry.programs()}, key=len, reverse=True))
    names = re.compile(rf"(?<![\w.-])(?:{words})(?![\w-])", re.IGNORECASE)
    named = [(line, text) for line, text in literals(tree) if names.search(text)]
    assert [text for _, text in named if text not in FILE_MODES] == []


#: `open` in a mode that reads like a tool.
FILE_MODES = {"ab"}


def test_imports_inside_functions_and_of_siblings_are_seen() -> None:
    tree = ast.parse(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import never\n"
        "def late():\n    from . import sibling\n"
    )
    names = [ast.unparse(statement) for statement in statements(tree)]
    assert names == ["from typing import TYPE_CHECKING", "from . import sibling"]
    assert "benchkit.api" in edges()["benchkit.cli.reading"]
    assert any(room_of(m) == "parsers" for m in edges()["benchkit.parsers.wrk_text"])
