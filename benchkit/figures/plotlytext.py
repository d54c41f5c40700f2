"""Text as plotly reads it."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Return text that plotly, which reads a little HTML, shows as it is."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return text.replace("\n", "<br>")
