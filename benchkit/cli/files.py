"""`benchkit files`."""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.cli import options, reading
from benchkit.cli.console import write
from benchkit.format import clean


def files(
    paths: options.Paths = None,
    *,
    scenario: options.Scenario = None,
    variant: options.Variant = None,
    names: options.Names = None,
    ignore: options.Ignore = None,
    form: options.Form = options.Format.TABLE,
    strict: options.Strict = False,
    show_secrets: options.ShowSecrets = False,
) -> int:
    """List every file with what became of it."""
    wanted = reading.Asked(scenario, variant, names, ignore)
    results = reading.read(paths, wanted, show_secrets=show_secrets)
    from benchkit.report.records import file_records, file_rows

    records = file_records(results)
    if form in {options.Format.CSV, options.Format.JSON}:
        write(records, form)
    else:
        headings, rows = file_rows(records)
        lines = "".join(f"{clean(line)}\n" for line in results.naming)
        write(f"{lines}{_table(headings, rows, form)}", form)
    return reading.strictly(results, strict=strict)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], form: options.Format) -> str:
    if form is options.Format.MARKDOWN:
        from benchkit.report.markdown import escaped, table

        return table(headings, [[escaped(cell) for cell in row] for row in rows], right=()) + "\n"
    columns = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(size) for cell, size in zip(row, columns, strict=True)).rstrip()
        for row in (headings, *rows)
    ]
    return "\n".join(lines) + "\n"
