"""Each endpoint: is it one of them that is slow, or fails?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Chart, DataTable, Panel, Series
from benchkit.figures.kinds.per_endpoint import ByEndpoint, EndpointFigures, by_endpoint
from benchkit.figures.legend import Legend, legend
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.model.comparison import Comparison

_MOST: Final = 12
_FEW: Final = 3  # variants whose marks have texts
_LONGEST: Final = 28
_SUBROW, _ROW, _EDGE = 15, 12, 64
_MOST_TICKS: Final = 4


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None where requests went to one endpoint or do not tell theirs."""
    every = by_endpoint(comparison)
    names = legend(comparison)
    shown = dict(list(every.items())[:_MOST])
    if not any(each.p50_s for by_label in shown.values() for each in by_label.values()):
        return None
    panels = [_latencies(shown, names)]
    if any(each.failed for by_label in shown.values() for each in by_label.values()):
        panels.append(_failures(shown, names))
    known = len(every)
    title = _among(names, shown=len(shown), known=known) + _title(shown, names)
    return Chart(
        kind="endpoints",
        title=title,
        subtitle=_subtitle(comparison, names, shown=len(shown), known=known),
        label=f"{title}. p50, p99 and failures of each endpoint; values in the table below",
        panels=tuple(panels),
        table=_table(shown, names),
        height=len(panels) * (_EDGE + len(shown) * (_ROW + _SUBROW * len(names.coloured))),
        rows=True,
    )


def _latencies(shown: ByEndpoint, names: Legend) -> Panel:
    figures = [each for by_label in shown.values() for each in by_label.values()]
    values = [value for each in figures for value in (each.p50_s, each.p99_s) if value]
    axis = latency_axis(values, room=0.06, most=_MOST_TICKS)
    x = Axis(axis.scale, axis.low, axis.high * (axis.high / axis.low) ** 0.35, axis.ticks)
    labels = names.coloured
    series = [
        mark
        for row, (endpoint, by_label) in enumerate(shown.items())
        for n, label in enumerate(labels)
        if label in by_label
        for mark in _range(
            endpoint, label, by_label[label], names, y=_height(row, n, labels), first=row == 0
        )
    ]
    return Panel(x, _rows(shown), tuple(series), title="p50 (filled), p99 (open)")


def _range(
    endpoint: str, label: str, figures: EndpointFigures, names: Legend, *, y: float, first: bool
) -> list[Series]:
    role = names.roles[label]
    marks: list[Series] = []
    if figures.p50_s and figures.p99_s:
        span = (figures.p50_s, figures.p99_s)
        marks.append(Series(label, role, span, (y, y), line=1.5, dotted=True, in_table=False))
    known = [(v, word) for v, word in ((figures.p50_s, "p50"), (figures.p99_s, "p99")) if v]
    for value, word in known:
        last, text = word == known[-1][1], show.duration(value)
        marks.append(
            Series(
                label,
                role,
                (value,),
                (y,),
                marker=8,
                filled=word == "p50",
                labels=(_beside(label, text, names, first=first),) if last else (),
                hover=(f"{_hover(endpoint, label)}\n{word} {text}",),
            )
        )
    return marks


def _beside(label: str, text: str, names: Legend, *, first: bool) -> str:
    """Return the text beside a mark, with the variant's name at the first endpoint."""
    count = len(names.variants)
    parts = [names.short[label]] if first and count > 1 else []
    return " ".join([*parts, *([text] if count <= _FEW else [])])


def _failures(shown: ByEndpoint, names: Legend) -> Panel:
    labels = names.coloured
    series: list[Series] = []
    for row, (endpoint, by_label) in enumerate(shown.items()):
        for n, label in enumerate(labels):
            share = by_label[label].failed if label in by_label else None
            if share is not None:
                text = show.share(round(share, 6))
                series.append(
                    Series(
                        label,
                        names.roles[label],
                        (share,),
                        (_height(row, n, labels),),
                        marker=8,
                        stems="x",
                        labels=(_beside(label, text, names, first=row == 0),),
                        hover=(f"{_hover(endpoint, label)}\n{text} failed",),
                    )
                )
    shares = [each.failed or 0.0 for by_label in shown.values() for each in by_label.values()]
    x = from_zero(shares, room=0.3, write=show.share)
    return Panel(x, _rows(shown), tuple(series), title="Share of requests that failed")


def _rows(shown: ByEndpoint) -> Axis:
    return names_axis([_short(endpoint) for endpoint in shown])


def _short(endpoint: str) -> str:
    """Return an endpoint without its middle where it is long: its end says most."""
    name = show.clean(endpoint)
    if len(name) <= _LONGEST:
        return name
    return f"{name[:9]}…{name[10 - _LONGEST :]}"


def _height(row: int, number: int, labels: Sequence[str]) -> float:
    return -row + 0.7 * (0.5 - (number + 0.5) / len(labels))


def _hover(endpoint: str, label: str) -> str:
    return f"{show.clean(endpoint, limit=60)}\n{show.clean(label, limit=40)}"


def _among(names: Legend, *, shown: int, known: int) -> str:
    """Return the words that limit a superlative to what is shown, empty where that is all."""
    parts = [f"the {shown} busiest endpoints"] if shown < known else []
    parts += ["the variants shown"] if len(names.coloured) < len(names.variants) else []
    return f"Of {show.listed(parts)}, " if parts else ""


def _title(shown: ByEndpoint, names: Legend) -> str:
    """Return the endpoint with the highest p99."""
    labels = names.coloured
    tails = [
        (each.p99_s, endpoint, label)
        for endpoint, by_label in shown.items()
        for label, each in by_label.items()
        if label in labels and each.p99_s
    ]
    if not tails:
        return "Latency by endpoint"
    p99, endpoint, label = max(tails)
    whose = f" with {show.quoted(label, limit=40)}" if len(labels) > 1 else ""
    name = show.clean(endpoint, limit=60)
    return f"{name} had the highest p99, {show.duration(p99)}{whose}"


def _subtitle(comparison: Comparison, names: Legend, *, shown: int, known: int) -> str:
    parts = ["Latency on a log axis, failures from zero."]
    if any(len(variant) > 1 for variant in comparison.variants):
        parts.append("Latencies are medians over runs, failures of all of them.")
    if known > shown:
        parts.append(f"The {shown} busiest of {known} endpoints.")
    if len(names.coloured) < len(names.variants):
        parts.append(f"Only {show.listed([show.quoted(n, limit=40) for n in names.coloured])}.")
    return " ".join(parts)


def _table(shown: ByEndpoint, names: Legend) -> DataTable:
    rows = [
        (endpoint, label, by_label[label])
        for endpoint, by_label in shown.items()
        for label in names.coloured
        if label in by_label
    ]
    unit = show.time_unit([value for *_, each in rows for value in (each.p50_s, each.p99_s)])
    p50s = show.in_unit([each.p50_s for *_, each in rows], unit)
    p99s = show.in_unit([each.p99_s for *_, each in rows], unit)
    cells = [
        (
            endpoint,
            (
                (show.clean(label), None),
                (show.count(each.requests), float(each.requests)),
                (p50s[n] or show.WITHHELD, each.p50_s),
                (p99s[n] or show.WITHHELD, each.p99_s),
                ("" if each.failed is None else show.share(round(each.failed, 6)), each.failed),
            ),
        )
        for n, (endpoint, label, each) in enumerate(rows)
    ]
    headings = ("Endpoint", "Variant", "Requests", f"p50, {unit.name}", f"p99, {unit.name}")
    return DataTable((*headings, "Failed"), tuple(cells))
