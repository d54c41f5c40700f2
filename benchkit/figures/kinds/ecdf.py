"""The share of requests up to each latency, where every request is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Chart, DataTable, Note, Panel, Series
from benchkit.figures.legend import legend
from benchkit.figures.pooled import alt_text, pooled, source
from benchkit.figures.scales import latency_axis, share_axis
from benchkit.model.comparison import Comparison

if TYPE_CHECKING:
    from benchkit.distribution import Distribution

_POINTS: Final = 120
_SHARES: Final = (*((n + 0.5) / _POINTS for n in range(_POINTS)), 0.999, 1.0)
_HEIGHT: Final = 340
_TITLE: Final = "Share of requests by latency"


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None without single requests."""
    requests = pooled(comparison)
    lines = {name: steps for name, each in requests.items() if (steps := _steps(each))}
    if not lines:
        return None
    names = legend(comparison)
    series = [
        Series(
            name,
            names.roles[name],
            tuple(x for x, _ in points),
            tuple(y for _, y in points),
            line=1.2 if names.is_context(name) else 2.2,
            step="after",
            hover=tuple(_hover(name, x, y) for x, y in points),
        )
        for name, points in lines.items()
    ]
    x = latency_axis([x for each in series for x in each.xs])
    rises = [
        replace(each, xs=each.xs[:1] * 2, ys=(0.0, each.ys[0]), step="", hover=(), in_table=False)
        for each in series
    ]
    named = _middle_names(series, names.short)
    return Chart(
        kind="ecdf",
        title=_TITLE,
        subtitle=f"Share answered within a latency, log axis. {source(comparison, requests)}",
        label=alt_text(_TITLE, comparison, requests),
        panels=(Panel(x, share_axis(), (*rises, *series), named),),
        table=_table(lines),
        height=_HEIGHT,
    )


def _steps(requests: Distribution) -> list[tuple[float, float]]:
    latencies = dict.fromkeys(s for s in requests.quantiles_s(_SHARES) if s > 0)
    return [(latency, requests.share_at_most(latency)) for latency in latencies]


def _middle_names(series: Sequence[Series], short: Mapping[str, str]) -> tuple[Note, ...]:
    """Return names to the right of each line's rise, at heights that differ."""
    named = [each for each in series if each.role != look.CONTEXT]
    ordered = sorted(named, key=lambda each: _reached(each, 0.5))
    notes = []
    for n, each in enumerate(ordered):
        height = 0.66 - 0.36 * n / max(1, len(ordered) - 1)
        near = _reached(each, height) * _closeness(named)
        x = max(other for line in named if (other := _reached(line, height)) <= near)
        role = look.text_role(each.role)
        notes.append(Note(x, height, short[each.name], role=role, dx=10, bold=True))
    return tuple(notes)


def _reached(series: Series, share: float) -> float:
    """Return the latency at which a line reaches a share."""
    return next((x for x, y in zip(series.xs, series.ys, strict=True) if y >= share), series.xs[-1])


def _closeness(series: Sequence[Series]) -> float:
    """Return the factor within which lines are too close for a name between them."""
    low, high = min(each.xs[0] for each in series), max(each.xs[-1] for each in series)
    return float((high / low) ** 0.2)


def _hover(name: str, latency: float, share: float) -> str:
    return f"{show.clean(name, limit=40)}\n{show.share(share)} within {show.duration(latency)}"


def _table(lines: Mapping[str, Sequence[tuple[float, float]]]) -> DataTable:
    rows = [
        (name, ((show.duration(latency, digits=4), latency), (show.share(share), share)))
        for name, points in lines.items()
        for latency, share in points
    ]
    return DataTable(("Variant", "Latency", "Share within it"), tuple(rows))
