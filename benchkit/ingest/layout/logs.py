"""Logs of several services, or of several steps of a job, service by service."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Final

from benchkit.ingest import fences
from benchkit.ingest.layout.page import LaidOut, Named, Part, Quote
from benchkit.text import lines_of
from benchkit.text.logmarks import by_name, has_names, stretches, without_step

#: How each line of a page begins that quotes a letter.
_CITED: Final = re.compile(r"\s{0,3}>\s?(?:\s?>\s?)*")


def page_of_log(content: str, has_report: Callable[[str], bool]) -> LaidOut | None:
    """Return the page of a log, service by service; None where its lines follow one another so.

    Args:
        content: The file's, a log or a page that quotes some.
        has_report: Whether a text may hold a report.
    """
    parts = parts_of_log(content, has_report)
    return None if parts is None else LaidOut.from_parts(parts, "its lines service by service")


def parts_of_log(content: str, has_report: Callable[[str], bool]) -> Sequence[Part] | None:
    """Return such a page in parts."""
    lines = lines_of(content)
    is_ended = not lines[-1]
    if not any(map(fences.opening, lines)):
        return _by_service(lines, has_report, is_ended=is_ended)
    parts: list[Part] = []
    mixed = False
    for fenced, stretch in fences.stretches(lines):
        log = _quoted(stretch, has_report, is_ended=is_ended) if fenced else None
        mixed = mixed or log is not None
        parts += ["\n".join(stretch)] if log is None else log
    return parts if mixed else None


def _quoted(
    stretch: Sequence[str], has_report: Callable[[str], bool], *, is_ended: bool
) -> Sequence[Part] | None:
    marks = fences.opening(stretch[0]) or ""
    is_whole = len(stretch) > 1 and fences.closes(stretch[-1], marks)
    inside = stretch[1:-1] if is_whole else stretch[1:]
    if _CITED.match(stretch[0]):
        inside = [_CITED.sub("", line, count=1) for line in inside]
    return _by_service(inside, has_report, is_ended=is_whole or is_ended) if inside else None


def _by_service(
    lines: Sequence[str], has_report: Callable[[str], bool], *, is_ended: bool
) -> Sequence[Part] | None:
    """Return the parts of a log, None where no two print at once or each by itself.

    What services print that report nothing is left out.
    """
    parts: list[Part] = []
    mixed = False
    number = 0
    lines = without_step(lines)
    if not has_names(lines):
        return None
    for stretch in stretches(lines):
        number += len(stretch)
        is_last = number == len(lines) and not is_ended
        log = _services(stretch, has_report, is_ended=not is_last)
        mixed = mixed or log is not None
        parts += ["\n".join(stretch)] if log is None else log
    return parts if mixed else None


def _services(
    lines: Sequence[str], has_report: Callable[[str], bool], *, is_ended: bool
) -> Sequence[Part] | None:
    own = by_name(lines)
    reports = {
        name: printed
        for name, printed in own.items()
        if name and has_report("\n".join(printed.values()))
    }
    if not reports or (len(reports) == 1 and _is_alone(*reports.values())):
        return None
    parts: list[Part] = ["\n".join(own[()].values())]
    names = _telling([*reports])
    for name, printed in reports.items():
        is_whole = is_ended or len(lines) - 1 not in printed
        own_lines = [*printed.values()]
        within = _by_service(own_lines, has_report, is_ended=is_whole)
        text = "\n".join(own_lines) + "\n" * is_whole
        parts.append(Named(names[name], within or [Quote(text)]))
    return parts


def _is_alone(printed: Mapping[int, str]) -> bool:
    """Whether nobody prints in between."""
    return max(printed) - min(printed) + 1 == len(printed)


def _telling(names: Sequence[Sequence[str]]) -> Mapping[Sequence[str], Sequence[str]]:
    """Return what of the names tells them apart, nothing for one: the file's name says more."""
    telling = [len({*parts}) > 1 for parts in zip(*names, strict=True)]
    return {name: [*compress(name, telling)] for name in names}
