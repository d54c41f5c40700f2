"""An assessment to the view of the page, and the drawings that belong to it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from benchkit import format as show
from benchkit.figures import Chart, look
from benchkit.model.comparison import Comparison
from benchkit.report import provenance, runs, statuses
from benchkit.report.anchors import anchors
from benchkit.report.answers import Drawings, Wanted, answer
from benchkit.report.choices import Choices, Other, own_baseline, stability
from benchkit.report.method import blind, method
from benchkit.report.views import Choice, PageView, SectionView

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment


def page_view(
    assessment: Assessment,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    title: str | None = None,
    command: str = "",
    naming: Sequence[str] = (),
    drawn: bool = True,
) -> tuple[PageView, list[Chart]]:
    """Return everything that the page says, and its figures in the order of their numbers.

    Args:
        assessment: Of the runs.
        files: Rows of the table `files`.
        title: Heading of the page; by default the scenarios' names.
        command: The command line that makes this page, which then stands on it.
        naming: How names were understood.
        drawn: Whether there are figures.
    """
    comparisons = assessment.comparisons
    drawings = Drawings() if drawn else None
    choices = Choices(assessment)
    others = [choices.others(comparison) for comparison in comparisons]
    page = PageView(
        title=show.clean(title or _title(comparisons), limit=200),
        counts=_counts(assessment),
        sections=_sections(comparisons, others, choices, drawings),
        method=method([*comparisons, *(other.comparison for each in others for other in each)]),
        blind=blind(comparisons),
        skipped=provenance.skipped(files),
        foreign=provenance.foreign(files),
        files=provenance.files(files),
        naming=tuple(show.clean(line) for line in naming),
        environment=provenance.environment(assessment.runs),
        tools=provenance.tools(assessment.runs),
        command=show.clean(command),
        version=version("benchkit"),
    )
    return page, drawings.charts if drawings else []


def _sections(
    comparisons: Sequence[Comparison],
    others: Sequence[Sequence[Other]],
    choices: Choices,
    drawings: Drawings | None,
) -> tuple[SectionView, ...]:
    """Return a section per comparison; their own figures come before those of the choices."""
    siblings: dict[str | None, list[Comparison]] = defaultdict(list)
    for comparison in comparisons:
        siblings[comparison.scenario].append(comparison)
    links = _links(comparisons)
    wanted = [
        Wanted(
            anchor,
            number,
            len(comparisons),
            drawings,
            siblings[comparison.scenario],
            remark=stability(comparison, each),
        )
        for number, (anchor, comparison, each) in enumerate(
            zip(anchors(links), comparisons, others, strict=True), 1
        )
    ]
    answers = [answer(comparison, how) for comparison, how in zip(comparisons, wanted, strict=True)]
    sections = []
    for comparison, how, own, each, link in zip(
        comparisons, wanted, answers, others, links, strict=True
    ):
        table = statuses.status_table(comparison)
        narrow = table is None or len(table.headings) < 4
        alone = len(comparison.variants) == 1
        section = SectionView(
            anchor=own.anchor,
            link=show.clean(link, limit=40),
            baseline="" if alone else own_baseline(comparison),
            answer=own,
            choices=tuple(_choice(other, how) for other in each if drawings),
            missing=choices.missing(comparison),
            statuses=table,
            no_errors="" if table else statuses.no_errors(comparison),
            beside=len(own.figures) % 2 == 1 and narrow,
            run_table=runs.run_table(comparison, look.roles(comparison)),
            printed=runs.printed(comparison),
        )
        sections.append(section)
    return tuple(sections)


def _choice(other: Other, wanted: Wanted) -> Choice:
    return Choice(
        group="Baseline" if other.is_baseline else "Leaving out",
        label=other.label,
        note=other.note,
        answer=answer(other.comparison, replace(wanted, chosen=True, remark="")),
    )


def _links(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the scenarios, each with what sets it apart from others of the same name."""
    names = [_scenario(comparison) for comparison in comparisons]
    alike: dict[str, list[Comparison]] = defaultdict(list)
    for name, comparison in zip(names, comparisons, strict=True):
        alike[name].append(comparison)
    several_tools = {
        name for name, each in alike.items() if len({comparison.tool for comparison in each}) > 1
    }
    shared = {name: _shared(each) for name, each in alike.items()}
    links = []
    for name, comparison in zip(names, comparisons, strict=True):
        tool = [comparison.tool] if name in several_tools else []
        params = comparison.shared_params.items()
        own = {key: value for key, value in params if key not in shared[name]}
        links.append(", ".join([name, *tool, *show.params(own)]))
    return links


def _shared(comparisons: Sequence[Comparison]) -> set[str]:
    """Return the params that have one value in all of them."""
    first, *rest = (comparison.shared_params for comparison in comparisons)
    return {key for key, value in first.items() if all(params.get(key) == value for params in rest)}


def _scenario(comparison: Comparison) -> str:
    name = comparison.scenario or comparison.tool
    return re.sub(r"^benchmark:\s*", "", name, flags=re.IGNORECASE)


def _title(comparisons: Sequence[Comparison]) -> str:
    names = (comparison.scenario or comparison.tool for comparison in comparisons)
    named = list(dict.fromkeys(names))
    if len(named) <= 2:
        return "; ".join(named)
    return f"{len(named)} benchmarks"


def _counts(assessment: Assessment) -> str:
    sources = {run.get("source") for run in assessment.runs}
    return f"{show.plural(len(assessment.runs), 'run')} from {show.plural(len(sources), 'file')}"
