"""How many runs are asked for: worked by hand from the formulas that the module names.

A two-sided t test of `size` deviations finds an effect with `2 (z / size)² / efficiency` runs of
each side, and Guenther's z²/4 more (z²/2 for pairs); the largest of that for the tests, that for
the interval, and the fewest runs whose rarest order is rare enough is what a question needs.
"""

import pytest

from benchkit.stats.power import runs_for_effect, runs_for_same


@pytest.mark.parametrize(
    ("effect", "deviation", "paired", "tests", "alpha", "runs"),
    [
        # tests 18.2, interval of a median 26.9: the interval decides
        (0.05, 0.05, False, 1, 0.05, 27),
        (-0.05, 0.05, False, 1, 0.05, 25),
        # pairs: the interval is as efficient as the test, 19.2
        (0.05, 0.05, True, 1, 0.05, 20),
        # among 24 tests they decide: 36.2, for pairs 38.5
        (0.05, 0.05, False, 24, 0.05, 37),
        (0.05, 0.05, True, 24, 0.05, 39),
        (0.05, 0.02, False, 3, 0.05, 6),
        # where effects are large, the design alone: 5 runs, 6 pairs
        (0.5, 0.02, False, 12, 0.05, 5),
        (0.5, 0.02, True, 12, 0.05, 6),
        # 1 of 2^7 sign patterns is rarer than 1 %, 1 of 2^9 than 0.2 %; 1 of 1,716 splits is too
        (0.5, 0.02, True, 3, 0.01, 8),
        (0.5, 0.02, True, 3, 0.002, 10),
        (0.5, 0.02, False, 3, 0.002, 7),
        # 1 of 126 splits of five against five is rarer than 1 %
        (0.5, 0.02, False, 3, 0.01, 5),
        # a chance of 20 % asks less of the test, 10.7, and nothing less of the interval or a design
        (0.05, 0.05, True, 1, 0.2, 20),
        (0.5, 0.02, True, 1, 0.2, 6),
    ],
)
def test_runs_that_find_an_effect(
    effect: float, deviation: float, *, paired: bool, tests: int, alpha: float, runs: int
) -> None:
    asked = runs_for_effect(effect, deviation=deviation, paired=paired, tests=tests, alpha=alpha)
    assert asked == runs


@pytest.mark.parametrize(
    ("ratio", "deviation", "paired", "variants", "runs"),
    [
        # of a true 1 both bounds may be missed, near a bound that one decides
        (1.0, 0.02, False, 1, 17),
        (1.01, 0.02, False, 1, 27),
        (1 / 1.01, 0.02, False, 1, 27),
        (1.0, 0.02, True, 1, 12),
        (1.01, 0.02, True, 1, 20),
        (1.0, 0.02, False, 2, 17),
        (1.0, 0.02, False, 4, 20),
        # the rarest order among 1, 4 and 10 variants
        (1.0, 0.001, False, 1, 5),
        (1.0, 0.001, True, 1, 6),
        (1.0, 0.005, False, 4, 7),
        (1.0, 0.001, True, 10, 8),
    ],
)
def test_runs_that_show_equality_within_3_per_cent(
    ratio: float, deviation: float, *, paired: bool, variants: int, runs: int
) -> None:
    asked = runs_for_same(ratio, margin=0.03, deviation=deviation, paired=paired, variants=variants)
    assert asked == runs


def test_equality_of_one_variant_is_asked_for_unless_told_otherwise() -> None:
    alone = runs_for_same(1.0, margin=0.03, deviation=0.02, paired=False, variants=1)
    assert runs_for_same(1.0, margin=0.03, deviation=0.02, paired=False) == alone


def test_an_order_exactly_as_rare_as_the_chance_is_rare_enough() -> None:
    same = runs_for_same(1.0, margin=0.5, deviation=0.001, paired=True, alpha=1 / 128)
    assert same == 7  # 2/128 is 1 of the 2^6 patterns of seven


def test_what_no_number_of_runs_can_show() -> None:
    with pytest.raises(ValueError, match=r"^no number of runs finds an effect of 0"):
        runs_for_effect(0.0, deviation=0.02, paired=False, tests=3)
    for ratio, margin in ((1.03, 0.03), (1 / 1.04, 0.03), (2.0, 1.0)):
        with pytest.raises(ValueError, match=r"^no number of runs shows equality of what differs"):
            runs_for_same(ratio, margin=margin, deviation=0.02, paired=False)
