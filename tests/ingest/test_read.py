"""One file to its runs: what a parser stumbles over stays with that file."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit import registry
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsing import RunOrError
from benchkit.text import decode

ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
TEXTS = (
    *("ab/odd.txt", "ab/html.txt", "wrk/non2xx.txt", "wrk/lua-done.txt", "wrk2/uncorrected.txt"),
    *("vegeta/errors.report.txt", "vegeta/errors.hist.txt", "vegeta/ok.hdrplot.txt"),
    *("autocannon/table-mixed.txt", "autocannon/table-workers.txt", "vegeta/ok.report.json"),
)


def message(path: Path) -> str:
    files = benchkit.load(path.parent).files
    (told,) = files[files["state"] == "skipped"]["message"]
    return str(told)


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """A folder with one good file."""
    (tmp_path / "good.txt").write_bytes((data / "wrk" / "plain.txt").read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", TEXTS)
def test_digits_of_other_scripts_are_no_numbers(name: str, data: Path, tmp_path: Path) -> None:
    lines = (decode((data / name).read_bytes()) or "").splitlines()
    path = tmp_path / "other.txt"
    for at, line in enumerate(lines):
        changed = [*lines[:at], line.translate(ARABIC), *lines[at + 1 :]]
        path.write_text("\n".join(changed), encoding="utf-8")
        problems = map(str, read_file(Input(str(path), path.name, path.name)).problems)
        assert not [one for one in problems if "figures that can be read" in one], line


def test_a_report_with_such_a_digit_names_the_line(data: Path, folder: Path) -> None:
    report = (data / "ab" / "few.txt").read_text(encoding="utf-8")
    time = next(line for line in report.splitlines() if line.startswith("Time taken"))
    path = folder / "ab.txt"
    path.write_text(
        report.replace(time, "Time taken for tests:   1 seconds".translate(ARABIC)),
        encoding="utf-8",
    )
    assert message(path).startswith(f"{path.as_posix()}, line ")
    assert "1 seconds".translate(ARABIC) in message(path)


def stumbling(*_: object) -> Iterator[RunOrError]:
    yield from ()
    msg = "not a number: x"
    raise ValueError(msg)


@pytest.mark.parametrize(
    ("file", "changes", "place"),
    [
        ("ab/few.txt", {"scan": stumbling}, ""),
        ("autocannon/plain.json", {"parse": lambda _: next(stumbling())}, ", line 1"),
        ("vegeta/ok.gob", {"rows": stumbling}, ""),
    ],
)
def test_a_number_that_no_parser_thought_of_ends_one_file_only(
    file: str,
    changes: dict[str, Any],
    place: str,
    *,
    folder: Path,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (run,) = read_file(Input(str(data / file), file, file)).runs
    there = [replace(p, **changes) if p is run.parser else p for p in registry.parsers()]
    monkeypatch.setattr(registry, "parsers", lambda: there)
    bad = folder / Path(file).name
    bad.write_bytes((data / file).read_bytes())
    line = "expected figures that can be read, found 'not a number: x'"
    assert message(bad) == f"{bad.as_posix()}{place}: {line}"


def test_a_packed_text_that_is_cut_off_is_said_to_be(data: Path, tmp_path: Path) -> None:
    packed = gzip.compress((data / "wrk" / "plain.txt").read_bytes() * 20)
    for kept, state, line in (
        (40, "skipped", "expected an output of ab, autocannon, hyperfoil, vegeta, wrk or wrk2"),
        (len(packed) - 8, "read", "a gzip stream that ends early"),
    ):
        path = tmp_path / "cut.gz"
        path.write_bytes(packed[:kept])
        outcome = read_file(Input(str(path), path.name, path.name))
        told = outcome.message or str(outcome.problems[0])
        assert outcome.state == state
        assert told.startswith(f"cut.gz: {line}")
        assert "a gzip stream that ends early" in told


def test_what_a_tool_said_before_it_gave_up_names_no_other_run(data: Path, tmp_path: Path) -> None:
    good = (data / "ab" / "few.txt").read_text(encoding="utf-8")
    aborted = (data / "ab" / "reset-abort.txt").read_text(encoding="utf-8")
    parts = [good, aborted, good.replace("248.52", "249.52"), good.replace("248.52", "250.52")]
    (tmp_path / "all.txt").write_text("\n=====\n\n".join(parts), encoding="utf-8")
    runs = benchkit.load(tmp_path).runs
    assert list(runs["variant"]) == ["all"] * 3
    assert list(runs["repeat"]) == [1, 2, 3]
