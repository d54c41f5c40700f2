"""Names of runs in a page: its title, headings, captions, and what a run calls itself."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from benchkit import registry
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.headings import LONGEST
from benchkit.ingest.naming.levels import arrange


@cache
def _no_name() -> re.Pattern[str]:
    """Return the pattern of lines of a tool's own output, of a shell, or of a licence."""
    programs = "|".join(map(re.escape, registry.programs()))
    return re.compile(
        r"\d[\d.,]*\s*[kKM]?\s+(?:connections?|threads?|workers?|requests?|errors?|2xx|responses?|"
        rf"timeouts?|samples?|clients?)\b|(?:{programs})\b.*(?:\[|\d+\.\d|Copyright)|"
        r"Copyright\b|Licensed\b|This is \w+, Version|Benchmarking\b|Running \d|Req/Bytes counts|"
        r"# of samples|Usage:|\S+@\S+|\S*[$#%>❯➜λ]$|PS [A-Z]:|[A-Z]:\\"
    )


@dataclass(frozen=True)
class Titles:
    """How a page calls a run.

    Attributes:
        page: The page's title.
        headings: Headings above the run, outermost first.
        caption: What stands right above it, or what it calls itself.
    """

    page: str | None = None
    headings: tuple[str, ...] = ()
    caption: str | None = None

    @property
    def heading(self) -> str | None:
        """The nearest heading, of a page without any below its title that."""
        return self.headings[-1] if self.headings else self.page


def titles_of(run: FileRun) -> Titles:
    """Return how the page around a run calls it; lines that are no names are left out."""
    context = run.context
    own = _name(run.record.name)
    if context is None:
        return Titles(caption=own)
    return Titles(context.title, tuple(context.trail), _name(context.caption) or own)


def _name(text: str | None) -> str | None:
    """Return a line that may name a run: no line of a tool's output, no prompt."""
    if not text or len(text) > LONGEST:
        return None
    return text if _no_name().match(text) is None else None


def variants_of(titles: Sequence[Titles], default: str) -> list[tuple[str, str | None]]:
    """Return for each run of one page its variant, and the section where that repeats.

    A name that stands below several headings is one variant in several sections of the page,
    such as two shells or two machines.
    """
    chains = [(*t.headings, *filter(None, [t.caption])) or (t.page or default,) for t in titles]
    below: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for chain in chains:
        below[chain[-1]].add(chain)
    several = [at for at, chain in enumerate(chains) if len(below[chain[-1]]) > 1]
    variants: list[tuple[str, str | None]] = [(chain[-1], None) for chain in chains]
    above = [chains[at][:-1] for at in several]
    shared = len(os.path.commonprefix(above))  # noqa: RUF071 - headings, no folders
    levels = [[*chains[at][shared:], ""] for at in several]
    arranged = arrange(levels)
    for at, level in zip(several, arranged, strict=True):
        variants[at] = (level.variant, level.scenario)
    return variants
