"""What was measured of each endpoint: quantiles as medians over runs, failures over all runs."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.compare import Comparison
from benchkit.compare.slices import quantiles
from benchkit.measured import trusted_below

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.results import Results

_QUANTILES: Final = (0.5, 0.99)
_HOST: Final = re.compile(r"^(\S+ )?[a-z]+://[^/\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measured:
    """One endpoint of one variant.

    Attributes:
        p50_s: None where it is withheld; p99 also where a run has fewer than 100 requests.
        failed: Share without a response of status 200 to 399; None where outcomes are unknown.
    """

    requests: int
    p50_s: float | None
    p99_s: float | None
    failed: float | None


def by_endpoint(results: Results, comparison: Comparison) -> dict[str, dict[str, Measured]]:
    """Return per endpoint and variant what was measured, the busiest endpoint first.

    An endpoint is a method and a URL, without the host where that tells nothing apart.
    """
    owner = {run_id: one.label for one in comparison.variants for run_id in one.run_ids}
    frame = results.histogram
    frame = frame[frame["run_id"].isin(list(owner)) & frame["endpoint"].notna()]
    names = _names(frame)
    if len(set(names.values())) < 2:
        return {}
    below = {one.label: trusted_below(one) for one in comparison.variants}
    parts: dict[tuple[str, str], list[pd.DataFrame]] = defaultdict(list)
    for (run_id, endpoint), part in frame.groupby(["run_id", "endpoint"], sort=False):
        parts[names[str(endpoint)], owner[str(run_id)]].append(part)
    found: dict[str, dict[str, Measured]] = defaultdict(dict)
    for (name, label), runs in parts.items():
        found[name][label] = _measured(runs, below[label])
    busiest = sorted(found, key=lambda name: -sum(one.requests for one in found[name].values()))
    return {name: found[name] for name in busiest}


def _names(frame: pd.DataFrame) -> Mapping[str, str]:
    """Return the name of each endpoint: runs may have had a server on a port of their own."""
    pairs = frame[["run_id", "endpoint"]].drop_duplicates()
    names = {str(one): _HOST.sub(r"\1", str(one)) or str(one) for one in pairs["endpoint"].unique()}
    for _, part in pairs.groupby("run_id"):
        here = [names[str(one)] for one in part["endpoint"]]
        if len(set(here)) < len(here):
            return {one: one for one in names}
    return names


def _measured(runs: list[pd.DataFrame], below: float) -> Measured:
    each = [_quantiles_of(part) for part in runs]
    middles = [statistics.median(values) if (values := _known(each, n)) else None for n in (0, 1)]
    p50, p99 = (
        value if q < below - 1e-9 else None for q, value in zip(_QUANTILES, middles, strict=True)
    )
    total = sum(int(part["count"].sum()) for part in runs)
    told = all(part["outcome"].notna().all() for part in runs)
    bad = sum(int(part.loc[part["outcome"] != "success", "count"].sum()) for part in runs)
    return Measured(total, p50, p99, bad / total if told and total else None)


def _known(each: list[tuple[float | None, ...]], place: int) -> list[float]:
    values = [one[place] for one in each]
    return [value for value in values if value is not None] if None not in values else []


def _quantiles_of(part: pd.DataFrame) -> tuple[float | None, ...]:
    low = np.asarray(part["latency_low_s"], float)
    high = np.asarray(part["latency_high_s"], float)
    bins, first, where = np.unique(low, return_index=True, return_inverse=True)
    counts = np.zeros(len(bins), np.int64)
    np.add.at(counts, where, np.asarray(part["count"], np.int64))
    found = quantiles(counts, np.stack([bins, high[first]]), np.array(_QUANTILES))[0]
    total = int(counts.sum())
    return tuple(
        float(value) if total * (1 - q) >= 1 - 1e-9 else None
        for q, value in zip(_QUANTILES, found, strict=True)
    )
