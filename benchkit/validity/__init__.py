"""Whether measurements can be trusted: a catalogue of checks, and what they find.

Each check is one small function with an id. It raises findings, passes, or is not applicable
because data are missing; findings are data, for the terminal, the report and programs alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.validity.catalogue import BY_ID, CATALOGUE, markdown
from benchkit.validity.evidence import RunSet, sets_of
from benchkit.validity.finding import (
    SEVERITIES,
    Check,
    Finding,
    Raised,
    Severity,
    State,
    Status,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "BY_ID",
    "CATALOGUE",
    "SEVERITIES",
    "Check",
    "Examination",
    "Finding",
    "Severity",
    "Status",
    "examine",
    "findings",
    "frame",
    "markdown",
    "withheld",
]

_ORDER = {check.id: number for number, check in enumerate(CATALOGUE)}
#: Columns of a dataframe that hold tuples and mappings.
_NESTED = frozenset({"run_ids", "values", "touches", "withheld", "spans"})
#: What was said before, by check and run.
_Known = dict[tuple[str, str | None], tuple[Status, list[Finding]]]


@dataclass
class Examination:
    """What the checks found in some results, and what became of each check."""

    findings: list[Finding] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)

    @property
    def worst(self) -> Severity | None:
        """The highest severity of the findings, None without any."""
        raised = {finding.severity for finding in self.findings}
        return next((severity for severity in reversed(SEVERITIES) if severity in raised), None)


def findings(runs: Iterable[Run]) -> list[Finding]:
    """Return what the checks find, the most serious first within each scenario."""
    return examine(runs).findings


def withheld(raised: Iterable[Finding]) -> dict[tuple[str, str], str]:
    """Return why a figure is not to be shown, by run and column of `runs`."""
    return {
        (run_id, column): reason
        for finding in raised
        for run_id in finding.run_ids
        for column, reason in finding.withheld.items()
    }


def examine(runs: Iterable[Run], *, known: Examination | None = None) -> Examination:
    """Run every check on every run, and on every scenario and tool.

    Args:
        runs: All runs.
        known: What was found in these runs and others; what it says of single runs stands.
    """
    whole = Examination()
    before: _Known = {}
    for status in known.statuses if known else ():
        before[status.check, status.run_id] = (status, [])
    for finding in known.findings if known else ():
        if (key := (finding.check, finding.run_id)) in before:
            before[key][1].append(finding)
    for together in sets_of(runs):
        part = Examination()
        for check in CATALOGUE:
            start = len(part.findings)
            _apply(check, together, into=part, before=before)
            together.withheld |= withheld(part.findings[start:]).keys()
        part.findings.sort(
            key=lambda finding: (-SEVERITIES.index(finding.severity), _ORDER[finding.check])
        )
        whole.findings += part.findings
        whole.statuses += part.statuses
    return whole


def frame(raised: Iterable[Finding]) -> pd.DataFrame:
    """Return findings as a dataframe, a row each."""
    import pandas as pd

    columns = list(Finding.__dataclass_fields__)
    table = pd.DataFrame([asdict(finding) for finding in raised], columns=columns)
    return table.astype({name: "string" for name in columns if name not in _NESTED})


def _apply(check: Check, together: RunSet, *, into: Examination, before: _Known) -> None:
    for run in together.runs if check.of_run is not None else ():
        known = before.get((check.id, run.run_id))
        if check.of_set is None and known is not None:
            into.statuses.append(known[0])
            into.findings += known[1]
        elif check.of_run is not None:
            _note(check, together, _raised(check, check.of_run, run), into, run=run)
    if check.of_set is not None:
        _note(check, together, _raised(check, check.of_set, together), into)


def _raised(
    check: Check, look: Callable[[Any], Iterable[Raised]], at: Run | RunSet
) -> list[Raised] | str:
    """Return what a check raises, or why it is not applicable."""
    if check.concerns and not check.concerns(registry.tool(at.tool)):
        return f"only of {', '.join(check.tools)}"
    try:
        return list(look(at))
    except MissingError as error:
        return str(error)


def _note(
    check: Check,
    together: RunSet,
    state: list[Raised] | str,
    into: Examination,
    *,
    run: Run | None = None,
) -> None:
    run_id = run.run_id if run else None
    scenario, tool = together.scenario, together.tool
    if isinstance(state, str):
        status = Status(check.id, scenario, tool, run_id, "not applicable", state)
    else:
        became: State = "raised" if state else "passed"
        status = Status(check.id, scenario, tool, run_id, became)
        into.findings += [_finding(check, together, raised, run) for raised in state]
    into.statuses.append(status)


def _finding(check: Check, together: RunSet, raised: Raised, run: Run | None) -> Finding:
    concerned = [run] if run else list(raised.runs or together.runs)
    variants = {each.variant for each in concerned}
    single = concerned[0] if len(concerned) == 1 else None
    return Finding(
        check=check.id,
        severity=raised.severity or check.severities[0],
        title=check.title,
        scenario=together.scenario,
        tool=together.tool,
        variant=variants.pop() if len(variants) == 1 else None,
        run_id=single.run_id if single else None,
        label=single.label if single else None,
        run_ids=tuple(each.run_id for each in concerned),
        message=raised.message,
        advice=raised.advice or check.advice,
        values=raised.values,
        touches=raised.touches,
        withheld=raised.withheld,
        forbids=raised.forbids,
        spans=raised.spans,
    )
