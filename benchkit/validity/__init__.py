"""Whether measurements can be trusted: a catalogue of checks, and what they find.

Each check is one small function with an id. It raises findings, passes, or is not applicable
because data are missing; findings are data, for the terminal, the report and programs alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from benchkit.validity.catalogue import BY_ID, CATALOGUE, markdown
from benchkit.validity.evidence import Run, RunSet, sets_of
from benchkit.validity.model import (
    SEVERITIES,
    Check,
    Finding,
    NotApplicableError,
    Raised,
    Severity,
    State,
    Status,
)

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.results import Results

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

_ORDER = {check.id: place for place, check in enumerate(CATALOGUE)}


@dataclass
class Examination:
    """What the checks found in some results, and what became of each check."""

    findings: list[Finding] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)

    @property
    def worst(self) -> Severity | None:
        """The highest severity of the findings, None without any."""
        found = {one.severity for one in self.findings}
        return next((severity for severity in reversed(SEVERITIES) if severity in found), None)


def findings(results: Results) -> list[Finding]:
    """Return what the checks found, the most serious first within each scenario."""
    return examine(results).findings


def withheld(found: Iterable[Finding]) -> dict[tuple[str, str], str]:
    """Return why a figure is not to be shown, by run and column of `runs`."""
    return {
        (run_id, column): reason
        for finding in found
        for run_id in finding.run_ids
        for column, reason in finding.withheld.items()
    }


def examine(results: Results, *, known: Examination | None = None) -> Examination:
    """Run every check on every run, and on every scenario and tool.

    Args:
        results: The runs.
        known: What was found in these runs and others; what it says of single runs stands.
    """
    whole = Examination()
    singles = {(one.check, one.run_id): one for one in known.statuses} if known else {}
    for one in sets_of(results):
        part = Examination()
        for check in CATALOGUE:
            before = {run.run_id: singles.get((check.id, run.run_id)) for run in one.runs}
            if known and check.of_set is None and all(before.values()):
                _keep(check, known, before, into=part)
            else:
                _apply(check, one, part)
        part.findings.sort(
            key=lambda found: (-SEVERITIES.index(found.severity), _ORDER[found.check])
        )
        whole.findings += part.findings
        whole.statuses += part.statuses
    return whole


def frame(found: Iterable[Finding]) -> pd.DataFrame:
    """Return findings as a dataframe, a row each."""
    import pandas as pd

    columns = list(Finding.__dataclass_fields__)
    rows = [asdict(one) for one in found]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype(
        {
            name: "string"
            for name in columns
            if name not in {"run_ids", "values", "touches", "withheld"}
        }
    )


def _keep(
    check: Check,
    known: Examination,
    before: Mapping[str, Status | None],
    *,
    into: Examination,
) -> None:
    into.statuses += [status for status in before.values() if status]
    into.findings += [
        one for one in known.findings if one.check == check.id and one.run_id in before
    ]


def _apply(check: Check, runs: RunSet, into: Examination) -> None:
    if check.of_run is not None:
        for run in runs.runs:
            state = _raised(check, check.of_run, run)
            _note(check, runs, state, into, run=run)
    if check.of_set is not None:
        _note(check, runs, _raised(check, check.of_set, runs), into)


def _raised(
    check: Check, look: Callable[[Any], Iterable[Raised]], at: Run | RunSet
) -> list[Raised] | str:
    """Return what a check raises, or why it is not applicable."""
    if check.tools and at.tool not in check.tools:
        return f"only of {', '.join(check.tools)}"
    try:
        return list(look(at))
    except NotApplicableError as error:
        return str(error)


def _note(
    check: Check,
    runs: RunSet,
    state: list[Raised] | str,
    into: Examination,
    *,
    run: Run | None = None,
) -> None:
    run_id = run.run_id if run else None
    if isinstance(state, str):
        status = Status(check.id, runs.scenario, runs.tool, run_id, "not applicable", state)
    else:
        became: State = "raised" if state else "passed"
        status = Status(check.id, runs.scenario, runs.tool, run_id, became)
        into.findings += [_finding(check, runs, one, run) for one in state]
    into.statuses.append(status)


def _finding(check: Check, runs: RunSet, raised: Raised, run: Run | None) -> Finding:
    concerned = [run] if run else list(raised.runs or runs.runs)
    variants = {one.variant for one in concerned}
    single = concerned[0] if len(concerned) == 1 else None
    return Finding(
        check=check.id,
        severity=raised.severity,
        title=check.title,
        scenario=runs.scenario,
        tool=runs.tool,
        variant=variants.pop() if len(variants) == 1 else None,
        run_id=single.run_id if single else None,
        label=str(single.row["label"]) if single else None,
        run_ids=tuple(one.run_id for one in concerned),
        message=raised.message,
        advice=raised.advice or check.advice,
        values=raised.values,
        touches=raised.touches,
        withheld=raised.withheld,
    )
