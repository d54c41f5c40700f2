"""What was measured of each endpoint: quantiles as medians over runs, failures over all runs."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from benchkit.counting.cells import quantiles
from benchkit.counting.distribution import bounds_of
from benchkit.counting.slices import OUTCOMES, SLICE_PRECISION
from benchkit.model.comparison import Comparison

if TYPE_CHECKING:
    from benchkit.counting.cells import Cells

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


class _EndpointCounts(NamedTuple):
    """One endpoint of one run; of so few requests that they have no p99 that is None."""

    requests: int
    unknown: int
    good: int
    quantiles_s: tuple[float | None, ...]


def by_endpoint(comparison: Comparison) -> ByEndpoint:
    """Return per endpoint and variant what was measured, the busiest endpoint first.

    An endpoint is a method and a URL, without the host where that tells nothing apart. Nothing
    is returned where there is only one.
    """
    per_run = [
        (label, run.counts.cells)
        for label in comparison.order
        for run in comparison.by_label[label].runs
        if run.counts.cells is not None
    ]
    names = _names([_endpoints(cells) for _, cells in per_run])
    if len(set(names.values())) < 2:
        return {}
    listed: dict[str, dict[str, list[_EndpointCounts]]] = defaultdict(lambda: defaultdict(list))
    for label, cells in per_run:
        for endpoint, part in _parts(cells).items():
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


def _endpoints(cells: Cells) -> list[str]:
    """Return the endpoints to which requests of a run went."""
    names = (cells.names[number] for number in np.unique(cells.endpoints))
    return [name for name in names if name is not None]


def _parts(cells: Cells) -> dict[str, _EndpointCounts]:
    """Return what was counted of each endpoint in one run, requests without one left out."""
    bins, column = np.unique(cells.bins, return_inverse=True)
    counts = np.zeros((len(cells.names), len(bins)), np.int64)
    np.add.at(counts, (cells.endpoints, column), cells.counts)
    outcomes = np.zeros((len(cells.names), len(OUTCOMES)), np.int64)
    np.add.at(outcomes, (cells.endpoints, cells.outcomes), cells.counts)
    bounds = np.stack(bounds_of(bins, precision=SLICE_PRECISION)) / 1e9
    latencies = quantiles(counts, bounds, np.array(_QUANTILES))
    parts = {}
    for name, each, row in zip(cells.names, outcomes.tolist(), latencies.tolist(), strict=True):
        total = sum(each)
        if total and name is not None:
            by_outcome = dict(zip(OUTCOMES, each, strict=True))
            known = (
                latency if total * (1 - quantile) >= 1 - 1e-9 else None
                for quantile, latency in zip(_QUANTILES, row, strict=True)
            )
            parts[name] = _EndpointCounts(
                total, by_outcome[""], by_outcome["success"], tuple(known)
            )
    return parts


def _names(per_run: Sequence[Sequence[str]]) -> Mapping[str, str]:
    """Return the name of each endpoint: runs may have had a server on a port of their own."""
    every = dict.fromkeys(name for names in per_run for name in names)
    short = {name: _HOST.sub(r"\1", name) or name for name in every}
    if any(len({short[name] for name in names}) < len(names) for names in per_run):
        return {name: name for name in every}
    return short


def _figures(parts: Sequence[_EndpointCounts], below: float) -> EndpointFigures:
    per_quantile = zip(*(part.quantiles_s for part in parts), strict=True)
    p50, p99 = (
        # Known over the runs where each of them has it.
        statistics.median(values) if quantile < below and None not in values else None
        for quantile, values in zip(_QUANTILES, per_quantile, strict=True)
    )
    total = sum(part.requests for part in parts)
    bad = total - sum(part.good for part in parts)
    known = total and not any(part.unknown for part in parts)
    return EndpointFigures(total, p50, p99, bad / total if known else None)
