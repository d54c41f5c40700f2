"""`benchkit report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say
from benchkit.output import whole_file


def report(
    paths: options.Paths = None,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")
    ] = Path("report.html"),
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page.")] = None,
    baseline: options.Baseline = None,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """Write one page that compares the runs; it needs no network."""
    results = reading.read(paths, scenario=scenario, variant=variant, show_secrets=show_secrets)
    from benchkit.redact import redact
    from benchkit.report.html import render

    shown = title if title is None or show_secrets else redact(title)
    page = render(results, title=shown, baseline=baseline)
    with whole_file(output) as file:
        file.write(page.encode("utf-8", "backslashreplace"))
    status = reading.strictly(results, strict=strict)
    say(f"{output}\n")
    return status
