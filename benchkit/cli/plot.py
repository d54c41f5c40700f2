"""`benchkit plot`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import complain, say
from benchkit.errors import UsageError
from benchkit.figures import FORMATS, KINDS, PURPOSES, draw
from benchkit.format import escaped
from benchkit.output import whole_file

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
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A .png, .svg, .pdf or .html file."),
    ],
    theme: Annotated[Theme, typer.Option(help="For a light or a dark page.")] = Theme.LIGHT,
    purpose: Annotated[
        Purpose,
        typer.Option("--for", help="Size and text of an image: of a paper, one or two columns."),
    ] = _README,
    baseline: options.Baseline = None,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    names: options.Names = None,
    ignore: options.Ignore = None,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """Draw one figure: an image, or an HTML page that zooms."""
    suffix = output.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise UsageError(f"cannot draw to {output}; the name must end in .png, .svg, .pdf or .html")
    wanted = reading.Asked(scenario, variant, names, ignore)
    results = reading.read(paths, wanted, output=output, show_secrets=show_secrets)
    from benchkit.compare.assess import assess

    comparisons = assess(results, baseline=baseline).comparisons
    with _without_warnings():
        drawn = draw(
            comparisons, kind.value, suffix=suffix, theme=theme.value, purpose=purpose.value
        )
    with whole_file(output) as file:
        file.write(drawn)
    status = reading.strictly(results, strict=strict)
    say(f"{escaped(str(output))}\n")
    return status


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Say in one line what matplotlib says once per missing character."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if any("missing from" in str(warning.message) for warning in caught):
        complain("the font of the image lacks characters of some name; html shows them all")
