"""The search for defects: inputs that show something new are kept and changed further."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from studies.fuzz.coverage import LineCoverage
from studies.fuzz.defects import MOST_MEMORY, MOST_SECONDS, SMALL, Defect
from studies.fuzz.families import Family, Specimen
from studies.fuzz.machine import usual_seconds
from studies.fuzz.memory import Memory
from studies.fuzz.mutations import MOST_BYTES
from studies.fuzz.reading import Observation, strictly

#: Every so many executions the lines that are reached count too, which takes twice as long.
_FOLLOWED: Final = 16
_SPLICED: Final = 0.1
#: Once in so many executions what shows something new is read more thoroughly, which takes
#: thirty times as long.
_THOROUGHLY: Final = 200
_SHRINKING: Final = 400
_LARGEST_KEPT: Final = 4096
#: Bytes of an input at most, and their share of all: time goes by the byte.
_SIZES: Final = ((0.55, 512), (0.3, 1024), (0.12, 3072), (0.025, 8192), (0.005, MOST_BYTES))
#: What an input costs beside its bytes, in bytes.
_BYTES_OF_AN_INPUT: Final = 200
_MEMORY_LOOKED_AT: Final = 64


@dataclass(slots=True)
class _Kept:
    """An input that showed something new, and the bytes that were made of it since."""

    specimen: Specimen
    spent: int = 0


@dataclass
class Search:
    """A search within one family; equal seeds give equal searches.

    Attributes:
        executing: Called with each input before it is read.
        report: Called with each defect of a new kind, and the smallest input for it.
        kept: Called with each input that showed something new.
        executions: How many inputs were read, those of an earlier search not counted.
    """

    family: Family
    seed: int
    executing: Callable[[Specimen], None]
    report: Callable[[Defect, Specimen], None]
    kept: Callable[[Specimen], None] = lambda _: None
    executions: int = 0
    features: set[str] = field(default_factory=set)
    coverage: LineCoverage = field(default_factory=LineCoverage)
    _corpus: list[_Kept] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _thorough: int = 0
    _memory: Memory = field(default_factory=Memory)

    def __post_init__(self) -> None:
        self._drawn = Random(f"{self.family.name} {self.seed}")  # noqa: S311 - no secret

    def run(
        self,
        begin: Sequence[Specimen],
        go_on: Callable[[], bool],
        earlier: Sequence[Specimen] = (),
    ) -> list[Specimen]:
        """Search until `go_on` says no, and return what of `earlier` shows nothing new any more.

        Args:
            begin: Inputs to begin with, all of which are kept.
            go_on: Asked before each execution.
            earlier: Inputs that showed something new to an earlier search.
        """
        with strictly():
            self.family.read(begin[0].data, begin[0].kind)  # what is loaded or compiled once
            for specimen in begin:
                self._thorough = 0
                self._take(specimen, follow=True, keep=True)
            counted, idle = self.executions, []
            for specimen in sorted(earlier, key=lambda specimen: len(specimen.data)):
                self._thorough = self.executions + 1
                if not self._take(specimen, follow=True):
                    idle.append(specimen)
            self.executions = counted
            gc.collect()
            gc.freeze()
            self._thorough = 0
            while go_on():
                self._take(self._changed(), follow=not self.executions % _FOLLOWED)
        return idle

    @property
    def corpus(self) -> list[Specimen]:
        """The inputs that are kept."""
        return [kept.specimen for kept in self._corpus]

    def known(self, key: str) -> None:
        """Do not look for a defect any more."""
        self._known.add(key)

    def _take(self, specimen: Specimen, *, follow: bool, keep: bool = False) -> bool:
        """Read an input, and return whether it is kept."""
        reached = self.coverage.reached
        seen = self._executed(specimen, follow=follow)
        shown = not seen.features <= self.features
        new = shown or self.coverage.reached > reached
        self.features |= seen.features
        if shown and self.executions > self._thorough and self.family.more is not None:
            self._thorough = self.executions + _THOROUGHLY
            more = self.family.more(specimen.data, specimen.kind)
            seen.defects += more.defects
            self.features |= more.features
        for defect in seen.defects:
            if defect.key not in self._known:
                self._known.add(defect.key)
                self.report(defect, self._smallest(specimen, defect.key))
        if not keep and not (new and len(specimen.data) <= _LARGEST_KEPT):
            return False
        self._corpus.append(_Kept(specimen))
        self.kept(specimen)
        return True

    def _executed(self, specimen: Specimen, *, follow: bool) -> Observation:
        self.executing(specimen)
        self.executions += 1
        before = time.process_time()
        if follow:
            with self.coverage.following():
                seen = self.family.read(specimen.data, specimen.kind)
        else:
            seen = self.family.read(specimen.data, specimen.kind)
        spent = usual_seconds(time.process_time() - before, from_s=MOST_SECONDS)
        if spent > MOST_SECONDS and len(specimen.data) < SMALL:
            text = f"{spent:.1f} s for {len(specimen.data)} bytes"
            seen.defects.append(Defect("slow", f"slow: {specimen.kind}", text))
        most = self._memory.most(certain=not self.executions % _MEMORY_LOOKED_AT)
        if most > MOST_MEMORY and "memory" not in self._known:
            self._known.add("memory")
            seen.defects.append(Defect("memory", f"memory: {specimen.kind}", f"{most:,} bytes"))
        return seen

    def _changed(self) -> Specimen:
        """Return an input made of one of which less was made than of others."""
        drawn = self._drawn
        few = [drawn.choice(self._corpus) for _ in range(3)]
        chosen = min(few, key=lambda kept: kept.spent)
        data, kind = chosen.specimen.data, chosen.specimen.kind
        most = self._size()
        data = self.family.shorter(data, kind, most, drawn)
        ways = self.family.ways(kind)
        for _ in range(min(1 + int(drawn.expovariate(0.5)), 8)):
            if drawn.random() < _SPLICED:
                data = self._spliced(data, kind)
            data = drawn.choice(ways)(data, drawn)[:MOST_BYTES]
        data = self.family.shorter(data, kind, 2 * most, drawn)
        chosen.spent += len(data) + _BYTES_OF_AN_INPUT
        return Specimen(kind, data)

    def _size(self) -> int:
        """Return how large an input is to be at most: mostly little, seldom much."""
        left = self._drawn.random()
        for share, size in _SIZES:
            left -= share
            if left < 0:
                return size
        return MOST_BYTES

    def _spliced(self, data: bytes, kind: str) -> bytes:
        """Return the begin of an input with the end of another, or with a part of it in it."""
        drawn = self._drawn
        other = drawn.choice(self._corpus).specimen
        if other.kind != kind and drawn.random() < 0.7:
            return data
        at, first = drawn.randrange(len(data) + 1), drawn.randrange(len(other.data) + 1)
        if drawn.random() < 0.5:
            return data[:at] + other.data[first:]
        stop = min(first + int(drawn.expovariate(1 / 100)), len(other.data))
        return data[:at] + other.data[first:stop] + data[at:]

    def _smallest(self, specimen: Specimen, key: str) -> Specimen:
        """Return an input as small as a few hundred tries make it, with the same defect."""
        read = self.family.read
        if not self._shows(read(specimen.data, specimen.kind), key):
            more = self.family.more
            if more is None or not self._shows(more(specimen.data, specimen.kind), key):
                return specimen  # a matter of time or memory
            read = more

        def shows(data: bytes) -> bool:
            smaller = Specimen(specimen.kind, data)
            self.executing(smaller)
            return self._shows(read(data, specimen.kind), key)

        return Specimen(specimen.kind, smallest(specimen.data, shows))

    @staticmethod
    def _shows(seen: Observation, key: str) -> bool:
        return any(defect.key == key for defect in seen.defects)


def smallest(data: bytes, shows: Callable[[bytes], bool], tries: int = _SHRINKING) -> bytes:
    """Return bytes with as many pieces left out as still show something."""
    size = max(len(data) // 2, 1)
    while size:
        at, shrunk = 0, False
        while at < len(data) and tries > 0:
            shorter = data[:at] + data[at + size :]
            tries -= 1
            if shows(shorter):
                data, shrunk = shorter, True
            else:
                at += size
        if not shrunk or tries <= 0:
            size //= 2
    return data
