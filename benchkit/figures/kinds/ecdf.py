"""The share of requests up to each latency, where every request is known."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.counting.distribution import Distribution
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.legend import Key
from benchkit.figures.pooled import alt_text, pooled, source
from benchkit.figures.scales import latency_axis
from benchkit.model.comparison import Comparison

_POINTS: Final = 120
_SHARES: Final = (*((n + 0.5) / _POINTS for n in range(_POINTS)), 0.999, 1.0)
_AXIS: Final = Axis("linear", 0.0, 1.02, tuple((n / 4, f"{25 * n}%") for n in range(5)))
_HEIGHT: Final = 340
_TITLE: Final = "Share of requests by latency"

#: Per variant latencies in s and the share that they hold.
_Lines = Mapping[Key, Sequence[tuple[float, float]]]


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None without single requests."""
    requests = pooled(comparison)
    lines = {key: steps for key, each in requests.items() if (steps := _steps(each))}
    if not lines:
        return None
    series = {key: _line(key, points) for key, points in lines.items()}
    rises = [
        replace(each, xs=each.xs[:1] * 2, ys=(0.0, each.ys[0]), step="", hover=(), in_table=False)
        for each in series.values()
    ]
    x = latency_axis([latency for points in lines.values() for latency, _ in points])
    return Chart(
        kind="ecdf",
        title=_TITLE,
        subtitle=f"Share answered within a latency, log axis. {source(comparison, requests)}",
        label=alt_text(_TITLE, requests),
        panels=(Panel(x, _AXIS, (*rises, *series.values()), _middle_names(series)),),
        table=_table(lines),
        height=_HEIGHT,
    )


def _steps(requests: Distribution) -> list[tuple[float, float]]:
    latencies = dict.fromkeys(s for s in requests.quantiles_s(_SHARES) if s > 0)
    return [(latency, requests.share_at_most(latency)) for latency in latencies]


def _line(key: Key, points: Sequence[tuple[float, float]]) -> Series:
    xs, ys = zip(*points, strict=True)
    hover = (f"{key.name}\n{show.share(y)} within {show.duration(x)}" for x, y in points)
    width = 2.2 if key.coloured else 1.2
    return Series(*key.series, xs, ys, line=width, step="after", hover=tuple(hover))


def _middle_names(series: Mapping[Key, Series]) -> tuple[Note, ...]:
    """Return names to the right of each line's rise, at heights that differ."""
    named = {key: line for key, line in series.items() if key.coloured}
    ordered = sorted(named, key=lambda key: _reached(named[key], 0.5))
    notes = []
    for n, key in enumerate(ordered):
        height = 0.66 - 0.36 * n / max(1, len(ordered) - 1)
        near = _reached(named[key], height) * _closeness(named.values())
        x = max(other for line in named.values() if (other := _reached(line, height)) <= near)
        notes.append(Note(x, height, key.short, role=look.text_role(key.role), dx=10, bold=True))
    return tuple(notes)


def _reached(series: Series, share: float) -> float:
    """Return the latency at which a line reaches a share."""
    return next((x for x, y in series.points if y >= share), series.xs[-1])


def _closeness(series: Collection[Series]) -> float:
    """Return the factor within which lines are too close for a name between them."""
    low, high = min(each.xs[0] for each in series), max(each.xs[-1] for each in series)
    return float((high / low) ** 0.2)


def _table(lines: _Lines) -> DataTable:
    rows = [
        (key.label, ((show.duration(latency, digits=4), latency), (show.share(share), share)))
        for key, points in lines.items()
        for latency, share in points
    ]
    return DataTable(("Variant", "Latency", "Share within it"), tuple(rows))
