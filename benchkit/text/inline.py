"""What is within a line of a report and not the tool's: emphasis, remarks, grouped digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from benchkit.text.pieces import Piece, changed, joined

#: No other text has anything of what this module takes out. Each begins with a set, as a search
#: passes over what is not in it at once.
_TELLING_MARK: Final = re.compile(
    r"[*_`\\'\"#/=\]\-\u2013\u2014\u2019\u2190-\u21ff\u2600-\uffff\U0001f000-\U0001ffff]"
    r"(?:(?<=[^'\"#/=\]\-])|(?<='')|(?<=['\"])[,;)]*$|(?<=\s#)|(?<=\s/)/|(?<=[ <][-=])|(?<=\])$)",
    re.MULTILINE,
)
_TELLING_FIGURE: Final = re.compile(
    r"[0-9](?:[,'\u2019][0-9]|\. [0-9]|[A-Za-zµμ%]{0,3}+\s++\("
    r"| (?:[nuµμm]?s(?:ec)?|[kKMGTP]?i?B|[kM]|%)(?:[,;)\s]|$))",
    re.MULTILINE,
)
_EMPHASIS: Final = (
    ("*", re.compile(r"(?<![\w*])(\*{1,3}+)(?=[^\s*])([^*]*+)(?<!\s)\1(?![\w*])")),
    ("_", re.compile(r"(?<![\w/_])(_{1,2}+)(?=[^\s_])([^_]*+)(?<!\s)\1(?![\w])")),
    ("`", re.compile(r"(`{1,3}+)([^`]++)\1")),
    ("''", re.compile(r"('{2,5}+)(?=[^\s'])([^']*+)(?<!\s)\1")),
)
#: Emphasis or a code mark that begins or ends on this line and not on it ends or begins.
_HALF: Final = re.compile(
    r"^(?:\*{1,3}|`{1,3})(?=[\w\[])(?=[^*`]*+$)|(?<=[\w%)\]])(?:\*{1,3}|`{1,3})$"
)
_ESCAPED: Final = re.compile(r"\\(?=[\[\]#*_|<>`~])")
#: Behind a sentence there is no remark, but a line that was run together with it.
_REMARK: Final = re.compile(
    r"\s(?<=\S\s)(?<![a-z]\.\s)\s*+(?:"
    r"(?:\#{1,2}|//)\s*+(?=[^\W\d_]|[0-9.]{1,9}+%).{1,60}"
    r"|(?:<[-=]|[\u2190\u21d0])\s*+\S(?s:.*+)"
    r")$"
)
#: Behind a figure only, and where it has words: `(100.0 %)` is a figure itself.
_OF_FIGURE: Final = re.compile(
    r"[\s\uff08](?:(?:(?<=[0-9]\s)|(?<=[0-9][A-Za-zµμ%]\s)|(?<=[0-9][A-Za-zµμ]{2}\s))\s*+(?:"
    r"(?:[-=]{1,3}+>?|[\u2013\u2014\u2192])\s++(?!~?[0-9])(?s:.*+)"
    r"|\[(?![^\[\]]*sec\])(?=[^\[\]]*[^\W\d_]{4})[^\[\]]*+\]"
    # A tick or a cross before a number is a figure of its own.
    r"|(?![\u2713\u2717]\s?+[0-9])[\u2600-\uffff\U0001f000-\U0001ffff](?s:.*+)"
    r")$"
    r"|(?<!\s[\s\uff08])(?:(?<=\s)\s*+\uff08|(?<=\uff08))[^\uff08\uff09]*+\uff09$)"
)
# A figure may begin behind any comma: its digits must not all be passed over from each.
_IN_PARENTHESES: Final = re.compile(
    r"((?:^|(?<=[\s:,]))[-+]?[0-9][0-9,]{0,30}+(?:\.[0-9]++)?(?:[a-zµμ]{1,3}|[kKMGT]?i?B?|%))"
    r"\s++\((?=[^()]*[^\W\d_]{3})(?![^()]*: [0-9]++,)[^()]*+\)$"
)
#: What stands in place of a match: one of its groups, which a template takes far longer to say.
_FIRST, _SECOND = itemgetter(1), itemgetter(2)
_DECIMAL: Final = re.compile(r"(?<![\d.,])\d++\.\d")
_SURE_GROUPS: Final = re.compile(
    r"(?<![\w.,])\d{1,3}(?:(?>(?:,\d{3})+)(?=\.\d)|(?>(?:,\d{3}){2,})|(?>(?:['\u2019]\d{3})+))"
    r"(?![\d_]|[,'\u2019]\d)"
)
_GROUPS: Final = re.compile(r"(?<![\w.,])\d{1,3}(?>(?:,\d{3})+)(?![\d_.]|[,'\u2019]\d)")
#: A count of things, or one of several behind labels; `1,234 seconds` may be 1.234.
_COUNTS: Final = re.compile(
    _GROUPS.pattern + r"(?=, [a-z]"
    r"| [0-9]?(?!(?:[mnu]?s|(?:milli|micro|nano)?sec(?:ond)?s?|min(?:ute)?s?|hours?)\b)[a-z]{2})"
)
#: A blank that slipped behind a decimal point.
_SLIPPED: Final = re.compile(r"((?<=\s)[0-9]++\.) (?=[0-9]++(?:\s|$))")
_APART: Final = re.compile(
    r"(?<=\d) (?=(?:(?:[nuµμm]s|s)(?:ec)?|[kKMGTP]i?B|B|[kM]|%)(?:[,;)]|\s|$))"
)


def as_printed(pieces: Sequence[Piece], whole: str) -> Sequence[Piece]:
    """Return the lines as the tool printed them, as far as that is beyond doubt."""
    unmarked = changed(pieces, whole, _TELLING_MARK, _without_marks, {})
    if unmarked is not pieces:
        whole = joined(unmarked)
    return changed(unmarked, whole, _TELLING_FIGURE, _with_plain_figures, {})


def _with_plain_figures(line: str) -> str:
    """Return a line without what stands within and right behind its figures."""
    if line.endswith(")"):
        line = _IN_PARENTHESES.sub(_FIRST, line)
    return _APART.sub("", _ungrouped(_SLIPPED.sub(_FIRST, line)))


def _without_marks(line: str) -> str:
    """Return a line without emphasis and the remarks behind it."""
    for character, pattern in _EMPHASIS:
        if character in line:
            line = pattern.sub(_SECOND, line)
    if line.strip("*`") != line:
        line = _HALF.sub("", line)
    if "\\" in line:
        line = _ESCAPED.sub("", line).rstrip("\\").rstrip()
    line = _REMARK.sub("", line)
    return _OF_FIGURE.sub("", line)


def _ungrouped(line: str) -> str:
    """Return a line without marks between thousands.

    `1,234` may be a decimal fraction; it is none where another figure of its line has a point.
    """
    if " " not in line or not ("," in line or "'" in line or "\u2019" in line):
        return line  # rows of figures, as CSV has them
    line = _SURE_GROUPS.sub(_digits, line)
    if "," not in line:
        return line
    return (_GROUPS if _DECIMAL.search(line) else _COUNTS).sub(_digits, line)


def _digits(number: re.Match[str]) -> str:
    return re.sub(r"\D", "", number[0])
