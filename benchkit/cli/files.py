"""`benchkit files`."""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.cli import options, reading
from benchkit.cli.console import aligned, write
from benchkit.format import clean


def files(
    paths: options.Paths = None,
    *,
    form: options.Form = options.Format.TABLE,
    asked: options.Asked,
) -> int:
    """List every file with what became of it."""
    results = reading.read(paths, asked)
    from benchkit.report.records import file_records, file_rows

    records = file_records(results)
    if form in {options.Format.CSV, options.Format.JSON}:
        write(records, form)
    else:
        headings, rows = file_rows(records)
        lines = "".join(f"{clean(line)}\n" for line in results.naming)
        write(f"{lines}{_table(headings, rows, form)}", form)
    return reading.strictly(results, asked)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], form: options.Format) -> str:
    if form is options.Format.MARKDOWN:
        from benchkit.report.markdown import escaped, table

        return table(headings, [[escaped(cell) for cell in row] for row in rows], right=()) + "\n"
    return aligned([headings, *rows])
