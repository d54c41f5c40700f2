"""Headings of a page, of any kind, and the short lines that may name a run.

Markdown's, reStructuredText's and HTML's headings; a paragraph in bold type; a line
between two rules, as programs print it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from benchkit.text import bare

_ATX: Final = re.compile(r"\s{0,3}(#{1,6})\s++(.*)")
#: The same without a blank, as many wrote it for long; no `#!/bin/sh`, and no `#a #b` of tags.
_ATX_CLOSE: Final = re.compile(r"\s{0,3}(#{1,6})((?=[^\W\d_])[^#]*+)#*+\s*+")
#: What a style sheet and a command have, and a heading has not.
_CODE: Final = re.compile(r"[{};=$]|(?:^|\s)--?\w")
#: A paragraph in bold type alone, as many use for a heading.
_BOLD: Final = re.compile(
    r"^\s{0,3}(\*{2,3}+|__)(?!\s)([^*_|]{1,64}?):?\1:?(\s\([^()*_|]{1,64}\))?:?\s*$"
)
_BOLD_LEVEL: Final = 7
#: A line between two rules in a code fence: the banner of a program, until the fence ends.
BANNER_LEVEL: Final = 8
_RULE_LENGTH: Final = 8
_HTML: Final = re.compile(r"^\s*<h([1-6])[^>]*>(.*?)</h\1>", re.IGNORECASE)
_RULED: Final = "=-~^\"'*+#.:_`"
UNDERLINE: Final = re.compile(rf"^\s{{0,3}}([{re.escape(_RULED)}])\1{{2,}}\s*$")
#: How a line begins that is a heading by itself.
_MARKED: Final = frozenset("#<*_=~-")
_UNDERLINES: Final = frozenset(_RULED)
#: What a script prints above a run, until it prints another of that kind: `=== nginx ===`.
_LINE_BANNER: Final = re.compile(
    r"\s*+(?:([=*#~-])\1{1,80}\s++(\S.{0,200}?)\s++\1{2,80}|==>\s++(\S.{0,200}?)\s++<=="
    # Long rules have no blank beside the words.
    r"|([=*#~-])\4{7,80}(?!\4)(\w.{0,200}?)\4{8,80})\s*+"
)
_END: Final = re.compile(r"end(?:\s++of)?\s", re.IGNORECASE)
_BANNER_BEGIN: Final = re.compile(r"\W{3,}+")
_BANNER_END: Final = re.compile(r"(?<=\w)\W{3,}+$")
# What never closes must not be looked for to the end of the line from each of its begins.
_TARGET: Final = r"(?:\([^)]{0,1000}+\)|\[[^\]]{0,300}+\])"
_IMAGE: Final = re.compile(rf"!\[[^\]]{{0,300}}+\]{_TARGET}")
_TAGS: Final = (
    "(?:a|abbr|b|br|code|dd|div|dt|em|font|i|kbd|li|p|s|small|span|strong|sub|sup|td|th|tt|u)"
)
#: Tags within a line of text, as pages of generators have them in headings; no `Vec<i>`.
_TAG: Final = re.compile(
    rf"</{_TAGS}\s*+>|<{_TAGS}\s[^<>]{{1,300}}+>|(?<!\w)<{_TAGS}>|<br\s?/?>", re.IGNORECASE
)
_LINK: Final = re.compile(rf"\[([^\]]{{0,300}}+)\]{_TARGET}")
#: Within a word no underscore is a mark: `old_c32_1`.
_MARKS: Final = re.compile(
    r"(?:(\*\*|```|``|[*`])|(?<!\w)(__?))(?=\S)(.{1,200}?)(?<=\S)(?:\1|\2(?!\w))"
)
#: Borders of the cells of a table, and what remains of one that is cut.
_CELLS: Final = re.compile("[\u2502\u2503\u2551\u251c\u2524\u253c\u250c\u2510\u2514\u2518\ufffd]")
#: Short lines that name a kind of output, not a run.
_PLAIN_WORDS: Final = frozenset(
    (
        *("latency", "latencies", "result", "results", "output", "stdout", "stderr", "report"),
        *("benchmark", "bench", "response", "run", "test", "throughput", "command", "summary"),
        *("measuring", "measurement", "measurements", "benchmarking", "testing", "running"),
        *(
            "starting",
            "started",
            "start",
            "done",
            "statistics",
            "stats",
            "req/s",
            "req/sec",
            "requests/s",
            "requests/sec",
            "rps",
        ),
    )
)
#: What a script prints before such a line: an arrow, a rule, a time; CI how it folds it.
_ARROW: Final = re.compile(
    r"^\s*+(?:(?:>{2,}+|[-=]{1,3}+>|\[[*+>-]\]|([=*~#-])(?>\1+))\s++|(?:##\[group\]|::group::)(?:Run\s)?)(?=\S)"
)
_CLOCK: Final = r"[0-2][0-9]:[0-5][0-9](?::[0-6][0-9](?:[.,][0-9]{1,9})?)?"
_ZONE: Final = r"(?:Z|\s?[+-][0-9]{2}:?[0-9]{2})?"
_TIME: Final = (
    rf"\s*+\[?(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_CLOCK}{_ZONE}|{_CLOCK}"
    # As `date` prints it in the United States, and elsewhere.
    r"|(?:(?:[A-Z][a-z]{2} ){2}[ 0-9][0-9]|\w{2,3}\.? {1,2}[0-9]{1,2}\.? \w{3,4}\.?)"
    rf" {_CLOCK}(?: [AP]M)?(?: [A-Z]{{2,5}})? [0-9]{{4}})"
    r"\]?\s*+(?:[-:|]\s++)?"
)
_STAMP: Final = re.compile(rf"^{_TIME}(?=\S)")
_NOTHING: Final = re.compile(
    rf"{_TIME}|##\[endgroup\]|::endgroup::"
    # What a shell's `time`, a server and Deno print.
    r"|(?:real|user|sys)\s++[0-9]++m[0-9.]++s"
    r"|(?:server |app )?(?:is )?(?:listening|running|started) (?:on|at) "
    r"(?:https?://|\S*:[0-9]|port |localhost).*|(?-i:port) [0-9]++"
    r"|(?:here (?:is|are) )?(?:the )?(?:test |testing |benchmark )?results?[.:]?"
    r"|to (?:start|run) (?:the |your )?(?:server|app|application)[.:]?"
    r"|(?:Compiling|Compile|Download|Check) (?:file|https?)://.*",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(r"\b(?:again|once more|(?:one more|another|a second) time)\b")
#: What may stand beside that; as many words and more say it in a sentence.
_FILLERS: Final = frozenset(("and", "then", "now", "run", "ran", "it", "the", "same", "-"))
_SENTENCE: Final = 4
#: What a script prints of which server it tests, as a sentence.
_TESTING: Final = re.compile(
    r"(?:\w{0,20}(?:bench|test)\w{0,20}\s)?(?:testing|benchmarking|measuring)\s", re.IGNORECASE
)
#: Of what was another then.
_CHANGED: Final = re.compile(
    r"[0-9]|\b(?:with|without|using|on|off|no|enabled|disabled|after|before|but|for|from|to|at)\b"
)
#: How lines begin that are no captions: a prompt, an image.
_NO_CAPTION: Final = re.compile(r"[$#%>❯➜]|PS |!\[")
_LABEL_LENGTH: Final = 64
_LABEL_WORDS: Final = 9
#: A longer line names nothing.
LONGEST: Final = 400
#: A line is looked at several times in a row.
_RECENT: Final = 64


@dataclass(frozen=True)
class Heading:
    """A heading: its line (from 0), its level (1 is highest), its plain text."""

    line: int
    level: int
    text: str


def may_be_heading(lines: Sequence[str], number: int) -> bool:
    """Whether a line may be a heading, as far as its first character or that below it tells."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    return lines[number].lstrip()[:1] in _MARKED or below.lstrip()[:1] in _UNDERLINES


def heading_at(lines: Sequence[str], number: int, adornments: list[str]) -> Heading | None:
    """Return the heading on a line, None where there is none.

    Args:
        lines: The page.
        number: The line, from 0.
        adornments: reStructuredText's underlines so far, highest first; a new one is added.
    """
    line = lines[number] if len(lines[number]) <= LONGEST else ""
    matched = _ATX.match(line) or _HTML.match(line)
    if matched:
        level = len(matched[1]) if line.lstrip().startswith("#") else int(matched[1])
        text = plain(matched[2].rstrip().rstrip("#"))
        return Heading(number, level, text) if text else None
    if (close := _ATX_CLOSE.fullmatch(line)) and not _CODE.search(close[2]):
        name = caption_of(close[2])
        return Heading(number, len(close[1]), name) if name else None
    banner = _LINE_BANNER.fullmatch(line)
    if banner:
        return _line_banner(banner, number, adornments)
    above = lines[number - 1] if number else ""
    bold = _BOLD.match(line)
    if bold and (not above.strip() or above.lstrip().startswith(("```", "~~~"))):
        name = caption_of(bold[2]) and caption_of(f"{bold[2]}{bold[3] or ''}")
        return Heading(number, _BOLD_LEVEL, name) if name else None
    return _underlined(lines, number, adornments)


def level_of(line: str) -> int | None:
    """Return the level of a line that Markdown takes for a heading, None of others."""
    matched = _ATX.match(line) if len(line) <= LONGEST else None
    return len(matched[1]) if matched else None


def _underlined(lines: Sequence[str], number: int, adornments: list[str]) -> Heading | None:
    line = lines[number] if len(lines[number]) <= LONGEST else ""
    above = lines[number - 1] if number else ""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    rule = UNDERLINE.match(below)
    if not rule or not line.strip() or UNDERLINE.match(line) or "|" in line:
        return None
    if above.strip() and not UNDERLINE.match(above):
        return None
    if len(below.strip()) < 3 or (rule[1] not in "=-" and len(below.strip()) < len(line.strip())):
        return None
    if rule[1] not in adornments:
        adornments.append(rule[1])
    return Heading(number, adornments.index(rule[1]) + 1, plain(line.strip()))


def _line_banner(banner: re.Match[str], number: int, adornments: list[str]) -> Heading | None:
    name, rule = caption_of(banner[0]), f"{banner[1] or banner[4] or '>'} beside"
    if name is None:
        return None
    if rule not in adornments:
        adornments.append(rule)
    return Heading(number, BANNER_LEVEL + 1 + adornments.index(rule), name)


def end_of(headings: Sequence[Heading], banner: Heading) -> Heading | None:
    """Return a heading without words for `=== END nginx ===` below `=== nginx ===`, else None."""
    ended = _END.match(banner.text)
    if ended is None or banner.level <= BANNER_LEVEL:
        return None
    begun = next((each for each in reversed(headings) if each.level == banner.level), None)
    same = begun is not None and begun.text.lower() == banner.text[ended.end() :].lower()
    return replace(banner, text="") if same else None


def banner_at(lines: Sequence[str], number: int, adornments: list[str]) -> Heading | None:
    """Return the banner on a line of a code fence: words between two rules.

    Args:
        lines: The page.
        number: The line, from 0.
        adornments: As `heading_at` has them.
    """
    line, around = lines[number], lines[number - 1 : number + 2 : 2]
    banner = _LINE_BANNER.fullmatch(line) if len(line) <= LONGEST else None
    if banner:
        return _line_banner(banner, number, adornments)
    ruled = [rule for rule in around if UNDERLINE.match(rule)]
    if len(ruled) < 2 or min(len(rule.strip()) for rule in ruled) < _RULE_LENGTH:
        return None
    name = caption_of(line.strip())
    return Heading(number, BANNER_LEVEL, name) if name else None


def plain(text: str) -> str:
    """Return Markdown text without images, links, tags, emphasis and code marks."""
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _TAG.sub("", text) if "<" in text else text
    return " ".join(_MARKS.sub(r"\3", text).split())


def is_tagged(line: str) -> bool:
    """Whether a line begins with a tag, as a paragraph of a saved page does."""
    return _TAG.match(line) is not None


def names_nothing(line: str) -> bool:
    """Whether a line tells no run from others.

    It is a time, the end of a fold, a word for a kind of output, or says that the same was done
    once more.
    """
    text = _text_of(line).lower()
    if text in _PLAIN_WORDS or _NOTHING.fullmatch(line):
        return True
    if not _AGAIN.search(text):
        return False
    words = _AGAIN.sub(" ", text).replace(",", " ").split()
    says_more = _CHANGED.search(text) is not None
    return _FILLERS.issuperset(words) or (len(words) >= _SENTENCE and not says_more)


@lru_cache(maxsize=_RECENT)
def _undecorated(line: str) -> str:
    """Return a line without what a script prints around its words."""
    # Without the rules, of three marks or more, before and behind the words of a banner.
    begin, end = _BANNER_BEGIN.match(line), _BANNER_END.search(line)
    words = line[begin.end() : end.start()] if begin and end else line
    return _STAMP.sub("", _ARROW.sub("", words))


@lru_cache(maxsize=_RECENT)
def _text_of(line: str) -> str:
    text = plain(bare(_undecorated(line))).rstrip(":").strip()
    text = text.removesuffix("...").removesuffix("…")
    return (text.removesuffix(".") if _TESTING.match(text) else text).strip()


def caption_of(line: str) -> str | None:
    """Return the short text of a line that may name a run, None for prose and plain words."""
    text = _text_of(line)
    if not text or len(text) > _LABEL_LENGTH or len(text.split()) > _LABEL_WORDS:
        return None
    if text[-1] in ".!?,;" or text.lower() in _PLAIN_WORDS or not re.search(r"[^\W\d_]", text):
        return None
    if _NO_CAPTION.match(_undecorated(line)) or "|" in line or "<!--" in line:
        return None
    if text[0] == "<" or _CELLS.search(text):
        return None
    return text
