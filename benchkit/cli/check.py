"""`benchkit check`."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say, width

if TYPE_CHECKING:
    from benchkit.api import Results
    from benchkit.validity import Examination


class FindingsFormat(StrEnum):
    """How findings are written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JSON = "json"


def check(
    paths: options.Paths = None,
    *,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    names: options.Names = None,
    ignore: options.Ignore = None,
    form: Annotated[
        FindingsFormat, typer.Option("--format", help="json is in base units.")
    ] = FindingsFormat.TABLE,
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
    if _named_but_skipped(results, paths or []):
        return 2
    return reading.strictly(results, strict=strict) or int(examined.worst == "error")


def _written(examined: Examination, form: FindingsFormat) -> str:
    from benchkit.validity import text

    if form is FindingsFormat.JSON:
        return json.dumps(text.records(examined), indent=2, ensure_ascii=False) + "\n"
    if form is FindingsFormat.MARKDOWN:
        return text.markdown(examined)
    return text.table(examined, width=width())


def _named_but_skipped(results: Results, paths: list[str]) -> bool:
    """Whether something was skipped in a file that was named, not merely found in a folder."""
    skipped = [row for row in results.sources if row["state"] == "skipped"]
    return bool(reading.named(skipped, paths))
