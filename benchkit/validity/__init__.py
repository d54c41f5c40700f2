"""Whether measurements can be trusted: a catalogue of checks, and what they find.

Each check is one small function with an id. It raises findings, passes, or is not applicable
because data are missing; findings are data, for the terminal, the report and programs alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import MissingError
from benchkit.format import NBSP
from benchkit.model.grouping import grouped
from benchkit.model.run import Run
from benchkit.validity import (
    amounts,
    clocks,
    course,
    days,
    environment,
    failures,
    figures,
    generator,
    load,
    pairs,
    sending,
    series,
    settings,
    stalls,
)
from benchkit.validity.evidence import RunSet, sets_of
from benchkit.validity.finding import SEVERITIES, Check, Finding, Raised, Severity, State, Status

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
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

_MODULES: Final = (
    *(figures, failures, load, clocks, sending, generator, course),
    *(stalls, series, amounts, settings, environment, pairs, days),
)
#: Every check, in the order in which a reader needs them: that of the modules, and in each.
CATALOGUE: Final = tuple(
    check for part in _MODULES for check in vars(part).values() if isinstance(check, Check)
)
_INTRODUCTION: Final = """\
# The checks

What benchkit looks for before it lets figures speak: `benchkit check`, `results.findings()`, and
the notes beside the figures of a report. A check that lacks its data is *not applicable*; that is
not the same as passed, and `benchkit.validity.examine(results)` tells the two apart. Severities:

- **error**: a figure, or the comparison, does not mean what it seems to mean;
- **warning**: it carries less than it seems to;
- **info**: worth knowing when quoting it.

A *withheld* figure is replaced by the reason why it is not shown. Where a finding leaves *no
verdict*, the variants that it sets apart are not tested against each other.
"""
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

    @property
    def by_scenario(self) -> Mapping[str | None, Examination]:
        """What was found in the runs of each scenario."""
        raised = grouped(self.findings, lambda finding: finding.scenario)
        statuses = grouped(self.statuses, lambda status: status.scenario)
        return {name: Examination(raised.get(name, []), each) for name, each in statuses.items()}


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
        part.findings.sort(key=lambda finding: -SEVERITIES.index(finding.severity))
        whole.findings += part.findings
        whole.statuses += part.statuses
    return whole


def _plain(value: Any) -> Any:  # noqa: ANN401 - a field of a finding
    if isinstance(value, str):
        return value.replace(NBSP, " ")
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def frame(raised: Iterable[Finding]) -> pd.DataFrame:
    """Return findings as a dataframe, a row each; no blank in its texts is one that holds words."""
    import pandas as pd

    columns = list(Finding.__dataclass_fields__)
    rows = [{name: _plain(value) for name, value in asdict(each).items()} for each in raised]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({name: "string" for name in columns if name not in _NESTED})


def markdown() -> str:
    """Return the catalogue as a Markdown page."""
    parts = [_INTRODUCTION]
    for check in CATALOGUE:
        kinds = {"one run": check.of_run, "the runs of one scenario": check.of_set}
        looks_at = [words for words, look in kinds.items() if look]
        parts += [
            f"## {check.id}: {check.title}",
            "",
            f"- Severity: {' or '.join(check.severities)}",
            f"- Looks at: {' and '.join(looks_at)}; {', '.join(check.tools) or 'any tool'}",
            f"- Needs: {check.needs}",
            f"- Raised when: {check.rule}",
            f"- Source: {check.source}",
            f"- What to do: {check.advice}",
            "",
        ]
    return "\n".join(parts)


def _apply(check: Check, together: RunSet, *, into: Examination, before: _Known) -> None:
    for run in together.runs if check.of_run is not None else ():
        known = before.get((check.id, run.run_id))
        if check.of_set is None and known is not None:
            into.statuses.append(known[0])
            into.findings += known[1]
        elif check.of_run is not None:
            _look(check, check.of_run, run, together, into)
    if check.of_set is not None:
        _look(check, check.of_set, together, together, into)


def _look(
    check: Check,
    raise_at: Callable[[Any], Iterable[Raised]],
    at: Run | RunSet,
    together: RunSet,
    into: Examination,
) -> None:
    """Add what a check raises of a run or a set, or why it is not applicable."""
    run = at if isinstance(at, Run) else None
    state: State = "not applicable"
    reason = ""
    try:
        check.need(at.tool)
        raised = [_finding(check, together, each, run) for each in raise_at(at)]
    except MissingError as error:
        reason = str(error)
    else:
        state = "raised" if raised else "passed"
        into.findings += raised
    run_id = run.run_id if run else None
    into.statuses.append(Status(check.id, together.scenario, together.tool, run_id, state, reason))


def _finding(check: Check, together: RunSet, raised: Raised, run: Run | None) -> Finding:
    concerned = [run] if run else list(raised.runs or together.runs)
    variants = {each.variant for each in concerned}
    single = concerned[0] if len(concerned) == 1 else None
    return Finding(
        check=check.id,
        severity=raised.severity or check.severities[0],
        title=raised.title or check.title,
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
