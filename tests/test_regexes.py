"""No pattern goes back and forth over a line: time is linear in what is matched."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.regexes import MOST_GROWTH, MOST_PRICE, Pattern, growth, ours, possessive_groups, price
from tests.timing import no_collections


@pytest.fixture(autouse=True)
def _undisturbed() -> Iterator[None]:
    with no_collections():
        yield


def test_every_pattern_of_ours_is_linear() -> None:
    patterns = ours()
    assert len(patterns) > 200
    assert not {pattern.origin: why for pattern in patterns if (why := _why(pattern))}


def test_no_pattern_needs_what_early_pythons_get_wrong() -> None:
    """With Debian 12's Python 3.11.2 wrk's reports with errors were refused."""
    assert not {each.origin: groups for each in ours() if (groups := possessive_groups(each))}


def test_a_group_that_is_repeated_possessively_is_found() -> None:
    assert possessive_groups(Pattern("", re.compile(r"(?:[a-z]+:)?+x")))
    assert possessive_groups(Pattern("", re.compile(r"a(?:b(?:c|de)++)?")))
    assert not possessive_groups(Pattern("", re.compile(r"(?>(?:[a-z]++:)?)[0-9]{1,3}+x")))


def _why(pattern: Pattern) -> str:
    """Return on what text a pattern takes how much longer, nothing for a linear one."""
    ratio, text = growth(pattern)
    if ratio <= MOST_GROWTH:
        return ""
    ratio, text = growth(pattern)  # once may be noise
    return f"{ratio:.0f} times as long on {text}" if ratio > MOST_GROWTH else ""


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:a+)+b", "match"),
        (r"(?:[-*+>]\s+|>\s*)*x", "match"),
        (r"\s+$", "search"),
        (r"\s*+x", "search"),
        (r"#\s+(.*?)\s*$", "match"),
        (r"\d*\.?\d+s", "fullmatch"),
        (r"(?<!and )\b[0-9,]++ connections", "search"),
    ],
)
def test_what_is_not_linear_is_found(pattern: str, method: str) -> None:
    planted = Pattern("planted", re.compile(pattern), frozenset([method]))
    assert any(_why(planted) for _ in range(3))  # noise may hide it once


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:a++)++b", "match"),
        (r"(?<!\s)\s++$", "search"),
        (r"\[[^\[\]]*+\]\(", "search"),
        (r"(?>\d+)(?:\.\d++)?s", "fullmatch"),
        (r"(?:\S+ )*x", "match"),
        (r"\[[^\]]{0,1000}\]\(", "search"),
    ],
)
def test_what_is_linear_is_not(pattern: str, method: str) -> None:
    assert not _why(Pattern("planted", re.compile(pattern), frozenset([method])))


def test_no_pattern_is_dear_at_each_place_of_a_text() -> None:
    """Linear is not enough: all lines of a grammar, tried at each place, may take microseconds."""
    prices = {p.origin: price(p) for p in ours() if p.everywhere}
    assert len(prices) > 100
    assert not {origin: dear for origin, dear in prices.items() if dear[0] >= MOST_PRICE}


def test_a_dear_pattern_is_found() -> None:
    cells = "|".join(rf"(?:[0-9]++(?:[nm]?s)?+\s++){{0,24}}{letter}" for letter in "abcdefghij")
    assert price(Pattern("planted", re.compile(cells), frozenset(["finditer"])))[0] > MOST_PRICE
