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


sys.modules[__name__].__class__ = _Package
