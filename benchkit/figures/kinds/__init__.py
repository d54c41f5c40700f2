"""Every kind of figure, declared once: its name, what it needs, where it is shown.

Each is made by a function of its name, of a comparison and its siblings, in a module that is
imported when such a figure is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from benchkit.figures.chart import Chart
from benchkit.model.comparison import Comparison


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure.

    Attributes:
        module: Of this package.
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
        module = import_module(f"{__name__}.{self.module}")
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
