"""Read what HTTP load generators leave behind, compare it, and say how far to trust it.

import benchkit
results = benchkit.load("results/")
results.runs            # a pandas dataframe, one row per run
results.compare()       # which variant is better, and how sure that is
benchkit.report(results, "report.html")

docs/api.md has it all, with examples.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from benchkit.errors import BenchkitError, InputError, NothingToReportError, UsageError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchkit.api import Results, load, report

    __version__: str

__all__ = [
    "BenchkitError",
    "InputError",
    "NothingToReportError",
    "Results",
    "UsageError",
    "__version__",
    "load",
    "report",
]
#: Modules for others to import, as docs/plugins.md says.
_FOR_PLUGINS = ("errors", "parsing", "stores", "testing", "text", "tool")


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    # Imported when used, so that `benchkit --help` does not pay for pandas.
    if name in {"load", "report", "Results"}:
        from benchkit import api

        return getattr(api, name)
    if name == "__version__":
        from importlib.metadata import version

        return version("benchkit")
    near = "" if name.startswith("_") else nearest(name, __all__)
    raise AttributeError(f"module 'benchkit' has no attribute '{name}'" + (near and f"; {near}"))


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """Keeps `benchkit.report` the function, where the import system would put the room."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "report" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


class _Listed:
    """Finds all modules of a folder, and lists those for plug-ins: `help(benchkit)` is for users.

    Of a package pydoc prints what the finder of its folder lists (`pkgutil.iter_modules`).
    """

    def __init__(self, finder: Any) -> None:  # noqa: ANN401 - of a folder or an archive
        self.find_spec = finder.find_spec
        self.invalidate_caches = finder.invalidate_caches

    def iter_modules(self, prefix: str = "") -> Iterator[tuple[str, bool]]:
        for name in _FOR_PLUGINS:
            spec = self.find_spec(f"{__name__}.{name}")
            yield prefix + name, spec is not None and bool(spec.submodule_search_locations)


sys.modules[__name__].__class__ = _Package
for _folder in __path__:
    if (_finder := sys.path_importer_cache.get(_folder)) is not None:
        sys.path_importer_cache[_folder] = _Listed(_finder)
