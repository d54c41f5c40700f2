"""A history as one HTML page that needs no network and runs no script."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from benchkit import format as show
from benchkit.figures import Chart
from benchkit.figures.inline_svg import inline_svg, symbols, unquoted
from benchkit.history import words
from benchkit.history.chart import trend_chart
from benchkit.history.trends import ChangePoint, History, Trend
from benchkit.report.answers import AnswerView, Drawings, Wanted, answer
from benchkit.report.build import anchors
from benchkit.report.html import environment, page_styles

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True)
class ChangeView:
    """A change point with the comparison behind it."""

    anchor: str
    variant: str
    tool: str
    sentence: str
    compared: str
    command: str
    answers: tuple[AnswerView, ...]


@dataclass(frozen=True)
class TrendView:
    """One variant: its figure, the changes in it, and where it was measured otherwise."""

    anchor: str
    tool: str
    number: int
    chart: Chart
    changes: tuple[ChangeView, ...]
    breaks: tuple[str, ...]


@dataclass(frozen=True)
class HistoryView:
    """The whole page."""

    title: str
    heading: str
    sentences: tuple[str, ...]
    changes: tuple[ChangeView, ...]
    trends: tuple[TrendView, ...]
    saves: list[tuple[str, ...]]
    version: str


def page(history: History) -> str:
    """Return the page; the same store gives the same characters."""
    drawings = Drawings()
    view = _view(history, drawings)
    drawn = [unquoted(inline_svg(chart)) for chart in drawings.numbers]
    templates = environment()
    module = templates.get_template("answer.html.j2").make_module({"drawings": drawn})
    cells = any(panel.cells for chart in drawings.numbers for panel in chart.panels)
    style, dark_style = page_styles(cells=cells)
    return str(
        templates.get_template("history.html.j2").render(
            page=view,
            answer=module,
            drawings=drawn,
            symbols=symbols(),
            style=style,
            dark_style=dark_style,
            policy=_POLICY,
        )
    )


def _view(history: History, drawings: Drawings) -> HistoryView:
    by_variant: dict[tuple[str | None, str, str], list[Trend]] = defaultdict(list)
    for trend in history.trends:
        by_variant[trend.scenario, trend.variant, trend.tool].append(trend)
    changes = {
        id(change): _change(trend, change, number, drawings)
        for number, (trend, change) in enumerate(history.changes, 1)
    }
    named = anchors([trends[0].name for trends in by_variant.values()])
    trends = tuple(
        _trend(anchor, own, changes, drawings)
        for anchor, own in zip(named, by_variant.values(), strict=True)
    )
    first = "" if changes else words.NO_CHANGE
    return HistoryView(
        title=show.clean(history.address.rstrip("/").rpartition("/")[2], limit=80),
        heading=words.heading(history),
        sentences=tuple(
            text for text in (first, words.others(history), words.method(history)) if text
        ),
        changes=tuple(changes[id(change)] for _, change in history.changes),
        trends=trends,
        saves=_saves(history),
        version=version("benchkit"),
    )


def _trend(
    anchor: str, trends: list[Trend], changes: dict[int, ChangeView], drawings: Drawings
) -> TrendView:
    chart = trend_chart(trends)
    return TrendView(
        anchor=f"trend-{anchor}",
        tool=show.clean(trends[0].tools),
        number=drawings.number(chart),
        chart=chart,
        changes=tuple(changes[id(change)] for trend in trends for change in trend.changes),
        breaks=tuple(map(words.measured_otherwise, trends[0].breaks)),
    )


def _change(trend: Trend, change: ChangePoint, number: int, drawings: Drawings) -> ChangeView:
    anchor = f"change-{number}"
    comparisons = change.assessment.comparisons
    answers = [
        answer(comparison, Wanted(f"{anchor}-{n}", len(comparisons) == 1, drawings))
        for n, comparison in enumerate(comparisons, 1)
    ]
    return ChangeView(
        anchor=anchor,
        variant=show.clean(trend.name, limit=80),
        tool=show.clean(trend.tool),
        sentence=words.sentence(trend, change),
        compared=words.compared(change),
        command=show.clean(change.command),
        answers=tuple(answers),
    )


def _saves(history: History) -> list[tuple[str, ...]]:
    """Return a row per save of the branch, the last first, below the headings."""
    rows: list[tuple[str, ...]] = [
        ("Commit", "Label", "Saved, UTC", "Runs", "benchkit", "Machine", "Save")
    ]
    for save in reversed(history.on_branch):
        machine = ", ".join(f"{key} {value}" for key, value in save.machine.items() if value)
        texts = (save.label or "", save.saved_at.replace("T", " ")[:16], str(save.runs))
        rest = (save.benchkit, machine, save.id)
        commit = show.clean(save.commit, limit=80)
        rows.append((commit, *(show.clean(text, limit=80) for text in (*texts, *rest))))
    return rows
