"""The bundled parsers pass the checks that strangers' parsers are given."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from benchkit import registry
from benchkit.parsers._wrk_rules import LATENCY_COLUMNS
from benchkit.parsing import Parser
from benchkit.schema import QUANTILE_COLUMNS, RUNS
from benchkit.testing import ParserCheck, checks
from benchkit.testing.damage import ON_DAMAGE
from benchkit.testing.others import ON_OTHERS
from benchkit.testing.records import ON_ALL, ON_RECORDS
from tests.outputs import RECORDED, formats_in, parsers_of
from tests.shares import share

#: Forms that pages and old versions have; their own tests have them as texts.
UNRECORDED = {"ab-excerpt", "ab-times-table", "hyperfoil-text"}
KINDS = (*ON_OTHERS, *ON_ALL, *ON_RECORDS, *ON_DAMAGE)
#: So many outputs of each format are damaged, each in a hundred ways.
DAMAGED = 2
#: Why a check fails, by parser and name of the check.
EXPECTED: Final[Mapping[str, Mapping[str, str]]] = {
    "jmeter-csv": {"may-fill": "no recorded plan has one endpoint and saves its method"},
    "jmeter-xml": {"may-fill": "no recorded plan has one endpoint and saves its method"},
    "k6-points": {"may-fill": "no recorded script has one endpoint"},
}


def late(part: bytes, whole: bytes) -> set[str]:
    """Return names of values that a line after the cut puts in another light.

    autocannon prints its errors and mismatches after what is otherwise the last line of a report,
    and below the table that it counted in other steps than a second; wrk2 prints its latencies a
    second time, with other digits, which win; rewrk's errors come below all else. Of a log with an
    interval in each line, of plow, which prints what it has every 200 ms, and of Locust's history
    every line changes all: a shorter one is another run.
    """
    names: set[str] = set()
    if _grows(whole):
        names |= {"quantile", "figure", "status", "error", *RUNS.names}
    if re.search(rb"\n\d\S* requests in \S+, .* read\s*\Z", part):  # wrk's is indented
        names |= {"errors", "timeouts", "success_ratio"}
    if b"mismatched body" in whole:
        names |= {"success_ratio", "goodput_rps"}
    if b"sampled every" in whole and b"sampled every" not in part:
        names |= {"throughput_rps", "goodput_rps", "Req/Sec", "Bytes/Sec"}
    if b" Errors: " in whole:
        names |= {"throughput_rps"}
    if whole.count(b"\n#[Buckets") > part.count(b"\n#[Buckets"):  # wrk2: the same in other digits
        names |= {*LATENCY_COLUMNS.values(), *QUANTILE_COLUMNS.values()}
        names |= {"quantile", "Uncorrected Latency"}
    return names


def _grows(whole: bytes) -> bool:
    starts = (b"Timestamp,User Count,", b"#[Histogram log format")
    return any(start in whole[:4096] for start in starts) or whole.count(b"Elapsed") > 1


@cache
def checks_of(name: str) -> Mapping[str, list[ParserCheck]]:
    """Return the checks of a parser with the outputs that it reads, by kind."""
    parser, reasons = registry.parser(name), EXPECTED.get(name, {})
    fixtures = [path for path in RECORDED if name in parsers_of(path)]
    listed = defaultdict(list)
    for check in checks(parser, fixtures, expected_failures=reasons, late=late) if fixtures else ():
        listed[check.name.partition("[")[0]].append(check)
    return listed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parser", registry.bundled(), ids=lambda parser: parser.name)
def test_a_bundled_parser_passes_the_checks(parser: Parser, kind: str) -> None:
    listed, wrong = checks_of(parser.name)[kind], []
    for check in share(listed, DAMAGED) if kind in ON_DAMAGE else listed:
        try:
            check()
        except AssertionError as error:
            if not check.reason:
                wrong.append(f"{check.name}: {error}")
        else:
            if check.reason:
                wrong.append(f"{check.name} holds, and was expected to fail")
    assert not wrong, "\n".join(wrong)


def test_recorded_outputs_show_most_parsers() -> None:
    shown = {name for path in RECORDED for name in formats_in(path)}
    assert {parser.name for parser in registry.bundled()} - shown <= UNRECORDED


def test_recorded_outputs_are_there() -> None:
    assert len(RECORDED) > 100
