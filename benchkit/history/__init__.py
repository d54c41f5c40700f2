"""Saved runs of many commits: stores, their trend, and where it changed.

A store holds immutable saves. What it holds say manifests, each written last: readers read only
what a manifest names, so that a save that was killed is there or not, and never half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchkit.errors import UsageError

if TYPE_CHECKING:
    from benchkit.model.run import Run


def baseline(spec: str) -> list[Run]:
    """Return the saved runs that `STORE@NAME` names, each once.

    Args:
        spec: `STORE@main` for the last five saves of a branch, `STORE@main:20` for the last so
            many, `STORE@v1.2` for a commit, its beginning, a label or a tag, `STORE@A..B` for all
            of a branch from one save to another.

    Raises:
        UsageError: there is no such store, or nothing in it is called so.
        InputError: the store cannot be read.
    """
    from benchkit.history.references import runs_of

    if not isinstance(spec, str):
        raise UsageError(f"expected STORE@NAME, not {spec!r:.40}")
    return runs_of(spec)
