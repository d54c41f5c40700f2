"""Comparisons as Markdown, for a pull request or a README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.markup import escaped, table_row
from benchkit.report import remarks, wording
from benchkit.report.remarks import plain_marks
from benchkit.sheet import Line, lines, withheld_notes

if TYPE_CHECKING:
    from benchkit.assessment import Assessed
    from benchkit.compare import VariantSummary
    from benchkit.results import Results


def markdown(
    results: Results, comparisons: Sequence[Assessed], *, percentiles: Sequence[float] = ()
) -> str:
    """Return the comparisons as Markdown: a sentence, what limits it, a table, findings."""
    parts = [_section(one, lines(results, one, percentiles=percentiles)) for one in comparisons]
    return "\n".join(parts)


def _section(comparison: Assessed, shown: Sequence[Line]) -> str:
    title = [f"## {escaped(comparison.scenario)}", ""] if comparison.scenario else []
    limits = escaped(" ".join(one.plain() for one in remarks.limits(comparison)))
    grade = f"**{comparison.grade.words}.** {escaped(wording.headline(comparison))}"
    table = _by_metric if len(comparison.variants) <= 2 else _by_variant
    about = escaped(wording.eyebrow(comparison, number=1, of=1))
    found = [f"- {escaped(text)}" for text in withheld_notes(comparison, shown)]
    found += _findings(comparison)
    parts = [*title, about, "", grade, *(["", limits] if limits else []), ""]
    return "\n".join([*parts, *table(comparison, shown), "", *found, *([""] if found else [])])


def _findings(comparison: Assessed) -> list[str]:
    """Return the findings as a list; notes are left to `benchkit check`."""
    return [
        f"- ({one.number}) **{escaped(one.first.title)}.** {escaped(remarks.told(one))}"
        for one in comparison.findings
        if one.first.severity != "info"
    ]


def _by_metric(comparison: Assessed, shown: Sequence[Line]) -> list[str]:
    variants = sorted(comparison.variants, key=lambda one: not one.is_baseline)
    places = [comparison.variants.index(one) for one in variants]
    compares = len(variants) == 2 and comparison.grade.comparable
    change = ["change"] if compares else []
    rows = [table_row(["", *(_name(comparison, one) for one in variants), *change])]
    rows.append(f"|---|{'--:|' * len(variants)}{'---|' * len(change)}")
    for line in shown:
        cells, name = line.cells(), line.metric.name
        words = [str(show.change(line.ratios[places[1]]) or "")] if compares else []
        marked = [
            f"{cells[p]}{plain_marks(comparison.marks(comparison.variants[p].label, name))}"
            for p in places
        ]
        rows.append(table_row([f"{line.heading}{_shared(comparison, name)}", *marked, *words]))
    return rows


def _by_variant(comparison: Assessed, shown: Sequence[Line]) -> list[str]:
    headings, columns = [], []
    for line in shown:
        name = line.metric.name
        headings.append(f"{line.heading}{_shared(comparison, name)}")
        columns.append(
            [
                f"{cell}{plain_marks(comparison.marks(one.label, name))}"
                for cell, one in zip(line.cells(), comparison.variants, strict=True)
            ]
        )
        if line.metric.name == comparison.rank_metric:
            headings.append("change")
            columns.append([str(show.change(ratio) or "") for ratio in line.ratios])
    rows = [table_row(["", *headings]), f"|---|{'--:|' * len(headings)}"]
    for place, one in enumerate(comparison.variants):
        rows.append(table_row([_name(comparison, one), *(column[place] for column in columns)]))
    return rows


def _name(comparison: Assessed, one: VariantSummary) -> str:
    base = " (base)" if one.is_baseline and len(comparison.variants) > 1 else ""
    return f"{escaped(one.label)}{base}{plain_marks(comparison.name_marks(one.label))}"


def _shared(comparison: Assessed, column: str) -> str:
    return plain_marks(comparison.shared_marks(column))
