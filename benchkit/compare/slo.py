"""Service-level objectives as they are typed: `p99<50ms`, `errors<=1%`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.errors import UsageError
from benchkit.model.limit import LimitError, absolute
from benchkit.model.metric import ERROR_RATIO, Metric
from benchkit.model.metric import metric as named_metric

_PATTERN: Final = re.compile(r"\s*+([\w.]++)\s*+(<=?|>=?)\s*+([0-9.][\w.%/ µμ]*+)")
_LONGEST: Final = 60
_HINT: Final = "write for example 'p99<50ms', 'errors<1%' or 'goodput>1000'"


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
    match = _PATTERN.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise UsageError(f"no objective '{show.clean(text, limit=_LONGEST)}': {_HINT}")
    name, sign, limit = match.groups()
    metric = ERROR_RATIO if name == "errors" else named_metric(name)
    try:
        bound, shown = absolute(metric, limit)
    except LimitError as error:
        raise UsageError(f"objective '{show.clean(text, limit=_LONGEST)}': {error}") from None
    return Objective(metric, sign[0] == ">", len(sign) == 2, bound, f"{name}{sign}{shown}")
