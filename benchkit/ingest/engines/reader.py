"""Which benchkit reads here: what it makes of a file another one may make otherwise."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from benchkit import registry


@cache
def reader() -> str:
    """Return the version of benchkit, and a hash of its code and of that of its plug-ins.

    It is the same on every machine with the same installation, and another one in a checkout
    where a module has changed.
    """
    used = [(each.distribution, each.name) for each in registry.plugins() if not each.problem]
    code = code_hash(path for name in ("benchkit", *registry.homes()) for path in _paths_of(name))
    known = hashlib.sha256(repr((used, code)).encode()).hexdigest()
    return f"benchkit {version('benchkit')} {known[:12]}"


def code_hash(paths: Iterable[Path]) -> str:
    """Return a hash of the modules that some paths are, or that lie below them."""
    total = hashlib.sha256()
    for path in paths:
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for file in files:
            data = file.read_bytes()
            name = file.relative_to(path).as_posix()
            total.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogatepass") + data)
    return total.hexdigest()


def _paths_of(name: str) -> list[Path]:
    """Return where a package lies, of another module its file; nothing without either."""
    module = importlib.import_module(name)
    places = getattr(module, "__path__", None) or [module.__file__]
    return [Path(each) for each in places if each is not None and Path(each).exists()]
