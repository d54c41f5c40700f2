"""How many requests of a run failed, as far as its counts tell."""

from __future__ import annotations

from typing import Final

from benchkit import registry
from benchkit.model.run import Run

#: The figure of the step to which a tool rounds its errors.
ROUNDED_ERRORS: Final = ("errors", "step")
#: From this status on an answer is a failure.
_REFUSED_FROM: Final = 400


def requests_sent(run: Run) -> int:
    """Return the requests with those that got no answer, 0 where they are not known.

    Where a tool rounds its count away, throughput and duration tell how many were answered.
    """
    requests, rate, duration = (
        run.number(name) for name in ("requests", "throughput_rps", "duration_s")
    )
    lost = 0.0 if run.number("errors") is None else unanswered(run)
    if requests is None and rate is not None and duration is not None:
        return round(rate * duration + lost)
    if requests is None:
        return 0
    among = registry.tool(run.tool).errors_are_requests
    return round(requests if among else requests + lost)


def unanswered(run: Run) -> float:
    """Return the requests that got no answer, as far as it is known of which none came.

    Where they are not counted, those that have a row.
    """
    errors = run.number("errors")
    if errors is None:
        return run.statuses.get(0, 0)
    return max(errors - late_answers(run) - waiting_connections(run), 0.0)


def late_answers(run: Run) -> int:
    """Return the timeouts that are counted among errors although an answer came."""
    return int(run.get("timeouts") or 0) if registry.tool(run.tool).answers_late else 0


def error_ratio(run: Run) -> float | None:
    """Return the share of requests that failed, None where the counts do not tell.

    Where only that is known it is the share that got no 2xx, redirects among them; where one kind
    of failure is not known that of the other, and where neither is that of the named errors,
    unless it is 0.
    """
    success = run.number("success_ratio")
    if success is not None:
        return max(0.0, round(1.0 - success, 12))  # 1 % is no 1.0000000000000009 %
    sent, failed = requests_sent(run), unanswered(run) + (run.number("non2xx") or 0.0)
    if not failed and run.number("errors") is None:
        failed = sum(filter(None, run.errors.values()))
    if not sent or (not failed and _is_partly_known(run)):
        return None
    return min(1.0, failed / sent)


def error_bounds(run: Run) -> tuple[float, float] | None:
    """Return between which shares the requests that failed are, None where nothing tells.

    What is only known to be no 2xx may be redirects, which are answers like any other, and a
    timeout of a waiting connection no lost request; a count may be rounded.
    """
    share = error_ratio(run)
    if share is None or run.number("success_ratio") is not None:
        return None if share is None else (share, share)
    lost, half = unanswered(run), (run.figure(*ROUNDED_ERRORS) or 0.0) / 2
    if run.number("errors") is None and run.number("non2xx") is None:
        return share, 1.0
    other, waiting = run.number("non2xx") or 0.0, waiting_connections(run)
    certain = max(lost - half, 0.0) + (0.0 if may_redirect(run) else other)
    low = certain / max(requests_sent(run) - half, 1.0)
    high = (lost + half + other + waiting) / (requests_sent(run) + half + waiting)
    return min(low, 1.0), 1.0 if _is_partly_known(run) else min(high, 1.0)


def may_redirect(run: Run) -> bool:
    """Whether redirects may be among the answers that are counted as no 2xx."""
    return bool(run.number("non2xx")) and counts_redirects(run)


def counts_redirects(run: Run) -> bool:
    """Whether a tool counts redirects among the answers that are no 2xx."""
    return registry.tool(run.tool).non2xx_from < _REFUSED_FROM


def waiting_connections(run: Run) -> int:
    """Return the timeouts of which nobody knows whether a request was lost."""
    waits = registry.tool(run.tool).timeouts == "waiting"
    return int(run.get("timeouts") or 0) if waits else 0


def _is_partly_known(run: Run) -> bool:
    """Whether there may be failures of a kind that is not counted, or counted among others."""
    known = (run.number(name) for name in ("errors", "non2xx"))
    return None in known or bool(run.figure("Failed requests: Length", "total"))
