"""What a check is, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from benchkit.validity.evidence import Run, RunSet

Severity = Literal["info", "warning", "error"]
State = Literal["raised", "passed", "not applicable"]

#: From harmless to serious.
SEVERITIES: Final[tuple[Severity, ...]] = ("info", "warning", "error")


class NotApplicableError(Exception):
    """A check lacks the data it needs; the text says which."""


@dataclass(frozen=True, slots=True)
class Raised:
    """What one check found in one run or one set of runs.

    Attributes:
        message: One or two sentences with the numbers in them; the subject comes first.
        values: The numbers of the message, by name, in base units.
        touches: Columns of `runs` that it qualifies.
        withheld: Columns of `runs` not to be shown as figures, each with the reason.
        advice: What to do, where that is not what the check says in general.
        runs: The runs that it concerns, where these are not all of the set.
    """

    severity: Severity
    message: str
    values: Mapping[str, Any] = field(default_factory=dict)
    touches: tuple[str, ...] = ()
    withheld: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""
    runs: Sequence[Run] = ()


@dataclass(frozen=True, kw_only=True)
class Check:
    """One entry of the catalogue.

    Attributes:
        id: Its name in data.
        title: What is wrong where it is raised, in a few words.
        needs: The data without which it is not applicable, in words.
        rule: When it is raised.
        severities: Those it can have.
        source: Where the rule comes from.
        advice: What to do where it is raised.
        tools: The load generators that it is about; empty for all.
        of_run: Looks at one run.
        of_set: Looks at all runs of one scenario and tool.
    """

    id: str
    title: str
    needs: str
    rule: str
    severities: tuple[Severity, ...]
    source: str
    advice: str
    tools: tuple[str, ...] = ()
    of_run: Callable[[Run], Iterable[Raised]] | None = None
    of_set: Callable[[RunSet], Iterable[Raised]] | None = None


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


@dataclass(frozen=True, slots=True)
class Status:
    """What became of one check on one run, or on one set (`run_id` is None)."""

    check: str
    scenario: str | None
    tool: str
    run_id: str | None
    state: State
    reason: str = ""
