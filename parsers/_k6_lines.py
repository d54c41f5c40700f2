"""The lines of k6's report at the end of a test.

Above it are the scenarios, unless `--quiet`. Then come, from 0.58 on, the thresholds, the total,
and with `--summary-mode=full` each group and scenario; before, and with `--summary-mode=legacy`,
only the metrics, with a mark before those that have thresholds. Which statistics a trend has, and
in what order, is the user's choice.

Source: k6 1.8 `internal/js/summary.js`, `summary-legacy.js`, `internal/cmd/ui.go`
(printExecutionDescription), `lib/executor/*.go` (GetDescription); 0.49 `js/summary.js`; 0.29
`ui/summary.go`; 0.26 `cmd/run.go`.
"""

from __future__ import annotations

from typing import Final

from benchkit import units

from ._grammar import Grammar
from ._line import SLOTS, Line, Slot

#: Lines that the progress of a long run fills, and all the checks of a script.
_FAR: Final = 100_000
_ODD: Final = r"[^\s\w{.'\"]"
_MARK: Final = _ODD + "{1,6}+"
_NAME: Final = r"[A-Za-z_]\w*+"
_TAGS: Final = r"\{ ?[^{}\n]{1,300} ?\}"
_VALUE: Final = r"[^\s=]++"
#: A figure of a metric: its value, with the unit behind a blank where it is of bytes.
_AMOUNT: Final = r"[0-9][0-9.e+]*+(?:\s?[kMGTPEZY]?B)?"
_SLOTS: Final = {
    "metric": Slot(
        "a metric", rf"(?>(?:(?<!{_ODD}){_MARK}\s)?)(?:{_NAME}|{_TAGS})", exact=True, first=r"\S"
    ),
    "trend": Slot(
        "statistics",
        rf"(?:avg|min|med|max|count|p\([0-9.]++\))={_VALUE}"
        rf"(?>(?:\s++(?:avg|min|med|max|count|p\([0-9.]++\))={_VALUE})*)",
        exact=True,
    ),
    "amount": Slot("a figure", _AMOUNT, exact=True),
    "share": SLOTS["percent"],
    "scenario": Slot("a scenario", r"(?>(?:\*\s)?)[\w-]++", exact=True, first=r"[\w*-]"),
    "rate": Slot("a rate", r"[0-9]++\.[0-9]{2}", units.number, exact=True),
    "span": Slot("a duration", r"(?>(?:[0-9.]++(?:ns|µs|us|ms|s|m|h))+)", exact=True),
    "expression": Slot("a threshold", r"'[^'\n]++'", exact=True),
    "mark": Slot("a mark", _MARK, exact=True, first=r"[^\w\s]"),
}


def _line(*templates: str, **options: bool | int | str) -> Line:
    return Line(*templates, slots=_SLOTS, **options)  # type: ignore[arg-type]


def _far(*templates: str, again: bool = False, has: str = "") -> Line:
    return _line(*templates, again=again, foreign=_FAR, blank=_FAR, has=has)


def _metric(*templates: str, begins: str) -> Line:
    """Return a metric's line; `begins`: pattern of how what stands behind its name does.

    The dots go as far as the longest name, which has the tags of a part in it.
    """
    forms = (f"{{name:metric}}\\.{{2,}}+: {each}" for each in templates)
    return _far(*forms, again=True, has=rf"\.\.:\s++{begins}")


SCENARIOS = _line(
    r"(?:scenarios|execution): \({segment:percent}\) {count:whole} scenarios?, "
    r"{vus:whole} max VUs, {span:span} max duration(?>(?: \(incl\. graceful stop\))?):?+"
)
_FACTS: Final = r"(?>(?: over [0-9]++ stages)?)(?>(?: \([^()]*+\))?)"
CLOSED = _line(
    rf"{{name:scenario}}: (?>(?:Up to )?){{vus:whole}} looping VUs for {{span:span}}{_FACTS}",
    rf"{{name:scenario}}: [0-9]++ iterations (?:shared among|for each of) {{vus:whole}} VUs"
    rf"{_FACTS}",
    r"{name:scenario}: Externally controlled execution with {vus:whole} VUs, [0-9]++ max VUs,"
    r" \w++ duration",
    repeats=True,
)
OPEN = _line(
    rf"{{name:scenario}}: (?>(?P<ramp>Up to )?){{rate:rate}} iterations/s for {{span:span}}"
    rf"{_FACTS}",
    again=True,
)
#: Up to 0.26, which has closed loops only.
EARLY = _line("vus: {vus:whole}, max: {most:whole}")
THRESHOLDS = _far(r"(?:\S{1,4}+ )?THRESHOLDS")
THRESHOLD = _line(
    "{mark:mark} {expression:expression} {value:rest}", repeats=True, foreign=6, blank=6
)
TOTAL = _far(r"(?:\S{1,4}+ )?TOTAL RESULTS")
#: A part of the total.
PART = _far(r"\S{1,4}+ (?P<kind>SCENARIO|GROUP): {name:rest}", again=True, has="SCENARIO|GROUP")
TREND = _metric("{figures:trend}", begins=r"(?:avg|m|p\(|count)")
SHARE = _metric(
    "{share:share} {passes:whole} out of {total:whole}",
    r"{share:share} [^\s0-9]{1,8}+ {passes:whole} [^\s0-9]{1,8}+ {fails:whole}",
    begins=r"\S",
)
GAUGE = _metric("{value:amount} min={min:amount} max={max:amount}", begins="[0-9]")
COUNTER = _metric(r"{count:amount} {rate:amount}/s", begins="[0-9]")
#: Printed every second as well; the last one stands below the report.
ENDED = _line(
    r"running \([0-9.hms]++\), [0-9]++/[0-9]++ VUs, {complete:whole} complete and"
    r" {interrupted:whole} interrupted iterations"
)
_METRICS: Final = (TREND, SHARE, GAUGE, COUNTER)

REPORT: Final = Grammar(
    *(SCENARIOS, CLOSED, OPEN, EARLY, THRESHOLDS, THRESHOLD, TOTAL, PART, *_METRICS),
    begins={
        SCENARIOS: (CLOSED, OPEN),
        EARLY: (),
        THRESHOLDS: (),
        TOTAL: (),
        TREND: (),
        SHARE: _METRICS,
        GAUGE: _METRICS,
        COUNTER: _METRICS,
    },
    head=EARLY,
    markers=("..:", "TOTAL RESULTS"),
)
