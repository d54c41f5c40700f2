"""Findings that somebody has looked at and decided not to count, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from benchkit.errors import UsageError, nearest, printable
from benchkit.validity import CATALOGUE, Examination, Finding


@dataclass(frozen=True, slots=True)
class Ignored:
    """A finding that counts for nothing, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Exemption:
    """A check of which findings are ignored, everywhere or in one scope.

    Attributes:
        scope: A scenario, a variant or `scenario/variant`, `*` for anything; empty for all.
    """

    check: str
    reason: str
    scope: str = ""

    def covers(self, finding: Finding) -> bool:
        """Whether it is about a finding."""
        if finding.check != self.check:
            return False
        names = [name for name in (finding.scenario, finding.variant) if name]
        names += ["/".join(names)] if len(names) > 1 else []
        return not self.scope or any(fnmatchcase(name, self.scope) for name in names)


@dataclass(frozen=True)
class Sifted:
    """An examination without what is ignored, and that."""

    examination: Examination
    ignored: tuple[Ignored, ...] = ()


def exemptions(wanted: Mapping[str, str]) -> list[Exemption]:
    """Return exemptions from `[SCOPE: ]CHECK` and the reason.

    Raises:
        UsageError: there is no such check, or no reason.
    """
    known = [check.id for check in CATALOGUE]
    listed = []
    for text, reason in wanted.items():
        scope, _, check = (part.strip() for part in text.rpartition(":"))
        if check not in known:
            near = nearest(check, known)
            hint = f"{near} " if near else ""
            raise UsageError(
                f"no check {printable(check)} whose findings could be ignored; "
                f"{hint}docs/checks.md lists them"
            )
        if not reason.strip():
            raise UsageError(f"{check} is ignored without a reason; write one")
        listed.append(Exemption(check, " ".join(reason.split()), scope))
    return listed


def sifted(examination: Examination, exempt: Iterable[Exemption]) -> Sifted:
    """Return an examination without the findings that exemptions cover, and these."""
    listed = list(exempt)
    kept: list[Finding] = []
    ignored: list[Ignored] = []
    for finding in examination.findings:
        exemption = next((each for each in listed if each.covers(finding)), None)
        if exemption is None:
            kept.append(finding)
        else:
            ignored.append(Ignored(finding, exemption.reason))
    return Sifted(replace(examination, findings=kept), tuple(ignored))
