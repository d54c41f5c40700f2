"""The strip that says what the colours of cells mean."""

import math

import pytest

from benchkit.figures.chart import Chart, DataTable
from benchkit.figures.colourkey import count_key, count_shade, ratio_key, ratio_limit
from benchkit.figures.inline_svg import inline_svg


def test_ticks_stand_where_a_cell_of_that_count_has_its_colour() -> None:
    panel = count_key(5000, "Requests", beside=200)
    assert [text for _, text in panel.x.ticks] == ["1", "10", "100", "1,000", "5,000"]
    assert panel.cells is not None
    for anchor, text in panel.x.ticks:
        count = int(text.replace(",", ""))
        assert anchor == pytest.approx(math.log1p(count) / math.log1p(5000))
    for (left, right), value in zip(
        zip(panel.cells.xs, panel.cells.xs[1:], strict=False), panel.cells.values[0], strict=True
    ):
        assert value is not None
        assert left < value < right


@pytest.mark.parametrize(
    ("most", "texts"),
    [
        (1, ["1"]),
        (3, ["1", "2", "3"]),
        (8, ["1", "2", "5", "8"]),
        (95, ["1", "10", "95"]),
        (1100, ["1", "10", "100", "1,100"]),
        (10**9, ["1", "100", "10,000", "1,000,000", "1,000,000,000"]),
    ],
)
def test_the_most_is_named_in_any_case(most: int, texts: list[str]) -> None:
    panel = count_key(most, "Requests", beside=200)
    assert [text for _, text in panel.x.ticks] == texts


def test_a_ratio_is_as_far_from_the_baseline_both_ways() -> None:
    panel = ratio_key(16.0, "Times better or worse", beside=100)
    assert panel.x.ticks == ((0, "16×"), (0.25, "4.0×"), (0.5, "1×"), (0.75, "4.0×"), (1, "16×"))
    assert panel.cells is not None
    assert panel.cells.scale == "ratio"


@pytest.mark.parametrize("most", range(2, 7))
def test_few_counts_have_a_block_and_a_colour_each(most: int) -> None:
    """Once 3 and 4 of 5 shared a block of the page, whose bounds fitted no count."""
    panel = count_key(most, "Requests", beside=200)
    assert panel.cells is not None
    alone = Chart("", "", "", (panel,), DataTable((), ()), height=100)
    blocks = list(zip(panel.cells.xs, panel.cells.xs[1:], strict=False))
    assert [(low + high) / 2 for low, high in blocks] == [at for at, _ in panel.x.ticks]
    assert [text for _, text in panel.x.ticks] == [str(n) for n in range(1, most + 1)]
    assert panel.cells.values[0] == tuple(count_shade(n, most) for n in range(1, most + 1))
    assert inline_svg(alone).count("stroke-width") == most


@pytest.mark.parametrize(
    ("largest", "end"),
    [
        (1.0, 1.25),
        (1.3, 1.5),
        (1.6, 2),
        (4.0, 5),
        (10.0, 10),
        (math.exp(math.log(10)), 10),
        (70, 100),
    ],
)
def test_a_scale_of_ratios_ends_at_the_next_round_ratio(largest: float, end: float) -> None:
    assert ratio_limit(largest) == pytest.approx(end)
