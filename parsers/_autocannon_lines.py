r"""The lines of autocannon's report, of every version.

Source: autocannon 0.1 to 9.0, `lib/progressTracker.js` and, from 4.0 on, `lib/printResult.js`.
The layouts: up to 2.x one table without borders (Avg, Stdev, Max); from 3.0 two tables (Latency;
Req/Sec and Bytes/Sec), from 3.2 drawn with box characters; from 7.1 a table of status codes on
demand; from 7.14 Req/Sec in the machine's notation; from 8.0 a summary without tables on demand.
"""

from __future__ import annotations

import re
from typing import Final

from benchkit import units

from ._grammar import Grammar
from ._line import Line, Slot

_NAME: Final = r"(?>Stat|Avg|Stdev|Min|Max|[0-9]{1,2}(?:\.[0-9]{1,3})?%)(?!\S)"
_AHEAD: Final = rf"(?:{_NAME}\s++){{0,11}}?"
#: Not from each of many names and percentages on. What tells soonest comes first.
_NAMES_BEGIN: Final = r"(?=[SAM0-9])(?:(?<![0-9]%\s)|(?![0-9]))" + "".join(
    rf"(?<!{name}{blanks})"
    for name in ("stat", "avg", "stdev", "min", "max")
    for blanks in (r"\s", r"\s\s", r"\s\s\s", r"\s\s\s\s")
)
#: With labels below `Stat`, or below nothing; wrk's columns, which people put into tables, have ±.
_NAMES: Final = (
    rf"{_NAMES_BEGIN}(?={_AHEAD}Avg(?!\S))(?={_AHEAD}Stat(?!\S)|[0-9])"
    rf"{_NAME}(?>(?:\s++{_NAME}){{2,11}})(?!\s*+(?:\+/-|±))"
)
_NUMBER: Final = r"[0-9]++(?:\.[0-9]++)?"
_TIME: Final = rf"(?:NaN|{_NUMBER}(?>(?:[nuµμm]?s)?))"
_RATE: Final = "(?:NaN|[0-9][0-9.,'\u2019]{0,30}+)"
_SIZE: Final = rf"{_NUMBER}[kKMGTP]?B"
_MOST: Final = 2.0**63


def _amount(printed: str) -> float:
    count = units.count(printed)
    if count >= _MOST:
        raise ValueError(printed)
    return count


def _cells(cell: str, ended: str | None) -> Slot:
    return Slot("figures", rf"(?:{cell}\s++){{0,24}}{cell}", ended=ended, first="[0-9N]")


def _before(cell: str) -> Slot:
    """Return what stands before a label: all of it, as none of it may be looked at again."""
    return Slot("figures", rf"{cell}(?>(?:\s++{cell}){{0,11}})", first="[0-9N]")


_SLOTS: Final = {
    "names": Slot("columns", _NAMES, exact=True, first="[SAM0-9]"),
    "rate_names": Slot(
        "columns",
        rf"{_NAMES_BEGIN}(?={_AHEAD}(?:1%|Min)(?!\S)){_NAMES}",
        exact=True,
        first="[SAM0-9]",
    ),
    "times": _cells(_TIME, "s$"),
    "rates": _cells(_RATE, None),
    "sizes": _cells(_SIZE, "B$"),
    "times_before": _before(_TIME),
    "rates_before": _before(_RATE),
    "sizes_before": _before(_SIZE),
    "code": Slot("a status", "[1-9][0-9]{2}", exact=True, first="[0-9]"),
    "share": Slot(
        "a percentage", r"(?:0\.0{0,2}1|1|2\.5|10|25|50|75|90|97\.5|99(?:\.9++)?)%?+", exact=True
    ),
    "amount": Slot("a count", _NUMBER + "[kMG]?+", _amount),
}
#: Lines between the head and its table (JSON, warnings), two tables, and a table and the summary.
_HEAD_REACH: Final = 80
_TABLE_REACH: Final = 20
_TAIL_REACH: Final = 12


def _row(label: str, cells: str) -> Line:
    """Return a row of a table, whose label may stand behind some of its figures."""
    return Line(
        rf"{label} (?=[-+.,0-9N]){{cells:{cells}}}",
        rf"{{before:{cells}_before}} {label} {{cells:{cells}}}",
        slots=_SLOTS,
        any_case=True,
        late=True,
        foreign=0,
    )


def _tail(*templates: str, foreign: int = _TAIL_REACH, ended: str | None = None) -> Line:
    return Line(*templates, slots=_SLOTS, foreign=foreign, ended=ended)


RUNNING = Line(
    "Running {time:time} (?P<kind>test|warmup) @ {url:url}",
    "Running {amount:count} requests (?P<kind>test|warmup) @ {url:url}",
)
CONNECTIONS = Line(
    "{connections:count} connections(?: with {pipelining:count} pipelining factor)?", foreign=0
)
WORKERS = Line("{workers:count} workers", foreign=0)
TABLE = Line(
    "{columns:names}",
    slots=_SLOTS,
    any_case=True,
    foreign=_HEAD_REACH,
    blank=_HEAD_REACH,
    has="Avg",
)
LATENCY = _row(r"Latency(?P<unit>(?: ?\([nuµμm]?s\))?)", "times")
RATES_TABLE = Line(
    "{columns:rate_names}", slots=_SLOTS, any_case=True, foreign=_TABLE_REACH, has="Avg"
)
RATES = _row("Req/Sec", "rates")
SIZES = _row("Bytes/Sec", "sizes")
CODES = Line("Code Count", any_case=True)
CODE = Line("{code:code} {count:whole}", slots=_SLOTS, repeats=True, foreign=0)
SAMPLED = _tail(
    r"Req/Bytes counts sampled (?P<every>once per second|every {interval:number} seconds)\.?"
)
SAMPLES = _tail("of samples: ?{samples:count}", r"# of samples: ?{samples:count}")
PERCENTILES = Line(r"Percentile Latency \(ms\)", any_case=True, foreign=_TABLE_REACH)
PERCENTILE = Line("{share:share} {latency:ms}", slots=_SLOTS, repeats=True, foreign=0)
STATUSES = _tail("{good:whole} 2xx responses, {other:whole} non 2xx responses")
SUMMARY = _tail(
    "{requests:amount} requests in {duration:time}, {size:size1000} read[.,;!]?"
    "(?P<more>(?: .{0,200}?mismatched body)?)"  # of the next line
)
ERRORS = _tail(
    r"{errors:amount} errors(?: \({timeouts:amount} timeouts\))?", foreign=2, ended=r"\)$"
)
MISMATCHES = _tail("{mismatches:amount} requests with mismatched body", foreign=2)
RESETS = _tail("request pipeline was reset(?:ted)? {resets:amount} times?", foreign=2)

#: What every report has, and wrk's, whose lines are much alike, has not. A number is looked at from
#: its begin only, not from behind each of its commas.
TELLING: Final = re.compile(
    # A set comes first, as a search passes over what is not in it at once.
    r"[Ss\u017f%0-9,](?:(?<=[Ss\u017f])(?<!\w.)(?i:tat)\b|(?<=%)\s++(?i:Avg|Stdev|Min|Max)\b"
    r"|(?<=[0-9,])(?<![0-9,].)(?:(?<!\w.)|(?<=,))(?i:(?<!and .)[0-9,]*+ connections))"
)
REPORT = Grammar(
    *(RUNNING, CONNECTIONS, WORKERS, TABLE, LATENCY, RATES_TABLE, RATES, SIZES, CODES, CODE),
    *(SAMPLED, SAMPLES, PERCENTILES, PERCENTILE, STATUSES, SUMMARY, ERRORS, MISMATCHES, RESETS),
    begins={RUNNING: (CONNECTIONS, TABLE), TABLE: (), RATES_TABLE: ()},
    head=WORKERS,
    end=SUMMARY,
    closes=(SUMMARY, ERRORS, MISMATCHES, RESETS),
    markers=("Latency", "Req/Sec", "Req/sec", " requests in ", " connections"),
    divides=r"(?:[^|]{0,60}[$#%>❯➜]\s+)?(?:npx\s+)?autocannon\s|\$ ",
)
