"""The lines above and below autocannon's tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from benchkit import units
from benchkit.text import Text

_PLAIN: Final = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
_NUMBER: Final = rf"({_PLAIN}) ?([kMG]?)"
_HEAD: Final = re.compile(rf"Running ({_PLAIN}s|[0-9]{{1,18}} requests) (test|warmup) @ (\S.*)$")
_CONNECTIONS: Final = re.compile(
    r"([0-9]{1,9}) connections(?: with ([0-9]{1,9}) pipelining factor)?$"
)
_WORKERS: Final = re.compile(r"([0-9]{1,6}) workers$")
_WRK: Final = re.compile(r"[0-9]+ threads and [0-9]+ connections")

TailName = Literal["sampled", "samples", "statuses", "summary", "errors", "mismatches", "resets"]

_TAIL: Final[dict[TailName, re.Pattern[str]]] = {
    "sampled": re.compile(
        rf"Req/Bytes counts sampled (once per second|every ({_PLAIN}) seconds)\.$"
    ),
    "samples": re.compile(r"\\?# of samples: ([0-9]{1,18})$"),
    "statuses": re.compile(r"([0-9]{1,18}) 2xx responses, ([0-9]{1,18}) non 2xx responses$"),
    "summary": re.compile(rf"{_NUMBER} requests in ({_PLAIN})s, ({_PLAIN} ?[kKMGTP]?B) read$"),
    "errors": re.compile(rf"{_NUMBER} +errors(?: \({_NUMBER} timeouts\))?$"),
    "mismatches": re.compile(rf"{_NUMBER} requests with mismatched body$"),
    "resets": re.compile(rf"request pipeline was reset(?:ted)? {_NUMBER} times?$"),
}
#: `bare` takes the mark of "# of samples" for a comment's.
_UNMARKED_SAMPLES: Final = re.compile(r"of samples: ([0-9]{1,18})$")


@dataclass(frozen=True)
class Count:
    """A count as printed: rounded to thousands from 1000 on, exact below."""

    value: int
    printed: str

    @classmethod
    def of(cls, digits: str, suffix: str) -> Count:
        """Return the count of a number and its k, M or nothing."""
        return cls(round(units.count(digits + suffix)), f"{digits}{suffix}")

    @property
    def exact(self) -> bool:
        """Whether no digit was dropped."""
        return self.printed.isdigit()

    @property
    def least(self) -> float:
        """The smallest count that is printed like this."""
        if self.exact:
            return self.value
        step = {"k": 1e3, "M": 1e6, "G": 1e9}.get(self.printed[-1], 1.0)
        return self.value - units.half_step(self.printed[:-1]) * step


@dataclass(frozen=True)
class Head:
    """`Running 10s test @ URL` and the lines below it.

    Attributes:
        wrk: Whether what follows shows that it is wrk's.
        connections: None where the text ends before that line.
    """

    first: int
    last: int
    asked: str
    url: str
    warmup: bool = False
    wrk: bool = False
    connections: int | None = None
    pipelining: int | None = None
    workers: int | None = None


@dataclass(frozen=True)
class Tail:
    """One line below the tables."""

    line: int
    name: TailName
    match: re.Match[str]


def heads(text: Text) -> Iterator[Head]:
    """Yield the lines that announce a run, autocannon's or wrk's."""
    for number, matched in text.find(_HEAD):
        yield _head(text, number, matched)


def _head(text: Text, number: int, matched: re.Match[str]) -> Head:
    below = [
        (at, text.bare[at]) for at in range(number + 1, min(number + 6, len(text))) if text.bare[at]
    ]
    base = Head(number, number, matched[1], matched[3].strip(), warmup=matched[2] == "warmup")
    if not below:
        return base
    at, line = below[0]
    connections = _CONNECTIONS.match(line)
    if not connections:
        return replace(base, wrk=bool(_WRK.match(line)))
    workers = _WORKERS.match(below[1][1]) if len(below) > 1 else None
    return replace(
        base,
        last=below[1][0] if workers else at,
        connections=int(connections[1]),
        pipelining=int(connections[2] or 1),  # printed only when above 1 (0.1: always)
        workers=int(workers[1]) if workers else None,
    )


def tails(text: Text) -> Iterator[Tail]:
    """Yield the lines that stand below a table."""
    for number, line in enumerate(text.bare):
        if not line.endswith((".", "read", "responses", "errors", ")", "body", "times", "time")):
            matched = _UNMARKED_SAMPLES.match(line) or _TAIL["samples"].match(line)
            if matched:
                yield Tail(number, "samples", matched)
            continue
        for name, pattern in _TAIL.items():
            matched = pattern.match(line)
            if matched:
                yield Tail(number, name, matched)
                break
