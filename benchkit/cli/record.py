"""`benchkit record`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchkit.cli import options
from benchkit.cli.console import complain


def record(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND...", help="The load generator's command.")
    ],
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="A new folder for this run, best as results/SCENARIO/VARIANT/REPEAT.",
        ),
    ],
    label: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The run's name for people.")
    ] = None,
    sample: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PID",
            help="Sample this process (the server) and its children; NAME=PID names it; "
            "repeatable. Needs /proc.",
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Keep the command's output without showing it.")
    ] = False,
    keep_secrets: options.KeepSecrets = False,
) -> int:
    """Run your own command; keep its output, time and machine.

    Writes meta.json (command, version, time, machine) and resources.csv beside the output,
    which stays as the command printed it.
    Exit status: that of the command.
    """
    from benchkit.scenarios import record as recording

    order = recording.Order(
        argv=command,
        folder=output,
        label=label,
        watched=recording.watched(sample or []),
        quiet=quiet,
        keep_secrets=keep_secrets,
    )
    status = recording.record(order)
    if status:
        complain(f"{command[0]} ended with status {status}; what it left is in {output}")
    return status
