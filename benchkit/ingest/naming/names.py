"""What a run is called, as far as it is known while names are made, and what it says itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from benchkit import format as show
from benchkit.ingest.inputs import three
from benchkit.model.run import DAY, IN_META, IN_NAME, LOST_BESIDE, ORDER
from benchkit.parsing import Figure

#: So many levels are told, of more the first and the last.
_MOST_LISTED: Final = 6
#: Columns of `runs` that a name may state, by the param under which it does.
COLUMNS: Final[Mapping[str, str]] = {
    "connections": "connections",
    "threads": "threads",
    "rate": "offered_rate_rps",
    "pipelining": "pipelining",
    "keepalive": "keepalive",
}
#: Returns params as they may be shown.
Levels = Callable[[Mapping[str, Any]], Mapping[str, Any]]


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
        telling: Whether words name what was measured; those of a file no single one of its runs.
        folder: The folders that its file lies in.
        position: Its place in the order of paths, in which run-10 comes after run-9.
        when: The dates and times in it.
        counts: What counts in it, from left to right.
        order: What is larger for runs that were made later, where names say that.
        day: The day in it, since 1970.
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
    when: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    order: int | None = None
    day: int | None = None


@dataclass(frozen=True)
class Facts:
    """What a run's output, command and metadata say of how it was made.

    Attributes:
        columns: Columns of `runs`.
        figures: Value per metric and statistic, as far as the files give one.
        shell: The shell or machine at whose prompt it was started.
        script: The name of the file that says what is sent.
        overruled: Columns of the metadata that the output prints as well, which counts.
        lost: Files that are called like its own, but for numbers, and hold no run.
    """

    columns: Mapping[str, Any]
    figures: Mapping[tuple[str, str], float]
    shell: str | None = None
    script: str | None = None
    overruled: Mapping[str, float] = field(default_factory=dict)
    lost: Sequence[str] = ()

    def get(self, column: str) -> Any:  # noqa: ANN401 - a cell may hold any kind
        """Return a column, None where it is missing."""
        return self.columns.get(column)

    @cached_property
    def printed(self) -> dict[str, float]:
        """The load as a name may state it: what was asked for, where that is known."""
        known = {
            "connections": self.figures.get(("connections", "value"), self.get("connections")),
            "threads": self.get("threads"),
            "rate": self.get("offered_rate_rps") or self.figures.get(("Requests", "rate")),
            "pipelining": self.get("pipelining"),
            "requests": self.get("requests"),
            "duration": self.figures.get(("Running", "value")),
        }
        return {name: value for name, value in known.items() if value is not None}

    @property
    def path(self) -> str | None:
        """Path and query of the URL."""
        url = self._url
        return url and (url.path or "/") + (f"?{url.query}" if url.query else "")

    @property
    def host(self) -> str | None:
        """Host and port of the URL."""
        return self._url and self._url.netloc.rpartition("@")[2]

    @property
    def _url(self) -> SplitResult | None:
        try:
            return urlsplit(self.get("url") or "") if self.get("url") else None
        except ValueError:
            return None

    def stated(self, name: Names) -> Iterator[Figure]:
        """Yield what name, metadata and neighbours state beside the output."""
        if self.lost:
            listed = three(map(show.clean, self.lost))
            yield Figure(LOST_BESIDE, listed, float(len(self.lost)))
        for column, number in self.overruled.items():
            yield Figure(IN_META, column, number)
        for param, column in COLUMNS.items():
            value = name.stated.get(param)
            if isinstance(value, int | float) and self.get(column) is not None:
                yield Figure(IN_NAME, column, float(value))
        if name.order is not None:
            yield Figure(IN_NAME, ORDER, float(name.order))
        if name.day is not None:
            yield Figure(IN_NAME, DAY, float(name.day))


def short(value: Any) -> Any:  # noqa: ANN401 - a level of any kind
    """Return a whole number as such, whatever its type: 5.0, and "5", are 5."""
    if isinstance(value, str):
        return int(value) if value.isdecimal() and str(int(value)) == value else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def listed(levels: Collection[Any]) -> str:
    """Return levels in order, of many the first and the last."""
    numbers = sorted(level for level in levels if isinstance(level, int | float))
    texts = [*(show.level(n) for n in numbers), *sorted(x for x in levels if isinstance(x, str))]
    return ", ".join(texts) if len(texts) <= _MOST_LISTED else f"{texts[0]} to {texts[-1]}"
