"""`benchkit history`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from benchkit.cli import options
from benchkit.cli.console import destination, is_stdout, say, say_where, styled, width
from benchkit.format import json_text

if TYPE_CHECKING:
    from benchkit.history.trends import History

HistoryFormat = StrEnum("HistoryFormat", "TEXT JSON HTML")
_BY_ENDING: Final = {
    "json": HistoryFormat.JSON,
    "html": HistoryFormat.HTML,
    "htm": HistoryFormat.HTML,
    "txt": HistoryFormat.TEXT,
}


def history(
    store: Annotated[str, typer.Argument(metavar="STORE", help="A store of `benchkit save`.")],
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
    from benchkit.output import by_ending, spare, writable

    chosen = form or by_ending(output or "", _BY_ENDING, HistoryFormat.TEXT)
    is_shown = is_stdout(output)
    if output is not None and not is_shown:
        writable(output)
    with without_idle_threads():
        from benchkit.history.saves import inputs_of
        from benchkit.history.trends import history_of
        from benchkit.stores import store_at

    opened = store_at(store)
    if not is_shown:
        spare(inputs_of(opened.address), output or "")
    trends = history_of(opened, branch=branch, metrics=metric or (), scenarios=scenario or ())
    text = _written(
        trends, chosen, columns=width() if is_shown else 100, colour=is_shown and styled()
    )
    if is_shown:
        say(text)
        return 0
    with destination(output) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    say_where(output)
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
