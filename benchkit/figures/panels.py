"""Which panels of a figure are wanted, for words that speak of no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

_Part = TypeVar("_Part")

#: Whether a panel of a name is wanted.
Shows = Callable[[str], bool]


def any_panel(_: str) -> bool:
    """Say that a panel is wanted, whatever its name."""
    return True


def those_shown(parts: Iterable[_Part], name: Callable[[_Part], str], shows: Shows) -> list[_Part]:
    """Return those whose panels are wanted of what panels are made of; all where none is."""
    every = list(parts)
    return [part for part in every if shows(name(part))] or every
