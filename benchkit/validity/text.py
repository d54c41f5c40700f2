"""Findings for people and programs: terminal, Markdown, records."""

from __future__ import annotations

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from benchkit import format as show
from benchkit.validity import SEVERITIES, Examination, Finding
from benchkit.validity.finding import blind_checks

WORDS = {"error": "error", "warning": "warning", "info": "note"}
_NAMED = 3


def groups(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """Return findings with those of equal check, title and severity in one scenario together."""
    together: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    for finding in findings:
        kind = (finding.check, finding.title, finding.severity)
        together[finding.scenario, finding.tool, *kind].append(finding)
    return [tuple(alike) for alike in together.values()]


def in_full(group: Sequence[Finding]) -> list[Finding]:
    """Return those of a group whose messages stand for it: of several runs, then of single ones.

    Where single ones are many, the first speaks for the others.
    """
    several = [finding for finding in group if finding.label is None]
    single = [finding for finding in group if finding.label is not None]
    return [*several[:_NAMED], *single[: _NAMED if len(single) <= _NAMED else 1]]


def messages(group: Sequence[Finding], names: Mapping[str, str] | None = None) -> list[str]:
    """Return what a group of findings says, the same in every output.

    Args:
        group: Findings of one kind.
        names: What runs are called, by their ids; by default what they are called everywhere.
    """
    known = names or {}
    full = in_full(group)
    texts = [_renamed(finding, known) for finding in full]
    several = sum(finding.label is None for finding in full)
    more = sum(finding.label is None for finding in group) - several
    if more:
        texts.insert(several, f"There are {more} more such differences.")
    labels = [known.get(f.run_id or "", _name(f)) for f in group if f.label is not None]
    rest = labels[len(full) - several :]
    if len(rest) > _NAMED:
        rest = [*rest[: _NAMED - 1], f"{len(rest) - _NAMED + 1} more runs"]
    return [*texts, *([f"Also found of {show.listed(rest)}."] if rest else [])]


def _name(finding: Finding) -> str:
    return show.clean(finding.label or "", limit=100)


def _renamed(finding: Finding, names: Mapping[str, str]) -> str:
    """Return the message, which begins with the name of a single run, with another name."""
    name, start = names.get(finding.run_id or ""), f"{_name(finding)}: "
    if name is None or not finding.message.startswith(start):
        return finding.message
    return f"{name}: {finding.message.removeprefix(start)}"


def table(examined: Examination, *, width: int) -> str:
    """Return findings as text of at most `width` columns, by scenario, the serious first."""
    lines: list[str] = []
    for heading, parts in groupby(groups(examined.findings), key=_heading):
        lines += [*([""] if lines else []), *_wrapped(heading, width, indent="")]
        for group in parts:
            first = group[0]
            title = f"{WORDS[first.severity]}: {first.title} [{first.check}]"
            lines += _wrapped(title, width, indent="  ")
            for message in messages(group):
                lines += _wrapped(message, width)
            lines += _wrapped(first.advice, width, mark="→ ")
    lines += [*([""] if lines else []), *_wrapped(summary(examined), width, indent="")]
    return "\n".join(lines) + "\n"


def markdown(examined: Examination) -> str:
    """Return findings as a Markdown list per scenario."""
    lines: list[str] = []
    for heading, parts in groupby(groups(examined.findings), key=_heading):
        lines += [*([""] if lines else []), f"## {_escaped(heading)}", ""]
        for group in parts:
            first = group[0]
            text = " ".join(_escaped(message) for message in messages(group))
            title = f"{WORDS[first.severity].capitalize()}: {_escaped(first.title)}"
            lines.append(f"- **{title}.** {text} *{_escaped(first.advice)}* (`{first.check}`)")
    return "\n".join([*lines, *([""] if lines else []), _escaped(summary(examined)), ""])


def records(examined: Examination) -> dict[str, Any]:
    """Return findings, and what became of each check, as plain data in base units."""
    return {
        "findings": [
            {name: _plain(getattr(finding, name)) for name in Finding.__dataclass_fields__}
            for finding in examined.findings
        ],
        "checks": [
            asdict(status) | {"reason": status.reason or None} for status in examined.statuses
        ],
    }


def summary(examined: Examination) -> str:
    """Return how much was found, and which checks had no data to look at."""
    counts = Counter(group[0].severity for group in groups(examined.findings))
    counted = [
        show.plural(counts[severity], WORDS[severity])
        for severity in reversed(SEVERITIES)
        if counts[severity]
    ]
    blind = blind_checks(examined.statuses)
    text = f"{show.listed(counted)}." if counted else "Nothing was found."
    return f"{text} Not applicable, for lack of data: {', '.join(blind)}." if blind else text


def _heading(group: Sequence[Finding]) -> str:
    finding = group[0]
    name = f"{show.clean(finding.scenario, limit=80)} · " if finding.scenario else ""
    return f"{name}{show.clean(finding.tool)}"


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
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [_plain(each) for each in value]
    return value
