"""What logs write before each line: names of services, times, levels.

`docker compose` puts `bench_1  | ` before every line, the logs of CI a time; what a
tool printed stands behind. A mark is taken off only where at least three lines
that follow one another bear it, and a name only where it is the same name:
a table with bars between its columns is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from typing import Final

_CLOCK: Final = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_ISO: Final = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_CLOCK}(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?"
_SERVICE: Final = r"[ \t]*+([A-Za-z][\w.-]{0,60})[ \t]*+\|(?:[ ]|$)"  # docker compose
_JOB: Final = r"[^\t\n]{1,100}"  # gh run view --log
_STEP: Final = r"[^\t\n|][^\t\n]{0,99}"
_POD: Final = re.compile(r"\[([\w./-]{1,120}/[\w./-]{1,120})\](?:[ ]|$)")  # kubectl logs --prefix
#: Where a mark has a group, all lines must have the same there.
_MARKS: Final = (
    re.compile(f"^{_SERVICE}"),
    _POD,
    # GitHub (with job and step where `gh` printed it), GitLab, Azure, Jenkins, docker logs -t, CRI
    re.compile(
        rf"(?:(?!\[?{_ISO})({_JOB})\t{_STEP}\t)?\[?{_ISO}\]?"
        r"(?: [0-9]{2}[OE]\+?| std(?:out|err) [FP])?(?:\s|$)"
    ),
    re.compile(rf"\[?{_CLOCK}\]?(?:\s|$)"),
    re.compile(
        rf"[A-Z][a-z]{{2}} [ 0-9][0-9] {_CLOCK} \S{{1,80}} [\w./-]{{1,60}}(?:\[[0-9]+\])?:(?:[ ]|$)"
    ),
    re.compile(r"\[?(?:INFO|DEBUG|TRACE|WARN(?:ING)?)\b\]?:?(?:[ ]|$)"),
)
_OF_STEP: Final = re.compile(rf"({_JOB})\t({_STEP})\t\ufeff?\[?{_ISO}\]?[ ]?")
#: A job and its step; a service, maybe behind a time; a pod.
_NAMES: Final = (_OF_STEP, re.compile(rf"^(?:{_ISO}\s)?{_SERVICE}"), _POD)
_NAMED: Final = re.compile("|".join(f"(?:{mark.pattern})" for mark in _NAMES))
#: What docker compose says in between.
_ENDED: Final = re.compile(r"exited with code [0-9]+\s*$")
_ANY: Final = re.compile("|".join(f"(?:{mark.pattern})" for mark in _MARKS))
#: What stands in a text that has such marks, quick to look for.
_SIGN: Final = re.compile(
    r"[|\[:IDTW](?:(?<=\|)|(?<=\[)[\w.-]*+/|(?<=:)[0-9]{2}:[0-9]{2}"
    r"|(?<=I)NFO|(?<=D)EBUG|(?<=T)RACE|(?<=W)ARN)"
)
_FEWEST: Final = 3


def without_marks(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without what a log wrote before them; as many, in their order.

    A name, a time and a level may stand one behind another.
    """
    marked = [*filter(_ANY.match, lines)] if _SIGN.search("\n".join(lines)) else []
    if len(marked) < _FEWEST:
        return lines
    shown = list(lines)
    for mark in (*_MARKS, *_MARKS):
        if len([*islice(filter(mark.match, marked), _FEWEST)]) < _FEWEST:
            continue
        marks = [*chain.from_iterable(_stretches(shown, mark))]
        for number, end in marks:
            shown[number] = shown[number][end:]
        if marks:  # until one is taken off no other line begins with any
            marked = [*filter(_ANY.match, shown)]
    return shown


def has_names(lines: Sequence[str]) -> bool:
    """Whether any line begins with the name of a service, or of a job and its step."""
    return any(map(_NAMED.match, lines))


def stretches(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the parts of a log between which others than services say something: headings."""
    for _, stretch in groupby(lines, lambda line: not line.strip() or _is_of_service(line)):
        yield [*stretch]


def _is_of_service(line: str) -> bool:
    return _NAMED.match(line) is not None or _ENDED.search(line) is not None


def by_name(lines: Sequence[str]) -> Mapping[Sequence[str], Mapping[int, str]]:
    """Return the lines of each service, or job and step, that a log names, where it names several.

    What several print at once stands between each other's lines. Each line is by its number, from
    0, without the name; those of no name are by the name of nothing.
    """
    if len(lines) < 2 * _FEWEST:  # a log may have a hundred thousand such stretches
        return {}
    for mark in _NAMES:
        matches = [*map(mark.match, lines)]
        counts = Counter([matched.groups() for matched in matches if matched])
        names = {name for name, count in counts.items() if count >= _FEWEST}
        if len(names) > 1:
            shown: dict[Sequence[str], dict[int, str]] = {(): {}}
            for number, (matched, line) in enumerate(zip(matches, lines, strict=True)):
                if matched and matched.groups() in names:
                    shown.setdefault(matched.groups(), {})[number] = line[matched.end() :]
                else:
                    shown[()][number] = line
            return shown
    return {}


def without_step(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without the job and the step before each, where these are the same."""
    matches = [*map(_OF_STEP.match, lines)]
    names = {matched.groups() for matched in matches if matched}
    if len(names) != 1:
        return lines
    pairs = zip(lines, matches, strict=True)
    return [line[matched.end() :] if matched else line for line, matched in pairs]


def _stretches(lines: Sequence[str], mark: re.Pattern[str]) -> Iterator[list[tuple[int, int]]]:
    """Yield per stretch of lines with one mark the lines and where the mark ends."""
    stretch: list[tuple[int, int]] = []
    shared: str | None = None
    for number, (line, matched) in enumerate(zip(lines, map(mark.match, lines), strict=True)):
        if matched is None and not line.strip():
            continue
        name = matched[1] if matched and mark.groups else None
        if matched is None or name != shared:
            if len(stretch) >= _FEWEST:
                yield stretch
            stretch, shared = [], name
        if matched is not None:
            stretch.append((number, matched.end()))
    if len(stretch) >= _FEWEST:
        yield stretch
