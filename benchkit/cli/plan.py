"""`benchkit plan`."""

from __future__ import annotations

from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say, width
from benchkit.cli.options import ListFormat
from benchkit.cli.stored import variant_alone
from benchkit.errors import UsageError
from benchkit.format import json_text


def plan(
    paths: options.Paths = None,
    *,
    baseline: options.PilotBaseline = None,
    effect: Annotated[
        str, typer.Option(metavar="SHARE", help="The difference that is to be found.")
    ] = "5%",
    power: Annotated[
        str, typer.Option(metavar="SHARE", help="In this share of experiments.")
    ] = "80%",
    looks: options.Looks = 1,
    form: Annotated[
        ListFormat, typer.Option("--format", help="json is in base units.")
    ] = ListFormat.TABLE,
    asked: options.Asked,
) -> int:
    """Say how many repeats find a difference.

    From pilot runs: their spread, and the time that a repeat takes with all that belongs to it.
    """
    with reading.without_idle_threads():
        from benchkit.compare.assess import Options, assess
        from benchkit.compare.planning import plans
        from benchkit.report import planned

    chance = options.share("--power", power)
    if not chance < 1:
        raise UsageError(f"--power {power}: below 100%, nothing is certain")
    wanted = Options(effect=options.share("--effect", effect), looks=looks)
    results = reading.read(paths, asked)
    named = variant_alone(results, baseline)
    comparison_plans = plans(assess(results, baseline=named, options=wanted), power=chance)
    if form is ListFormat.JSON:
        say(json_text(planned.records(comparison_plans), indent=2) + "\n")
    elif form is ListFormat.MARKDOWN:
        say(planned.markdown(comparison_plans))
    else:
        say(planned.terminal(comparison_plans, width=width()))
    reading.explain(results, asked)
    return reading.strictly(results, asked)
