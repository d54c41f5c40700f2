"""What texts are laid out as: a page with sections and quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from benchkit.ingest import fences
from benchkit.text import Section

_FENCE: Final = "```"


class Quote(NamedTuple):
    """A text that stands by itself; without an end of line it may be cut off."""

    text: str


class Named(NamedTuple):
    """Parts of a page with the names of what they are about, the outermost first."""

    names: Sequence[str]
    parts: Sequence[Part]


#: Text that is shown as it is, or one of these.
Part = str | Quote | Named


class LaidOut(NamedTuple):
    """A page.

    Attributes:
        text: Its own.
        order: What of the file its lines are, in which order.
        sections: Its parts, an outer one before those in it.
        ends: Its lines with which a text ends that may be cut off there.
    """

    text: str
    order: str
    sections: Sequence[Section]
    ends: Sequence[int]

    @classmethod
    def from_parts(cls, parts: Sequence[Part], order: str) -> LaidOut:
        """Return the page of some parts."""
        sheet = _Sheet()
        sheet.put(parts)
        return cls("\n".join(sheet.lines), order, sheet.sections, sheet.ends)


@dataclass
class _Sheet:
    lines: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def put(self, parts: Sequence[Part]) -> None:
        above = None
        for part in parts:
            if isinstance(part, Named):
                above = len(self.lines) if above is None else above
                self._put_named(part, above)
                continue
            above = None
            if isinstance(part, Quote):
                self._put_quote(part.text)
            else:
                self.lines += part.split("\n")

    def _put_named(self, part: Named, above: int) -> None:
        index, first = len(self.sections), len(self.lines) + 1
        names = tuple(" ".join(_printable(name).split()) for name in part.names)
        self.sections.append(Section(first, first, names, above))
        self.lines.append("")
        self.put(part.parts)
        self.sections[index] = Section(first, len(self.lines) - 1, names, above)
        self.lines.append("")

    def _put_quote(self, text: str) -> None:
        fence = [] if fences.has_any(text) else [_FENCE]  # a page itself
        self.lines += [*fence, *text.removesuffix("\n").split("\n")]
        if not text.endswith("\n"):
            self.ends.append(len(self.lines) - 1)
        self.lines += fence


def _printable(name: str) -> str:
    return "".join(each if each.isprintable() else " " for each in name)
