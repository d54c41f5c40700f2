"""Logs of several services, or of several steps of a job, service by service."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress, pairwise
from typing import Final

from benchkit.ingest.headings import level_of
from benchkit.ingest.layout.page import DEEPEST, DEEPEST_OUTER, FENCE, LaidOut, heading_of, is_fence
from benchkit.text import lines_of
from benchkit.text.logmarks import by_name, stretches

_BY_SERVICE: Final = "its lines service by service"
_UNNAMED: Final = "# …"


def page_of_log(
    content: str, has_report: Callable[[str], bool], deepest: int = DEEPEST_OUTER
) -> LaidOut | None:
    """Return the page of a log, service by service; None where its lines follow one another so.

    What services print that report nothing is left out. A step of a job may print such a log.

    Args:
        content: The file's.
        has_report: Whether a text may hold a report.
        deepest: The level of the lowest headings.
    """
    lines = lines_of(content)
    if any(map(is_fence, lines)):
        return _page_of_quotes(lines, has_report) if deepest < DEEPEST else None
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
        titles = _titles([*reports], deepest)
        parts.append(own.get((), ""))
        for name, text in reports.items():
            within = page_of_log(text, has_report, DEEPEST) if deepest < DEEPEST else None
            parts.append(titles[name] + (within.text if within else text))
    end = "" if lines[-1] else "\n"
    return LaidOut("\n".join(parts) + end, _BY_SERVICE) if mixed else None


def _page_of_quotes(lines: Sequence[str], has_report: Callable[[str], bool]) -> LaidOut | None:
    """Return a page with the logs that it quotes laid out; None where it quotes none."""
    parts: list[str] = []
    mixed = False
    heading = ""
    quotes = [*_quotes(lines)]
    for number, (is_quote, stretch) in enumerate(quotes, start=1):
        log = page_of_log("\n".join(stretch[1:]), has_report, DEEPEST) if is_quote else None
        mixed = mixed or log is not None
        if log is None:
            parts.append("\n".join(stretch))
        elif number == len(quotes):  # which may be cut off
            parts.append(log.text)
        else:  # What stands below is of no service. The fence there closes an empty quote.
            parts.append(f"{log.text}\n{heading or _UNNAMED}\n{FENCE}")
        headings = [] if is_quote else [line for line in stretch if level_of(line) is not None]
        heading = headings[-1] if headings else heading
    return LaidOut("\n".join(parts), _BY_SERVICE) if mixed else None


def _quotes(lines: Sequence[str]) -> Iterator[tuple[bool, Sequence[str]]]:
    """Yield what stands between fences, below the one before it, and whether that opens it."""
    fences = [number for number, line in enumerate(lines) if is_fence(line)]
    yield False, lines[: fences[0]]
    for count, (first, last) in enumerate(pairwise([*fences, len(lines)])):
        yield count % 2 == 0, lines[first:last]


def _titles(names: Sequence[Sequence[str]], deepest: int) -> Mapping[Sequence[str], str]:
    """Return the headings of services, or of jobs and steps: what is the same in all tells none."""
    if len(names) == 1:  # the file's name says more
        return {names[0]: ""}
    telling = [len({*parts}) > 1 for parts in zip(*names, strict=True)]
    levels = range(deepest - sum(telling) + 1, deepest + 1)
    return {
        name: "\n".join(["", *map(heading_of, levels, compress(name, telling)), "", ""])
        for name in names
    }
