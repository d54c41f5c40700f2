"""What a check is, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from benchkit import registry
from benchkit.errors import MissingError
from benchkit.validity.evidence import lie_apart

if TYPE_CHECKING:
    from benchkit.model.run import Run
    from benchkit.model.variant import Variant
    from benchkit.tool import Tool
    from benchkit.validity.evidence import RunSet, Span

Severity = Literal["info", "warning", "error"]
State = Literal["raised", "passed", "not applicable"]

#: From harmless to serious.
SEVERITIES: Final[tuple[Severity, ...]] = ("info", "warning", "error")
#: How reasons begin where a check is not meant for what was measured.
_NOT_MEANT: Final = ("only of ", "no second ")


@dataclass(frozen=True, slots=True)
class Raised:
    """What one check found in one run or one set of runs; the rest is as of a `Finding`.

    Attributes:
        message: One or two sentences with the numbers in them; the subject comes first.
        severity: Where it is not the mildest that the check can have.
        advice: What to do, where that is not what the check says in general.
        title: What is wrong, where the check's severities differ in that.
        runs: The runs that it concerns, where these are not all of the set.
    """

    message: str
    severity: Severity | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    touches: tuple[str, ...] = ()
    withheld: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""
    title: str = ""
    runs: Sequence[Run] = ()
    forbids: str = ""
    spans: Mapping[str, Span] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """One entry of the catalogue; `for_run` or `for_set` decorates the function that looks.

    Attributes:
        id: Its name in data.
        title: What is wrong where it is raised, in a few words.
        rule: When it is raised.
        needs: The data without which it is not applicable, in words.
        severities: Those it can have, the mildest first.
        source: Where the rule comes from.
        advice: What to do where it is raised.
        concerns: Whether it is about a load generator; None where about any.
        of_run: Looks at one run.
        of_set: Looks at all runs of one scenario and tool.
    """

    id: str
    title: str
    rule: str
    _: KW_ONLY
    needs: str
    advice: str
    severities: tuple[Severity, ...] = ("warning",)
    source: str = "convention"
    concerns: Callable[[Tool], bool] | None = None
    of_run: Callable[[Run], Iterable[Raised]] | None = None
    of_set: Callable[[RunSet], Iterable[Raised]] | None = None

    @property
    def tools(self) -> list[str]:
        """Names of the load generators that it is about; empty where about any."""
        concerns = self.concerns
        return [t.name for t in registry.tools().values() if concerns(t)] if concerns else []

    def for_run(self, look: Callable[[Run], Iterable[Raised]]) -> Check:
        """Return the check that looks at one run in this way."""
        return replace(self, of_run=look)

    def for_set(self, look: Callable[[RunSet], Iterable[Raised]]) -> Check:
        """Return the check that looks at all runs of one scenario and tool in this way."""
        return replace(self, of_set=look)

    def need(self, tool: str) -> None:
        """Make sure that it is about a load generator.

        Raises:
            MissingError: it is about others.
        """
        if self.concerns and not self.concerns(registry.tool(tool)):
            raise MissingError(f"only of {', '.join(self.tools)}")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know before believing the figures.

    Attributes:
        check: Id of the check.
        title: What is wrong, in a few words.
        scenario: Of the runs; None where they have none.
        variant: Where all runs that it concerns are of one.
        run_id: Where it concerns one run.
        label: Of that run.
        run_ids: All runs that it concerns.
        message: One or two sentences with the numbers in them.
        advice: What would settle it.
        values: The numbers of the message, by name, in base units.
        touches: Columns of `runs` that it qualifies.
        withheld: Columns of `runs` not to be shown as figures, each with the reason.
        forbids: Why no verdict between variants may rest on them, a clause; empty where one may.
        spans: What keeps runs apart, per `run_id` from where to where (instants, rates, numbers
            of a setting): it is about two variants whose spans lie apart. Empty where it is
            about every variant with one of the runs.
    """

    check: str
    severity: Severity
    title: str
    scenario: str | None
    tool: str
    variant: str | None
    run_id: str | None
    label: str | None
    run_ids: tuple[str, ...]
    message: str
    advice: str
    values: Mapping[str, Any]
    touches: tuple[str, ...]
    withheld: Mapping[str, str]
    forbids: str = ""
    spans: Mapping[str, Span] = field(default_factory=dict)

    def narrowed(self, run_ids: Sequence[str]) -> Finding:
        """Return the same of some of its runs."""
        kept = tuple(run_ids)
        return self if kept == self.run_ids else replace(self, run_ids=kept)

    def concerns(self, variants: Sequence[Variant]) -> bool:
        """Whether it qualifies a comparison of variants, one or two, of which it has runs."""
        if not self.spans:
            return True
        sides = [[self.spans[i] for i in v.run_ids if i in self.spans] for v in variants]
        return len(sides) > 1 and all(sides) and lie_apart(*sides)


@dataclass(frozen=True, slots=True)
class Status:
    """What became of one check on one run, or on one set (`run_id` is None)."""

    check: str
    scenario: str | None
    tool: str
    run_id: str | None
    state: State
    reason: str = ""

    @property
    def lacks_data(self) -> bool:
        """Whether figures were missing: neither is the tool another, nor is a run alone."""
        return self.state == "not applicable" and not self.reason.startswith(_NOT_MEANT)


def blind_checks(statuses: Iterable[Status]) -> dict[str, list[str]]:
    """Return the checks that had no data to look at in any run, with the reasons."""
    reasons: dict[str, list[str]] = {}
    applied = set()
    for status in statuses:
        if status.lacks_data:
            reasons.setdefault(status.check, []).append(status.reason)
        elif status.state != "not applicable":
            applied.add(status.check)
    return {check: given for check, given in reasons.items() if check not in applied}
