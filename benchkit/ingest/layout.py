"""Texts in which reports stand otherwise than below their names, laid out as a page has them.

Scripts write what a tool printed as a text of JSON, beside the name of what was measured; notebooks
have it below the cell that ran the tool; a log of several services has the lines of one between
those of another. What tells such texts apart becomes headings.

Source: jupyter/nbformat 5.10.4 `nbformat/v4/nbformat.v4.schema.json` (cells and outputs).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import Any, Final, NamedTuple

from benchkit.ingest.commands import read_command
from benchkit.ingest.naming.tokens import words_of
from benchkit.redaction import once_each, redact_json
from benchkit.text import lines_of
from benchkit.text.logmarks import by_name, stretches

_FENCE: Final = "```"
#: A longer text beside a report is no name.
_LONGEST: Final = 80
#: So many keys are looked at of objects within each other, and so many texts in them.
_MOST_KEYS, _MOST_BESIDE = 12, 50
_MOST_HEADINGS: Final = 5
_LONGEST_LINE: Final = 2000
#: Keys of what was measured.
_NAMES: Final = words_of(
    "name title label server framework variant target implementation impl library lib service app "
    "application backend engine gateway proxy runtime candidate contender project"
)
#: Keys of what became of it.
_OUTCOMES: Final = words_of(
    "status state result outcome conclusion success level severity error reason message"
)
_DIGITS: Final = re.compile("[0-9]++")
#: Dates, addresses, paths, hashes and figures: they tell runs apart, and not what was measured.
_NO_NAME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[~.]{0,2}/.*|[A-Za-z]:\\.*|[0-9a-fA-F-]{16,}|[\W\d_]*"
)


class LaidOut(NamedTuple):
    """A page.

    Attributes:
        text: Its own.
        order: What of the file its lines are, in which order.
    """

    text: str
    order: str


@dataclass(frozen=True)
class _Block:
    """A text of several lines in a document.

    Attributes:
        keys: Those above it, without the numbers of lists.
        beside: The short texts of the same object, by their keys.
    """

    keys: tuple[str, ...]
    beside: Mapping[str, str]
    text: str


def page_of_log(content: str, has_report: Callable[[str], bool]) -> LaidOut | None:
    """Return the page of a log, service by service; None where its lines follow one another so.

    What services print that report nothing is left out.

    Args:
        content: The file's.
        has_report: Whether a text may hold a report.
    """
    lines = lines_of(content)
    if any(line.lstrip().startswith(_FENCE) for line in lines):
        return None  # a page that quotes logs
    parts: list[str] = []
    mixed = False
    for stretch in stretches(lines):
        own = {name: "\n".join(printed) for name, printed in by_name(stretch).items()}
        reports = {name: text for name, text in own.items() if name and has_report(text)}
        whole = "\n".join(stretch)
        if not reports or (len(reports) == 1 and next(iter(reports.values())) in whole):
            parts.append(whole)  # nobody prints in between
            continue
        mixed = True
        if lines[-1]:  # which may be cut off: it stays at the end
            reports = dict(sorted(reports.items(), key=lambda each: each[1].endswith(lines[-1])))
        titles = _titles([*reports])
        parts += [own.get((), ""), *(titles[name] + text for name, text in reports.items())]
    end = "" if lines[-1] else "\n"
    return LaidOut("\n".join(parts) + end, "its lines service by service") if mixed else None


def _titles(names: Sequence[Sequence[str]]) -> Mapping[Sequence[str], str]:
    """Return the headings of services, or of jobs and steps: what is the same in all tells none."""
    if len(names) == 1:  # the file's name says more
        return {names[0]: ""}
    telling = [len({*parts}) > 1 for parts in zip(*names, strict=True)]
    return {
        name: "\n".join(["", *map(_heading, range(5, 7), compress(name, telling)), "", ""])
        for name in names
    }


def page_of_json(content: str, has_report: Callable[[str], bool]) -> LaidOut | None:
    """Return the page of a document, or of one per line; None where it has no such text.

    Args:
        content: The file's.
        has_report: Whether a text may hold a report.
    """
    if content.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        documents = _documents(content)
        if len(documents) == 1 and _is_notebook(documents[0]):
            return LaidOut("\n\n".join(_cells(documents[0])), "its cells")
        blocks = [block for document in documents for block in _blocks(document, (), {})]
    except (ValueError, RecursionError):  # it is none
        return None
    reporting = [has_report(block.text) for block in blocks]
    if not any(reporting):
        return None
    text = "\n\n".join(_laid_out(blocks, reporting))
    return LaidOut(text, "its texts one below the other")


def _documents(content: str) -> Sequence[Any]:
    try:
        return [json.loads(content, object_pairs_hook=once_each)]
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise
    lines = filter(str.strip, content.split("\n"))
    return [json.loads(line, object_pairs_hook=once_each) for line in lines]


def _is_notebook(document: Any) -> bool:  # noqa: ANN401 - JSON
    return isinstance(document, dict) and document.keys() >= {"cells", "nbformat"}


def _cells(notebook: Mapping[str, Any]) -> Iterator[str]:
    for cell in _objects(notebook["cells"]):
        source = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            yield source
        elif _FENCE not in source:
            yield _fenced(source)
        for output in _objects(cell.get("outputs")):
            data = output.get("data")
            plain = data.get("text/plain") if isinstance(data, dict) else output.get("text")
            if text := _joined(plain):
                yield _fenced(text)


def _joined(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return the text of a notebook, which may be in pieces."""
    pieces = value if isinstance(value, list) else [value]
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _objects(values: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - JSON
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, dict))


def _fenced(text: str) -> str:
    if _FENCE in text:  # a page itself
        return text
    return f"{_FENCE}\n{text.rstrip()}\n{_FENCE}"


def _text(value: Any) -> str | None:  # noqa: ANN401 - JSON
    """Return a text, of lines in a list one text; None where it is no text."""
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        if any("\n" in line[:-1] for line in value):
            return None
        return ("" if all(line.endswith("\n") for line in value[:-1]) else "\n").join(value)
    return value if isinstance(value, str) else None


def _blocks(
    value: Any,  # noqa: ANN401 - JSON
    keys: tuple[str, ...],
    beside: Mapping[str, str],
) -> Iterator[_Block]:
    text = _text(value)
    if text is not None and "\n" in text.strip():
        yield _Block(keys, beside, text)
    elif isinstance(value, dict):
        short = {key: each for key, each in value.items() if _is_short(each)}
        clean = redact_json(short)
        short = {key: each for key, each in short.items() if clean.get(key) == each}
        known = dict([*beside.items(), *short.items()][-_MOST_BESIDE:])
        for key, below in value.items():
            yield from _blocks(below, (*keys, key)[-_MOST_KEYS:], known)
    elif isinstance(value, list):
        for below in value:
            yield from _blocks(below, keys, beside)


def _is_short(value: Any) -> bool:  # noqa: ANN401 - JSON
    return isinstance(value, str) and len(value) <= _LONGEST_LINE and "\n" not in value


def _laid_out(blocks: Sequence[_Block], reporting: Sequence[bool]) -> Iterator[str]:
    reports = [*compress(blocks, reporting)]
    names = _names([block.beside for block in reports])
    # A key above all of them is that of what was printed, as `stdout`, or of the list of them.
    common = set.intersection(*(set(block.keys) for block in reports))
    is_command = cache(lambda text: read_command(text) is not None)
    named: dict[tuple[str, ...], list[str]] = {(): []}  # what has no name is below no other's
    for block, reports_some in zip(blocks, reporting, strict=True):
        keys = [key for key in block.keys if key not in common]
        beside = [block.beside[name] for name in names if name in block.beside]
        heading = tuple(part for part in [*keys, *beside] if part.strip())[-_MOST_HEADINGS:]
        below = named.setdefault(heading if reports_some else (), [])
        below += [_fenced(text) for text in block.beside.values() if is_command(text)]
        below.append(_fenced(block.text))
    for heading, below in named.items():
        yield from map(_heading, range(2, 7), heading)
        yield from below


def _heading(level: int, text: str) -> str:
    shown = "".join(each if each.isprintable() else " " for each in text)
    return f"{'#' * level} {' '.join(shown.split())}"


def _names(besides: Sequence[Mapping[str, str]]) -> Sequence[str]:
    """Return the keys whose short texts tell reports apart."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for beside in besides:
        for key, text in beside.items():
            values[key].append(text)
    telling = [key for key, texts in values.items() if _may_name(key, texts)]
    # What each report has for itself and is alike but for its digits counts the reports.
    names = [key for key in telling if not _counts(values[key], len(besides))] or telling
    chief = [key for key in names if key.lower() in _NAMES]
    rest = [key for key in names if key not in chief]
    if not chief:
        return rest
    return chief + [key for key in rest if _splits(key, chief, besides)]


def _may_name(key: str, texts: Sequence[str]) -> bool:
    if key.lower() in _OUTCOMES or len({*texts}) < 2 or max(map(len, texts)) > _LONGEST:
        return False
    others = (_NO_NAME.fullmatch(text) or "://" in text or "@" in text for text in texts)
    return key.lower() in _NAMES or not any(others)


def _counts(texts: Sequence[str], count: int) -> bool:
    return len({*texts}) == count and len({_DIGITS.sub("", text) for text in texts}) < count


def _splits(key: str, chief: Sequence[str], besides: Sequence[Mapping[str, str]]) -> bool:
    """Whether reports that are called the same differ in another text."""
    texts: dict[tuple[str | None, ...], str | None] = {}
    return any(
        texts.setdefault(tuple(map(beside.get, chief)), beside.get(key)) != beside.get(key)
        for beside in besides
    )
