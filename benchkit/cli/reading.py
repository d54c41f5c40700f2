"""Paths to results, telling how far it is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchkit.cli.console import complain, is_stdout
from benchkit.errors import NothingToReportError
from benchkit.output import spare, writable
from benchkit.schema import FILES
from benchkit.stores.addresses import public_argument

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn

    from benchkit.api import Results
    from benchkit.cli.options import Asked
    from benchkit.history.references import Reference
    from benchkit.ingest.engines import Engine
    from benchkit.ingest.progress import Progress

#: Where nobody looks at a terminal, a line tells how far reading is this often.
_EVERY_S: Final = 10.0
_DRAWN_S: Final = 0.1


def read(
    paths: Sequence[str] | None,
    asked: Asked,
    *,
    output: str | None = None,
    hashes: bool = False,
    engine: Engine | None = None,
    later: Sequence[str] = (),
) -> Results:
    """Return the results, with a line on standard error for whatever was skipped or lost.

    A path may be `STORE@NAME`, which stands for saved runs. `later` are modules that are needed
    when all is read; machine code that reads leaves time to load them.

    Raises:
        NothingToReportError: not one run was found.
        UsageError: no such scenario or variant, or `output`, which will be written, is an input
            or cannot be written; a store has nothing of that name.
    """
    output = None if is_stdout(output) else output
    if output is not None:
        writable(output)
    listed = paths_of(paths)
    saved = _references(listed)
    if output is not None:
        spare([name for each in saved.values() for name in each.inputs], output)
    files = [argument for argument in listed if argument not in saved]
    results = None
    if files:
        results = _read_files(files, asked, output, hashes=hashes, engine=engine, later=later)
    if saved:
        results = _with_saved(results, saved.values(), asked)
    if results is None:
        raise LookupError("there is always a path")
    return results.select(without=asked.without) if asked.without else results


def _references(listed: Sequence[str]) -> dict[str, Reference]:
    """Return what `STORE@NAME` stands for, by the argument; others are left out."""
    marked = [argument for argument in listed if "@" in argument]
    if not marked:
        return {}
    with without_idle_threads():
        from benchkit.history.references import named_in

    return {argument: named for argument in marked if (named := named_in(argument))}


def _with_saved(results: Results | None, saved: Collection[Reference], asked: Asked) -> Results:
    """Return results with saved runs; those of each name under that name where there is more."""
    from benchkit.api import Results
    from benchkit.format import plural
    from benchkit.history.references import pooled
    from benchkit.history.saves import damaged_in
    from benchkit.model.variant import called

    apart = results is not None or len(saved) > 1
    results = Results(()) if results is None else results
    runs, rows, inputs = [*results], [*results.sources], [*results.inputs]
    for named in saved:
        saves = named.saves()
        kept = Results(pooled(named.store, saves, show_secrets=asked.show_secrets))
        if asked.scenario or asked.variant:
            kept = kept.select(scenario=asked.scenario, variant=asked.variant)
        name = named.label or (named.name if apart else None)
        runs += called([*kept], name) if name else [*kept]
        source = f"{named.store.address}@{named.name}"
        row = {"source": source, "state": "read", "format": "store", "runs": len(kept)}
        if lacking := damaged_in(saves, named.store):
            row["message"] = f"{source}: {plural(lacking, 'file')} skipped or damaged when saved"
            complain(f"recovered {row['message']}", show_secrets=asked.show_secrets)
        rows.append(FILES.record(row))
        inputs += named.inputs
    return Results(runs, rows, results.naming, inputs)


def _read_files(
    listed: Sequence[str],
    asked: Asked,
    output: str | None,
    *,
    hashes: bool,
    engine: Engine | None,
    later: Sequence[str],
) -> Results:
    with without_idle_threads():
        from benchkit.api import load

    with progress() as shown, _stores_told(listed):
        listener = _loading(later, shown)
        results = load(
            listed,
            names=asked.names or (),
            scenario=asked.only_scenario,
            ignore=asked.ignore or (),
            show_secrets=asked.show_secrets,
            hashes=hashes,
            progress=listener,
            engine=engine or engine_of(asked),
        )
    if output is not None:
        spare(results.inputs, output)
    warn(results, listed, asked)
    if asked.scenario or asked.variant:
        results = results.select(scenario=asked.scenario, variant=asked.variant)
    return results


@contextmanager
def _stores_told(listed: Sequence[str]) -> Iterator[None]:
    """Say of a path without runs that it is a store, and how its saves are named."""
    try:
        yield
    except NothingToReportError as error:
        from benchkit.history.references import newest

        for path in listed:
            if named := newest(path):
                raise NothingToReportError(
                    f"{public_argument(path)} holds what `benchkit save` has written; name a "
                    f"branch, commit or label with it: {public_argument(named)}"
                ) from error
        raise


def _loading(
    modules: Sequence[str], listener: Callable[[Progress], None]
) -> Callable[[Progress], None]:
    """Return a listener that loads modules, too, as soon as some of a file is read."""
    left = [*modules]

    def listening(now: Progress) -> None:
        listener(now)
        while now.bytes_done and left:
            import_module(left.pop(0))

    return listening


def warn(results: Results, listed: Sequence[str], asked: Asked) -> None:
    """Say on standard error what of the files is not among the results."""
    by_word = {
        "skipped": skipped(results),
        "recovered": recovered(results),
        "note": _dropped(results, listed),
    }
    for word, messages in by_word.items():
        for message in messages:
            complain(f"{word} {message}", show_secrets=asked.show_secrets)


def paths_of(paths: Sequence[str] | None) -> list[str]:
    """Return the paths of a call; without any the folder results, or else this one."""
    return list(paths or ["results" if Path("results").is_dir() else "."])


def engine_of(asked: Asked) -> Engine:
    """Return who reads the files.

    Raises:
        UsageError: a scheduler for another engine than Dask's.
    """
    from benchkit.ingest.engines import engine_named

    return engine_named(asked.engine.value, scheduler=asked.scheduler, announce=complain)


def explain(results: Results, asked: Asked) -> None:
    """Say on standard error how names were understood, where there is more than one run."""
    for line in results.naming if len(results) > 1 else ():
        complain(line, show_secrets=asked.show_secrets)


def skipped(results: Results) -> list[str]:
    """Return why each file, or part of one, was skipped; the reason names the file."""
    return [str(row["message"]) for row in results.sources if row["state"] == "skipped"]


def recovered(results: Results) -> list[str]:
    """Return what is missing of each file that was read although it is damaged."""
    read = (row["message"] for row in results.sources if row["state"] == "read")
    return [str(message) for message in read if message]


def named(files: Iterable[Mapping[str, Any]], paths: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the rows of the table `files` that were named, not found in a folder."""
    from benchkit.ingest.paths import named_sources
    from benchkit.redaction import redact

    sources = named_sources(paths)
    every = {*sources, *map(redact, sources)}
    return [row for row in files if row["source"] in every]


def _dropped(results: Results, paths: Sequence[str]) -> list[str]:
    """Return which copies are left out: each that was named, of those in folders the first."""
    copies = [row for row in results.sources if row["state"] == "duplicate"]
    copies += _repeated(results)
    asked = named(copies, paths)
    sources = {row["source"] for row in asked}
    others = [row for row in copies if row["source"] not in sources]
    left = len(others) - 1
    more = (
        f", as {'is 1 more copy' if left == 1 else f'are {left} more copies'}" if left > 0 else ""
    )
    endings = [*[(row, "") for row in asked], *[(row, more) for row in others[:1]]]
    return [
        f"{row['source']}: {row['message']}; it is shown once{ending}" for row, ending in endings
    ]


def _repeated(results: Results) -> list[Mapping[str, Any]]:
    """Return the files of one run that say of it what another file of one run in their form says.

    A page that shows what other files hold repeats nothing: it may well be meant to.
    """
    single = {row["source"]: row for row in results.sources if row["runs"] == 1}
    kept = {
        other: single[source]
        for run in results
        if (source := run.get("source")) in single
        for other in (run.get("other_sources") or "").split("; ")
    }
    merged = [row for source, row in single.items() if row["state"] == "merged" and source in kept]
    return [row for row in merged if kept[row["source"]]["format"] == row["format"]]


def strictly(results: Results, asked: Asked) -> int:
    """Return the exit status: 2 where `--strict` forbids what was skipped or recovered."""
    counts = {"skipped": len(skipped(results)), "recovered": len(recovered(results))}
    if not asked.strict or not any(counts.values()):
        return 0
    complain("--strict: " + ", ".join(f"{n} {what}" for what, n in counts.items() if n))
    return 2


@contextmanager
def without_idle_threads() -> Iterator[None]:
    """Import numpy without the threads of its linear algebra, which would start and never work.

    The environment is left as it was: it is that of whatever is started later.
    """
    name = "OPENBLAS_NUM_THREADS"
    unset = name not in os.environ
    os.environ.setdefault(name, "1")
    try:
        import numpy as np  # noqa: F401 - the library reads the variable when it is loaded

        yield
    finally:
        if unset:
            del os.environ[name]


@contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """Yield what shows how far reading is: a bar on a terminal, else a line now and then."""
    if sys.stderr is None or not sys.stderr.isatty():
        say = _now_and_then()
        yield lambda now: say(_read_so_far(now))
        return
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    from benchkit.format import clean
    from benchkit.redaction import redact

    columns = (
        *(TextColumn("reading"), BarColumn(20), DownloadColumn(), TransferSpeedColumn()),
        *(TimeRemainingColumn(compact=True), TextColumn("{task.description}", markup=False)),
    )
    with _bar(*columns) as bar:
        task, draw = bar.add_task("", total=None), _drawing(bar)

        def listener(now: Progress) -> None:
            shown = clean(redact(now.name))
            short = shown if len(shown) < 30 else f"…{shown[-28:]}"
            at = f"{now.file}/{now.files} {short}"
            bar.update(task, description=at, completed=now.bytes_done, total=now.bytes_total)
            draw()

        yield listener


@contextmanager
def making() -> Iterator[Callable[[int, int], None]]:
    """Yield what shows how far the page is: a bar on a terminal, else a line now and then."""
    if sys.stderr is None or not sys.stderr.isatty():
        say = _now_and_then()
        yield lambda done, total: say(f"making the page, {100 * done // total} %")
        return
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("making the page"), BarColumn(20), TimeRemainingColumn(compact=True)
    with _bar(*columns) as bar:
        task, draw = bar.add_task("", total=None), _drawing(bar)

        def listener(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            draw()

        yield listener


def _bar(*columns: ProgressColumn) -> Bar:
    """Return a bar that no thread draws: a process with several does not fork."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    return Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)


def _drawing(bar: Bar) -> Callable[[], None]:
    """Return what draws a bar, if that was not done a moment ago."""
    drawn_s = 0.0

    def draw() -> None:
        nonlocal drawn_s
        if time.monotonic() - drawn_s > _DRAWN_S:
            drawn_s = time.monotonic()
            bar.refresh()

    return draw


def _now_and_then() -> Callable[[str], None]:
    """Return what says a line, for a log, if the last one was long ago."""
    last_s = time.monotonic()

    def say(line: str) -> None:
        nonlocal last_s
        if time.monotonic() - last_s > _EVERY_S:
            last_s = time.monotonic()
            complain(line)

    return say


def _read_so_far(now: Progress) -> str:
    share = f", {100 * now.bytes_done // now.bytes_total} %" if now.bytes_total else ""
    return f"reading file {now.file} of {now.files}{share}"
