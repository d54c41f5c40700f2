"""An assessment to the view of the page, and the drawings that belong to it."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchkit import format as show
from benchkit.figures import Chart, look
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.report import runs
from benchkit.report.answers import AnswerView, Drawings, Wanted, answer
from benchkit.report.choices import (
    Choices,
    Other,
    command_words,
    own_baseline,
    stability,
)
from benchkit.report.gates import GateTable, gate_table
from benchkit.report.grid import VerdictGrid, verdict_grids
from benchkit.report.provenance import Provenance, Terms, blind, method

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment
    from benchkit.gates.ruling import Gate

_LONGEST: Final = 18
#: Where names begin alike.
_LONGER: Final = 40
#: A shorter cut is made within a word.
_LEAST: Final = 7
#: So many runs are listed again under each other answer.
_MOST_LISTED: Final = 400
#: Of all grids of the overview together.
_MOST_CELLS: Final = 1200
#: Places that every page has, symbols among them.
_TAKEN: Final = frozenset(
    {
        *("method", "provenance", "skipped", "overview", "files", "dark", "hatch", "command"),
        "rules",
        *look.SYMBOLS,
    }
)


class Choice(NamedTuple):
    """Another baseline or other runs, which a reader may choose in the page."""

    other: Other
    answer: AnswerView


@dataclass(frozen=True, slots=True)
class SectionView:
    """One comparison.

    Attributes:
        baseline: The label of what the others are compared with, empty for a single variant.
        choices: Answers that a reader may ask for; `asking` has the words of a command for any
            other, as `choices.command_words` has them.
        scenario: How the labels of its runs begin elsewhere; empty without.
        words: What a reader may look for besides: variants, what all runs share, and the folders
            that they lie in.
        run_names: Label and p99 of the runs by the anchors in their table, for the same.
    """

    anchor: str
    link: str
    baseline: str
    answer: AnswerView
    choices: tuple[Choice, ...]
    asking: Mapping[str, Sequence[tuple[str, str]]]
    scenario: str
    words: str
    run_names: Mapping[str, tuple[str, str]]
    printed: list[runs.Printed]


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page.

    Attributes:
        grids: Scenarios of several settings or levels at a glance.
        charts: Its figures in the order of their numbers.
        method: Terms with what they mean here.
        blind: Checks that lacked their data, by the reason.
        naming: How names were understood, a line each.
        command: The command line that makes this page, empty where none did.
        gate: What a check says, None where none was asked for.
    """

    title: str
    counts: str
    sections: tuple[SectionView, ...]
    grids: tuple[VerdictGrid, ...]
    charts: Sequence[Chart]
    method: Terms
    blind: Terms
    provenance: Provenance
    naming: tuple[str, ...]
    command: str
    version: str
    gate: GateTable | None = None


def page_view(
    assessment: Assessment,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    title: str | None = None,
    command: str = "",
    naming: Sequence[str] = (),
    gate: Gate | None = None,
    drawn: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> PageView:
    """Return everything that the page says and shows.

    Args:
        assessment: Of the runs.
        files: Rows of the table `files`.
        title: Heading of the page; by default the scenarios' names.
        command: The command line that makes this page, which then stands on it.
        naming: How names were understood.
        gate: What a check of the runs says.
        drawn: Whether there are figures.
        progress: Called with how many steps are done of how many.
    """
    comparisons = assessment.comparisons
    step = itertools.count()

    def counted() -> Iterator[Comparison]:
        """Yield the comparisons, twice in all, and tell who waits."""
        for comparison in comparisons:
            if progress is not None:
                progress(next(step), 2 * len(comparisons))
            yield comparison

    drawings = Drawings() if drawn else None
    choices = Choices(assessment)
    others = [choices.others(comparison) for comparison in counted()]
    provenance = Provenance(assessment.runs, files)
    sources = len(provenance.files) or len({run.get("source") for run in assessment.runs})
    counts = f"{show.plural(len(assessment.runs), 'run')} from {show.plural(sources, 'file')}"
    named = list(dict.fromkeys(c.scenario or c.tool for c in comparisons))
    several = len(comparisons) if len(comparisons) > 1 else 0
    usual = "; ".join(named) if len(named) <= 2 else f"{len(named)} scenarios"
    sections = _sections(comparisons, others, drawings, counted())
    return PageView(
        title=show.clean(title or usual, limit=200),
        counts=f"{show.plural(several, 'comparison')} · {counts}" if several else counts,
        sections=sections,
        grids=tuple(_grids(sections)) if len(sections) > 1 else (),
        charts=tuple(drawings.numbers) if drawings else (),
        method=tuple(
            method([*comparisons, *(other.comparison for each in others for other in each)])
        ),
        blind=blind(comparisons),
        provenance=provenance,
        naming=tuple(show.clean(line) for line in naming),
        command=show.clean(command),
        version=version("benchkit"),
        gate=gate_table(gate) if gate else None,
    )


def _sections(
    comparisons: Sequence[Comparison],
    others: Sequence[Sequence[Other]],
    drawings: Drawings | None,
    counted: Iterable[Comparison],
) -> tuple[SectionView, ...]:
    """Return a section per comparison; their own figures come before those of the choices."""
    named = _named(comparisons)
    links = [", ".join(filter(None, parts)) for parts in named]
    every = zip(anchors(links), named, comparisons, others, strict=True)
    wanted = [
        Wanted(
            *(anchor, len(comparisons) == 1, drawings, *parts),
            remark=stability(comparison, each),
        )
        for anchor, parts, comparison, each in every
    ]
    answers = [answer(comparison, how) for comparison, how in zip(comparisons, wanted, strict=True)]
    return tuple(
        _section(comparison, how, own, link=link, others=each)
        for comparison, how, own, each, link in zip(
            counted, wanted, answers, others, links, strict=True
        )
    )


def _grids(sections: Sequence[SectionView]) -> Iterator[VerdictGrid]:
    """Yield scenarios at a glance, as many as a page can carry before anything is opened."""
    cells = 0
    for grid in verdict_grids(section.answer.tabled for section in sections):
        cells += grid.size
        if cells <= _MOST_CELLS:
            yield grid


def _section(
    comparison: Comparison,
    wanted: Wanted,
    own: AnswerView,
    *,
    link: str,
    others: Sequence[Other],
) -> SectionView:
    listed = comparison.runs <= _MOST_LISTED
    words = [*comparison.order, *show.params(comparison.shared_params), comparison.tool]
    words += runs.folders(comparison) if listed else []
    chosen = replace(wanted, lists_runs=listed, remark="")
    return SectionView(
        anchor=own.anchor,
        link=show.clean(link, limit=40),
        baseline="" if len(comparison.variants) == 1 else own_baseline(comparison),
        answer=own,
        choices=tuple(
            Choice(
                other,
                answer(other.comparison, chosen, drawn=own.drawn if other.has_all_runs else ()),
            )
            for other in others
            if wanted.drawings
        ),
        asking=command_words(comparison),
        scenario=show.clean(comparison.scenario or ""),
        words=show.clean(" ".join(words)),
        run_names=runs.run_names(comparison) if listed else {},
        printed=runs.printed(comparison),
    )


def _named(comparisons: Sequence[Comparison]) -> list[tuple[str, str]]:
    """Return the scenarios, and beside each what sets it apart from others of the same name."""
    alike = grouped(comparisons, _name)
    tools = {name: {comparison.tool for comparison in each} for name, each in alike.items()}
    shared = {name: _shared(each) for name, each in alike.items()}
    named = []
    for name, comparison in zip(map(_name, comparisons), comparisons, strict=True):
        tool = [comparison.tool] if len(tools[name]) > 1 else []
        params = comparison.shared_params.items()
        own = {key: value for key, value in params if key not in shared[name]}
        named.append((name, ", ".join([*tool, *show.params(own)])))
    return named


def _name(comparison: Comparison) -> str:
    name = comparison.scenario or comparison.tool
    return re.sub(r"^benchmark:\s*", "", name, flags=re.IGNORECASE)


def _shared(comparisons: Sequence[Comparison]) -> set[str]:
    first, *rest = (comparison.shared_params for comparison in comparisons)
    return {key for key, value in first.items() if all(params.get(key) == value for params in rest)}


def anchors(names: Iterable[str]) -> list[str]:
    """Return an anchor for each name, such as `coalescing`; equal ones are numbered.

    None holds a point: what comes after one is a place within the section.
    """
    listed = list(names)
    short = [_slug(name, _LONGEST) for name in listed]
    unique: list[str] = []
    for name, cut in zip(listed, short, strict=True):
        base = cut if short.count(cut) == 1 else _slug(name, _LONGER)
        number = 1
        anchor = base
        while anchor in unique or anchor in _TAKEN:
            number += 1
            anchor = f"{base}-{number}"
        unique.append(anchor)
    return unique


def _slug(name: str, longest: int) -> str:
    """Return the letters and digits of a name, words joined by hyphens, as far as they fit."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    joined = "-".join(re.findall(r"[a-z0-9]+", plain))
    cut = joined[: longest + 1].rpartition("-")[0] if len(joined) > longest else joined
    return (cut if len(cut) >= _LEAST else joined[:longest].strip("-")) or "comparison"
