"""How often Python looks for garbage while files are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from benchkit.runtime.interpreter import rare_collections


@pytest.fixture(autouse=True)
def _thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_is_as_before_when_the_last_reading_ends() -> None:
    gc.set_threshold(700, 10, 10)
    with rare_collections():
        with rare_collections():
            assert gc.get_threshold() == (200_000, 10, 10)
        assert gc.get_threshold() == (200_000, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("first", [0, 1_000_000])
def test_leaves_alone_what_somebody_has_made_rare_or_switched_off(first: int) -> None:
    gc.set_threshold(first, 10, 10)
    with rare_collections():
        assert gc.get_threshold()[0] == first
