"""`benchkit history`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from benchkit.cli import options
from benchkit.cli.console import say, styled, width
from benchkit.format import escaped, json_text

if TYPE_CHECKING:
    from benchkit.history.trends import History

HistoryFormat = StrEnum("HistoryFormat", "TEXT JSON HTML")
_BY_SUFFIX: Final = {
    "json": HistoryFormat.JSON,
    "html": HistoryFormat.HTML,
    "htm": HistoryFormat.HTML,
    "txt": HistoryFormat.TEXT,
}


def history(
    store: options.Store,
    *,
    branch: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="This branch; else main, or the one with most saves."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="These metrics, such as p99; repeatable."),
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this scenario; repeatable.")
    ] = None,
    form: Annotated[
        HistoryFormat | None,
        typer.Option(
            "--format",
            help="json lists every save, in base units. By default what the name of the file "
            "ends in, else text.",
        ),
    ] = None,
    output: options.Output = None,
) -> int:
    """Show saved runs from commit to commit.

    It says at which commit the level of a metric changed, by how much, and which command compares
    both sides.
    """
    from benchkit.cli.reading import without_idle_threads
    from benchkit.output import whole_file, writable

    chosen = form or options.by_suffix(output, _BY_SUFFIX, HistoryFormat.TEXT)
    if output is not None:
        writable(output)
    with without_idle_threads():
        from benchkit.history.trends import history_of
        from benchkit.stores import store_at

    made = history_of(
        store_at(store), branch=branch, metrics=metric or (), scenarios=scenario or ()
    )
    text = _written(
        made, chosen, columns=100 if output else width(), colour=not output and styled()
    )
    if output is None:
        say(text)
        return 0
    with whole_file(output) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    say(f"{escaped(output)}\n")
    return 0


def _written(history: History, form: HistoryFormat, *, columns: int, colour: bool) -> str:
    if form is HistoryFormat.JSON:
        from benchkit.history.records import records

        return json_text(records(history), indent=2) + "\n"
    if form is HistoryFormat.HTML:
        from benchkit.history.page import page

        return page(history)
    from benchkit.history.terminal import render

    return render(history, width=columns, colour=colour)
