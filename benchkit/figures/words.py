"""What every figure says: of what is missing, and what its title may claim."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from benchkit import format as show
from benchkit.figures.look import Key
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.grouping import grouped
from benchkit.model.metric import P50, P99, Metric
from benchkit.model.variant import Variant
from benchkit.names import some, with_marks
from benchkit.validity.failures import mean_failed_share

#: What a copy is.
ONCE_MORE: Final = "the same once more"
_NAMED: Final = 3  # variants at the end of a range
_TELLING: Final = 1.02  # times: less is said by the values alone
_LEAST_DIGITS: Final = 3
_DIGITS: Final = range(_LEAST_DIGITS, 10)


def unit_of(comparison: Comparison, *metrics: Metric) -> show.Unit | None:
    """Return the unit of the first of some metrics that has one, None where none has."""
    return next((unit for metric in metrics if (unit := comparison.unit(metric))), None)


def written(edges: Sequence[float], unit: show.Unit | None = None) -> tuple[show.Unit, list[str]]:
    """Return the unit in which the edges of bins in s are written, and each of them.

    Each has as many digits as tell it from its neighbours, three at least.
    """
    unit = unit or show.time_unit(edges)
    return unit, distinct([edge / float(unit.size) for edge in edges])


def distinct(values: Sequence[float]) -> list[str]:
    """Return ascending numbers with as many digits as tell neighbours apart, three at least."""
    texts = ([show.number(value, digits=digits) for value in values] for digits in _DIGITS)
    different = (each for each in texts if all(a != b for a, b in pairwise(each)))
    return next(different, [*map(str, values)])


def absent(variant: Variant, metric: Metric) -> str:
    """Return why a variant has no value in a cell of a table."""
    return show.WITHHELD if metric.column in variant.withheld else show.NOT_PRINTED


def failed_too(variants: Iterable[Variant]) -> str:
    """Return that requests that failed are shown too, and how many; empty where none did."""
    every = {v.label: share for v in variants if (share := mean_failed_share(v))}
    if not every:
        return ""
    shares = grouped(every, lambda label: show.share(round(every[label], 6)))
    texts = [
        f"{share} of {some([show.quoted(label, limit=40) for label in labels])}"
        for share, labels in shares.items()
    ]
    if len(texts) > _NAMED:
        texts = [f"up to {show.share(round(max(every.values()), 6))} of a variant"]
    return f", failed ones too: {show.listed(texts)}"


def withheld_from(limits: Mapping[str, float], *, begin: str = "Withheld") -> list[str]:
    """Return from which quantile on each variant's latencies are withheld, a sentence for each.

    `begin`: how it begins where it is not all of them.
    """
    cut = {label: round(limit, 7) for label, limit in limits.items() if limit < 1}
    sentences = []
    for quantile in sorted(set(cut.values())):
        names = [show.quoted(label, limit=40) for label, q in cut.items() if q == quantile]
        whose = "" if len(names) == len(limits) else f" of {some(names)}"
        what = f"from {show.percentile(quantile)} on{whose}" if quantile else f"all{whose}"
        sentences.append(f"Withheld: {what}." if not quantile else f"{begin} {what}.")
    return sentences


def between(values: Iterable[float], write: Callable[[float], str], *, to: str = " to ") -> str:
    """Return from where to where some values go, once where the ends read alike.

    Both have the decimals of the finer where that leaves them three digits: `0.260 to 0.311`.
    """
    known = list(values)
    low, high = _padded(write(min(known)), write(max(known)))
    if low == high:
        return low
    number, unit = low.partition(show.NBSP)[::2]
    same = unit and high.endswith(f"{show.NBSP}{unit}")
    return f"{number if same else low}{to}{high}"


def highest_first(values: Iterable[float], write: Callable[[float], str]) -> str:
    """Return some values, the unit once where all have the same: `0.311 and 0.260 ms`."""
    *higher, lowest = dict.fromkeys(_padded(*map(write, sorted(values, reverse=True))))
    ending = "".join(lowest.partition(show.NBSP)[1:])
    alike = all(text.endswith(ending) for text in higher)
    return show.listed([*(text.removesuffix(ending) if alike else text for text in higher), lowest])


def _padded(*texts: str) -> list[str]:
    """Return numbers with the zeros that rounding took from their ends, beside finer ones."""
    parts = [text.partition(show.NBSP) for text in texts]
    if len({unit for *_, unit in parts}) > 1 or texts[0].endswith(show.PERCENT):
        return [*texts]
    most = max(len(number.partition(".")[2]) for number, *_ in parts)
    return ["".join((_with_zeros(number, most), *unit)) for number, *unit in parts]


def _with_zeros(number: str, decimals: int) -> str:
    """Return a number with at most so many decimals and three digits by zeros at its end."""
    whole, _, behind = number.partition(".")
    missing = min(decimals - len(behind), _LEAST_DIGITS - len((whole + behind).lstrip("0")))
    if missing <= 0 or not (whole + behind).isdigit() or not int(whole + behind):
        return number
    return f"{whole}.{behind}{'0' * missing}"


def named_between(values: Iterable[tuple[str, float]], write: Callable[[float], str]) -> str:
    """Return from where to where the values of some variants go, and whose the ends are.

    All that read alike are named, many as their number.
    """
    known = sorted(values, key=lambda each: each[1])
    (first, low), (last, high) = known[0], known[-1]
    if first == last or write(low) == write(high):
        return between((low, high), write)
    ends = [
        (end, list(dict.fromkeys(name for name, value in known if write(value) == end)))
        for end in (write(low), write(high))
    ]
    named = [
        f"{end} ({show.listed(names) if len(names) <= _NAMED else f'{len(names)} variants'})"
        for end, names in ends
    ]
    return " to ".join(named)


def furthest_apart(
    param: str,
    at_level: Mapping[float, Sequence[tuple[str, float]]],
    write: Callable[[float], str],
) -> str:
    """Return at which level of a param some variants differ by the largest factor, and from where.

    Empty where they read the same at each, or there is a single one.
    """
    several = {n: values for n, values in at_level.items() if len(values) > 1}
    ratios = {n: _times([value for _, value in values]) for n, values in several.items()}
    level = max(ratios, key=lambda n: ratios[n], default=0.0)
    ends = (f([v for _, v in several.get(level, [("", 0.0)])]) for f in (min, max))
    low, high = map(write, ends)
    if low == high:
        return ""
    where = f"{param} {show.level(level)}"
    ratio = as_read(low, high, ratios[level])
    times = f", {show.factor(ratio)}" if _TELLING < ratio < math.inf else ""
    return (
        f"differed by the largest factor at {where}{times}: {named_between(several[level], write)}"
    )


def as_read(low: str, high: str, ratio: float) -> float:
    """Return how many times one written number another is, as a reader of both finds it.

    That is `ratio`, of the values before they were rounded, where their units differ or one is 0.
    A low without unit has that of the high.
    """
    (first, own), (second, unit) = (text.partition(show.NBSP)[::2] for text in (low, high))
    try:
        numbers = [float(number.replace(",", "")) for number in (first, second)]
    except ValueError:
        return ratio
    if own not in {"", unit} or not all(numbers):
        return ratio
    # A half is rounded up.
    return math.nextafter(numbers[1] / numbers[0], math.inf)


def _times(values: Sequence[float]) -> float:
    """Return how many times the least the largest is."""
    return max(values) / min(values) if min(values) > 0 else math.inf


def baselines(comparison: Comparison, variants: Iterable[Variant]) -> str:
    """Return what some baselines are called together; those of a sweep by the name they share."""
    known = list(dict.fromkeys(variants))
    names = {variant.name for variant in known}
    if len(known) == 1:
        return show.quoted(known[0].label, limit=40)
    if comparison.axis and len(names) == 1:
        axis = show.clean(comparison.axis, limit=30)
        return f"{show.quoted(names.pop(), limit=40)} at the same {axis}"
    return "its baseline"


def latency_marks(comparison: Comparison, label: str) -> list[int]:
    """Return the numbers of the findings that qualify the latencies of a variant."""
    columns = (P50.column, P99.column)
    return sorted({n for column in columns for n in comparison.footnotes.at_mark(label, column)})


def marked_name(comparison: Comparison, key: Key) -> str:
    """Return the name of a variant with the numbers of the findings that qualify its latencies."""
    return with_marks(key.short, latency_marks(comparison, key.label))


def outermost(values: Mapping[str, float], write: Callable[[float], str]) -> str | None:
    """Return the label of the largest value, None where another one reads the same."""
    ordered = sorted(values, key=lambda label: -values[label])
    if len(ordered) > 1 and write(values[ordered[0]]) == write(values[ordered[1]]):
        return None
    return ordered[0] if ordered else None


def claimed(comparison: Comparison, label: str, column: str = "") -> bool:
    """Whether a title may say that a variant is ahead, of all or in one metric.

    In a metric that is what tests show: of the baseline against every other variant. Few runs,
    and what is no metric, are described in the past tense; of a copy nothing is claimed.
    """
    variant, grade = comparison.by_label.get(label), comparison.grade
    if len(comparison.variants) < 2 or not grade.telling or variant is None or variant.is_copy:
        return False
    if not column or grade.key in {"once", "few"}:
        return True
    real = [v.label for v in comparison.others if not v.is_copy]
    labels = real if label == comparison.baseline else [label]
    effects = (comparison.effect(other, column) for other in labels)
    return all(e is not None and e.verdict in {"faster", "slower"} for e in effects)


def overlapping(first: Effect | None, second: Effect | None) -> bool:
    """Whether two changes may be of one size, by intervals that have a part in common."""
    sizes, others = _sizes(first), _sizes(second)
    if sizes is None or others is None:
        return False
    return sizes[0] <= others[1] and others[0] <= sizes[1]


def _sizes(effect: Effect | None) -> tuple[float, float] | None:
    """Return the least and the largest change in an interval, whatever the direction."""
    if effect is None or effect.interval is None:
        return None
    low, high = sorted(abs(math.log(bound)) for bound in effect.interval[:2])
    return 0.0 if effect.crosses else low, high
