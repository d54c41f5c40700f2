from __future__ import annotations

from pathlib import Path

import pytest

from tests.validity.runs import in_file, plain, raised, run, state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dial tcp 0.0.0.0:0->10.0.0.1:80: connect: cannot assign requested address", "free port"),
        ("dial tcp 10.0.0.1:80: socket: too many open files", "no free file descriptor"),
        ("read tcp 10.0.0.2:40000->10.0.0.1:80: read: connection reset by peer", "were reset"),
    ],
)
def test_errors_of_connections_at_any_share(text: str, words: str) -> None:
    (finding,) = raised("SOCKET_ERRORS", run("vegeta", requests=1000, errors=8, texts={text: 8}))
    assert finding.severity == "warning"
    assert words in finding.message
    assert "(8 times, 0.8 % of the requests)" in plain(finding.message)
    assert not raised("ERROR_MIX", run("vegeta", requests=1000, errors=8, non2xx=0))


def test_errors_of_the_server_are_none_of_connections() -> None:
    texts: dict[str, int | None] = {"500 Internal Server Error": 8, "EOF": 2}
    assert not raised("SOCKET_ERRORS", run("vegeta", requests=1000, errors=2, texts=texts))
    assert state("SOCKET_ERRORS", run("vegeta", requests=1000)) == {"not applicable"}


def test_connections_that_wrk_could_not_open(data: Path) -> None:
    (finding,) = in_file("SOCKET_ERRORS", data / "wrk" / "connect-errors.txt")
    assert "25 connections could not be opened" in plain(finding.message)
