"""The recorded outputs, and by which parsers each is read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file

DATA = Path(__file__).parent / "data"
NO_OUTPUT = {".cjs", ".cmd", ".go", ".java", ".lua", ".md", ".py", ".rc", ".targets"}
RECORDED = [
    path
    for path in sorted(DATA.rglob("*"))
    if path.is_file()
    and path.suffix not in NO_OUTPUT
    and not path.name.startswith(".")
    and path.name != "post-body.json"
]


def parsers_of(path: Path) -> tuple[str, ...]:
    """Return the parsers that read something in a file, or refuse it, by name."""
    return _names(path)[0]


def formats_in(path: Path) -> tuple[str, ...]:
    """Return the formats of the runs in a file, sorted."""
    return _names(path)[1]


@cache
def _names(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    outcome = read_file(Input(str(path), path.name, path.name))
    form = outcome.format
    return (
        tuple(form.split(", ")) if form else (),
        tuple(sorted({run.parser.name for run in outcome.runs})),
    )
