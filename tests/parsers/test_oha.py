"""oha's report, JSON, CSV and database: what they say, and what they leave open."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchkit.errors import InputError
from benchkit.ingest.perrequest import read_rows
from benchkit.ingest.sources import open_source
from benchkit.parsers import hey, oha_csv, oha_json, oha_sqlite, oha_text
from benchkit.parsers.oha import rank, read
from benchkit.parsing import RequestBatch, RowsParser, RunRecord, Source
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "oha"


def printed(text: str) -> RunRecord:
    [run] = oha_text.scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    return run


def recorded(name: str) -> RunRecord:
    return printed((DATA / name).read_text("utf-8"))


def result(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((DATA / name).read_text("utf-8"))
    return value


def in_rows(parser: RowsParser, path: Path) -> list[RunRecord]:
    opened = open_source(path, name=path.name)
    assert parser.sniff(opened.source)
    return [record for record, _ in read_rows(parser, opened).runs]


# --- the report ---


def test_a_report() -> None:
    run = recorded("mixed.txt")
    assert run.columns == {
        "duration_s": 0.0303291,
        "requests": 500,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 100,
        "success_ratio": 0.8,
        "throughput_rps": 16485.8015,
        "goodput_rps": pytest.approx(16485.8015 * 0.8),
        "latency_min_s": 1.67e-05,
        "latency_mean_s": 0.0003663,
        "latency_max_s": 0.0144489,
        "latency_p50_s": 0.000128,
        "latency_p75_s": 0.0002022,
        "latency_p90_s": 0.0004684,
        "latency_p95_s": 0.001895,
        "latency_p99_s": 0.0065507,
        "latency_p999_s": 0.0144489,
        "resolution_s": 1e-7,
    }
    assert run.statuses == {200: 400, 404: 50, 500: 50}
    assert len(run.quantiles) == 9  # not those of the 2xx and the others
    assert run.notes == []


@pytest.mark.parametrize(
    ("name", "mean_s", "max_s"),
    [
        ("seconds.txt", 0.0058, 0.0193),
        ("plain.txt", 0.0003485, 0.008183),
        ("one.txt", 0.000677791, 0.000677791),
    ],
)
def test_units_of_a_report(name: str, mean_s: float, max_s: float) -> None:
    columns = recorded(name).columns
    assert (columns["latency_mean_s"], columns["latency_max_s"]) == (mean_s, max_s)


def test_requests_without_an_answer() -> None:
    columns = recorded("timeout.txt").columns
    assert (columns["requests"], columns["errors"], columns["timeouts"]) == (60, 3, 3)
    assert columns["success_ratio"] == 0.95
    assert columns["throughput_rps"] == pytest.approx(57 / columns["duration_s"], rel=1e-4)
    assert recorded("drop.txt").errors == {"connection closed before message completed": 10}


def test_what_the_deadline_aborts_is_no_failure() -> None:
    run = recorded("deadline.txt")
    assert run.errors == {"aborted due to deadline": 4}
    assert (run.columns["requests"], run.columns["errors"]) == (244, 4)
    assert run.columns["success_ratio"] == 1.0
    assert run.columns["throughput_rps"] == pytest.approx(240 / 1.0016022, rel=1e-4)


def test_no_answer_has_no_latency() -> None:
    run = recorded("refused.txt")
    assert not [name for name in run.columns if name.startswith("latency")]
    assert run.quantiles == []
    assert run.errors == {"Connection refused (os error 111)": 20}
    assert run.notes == ["no answer: there is no latency"]


def test_an_older_report_is_in_seconds_without_percentages() -> None:
    text = (DATA / "seconds.txt").read_text("utf-8").replace(" sec", " secs")
    text = text.replace("100.00%", "1.0000").replace(".00% in", "% in")
    text = text.replace("Response time distribution", "Latency distribution")
    assert printed(text).columns == recorded("seconds.txt").columns
    assert printed(text).quantiles == recorded("seconds.txt").quantiles


def test_a_report_is_not_heys() -> None:
    for path in DATA.glob("*.txt"):
        assert list(hey.scan(Text.from_text(path.read_text("utf-8")))) == []
    for path in (DATA.parent / "hey").glob("*.txt"):
        assert list(oha_text.scan(Text.from_text(path.read_text("utf-8")))) == []


def test_a_status_that_is_missing_is_seen() -> None:
    text = (DATA / "mixed.txt").read_text("utf-8").replace("  [404] 50 responses\n", "")
    run = printed(text)
    assert "requests" not in run.columns
    assert run.lost == ["the statuses and errors are not as many as the requests of the rate"]


def test_percentiles_are_one_above_the_nearest_rank() -> None:
    assert [rank(q, 100) for q in (0.1, 0.5, 0.99, 0.999, 0.9999)] == [10, 50, 99, 99, 99]
    assert rank(0.9, 7) == 6


# --- JSON ---


def test_a_result() -> None:
    value = result("mixed.json")
    assert oha_json.matches(value)
    run = oha_json.parse(value)
    assert run.columns["requests"] == 500
    assert run.columns["duration_s"] == value["summary"]["total"]
    assert run.columns["throughput_rps"] == value["summary"]["requestsPerSec"]
    assert run.columns["latency_mean_s"] == value["summary"]["average"]
    assert run.columns["latency_p999_s"] == value["latencyPercentiles"]["p99.9"]
    assert run.columns["body_bytes"] == value["summary"]["totalData"]
    assert run.statuses == {200: 400, 404: 50, 500: 50}
    assert len(run.quantiles) == 9


def test_a_result_before_1_15() -> None:
    value = result("mixed.json")
    older = {name: part for name, part in value.items() if name != "metrics"}
    assert oha_json.parse(older) == oha_json.parse(value)


def test_a_result_without_errors_says_nothing_of_them() -> None:
    value = result("drop.json")
    del value["errorDistribution"]
    columns = oha_json.parse(value).columns
    assert not {"errors", "requests", "success_ratio"} & columns.keys()
    assert columns["throughput_rps"] == pytest.approx(190 / value["summary"]["total"])


def test_a_result_of_no_answer() -> None:
    run = oha_json.parse(result("refused.json"))
    assert (run.columns["requests"], run.columns["errors"]) == (20, 20)
    assert not [name for name in run.columns if name.startswith("latency")]
    assert run.columns["success_ratio"] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"summary": {"requestsPerSec": 1, "total": "x"}}, "summary.total: expected a number"),
        ({"summary": {"requestsPerSec": 1}}, "summary.total: expected a number, found 'null'"),
        ({"statusCodeDistribution": {"200": -1}}, "statusCodeDistribution.200: expected a count"),
        ({"statusCodeDistribution": {"ok": 1}}, "statusCodeDistribution.ok: expected a status"),
        ({"errorDistribution": [1]}, "errorDistribution: expected an object of counts"),
        ({"latencyPercentiles": {"p50": -1}}, "latencyPercentiles.p50: expected a number"),
    ],
)
def test_a_figure_that_is_none(change: Mapping[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        oha_json.parse({**result("mixed.json"), **change})
    assert str(raised.value).startswith(message)


# --- rows ---


def test_a_table_of_answers() -> None:
    [parser] = oha_csv.PARSERS
    [run] = in_rows(parser, DATA / "mixed.csv")
    lines = (DATA / "mixed.csv").read_text("utf-8").splitlines()[1:]
    rows = [list(map(float, line.split(","))) for line in lines]
    duration_s = max(row[0] + row[4] for row in rows) - rows[0][0]
    assert run.columns["requests"] == 300
    assert run.columns["duration_s"] == pytest.approx(duration_s, abs=1e-9)
    assert run.columns["latency_max_s"] == max(row[4] for row in rows)
    assert run.columns["received_bytes"] == sum(row[5] for row in rows)
    assert run.statuses == {200: 240, 404: 30, 500: 30}
    assert not {"errors", "success_ratio", "started_at"} & run.columns.keys()


def test_a_header_alone_is_no_run() -> None:
    with pytest.raises(InputError, match="line 2: expected rows of requests, found 'none'"):
        list(oha_csv.TABLE.batches(Source.from_bytes((DATA / "refused.csv").read_bytes())))


def test_a_database_has_several_runs() -> None:
    [parser] = oha_sqlite.PARSERS
    runs = in_rows(parser, DATA / "two.db")
    assert [run.columns["requests"] for run in runs] == [200, 60]
    assert [run.columns["non2xx"] for run in runs] == [40, 0]
    assert all(run.name and run.name.startswith("17953") for run in runs)
    with sqlite3.connect(DATA / "two.db") as connection:
        asked = "SELECT max(end) - min(coalesce(start_latency_correction, start)), max(duration)"
        rows = connection.execute(f"{asked} FROM oha GROUP BY run ORDER BY run").fetchall()
    connection.close()
    for run, (duration_s, max_s) in zip(runs, rows, strict=True):
        assert run.columns["duration_s"] == pytest.approx(duration_s, abs=1e-8)
        assert run.columns["latency_max_s"] == pytest.approx(max_s, abs=1e-9)
        assert not {"errors", "success_ratio", "started_at"} & run.columns.keys()


COLUMNS = (
    "url TEXT, start REAL, start_latency_correction REAL, end REAL, duration REAL, "
    "status INTEGER, len_bytes INTEGER, run INTEGER"
)
ENDLESS = (
    "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) "
    "SELECT '' url, n start, n start_latency_correction, n end, n duration, 200 status, "
    "n len_bytes, n run FROM more"
)


TABLE = f"CREATE TABLE oha ({COLUMNS})"


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ([f"/* CREATE TABLE oha ( */ CREATE VIEW oha AS {ENDLESS}"], "oha is no plain table"),
        (["CREATE TABLE oha (x)"], "no such column: run"),
        ([TABLE], "expected rows in the table oha, found 'none'"),
        (
            [TABLE, "INSERT INTO oha VALUES ('', 0, 0, 0, 'x', 200, 1, 1)"],
            "a value of duration is no number",
        ),
        (
            [TABLE, "INSERT INTO oha VALUES ('', 0, 0, 0, 0.1, 200, 1, 'x')"],
            "a value of run is no whole number",
        ),
        (
            [TABLE, "INSERT INTO oha VALUES ('', 0, x'00', 0, 0.1, 200, 1, 1)"],
            "a value of start is no number",
        ),
        (
            [TABLE, "INSERT INTO oha VALUES ('', 0, 0, 0, 9e99, 200, 1, 1)"],
            "a value of duration is no time of a run",
        ),
        (
            [
                TABLE.replace("duration REAL", "duration AS (hex(zeroblob(300000000)))"),
                "INSERT INTO oha VALUES ('', 0, 0, 0, 200, 1, 1)",
            ],
            "a column of oha is computed",
        ),
    ],
)
def test_a_hostile_database_is_refused_at_once(
    tmp_path: Path, statements: Sequence[str], message: str
) -> None:
    file = tmp_path / "hostile.db"
    connection = sqlite3.connect(file)
    connection.executescript(";".join(statements))
    connection.close()
    before = file.read_bytes()
    with pytest.raises(InputError) as raised:
        list(oha_sqlite.rows(Source.from_bytes(before)))
    assert message in str(raised.value)
    assert file.read_bytes() == before


def test_rows_that_share_the_pages_of_one_long_text_are_refused(tmp_path: Path) -> None:
    file, page = tmp_path / "shared.db", 512
    connection = sqlite3.connect(file)
    rows = ["INSERT INTO oha VALUES (printf('%2000d', 0), 0, 0, 0, 0.1, 200, 1, 5)"] * 2
    connection.executescript(";".join([f"PRAGMA page_size = {page}", TABLE, *rows]))
    connection.close()
    content = bytearray(file.read_bytes())
    assert sum(map(len, oha_sqlite.rows(Source.from_bytes(bytes(content))))) == 2
    # Cells fill the second page from its end; each ends with the number of its next page.
    first = page + int.from_bytes(content[page + 8 : page + 10])
    content[first - 4 : first] = content[2 * page - 4 : 2 * page]
    with pytest.raises(InputError, match="2nd reference to page 3"):
        list(oha_sqlite.rows(Source.from_bytes(bytes(content))))


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
def test_a_damaged_database_is_refused_or_read_in_part(keep: float) -> None:
    whole = (DATA / "two.db").read_bytes()
    batches: list[RequestBatch] = []
    with pytest.raises(InputError, match="a database that oha wrote"):
        batches.extend(oha_sqlite.rows(Source.from_bytes(whole[: int(len(whole) * keep)])))
    assert sum(map(len, batches)) < 260


def test_other_databases_are_none_of_ohas(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE other (run)")
    connection.close()
    assert not oha_sqlite.sniff(Source.from_bytes((tmp_path / "other.db").read_bytes()))


# --- the command line ---


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (
            "http://a/",
            {"url": "http://a/", "method": "GET", "keepalive": True, "load_model": "closed",
             "clock": "connect-to-last-byte", "connections": 50},
        ),
        (
            "--no-tui -c8 -z 10s -q 200 --latency-correction -t 1m http://a/ -m post",
            {"url": "http://a/", "method": "POST", "keepalive": True, "load_model": "open",
             "clock": "due-to-last-byte", "connections": 8, "offered_rate_rps": 200.0,
             "timeout_s": 60.0},
        ),
        (
            "--http2 -p 10 -wc 5 --disable-keepalive --latency-correction http://a/",
            {"url": "http://a/", "method": "GET", "keepalive": False, "load_model": "closed",
             "clock": "connect-to-last-byte", "connections": 5, "pipelining": 10},
        ),
        ("--version", {}),
    ],
)  # fmt: skip
def test_the_command_line(command: str, columns: Mapping[str, Any]) -> None:
    assert read(command.split()) == columns
