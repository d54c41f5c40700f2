"""What a check says, as one table and a few sentences: every output shows the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.gates.ignored import Ignored
from benchkit.gates.ruling import FAILED, OPEN, PASSED, TROUBLE, Gate, Outcome, Ruling
from benchkit.model.grouping import grouped
from benchkit.model.metric import Metric
from benchkit.report.records import frame_of
from benchkit.stats import ALPHA, LEVEL
from benchkit.validity import SEVERITIES, Finding
from benchkit.validity.text import WORDS, groups, records

if TYPE_CHECKING:
    import pandas as pd

HEADINGS: Final = ("rule", "of", "limit", "measured", "interval", "runs", "verdict")
#: Which of these columns hold numbers.
NUMBERS: Final = (2, 3, 4)
NO_RULES: Final = (
    "No rule was asked for: the findings alone decide. --require 'p99<250ms' adds one."
)
_VERDICTS: Final = {PASSED: "Passed", FAILED: "Failed", TROUBLE: "Trouble", OPEN: "No verdict"}
#: In the order in which they are counted.
_OUTCOMES: Final[tuple[Outcome, ...]] = ("passed", "failed", "inconclusive", "missing", "skipped")
#: What stands before an outcome, and the order of their urgency.
_MARKS: Final[Mapping[Outcome, str]] = {
    "missing": "!",
    "failed": "✗",
    "inconclusive": "?",
    "skipped": "–",
    "passed": "✓",
}
_SIGNS: Final = {"<": "<", "<=": "≤", ">": ">", ">=": "≥"}


@dataclass(frozen=True, slots=True)
class GateRow:
    """One ruling in words, ready to be written; what is not known is empty."""

    rule: str
    scenario: str
    variant: str
    limit: str
    measured: str
    interval: str
    runs: str
    outcome: Outcome
    reason: str

    @property
    def subject(self) -> str:
        """What it is about: scenario and variant, as far as there are any."""
        return "/".join(filter(None, (self.scenario, self.variant)))

    @property
    def mark(self) -> str:
        """A sign for the outcome."""
        return _MARKS[self.outcome]

    @property
    def cells(self) -> tuple[str, ...]:
        """The row under `HEADINGS`."""
        return (
            *(self.rule, self.subject, self.limit, self.measured, self.interval, self.runs),
            self.outcome,
        )

    @property
    def message(self) -> str:
        """What was measured against the limit and why that is so, on a line."""
        seen = f"{self.measured} ({self.interval})" if self.interval else self.measured
        parts = [f"{seen}, limit {self.limit}" if seen else "", self.reason]
        return "; ".join(part for part in parts if part) or self.outcome


@dataclass(frozen=True, slots=True)
class GateTable:
    """A check in words.

    Attributes:
        verdict: Passed, Failed, No verdict or Trouble.
        sentence: What that rests on.
        notes: Why rulings are what they are, and what the columns mean.
    """

    verdict: str
    sentence: str
    rows: tuple[GateRow, ...]
    notes: tuple[str, ...]
    ignored: tuple[str, ...]
    status: int
    headings: tuple[str, ...] = HEADINGS
    numbers: tuple[int, ...] = NUMBERS

    @property
    def by_urgency(self) -> list[GateRow]:
        """The rows, those first that ask for something."""
        order = list(_MARKS)
        return sorted(self.rows, key=lambda row: order.index(row.outcome))


def gate_table(gate: Gate) -> GateTable:
    """Return a check in words."""
    rows = tuple(map(_row, gate.rulings))
    return GateTable(
        verdict=_verdict(gate),
        sentence=_sentence(gate),
        rows=rows,
        notes=tuple(_notes(gate, rows)),
        ignored=tuple(_ignored(gate.ignored)),
        status=gate.status,
    )


def _verdict(gate: Gate) -> str:
    """Return the status in words; nothing has passed as long as a rule is inconclusive."""
    is_open = gate.status == PASSED and gate.count("inconclusive")
    return _VERDICTS[OPEN if is_open else gate.status]


def failing(gate: Gate) -> list[tuple[Finding, ...]]:
    """Return the findings that fail a check, those of one kind together."""
    least = SEVERITIES.index(gate.fail_on)
    listed = [f for f in gate.examination.findings if SEVERITIES.index(f.severity) >= least]
    return groups(listed)


def gate_frame(gate: Gate) -> pd.DataFrame:
    """Return the rulings of a check as a dataframe, a row each, missing is NA."""
    dtypes = {name: kind for name, (kind, _) in _FIELDS.items()}
    return frame_of([_record(ruling) for ruling in gate.rulings], dtypes)


def gate_record(gate: Gate) -> dict[str, Any]:
    """Return a check as plain data in base units; changes are ratios to the baseline."""
    return {
        "status": gate.status,
        "verdict": _verdict(gate).lower(),
        "fail_on": gate.fail_on,
        "tests": gate.tests,
        "remarks": [show.clean(text) for text in gate.remarks],
        "troubles": [show.clean(text) for text in gate.troubles],
        "rules": [_record(ruling) for ruling in gate.rulings],
        "ignored": [_ignored_record(each) for each in gate.ignored],
        **records(gate.examination),
    }


# --- rows ---


def _row(ruling: Ruling) -> GateRow:
    rule = ruling.rule
    return GateRow(
        rule=show.clean(rule.text or str(rule), limit=200),
        scenario=show.clean(ruling.scenario or "", limit=60),
        variant=show.clean(ruling.variant, limit=80),
        limit=f"{_SIGNS[rule.sign]} {_limit(ruling)}",
        measured=_measured(ruling),
        interval=_interval(ruling),
        runs=_runs(ruling),
        outcome=ruling.outcome,
        reason=show.clean(ruling.reason),
    )


def _limit(ruling: Ruling) -> str:
    """Return the limit, of a change in the notation of what was measured."""
    rule = ruling.rule
    if not rule.relative:
        return _value(rule.metric, rule.limit)
    if _measured(ruling).endswith(show.TIMES):
        return f"{show.exact(rule.limit)}{show.TIMES}"
    return rule.limit_text.replace("%", show.PERCENT).replace("-", show.MINUS)


def _measured(ruling: Ruling) -> str:
    if ruling.measured is None:
        return ""
    value = ruling.measured
    if not ruling.rule.relative:
        return _value(ruling.rule.metric, value)
    return show.change(value, ruling.low, ruling.high)


def _value(metric: Metric, value: float) -> str:
    """Return a value with its unit and the digits that tables show."""
    if metric.quantity != "rate":
        return metric.prose(value)
    return f"{metric.cells([value])[0]}{show.NBSP}req/s"


def _interval(ruling: Ruling) -> str:
    low, high = ruling.low, ruling.high
    if low is None or high is None or ruling.measured is None:
        return ""
    if ruling.rule.relative:
        return show.change_interval(ruling.measured, low, high)
    return _span(ruling.rule.metric, low, high)


def _span(metric: Metric, low: float, high: float) -> str:
    """Return an interval of values, its unit said once, empty where its bounds look the same."""
    if metric.quantity == "time":
        unit = show.time_unit([low, high])
        first, last = show.in_unit([low, high], unit)
        span = f"{first}{show.EN_DASH}{last}{show.NBSP}{unit.name}"
    else:
        first, last = metric.cells([low, high])
        dash = show.EN_DASH if metric.quantity == "rate" else " to "
        span = f"{first}{dash}{last}"
    return "" if first == last else span


def _runs(ruling: Ruling) -> str:
    if ruling.baseline_runs:
        return f"{ruling.runs} and {ruling.baseline_runs}"
    return str(ruling.runs) if ruling.runs else ""


# --- sentences ---


def _sentence(gate: Gate) -> str:
    parts = []
    counts = [f"{n} {outcome}" for outcome in _OUTCOMES if (n := gate.count(outcome))]
    if counts:
        amount = show.plural(len(gate.rules), "rule")
        if len(gate.rules) != len(gate.rulings):
            amount += f", {show.plural(len(gate.rulings), 'verdict')}"
        parts.append(f"{amount}: {show.listed(counts)}")
    blocking = failing(gate)
    if blocking:
        what = show.plural(len(blocking), "finding")
        level = "error" if gate.fail_on == "error" else "warning or error"
        parts.append(f"{what} ({level})")
    elif not gate.troubles:
        parts.append(f"no finding is {'an error' if gate.fail_on == 'error' else 'a warning'}")
    return f"{'; '.join([*parts, *map(show.clean, gate.troubles)])}."


def _notes(gate: Gate, rows: Sequence[GateRow]) -> Iterator[str]:
    explained = (row for row in rows if row.outcome != "passed" and row.reason)
    by_reason = grouped(explained, lambda row: (row.rule, row.outcome, row.reason))
    for (rule, outcome, reason), alike in by_reason.items():
        names = [show.quoted(row.subject, limit=0) for row in alike if row.subject]
        about = f" of {show.listed(names)}" if names else ""
        yield f"{rule}{about}: {outcome}, {reason.rstrip('.')}."
    for asked in dict.fromkeys(gate.rules):
        if asked.asks_for_worse:
            text = show.clean(asked.text, limit=200)
            yield f"{text} holds where {asked.metric.name} is on the worse side of its limit."
    if gate.tests:
        among = f" over {show.plural(gate.tests, 'test')}" if gate.tests > 1 else ""
        chance = (
            "; the chance that any verdict on a change is wrong is "
            f"{show.share(ALPHA)} in all{among}"
        )
        yield (
            f"Intervals of changes are at {show.share(LEVEL)} or just above, unadjusted"
            f"{'' if gate.stored else chance}."
        )
    if gate.tests and gate.stored:
        yield (
            f"{show.clean(gate.stored, limit=80)} was measured at another time: what else changed "
            "on the machine since then is in these changes too, and no test of runs knows of it."
        )
    yield from (show.clean(remark, limit=300) for remark in gate.remarks)
    if any(row.outcome != "missing" for row in rows):
        yield (
            "A rule passes or fails only where the interval lies wholly on one side of its limit."
        )
    if not gate.rules and not gate.troubles:
        yield NO_RULES


def _ignored(listed: Sequence[Ignored]) -> Iterator[str]:
    """Yield what is ignored, findings of one kind and reason together."""
    reasons = {id(each.finding): each.reason for each in listed}
    for group in groups(each.finding for each in listed):
        first = group[0]
        where = f" in {show.clean(first.scenario, limit=80)}" if first.scenario else ""
        reason = show.clean(reasons[id(first)], limit=300)
        yield f"{first.title} [{first.check}]{where}, {WORDS[first.severity]}, ignored: {reason}"


def finding_title(group: Sequence[Finding]) -> str:
    """Return what findings of one kind are called, and which check made them."""
    return f"{group[0].title} [{group[0].check}]"


# --- records ---

#: Of the record of a ruling each column: its type in a dataframe, and its value.
_FIELDS: Final[Mapping[str, tuple[str, Callable[[Ruling], Any]]]] = {
    "rule": ("string", lambda ruling: ruling.rule.text or str(ruling.rule)),
    "scope": ("string", lambda ruling: ruling.rule.scope or None),
    "metric": ("string", attrgetter("rule.metric.name")),
    "operator": ("string", attrgetter("rule.sign")),
    "limit": ("Float64", attrgetter("rule.limit")),
    **{name: ("boolean", attrgetter(f"rule.{name}")) for name in ("relative", "optional")},
    "scenario": ("string", attrgetter("scenario")),
    "variant": ("string", lambda ruling: ruling.variant or None),
    "baseline": ("string", lambda ruling: ruling.baseline or None),
    "measured": ("Float64", attrgetter("measured")),
    "ci_low": ("Float64", attrgetter("low")),
    "ci_high": ("Float64", attrgetter("high")),
    "confidence": ("Float64", attrgetter("level")),
    **{name: ("Int64", attrgetter(name)) for name in ("runs", "baseline_runs")},
    "verdict": ("string", attrgetter("outcome")),
    "reason": ("string", lambda ruling: ruling.reason.replace(show.NBSP, " ")),
}


def _record(ruling: Ruling) -> dict[str, Any]:
    return {name: value(ruling) for name, (_, value) in _FIELDS.items()}


def _ignored_record(each: Ignored) -> dict[str, Any]:
    finding = each.finding
    return {
        "check": finding.check,
        "severity": finding.severity,
        "scenario": finding.scenario,
        "variant": finding.variant,
        "message": finding.message.replace(show.NBSP, " "),
        "reason": each.reason,
    }
