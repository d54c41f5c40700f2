"""The look of every figure and of the page: colours by role, symbols, fonts, and the legend.

A colour and a symbol belong to one variant throughout a report, whatever the baseline.
The colours stay apart for every common kind of colour blindness, and a symbol and a label
beside the mark make them redundant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from benchkit import format as show
from benchkit.figures.chart import Note
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from benchkit.names import natural, short_names
from benchkit.schema import QUANTILE_COLUMNS

Theme = Literal["light", "dark"]

#: Roles of the variants in the order in which they are given out; the first is grey.
ROLES: Final = ("v0", "v1", "v2", "v3", "v4", "v5")
CONTEXT: Final = "context"
#: From so many variants on only the first and two others are coloured.
CROWD: Final = len(ROLES) + 1

#: Per role the colour on a light and on a dark page.
_PALETTE: Final[Mapping[str, tuple[str, str]]] = {
    "page": ("#ffffff", "#14171c"),
    "surface": ("#f6f7f9", "#1c2128"),
    "text": ("#1a1d21", "#e8eaed"),
    "muted": ("#4b5563", "#aab2bd"),
    "rule": ("#e4e7ec", "#2a3038"),
    "strong": ("#c9ced6", "#3a424d"),
    "link": ("#0b5cad", "#7ab5ff"),
    "caution": ("#8a5a00", "#f0c33c"),
    "serious": ("#a32020", "#ff9c8f"),
    "v0": ("#5b6470", "#8b95a3"),
    "v1": ("#1f6fb4", "#3f8fe0"),
    "v2": ("#c2410c", "#f0803c"),
    "v3": ("#009e73", "#3ecf8e"),
    "v4": ("#6d1f6d", "#f09be0"),
    "v5": ("#b98600", "#f0e442"),
    "context": ("#8a94a3", "#6b7685"),
    "v3-text": ("#00795a", "#3ecf8e"),
    "v5-text": ("#7f5c00", "#f0e442"),
    "ink": ("#000000", "#000000"),
    "count1": ("#dfca57", "#3b496c"),
    "count2": ("#a39a74", "#6a6c71"),
    "count3": ("#6f7073", "#979177"),
    "count4": ("#3b496c", "#cbb965"),
    "count5": ("#00224e", "#fee838"),
    "ratio1": ("#1f6fb4", "#3f8fe0"),
    "ratio2": ("#8bb8de", "#2a5078"),
    "ratio3": ("#f6f7f9", "#1c2128"),
    "ratio4": ("#e9a878", "#7a4424"),
    "ratio5": ("#c2410c", "#f0803c"),
}
COLOURS: Final[Mapping[Theme, Mapping[str, str]]] = {
    "light": {role: light for role, (light, _) in _PALETTE.items()},
    "dark": {role: dark for role, (_, dark) in _PALETTE.items()},
}

#: The opacity of what is drawn faintly: a range behind its median, a run behind the others.
FAINT: Final = 0.7
#: What the opacity of a band is multiplied by: on a dark page the same would hardly be seen.
BANDS: Final[Mapping[Theme, float]] = {"light": 1.0, "dark": 1.8}
#: Colours of cells at even places from 0 to 1. `count` is cividis, turned in the light so that
#: many stands out from the page; `ratio` runs from better over equal to worse.
SCALES: Final[Mapping[str, tuple[str, ...]]] = {
    scale: tuple(f"{scale}{n}" for n in range(1, 6)) for scale in ("count", "ratio")
}

#: Per role the symbol as plotly and as matplotlib call it, and its outline in a 12 × 12 box.
SYMBOLS: Final[Mapping[str, tuple[str, str, str]]] = {
    "v0": ("circle", "o", "M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z"),
    "v1": ("diamond", "D", "M6 .7L11.3 6L6 11.3L.7 6z"),
    "v2": ("square", "s", "M2 2H10V10H2z"),
    "v3": ("triangle-up", "^", "M6 1.2L11 10.4H1z"),
    "v4": ("triangle-down", "v", "M6 10.8L11 1.6H1z"),
    "v5": ("cross", "P", "M4.4 1h3.2v3.4H11v3.2H7.6V11H4.4V7.6H1V4.4h3.4z"),
    "context": ("circle", "o", "M6 2.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z"),
}

_FAMILIES: Final = (
    *("system-ui", "-apple-system", "'Segoe UI'", "Roboto", "'Noto Sans'", "'Liberation Sans'"),
    *("Arial", "sans-serif"),
)
FONT: Final = ", ".join(_FAMILIES)
TINY: Final = 4  # px: a smaller mark is one of very many, without an edge and behind lines
SMALL: Final = 7  # px: a smaller mark is a dot, whatever the symbol
RING: Final = 15  # px: a larger mark is a ring around another, whatever the symbol
NAME_GAP: Final = 12  # px between the end of a line and its name
LABEL_GAP: Final = 14  # px between the baselines of two labels


def roles(comparison: Comparison) -> dict[str, str]:
    """Return the role of each variant by its label: that of the usual baseline first.

    It follows the order of names, whatever the order of files, the baseline chosen or the rank. In
    a sweep a variant keeps its colour at every level; in a crowd only the first and the two
    outermost of the rank have one.
    """
    name = {variant.label: variant.name for variant in comparison.variants}
    first = comparison.reference
    order = [first, *(label for label in comparison.order if label != first)]
    called = name if comparison.axis else {label: label for label in order}
    names = sorted(set(map(called.__getitem__, order)), key=natural)
    names.remove(called[first])
    if len(names) + 1 < CROWD:
        by_name = dict(zip([called[first], *names], ROLES, strict=False))
        return {label: by_name[called[label]] for label in order}
    others = [label for name in names for label in order[1:] if called[label] == name]
    if comparison.rank_metric:
        ranked = [variant.label for variant in comparison.variants if variant.label != first]
        others = [ranked[0], ranked[-1]]
    given = dict(zip([first, *others[:2]], ROLES, strict=False))
    return {label: given.get(label, CONTEXT) for label in order}


def text_role(role: str) -> str:
    """Return the colour of text in a role: two colours are too light for small type."""
    return f"{role}-text" if role in {"v3", "v5"} else "muted" if role == CONTEXT else role


# --- the variants of a comparison ---


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
    def quoted(self) -> str:
        """The same for the middle of a sentence."""
        return show.quoted(self.label, limit=40)

    @property
    def coloured(self) -> bool:
        """Whether it stands out, and is not only there to be compared with."""
        return self.role != CONTEXT

    def end(self, x: float, y: float, text: str = "") -> Note:
        """Return the name, or a text, of a line that ends there, in a colour that is read well."""
        return Note(x, y, text or self.short, text_role(self.role), dx=NAME_GAP, bold=True)


@dataclass(frozen=True)
class Key(SeriesName):
    """What stands for a variant in a figure."""

    variant: Variant

    @cached_property
    def shown_below(self) -> float:
        """The quantile from which on all are withheld: 2 for none, 0 for all that have a column.

        What lies below these is then known no better: of timeouts every quantile is the limit.
        """
        variant, least = self.variant, 2.0
        for quantile, column in sorted(QUANTILE_COLUMNS.items(), reverse=True):
            if column in variant.withheld:
                least = quantile - 1e-9
            elif variant.values.get(column) is not None:
                break
        return least if least > min(QUANTILE_COLUMNS) else 0.0


#: By label, that of the usual baseline first.
Legend = Mapping[str, Key]


def legend(comparison: Comparison) -> Legend:
    """Return the look of each variant."""
    short = short_names(comparison.order)
    return {
        label: Key(label, role, short[label], comparison.by_label[label])
        for label, role in roles(comparison).items()
    }


def coloured(keys: Legend) -> list[Key]:
    """Return those that stand out."""
    return [key for key in keys.values() if key.coloured]
