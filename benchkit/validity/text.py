"""Findings for people and programs: terminal, Markdown, records."""

from __future__ import annotations

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchkit import format as show
from benchkit.validity import SEVERITIES, Examination, Finding

_WORDS = {"error": "error", "warning": "warning", "info": "note"}
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one check that differ only in the run."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The one that speaks for all."""
        return self.findings[0]

    @property
    def messages(self) -> list[str]:
        """The message of each, or, where they are many, of the first with the others named."""
        if len(self.findings) <= _NAMED:
            return [one.message for one in self.findings]
        return [self.first.message, f"Likewise {self.others}."]

    @property
    def others(self) -> str:
        """The labels of the further runs in words, empty where there are none."""
        labels = [show.clean(one.label or "", limit=60) for one in self.findings[1:]]
        if len(labels) <= _NAMED:
            return show.listed(labels)
        return show.listed([*labels[: _NAMED - 1], f"{len(labels) - _NAMED + 1} more runs"])


def groups(findings: Iterable[Finding]) -> list[Group]:
    """Return findings with those of equal check and severity in one scenario together."""
    found: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    for number, one in enumerate(findings):
        alone = number if one.label is None else None
        found[one.scenario, one.tool, one.check, one.severity, alone].append(one)
    return [Group(tuple(together)) for together in found.values()]


def table(examined: Examination, *, width: int) -> str:
    """Return findings as text of at most `width` columns, by scenario, the serious first."""
    lines: list[str] = []
    heading: str | None = None
    for group in groups(examined.findings):
        one = group.first
        if (now := _heading(one)) != heading:
            heading = now
            lines += [*([""] if lines else []), *_wrapped(now, width, indent="")]
        title = f"{_WORDS[one.severity]}: {one.title} [{one.check}]"
        lines += _wrapped(title, width, indent="  ")
        for message in group.messages:
            lines += _wrapped(message, width)
        lines += _wrapped(one.advice, width, mark="→ ")
    lines += [*([""] if lines else []), *_wrapped(summary(examined), width, indent="")]
    return "\n".join(lines) + "\n"


def markdown(examined: Examination) -> str:
    """Return findings as a Markdown list per scenario."""
    lines: list[str] = []
    heading: str | None = None
    for group in groups(examined.findings):
        one = group.first
        if (now := _heading(one)) != heading:
            heading = now
            lines += [*([""] if lines else []), f"## {_escaped(now)}", ""]
        told = " ".join(_escaped(message) for message in group.messages)
        word = _WORDS[one.severity].capitalize()
        lines.append(
            f"- **{word}: {_escaped(one.title)}.** {told} *{_escaped(one.advice)}* (`{one.check}`)"
        )
    return "\n".join([*lines, *([""] if lines else []), _escaped(summary(examined)), ""])


def records(examined: Examination) -> dict[str, Any]:
    """Return findings, and what became of each check, as plain data in base units."""
    return {
        "findings": [
            {name: _plain(getattr(one, name)) for name in Finding.__dataclass_fields__}
            for one in examined.findings
        ],
        "checks": [
            {
                "check": one.check,
                "scenario": one.scenario,
                "tool": one.tool,
                "run_id": one.run_id,
                "state": one.state,
                "reason": one.reason or None,
            }
            for one in examined.statuses
        ],
    }


def summary(examined: Examination) -> str:
    """Return how much was found, and which checks had no data to look at."""
    counts = Counter(one.severity for one in examined.findings)
    found = [
        show.plural(counts[severity], _WORDS[severity])
        for severity in reversed(SEVERITIES)
        if counts[severity]
    ]
    states: dict[str, set[tuple[str, bool]]] = defaultdict(set)
    for one in examined.statuses:
        states[one.check].add((one.state, one.reason.startswith(("only of ", "no second variant"))))
    blind = [
        check
        for check, seen in states.items()
        if {state for state, _ in seen} == {"not applicable"} and ("not applicable", False) in seen
    ]
    told = f"{show.listed(found)}." if found else "Nothing was found."
    return f"{told} Not applicable, for lack of data: {', '.join(blind)}." if blind else told


def _heading(one: Finding) -> str:
    name = f"{show.clean(one.scenario, limit=80)} · " if one.scenario else ""
    return f"{name}{one.tool}"


def _wrapped(text: str, width: int, *, indent: str = "    ", mark: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        max(min(width, 100), 40),
        initial_indent=f"{indent}{mark}",
        subsequent_indent=indent + " " * len(mark),
        break_on_hyphens=False,
    )


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", show.clean(text))


def _plain(value: Any) -> Any:  # noqa: ANN401 - a value of a finding may be of any kind
    if isinstance(value, str):
        return value.replace(show.NBSP, " ")
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [_plain(one) for one in value]
    return value
