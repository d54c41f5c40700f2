"""Comparisons as Markdown, for a pull request or a README."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.report import wording
from benchkit.sheet import Line, lines

if TYPE_CHECKING:
    from benchkit.compare import Comparison, VariantSummary
    from benchkit.results import Results


def markdown(
    results: Results, comparisons: Sequence[Comparison], *, percentiles: Sequence[float] = ()
) -> str:
    """Return the comparisons as Markdown: a sentence, what limits it, a table."""
    parts = [_section(one, lines(results, one, percentiles=percentiles)) for one in comparisons]
    return "\n".join(parts)


def _section(comparison: Comparison, shown: Sequence[Line]) -> str:
    title = [f"## {escaped(comparison.scenario)}", ""] if comparison.scenario else []
    first, *more = [*wording.limits(comparison), ""]
    findings = [f"- {escaped(limit)}" for limit in (first, *more) if limit]
    grade = f"**{comparison.grade.words}.** {escaped(wording.headline(comparison))}"
    table = _by_metric if len(comparison.variants) <= 2 else _by_variant
    about = escaped(wording.eyebrow(comparison, number=1, of=1))
    return "\n".join([*title, about, "", grade, "", *findings, "", *table(comparison, shown), ""])


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, on one line."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", show.clean(text))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _by_metric(comparison: Comparison, shown: Sequence[Line]) -> list[str]:
    variants = sorted(comparison.variants, key=lambda one: not one.is_baseline)
    places = [comparison.variants.index(one) for one in variants]
    compares = len(variants) == 2 and comparison.grade.comparable
    change = ["change"] if compares else []
    rows = [_row(["", *(_name(comparison, one) for one in variants), *change])]
    rows.append(f"|---|{'--:|' * len(variants)}{'---|' * len(change)}")
    for line in shown:
        cells = line.cells()
        words = [str(show.change(line.ratios[places[1]]) or "")] if compares else []
        rows.append(_row([line.heading, *(cells[place] for place in places), *words]))
    return rows


def _by_variant(comparison: Comparison, shown: Sequence[Line]) -> list[str]:
    headings, columns = [], []
    for line in shown:
        headings.append(line.heading)
        columns.append(line.cells())
        if line.metric.name == comparison.rank_metric:
            headings.append("change")
            columns.append([str(show.change(ratio) or "") for ratio in line.ratios])
    rows = [_row(["", *headings]), f"|---|{'--:|' * len(headings)}"]
    for place, one in enumerate(comparison.variants):
        rows.append(_row([_name(comparison, one), *(column[place] for column in columns)]))
    return rows


def _name(comparison: Comparison, one: VariantSummary) -> str:
    base = " (base)" if one.is_baseline and len(comparison.variants) > 1 else ""
    return f"{escaped(one.label)}{base}"
