"""Text laid out by rich, as a string."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def screen(width: int, *, colour: bool) -> tuple[Console, io.StringIO]:
    """Return a console of `width` columns that takes no text for markup, and what it writes to.

    Args:
        width: Columns.
        colour: Whether escape sequences may set bold and dim text.
    """
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        no_color=True,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
    )
    return console, out


def stripped(out: io.StringIO) -> str:
    """Return what was written, without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
