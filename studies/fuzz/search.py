"""The search for defects: inputs that show something new are kept and changed further."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from studies.fuzz.coverage import LineCoverage
from studies.fuzz.defects import MOST_MEMORY, MOST_SECONDS, SMALL, Defect
from studies.fuzz.families import Family, Specimen
from studies.fuzz.mutations import MOST_BYTES
from studies.fuzz.reading import Observation, strictly

#: Every so many executions the lines that are reached count too.
_FOLLOWED: Final = 4
_SPLICED: Final = 0.1
#: Share of what shows something new that is read more thoroughly, which takes ten times as long.
_THOROUGHLY: Final = 0.3
_SHRINKING: Final = 400
_LARGEST_KEPT: Final = 8192


@dataclass(slots=True)
class _Kept:
    """An input that showed something new, and how often it was changed since."""

    specimen: Specimen
    changed: int = 0


@dataclass
class Search:
    """A search within one family; equal seeds give equal searches.

    Attributes:
        executing: Called with each input before it is read.
        found: Called with each defect of a new kind, and the smallest input for it.
        kept: Called with each input that showed something new.
        executions: How many inputs were read.
    """

    family: Family
    seed: int
    executing: Callable[[Specimen], None]
    found: Callable[[Defect, Specimen], None]
    kept: Callable[[Specimen], None] = lambda _: None
    executions: int = 0
    features: set[str] = field(default_factory=set)
    coverage: LineCoverage = field(default_factory=LineCoverage)
    _corpus: list[_Kept] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._drawn = Random(f"{self.family.name} {self.seed}")  # noqa: S311 - no secret

    def run(self, begin: list[Specimen], go_on: Callable[[], bool]) -> None:
        """Search until `go_on` says no.

        Args:
            begin: Inputs to begin with, all of which are kept.
            go_on: Asked before each execution.
        """
        with strictly():
            for specimen in begin:
                self._take(specimen, follow=True, keep=True)
            while go_on():
                self._take(self._changed(), follow=not self.executions % _FOLLOWED)

    @property
    def corpus(self) -> list[Specimen]:
        """The inputs that are kept."""
        return [kept.specimen for kept in self._corpus]

    def known(self, key: str) -> None:
        """Do not look for a defect any more."""
        self._known.add(key)

    def _take(self, specimen: Specimen, *, follow: bool, keep: bool = False) -> None:
        reached = self.coverage.reached
        seen = self._executed(specimen, follow=follow)
        shown = not seen.features <= self.features
        new = shown or self.coverage.reached > reached
        self.features |= seen.features
        thoroughly = keep or self._drawn.random() < _THOROUGHLY
        if shown and thoroughly and self.family.more is not None:
            more = self.family.more(specimen.data, specimen.kind)
            seen.defects += more.defects
            self.features |= more.features
        for defect in seen.defects:
            if defect.key not in self._known:
                self._known.add(defect.key)
                self.found(defect, self._smallest(specimen, defect.key))
        if keep or (new and len(specimen.data) <= _LARGEST_KEPT):
            self._corpus.append(_Kept(specimen))
            self.kept(specimen)

    def _executed(self, specimen: Specimen, *, follow: bool) -> Observation:
        self.executing(specimen)
        self.executions += 1
        before = time.process_time()
        if follow:
            with self.coverage.following():
                seen = self.family.read(specimen.data, specimen.kind)
        else:
            seen = self.family.read(specimen.data, specimen.kind)
        spent = time.process_time() - before
        if spent > MOST_SECONDS and len(specimen.data) < SMALL:
            text = f"{spent:.1f} s for {len(specimen.data)} bytes"
            seen.defects.append(Defect("slow", f"slow: {specimen.kind}", text))
        memory = most_memory()
        if memory > MOST_MEMORY and "memory" not in self._known:
            self._known.add("memory")
            seen.defects.append(Defect("memory", f"memory: {specimen.kind}", f"{memory:,} bytes"))
        return seen

    def _changed(self) -> Specimen:
        """Return an input made of one that was changed less often than others."""
        drawn = self._drawn
        few = [drawn.choice(self._corpus) for _ in range(3)]
        chosen = min(few, key=lambda kept: kept.changed)
        chosen.changed += 1
        data, kind = chosen.specimen.data, chosen.specimen.kind
        ways = self.family.ways(kind)
        for _ in range(min(1 + int(drawn.expovariate(0.5)), 8)):
            if drawn.random() < _SPLICED:
                data = self._spliced(data, kind)
            data = drawn.choice(ways)(data, drawn)[:MOST_BYTES]
        return Specimen(kind, data)

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
            if self.family.more is None:
                return specimen
            read = self.family.more

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


def most_memory() -> int:
    """Return the most memory that this process ever had, in bytes; 0 where that is not known."""
    status = Path("/proc/self/status")
    if status.exists():  # Linux counts what the parent had at the fork among `ru_maxrss`
        known = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
        return int(known.get("VmHWM", "0 kB").split()[0]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024
