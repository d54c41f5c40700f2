"""A swept param: where does throughput stop growing, what does it cost, do lines cross?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, Note, Panel, Series
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
from benchkit.figures.kinds.swept import Swept, SweptLine, crossings, swept
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
    made = swept(comparison)
    if made is None:
        return None
    wanted = chosen("sweep", CHOICES, metric) if metric else QUANTITIES
    shown = [quantity for quantity in wanted if _worth(made, quantity.metric)]
    if not shown:
        return None
    shown = those_shown(shown, lambda quantity: quantity.metric.name, shows)
    return by_level(made, shown, title(made, [quantity.metric for quantity in shown]))


def by_level(made: Swept, shown: Sequence[Quantity], title: str, why: str = "") -> Chart:
    """Return a figure against the level; its caption says `why` where that is not plain."""
    columns = [each for quantity in shown for each in _beside(made, quantity)]

    def column(each: SweptLine, quantity: Quantity) -> dict[float, Cell]:
        return written(each.spots[quantity.metric], lambda spot: _spelt(made, spot, quantity))

    lines = ((each.label, [column(each, q) for q in columns]) for each in made.lines)
    x = replace(levels_axis(made.levels), title=f"{made.name[:1].upper()}{made.name[1:]}")
    # One for all panels, whatever names stand in each.
    names = [_name(made, each, q) for each in made.named for q in columns]
    x = with_room(x, names)
    x = thinned(x, WIDTH)
    return Chart(
        title=title,
        caption=" ".join(filter(None, (caption(made, shown), why))),
        label=label(title, made, shown),
        panels=tuple(_panel(made, q, x, above=shown[:n]) for n, q in enumerate(shown)),
        table=along(made.param, [each.heading for each in columns], lines, show.level),
        height=60 + sum(quantity.height for quantity in shown),
    )


def _worth(made: Swept, metric: Metric) -> bool:
    spots = [spot for each in made.lines for spot in each.spots[metric].values()]
    if metric == ERROR_RATIO:
        return any(spot.high > 0 for spot in spots)
    return len(spots) > 1 and (not metric.is_latency or any(spot.median > 0 for spot in spots))


def _beside(made: Swept, quantity: Quantity) -> list[Quantity]:
    """Return what a panel shows: p50 with p99, where lines are few enough to be told apart."""
    few = len(made.lines) <= 2 and any(each.spots[P50] for each in made.lines)
    return [MEDIAN, quantity] if quantity is LATENCY and few else [quantity]


def _panel(made: Swept, quantity: Quantity, x: Axis, *, above: Sequence[Quantity]) -> Panel:
    metric, shown = quantity.metric, _beside(made, quantity)
    spots = [s for q in shown for each in made.lines for s in each.spots[q.metric].values()]
    values = [value for spot in spots for value in (spot.low, spot.median, spot.high)]
    if metric.is_latency:
        y = latency_axis(values, room=0.1, most=7, unit=made.comparison.unit(metric))
    else:
        unit = made.comparison.unit(metric)
        y = from_zero(values, metric.quantity, room=0.1, steps=4, unit=unit)
    numbers = [n for n in _numbers(made, shown, above) if n.y > 0 or not metric.is_latency]
    y = with_space(y, numbers, height=quantity.height * 0.7)
    series: list[Series] = []
    names = []
    for q in reversed(shown):  # the small marks of p50 over those of p99
        series += [_line(made, each, q) for each in made.upward if each.spots[q.metric]]
    if metric == THROUGHPUT:
        series += [ring for each in made.upward for ring in _ring(each)]
    for each in made.named:
        known = each.spots[metric].items()
        drawn = [(level, s.median) for level, s in known if not metric.is_latency or s.median > 0]
        names += [each.end(*max(drawn), _name(made, each, quantity))] if drawn else []
        if MEDIAN in shown and drawn:
            names += _median_end(made, each)
    ends = end_names(names, y, height=quantity.height * 0.7)
    notes = [*ends, *_turns(made, metric, y), *numbers]
    title = quantity.heading_of(made)
    title = "Latency, log scale: p99 thick, p50 thin" if MEDIAN in shown else title
    if not above:
        title += f"; dotted: {dotted_params(made)}" if dotted_params(made) else ""
    return Panel(
        x,
        y,
        tuple(series),
        tuple(notes),
        title=title,
        weight=quantity.height / TALL,
        name=metric.name,
    )


def _name(made: Swept, each: SweptLine, quantity: Quantity) -> str:
    """Return what a line is called at its end; beside another of its variant with its metric."""
    name = f"{each.short} {quantity.metric.name}" if MEDIAN in _beside(made, quantity) else ""
    return marked_name(made, each, quantity.metric, name)


def _median_end(made: Swept, each: SweptLine) -> list[Note]:
    """Return what the thin line of a variant is called, at its end."""
    ends = [(level, spot.median) for level, spot in each.spots[P50].items() if spot.median > 0]
    return [each.end(*max(ends), _name(made, each, MEDIAN))] if ends else []


def _line(made: Swept, each: SweptLine, quantity: Quantity) -> Series:
    spots: Spots = each.spots[quantity.metric]
    if quantity.metric.is_latency:  # on a log axis, where 0 has no place
        spots = {level: spot for level, spot in spots.items() if spot.low > 0}
    start, heading = f"{each.name}, {made.name}", quantity.heading
    hover = (
        f"{start} {show.level(level)}\n{heading} {_spelt(made, spot, quantity)}"
        for level, spot in spots.items()
    )
    if quantity is MEDIAN:
        return line(each, spots.items(), hover, width=1.0, marker=5, dotted=each.dotted)
    return line(each, spots.items(), hover, marker=MARK, dotted=each.dotted)


def _numbers(made: Swept, shown: Sequence[Quantity], above: Sequence[Quantity]) -> Iterator[Note]:
    """Yield the numbers of findings at the levels they hold for, away from the other line.

    What stands in a panel above is of the whole level.
    """
    metric = shown[-1].metric
    for each in made.named:
        before = [_drawn_marks(made, each, quantity.metric) for quantity in above]
        others = [line.spots[metric] for line in made.named if line is not each]
        for level, marks in level_marks(made, each, metric).items():
            numbers = [n for n in marks if not any(n in b.get(level, ()) for b in before)]
            spots = [known[level] for q in shown if level in (known := each.spots[q.metric])]
            if not numbers or level not in each.spots[metric]:
                continue
            median = each.spots[metric][level].median
            below = any(other[level].median > median for other in others if level in other)
            y = min(s.low for s in spots) if below else max(s.high for s in spots)
            dy = _AT_MARK if below else -_AT_MARK
            # At the last level lines lead down from its mark to names.
            dx = -_BEFORE_LEADERS if below and level == made.levels[-1] else 0.0
            text, role = with_marks("", numbers), text_role(each.role)
            yield Note(level, y, text, role, align="center", dx=dx, dy=dy)


def _drawn_marks(made: Swept, each: SweptLine, metric: Metric) -> dict[float, list[int]]:
    """Return the numbers that stand at the levels of a line in the panel of a metric."""
    spots = each.spots[metric]
    return {
        level: numbers
        for level, numbers in level_marks(made, each, metric).items()
        if level in spots and (spots[level].low > 0 or not metric.is_latency)
    }


def _spelt(made: Swept, spot: Spot, quantity: Quantity) -> str:
    write = partial(quantity.text, made)
    if spot.low == spot.high:
        return write(spot.median)
    return f"{write(spot.median)} ({write(spot.low)}{show.EN_DASH}{write(spot.high)})"


def _ring(each: SweptLine) -> list[Series]:
    """Return a ring around the mark at which throughput stops growing."""
    level = each.knee.level if each.coloured and each.knee else None
    spot = each.spots[THROUGHPUT].get(level) if level is not None else None
    if level is None or spot is None:
        return []
    point = (level,), (spot.median,)
    return [Series(*each.series, *point, marker=RING, filled=False, in_table=False)]


def _turns(made: Swept, metric: Metric, y: Axis) -> list[Note]:
    """Return a note above where lines change places, with the levels at which they are apart."""
    notes = []
    for turn in crossings(made, metric) if metric in {THROUGHPUT, P99} else ():
        x = math.sqrt(turn.until * turn.since) if turn.until > 0 else (turn.until + turn.since) / 2
        span = f"{show.number(turn.until)}{show.EN_DASH}{show.number(turn.since)}"
        notes.append(Note(x, y.high, f"order changes: {span}", align="center", dy=8))
    return notes
