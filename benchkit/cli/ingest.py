"""`benchkit ingest`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say
from benchkit.errors import UsageError


def ingest(
    paths: options.Paths = None,
    *,
    to: Annotated[
        str, typer.Option("--to", metavar="DATASET", help="Its folder, or s3://BUCKET/… .")
    ],
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

    added = results.ingest(to, requests=requests)
    runs = plural(len(results), "run").replace("\xa0", " ")
    new = "" if added == len(results) else f", {added} of them new"
    say(clean(f"{to}: {runs}{new}") + "\n")
    return 0
