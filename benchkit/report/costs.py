"""What each variant took of the machine, where that was sampled: processor time and memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchkit.assessment import LEAST_CONFIDENCE, Assessed
from benchkit.compare import Metric
from benchkit.compare.measures import MEASURES
from benchkit.compare.rows import Row

_NAMES: Final = ("cpu_per_request", "rss")


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost over the variants of a comparison.

    Attributes:
        values: By the label of a variant, in base units.
        rows: What was inferred of it, by the label of a variant.
    """

    metric: Metric
    values: Mapping[str, float | None]
    rows: Mapping[str, Row]

    def column(self, labels: tuple[str, ...]) -> list[float | None]:
        """Return the values of these variants."""
        return [self.values.get(label) for label in labels]


def costs(comparison: Assessed) -> list[Cost]:
    """Return the costs that at least two variants have."""
    found = [_cost(comparison, name) for name in _NAMES]
    return [one for one in found if sum(v is not None for v in one.values.values()) > 1]


def _cost(comparison: Assessed, name: str) -> Cost:
    rows = {row.variant: row for row in comparison.rows if row.metric == name}
    known = [row for row in rows.values() if row.baseline_value is not None]
    bases = {row.baseline: row.baseline_value for row in known}
    values = bases | {label: row.value for label, row in rows.items()}
    return Cost(MEASURES[name].metric, values, rows)


def has_interval(row: Row) -> bool:
    """Whether enough runs stand behind the interval of a row."""
    return row.ci_low is not None and (row.confidence or 0.0) >= LEAST_CONFIDENCE
