"""Read what HTTP load generators leave behind, compare it, and say how far to trust it.

import benchkit
results = benchkit.load("results/")
results.runs            # a pandas dataframe, one row per run
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchkit.errors import BenchkitError, InputError, NothingToReportError, UsageError

if TYPE_CHECKING:
    from benchkit.api import Results, load

    __version__: str

__all__ = [
    "BenchkitError",
    "InputError",
    "NothingToReportError",
    "Results",
    "UsageError",
    "__version__",
    "load",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    # Imported when used, so that `benchkit --help` does not pay for pandas.
    if name in {"load", "Results"}:
        from benchkit import api

        return getattr(api, name)
    if name == "__version__":
        from importlib.metadata import version

        return version("benchkit")
    raise AttributeError(name)
