"""Command lines of a tool that nobody has, as the usual packages take them apart."""

from __future__ import annotations

import shlex

import pytest

from benchkit import units
from benchkit.parsers import _options

SHORT = _options.letters("c=crews d=duration v=verbose")
SWITCHES = frozenset({"verbose", "json", "json-lines", "q"})


def options(line: str) -> list[tuple[str, str]]:
    return list(_options.options(shlex.split(line), short=SHORT, switches=SWITCHES))


def go_flags(line: str) -> list[tuple[str, str]]:
    return list(_options.go_flags(shlex.split(line), switches=SWITCHES))


CREWS, URL = ("crews", "4"), ("url", "http://h/")
VERBOSE, QUIET, JSON = ("verbose", "true"), ("q", "true"), ("json", "true")


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("-c 4 http://h/", [CREWS, URL]),
        ("http://h/ -c4", [URL, CREWS]),
        ("-c=4", [CREWS]),
        ("--crews 4 http://h/", [CREWS, URL]),
        ("--crews=4", [CREWS]),
        ("--crews=4=5", [("crews", "4=5")]),
        ("--cr 4 --dur=5s", [CREWS, ("duration", "5s")]),
        ("-v http://h/", [VERBOSE, URL]),
        ("--verb http://h/", [VERBOSE, URL]),
        ("--verbose=no http://h/", [("verbose", "no"), URL]),
        ("-vqc4 http://h/", [VERBOSE, QUIET, CREWS, URL]),
        ("-vc 4 http://h/", [VERBOSE, CREWS, URL]),
        ("--no-json http://h/ -v", [URL, VERBOSE]),
        ("--no-crews 4", [("no-crews", "4")]),
        ("-x 1 --other 2", [("x", "1"), ("other", "2")]),
        ("-c", [("crews", "")]),
        ("--crews", [("crews", "")]),
        ("- a", [("url", "-"), ("url", "a")]),
        ("-v -- -c --json", [VERBOSE, ("url", "-c"), ("url", "--json")]),
        ("", []),
    ],
)
def test_options_stand_anywhere_in_any_spelling(line: str, pairs: list[tuple[str, str]]) -> None:
    assert options(line) == pairs


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("--json", [JSON]),  # a name in full, though another begins like it
        ("--js a", [("js", "a")]),  # nothing tells which of the two
        ("--=a", [("", "a")]),
    ],
)
def test_a_name_is_cut_short_where_nothing_else_begins_like_it(
    line: str, pairs: list[tuple[str, str]]
) -> None:
    assert options(line) == pairs


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("-c 4 http://h/", [("c", "4"), URL]),
        ("--c=4 -d=a=b http://h/", [("c", "4"), ("d", "a=b"), URL]),
        ("-d= -c 4", [("d", ""), ("c", "4")]),
        ("-d='a\nb'", [("d", "a\nb")]),
        ("-json -q=false http://h/", [JSON, ("q", "false"), URL]),
        ("-vq 4", [("vq", "4")]),  # letters never stand together
        ("http://h/ -c 4", [URL]),  # what stands behind the target is none of the flags
        ("-q -- http://h/ -c 4", [QUIET, URL]),
        ("-- -c", [("url", "-c")]),
        ("-c", [("c", "")]),
        ("--", [("url", "")]),
        ("- -c 4", [("url", "-")]),
    ],
)
def test_flags_of_go_end_with_the_target(line: str, pairs: list[tuple[str, str]]) -> None:
    assert go_flags(line) == pairs


@pytest.mark.parametrize(("text", "value"), [("12", 12), ("0", None), ("$C", None), ("", None)])
def test_a_value_that_is_none_or_0_says_nothing(text: str, value: int | None) -> None:
    assert _options.whole(text) == value
    assert _options.number(text, units.number) == value
