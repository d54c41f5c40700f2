"""The search for inputs that cost more than their size: pieces repeated, sizes doubled."""

from __future__ import annotations

import cProfile
import math
import pstats
import re
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from studies.fuzz.defects import MOST_SECONDS, ROOT, SMALL, SOURCES, Defect
from studies.fuzz.families import Family, Specimen
from studies.fuzz.machine import usual_seconds
from studies.fuzz.reading import strictly
from studies.fuzz.search import smallest

_SMALL, _LARGE = 2**13, 2**15
_DIGITS: Final = re.compile(rb"[0-9]++")
#: Exponent of size from which growth is looked at more closely, and from which it is reported.
_SUSPECT: Final = 1.3
_GROWS: Final = 1.45
_POPULATION: Final = 64
_LONGEST: Final = 2048
_TRIES: Final = 8
#: What a line costs beside its bytes: else the search ends with blank lines.
_BYTES_OF_A_LINE: Final = 20
_DEAREST: Final = 3
_ASKED: Final = 4
#: How many of the new shapes repeat pieces of two inputs.
_CROSSED: Final = 0.3
_MODES: Final = ("same", "same", "numbered", "lettered")


@dataclass(frozen=True)
class Shape:
    """An input of any size: `before`, repetitions of `unit`, `between`, of `other`, `after`.

    Attributes:
        mode: Whether repetitions are the same, or differ in their digits or in a letter.
    """

    kind: str
    before: bytes
    unit: bytes
    between: bytes = b""
    other: bytes = b""
    after: bytes = b""
    mode: str = "same"

    def of_size(self, size: int) -> bytes:
        """Return the input with as many repetitions as fit into a size."""
        fixed = len(self.before) + len(self.between) + len(self.after)
        times = max((size - fixed) // max(len(self.unit) + len(self.other), 1), 1)
        return b"".join(
            (
                *(self.before, self._repeated(self.unit, times), self.between),
                *(self._repeated(self.other, times), self.after),
            )
        )

    def _repeated(self, unit: bytes, times: int) -> bytes:
        if self.mode == "same" or not unit:
            return unit * times
        if self.mode == "lettered":
            return b"".join(unit + b"%x" % (at * 2654435761 % 2**32) for at in range(times))
        return b"".join(
            _DIGITS.sub(lambda digits, at=at: b"%d" % (int(digits[0][-9:]) + at), unit, count=2)  # type: ignore[misc]
            for at in range(times)
        )

    def __str__(self) -> str:
        parts = (f"{name}={getattr(self, name)!r}" for name in ("before", "unit", "between"))
        rest = (f"{name}={getattr(self, name)!r}" for name in ("other", "after", "mode"))
        return f"Shape({self.kind!r}, {', '.join((*parts, *rest))})"


def _expanded(data: bytes) -> int:
    """Return how many bytes are in a file, compressed or not: it counts by what is read of it."""
    size, rest = 0, data
    while rest.startswith(b"\x1f\x8b"):
        reading = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            size += len(reading.decompress(rest))
        except zlib.error:
            break
        rest = reading.unused_data
    return max(size, len(data))


@dataclass(slots=True)
class _Ranked:
    """What a shape costs.

    Attributes:
        cost: In s per byte, where a line counts as some bytes more.
        exponent: Of its growth from the smaller size to the larger.
        seconds: At the larger size.
    """

    shape: Shape
    cost: float
    exponent: float
    seconds: float

    @property
    def rank(self) -> float:
        return self.cost * max(self.exponent, 0.5) ** 2


@dataclass
class Growth:
    """A search within one family; attributes as those of `Search`."""

    family: Family
    seed: int
    executing: Callable[[Specimen], None]
    report: Callable[[Defect, Specimen], None]
    executions: int = 0
    shapes: list[_Ranked] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._drawn = Random(f"{self.family.name} {self.seed}")  # noqa: S311 - no secret

    def known(self, key: str) -> None:
        """Do not look for a defect any more."""
        self._known.add(key)

    def run(
        self,
        begin: Sequence[Specimen],
        go_on: Callable[[], bool],
        earlier: Sequence[Specimen] = (),
    ) -> list[Specimen]:
        """Search until `go_on` says no, from some inputs on, and return none that is to go."""
        drawn, begin = self._drawn, [*begin, *earlier]
        with strictly():
            for specimen in begin[:8]:
                self._cost(specimen)  # what is loaded or compiled once
            while go_on():
                if len(self.shapes) < _POPULATION // 2 or drawn.random() < 0.3:
                    shape = self._repeating(drawn.choice(begin))
                    if drawn.random() < _CROSSED:
                        shape = self._crossed(shape, drawn.choice(begin))
                else:
                    few = drawn.sample(self.shapes, 4)
                    shape = self._changed(max(few, key=lambda ranked: ranked.rank).shape)
                self._take(shape)
        self._tell_dearest()
        return []

    def _take(self, shape: Shape) -> None:
        ranked = self._measured(shape)
        if not ranked.cost:
            return
        self.shapes.append(ranked)
        if len(self.shapes) > _POPULATION:
            self.shapes.remove(min(self.shapes, key=lambda ranked: ranked.rank))
        if ranked.exponent > _SUSPECT and ranked.seconds > 0.01:
            self._confirm(shape)

    def _measured(self, shape: Shape) -> _Ranked:
        """Return a shape with its cost, 0 where its size cannot be chosen."""
        small, large = (shape.of_size(size) for size in (_SMALL, _LARGE))
        if not shape.unit or not 2 * len(small) < len(large) < 2 * _LARGE:
            return _Ranked(shape, 0, 0, 0)
        first = self._cost(Specimen(shape.kind, small))
        second = self._cost(Specimen(shape.kind, large))
        weight = len(large) + _BYTES_OF_A_LINE * large.count(b"\n")
        exponent = _exponent(first, second, len(large) / len(small))
        return _Ranked(shape, second / weight, exponent, second)

    def _confirm(self, shape: Shape) -> None:
        """Report a shape whose cost grows more than its size three times in a row."""
        costs: list[tuple[int, float]] = []
        for size in (2**15, 2**16, 2**17, 2**18, 2**19):
            data = shape.of_size(size)
            cost = min(self._cost(Specimen(shape.kind, data)) for _ in range(2))
            costs.append((len(data), cost))
            if len(costs) > 1:
                exponent = _exponent(costs[-2][1], cost, len(data) / costs[-2][0])
                if exponent < _GROWS and len(costs) < 5:
                    return
            if len(costs) > 3 or cost > MOST_SECONDS / 2:
                break
        where = self._where(shape)
        key = f"growth: {where}"
        if key not in self._known:
            self._known.add(key)
            shape = self._smallest(shape)
            table = ", ".join(f"{size} bytes {cost:.3f} s" for size, cost in costs)
            text = f"{table}\n{shape}\n{where}"
            self.report(Defect("growth", key, text), Specimen(shape.kind, shape.of_size(2**14)))

    def _smallest(self, shape: Shape) -> Shape:
        """Return a shape with shorter parts that grows as fast, as far as some tries go."""
        for part in ("before", "after", "between", "other", "unit"):
            grows = partial(self._grows, shape, part)
            old = getattr(shape, part)
            new = b"" if grows(b"") else smallest(old, grows, _TRIES)
            values: dict[str, Any] = {part: new}
            shape = replace(shape, **values)
        return shape

    def _grows(self, shape: Shape, part: str, data: bytes) -> bool:
        values: dict[str, Any] = {part: data}
        return self._measured(replace(shape, **values)).exponent > _GROWS

    def _where(self, shape: Shape) -> str:
        """Return the function of ours in which most of the time goes, with what it calls in C."""
        data, kind = shape.of_size(_LARGE), shape.kind
        profile = cProfile.Profile()
        profile.enable()
        self.family.timed(data, kind)
        profile.disable()
        own: dict[str, float] = {}
        for (path, _, name), (_, _, spent, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
            if path.startswith(SOURCES):
                where = f"{Path(path).relative_to(ROOT).as_posix()}: {name}"
                own[where] = own.get(where, 0.0) + spent
                continue
            for (above, _, caller), counts in callers.items():
                if above.startswith(SOURCES):
                    where = f"{Path(above).relative_to(ROOT).as_posix()}: {caller}"
                    own[where] = own.get(where, 0.0) + counts[2]
        return max(own, key=own.__getitem__, default="outside")

    def _tell_dearest(self) -> None:
        """Report the dearest shape if a megabyte of it takes too long."""
        for ranked in sorted(self.shapes, key=lambda ranked: -ranked.cost)[:_DEAREST]:
            for size in (SMALL // 8, SMALL // 2, SMALL - 1):
                data = ranked.shape.of_size(size)[: SMALL - 1]
                if _expanded(data) >= SMALL:
                    continue
                spent = self._usual_cost(Specimen(ranked.shape.kind, data))
                if spent > MOST_SECONDS:
                    break
            else:
                continue
            key = f"slow: {self._where(ranked.shape)}"
            if key not in self._known:
                self._known.add(key)
                text = f"{spent:.1f} s for {len(data)} bytes\n{ranked.shape}"
                specimen = Specimen(ranked.shape.kind, ranked.shape.of_size(2**12))
                self.report(Defect("slow", key, text), specimen)

    def _usual_cost(self, specimen: Specimen) -> float:
        """Return the least of a few costs: other processes only add to them."""
        least = math.inf
        for _ in range(_ASKED):
            least = min(least, self._cost(specimen))
            if (spent := usual_seconds(least, from_s=MOST_SECONDS)) <= MOST_SECONDS:
                break
        return spent

    def _cost(self, specimen: Specimen) -> float:
        self.executing(specimen)
        self.executions += 1
        before = time.process_time()
        self.family.timed(specimen.data, specimen.kind)
        return time.process_time() - before

    def _repeating(self, specimen: Specimen) -> Shape:
        """Return a shape that repeats one or two pieces of an input, or all of it."""
        drawn, data = self._drawn, specimen.data
        mode = drawn.choice(_MODES)
        if drawn.random() < 0.1:
            return Shape(specimen.kind, b"", data + b"\n", mode=mode)
        first, stop, at, end = self._pieces(data)
        shape = Shape(specimen.kind, data[:first], data[first:stop], mode=mode)
        if drawn.random() < 0.4 and stop <= at:
            return replace(shape, between=data[stop:at], other=data[at:end], after=data[end:])
        return replace(shape, after=data[stop:] if drawn.random() < 0.7 else b"")

    def _crossed(self, shape: Shape, specimen: Specimen) -> Shape:
        """Return a shape that repeats a piece of another input, too: two reports may be one run."""
        first, stop, _, _ = self._pieces(specimen.data)
        whole = self._drawn.random() < 0.3 and len(specimen.data) < _LONGEST
        piece = specimen.data if whole else specimen.data[first:stop]
        return replace(shape, unit=b"\n".join((shape.unit, piece)))

    def _pieces(self, data: bytes) -> tuple[int, int, int, int]:
        """Return where two pieces begin and end: lines, or spans of a few bytes."""
        drawn = self._drawn
        if drawn.random() < 0.5:
            ends = [0, *(newline.end() for newline in re.finditer(rb"\n", data)), len(data)]
            at, other = sorted(drawn.randrange(len(ends)) for _ in range(2))
            lines = 1 + int(drawn.expovariate(1))
            stop = ends[min(at + lines, len(ends) - 1)]
            return ends[at], stop, ends[other], ends[min(other + lines, len(ends) - 1)]
        spans = sorted(drawn.randrange(len(data) + 1) for _ in range(2))
        sizes = [1 + int(drawn.expovariate(0.15)) for _ in range(2)]
        return spans[0], spans[0] + sizes[0], spans[1], spans[1] + sizes[1]

    def _changed(self, shape: Shape) -> Shape:
        """Return a shape with some of its parts changed."""
        drawn = self._drawn
        ways = self.family.ways(shape.kind)
        for _ in range(1 + int(drawn.expovariate(1))):
            part = drawn.choice(("before", "unit", "unit", "other", "between", "after", "mode"))
            if part == "mode":
                shape = replace(shape, mode=drawn.choice(_MODES))
                continue
            changed = drawn.choice(ways)(getattr(shape, part), drawn)[:_LONGEST]
            if part != "unit" and drawn.random() < 0.15:
                changed = b""
            values: dict[str, Any] = {part: changed}
            shape = replace(shape, **values)
        return shape


def _exponent(first: float, second: float, times: float) -> float:
    return math.log(max(second, 1e-6) / max(first, 1e-6)) / math.log(times)
