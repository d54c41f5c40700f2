"""What terminals, pages, translators and people did to single lines of a report."""

from __future__ import annotations

import re
from typing import Final

CELL: Final = r"[-+]?(?:nan|[0-9][0-9.,]{0,20})[A-Za-zµμ]{0,2}%?"
ROW: Final = rf"(?:{CELL}\s+){{3}}{CELL}"
#: What a terminal shows of keys that were pressed: interrupt, arrows.
_ECHO: Final = re.compile(r"(?:\^(?:\[\[[A-D0-9;~FH]{1,5}|[@-_]))+\s*")
#: Emphasis, code marks, a fence or a quote that begins or ends on a line of the report.
_MARKED: Final = re.compile(
    r"^(?:`{1,3}|\*{1,2}(?=\S))\s*(?=[A-Z0-9])|(?<=\S)(?:`{1,3}|\*{1,2}|[\"']{1,3})[,;)]*$"
)
#: What may stand before the first line of a report: the command, `output = "`.
_BEFORE: Final = re.compile(r".{1,300}?(?=Running [0-9]\S* test @ \S)")
_STRESSED: Final = re.compile(r"\*{1,2}([0-9][\w.,]*)\*{1,2}")
#: What people write behind a figure to explain it.
_REMARK: Final = re.compile(
    r"\s*\uff08[^\uff08\uff09]*\uff09$"  # in parentheses of full width
    r"|\s+(?:\(.*\)|\[[^\[\]]*\]|(?:\#|//).*|[^\x00-\u03ff].*"
    # No remark but the figure of another run: 1.20ms -> 1.31ms
    r"|(?:<?[-=]{1,4}>?|[\u2190-\u21ff\u2013\u2014])\s(?!\s*[0-9.]+\s*(?:[A-Za-z]?s|[mkM%]|[KMG]?B)?(?:\s|$)).*)$"
)
_FOUR: Final = re.compile(rf"{ROW}(?<=%)")
_RENAMED: Final = re.compile(rf"[^\x00-\x7f]\S{{0,30}}\s+({CELL})(\s.*)")
_TIME: Final = re.compile(r"[0-9.]+(?:us|ms|s|m)")


def unmarked(line: str) -> str:
    """Return a line without what a terminal or a markup language put around it."""
    if "^" in line:
        line = _ECHO.sub("", line, count=1)
    if line.endswith("\\"):
        line = line[:-1].rstrip()  # Markdown's line break
    if " test @ " in line:
        line = _BEFORE.sub("", line, count=1)
    if "*" in line:
        line = _STRESSED.sub(r"\1", line)
    return _MARKED.sub("", line)


def without_remark(line: str) -> str:
    """Return a line without what somebody wrote behind its figures."""
    return _REMARK.sub("", line)


def in_english(line: str) -> str:
    """Return a row of figures with the name that the tool gives it.

    A translator takes the name to another script and leaves the figures.
    """
    matched = _RENAMED.fullmatch(line)
    if matched is None or not is_row(matched[1] + matched[2]):
        return line
    name = "Latency" if _TIME.fullmatch(matched[1]) else "Req/Sec"
    return f"{name} {matched[1]}{matched[2]}"


def is_row(figures: str) -> bool:
    """Whether a text is four figures, the last a percentage."""
    return _FOUR.fullmatch(figures) is not None
