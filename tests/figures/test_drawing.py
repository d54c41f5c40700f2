"""What `Results.plot` returns."""

import struct

import pytest

from benchkit.api import Results
from benchkit.errors import UsageError
from benchkit.figures import KINDS
from tests.recorded import example


def test_a_notebook_shows_a_plot_smaller_than_its_pixels(pair: Results) -> None:
    drawn, shown = pair.plot("percentiles")._repr_png_()
    width, height = struct.unpack(">II", drawn[16:24])
    assert 1 < width / int(shown["width"]) < 2
    assert width / height == pytest.approx(int(shown["width"]) / int(shown["height"]), rel=0.01)


def test_who_sees_no_picture_is_told_its_extremes(pair: Results) -> None:
    plot = pair.plot("percentiles")
    assert plot._repr_png_()[1]["alt"] == plot.charts[0].label


def test_a_notebook_shows_the_runs_but_not_hundreds(pair: Results, everything: Results) -> None:
    shown = pair._repr_html_()
    assert f"{len(pair)} runs" in shown
    assert all(label in shown for label in pair.runs["label"])
    assert everything._repr_html_().count("<tr") < 25


def test_a_terminal_shows_its_title(pair: Results) -> None:
    plot = pair.plot("throughput")
    assert plot.charts[0].title in repr(plot)


def test_a_plot_has_its_values_as_a_table(pair: Results) -> None:
    plot = pair.plot("percentiles")
    (table,) = plot.tables()
    assert len(table) == len(plot.charts[0].table.rows) > 0
    assert len(table.columns) == len(plot.charts[0].table.headings)
    (latency,) = (name for name in table.columns if name.startswith("Latency"))
    assert latency.endswith(", s")  # whatever unit the page has
    medians = table[table["Percentile"] == 0.5][latency]
    assert set(medians) == set(pair.runs["latency_p50_s"])


def test_a_column_without_numbers_has_the_words_of_the_page() -> None:
    (table,) = example("quickstart").plot("runs").tables()
    assert sorted(set(table["Run in order"])) == [*range(1, len(table) + 1)]


def test_a_plot_can_be_added_to(pair: Results) -> None:
    figure = pair.plot("percentiles", theme="dark").matplotlib()
    assert figure.axes


def test_the_docstring_names_every_kind() -> None:
    words = (Results.plot.__doc__ or "").replace(",", " ").replace(".", " ").split()
    assert set(KINDS) <= set(words)


def test_no_such_kind_lists_those_there_are(pair: Results) -> None:
    with pytest.raises(UsageError, match="no figure 'pie'; there are percentiles, "):
        pair.plot("pie")
