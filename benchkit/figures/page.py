"""Figures as one HTML page that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from benchkit.figures.chart import Chart
from benchkit.figures.interactive import CONFIG, plotly_figure
from benchkit.figures.look import COLOURS, FONT, Theme


def page(charts: Sequence[Chart], theme: Theme) -> str:
    """Return a page with the charts below each other, plotly included."""
    from plotly.offline import get_plotlyjs

    colours = COLOURS[theme]
    figures = [plotly_figure(chart, theme=theme) for chart in charts]
    data = json.dumps({"figures": figures, "config": CONFIG}, sort_keys=True)
    data = data.replace("<", "\\u003c")
    slots = "".join(
        f"<h2>{escape(chart.title)}</h2><p>{escape(chart.subtitle)}</p>"
        f'<div id="f{n}" role="img" aria-label="{escape(chart.label)}"></div>'
        for n, chart in enumerate(charts)
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
        f"<title>{escape(charts[0].title)}</title><style>{style}</style></head><body>{slots}"
        f'<script type="application/json" id="data">{data}</script>'
        f"<script>{get_plotlyjs()}</script><script>{script}</script></body></html>\n"
    )
