"""Numbers and names for people: the same in the terminal, the report and the figures.

Three significant digits in prose and never more than the value itself carries, one unit per
table row, ratios as factors with a direction word, text that no terminal or page acts upon.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache, partial
from typing import Any, Final

NBSP: Final = "\u00a0"
MINUS: Final = "−"
TIMES: Final = "×"
EN_DASH: Final = "–"
PERCENT: Final = f"{NBSP}%"
NOT_PRINTED: Final = "not printed"
WITHHELD: Final = "withheld"
NOT_RUN: Final = "not run"
#: As many digits as any float has before and behind its point.
_EXACT: Final = Context(prec=700, rounding=ROUND_HALF_EVEN)
_MOST_DIGITS: Final = 4  # of a number in a row of equal decimals
#: Powers of ten between which a number is written out: a float has no more digits.
_SMALLEST, _LARGEST = -16, 16


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit and how much of the base unit it is."""

    name: str
    size: Decimal


TIME_UNITS: Final = (
    Unit("min", Decimal(60)),
    Unit("s", Decimal(1)),
    Unit("ms", Decimal("1e-3")),
    Unit("µs", Decimal("1e-6")),
    Unit("ns", Decimal("1e-9")),
)
_SECOND: Final = TIME_UNITS[1]
#: From the second down: one of a unit, and what has five digits in it.
_TIME_LIMITS: Final = tuple(
    (unit, float(unit.size), float(10_000 * unit.size)) for unit in TIME_UNITS[1:]
)
_COUNTS: Final = tuple(
    Unit(name, Decimal(10) ** power) for name, power in (("T", 12), ("G", 9), ("M", 6), ("k", 3))
)
_BYTES: Final = tuple(
    Unit(name, Decimal(10) ** power)
    for name, power in (("TB", 12), ("GB", 9), ("MB", 6), ("kB", 3), ("B", 0))
)


@lru_cache(maxsize=8192)
def number(value: float, *, digits: int = 3) -> str:
    """Return a number with at most `digits` significant ones: `1,340`, `0.0131`, `−2.5`.

    Whole numbers keep every digit before the point.
    """
    return _text(_rounded(_decimal(value), digits))


def exact(value: float) -> str:
    """Return a number with all its digits: `1,340.0625`, `0.1`, `12`."""
    text = f"{value + 0:,}"  # as many as tell it from any other float; a zero has no sign
    plain = text.removesuffix(".0").replace("-", MINUS)
    return number(value, digits=17) if "e" in text else plain


def level(value: float) -> str:
    """Return a number that a param is set to as labels have it: `1000`, `0.5`."""
    return exact(value).replace(",", "").replace(MINUS, "-")


@lru_cache(maxsize=8192)
def count(value: float) -> str:
    """Return a whole number in full: `969,489`."""
    return _text(Decimal(round(value)))


@lru_cache(maxsize=8192)
def fixed(value: float, decimals: int) -> str:
    """Return a number with so many decimals: `32,213.4`."""
    return _plain(_decimal(value), decimals)


@lru_cache(maxsize=4096)
def duration(seconds: float, *, digits: int = 3, unit: Unit | None = None) -> str:
    """Return a time in a unit, or in the one that suits it: `74 ms`, `3.50 s`, `2.17 min`."""
    size = abs(seconds)
    suiting = unit or (_time_unit(size, size) if size else _SECOND)
    return _measured(_decimal(seconds), suiting, digits)


def durations(seconds: Iterable[float | None]) -> Callable[[float], str]:
    """Return what writes times that stand beside these: all in their one unit."""
    return partial(duration, unit=time_unit(seconds))


def time_unit(values: Iterable[float | None]) -> Unit:
    """Return the one unit for a row or axis of times: the (lower) middle value reads as 1 to 999.

    It is a larger one where the largest would have five digits before the point. Minutes are used
    from 2 minutes on. Without any value above zero it is the second.
    """
    sizes = sorted(abs(value) for value in values if value)
    if not sizes:
        return _SECOND
    return _time_unit(sizes[(len(sizes) - 1) // 2], sizes[-1])


def _time_unit(middle: float, largest: float) -> Unit:
    if middle >= 120:
        return TIME_UNITS[0]
    suiting = _SECOND
    for unit, least, five_digits in _TIME_LIMITS:
        if largest >= five_digits:
            break
        suiting = unit
        if middle >= least:
            break
    return suiting


def in_unit(values: Sequence[float | None], unit: Unit) -> list[str | None]:
    """Return numbers of one table row in `unit`, with equal decimals; None stays None.

    The smallest gets three significant digits, none more than the values carry. Where the largest
    would then have more than four, each gets its own three digits instead.
    """
    return list(_row(tuple(values), unit))


@lru_cache(maxsize=8192)  # a page has the same rows under each baseline
def _row(values: tuple[float | None, ...], unit: Unit) -> tuple[str | None, ...]:
    exact = [None if value is None else _decimal(value) / unit.size for value in values]
    sizes = [abs(value) for value in exact if value]
    if not sizes:
        return tuple(None if value is None else "0" for value in exact)
    least = min(sizes)
    most = _places(least, 3)  # no other gets more
    carried = 0
    for value in sizes:
        carried = max(carried, _own_decimals(value))
        if carried >= most:
            break
    decimals = _decimals(least, carried)
    if _quantized(max(sizes), decimals) < Decimal(10) ** (_MOST_DIGITS - decimals):
        return tuple(None if value is None else _plain(value, decimals) for value in exact)
    return tuple(
        None if value is None else _plain(value, _decimals(abs(value), carried)) for value in exact
    )


def _decimals(size: Decimal, carried: int) -> int:
    """Return how many decimals a number beside others gets: of three digits those they carry."""
    return min(_places(size, 3), carried) if size else 0


@lru_cache(maxsize=8192)
def rate(per_second: float, *, digits: int = 3, beside: float = 0.0) -> str:
    """Return a rate for prose and labels, without its unit: `32.2 k`, `662`.

    Beside a larger one it has the same thousands: `0.5 k` beside `1.5 k`.
    """
    largest = max(abs(per_second), beside)
    unit = next((unit for unit in _COUNTS if largest >= unit.size), None)
    if unit is None:
        return number(per_second, digits=digits)
    return _measured(_decimal(per_second), unit, digits)


@lru_cache(maxsize=4096)
def size(octets: float, *, digits: int = 3, beside: float = 0.0) -> str:
    """Return bytes in decimal units, beside a larger size in those of that: `176 MB`."""
    largest = max(abs(octets), beside)
    unit = next((unit for unit in _BYTES if largest >= unit.size), _BYTES[-1])
    return _measured(_decimal(octets), unit, digits)


def _measured(exact: Decimal, unit: Unit, digits: int) -> str:
    return f"{_text(_rounded(exact / unit.size, digits))}{NBSP}{unit.name}"


@lru_cache(maxsize=8192)
def share(ratio: float) -> str:
    """Return a share as a percentage: `28 %`, `0.12 %`, `99.84 %`; only all of it is `100 %`."""
    exact = _decimal(ratio) * 100
    if exact in {0, 100}:
        return f"{100 if exact else 0}{PERCENT}"
    distance = min(abs(exact), abs(100 - exact))
    decimals = max(0, 1 - distance.adjusted())
    return f"{_plain(exact, min(decimals, 6, _own_decimals(exact)))}{PERCENT}"


def factor(ratio: float) -> str:
    """Return how many times: `47×`, `2.0×`, `117×`, `1,800×`; `1.08×` below 1.10."""
    exact = _decimal(ratio)
    digits = 2 if Decimal("1.095") <= exact < Decimal("99.5") else 3
    places = _tens(exact) if exact >= _THOUSAND else 0
    return f"{_plain(exact, places or _places(exact, digits) if exact else 0)}{TIMES}"


def _tens(exact: Decimal) -> int:
    """Return the decimals, below 0, that leave a large factor two digits; else 0."""
    return min(0, 1 - exact.adjusted())


#: From this factor on two digits are enough.
_THOUSAND: Final = 1000
#: From this factor on, up or down, a change is written as a factor.
_FACTOR_FROM: Final = 2.0


def change(
    ratio: float,
    low: float | None = None,
    high: float | None = None,
    *,
    as_factor: bool = False,
) -> str:
    """Return variant over baseline as one signed change: `+9.1 %`, `−23 %`, `3.1×`, `0.32×`.

    A percentage below a factor of two, the ratio itself beyond it, in either direction: above
    zero, or above 1×, is always more.

    Args:
        ratio: Variant over baseline, above 0.
        low: Lower bound of its interval, where that stands beside it: both get equal decimals.
        high: Upper bound.
        as_factor: Write the ratio in any case, as where it stands in a column with larger ones.
    """
    if as_factor or is_factor(ratio):
        return f"{fixed(ratio, _factor_decimals(ratio, low, high))}{TIMES}"
    return f"{_percent(ratio, _change_decimals(ratio, low, high))}{PERCENT}"


def changes(ratios: Sequence[float], *, as_factor: bool = False) -> list[str]:
    """Return several ratios as `change` writes each: where one is a factor all are."""
    factors = as_factor or any(map(is_factor, ratios))
    return [change(ratio, as_factor=factors) for ratio in ratios]


def change_span(ratios: Iterable[float], *, as_factor: bool = False) -> str:
    """Return the smallest and the largest of several ratios: `+36 % to +76 %`, `0.14× to 0.19×`.

    Where one is a factor both are; equal ones are written once.
    """
    ordered = sorted(ratios)
    first, last = changes([ordered[0], ordered[-1]], as_factor=as_factor)
    return first if first == last else f"{first} to {last}"


def change_interval(ratio: float, low: float, high: float, *, as_factor: bool = False) -> str:
    """Return the interval of a change as `change` writes it: `−40 to +17 %`, `2.6–3.3×`.

    Both get a decimal more where they would read the same, or one as 0 that is not; factors that
    still do are one. No line ends within it.
    """
    if as_factor or is_factor(ratio):
        decimals = _factor_decimals(ratio, low, high)
        ends = dict.fromkeys(fixed(bound, decimals) for bound in (low, high))
        return f"{EN_DASH.join(ends)}{TIMES}"
    decimals = _interval_decimals(ratio, low, high)
    return f"{_percent(low, decimals)}{NBSP}to{NBSP}{_percent(high, decimals)}{PERCENT}"


def factors(ratio: float, *bounds: float) -> list[str]:
    """Return a ratio and the bounds of its interval, all with as many decimals: `3.1×`, `2.6×`."""
    decimals = _factor_decimals(ratio, *bounds)
    return [f"{fixed(value, decimals)}{TIMES}" for value in (ratio, *bounds)]


def change_with_interval(ratio: float, low: float, high: float, *, as_factor: bool = False) -> str:
    """Return a change with its interval: `−23 % (−40 to +17 %)`, `3.1× (2.6–3.3×)`."""
    interval = change_interval(ratio, low, high, as_factor=as_factor)
    return f"{change(ratio, low, high, as_factor=as_factor)} ({interval})"


def points(difference: float) -> str:
    """Return a difference of shares in points of a per cent: `+50 points`, `−0.12 points`."""
    return f"{_percent(1 + difference, _percent_decimals(1 + difference, None, None))}{NBSP}points"


def margin(share_of_one: float) -> str:
    """Return a margin: `±3 %`."""
    exact = _decimal(share_of_one) * 100
    return f"±{_plain(exact, min(_own_decimals(exact), 2))}{PERCENT}"


def is_factor(ratio: float) -> bool:
    """Whether a change is written as a factor, wherever it stands."""
    return not 1 / _FACTOR_FROM < ratio < _FACTOR_FROM


def _percent(ratio: float, decimals: int) -> str:
    text = _text(_percentage(ratio, decimals))
    if not text.strip("0.,"):
        return text  # nothing is left of a sign
    return text if text.startswith(MINUS) else f"+{text}"


def _percentage(ratio: float, decimals: int) -> Decimal:
    return _quantized((_decimal(ratio) - 1) * 100, decimals)


def _percent_decimals(ratio: float, low: float | None, high: float | None) -> int:
    """Return the decimals that show two digits of the widest of the three."""
    widest = max(abs(value - 1) for value in (ratio, low, high) if value is not None)
    if not widest:
        return 0
    decimals = next((n for n, least in enumerate((0.0995, 0.00995)) if widest >= least), 2)
    return decimals + _alike(low, high, decimals + 2)


def _change_decimals(ratio: float, low: float | None, high: float | None) -> int:
    """Return the decimals with which a change does not read as outside of its interval."""
    decimals = _percent_decimals(ratio, low, high)
    if low is None or high is None:
        return decimals
    finer = _interval_decimals(ratio, low, high)
    below, above = (_percentage(bound, finer) for bound in (low, high))
    return decimals if below <= _percentage(ratio, decimals) <= above else finer


def _interval_decimals(ratio: float, low: float, high: float) -> int:
    """Return the decimals with which no interval without 1 reads as if it began or ended there."""
    decimals = _percent_decimals(ratio, low, high)
    if low <= 1 <= high:
        return decimals
    nearest = min(abs(low - 1), abs(high - 1)) * 100
    shown = (n for n in range(decimals, decimals + 3) if round(nearest, n))
    return next(shown, decimals)


def _factor_decimals(ratio: float, low: float | None = None, high: float | None = None) -> int:
    exact = _decimal(ratio)
    if not is_factor(ratio):
        return 2 + min(_percent_decimals(ratio, low, high), 1)  # near 1× as fine as a percentage
    # An interval carries two digits; without one a reader divides what stands beside it.
    tens = _tens(exact) if exact and (low is not None or exact >= _THOUSAND) else 0
    decimals = tens or (_places(exact, 2) if exact else 0)
    return decimals + _alike(low, high, decimals)


def _alike(low: float | None, high: float | None, decimals: int) -> bool:
    """Whether two bounds that differ read the same with so many decimals."""
    if low is None or high is None or low == high:
        return False
    return fixed(low, decimals) == fixed(high, decimals)


@lru_cache(maxsize=512)
def percentile(quantile: float) -> str:
    """Return a quantile's name: `p99.9`, `max` for 1."""
    return "max" if quantile >= 1 else f"p{_decimal(quantile) * 100:.7f}".rstrip("0").rstrip(".")


def listed(names: Sequence[str], *, last: str = "and") -> str:
    """Return `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def params(given: Mapping[str, Any]) -> list[str]:
    """Return each param in words: `concurrency 10`, `keepalive`, `no keepalive`."""
    return [
        (key if value else f"no {key}") if isinstance(value, bool) else f"{key} {value}"
        for key, value in given.items()
    ]


def joined(name: str, given: Mapping[str, Any]) -> str:
    """Return a name with params behind it: `old, concurrency 10`."""
    return ", ".join([name, *params(given)])


def plural(amount: int, noun: str, plural_noun: str | None = None) -> str:
    """Return `1 run`, `6 runs`."""
    word = noun if amount == 1 else plural_noun or f"{noun}s"
    return f"{count(amount)}{NBSP}{word}"


def clean(text: str, *, limit: int = 0) -> str:
    """Return `text` on one line without anything that a terminal or a page could act upon.

    Control and formatting characters (escape sequences, overrides of the writing direction,
    lone surrogates) appear as escapes.

    Args:
        text: Any text of an input.
        limit: Cut to so many characters, with an ellipsis, between two words where one is near;
            0 does not cut.
    """
    if not limit and text.isprintable():
        return text  # as nearly every text is
    shown = escaped(text.replace("\t", " ").replace("\n", " "))
    if not limit or len(shown) <= limit:
        return shown
    kept = shown[: limit - 1]
    words = kept.rpartition(" ")[0] if shown[limit - 1] != " " else kept
    return (words if 2 * len(words) >= limit else kept).rstrip(" ,;:·") + "…"


def escaped(text: str, *, keep: str = "") -> str:
    """Return `text` with what a terminal or a page could act upon as escapes, `keep` excepted."""
    if text.isprintable():
        return text
    # Blanks that do not break are harmless, and nearly every text of ours has some.
    printable = text.replace(NBSP, " ")
    for character in keep:
        printable = printable.replace(character, " ")
    if printable.isprintable():
        return text
    return "".join(c if c in keep else _visible(c) for c in text)


def json_text(value: Any, *, indent: int | None = None) -> str:  # noqa: ANN401 - JSON values
    """Return a value as JSON in which what a terminal could act upon is escaped.

    Raises:
        ValueError: a number is not finite.
    """
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c == "\n" or c == _visible(c) else _json_escape(c) for c in text)


#: Names that a sentence would swallow.
_WORDS: Final = {
    *("after", "all", "and", "before", "but", "for", "from", "in", "no", "none", "not", "of"),
    *("off", "on", "one", "or", "other", "the", "to", "with", "without", "yes"),
}


def quoted(name: str, *, limit: int = 60) -> str:
    """Return a name for the middle of a sentence: in quotes where it could be read as its words."""
    shown = clean(name, limit=limit)
    no_name = " " in shown or shown.lower() in _WORDS or not any(map(str.isalpha, shown))
    return f"“{shown}”" if no_name else shown


def _json_escape(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) > 0x7F else f"\\u{ord(character):04x}"


def _visible(character: str) -> str:
    # Cf with an influence on order or width is unsafe; a joiner inside a word or emoji is not.
    kind = unicodedata.category(character)
    if kind in {"Cc", "Cs", "Zl", "Zp"} or (kind == "Cf" and character not in "\u200d\u00ad"):
        return ascii(character)[1:-1]
    return character


@lru_cache(maxsize=8192)
def _decimal(value: float) -> Decimal:
    return Decimal(repr(float(value)))


def _own_decimals(exact: Decimal) -> int:
    exponent = exact.normalize().as_tuple().exponent
    return max(0, -int(exponent))


def _rounded(exact: Decimal, digits: int) -> Decimal:
    """Return a number with so many digits, none more than it has."""
    if not exact:
        return Decimal(0)
    plain = exact.normalize(_EXACT)
    _, figures, exponent = plain.as_tuple()
    if len(figures) <= digits:
        return _quantized(plain, max(0, -int(exponent)))
    return _to_digits(exact, digits)[1]


def _places(exact: Decimal, digits: int) -> int:
    """Return how many decimals give so many digits, whether the value has them or not."""
    return _to_digits(exact, digits)[0]


def _to_digits(exact: Decimal, digits: int) -> tuple[int, Decimal]:
    """Return the decimals that give so many digits, and the value rounded to them."""
    # 9.996 has one digit before the point and, rounded to three, two.
    places = max(0, digits - 1 - exact.adjusted())
    rounded = _quantized(exact, places)
    fewer = max(0, digits - 1 - rounded.adjusted()) if rounded else places
    return (places, rounded) if fewer == places else (fewer, _quantized(exact, fewer))


def _quantized(exact: Decimal, decimals: int) -> Decimal:
    return exact.quantize(_step(decimals), context=_EXACT)


@lru_cache(maxsize=1024)
def _step(decimals: int) -> Decimal:
    return Decimal(1).scaleb(-decimals)


def _plain(exact: Decimal, decimals: int) -> str:
    return _text(_quantized(exact, decimals))


def _text(rounded: Decimal) -> str:
    if rounded and not _SMALLEST < rounded.adjusted() < _LARGEST:
        digits, _, power = f"{rounded:.2e}".partition("e")
        return f"{digits.rstrip('0').rstrip('.')}e{int(power)}".replace("-", MINUS)
    # A zero has no sign.
    return f"{rounded + 0:,f}".replace("-", MINUS)
