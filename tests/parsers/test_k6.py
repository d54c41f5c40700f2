"""k6's command line."""

from __future__ import annotations

import pytest

from benchkit.parsers.k6 import TOOLS, options, read


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("run -u 10 -d 30s script.js", {"threads": 10, "load_model": "closed"}),
        ("run --vus=10 --iterations 100 script.js", {"threads": 10, "load_model": "closed"}),
        ("run -u10 -i200 -", {"threads": 10, "load_model": "closed"}),
        ("run -d 5s script.js", {"threads": 1, "load_model": "closed"}),
        ("run -s 5s:10 script.js", {"threads": None, "load_model": "closed"}),
        ("--quiet run --rps 50 script.js", {"offered_rate_rps": 50.0, "load_model": None}),
        ("run -u 4 script.js", {"threads": 4, "load_model": None}),
        ("run --no-connection-reuse -qu 3 script.js", {"keepalive": False, "threads": 3}),
        ("run -u $VUS script.js", {"threads": None}),
        ("run -u 5", {"threads": None}),
        ("inspect -u 5 script.js", {"threads": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


def test_flags_have_one_name_each() -> None:
    given = "run --env A=1 -e B=2 --out json=x.json --no-color -vu 3 script.js -- -u 9"
    assert list(options(given.split())) == [
        *(("", "run"), ("e", "A=1"), ("e", "B=2"), ("o", "json=x.json"), ("no-color", "true")),
        *(("v", "true"), ("u", "3"), ("", "script.js"), ("", "-u"), ("", "9")),
    ]


def test_what_a_command_asks_for() -> None:
    [tool] = TOOLS
    assert tool.asked("k6 run -u 10 -d 1m30s script.js") == {"threads": 10, "duration_s": 90.0}
    assert tool.asked("k6 run -u 10 -d 1m -i 5 script.js") == {"threads": 10}
