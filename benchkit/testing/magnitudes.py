"""Whether the figures of a run fit together, so that none is in another unit than its column.

A wrong unit is off by 1,000; what is held against each other may be off by 30. What no other figure
of a run speaks of (bytes, or the latencies of a run in an open loop that are all short beside it)
shows only in another output of the same run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from benchkit.parsing import Parser
from benchkit.testing.reading import CheckError, Fixture

#: No latency of a request that anybody waited for is longer, in s.
_LONGEST_S: Final = 3600.0
_LONGEST_RUN_S: Final = 30 * 86400.0
#: No answer comes through a socket more quickly.
_SHORTEST_S: Final = 2e-6
#: How far figures of one run may lie apart that should be equal.
_APART: Final = 30.0
#: A run takes this much longer than its slowest request, in s, where its end is rounded.
_SLACK_S: Final = 0.1
#: No recorded output is older: instants in another unit lie in 1970, or far ahead.
_FIRST_YEAR: Final = 2000
#: Requests that were sent more quickly, in s, may all wait for long.
_SEND_S: Final = 1.0
#: Of fewer requests a printed rate may be any: vegeta's is 1/s of one.
_FEW: Final = 30
#: What a command asks for and an output states.
_ASKED: Final = ("offered_rate_rps", "connections", "threads", "timeout_s", "pipelining")

Columns = Mapping[str, Any]


def units(parser: Parser, fixture: Fixture) -> None:
    """Check the figures of each run of an output.

    Raises:
        CheckError: two of them cannot be of one run, or one cannot be at all.
    """
    asked = fixture.asked(parser)
    for number, (record, summary) in enumerate(fixture.answer(parser).runs, start=1):
        rows = summary.columns() if summary is not None else {}
        columns = {**parser.constants, **rows, **record.columns}
        quantiles = [*record.quantiles, *(summary.quantiles() if summary is not None else ())]
        for fault in _faults(columns, quantiles, asked):
            raise CheckError(f"{fixture.name}, run {number}: {fault}")


def _faults(
    columns: Columns, quantiles: list[tuple[float, float]], asked: Columns
) -> Iterator[str]:
    yield from _latencies(columns, quantiles)
    yield from _durations(columns, asked)
    yield from _rates(columns)
    yield from _successes(columns)
    yield from _instants(columns)
    yield from _waiting(columns, asked)
    yield from _against_command(columns, asked)


def _latencies(columns: Columns, quantiles: list[tuple[float, float]]) -> Iterator[str]:
    latencies = {name: value for name, value in columns.items() if name.startswith("latency_")}
    latencies |= {f"the latency at {q:g}": value for q, value in quantiles}
    for name, value in latencies.items():
        if value is not None and value > _LONGEST_S:
            yield f"{name} is {value:,.0f} s: is that its unit?"
    median = columns.get("latency_p50_s")
    if median and median < _SHORTEST_S and not _unanswered(columns):
        yield f"latency_p50_s is {median:g} s, and no answer comes so soon: is that its unit?"


def _unanswered(columns: Columns) -> bool:
    return bool(columns.get("errors")) and not columns.get("success_ratio")


def _durations(columns: Columns, asked: Columns) -> Iterator[str]:
    duration, wait = columns.get("duration_s"), columns.get("wait_s")
    longest, wanted = columns.get("latency_max_s"), asked.get("duration_s")
    if duration is None:
        return
    if duration > _LONGEST_RUN_S:
        yield f"duration_s is {duration:,.0f} s: is that its unit?"
    if longest and longest > 2 * duration + _SLACK_S:
        yield (
            f"latency_max_s is {longest:g} s in a run of {duration:g} s: is that the unit of both?"
        )
    if wanted and duration > _APART * max(wanted, _SEND_S):
        yield f"duration_s is {duration:g} s, and the command asks for {wanted:g} s"
    if wait and (sending := duration - wait) >= _SEND_S and wait > _APART * sending:
        yield (
            f"requests were sent for {sending:g} s, and the last answer came {wait:g} s later: is "
            "that the unit of latencies?"
        )


def _rates(columns: Columns) -> Iterator[str]:
    rate = columns.get("throughput_rps")
    duration, requests = columns.get("duration_s"), columns.get("requests")
    offered, lost = columns.get("offered_rate_rps"), columns.get("errors") or 0
    if rate and duration and requests and requests - lost > 0:
        made = rate * duration
        if not 1 / _APART < made / (requests - lost) < _APART:
            yield f"{rate:g} responses/s in {duration:g} s are not {requests} requests"
    if offered and duration and requests and offered > _APART * (requests + lost) / duration:
        yield (
            f"offered_rate_rps is {offered:g}, and {requests} requests in {duration:g} s are far "
            "fewer: is that its unit?"
        )


def _successes(columns: Columns) -> Iterator[str]:
    rate, good = columns.get("throughput_rps"), columns.get("goodput_rps")
    if rate is not None and good is not None and good > rate * 1.02:
        yield f"goodput_rps is {good:g}, above the throughput_rps of {rate:g}: it is a part of that"
    duration, requests = columns.get("duration_s"), columns.get("requests") or 0
    ratio, lost = columns.get("success_ratio"), columns.get("errors") or 0
    if good is None or ratio is None or not duration or requests < _FEW:
        return
    # Whether requests count those without an answer differs from tool to tool.
    fewest, most = ratio * requests / _APART, ratio * (requests + lost) * _APART
    if not fewest <= good * duration <= most:
        yield (
            f"goodput_rps is {good:g} in {duration:g} s, and success_ratio {ratio:g} of {requests} "
            "requests: these are not the same successes"
        )


def _instants(columns: Columns) -> Iterator[str]:
    """Check that a run was neither before load generators printed instants, nor will be."""
    started = columns.get("started_at")
    if started is None:
        return
    year = started.year if isinstance(started, datetime) else int(str(started)[:4])
    if not _FIRST_YEAR <= year <= datetime.now(UTC).year + 1:
        yield f"started_at is {started}: is that the unit of instants (started_ns: ns since 1970)?"


def _waiting(columns: Columns, asked: Columns) -> Iterator[str]:
    """Check that closed connections wait no longer than there was time (Little's law)."""
    mean, rate = columns.get("latency_mean_s"), columns.get("throughput_rps")
    connections = columns.get("connections") or asked.get("connections")
    if columns.get("load_model") != "closed" or not (mean and rate and connections):
        return
    pipelining = columns.get("pipelining") or asked.get("pipelining") or 1
    if mean * rate > _APART * connections * pipelining:
        yield (
            f"{connections} connections cannot wait {mean:g} s for each of {rate:g} responses/s: "
            "is that the unit of latency_mean_s?"
        )


def _against_command(columns: Columns, asked: Columns) -> Iterator[str]:
    for name in _ASKED:
        value, wanted = columns.get(name), asked.get(name)
        if value and wanted and not 1 / _APART < value / wanted < _APART:
            yield f"{name} is {value:g}, and the command asks for {wanted:g}: is that its unit?"
    longest, timeout = columns.get("latency_max_s"), asked.get("timeout_s")
    # What was late before it was sent has waited without a timeout.
    sent = columns.get("clock") in {"send-to-last-byte", "send-to-first-byte"}
    if sent and longest and timeout and longest > _APART * timeout:
        yield f"latency_max_s is {longest:g} s, with a timeout of {timeout:g} s: is that its unit?"
