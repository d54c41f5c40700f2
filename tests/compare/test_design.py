"""What the runs' order in time, and the generator's loop, allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchkit.compare.design import (
    by_id,
    by_repeat,
    interleaved,
    pairs_of,
    ratio_over_pairs,
)
from benchkit.model.load import is_paced
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
        "a1 b1 a2 b",  # one without a repeat
        "a1 b1 b1 a2",  # a repeat twice on one side
        "a1 a2 b2 b1",  # the second and third would be a pair
    ],
)
def test_others_are_none(order: str) -> None:
    assert not interleaved(*runs(order))


def test_without_times_that_tell_runs_apart_nothing_is_a_pair() -> None:
    assert not interleaved(*runs("a1 b1 a2 b2", apart_s=0))
    timeless = [[r.with_columns(started_at=None) for r in side] for side in runs("a1 b1 a2 b2")]
    assert not interleaved(*timeless)


def test_one_run_without_a_time_or_at_the_time_of_another_leaves_no_pairs() -> None:
    a, b = runs("a1 b1 a2 b2")
    assert not interleaved(a, [b[0], b[1].with_columns(started_at=None)])
    assert not interleaved(a, [b[0], b[1].with_columns(started_at=a[0].get("started_at"))])


class TestRatioOverPairs:
    @staticmethod
    def ratio(order: str, a: list[float], b: list[float]) -> float | None:
        """The ratio of values by repeat, whatever the order in which the runs are listed."""
        first, second = (side[::-1] for side in runs(order))
        pairs = pairs_of(first, second)
        values = [(a[x.get("repeat") - 1], b[y.get("repeat") - 1]) for x, y in pairs]
        return ratio_over_pairs(values)

    def test_it_is_the_centre_of_the_ratios_of_pairs(self) -> None:
        assert self.ratio("a1 b1 b2 a2", [0.2, 10], [0.4, 80]) == pytest.approx(4)  # of 2 and 8

    def test_without_pairs_there_is_none(self) -> None:
        assert self.ratio("a1 a2 b1 b2", [1, 10], [2, 20]) is None

    @pytest.mark.parametrize("zero", ["a", "b"])
    def test_where_a_run_has_0_there_is_none(self, zero: str) -> None:
        sides = {"a": [1.0, 10.0], "b": [2.0, 20.0]}
        sides[zero][1] = 0.0
        assert self.ratio("a1 b1 a2 b2", sides["a"], sides["b"]) is None


def test_runs_in_the_order_of_their_repeats_and_of_their_names() -> None:
    a, _ = runs("a3 a1 b1 a2")
    assert [r.get("repeat") for r in by_repeat(a)] == [1, 2, 3]
    assert [r.run_id for r in by_id(a[::-1])] == ["r0", "r1", "r3"]


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

    def test_that_is_one_to_a_fifth_of_a_per_cent(self) -> None:
        assert self.paced([1000, 1000, 1000, 1002], load_model=None)
        assert not self.paced([1000, 1000, 1000, 1002.1], load_model=None)

    def test_runs_without_a_rate_are_no_even_rates(self) -> None:
        unknown: list[Any] = [None, None, 1000, 1000, 1000]
        assert not self.paced(unknown, load_model=None)
        assert self.paced([*unknown, 1000], load_model=None)
        assert not self.paced([0, 0, 0, 0], load_model=None)

    def test_one_run_that_says_how_its_loop_was_speaks_for_all(self) -> None:
        even = [Run(RUNS.record(run(n, throughput_rps=5.0, load_model=None))) for n in range(4)]
        assert is_paced(even)
        assert not is_paced([even[0].with_columns(load_model="closed"), *even[1:]])
        assert is_paced([even[0].with_columns(load_model="open"), *even[1:]])

    def test_so_is_that_of_a_tool_that_sends_at_a_rate_by_itself(self) -> None:
        assert self.paced([100, 200], load_model=None, tool="vegeta")
        assert not self.paced([100, 200], load_model="closed", tool="vegeta")
        assert not self.paced([100, 200], load_model=None, tool="wrk")
