"""The whole report as a text, for the command line and for Python: the same of the same runs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from benchkit.errors import unknown
from benchkit.output import by_ending, whole_file
from benchkit.redaction import redact
from benchkit.runtime.interpreter import rare_collections
from benchkit.stores.addresses import public_argument

if TYPE_CHECKING:
    from benchkit.compare.assess import Options
    from benchkit.gates.ruling import Gate
    from benchkit.model.views import Tables

Form = Literal["html", "markdown"]
FORMS: Final[tuple[Form, ...]] = ("html", "markdown")
#: By what the name of a file ends in.
_BY_ENDING: Final[Mapping[str, Form]] = {
    "html": "html",
    "htm": "html",
    "md": "markdown",
    "markdown": "markdown",
}


def form_of(path: str | os.PathLike[str] | None) -> Form:
    """Return the form of a report by the name of its file, a page of one without an ending.

    Raises:
        UsageError: it has another ending.
    """
    return by_ending(path or "", _BY_ENDING, "html")


@rare_collections()
def document(
    results: Tables,
    *,
    form: str = "html",
    title: str | None = None,
    baseline: str | None = None,
    options: Options | None = None,
    command: str = "",
    gate: Gate | None = None,
    each_run: bool = False,
    show_secrets: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Return the report on some results.

    Args:
        results: Any.
        form: One of `FORMS`.
        title: Its heading; by default the scenarios' names.
        baseline: As for `assess`.
        options: Likewise.
        command: The command line that makes this report, which then stands in it.
        gate: What a check of them says, which then stands before the comparisons.
        each_run: Whether each run of scenarios of any size can be left out, for which all these
            answers are made.
        show_secrets: Keep credentials in title and command.
        progress: Called with how many steps are done of how many.

    Raises:
        UsageError: no such form or baseline.
    """
    from benchkit.compare.assess import assess

    if form not in FORMS:
        raise unknown("format", form, FORMS)
    if form == "markdown":
        from benchkit.report.markdown import document as written
    else:
        from benchkit.report.html import document as written
    if not show_secrets:
        title, command = title and redact(title), redact(command)
    return written(
        assess(results, baseline=baseline, options=options),
        results.sources,
        title=title,
        command=command,
        naming=results.naming,
        gate=gate,
        each_run=each_run,
        progress=progress,
    )


def write(text: str, path: str | os.PathLike[str]) -> None:
    """Write a report, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    with whole_file(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def command_of(
    paths: Sequence[str],
    asked: Mapping[str, str | Sequence[str] | bool | None],
    *,
    name: str = "report",
) -> str:
    """Return the command line of a report on `paths` with what else was asked for.

    A flag is true or false.
    """
    words = ["benchkit", name, *map(public_argument, paths)]
    for option, values in asked.items():
        if isinstance(values, bool):
            words += [f"--{option}"] if values else []
            continue
        for value in [values] if isinstance(values, str) else values or ():
            words += [f"--{option}", value]
    return shlex.join(words)
