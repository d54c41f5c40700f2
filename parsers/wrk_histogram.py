"""wrk's whole histogram of latencies, as a Lua script can write it.

wrk's report prints at most four quantiles of it. The file begins with name and version of the
format (`wrk-histogram,1`); below stand lines of name and value, and then a table: latency in
microseconds, samples at it, and how many of these were measured. Quantiles, mean and deviation are
wrk's own, of all samples, unrounded.

The samples are not requests: before it prints, wrk 4 adds some for requests that a slow answer kept
it from sending (`correction`). `requests` counts answers only. How many samples were added is a
figure of its own, and what was measured stands apart; both are missing where the script cannot
tell. A late answer, after the timeout, is a request without a sample.

Source: wg/wrk 4.0.0 to 4.2.0, `src/wrk.c` (main), `src/stats.c`, `src/script.c`; benchkit
`scenarios/tools/wrk.lua`, which writes this file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import FileParser, Measured, RunOrError, RunRecord, Source
from benchkit.schema import QUANTILE_COLUMNS

from ._wrk_rules import CLOSED, success

_FIRST: Final = b"wrk-histogram,1"
_TABLE: Final = "latency_us,samples,measured"
_ROW: Final = re.compile(r"([0-9]{1,10}),([0-9]{1,15}),([0-9]{0,15})")
_COUNT: Final = re.compile(r"[0-9]{1,15}")
_TIME: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_PERCENT: Final = re.compile(r"(measured_)?p([0-9]{1,2}(?:\.[0-9]{1,4})?)")
_COUNTS: Final = ("requests", "bytes", "timeouts", "status_errors")
_UNANSWERED: Final = ("connect", "read", "write")
_LATENCIES: Final = {
    "min_us": "latency_min_s",
    "mean_us": "latency_mean_s",
    "stdev_us": "latency_std_s",
    "max_us": "latency_max_s",
}
_MICROSECOND: Final = "1e-6"


def sniff(source: Source) -> bool:
    """Whether a file begins with name and version of the format."""
    return source.head.split(b"\n", 1)[0].rstrip() == _FIRST


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield the run of a file."""
    text = source.data.decode("utf-8", "replace")
    try:
        yield _Histogram(text.splitlines(), ended=text.endswith("\n")).run()
    except InputError as error:
        yield error


class _Histogram:
    """The lines of one file; what stands in the last one is whole where it is `ended`."""

    def __init__(self, lines: Sequence[str], *, ended: bool) -> None:
        self.lines, self.ended = lines, ended
        self.at: dict[str, int] = {}
        self.values: dict[str, str] = {}
        self.table = self._head()

    def _head(self) -> int:
        """Read the lines of name and value; return where the table begins."""
        for number, line in enumerate(self.lines):
            if line == _TABLE:
                return number + 1
            name, comma, value = line.partition(",")
            if not comma or name in self.values:
                raise self._error(number, "a line of name and value", line)
            self.at[name], self.values[name] = number, value
        raise self._error(len(self.lines), f"the header {_TABLE}", "the end of the file")

    def _error(self, number: int, expected: str, actual: str) -> InputError:
        return InputError(
            expected,
            actual=actual[:60],
            where=Where(line=number + 1),
            hint="the file is cut off or was edited; the report beside it can do without",
        )

    def count(self, name: str) -> int:
        """Return a count that every file has."""
        value = self.values.get(name, "")
        if not _COUNT.fullmatch(value):
            raise self._error(self.at.get(name, self.table), f"a count of {name}", value)
        return int(value)

    def seconds(self, name: str) -> float | None:
        """Return a time, None where it is not known."""
        value = self.values.get(name, "")
        if not value:
            return None
        if not _TIME.fullmatch(value):
            raise self._error(self.at[name], f"{name} in microseconds", value)
        return units.scaled(value, _MICROSECOND)

    def run(self) -> RunRecord:
        """Return the run of the file."""
        record = RunRecord()
        self._totals(record)
        self._failures(record)
        for name, column in _LATENCIES.items():
            record.columns[column] = self.seconds(name)
        record.measured = self._measured()
        self._quantiles(record)
        self._samples(record)
        return record

    def _measured(self) -> Measured | None:
        """Return the samples that are of requests, None where the script could not tell."""
        if not self.values.get("measured"):
            return None
        counts = {us * 1000: measured for us, _, measured in self.rows if measured}
        columns = {"latency_mean_s": self.seconds("measured_mean_us")}
        total = sum(counts.values())
        if total > 1:
            mean = sum(ns * n for ns, n in counts.items()) / total
            squares = sum(n * (ns - mean) ** 2 for ns, n in counts.items())
            columns["latency_std_s"] = math.sqrt(squares / (total - 1)) / 1e9
        return Measured(columns, counts=counts)

    def _totals(self, record: RunRecord) -> None:
        duration = units.scaled(str(self.count("duration_us")), _MICROSECOND)
        requests, size, *_ = (self.count(name) for name in _COUNTS)
        record.columns |= {"duration_s": duration, "requests": requests, "received_bytes": size}
        if duration:
            record.columns["throughput_rps"] = requests / duration

    def _failures(self, record: RunRecord) -> None:
        lost = {kind: self.count(f"{kind}_errors") for kind in _UNANSWERED}
        late, bad = self.count("timeouts"), self.count("status_errors")
        record.errors = {kind: n for kind, n in {**lost, "timeout": late}.items() if n}
        record.columns |= {"errors": sum(lost.values()) + late, "timeouts": late, "non2xx": bad}
        success(record, unanswered=sum(lost.values()))

    def _quantiles(self, record: RunRecord) -> None:
        last: dict[str | None, tuple[float, float]] = {}
        for name in self.values:
            matched = _PERCENT.fullmatch(name)
            value = self.seconds(name) if matched else None
            if matched is None or value is None:
                continue
            quantile = float(Decimal(matched[2]) / 100)
            below = last.get(matched[1], (0.0, 0.0))
            if below[0] > quantile or below[1] > value:
                expected = f"quantiles and latencies that rise, as from {below[1]:g} s"
                raise self._error(self.at[name], expected, f"{name},{self.values[name]}")
            last[matched[1]] = quantile, value
            if not matched[1]:
                record.quantile(quantile, value)
            elif record.measured is not None:
                record.measured.quantiles.append((quantile, value))

    def _samples(self, record: RunRecord) -> None:
        """Hold the table against the counts above it, and tell what was added."""
        samples = self.count("samples")
        missing = samples - sum(count for _, count, _ in self.rows)
        if missing > 0:
            record.damaged(f"the table lacks {missing:,} of {samples:,} samples")
        elif missing:
            record.damaged(f"the table has {-missing:,} samples beyond the {samples:,} of the run")
        interval = self.seconds("interval_us")
        if interval is not None:
            record.figure(
                "interval", "value", interval, unit="s", printed=self.values["interval_us"]
            )
        record.figure("samples", "total", samples, printed=self.values["samples"])
        if not self.values.get("measured"):
            return
        added = samples - self.count("measured")
        if added < 0:
            expected = f"at most the {samples:,} samples"
            raise self._error(self.at["measured"], expected, self.values["measured"])
        record.figure("samples added", "total", added)
        if added and samples:
            record.notes.append(
                f"wrk added {added:,} of {samples:,} latency samples ({added / samples:.0%}), for "
                "requests that slow answers kept it from sending; they count as no requests"
            )

    @cached_property
    def rows(self) -> list[tuple[int, int, int]]:
        """Latency in µs, samples at it, and how many of these were measured."""
        rows, last = [], -1
        for number, line in enumerate(self.lines[self.table :], self.table):
            matched = _ROW.fullmatch(line)
            if number == len(self.lines) - 1 and (matched is None or not self.ended):
                break
            if matched is None or int(matched[1]) <= last:
                raise self._error(number, f"a latency above {last} and its counts", line)
            last = int(matched[1])
            rows.append((last, int(matched[2]), int(matched[3] or 0)))
        return rows


PARSERS: Final = (
    FileParser(
        name="wrk-histogram",
        tool="wrk",
        reads="the whole histogram, which a script of `benchkit run` writes",
        versions="4.0 to 4.2",
        fills=("duration_s", "requests", "received_bytes", "errors", "timeouts", "non2xx"),
        may_fill=(
            *("throughput_rps", "goodput_rps", "success_ratio"),
            *_LATENCIES.values(),
            *QUANTILE_COLUMNS.values(),
        ),
        detail=1,
        constants=CLOSED,
        sniff=sniff,
        parse=parse,
    ),
)
