"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from benchkit.cli import (
    check,
    compare,
    doctor,
    export,
    files,
    formats,
    plot,
    record,
    report,
    run,
    scenarios,
    schema,
    show,
)

app = typer.Typer(
    name="benchkit",
    # Plain help: it starts in a third of the time and reads the same in a pipe.
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        import benchkit

        typer.echo(f"benchkit {benchkit.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def benchkit(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> int:
    """Compare the results of HTTP load generators: vegeta, ab, wrk, wrk2 and autocannon.

    PATHS are files or folders of raw outputs, in any mixture; 'label=path' names what is
    in it, '-' is standard input. Without PATHS it is the folder results, or else this one.

    Exit status: 0 done; 1 an error that `check` found; 2 nothing to report or a usage
    error; 70 a defect in benchkit.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        return 2
    return 0


app.command()(report.report)
app.command()(show.show)
app.command()(check.check)
app.command()(compare.compare)
app.command()(files.files)
app.command()(export.export)
app.command()(plot.plot)
app.command()(run.run)
app.command()(scenarios.scenarios)
app.command()(doctor.doctor)
# Options behind the command are the command's.
app.command(context_settings={"ignore_unknown_options": True})(record.record)
app.command()(formats.formats)
app.command()(schema.schema)
