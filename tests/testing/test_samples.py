"""The beginnings of files that ship with `benchkit.testing` are those of the recorded outputs."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import benchkit.testing
from benchkit import registry
from benchkit.testing.others import SAMPLES, Excerpt, samples
from tests.foreign import KINDS, foreign_files
from tests.outputs import RECORDED, formats_in

if TYPE_CHECKING:
    import pytest

DATA = Path(__file__).parents[1] / "data"
#: Bytes of each, and files of each format.
LONGEST = 4096
EACH = 2


def beginnings() -> Iterator[Excerpt]:
    """Yield the smallest recorded outputs of each format, and files of every other kind."""
    taken = dict.fromkeys((parser.name for parser in registry.bundled()), 0)
    tools = {parser.name: parser.tool for parser in registry.bundled()}
    for path in sorted(RECORDED, key=lambda path: (path.stat().st_size, path.as_posix())):
        for name in formats_in(path):
            if taken[name] < EACH:
                taken[name] += 1
                shown = path.relative_to(DATA).as_posix()
                yield Excerpt(shown, tools[name], name, path.read_bytes()[:LONGEST])
    for name, data in foreign_files(len(KINDS)):
        yield Excerpt(name.rpartition("/")[2], "", "", data[:LONGEST])


def test_the_samples_are_current(request: pytest.FixtureRequest) -> None:
    expected = sorted(beginnings())
    if request.config.getoption("--update-golden"):
        rows = [[*sample[:3], base64.b64encode(sample.data).decode()] for sample in expected]
        packed = gzip.compress(json.dumps(rows, indent=0).encode(), mtime=0)
        (Path(benchkit.testing.__file__).parent / SAMPLES).write_bytes(packed)
        samples.cache_clear()
    assert list(samples()) == expected


def test_they_are_small() -> None:
    packed = Path(benchkit.testing.__file__).parent / SAMPLES
    assert packed.stat().st_size < 250_000
