"""What a run is called, as far as it is known while names are made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

#: So many levels are told, of more the first and the last.
_MOST_LISTED: Final = 6


class Founded(IntEnum):
    """What a name rests on; of the files of one run, the best founded name is taken."""

    PATH = 0
    PAGE = 1
    META = 2
    PATTERN = 3
    COMMAND_LINE = 4


@dataclass
class Names:
    """How one run is called.

    Attributes:
        label: Its name for people; `further` is added, from the left, where one is taken.
        params: Further factors.
        stated: What a name says of the load, by param.
        telling: Whether words name what was measured.
        folder: The folders that its file lies in.
        position: Its place in the order of paths, in which run-10 comes after run-9.
    """

    tool: str
    label: str
    scenario: str | None = None
    variant: str = ""
    repeat: int | None = None
    params: dict[str, Any] = field(default_factory=dict)
    stated: dict[str, Any] = field(default_factory=dict)
    further: list[str] = field(default_factory=list)
    founded: Founded = Founded.PATH
    telling: bool = True
    folder: tuple[str, ...] = ()
    position: tuple[object, ...] = ()


def short(value: Any) -> Any:  # noqa: ANN401 - a level of any kind
    """Return a whole number as such, whatever its type: 5.0, and "5", are 5."""
    if isinstance(value, str):
        return int(value) if value.isdecimal() and str(int(value)) == value else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def listed(levels: Collection[Any]) -> str:
    """Return levels in order, of many the first and the last."""
    numbers = sorted(level for level in levels if isinstance(level, int | float))
    texts = [*(f"{n:g}" for n in numbers), *sorted(x for x in levels if isinstance(x, str))]
    return ", ".join(texts) if len(texts) <= _MOST_LISTED else f"{texts[0]} to {texts[-1]}"
