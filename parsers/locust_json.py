"""Locust's JSON (`--json`, `--json-file`): a list with an object per endpoint.

An object has the exact sum and extremes of response times, and how many there are of each rounded
one: of these the percentiles of the run are taken here, by Locust's rule. Instants are those of the
first and the last answer. There are no errors, and of a run without a request the list is empty.

Source: locust 2.47.0 `stats.py` (StatsEntryDict, print_stats_json), `main.py`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import FileParser, RunOrError, RunRecord, Source
from benchkit.text import decode

from . import _locust

#: What stands before the list where standard error was kept with it is passed over.
_LIST: Final = re.compile(r"^\[\s*+\{\s*+\"name\":", re.MULTILINE)
_OWN: Final = ('"last_request_timestamp"', '"num_none_requests"')
_SHARES: Final = (0.5, 0.66, 0.75, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.9999)
_MOST_MS: Final = 10**9


def sniff(source: Source) -> bool:
    """Whether a file has a list of endpoints in its first bytes."""
    head = source.head[:8192]
    return all(key.encode() in source.head for key in _OWN) and bool(
        _LIST.search(head.decode("utf-8", "replace").lstrip("\ufeff"))
    )


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield the run of each list."""
    text = (decode(source.data) or "").lstrip("\ufeff")
    end = 0
    for matched in _LIST.finditer(text):
        if matched.start() < end:
            continue
        try:
            entries, end = json.JSONDecoder().raw_decode(text, matched.start())
        except (ValueError, RecursionError) as error:
            yield InputError(
                "a list of endpoints as JSON",
                actual=str(error)[:100],
                hint="the file is cut off or was edited",
            )
            return
        try:
            yield _run(entries)
        except InputError as error:
            yield error


def _run(entries: Sequence[Any]) -> RunRecord:
    endpoints = [_Endpoint(entry) for entry in entries]
    record = RunRecord()
    requests = sum(endpoint.count("num_requests") for endpoint in endpoints)
    failed = sum(endpoint.count("num_failures") for endpoint in endpoints)
    _locust.fill_method(record, {endpoint.text("method") for endpoint in endpoints})
    for endpoint in endpoints:
        endpoint.add_to(record)
    if not _locust.fill_counts(record, requests, failed):
        return record
    timed = [endpoint for endpoint in endpoints if endpoint.counts]
    counts = sum((endpoint.counts for endpoint in timed), Counter[int]())
    n = counts.total()
    record.columns["body_bytes"] = sum(e.count("total_content_length") for e in endpoints)
    seconds = max(e.number("last_request_timestamp") for e in timed) - min(
        e.number("start_time") for e in timed
    )
    if seconds > 0:
        _locust.fill_rates(record, requests / seconds)
        record.figure("first to last answer", "total", seconds, unit="s")
    total_ms = sum(endpoint.number("total_response_time") for endpoint in timed)
    record.columns |= {
        "latency_min_s": min(e.number("min_response_time") for e in timed) / 1e3,
        "latency_mean_s": total_ms / n / 1e3,
        "latency_max_s": max(e.number("max_response_time") for e in timed) / 1e3,
    }
    _add_quantiles(record, counts, n)
    return record


def _add_quantiles(record: RunRecord, counts: Mapping[int, int], n: int) -> None:
    ranks = {share: _locust.rank(share, n) for share in _SHARES}
    below = 0
    for latency_ms in sorted(counts):
        reached = below + counts[latency_ms]
        for share, rank in ranks.items():
            if below <= rank < reached:
                record.quantile(share, units.scaled(str(latency_ms), "1e-3"))
        below = reached


class _Endpoint:
    """One object of the list; raises InputError where a figure is none."""

    def __init__(self, entry: object) -> None:
        if not isinstance(entry, dict):
            raise InputError("an endpoint of Locust as an object", actual=repr(entry)[:60])
        self._entry = entry
        times = entry.get("response_times")
        if not isinstance(times, dict):
            raise _error("response_times", "counts by response time", times)
        self.counts = Counter[int]()
        for time_ms, count in times.items():
            try:
                latency = units.number(time_ms)
            except ValueError:
                latency = -1.0
            sane = 0 <= latency < _MOST_MS and latency == int(latency)
            if not sane or not isinstance(count, int) or not 0 < count < 2**53:
                raise _error("response_times", "whole milliseconds and counts", time_ms)
            self.counts[int(latency)] += count
        if self.counts.total() != self.count("num_requests") - self.count("num_none_requests"):
            raise _error(
                "num_requests", "as many as there are response times", entry["num_requests"]
            )

    def text(self, key: str) -> str:
        """Return a text, empty where there is none."""
        value = self._entry.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> float:
        """Return a number that is not negative."""
        value = self._entry.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**63:
            raise _error(key, "a number", value)
        return float(value)

    def count(self, key: str) -> int:
        """Return a whole number that is not negative."""
        value = self.number(key)
        if value != int(value):
            raise _error(key, "a whole number", value)
        return int(value)

    def add_to(self, record: RunRecord) -> None:
        """Add its figures to those of a run."""
        name = " ".join(part for part in (self.text("method"), self.text("name")) if part)
        requests, failed = self.count("num_requests"), self.count("num_failures")
        record.figure(name, "requests", requests, printed=str(requests))
        record.figure(name, "failures", failed, printed=str(failed))
        n = self.counts.total()
        if n and requests > failed:
            mean = self.number("total_response_time") / n / 1e3
            record.figure(name, "mean", mean, unit="s")


def _error(key: str, expected: str, actual: object) -> InputError:
    return InputError(f"{expected} as {key} of an endpoint of Locust", actual=repr(actual)[:60])


PARSERS: Final = (
    FileParser(
        name="locust-json",
        tool=_locust.TOOL,
        reads="the list of endpoints that --json and --json-file write",
        versions="1.5 on",
        fills=("requests",),
        may_fill=(
            *("errors", "non2xx", "method", "body_bytes"),
            *_locust.RATES,
            *_locust.LATENCIES,
            *_locust.QUANTILES,
        ),
        when={"errors": "where none failed", "non2xx": "where none failed"},
        detail=3,
        constants=_locust.CONSTANTS,
        rank=_locust.rank,
        step_s=_locust.step_s,
        sniff=sniff,
        parse=parse,
    ),
)
