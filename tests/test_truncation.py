"""Half-written files: every recorded text, cut at its line ends.

What is left gives runs without an invented value, or one clear line, and never another error.
A value is not invented where the run of the whole file has it too. Some lines are told too late:
autocannon prints its errors and mismatches after what is otherwise the last line of a report, and
below the table that it counted in other steps than a second; wrk2 prints its latencies a second
time, with other digits, which win.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers._wrk_rules import LATENCY_COLUMNS
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.text import decode

DATA = Path(__file__).parent / "data"
NO_OUTPUT = {".cmd", ".md", ".go", ".lua", ".cjs", ".targets", ".gob", ".gz", ".db"}
CUTS = 40
TEXTS = [
    path
    for path in sorted(DATA.rglob("*"))
    if path.is_file()
    and path.suffix not in NO_OUTPUT
    and not path.name.startswith(".")
    and path.name != "post-body.json"
]


def cuts(content: bytes) -> Iterator[bytes]:
    """Yield the content cut at its line ends; at some of them where there are many."""
    lines = content.splitlines(keepends=True)
    step = max(len(lines) // CUTS, 1)
    for count in range(1, len(lines), step):
        yield b"".join(lines[:count])


def read(path: Path) -> tuple[list[FileRun], list[str]]:
    """Return the runs in a file, and the lines about what cannot be read."""
    outcome = read_file(Input(str(path), path.name, path.name))
    return outcome.runs, [str(problem) for problem in outcome.problems]


def facts(run: FileRun) -> set[tuple[Any, ...]]:
    """Return all values of a run, each with its name."""
    record = run.record
    found: set[tuple[Any, ...]] = {(name, value) for name, value in record.columns.items()}
    found |= {("quantile", q, value) for q, value in record.quantiles}
    found |= {("figure", f.metric, f.statistic, f.value, f.unit) for f in record.figures}
    found |= {("status", code, count) for code, count in record.statuses.items()}
    found |= {("error", text, count) for text, count in record.errors.items()}
    return {fact for fact in found if fact[-1] is not None}


def told_late(part: bytes, whole: bytes) -> set[str]:
    """Return names of values that a line after the cut puts in another light."""
    late: set[str] = set()
    if re.search(rb"\n\d\S* requests in \S+, .* read\s*\Z", part):  # wrk's is indented
        late |= {"errors", "timeouts", "success_ratio"}
    if b"mismatched body" in whole:
        late |= {"success_ratio", "goodput_rps"}
    if b"sampled every" in whole and b"sampled every" not in part:
        late |= {"throughput_rps", "goodput_rps", "Req/Sec", "Bytes/Sec"}
    if whole.count(b"\n#[Buckets") > part.count(b"\n#[Buckets"):  # wrk2: the same in other digits
        late |= {*LATENCY_COLUMNS.values(), *QUANTILE_COLUMNS.values()}
        late |= {"quantile", "Uncorrected Latency"}
    return late


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(DATA).as_posix())
def test_a_cut_text_gives_no_invented_value(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    assert decode(content[:4096]) is not None, "not a text"
    whole, _ = read(path)
    cut = tmp_path / path.name
    for part in cuts(content):
        cut.write_bytes(part)
        runs, problems = read(cut)
        assert len(runs) <= len(whole)
        for run, complete in zip(runs, whole, strict=False):
            if run.summary is not None and complete.summary is not None:
                # Fewer requests are another run; no request may be added.
                count = run.summary.distribution.count
                assert count <= complete.summary.distribution.count
                continue
            late = told_late(part, content)
            invented = facts(run) - facts(complete)
            assert not {fact for fact in invented if not late & set(fact[:2])}, part[-80:]
        for problem in problems:
            assert "\n" not in problem
            assert problem.startswith(path.name)
            assert "expected" in problem
        assert runs or problems
