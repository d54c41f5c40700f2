"""The words of the figures of a swept param: titles, captions, labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Final

from benchkit import format as show
from benchkit.compare.sweep import EQUAL_LOAD, NEAR_PEAK
from benchkit.figures.kinds.drawn_sweep import (
    CORES,
    Crossing,
    DrawnSweep,
    SweepLine,
    crossings,
)
from benchkit.figures.kinds.sweep_quantities import LATENCY, Quantity
from benchkit.figures.scales import ZEROS, levels_axis
from benchkit.model.comparison import Effect
from benchkit.model.grouping import grouped
from benchkit.model.metric import CPU, MEMORY, P50, P99, THROUGHPUT, Metric
from benchkit.names import with_marks
from benchkit.stats.contrast import LEAST_RUNS

_FEW_LINES: Final = 3  # that a title or a sentence names
_SAME_RATE: Final = 0.02  # a measured throughput so near is that one
_LONGEST: Final = 130  # characters of a title
#: What bands are, by `_band_kinds`.
_BANDS: Final = {
    (): "",
    (False,): ", bands the range over runs",
    (True,): ", bands the 95\u00a0% interval of the median",
    (False, True): (
        f", bands the range or, from {LEAST_RUNS} runs on, the 95\u00a0% interval of the median"
    ),
}


def title(sweep: DrawnSweep, shown: Sequence[Metric]) -> str:
    """Return where lines change places, or where throughput stopped growing."""
    for metric in (each for each in (THROUGHPUT, P99) if each in shown):
        turns = crossings(sweep, metric)
        if len(turns) == 1 and turns[0].everywhere:
            return _changed(sweep, turns[0])
    lines = [each for each in sweep.named if each.knee]
    if not lines or THROUGHPUT not in shown:
        what = "Throughput and latency" if {THROUGHPUT, P99} <= {*shown} else shown[0].title
        return f"{what} by {show.clean(sweep.param, limit=40)}"
    return _grown(sweep, lines)


def _changed(sweep: DrawnSweep, turn: Crossing) -> str:
    until, since = show.number(turn.until), show.number(turn.since)
    kinds = _band_kinds([turn.first, turn.second], [turn.metric])
    how = "in all runs" if kinds == (False,) else "by their intervals"
    how = "by their ranges or intervals" if len(kinds) > 1 else how
    first, second = (show.quoted(each.label, limit=40) for each in (turn.first, turn.second))
    subject = turn.metric.subject
    if len(sweep.lines) > 2:  # any other may be above both
        what = f"had a higher {subject} than {second} up to {sweep.name} {until}"
        return f"{first} {what}, a lower one from {since}, {how}"
    what = f"had the higher {subject}"
    return f"{first} {what} up to {sweep.name} {until}, {second} from {since}, {how}"


def _grown(sweep: DrawnSweep, lines: Sequence[SweepLine]) -> str:
    """Return where throughput stopped growing, or that it had not."""
    param = sweep.name
    knees = {each.label: each.knee.level for each in lines if each.knee}
    levels = sorted({level for level in knees.values() if level is not None})
    whose = "" if len(lines) == len(sweep.lines) else f" with {_of_all(sweep, lines)}"
    if not levels:
        return f"Throughput still grew at {_ends(lines, param)}{whose}"
    lowest = show.level(levels[0])
    at_peak = all(knees[each.label] in {None, _peak(each)} for each in lines)
    if len(set(knees.values())) == 1:
        fallen = _fallen(sweep, lines)
        if levels[0] != sweep.levels[0]:
            return f"Throughput {_stopped(at_peak=at_peak)} {param} {lowest}{fallen}{whose}"
        highest = at_peak and all(map(fell, lines))
        what, fallen = _stopped(at_peak=False), fallen and f",{fallen}"
        what = "was highest at" if highest else what
        return f"Throughput {what} {param} {lowest}, the lowest level{fallen}{whose}"
    still_growing = [each for each in lines if knees[each.label] is None]
    growing = show.listed(_together(lines, still_growing))
    parts = [
        f"{show.level(level)} with {show.listed(_together(lines, group))}"
        for level in levels
        if (group := [each for each in lines if knees[each.label] == level])
    ]
    still = f"; with {growing} it still grew at {_ends(still_growing)}" if growing else ""
    near = "first came within 5\u00a0% of its highest" if sweep.levels[0] in levels else ""
    what = f"{near} at" if near else _stopped(at_peak=at_peak)
    text = f"Throughput {what} {param} {show.listed(parts)}{still}"
    if len(text) <= _LONGEST:
        return text
    highest_end = max(map(_end, still_growing), default=levels[-1])
    span = [lowest, show.level(max(highest_end, levels[-1]))]
    past = " or beyond" if growing else ""
    what = near or "stopped growing"
    return f"Throughput {what} between {param} {show.listed(span)}{past}{whose}"


def _end(line: SweepLine) -> float:
    """Return the last level at which a variant was measured."""
    return max(line.spots[THROUGHPUT])


def _ends(lines: Sequence[SweepLine], param: str = "") -> str:
    """Return the last level of some lines, or those of each."""
    texts = [*map(show.level, sorted(set(map(_end, lines))))]
    if len(texts) == 1:
        return f"{param} {texts[0]}".strip()
    return f"the last levels{f' of {param}' if param else ''}, {show.listed(texts)}"


def _peak(line: SweepLine) -> float:
    """Return the level of the highest throughput."""
    spots = line.spots[THROUGHPUT]
    return max(spots, key=lambda level: spots[level].median)


def _stopped(*, at_peak: bool) -> str:
    """Return what throughput did from a level on: a little more may have come of a higher one."""
    return "stopped growing at" if at_peak else "gained little or nothing beyond"


def _fallen(sweep: DrawnSweep, lines: Sequence[SweepLine]) -> str:
    """Return from which levels on throughput had fallen, a blank before it; empty for none."""
    by_level = grouped([each for each in lines if fell(each)], lambda each: fell(each) or 0.0)
    every = len(by_level) == 1 and all(map(fell, lines))
    parts = [
        show.level(level) + ("" if every else f" with {_of_all(sweep, by_level[level])}")
        for level in sorted(by_level)
    ]
    return f" and had fallen at {sweep.name} {show.listed(parts)}" if parts else ""


def fell(line: SweepLine) -> float | None:
    """Return from which level on throughput was clearly below its highest, apart by the bands."""
    spots, since = line.spots[THROUGHPUT], None
    highest = spots[_peak(line)]
    for level, own in sorted(spots.items(), reverse=True):
        if own.median >= NEAR_PEAK * highest.median or highest.side(own) <= 0:
            break
        since = level
    return since


def _of_all(sweep: DrawnSweep, lines: Sequence[SweepLine]) -> str:
    """Return the lines that a title speaks of where they are not all; many as their number."""
    names = _together(sweep.lines, lines)
    if len(names) <= _FEW_LINES:
        return show.listed(names)
    return f"{len(lines)} of {show.plural(len(sweep.lines), 'line')}"


def _together(every: Sequence[SweepLine], group: Sequence[SweepLine]) -> list[str]:
    """Return the names of some lines; all lines of a variant are named as that variant."""
    names = []
    for each in group:
        mine = [other for other in every if other.variant == each.variant]
        whole = len(mine) < len(every) and all(other in group for other in mine)
        names.append(each.variant if whole else each.label)
    return [show.quoted(name, limit=40) for name in dict.fromkeys(names)]


def _band_kinds(lines: Iterable[SweepLine], metrics: Sequence[Metric]) -> tuple[bool, ...]:
    """Return whether bands are intervals; both where some are, nothing where none is drawn."""
    spots = (spot for each in lines for m in metrics for spot in each.spots[m].values())
    return tuple(sorted({spot.runs >= LEAST_RUNS for spot in spots if spot.runs > 1}))


def caption(sweep: DrawnSweep, shown: Sequence[Quantity]) -> str:
    """Return what the axis, marks, bands and rings are, and what was read at equal throughput."""
    scale = "log axis" if levels_axis(sweep.levels).scale == "log" else "linear axis"
    parts = [f"Against {sweep.name}, {scale}, a mark at each tested level."]
    metrics = [quantity.metric for quantity in shown]
    if sweep.most_runs > 1:
        parts.append(f"Marks are {sweep.medians}{_BANDS[_band_kinds(sweep.named, metrics)]}.")
    ringed = any(each.knee and each.knee.level is not None for each in sweep.named)
    if ringed and THROUGHPUT in metrics:
        parts.append(
            "A ring marks the first level with at least 95\u00a0% of the highest throughput."
        )
    if dotted_params(sweep):
        parts.append(f"Dotted is {dotted_params(sweep)}.")
    grey = len(sweep.lines) - len(sweep.named)
    if grey:
        parts.append(f"{show.plural(grey, 'variant')} in grey, named in the table.")
    if _hold_below(sweep, metrics):
        parts.append("A number at a mark holds for that level in the panels below, too.")
    parts += summed(sweep, metrics)
    beside = [P50] if P99 in metrics else []
    latencies = (e.spots[m] for e in sweep.lines for m in (*beside, *metrics) if m.is_latency)
    if any(spot.low <= 0 for spots in latencies for spot in spots.values()):
        parts.append(ZEROS)
    if LATENCY in shown:
        effects = at_equal_load(sweep, LATENCY)
        equal = [*equal_words(sweep, [(LATENCY, "p99", effect) for effect in effects])]
        parts += [*equal, f"That throughput is {equal_throughput(effects)}."] if equal else []
    return " ".join(parts)


def summed(sweep: DrawnSweep, metrics: Sequence[Metric]) -> list[str]:
    """Return what stands for several processes at once, a sentence, nothing of a single one."""
    if len(sweep.processes) < 2 or not {CORES, CPU, MEMORY} & {*metrics}:
        return []
    of_memory = ", of memory that of the largest of each" if MEMORY in metrics else ""
    return [f"Of {show.listed(sweep.processes)} the sum is shown{of_memory}."]


def dotted_params(sweep: DrawnSweep) -> str:
    """Return the params that dotted lines have in common, empty without such lines."""
    lines = (each for each in sweep.lines if each.dotted)
    settings = {each.label.removeprefix(f"{each.variant}, ") for each in lines}
    return show.clean(settings.pop(), limit=60) if len(settings) == 1 else ""


def marked_name(sweep: DrawnSweep, line: SweepLine, metric: Metric, name: str = "") -> str:
    """Return the name of a line with the numbers of the findings that qualify a metric of it.

    It is that of its variant unless another is given.
    Of two lines or one those that hold for some levels only are left to these.
    """
    marks = _marks(sweep, line, metric)
    numbers = _of_line(marks) if _is_marked(sweep) else {*chain(*marks)}
    return with_marks(name or line.short, sorted(numbers))


def _is_marked(sweep: DrawnSweep) -> bool:
    """Whether the lines are so few that a number at a mark is seen to be of its line."""
    return len(sweep.lines) <= 2


def level_marks(sweep: DrawnSweep, line: SweepLine, metric: Metric) -> dict[float, list[int]]:
    """Return by level the numbers of the findings that `marked_name` leaves to the levels."""
    if not _is_marked(sweep):
        return {}
    marks = _marks(sweep, line, metric)
    whole = _of_line(marks)
    return {
        level: [n for n in own if n not in whole]
        for level, own in zip(line.curve.levels, marks, strict=True)
    }


def _marks(sweep: DrawnSweep, line: SweepLine, metric: Metric) -> list[tuple[int, ...]]:
    own = sweep.comparison.footnotes.at_mark
    return [own(variant.label, metric.column) for variant in line.curve.levels.values()]


def _hold_below(sweep: DrawnSweep, metrics: Sequence[Metric]) -> bool:
    """Whether numbers at marks of a panel hold in one below it, where they do not stand again."""
    for each in sweep.named:
        marks = [level_marks(sweep, each, metric) for metric in metrics]
        for above, below in combinations(marks, 2):
            if any(set(numbers) & {*below.get(level, ())} for level, numbers in above.items()):
                return True
    return False


def _of_line(marks: Sequence[Sequence[int]]) -> set[int]:
    """Return the numbers that stand at every level."""
    return set.intersection(*map(set, marks)) if marks else set()


def at_equal_load(sweep: DrawnSweep, quantity: Quantity) -> list[Effect]:
    """Return what the comparison says of a metric at one throughput, of at most a few lines."""
    name = f"{quantity.metric.name}@equal-throughput"
    # Where a line falls back through that throughput, there are two values at it.
    once = (e for e in sweep.effects if not e.passed_again)
    effects = [e for e in once if e.metric.name == name and e.ratio is not None]
    return effects if len(effects) < _FEW_LINES else []


def equal_throughput(effects: Iterable[Effect]) -> str:
    """Return at what throughput effects were compared, and what the values there are."""
    several = all(min(effect.runs, effect.baseline_runs) > 1 for effect in effects)
    lines = "; the values are medians over the repetitions, each read off its own line"
    return f"{show.share(EQUAL_LOAD)} of the highest that every run reached{lines * several}"


def equal_words(
    sweep: DrawnSweep, effects: Iterable[tuple[Quantity, str, Effect]]
) -> Iterator[str]:
    """Yield what quantities, each with its word, were at one throughput: a sentence for each."""
    for (where, base, variant), alike in grouped(
        effects, lambda e: throughput_and_names(sweep, e[2])
    ).items():
        clauses = [
            f"{word} was about {quantity.text(sweep, effect.baseline_value or 0.0)} with {base} "
            f"and {quantity.text(sweep, effect.value or 0.0)} with {variant}"
            for quantity, word, effect in alike
        ]
        yield f"{where}, {'; '.join(clauses)}."


def throughput_and_names(sweep: DrawnSweep, effect: Effect) -> tuple[str, str, str]:
    """Return the throughput at which an effect is, and the names of its baseline and variant.

    What was not measured there is between tested levels.
    """
    rate = effect.throughput_rps or 0.0
    names, between = [], []
    for label in (effect.baseline, effect.variant):
        line = _line_of(sweep, label)
        names.append(_called(sweep, label))
        rates = [spot.median for spot in line.spots[THROUGHPUT].values()] if line else []
        if not any(math.isclose(rate, measured, rel_tol=_SAME_RATE) for measured in rates):
            between.append(names[-1])
    whose = f" of {between[0]}" if len(between) == 1 else ""
    where = f", read off between tested levels{whose}" if between else ""
    return f"At {THROUGHPUT.prose(rate)}{where}", names[0], names[1]


def _called(sweep: DrawnSweep, label: str) -> str:
    line = _line_of(sweep, label)
    return show.quoted(line.label if line else label, limit=40)


def _line_of(sweep: DrawnSweep, label: str) -> SweepLine | None:
    """Return the line of a variant that is named with params, also with those that all share."""
    parts = set(label.split(", "))
    fitting = [
        line
        for line in sweep.lines
        if line.curve.variant == label
        or parts <= {line.variant, *show.params(dict(line.curve.rest))}
    ]
    return fitting[0] if len(fitting) == 1 else None


def label(title: str, sweep: DrawnSweep, shown: Sequence[Quantity]) -> str:
    """Return the figure in words, for those who do not see it."""
    spans = []
    for each in sweep.lines[:8]:
        for quantity in shown[:2]:
            medians = [spot.median for spot in each.spots[quantity.metric].values()]
            if medians:
                span = (
                    f"{quantity.text(sweep, min(medians))} to {quantity.text(sweep, max(medians))}"
                )
                spans.append(f"{each.name} {quantity.metric.name} {span}")
    return f"{title}. {'; '.join(spans)}; values in the table below"
