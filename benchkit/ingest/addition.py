"""The sum of what several generators measured of one attack.

Requests, answers, errors, bytes, connections and offered rates add up, and so do counts of
latencies, from which all quantiles are made anew. The duration is from the first request of any
to the last answer of any; the throughput is that of the time in which all of them ran. Rows
whose times count from the start of their own generator do not say when that was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, reduce
from operator import add
from typing import Any, Final, NamedTuple

import numpy as np

from benchkit import format as show
from benchkit import registry
from benchkit.counting.distribution import Distribution
from benchkit.counting.skew import skew_ns
from benchkit.counting.slices import Slices
from benchkit.counting.summary import QUANTILES, RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.runs import facts_of
from benchkit.parsing import Measured, RunRecord, nearest_rank
from benchkit.schema import QUANTILE_COLUMNS

#: Columns of `runs` that add up where each generator's is known.
_LOAD: Final = ("connections", "threads", "offered_rate_rps")
_COUNTED: Final = (
    *("requests", "errors", "timeouts", "non2xx", "unrecorded"),
    *("received_bytes", "sent_bytes", "body_bytes"),
)
#: Columns that hold for the attack where all generators say the same.
_SHARED: Final = ("url", "method", "keepalive", "pipelining", "timeout_s", "load_model")
#: Slices of time below which no rate is made of them.
_FEW_SLICES: Final = 8
#: Share of its whole time in which all must have run, for their rates to add up.
_ALONGSIDE: Final = 0.9


class Period(NamedTuple):
    """From the first request to the last answer, in ns since 1970 by the generator's clock."""

    first_ns: int
    end_ns: int

    def overlap(self, other: Period) -> float:
        """Return for which share of the shorter one both lasted; negative with a gap between."""
        both = min(self.end_ns, other.end_ns) - max(self.first_ns, other.first_ns)
        shorter = min(self.end_ns - self.first_ns, other.end_ns - other.first_ns)
        return both / max(shorter, 1)


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one generator made of an attack."""

    run: FileRun
    generator: str

    @cached_property
    def columns(self) -> Mapping[str, Any]:
        """Columns of `runs`, as files, command and metadata give them."""
        return facts_of(self.run).columns

    @cached_property
    def span(self) -> Period | None:
        """When it loaded the server, None where that is not known."""
        start, duration = self.columns.get("started_at"), self.columns.get("duration_s")
        if start is None or duration is None:
            return None
        if isinstance(start, datetime):
            start = start.astimezone(UTC).replace(tzinfo=None)
        first_ns = int(np.datetime64(start, "ns").astype(np.int64))
        return Period(first_ns, first_ns + round(duration * 1e9))


def added(parts: Sequence[Contribution]) -> FileRun:
    """Return the sum of what the generators of an attack measured.

    Raises:
        InputError: outputs of several tools, or of which only percentiles are known.
    """
    runs = [part.run for part in parts]
    tools = sorted({run.parser.tool for run in runs})
    if len(tools) > 1:
        raise InputError("runs of one tool in an attack", actual=f"runs of {show.listed(tools)}")
    if len(runs) == 1:
        return runs[0]
    summaries = [run.summary for run in runs if run.summary is not None]
    counts = [run.record.measured.counts for run in runs if run.record.measured is not None]
    total: RequestSummary | None = None
    if len(summaries) == len(runs):
        record, total = _of_rows(parts, summaries)
    elif len(counts) == len(runs) and all(counts):
        record = _of_counts(parts, counts)
    else:
        raise InputError(
            "rows or counts of latencies, which add up",
            actual="percentiles, which do not",
            hint="record rows or a histogram on each generator, or name them as runs of their own",
        )
    names = show.listed([part.generator for part in parts])
    record.notes.insert(0, f"{len(parts)} generators together: {names}")
    record.figure("generators", "count", len(parts))
    for part in parts:
        for note in part.run.record.lost:
            record.damaged(f"{part.generator}: {note}")
    _add_load(record, parts)
    return replace(
        runs[0], record=record, summary=total, context=None, others=[], parts=tuple(runs)
    )


def _add_load(record: RunRecord, parts: Sequence[Contribution]) -> None:
    for name in _LOAD:
        if (total := _sum(part.columns.get(name) for part in parts)) is not None:
            record.columns[name] = total
    for name in _SHARED:
        different = {part.columns.get(name) for part in parts}
        if len(different) == 1 and None not in different:
            record.columns[name] = different.pop()


def _sum(values: Iterable[Any]) -> Any:  # noqa: ANN401 - int or float, as the column has it
    """Return a sum, None where a part of it is not known."""
    known = list(values)
    return None if None in known else sum(known)


# --- rows ---


def _of_rows(
    parts: Sequence[Contribution], summaries: Sequence[RequestSummary]
) -> tuple[RunRecord, RequestSummary]:
    placed = all(s.first_ns is not None and not s.started_relative for s in summaries)
    # Each generator numbers its requests from 0.
    total = reduce(add, (replace(s if placed else s.untimed(), numbering=None) for s in summaries))
    # What rows of a format do not support, those of several do not either.
    supported = {name for part in parts for name in part.run.record.columns}
    columns = {k: v for k, v in total.columns().items() if v is not None and k in supported}
    missing = _sum(None if s.numbering is None else s.numbering.missing for s in summaries)
    if missing is not None:
        columns["unrecorded"] = missing
    record = RunRecord(columns, statuses=total.statuses, errors=total.errors)
    starts = [summary.first_ns for summary in summaries if summary.first_ns is not None]
    ends = [summary.last_ns for summary in summaries if summary.last_ns is not None]
    if not placed:
        _add_rates(record, parts)
    else:
        record.notes.append(
            f"first requests within {_apart(starts)}, last within {_apart(ends)} of each other, "
            "by the generators' clocks"
        )
        record.notes += _skews(summaries, [part.generator for part in parts])
        _set_rates(record, total.slices, max(starts), min(ends))
    return record, total


def _skews(summaries: Sequence[RequestSummary], names: Sequence[str]) -> Iterator[str]:
    """Yield how far the clocks are apart, as far as slow moments of the server show it."""
    first, *others = summaries
    for summary, name in zip(others, names[1:], strict=True):
        skew = skew_ns(first.slices, summary.slices)
        if skew is None:
            continue
        step = show.duration(max(first.slices.length_ns, summary.slices.length_ns) / 1e9, digits=2)
        apart = show.duration(abs(skew) / 1e9, digits=2)
        clocks = f"the clocks of {names[0]} and {name} agree"
        if skew:
            way = "ahead of" if skew > 0 else "behind"
            clocks = f"the clock of {name} is {apart} {way} that of {names[0]}"
        yield f"{clocks}, to {step}, by the moments at which both saw the server slow down"


def _apart(instants: Sequence[int]) -> str:
    return show.duration((max(instants) - min(instants)) / 1e9, digits=2)


def _set_rates(record: RunRecord, slices: Slices, start_ns: int, stop_ns: int) -> None:
    """Set the rates to those of the whole slices in which all generators sent."""
    if "throughput_rps" not in record.columns:
        return
    several, sent = slices.between(start_ns, stop_ns)
    if several < _FEW_SLICES:
        del record.columns["throughput_rps"], record.columns["goodput_rps"]
        record.notes.append("all sent together for too short a time for a throughput")
        return
    seconds = several * slices.length_ns / 1e9
    good = sent["success"]
    answers = good + sent["http-error"]
    record.columns |= {"throughput_rps": answers / seconds, "goodput_rps": good / seconds}
    record.figure("Requests", "rate", sum(sent.values()) / seconds)
    record.notes.append(f"the throughput is that of the {show.duration(seconds)} in which all sent")


# --- counts of latencies, without the time of each ---


def _of_counts(parts: Sequence[Contribution], counts: Sequence[Mapping[int, int]]) -> RunRecord:
    together: dict[int, int] = {}
    for latency_ns, count in (pair for each in counts for pair in each.items()):
        together[latency_ns] = together.get(latency_ns, 0) + count
    together = dict(sorted(together.items()))
    total = Distribution.from_counts(together)
    latencies, reached = list(together), np.cumsum(list(together.values()))
    asked = sorted({*QUANTILES, *QUANTILE_COLUMNS})
    ranks = [nearest_rank(quantile, total.count) for quantile in asked]
    rows = np.searchsorted(reached, ranks, side="right").tolist()
    record = RunRecord()
    record.measured = Measured(
        {"latency_mean_s": total.mean_s(), "latency_std_s": total.std_s()},
        [(q, latencies[row] / 1e9) for q, row in zip(asked, rows, strict=True)],
        together,
    )
    runs = [part.run for part in parts]
    for name in _COUNTED:
        if (amount := _sum(run.columns.get(name) for run in runs)) is not None:
            record.columns[name] = amount
    for name, choose in (("latency_min_s", min), ("latency_max_s", max)):
        known = [run.columns[name] for run in runs if run.columns.get(name) is not None]
        if len(known) == len(runs):
            record.columns[name] = choose(known)
    for run in runs:
        for status, count in run.record.statuses.items():
            record.statuses[status] = record.statuses.get(status, 0) + count
        for text, n in run.record.errors.items():
            record.errors[text] = _sum((record.errors.get(text, 0), n))
    _add_rates(record, parts)
    return record


def _add_rates(record: RunRecord, parts: Sequence[Contribution]) -> None:
    """Add up the rates of generators that ran alongside; each is taken to have been even."""
    amounts = [_attempts(part.run) for part in parts]
    shares = [part.run.columns.get("success_ratio") for part in parts]
    if None not in (*amounts, *shares) and sum(amounts):
        good = sum(share * amount for share, amount in zip(shares, amounts, strict=True))
        record.columns["success_ratio"] = good / sum(amounts)
    spans = [part.span for part in parts if part.span is not None]
    if len(spans) < len(parts):
        record.notes.append("when each generator ran is not known, and so no throughput of all")
        return
    whole = Period(min(span.first_ns for span in spans), max(span.end_ns for span in spans))
    common = min(span.end_ns for span in spans) - max(span.first_ns for span in spans)
    seconds = (whole.end_ns - whole.first_ns) / 1e9
    record.columns |= {"started_at": np.datetime64(whole.first_ns, "ns"), "duration_s": seconds}
    if common < _ALONGSIDE * 1e9 * seconds:
        record.notes.append("the generators ran alongside for too short a time for a throughput")
        return
    for name in ("throughput_rps", "goodput_rps"):
        if (rate := _sum(part.run.columns.get(name) for part in parts)) is not None:
            record.columns[name] = rate


def _attempts(run: FileRun) -> Any:  # noqa: ANN401 - a count, None where it is not known
    """Return how many requests a run's share of successes is of."""
    if registry.tool(run.parser.tool).errors_are_requests:
        return run.columns.get("requests")
    return _sum((run.columns.get("requests"), run.columns.get("errors")))
