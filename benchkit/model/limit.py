"""Limits as they are typed: `250ms`, `5k/s`, `1%`, `200MB`, and against a baseline `+5%`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from benchkit import units
from benchkit.model.metric import Metric, Quantity

_CHANGE: Final = re.compile(
    r"(?:baseline\s*+)?([+\-−–])\s*+([0-9]++(?:\.[0-9]++)?|\.[0-9]++)\s*+%", re.IGNORECASE
)
_BASELINE: Final = "baseline"
_SIGNS: Final = "+-−–"
_PER_SECOND: Final = ("/second", "/sec", "/s", "req/s", "rps")
_TIMES: Final = "ns, us, µs, ms, s, m or h"


class LimitError(ValueError):
    """A limit that is none; the text says what to write instead."""


def is_change(text: str) -> bool:
    """Whether a limit is meant against a baseline: it has a sign, or says so."""
    return text[:1] in _SIGNS or text.lower().startswith(_BASELINE)


def change(text: str) -> tuple[float, str]:
    """Return `+5%` as the ratio 1.05 to the baseline, and the limit as it is best written.

    Raises:
        LimitError: it is no change in per cent that leaves something.
    """
    if text.lower() == _BASELINE:
        return 1.0, "+0%"
    match = _CHANGE.fullmatch(text)
    if match is None:
        raise LimitError("a change against the baseline is in per cent: write +5% or -5%")
    minus = match[1] != "+"
    try:
        ratio = 1 + units.scaled(match[2], "-0.01" if minus else "0.01")
    except ValueError:
        raise LimitError("no change is written with so many digits") from None
    if not ratio > 0:
        raise LimitError("a change of -100% or less leaves nothing")
    return ratio, f"{'-' if minus else '+'}{match[2]}%"


def absolute(metric: Metric, text: str) -> tuple[float, str]:
    """Return a limit in the base unit of a metric, and the limit without blanks.

    Raises:
        LimitError: it is no such quantity, or lacks its unit.
    """
    shown = "".join(text.split())
    try:
        value = _READERS[metric.quantity](metric, shown)
    except LimitError:
        raise
    except ValueError:
        raise LimitError(f"{metric.name} needs {_NEEDED[metric.quantity]}") from None
    return value, shown


def _time(metric: Metric, text: str) -> float:
    if _is_number(text):
        raise LimitError(
            f"a time needs its unit: write {text}ms for milliseconds, "
            f"which thresholds without one usually mean, or {text}s"
        )
    _no_share(metric, text)
    return units.seconds(text)


def _rate(metric: Metric, text: str) -> float:
    _no_share(metric, text)
    ending = next((unit for unit in _PER_SECOND if text.lower().endswith(unit)), "")
    if ending == "/s" and text.lower().endswith("req/s"):
        ending = "req/s"
    return units.count(text[: len(text) - len(ending)])


def _share(metric: Metric, text: str) -> float:
    if text.endswith("%"):
        value = units.percent(text)
    else:
        value = units.number(text)
        if value >= 1:
            raise LimitError(f"{metric.name} is a share: write {text}%, or a number below 1")
    if value > 1:
        raise LimitError(f"{metric.name} is a share: it is never above 100%")
    return value


def _size(metric: Metric, text: str) -> float:
    if _is_number(text):
        raise LimitError(f"a size needs its unit: write {text}MB, {text}kB or {text}B")
    _no_share(metric, text)
    if text.endswith("iB"):
        return units.octets(f"{text[:-2]}B", base=1024)
    return units.octets(text, base=1000)


def _count(metric: Metric, text: str) -> float:
    _no_share(metric, text)
    return units.count(text)


def _no_share(metric: Metric, text: str) -> None:
    if text.endswith("%"):
        raise LimitError(
            f"{metric.name} is no share, and a change against the baseline has its sign: "
            f"write +{text} or -{text}"
        )


def _is_number(text: str) -> bool:
    try:
        units.number(text)
    except ValueError:
        return False
    return True


_READERS: Final[Mapping[Quantity, Callable[[Metric, str], float]]] = {
    "time": _time,
    "rate": _rate,
    "share": _share,
    "bytes": _size,
    "count": _count,
}
_NEEDED: Final[Mapping[Quantity, str]] = {
    "time": f"a time with its unit ({_TIMES})",
    "rate": "a number per second, such as 5000, 5k or 5000/s",
    "share": "a percentage, such as 1%",
    "bytes": "a size with its unit, such as 200MB or 64MiB",
    "count": "a whole number, such as 100 or 5k",
}
