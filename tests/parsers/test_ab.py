"""ab's command line."""

import shlex

import pytest

from benchkit.parsers import ab
from benchkit.tool import program_of


def read(line: str) -> dict[str, object]:
    (tool,) = ab.TOOLS
    program, *arguments = shlex.split(line)
    assert program_of(program) in tool.programs
    records: dict[str, object] = tool.read(arguments)
    return records


def test_defaults() -> None:
    assert read("ab http://localhost/") == {
        "url": "http://localhost/",
        "method": "GET",
        "connections": 1,
        "keepalive": False,
        "timeout_s": 30.0,
        "load_model": "closed",
    }


@pytest.mark.parametrize(
    "line",
    [
        "ab -n 100 -c 10 -k http://h/x",
        "ab -n100 -c10 -k http://h/x",
        "ab -kc 10 -n 100 http://h/x",
        "abs -k -n 100 -c 10 -H 'Accept: a' http://h/x",
        "ab -rkq -t 5 -c10 -H Cookie:a=b -A user:pw http://h/x",
        "ab.exe http://h/x -k -c 10",
    ],
)
def test_ways_to_write_options(line: str) -> None:
    records = read(line)
    assert (records["url"], records["connections"], records["keepalive"]) == (
        "http://h/x",
        10,
        True,
    )


@pytest.mark.parametrize(
    ("options", "method"),
    [("-p body", "POST"), ("-u body", "PUT"), ("-i", "HEAD"), ("-m PATCH", "PATCH"), ("", "GET")],
)
def test_methods(options: str, method: str) -> None:
    assert read(f"ab {options} http://h/")["method"] == method


def test_timeout() -> None:
    assert read("ab -s 86400 http://h/")["timeout_s"] == 86400.0


def test_a_target_without_scheme() -> None:
    assert read("ab -n 1 localhost:8080/")["url"] == "http://localhost:8080/"


@pytest.mark.parametrize("line", ["ab -c", "ab -c many -s soon", "ab --help", "ab -", "ab -% x"])
def test_nonsense_is_left_out(line: str) -> None:
    assert read(line).get("connections") in {1, None}
