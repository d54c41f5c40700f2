"""`benchkit compare`."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import Written, complain, is_stdout, styled, width, write
from benchkit.cli.stored import beside
from benchkit.output import by_ending

_BY_ENDING: Final = {
    "csv": options.Format.CSV,
    "json": options.Format.JSON,
    "md": options.Format.MARKDOWN,
    "markdown": options.Format.MARKDOWN,
    "txt": options.Format.TABLE,
}


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
    form: Annotated[
        options.Format | None,
        typer.Option(
            "--format",
            help="csv and json are in base units. By default what the name of the file ends in, "
            "else a table.",
        ),
    ] = None,
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
    form = form or by_ending(output or "", _BY_ENDING, options.Format.TABLE)
    results, known = beside(
        reading.read(paths, asked, output=output),
        baseline,
        asked.variant,
        output=output,
        show_secrets=asked.show_secrets,
    )
    assessment = assess(results, baseline=known, options=wanted)
    if not assessment.effects:
        from benchkit.report.sections import NOTHING

        complain(NOTHING)
    written: Written
    if form is options.Format.TABLE:
        from benchkit.report.terminal import render_verdicts

        columns, colour = (width(), styled()) if is_stdout(output) else (100, False)
        written = render_verdicts(assessment.comparisons, width=columns, colour=colour)
    elif form is options.Format.MARKDOWN:
        from benchkit.report.markdown import verdicts_markdown

        written = verdicts_markdown(assessment.comparisons)
    else:
        from benchkit.report.records import effect_records

        written = effect_records(assessment)
    write(written, form, output)
    reading.explain(results, asked)
    return reading.strictly(results, asked)
