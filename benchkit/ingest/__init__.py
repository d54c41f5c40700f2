"""Paths to results: find the files, read each, tell runs from copies, name them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from benchkit.errors import UsageError
from benchkit.ingest.combination import Reading, combined
from benchkit.ingest.config import Config, Scope, scope_of
from benchkit.ingest.engines import Engine, Serial
from benchkit.ingest.outcomes import outcomes_of
from benchkit.ingest.paths import find_inputs, with_datasets
from benchkit.ingest.progress import Progress
from benchkit.runtime.interpreter import rare_collections

__all__ = ["Reading", "read"]


@rare_collections()
def read(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    config: Config | None = None,
    show_secrets: bool = False,
    hashes: bool = True,
    progress: Callable[[Progress], None] | None = None,
    engine: Engine | None = None,
) -> Reading:
    """Read files and folders of load-generator outputs: `benchkit.load` has the arguments.

    Raises:
        NothingToReportError: not one run was found; the message says why.
        UsageError: `paths` names nothing, or standard input twice.
    """
    listed = listed_paths(paths)
    scope = scope_of_paths(listed, config)
    outcomes = outcomes_of(scope.inputs, engine or Serial(), hashed=hashes, progress=progress)
    return combined(
        list(outcomes.values()),
        named=[os.fspath(path) for path in listed],
        scenario=scope.scenario,
        show_secrets=show_secrets,
    )


def scope_of_paths(paths: Iterable[str | os.PathLike[str]], config: Config | None = None) -> Scope:
    """Return the files of a call, with what is configured for each.

    Raises:
        UsageError: a path or a glob names nothing, or standard input twice.
        InputError: what is configured makes no sense.
    """
    return scope_of(find_inputs(paths), config or Config())


def listed_paths(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> list[str | os.PathLike[str]]:
    """Return the paths of a call; a glob that fits a dataset stands for what it fits.

    Raises:
        UsageError: they are none.
    """
    try:
        listed = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    except TypeError:
        raise UsageError(f"expected a path or several, not {paths!r:.40}") from None
    if not listed:
        raise UsageError("expected a path or several, not an empty list")
    return list(with_datasets(listed))
