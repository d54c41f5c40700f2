"""The checks of parsers of rows: what follows from arrays, what is declared of it, its units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchkit.counting.summary import RequestSummary
from benchkit.declarations import DeclarationError
from benchkit.errors import InputError
from benchkit.ingest.read import read_items
from benchkit.ingest.sources import in_memory
from benchkit.parsing import (
    ARRAYS,
    COLUMNS_OF_ARRAYS,
    RequestBatch,
    RowsParser,
    RunRecord,
    Source,
)
from benchkit.testing import failures

BEGIN_NS = 1_763_884_821_000_000_000
LATENCIES = ("latency_min_s", "latency_mean_s", "latency_max_s", "latency_std_s")
QUANTILES = tuple(f"latency_p{p}_s" for p in (50, 75, 90, 95, 99, 999))


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield lines of an instant and a latency in µs, and a status."""
    head, *lines = source.data.decode(errors="replace").split("\n")
    try:
        fields = [tuple(map(int, line.split())) for line in lines[:-1]]
        started, latency, status = zip(*fields, strict=True)
    except ValueError as error:
        raise InputError("rows of three numbers", actual=head, hint="repeat the run") from error
    yield RequestBatch(
        np.array(latency, np.int64) * 1000,
        started_ns=np.array(started, np.int64) * 1000,
        status=np.array(status, np.int32),
    )


#: A format of a tool whose command lines are read.
TICKS = RowsParser(
    name="vegeta-ticks",
    tool="vegeta",
    reads="a row per request",
    versions="1",
    fills=("requests", "started_at", "duration_s", "wait_s", *LATENCIES, *QUANTILES),
    may_fill=("errors", "non2xx", "success_ratio", "throughput_rps", "goodput_rps"),
    sniff=lambda source: source.head.startswith(b"ticks "),
    rows=rows,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of 4 s at 100 requests per second that take 1 to 5 ms."""
    first = BEGIN_NS // 1000
    lines = [f"{first + 10_000 * n} {1000 + 997 * (n % 5)} 200" for n in range(400)]
    path = tmp_path / "four.ticks"
    path.write_text("\n".join(["ticks 1.2", *lines, ""]), encoding="utf-8", newline="\n")
    command = "vegeta attack -rate=100 -duration=4s -timeout=2s"
    path.with_name("four.ticks.cmd").write_text(f"echo GET http://h/ | {command}\n")
    return tmp_path


def otherwise(change: Callable[[RequestBatch], dict[str, Any]]) -> RowsParser:
    """Return the parser with other arrays."""

    def changed(source: Source) -> Iterator[RequestBatch]:
        yield from (replace(batch, **change(batch)) for batch in rows(source))

    return replace(TICKS, rows=changed)


def test_a_parser_that_is_right_passes(folder: Path) -> None:
    assert failures(TICKS, folder) == {}


@pytest.mark.parametrize(
    ("declared", "missing"),
    [
        ({"fills": (), "may_fill": ()}, "duration_s, errors, goodput_rps, latency_max_s"),
        ({"fills": TICKS.fills[1:]}, "requests"),
        ({"may_fill": TICKS.may_fill[1:]}, "errors"),
    ],
)
def test_a_column_that_rows_give_is_declared(
    declared: dict[str, Any], missing: str, folder: Path
) -> None:
    wrong = failures(replace(TICKS, **declared), folder)
    assert list(wrong) == ["columns-of-rows[four.ticks]"]
    message = wrong["columns-of-rows[four.ticks]"]
    assert message.startswith(f"four.ticks: its rows give {missing}")
    assert "or in `withholds`" in message


def test_a_column_that_means_something_else_is_withheld(folder: Path) -> None:
    def sized(batch: RequestBatch) -> dict[str, Any]:
        return {"received_bytes": np.full(len(batch), 7)}

    parser = replace(otherwise(sized), may_fill=(*TICKS.may_fill, "received_bytes"))
    assert "give body_bytes, and" in failures(parser, folder)["columns-of-rows[four.ticks]"]
    assert failures(replace(parser, withholds=("body_bytes",)), folder) == {}


def test_a_column_that_never_comes_is_found(folder: Path) -> None:
    wrong = failures(replace(TICKS, may_fill=(*TICKS.may_fill, "unrecorded")), folder)
    assert wrong["may-fill"].startswith("declared in `may_fill`, and in no output: unrecorded; rec")


def test_a_column_that_follows_from_no_rows_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"timeouts follows from no rows .* in `header`"):
        replace(TICKS, fills=(*TICKS.fills, "timeouts"))
    with pytest.raises(DeclarationError, match="errors is filled, and in `withholds`"):
        replace(TICKS, withholds=("errors",))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda b: {"latency_ns": b.latency_ns // 10_000}, "and no answer comes so soon"),
        (lambda b: {"latency_ns": b.latency_ns * 1000 * 60}, "the last answer came 299."),
        (lambda b: {"started_ns": b.started_ns // 1000}, "started_at is 1970-01-21T"),
        (lambda b: {"started_ns": b.started_ns - b.started_ns[0] + 1}, "started_at is 1970-01-01T"),
    ],
)
def test_a_wrong_unit_is_found(
    change: Callable[[RequestBatch], dict[str, Any]], problem: str, folder: Path
) -> None:
    (folder / "four.ticks.cmd").unlink()
    assert problem in failures(otherwise(change), folder)["units[four.ticks]"]


def test_a_duration_is_held_against_the_command(folder: Path) -> None:
    slow = otherwise(lambda batch: {"started_ns": BEGIN_NS + np.arange(len(batch)) * 10**9})
    wrong = failures(slow, folder)["units[four.ticks]"]
    assert wrong.endswith("duration_s is 399.005 s, and the command asks for 4 s")


def test_an_array_of_another_kind_is_named_once(folder: Path) -> None:
    floats = otherwise(lambda batch: {"started_ns": np.ones(len(batch))})
    wrong = failures(floats, folder)
    assert list(wrong) == ["reads[four.ticks]"]
    assert "started_ns: float64, array of int64 expected" in wrong["reads[four.ticks]"]


def test_a_header_alone_is_to_be_refused(tmp_path: Path) -> None:
    (tmp_path / "none.ticks").write_text("ticks 1.2\n", encoding="utf-8")
    parser = replace(TICKS, rows=lambda _: iter(()))
    assert "of a header without rows" in failures(parser, tmp_path)["reads[none.ticks]"]


def test_the_beginning_of_a_file_states_columns_of_its_runs(folder: Path) -> None:
    def header(source: Source) -> dict[str, Any]:
        return {"tool_version": source.head.split()[1].decode()}

    parser = replace(TICKS, fills=(*TICKS.fills, "tool_version"), header=header)
    assert failures(parser, folder) == {}
    data = (folder / "four.ticks").read_bytes()
    ((_, record, _),) = read_items(in_memory(data, "four.ticks"), (parser,)).items
    assert isinstance(record, RunRecord)
    assert (record.columns["tool_version"], record.columns["requests"]) == ("1.2", 400)


def of_arrays(*names: str) -> set[str]:
    """Return the columns that follow from two requests with some arrays."""
    values = {"latency_ns": [3, 4], "started_ns": [BEGIN_NS, BEGIN_NS + 9], "status": [200, 500]}
    arrays: dict[str, Any] = {
        name: np.array(values.get(name, [0, 0]), ARRAYS[name]) for name in names
    }
    summary = RequestSummary()
    summary.add(RequestBatch(**arrays, methods=("GET",), urls=("http://h/",)))
    return {name for name, value in summary.columns().items() if value is not None}


def test_the_columns_of_arrays_are_those_that_are_computed() -> None:
    every = [name for name in COLUMNS_OF_ARRAYS if name != "latency_ns"]
    assert of_arrays("latency_ns", *every) == {c for cs in COLUMNS_OF_ARRAYS.values() for c in cs}
    assert of_arrays("latency_ns") == {*COLUMNS_OF_ARRAYS["latency_ns"]}
    alone = of_arrays("latency_ns")
    for name in every:
        further = of_arrays("latency_ns", name) - alone
        lost = of_arrays("latency_ns", *every) - of_arrays(
            "latency_ns", *(other for other in every if other != name)
        )
        assert further | lost == {*COLUMNS_OF_ARRAYS[name]}, name
