"""Which scenarios and variants a rule, or an ignored finding, is about.

A scope names a scenario, a variant, `scenario/variant`, or a variant as tables label it; `*` and
`?` stand for anything. After a comma it may say params: `gin-panic/nolog, connections=50`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from benchkit import format as show
from benchkit.errors import nearest, printable
from benchkit.model.variant import Variant


@dataclass(frozen=True, eq=False)
class Member:
    """A variant under one setting of a scenario: what a scope may be about.

    Attributes:
        setting: The params of the setting, part of its label in full.
    """

    scenario: str | None
    variant: Variant
    setting: Mapping[str, Any]

    @property
    def label(self) -> str:
        """Its label, unique within scenario and tool."""
        return show.joined(self.variant.label, self.setting)

    def names(self) -> Iterator[str]:
        """Yield everything that it may be called in a scope."""
        own = dict.fromkeys((self.variant.name, self.variant.label, self.label))
        yield from own
        if self.scenario:
            yield self.scenario
            yield from (f"{self.scenario}/{name}" for name in own)

    def fits(self, scope: str) -> bool:
        """Whether a scope is about it; an empty one is about everything."""
        if not scope or self._called(scope):
            return True
        name, *params = (part.strip() for part in scope.split(","))
        return bool(params) and self._called(name) and all(map(self._has, params))

    def _called(self, scope: str) -> bool:
        return any(name == scope or fnmatchcase(name, scope) for name in self.names())

    def _has(self, param: str) -> bool:
        key, sign, value = param.partition("=")
        wanted = show.params({key.strip(): value.strip()}) if sign else [param]
        return any(text == wanted[0] for text in show.params(self.variant.params))


def nothing_fits(scope: str, members: Sequence[Member]) -> str:
    """Return that a scope is about no run, and what there is."""
    names = list(dict.fromkeys(name for member in members for name in member.names()))
    pairs = [f"{m.scenario}/{m.variant.name}" if m.scenario else m.variant.name for m in members]
    there = list(dict.fromkeys(pairs))
    shown = ", ".join(show.clean(name, limit=60) for name in there[:_NAMED])
    more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
    near = nearest(scope, names)
    hint = f"; {near} There" if near else "; there"
    return f"no scenario or variant is called {printable(scope)}{hint} are {shown}{more}"


_NAMED = 6
