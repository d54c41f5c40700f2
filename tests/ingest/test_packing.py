"""What became of files, as bytes and back: exact, and read as what a stranger may have written."""

# JSON of any kind:
# ruff: noqa: ANN401

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

import benchkit
from benchkit.api import Results
from benchkit.errors import BenchkitError, InputError
from benchkit.export import write_table
from benchkit.ingest import read
from benchkit.ingest.beside import Beside
from benchkit.ingest.combination import combined
from benchkit.ingest.engines import Serial
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.meta import read_meta
from benchkit.ingest.packing import packed, packed_beside, unpacked, unpacked_beside
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter
from benchkit.ingest.read import read_file
from benchkit.ingest.resources import Samples, read_resources
from benchkit.model.tables import STORED

ROOT: Final = Path(__file__).resolve().parents[2]
#: Outputs with rows, quantiles, statuses, added samples, JSON.
SAMPLES: Final = (
    *(
        "ab/keepalive.txt",
        "autocannon/plain.json",
        "vegeta/mixed-post.gob",
        "vegeta/two-attacks.gob",
    ),
    *("wrk/latency.txt", "wrk2/drop.txt"),
)
#: What a stranger may put in any place.
WRONG: Final[Sequence[Any]] = (
    *(None, True, -1, 0, 2**70, -(2**70), 1.5, float("nan"), float("inf"), "", "x", [], {}, [[]]),
    *("\x1b[31m\ud800", "AAAAAAAAAIA=", {"object": {}}, {"datetime64": [2**63 - 1, "D"]}),
)
SEED: Final = 20


class Packed:
    """Reads files as ever, and hands on what came back from bytes."""

    def outcomes(
        self, files: Sequence[Input], meter: Meter, *, hashed: bool
    ) -> Iterator[tuple[int, FileOutcome]]:
        for number, outcome in Serial().outcomes(files, meter, hashed=hashed):
            data = packed(outcome)
            again = unpacked(data, source="bytes")
            assert packed(again) == data
            yield number, again


def results_of(folder: Path) -> Results:
    reading = read(folder, engine=Packed())
    return Results(reading.runs, reading.files, reading.naming, reading.inputs)


def tables(results: Results) -> dict[str, bytes]:
    made = {}
    for name in (*STORED, "files"):
        file = io.BytesIO()
        write_table(results, name, form="csv", to=file)
        made[name] = file.getvalue()
    return made


@pytest.mark.parametrize("folder", ["tests/data", "examples/results/gin-panic"])
def test_what_comes_back_gives_the_same_bytes(folder: str, tmp_path: Path) -> None:
    there, here = results_of(ROOT / folder), benchkit.load(ROOT / folder)
    assert tables(there) == tables(here)
    assert (there.naming, there.inputs) == (here.naming, here.inputs)
    if folder != "tests/data":
        pages = [benchkit.report(r, tmp_path / "page.html").read_bytes() for r in (there, here)]
        assert pages[0] == pages[1]


def test_metadata_and_samples_come_back() -> None:
    folders = [*(ROOT / "examples").rglob("meta.json"), *(ROOT / "examples").rglob("resources.csv")]
    assert folders
    for folder in {path.parent for path in folders}:
        samples = read_resources(str(folder))
        assert isinstance(samples, Samples)
        beside = Beside(read_meta(str(folder)), samples.rows, "its last row")
        again = unpacked_beside(packed_beside(beside), source="bytes")
        assert packed_beside(again) == packed_beside(beside)
        assert str(again) == str(beside)


def test_the_form_is_that_of_its_number(data: Path, golden: Callable[..., None]) -> None:
    """Where this differs, `FORM` rises."""
    lines = []
    for name in ("ab/few.txt", "vegeta/one.gob"):
        outcome = read_file(Input(str(data / name), name, name))
        lines.append(json.dumps(json.loads(packed(outcome)), indent=1))
    golden("outcomes.json", "\n".join(lines) + "\n")


# --- damaged, and hostile ---


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in some JSON, of a list the first three."""
    yield path
    if isinstance(content, (dict, list)):
        for key in content if isinstance(content, dict) else range(min(len(content), 3)):
            yield from places(content[key], (*path, key))


def changed(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(content)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


@pytest.mark.parametrize("name", SAMPLES)
def test_whatever_stands_in_any_place_ends_in_a_line_or_in_tables(name: str, data: Path) -> None:
    content = json.loads(packed(read_file(Input(str(data / name), name, name))))
    cases = [(path, value) for path in places(content) for value in WRONG]
    for path, value in Random(SEED).sample(cases, 75):  # noqa: S311 - no secret
        with suppress(BenchkitError):
            outcome = unpacked(json.dumps(changed(content, path, value)).encode(), source="bytes")
            reading = combined([outcome], named=["dataset"])
            tables(Results(reading.runs, reading.files))


def broken(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        unpacked(data, source="outcomes/a.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("outcomes/a.json")
    return caught.value


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 10**6, b'{"a": 1}'])
def test_what_is_no_outcome_is_told(data: bytes) -> None:
    assert "remove it, and ingest again" in str(broken(data))


def test_every_cut_is_told(data: Path) -> None:
    whole = packed(read_file(Input(str(data / "ab/few.txt"), "few.txt", "few.txt")))
    for end in range(0, len(whole), 37):
        broken(whole[:end])


def edited(data: Path, name: str, edit: Callable[[dict[str, Any]], None]) -> str:
    """The error of an outcome after a change."""
    content = json.loads(packed(read_file(Input(str(data / name), name, name))))
    edit(content)
    return str(broken(json.dumps(content).encode()))


def test_what_another_benchkit_wrote_is_told(data: Path) -> None:
    def later(content: dict[str, Any]) -> None:
        content["benchkit_outcome"] = 99

    text = edited(data, "ab/few.txt", later)
    assert "the form 4 of an outcome" in text
    assert "that of another benchkit, 99" in text


def test_a_format_that_nobody_reads_here_is_told(data: Path) -> None:
    def unknown(content: dict[str, Any]) -> None:
        content["outcome"]["runs"][0]["parser"] = "tock-text"

    output = edited(data, "ab/few.txt", unknown)
    assert "outcome.runs[0].parser: expected a format that is read here" in output
    assert "install the plug-in or the benchkit that wrote it" in output


def test_counts_that_cannot_be_are_told_with_their_run(data: Path) -> None:
    def negative(content: dict[str, Any]) -> None:
        slices = content["outcome"]["runs"][0]["summary"]["slices"]
        slices["keys"] = slices["keys"][:-16]

    text = edited(data, "vegeta/ok.gob", negative)
    assert "whole numbers of 64 bits" in text or "slices that do not ascend" in text


def test_what_tables_show_as_ours_is_ours(data: Path) -> None:
    def escape(content: dict[str, Any]) -> None:
        content["outcome"]["key"] = "\x1b[31m"

    assert "outcome.key: expected a hash in hexadecimal digits" in edited(
        data, "ab/few.txt", escape
    )
