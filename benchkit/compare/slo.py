"""Service-level objectives as they are typed: `p99<50ms`, `error_ratio<=1%`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.errors import UsageError
from benchkit.model.metric import Metric, Quantity
from benchkit.model.metric import metric as named_metric

_PATTERN: Final = re.compile(
    r"\s*+([\w.]++)\s*+(<=?|>=?)\s*+((?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++))\s*+([a-zµμ%/]*+)\s*+"
)
_SECONDS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0}
_RATES: Final = {"": 1.0, "/s": 1.0, "rps": 1.0}
#: Per quantity the units of a bound, and what it needs in words.
_UNITS: Final[Mapping[Quantity, tuple[Mapping[str, float], str]]] = {
    "time": (_SECONDS, f"a time with its unit ({', '.join(_SECONDS)})"),
    "share": ({"%": 0.01, "": 1.0}, "a percentage or a share"),
    "bytes": ({"": 1.0, "b": 1.0}, "a plain number"),
    "rate": (_RATES, "a plain number"),
    "count": (_RATES, "a plain number"),
}
_HINT: Final = "write for example 'p99<50ms', 'error_ratio<1%' or 'goodput>1000'"


@dataclass(frozen=True, slots=True)
class Objective:
    """A bound on one metric, in base units."""

    metric: Metric
    above: bool
    inclusive: bool
    bound: float
    text: str

    def met(self, values: Mapping[str, float | None]) -> bool | None:
        """Whether a run keeps within the bound; None where it does not tell."""
        value = values.get(self.metric.name)
        if value is None:
            return None
        if value == self.bound:
            return self.inclusive
        return (value > self.bound) == self.above


def objective(text: str) -> Objective:
    """Return an objective from its text.

    Raises:
        UsageError: it is not a metric, a comparison and a quantity of that metric.
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise UsageError(f"no objective '{show.clean(text, limit=60)}': {_HINT}")
    name, sign, digits, unit = match.groups()
    metric = named_metric(name)
    units, needed = _UNITS[metric.quantity]
    scale = units.get(unit)
    if scale is None:
        raise UsageError(f"objective '{show.clean(text, limit=60)}': {name} needs {needed}")
    return Objective(
        metric, sign[0] == ">", len(sign) == 2, float(digits) * scale, f"{name}{sign}{digits}{unit}"
    )
