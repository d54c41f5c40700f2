"""The commands, put together."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Final

import typer

from benchkit.cli.options import spread

#: In the order of the help.
COMMANDS: Final = (
    *("report", "show", "check", "compare", "files", "export", "plot", "run", "plan"),
    *("scenarios", "doctor", "record", "save", "history", "compact", "ingest", "formats"),
    *("schema", "config"),
)
#: Options behind the command are the command's.
_SETTINGS: Final = {"record": {"ignore_unknown_options": True}}


def program(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the program with some commands; of others nothing is imported."""
    app = typer.Typer(
        name="benchkit",
        # Plain help: it starts in a third of the time and reads the same in a pipe.
        rich_markup_mode=None,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(benchkit)
    for name in commands:
        command = spread(getattr(import_module(f"benchkit.cli.{name}"), name))
        app.command(context_settings=_SETTINGS.get(name))(command)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        import benchkit

        typer.echo(f"benchkit {benchkit.__version__}")
        raise typer.Exit


def benchkit(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> int:
    """Compare the results of HTTP load generators; `benchkit formats` lists what is read.

    PATHS are files or folders of raw outputs, in any mixture; 'label=path' names what is
    in it, '-' is standard input. Without PATHS it is the folder results, or else the current one.

    Exit status: 0 done; 1 a rule that failed or an error that `check` found; 2 nothing to
    report or a usage error; 3 no verdict, where `check` requires one; 70 a defect in benchkit.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        return 2
    return 0
