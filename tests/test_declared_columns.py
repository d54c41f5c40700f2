"""What a parser declares to fill, it fills, in every recorded output; and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchkit import registry
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file

DATA = Path(__file__).parent / "data"
NO_OUTPUT = {".cmd", ".md", ".go", ".lua", ".cjs", ".rc", ".targets"}


RECORDED = [
    path
    for path in sorted(DATA.rglob("*"))
    if path.is_file()
    and path.suffix not in NO_OUTPUT
    and not path.name.startswith(".")
    and path.name != "post-body.json"
]


def runs_in(path: Path) -> list[FileRun]:
    """Return what is found in a file, before anything is merged."""
    return read_file(Input(str(path), path.name, path.name)).runs


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.relative_to(DATA).as_posix())
def test_a_run_fills_what_its_parser_declares_and_nothing_else(path: Path) -> None:
    for run in runs_in(path):
        filled = {name for name, value in run.columns.items() if value is not None}
        parser = run.parser
        allowed = {*parser.fills, *parser.may_fill, *parser.constants}
        assert set(parser.fills) <= filled, f"{parser.name} leaves a column out"
        assert filled <= allowed, f"{parser.name} fills more than it declares"


def test_recorded_outputs_show_most_parsers() -> None:
    shown = {run.parser.name for path in RECORDED for run in runs_in(path)}
    # Forms that pages and old versions have; their own tests have them as texts.
    unrecorded = {"ab-excerpt", "ab-times-table", "hyperfoil-text"}
    assert {parser.name for parser in registry.parsers()} - shown <= unrecorded
