"""Words in names that set two states of one thing against each other, such as before and after."""

from __future__ import annotations

from typing import Final

_BRANCHES: Final = frozenset({"main", "master", "trunk", "develop"})
_UNCHANGED: Final = frozenset(
    {"base", "baseline", "before", "control", "unpatched", "orig", "original"}
)
_EARLIER: Final = frozenset({"old", "previous", "prev"})
#: Words in the name of what is compared with a baseline.
CHANGED: Final = frozenset(
    {
        *("after", "new", "head", "candidate", "current", "treatment", "patched", "fixed"),
        *("optimized", "pr", "with"),
    }
)

#: They are what is compared, wherever they stand in names.
STATES: Final = _UNCHANGED | _EARLIER | CHANGED | {"main", "master", "without"}
#: Of these one is enough: what stands in its place is set against it.
BASES: Final = _UNCHANGED | _BRANCHES
#: Words in the name of the variant that others are compared with.
BASELINES: Final = (
    _UNCHANGED
    | _EARLIER
    | (_BRANCHES - {"develop"})
    | {
        *("upstream", "vanilla", "reference", "without", "none", "no"),
        *("vorher", "avant", "antes", "до", "変更前", "之前"),
    }
)
