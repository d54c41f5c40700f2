"""What the runs' order in time, and the generator's loop, allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchkit.compare.design import interleaved, is_paced
from benchkit.model.run import Run
from benchkit.schema import RUNS
from tests.compare.runs import run

BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")


def runs(order: str, *, apart_s: int = 10) -> tuple[list[Run], list[Run]]:
    """Runs of a and b in an order such as "a1 b1 b2 a2", ten seconds apart."""
    made = [
        Run(
            RUNS.record(
                run(
                    n,
                    variant=name[0],
                    repeat=int(name[1:]) if name[1:] else None,
                    started_at=BEGAN + np.timedelta64(apart_s * n, "s"),
                )
            )
        )
        for n, name in enumerate(order.split())
    ]
    return [r for r in made if r.variant == "a"], [r for r in made if r.variant == "b"]


@pytest.mark.parametrize("order", ["a1 b1 a2 b2 a3 b3", "a1 b1 b2 a2 a3 b3", "b2 a2 a1 b1"])
def test_blocks_of_one_run_each_are_pairs(order: str) -> None:
    assert interleaved(*runs(order))


@pytest.mark.parametrize(
    "order",
    [
        "a1 a2 b1 b2",  # one after the other
        "a1 b2 a2 b1",  # the repeats say otherwise
        "a1 b1 a2",  # one without a partner
        "a1 b1 a1 b1",  # which is which
        "a b a b",  # no repeats
    ],
)
def test_others_are_none(order: str) -> None:
    assert not interleaved(*runs(order))


def test_without_times_that_tell_runs_apart_nothing_is_a_pair() -> None:
    assert not interleaved(*runs("a1 b1 a2 b2", apart_s=0))
    timeless = [[r.with_columns(started_at=None) for r in side] for side in runs("a1 b1 a2 b2")]
    assert not interleaved(*timeless)


class TestPaced:
    @staticmethod
    def paced(rates: list[float], **columns: Any) -> bool:  # noqa: ANN401 - cells of any kind
        return is_paced(
            [Run(RUNS.record(run(n, throughput_rps=r, **columns))) for n, r in enumerate(rates)]
        )

    def test_an_open_loop_and_a_rate_that_was_asked_for_are(self) -> None:
        assert self.paced([100, 200], load_model="open")
        assert self.paced([100, 200], load_model="closed", offered_rate_rps=300.0)

    def test_a_closed_loop_is_not_however_even(self) -> None:
        assert not self.paced([100.0, 100.0, 100.0, 100.0], load_model="closed")

    def test_where_nobody_says_an_even_rate_is_one_that_was_set(self) -> None:
        assert self.paced([299.7, 299.7, 299.6, 299.9], load_model=None, connections=8)
        assert not self.paced([299.7, 299.7, 299.6, 301.0], load_model=None, connections=8)
        assert not self.paced([299.7, 299.7, 299.6], load_model=None, connections=8)

    def test_so_is_that_of_a_tool_that_sends_at_a_rate_by_itself(self) -> None:
        assert self.paced([100, 200], load_model=None, tool="vegeta")
        assert not self.paced([100, 200], load_model="closed", tool="vegeta")
        assert not self.paced([100, 200], load_model=None, tool="wrk")
