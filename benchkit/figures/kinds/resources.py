"""What the server's processes used while a run lasted: processors and memory over time."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

from benchkit import format as show
from benchkit.compare.sweep import sweeps
from benchkit.figures.chart import Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.look import NAME_GAP, Key, Legend, coloured, legend
from benchkit.figures.marks import (
    MOST_BANDS,
    RANGE,
    PlotArea,
    Spot,
    Spots,
    clear_names,
    end_names,
    line,
    outline,
    with_room,
    written,
)
from benchkit.figures.scales import from_zero, time_axis
from benchkit.figures.tables import along
from benchkit.figures.words import between, claimed, named_between, outermost
from benchkit.model.comparison import Comparison
from benchkit.model.metric import Quantity
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.names import some

_MOST_POINTS: Final = 60
_MOST_PROCESSES: Final = 3
_PANEL: Final = 140
#: px of a figure besides its panels, of which words take some, and between two.
_AROUND, _WORDS, _BETWEEN = 60, 71, 35
_SEEN: Final = 3  # px: a narrower band is behind its line
#: Where the name of a line stands that ends before others: alignment, px to the right and down.
_BESIDE: Final[Sequence[tuple[Literal["left", "center"], float, float]]] = (
    *(("left", NAME_GAP, 0.0), ("left", NAME_GAP, -10.0), ("left", NAME_GAP, 10.0)),
    *(("center", 0.0, -14.0), ("left", NAME_GAP, -18.0), ("center", 0.0, 14.0)),
    *(("left", NAME_GAP, -n) for n in (28.0, 42.0, 56.0)),  # of several lines that end together
)
#: px between lines that have one name: of which one is hidden, of all where these are several.
_HIDDEN, _ALL, _SEVERAL = 3.0, 5.0, 3
_LONG: Final = 24  # characters of a name of several lines
_IDLE: Final = 0.05  # processors; below, samples of the time are mostly their steps
_MANY: Final = 10  # processors, written to a tenth; of fewer to a hundredth
_LEAST: Final = 0.005  # half of that
_EVEN: Final = 1.05  # the largest over the smallest of what never changes
_FEWEST: Final = 3  # stretches of any variant: fewer are no course
#: Of stretches so short at most, in s, the first is left out of processors: a warm-up that ended
#: right before the start counts in it, as it is looked at five times a second.
_SHORT: Final = 0.6


@dataclass(frozen=True, slots=True)
class _Resource:
    """What a panel shows: `column` of the samples."""

    column: str
    title: str
    heading: str
    quantity: Quantity
    write: Callable[[float], str]


_CORES: Final = _Resource(
    *("cpu_ratio", "Process {}: processors kept busy", "{}, processors"), "count", show.number
)
_MEMORY: Final = _Resource("rss_bytes", "Process {}: memory", "{}, memory", "bytes", show.size)


@dataclass(frozen=True, slots=True)
class _ProcessPanel:
    """One panel: one quantity of one process, per variant by the middles of stretches of time.

    Attributes:
        by_run: Per variant the median of each run over the stretches that all variants have.
        peak: The highest median of any stretch.
        left_out: The middle of the stretch that is left out; None where none is.
    """

    quantity: _Resource
    process: str
    by_variant: Mapping[Key, Spots]
    by_run: Mapping[Key, Sequence[float]]
    peak: float
    left_out: float | None

    @property
    def common(self) -> list[float]:
        """The middles of the stretches that all variants have."""
        return sorted(set[float].intersection(*map(set, self.by_variant.values())))

    @property
    def over_common(self) -> Mapping[Key, float]:
        """Per variant the median over these; nothing without any."""
        at, every = self.common, self.by_variant.items()
        return {k: statistics.median(spots[t].median for t in at) for k, spots in every if at}

    @property
    def window(self) -> str:
        """The time that all variants have, in words; empty where that is all of the time shown.

        It ends with the last row of the table that counts.
        """
        at = self.common
        shown = sorted(set[float]().union(*self.by_variant.values()))
        if at == shown or not at:
            return ""
        if at == shown[: len(at)]:
            return f"the first {show.duration(at[-1])}"
        return "the times that all variants have"

    @property
    def idle(self) -> bool:
        """Whether a process was never busy enough for more than steps to be seen."""
        return self.quantity is _CORES and self.peak < _IDLE

    @property
    def level(self) -> str:
        """How much memory, where it was the same with all variants all the time; else empty."""
        spots = [spot for spots in self.by_variant.values() for spot in spots.values()]
        ends = [min(spot.low for spot in spots), max(spot.high for spot in spots)]
        even = self.quantity is _MEMORY and ends[1] < _EVEN * ends[0]
        return between(ends, self.quantity.write, to=show.EN_DASH) if even else ""

    @property
    def name(self) -> str:
        return show.clean(self.process, limit=30)


def resources(comparison: Comparison) -> Chart | None:
    """Return the figure, None without samples of any process but the load generator's.

    Of a sweep neither: its figure shows them against the level.
    """
    if sweeps(comparison.variants):
        return None
    runs = [run for variant in comparison.variants for run in variant.runs]
    step, keys = _stretch(runs), legend(comparison)
    listed = [keys[label] for label in comparison.order]
    every = [part for part in _parts(listed, runs, step) if part.by_variant] if step else []
    parts = [part for part in every if not (part.idle or part.level)]
    longest = max((len(spots) for part in parts for spots in part.by_variant.values()), default=0)
    if longest < _FEWEST:
        return None
    title = _title(comparison, parts)
    end = max(max(spots) for part in parts for spots in part.by_variant.values())
    outlined = any(map(_has_many_bands, parts))
    high = (_AROUND + _PANEL * len(parts) - _WORDS - _BETWEEN * (len(parts) - 1)) / len(parts)
    panels = [_panel(part, keys, end, height=high, outlined=outlined) for part in parts]
    # What happens at one time stands below each other, however long the names behind it.
    widest = max((panel.x for panel in panels), key=lambda x: x.high)
    return Chart(
        title=title,
        caption=_caption(listed, parts, every, step),
        label=f"{title}. Processors and memory over time; values in the table below",
        panels=tuple(replace(panel, x=widest) for panel in panels),
        table=_table(listed, parts),
        height=_AROUND + _PANEL * len(parts),
    )


def _processes(run: Run) -> list[str]:
    """Return the sampled processes that are not the load generator."""
    return [name for name in run.samples_by_process if name is not None and name != run.tool]


@lru_cache(maxsize=256)
def _trace(run: Run, process: str, column: str) -> Sequence[tuple[float, float]]:
    """Return elapsed seconds and a value, in order of time."""
    samples = run.samples_by_process.get(process, ())
    known = ((float(s["elapsed_s"]), s[column]) for s in samples)
    return sorted((elapsed, float(value)) for elapsed, value in known if value is not None)


def _stretch(runs: Sequence[Run]) -> float:
    """Return how long a stretch is, so that few enough cover the longest run; 0 for none."""
    every = [
        sorted(float(sample["elapsed_s"]) for sample in run.samples_by_process[process])
        for run in runs
        for process in _processes(run)
    ]
    if not every:
        return 0.0
    longest = max(times[-1] for times in every)
    apart = [later - earlier for times in every for earlier, later in pairwise(times)]
    return max(longest / _MOST_POINTS, statistics.median(apart) if apart else longest)


def _parts(keys: Sequence[Key], runs: Sequence[Run], step: float) -> list[_ProcessPanel]:
    spent: dict[str, float] = defaultdict(float)
    for run in runs:
        for process in _processes(run):
            spent[process] += sum(load for _, load in _trace(run, process, _CORES.column))
    busiest = sorted(spent, key=lambda process: -spent[process])[:_MOST_PROCESSES]
    spared = step <= _SHORT and all(
        _has_rest(means)
        for process in busiest
        for key in keys
        for means in _means(key.variant, process, _CORES.column, step)
    )

    def part(quantity: _Resource, process: str) -> _ProcessPanel:
        every = {k: _means(k.variant, process, quantity.column, step) for k in keys}
        spots = {key: _stretches(means, step) for key, means in every.items()}
        peak = max((spot.median for own in spots.values() for spot in own.values()), default=0.0)
        first = _middle(0, step)
        left_out = first if quantity is _CORES and spared else None
        if left_out is not None:
            every = {k: [_without_first(means) for means in own] for k, own in every.items()}
            spots = {k: {at: own[at] for at in own if at != first} for k, own in spots.items()}
        drawn = {key: each for key, each in spots.items() if len(each) > 1}
        stretches = [set(means) for key in drawn for means in every[key]]
        common = set.intersection(*stretches) if stretches else set()
        middles = {
            key: [statistics.median(m[at] for at in common) for m in every[key] if common]
            for key in drawn
        }
        return _ProcessPanel(quantity, process, drawn, middles, peak, left_out)

    return [part(q, process) for q in (_CORES, _MEMORY) for process in busiest]


def _means(variant: Variant, process: str, column: str, step: float) -> list[dict[int, float]]:
    """Return what one process used in each run that has it: means of stretches of so many s."""
    means: list[dict[int, float]] = []
    for run in variant.runs:
        if process not in _processes(run):
            continue
        means.append(_by_stretch(_trace(run, process, column), step))
    return means


def _by_stretch(trace: Sequence[tuple[float, float]], step: float) -> dict[int, float]:
    """Return the mean of each stretch that samples cover by half at least.

    A sample is of the time since the one before: where it ends moves by the clock's whim from one
    stretch into the next, what it covers does not.
    """
    covered: dict[int, float] = defaultdict(float)
    sums: dict[int, float] = defaultdict(float)
    begun = max(trace[0][0] - step, 0.0) if trace else 0.0
    for end, value in trace:
        for at in range(int(begun / step), int(end / step) + 1):
            overlap = min(end, (at + 1) * step) - max(begun, at * step)
            if overlap > 0:
                covered[at] += overlap
                sums[at] += overlap * value
        begun = end
    return {at: sums[at] / time for at, time in covered.items() if 2 * time >= step}


def _has_rest(means: Mapping[int, float]) -> bool:
    """Whether a run has the first stretch, and without it enough for a course."""
    return 0 in means and len(means) > _FEWEST


def _middle(at: int, step: float) -> float:
    return float(f"{(at + 0.5) * step:.6g}")


def _without_first(means: Mapping[int, float]) -> dict[int, float]:
    return {at: mean for at, mean in means.items() if at > 0}


def _stretches(means: Sequence[Mapping[int, float]], step: float) -> Spots:
    """Return what the runs of a variant used, in stretches of which each run has samples."""
    common = sorted(set.intersection(*(set(each) for each in means))) if means else []
    runs = {_middle(at, step): [each[at] for each in means] for at in common}
    return {at: Spot(statistics.median(v), min(v), max(v), len(v)) for at, v in runs.items()}


def _panel(
    part: _ProcessPanel, keys: Legend, end: float, *, height: float, outlined: bool
) -> Panel:
    write, by_variant = part.quantity.write, part.by_variant
    highest = [spot.high for spots in by_variant.values() for spot in spots.values()]
    y = from_zero(highest, part.quantity.quantity, room=0.1, steps=4)
    named = [key for key in coloured(keys) if key in by_variant]
    x = time_axis(end)
    names = _ends({key: by_variant[key] for key in named}, PlotArea(x, y, height))
    x = with_room(x, [name.text for name in names])
    series = []
    for key in (*(key for key in by_variant if not key.coloured), *named):
        hover = (
            f"{key.name}, {part.name}\n{show.number(time)}{show.NBSP}s: {write(spot.median)}"
            for time, spot in by_variant[key].items()
        )
        series.append(line(key, by_variant[key].items(), hover, width=2.0, band=RANGE))
    if outlined:
        edges = [edge for each in series for edge in outline(each)]
        series = [*edges, *(replace(each, low=(), high=()) for each in series)]
    notes = _names(names, series, PlotArea(x, y, height))
    return Panel(x, y, tuple(series), notes, title=part.quantity.title.format(part.name))


def _ends(named: Mapping[Key, Spots], area: PlotArea) -> list[Note]:
    """Return the names of lines where they end; of lines that lie on each other one for all."""
    if len(named) >= _SEVERAL and _are_one([*named.values()], area, within=_ALL):
        return [_joint_end(named, f"all {len(named)}")]
    alike: list[dict[Key, Spots]] = []
    for key, spots in named.items():
        on = (a for a in alike if _are_one([*a.values(), spots], area, within=_HIDDEN))
        group = next(on, None)
        if group is None:
            alike.append({key: spots})
        else:
            group[key] = spots
    return [end for group in alike for end in _group_ends(group)]


def _group_ends(group: Mapping[Key, Spots]) -> list[Note]:
    """Return one name of lines on each other, or their own where it is too long."""
    text = show.listed([key.short for key in group])
    if len(group) > 1 and len(text) <= _LONG:
        return [_joint_end(group, text)]
    return [key.end(last := max(spots), spots[last].median) for key, spots in group.items()]


def _joint_end(group: Mapping[Key, Spots], text: str) -> Note:
    """Return a text in the middle of the ends of lines, in the colour of none."""
    key, *_ = group
    last = max(group[key])
    middle = statistics.median(spots[last].median for spots in group.values())
    return replace(key.end(last, middle), text=text, role="text")


def _names(ends: Sequence[Note], series: Sequence[Series], area: PlotArea) -> tuple[Note, ...]:
    """Return names at the ends of lines: of the last ones apart, of others clear of all lines."""
    last = max((end.x for end in ends), default=0.0)
    # Where the axis goes on a little, they stand clear of its lines.
    final = [replace(end, x=area.x.last) for end in ends if end.x == last]
    final = [*end_names(final, area.y, height=area.height)]
    choices = [
        [replace(end, align=align, dx=dx, dy=dy) for align, dx, dy in _BESIDE]
        for end in ends
        if end.x < last
    ]
    kept = [[name] for name in final]
    areas = PlotArea.of_all_widths(area.x, area.y, area.height)
    return clear_names([*kept, *choices], [each.points for each in series], areas)


def _are_one(lines: Sequence[Spots], area: PlotArea, *, within: float) -> bool:
    """Whether lines, of which one may lack a place, are nowhere further apart than so many px."""
    places = set[float].intersection(*({*spots} for spots in lines))
    if len({max(spots) for spots in lines}) > 1 or len(places) < max(map(len, lines)) - 1:
        return False
    levels = ([area.y.share(spots[at].median) for spots in lines] for at in places)
    return all(area.height * (max(level) - min(level)) <= within for level in levels)


def _title(comparison: Comparison, parts: Sequence[_ProcessPanel]) -> str:
    """Return the highest median over time of the first quantity, and whose it was.

    Of runs that took more and less time only what all of them lasted is compared.
    """
    part = parts[0]
    process, span = f"Process {part.name}", part.window
    when = f"at the median over {span or 'time'}"
    over = {key.label: value for key, value in part.over_common.items()}
    named = [(show.quoted(label, limit=40), value) for label, value in over.items()]
    neutral = f"What {part.name} used over time"
    if over and part.quantity is _CORES:
        few = max(over.values()) < _IDLE
        least = f"less than {_IDLE:g}" if few else named_between(named, _cores)
        neutral = f"{process} kept {least}{show.NBSP}processors busy {when}"
    elif over:
        neutral = f"{process} held {named_between(named, show.size)} {when}"
    label = outermost(over, part.quantity.write)
    if label is None or (part.quantity is _CORES and over[label] < _IDLE):
        return neutral
    sampled_alone = len(over) == 1 < len(comparison.order)
    whose = f" with {show.quoted(label)}" if len(over) > 1 or sampled_alone else ""
    if len(over) > 1 and not (claimed(comparison, label) and _is_apart(part, label)):
        return neutral
    if part.quantity is _MEMORY:
        return f"{process} held {_MEMORY.write(over[label])}{whose} {when}"
    amount = f"{_cores(over[label])}{show.NBSP}processors"
    if len(over) == 1:
        return f"{process} kept {amount} busy{whose} {when}"
    return f"{process} was busiest{whose}: {amount} {when}"


def _cores(value: float) -> str:
    if 0 < value < _LEAST:
        return f"less than {2 * _LEAST:g}"
    return show.fixed(value, 2 if value < _MANY - _LEAST else 1)  # as it is rounded


def _is_apart(part: _ProcessPanel, label: str) -> bool:
    """Whether every run of a variant used more at its median than every run of the others."""
    mine = [value for key, own in part.by_run.items() if key.label == label for value in own]
    others = [value for key, own in part.by_run.items() if key.label != label for value in own]
    return min(mine) > max(others)


def _caption(
    keys: Sequence[Key], parts: Sequence[_ProcessPanel], every: Sequence[_ProcessPanel], step: float
) -> str:
    """Return what lines and bands are, and what of `every` panel there might be is not drawn."""
    text = f"Over the time of a run, means of {show.duration(step, digits=2)}, from zero."
    drawn = [spots for part in parts for spots in part.by_variant.values()]
    if any(part.left_out is not None for part in parts):
        text += " The first of processors is left out: it may hold time from before the start."
    if any(spot.runs > 1 for spots in drawn for spot in spots.values()):
        text += f" Lines are medians over runs{_bands(parts)}."
    if len({max(spots) for spots in drawn}) > 1:
        text += " A line ends with the shortest run of its variant."
    for part in every:
        if part.level:
            text += f" {part.quantity.title.format(part.name)} {part.level} all the time."
    if idle := [part.name for part in every if part.idle]:
        text += f" By the median of the runs {some(idle)} kept less than {_IDLE:g} processors busy."
    for process, names in _unsampled(keys, parts).items():
        text += f" No samples of process {process} with {some(names)}."
    missing = [key for key in keys if not any(key in part.by_variant for part in every)]
    if missing:
        names = [show.quoted(key.label, limit=40) for key in missing]
        text += f" No samples of {some(names)}."
    return f"{text} The load generator is left out{_machine(keys, parts)}."


def _machine(keys: Sequence[Key], parts: Sequence[_ProcessPanel]) -> str:
    """Return how many processors there are for all processes, where it is one number."""
    counts = [run.environment.get("cores") for key in keys for run in key.variant.runs]
    count = counts[0]
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:  # JSON of anybody's
        return ""
    drawn = any(part.quantity is _CORES for part in parts)
    alike = counts.count(count) == len(counts)
    return f"; the machine has {show.plural(count, 'processor')}" if drawn and alike else ""


def _unsampled(keys: Sequence[Key], parts: Sequence[_ProcessPanel]) -> dict[str, list[str]]:
    """Return by process which variants have none of its samples, of those that have any."""
    sampled = {key for part in parts for key in part.by_variant}
    known = [key for key in keys if key in sampled]
    lacking = {
        part.name: [show.quoted(k.label, limit=40) for k in known if k not in part.by_variant]
        for part in parts
    }
    return {process: names for process, names in lacking.items() if names}


def _has_many_bands(part: _ProcessPanel) -> bool:
    """Whether bands of so many variants lie over each other."""
    return sum(key.coloured for key in part.by_variant) > MOST_BANDS


def _bands(parts: Sequence[_ProcessPanel]) -> str:
    """Return what shows the range over runs, and whether lines hide most or all of it."""
    spots = [[s for own in part.by_variant.values() for s in own.values()] for part in parts]
    thick = [
        (spot.high - spot.low) * _PANEL > _SEEN * max(each.high for each in own)
        for own in spots
        for spot in own
        if spot.high > spot.low
    ]
    outlined = any(map(_has_many_bands, parts))
    if not any(thick) and not outlined:
        return "; their ranges are no wider than the lines"
    thin = "thin ones their lowest and highest, unless thick ones hide them"
    are = thin if outlined else "bands their range"
    often = "" if not any(thick) else "mostly "
    near = f", {often}close to them" if 2 * sum(thick) < len(thick) else ""
    return f", {are}{near}"


def _table(keys: Sequence[Key], parts: Sequence[_ProcessPanel]) -> DataTable:
    def column(part: _ProcessPanel, key: Key) -> dict[float, Cell]:
        own = part.by_variant.get(key, {})
        left_out: dict[float, Cell] = {}
        if own and part.left_out is not None:
            left_out[part.left_out] = ("left out", None)
        return left_out | written(own, lambda s: part.quantity.write(s.median))

    lines = ((key.label, [column(part, key) for part in parts]) for key in keys)
    return along("Time, s", [p.quantity.heading.format(p.process) for p in parts], lines)
