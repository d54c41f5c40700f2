"""`benchkit ingest`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say
from benchkit.errors import UsageError


def ingest(
    paths: options.Paths = None,
    *,
    to: Annotated[Path, typer.Option("--to", metavar="DATASET", help="The folder of the dataset.")],
    requests: Annotated[
        bool, typer.Option("--requests", help="Keep a row per request, too.")
    ] = False,
    asked: options.Asked,
) -> int:
    """Write the tables of all runs as a dataset of Parquet files.

    Every command reads it in place of the files; so do DuckDB, Polars and Spark.
    """
    if asked.show_secrets:
        raise UsageError("--show-secrets: a dataset is for others, and keeps no credentials")
    results = reading.read(paths, asked, hashes=True)
    status = reading.strictly(results, asked)
    if status:
        return status
    from benchkit.format import clean, plural

    results.ingest(to, requests=requests)
    runs = plural(len(results), "run").replace("\xa0", " ")
    say(clean(f"{to}: {runs}") + "\n")
    return 0
