"""`benchkit export`."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import complain, destination, is_stdout, say_where
from benchkit.errors import UsageError
from benchkit.output import by_ending
from benchkit.schema import TABLES, table

ExportFormat = StrEnum("ExportFormat", "CSV JSON PARQUET")
_BY_ENDING = {form.value: form for form in ExportFormat}


def export(
    paths: options.Paths = None,
    *,
    name: Annotated[
        str, typer.Option("--table", metavar="TABLE", help=f"One of {', '.join(TABLES)}.")
    ] = "runs",
    form: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="By default what the name of the file ends in, or csv."),
    ] = None,
    output: options.Output = None,
    asked: options.Asked,
) -> int:
    """Write one table of the schema. Units are base units; see 'benchkit schema'."""
    table(name)
    chosen = form or by_ending(output or "", _BY_ENDING, ExportFormat.CSV)
    if chosen is ExportFormat.PARQUET and is_stdout(output) and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal; name a file with -o")
    results = reading.read(paths, asked, output=output, hashes=True)
    if name == "requests" and not results.has_requests:
        complain("no run here has a row per request; the table is empty")
    from benchkit.export import write_table

    with destination(output) as file:
        write_table(results, name, form=chosen.value, to=file)
    say_where(output)
    return reading.strictly(results, asked)
