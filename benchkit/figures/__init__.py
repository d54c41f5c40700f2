"""Figures: comparisons to frozen charts to plotly, matplotlib or the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare.grades import contradicted
from benchkit.compare.limits import beyond_grade, in_short, worst_limit
from benchkit.errors import UsageError, unknown
from benchkit.figures.chart import Chart
from benchkit.figures.layout import PURPOSES
from benchkit.figures.panels import Shows
from benchkit.figures.words import ONCE_MORE
from benchkit.model.circumstances import circumstances
from benchkit.model.grouping import grouped
from benchkit.model.metric import COMPARED, Metric
from benchkit.model.metric import metric as metric_of
from benchkit.names import circled

if TYPE_CHECKING:
    from benchkit.model.comparison import Comparison

__all__ = [
    "FORMATS",
    "KINDS",
    "MAIN",
    "PURPOSES",
    "Chart",
    "chart",
    "charts",
    "charts_of_page",
    "overview",
]

#: More findings that a figure has the numbers of are not told in its caption on a page.
_MOST_NOTES: Final = 6
FORMATS: Final = ("png", "svg", "pdf", "html")


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure.

    Attributes:
        module: Of `kinds`, imported when such a figure is made; the function is called as the kind.
        needs: What it cannot be drawn without.
        metrics: Whether it shows one metric of several, and somebody may want another.
        spans: Whether it shows comparisons of other settings too.
        on_page: Whether the page shows it; what another figure there says too is left to `plot`.
        chosen: Whether its words follow which of its panels are wanted.
        of_runs: Whether it is the same whatever variant is the baseline, also in its words.
        draws: Metrics, by name, besides those that its panels are named after.
        holds: Kinds whose values it shows too, so that the page leaves them out.
    """

    name: str
    module: str
    needs: str
    metrics: bool = False
    spans: bool = False
    chosen: bool = False
    on_page: bool = True
    of_runs: bool = False
    draws: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()

    def draw(
        self,
        comparison: Comparison,
        siblings: Sequence[Comparison],
        metric: Metric | None = None,
        shows: Shows | None = None,
    ) -> Chart | None:
        """Return it for a comparison, None where its data do not exist."""
        module = import_module(f"{__name__}.kinds.{self.module}")
        wanted: dict[str, Any] = {"metric": metric} if metric else {}
        wanted |= {"siblings": siblings} if self.spans else {}
        wanted |= {"shows": shows} if shows and self.chosen else {}
        chart: Chart | None = getattr(module, self.name)(comparison, **wanted)
        return replace(chart, kind=self.name) if chart else None

    def captioned(self, chart: Chart, comparison: Comparison, every: Sequence[Comparison]) -> Chart:
        """Return it with what a page says around it: scenario, tool, load and number of runs."""
        shown, name = [comparison], comparison.name
        if self.spans:
            same = (comparison.scenario, comparison.tool)
            shown = [each for each in every if (each.scenario, each.tool) == same]
            name = comparison.scenario or comparison.tool
        where = f"{show.clean(comparison.scenario)}: " if comparison.scenario else ""
        about = ", ".join(circumstances(shown))
        notes = [] if self.spans else _footnotes(chart, comparison)  # numbers are of one comparison
        words = [f"{where}{about}. {chart.caption}", *notes, *_graded(shown)]
        return replace(chart, caption=" ".join(words), subtitle=show.clean(name))


_LATENCIES: Final = ("p50", "p99")
_LISTED: Final = (
    FigureKind(
        *("percentiles", "percentiles", "at least two percentiles of a run"),
        chosen=True,
        draws=(*_LATENCIES, "max"),
    ),
    FigureKind(
        *("sweep", "sweep", "runs at three or more levels of a numeric param"),
        metrics=True,
        chosen=True,
        holds=("throughput",),
    ),
    FigureKind(
        *("costs", "costs", "samples of the server's processes at three or more levels"),
        metrics=True,
        chosen=True,
    ),
    FigureKind(
        *("matrix", "matrix", "runs of most combinations of two factors"),
        metrics=True,
        spans=True,
        chosen=True,
    ),
    FigureKind("throughput", "rates", "a throughput or goodput", draws=("throughput",)),
    FigureKind("runs", "runs", "several runs of a variant", metrics=True, chosen=True),
    FigureKind(
        *("heatmap", "heatmap", "an output with a row per request and its time"), draws=_LATENCIES
    ),
    FigureKind(
        "ridges",
        "ridges",
        "at most 16 variants, a row per request, and latencies in several steps of the clock",
        of_runs=True,
    ),
    FigureKind(
        *("endpoints", "endpoints", "requests to several endpoints, a row per request"),
        chosen=True,
        of_runs=True,
    ),
    FigureKind(
        "resources",
        "resources",
        "three samples or more of the server's processes, of runs that are no sweep",
        of_runs=True,
    ),
    FigureKind(
        *("ecdf", "shapes", "an output with a row per request"), on_page=False, draws=_LATENCIES
    ),
    FigureKind(
        *("histogram", "shapes", "an output with a row per request"),
        on_page=False,
        draws=_LATENCIES,
    ),
)
#: By name, in the order in which the page shows them.
KINDS: Final[Mapping[str, FigureKind]] = {kind.name: kind for kind in _LISTED}
#: Beside a verdict stands the first of these whose data exist, or else this overview.
MAIN: Final = ("sweep", "percentiles")
OVERVIEW: Final = FigureKind(
    "overview",
    "rates",
    "a throughput or a latency",
    draws=("throughput", "p50", "mean", "max"),
    holds=("throughput",),
)


def chart(
    comparison: Comparison, kind: str, *, siblings: Sequence[Comparison] = ()
) -> Chart | None:
    """Return one figure of one comparison, None where its data do not exist.

    Siblings are all comparisons of the same assessment in their order, or the others: a figure
    of two factors spans settings, and stands with the first of them.

    Raises:
        UsageError: no such kind; the message lists those there are.
    """
    return _kind(kind).draw(comparison, siblings)


def _footnotes(chart: Chart, comparison: Comparison, most: int | None = None) -> list[str]:
    """Return what copies and numbers in a figure are, and what limits it with every variant.

    More than `most` of either are told in short, for where a list of findings is beside them.
    """
    words = _words(chart)
    numbered = [n for n in comparison.findings if circled(n.number) in words]
    shown = [
        column
        for column in _columns(chart)
        if any(v.values[column] is not None or column in v.withheld for v in comparison.variants)
    ]
    common = [n for n in comparison.footnotes.of_every_variant(shown) if n not in numbered]
    heading = "Finding" if len(numbered) == 1 else "Findings"
    notes = _copies(chart, comparison)
    for begin, alike, short in (
        (f"{heading} ", numbered, "Circled numbers are those of “What limits this comparison”."),
        ("Of every variant: ", common, "What limits every variant is listed there alone."),
    ):
        texts = [f"{circled(n.number)} {in_short(comparison, n)}." for n in alike]
        many = most is not None and len(texts) > most
        notes += [short] if many else [begin + " ".join(texts)] if texts else []
    return notes


def _copies(chart: Chart, comparison: Comparison) -> list[str]:
    """Return which of the variants are others once more, in a figure that has not said it."""
    drawn = {series.name for panel in chart.panels for series in panel.series}
    copies = [v.label for v in comparison.variants if v.is_copy and v.label in drawn]
    if not copies or ONCE_MORE in chart.caption:
        return []
    what = "is a declared copy" if len(copies) == 1 else "are declared copies"
    return [
        f"{show.listed([show.quoted(label, limit=40) for label in copies])} {what}, {ONCE_MORE}."
    ]


def _columns(chart: Chart) -> list[str]:
    """Return the columns of the metrics that a figure draws."""
    kind = OVERVIEW if chart.kind == OVERVIEW.name else KINDS[chart.kind]
    names = (*kind.draws, *(panel.name for panel in chart.panels))
    return [COMPARED[name].column for name in names if name in COMPARED]


def _words(chart: Chart) -> str:
    """Return all that stands at the marks of a figure and above its panels."""
    return "\n".join(
        text
        for panel in chart.panels
        for text in (
            panel.title,
            *(label for series in panel.series for label in series.labels),
            *(note.text for note in panel.notes),
        )
    )


def _graded(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the grade of each answer with its most serious limit, those alike together.

    It is that of the comparison: what a figure claims besides need not have been tested.
    """
    answers = [each for each in comparisons if len(each.variants) > 1]
    grades = grouped(answers, partial(_grade, alone=len(answers) == 1))
    if len(grades) < 2:
        return [f"How sure the comparison is: {grade}." for grade in grades]
    names = {id(each): each.name.removeprefix(f"{each.scenario}, ") for each in answers}
    texts = [
        f"{grade} with {show.listed([show.clean(names[id(each)], limit=60) for each in alike])}"
        for grade, alike in grades.items()
    ]
    return [f"How sure the comparisons are: {'; '.join(texts)}."]


def _grade(comparison: Comparison, *, alone: bool) -> str:
    """Return a grade with why it is that, or with the worst that is known besides; `alone`: all."""
    grade, limit = comparison.grade, worst_limit(comparison, alone=alone)
    if not grade.comparable and grade.reasons:
        limit = grade.reasons[0].rstrip(".")
    elif grade.key == "limited" and (against := contradicted(comparison)):
        metrics = dict.fromkeys(metric.subject for own in against.values() for metric in own)
        limit = f"without the first run of each the answer is another in {show.listed([*metrics])}"
    elif grade.key == "established" and limit:
        several = len(beyond_grade(comparison)) > 1
        limit = f"{'limits' if several else 'limit'}: {limit}"
    return f"{grade.words} ({show.clean(limit)})" if limit else grade.words


def _kind(name: str) -> FigureKind:
    if name not in KINDS:
        raise unknown("figure", name, KINDS)
    return KINDS[name]


def overview(comparison: Comparison) -> Chart | None:
    """Return throughput above latency, for where there are no percentiles."""
    return OVERVIEW.draw(comparison, ())


def charts(
    comparisons: Sequence[Comparison],
    kind: str,
    *,
    metric: str | None = None,
    shows: Shows | None = None,
) -> list[Chart]:
    """Return a figure per comparison that has the data for it, with all that a caption says.

    Of several comparisons each has a subtitle that tells it apart, also where only it has data.
    `shows` says of which panels alone the words are to speak.

    Raises:
        UsageError: no such kind or metric, or no comparison has the data.
    """
    which = _kind(kind)
    if metric and not which.metrics:
        kinds = (each.name for each in KINDS.values() if each.metrics)
        raise UsageError(f"{kind} takes no metric; {show.listed([*kinds])} do")
    wanted = metric_of(metric) if metric else None
    every = ((each, which.draw(each, comparisons, wanted, shows)) for each in comparisons)
    drawn = [
        which.captioned(chart, each, comparisons) for each, chart in every if chart is not None
    ]
    if not drawn:
        lacks_metric = metric and any(which.draw(each, comparisons) for each in comparisons)
        needs = f"runs with {metric}" if lacks_metric else which.needs
        raise UsageError(f"nothing to draw: {kind} needs {needs}, and no run here has that")
    alone = len(drawn) == 1 and (which.spans or len(comparisons) == 1)
    return [replace(each, subtitle="") for each in drawn] if alone else drawn


def charts_of_page(
    comparison: Comparison, drawn: Iterable[Chart] = ()
) -> tuple[Chart | None, list[Chart]]:
    """Return the figure beside the verdict, and the others; none spans several settings.

    What a schedule gave all variants alike is left out. Those drawn of the same runs against
    another baseline serve again where they are of the runs alone.
    """
    from benchkit.figures.kinds.rates import is_scheduled

    left_out = {"throughput"} if is_scheduled(comparison) else set()
    kinds = [kind for name, kind in KINDS.items() if kind.on_page and name not in left_out]
    known = {made.kind: made for made in drawn}
    kept = {kind.name: known.get(kind.name) for kind in kinds if kind.of_runs}
    made = {kind.name: kept.get(kind.name) or kind.draw(comparison, ()) for kind in kinds}
    leading = [KINDS[name] for name in MAIN if made.get(name)]
    kind = leading[0] if leading else OVERVIEW
    main = made.get(kind.name) or overview(comparison)
    others = [
        _noted(each, comparison)
        for name, each in made.items()
        if each is not None and name not in {kind.name, *kind.holds}
    ]
    return main and _noted(main, comparison), others


def _noted(chart: Chart, comparison: Comparison) -> Chart:
    """Return a figure with what limits what it shows, in short where that is much."""
    notes = _footnotes(chart, comparison, _MOST_NOTES)
    return replace(chart, caption=" ".join([chart.caption, *notes])) if notes else chart
