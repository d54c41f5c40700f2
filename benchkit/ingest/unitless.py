"""Latencies whose unit the output does not state: what else says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from benchkit.errors import InputError
from benchkit.parsing import RunRecord, Unitless

#: Seconds in each unit that a latency may be in, by the name that metadata give.
UNITS: Final[Mapping[str, str]] = {"ns": "1e-9", "us": "1e-6", "ms": "1e-3", "s": "1"}
_WORDS: Final = {"nanos": "ns", "micros": "us", "millis": "ms", "µs": "us", "usec": "us"}
#: A unit as a word of a file name: `latency-us.hlog`, `read_ms.hgrm`. A single s may be anything.
_IN_NAME: Final = re.compile(
    r"(?<![^\W_])(ns|us|µs|ms|usec|nanos|micros|millis|seconds|sec)(?:econds)?(?![^\W_])"
)
_SECONDS: Final = frozenset({"seconds", "sec"})


def unit_in_name(name: str) -> str | None:
    """Return the unit that the last part of a path names, None if it names none or several."""
    words = {match[1] for match in _IN_NAME.finditer(re.split(r"[/\\]", name)[-1].lower())}
    named = {"s" if word in _SECONDS else _WORDS.get(word, word) for word in words}
    return named.pop() if len(named) == 1 else None


def settle(record: RunRecord, *, given: str | None, name: str) -> InputError | None:
    """Give a run its latencies, where the output, metadata or the name of the file say the unit.

    Without one the values stay figures, and what is returned says what to write.
    """
    values = record.unitless
    if values is None:
        return None
    unit = values.unit or given or unit_in_name(name)
    if unit is None:
        _keep(record, values)
        return InputError(
            f"the unit of its values ({', '.join(UNITS)}), without which they are no latencies",
            actual="none",
            hint='write it into meta.json beside the file, as {"unit": "us"}',
            source=name,
        )
    record.unitless = None
    record.columns |= {column: _seconds(v, unit) for column, v in values.columns.items()}
    for quantile, value in values.quantiles:
        record.quantile(quantile, _seconds(value, unit))
    return None


def _seconds(value: float, unit: str) -> float:
    return float(Decimal(repr(value)) * Decimal(UNITS[unit]))


def _keep(record: RunRecord, values: Unitless) -> None:
    for column, value in values.columns.items():
        statistic = column.removeprefix("latency_").removesuffix("_s")
        record.figure("Value", {"std": "stdev"}.get(statistic, statistic), value)
    for quantile, value in values.quantiles:
        record.figure("Value", f"p{100 * quantile:.10g}", value)
