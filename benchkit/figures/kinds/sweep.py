"""A swept param: where does throughput stop growing, what does it cost, do lines cross?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.compare.sweep import NEAR_PEAK
from benchkit.errors import UsageError
from benchkit.figures.chart import Axis, Cell, Chart, Note, Panel, Series
from benchkit.figures.kinds.swept import (
    CORES,
    LEAST_FOR_INTERVAL,
    Crossing,
    Swept,
    SweptLine,
    crossings,
    swept,
)
from benchkit.figures.look import RING, text_role
from benchkit.figures.marks import (
    PlotArea,
    Spot,
    Spots,
    along,
    clear_name,
    clear_tags,
    end_names,
    line,
    with_room,
    written,
)
from benchkit.figures.scales import ZEROS, from_zero, latency_axis, levels_axis
from benchkit.figures.words import between, furthest_apart
from benchkit.model.circumstances import together
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.grouping import grouped
from benchkit.model.metric import CPU, ERROR_RATIO, MEMORY, P50, P99, THROUGHPUT, Metric

_TALL: Final = 180
_MARK: Final = 8
_FEW_LINES: Final = 3  # that a title or a sentence names
_SAME_RATE: Final = 0.02  # a measured throughput so near is that one
_LONGEST: Final = 130  # characters of a title
#: What bands are, by `_band_kinds`.
_BANDS: Final = {
    (): "",
    (False,): ", bands the range over runs",
    (True,): ", bands the 95\u00a0% interval of the median",
    (False, True): (
        f", bands the range or, from {LEAST_FOR_INTERVAL} runs on, the 95\u00a0% interval of the "
        "median"
    ),
}


@dataclass(frozen=True, slots=True)
class _Quantity:
    """What a panel shows, and how that is written; its height in px.

    The title of what the server spent has a place for whose that is.
    """

    metric: Metric
    title: str
    heading: str
    write: Callable[[float], str]
    height: int = 130

    def heading_of(self, made: Swept) -> str:
        """Return the title of its panel."""
        return self.title.format(together(made.processes)) if "{}" in self.title else self.title

    def text(self, made: Swept, value: float) -> str:
        """Return a value as it is written; a time in the unit of its column."""
        timed = self.metric.quantity == "time" and value
        return made.comparison.written(self.metric, value) if timed else self.write(value)


_MEDIAN: Final = _Quantity(P50, "", "p50", show.duration)
_LATENCY: Final = _Quantity(P99, "p99, log scale", "p99", show.duration, _TALL)
_CORES: Final = _Quantity(CORES, "Processors kept busy by {}", "Processors", show.number)
_MEMORY: Final = _Quantity(MEMORY, "Peak memory of {}", "Memory", show.size)
_CPU: Final = _Quantity(CPU, "Processor time per request of {}", "CPU per request", show.duration)
_QUANTITIES: Final = (
    _Quantity(THROUGHPUT, "Throughput, responses/s", "Throughput", show.rate, _TALL),
    _LATENCY,
    _Quantity(ERROR_RATIO, "Share of requests that failed", "Failed", show.share),
    _CORES,
    _MEMORY,
)
#: What else somebody may want.
_CHOICES: Final = (*_QUANTITIES, replace(_MEDIAN, title="p50, log scale", height=_TALL), _CPU)


def sweep(comparison: Comparison, metric: Metric | None = None) -> Chart | None:
    """Return all against the level, None where no numeric param has three levels."""
    made = swept(comparison)
    if made is None:
        return None
    wanted = _chosen("sweep", _CHOICES, metric) if metric else _QUANTITIES
    shown = [quantity for quantity in wanted if _worth(made, quantity.metric)]
    if not shown:
        return None
    return _by_level(made, shown, _title(made, [quantity.metric for quantity in shown]))


def _by_level(made: Swept, shown: Sequence[_Quantity], title: str, why: str = "") -> Chart:
    """Return a figure against the level; its caption says `why` where that is not plain."""
    columns = [each for quantity in shown for each in _beside(made, quantity)]

    def column(each: SweptLine, quantity: _Quantity) -> dict[float, Cell]:
        return written(each.spots[quantity.metric], lambda spot: _spelt(made, spot, quantity))

    lines = ((each.label, [column(each, q) for q in columns]) for each in made.lines)
    return Chart(
        title=title,
        caption=" ".join(filter(None, (_caption(made, shown), why))),
        label=_label(title, made, shown),
        panels=tuple(_panel(made, quantity, first=quantity is shown[0]) for quantity in shown),
        table=along(made.param, [each.heading for each in columns], lines),
        height=60 + sum(quantity.height for quantity in shown),
    )


def _chosen(kind: str, choices: Sequence[_Quantity], metric: Metric) -> Sequence[_Quantity]:
    """Return what a figure shows of a metric."""
    quantities = [each for each in choices if each.metric.column == metric.column]
    if not quantities:
        names = show.listed([each.metric.name for each in choices if each.metric != CORES])
        raise UsageError(f"{kind} does not show {metric.name}; it shows {names}")
    return quantities


def _worth(made: Swept, metric: Metric) -> bool:
    spots = [spot for each in made.lines for spot in each.spots[metric].values()]
    if metric == ERROR_RATIO:
        return any(spot.high > 0 for spot in spots)
    return len(spots) > 1 and (not metric.is_latency or any(spot.median > 0 for spot in spots))


def _beside(made: Swept, quantity: _Quantity) -> list[_Quantity]:
    """Return what a panel shows: p50 with p99, where lines are few enough to be told apart."""
    few = len(made.lines) <= 2 and any(each.spots[P50] for each in made.lines)
    return [_MEDIAN, quantity] if quantity is _LATENCY and few else [quantity]


def _panel(made: Swept, quantity: _Quantity, *, first: bool) -> Panel:
    metric, shown = quantity.metric, _beside(made, quantity)
    spots = [s for q in shown for each in made.lines for s in each.spots[q.metric].values()]
    values = [value for spot in spots for value in (spot.low, spot.median, spot.high)]
    if metric.is_latency:
        y = latency_axis(values, room=0.1, most=7, unit=made.comparison.unit(metric))
    else:
        unit = made.comparison.unit(metric)
        y = from_zero(values, metric.quantity, room=0.1, steps=4, unit=unit)
    x = replace(levels_axis(made.levels), title=f"{made.name[:1].upper()}{made.name[1:]}")
    x = with_room(x, [each.short for each in made.named])
    series: list[Series] = []
    names = []
    for each in made.upward:
        series += [_line(made, each, q) for q in shown if each.spots[q.metric]]
        series += _ring(each) if metric == THROUGHPUT else []
    for each in made.named:
        known = each.spots[metric].items()
        ends = [(level, s.median) for level, s in known if not metric.is_latency or s.median > 0]
        names += [each.end(*max(ends))] if ends else []
        if _MEDIAN in shown and ends:
            names += _median_end(each)
    notes = [*end_names(names, y, height=quantity.height * 0.7), *_turns(made, metric, y)]
    title = quantity.heading_of(made)
    title = "Latency, log scale: p99 thick, p50 thin" if _MEDIAN in shown else title
    if first:
        title += f"; dotted: {_dotted(made)}" if _dotted(made) else ""
    return Panel(
        x,
        y,
        tuple(series),
        tuple(notes),
        title=title,
        weight=quantity.height / _TALL,
        name=metric.name,
    )


def _median_end(each: SweptLine) -> list[Note]:
    """Return what the thin line of a variant is called, at its end."""
    ends = [(level, spot.median) for level, spot in each.spots[P50].items() if spot.median > 0]
    return [each.end(*max(ends), P50.name)] if ends else []


def _line(made: Swept, each: SweptLine, quantity: _Quantity) -> Series:
    spots: Spots = each.spots[quantity.metric]
    if quantity.metric.is_latency:  # on a log axis, where 0 has no place
        spots = {level: spot for level, spot in spots.items() if spot.low > 0}
    start, heading = f"{each.name}, {made.name}", quantity.heading
    hover = (
        f"{start} {show.number(level)}\n{heading} {_spelt(made, spot, quantity)}"
        for level, spot in spots.items()
    )
    if quantity is _MEDIAN:
        return line(each, spots.items(), hover, width=1.0, marker=5, dotted=each.dotted)
    return line(each, spots.items(), hover, marker=_MARK, dotted=each.dotted)


def _spelt(made: Swept, spot: Spot, quantity: _Quantity) -> str:
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


# --- words ---


def _title(made: Swept, shown: Sequence[Metric]) -> str:
    """Return where lines change places, or where throughput stopped growing."""
    for metric in (each for each in (THROUGHPUT, P99) if each in shown):
        turns = crossings(made, metric)
        if len(turns) == 1 and turns[0].everywhere:
            return _changed(made, turns[0])
    lines = [each for each in made.named if each.knee]
    if not lines or THROUGHPUT not in shown:
        what = "Throughput and latency" if {THROUGHPUT, P99} <= {*shown} else shown[0].title
        return f"{what} by {show.clean(made.param, limit=40)}"
    return _grown(made, lines)


def _changed(made: Swept, turn: Crossing) -> str:
    until, since = show.number(turn.until), show.number(turn.since)
    kinds = _band_kinds([turn.first, turn.second], [turn.metric])
    how = "in all runs" if kinds == (False,) else "by their intervals"
    how = "by their ranges or intervals" if len(kinds) > 1 else how
    first, second = (show.quoted(each.label, limit=40) for each in (turn.first, turn.second))
    what = f"had the higher {turn.metric.subject}"
    return f"{first} {what} up to {made.name} {until}, {second} from {since}, {how}"


def _grown(made: Swept, lines: Sequence[SweptLine]) -> str:
    """Return where throughput stopped growing, or that it had not."""
    param, last = made.name, show.number(made.levels[-1])
    knees = {each.label: each.knee.level for each in lines if each.knee}
    levels = sorted({level for level in knees.values() if level is not None})
    whose = "" if len(lines) == len(made.lines) else f" with {_of_all(made, lines)}"
    if not levels:
        return f"Throughput still grew at {param} {last}{whose}"
    lowest = show.number(levels[0])
    at_peak = all(knees[each.label] in {None, _peak(each)} for each in lines)
    if len(set(knees.values())) == 1:
        fallen = _fallen(made, lines)
        if levels[0] != made.levels[0]:
            return f"Throughput {_stopped(at_peak=at_peak)} {param} {lowest}{fallen}{whose}"
        highest = at_peak and all(map(_fell, lines))
        what, fallen = _stopped(at_peak=False), fallen and f",{fallen}"
        what = "was highest at" if highest else what
        return f"Throughput {what} {param} {lowest}, the lowest level{fallen}{whose}"
    growing = show.listed(_together(lines, [each for each in lines if knees[each.label] is None]))
    parts = [
        f"{show.number(level)} with {show.listed(_together(lines, group))}"
        for level in levels
        if (group := [each for each in lines if knees[each.label] == level])
    ]
    still = f"; with {growing} it still grew at {last}" if growing else ""
    near = "first came within 5\u00a0% of its highest" if made.levels[0] in levels else ""
    what = f"{near} at" if near else _stopped(at_peak=at_peak)
    text = f"Throughput {what} {param} {show.listed(parts)}{still}"
    if len(text) <= _LONGEST:
        return text
    span = [lowest, last if growing else show.number(levels[-1])]
    past = " or beyond" if growing else ""
    what = near or "stopped growing"
    return f"Throughput {what} between {param} {show.listed(span)}{past}{whose}"


def _peak(each: SweptLine) -> float:
    """Return the level of the highest throughput."""
    spots = each.spots[THROUGHPUT]
    return max(spots, key=lambda level: spots[level].median)


def _stopped(*, at_peak: bool) -> str:
    """Return what throughput did from a level on: a little more may have come of a higher one."""
    return "stopped growing at" if at_peak else "hardly grew beyond"


def _fallen(made: Swept, lines: Sequence[SweptLine]) -> str:
    """Return from which levels on throughput had fallen, a blank before it; empty for none."""
    by_level = grouped([each for each in lines if _fell(each)], lambda each: _fell(each) or 0.0)
    every = len(by_level) == 1 and all(map(_fell, lines))
    parts = [
        show.number(level) + ("" if every else f" with {_of_all(made, by_level[level])}")
        for level in sorted(by_level)
    ]
    return f" and had fallen at {made.name} {show.listed(parts)}" if parts else ""


def _fell(each: SweptLine) -> float | None:
    """Return from which level on throughput was clearly below its highest, apart by the bands."""
    spots, since = each.spots[THROUGHPUT], None
    highest = spots[_peak(each)]
    for level, own in sorted(spots.items(), reverse=True):
        if own.median >= NEAR_PEAK * highest.median or highest.side(own) <= 0:
            break
        since = level
    return since


def _of_all(made: Swept, lines: Sequence[SweptLine]) -> str:
    """Return the lines that a title speaks of where they are not all; many as their number."""
    names = _together(made.lines, lines)
    if len(names) <= _FEW_LINES:
        return show.listed(names)
    return f"{len(lines)} of {show.plural(len(made.lines), 'line')}"


def _together(every: Sequence[SweptLine], group: Sequence[SweptLine]) -> list[str]:
    """Return the names of some lines; all lines of a variant are named as that variant."""
    names = []
    for each in group:
        mine = [other for other in every if other.variant == each.variant]
        whole = len(mine) < len(every) and all(other in group for other in mine)
        names.append(each.variant if whole else each.label)
    return [show.quoted(name, limit=40) for name in dict.fromkeys(names)]


def _band_kinds(lines: Iterable[SweptLine], metrics: Sequence[Metric]) -> tuple[bool, ...]:
    """Return whether bands are intervals; both where some are, nothing where none is drawn."""
    spots = (spot for each in lines for m in metrics for spot in each.spots[m].values())
    return tuple(sorted({spot.runs >= LEAST_FOR_INTERVAL for spot in spots if spot.runs > 1}))


def _caption(made: Swept, shown: Sequence[_Quantity]) -> str:
    scale = "log axis" if levels_axis(made.levels).scale == "log" else "linear axis"
    parts = [f"Against {made.name}, {scale}, each tested level ticked."]
    metrics = [quantity.metric for quantity in shown]
    if made.most_runs > 1:
        parts.append(f"Marks are {made.medians}{_BANDS[_band_kinds(made.named, metrics)]}.")
    ringed = any(each.knee and each.knee.level is not None for each in made.named)
    if ringed and THROUGHPUT in metrics:
        parts.append("A ring marks the first level with 95\u00a0% of the highest throughput.")
    if _dotted(made):
        parts.append(f"Dotted is {_dotted(made)}.")
    grey = len(made.lines) - len(made.named)
    if grey:
        parts.append(f"{show.plural(grey, 'variant')} in grey, named in the table.")
    parts += _summed(made, metrics)
    latencies = (e.spots[m] for e in made.lines for m in (P50, P99) if {m, P99} & {*metrics})
    if any(spot.low <= 0 for spots in latencies for spot in spots.values()):
        parts.append(ZEROS)
    if _LATENCY in shown:
        parts += _equal_words(made, [(_LATENCY, "p99", e) for e in _at_equal_load(made, _LATENCY)])
    return " ".join(parts)


def _summed(made: Swept, metrics: Sequence[Metric]) -> list[str]:
    """Return what stands for several processes at once, a sentence, nothing of a single one."""
    if len(made.processes) < 2 or not {CORES, CPU, MEMORY} & {*metrics}:
        return []
    of_memory = ", of memory that of the largest of each" if MEMORY in metrics else ""
    return [f"Of {show.listed(made.processes)} the sum is shown{of_memory}."]


def _dotted(made: Swept) -> str:
    """Return the params that dotted lines have in common, empty without such lines."""
    lines = (each for each in made.lines if each.dotted)
    settings = {each.label.removeprefix(f"{each.variant}, ") for each in lines}
    return show.clean(settings.pop(), limit=60) if len(settings) == 1 else ""


def _at_equal_load(made: Swept, quantity: _Quantity) -> list[Effect]:
    """Return what the comparison says of a metric at one throughput, of at most a few lines."""
    name = f"{quantity.metric.name}@equal-throughput"
    # Where a line falls back through that throughput, there are two values at it.
    once = (e for e in made.effects if not e.passed_again)
    effects = [e for e in once if e.metric.name == name and e.ratio is not None]
    return effects if len(effects) < _FEW_LINES else []


def _equal_words(made: Swept, effects: Iterable[tuple[_Quantity, str, Effect]]) -> Iterator[str]:
    """Yield what quantities, each with its word, were at one throughput: a sentence for each."""
    for (where, base, variant), alike in grouped(effects, lambda e: _at(made, e[2])).items():
        clauses = [
            f"{word} was about {quantity.text(made, effect.baseline_value or 0.0)} with {base} "
            f"and {quantity.text(made, effect.value or 0.0)} with {variant}"
            for quantity, word, effect in alike
        ]
        yield f"{where}, {'; '.join(clauses)}."


def _at(made: Swept, effect: Effect) -> tuple[str, str, str]:
    """Return the throughput at which an effect is, and the names of its baseline and variant.

    What was not measured there is between tested levels.
    """
    rate = effect.throughput_rps or 0.0
    names, between = [], []
    for label in (effect.baseline, effect.variant):
        line = _line_of(made, label)
        names.append(_called(made, label))
        rates = [spot.median for spot in line.spots[THROUGHPUT].values()] if line else []
        if not any(math.isclose(rate, measured, rel_tol=_SAME_RATE) for measured in rates):
            between.append(names[-1])
    whose = f" of {between[0]}" if len(between) == 1 else ""
    where = f", read off between tested levels{whose}" if between else ""
    return f"At {THROUGHPUT.prose(rate)}{where}", names[0], names[1]


def _called(made: Swept, label: str) -> str:
    line = _line_of(made, label)
    return show.quoted(line.label if line else label, limit=40)


def _line_of(made: Swept, label: str) -> SweptLine | None:
    """Return the line of a variant that is named with params, also with those that all share."""
    parts = set(label.split(", "))
    fitting = [
        line
        for line in made.lines
        if line.curve.variant == label
        or parts <= {line.variant, *show.params(dict(line.curve.rest))}
    ]
    return fitting[0] if len(fitting) == 1 else None


def _label(title: str, made: Swept, shown: Sequence[_Quantity]) -> str:
    spans = []
    for each in made.lines[:8]:
        for quantity in shown[:2]:
            medians = [spot.median for spot in each.spots[quantity.metric].values()]
            if medians:
                span = f"{quantity.text(made, min(medians))} to {quantity.text(made, max(medians))}"
                spans.append(f"{each.name} {quantity.metric.name} {span}")
    return f"{title}. {'; '.join(spans)}; values in the table below"


# --- costs: by throughput, so that variants can be read off at equal throughput ---
# Where throughput fell at higher levels lines would fold back and cross: there by level.

_HEIGHT: Final = 170
_ABOVE: Final = 0.25  # of the highest value: room for the level above its mark
_COSTS: Final = (_CORES, _CPU, _MEMORY)
_NAMED_AT_EQUAL: Final = {_CPU: "CPU per request", _MEMORY: "memory"}


def costs(comparison: Comparison, metric: Metric | None = None) -> Chart | None:
    """Return what the server used, None without a sweep, or without samples of the server."""
    made = swept(comparison)
    if made is None:
        return None
    wanted = _chosen("costs", _COSTS, metric) if metric else _COSTS
    shown = [q for q in wanted if any(_spent(each, q) for each in made.lines)]
    if not shown:
        return None
    if any(map(_fell, made.named)):
        # What is per request is not in the figure of the sweep.
        shown = [_CPU] if _CPU in shown else shown
        why = "Throughput fell at higher levels: against it lines would fold back."
        return _by_level(made, shown, _cost_span(made, shown), why)
    title = _cost_title(made, shown)
    marks = f"A mark for each {made.name}, with its level; {made.medians}."
    parts = [f"Against throughput, from zero. {marks} Lines only connect them."]
    effects = [
        (quantity, word, effect)
        for quantity, word in _NAMED_AT_EQUAL.items()
        for effect in (_at_equal_load(made, quantity) if quantity in shown else ())
    ]
    equal = [*_equal_words(made, effects)]
    parts += _summed(made, [quantity.metric for quantity in shown])
    parts += [*equal, "A dotted line marks that throughput."] if equal else []
    headings = ["Throughput, req/s", *(quantity.heading for quantity in shown)]
    return Chart(
        title=title,
        caption=" ".join(parts),
        label=f"{title}. What the server used by its throughput; values in the table below",
        panels=tuple(_cost_panel(made, quantity) for quantity in shown),
        table=along(
            made.param, headings, ((e.label, _columns(made, e, shown)) for e in made.lines)
        ),
        height=70 + _HEIGHT * len(shown),
    )


def _spent(each: SweptLine, quantity: _Quantity) -> dict[float, tuple[float, Spot]]:
    rates, spots = each.spots[THROUGHPUT], each.spots[quantity.metric]
    return {n: (rates[n].median, spots[n]) for n in sorted(rates) if n in spots}


def _columns(made: Swept, each: SweptLine, shown: Sequence[_Quantity]) -> list[dict[float, Cell]]:
    rates: dict[float, Cell] = {}
    costs: list[dict[float, Cell]] = []
    for quantity in shown:
        spent = _spent(each, quantity)
        rates |= {level: (show.rate(rate), rate) for level, (rate, _) in spent.items()}
        costs.append({n: (quantity.text(made, s.median), s.median) for n, (_, s) in spent.items()})
    return [rates, *costs]


def _cost_title(made: Swept, shown: Sequence[_Quantity]) -> str:
    """Return how processor time, or else memory, differs at equal throughput."""
    for quantity in (_CPU, _MEMORY):
        effects = _at_equal_load(made, quantity) if quantity in shown else []
        if len(effects) == 1 and (effects[0].interval is None or not effects[0].crosses):
            _, base, variant = _at(made, effects[0])
            change = made.comparison.change(effects[0].metric, effects[0].amount, effects[0].bounds)
            return f"{effects[0].metric.title} with {variant} against {base}: {change}"
    return _cost_span(made, shown)


def _cost_span(made: Swept, shown: Sequence[_Quantity]) -> str:
    """Return where the weightiest of the costs is furthest apart, else from where to where it goes.

    What one line spent at one level says nothing beside what another spent elsewhere.
    """
    quantity = next((q for q in (_CPU, _MEMORY) if q in shown), shown[0])
    write, title = partial(quantity.text, made), quantity.metric.title
    spent = {each: _spent(each, quantity) for each in made.lines}
    at_level = {
        level: [(each.quoted, own[level][1].median) for each, own in spent.items()]
        for level in made.levels
        if all(level in own for own in spent.values())
    }
    if apart := furthest_apart(made.name, at_level, write):
        return f"{title} {apart}"
    every = [spot.median for own in spent.values() for _, spot in own.values()]
    return f"{title} by {made.name} was {between(every, write)}"


def _equal_lines(made: Swept, quantity: _Quantity, y: Axis) -> list[Series]:
    """Return a line at each throughput at which the caption compares."""
    effects = _at_equal_load(made, quantity) if quantity in _NAMED_AT_EQUAL else []
    rates = dict.fromkeys(effect.throughput_rps or 0.0 for effect in effects)
    ends = [(rate, ((rate, rate), (y.low, y.high))) for rate in rates]
    return [
        Series(THROUGHPUT.prose(rate), "text", *end, line=1.0, dotted=True, in_table=False)
        for rate, end in ends
    ]


def _cost_panel(made: Swept, quantity: _Quantity) -> Panel:
    spent = {each: points for each in made.upward if (points := _spent(each, quantity))}
    every = [point for points in spent.values() for point in points.values()]
    x = from_zero([rate for rate, _ in every], "rate", room=0.02)
    x = replace(x, title="Throughput, responses/s")
    x = with_room(x, [each.short for each in made.named])
    y = from_zero([s.median for _, s in every], quantity.metric.quantity, room=_ABOVE, steps=4)
    equal = _equal_lines(made, quantity, y)
    tags = {
        each: [Note(r, s.median, show.number(n), text_role(each.role)) for n, (r, s) in own.items()]
        for each, own in spent.items()
        if each.coloured
    }
    area, every_tag = PlotArea(x, y, _HEIGHT * 0.7), [t for own in tags.values() for t in own]
    drawn = [[(r, s.median) for r, s in own.values()] for own in spent.values()]
    paths = area.lines([*drawn, *(each.points for each in equal)])
    names = []
    for each, own in tags.items():
        ends = [each.end(t.x, t.y) for t in sorted(own, key=lambda tag: -tag.x)]
        ends += [replace(end, align="right", dx=-end.dx) for end in reversed(ends)]
        names.append(clear_name(ends, every_tag, area, beneath=paths))
    named = end_names([name for name in names if name.align == "left"], y, height=area.height)
    named += tuple(name for name in names if name.align == "right")
    series = equal
    for each, points in spent.items():
        hover = (
            f"{each.name}, {made.name} {show.number(level)}\n{THROUGHPUT.prose(rate)}\n"
            f"{quantity.heading} {quantity.text(made, spot.median)}"
            for level, (rate, spot) in points.items()
        )
        series.append(line(each, points.values(), hover, marker=_MARK, dotted=each.dotted, band=0))
    return Panel(
        x,
        y,
        tuple(series),
        (*named, *clear_tags(every_tag, area, names=named, beneath=paths)),
        title=quantity.heading_of(made),
        name=quantity.metric.name,
    )
