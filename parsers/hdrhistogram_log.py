"""HdrHistogram's log of intervals (`.hlog`): what was recorded in each, as a packed histogram.

All intervals of a log are one run, and their counts add up, those with a tag among the others:
the counts of each tag are figures. Which values these are, and in which unit, the log does not
say: the recording program may have written it into a remark. `Interval_Max` is divided by a ratio
that stands nowhere, a million unless it was chosen, and is not read.

Times are seconds since BaseTime, or without it since StartTime where they are too small to be
times since 1970.

Source: HdrHistogram 2.2.1, `HistogramLogWriter.java`, `HistogramLogScanner.java`,
`HistogramLogReader.java`; `AbstractHistogram.java` (getValueAtPercentile, getMean) for the values.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from benchkit.errors import InputError, Where
from benchkit.parsing import (
    FileParser,
    RunOrError,
    RunRecord,
    Source,
    Unitless,
    nearest_rank,
)
from benchkit.schema import QUANTILE_COLUMNS

from ._hdr_payload import CountBin, Room, buckets
from .hdrhistogram import LATENCIES

_FORMAT: Final = re.compile(rb"^#\[Histogram log format version ([0-9.]++)\]", re.MULTILINE)
_LEGEND: Final = (
    b'"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"'
)
_VERSIONS: Final = frozenset({"1.0", "1.01", "1.1", "1.2", "1.3"})
_TIME: Final = re.compile(r"#\[(StartTime|BaseTime): ([0-9]{1,12}(?:\.[0-9]{1,9})?) ")
_INTERVAL: Final = re.compile(
    r"(?>(?:Tag=(?P<tag>[^,\s]{1,200}),)?)(?P<start>[0-9]{1,12}(?>(?:\.[0-9]{1,9})?)),"
    r"(?P<length>[0-9]{1,12}(?>(?:\.[0-9]{1,9})?)),(?P<max>[0-9]++(?>(?:\.[0-9]++)?)(?>(?:E[0-9]++)?)),"
    r'"?(?P<packed>[A-Za-z0-9+/]++=*+)"?'
)
#: A remark such as `#[Latencies in microseconds]`, or `#unit: us`.
_UNIT: Final = re.compile(
    r"#.{0,200}?\b(?:in|unit:?)\s++(ns|us|ms|s|nanoseconds|microseconds|milliseconds|seconds)\b"
)
_SHORT: Final = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s"}
#: A time since 1970 is later than this (1990).
_SINCE_1970: Final = 631_152_000.0
_QUANTILES: Final = (*QUANTILE_COLUMNS, 0.9999, 1.0)
_TAGS: Final = 100


def sniff(source: Source) -> bool:
    """Whether a file begins like a log of intervals."""
    return source.head.startswith(b"#[") and (
        _FORMAT.search(source.head) is not None or _LEGEND in source.head
    )


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield the run of a log."""
    log = _IntervalLog(Room(len(source.data)))
    lines = source.data.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines):
        try:
            log.take(line.rstrip("\r"))
        except ValueError as error:
            if number == len(lines) - 1 and log.count:
                log.broken = f"line {number + 1} breaks off: the last interval is left out"
                break
            yield InputError(
                "an interval of HdrHistogram's log",
                actual=str(error),
                where=Where(line=number + 1),
                hint="logs of version 1.1 to 1.3 with histograms of the encoding V2 are read",
            )
            return
    if log.intervals:
        yield log.run()
    else:
        yield InputError("an interval of HdrHistogram's log", actual="a log without one")


@dataclass
class _IntervalLog:
    """What the lines of a log say."""

    room: Room
    times: dict[str, float] = field(default_factory=dict)
    unit: str | None = None
    first: float = math.inf
    last: float = 0.0
    intervals: int = 0
    counts: Counter[tuple[float, float, float]] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    broken: str = ""

    @property
    def count(self) -> int:
        """How many values are recorded."""
        return self.counts.total()

    def take(self, line: str) -> None:
        """Take in a line.

        Raises:
            ValueError: it is an interval that cannot be read; the text says why.
        """
        if line.startswith("#"):
            self._remark(line)
        elif line.strip() and not line.startswith('"StartTimestamp"'):
            self._interval(line)

    def _remark(self, line: str) -> None:
        if matched := _TIME.match(line):
            self.times[matched[1]] = float(matched[2])
        elif matched := re.match(_FORMAT.pattern.decode(), line):
            if matched[1] not in _VERSIONS:
                raise ValueError(f"version {matched[1][:20]}")
        elif self.unit is None and (matched := _UNIT.match(line)):
            self.unit = _SHORT.get(matched[1], matched[1])

    def _interval(self, line: str) -> None:
        matched = _INTERVAL.fullmatch(line)
        if matched is None:
            raise ValueError(line)
        held = list(buckets(matched["packed"], self.room))
        start = float(matched["start"])
        self.first = min(self.first, start)
        self.last = max(self.last, start + float(matched["length"]))
        self.intervals += 1
        for bucket in held:
            self.counts[bucket[:3]] += bucket.samples
        if matched["tag"]:
            self.tags[matched["tag"]] += sum(bucket.samples for bucket in held)

    def run(self) -> RunRecord:
        """Return all of it as one run."""
        record, duration = RunRecord(), round(self.last - self.first, 9)
        record.columns["requests"] = self.count
        record.figure("intervals", "total", self.intervals)
        if duration > 0:
            record.columns |= {"duration_s": duration, "throughput_rps": self.count / duration}
        started = self._started()
        if started is not None:
            record.columns["started_at"] = started
        self._tell_tags(record)
        if self.broken:
            record.damaged(self.broken)
        if self.counts:
            record.unitless = _values(self._ascending(), self.unit)
        return record

    def _started(self) -> datetime | None:
        base = self.times.get("BaseTime")
        if base is None:
            base = 0.0 if self.first > _SINCE_1970 else self.times.get("StartTime", 0.0)
        seconds = base + self.first
        if not _SINCE_1970 < seconds < 4 * _SINCE_1970:
            return None
        return datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)

    def _tell_tags(self, record: RunRecord) -> None:
        for tag, count in self.tags.most_common(_TAGS):
            record.figure(f"tag {tag}", "total", count)
        if self.tags:
            names = ", ".join(f"{tag[:40]} {n:,}" for tag, n in self.tags.most_common(5))
            untagged = self.count - self.tags.total()
            record.notes.append(
                f"the intervals of all tags are counted together: {names}; without one {untagged:,}"
            )

    def _ascending(self) -> list[CountBin]:
        return [CountBin(*values, n) for values, n in sorted(self.counts.items())]


def _values(held: list[CountBin], unit: str | None) -> Unitless:
    """Return the statistics of some buckets, as HdrHistogram computes them."""
    total = sum(bucket.samples for bucket in held)
    middles = [(bucket.middle, bucket.samples) for bucket in held]
    mean = math.fsum(value * count for value, count in middles) / total
    squares = math.fsum(count * (value - mean) ** 2 for value, count in middles)
    values = Unitless(unit=unit)
    values.columns = {
        "latency_min_s": held[0].low,
        "latency_mean_s": mean,
        "latency_std_s": math.sqrt(squares / total),
        "latency_max_s": held[-1].high,
    }
    values.quantiles = list(_quantiles(held, total))
    return values


def _quantiles(held: list[CountBin], total: int) -> Iterator[tuple[float, float]]:
    """Yield the quantiles, each the upper end of the bucket in which it is reached."""
    remaining = iter(held)
    bucket = next(remaining)
    reached = bucket.samples
    for quantile in _QUANTILES:
        while reached < nearest_rank(quantile, total) + 1:
            bucket = next(remaining)
            reached += bucket.samples
        yield quantile, bucket.high


PARSERS: Final = (
    FileParser(
        name="hdrhistogram-log",
        tool="hdrhistogram",
        reads="a log of intervals (.hlog); the unit comes from meta.json, a remark or its name",
        versions="log 1.1 to 1.3, encoding V2",
        fills=("requests",),
        may_fill=("duration_s", "throughput_rps", "started_at", *LATENCIES),
        when=dict.fromkeys(LATENCIES, "where the unit is known"),
        detail=1,
        sniff=sniff,
        parse=parse,
    ),
)
