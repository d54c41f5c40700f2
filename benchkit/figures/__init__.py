"""Figures: tables to frozen data to plotly, matplotlib or the page."""

from __future__ import annotations

import html as markup
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit.assessment import assess
from benchkit.compare import Comparison
from benchkit.errors import UsageError
from benchkit.figures.chart import Chart
from benchkit.figures.costs import costs
from benchkit.figures.dots import overview, throughput
from benchkit.figures.endpoints import endpoints
from benchkit.figures.heatmap import heatmap
from benchkit.figures.interactive import CONFIG, plotly_figure
from benchkit.figures.intervals import intervals
from benchkit.figures.matrix import matrix
from benchkit.figures.percentiles import percentiles
from benchkit.figures.purposes import PURPOSES
from benchkit.figures.resources import resources
from benchkit.figures.ridges import ridges
from benchkit.figures.runs import runs
from benchkit.figures.shape import ecdf, histogram, pooled
from benchkit.figures.static import image, matplotlib_figure
from benchkit.figures.sweep import sweep
from benchkit.measured import variant_curves

if TYPE_CHECKING:
    from benchkit.figures.look import Theme
    from benchkit.results import Results

__all__ = [
    "FORMATS",
    "KINDS",
    "MAIN",
    "PURPOSES",
    "Chart",
    "chart",
    "charts",
    "draw",
    "image",
    "matplotlib_figure",
    "overview",
    "plotly_figure",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure.

    Attributes:
        needs: What it cannot be drawn without.
        make: Returns it for one comparison, None where its data do not exist.
        on_page: Whether the page shows it; what another figure there says too is left to `plot`.
    """

    needs: str
    make: Callable[[Results, Comparison], Chart | None]
    on_page: bool = True


#: Every kind of figure, in the order in which the page shows them.
KINDS: Final[Mapping[str, Kind]] = {
    "percentiles": Kind(
        "at least two percentiles of a run",
        lambda results, one: percentiles(
            one, variant_curves(results, one), intervals(results, one)
        ),
    ),
    "sweep": Kind("runs at three or more levels of a numeric param", sweep),
    "costs": Kind("samples of the server's processes at three or more levels", costs),
    "matrix": Kind("runs of most combinations of two factors", matrix),
    "throughput": Kind("a throughput or goodput", lambda _, one: throughput(one)),
    "runs": Kind("several runs of a variant", runs),
    "heatmap": Kind("an output with a row per request and its time", heatmap),
    "ridges": Kind("an output with a row per request, and at most eight variants", ridges),
    "endpoints": Kind("requests to several endpoints, a row per request", endpoints),
    "resources": Kind("samples of the server's processes, of runs that are no sweep", resources),
    "ecdf": Kind(
        "an output with a row per request",
        lambda results, one: ecdf(one, pooled(results, one)),
        on_page=False,
    ),
    "histogram": Kind(
        "an output with a row per request",
        lambda results, one: histogram(one, pooled(results, one)),
        on_page=False,
    ),
}
#: The figure beside the verdict: the first of these whose data exist.
MAIN: Final = ("sweep", "percentiles")
FORMATS: Final = ("png", "svg", "pdf", "html")


def chart(results: Results, comparison: Comparison, kind: str) -> Chart | None:
    """Return one figure of one comparison, None where its data do not exist.

    Raises:
        UsageError: no such kind; the message lists those there are.
    """
    if kind not in KINDS:
        msg = f"no figure '{kind}'; there are {', '.join(KINDS)}"
        raise UsageError(msg)
    return KINDS[kind].make(results, comparison)


def charts(results: Results, kind: str, *, baseline: str | None = None) -> list[Chart]:
    """Return a figure per comparison that has the data for it.

    Raises:
        UsageError: no such kind, no such baseline, or no comparison has the data.
    """
    made = [chart(results, one, kind) for one in assess(results, baseline=baseline)]
    found = [one for one in made if one is not None]
    if not found:
        msg = f"nothing to draw: {kind} needs {KINDS[kind].needs}, and no run here has that"
        raise UsageError(msg)
    return found


def draw(
    results: Results,
    kind: str,
    *,
    suffix: str,
    baseline: str | None = None,
    theme: Theme = "light",
    purpose: str = "readme",
) -> bytes:
    """Return a figure as the content of a file; of several comparisons, below each other.

    Args:
        results: The runs.
        kind: One of `KINDS`.
        suffix: One of `FORMATS`: images by matplotlib, html by plotly, offline.
        baseline: As for `compare`.
        theme: Light or dark.
        purpose: Of an image, one of `PURPOSES`: its size, its text, whether it bears its title.

    Raises:
        UsageError: unknown kind, suffix, purpose or baseline, or no data for this kind.
    """
    if suffix not in FORMATS:
        msg = f"cannot draw to '.{suffix}'; there are {', '.join(FORMATS)}"
        raise UsageError(msg)
    if purpose not in PURPOSES:
        msg = f"nothing is drawn for '{purpose}'; there are {', '.join(PURPOSES)}"
        raise UsageError(msg)
    made = charts(results, kind, baseline=baseline)
    if suffix == "html":
        return _page(made, theme).encode()
    return image(made, kind=suffix, theme=theme, purpose=PURPOSES[purpose])


def _page(made: Sequence[Chart], theme: Theme) -> str:
    from plotly.offline import get_plotlyjs

    from benchkit.figures.look import COLOURS, FONT

    colours = COLOURS[theme]
    figures = [plotly_figure(one, theme=theme) for one in made]
    data = json.dumps({"figures": figures, "config": CONFIG}, sort_keys=True).replace(
        "<", "\\u003c"
    )
    slots = "".join(
        f"<h2>{markup.escape(one.title)}</h2><p>{markup.escape(one.subtitle)}</p>"
        f'<div id="f{n}" role="img" aria-label="{markup.escape(one.label)}"></div>'
        for n, one in enumerate(made)
    )
    style = (
        f"body{{margin:32px auto;max-width:960px;padding:0 16px;font:16px/1.5 {FONT};"
        f"background:{colours['page']};color:{colours['text']}}}"
        f"h2{{font-size:17px;margin:32px 0 0}}p{{font-size:14px;margin:0;color:{colours['muted']}}}"
    )
    script = (
        'const d=JSON.parse(document.getElementById("data").textContent);'
        'd.figures.forEach((f,i)=>Plotly.newPlot("f"+i,f.data,f.layout,d.config));'
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{markup.escape(made[0].title)}</title><style>{style}</style></head><body>{slots}"
        f'<script type="application/json" id="data">{data}</script>'
        f"<script>{get_plotlyjs()}</script><script>{script}</script></body></html>\n"
    )
