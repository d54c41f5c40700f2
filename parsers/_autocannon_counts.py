"""The counts of a printed run, and what follows from them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from benchkit import units
from benchkit.parsing import RunRecord

from . import _autocannon_lines as lines
from ._autocannon import count_errors
from ._autocannon_printouts import Printout

_COUNT: Final = r"[0-9]{1,18}"


def interval(printout: Printout) -> float:
    """Return the length of a sample of Req/Sec in s (`-L`)."""
    sampled = printout.tails.get("sampled")
    value = units.number(sampled[2]) if sampled and sampled[2] else 1.0
    return value if value > 0 else 1.0


def samples(printout: Printout) -> float:
    """Return the number of samples of Req/Sec, 0 where it is not printed.

    Every worker counts its own, and they are added up before they are recorded.
    """
    printed, summary = printout.tails.get("samples"), printout.tails.get("summary")
    workers = (printout.head.workers if printout.head else None) or 1
    if printed and (printout.head or not summary):
        return int(printed[1]) / workers
    return units.number(summary[3]) / interval(printout) if summary else 0.0


def add_counts(run: RunRecord, printout: Printout, average: Decimal | None) -> None:
    """Add what the lines below the tables say.

    Args:
        run: Where it goes.
        printout: The printed parts.
        average: The average of the Req/Sec row.
    """
    _add_samples(run, printout)
    answered = _add_statuses(run, printout)
    summary = _add_summary(run, printout)
    if summary is not None:
        run.columns.setdefault("non2xx", 0)
    exact = _add_errors(run, printout, cut=_errors_cut(printout, summary, average, answered))
    _add_requests(run, printout, summary, answered)
    _add_others(run, printout)
    if summary is not None:
        _add_success(run, answered, exact_errors=exact, average=average)


def _add_samples(run: RunRecord, printout: Printout) -> None:
    if sampled := printout.tails.get("sampled"):
        metric, seconds = "Req/Bytes counts sampled", interval(printout)
        run.figure(metric, "value", seconds, unit="s", printed=sampled[1])
    if counted := printout.tails.get("samples"):
        run.figure("# of samples", "total", int(counted[1]), printed=counted[1])


def _add_statuses(run: RunRecord, printout: Printout) -> int | None:
    """Return the number of responses, where it is printed to the last digit."""
    answered: int | None = None
    if printout.codes is not None:
        for row in printout.codes.rows:
            if re.fullmatch(r"[1-9][0-9]{2}", row.label) and re.fullmatch(_COUNT, row.cells[""]):
                run.statuses[int(row.label)] = int(row.cells[""])
        answered = sum(run.statuses.values()) or None
    printed = printout.tails.get("statuses")
    if printed is not None:
        good, other = int(printed[1]), int(printed[2])
        run.columns["non2xx"] = other
        run.figure("2xx responses", "total", good, printed=printed[1])
        answered = good + other
    return answered


def _add_summary(run: RunRecord, printout: Printout) -> lines.Count | None:
    summary = printout.tails.get("summary")
    if summary is None:
        return None
    count = lines.Count.of(summary[1], summary[2])
    run.figure("requests in", "total", count.value, printed=count.printed)
    run.columns["duration_s"] = units.number(summary[3])
    received = round(units.octets(summary[4], base=1000))
    if received < 2**63:
        run.columns["received_bytes"] = received
    return count


def _add_requests(
    run: RunRecord, printout: Printout, summary: lines.Count | None, answered: int | None
) -> None:
    """Add the number of responses, where it is known to the last digit.

    From 7.4 on the summary counts requests sent, and those still unanswered at
    the end are part of it; 7.7 and later are known by their `# of samples`.

    Source: autocannon 7.3, 7.4, 7.7 and 8.0 `lib/printResult.js`.
    """
    if answered is not None and summary is not None:
        run.columns["requests"] = answered
    if answered is not None or summary is None or not summary.exact:
        return
    counts_sent = "samples" in printout.tails or not printout.has_table
    asked = printout.head.asked.removesuffix(" requests") if printout.head else ""
    all_answered = asked == summary.printed and not run.columns.get("errors")
    if not counts_sent or all_answered:
        run.columns["requests"] = summary.value


def _errors_cut(
    printout: Printout, summary: lines.Count | None, average: Decimal | None, answered: int | None
) -> bool:
    """Whether far more was sent than answered, and no line says why."""
    if summary is None or "errors" in printout.tails or average is None:
        return False
    done = answered if answered is not None else float(average) * samples(printout)
    head = printout.head
    flying = (head.connections or 0) * (head.pipelining or 1) if head else 0
    return summary.least > 2 * done + flying + 1


def _add_errors(run: RunRecord, printout: Printout, *, cut: bool) -> bool:
    """Add the errors; return True where their number is known to the last digit."""
    printed = printout.tails.get("errors")
    if printed is None:
        if cut:
            run.notes.append(
                "far more requests were sent than answered: the line with the errors is missing"
            )
        elif "summary" in printout.tails:
            run.columns |= {"errors": 0, "timeouts": 0}
            return True
        return False
    errors = lines.Count.of(printed[1], printed[2])
    timeouts = lines.Count.of(printed[3], printed[4]) if printed[3] else None
    run.columns["errors"] = errors.value
    if timeouts is not None:
        run.columns["timeouts"] = timeouts.value
    for metric, count in (("errors", errors), ("timeouts", timeouts)):
        if count is not None and not count.exact:
            run.figure(metric, "total", count.value, printed=count.printed)
    if errors.exact:
        run.errors = count_errors(errors.value, timeouts.value if timeouts else None)
    return errors.exact


def _add_others(run: RunRecord, printout: Printout) -> None:
    for matched, metric in (
        (printout.tails.get("mismatches"), "requests with mismatched body"),
        (printout.tails.get("resets"), "request pipeline was reset"),
    ):
        if matched is not None:
            count = lines.Count.of(matched[1], matched[2])
            run.figure(metric, "total", count.value, printed=count.printed)


def _add_success(
    run: RunRecord, answered: int | None, *, exact_errors: bool, average: Decimal | None
) -> None:
    """Add goodput and success ratio where the printed counts allow them."""
    throughput = run.columns.get("throughput_rps")
    errors = run.columns.get("errors")
    share: float | None = None
    if run.statuses and answered == sum(run.statuses.values()):
        good = sum(n for code, n in run.statuses.items() if 200 <= code < 400)
        share = good / answered
        if exact_errors and errors is not None:
            run.columns["success_ratio"] = good / (answered + errors)
    elif run.columns.get("non2xx") == 0:
        share = 1.0
        if errors == 0:
            run.columns["success_ratio"] = 1.0
    if average is not None and not average and errors:
        run.columns["success_ratio"] = 0.0  # nothing was answered
    if share is not None and throughput is not None:
        run.columns["goodput_rps"] = throughput * share
