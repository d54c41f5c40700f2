"""`benchkit show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import Written, styled, width, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchkit.model.comparison import Comparison


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
        from benchkit.compare.assess import Options, assess
        from benchkit.report.asked import check

    check(percentile or (), sort)
    limits = Options(margin=options.share("--margin", margin), looks=looks)
    results = reading.read(paths, asked)
    comparisons = assess(results, baseline=baseline, options=limits).comparisons
    write(_written(comparisons, form, percentile or (), sort), form)
    reading.explain(results, asked)
    return reading.strictly(results, asked)


def _written(
    comparisons: Sequence[Comparison],
    form: options.Format,
    percentiles: Sequence[float],
    sort: str | None,
) -> Written:
    if form is options.Format.TABLE:
        from benchkit.report.terminal import render

        columns, colour = width(), styled()
        return render(comparisons, width=columns, colour=colour, percentiles=percentiles, sort=sort)
    if form is options.Format.MARKDOWN:
        from benchkit.report.markdown import markdown

        return markdown(comparisons, percentiles=percentiles, sort=sort)
    from benchkit.report.records import variant_records

    return variant_records(comparisons, percentiles=percentiles, sort=sort)
