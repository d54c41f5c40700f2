"""A check as commands that GitHub's runner shows beside a pull request.

Source: "Workflow commands for GitHub Actions": `::error title=…::message`, with `%`, carriage
return and line feed as `%25`, `%0D` and `%0A`, in properties `:` and `,` as `%3A` and `%2C` too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from benchkit import format as show
from benchkit.gates.ruling import Gate, Outcome
from benchkit.report.gates import failing, finding_title, gate_table
from benchkit.report.tabular import finding_message
from benchkit.validity.text import groups

_Level = Literal["error", "warning", "notice"]
_LEVELS: Final[dict[Outcome, _Level]] = {
    "failed": "error",
    "missing": "error",
    "inconclusive": "warning",
    "skipped": "notice",
}


def commands(gate: Gate) -> str:
    """Return a command per ruling that did not pass, and per kind of finding that counts."""
    return "".join(f"{line}\n" for line in _lines(gate))


def _lines(gate: Gate) -> Iterator[str]:
    for row in gate_table(gate).rows:
        if row.outcome in _LEVELS:
            title = f"{row.outcome}: {row.rule}"
            about = f"{row.subject}: " if row.subject else ""
            yield _command(_LEVELS[row.outcome], title, f"{about}{row.message}")
    blocking = {id(group[0]) for group in failing(gate)}
    for group in groups(gate.examination.findings):
        if group[0].severity != "info":
            level: _Level = "error" if id(group[0]) in blocking else "warning"
            yield _command(level, finding_title(group), finding_message(group))
    for trouble in gate.troubles:
        yield _command("error", "trouble", trouble)


def _command(level: _Level, title: str, message: str) -> str:
    heading = _escaped(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={heading}::{_escaped(message)}"


def _escaped(text: str) -> str:
    plain = show.clean(text)
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
