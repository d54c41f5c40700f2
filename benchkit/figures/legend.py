"""How the variants of a comparison are told apart: colour, symbol and a short name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Note
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from benchkit.names import short_names


@dataclass(frozen=True)
class SeriesName:
    """What marks and lines are called: a label, a role of `look`, and a name beside them."""

    label: str
    role: str
    short: str

    @property
    def series(self) -> tuple[str, str]:
        """What a series begins with: whose it is, and its role."""
        return self.label, self.role

    @property
    def name(self) -> str:
        """The label, safe to print and cut to fit a hover."""
        return show.clean(self.label, limit=40)

    @property
    def coloured(self) -> bool:
        """Whether it stands out, and is not only there to be compared with."""
        return self.role != look.CONTEXT

    def end(self, x: float, y: float, text: str = "") -> Note:
        """Return the name, or a text, of a line that ends there, in a colour that is read well."""
        return Note(x, y, text or self.short, look.text_role(self.role), dx=12, bold=True)


@dataclass(frozen=True)
class Key(SeriesName):
    """What stands for a variant in a figure."""

    variant: Variant


#: By label, that of the usual baseline first.
Legend = Mapping[str, Key]


def legend(comparison: Comparison) -> Legend:
    """Return the look of each variant."""
    short = short_names(comparison.order)
    return {
        label: Key(label, role, short[label], comparison.by_label[label])
        for label, role in look.roles(comparison).items()
    }


def coloured(keys: Legend) -> list[Key]:
    """Return those that stand out."""
    return [key for key in keys.values() if key.coloured]
