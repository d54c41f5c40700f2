"""No pattern goes back and forth over a line: time is linear in what is matched."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.regexes import MOST_GROWTH, Pattern, growth, ours
from tests.timing import no_collections


@pytest.fixture(autouse=True)
def _undisturbed() -> Iterator[None]:
    with no_collections():
        yield


def test_every_pattern_of_ours_is_linear() -> None:
    patterns = ours()
    assert len(patterns) > 200
    assert not {pattern.origin: why for pattern in patterns if (why := _why(pattern))}


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
