"""`benchkit show`."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import Written, styled, width, write
from benchkit.cli.stored import beside

_LATER: Final = ("benchkit.compare.assess", "benchkit.report.terminal")


def show(
    paths: options.Paths = None,
    *,
    baseline: options.Baseline = None,
    form: options.Form = options.Format.TABLE,
    sort: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Order by variant, throughput, p99, …, best first."),
    ] = None,
    percentile: options.Percentile = None,
    margin: options.Margin = options.MARGIN,
    looks: options.Looks = 1,
    asked: options.Asked,
) -> int:
    """Compare the runs in the terminal."""
    with reading.without_idle_threads():
        from benchkit.report.asked import check

    table: dict[str, Any] = {"percentiles": percentile or (), "sort": sort}
    check(**table)
    share = options.share("--margin", margin)
    results, known = beside(
        reading.read(paths, asked, later=_LATER),
        baseline,
        asked.variant,
        show_secrets=asked.show_secrets,
    )
    from benchkit.compare.assess import Options, assess

    limits = Options(margin=share, looks=looks)
    comparisons = assess(results, baseline=known, options=limits).comparisons
    written: Written
    if form is options.Format.TABLE:
        from benchkit.report.terminal import render

        written = render(comparisons, width=width(), colour=styled(), **table)
    elif form is options.Format.MARKDOWN:
        from benchkit.report.markdown import markdown

        written = markdown(comparisons, **table)
    else:
        from benchkit.report.records import variant_records

        written = variant_records(comparisons, **table)
    write(written, form)
    reading.explain(results, asked)
    return reading.strictly(results, asked)
