from __future__ import annotations

import pytest

from benchkit.ingest.failed import failure_of, words_of
from benchkit.text import Text


@pytest.mark.parametrize(
    "text",
    [
        "sh: wrk: command not found",
        "/bin/sh: 1: vegeta: not found",
        "zsh: command not found: hey",
        "timeout: failed to run command 'wrk': No such file or directory",
        "'bombardier' is not recognized as an internal or external command,",
        "bash: line 3: 4711 Segmentation fault      (core dumped) '/usr/bin/wrk' -t2 http://a/",
        "ab: invalid URL",
        "apr_socket_recv: Connection refused (111)",
        "apr_sockaddr_info_get() for nowhere: Name or service not known (670002)",
        "unable to connect to 127.0.0.1:1 Connection refused",
    ],
)
def test_texts_that_say_that_a_load_generator_did_not_run(text: str) -> None:
    error = failure_of(words_of(Text.from_text(f"\n{text}\n")), "a.txt")
    assert error is not None
    assert str(error).startswith("a.txt: expected the report of a run, found ")


@pytest.mark.parametrize(
    "text",
    [
        "hey, the second server was not found in the rack",
        "sh: nginx: command not found",
        "measured with wrk: see the wiki",
        "\n".join([*map(str, range(20)), "sh: wrk: command not found"]),
    ],
)
def test_other_texts_do_not(text: str) -> None:
    assert failure_of(words_of(Text.from_text(text)), "a.txt") is None
