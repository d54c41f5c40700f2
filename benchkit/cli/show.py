"""`benchkit show`."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import say, say_bytes, styled, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchkit.assessment import Assessed
    from benchkit.results import Results


def show(
    paths: options.Paths = None,
    *,
    baseline: options.Baseline = None,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    form: options.Form = options.Format.TABLE,
    sort: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Order by variant, throughput, p99, …, best first."),
    ] = None,
    percentile: options.Percentile = None,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """Compare the runs in the terminal."""
    with reading.without_idle_threads():
        from benchkit.sheet import quantile_of, sort_metric, sorted_variants

    for one in percentile or ():
        quantile_of(one)
    if sort and sort not in {"variant", "label"}:
        sort_metric(sort)
    results = reading.read(paths, scenario=scenario, variant=variant, show_secrets=show_secrets)
    from benchkit.assessment import assess

    compared = assess(results, baseline=baseline)
    if sort:
        compared = [replace(one, variants=sorted_variants(one, sort)) for one in compared]
    _write(results, compared, form, percentile or ())
    return reading.strictly(results, strict=strict)


def _write(
    results: Results,
    compared: Sequence[Assessed],
    form: options.Format,
    percentiles: Sequence[float],
) -> None:
    if form is options.Format.TABLE:
        from benchkit.terminal import render

        say(render(results, compared, width=width(), colour=styled(), percentiles=percentiles))
    elif form is options.Format.MARKDOWN:
        from benchkit.markdown import markdown

        say(markdown(results, compared, percentiles=percentiles))
    else:
        from benchkit.export import write_records
        from benchkit.sheet import records

        out = io.BytesIO()
        found = records(results, compared, percentiles=percentiles)
        write_records(found, form=form.value, to=out)
        say_bytes(out.getvalue())
