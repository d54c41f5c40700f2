"""What plow's figures mean, in text and JSON, and which of them are of one run.

A latency is the time from before a request is handed to fasthttp until its body is read, with
connecting; requests that failed have one, too. It is cut off to whole microseconds.
Percentiles are streaming estimates, off by up to a share of their rank that is narrower
towards the tail. `RPS` counts failed requests, too; `Elapsed` is cut off to a tenth of a
second, so that the duration follows from `Count` and `RPS`.

A request that failed is counted by its error, and where it took the place of an earlier record by
the status of that, too: then the classes of statuses are more than the answers, and which are too
many is not known. fasthttp sends an idempotent request again when its connection broke, and
without --timeout when its answer timed out.

Until it ends plow prints what it has every 200 ms, one report after the other (--summary: only the
last). What a report says is in the next one again, with more.

Source: six-ddc/plow 1.4.0 `report.go`, `print.go`, `requester.go` (DoRequest: `rr.code` is not
reset where it returns with an error; recordPool), `main.go`; beorn7/perks `quantile/stream.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit.parsing import RunRecord

TOOL: Final = "plow"
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "resolution_s": 1e-6,
    "clock": "connect-to-last-byte",
}
QUANTILES: Final = ("50", "75", "90", "95", "99", "99.9", "99.99")
FILLS: Final = ("connections", "requests", "errors")
MAY_FILL: Final = (
    *("duration_s", "non2xx", "throughput_rps", "goodput_rps"),
    *("success_ratio", "latency_min_s", "latency_mean_s", "latency_std_s"),
    *("latency_p50_s", "latency_p75_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"),
    *("latency_p999_s", "latency_max_s"),
)
WHEN: Final[Mapping[str, str]] = {
    "duration_s": "from the requests and their rate",
    **dict.fromkeys(
        ("non2xx", "goodput_rps", "success_ratio"),
        "where no request failed, or failed ones are not counted as answers as well",
    ),
}
_STEP_S: Final = 1e-6
#: So much quicker than all others requests may be between two reports of a run.
_BURST: Final = 50


@dataclass
class Snapshot:
    """One report.

    Attributes:
        rate: Requests a second so far.
        classes: Responses by the first digit of their status, 0 for what has none.
        times: min, mean, std and max in s.
        quantiles: Percentage to latency in s.
        is_last: Whether it is known to be the last of its run, None where that is not printed.
        doubled: Whether an error is printed again: plow prints each once, with its count.
        lost: Whether errors are printed of which nothing could be read.
        lost_quantiles: Whether there are percentiles that could not be read.
    """

    count: int
    rate: float
    concurrency: int | None
    classes: Mapping[int, int]
    errors: Mapping[str, int]
    times: Mapping[str, float]
    quantiles: Mapping[str, float] = field(default_factory=dict)
    is_last: bool | None = None
    doubled: bool = False
    lost: bool = False
    lost_quantiles: bool = False

    @property
    def elapsed_s(self) -> float:
        """How long the run took so far."""
        return self.count / self.rate if self.rate else 0.0


def goes_on(before: Snapshot, after: Snapshot) -> bool:
    """Whether a report is a later one of the run of another."""
    if before.is_last or not _grows(before, after):
        return False
    added = after.count - before.count
    if not added or not before.count:
        return not before.count or after.times == before.times
    in_time = _BURST * (after.elapsed_s - before.elapsed_s) * max(before.rate, after.rate)
    return added <= in_time and _holds(before, after)


def _grows(before: Snapshot, after: Snapshot) -> bool:
    """Whether nothing that is counted is less."""
    pairs = [(before.count, after.count)]
    if before.concurrency is not None and after.concurrency is not None:
        pairs.append((before.concurrency, after.concurrency))
    pairs += [(n, after.classes.get(known, 0)) for known, n in before.classes.items()]
    pairs += [(n, after.errors.get(text, 0)) for text, n in before.errors.items()]
    return all(earlier <= later for earlier, later in pairs)


def _holds(before: Snapshot, after: Snapshot) -> bool:
    """Whether the latencies of one may be among those of another."""
    times = {"min": 0.0, "mean": 0.0, "max": 0.0}
    was, now = {**times, **before.times}, {**times, **after.times}
    if now["min"] > was["min"] or now["max"] < was["max"]:
        return False
    added, slack = after.count - before.count, _STEP_S * (before.count + after.count)
    total = now["mean"] * after.count - was["mean"] * before.count
    return added * now["min"] - slack <= total <= added * now["max"] + slack


def lasts(snapshots: Iterable[Snapshot]) -> Iterator[tuple[int, int]]:
    """Yield the number of the last report of each run, and how many there were before it."""
    earlier, previous, at = 0, None, -1
    for at, snapshot in enumerate(snapshots):
        if previous is not None:
            if goes_on(previous, snapshot):
                earlier += 1
            else:
                yield at - 1, earlier
                earlier = 0
        previous = snapshot
    if previous is not None:
        yield at, earlier


def fill(record: RunRecord, snapshot: Snapshot, *, earlier: int = 0) -> None:
    """Add what a report says of its run."""
    count, failed = snapshot.count, sum(snapshot.errors.values())
    answered = max(count - failed, 0)
    record.errors = dict(snapshot.errors)
    record.columns |= {
        "requests": count,
        "errors": min(failed, count),
    }
    if snapshot.concurrency is not None:
        record.columns["connections"] = snapshot.concurrency
    else:
        record.damaged("'Concurrency' is missing, and so are the connections")
    if snapshot.doubled:
        record.damaged("an error that stands there twice is counted once")
    if snapshot.lost:
        record.damaged("the errors are missing, and what follows from them")
        record.columns.pop("errors")
        return
    if snapshot.lost_quantiles:
        record.damaged("the percentiles are missing: their table could not be read")
    if snapshot.rate and count:
        record.columns["duration_s"] = snapshot.elapsed_s
        record.columns["throughput_rps"] = snapshot.rate * (answered / count)
    _add_classes(record, snapshot, answered)
    if answered:
        _add_latencies(record, snapshot)
    elif count:
        record.notes.append("no answer: the latencies in the output are those of failed requests")
    if earlier:
        record.notes.append(f"earlier reports of the same run, left out: {earlier}")
    if snapshot.is_last is False:
        record.damaged("plow was ended before the last report: this is what it had until then")


def _add_classes(record: RunRecord, snapshot: Snapshot, answered: int) -> None:
    for known, n in snapshot.classes.items():
        name = f"{known}xx" if known else "other statuses"
        record.figure(name, "total", n, printed=str(n))
    if sum(snapshot.classes.values()) != answered:
        record.notes.append(
            "plow counts failed requests with statuses of earlier ones: how many answers "
            "had which status is not known"
        )
        return
    good = sum(snapshot.classes.get(known, 0) for known in (2, 3))
    record.columns["non2xx"] = answered - snapshot.classes.get(2, 0)
    if snapshot.count:
        record.columns["success_ratio"] = good / snapshot.count
        record.columns["goodput_rps"] = snapshot.rate * (good / snapshot.count)


def _add_latencies(record: RunRecord, snapshot: Snapshot) -> None:
    record.columns |= {f"latency_{name}_s": time for name, time in snapshot.times.items()}
    if snapshot.count < 2:  # of one there is no deviation
        record.columns.pop("latency_std_s", None)
    for percent, latency in snapshot.quantiles.items():
        record.quantile(round(float(percent) / 100, 6), latency)
