"""`benchkit report`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say
from benchkit.format import escaped
from benchkit.output import whole_file

_PAGE = Path("report.html")

ReportFormat = StrEnum("ReportFormat", "HTML MARKDOWN")
_BY_SUFFIX = {"md": ReportFormat.MARKDOWN, "markdown": ReportFormat.MARKDOWN}


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
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write; else report.html, and Markdown to standard output.",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page.")] = None,
    baseline: options.Baseline = None,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    names: options.Names = None,
    ignore: options.Ignore = None,
    margin: options.Margin = options.MARGIN,
    looks: options.Looks = 1,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """Write one page that compares the runs; it needs no network."""
    with reading.without_idle_threads():
        from benchkit.compare.assess import Options, assess

    limits = Options(margin=options.share("--margin", margin), looks=looks)
    wanted = reading.Asked(scenario, variant, names, ignore)
    form = form or options.by_suffix(output, _BY_SUFFIX, ReportFormat.HTML)
    target = None if form is ReportFormat.MARKDOWN and output is None else output or _PAGE
    results = reading.read(paths, wanted, output=target, show_secrets=show_secrets, hashes=True)
    from benchkit.redaction import redact

    asked = {
        "title": title,
        "baseline": baseline,
        "scenario": scenario,
        "variant": variant,
        "names": names,
        "ignore": ignore,
        "margin": None if margin == options.MARGIN else margin,
        "looks": None if looks == 1 else str(looks),
        "format": None if form is ReportFormat.HTML else form.value,
    }
    command = shlex.join(_again(paths or [], asked))
    if not show_secrets:
        title, command = title and redact(title), redact(command)
    from benchkit.report.build import page_view

    if form is ReportFormat.MARKDOWN:
        from benchkit.report.markdown import document as write
    else:
        from benchkit.report.html import render as write
    page = page_view(
        assess(results, baseline=baseline, options=limits),
        results.sources,
        title=title,
        command=command,
        naming=results.naming,
        drawn=form is ReportFormat.HTML,
    )
    text = write(page)
    if target is None:
        say(text)
        return reading.strictly(results, strict=strict)
    with whole_file(target) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    status = reading.strictly(results, strict=strict)
    say(f"{escaped(str(target))}\n")
    return status


def _again(paths: Sequence[str], asked: Mapping[str, str | Sequence[str] | None]) -> Iterator[str]:
    """Yield the command line that makes the same report."""
    yield from ("benchkit", "report", *paths)
    for name, values in asked.items():
        for value in [values] if isinstance(values, str) else values or ():
            yield from (f"--{name}", value)
