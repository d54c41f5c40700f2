"""`benchkit export`."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import binary_output, complain, say, to_output
from benchkit.errors import UsageError
from benchkit.format import escaped
from benchkit.output import whole_file
from benchkit.schema import TABLES, table

ExportFormat = StrEnum("ExportFormat", "CSV JSON PARQUET")
_BY_SUFFIX = {form.value: form for form in ExportFormat}


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
    chosen = form or options.by_suffix(output, _BY_SUFFIX, ExportFormat.CSV)
    if chosen is ExportFormat.PARQUET and output is None and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal; name a file with -o")
    results = reading.read(paths, asked, output=output, hashes=True)
    if name == "requests" and not results.has_requests:
        complain("no run here has a row per request; the table is empty")
    from benchkit.export import write_table

    if output is None or output == "-":
        with to_output():
            write_table(results, name, form=chosen.value, to=binary_output())
    else:
        with whole_file(output) as file:
            write_table(results, name, form=chosen.value, to=file)
        say(f"{escaped(output)}\n")
    return reading.strictly(results, asked)
