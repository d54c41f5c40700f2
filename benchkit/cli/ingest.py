"""`benchkit ingest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import complain, say
from benchkit.errors import InputError, UsageError

if TYPE_CHECKING:
    from benchkit.api import Results
    from benchkit.ingest.engines import Engine
    from benchkit.stores import Store


def ingest(
    paths: options.Paths = None,
    *,
    to: Annotated[
        str, typer.Option("--to", metavar="DATASET", help="Its folder, or s3://BUCKET/… .")
    ],
    requests: Annotated[
        bool, typer.Option("--requests", help="Keep a row per request, too.")
    ] = False,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="N/COUNT",
            help="Read this part of the files only, such as 3/16; without PATHS all are combined.",
        ),
    ] = None,
    asked: options.Asked,
) -> int:
    """Write the tables of all runs as a dataset of Parquet files.

    Every command reads it in place of the files; so do DuckDB, Polars and Spark.
    """
    if asked.show_secrets:
        raise UsageError("--show-secrets: a dataset is for others, and keeps no credentials")
    from benchkit.datasets import shards
    from benchkit.datasets.writing import check_claim, claim
    from benchkit.format import clean, plural
    from benchkit.stores import store_at

    store = store_at(to)
    check_claim(store)
    _check(paths, store, shard, asked, requests=requests)
    if shard is not None:
        engine = reading.engine_of(asked)
        claim(store)
        say(clean(f"{to}: {_read_shard(paths, store, shard, engine, asked)}") + "\n")
        return 0
    results = _combined(store, asked) if paths is None else _read(paths, store, asked)
    status = reading.strictly(results, asked)
    if status:
        return status
    added = results.ingest(to, requests=requests)
    shards.forget_shards(store)
    runs = plural(len(results), "run").replace("\xa0", " ")
    new = "" if added == len(results) else f", {added} of them new"
    say(clean(f"{to}: {runs}{new}") + "\n")
    return 0


def _check(
    paths: list[str] | None,
    store: Store,
    shard: str | None,
    asked: options.Asked,
    *,
    requests: bool,
) -> None:
    """Refuse what has no meaning where shards are read or combined, and what would lose them."""
    from benchkit.datasets.arguments import named_in
    from benchkit.datasets.shards import has_shards

    waiting = has_shards(store)
    if paths is None and (shard is not None or not waiting):
        why = f"--shard {shard}" if shard is not None else f"no shards in {store.address}"
        raise UsageError(f"{why}: name the paths to read")
    if paths is not None and shard is None:
        if waiting:
            combining = f"`benchkit ingest --to {store.address}` combines them"
            raise UsageError(f"{store.address} holds shards that are not combined; {combining}")
        return
    # With a shard the scenario is what names do not tell.
    scenario = asked.scenario if shard is None else None
    chosen = {"--variant": asked.variant, "--scenario": scenario, "--without": asked.without}
    refused = {name: "choose when the dataset is read" for name, given in chosen.items() if given}
    if requests:
        refused["--requests"] = "rows are kept where all files are read"
    if asked.strict and shard is not None:
        refused["--strict"] = "say so where the shards are combined"
    for name, instead in refused.items():
        raise UsageError(f"{name}: not of shards; {instead}")
    for path in paths or ():
        if named_in(path) is not None:
            raise UsageError(f"{path}: a dataset is in no shard; ingest it without --shard")


def _read(paths: list[str] | None, store: Store, asked: options.Asked) -> Results:
    """Return the results; what a cluster has read is kept until the dataset stands."""
    engine = reading.engine_of(asked)
    if asked.engine is options.EngineName.DASK:
        from benchkit.datasets.outcomes import KeptOutcomes
        from benchkit.datasets.writing import claim

        claim(store)
        engine = KeptOutcomes(engine, store)
    return reading.read(paths, asked, hashes=True, engine=engine)


def _read_shard(
    paths: list[str] | None, store: Store, shard: str, engine: Engine, asked: options.Asked
) -> str:
    """Read a shard, and return which it was and what is missing."""
    from benchkit.datasets import shards
    from benchkit.format import listed
    from benchkit.ingest import scope_of_paths
    from benchkit.ingest.config import Config

    chosen = shards.Shard.of_text(shard)
    named = reading.paths_of(paths)
    config = Config(tuple(asked.names or ()), asked.only_scenario, tuple(asked.ignore or ()))
    scope = scope_of_paths(named, config)
    for problem in (entry for entry in scope.inputs if isinstance(entry, InputError)):
        complain(f"skipped {problem}", show_secrets=asked.show_secrets)
    with reading.progress() as listener:
        missing = shards.read_shard_of(scope, named, chosen, store, engine, progress=listener)
    if not missing:
        return f"shard {shard}, and all others are there: ingest without paths combines them"
    return f"shard {shard}; missing yet: {listed([str(number) for number in missing])}"


def _combined(store: Store, asked: options.Asked) -> Results:
    from benchkit.api import Results
    from benchkit.datasets import shards

    read = shards.combined_shards(store)
    results = Results(read.runs, read.files, read.naming, read.inputs)
    reading.warn(results, [], asked)
    return results
