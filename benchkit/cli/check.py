"""`benchkit check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say, width
from benchkit.format import json_text

if TYPE_CHECKING:
    from benchkit.validity import Examination


def check(
    paths: options.Paths = None,
    *,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    names: options.Names = None,
    ignore: options.Ignore = None,
    form: Annotated[
        options.ListFormat, typer.Option("--format", help="json is in base units.")
    ] = options.ListFormat.TABLE,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """Say whether the results can be trusted, and what to do.

    Exit status: 0 no error was found; 1 at least one; 2 a named file could not be read, nothing
    was found to check, or a usage error.
    """
    wanted = reading.Asked(scenario, variant, names, ignore)
    results = reading.read(paths, wanted, show_secrets=show_secrets)
    from benchkit.validity import examine

    examined = examine(results)
    say(_written(examined, form))
    skipped = [row for row in results.sources if row["state"] == "skipped"]
    if reading.named(skipped, paths or []):  # not merely found in a folder
        return 2
    return reading.strictly(results, strict=strict) or int(examined.worst == "error")


def _written(examined: Examination, form: options.ListFormat) -> str:
    from benchkit.validity import text

    if form is options.ListFormat.JSON:
        return json_text(text.records(examined), indent=2) + "\n"
    if form is options.ListFormat.MARKDOWN:
        return text.markdown(examined)
    return text.table(examined, width=width())
