"""What `show` and `compare` say, to standard output or to a file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchkit.cli.console import say, say_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from benchkit.cli.options import Format

#: Text, or records for JSON and CSV.
Written = str | Sequence[Mapping[str, Any]]


def write(written: Written, form: Format, output: Path | None = None) -> None:
    """Write text as it is, and records in the format that was asked for."""
    if isinstance(written, str) and output is None:
        say(written)
        return
    data = written.encode() if isinstance(written, str) else _encoded(written, form)
    if output is None:
        say_bytes(data)
        return
    from benchkit.output import whole_file

    with whole_file(output) as file:
        file.write(data)


def _encoded(records: Sequence[Mapping[str, Any]], form: Format) -> bytes:
    from benchkit.export import write_records

    out = io.BytesIO()
    write_records([dict(record) for record in records], form=form.value, to=out)
    return out.getvalue()
