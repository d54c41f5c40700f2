"""Takes off what logs and quoting put before every line of a report.

There is no list of such prefixes: whatever stands before several of ab's
labels, and is the same but for its digits, is one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from ._ab_lines import LABELS

_ENOUGH: Final = 3
_LONGEST: Final = 160
_MOST: Final = 8
_LABEL: Final = re.compile(rf"(?:{'|'.join(LABELS.values())})\s*:")
#: One of them is in most of the labels.
_WORDS: Final = ("requests:", "Requests per", "Time ", "Server ", "Document ", "transferred:")
_QUOTE_END: Final = re.compile(r"[\"'],?\s*$")


def without(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without the prefixes that stand before ab's labels."""
    counts = Counter(_prefixes(lines))
    prefixes = [prefix for prefix, count in counts.most_common(_MOST) if count >= _ENOUGH]
    if not prefixes:
        return lines
    longest_first = sorted(prefixes, key=len, reverse=True)
    pattern = re.compile("|".join(f"(?:{prefix})" for prefix in longest_first))
    quoted = any(prefix[-1] in "\"'" for prefix in prefixes)
    return [_bare(line, pattern, quoted=quoted) for line in lines]


def _prefixes(lines: Sequence[str]) -> Iterator[str]:
    """Yield, as a pattern, what stands before a label that is the only one in its line."""
    for line in lines:
        if not any(word in line for word in _WORDS) or _is_row(line):
            continue
        matched = _LABEL.search(line, 0, _LONGEST)
        if matched and matched.start() and not _LABEL.search(line, matched.end()):
            yield _shape(line[: matched.start()])


def _is_row(line: str) -> bool:
    """Whether a line is a row of a table, drawn or in HTML."""
    return line.startswith("<") or (line.startswith("|") and line.endswith("|"))


def _shape(before: str) -> str:
    words = [re.sub(r"[0-9]+", "[0-9]+", re.escape(word)) for word in before.split()]
    lead = r"\s*" if before[:1].isspace() else ""
    return lead + r"\s+".join(words) + (r"(?:\s|$)" if before[-1:].isspace() else "")


def _bare(line: str, pattern: re.Pattern[str], *, quoted: bool) -> str:
    matched = pattern.match(line)
    if matched is None:
        return line
    rest = line[matched.end() :]
    return _QUOTE_END.sub("", rest) if quoted else rest
