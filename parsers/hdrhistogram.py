"""HdrHistogram: the table of percentiles that it prints (`.hgrm`).

A row is the value at which a percentile is reached, and how many were recorded up to there; values
are upper bounds of buckets, divided by a ratio that the caller chose. Neither that nor the unit
stands in the table. wrk2 prints the same table within its report, where its own parser reads it.

Source: HdrHistogram 2.2.1, `AbstractHistogram.java` (outputPercentileDistribution); python
`hdrhistogram` 0.10.8, `hdrh/histogram.py` (output_percentile_distribution).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit.parsing import RunOrError, RunRecord, TextParser, Unitless
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.text import Text
from benchkit.tool import Tool

from ._grammar import Grammar, Report
from ._line import Line, Slot

TOOLS: Final = (Tool(name="hdrhistogram"),)
#: What both parsers fill where the unit is known.
LATENCIES: Final = (
    *("latency_min_s", "latency_mean_s", "latency_std_s", "latency_max_s"),
    *QUANTILE_COLUMNS.values(),
)

_DECIMAL: Final = r"[0-9]++\.[0-9]++"
_SLOTS: Final = {
    "value": Slot("a value", r"[0-9]++(?:\.[0-9]++)?", float, exact=True),
    "share": Slot("a share", r"[01]\.[0-9]{6,12}", float, exact=True),
    "label": Slot("the total count", r"Total\s?[Cc]ount", exact=True),
    "total": Slot("a count", "[0-9]{1,40}+", int, exact=True),
}
COLUMNS = Line(r"Value Percentile TotalCount(?: 1/\(1-Percentile\))?")
ROW = Line(
    rf"{{value:value}} {{share:share}} {{count:total}}(?: (?:{_DECIMAL}|inf))?",
    slots=_SLOTS,
    repeats=True,
    foreign=0,
    ended=r"(?:\s[0-9]++\.[0-9][0-9]|inf|1\.0{6,12}\s++[0-9]++)$",
)
MEAN = Line(
    r"#?\[?Mean ?= ?{mean:value}, StdDeviation ?= ?{std:value}\]", slots=_SLOTS, ended=r"\]$"
)
MAX = Line(
    r"#?\[?Max ?= ?{max:value}, {label:label} ?= ?{count:total}(?:\.000)?\]",
    slots=_SLOTS,
    ended=r"\]$",
)
BUCKETS = Line(
    r"#?\[?Buckets ?= ?{buckets:total}, SubBuckets ?= ?{parts:total}\]", slots=_SLOTS, ended=r"\]$"
)
TABLE: Final = Grammar(
    *(COLUMNS, ROW, MEAN, MAX, BUCKETS),
    begins={COLUMNS: (ROW, MEAN)},
    head=COLUMNS,
    end=BUCKETS,
    markers=("TotalCount",),
    whole=(COLUMNS, MAX),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the tables in a text that are no part of a report of wrk2."""
    if any("spectrum" in line for line in text.lines):  # which its heading has, however damaged
        return
    for report in TABLE.reports(text):
        if report.has(MAX):
            yield report.run(_counts, _values)
        else:
            yield report.broken_off(
                "the rest of the table, to its line '#[Max'",
                hint="the table is cut off here; use the whole output",
                actual="the end of the table",
            )


def _counts(record: RunRecord, report: Report) -> None:
    count = report.read(MAX, "count")
    record.columns["requests"] = count or 0


def _values(record: RunRecord, report: Report) -> None:
    """Read mean, deviation, maximum and rows; of nothing recorded they are zeros."""
    if not record.columns["requests"]:
        record.notes.append("nothing was recorded: the zeros in the table stand for no latency")
        return
    values = record.unitless = Unitless()
    for column, line, slot in (
        ("latency_mean_s", MEAN, "mean"),
        ("latency_std_s", MEAN, "std"),
        ("latency_max_s", MAX, "max"),
    ):
        number = report.read(line, slot)
        # Python's divides the mean by the ratio, and not the deviation.
        if number is not None and not (slot == "std" and _is_of_python(report)):
            values.columns[column] = number
    for row in report.all(ROW):
        share, value = row.read("share"), row.read("value")
        if share == 0:
            values.columns["latency_min_s"] = value
        elif not values.quantiles or share > values.quantiles[-1][0]:
            values.quantiles.append((share, value))


def _is_of_python(report: Report) -> bool:
    line = report.get(MAX)
    return line is not None and line["label"] == "TotalCount"


PARSERS: Final = (
    TextParser(
        name="hdrhistogram-percentiles",
        tool="hdrhistogram",
        reads="a table of percentiles (.hgrm); the unit comes from meta.json or the file's name",
        versions="2.1 to 2.2",
        fills=("requests",),
        may_fill=LATENCIES,
        when=dict.fromkeys(LATENCIES, "where the unit is known"),
        rank=None,
        markers=TABLE.markers,
        scan=scan,
    ),
)
