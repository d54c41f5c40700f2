"""What a load generator declares, and what its command line asks for."""

import re
from typing import Any

import pytest

from benchkit import registry
from benchkit.declarations import DeclarationError
from benchkit.parsing import Parser
from benchkit.tool import Tool


@pytest.mark.parametrize("parser", registry.parsers(), ids=lambda parser: parser.name)
def test_every_parser_is_of_a_tool_that_declares_itself(parser: Parser) -> None:
    assert parser.tool in registry.tools()


def test_of_another_tool_only_the_name_is_known() -> None:
    other = registry.tool("drill")
    assert other is registry.tool("drill")
    assert (other.name, other.loops, other.asked("drill -c 9 http://h/")) == (
        "drill",
        (),
        {},
    )


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"loops": ("opened",)}, "tool drill: loops has 'opened'; did you mean 'open'? There are "),
        ({"loops": "open"}, "tool drill: loops is the text 'open'; write ('open',)"),
        ({"programs": "drill"}, "tool drill: programs is the text 'drill'; write ('drill',)"),
        ({"timeouts": "kept"}, "tool drill: timeouts has 'kept'; there are left out, timed"),
        ({"pads": "pause"}, "tool drill: pads has 'pause'; did you mean 'pauses'? There are "),
        ({"rates_of": "run"}, "tool drill: rates_of has 'run'; there are second, thread"),
        ({"asks": {"d": "duration"}}, "asks has 'duration'; did you mean 'duration_s'? There are "),
        ({"voids": {"d": "seconds"}}, "voids has 'seconds'; there are connections, duration_s, re"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_word_that_does_not_exist_is_refused(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(message)):
        Tool(name="drill", **declared)


@pytest.mark.parametrize(
    ("tool", "command", "wanted"),
    [
        ("ab", "ab -n100 -c 5 http://h/", {"requests": 100, "connections": 5}),
        ("ab", "$ time ab -k -t 4 -n 9 http://h/ > out.txt", {}),
        ("wrk", "./wrk -t2 -c8 -d4s http://h/", {"threads": 2, "connections": 8, "duration_s": 4}),
        ("wrk", "wrk --duration=2m -c 1k http://h/", {"duration_s": 120, "connections": 1000}),
        (
            "wrk2",
            "wrk -R100 -t1 -c1 -d30 http://h/",
            {"threads": 1, "connections": 1, "duration_s": 30},
        ),
        (
            "vegeta",
            "echo GET http://h/ | vegeta attack -duration=1m40s | vegeta report",
            {"duration_s": 100},
        ),
        ("autocannon", "npx autocannon -c 10 -a 500 -d 9 http://h", {"connections": 10}),
        ("autocannon", "autocannon -c $N http://h", {}),
        ("wrk", "'unbalanced", {}),
    ],
)
def test_what_a_command_asks_for(tool: str, command: str, wanted: dict[str, float]) -> None:
    assert registry.tool(tool).asked(command) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("wrk -H 'Host: web' http://h/", {"host: web"}),
        ("ab -H 'A: 1' -HB:2 http://h/", {"a: 1", "b: 2"}),
        ("vegeta attack -header 'A: 1' -header=B:2", {"a: 1", "b: 2"}),
        ("autocannon --headers A=1 http://h", {"a: 1"}),
        ("wrk http://h/", set()),
    ],
)
def test_the_headers_of_a_command(command: str, wanted: set[str]) -> None:
    tool = registry.tool(command.split(maxsplit=1)[0])
    assert tool.headers(command) == wanted
