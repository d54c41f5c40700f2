"""`benchkit save`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say
from benchkit.errors import UsageError


def save(
    paths: options.Paths = None,
    *,
    to: Annotated[
        str, typer.Option("--to", metavar="STORE", help="The folder that keeps the history.")
    ],
    commit: Annotated[
        str | None,
        typer.Option(metavar="SHA", help="What was measured, any text; else git's HEAD here."),
    ] = None,
    branch: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The branch it is on; else the one checked out here."),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A name for this save, such as v1.2."),
    ] = None,
    asked: options.Asked,
) -> int:
    """Keep the runs of a commit in a store.

    They are there whole and for good; 'benchkit history' shows them. Each call makes a
    save of its own, also of the same runs.
    """
    from benchkit.stores import store_at

    store = store_at(to)
    commit, branch = _named(commit, branch)
    results = reading.read(paths, asked, hashes=True)
    status = reading.strictly(results, asked)
    if status:
        return status
    from benchkit.format import clean, plural
    from benchkit.history.saves import save_results
    from benchkit.redaction import redact
    from benchkit.scenarios.environment import environment

    if not asked.show_secrets:
        commit, branch, label = redact(commit), redact(branch), label and redact(label)
    saved = save_results(
        results, store, commit=commit, branch=branch, label=label, machine=environment()
    )
    runs = plural(saved.runs, "run").replace("\xa0", " ")
    say(clean(f"{saved.id}: {runs} of {commit} on {branch} in {store.address}") + "\n")
    return 0


def _named(commit: str | None, branch: str | None) -> tuple[str, str]:
    """Return commit and branch, as given or as git has them here."""
    if commit is None or branch is None:
        from benchkit.history.git import checked_out

        known_commit, known_branch = checked_out()
        commit = known_commit if commit is None else commit
        branch = known_branch if branch is None else branch
    for value, option, example in ((commit, "--commit", "SHA"), (branch, "--branch", "main")):
        if value is None:
            raise UsageError(
                f"git does not tell it here; say what was measured: {option} {example}"
            )
        if not value:
            raise UsageError(f"{option} is empty; say what was measured: {option} {example}")
    return commit or "", branch or ""
