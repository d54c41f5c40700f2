r"""The lines of a report in wrk's layout, which wrk2 and Hyperfoil's imitation print, too.

Source: wg/wrk 1.0.0 to 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`; delimitrou/DeathStarBench
`wrk2/src/wrk.c`; Hyperfoil 9247c26, `WrkAbstract.java`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Final, Literal

from benchkit import units
from benchkit.text import Text

from ._grammar import Grammar, Report
from ._line import FAR, Line, Slot

_CELL: Final = r"[-+]?(?:nan|[0-9][0-9.]*+)[A-Za-zµμ]{0,2}"
_SLOTS: Final = {
    "plain": Slot("a number", r"[0-9]{1,18}+(?:\.[0-9]{1,6}+)?", units.number, exact=True),
    "times": Slot("four figures", rf"(?:{_CELL}\s++){{3}}{_CELL}%", ended="%$"),
    "figures": Slot("five figures", rf"(?:{_CELL}\s++){{4}}{_CELL}%", ended="%$"),
    "rates": Slot("four figures", rf"(?:{_CELL}\s++){{3}}{_CELL}%?", ended="%$"),
}
#: A row whose name a translator took to another script; its first letter is the first of such.
_RENAMED: Final = r"[^\x00-\x7f](?<![^\x00-\x7f]{2})\S{0,30}+ "
_TIME: Final = r"[0-9.]++(?:us|ms|s|m)"

RUNNING = Line("Running {time:time} test @ {url:url}", "Making {count:count} requests to {url:url}")
THREADS = Line("{threads:count} threads and {connections:count} connections", foreign=0)
CALIBRATION = Line(
    r"Thread calibration: mean lat\.: {mean:time}(?:ec)?, "
    r"rate sampling interval: {interval:time}(?:ec)?",
    repeats=True,
    foreign=FAR,
)
RESULTS = Line("Test Results @ {url:url}", foreign=FAR)  # DeathStarBench's wrk2
HEADER = Line(
    r"Thread Stats (?P<labels>Avg Stdev (?:Max|[0-9]{2}(?:\.[0-9]++)?%) (?:\+/-|±) ?Stdev)",
    foreign=FAR,
)
LATENCY = Line(
    "Latency (?!Distribution){cells:times}",
    rf"{_RENAMED}(?P<cells>{_TIME} {_CELL} {_CELL} {_CELL}%)",
    slots=_SLOTS,
)
RATE = Line(
    "Req/Sec {cells:rates}",
    rf"{_RENAMED}(?P<cells>(?!{_TIME}\s){_CELL} {_CELL} {_CELL} {_CELL}%)",
    slots=_SLOTS,
)
DISTRIBUTION = Line(
    r"Latency Distribution"
    r"(?: ?(?P<histogram>\(HdrHistogram(?: ?- (?P<name>[^()]*+(?:\([^()]*\))?))?\)))?",
    again=True,
    late=True,  # as some forks print it
)
QUANTILE = Line("{share:share} {latency:time}", again=True, foreign=0)
SPECTRUM = Line("Detailed Percentile (?P<letter>[Ss])pectrum:?", again=True)
COLUMNS = Line(r"Value Percentile TotalCount(?: 1/\(1-Percentile\))?", again=True)
STEP = Line(
    r"{latency:decimal} {share:decimal} {count:whole}(?: (?:[0-9]++\.[0-9]++|inf))?",
    again=True,
    ended=r"(?:\s[0-9]++\.[0-9][0-9]|inf)$",
)
FOOTER = Line(r"#\[(?P<pairs>[^\[\]]*+)\]", again=True)
SUMMARY = Line(r"{requests:count} requests in {duration:time}, {size:size} read\.?")
SOCKET = Line("Socket errors: ?{counts:counts}", late=True, foreign=0)
STATUS = Line("Non-2xx or 3xx responses: ?{count:count}", late=True, foreign=0)
THROUGHPUT = Line("Requests/sec: ?{rate:rate}")
TRANSFER = Line("Transfer/sec: ?{size:size}", foreign=0)
#: As a fork prints it with `--verbose`, whose source is not known.
HEADER_BELOW = Line(r"Thread Stats (?P<labels>Avg Stdev Min Max \+/- Stdev)", foreign=0)
LATENCY_BELOW = Line("Latency: {cells:figures}", slots=_SLOTS, foreign=0)
RATE_BELOW = Line("Req/sec: {cells:figures}", slots=_SLOTS, foreign=0)
#: What a script prints below: a percentile, in µs unless it says so.
DONE = Line(
    "{share:share} ?[,:=]? ?{value:plain} ?(?P<unit>us|ms|s)?",
    slots=_SLOTS,
    repeats=True,
    foreign=FAR,
    blank=1,
    ended="s$",
    has="%",
)

WRK = Grammar(
    *(RUNNING, THREADS, CALIBRATION, RESULTS, HEADER, LATENCY, RATE),
    *(DISTRIBUTION, QUANTILE, SPECTRUM, COLUMNS, STEP, FOOTER),
    *(SUMMARY, SOCKET, STATUS, THROUGHPUT, TRANSFER),
    *(HEADER_BELOW, LATENCY_BELOW, RATE_BELOW, DONE),
    begins={
        RUNNING: (THREADS, CALIBRATION, RESULTS, HEADER),
        THREADS: (CALIBRATION, HEADER),
        RESULTS: (HEADER,),
        HEADER: (LATENCY, RATE),
        LATENCY: (RATE,),
        DISTRIBUTION: (QUANTILE,),
        SPECTRUM: (COLUMNS,),
        COLUMNS: (STEP,),
        SUMMARY: (SOCKET, STATUS, THROUGHPUT),
    },
    head=RESULTS,
    end=THROUGHPUT,
    closes=(TRANSFER, RATE_BELOW, DONE),
    markers=(
        *("threads and", "Thread Stats", "Req/Sec", "Latency Distribution", "1/(1-Percentile)"),
        " requests in ",
    ),
    whole=(LATENCY, THROUGHPUT),
    marks=(LATENCY, RATE, SUMMARY),
    divides=(
        r"(?:[^|]{0,60}[$#%>❯➜]\s+)?(?:\S*/)?wrk2?\s|\$ |This is ApacheBench|Benchmarking |Server "
        r"|Concurrency Level|Percentage of the requests|Connection Times|Requests\s+\[|Bucket\s"
    ),
)

#: What bombardier prints below such a distribution, above it, or in place of one.
_BOMBARDIERS: Final = re.compile(
    r"HTTP codes:|Statistics\s++Avg|Latency(?:\s++[0-9.]++[a-z]++){3}$"
)

Flavour = Literal["wrk", "wrk2", "hyperfoil"]


def reports(text: Text, flavour: Flavour) -> Sequence[Report]:
    """Return the reports that one of the three tools printed.

    What begins below the figures of latency and rate is the end of a report, and has to
    have that end.
    """
    return text.once(_by_flavour)[flavour]


def _by_flavour(text: Text) -> Mapping[Flavour, Sequence[Report]]:
    reports: dict[Flavour, list[Report]] = {"wrk": [], "wrk2": [], "hyperfoil": []}
    listed = WRK.reports(text)
    shown = {line.figures for each in listed if not is_alone(each) for line in each.all(QUANTILE)}
    for report in listed:
        begun = report.lines[0].line in {RUNNING, THREADS, CALIBRATION, RESULTS, HEADER, LATENCY}
        figures = any(map(report.get, (SUMMARY, QUANTILE, STEP)))
        if begun or (report.has(THROUGHPUT) and figures) or _is_lost(report, shown):
            other: Flavour = "wrk2" if _is_wrk2(report) else "wrk"
            reports["hyperfoil" if _is_hyperfoil(report) else other].append(report)
        else:
            text.leave(report.span)
    return reports


def is_alone(report: Report) -> bool:
    """Whether a report is nothing but a distribution of latencies: no run is known of it."""
    rest = (LATENCY, RATE, SUMMARY, THROUGHPUT)
    return report.lines[0].line is DISTRIBUTION and not any(map(report.get, rest))


def _is_lost(report: Report, shown: Collection[Hashable]) -> bool:
    """Whether a report is a distribution alone, and not one of a whole report once more."""
    quantiles = [line.figures for line in report.all(QUANTILE)]
    if not is_alone(report) or all(map(shown.__contains__, quantiles)):
        return False
    return report.of_another("wrk", _BOMBARDIERS, hint="it is bombardier's") is None


def _is_hyperfoil(report: Report) -> bool:
    rate, socket = report.get(RATE), report.get(SOCKET)
    sizes = [line["size"] for line in map(report.get, (SUMMARY, TRANSFER)) if line]
    return (
        (rate is not None and len(rate["cells"].split()) == 4 and rate["cells"][-1] != "%")
        or any(size.endswith("kB") for size in sizes)
        or (socket is not None and "connectionErrors" in socket["counts"])
        or any(line["letter"] == "S" for line in report.all(SPECTRUM))
    )


def _is_wrk2(report: Report) -> bool:
    # Quantiles have three decimals; and wrk2 divides by the empty histogram's
    # count where wrk prints 0.00.
    empty = [line["cells"].split()[0] for line in map(report.get, (LATENCY, RATE)) if line]
    return (
        any(map(report.get, (CALIBRATION, SPECTRUM, FOOTER)))
        or any(line["histogram"] for line in report.all(DISTRIBUTION))
        or any(line["share"][-5:-4] == "." for line in report.all(QUANTILE))
        or any("nan" in cell for cell in empty)
    )
