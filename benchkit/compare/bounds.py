"""What a printed summary implies by Little's law, without any assumption about its latencies.

On `c` connections at most `c` requests (times the pipelining) are in flight, so throughput times
mean latency cannot exceed it. A closed loop without think time keeps nearly all of them busy,
which makes the bound the better estimate of the mean where a tool adds samples of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchkit import format as show

#: Above this share of requests in flight, the printed mean contradicts the printed throughput.
_IMPOSSIBLE: Final = 1.05


@dataclass(frozen=True, slots=True)
class Bound:
    """Of one run: the largest mean latency that its throughput allows, and what was printed."""

    most_s: float
    printed_s: float | None

    @property
    def in_flight(self) -> float | None:
        """Share of the possible requests in flight that the printed mean would need."""
        return None if self.printed_s is None else self.printed_s / self.most_s


def mean_bound(run: Mapping[str, Any]) -> Bound | None:
    """Return the bound of a row of `runs`; None for an open loop or without the figures."""
    connections, throughput = run["connections"], run["throughput_rps"]
    if run["load_model"] == "open" or not connections or not throughput:
        return None
    mean = run["latency_mean_s"]
    most = float(connections) * float(run["pipelining"] or 1) / float(throughput)
    return Bound(most, None if mean is None else float(mean))


def bound_remarks(baseline: Mapping[str, Any], variant: Mapping[str, Any]) -> list[str]:
    """Return what the bounds say about two means, in words; nothing where they say nothing."""
    bounds = [mean_bound(run) for run in (baseline, variant)]
    if bounds[0] is None or bounds[1] is None:
        return []
    first, second = bounds[0], bounds[1]
    text = (
        f"by Little's law the means are at most {show.duration(first.most_s)} "
        f"and {show.duration(second.most_s)}"
    )
    shares = [one.in_flight for one in (first, second)]
    if any(share is not None and share > _IMPOSSIBLE for share in shares):
        ratio = show.factor(second.most_s / first.most_s)
        text += f", less than printed: {ratio} rather than the printed ratio"
    return [text]
