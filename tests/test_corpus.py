"""Real outputs from elsewhere, held against an index of what they say.

Runs where BENCHKIT_CORPUS names a folder with an `index.tsv` (`corpus_index` says what is in it);
`-k "tool/"` chooses the files in the folder of a tool.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

import benchkit
from benchkit.api import Results
from benchkit.errors import NothingToReportError
from tests.corpus_index import OURS, Entry, entries, problems_of_file

DATA = Path(__file__).parent / "data"
FOLDER = Path(os.environ.get("BENCHKIT_CORPUS", ""))
GIVEN = (FOLDER / "index.tsv").is_file()
ENTRIES = entries(FOLDER) if GIVEN else []
NO_CORPUS = pytest.mark.skipif(
    not GIVEN, reason="BENCHKIT_CORPUS names no folder with an index.tsv"
)


def read(entry: Entry) -> tuple[Results | None, str]:
    """Return what benchkit reads from a file, or None and the line that says why nothing."""
    try:
        return benchkit.load(FOLDER / entry.file), ""
    except NothingToReportError as error:
        return None, str(error)


#: What is not read as an index has it, and why.
UNREAD: Final = {
    "bombardier/003-readme-latencies-all-3xx.txt": "5 errors are among our requests",
    "fortio/001-nighthawk-fortio-large.json": "another program's, without RunType",
    "jmeter/003-html-report-fixture.csv": "failed samples with a response count as answers",
    "locust/embedded/001-console-doc.rst": "a table without the percentiles below it",
    "siege/003-failed-131.txt": "a mean among failures, which may be in it",
    "siege/003-two-runs.txt": "a mean among failures, which may be in it",
    "oha/001-text.txt": "its rate counts requests broken off at the deadline",
    "oha/004-requests.db": "ends by its durations, 85 us later",
    "oha/006-json-duration.json": "its rate counts requests broken off at the deadline",
}


@NO_CORPUS
@pytest.mark.parametrize(
    "entry", [each for each in ENTRIES if each.tool in OURS], ids=lambda each: each.file
)
def test_a_file_reads_to_the_values_of_its_index(
    entry: Entry, request: pytest.FixtureRequest
) -> None:
    if entry.file in UNREAD:
        request.applymarker(pytest.mark.xfail(reason=UNREAD[entry.file], strict=True))
    results, refusal = read(entry)
    problems = list(problems_of_file(entry, results))
    assert not problems, "\n".join([*problems, refusal])
    assert results is not None or is_one_clear_line(refusal, entry), refusal


@NO_CORPUS
@pytest.mark.parametrize(
    "entry", [each for each in ENTRIES if each.tool not in OURS], ids=lambda each: each.file
)
def test_an_output_of_another_tool_is_not_taken_for_one_of_ours(entry: Entry) -> None:
    results, refusal = read(entry)
    assert results is None, f"read as {sorted(set(results.runs['format']))}"
    assert is_one_clear_line(refusal, entry), refusal


def is_one_clear_line(message: str, entry: Entry) -> bool:
    """Whether a refusal names the file, what was expected and what was found, in a line."""
    named = Path(entry.file).name in message
    return named and "\n" not in message and "expected" in message and "found" in message


# --- the comparison itself, on a recorded file ---


def complaints(expected: dict[str, object]) -> list[str]:
    """Return what an index with these values says about a recorded output of wrk."""
    results = benchkit.load(DATA / "wrk" / "latency.txt")
    return list(problems_of_file(Entry("latency.txt", "wrk", expected), results))


def test_values_within_the_rounding_of_the_index_are_right() -> None:
    assert not complaints(
        {
            "requests": 209159,
            "rps": 67475.37,
            "duration_s": 3.1,
            "p50_ms": 0.112,
            "p90_ms": 1.6,
            "max_us": 9840,
            "p95_ms": None,
            "errors": 0,
            "run_count": 1,
        }
    )


@pytest.mark.parametrize(
    ("expected", "complaint"),
    [
        ({"requests": 1}, "run 1: requests: expected 1, read ["),
        ({"p99_ms": 0.001}, "run 1: p99_ms: expected 1e-06, read ["),
        ({"p95_ms": 3}, "run 1: p95_ms: expected 0.003, read nothing"),
        ({"errors": 4}, "run 1: errors: expected 4, read ["),
        ({"run_count": 2}, "run_count: expected 2, read 1"),
        ({"runs": {"2": {"rps": 5}}}, "run 2 is missing"),
        ({"latency_valid": False}, "run 1: latency_valid: the report has no latency, read ["),
        ({"unreadable": True}, "expected to be refused, read 1 runs"),
        ({"colour": 3}, "run 1: the index has a key that tests/corpus_rules.py does not know: col"),
    ],
)
def test_a_wrong_value_and_an_unknown_key_are_found(
    expected: dict[str, object], complaint: str
) -> None:
    (context,) = complaints(expected)
    assert context.startswith(complaint)


# --- what is printed beside the columns, on a recorded report with 20 of 400 requests lost ---


def complaints_beside(expected: dict[str, object]) -> list[str]:
    results = benchkit.load(DATA / "hey" / "drop.txt")
    return list(problems_of_file(Entry("drop.txt", "hey", expected), results))


def test_what_is_printed_beside_the_columns_may_be_kept_or_left_out() -> None:
    assert not complaints_beside(
        {
            "kind": "text",
            "requests": 400,
            "rows": 424,
            "errors": 20,
            "failed": 20,
            "responses": 380,
            "rps_printed": 8770.3164,
            "elapsed_printed": "1s",
            "dropped_iterations": 7,
            "p95_ms_in_assertion": 1.0,
            "alt_all_rows": {"requests": 424},
        }
    )


@pytest.mark.parametrize(
    ("expected", "complaint"),
    [
        ({"kind": "ods"}, "the index has a kind that tests/corpus_index.py does not know: ods"),
        ({"failed": 21}, "run 1: failed: expected 21, read ["),
        ({"responses": 400}, "run 1: responses: expected 400, read ["),
        ({"elapsed_printed": "0.0456s"}, "run 1: elapsed_printed: 0.0456s is not what duration_s"),
        ({"p50_ms_printed_avg": 0.3}, "run 1: p50_ms_printed_avg: 0.3 ms is a mean of the slowest"),
        ({"p95_ms_in_assertion": 2.0}, "run 1: p95_ms_in_assertion: expected 0.002, read [0.001"),
        ({"requested_qps": "200"}, "run 1: requested_qps: expected 200, read nothing"),
        ({"raw_p50": 1109}, "run 1: raw_p50: nothing says the unit, read ["),
        ({"refuse": True}, "expected to be refused, read 1 runs"),
        (
            {"requests": 424, "alt_all_rows": {"requests": 425}},
            "run 1: requests: expected 424, read [400]",
        ),
    ],
)
def test_what_is_printed_beside_the_columns_is_not_read_as_one(
    expected: dict[str, object], complaint: str
) -> None:
    (problem,) = complaints_beside(expected)
    assert problem.startswith(complaint)


@pytest.mark.parametrize("key", ["or_refuse", "fragment"])
def test_where_refusing_is_as_honest_nothing_need_be_read(key: str) -> None:
    assert not list(problems_of_file(Entry("a.txt", "hey", {"requests": 3, key: True}), None))
