"""Builds that are made once and kept, by the content of what they are made from."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchkit.errors import BenchkitError
from benchkit.scenarios import folders
from benchkit.scenarios.checked import Value
from benchkit.scenarios.declaration import Scenario
from benchkit.scenarios.harness import Harness
from benchkit.scenarios.needs import Need

#: Lies in a build that is complete, with the hashes of its files.
MADE: Final = "benchkit-build.json"
LIMIT_S: Final = 1800.0
_KEPT_OUT: Final = ("README.md", "scenario.toml", "__pycache__")
_LARGEST: Final = 2**28


class BuildError(BenchkitError):
    """A harness could not build; the text says what it said last."""


def sources_hash(scenario: Scenario, *further: Path) -> str:
    """Return the SHA-256 of the harness, its sources, and further files."""
    digest = hashlib.sha256()
    for path in [*further, *sorted(scenario.folder.rglob("*"))]:
        if path.is_file() and not {*path.parts} & {*_KEPT_OUT}:
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def folder_of(scenario: Scenario, needs: Sequence[Need], variant: str = "") -> Path:
    """Return the folder of a build: the same for equal sources, tools and machine."""
    beside = {*scenario.tool_names, *_BESIDE}
    tools = " ".join(f"{need.name}={need.version}" for need in needs if need.name not in beside)
    parts = (sources_hash(scenario), tools, platform.machine(), variant)
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    name = f"{scenario.name}-{key}" if not variant else f"{scenario.name}-{variant}-{key}"
    return folders.cache() / "builds" / name


#: What runs beside it does not change what is built, as load generators do not.
_BESIDE: Final = ("bash", "setpriv", "taskset")


def is_built(folder: Path) -> bool:
    """Whether a build is complete."""
    return (folder / MADE).is_file()


def build(
    harness: Harness,
    *,
    variant: str = "",
    settings: Mapping[str, Value] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Make what the harness's folder lacks; one that is complete is left alone.

    Raises:
        BuildError: the harness failed.
    """
    target = harness.build
    if is_built(target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    for left in target.parent.glob(f".{target.name}-*"):
        pid = left.name.rpartition("-")[2]
        if pid == str(os.getpid()) or not Path("/proc", pid).exists():
            shutil.rmtree(left, ignore_errors=True)
    making = target.with_name(f".{target.name}-{os.getpid()}")
    making.mkdir()
    log = making / "build.log"
    try:
        env = harness.variables(variant, settings or {}) | {"BK_BUILD": str(making)}
        status = harness.call("build", env, log=log, limit_s=LIMIT_S, tick=tick)
        if status:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            last = " / ".join(lines[-3:]) or "it said nothing"
            raise BuildError(f"{harness.scenario.name}: building failed: {last}")
        (making / MADE).write_text(json.dumps(_hashes(making), indent=2) + "\n", encoding="utf-8")
        if not is_built(target):
            shutil.rmtree(target, ignore_errors=True)
            making.rename(target)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def description(folder: Path) -> dict[str, Any]:
    """Return the hashes of what was built, by name; empty where nothing is."""
    try:
        content = json.loads((folder / MADE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _hashes(folder: Path) -> dict[str, str]:
    hashes = {}
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != "build.log" and path.stat().st_size < _LARGEST:
            hashes[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return hashes
