"""An assessment to the view of the page, and the drawings that belong to it."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict, Unpack

from benchkit import format as show
from benchkit.figures import Chart, look
from benchkit.model.circumstances import circumstances
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.report import runs
from benchkit.report.answers import AnswerView, Drawings, Wanted, answer
from benchkit.report.choices import (
    Choices,
    Other,
    command_words,
    comparable_without,
    own_baseline,
    stability,
)
from benchkit.report.grid import VerdictGrid, verdict_grids
from benchkit.report.provenance import Provenance, Terms, Vocabulary, blind, method, vocabulary
from benchkit.runtime.forks import is_fork, mapped

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment
    from benchkit.compare.blocks import Block
    from benchkit.gates.ruling import Gate
    from benchkit.report.gates import GateTable

_LONGEST: Final = 18
#: Where names begin alike.
_LONGER: Final = 40
#: A shorter cut is made within a word.
_LEAST: Final = 7
#: So many runs are listed again under each other answer.
_MOST_LISTED: Final = 400
#: Of all grids of the overview together.
_MOST_CELLS: Final = 1200
#: What ab and others call the connections.
_ALSO_CONNECTIONS: Final = "concurrency"
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
        holds_back: Whether answers without single runs could be made and are not, as of many.
        charts: Its figures in the order of their numbers.
        scenario: How the labels of its runs begin elsewhere; empty without.
        words: What a reader may look for besides: variants, and the folders that runs lie in.
        shared: What holds for all its runs: a run is found by these words as by its own.
        run_names: Label and p99 of the runs by the anchors in their table, for the same.
    """

    anchor: str
    link: str
    baseline: str
    answer: AnswerView
    choices: tuple[Choice, ...]
    asking: Mapping[str, Sequence[tuple[str, str]]]
    holds_back: bool
    scenario: str
    words: str
    shared: str
    run_names: Mapping[str, tuple[str, str]]
    printed: list[runs.Printed]
    charts: tuple[Chart, ...]

    @property
    def in_overview(self) -> SectionView:
        """The same without what no overview shows."""
        return replace(
            self,
            answer=self.answer.in_overview,
            choices=(),
            asking={},
            printed=[],
            charts=(),
        )


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page.

    Attributes:
        sections: As they are, or where a writer has written them as far as an overview shows them.
        texts: What the writer made of each; empty without one.
        grids: Scenarios of several settings or levels at a glance.
        method: Terms with what they mean here.
        blind: Checks that lacked their data, by the reason.
        naming: How names were understood, a line each.
        command: The command line that makes this page, empty where none did.
        gate: What a check says, None where none was asked for.
    """

    title: str
    counts: str
    sections: tuple[SectionView, ...]
    texts: tuple[Any, ...]
    grids: tuple[VerdictGrid, ...]
    method: Terms
    blind: Terms
    provenance: Provenance
    naming: tuple[str, ...]
    command: str
    version: str
    gate: GateTable | None = None


class Words(TypedDict, total=False):
    """What a page is made with besides its runs.

    Attributes:
        title: Heading of the page; by default the scenarios' names.
        command: The command line that makes this page, which then stands on it.
        naming: How names were understood.
        gate: What a check of the runs says.
        each_run: Whether each run of scenarios of any size can be left out.
        progress: Called with how many steps are done of how many.
    """

    title: str | None
    command: str
    naming: Sequence[str]
    gate: Gate | None
    each_run: bool
    progress: Callable[[int, int], None] | None


def page_view(
    assessment: Assessment,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    drawn: bool = True,
    write: Callable[[SectionView], Any] | None = None,
    **words: Unpack[Words],
) -> PageView:
    """Return everything that the page says and shows.

    Args:
        assessment: Of the runs.
        files: Rows of the table `files`.
        drawn: Whether there are figures.
        write: Makes a text of a section, in any process.
        words: See there.
    """
    title, gate = words.get("title"), words.get("gate")
    made = _sections(
        assessment,
        Choices(assessment, each_run=words.get("each_run", False)),
        drawn=drawn,
        write=write,
        progress=words.get("progress"),
    )
    sections = tuple(each.section for each in made)
    provenance = Provenance(assessment.runs, files)
    sources = len(provenance.files) or len({run.get("source") for run in assessment.runs})
    counts = f"{show.plural(len(assessment.runs), 'run')} from {show.plural(sources, 'file')}"
    named = list(dict.fromkeys(block.scenario or block.tool for block in assessment.measured))
    several = len(sections) if len(sections) > 1 else 0
    usual = "; ".join(named) if len(named) <= 2 else f"{len(named)} scenarios"
    return PageView(
        title=show.clean(title or usual, limit=200),
        counts=f"{show.plural(several, 'comparison')} · {counts}" if several else counts,
        sections=sections,
        texts=tuple(each.text for each in made) if write is not None else (),
        grids=tuple(_grids(sections)) if len(sections) > 1 else (),
        method=tuple(method([each.vocabulary for each in made])),
        blind=blind([section.answer.tabled.comparison for section in sections]),
        provenance=provenance,
        naming=tuple(show.clean(line) for line in words.get("naming", ())),
        command=show.clean(words.get("command", "")),
        version=version("benchkit"),
        gate=_gate_table(gate) if gate else None,
    )


def _gate_table(gate: Gate) -> GateTable:
    from benchkit.report.gates import gate_table

    return gate_table(gate)


class _Made(NamedTuple):
    section: SectionView
    vocabulary: Vocabulary
    text: Any


def _sections(
    assessment: Assessment,
    choices: Choices,
    *,
    drawn: bool,
    write: Callable[[SectionView], Any] | None,
    progress: Callable[[int, int], None] | None,
) -> list[_Made]:
    """Return a section per comparison.

    Those of a scenario are made together, from their first check on: no answer depends on another
    scenario.
    """
    blocks = assessment.measured
    named = _named(blocks)
    links = [", ".join(filter(None, parts)) for parts in named]
    names = list(zip(anchors(links), named, links, strict=True))
    numbers = grouped(range(len(blocks)), lambda n: blocks[n].scenario)
    largest = sorted(assessment.scenarios.values(), key=lambda scenario: -len(scenario.runs))
    step = itertools.count()

    def advance(made: Iterable[object]) -> None:
        if progress is not None and not is_fork():
            for _ in made:
                progress(next(step), len(blocks))

    def section(number: int, comparison: Comparison) -> _Made:
        advance([comparison])
        anchor, parts, link = names[number]
        others = choices.others(comparison)
        remark, hint = stability(comparison, others), comparable_without(comparison, others)
        drawings = Drawings() if drawn else None
        wanted = Wanted(anchor, len(blocks) == 1, drawings, *parts, remark=remark, hint=hint)
        held = choices.holds_back(comparison)
        view = _section(comparison, wanted, link=link, others=others, holds_back=held)
        words = vocabulary([comparison, *(other.comparison for other in others)])
        if write is None:
            return _Made(view, words, None)
        return _Made(view.in_overview, words, write(view))

    def sections(scenario: Assessment) -> list[tuple[int, _Made]]:
        own = zip(numbers[scenario.measured[0].scenario], scenario.comparisons, strict=True)
        return [(number, section(number, comparison)) for number, comparison in own]

    made = mapped(sections, largest, shared=assessment.runs, received=lambda s: advance(s.measured))
    by_number = dict(chain.from_iterable(each for _, each in made))
    return [by_number[number] for number in range(len(blocks))]


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
    *,
    link: str,
    others: Sequence[Other],
    holds_back: bool,
) -> SectionView:
    own = answer(comparison, wanted)
    listed = comparison.runs <= _MOST_LISTED
    words = [*comparison.order, *(runs.folders(comparison) if listed else [])]
    # What is shown above the answer, but for the number of runs, which nobody looks for.
    shared = circumstances([comparison])[:-1]
    if len(comparison.facts("connections")) == 1:
        shared.append(_ALSO_CONNECTIONS)
    chosen = replace(wanted, lists_runs=listed, remark="", hint="")
    choices = tuple(
        Choice(
            other,
            answer(other.comparison, chosen, drawn=own.drawn if other.has_all_runs else ()),
        )
        for other in (others if wanted.drawings is not None else ())
    )
    return SectionView(
        anchor=own.anchor,
        link=show.clean(link, limit=40),
        baseline="" if len(comparison.variants) == 1 else own_baseline(comparison),
        answer=own,
        choices=choices,
        asking=command_words(comparison),
        holds_back=holds_back,
        scenario=show.clean(comparison.scenario or ""),
        words=show.clean(" ".join(words)),
        shared=show.clean(" ".join(shared)),
        run_names=runs.run_names(comparison) if listed else {},
        printed=runs.printed(comparison),
        charts=tuple(wanted.drawings.numbers) if wanted.drawings is not None else (),
    )


def _named(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """Return the scenarios, and beside each what sets it apart from others of the same name."""
    alike = grouped(blocks, _name)
    tools = {name: {block.tool for block in each} for name, each in alike.items()}
    shared = {name: _shared(each) for name, each in alike.items()}
    named = []
    for name, block in zip(map(_name, blocks), blocks, strict=True):
        tool = [block.tool] if len(tools[name]) > 1 else []
        params = block.shared_params.items()
        own = {key: value for key, value in params if key not in shared[name]}
        named.append((name, ", ".join([*tool, *show.params(own)])))
    return named


def _name(block: Block) -> str:
    name = block.scenario or block.tool
    return re.sub(r"^benchmark:\s*", "", name, flags=re.IGNORECASE)


def _shared(blocks: Sequence[Block]) -> set[str]:
    first, *rest = (block.shared_params for block in blocks)
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
