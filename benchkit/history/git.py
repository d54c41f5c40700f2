"""What git knows of commits: which one is checked out, and in which order they were made."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

#: As git writes a commit, in full or its beginning.
_HASH: Final = re.compile(r"[0-9a-fA-F]{7,64}")
#: Names that may be tags: nothing that git reads as more than a name.
_TAG: Final = re.compile(r"(?!-)(?!.*\.\.)[\w.+/-]{1,200}", re.ASCII)
_TIMEOUT_S: Final = 60


def checked_out() -> tuple[str | None, str | None]:
    """Return commit and branch of the work tree here, None for what there is not."""
    commit = _asked(["rev-parse", "--verify", "--quiet", "HEAD"])
    branch = _asked(["symbolic-ref", "--short", "--quiet", "HEAD"])
    return (commit or "").strip() or None, (branch or "").strip() or None


def commit_of(name: str) -> str | None:
    """Return the full hash of a commit or tag, None where git here knows none of that name."""
    return _hashes([name]).get(name)


def order_of(commits: Iterable[str]) -> Mapping[str, int]:
    """Return the place of each commit that git here knows: parents come before their children."""
    hashes = _hashes(list(dict.fromkeys(commits)))
    if not hashes:
        return {}
    given = "".join(f"{name}\n" for name in dict.fromkeys(hashes.values()))
    listed = _asked(["rev-list", "--topo-order", "--reverse", "--stdin"], given)
    wanted = set(hashes.values())
    ranks = {name: n for n, name in enumerate((listed or "").split()) if name in wanted}
    return {commit: ranks[name] for commit, name in hashes.items() if name in ranks}


def _hashes(names: Sequence[str]) -> dict[str, str]:
    """Return the full hash by name; nothing for what is neither a hash nor a tag here."""
    asked = {name: reference for name in names if (reference := _reference(name))}
    if not asked:
        return {}
    given = "".join(f"{reference}^{{commit}}\n" for reference in asked.values())
    answer = _asked(["cat-file", "--batch-check=%(objectname)"], given)
    lines = (answer or "").splitlines()
    if len(lines) != len(asked):
        return {}
    return {
        name: line for name, line in zip(asked, lines, strict=True) if re.fullmatch(_HASH, line)
    }


def _reference(name: str) -> str:
    if _HASH.fullmatch(name):
        return name
    return f"refs/tags/{name}" if _TAG.fullmatch(name) else ""


def _asked(arguments: Sequence[str], given: str = "") -> str | None:
    """Return what git prints; None where it fails, is not there or takes too long."""
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603 - names go in by standard input
            ["git", *arguments],  # noqa: S607 - the one in PATH
            input=given,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=_TIMEOUT_S,
            check=False,
            env=os.environ | quiet,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
