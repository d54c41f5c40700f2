"""Each endpoint: is it one of them that is slow, or fails?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Panel, Series
from benchkit.figures.perendpoint import Measured, by_endpoint
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.names import short_names

if TYPE_CHECKING:
    from benchkit.results import Results

_MOST: Final = 12
_FEW: Final = 3  # variants whose marks have texts
_LONGEST: Final = 28
_SUBROW, _ROW, _EDGE = 15, 12, 64
_MOST_TICKS: Final = 4

_Of = Mapping[str, Mapping[str, Measured]]


def endpoints(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None where requests went to one endpoint or do not tell theirs."""
    every = by_endpoint(results, comparison)
    roles = look.roles(comparison)
    labels = [label for label in comparison.order if roles[label] != look.CONTEXT]
    of = dict(list(every.items())[:_MOST])
    if not any(one.p50_s for found in of.values() for one in found.values()):
        return None
    panels = [_latencies(comparison, of, labels)]
    if any(one.failed for found in of.values() for one in found.values()):
        panels.append(_failures(comparison, of, labels))
    title = _among(comparison, labels, shown=len(of), known=len(every)) + _title(of, labels)
    return Chart(
        kind="endpoints",
        title=title,
        subtitle=_subtitle(comparison, labels, shown=len(of), known=len(every)),
        label=f"{title}. p50, p99 and failures of each endpoint; values in the table below",
        panels=tuple(panels),
        table=_table(of, labels),
        height=len(panels) * (_EDGE + len(of) * (_ROW + _SUBROW * len(labels))),
        rows=True,
    )


def _latencies(comparison: Comparison, of: _Of, labels: Sequence[str]) -> Panel:
    values = [v for found in of.values() for one in found.values() for v in (one.p50_s, one.p99_s)]
    axis = latency_axis([value for value in values if value], room=0.06, most=_MOST_TICKS)
    x = Axis(axis.scale, axis.low, axis.high * (axis.high / axis.low) ** 0.35, axis.ticks)
    series: list[Series] = []
    for row, (endpoint, found) in enumerate(of.items()):
        for n, label in enumerate(labels):
            if label in found:
                y = _place(row, n, len(labels))
                series += _range(comparison, (endpoint, label), found[label], y, first=row == 0)
    return Panel(x, _rows(of), tuple(series), title="p50 (filled), p99 (open)")


def _range(
    comparison: Comparison, of: tuple[str, str], one: Measured, y: float, *, first: bool
) -> list[Series]:
    endpoint, label = of
    role = look.roles(comparison)[label]
    marks: list[Series] = []
    if one.p50_s and one.p99_s:
        span = (one.p50_s, one.p99_s)
        marks.append(Series(label, role, span, (y, y), line=1.5, dotted=True, in_table=False))
    known = [(v, w) for v, w in ((one.p50_s, "p50"), (one.p99_s, "p99")) if v]
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
                labels=(_beside(comparison, label, text, first=first),) if last else (),
                hover=(f"{_hover(endpoint, label)}\n{word} {text}",),
            )
        )
    return marks


def _beside(comparison: Comparison, label: str, text: str, *, first: bool) -> str:
    """Return the text beside a mark, with the variant's name at the first endpoint."""
    short = short_names(list(comparison.order))
    few = len(comparison.variants) <= _FEW
    parts = [short[label]] if first and len(comparison.variants) > 1 else []
    return " ".join([*parts, *([text] if few else [])])


def _failures(comparison: Comparison, of: _Of, labels: Sequence[str]) -> Panel:
    roles = look.roles(comparison)
    series: list[Series] = []
    shares = [one.failed or 0.0 for found in of.values() for one in found.values()]
    for row, (endpoint, found) in enumerate(of.items()):
        for n, label in enumerate(labels):
            share = found[label].failed if label in found else None
            if share is not None:
                text = show.share(round(share, 6))
                series.append(
                    Series(
                        label,
                        roles[label],
                        (share,),
                        (_place(row, n, len(labels)),),
                        marker=8,
                        stems="x",
                        labels=(_beside(comparison, label, text, first=row == 0),),
                        hover=(f"{_hover(endpoint, label)}\n{text} failed",),
                    )
                )
    x = from_zero(shares, room=0.3, write=show.share)
    return Panel(x, _rows(of), tuple(series), title="Share of requests that failed")


def _rows(of: _Of) -> Axis:
    return names_axis([_short(endpoint) for endpoint in of])


def _short(endpoint: str) -> str:
    """Return an endpoint without its middle where it is long: its end tells most."""
    name = show.clean(endpoint)
    if len(name) <= _LONGEST:
        return name
    return f"{name[:9]}…{name[10 - _LONGEST :]}"


def _place(row: int, place: int, count: int) -> float:
    return -row + 0.7 * (0.5 - (place + 0.5) / count)


def _hover(endpoint: str, label: str) -> str:
    return f"{show.clean(endpoint, limit=60)}\n{show.clean(label, limit=40)}"


def _among(comparison: Comparison, labels: Sequence[str], *, shown: int, known: int) -> str:
    """Return the words that limit a superlative to what is shown, empty where that is all."""
    parts = [f"the {shown} busiest endpoints"] if shown < known else []
    parts += ["the variants shown"] if len(labels) < len(comparison.variants) else []
    return f"Of {show.listed(parts)}, " if parts else ""


def _title(of: _Of, labels: Sequence[str]) -> str:
    """Return the endpoint with the highest p99, and that which failed most."""
    tails = [
        (one.p99_s, endpoint, label)
        for endpoint, found in of.items()
        for label, one in found.items()
        if label in labels and one.p99_s
    ]
    if not tails:
        return "Latency by endpoint"
    p99, endpoint, label = max(tails)
    whose = f" with {show.quoted(label, limit=40)}" if len(labels) > 1 else ""
    name = show.clean(endpoint, limit=60)
    return f"{name} had the highest p99, {show.duration(p99)}{whose}"


def _subtitle(comparison: Comparison, labels: Sequence[str], *, shown: int, known: int) -> str:
    parts = ["Latency on a log axis, failures from zero."]
    if any(one.runs > 1 for one in comparison.variants):
        parts.append("Latencies are medians over runs, failures of all of them.")
    if known > shown:
        parts.append(f"The {shown} busiest of {known} endpoints.")
    if len(labels) < len(comparison.variants):
        names = [show.quoted(label, limit=40) for label in labels]
        parts.append(f"Only {show.listed(names)}.")
    return " ".join(parts)


def _table(of: _Of, labels: Sequence[str]) -> DataTable:
    rows = [
        (endpoint, label, found[label])
        for endpoint, found in of.items()
        for label in labels
        if label in found
    ]
    unit = show.time_unit([v for _, _, one in rows for v in (one.p50_s, one.p99_s)])
    times = [show.in_unit([getattr(one, n) for *_, one in rows], unit) for n in ("p50_s", "p99_s")]
    cells = [
        (
            endpoint,
            (
                (show.clean(label), None),
                (show.count(one.requests), float(one.requests)),
                (times[0][n] or show.WITHHELD, one.p50_s),
                (times[1][n] or show.WITHHELD, one.p99_s),
                ("" if one.failed is None else show.share(round(one.failed, 6)), one.failed),
            ),
        )
        for n, (endpoint, label, one) in enumerate(rows)
    ]
    headings = ("Endpoint", "Variant", "Requests", f"p50, {unit.name}", f"p99, {unit.name}")
    return DataTable((*headings, "Failed"), tuple(cells))
