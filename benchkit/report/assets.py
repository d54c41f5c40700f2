"""What a page carries with it: style, script, and plotly.js packed small."""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import cache
from importlib.resources import files

from benchkit.figures import look


def template(name: str) -> str:
    """Return the text of a file of `benchkit.templates`."""
    return files("benchkit.templates").joinpath(name).read_text("utf-8")


def script(*names: str) -> str:
    """Return scripts as one, without comments and indentation."""
    lines = [line.strip() for name in names for line in template(name).splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def style(*, cells: bool) -> str:
    """Return the style sheet with the light colours of `look` as variables.

    Args:
        cells: Whether a figure has cells, which have colours of their own.
    """
    return (
        f":root{{color-scheme:light dark;--font:{look.FONT};{_variables('light', cells=cells)}}}\n"
        f"{template('report.css').strip()}"
    )


def dark_style(*, cells: bool) -> str:
    """Return the dark colours, for a style sheet of its own that a reader can switch."""
    return f":root{{{_variables('dark', cells=cells)}}}"


def _variables(theme: look.Theme, *, cells: bool) -> str:
    roles = set() if cells else {"ink", *(role for scale in look.SCALES.values() for role in scale)}
    colours = look.COLOURS[theme].items()
    return "".join(f"--{role}:{colour};" for role, colour in colours if role not in roles)


def source_hash(script: str) -> str:
    """Return the hash by which a content security policy allows this script."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def plotly_js() -> str:
    """Return the library from the installed plotly package."""
    from plotly.offline import get_plotlyjs

    # The HTML parser would turn these line ends into LF, and the hash would not match.
    return str(get_plotlyjs()).replace("\r\n", "\n").replace("\r", "\n")


@cache
def packed_plotly_js() -> str:
    """Return the library packed."""
    return packed(plotly_js())


def packed(text: str) -> str:
    """Return a text as base64 of gzip, the same for the same text."""
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()
