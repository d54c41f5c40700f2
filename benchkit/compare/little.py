"""What a printed summary implies by Little's law, without any assumption about its latencies.

On `c` connections at most `c` requests (times the pipelining) are in flight, so throughput times
mean latency cannot exceed it. A closed loop without think time keeps nearly all of them busy,
which makes the bound the better estimate of the mean where a tool adds samples of its own.
"""

from __future__ import annotations

from typing import Final

from benchkit import format as show
from benchkit.model.run import Run

#: Above this share of requests in flight, the printed mean contradicts the printed throughput.
_IMPOSSIBLE: Final = 1.05


def largest_mean_s(run: Run) -> float | None:
    """Return the largest mean latency that the throughput of a run allows, in s.

    None for an open loop or without the figures.
    """
    connections, throughput = run.number("connections"), run.number("throughput_rps")
    if run.get("load_model") == "open" or not connections or not throughput:
        return None
    return connections * float(run.get("pipelining") or 1) / throughput


def little_remarks(baseline: Run, variant: Run) -> list[str]:
    """Return what the bounds say about two means, in words; nothing where they say nothing."""
    first, second = largest_mean_s(baseline), largest_mean_s(variant)
    if first is None or second is None:
        return []
    text = (
        f"by Little's law the means are at most {show.duration(first)} and {show.duration(second)}"
    )
    printed = [
        (run.number("latency_mean_s"), most) for run, most in ((baseline, first), (variant, second))
    ]
    if any(mean is not None and mean > _IMPOSSIBLE * most for mean, most in printed):
        text += f", less than printed: a change of {show.change(second / first)}"
    return [text]
