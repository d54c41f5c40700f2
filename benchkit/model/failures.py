"""How many requests of a run failed, as far as its counts tell."""

from __future__ import annotations

from benchkit import registry
from benchkit.model.run import Run


def requests_sent(run: Run) -> int:
    """Return the requests with those that got no answer, 0 where they are not known.

    Where a tool rounds its count away, throughput and duration tell how many were answered.
    """
    requests, rate, duration = (
        run.number(name) for name in ("requests", "throughput_rps", "duration_s")
    )
    if requests is None and rate is not None and duration is not None:
        return round(rate * duration + _lost(run))
    if requests is None:
        return 0
    among = registry.tool(run.tool).errors_are_requests
    return round(requests if among else requests + _lost(run))


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
    sent, failed = requests_sent(run), _lost(run) + (run.number("non2xx") or 0.0)
    if not failed and run.number("errors") is None:
        failed = sum(filter(None, run.errors.values()))
    if not sent or (not failed and _is_partly_known(run)):
        return None
    return min(1.0, failed / sent)


def error_bounds(run: Run) -> tuple[float, float] | None:
    """Return between which shares the requests that failed are, None where nothing tells.

    What is only known to be no 2xx may be redirects, which are answers like any other.
    """
    share = error_ratio(run)
    if share is None or run.number("success_ratio") is not None:
        return None if share is None else (share, share)
    if _is_partly_known(run):
        return (share if run.number("non2xx") is None else 0.0), 1.0
    return min(1.0, _lost(run) / requests_sent(run)), share


def _lost(run: Run) -> float:
    return max((run.number("errors") or 0.0) - late_answers(run), 0.0)


def _is_partly_known(run: Run) -> bool:
    """Whether there may be failures of a kind that is not counted, or counted among others."""
    known = (run.number(name) for name in ("errors", "non2xx"))
    return None in known or bool(run.figure("Failed requests: Length", "total"))
