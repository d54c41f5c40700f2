"""Every check, once, in the order in which a reader needs them; and as a page."""

from __future__ import annotations

from typing import Final

from benchkit.validity import (
    amounts,
    clocks,
    course,
    environment,
    failures,
    figures,
    load,
    pairs,
    pieces,
    sending,
    settings,
    sockets,
    stalls,
    stated,
)
from benchkit.validity.finding import Check

_MODULES: Final = (
    *(figures, failures, sockets, load, clocks, pieces, sending, course, stalls, amounts),
    *(settings, stated, environment, pairs),
)
CATALOGUE: Final[tuple[Check, ...]] = tuple(check for part in _MODULES for check in part.CHECKS)
BY_ID: Final = {check.id: check for check in CATALOGUE}

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


def markdown() -> str:
    """Return the catalogue as a Markdown page."""
    parts = [_INTRODUCTION]
    for check in CATALOGUE:
        looks_at = [
            *(["one run"] if check.of_run else []),
            *(["the runs of one scenario"] if check.of_set else []),
        ]
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
