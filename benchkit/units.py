"""Printed quantities to base units: seconds, bytes, per second.

Numbers are scaled in decimal, so that `6.61ms` becomes the float nearest to
0.00661 and nothing else.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final, SupportsFloat

_TIME: Final = {
    "ns": Decimal("1e-9"),
    "us": Decimal("1e-6"),
    "µs": Decimal("1e-6"),  # U+00B5, the micro sign
    "μs": Decimal("1e-6"),  # U+03BC, the Greek letter
    "ms": Decimal("1e-3"),
    "s": Decimal(1),
    "m": Decimal(60),
    "h": Decimal(3600),
}
_COUNT: Final = {
    "": Decimal(1),
    "k": Decimal(10) ** 3,
    "M": Decimal(10) ** 6,
    "G": Decimal(10) ** 9,
    "T": Decimal(10) ** 12,
}
_PREFIXES: Final = "KMGTPE"
#: A point at its end is where one breaks off.
_NUMBER: Final = r"[-+]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][-+]?\d++)?"
_QUANTITY: Final = re.compile(rf"({_NUMBER})\s*+([^\W\d_]*+(?:/s(?:ec)?)?)")
_GO_PART: Final = re.compile(r"(?<![\d.])(\d++(?:\.\d++)?|\.\d++)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_PLAIN_NUMBER: Final = re.compile(_NUMBER, re.ASCII)
_PLAIN_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,18}")
#: Longer than any figure a tool prints; bounds what a pattern can cost.
_LONGEST: Final = 60


def number(text: str) -> float:
    """Return a plain decimal number as the nearest float.

    Raises:
        ValueError: `text` is not a finite number written with ASCII digits and a
            point; what `float` takes besides (`1_000`, `nan`, digits of other scripts) is refused.
    """
    return float(_decimal(text.strip()))


def whole(text: str) -> int:
    """Return a plain whole number.

    Raises:
        ValueError: `text` is anything but ASCII digits with an optional sign.
    """
    stripped = text.strip()
    if not _PLAIN_WHOLE.fullmatch(stripped):
        raise _refusal("a whole number", text)
    return int(stripped)


def seconds(text: str, *, default: str | None = None) -> float:
    """Return a time such as `6.61ms`, `13 ms` or `1.55m` in seconds.

    Args:
        text: A number and one unit among ns, us, µs, ms, s, m and h.
        default: Unit of a number that carries none.

    Raises:
        ValueError: no number, an unknown unit, or no unit and no default.
    """
    value, unit = _split(text)
    unit = unit or (default or "")
    if unit not in _TIME:
        raise _refusal("a time", text)
    return _finite(value * _TIME[unit])


def go_duration(text: str) -> float:
    """Return a Go duration such as `1m40s`, `701.437µs` or `0s` in seconds.

    Raises:
        ValueError: `text` is not a duration as Go prints it.

    Source: Go 1.26 `time.Duration.String`.
    """
    stripped = text.strip()
    sign, body = (-1, stripped[1:]) if stripped.startswith("-") else (1, stripped)
    if body in {"0", "0s"}:
        return 0.0
    if len(body) > _LONGEST:
        raise _refusal("a Go duration", text)
    if single := _GO_PART.fullmatch(body):  # as most are
        return _finite(sign * Decimal(single[1]) * _TIME[single[2]])
    parts = _GO_PART.findall(body)
    if not body or "".join(map("".join, parts)) != body:
        raise _refusal("a Go duration", text)
    return _finite(sign * sum((Decimal(digits) * _TIME[unit] for digits, unit in parts), Decimal()))


def count(text: str) -> float:
    """Return a count such as `3.24k`, `251k` or `61` as a number.

    Raises:
        ValueError: no number, or a suffix other than k, M, G or T.
    """
    value, unit = _split(text)
    if unit not in _COUNT:
        raise _refusal("a count", text)
    return _finite(value * _COUNT[unit])


def octets(text: str, *, base: int) -> float:
    """Return a size such as `175.67MB` or `44 kB` in bytes.

    Args:
        text: A number and B, kB, KB, MB, GB, TB or PB; `bytes` is B.
        base: What a K is: 1000 or 1024, which the text alone cannot tell.

    Raises:
        ValueError: no number or an unknown unit.
    """
    value, unit = _split(text)
    named = unit in {"bytes", "Bytes"}
    prefix = "" if named else unit.removesuffix("B").upper()
    if not (named or unit.endswith("B")) or len(prefix) > 1 or prefix not in _PREFIXES:
        raise _refusal("a size", text)
    power = _PREFIXES.index(prefix) + 1 if prefix else 0
    return _finite(value * Decimal(base) ** power)


def percent(text: str) -> float:
    """Return `69.36%` as the ratio 0.6936.

    Raises:
        ValueError: not a number before a per cent sign.
    """
    stripped = text.strip()
    if not stripped.endswith("%"):
        raise _refusal("a percentage", text)
    return float(_decimal(stripped[:-1].strip()) / 100)


def scaled(text: str, factor: str) -> float:
    """Return a plain number times a decimal factor: `scaled("206", "1e-3")` is 0.206.

    Raises:
        ValueError: `text` is not a plain number.
    """
    return _finite(_decimal(text.strip()) * Decimal(factor))


def as_number(value: object) -> float | None:
    """Return what a caller gave as a number, whatever its type; None where it is no number."""
    if isinstance(value, str | bool) or not isinstance(value, SupportsFloat):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):  # of an array, for one
        return None


class QuantityError(ValueError):
    """A text that is no such quantity, or one beyond what a number can be."""


def _refusal(what: str, text: str) -> QuantityError:
    return QuantityError(f"not {what}: {text.strip()[:40]!r}")


def _split(text: str) -> tuple[Decimal, str]:
    stripped = text.strip()
    matched = _QUANTITY.fullmatch(stripped) if len(stripped) <= _LONGEST else None
    if matched is None:
        raise _refusal("a quantity", text)
    return _decimal(matched[1]), matched[2]


@lru_cache(maxsize=4096)
def _decimal(text: str) -> Decimal:
    if len(text) > _LONGEST or not _PLAIN_NUMBER.fullmatch(text):
        raise _refusal("a number", text)
    try:
        value = Decimal(text)
    except InvalidOperation as error:  # pragma: no cover - the pattern forbids it
        raise ValueError(text[:40]) from error
    if not -400 < value.adjusted() < 300:
        raise QuantityError(f"number out of range: {text[:40]!r}")
    return value


def _finite(value: Decimal) -> float:
    nearest = float(value)
    if not math.isfinite(nearest):
        raise QuantityError(f"number out of range: {value:.3E}")
    return nearest
