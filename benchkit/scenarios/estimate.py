"""How long a plan takes, in words."""

from __future__ import annotations

from benchkit.scenarios.matrix import RunPlan


def seconds(plan: RunPlan) -> float:
    """Return the time that the runs of a plan should take in s, builds not counted."""
    return len(plan.cells) * plan.repeats * plan.run_s


def estimate(plan: RunPlan) -> str:
    """Return that in words: `about 4 min`."""
    return about(seconds(plan))


def about(duration_s: float) -> str:
    """Return a duration in words, no finer than anybody can know: `about 4 min`."""
    if duration_s < 90:
        return f"about {max(round(duration_s / 5) * 5, 5)} s"
    if duration_s < 90 * 60:
        return f"about {round(duration_s / 60)} min"
    return f"about {duration_s / 3600:.1f} h"
