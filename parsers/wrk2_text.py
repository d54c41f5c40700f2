"""wrk2's report, with its histogram of latencies.

Latency counts from when a request was due, not from when it was sent. The
detailed spectrum and its footer (`#[Mean …`) print three decimals of a
millisecond and win over the rounded rows, which stay among the figures. With
`-U` a second distribution follows, measured from the sending: figures only.
The histogram starts anew after the calibration, so it holds fewer requests than
the run; its values are upper bounds of bins of 3 significant digits.

DeathStarBench's wrk2 tests several targets at once: below one head, a report for each.

Source: giltene/wrk2 44a94c1, `src/wrk.c`, `src/stats.c`, `src/hdr_histogram.c`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _wrk_lines as lines
from ._grammar import Report
from ._line import ReportLine
from ._wrk_rules import (
    ASKED,
    LATENCY_COLUMNS,
    OPEN,
    REPORT,
    head,
    quantiles,
    record_of,
    step,
    thread_stats,
    totals,
)

_PAIR: Final = re.compile(r"(?<!\w)[^\WA-Z]*+([A-Z]\w*+(?>(?: count)?)) *+= *+([^,\s]++)")
_FOOTER: Final = {"Mean": "mean", "StdDeviation": "stdev", "Max": "max"}
_SECOND: Final = "Uncorrected"


@dataclass
class _LatencyList:
    """One `Latency Distribution`: rounded rows, spectrum, footer; latencies in s.

    Attributes:
        name: What its heading calls it, None where the heading is missing.
    """

    name: str | None = ""
    rounded: dict[float, tuple[float, str]] = field(default_factory=dict)
    exact: dict[float, tuple[float, str]] = field(default_factory=dict)
    counts: dict[float, int] = field(default_factory=dict)
    footer: dict[str, str] = field(default_factory=dict)

    def take(self, line: ReportLine) -> None:
        if line.line is lines.QUANTILE:
            self.rounded[line.read("share")] = (line.read("latency"), line["latency"])
        elif line.line is lines.STEP:
            share, latency = step(line)
            self.exact[share] = (latency, line["latency"])
            self.counts[share] = int(line.read("count"))
        else:
            pairs = _PAIR.findall(line["pairs"])
            self.footer |= {name: value for name, value in pairs if not value.startswith("-")}

    def is_above(self, line: ReportLine) -> bool:
        """Whether a line is of a further list, whose heading is missing: it stands further up."""
        if line.line is lines.FOOTER:
            return False
        return bool(self.footer or (self.exact and line.line is lines.QUANTILE))

    def quantiles(self) -> dict[float, float]:
        return {q: value for q, (value, _) in (self.rounded | self.exact).items()}

    def milliseconds(self, name: str) -> float | None:
        try:
            return units.scaled(self.footer.get(name, ""), "1e-3")
        except ValueError:
            return None


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of wrk2 in a text, and what is left of broken ones."""
    for report in lines.reports(text, "wrk2"):
        yield record_of(report, head, _calibration, thread_stats, _latency, _totals)


def _totals(record: RunRecord, report: Report) -> None:
    """Read the totals; every 2 s a timeout is counted of each connection that sends nothing."""
    totals(record, report, answers_late=False)


def _calibration(record: RunRecord, report: Report) -> None:
    for number, line in enumerate(report.all(lines.CALIBRATION), start=1):
        name = f"Thread calibration {number}"
        line.keep(record, name, "mean", "mean", unit="s")
        line.keep(record, f"{name}: rate sampling interval", "value", "interval", unit="s")


def _latency(record: RunRecord, report: Report) -> None:
    lists = _known_lists(record, list(_distributions(report)))
    first = next((each for each in lists if not (each.name or "").startswith(_SECOND)), None)
    if first is not None:
        _agree(record, first)
        quantiles(record, report, first.quantiles())
        if record.quantiles:
            _exact_statistics(record, report, first)
            _leftovers(record, first, "Latency Distribution", "")
    for further in lists:
        if further is not first:
            _second(record, further)


def _known_lists(record: RunRecord, lists: Sequence[_LatencyList]) -> Sequence[_LatencyList]:
    """Return the lists of which is known whether they count from when a request was due.

    Without a heading a list is the first, which does, where the Latency row or the list below it
    says so. The first alone has a mean and a highest latency as in that row.
    """
    known = [
        each
        for at, each in enumerate(lists)
        if each.name is not None
        or _is_of_row(record, each)
        or (at == 0 and any((other.name or "").startswith(_SECOND) for other in lists[1:]))
    ]
    if len(known) < len(lists):
        record.damaged("the heading of a latency distribution is missing: which it is is not told")
    return known


def _is_of_row(record: RunRecord, latencies: _LatencyList) -> bool:
    mean, highest = (record.columns.get(LATENCY_COLUMNS[name]) for name in ("mean", "max"))
    pairs = [(mean, latencies.milliseconds("Mean")), (highest, latencies.quantiles().get(1.0))]
    alike = [
        not _differ(row, listed) for row, listed in pairs if row is not None and listed is not None
    ]
    return bool(alike) and all(alike)


def _agree(record: RunRecord, latencies: _LatencyList) -> None:
    """Leave out a spectrum or a footer that is not of the rows above it, but of another output."""
    # Of few samples, two ways of counting give neighbours; the highest is latencies and the same.
    highest, last = latencies.rounded.get(1.0), latencies.exact.get(1.0)
    if highest is not None and last is not None and _differ(highest[0], last[0]):
        latencies.exact, latencies.counts = {}, {}
        record.damaged("the detailed spectrum is not that of the percentiles above it: left out")
    mean, footer = record.columns.get("latency_mean_s"), latencies.milliseconds("Mean")
    if mean is not None and footer is not None and _differ(mean, footer):
        latencies.footer = {}
        record.damaged("the footer with the mean is not that of the Latency row: left out")


def _differ(latency: float, other: float) -> bool:
    """Whether two prints of one latency differ by more than their rounding."""
    return abs(latency - other) > 0.02 * max(latency, other) + 1e-5


def _distributions(report: Report) -> Iterator[_LatencyList]:
    current: _LatencyList | None = None
    for line in report.lines:
        if line.line is lines.DISTRIBUTION:
            if current is not None:
                yield current
            current = _LatencyList(line["name"])
        elif line.line in {lines.QUANTILE, lines.STEP, lines.FOOTER}:
            if current is not None and current.is_above(line):
                yield current
                current = None
            current = current or _LatencyList(None)
            current.take(line)
    if current is not None:
        yield current


def _exact_statistics(record: RunRecord, report: Report, latencies: _LatencyList) -> None:
    row = report.get(lines.LATENCY)
    printed = row["cells"].split() if row is not None else []
    for at, (name, statistic) in enumerate(_FOOTER.items()):
        exact = latencies.milliseconds(name)
        if exact is None:
            continue
        rounded = record.columns.get(LATENCY_COLUMNS[statistic])
        if rounded is not None and at < len(printed):
            record.figure("Latency", statistic, rounded, unit="s", printed=printed[at])
        record.columns[LATENCY_COLUMNS[statistic]] = exact


def _second(record: RunRecord, latencies: _LatencyList) -> None:
    title = (latencies.name or "").partition(" (")[0] or "Latency Distribution"
    for q, (value, printed) in sorted((latencies.rounded | latencies.exact).items()):
        record.figure(title, _name(q), value, unit="s", printed=printed)
    for name, statistic in _FOOTER.items():
        exact = latencies.milliseconds(name)
        if exact is not None:
            record.figure(title, statistic, exact, unit="s", printed=latencies.footer[name])
    _leftovers(record, latencies, f"{title} (rounded)", f"{title}: ")


def _leftovers(record: RunRecord, latencies: _LatencyList, rounded: str, prefix: str) -> None:
    """Keep what has no column: rounded rows beside exact ones, counts, the footer."""
    for q, (value, printed) in latencies.rounded.items():
        if q in latencies.exact:
            record.figure(rounded, _name(q), value, unit="s", printed=printed)
    for q, count in latencies.counts.items():
        record.figure(f"{prefix}TotalCount", _name(q), count, printed=str(count))
    for name, printed in latencies.footer.items():
        if name not in _FOOTER:
            try:
                value = units.whole(printed)
            except ValueError:
                continue
            statistic = "total" if name == "Total count" else "value"
            record.figure(prefix + name, statistic, value, printed=printed)


def _name(q: float) -> str:
    return f"p{100 * q:.10g}"


PARSERS: Final = (
    TextParser(
        name="wrk2-text",
        tool="wrk2",
        reads="the report with its histogram, anywhere in a text",
        versions="all (-L, -U)",
        may_fill=("throughput_rps", *REPORT),
        when={
            "throughput_rps": "where the report has its end",
            "tool_version": "where the output of -v precedes",
            **dict.fromkeys(ASKED, "--latency, -L or -U"),
        },
        constants={**OPEN, "resolution_s": 1e-6},
        markers=lines.WRK.markers,
        scan=scan,
    ),
)
