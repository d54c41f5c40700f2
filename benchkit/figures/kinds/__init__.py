"""Every kind of figure, declared once: its name, what it needs, where it is shown.

The module of the same name beside this one has its data, its chart and its words, in a function
`draw(comparison, siblings)`; it is imported when such a figure is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from benchkit.figures.chart import Chart
from benchkit.model.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure.

    Attributes:
        needs: What it cannot be drawn without.
        on_page: Whether the page shows it; what another figure there says too is left to `plot`.
        holds: Kinds whose values it shows too, so that the page leaves them out.
    """

    name: str
    needs: str
    on_page: bool = True
    holds: tuple[str, ...] = ()

    def draw(self, comparison: Comparison, siblings: Sequence[Comparison]) -> Chart | None:
        """Return it for a comparison, None where its data do not exist."""
        module = import_module(f"{__name__}.{self.name}")
        made: Chart | None = module.draw(comparison, siblings)
        return made


_LISTED: Final = (
    Kind("percentiles", "at least two percentiles of a run"),
    Kind("sweep", "runs at three or more levels of a numeric param", holds=("throughput",)),
    Kind("costs", "samples of the server's processes at three or more levels"),
    Kind("matrix", "runs of most combinations of two factors"),
    Kind("throughput", "a throughput or goodput"),
    Kind("runs", "several runs of a variant"),
    Kind("heatmap", "an output with a row per request and its time"),
    Kind("ridges", "an output with a row per request, and at most eight variants"),
    Kind("endpoints", "requests to several endpoints, a row per request"),
    Kind("resources", "samples of the server's processes, of runs that are no sweep"),
    Kind("ecdf", "an output with a row per request", on_page=False),
    Kind("histogram", "an output with a row per request", on_page=False),
)
#: By name, in the order in which the page shows them.
KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _LISTED}
#: Beside a verdict stands the first of these whose data exist, or else this overview.
MAIN: Final = ("sweep", "percentiles")
OVERVIEW: Final = Kind("overview", "a throughput or a latency", holds=("throughput",))
