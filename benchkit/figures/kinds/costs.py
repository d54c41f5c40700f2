"""What the server used, by throughput: variants can be read off at equal throughput.

Where throughput fell at higher levels lines would fold back and cross: there it is by level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, Note, Panel, Series
from benchkit.figures.kinds.drawn_sweep import DrawnSweep, SweepLine, drawn_sweep
from benchkit.figures.kinds.sweep import MARK, by_level
from benchkit.figures.kinds.sweep_quantities import (
    PEAK_MEMORY,
    PER_REQUEST,
    PROCESSORS,
    Quantity,
    chosen,
)
from benchkit.figures.kinds.sweep_words import (
    at_equal_load,
    equal_throughput,
    equal_words,
    fell,
    level_marks,
    marked_name,
    summed,
    throughput_and_names,
)
from benchkit.figures.look import text_role
from benchkit.figures.marks import (
    PlotArea,
    Spot,
    clear_name,
    clear_tags,
    end_names,
    line,
    with_room,
)
from benchkit.figures.panels import Shows, any_panel, those_shown
from benchkit.figures.scales import from_zero
from benchkit.figures.tables import along
from benchkit.figures.words import between, furthest_apart
from benchkit.model.comparison import Comparison
from benchkit.model.metric import THROUGHPUT, Metric
from benchkit.names import with_marks

_HEIGHT: Final = 170
_ABOVE: Final = 0.25  # of the highest value: room for the level above its mark
_COSTS: Final = (PROCESSORS, PER_REQUEST, PEAK_MEMORY)
_NAMED_AT_EQUAL: Final = {PER_REQUEST: "CPU per request", PEAK_MEMORY: "memory"}


def costs(
    comparison: Comparison, metric: Metric | None = None, *, shows: Shows = any_panel
) -> Chart | None:
    """Return what the server used, None without a sweep, or without samples of the server."""
    sweep = drawn_sweep(comparison)
    if sweep is None:
        return None
    wanted = chosen("costs", _COSTS, metric) if metric else _COSTS
    shown = [q for q in wanted if any(_spent(each, q) for each in sweep.lines)]
    if not shown:
        return None
    shown = those_shown(shown, lambda quantity: quantity.metric.name, shows)
    if any(map(fell, sweep.named)):
        # What is per request is not in the figure of the sweep.
        shown = [PER_REQUEST] if PER_REQUEST in shown else shown
        why = "Not against throughput, which fell at higher levels: lines would turn back."
        return by_level(sweep, shown, _span(sweep, shown), why)
    title = _title(sweep, shown)
    marks = f"A mark for each {sweep.name}, with its level; {sweep.medians}."
    ranges = (
        " Ranges of the runs, which go both ways, are not drawn." if sweep.most_runs > 1 else ""
    )
    parts = [f"Against throughput, from zero. {marks} Lines only connect them.{ranges}"]
    compared = [quantity for quantity in _NAMED_AT_EQUAL if quantity in shown]
    effects = [
        (quantity, _NAMED_AT_EQUAL[quantity], effect)
        for quantity in compared
        for effect in at_equal_load(sweep, quantity)
    ]
    equal = [*equal_words(sweep, effects)]
    parts += summed(sweep, [quantity.metric for quantity in shown])
    if equal:
        rate = equal_throughput(effect for _, _, effect in effects)
        parts += [*equal, f"A dotted line marks that throughput, {rate}."]
    headings = ["Throughput, req/s", *(quantity.heading for quantity in shown)]
    return Chart(
        title=title,
        caption=" ".join(parts),
        label=f"{title}. What the server used by its throughput; values in the table below",
        panels=tuple(_panel(sweep, quantity, compared) for quantity in shown),
        table=along(
            sweep.param,
            headings,
            ((e.label, _columns(sweep, e, shown)) for e in sweep.lines),
            show.level,
        ),
        height=70 + _HEIGHT * len(shown),
    )


def _tags(
    sweep: DrawnSweep, line: SweepLine, spent: Mapping[float, tuple[float, Spot]]
) -> list[Note]:
    """Return what stands at the marks of a line: their levels, with the findings there."""
    marks, role = level_marks(sweep, line, THROUGHPUT), text_role(line.role)
    return [
        Note(rate, s.median, with_marks(show.level(level), marks.get(level, ())), role)
        for level, (rate, s) in spent.items()
    ]


def _spent(line: SweepLine, quantity: Quantity) -> dict[float, tuple[float, Spot]]:
    rates, spots = line.spots[THROUGHPUT], line.spots[quantity.metric]
    return {n: (rates[n].median, spots[n]) for n in sorted(rates) if n in spots}


def _columns(
    sweep: DrawnSweep, line: SweepLine, shown: Sequence[Quantity]
) -> list[dict[float, Cell]]:
    rates: dict[float, Cell] = {}
    costs: list[dict[float, Cell]] = []
    for quantity in shown:
        spent = _spent(line, quantity)
        rates |= {level: (show.rate(rate), rate) for level, (rate, _) in spent.items()}
        costs.append({n: (quantity.text(sweep, s.median), s.median) for n, (_, s) in spent.items()})
    return [rates, *costs]


def _title(sweep: DrawnSweep, shown: Sequence[Quantity]) -> str:
    """Return how processor time, or else memory, differs at equal throughput."""
    for quantity in (PER_REQUEST, PEAK_MEMORY):
        effects = at_equal_load(sweep, quantity) if quantity in shown else []
        if len(effects) == 1 and (effects[0].interval is None or not effects[0].crosses):
            _, base, variant = throughput_and_names(sweep, effects[0])
            change = sweep.comparison.change(
                effects[0].metric, effects[0].amount, effects[0].bounds
            )
            return f"{effects[0].metric.title} with {variant} against {base}: {change}"
    return _span(sweep, shown)


def _span(sweep: DrawnSweep, shown: Sequence[Quantity]) -> str:
    """Return where the weightiest of the costs is furthest apart, else from where to where it goes.

    What one line spent at one level says nothing beside what another spent elsewhere.
    """
    quantity = next((q for q in (PER_REQUEST, PEAK_MEMORY) if q in shown), shown[0])
    write, title = partial(quantity.text, sweep), quantity.metric.title
    spent = {each: _spent(each, quantity) for each in sweep.lines}
    at_level = {
        level: [(each.quoted, own[level][1].median) for each, own in spent.items()]
        for level in sweep.levels
        if all(level in own for own in spent.values())
    }
    if apart := furthest_apart(sweep.name, at_level, write):
        return f"{title} {apart}"
    every = [spot.median for own in spent.values() for _, spot in own.values()]
    return f"{title} by {sweep.name} was {between(every, write)}"


def _equal_lines(sweep: DrawnSweep, compared: Iterable[Quantity], y: Axis) -> list[Series]:
    """Return a line at each throughput at which the caption compares."""
    effects = (effect for quantity in compared for effect in at_equal_load(sweep, quantity))
    rates = dict.fromkeys(effect.throughput_rps or 0.0 for effect in effects)
    ends = [(rate, ((rate, rate), (y.low, y.high))) for rate in rates]
    return [
        Series(THROUGHPUT.prose(rate), "text", *end, line=1.0, dotted=True, in_table=False)
        for rate, end in ends
    ]


def _panel(sweep: DrawnSweep, quantity: Quantity, compared: Iterable[Quantity]) -> Panel:
    spent = {each: points for each in sweep.upward if (points := _spent(each, quantity))}
    every = [point for points in spent.values() for point in points.values()]
    x = from_zero([rate for rate, _ in every], "rate", room=0.02)
    x = replace(x, title="Throughput, req/s")
    # A place along the axis is a throughput.
    called = {each: marked_name(sweep, each, THROUGHPUT) for each in sweep.named}
    x = with_room(x, called.values())
    y = from_zero([s.median for _, s in every], quantity.metric.quantity, room=_ABOVE, steps=4)
    equal = _equal_lines(sweep, compared, y)
    rates = [each.xs[0] for each in equal]
    tags = {each: _tags(sweep, each, own) for each, own in spent.items() if each.coloured}
    area, every_tag = PlotArea(x, y, _HEIGHT * 0.7), [t for own in tags.values() for t in own]
    drawn = [[(r, s.median) for r, s in own.values()] for own in spent.values()]
    paths = area.lines([*drawn, *(each.points for each in equal)])
    names = []
    for each, own in tags.items():
        ends = [each.end(t.x, t.y, called[each]) for t in sorted(own, key=lambda tag: -tag.x)]
        ends += [replace(end, align="right", dx=-end.dx) for end in reversed(ends)]
        names.append(clear_name(ends, every_tag, area, beneath=paths))
    named = end_names([name for name in names if name.align == "left"], y, height=area.height)
    named += tuple(name for name in names if name.align == "right")
    series = equal
    for each, points in spent.items():
        hover = (
            f"{each.name}, {sweep.name} {show.level(level)}\n{THROUGHPUT.prose(rate)}\n"
            f"{quantity.heading} {quantity.text(sweep, spot.median)}"
            for level, (rate, spot) in points.items()
        )
        series.append(line(each, points.values(), hover, marker=MARK, dotted=each.dotted, band=0))
    return Panel(
        x,
        y,
        tuple(series),
        (*named, *clear_tags(every_tag, area, names=named, beneath=paths, upright=rates)),
        title=quantity.heading_of(sweep),
        name=quantity.metric.name,
    )
