"""`benchkit compare`."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options, reading
from benchkit.cli.console import complain, say, say_bytes, styled, width

if TYPE_CHECKING:
    from pathlib import Path

    from benchkit.compare.rows import Row
    from benchkit.results import Results


def compare(
    paths: options.Paths = None,
    *,
    baseline: options.Baseline = None,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
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
    effect: Annotated[
        str,
        typer.Option(metavar="SHARE", help="The difference that more runs should find."),
    ] = "5%",
    form: options.Form = options.Format.TABLE,
    output: options.Output = None,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """Say which variant is better and how sure that is."""
    with reading.without_idle_threads():
        from benchkit.compare.inference import Options, infer
        from benchkit.compare.measures import measure
        from benchkit.compare.slo import objective

    asked = Options(
        metrics=tuple(measure(name).name for name in metric or ()),
        objectives=tuple(objective(text) for text in slo or ()),
        trim_start_s=_seconds(trim_start) if trim_start else 0.0,
        effect=_share(effect),
    )
    results = reading.read(paths, scenario=scenario, variant=variant, show_secrets=show_secrets)
    rows = infer(results, baseline=baseline, options=asked)
    if not rows:
        from benchkit.versus import NOTHING

        complain(NOTHING)
    _write(results, rows, form, output)
    return reading.strictly(results, strict=strict)


def _write(results: Results, rows: list[Row], form: options.Format, output: Path | None) -> None:
    columns, colour = (100, False) if output else (width(), styled())
    data = _written(results, rows, form, columns=columns, colour=colour)
    if output is not None:
        from benchkit.output import whole_file

        with whole_file(output) as file:
            file.write(data.encode() if isinstance(data, str) else data)
    elif isinstance(data, str):
        say(data)
    else:
        say_bytes(data)


def _written(
    results: Results, rows: list[Row], form: options.Format, *, columns: int, colour: bool
) -> str | bytes:
    if form is options.Format.TABLE or form is options.Format.MARKDOWN:
        from benchkit.versus import markdown, sweep_lines, table

        below = sweep_lines(results)
        if not rows and not below:
            return ""
        if form is options.Format.MARKDOWN:
            return markdown(rows, further=below)
        return table(rows, width=columns, colour=colour, further=below)
    from benchkit.compare.rows import records
    from benchkit.export import write_records

    out = io.BytesIO()
    write_records(records(rows), form=form.value, to=out)
    return out.getvalue()


def _seconds(text: str) -> float:
    from benchkit.errors import UsageError

    match = re.fullmatch(r"\s*(\d*\.?\d+)\s*(ms|s|m|min)?\s*", text)
    if match is None:
        raise UsageError(f"--trim-start {text}: not a time; write for example 5s or 500ms")
    scale = {"ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, None: 1.0}
    return float(match[1]) * scale[match[2]]


def _share(text: str) -> float:
    from benchkit.errors import UsageError

    match = re.fullmatch(r"\s*(\d*\.?\d+)\s*(%?)\s*", text)
    value = float(match[1]) * (0.01 if match[2] else 1.0) if match else 0.0
    if value <= 0:
        raise UsageError(f"--effect {text}: not a difference; write for example 5%")
    return value
