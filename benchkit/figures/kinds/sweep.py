"""A swept param: where does throughput stop growing, what does it cost, do lines cross?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, Note, Panel, Series
from benchkit.figures.kinds.drawn_sweep import DrawnSweep, SweepLine, crossings, drawn_sweep
from benchkit.figures.kinds.sweep_quantities import (
    CHOICES,
    LATENCY,
    MEDIAN,
    QUANTITIES,
    TALL,
    Quantity,
    chosen,
)
from benchkit.figures.kinds.sweep_words import (
    caption,
    dotted_params,
    label,
    level_marks,
    marked_name,
    title,
)
from benchkit.figures.look import RING, text_role
from benchkit.figures.marks import (
    WIDTH,
    Spot,
    Spots,
    end_names,
    line,
    with_room,
    with_space,
    written,
)
from benchkit.figures.panels import Shows, any_panel, those_shown
from benchkit.figures.scales import from_zero, latency_axis, levels_axis, thinned
from benchkit.figures.tables import along
from benchkit.model.comparison import Comparison
from benchkit.model.metric import ERROR_RATIO, P50, P99, THROUGHPUT, Metric
from benchkit.names import with_marks

MARK: Final = 8  # px
_AT_MARK: Final = 15  # px from a mark, and the ring around it, to a number of findings
_BEFORE_LEADERS: Final = 8


def sweep(
    comparison: Comparison, metric: Metric | None = None, *, shows: Shows = any_panel
) -> Chart | None:
    """Return all against the level, None where no numeric param has three levels."""
    sweep = drawn_sweep(comparison)
    if sweep is None:
        return None
    wanted = chosen("sweep", CHOICES, metric) if metric else QUANTITIES
    shown = [quantity for quantity in wanted if _worth(sweep, quantity.metric)]
    if not shown:
        return None
    shown = those_shown(shown, lambda quantity: quantity.metric.name, shows)
    return by_level(sweep, shown, title(sweep, [quantity.metric for quantity in shown]))


def by_level(sweep: DrawnSweep, shown: Sequence[Quantity], title: str, why: str = "") -> Chart:
    """Return a figure against the level; its caption says `why` where that is not plain."""
    columns = [each for quantity in shown for each in _beside(sweep, quantity)]

    def column(line: SweepLine, quantity: Quantity) -> dict[float, Cell]:
        return written(line.spots[quantity.metric], lambda spot: _spelt(sweep, spot, quantity))

    lines = ((each.label, [column(each, q) for q in columns]) for each in sweep.lines)
    x = replace(levels_axis(sweep.levels), title=f"{sweep.name[:1].upper()}{sweep.name[1:]}")
    # One for all panels, whatever names stand in each.
    names = [_name(sweep, each, q) for each in sweep.named for q in columns]
    x = with_room(x, names)
    x = thinned(x, WIDTH)
    return Chart(
        title=title,
        caption=" ".join(filter(None, (caption(sweep, shown), why))),
        label=label(title, sweep, shown),
        panels=tuple(_panel(sweep, q, x, above=shown[:n]) for n, q in enumerate(shown)),
        table=along(sweep.param, [each.heading for each in columns], lines, show.level),
        height=60 + sum(quantity.height for quantity in shown),
    )


def _worth(sweep: DrawnSweep, metric: Metric) -> bool:
    spots = [spot for each in sweep.lines for spot in each.spots[metric].values()]
    if metric == ERROR_RATIO:
        return any(spot.high > 0 for spot in spots)
    return len(spots) > 1 and (not metric.is_latency or any(spot.median > 0 for spot in spots))


def _beside(sweep: DrawnSweep, quantity: Quantity) -> list[Quantity]:
    """Return what a panel shows: p50 with p99, where lines are few enough to be told apart."""
    few = len(sweep.lines) <= 2 and any(each.spots[P50] for each in sweep.lines)
    return [MEDIAN, quantity] if quantity is LATENCY and few else [quantity]


def _panel(sweep: DrawnSweep, quantity: Quantity, x: Axis, *, above: Sequence[Quantity]) -> Panel:
    metric, shown = quantity.metric, _beside(sweep, quantity)
    spots = [s for q in shown for each in sweep.lines for s in each.spots[q.metric].values()]
    values = [value for spot in spots for value in (spot.low, spot.median, spot.high)]
    if metric.is_latency:
        y = latency_axis(values, room=0.1, most=7, unit=sweep.comparison.unit(metric))
    else:
        unit = sweep.comparison.unit(metric)
        y = from_zero(values, metric.quantity, room=0.1, steps=4, unit=unit)
    numbers = [n for n in _numbers(sweep, shown, above) if n.y > 0 or not metric.is_latency]
    y = with_space(y, numbers, height=quantity.height * 0.7)
    series: list[Series] = []
    names = []
    for q in reversed(shown):  # the small marks of p50 over those of p99
        lines = (_line(sweep, each, q) for each in sweep.upward if each.spots[q.metric])
        series += [line for line in lines if line.xs]  # none of 0 has a place on a log scale
    if metric == THROUGHPUT:
        series += [ring for each in sweep.upward for ring in _ring(each)]
    for each in sweep.named:
        known = each.spots[metric].items()
        drawn = [(level, s.median) for level, s in known if not metric.is_latency or s.median > 0]
        names += [each.end(*max(drawn), _name(sweep, each, quantity))] if drawn else []
        if MEDIAN in shown and drawn:
            names += _median_end(sweep, each)
    ends = end_names(names, y, height=quantity.height * 0.7)
    notes = [*ends, *_turns(sweep, metric, y), *numbers]
    title = quantity.heading_of(sweep)
    title = "Latency, log scale: p99 thick, p50 thin" if MEDIAN in shown else title
    if not above:
        title += f"; dotted: {dotted_params(sweep)}" if dotted_params(sweep) else ""
    return Panel(
        x,
        y,
        tuple(series),
        tuple(notes),
        title=title,
        weight=quantity.height / TALL,
        name=metric.name,
    )


def _name(sweep: DrawnSweep, line: SweepLine, quantity: Quantity) -> str:
    """Return what a line is called at its end; beside another of its variant with its metric."""
    name = f"{line.short} {quantity.metric.name}" if MEDIAN in _beside(sweep, quantity) else ""
    return marked_name(sweep, line, quantity.metric, name)


def _median_end(sweep: DrawnSweep, line: SweepLine) -> list[Note]:
    """Return what the thin line of a variant is called, at its end."""
    ends = [(level, spot.median) for level, spot in line.spots[P50].items() if spot.median > 0]
    return [line.end(*max(ends), _name(sweep, line, MEDIAN))] if ends else []


def _line(sweep: DrawnSweep, each: SweepLine, quantity: Quantity) -> Series:
    spots: Spots = each.spots[quantity.metric]
    if quantity.metric.is_latency:  # on a log axis, where 0 has no place
        spots = {level: spot for level, spot in spots.items() if spot.low > 0}
    start, heading = f"{each.name}, {sweep.name}", quantity.heading
    hover = (
        f"{start} {show.level(level)}\n{heading} {_spelt(sweep, spot, quantity)}"
        for level, spot in spots.items()
    )
    if quantity is MEDIAN:
        return line(each, spots.items(), hover, width=1.0, marker=5, dotted=each.dotted)
    return line(each, spots.items(), hover, marker=MARK, dotted=each.dotted)


def _numbers(
    sweep: DrawnSweep, shown: Sequence[Quantity], above: Sequence[Quantity]
) -> Iterator[Note]:
    """Yield the numbers of findings at the levels they hold for, away from the other line.

    What stands in a panel above is of the whole level.
    """
    metric = shown[-1].metric
    for each in sweep.named:
        before = [_drawn_marks(sweep, each, quantity.metric) for quantity in above]
        others = [line.spots[metric] for line in sweep.named if line is not each]
        for level, marks in level_marks(sweep, each, metric).items():
            numbers = [n for n in marks if not any(n in b.get(level, ()) for b in before)]
            spots = [known[level] for q in shown if level in (known := each.spots[q.metric])]
            if not numbers or level not in each.spots[metric]:
                continue
            median = each.spots[metric][level].median
            below = any(other[level].median > median for other in others if level in other)
            y = min(s.low for s in spots) if below else max(s.high for s in spots)
            dy = _AT_MARK if below else -_AT_MARK
            # At the last level lines lead down from its mark to names.
            dx = -_BEFORE_LEADERS if below and level == sweep.levels[-1] else 0.0
            text, role = with_marks("", numbers), text_role(each.role)
            yield Note(level, y, text, role, align="center", dx=dx, dy=dy)


def _drawn_marks(sweep: DrawnSweep, line: SweepLine, metric: Metric) -> dict[float, list[int]]:
    """Return the numbers that stand at the levels of a line in the panel of a metric."""
    spots = line.spots[metric]
    return {
        level: numbers
        for level, numbers in level_marks(sweep, line, metric).items()
        if level in spots and (spots[level].low > 0 or not metric.is_latency)
    }


def _spelt(sweep: DrawnSweep, spot: Spot, quantity: Quantity) -> str:
    write = partial(quantity.text, sweep)
    if spot.low == spot.high:
        return write(spot.median)
    return f"{write(spot.median)} ({write(spot.low)}{show.EN_DASH}{write(spot.high)})"


def _ring(line: SweepLine) -> list[Series]:
    """Return a ring around the mark at which throughput stops growing."""
    level = line.knee.level if line.coloured and line.knee else None
    spot = line.spots[THROUGHPUT].get(level) if level is not None else None
    if level is None or spot is None:
        return []
    point = (level,), (spot.median,)
    return [Series(*line.series, *point, marker=RING, filled=False, in_table=False)]


def _turns(sweep: DrawnSweep, metric: Metric, y: Axis) -> list[Note]:
    """Return a note above where lines change places, with the levels at which they are apart."""
    notes = []
    for turn in crossings(sweep, metric) if metric in {THROUGHPUT, P99} else ():
        x = math.sqrt(turn.until * turn.since) if turn.until > 0 else (turn.until + turn.since) / 2
        span = f"{show.number(turn.until)}{show.EN_DASH}{show.number(turn.since)}"
        notes.append(Note(x, y.high, f"order changes: {span}", align="center", dy=8))
    return notes
