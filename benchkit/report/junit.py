"""A check as JUnit XML: a suite per scenario, a case per rule and variant.

What failed is a failure, what is inconclusive is skipped, trouble is an error; a finding that
fails the check is a case of its own.

Source: the schema that Jenkins' and GitLab's readers share (`testsuites`, `testsuite`, `testcase`
with `failure`, `error` or `skipped`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from benchkit import format as show
from benchkit.gates.ruling import Gate, Outcome
from benchkit.model.grouping import grouped
from benchkit.report.gates import failing, finding_title, gate_table
from benchkit.report.tabular import finding_message

#: The suite of what belongs to no scenario.
_NO_SCENARIO: Final = "benchkit"
_Kind = Literal["", "failure", "skipped", "error"]
_KINDS: Final[dict[Outcome, _Kind]] = {
    "passed": "",
    "failed": "failure",
    "inconclusive": "skipped",
    "skipped": "skipped",
    "missing": "error",
}


@dataclass(frozen=True, slots=True)
class _TestCase:
    """One test case; `kind` is empty where it passed."""

    suite: str
    classname: str
    name: str
    kind: _Kind = ""
    message: str = ""


def junit(gate: Gate, *, title: str = "") -> str:
    """Return a check as JUnit XML."""
    suites = grouped(_cases(gate), lambda case: case.suite)
    every = [case for cases in suites.values() for case in cases]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f"<testsuites{_attributes({'name': title or 'benchkit'} | _counts(every))}>")
    for name, cases in suites.items():
        lines.append(f"  <testsuite{_attributes({'name': name} | _counts(cases))}>")
        lines += map(_element, cases)
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def _cases(gate: Gate) -> Iterator[_TestCase]:
    for ruling, row in zip(gate.rulings, gate_table(gate).rows, strict=True):
        suite = ruling.scenario or _NO_SCENARIO
        kind = _KINDS[row.outcome]
        yield _TestCase(suite, _classname(suite, ruling.variant), row.rule, kind, row.message)
    for group in failing(gate):
        first = group[0]
        suite = first.scenario or _NO_SCENARIO
        classname = _classname(suite, first.variant or "")
        yield _TestCase(suite, classname, finding_title(group), "failure", finding_message(group))
    for trouble in gate.troubles:
        yield _TestCase(_NO_SCENARIO, _NO_SCENARIO, "inputs", "error", trouble)


def _classname(suite: str, variant: str) -> str:
    """Return `scenario.variant`; points within either would make further levels."""
    return ".".join(part.replace(".", "_") for part in (suite, variant) if part)


def _counts(cases: Iterable[_TestCase]) -> dict[str, str]:
    kinds = [case.kind for case in cases]
    return {
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
    }


def _element(case: _TestCase) -> str:
    start = f"    <testcase{_attributes({'classname': case.classname, 'name': case.name})}"
    if not case.kind:
        return f"{start}/>"
    inner = f"<{case.kind}{_attributes({'message': case.message})}"
    if case.kind == "skipped":
        return f"{start}>{inner}/></testcase>"
    return f"{start}>{inner}>{escape(_legal(case.message))}</{case.kind}></testcase>"


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(_legal(value))}" for name, value in values.items())


def _legal(text: str) -> str:
    """Return text of characters that XML 1.0 allows, the others as escapes."""
    return "".join(c if _allowed(ord(c)) else ascii(c)[1:-1] for c in show.clean(text))


def _allowed(number: int) -> bool:
    """Source: XML 1.0, production 2, `Char`."""
    return 0x20 <= number <= 0xD7FF or 0xE000 <= number <= 0xFFFD or 0x10000 <= number <= 0x10FFFF
