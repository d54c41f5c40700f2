"""How a value that an index expects is held against a column or a figure that was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from tests.corpus_run import Run

_UNITS: Final = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_MANY_DIGITS: Final = 6

#: From a run, the expected value and the match of the key, to complaints; empty ones are none.
Check = Callable[[Run, Any, re.Match[str]], Iterator[str]]


def slack(value: float) -> float:
    """Return how far off a number may be, as JSON shows it: half a unit of its last digit.

    A fraction of many digits may be off by a whole unit: tools cut where others round.
    """
    digits = Decimal(repr(value)).as_tuple()
    units = 10 if len(digits.digits) >= _MANY_DIGITS and int(digits.exponent) < 0 else 5
    return float(Decimal(units).scaleb(int(digits.exponent) - 1))


def near(values: Sequence[Any], wanted: float, *, scale: float = 1.0, within: float = 0.0) -> str:
    """Return a complaint unless one of some values is the wanted one; within that share."""
    known = [value for value in values if value is not None]
    allowed = max(slack(wanted) * scale, abs(wanted * scale) * max(within, 1e-9))
    if any(abs(value - wanted * scale) <= allowed * 1.001 for value in known):
        return ""
    return f"expected {wanted * scale:.9g}, read {known or 'nothing'}"


def value_of(*columns: str) -> Check:
    def check(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
        read = [run.columns[name] for name in columns]
        # A latency of 0 is one that was too short for the digits of the tool, or none.
        if wanted != 0 or any(value is not None for value in read):
            yield near(read, wanted, scale=scale_of(key))

    return check


def count_of(*columns: str, figure: str = "") -> Check:
    """Check a counter: a column or else a figure; where it is 0 it may be missing."""

    def check(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
        read = [run.columns[name] for name in columns]
        read += run.figures(figure) if figure else []
        if wanted != 0 or any(value is not None for value in read):
            yield near(read, wanted)

    return check


def figure_of(metric: str, *statistics: str) -> Check:
    def check(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
        yield near(run.figures(metric, *statistics), wanted, scale=scale_of(key))

    return check


def scale_of(key: re.Match[str]) -> float:
    """Return what turns a value into base units, by the end of its key."""
    return _UNITS.get(key.string.removesuffix("_nearest_rank").rpartition("_")[2], 1.0)


def quantile_of(name: str) -> Decimal:
    """Return a quantile by its name in a key: 50, 97_5, 999 (99.9), 100."""
    if "_" in name:
        return Decimal(name.replace("_", ".")).scaleb(-2)
    whole = int(name)
    return Decimal(name).scaleb(-2 if whole <= 100 else -len(name))
