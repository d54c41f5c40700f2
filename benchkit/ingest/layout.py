"""Texts in which reports stand otherwise than below their names, laid out as a page has them.

Scripts write what a tool printed as a text of JSON, beside the name of what was measured; notebooks
have it below the cell that ran the tool; a log of several services has the lines of one between
those of another. What tells such texts apart becomes headings.

Source: jupyter/nbformat 5.10.4 `nbformat/v4/nbformat.v4.schema.json` (cells and outputs).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from benchkit.ingest.commands import read_command
from benchkit.text import lines_of
from benchkit.text.logmarks import by_name

_FENCE: Final = "```"
#: A longer text beside a report is no name.
_LONGEST: Final = 80
#: So many keys are looked at of objects within each other, and so many texts in them.
_MOST_KEYS, _MOST_BESIDE = 5, 50
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

    Args:
        content: The file's.
        has_report: Whether a text may hold a report.
    """
    listed = lines_of(content)
    lines = {name: "\n".join(own) for name, own in by_name(listed).items()}
    reporting = {name for name, own in lines.items() if name and has_report(own)}
    if len(reporting) < 2 and all(lines[name] in "\n".join(listed) for name in reporting):
        return None  # nobody prints in between
    if listed[-1]:  # which may be cut off: it stays at the end
        lines = dict(sorted(lines.items(), key=lambda each: each[1].endswith(listed[-1])))
    # Of a single one the file's name says more.
    headed = reporting if len(reporting) > 1 else ()
    parts = (f"## {name}\n\n{own}" if name in headed else own for name, own in lines.items())
    return LaidOut("\n\n".join(parts), "its lines service by service")


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
    if not any(has_report(block.text) for block in blocks):
        return None
    text = "\n\n".join(_laid_out(blocks, has_report))
    return LaidOut(text, "its texts one below the other")


def _documents(content: str) -> Sequence[Any]:
    try:
        return [json.loads(content, object_pairs_hook=_once_each)]
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise
    lines = filter(str.strip, content.split("\n"))
    return [json.loads(line, object_pairs_hook=_once_each) for line in lines]


def _once_each(pairs: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    if len(members := dict(pairs)) < len(pairs):
        raise ValueError("a key twice, of which one would be lost")
    return members


def _is_notebook(document: Any) -> bool:  # noqa: ANN401 - JSON
    return isinstance(document, dict) and document.keys() >= {"cells", "nbformat"}


def _cells(notebook: Mapping[str, Any]) -> Iterator[str]:
    for cell in _objects(notebook["cells"]):
        source = _text(cell.get("source")) or ""
        yield source if cell.get("cell_type") == "markdown" else _fenced(source)
        for output in _objects(cell.get("outputs")):
            data = output.get("data")
            plain = data.get("text/plain") if isinstance(data, dict) else output.get("text")
            if text := _text(plain):
                yield _fenced(text)


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
        known = dict([*beside.items(), *short.items()][-_MOST_BESIDE:])
        for key, below in value.items():
            yield from _blocks(below, (*keys, key)[-_MOST_KEYS:], known)
    elif isinstance(value, list):
        for below in value:
            yield from _blocks(below, keys, beside)


def _is_short(value: Any) -> bool:  # noqa: ANN401 - JSON
    return isinstance(value, str) and "\n" not in value


def _laid_out(blocks: Sequence[_Block], has_report: Callable[[str], bool]) -> Iterator[str]:
    reports = [block for block in blocks if has_report(block.text)]
    told = _telling([block.beside for block in reports])
    # A key above all of them is that of what was printed, as `stdout`, or of the list of them.
    common = set.intersection(*(set(block.keys) for block in reports))
    is_command = cache(lambda text: read_command(text) is not None)
    last: tuple[str, ...] = ()
    for block in blocks:
        keys = (key for key in block.keys if key not in common)
        heading = (*keys, *(block.beside[key] for key in told if key in block.beside))
        if has_report(block.text):
            if heading != last:
                yield from map(_heading, range(2, 7), heading[-_MOST_KEYS:])
            last = heading
            yield from (_fenced(text) for text in block.beside.values() if is_command(text))
        yield _fenced(block.text)


def _heading(level: int, text: str) -> str:
    return f"{'#' * level} {' '.join(text.split())}"


def _telling(besides: Sequence[Mapping[str, str]]) -> Sequence[str]:
    """Return the keys whose short texts are names, and not the same beside all reports."""
    keys = dict.fromkeys(key for beside in besides for key in beside)
    values = {key: {beside[key] for beside in besides if key in beside} for key in keys}
    names = [key for key in keys if len(values[key]) > 1 and all(map(_may_name, values[key]))]
    shared = [key for key in names if len(values[key]) < len(besides)]
    return shared or names  # what each has for itself says which run it is, where others name more


def _may_name(text: str) -> bool:
    return len(text) <= _LONGEST and "://" not in text and _NO_NAME.fullmatch(text) is None
