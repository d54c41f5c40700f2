"""The recorded examples, read once for all tests that look at what is in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from benchkit.api import Results, load
from benchkit.compare.assess import Assessment, assess

EXAMPLES: Final = Path(__file__).parents[1] / "examples" / "results"


@cache
def example(name: str) -> Results:
    """The runs of an example, or of all of them for ""."""
    return load(EXAMPLES / name)


@cache
def assessed(name: str) -> Assessment:
    """What is said of an example, likewise."""
    return assess(example(name))
