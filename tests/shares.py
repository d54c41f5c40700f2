"""What is too much for every run of the tests: a share of it, always the same, or all."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

#: Set to `all`, no test leaves anything out: an hour instead of minutes.
WHOLE: Final = os.environ.get("BENCHKIT_TESTS") == "all"


def share(items: Sequence[Item], most: int, *, seed: int = 1) -> Sequence[Item]:
    """Return at most so many items, in their order: drawn at random but always the same."""
    if WHOLE or len(items) <= most:
        return items
    drawn = random.Random(seed)  # noqa: S311 - no secret
    return [items[at] for at in sorted(drawn.sample(range(len(items)), most))]
