"""What texts are laid out as: a page, its headings and its quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

FENCE: Final = "```"
#: Levels of headings, for services in a step of a job or in a quote one more.
DEEPEST: Final = 6
DEEPEST_OUTER: Final = DEEPEST - 1


class LaidOut(NamedTuple):
    """A page.

    Attributes:
        text: Its own.
        order: What of the file its lines are, in which order.
        ends: Its lines with which a text ends that has no end of line, and may be cut off.
    """

    text: str
    order: str
    ends: Sequence[int] = ()


def heading_of(level: int, text: str) -> str:
    """Return a heading of Markdown with a text of one line."""
    shown = "".join(each if each.isprintable() else " " for each in text)
    return f"{'#' * level} {' '.join(shown.split())}"


def is_fence(line: str) -> bool:
    """Whether a quote begins or ends with a line."""
    return line.lstrip().startswith(FENCE)


def fenced(text: str) -> str:
    """Return a text as a quote, one with quotes in it as the page that it is."""
    ended = text if text.endswith("\n") else f"{text}\n"
    return ended if FENCE in text else f"{FENCE}\n{ended}{FENCE}"
