"""Command lines of wrk and wrk2."""

import shlex
from typing import Any

import pytest

from benchkit import registry

WRK = registry.tool("wrk").read
WRK2 = registry.tool("wrk2").read


def wrk(line: str) -> dict[str, Any]:
    columns: dict[str, Any] = WRK(shlex.split(line))
    return columns


def test_what_is_said_and_what_is_default() -> None:
    assert wrk("-t 10 -c 200 -d 30s http://localhost:8082/hello.txt") == {
        "threads": 10,
        "connections": 200,
        "timeout_s": 2.0,
        "url": "http://localhost:8082/hello.txt",
        "method": "GET",
        "pipelining": 1,
        "keepalive": True,
    }
    assert wrk("http://h/")["threads"] == 2
    assert wrk("http://h/")["connections"] == 10


@pytest.mark.parametrize(
    "line",
    [
        "-t3 -c10 -d10 --latency http://h/",
        "--threads 3 --connections=10 --duration 10s -L http://h/",
        "http://h/ -Lt3 -c 10",
        "--thr=3 --conn 10 -- http://h/ further arguments",
    ],
)
def test_spellings_of_one_command(line: str) -> None:
    columns = wrk(line)
    assert (columns["threads"], columns["connections"], columns["url"]) == (3, 9, "http://h/")


def test_units() -> None:
    columns = wrk("-c 1k -t 4 --timeout 1m http://h/")
    assert (columns["connections"], columns["timeout_s"]) == (1000, 60.0)


def test_a_header_that_closes() -> None:
    assert wrk("-H 'Host: a' -H 'Connection: Close' http://h/")["keepalive"] is False


def test_a_script_may_change_everything() -> None:
    columns = wrk("-s post.lua http://h/")
    assert not {"method", "pipelining", "keepalive"} & columns.keys()


def test_placeholders_are_not_replaced_by_defaults() -> None:
    columns = wrk("-t $T -c $C -T <time> $URL")
    assert not {"threads", "connections", "timeout_s", "url"} & columns.keys()
    assert "connections" not in wrk("-t $T -c 10 http://h/")


def test_a_rate_makes_it_wrk2() -> None:
    columns = wrk("-t2 -c100 -d30s -R2k -L http://h/")
    assert columns["offered_rate_rps"] == 2000.0
    assert columns["tool"] == "wrk2"
    assert columns["load_model"] == "open"
    assert columns["correction"] == "none"
    assert "load_model" not in wrk("http://h/")


def test_wrk2_by_name() -> None:
    columns = WRK2(shlex.split("--rate 500 -U -B http://h/"))
    assert columns["offered_rate_rps"] == 500.0
    assert columns["url"] == "http://h/"
    assert WRK2([])["load_model"] == "open"


@pytest.mark.parametrize("line", ["", "-", "--", "-t", "--threads", "-c ''", "-q --nope=1 -Z9"])
def test_nothing_is_raised(line: str) -> None:
    assert isinstance(wrk(line), dict)


def test_options_of_a_fork() -> None:
    line = "-D exp -P -p -r -t 2 -c 8 -R 100 http://h/a http://h/b"  # DeathStarBench's wrk2
    columns = wrk(line)
    assert (columns["url"], columns["connections"]) == ("http://h/a", 8)
    assert columns["offered_rate_rps"] == 100.0
