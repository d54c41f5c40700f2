"""`benchkit report`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import is_stdout, say, say_where
from benchkit.cli.stored import beside

_PAGE = "report.html"
_LATER = ("benchkit.report.build", "benchkit.report.html")

ReportFormat = StrEnum("ReportFormat", "HTML MARKDOWN")


def report(
    paths: options.Paths = None,
    *,
    form: Annotated[
        ReportFormat | None,
        typer.Option(
            "--format",
            help="A page, or Markdown for a pull request. By default what the name of the file "
            "ends in, or a page.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write, which may be s3://BUCKET/…; else report.html, and Markdown "
            "to standard output.",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page.")] = None,
    baseline: options.Baseline = None,
    margin: options.Margin = options.MARGIN,
    looks: options.Looks = 1,
    each_run: Annotated[
        bool,
        typer.Option(
            "--each-run",
            help="Offer to leave out each run of scenarios of any size; takes longer and makes a "
            "larger page.",
        ),
    ] = False,
    asked: options.Asked,
) -> int:
    """Write one page that compares the runs; it needs no network."""
    with reading.without_idle_threads():
        from benchkit.compare.assess import Options
        from benchkit.report.document import command_of, document, form_of, write

    limits = Options(margin=options.share("--margin", margin), looks=looks)
    form = form or ReportFormat(form_of(output))
    is_shown = is_stdout(output) and (output is not None or form is ReportFormat.MARKDOWN)
    target = None if is_shown else output or _PAGE
    results = reading.read(paths, asked, output=target, hashes=True, later=_LATER)
    words = {
        "title": title,
        "baseline": baseline,
        **asked.of_runs,
        "margin": None if margin == options.MARGIN else margin,
        "looks": None if looks == 1 else str(looks),
        "each-run": each_run,
        "format": None if form is ReportFormat.HTML else form.value,
    }
    results, known = beside(
        results, baseline, asked.variant, output=target, show_secrets=asked.show_secrets
    )
    with reading.making() as progress:
        text = document(
            results,
            form=form.value,
            title=title,
            baseline=known,
            options=limits,
            command=command_of(paths or [], words),
            each_run=each_run,
            show_secrets=asked.show_secrets,
            progress=progress,
        )
    if target is None:
        say(text)
        return reading.strictly(results, asked)
    write(text, target)
    status = reading.strictly(results, asked)
    say_where(target)
    return status
