"""When two figures are the same, given how each is known."""

from __future__ import annotations

import pytest

from benchkit.ingest.precision import Known, agree, apart, printed_step


@pytest.mark.parametrize(
    ("value", "step"),
    [
        (2.61, 1e-2),
        (0.002611, 1e-6),
        (2610.867 / 1e6, 1e-9),  # 0.0026108670000000002
        (0.1 + 0.2, 1e-3),  # three digits at the least
        (5213696.0, 1.0),
        (3770000.0, 1e4),
        (0.0, 0.0),
    ],
)
def test_the_step_to_which_a_figure_was_printed(value: float, step: float) -> None:
    assert printed_step(value) == pytest.approx(step)


def test_what_is_rounded_agrees_with_what_it_was() -> None:
    assert agree(Known(0.002611, 5e-7), Known(0.0026108665))
    assert not agree(Known(0.002611, 5e-7), Known(0.0026101))


def test_another_way_to_measure_goes_one_way_only() -> None:
    """A run of 10.6 s that waited 0.6 s for its last answer may be a schedule of 10 s."""
    rows = Known(10.6, below=0.6)
    assert agree(rows, Known(10.0))
    assert agree(Known(10.0), rows)
    assert not agree(rows, Known(10.7))
    assert not agree(Known(10.7), rows)


def test_what_agrees_to_the_digit_tells_more_than_what_may_be_apart() -> None:
    rows = Known(10.6, half=5e-7, below=0.6)
    assert apart(rows, Known(10.6)) == 5e-7
    assert apart(rows, Known(10.2)) == 0.6
