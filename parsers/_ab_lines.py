r"""The lines of ab's report, of all versions, plain or as HTML tables (`-w`).

Source: httpd `support/ab.c`, 2.0.40 to 2.4.x and trunk, `output_results` and
`output_html_results`; `src/support/ab.c` of httpd 1.3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from benchkit import units

from ._grammar import Grammar
from ._line import COUNT, FAR, Line, Slot, count


def milliseconds(printed: str) -> float:
    """Return a time in s; ab prints no unit, authors add one."""
    return units.seconds(printed, default="ms")


#: Behind a label stands a colon; in a table that an author drew there may be none.
_IS: Final = r"(?::|(?=\s\s))\s*+"
#: A broken figure is one, too; words are prose.
_LIKE_A_FIGURE: Final = r"(?=[-+]?(?:[.\d]|nan|inf))"
#: Figures of several runs in a row: it cannot be told whose they are.
_ALONE: Final = r"(?!\s++[-+]?[0-9])"
_NUMBER: Final = rf"[-+]?{COUNT}(?:\.[0-9]++)?"


def _labelled(
    label: str,
    *suffixes: str,
    read: Callable[[str], float] = count,
    late: bool = True,
) -> Line:
    """Return a line with a figure: `value` behind a label, before one of some suffixes or none."""
    slot = Slot(f"a number behind '{label}:'", _NUMBER + _ALONE, read)
    begin, ends = f"{label}{_IS}{_LIKE_A_FIGURE}", "|".join(suffixes) or "(?!)"
    return Line(
        *[rf"{begin}{{value:number}} ?(?:{ends}){_ALONE}"] * bool(suffixes),
        rf"{begin}(?!\S++\s*+(?:\[|{ends})){{value:number}}",
        slots={"number": slot},
        any_case=True,
        late=late,
    )


# --- before the run, and while it lasts; with -v, whole responses stand in between ---

#: Messages of the system are not so long; each may hold what looks like the begin of another.
_REASON: Final = r"[^()]{0,200}+\([0-9]++\)"
_MESSAGE: Final = (
    rf"(?P<message>(?:ab: )?apr_\w++(?:\(\))?(?: for \S++)?:? {_REASON}|socket: {_REASON}"
    r"|SSL (?:handshake|write|read) failed \([0-9]++\)"
    r"|Test aborted after [0-9]++ failures|Total of (?P<done>[0-9]++) requests completed)"
)
BANNER = Line(
    r"This is ApacheBench, Version (?P<version>[0-9][\w.]*+)(?:-\w++)?"
    r"(?: <?\$Revision(?:: ?(?:(?P<revision>[0-9]{1,9})|[0-9.]++))? ?\$>?)?(?: apache-[0-9.]++)?"
)
START = Line(
    r"Benchmarking \S++ (?:\[through \S++\] )?\(be patient\)(?P<dots>\.*+)"
    rf"(?P<finished>done)?(?:\^C)?(?: ?{_MESSAGE})?",
    foreign=FAR,
)
PROGRESS = Line(r"Completed [0-9]++ requests", again=True, foreign=FAR, blank=FAR)
MESSAGE = Line(
    rf"{_MESSAGE}\.?",
    again=True,
    foreign=FAR,
    blank=FAR,
    has="apr_|socket|SSL |aborted|Total of",
)
INTERRUPTED = Line(r"[\^]C", foreign=FAR, blank=FAR)
FINISHED = Line(r"Finished [0-9]++ requests", r"[.]{1,9}+done", foreign=FAR, blank=FAR)

# --- the report ---

SOFTWARE = Line(rf"Server Software{_IS}(?:(?!Server )\S++)?", foreign=FAR, blank=FAR)
HOST = Line(rf"Server Hostname{_IS}(?P<host>\[?+[\w.:%-]++\]?+)", any_case=True)
PORT = _labelled("Server Port", late=False)
TLS = Line(
    f"SSL/TLS Protocol{_IS}{{protocol:word}}",
    rf"Server Temp Key{_IS}\S++(?: \S++){{0,3}}? bits",
    f"TLS Server Name{_IS}{{name:word}}",
    repeats=True,
)
PATH = Line(
    rf"Document Path{_IS}(?P<path>(?:https?:/)?/[^\s|<>\"`\\^]*+(?<!['*]))",
    any_case=True,
)
LENGTH = _labelled("Document Length", "bytes", late=False)
VARIABLE = Line(f"Document Length{_IS}Variable", any_case=True)
WORKERS = _labelled("Number of workers", late=False)
CONCURRENCY = _labelled("Concurrency Level", late=False)
ACHIEVED = _labelled("Concurrency achieved")
RAMPUP = _labelled("Rampup delay", r"\[ms\]", read=milliseconds)
TIME = _labelled("Time taken for tests", "seconds", "s", read=units.number, late=False)
ASKED = _labelled("Number of requests")
COMPLETE = _labelled("Complete requests")
FAILED = _labelled("Failed requests")
KINDS = Line(
    r"[(]Connect: {connect:whole} ?, (?:Receive: (?P<receive>[0-9]++) ?, )?"
    r"Length: {length:whole} ?, Exceptions: {exceptions:whole} ?\)"
)
WRITE = _labelled("Write errors")
PIPE = _labelled("Broken pipe errors")
NON2XX = _labelled("Non-2xx responses")
KEPT = _labelled("Keep-Alive requests")
KEPT_ABORTS = _labelled("Keep-Alive aborts")
RECEIVED = _labelled("Total transferred", "bytes")
SENT = _labelled("Total (?:body sent|POSTed|PUT)", "bytes")
BODY = _labelled("HTML transferred", "bytes")
RATE = _labelled("Requests per second", r"\[#/sec\](?>(?: \(mean\))?)", read=units.number)
PER_REQUEST = _labelled("Time per request", r"\[ms\] \(mean\)", read=milliseconds)
PER_REQUEST_ALL = _labelled(
    "Time per request", r"\[ms\] \(mean, across all concurrent requests\)", read=milliseconds
)
HTML_RATE = _labelled("HTML Transfer rate", r"\[Kbytes/sec\] received", read=units.number)
TRANSFER = Line(  # of what without its unit, cannot be told
    rf"Transfer rate{_IS}{{value:number}} (?:\[Kbytes/sec\]|kb/s) received(?!\s++[0-9.]++\s++\[)",
    any_case=True,
    late=True,
)
TRANSFER_SENT = Line("{value:number} kb/s sent", foreign=0)
TRANSFER_TOTAL = Line("{value:number} kb/s total", foreign=0)

# --- connection times, in the report or as a table of an author's, in any order and unit ---

_UNIT: Final = r"(?:ns|us|µs|μs|ms|msec|milliseconds?|s|sec|seconds?)"
IN_UNIT: Final = rf"(?:\s?[(\[]\s?(?:in )?{_UNIT}\s?[)\]]|,\s{_UNIT}|\sin\s{_UNIT})"
#: A column: what it has, and the unit that it names, if any.
STATISTIC: Final = (
    r"(?:min(?:imum)?|mean|average|avg|median|med|max(?:imum)?"
    r"|\[?(?:\+\s?/\s?-|±)\s?(?:sd|stdev)?\]?|st(?:an)?d(?:ard)?\.?\s?dev(?:iation)?\.?|sd|\u03c3)"
    rf"(?:{IN_UNIT})?"
)
_CELL: Final = (
    r"(?:[(\[]?+(?>(?:\+/-|±)?)\s?+-?[0-9]++(?:\.[0-9]++)?(?>(?:[nuµμm]?s)?)[)\]]?+"
    r"|[-–—](?!\S)|n/?a)"
)
#: A column has a width: a figure with blanks before it that fills it is whole. Others have units.
_WHOLE_ROW: Final = (
    r"(?:\s++[0-9.]++){4}(?=.{8}$)\s{2,}[0-9]++$|(?:\s++[0-9]++){2}(?=.{5}$)\s++[0-9]++$|[0-9]m?s$"
)
_TIMES: Final = {"cells": Slot("times", rf"{_CELL}(?>(?:\s++{_CELL}){{2,4}})", ended=_WHOLE_ROW)}


def _row(name: str) -> Line:
    return Line(
        rf"{name}(?>(?: times?)?){IN_UNIT}?{_IS}(?=[-+±(\[]*+[0-9]|[-–—]\s|n/?a){{cells:cells}}",
        slots=_TIMES,
        any_case=True,
        late=True,
    )


TIMES = Line(r"Conn+ection Times \(ms\)", any_case=True)
STATISTICS = Line(
    "{names:names}",
    slots={
        "names": Slot(
            *("names of statistics", rf"{STATISTIC}(?:\s*+{STATISTIC}){{1,6}}"),
            exact=True,
            ended="",
            first=r"[AaMmSs\[+±\u03a3\u03c3]",
        )
    },
    any_case=True,
    foreign=1,
    has="min|mean|av(?:era)?g|med|max|d(?:ard)?[. ]?dev|sd|\u03c3",
    before=rf"(?P<label>(?!(?:{STATISTIC})\b)[A-Za-z]\w{{0,40}}+(?>(?:\s\w{{1,40}}+){{0,9}})"
    rf"(?>{IN_UNIT}?)\s\s\s*+)?",
)
ROWS: Final = {name: _row(name) for name in ("Connect", "Processing", "Waiting", "Total")}

# --- percentiles; warnings of up to twelve lines stand above ---

PERCENTILES = Line(
    r"Percentage of the requests served within(?: a certain time \(ms\))?",
    any_case=True,
    foreign=12,
)
_LATENCY: Final = {
    "below": Slot("a percentage", "[0-9]{1,2}+", units.whole, exact=True),
    "latency": Slot(
        *("a time in ms", r"[0-9]++(?:\.[0-9]++)?(?:\s?ms)?", milliseconds),
        ended=r"%(?=.{7}$)\s{3,}[0-9]++$|[0-9]\s?m?s$",
    ),
}
PERCENT = Line(
    "{percent:below}% (?=[0-9]){latency:latency}", slots=_LATENCY, repeats=True, foreign=1
)
LONGEST = Line(
    r"[1]00% (?=[0-9]){latency:latency} \((?:longest|last) request\)(?>\)?)",
    "[1]00% (?=[0-9]){latency:latency}",
    slots=_LATENCY,
)

#: Where and what; how many and how fast.
TARGET: Final = (SOFTWARE, HOST, PORT, TLS, PATH, LENGTH, VARIABLE)
VALUES: Final = (
    *(WORKERS, CONCURRENCY, ACHIEVED, RAMPUP, TIME, ASKED, COMPLETE, FAILED, KINDS, WRITE, PIPE),
    *(NON2XX, KEPT, KEPT_ABORTS, RECEIVED, SENT, BODY, RATE, PER_REQUEST, PER_REQUEST_ALL),
    *(HTML_RATE, TRANSFER, TRANSFER_SENT, TRANSFER_TOTAL),
)

#: What stands between the failures and the bytes, in this order.
COUNTERS: Final = (KINDS, WRITE, PIPE, NON2XX, KEPT, KEPT_ABORTS, RECEIVED)

AB = Grammar(
    *(BANNER, START, PROGRESS, MESSAGE, INTERRUPTED, FINISHED, *TARGET, *VALUES),
    *(TIMES, STATISTICS, *ROWS.values(), PERCENTILES, PERCENT, LONGEST),
    begins={
        **dict.fromkeys((BANNER, START, *TARGET, *VALUES), ()),
        TIMES: (STATISTICS, *ROWS.values()),
        STATISTICS: tuple(ROWS.values()),
        PERCENTILES: (PERCENT, LONGEST),
    },
    head=FINISHED,
    end=LONGEST,
    closes=(LONGEST, ROWS["Total"]),
    markers=(
        *("ApacheBench", "(be patient)", "Concurrency Level", "Complete requests"),
        *("Requests per second", "Connection Times", "Connection times", "Connnection Times"),
        "Percentage of the requests served",
    ),
    whole=(CONCURRENCY, TIME, COMPLETE),
    marks=(*VALUES, *ROWS.values(), PERCENT, LONGEST),
    divides=(
        r"(?:[^|]{0,60}[$#%>❯➜]\s*+)?(?:\S*[/\\])?abs?(?:\.exe)?\s+-|\$ |Running .{1,40} test @"
        r"|Requests\s+\[|Bucket\s"
    ),
)
