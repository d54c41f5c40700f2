"""Findings under their numbers, and where each number stands beside what it qualifies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from benchkit.model.metric import FIGURES
from benchkit.model.variant import Variant

if TYPE_CHECKING:
    from benchkit.validity.finding import Finding

#: So many numbers of findings stand beside a figure; the list of findings has them all.
MOST_MARKS: Final = 3


@dataclass(frozen=True, eq=False)
class Numbered:
    """Findings of one kind in a comparison, under a number that text refers to."""

    number: int
    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The one that speaks for all."""
        return self.findings[0]

    @property
    def serious(self) -> bool:
        """Whether a figure, or the comparison, does not mean what it seems to mean."""
        return self.first.severity == "error"

    @property
    def is_note(self) -> bool:
        """Whether it says something worth knowing, and casts no doubt on any figure."""
        return self.first.severity == "info"

    @cached_property
    def run_ids(self) -> frozenset[str]:
        """The runs that it concerns."""
        return frozenset(run_id for finding in self.findings for run_id in finding.run_ids)

    def touches(self, run_ids: Iterable[str], column: str) -> bool:
        """Whether it qualifies a column of any of these runs."""
        return any(column in finding.touches for finding in self.about(run_ids))

    def withholds(self, run_ids: Iterable[str], column: str) -> bool:
        """Whether it is why a column of any of these runs is not shown."""
        return any(column in finding.withheld for finding in self.about(run_ids))

    def about(self, run_ids: Iterable[str]) -> list[Finding]:
        """Return its findings about any of these runs."""
        chosen = {id(f): f for run_id in run_ids for f in self._by_run.get(run_id, ())}
        return list(chosen.values())

    @cached_property
    def _by_run(self) -> Mapping[str, Sequence[Finding]]:
        listed: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            for run_id in finding.run_ids:
                listed[run_id].append(finding)
        return listed


@dataclass(frozen=True, eq=False)
class Footnotes:
    """Where the number of each finding of a comparison stands.

    What qualifies one figure stands beside it, what qualifies all figures of a variant at its
    name, what qualifies a metric in every variant at the metric; what qualifies every figure of
    all stands beside the grade. A drawing has no heads of rows and columns: there, what is about
    one variant stands at its mark, and what is about all is told once below.
    """

    variants: Sequence[Variant]
    findings: Sequence[Numbered]

    def at_figure(self, label: str, column: str) -> tuple[int, ...]:
        """Return the numbers beside one figure of one variant in a table.

        Of a withheld figure those that withhold it, otherwise no note.
        """
        ids, qualifying = self._run_ids[label], self._qualifying(label, column)
        return _numbers(
            n for n in qualifying if n.withholds(ids, column) or not self._touches_all(n, ids)
        )

    def at_mark(self, label: str, column: str) -> tuple[int, ...]:
        """Return the numbers beside the mark of one figure of one variant in a drawing."""
        qualifying = self._qualifying(label, column)
        return _numbers(n for n in qualifying if n.number not in self._of_every_variant)

    def at_name(self, label: str) -> tuple[int, ...]:
        """Return the numbers beside the name of a variant, which qualify all its figures."""
        ids = self._run_ids[label]
        return _numbers(n for n in self._doubts[label] if self._touches_all(n, ids))

    def at_metric(self, column: str) -> tuple[int, ...]:
        """Return the numbers beside a metric, of serious findings about every variant."""
        names = self._run_ids.values()
        return _numbers(
            n
            for n in self.of_every_variant([column])
            if n.serious and n.touches(n.run_ids, column)
            if not all(self._touches_all(n, ids) for ids in names)
        )

    def of_every_variant(self, columns: Iterable[str]) -> list[Numbered]:
        """Return the findings about every variant that qualify or withhold any of some columns.

        No note is among them that withholds nothing.
        """
        return [
            n
            for n in self.findings
            if n.number in self._of_every_variant
            and any(
                n.withholds(n.run_ids, column) or (not n.is_note and n.touches(n.run_ids, column))
                for column in columns
            )
        ]

    def _qualifying(self, label: str, column: str) -> list[Numbered]:
        ids = self._run_ids[label]
        return [n for n in self._withholding if n.withholds(ids, column)] or [
            n for n in self._doubts[label] if n.touches(ids, column)
        ]

    def _touches_all(self, numbered: Numbered, run_ids: Sequence[str]) -> bool:
        """Whether a finding qualifies the throughput and all latencies that are known of runs."""
        known = self._known
        return bool(known) and all(numbered.touches(run_ids, column) for column in known)

    @cached_property
    def _run_ids(self) -> Mapping[str, Sequence[str]]:
        return {variant.label: variant.run_ids for variant in self.variants}

    @cached_property
    def _known(self) -> Sequence[str]:
        """The throughput and the latencies that are known of any variant, or withheld."""
        return [
            column
            for column in FIGURES
            if any(v.values[column] is not None or column in v.withheld for v in self.variants)
        ]

    @cached_property
    def _withholding(self) -> Sequence[Numbered]:
        """Findings that withhold anything."""
        return [n for n in self.findings if any(finding.withheld for finding in n.findings)]

    @cached_property
    def _doubts(self) -> Mapping[str, Sequence[Numbered]]:
        """Findings, notes left out, about a variant and not about every variant, by its label."""
        doubts = [
            n for n in self.findings if not n.is_note and n.number not in self._of_every_variant
        ]
        return {
            label: [n for n in doubts if not n.run_ids.isdisjoint(run_ids)]
            for label, run_ids in self._run_ids.items()
        }

    @cached_property
    def _of_every_variant(self) -> frozenset[int]:
        """Numbers of the findings that are about every variant of several."""
        run_ids = self._run_ids.values()
        return frozenset(
            n.number
            for n in self.findings
            if len(run_ids) > 1 and not any(n.run_ids.isdisjoint(ids) for ids in run_ids)
        )


def _numbers(chosen: Iterable[Numbered]) -> tuple[int, ...]:
    return tuple(numbered.number for numbered in islice(chosen, MOST_MARKS))
