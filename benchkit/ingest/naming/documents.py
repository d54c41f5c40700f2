"""Names of runs in a page: its title, headings, captions, and what a run calls itself."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from benchkit import registry
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.headings import LONGEST
from benchkit.ingest.naming.levels import arrange
from benchkit.ingest.naming.repetitions import only_counts, warms_up, without_counts

#: Between the parts of a label.
SEPARATOR: Final = " · "


#: So much of the connections asked for are used at least.
_LEAST_SHARE: Final = 0.8
#: A load, which is no name of a run that prints it.
_CONNECTIONS: Final = re.compile(
    r"([0-9][0-9,]{0,8})(k?) (?:connections?|clients?|users)|"
    r"(?:c|connections|concurrency|clients|users)(?:=|: ?)([0-9]{1,9})",
    re.IGNORECASE,
)


@cache
def _no_name() -> re.Pattern[str]:
    """Return the pattern of lines of a tool's own output, of a shell, or of a licence."""
    programs = "|".join(map(re.escape, registry.programs()))
    return re.compile(
        r"\d[\d.,]*\s*[kKM]?\s+(?:connections?|threads?|workers?|requests?|errors?|2xx|responses?|"
        rf"timeouts?|samples?|clients?)\b|(?:{programs})\b.*(?:\[|\d+\.\d|Copyright)|"
        r"Copyright\b|Licensed\b|This is \w+, Version|Benchmarking\b|Running \d|Req/Bytes counts|"
        r"# of samples|Usage:|\S+@\S+|(?:\S+:\S+ )?\S*[$#%>❯➜λ]$|PS [A-Z]:|[A-Z]:\\"
    )


@dataclass(frozen=True)
class Titles:
    """How a page calls a run.

    Attributes:
        page: The page's title.
        headings: Headings above the run, outermost first.
        caption: What stands right above it, or what it calls itself.
        above: The line above that.
    """

    page: str | None = None
    headings: tuple[str, ...] = ()
    caption: str | None = None
    above: str | None = None

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
    caption = _name(context.caption)
    above = _name(context.above) if caption else None
    return Titles(context.title, tuple(context.trail), caption or own, above)


def leave_out_loads(runs: Sequence[FileRun]) -> None:
    """Take out the headings of a page's runs which state the connections that these print.

    They do where each run has one, of another number for each load, and others name the runs or
    none does.
    """
    contexts = [run.context for run in runs if run.context is not None]
    stated = [[*filter(_CONNECTIONS.fullmatch, context.trail)] for context in contexts]
    if len(contexts) < len(runs) or any(len(headings) != 1 for headings in stated):
        return
    pairs = {
        (_connections_in(heading), run.record.columns.get("connections") or 0)
        for run, (heading,) in zip(runs, stated, strict=True)
    }
    levels = [{*each} for each in zip(*pairs, strict=True)]
    # Each thread has as many: wrk leaves out the rest.
    alike = all(_LEAST_SHARE * asked < printed <= asked for asked, printed in pairs)
    if not alike or any(len(each) < max(len(pairs), 2) for each in levels):
        return
    names = [
        [text for text in (*context.trail, context.caption) if text and text != heading]
        for context, (heading,) in zip(contexts, stated, strict=True)
    ]
    if any(names) and not all(any(not only_counts(text) for text in own) for own in names):
        return
    for context, (heading,) in zip(contexts, stated, strict=True):
        context.trail.remove(heading)


def _connections_in(heading: str) -> int:
    matched = _CONNECTIONS.fullmatch(heading)
    assert matched is not None  # noqa: S101 - else it is none of these headings
    return int((matched[1] or matched[3]).replace(",", "")) * (1000 if matched[2] else 1)


def _name(text: str | None) -> str | None:
    """Return a line that may name a run: no line of a tool's output, no prompt."""
    if not text or len(text) > LONGEST:
        return None
    return text if _no_name().match(text) is None else None


@dataclass(frozen=True)
class PageName:
    """How a run is called on its page, given the others there.

    Attributes:
        variant: The innermost words that tell it from others; empty where the page only counts.
        section: The words above, where those repeat.
        label: The page's own words for it.
        repeats: What counts it among those of the same words, outermost first.
        warm_up: Whether the page calls it so.
    """

    variant: str
    section: str | None
    label: str
    repeats: tuple[int, ...] = ()
    warm_up: bool = False


def page_names(titles: Sequence[Titles]) -> list[PageName]:
    """Return how each run of one page is called.

    A name that stands below several headings is one variant in several sections of the page,
    such as two shells or two machines.
    """
    chains = [_chain(title) for title in titles]
    counted = without_counts(chains)
    levels = _levels([tuple(text.words for text in own if text.words) for own in counted])
    names = []
    for (variant, section), chain, own in zip(levels, chains, counted, strict=True):
        # What only counts is a part of the label, but of no other name.
        texts = (
            printed for printed, text in zip(chain, own, strict=True) if text.words in {"", variant}
        )
        label = SEPARATOR.join(dict.fromkeys(filter(None, [section, *texts])))
        repeats = tuple(text.number for text in own if text.number is not None)
        names.append(PageName(variant, section, label, repeats, any(t.warm_up for t in own)))
    return names


def _chain(titles: Titles) -> tuple[str, ...]:
    """Return what a page calls a run, outermost first."""
    caption, above = titles.caption, titles.above
    if not caption or not only_counts(caption) or (titles.headings and warms_up(caption)):
        above = None
    own = (*titles.headings, *filter(None, [above, caption]))
    return own or tuple(filter(None, [titles.page]))


def _levels(chains: Sequence[tuple[str, ...]]) -> list[tuple[str, str | None]]:
    """Return of the words for each run the variant and the section."""
    levels: list[tuple[str, str | None]] = [(chain[-1] if chain else "", None) for chain in chains]
    below: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for chain, (variant, _) in zip(chains, levels, strict=True):
        below[variant].add(chain)
    sections = {chain[:-1] for chain in chains if len(below[chain[-1] if chain else ""]) > 1}
    # What stands beside such a name is in its section, too, whatever is its own.
    several = [at for at, chain in enumerate(chains) if chain[:-1] in sections]
    above = [chains[at][:-1] for at in several]
    shared = len(os.path.commonprefix(above))  # noqa: RUF071 - headings, no folders
    arranged = arrange([[*chains[at][shared:], ""] for at in several])
    for at, level in zip(several, arranged, strict=True):
        levels[at] = (level.variant, level.scenario)
    return levels
