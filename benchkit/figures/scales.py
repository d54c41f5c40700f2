"""Ticks, ranges and the room between labels."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis
from benchkit.model.metric import Quantity

_PERCENTILES: Final = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999)
_SHORT: Final = 16
_MAX_TICKS: Final = 12
_LINE: Final = 14  # px of a word upwards
#: In the one unit of a latency axis: with ticks beyond the first two each has its own; from the
#: last on the unit is a larger one where that leaves no tick below the first.
_SMALLEST, _LARGEST, _LONG = 0.0099, 10_000, 1_000
#: px of the characters of ticks in the widest of the usual fonts; of others as wide as a digit.
_CHARACTERS: Final = {".": 4.2, ",": 4.2, "\u00a0": 4.2, " ": 4.2, "m": 12.7, "M": 11.2, "%": 12.4}
_DIGIT: Final = 8.3
_FIGURE: Final = re.compile(r"[-+\u2212]?[0-9][0-9.,]*+[^0-9]*+$")  # with its unit, if any
_EVEN: Final = 1e-6  # of an axis
_MANY: Final = 5  # steps from a tick that is kept to the next
_TICKS_APART, _FIGURES_APART = 2, 8  # px: figures would be read as one
#: Percentiles whose ticks come before others.
_WEIGHTIEST: Final = ("p50", "p99", "max", "p90", "p99.9")
_LEAST_TICKS: Final = 3
_THOUSAND, _TEN_THOUSAND = 1000, 10_000
_BARE: Final = 0.55  # of an axis: without a tick, half of it at an end
_STEPS: Final = (4, 5, 6, 8)  # of a narrow log axis, about
_NEAR_ONE: Final = (0.5, 0.6, 0.7, 0.8, 1.0, 1.25, 1.5, 2.0)
_BELOW_ONE: Final = (0.6, 0.7, 0.8, 0.9)
_ABOVE_ONE: Final = (1.5, 1.25, 1.1)
_SEVERAL: Final = 5  # ratios so many times apart have ticks at multiples of the powers of ten
_BETWEEN_WORDS: Final = re.compile(r"[ \-_/+,:]+|\.(?!\d)")
_TELLING: Final = 0.4  # of a name's room, at least: less of it says nothing
#: The tick of no change.
EQUAL: Final = f"1{show.TIMES}"
EQUAL_SHARE: Final = f"0{show.PERCENT}"
_BESIDE_ONE: Final = 0.1  # of the axis: the distance of two ticks
#: Of what a log axis cannot show.
ZEROS: Final = "0 s cannot stand on a log axis; the table has it."
#: Of the powers of ten, as ticks: the first that gives neither too few nor too many.
_MULTIPLES: Final = ((1, 2, 5), tuple(range(1, 10)), (1, 2, 3, 5, 7), (1,), (1, 3))


def percentile_x(quantile: float) -> float:
    """Return the place of a quantile below 1: a decade of rarity is one unit."""
    return -math.log10(1 - quantile)


_UNNAMED: Final = 0.12  # of the axis, without a tick up to the last percentile
_LONG_TAIL: Final = 4.5  # nines


def percentile_axis(low: float, high: float, *, last: float) -> Axis:
    """Return the axis from place `low` to `high`, with ticks as far as place `last`."""
    # A long tail leaves no room for the words between p50 and p99.
    skipped = {0.75, 0.95} if high - low > _LONG_TAIL else set()
    known = [
        q for q in _PERCENTILES if q not in skipped and low - 1e-9 <= percentile_x(q) <= last + 1e-9
    ]
    if known and last - percentile_x(known[-1]) > _UNNAMED * (high - low):
        known.append(_rounded_down(last))
    ticks = tuple((percentile_x(q), show.percentile(q)) for q in known)
    return Axis("linear", low, high, ticks, "Percentile of the requests")


def _rounded_down(x: float) -> float:
    """Return the percentile at an x, of two digits of what is beyond it."""
    beyond = math.pow(10, -x)
    digits = 1 - math.floor(math.log10(beyond))
    step = math.pow(10, -digits)
    return round(1 - math.ceil(beyond / step - 1e-6) * step, digits + 1)


def latency_axis(
    values: Iterable[float],
    *,
    room: float = 0.06,
    title: str = "",
    most: int = _MAX_TICKS,
    unit: show.Unit | None = None,
) -> Axis:
    """Return a log axis over positive latencies in s, with units in at most so many ticks.

    The unit is that in which the values stand elsewhere, unless ticks would be long in it.
    """
    known = [value for value in values if value > 0] or [1e-3, 1.0]
    least, largest = math.log10(min(known)), math.log10(max(known))
    if largest - least < 0.3:
        middle = (least + largest) / 2
        least, largest = middle - 0.15, middle + 0.15
    pad = room * (largest - least)
    low, high = 10 ** (least - pad), 10 ** (largest + pad)
    return Axis("log", low, high, _log_ticks(low, high, most, unit), title)


def own_axis(ratios: Sequence[float]) -> Axis:
    """Return a log axis over ratios that ends with them, its ticks factors."""
    low, high = min(ratios), max(ratios)
    near = high < _SEVERAL * low
    steps = _stepped(low, high, span=high - low, about=5) if near else []
    steps = steps or _multiples(low, high, (1, 2, 5))
    return Axis("log", low, high, tuple((step, _factor(step)) for step in steps))


def ratio_axis(values: Sequence[float], *, as_factors: bool) -> Axis:
    """Return a log axis over ratios that holds 1× and at least a factor of 2.

    Ticks are written as the changes of the comparison are, as factors or as percentages.
    """
    low, high = min([1.0, *values]), max([1.0, *values])
    room = max(high / low, 2.0) ** 0.14
    if high / low < 2:
        middle = math.sqrt(low * high)
        low, high = min(low, middle / math.sqrt(2)), max(high, middle * math.sqrt(2))
    low, high = low / room, high * room
    steps = _multiples(low, high, (1, 2, 5))
    if len(steps) > 7:
        steps = [step for step in steps if is_power(step)]
    if len(steps) < _LEAST_TICKS:
        steps = [step for step in _NEAR_ONE if low <= step <= high]
    steps = _on_both_sides(steps, values, high / low) if values else steps
    write = _factor if as_factors else _percentage
    return Axis("log", low, high, tuple((step, write(step)) for step in steps))


def _factor(ratio: float) -> str:
    return f"{ratio:,g}{show.TIMES}"  # 1× is `EQUAL`


def _percentage(ratio: float) -> str:
    change = round(100 * (ratio - 1))
    sign = "+" if change > 0 else show.MINUS if change < 0 else ""
    return f"{sign}{show.count(abs(change))}{show.PERCENT}"


def _on_both_sides(steps: list[float], values: Sequence[float], width: float) -> list[float]:
    """Return ticks with one on either side of 1× where any value and room for it are.

    `width` is the factor that the axis spans.
    """
    low, high, apart = min(values), max(values), width**_BESIDE_ONE
    below = [s for s in _BELOW_ONE if low <= s < 1 / apart] if min(steps) >= 1 else []
    above = [s for s in _ABOVE_ONE if apart < s <= high] if max(steps) <= 1 else []
    return [*below[:1], *steps, *above[:1]]


def from_zero(
    values: Iterable[float],
    quantity: Quantity,
    *,
    room: float,
    steps: int = 5,
    unit: show.Unit | None = None,
) -> Axis:
    """Return a linear axis from 0 with about so many steps, its ticks in one unit.

    `room` beyond the largest value, as a share of it, is for labels. Of times the unit is that in
    which the values stand elsewhere, unless ticks would be long in it.
    """
    top = max(values, default=0.0) or 1.0
    high = top * (1 + room)
    last = min(high, 1.0) if quantity == "share" else high  # there is no share above 100 %
    every = _stepped(0.0, last, span=top, about=steps)
    ticks = every[: 1 + sum(tick < top for tick in every)]  # one beyond the values, if any
    # A few hundred beside a few thousand are no shares of a thousand.
    plain = quantity == "rate" and ticks[1] < _THOUSAND and ticks[-1] < _TEN_THOUSAND
    kind = "count" if plain else quantity
    timed = quantity == "time"
    own_unit = axis_unit(ticks[1:], unit or show.time_unit(ticks[-1:])) if timed else None
    return Axis("linear", 0.0, high, tuple((v, _tick(v, kind, ticks[-1], own_unit)) for v in ticks))


def _tick(value: float, quantity: Quantity, largest: float, unit: show.Unit | None) -> str:
    """Return a value in the unit of the largest tick; 0 bears none but that of a share."""
    if quantity == "share":
        return show.share(value)
    if not value or quantity == "count":
        return show.number(value, digits=4)
    if quantity == "time":
        return show.duration(value, unit=unit or show.time_unit([largest]))
    write = show.size if quantity == "bytes" else show.rate
    return write(value, beside=largest)


def linear_around(
    values: Sequence[float],
    *,
    room: float,
    write: Callable[[Sequence[float]], Sequence[str]],
) -> Axis:
    """Return a linear axis around values that need not begin at 0, with about four steps.

    `room` beyond them on either side is a share of what they span, which is at least a tenth of
    the largest; nothing below 0 is shown where no value is.
    """
    low, high = min(values), max(values)
    least = 0.1 * max(abs(low), abs(high)) or 1.0
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    edge = room * (high - low)
    low, high = (max(low - edge, 0.0) if min(values) >= 0 else low - edge), high + edge
    ticks = _stepped(low, high, span=high - low, about=4)
    return Axis("linear", low, high, tuple(zip(ticks, write(ticks), strict=True)))


def levels_axis(levels: Sequence[float]) -> Axis:
    """Return an axis with a tick at each level, on the scale that keeps them further apart."""
    low, high = min(levels), max(levels)
    ticks = tuple((level, show.level(level)) for level in levels)
    if low > 0 and _closest([math.log(level) for level in levels]) > _closest(levels):
        edge = (high / low) ** 0.04
        return Axis("log", low / edge, high * edge, ticks)
    edge = 0.04 * (high - low)
    return Axis("linear", low - edge, high + edge, ticks)


def _closest(values: Sequence[float]) -> float:
    """Return the smallest distance of neighbours as a share of the whole."""
    return min(b - a for a, b in pairwise(values)) / (values[-1] - values[0])


def time_axis(end_s: float) -> Axis:
    """Return the axis of the time since the start, in s or, of a long run, in min."""
    unit, word = (60.0, "min") if end_s >= 600 else (1.0, "s")
    step = _nice(end_s / unit / 6)
    steps = _even(0.0, end_s / unit, step)
    ticks = tuple((value * unit, f"{value:g}{show.NBSP}{word}") for value in steps)
    return Axis("linear", 0.0, end_s, ticks, "Time since the start")


def names_axis(names: Sequence[str], *, above: float = 0.6) -> Axis:
    """Return an axis with one row per name, the first on top, with some room `above` it."""
    ticks = tuple((float(-n), name) for n, name in enumerate(names))
    return Axis("linear", -len(names) + 0.4, above, ticks, grid=False)


def thinned(axis: Axis, width: float) -> Axis:
    """Return an axis along x, so many px wide, without ticks whose words would touch.

    The best known percentiles and the roundest figures are kept first; of steps that are even,
    every second or so.
    """
    if _is_even(axis) and all(_FIGURE.match(word) for _, word in axis.ticks):
        return _every_nth(axis, width)
    kept: list[tuple[float, str]] = []
    first = [tick for name in _WEIGHTIEST for tick in axis.ticks if tick[1] == name]
    for tick in dict.fromkeys([*first, *sorted(axis.ticks, key=lambda tick: _detail(tick[1]))]):
        if all(_are_clear(axis, width, tick, other) for other in kept):
            kept.append(tick)
    return replace(axis, ticks=tuple(sorted(kept)))


def filled(axis: Axis, ticks: Iterable[tuple[float, str]], width: float) -> Axis:
    """Return an axis so many px wide with those of some further ticks whose words have room."""
    kept = [*axis.ticks]
    for tick in ticks:
        if tick not in kept and all(_are_clear(axis, width, tick, other) for other in kept):
            kept.append(tick)
    return replace(axis, ticks=tuple(sorted(kept)))


def _every_nth(axis: Axis, width: float) -> Axis:
    """Return an axis with every second or so of its even ticks, as far as they are clear.

    Of many on a linear axis it is every tenth rather than every seventh: the roundest words.
    """

    def every(n: int, first: int = 0) -> Axis:
        return replace(axis, ticks=axis.ticks[first::n])

    def is_clear(way: Axis) -> bool:
        return all(_are_clear(axis, width, *pair) for pair in pairwise(way.ticks))

    least = next(n for n in range(1, len(axis.ticks) + 1) if is_clear(every(n)))
    if least < _MANY or axis.scale == "log":
        return every(least)
    ways = [every(n, first) for n in range(least, 2 * least) for first in range(n)]
    return min(filter(is_clear, ways), key=_mean_detail)


def _mean_detail(axis: Axis) -> float:
    """Return how many digits the words of ticks have on average, but for their zeros."""
    return statistics.fmean(_detail(word)[0] for _, word in axis.ticks) if axis.ticks else math.inf


def _detail(word: str) -> tuple[int, bool]:
    """Return how many digits a figure has but for its zeros, and if it is no power of ten."""
    digits = "".join(filter(str.isdigit, word)).strip("0") if _FIGURE.match(word) else ""
    return len(digits), digits != "1"


def _is_even(axis: Axis) -> bool:
    """Whether the ticks are even steps along the axis."""
    shares = [axis.share(at) for at, _ in axis.ticks]
    steps = [right - left for left, right in pairwise(shares)]
    return len(steps) > 1 and max(steps) - min(steps) < _EVEN


def _are_clear(axis: Axis, width: float, tick: tuple[float, str], other: tuple[float, str]) -> bool:
    """Whether the words of two ticks do not touch on an axis so many px wide."""
    return are_clear(abs(axis.share(tick[0]) - axis.share(other[0])) * width, tick[1], other[1])


def are_clear(apart: float, first: str, second: str) -> bool:
    """Whether the words of two ticks do not touch whose places are so many px apart."""
    words = sum(_CHARACTERS.get(character, _DIGIT) for character in first + second)
    figures = _FIGURE.match(first) and _FIGURE.match(second)
    return apart >= (_FIGURES_APART if figures else _TICKS_APART) + words / 2


def apart_upwards(axis: Axis, height: float) -> Axis:
    """Return an axis along y, so many px high, without ticks whose words would touch."""
    return _apart(axis, height, lambda _: _LINE)


def apart_along(axis: Axis, width: float, *, character: float) -> Axis:
    """Return an axis along x, so many px wide, without ticks whose words would touch."""
    return _apart(axis, width, lambda words: _LINE + character * len(words) / 2)


def _apart(axis: Axis, length: float, least: Callable[[str], float]) -> Axis:
    """Return an axis whose ticks are as far apart as the words of two take.

    That of no change is kept first, then the roundest, from the end.
    """
    kept: list[tuple[float, str]] = []
    order = sorted(axis.ticks, key=lambda t: (t[1] != f"1{show.TIMES}", _detail(t[1]), -t[0]))
    for at, word in order:
        places = ((abs(axis.share(at) - axis.share(other)), word + words) for other, words in kept)
        if all(share * length >= least(words) for share, words in places):
            kept.append((at, word))
    return replace(axis, ticks=tuple(sorted(kept)))


def shortened(axis: Axis) -> Axis:
    """Return an axis whose names a narrow figure has room for."""
    return replace(axis, ticks=tuple((v, short_name(text, _SHORT)) for v, text in axis.ticks))


def halves(name: str, limit: int, others: Iterable[str] = ()) -> tuple[str, str]:
    """Return how a name begins and ends, together of less than so many characters.

    What is left out are whole words where that leaves the name apart from some others: in its
    middle, at its end, or before its last. Else it is cut in a word.
    """
    places = [(match.start(), match.end()) for match in _BETWEEN_WORDS.finditer(name)]
    heads = [""] + [name[:start] for start, _ in places if start]
    tails = [""] + [name[end:] for _, end in places if end < len(name)]
    lengths = range(int(_TELLING * limit), limit)
    fitting = [(h, t) for h in heads for t in tails if len(h) + len(t) in lengths]
    both = [each for each in fitting if all(each)]
    single = [each for each in fitting if not all(each)]
    for head, tail in (
        *sorted(both, key=lambda each: -len("".join(each))),
        *sorted(single, key=lambda each: (not each[0], -len("".join(each)))),
    ):
        if not any(o.startswith(head) and o.endswith(tail) for o in others if o != name):
            return head, tail
    return _cut(name, limit)


def _cut(name: str, limit: int) -> tuple[str, str]:
    """Return how a name begins and ends; its last word stays whole where it can."""
    word = name.rpartition(" ")[2]
    end = word if len(word) <= limit - 3 else word[len(word) - limit // 2 :]
    return name[: max(0, limit - 1 - len(end))].rstrip(" ,"), end


def short_name(name: str, limit: int) -> str:
    """Return a name of at most so many characters, shortened in its middle."""
    return name if len(name) <= limit else "…".join(halves(name, limit))


def spread(heights: Sequence[float], *, gap: float) -> list[float]:
    """Return heights moved apart to at least `gap`, in the given order, near where they were."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    groups: list[tuple[float, list[int]]] = []
    for i in order:
        groups.append((heights[i], [i]))
        while len(groups) > 1:
            (a, first), (b, second) = groups[-2:]
            both = first + second
            if a + len(first) * gap / 2 <= b - len(second) * gap / 2:
                break
            groups[-2:] = [((a * len(first) + b * len(second)) / len(both), both)]
    moved = [0.0] * len(heights)
    for centre, members in groups:
        for rank, i in enumerate(members):
            moved[i] = centre + (rank - (len(members) - 1) / 2) * gap
    return moved


def _log_ticks(
    low: float, high: float, most: int, wanted: show.Unit | None
) -> tuple[tuple[float, str], ...]:
    kinds = [_multiples(low, high, factors) for factors in _MULTIPLES]
    powers = _multiples(low, high, (1,))
    kinds.append(powers[:: math.ceil(len(powers) / most) or 1])
    narrow = high < _SEVERAL * low
    kinds += [_stepped(low, high, span=high - low, about=n) for n in _STEPS[: 4 if narrow else 1]]
    # One more than wanted rather than too few, or a part of the axis without any.
    enough = [k for limit in (most, most + 1) for k in kinds if _LEAST_TICKS <= len(k) <= limit]
    gaps = [(_largest_gap(low, k, high) / math.log(high / low), k) for k in enough]
    spread = (k for gap, k in gaps if gap < _BARE)
    steps = next(spread, None) or min(gaps, default=(1.0, kinds[-1]))[1]
    unit = axis_unit(steps, wanted)
    return tuple((step, show.duration(step, unit=unit)) for step in steps)


def _largest_gap(low: float, ticks: Sequence[float], high: float) -> float:
    """Return how far ticks on a log axis are apart at most; what is beyond them counts twice."""
    ends = max(2 * math.log(ticks[0] / low), 2 * math.log(high / ticks[-1]))
    return max(ends, *(math.log(b / a) for a, b in pairwise(ticks)))


def axis_unit(steps: Sequence[float], wanted: show.Unit | None = None) -> show.Unit | None:
    """Return the one unit of the ticks of an axis of times, None where they have none.

    It is the one wanted where none is long or tiny in it, or nothing else fits; else the smallest
    in which all are below 1,000, or the next smaller that leaves none tiny.
    """
    low, high = min(steps), max(steps)
    by_size = sorted((u for u in show.TIME_UNITS if u.size <= 1), key=lambda unit: unit.size)
    fitting = [u for u in by_size if low >= _SMALLEST * float(u.size)]
    fitting = [u for u in fitting if high <= _LARGEST * float(u.size)]
    if wanted in fitting and (high < _LARGEST * float(wanted.size) or len(fitting) == 1):
        return wanted
    short = (u for u in fitting if high < _LONG * float(u.size))
    return next(short, fitting[-1] if fitting else None)


def unit_ticks(axis: Axis, wanted: show.Unit | None = None) -> list[tuple[float, str]]:
    """Return a tick at each multiple of the powers of ten on a log axis of latencies."""
    steps = _multiples(axis.low, axis.high, range(1, 10))
    unit = axis_unit([at for at, _ in axis.ticks] or steps, wanted) if steps else None
    return [(step, show.duration(step, unit=unit)) for step in steps]


def _multiples(low: float, high: float, factors: Iterable[int]) -> list[float]:
    """Return multiples of the powers of ten between two values."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = [float(f"{m}e{e}") for e in range(first, last + 1) for m in factors]
    return [step for step in steps if low <= step <= high]


def _stepped(low: float, high: float, *, span: float, about: int) -> list[float]:
    """Return even ticks between two values, about so many over a span, and no fewer than three."""
    every = (_even(low, high, _nice(span / steps)) for steps in count(about))
    return next(ticks for ticks in every if len(ticks) >= _LEAST_TICKS)


def _even(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of a step between two values."""
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [float(f"{step * n:.12g}") for n in places]


def is_power(step: float) -> bool:
    """Whether a tick is a power of ten."""
    return abs(math.log10(step) - round(math.log10(step))) < 1e-9


def _nice(step: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(step))
    return next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= step * 0.999)
