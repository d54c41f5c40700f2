"""Figures: comparisons to frozen charts to plotly, matplotlib or the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from benchkit.errors import UsageError, unknown
from benchkit.figures.chart import Chart
from benchkit.figures.layout import PURPOSES

if TYPE_CHECKING:
    from benchkit.figures.look import Theme
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
    "draw",
    "overview",
]

FORMATS: Final = ("png", "svg", "pdf", "html")


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure.

    Attributes:
        module: Of `kinds`, imported when such a figure is made; the function is called as the kind.
        needs: What it cannot be drawn without.
        on_page: Whether the page shows it; what another figure there says too is left to `plot`.
        holds: Kinds whose values it shows too, so that the page leaves them out.
    """

    name: str
    module: str
    needs: str
    on_page: bool = True
    holds: tuple[str, ...] = ()

    def draw(self, comparison: Comparison, siblings: Sequence[Comparison]) -> Chart | None:
        """Return it for a comparison, None where its data do not exist."""
        module = import_module(f"{__name__}.kinds.{self.module}")
        made: Chart | None = getattr(module, self.name)(comparison, siblings)
        return made


_LISTED: Final = (
    FigureKind("percentiles", "percentiles", "at least two percentiles of a run"),
    FigureKind(
        *("sweep", "sweep", "runs at three or more levels of a numeric param"),
        holds=("throughput",),
    ),
    FigureKind("costs", "sweep", "samples of the server's processes at three or more levels"),
    FigureKind("matrix", "matrix", "runs of most combinations of two factors"),
    FigureKind("throughput", "rates", "a throughput or goodput"),
    FigureKind("runs", "runs", "several runs of a variant"),
    FigureKind("heatmap", "heatmap", "an output with a row per request and its time"),
    FigureKind("ridges", "shapes", "an output with a row per request, and at most eight variants"),
    FigureKind("endpoints", "endpoints", "requests to several endpoints, a row per request"),
    FigureKind(
        "resources", "resources", "samples of the server's processes, of runs that are no sweep"
    ),
    FigureKind("ecdf", "shapes", "an output with a row per request", on_page=False),
    FigureKind("histogram", "shapes", "an output with a row per request", on_page=False),
)
#: By name, in the order in which the page shows them.
KINDS: Final[Mapping[str, FigureKind]] = {kind.name: kind for kind in _LISTED}
#: Beside a verdict stands the first of these whose data exist, or else this overview.
MAIN: Final = ("sweep", "percentiles")
OVERVIEW: Final = FigureKind(
    "overview", "rates", "a throughput or a latency", holds=("throughput",)
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
    if kind not in KINDS:
        raise unknown("figure", kind, KINDS)
    return KINDS[kind].draw(comparison, siblings)


def overview(comparison: Comparison) -> Chart | None:
    """Return throughput above latency, for where there are no percentiles."""
    return OVERVIEW.draw(comparison, ())


def charts(comparisons: Sequence[Comparison], kind: str) -> list[Chart]:
    """Return a figure per comparison that has the data for it.

    Raises:
        UsageError: no such kind, or no comparison has the data.
    """
    every = (chart(comparison, kind, siblings=comparisons) for comparison in comparisons)
    made = [each for each in every if each is not None]
    if not made:
        raise UsageError(
            f"nothing to draw: {kind} needs {KINDS[kind].needs}, and no run here has that"
        )
    return made


def charts_of_page(
    comparison: Comparison, *, siblings: Sequence[Comparison] = ()
) -> tuple[Chart | None, list[Chart]]:
    """Return the figure beside the verdict, and the others."""
    kinds = [kind for kind in KINDS.values() if kind.on_page]
    made = {kind.name: kind.draw(comparison, siblings) for kind in kinds}
    leading = [KINDS[name] for name in MAIN if made.get(name)]
    kind = leading[0] if leading else OVERVIEW
    main = made.get(kind.name) or overview(comparison)
    others = [
        each
        for name, each in made.items()
        if each is not None and name not in {kind.name, *kind.holds}
    ]
    return main, others


def draw(
    comparisons: Sequence[Comparison],
    kind: str,
    *,
    suffix: str,
    theme: Theme = "light",
    purpose: str = "readme",
) -> bytes:
    """Return a figure as the content of a file; of several comparisons, below each other.

    Args:
        comparisons: All of one assessment.
        kind: One of `KINDS`.
        suffix: One of `FORMATS`: images by matplotlib, html by plotly, offline.
        theme: Light or dark.
        purpose: Of an image, one of `PURPOSES`: its size, its text, whether it bears its title.

    Raises:
        UsageError: unknown kind, suffix or purpose, or no data for this kind.
    """
    if suffix not in FORMATS:
        raise UsageError(f"cannot draw to '.{suffix}'; there are {', '.join(FORMATS)}")
    if purpose not in PURPOSES:
        raise UsageError(f"nothing is drawn for '{purpose}'; there are {', '.join(PURPOSES)}")
    made = charts(comparisons, kind)
    if suffix == "html":
        from benchkit.figures.interactive import page

        return page(made, theme).encode()
    from benchkit.figures.static import image

    return image(made, kind=suffix, theme=theme, purpose=PURPOSES[purpose])
