import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchkit import registry
from benchkit.errors import InputError
from benchkit.ingest import perrequest
from benchkit.ingest.perrequest import FileRows, read_rows
from benchkit.ingest.sources import open_source
from benchkit.parsing import RequestBatch, RowsParser


def parser() -> RowsParser:
    gob = registry.parser("vegeta-gob")
    assert isinstance(gob, RowsParser)
    return gob


def content(expected: FileRows) -> list[tuple[object, ...]]:
    return [
        (record, summary.columns(), summary.timeline(), list(summary.endpoints))
        for record, summary in expected.runs
    ]


@pytest.mark.parametrize("size", [None, 30_000, 1_000, 150])
def test_what_a_thread_reads_ahead_is_what_is_read_in_turn(
    size: int | None, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cut.gob"
    file.write_bytes((data / "vegeta" / "mixed-post.gob").read_bytes()[:size])
    in_turn = read_rows(parser(), open_source(file, name="cut.gob"))
    monkeypatch.setattr(perrequest, "COMPILE_FROM", 0)
    ahead = read_rows(parser(), open_source(file, name="cut.gob"))
    assert content(ahead) == content(in_turn)
    assert str(ahead.problem) == str(in_turn.problem)


def test_who_stops_counting_stops_reading(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = RequestBatch(latency_ns=np.arange(3))
    made, before = [], threading.active_count()

    def endless(_: object) -> Iterator[RequestBatch]:
        while True:
            made.append(threading.current_thread())
            yield batch

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(perrequest, "COMPILE_FROM", 0)
    opened = open_source(data / "vegeta" / "ok.gob", name="ok.gob")
    with pytest.raises(KeyboardInterrupt):
        read_rows(replace(parser(), rows=endless), opened, interrupted)
    assert 0 < len(made) < 10
    assert threading.main_thread() not in made
    assert threading.active_count() == before


def test_a_broken_place_comes_after_all_that_was_read_before_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> Iterator[RequestBatch]:
        for first in range(20):
            yield RequestBatch(latency_ns=np.arange(first, first + 3))
        raise InputError("a result", actual="its end")

    monkeypatch.setattr(perrequest, "COMPILE_FROM", 0)
    opened = open_source(data / "vegeta" / "ok.gob", name="ok.gob")
    matches = read_rows(replace(parser(), rows=broken), opened)
    assert [record.columns["requests"] for record, _ in matches.runs] == [60]
    assert matches.problem is None
    assert "its end" in matches.runs[0][0].notes[0]


def test_of_very_many_attacks_in_a_file_the_first_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each costs as much as a file with one; docs/limits.md states how many."""
    row = (
        '{{"attack":"a{n}","seq":0,"code":200,"timestamp":"2026-11-20T11:40:00Z",'
        '"latency":2000000,"bytes_out":0,"bytes_in":0,"error":"","body":null,'
        '"method":"GET","url":"http://h/","headers":null}}\n'
    )
    file = tmp_path / "many.json"
    file.write_text("".join(row.format(n=n) for n in range(4)))
    jsonl = registry.parser("vegeta-jsonl")
    assert isinstance(jsonl, RowsParser)
    assert len(read_rows(jsonl, open_source(file, name=file.name)).runs) == 4
    monkeypatch.setattr(perrequest, "MOST_REPORTS", 3)
    runs = read_rows(jsonl, open_source(file, name=file.name)).runs
    assert [record.name for record, _ in runs] == ["a0", "a1", "a2"]
    loss = "3 runs are read of one file, and it has 4; split it, to read them all"
    assert all(record.lost == [loss] for record, _ in runs)
