"""How the variants of a comparison are told apart: colour, symbol and a short name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchkit.figures import look
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from benchkit.names import short_names


@dataclass(frozen=True, slots=True)
class Legend:
    """The variants in order of first appearance, and by label their roles and short names."""

    variants: tuple[Variant, ...]
    roles: Mapping[str, str]
    short: Mapping[str, str]

    @property
    def coloured(self) -> list[str]:
        """The labels that stand out from the context."""
        return [label for label, role in self.roles.items() if role != look.CONTEXT]

    def is_context(self, label: str) -> bool:
        """Whether a variant is only there to be compared with."""
        return self.roles[label] == look.CONTEXT


def legend(comparison: Comparison) -> Legend:
    """Return the look of each variant."""
    return Legend(
        tuple(comparison.by_label[label] for label in comparison.order),
        look.roles(comparison),
        short_names(comparison.order),
    )
