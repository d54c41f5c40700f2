"""Half-written files: what is left of an output is not taken for that of another tool.

What its own parser makes of the rest is checked in tests/testing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchkit import registry
from benchkit.errors import InputError
from benchkit.ingest.read import read_items
from benchkit.ingest.sources import in_memory
from benchkit.text import decode
from tests.outputs import DATA, RECORDED, parsers_of

CUTS = 8
#: wrk2 prints the report of wrk; what is its own comes later.
ALIKE = {"wrk2-text": {"wrk-text"}}
TEXTS = [path for path in RECORDED if path.suffix not in {".bin", ".db", ".gob", ".gz"}]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(DATA).as_posix())
def test_a_cut_text_is_read_by_no_other_parser(path: Path) -> None:
    content = path.read_bytes()
    assert decode(content[:4096]) is not None, "not a text"
    lines = content.splitlines(keepends=True)
    own = set(parsers_of(path)).union(*(ALIKE.get(name, set()) for name in parsers_of(path)))
    for count in range(1, len(lines), max(len(lines) // CUTS, 1)):
        opened = in_memory(b"".join(lines[:count]), path.name)
        try:
            items = read_items(opened, registry.parsers()).items
        except InputError:
            continue
        read = {parser.name for parser, result, _ in items if not isinstance(result, InputError)}
        assert read <= own, f"cut behind line {count}"
