"""Gates: rules that must hold, decided by what repeated runs show, and the status they give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from benchkit import format as show
from benchkit.compare.assess import Assessment, Options, assess
from benchkit.errors import UsageError
from benchkit.gates import absolute, relative
from benchkit.gates.baseline import Meeting, Stored, meetings, without_partner
from benchkit.gates.doubts import Doubts
from benchkit.gates.ignored import Exemption, sifted
from benchkit.gates.rule import Rule
from benchkit.gates.ruling import FailOn, Gate, Ruling
from benchkit.gates.scope import Member, nothing_fits
from benchkit.model.run import Run
from benchkit.validity import SEVERITIES, Examination, examine

__all__ = ["Conditions", "gate"]

#: Checks that look at how variants were measured: the machine, the load, the server.
_SET_APART: Final = frozenset({"ENVIRONMENT_DIFFERS", "CONFIG_DIFFERS", "SERVERS_DIFFER"})
#: From this share of failed requests on nothing is known of how quick a server is.
_MOST = 0.5


@dataclass(frozen=True, slots=True)
class Conditions:
    """What is asked of a check.

    Attributes:
        baseline: A variant, `scenario/variant` or a label of the runs, as for `assess`.
        stored: Runs stored earlier, in its place.
        exempt: Findings that do not count.
        fail_on: From which severity on a finding fails.
        require_verdict: Whether an inconclusive rule does not pass.
    """

    rules: Sequence[Rule] = ()
    baseline: str | None = None
    stored: Stored | None = None
    exempt: Sequence[Exemption] = ()
    fail_on: FailOn = "error"
    require_verdict: bool = False
    troubles: Sequence[str] = field(default=())


def gate(runs: Iterable[Run], asked: Conditions) -> Gate:
    """Return what the checks find in some runs, and what comes of each rule.

    Raises:
        UsageError: no variant has the name of the baseline, or a relative rule has no baseline.
    """
    listed = tuple(runs)
    examined = examine(listed)
    if asked.stored is not None:
        asked = replace(asked, stored=asked.stored.without(listed))
    relative_rules = [rule for rule in asked.rules if rule.relative]
    options = Options(metrics=tuple(dict.fromkeys(rule.metric.name for rule in relative_rules)))
    against = _against(listed, asked.stored, options) if relative_rules and asked.stored else []
    kept = sifted(_apart(_without_mercy(examined), against), asked.exempt)
    gate_of_findings = Gate(
        kept.examination,
        ignored=kept.ignored,
        troubles=tuple(asked.troubles),
        fail_on=asked.fail_on,
        require_verdict=asked.require_verdict,
        rules=tuple(asked.rules),
        stored=asked.stored.name if asked.stored else "",
        remarks=tuple(asked.stored.remarks) if asked.stored else (),
    )
    if not asked.rules and asked.baseline is None:
        return gate_of_findings
    assessment = assess(listed, baseline=asked.baseline, options=options, examined=examined)
    members = _members(assessment)
    arenas = _arenas(assessment, asked, against) if relative_rules else []
    if relative_rules and not any(arena.has_baseline for arena in arenas):
        raise _no_baseline(relative_rules[0], asked, members)
    questions = [list(_questions(rule, arenas, asked, members)) for rule in relative_rules]
    # What is ignored still forbids, but for failures that somebody says are meant.
    doubts = Doubts([*examined.findings, *kept.examination.findings])
    by_rule = iter(relative.decided(questions, doubts))
    rulings = [
        ruling
        for rule in asked.rules
        for ruling in (next(by_rule) if rule.relative else _absolute(rule, members, doubts))
    ]
    return replace(gate_of_findings, rulings=tuple(rulings), tests=relative.tests(questions))


def _without_mercy(examined: Examination) -> Examination:
    """Return an examination in which it is an error that most requests fail.

    Beside others that fail alike it is a warning to readers, perhaps by design; a gate must not
    take a server that answers nothing but errors for a quick one. What may be redirects is none.
    """
    findings = [
        replace(finding, severity="error")
        if (finding.values.get("least_failed_share") or 0.0) > _MOST
        else finding
        for finding in examined.findings
    ]
    return replace(examined, findings=findings)


def _members(assessment: Assessment) -> list[Member]:
    return [
        Member(block.scenario, variant, block.setting)
        for block in assessment.blocks
        for variant in block.variants
        if not variant.is_warm_up
    ]


def _absolute(rule: Rule, members: Sequence[Member], doubts: Doubts) -> Iterator[Ruling]:
    chosen = [member for member in members if member.fits(rule.scope)]
    if not chosen:
        yield _nothing(rule, members)
    yield from (absolute.ruled(rule, member, doubts) for member in chosen)


def _against(
    runs: Sequence[Run], stored: Stored, options: Options
) -> list[tuple[Meeting, Assessment]]:
    """Return the comparison of each variant with what was stored of it."""
    return [
        (meeting, assess(meeting.runs, baseline=meeting.baseline, options=options))
        for meeting in meetings(runs, stored)
    ]


def _apart(examined: Examination, against: Iterable[tuple[Meeting, Assessment]]) -> Examination:
    """Return an examination with what sets stored runs apart from those of now.

    It is a warning at most: nothing is wrong with the runs that are checked.
    """
    listed = [
        replace(finding, severity=min(finding.severity, "warning", key=SEVERITIES.index))
        for meeting, assessment in against
        for finding in assessment.examination.findings
        if finding.check in _SET_APART
        and all({*finding.run_ids} & {run.run_id for run in side} for side in meeting.sides)
    ]
    raised = {(finding.check, finding.scenario, finding.tool) for finding in listed}
    statuses = [
        replace(status, state="raised", reason="")
        if status.run_id is None and (status.check, status.scenario, status.tool) in raised
        else status
        for status in examined.statuses
    ]
    return Examination([*examined.findings, *listed], statuses)


def _arenas(
    assessment: Assessment, asked: Conditions, against: Iterable[tuple[Meeting, Assessment]]
) -> list[relative.Arena]:
    """Return the comparisons that relative rules are about; of stored runs one per variant."""
    if asked.stored is None:
        return relative.arenas(assessment, stated=asked.baseline is not None)
    return [arena for _, each in against for arena in relative.arenas(each, stated=True)]


def _questions(
    rule: Rule, arenas: Sequence[relative.Arena], asked: Conditions, members: Sequence[Member]
) -> Iterator[relative.Question]:
    questions = [question for arena in arenas for question in arena.questions(rule)]
    if asked.stored is not None:
        questions += map(relative.Question, _alone(rule, asked.stored, members))
    yield from questions or [relative.Question(_nothing(rule, members))]


def _alone(rule: Rule, stored: Stored, members: Sequence[Member]) -> Iterator[Ruling]:
    """Yield what was stored and is not there now, and the other way round."""
    now = [run for member in members for run in member.variant.runs]
    by_key: dict[tuple[str | None, str], list[Member]] = defaultdict(list)
    for member in members:
        by_key[member.scenario, member.variant.name].append(member)
    for scenario, variant, is_stored in without_partner(now, stored):
        if is_stored and not rule.scope:
            why = f"{stored.name} has it, and these runs do not"
            yield Ruling(rule, "missing", why, scenario=scenario, variant=variant)
        for member in by_key[scenario, variant]:
            if member.fits(rule.scope):
                other = " but these" if (scenario, variant) in stored.same else ""
                why = f"{stored.name} has no run of it{other}"
                yield Ruling(rule, "missing", why, scenario=scenario, variant=member.label)


def _nothing(rule: Rule, members: Sequence[Member]) -> Ruling:
    """Return that a rule is about no run, which never passes."""
    return Ruling(rule, "missing", nothing_fits(rule.scope, members))


def _no_baseline(rule: Rule, asked: Conditions, members: Sequence[Member]) -> UsageError:
    if asked.stored is not None and asked.stored.same:
        return UsageError(
            f"{asked.stored.name} has no runs but these: check before `benchkit save`, or name "
            "an earlier baseline"
        )
    if asked.stored is not None:
        return UsageError(
            f"{asked.stored.name} has none of these scenarios and variants: a baseline is stored "
            "under the same names"
        )
    names = ", ".join(dict.fromkeys(show.clean(m.variant.name, limit=60) for m in members))
    return UsageError(
        f"rule '{show.clean(rule.text)}' needs a baseline: name it with --baseline; "
        f"there are {names}"
    )
