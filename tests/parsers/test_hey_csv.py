"""hey's CSV: a row per answer, none for a request without one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchkit.errors import InputError
from benchkit.ingest.perrequest import read_rows
from benchkit.ingest.sources import open_source
from benchkit.parsers import hey_csv
from benchkit.parsing import RequestBatch, RowsParser, RunRecord, Source

DATA = Path(__file__).resolve().parents[1] / "data" / "hey"
[PARSER] = hey_csv.PARSERS


def recorded(name: str) -> RunRecord:
    assert isinstance(PARSER, RowsParser)
    opened = open_source(DATA / name, name=name)
    assert PARSER.sniff(opened.source)
    [(record, _)] = read_rows(PARSER, opened).runs
    return record


def test_a_file() -> None:
    record = recorded("mixed.csv")
    rows = np.loadtxt(DATA / "mixed.csv", delimiter=",", skiprows=1)
    took, status, began = rows[:, 0], rows[:, 6], rows[:, 7]
    columns = record.columns
    assert columns["requests"] == 300
    assert columns["non2xx"] == int((status != 200).sum()) == 60
    assert record.statuses == {200: 240, 404: 30, 500: 30}
    duration_s = (began + took).max() - began.min()
    assert columns["duration_s"] == pytest.approx(duration_s)
    assert columns["throughput_rps"] == pytest.approx(300 / duration_s)
    assert columns["latency_min_s"] == took.min()
    assert columns["latency_max_s"] == took.max()
    assert columns["latency_mean_s"] == pytest.approx(took.mean())
    assert columns["latency_p50_s"] == pytest.approx(np.sort(took)[149])
    assert columns["latency_p99_s"] == pytest.approx(np.sort(took)[296])


def test_what_the_file_does_not_say() -> None:
    columns = recorded("drop.csv").columns
    assert columns["requests"] < 200
    assert not {"errors", "success_ratio", "started_at", "received_bytes", "url"} & columns.keys()


def test_without_offsets_nothing_is_known_of_time() -> None:
    header, *rows = (DATA / "slow.csv").read_text("utf-8").splitlines()
    data = "".join(line.rpartition(",")[0] + "\n" for line in (header, *rows))
    [batch] = hey_csv.rows(Source.from_bytes(data.encode()))
    assert len(batch) == len(rows) == 40
    assert batch.started_ns is None


def test_a_million_rows_may_be_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hey_csv, "KEPT", 40)
    batches: list[RequestBatch] = list(
        hey_csv.rows(Source.from_bytes((DATA / "slow.csv").read_bytes()))
    )
    assert [*batches[-1].notes] == [
        "hey writes the first million answers: there may have been more"
    ]


def test_a_header_alone_is_no_run() -> None:
    with pytest.raises(InputError, match="line 2: expected rows of requests, found 'none'"):
        list(hey_csv.rows(Source.from_bytes((DATA / "refused.csv").read_bytes())))


def test_other_tables_are_none_of_heys() -> None:
    assert not hey_csv.TABLE.matches(Source.from_bytes(b"response-time,status-code\n0.1,200\n"))
    assert not hey_csv.TABLE.matches(Source.from_bytes((DATA / "plain.txt").read_bytes()))


def test_rows_below_a_further_header_are_of_another_run() -> None:
    """Their offsets begin anew: together they would be three times as many a second."""
    text = (DATA / "slow.csv").read_bytes()
    rows = hey_csv.rows(Source.from_bytes(text + text))
    assert len(next(rows)) == 40
    with pytest.raises(InputError, match="line 42: expected a row of the table, found 'its header"):
        next(rows)
