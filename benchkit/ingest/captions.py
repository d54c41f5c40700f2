"""Which of the short lines above the runs of a text name them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

_DIGITS: Final = re.compile(r"[0-9]++")
#: Words with which sentences begin that say the same of others: `Here is the … performance.`
_OPENING: Final = 3
#: Characters of what such a sentence is about, at most.
_LONGEST: Final = 100
#: A longer sentence says more than what a run is.
_LONGEST_SENTENCE: Final = 150
#: Words about how much was sent, which outputs tell.
_LOADS: Final = re.compile(r"\b(?:connection|thread|worker|client|user|concurren)", re.IGNORECASE)
#: Words about the same once more.
_COUNTING: Final = re.compile(
    r"\b(?:again|another|same|once|twice|more|last|later|earlier|next|final|repeat\w*|re-?run\w*|try|tries|attempt\w*|times?"
    r"|first|(?<![0-9] )second|third|fourth|fifth|[0-9]++(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
#: Words of a sentence by which it is about the run above once more; no `second server`.
_REPEATED: Final = re.compile(
    r"\b(?:again|once more|re-?run(?:s|ning)?|repeat(?:s|ed|ing|ition)?"
    r"|(?:another|next|last|second|third|fourth|fifth|[0-9]{1,3}(?:nd|rd|th)|one more) "
    r"(?:run|time|try|attempt|round|iteration|test|measurement))\b",
    re.IGNORECASE,
)
_WARM_UP: Final = re.compile(
    r"\W*+(?:pre)?warm(?:ing)?[- ]?ups?(?:\s++(?:run|round|phase|requests?|the\s++\w++))?"
    r"(?:\s++(?:with|for)\s++[0-9]++\s*+\w*+)?\W*+",
    re.IGNORECASE,
)
#: A fact of a run: a word, a colon and a figure, a version or a day.
_FACT: Final = re.compile(r"([^:=]{1,40}?)(?::\s++|=\s*+|\s-\s++)[~<>≈]?\s?v?[0-9].{0,40}")
_PATH: Final = re.compile(r"[/\\]")


@dataclass
class LinesAbove:
    """The short lines right above a run, the nearest first.

    Attributes:
        joins: Whether nothing else stands between the run and the one before it.
        sentence: The line of prose right above it, where no short one is.
    """

    lines: list[str] = field(default_factory=list)
    joins: bool = False
    sentence: str | None = None


@dataclass(frozen=True)
class Caption:
    """The line that names a run, and the one above it; None where there is none."""

    text: str | None = None
    above: str | None = None


def captions_of(runs: Sequence[LinesAbove]) -> list[Caption]:
    """Return the caption of each run of a text.

    A run right below another, as a loop in a shell makes them, has that one's. Where all runs have
    lines, it is the nearest line in which they differ in more than figures, or else in these: a
    script prints the same lines in the same order above each. Otherwise it is the nearest one that
    no other run has, or the nearest; and the nearest where that says that the run warms up.
    """
    for before, run in pairwise(runs):
        if run.joins and not run.lines:
            run.lines = [line for line in before.lines if not is_warm_up(line)]
    depth = _telling([run.lines for run in runs])
    if depth is not None:
        return [_at(run.lines, depth) for run in runs]
    common = Counter(text for run in runs for text in set(run.lines))
    captions = []
    for run in runs:
        warms_up = any(map(is_warm_up, run.lines[:1]))
        own = (at for at, text in enumerate(run.lines) if common[text] == 1 and not warms_up)
        captions.append(_at(run.lines, next(own, 0)))
    return captions


def _telling(above: Sequence[Sequence[str]]) -> int | None:
    """Return how far above the runs the line that tells them apart stands, None without any."""
    columns = list(enumerate(zip(*above, strict=False)))
    worded = (at for at, texts in columns if len({_DIGITS.sub("0", t) for t in texts}) > 1)
    figures = (at for at, texts in columns if len(set(texts)) > 1)
    return next(worded, next(figures, None))


def _at(lines: Sequence[str], depth: int) -> Caption:
    text, above, *_ = [*lines[depth : depth + 2], None, None]
    return Caption(text, above)


def is_warm_up(text: str) -> bool:
    """Whether a line says nothing but that a run warms up."""
    return _WARM_UP.fullmatch(text) is not None


def fact_of(text: str) -> str | None:
    """Return of what a line has the figure of a run: `Maximum Memory Usage` of 13.6 MB."""
    matched = _FACT.fullmatch(text)
    return matched[1] if matched else None


def subjects(sentences: Sequence[str | None]) -> list[str | None]:
    """Return what the sentences above some runs are about, None for all where they name nothing.

    Most begin alike: who writes the same of each run names it within. Else each is about a run of
    its own, and what counts it, or says that it was made again, about that above. Sentences that
    tell the load of a run are no names, nor are those that differ in figures or paths only.
    """
    nothing: list[str | None] = [None] * len(sentences)
    telling = [text if text and not _LOADS.search(text) else None for text in sentences]
    prose = [text.rstrip(".:!? ").split() for text in telling if text]
    if 2 * len(prose) <= len(sentences):
        return nothing
    opening, count = Counter(tuple(words[:_OPENING]) for words in prose).most_common(1)[0]
    if 2 * count > len(sentences) == len(prose):
        names = _without_frame(prose, opening)
        named = not any(map(_COUNTING.search, names))
    else:
        names = _each_its_own(prose)
        named = max(len(text or "") for text in telling) <= _LONGEST_SENTENCE
    plain = {" ".join(_DIGITS.sub("0", w) for w in n.split() if not _PATH.search(w)) for n in names}
    if not named or not all(names) or not 1 < len(plain) == len(set(map(_short, names))):
        return nothing
    rest = iter(names)
    return [_short(next(rest)) if text else None for text in telling]


def _each_its_own(sentences: Sequence[list[str]]) -> list[str]:
    """Return sentences without beginnings and ends that others have; of repetitions that above."""
    begins, ends = _shared(sentences), _shared([words[::-1] for words in sentences])
    names: list[str] = []
    for words, begun, ended in zip(sentences, begins, ends, strict=True):
        name = " ".join(words[begun : len(words) - ended] or words)
        repeats = _REPEATED.search(" ".join(words)) is not None
        names.append(names[-1] if repeats and names else name)
    return names


def _shared(sentences: Sequence[list[str]]) -> list[int]:
    """Return with how many words each begins as another does, none of fewer than `_OPENING`."""
    order = sorted(range(len(sentences)), key=lambda n: sentences[n])
    shared = [0] * len(sentences)
    for first, second in pairwise(order):
        common = len(os.path.commonprefix([sentences[first], sentences[second]]))  # noqa: RUF071
        for number in (first, second):
            # All of it is no frame: another says the same, and then something more.
            own = common if _OPENING <= common < len(sentences[number]) else 0
            shared[number] = max(shared[number], own)
    return shared


def _without_frame(sentences: Sequence[list[str]], opening: tuple[str, ...]) -> list[str]:
    """Return sentences without how those of one opening begin and end."""
    begun = len(opening)
    framed = [tuple(words[:begun]) == opening for words in sentences]
    rest = [words[begun:] for words, known in zip(sentences, framed, strict=True) if known]
    ends = [words[::-1] for words in rest]
    same = len(os.path.commonprefix(ends))  # noqa: RUF071 - words
    ending = max(min([same, *(len(words) - 1 for words in rest)]), 0)
    return [
        " ".join(words[begun : len(words) - ending] if known else words)
        for words, known in zip(sentences, framed, strict=True)
    ]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
