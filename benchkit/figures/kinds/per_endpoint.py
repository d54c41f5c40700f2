"""What was measured of each endpoint: quantiles as medians over runs, failures over all runs."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.counting.cells import quantiles
from benchkit.counting.slices import OUTCOMES, SLICE_PRECISION
from benchkit.distribution import added, bounds_of
from benchkit.model.comparison import Comparison

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.cells import Cells

    _Whole = npt.NDArray[np.int64]

_QUANTILES: Final = (0.5, 0.99)
_HOST: Final = re.compile(r"^(\S+ )?[a-z]+://[^/\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EndpointFigures:
    """One endpoint of one variant.

    Attributes:
        p50_s: None where it is withheld; p99 also where a run has fewer than 100 requests.
        failed: Share without a response of status 200 to 399; None where outcomes are unknown.
    """

    requests: int
    p50_s: float | None
    p99_s: float | None
    failed: float | None


#: Per endpoint and label of the variant.
ByEndpoint = Mapping[str, Mapping[str, EndpointFigures]]


@dataclass(frozen=True, slots=True)
class _EndpointCells:
    """One endpoint of one run: requests by outcome and by latency bin."""

    outcomes: _Whole
    bins: _Whole
    counts: _Whole

    @property
    def requests(self) -> int:
        return int(self.counts.sum())

    def quantiles_s(self) -> list[float | None]:
        """Return `_QUANTILES`, None for those that so few requests do not have."""
        bins, counts = added(self.bins, self.counts)
        bounds = np.stack(bounds_of(bins, precision=SLICE_PRECISION)) / 1e9
        known = quantiles(counts, bounds, np.array(_QUANTILES))[0].tolist()
        return [
            value if self.requests * (1 - q) >= 1 - 1e-9 else None
            for q, value in zip(_QUANTILES, known, strict=True)
        ]

    def with_outcome(self, name: str) -> int:
        return int(self.counts[self.outcomes == OUTCOMES.index(name)].sum())


def by_endpoint(comparison: Comparison) -> ByEndpoint:
    """Return per endpoint and variant what was measured, the busiest endpoint first.

    An endpoint is a method and a URL, without the host where that tells nothing apart. Nothing
    is returned where there is only one.
    """
    per_run = [
        (label, _parts(run.counts.cells))
        for label in comparison.order
        for run in comparison.by_label[label].runs
        if run.counts.cells is not None
    ]
    names = _names([list(parts) for _, parts in per_run])
    if len(set(names.values())) < 2:
        return {}
    listed: dict[str, dict[str, list[_EndpointCells]]] = defaultdict(lambda: defaultdict(list))
    for label, parts in per_run:
        for endpoint, part in parts.items():
            listed[names[endpoint]][label].append(part)
    made = {
        name: {
            label: _figures(parts, comparison.by_label[label].trusted_below)
            for label, parts in by_label.items()
        }
        for name, by_label in listed.items()
    }
    busiest = sorted(made, key=lambda name: -sum(each.requests for each in made[name].values()))
    return {name: made[name] for name in busiest}


def _parts(cells: Cells) -> dict[str, _EndpointCells]:
    """Return the requests of one run by endpoint, those without one left out."""
    order = np.argsort(cells.endpoints, kind="stable")
    numbers, starts = np.unique(cells.endpoints[order], return_index=True)
    parts = {}
    for number, inside in zip(numbers.tolist(), np.split(order, starts[1:]), strict=True):
        name = cells.names[number]
        if name is not None:
            parts[name] = _EndpointCells(
                cells.outcomes[inside], cells.bins[inside], cells.counts[inside]
            )
    return parts


def _names(per_run: Sequence[Sequence[str]]) -> Mapping[str, str]:
    """Return the name of each endpoint: runs may have had a server on a port of their own."""
    every = dict.fromkeys(name for names in per_run for name in names)
    short = {name: _HOST.sub(r"\1", name) or name for name in every}
    if any(len({short[name] for name in names}) < len(names) for names in per_run):
        return {name: name for name in every}
    return short


def _figures(parts: Sequence[_EndpointCells], below: float) -> EndpointFigures:
    p50, p99 = (
        _median(values) if quantile < below else None
        for quantile, values in zip(
            _QUANTILES, zip(*(part.quantiles_s() for part in parts), strict=True), strict=True
        )
    )
    total = sum(part.requests for part in parts)
    unknown = sum(part.with_outcome("") for part in parts)
    bad = total - sum(part.with_outcome("success") for part in parts)
    return EndpointFigures(total, p50, p99, bad / total if total and not unknown else None)


def _median(values: Sequence[float | None]) -> float | None:
    """Return the median over runs, None where one of them has no such value."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if len(known) == len(values) else None
