"""What an index of real outputs says about a file, held against what benchkit read from it.

An index is a table of files with their tool and a JSON object of values, written by whoever
looked at the files: counts as the tool counts, times in ms unless the key ends in `_s`. Keys
follow patterns, `p99_ms` and `p97_5_ms`; `corpus_rules` has one check per pattern. Three rules hold
for all keys:

- A value is right within half a unit of the last digit that the index gives, at one of the
  places where a report may give it (the largest latency stands in a row of its own and at 100 %).
- What a file does not state cannot be required: null asks for nothing, and a counter of 0 may be
  missing, because tools print most counters only where they are not 0.
- Where the report has no latency (`latency_valid: false`), none may be read; zeros printed in
  its place ask for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchkit import registry
from benchkit.api import Results
from tests.corpus_rules import problems_of_first_request, problems_of_run
from tests.corpus_run import Run, runs_of

OURS: Final = frozenset(registry.tools())

_KINDS: Final = {
    "ab-g": "ab-requests",
    "ab-e": "ab-percentiles",
    "ab-w": "ab-html",
    "hist": "vegeta-hist",
    "hdrplot": "vegeta-hdrplot",
    "autocannon-json": "autocannon-json",
    "autocannon-ndjson": "autocannon-json",
}
#: Kinds that say what a file looks like, whatever its format is called.
_LOOKS: Final = frozenset(
    (
        *("text", "json", "ndjson", "ndjson.gz", "csv", "sqlite", "js", "log", "log-binary"),
        *("jtl", "hgrm", "hlog", "fortio", "gatling-log", "k6-console", "locust-history"),
    )
)


@dataclass(frozen=True)
class Entry:
    """A row of an index."""

    file: str
    tool: str
    expected: Mapping[str, Any]


def entries(folder: Path) -> list[Entry]:
    """Return the rows of the index in a folder."""
    lines = (folder / "index.tsv").read_text(encoding="utf-8").split("\n")
    cells = [line.split("\t") for line in lines[1:] if line]
    return [Entry(row[0], row[1], json.loads(row[4])) for row in cells]


def problems_of_file(entry: Entry, results: Results | None) -> Iterator[str]:
    """Yield where a file was not read as the index expects; None is 'nothing to report'."""
    expected = entry.expected
    runs = runs_of(results) if results is not None else {}
    if any(expected.get(key) for key in ("aborted", "unreadable", "refused", "refuse")):
        if runs:
            yield f"expected to be refused, read {len(runs)} runs"
        return
    if not runs and (expected.get("or_refuse") or expected.get("fragment")):
        return
    if expected.get("imitation") and not _as_own(entry, runs):
        return
    if not runs or results is None:
        yield "nothing was read"
        return
    for number, run in runs.items():
        if run.columns["tool"] != entry.tool and not expected.get("imitation"):
            yield f"run {number} is read as {run.columns['tool']}'s"
    yield from _problems_of_counts(expected, int(results.files["runs"].sum()))
    yield from _problems_of_kind(expected, runs)
    problems = _problems_of_runs(expected, runs)
    other = {**expected, **expected.get("alt_all_rows", {})}
    if problems and (other == expected or _problems_of_runs(other, runs)):
        yield from problems
    if "seconds" in expected.get("first", ()):
        yield from problems_of_first_request(runs[1], expected["first"])


def _as_own(entry: Entry, runs: Mapping[int, Run]) -> bool:
    """Whether an imitation was taken for the tool's own output, without a word."""
    return any(run.columns["tool"] == entry.tool and not run.rows("notes") for run in runs.values())


def _problems_of_counts(expected: Mapping[str, Any], matches: int) -> Iterator[str]:
    for key in ("run_count", "run_count_wrk_like"):
        if expected.get(key) not in {None, matches}:
            yield f"{key}: expected {expected[key]}, read {matches}"
    if matches < expected.get("run_count_at_least", 0):
        yield f"run_count_at_least: expected {expected['run_count_at_least']}, read {matches}"


def _problems_of_kind(expected: Mapping[str, Any], runs: Mapping[int, Run]) -> Iterator[str]:
    kind = expected.get("kind")
    if kind is not None and kind not in _KINDS and kind not in _LOOKS:
        yield f"the index has a kind that tests/corpus_index.py does not know: {kind}"
    wanted = _KINDS.get(kind or "")
    formats = {run.columns["format"] for run in runs.values()}
    if wanted and formats != {wanted}:
        yield f"kind: expected {wanted}, read {sorted(formats)}"


def _problems_of_runs(expected: Mapping[str, Any], runs: Mapping[int, Run]) -> list[str]:
    problems = []
    for number, values in _expected_runs(expected):
        if number in runs:
            complaints = problems_of_run(runs[number], values)
            problems += [f"run {number}: {text}" for text in complaints]
        else:
            problems.append(f"run {number} is missing")
    return problems


def _expected_runs(expected: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield what is expected of each run that the index speaks of, by number."""
    listed = expected.get("runs")
    if isinstance(listed, Mapping):
        yield from ((int(number), item) for number, item in listed.items())
    elif listed:
        yield from enumerate(listed, 1)
    first = expected.get("first")
    if first and "seconds" not in first:
        yield 1, first
    yield 1, expected
