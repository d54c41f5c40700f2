"""autocannon's command line."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.parsers.autocannon import read
from benchkit.schema import RUNS


def columns(line: str) -> dict[str, Any]:
    records: dict[str, Any] = read(shlex.split(line))
    return records


def test_the_defaults() -> None:
    assert columns("http://localhost:3000") == {
        "url": "http://localhost:3000",
        "method": "GET",
        "connections": 10,
        "pipelining": 1,
        "timeout_s": 10.0,
        "keepalive": True,
        "load_model": "closed",
        "correction": "none",
    }


@pytest.mark.parametrize(
    "spelling",
    ["-c 100", "-c100", "-c=100", "--connections 100", "--connections=100", "-lc 100", "-lc100"],
)
def test_spellings_of_an_option(spelling: str) -> None:
    assert columns(f"{spelling} -d 5 -l http://a/")["connections"] == 100


def test_everything_together() -> None:
    records = columns(
        "-c 100 -p 10 -w 3 -t 2 -d 30 -m POST -H 'Content-Type: application/json' "
        "-b '{\"a\": 1}' --renderStatusCodes localhost:3000/x"
    )
    assert records["connections"] == 99  # three workers open 33 each
    assert records["threads"] == 3
    assert records["pipelining"] == 10
    assert records["timeout_s"] == 2.0
    assert records["method"] == "POST"
    assert records["url"] == "http://localhost:3000/x"


@pytest.mark.parametrize(
    ("options", "rate", "correction"),
    [
        ("-R 200", 200.0, "backfilled"),
        ("-R 200 -C", 200.0, "none"),
        ("--overallRate=200 --ignoreCoordinatedOmission", 200.0, "none"),
        ("-c 4 -r 50", 200.0, "backfilled"),
    ],
)
def test_a_rate(options: str, rate: float, correction: str) -> None:
    records = columns(f"{options} http://a/")
    assert records["offered_rate_rps"] == rate
    assert records["correction"] == correction
    assert records["load_model"] == "closed"  # each request waits for the answer before it


def test_fewer_requests_a_second_than_connections() -> None:
    assert columns("-c 100 -R 20 http://a/")["connections"] == 20


def test_connections_that_are_not_reused() -> None:
    assert columns("-D 1 http://a/")["keepalive"] is False
    assert columns("-H connection=close http://a/")["keepalive"] is False


def test_options_of_the_warm_up_are_not_the_run_s() -> None:
    assert columns("-c 50 -W [ -c 1 -d 3 ] http://a/")["connections"] == 50


def test_the_server_s_command_line_is_not_autocannon_s() -> None:
    records = columns("-c 5 --on-port /api -- node server.js -c 9")
    assert (records["url"], records["connections"]) == ("/api", 5)


@pytest.mark.parametrize("line", ["", "--help", "-c 10", "--version"])
def test_without_a_target_there_is_no_run(line: str) -> None:
    assert columns(line) == {}


@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_words_are_taken(words: list[str]) -> None:
    assert set(read([*words, "http://a/"])) <= set(RUNS.names)
