"""`benchkit plot`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import complain, say
from benchkit.cli.stored import beside
from benchkit.errors import UsageError
from benchkit.figures import FORMATS, KINDS, PURPOSES
from benchkit.figures.options import FigureOptions
from benchkit.format import escaped

Kind = StrEnum("Kind", {name: name for name in KINDS})  # type: ignore[misc]
Purpose = StrEnum("Purpose", {name: name for name in PURPOSES})  # type: ignore[misc]
_USUAL = Kind("percentiles")
_README = Purpose("readme")


class Theme(StrEnum):
    """What it is drawn for."""

    LIGHT = "light"
    DARK = "dark"


def plot(
    paths: options.Paths = None,
    *,
    kind: Annotated[Kind, typer.Option(help="What to draw.")] = _USUAL,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="A .png, .svg, .pdf or .html file."),
    ],
    theme: Annotated[Theme, typer.Option(help="For a light or a dark page.")] = Theme.LIGHT,
    purpose: Annotated[
        Purpose,
        typer.Option("--for", help="Size and text of an image: of a paper, one or two columns."),
    ] = _README,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="In place of the observation; '' for none.")
    ] = None,
    subtitle: Annotated[
        str | None, typer.Option(metavar="TEXT", help="A line below the title.")
    ] = None,
    caption: Annotated[
        bool | None,
        typer.Option(
            "--caption/--no-caption",
            help="Runs, load and what marks are, below; on where the image bears its title.",
        ),
    ] = None,
    width: Annotated[
        float | None, typer.Option(metavar="INCHES", help="Else that of --for; 8 for a readme.")
    ] = None,
    height: Annotated[
        float | None, typer.Option(metavar="INCHES", help="Of each figure, with its words.")
    ] = None,
    dpi: Annotated[
        int | None, typer.Option(metavar="N", help="Pixels per inch of a .png; else 150.")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of sweep, matrix and runs only this one, such as p95; of costs cpu_per_request "
            "or rss.",
        ),
    ] = None,
    panel: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this panel, such as latency; may be repeated."),
    ] = None,
    ratio: Annotated[
        bool, typer.Option("--ratio/--no-ratio", help="The panel of ratios to the baseline.")
    ] = True,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this scenario or variant, by its name or a part of it; may be repeated.",
        ),
    ] = None,
    baseline: options.Baseline = None,
    asked: options.Asked,
) -> int:
    """Draw one figure: an image, or an HTML page that zooms."""
    if options.suffix_of(output) not in FORMATS:
        raise UsageError(f"cannot draw to {output}; the name must end in .png, .svg, .pdf or .html")
    wanted = FigureOptions(
        theme=theme.value,
        purpose=purpose.value,
        title=title,
        subtitle=subtitle,
        caption=caption,
        width=width,
        height=height,
        dpi=dpi,
        metric=metric,
        panels=panel or (),
        ratio=ratio,
    )
    results = reading.read(paths, asked, output=output)
    from benchkit.figures.drawing import drawing

    results, known = beside(
        results, baseline, asked.variant, output=output, show_secrets=asked.show_secrets
    )
    drawn = drawing(results, kind.value, baseline=known, select=select or (), options=wanted)
    with _without_warnings():
        drawn.save(output)
    status = reading.strictly(results, asked)
    say(f"{escaped(output)}\n")
    if len(drawn.charts) > 1 and not select:
        complain(f"{len(drawn.charts)} figures below each other; --select NAME draws one of them")
    return status


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Say in one line what matplotlib says once per missing character."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if any("missing from" in str(warning.message) for warning in caught):
        complain("the font of the image lacks characters of some name; html shows them all")
