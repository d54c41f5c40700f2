"""What parsers and tools declare of themselves: the words that there are, and tuples of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from benchkit.errors import nearest, printable


class DeclarationError(ValueError):
    """A parser or tool declares what there is not; the text says where, and what there is."""


def require_words(owner: str, given: Mapping[str, Any], known: Collection[str]) -> None:
    """Check that attributes, each with its words, have none but those known.

    Raises:
        DeclarationError: one has another; the nearest of those known is named.
    """
    for attribute, words in given.items():
        for word in words:
            if word not in known:
                near = nearest(str(word), known)
                raise DeclarationError(
                    f"{owner}: {attribute} has {printable(str(word))}; "
                    + (f"{near} There" if near else "there")
                    + f" are {', '.join(sorted(filter(None, known)))}"
                )


def require_several(owner: str, given: object, attributes: Iterable[str]) -> None:
    """Check that attributes are several texts, and not one, whose letters would be taken for them.

    Raises:
        DeclarationError: one is a text.
    """
    for attribute in attributes:
        if isinstance(text := getattr(given, attribute), str):
            raise DeclarationError(
                f"{owner}: {attribute} is the text {printable(text)}; write ({printable(text)},)"
            )
