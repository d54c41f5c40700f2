"""The lines of vegeta's printed reports.

A line of the text report is a label, the list of what its figures are, and the figures; the
list has changed over time (1.0 `[mean, 95, 99, max]`, 12.8 `[min, mean, 50, 90, 95, 99, max]`),
so figures are read by it.

Source: vegeta 1.0, 1.1, 5.0.1, 5.6.3, 12.6, 12.8 and 12.13 `lib/reporters.go`,
`lib/histogram.go`.
"""

from __future__ import annotations

from typing import Final

from benchkit import units

from ._grammar import Grammar
from ._line import Line, Slot, go_time

_NUMBER: Final = r"[0-9][0-9.]*+"
#: A terminal may have broken it in the middle.
_TIME: Final = r"(?:[0-9.][0-9.hmnuµμ\s]*+s|0)"


def duration(printed: str) -> float:
    """Return a time; up to Go 1.6 that of none is `0`.

    Source: Go 1.6 and 1.7 `time.Duration.String`.
    """
    return 0.0 if printed == "0" else go_time(printed)


def _labelled(label: str, figure: str, *, most: int, ended: str, late: bool = False) -> Line:
    """Return a line whose list has as many items as there are figures behind it, `most` at most."""
    lists = {
        f"list{count}": Slot(
            f"{count} figures", rf"{figure}(?:\s*+,\s*+{figure}){{{count - 1}}}", ended=ended
        )
        for count in range(1, most + 1)
    }
    items = [r"[^][,]++" + r",[^][,]++" * (count - 1) for count in range(1, most + 1)]
    templates = [
        rf"{label} \[(?P<items>{listed})\] (?=[-+.]?[0-9]){{values:{name}}}"
        for listed, name in reversed([*zip(items, lists, strict=True)])  # as new versions print it
    ]
    return Line(*templates, slots=lists, late=late, foreign=0, blank=2)


REQUESTS = _labelled("Requests", _NUMBER, most=4, ended=r"\.[0-9][0-9]$")
DURATION = _labelled("Duration", _TIME, most=4, ended="s$")
LATENCIES = _labelled(
    "Latencies", _TIME, most=9, ended="s$", late=True
)  # somebody's list has them last
BYTES_IN = _labelled("Bytes In", _NUMBER, most=3, ended=r"\.[0-9][0-9]$")
BYTES_OUT = _labelled("Bytes Out", _NUMBER, most=3, ended=r"\.[0-9][0-9]$")
SUCCESS = _labelled("Success", f"{_NUMBER}%", most=1, ended="%$")
STATUSES = Line(
    r"Status Codes \[code:count\] (?=[0-9]){pairs:pairs}",
    slots={"pairs": Slot("pairs", r"[0-9]{1,3}:[0-9]++(?>(?:[\s,]++[0-9]{1,3}:[0-9]++)*)")},
    foreign=0,
    blank=2,
)
ERROR_SET = Line("Error Set:", foreign=0, blank=2)
#: Label per line of figures.
LABELS: Final = {
    REQUESTS: "Requests",
    DURATION: "Duration",
    LATENCIES: "Latencies",
    BYTES_IN: "Bytes In",
    BYTES_OUT: "Bytes Out",
    SUCCESS: "Success",
}
REPORT = Grammar(
    *LABELS,
    STATUSES,
    ERROR_SET,
    begins=dict.fromkeys(LABELS, ()),
    head=REQUESTS,
    closes=(STATUSES, ERROR_SET),
    markers=("[total", "Latencies"),
)

_BOUND: Final = r"(?:[0-9][0-9hmsnuµμ.]*+|\+Inf)"
TITLE = Line("Bucket # % Histogram")
BUCKET = Line(
    rf"\[(?P<low>{_BOUND}), ?(?P<high>{_BOUND})\] {{count:whole}} {{share:percent}}(?: #*+)?",
    repeats=True,
    foreign=0,
    blank=0,
    ended="",
    has="%",
)
HISTOGRAM = Grammar(
    TITLE, BUCKET, begins={TITLE: (BUCKET,), BUCKET: ()}, markers=("+Inf]", "Histogram")
)

COLUMNS = Line(r"Value\(ms\) Percentile TotalCount 1/\(1-Percentile\)")
ROW = Line(
    "{latency:ms} {quantile:share} {count:whole} {behind:decimal}",
    slots={"share": Slot("a share", r"[01]\.[0-9]{1,9}+", units.number, exact=True)},
    repeats=True,
    foreign=0,
    blank=0,
    ended="",
)
LISTING = Grammar(COLUMNS, ROW, begins={COLUMNS: ()}, markers=("Value(ms)",))
