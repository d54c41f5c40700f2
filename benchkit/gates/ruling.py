"""What came of the rules: a ruling for each variant that one is about, and the exit status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from benchkit.gates.ignored import Ignored
from benchkit.gates.rule import Rule
from benchkit.validity import SEVERITIES, Examination, Severity

#: `missing` is trouble: the metric, the scope or the partner in the baseline is not there. An
#: optional rule without its metric is `skipped`.
Outcome = Literal["passed", "failed", "inconclusive", "missing", "skipped"]
FailOn = Literal["error", "warning"]

PASSED: Final = 0
FAILED: Final = 1
TROUBLE: Final = 2
OPEN: Final = 3


@dataclass(frozen=True, slots=True)
class Ruling:
    """One rule about one variant.

    Attributes:
        scenario: None where the runs have none, or the rule is about nothing.
        variant: Its label in full, empty where the rule is about nothing.
        baseline: The label of what it is compared with, empty for an absolute rule.
        measured: In the base unit of the metric; of a relative rule the ratio to the baseline.
        low: Lower bound of the interval that decides, None without one.
        high: Upper bound.
        level: The confidence of the interval, None where it is no more than the range or the
            step of the clock.
        runs: Runs of the variant that have the metric.
        baseline_runs: Likewise of the baseline; 0 for an absolute rule.
        reason: Why this outcome, a clause.
    """

    rule: Rule
    outcome: Outcome
    reason: str = ""
    scenario: str | None = None
    variant: str = ""
    baseline: str = ""
    measured: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    runs: int = 0
    baseline_runs: int = 0


@dataclass(frozen=True)
class Gate:
    """Everything that a check says: rulings, findings, and whether they let pass.

    Attributes:
        examination: What the checks found; what is ignored is left out.
        ignored: Findings that count for nothing, each with the reason.
        tests: How many relative rulings share one chance to be wrong.
        stored: What stored runs were the baseline, empty for runs beside these.
        remarks: What sets these apart besides their time, a sentence each.
        troubles: What could not be looked at, a clause each.
        fail_on: From which severity on a finding fails.
        require_verdict: Whether an inconclusive rule does not pass.
    """

    examination: Examination
    rulings: Sequence[Ruling] = ()
    ignored: Sequence[Ignored] = ()
    tests: int = 0
    stored: str = ""
    remarks: Sequence[str] = ()
    troubles: Sequence[str] = ()
    fail_on: FailOn = "error"
    require_verdict: bool = False
    rules: Sequence[Rule] = field(default=())

    @property
    def status(self) -> int:
        """The exit status: trouble goes before what failed, and that before what is open."""
        if self.troubles or self.count("missing"):
            return TROUBLE
        if self.count("failed") or self.fails_on_findings:
            return FAILED
        return OPEN if self.require_verdict and self.count("inconclusive") else PASSED

    @property
    def fails_on_findings(self) -> bool:
        """Whether a finding is as severe as is asked for."""
        worst: Severity | None = self.examination.worst
        return worst is not None and SEVERITIES.index(worst) >= SEVERITIES.index(self.fail_on)

    def count(self, outcome: Outcome) -> int:
        """Return how many rulings have this outcome."""
        return sum(ruling.outcome == outcome for ruling in self.rulings)
