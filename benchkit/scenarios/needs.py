"""What must be installed: whether it is, in which version, and what installs it."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from glob import glob
from pathlib import Path
from typing import Any, Final

from benchkit.errors import UsageError
from benchkit.scenarios.declaration import HERE, Scenario
from benchkit.scenarios.environment import ended

#: What lib.sh itself needs.
ALWAYS: Final = ("bash >= 5", "setpriv")
_NEED: Final = re.compile(r"\s*+([\w.-]++)\s*+(?:>=\s*+([\d.]++))?\s*+")
_VERSION: Final = re.compile(r"(?<!\d)\d++(?>(?:\.\d++)+)")


@dataclass(frozen=True, slots=True)
class Need:
    """What is needed, and whether it is there.

    Attributes:
        wanted: As the scenario has it, such as `go >= 1.25`.
        path: Where it is; None where it is missing.
        version: What it says of itself; None where it says nothing.
        problem: Why it will not do, empty where it will.
        install: Commands that install it.
    """

    name: str
    wanted: str
    path: str | None
    version: str | None
    problem: str
    install: Sequence[str]

    @property
    def good(self) -> bool:
        """Whether it will do."""
        return not self.problem


@cache
def catalogue() -> Mapping[str, Mapping[str, Any]]:
    """Return the facts about each need, by name."""
    return tomllib.loads((HERE / "needs.toml").read_text(encoding="utf-8"))


def look(wanted: str) -> Need:
    """Return the state of a need such as `go >= 1.25`.

    Raises:
        UsageError: nothing is known of it.
    """
    return _look(wanted, tuple(sorted(os.environ.items())))


@cache
def _look(wanted: str, _: tuple[tuple[str, str], ...]) -> Need:
    """Look once in each environment: asking a program for its version takes a while."""
    matched = _NEED.fullmatch(wanted)
    known = catalogue().get(matched[1]) if matched else None
    if matched is None or known is None:
        raise UsageError(f"'{wanted}' is no need; there are {', '.join(catalogue())}")
    path = _path(known)
    version = _version(path, known) if path else None
    problem = ""
    if path is None:
        problem = "not found"
    elif matched[2] and version and _numbers(version) < _numbers(matched[2]):
        problem = f"version {version} is too old"
    return Need(matched[1], wanted.strip(), path, version, problem, _install(known))


def needs_of(scenario: Scenario, variants: Sequence[str] = ()) -> list[Need]:
    """Return every need that all variants have, and those of the variants that are named.

    Of several load generators the first that is installed counts; without any, all are missing.
    """
    wanted = [*ALWAYS, *scenario.needs]
    wanted += [need for name in variants for need in scenario.variant_needs.get(name, ())]
    tools = [look(tool) for tool in scenario.tools]
    chosen = [tool for tool in tools if tool.good][:1] or tools
    return [*(look(need) for need in dict.fromkeys(wanted)), *chosen]


def tool_of(scenario: Scenario, wanted: str = "") -> Need:
    """Return the load generator that is used: the one asked for, or the first that is there."""
    named = dict(zip(scenario.tool_names, scenario.tools, strict=True))
    tools = [look(tool) for tool in ([named.get(wanted, wanted)] if wanted else scenario.tools)]
    return next((tool for tool in tools if tool.good), tools[0])


def _path(known: Mapping[str, Any]) -> str | None:
    if "variable" in known:
        named = os.environ.get(known["variable"], "")
        return named if named and Path(named).is_file() else None
    path: str | None
    for name in known["find"]:
        if "/" not in name:
            path = shutil.which(name)
        else:
            path = max(glob(name), key=_numbers, default=None)  # noqa: PTH207 - absolute
        if path is not None:
            return path
    return None


def _version(path: str, known: Mapping[str, Any]) -> str | None:
    if "version" not in known:
        return None
    process = ended(path, *known["version"])
    if process is None:
        return None
    lines = [*process.stdout.splitlines(), *process.stderr.splitlines()]
    text = "\n".join(line for line in lines if line.startswith(known.get("line", "")))
    matched = _VERSION.search(text)
    return matched[0] if matched else None


def _numbers(text: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", text)]


def _install(known: Mapping[str, Any]) -> list[str]:
    """Return the commands that install it here: of systems' packages only this system's."""
    commands = known.get("install", {})
    here = [name for name in ("debian", "fedora") if Path(_MARKS[name]).exists()]
    chosen = [commands[name] for name in (*here, "npm") if name in commands]
    rest = [text for name, text in commands.items() if name == "other" or not (chosen or here)]
    return list(dict.fromkeys([*chosen, *rest]))


_MARKS: Final = {"debian": "/etc/debian_version", "fedora": "/etc/fedora-release"}
