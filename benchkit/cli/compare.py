"""`benchkit compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import Written, complain, styled, width, write

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment


def compare(
    paths: options.Paths = None,
    *,
    baseline: options.Baseline = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Test this metric: throughput, goodput, mean, p50, p90, p95, p99, p99.9, "
            "error_ratio, cpu_per_request, rss; repeatable. max is described only.",
        ),
    ] = None,
    slo: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOUND",
            help="Compare the highest throughput within it, such as 'p99<50ms'; repeatable.",
        ),
    ] = None,
    trim_start: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Leave out the start of each run, such as 5s."),
    ] = None,
    margin: options.Margin = options.MARGIN,
    effect: Annotated[
        str,
        typer.Option(metavar="SHARE", help="The difference that more runs should find."),
    ] = "5%",
    looks: options.Looks = 1,
    form: options.Form = options.Format.TABLE,
    output: options.Output = None,
    asked: options.Asked,
) -> int:
    """Say which variant is better and how sure that is."""
    with reading.without_idle_threads():
        from benchkit.compare.assess import Options, assess
        from benchkit.compare.slo import objective
        from benchkit.compare.trim import start_s
        from benchkit.model.metric import metric as named

    wanted = Options(
        metrics=tuple(named(name).name for name in metric or ()),
        objectives=tuple(objective(text) for text in slo or ()),
        trim_start_s=start_s(trim_start or 0.0),
        effect=options.share("--effect", effect),
        margin=options.share("--margin", margin),
        looks=looks,
    )
    results = reading.read(paths, asked, output=output)
    assessment = assess(results, baseline=baseline, options=wanted)
    if not assessment.effects:
        from benchkit.report.sections import NOTHING

        complain(NOTHING)
    columns, colour = (100, False) if output else (width(), styled())
    write(_written(assessment, form, columns=columns, colour=colour), form, output)
    reading.explain(results, asked)
    return reading.strictly(results, asked)


def _written(
    assessment: Assessment, form: options.Format, *, columns: int, colour: bool
) -> Written:
    if form is options.Format.TABLE:
        from benchkit.report.terminal import render_verdicts

        return render_verdicts(assessment.comparisons, width=columns, colour=colour)
    if form is options.Format.MARKDOWN:
        from benchkit.report.markdown import verdicts_markdown

        return verdicts_markdown(assessment.comparisons)
    from benchkit.report.records import effect_records

    return effect_records(assessment)
