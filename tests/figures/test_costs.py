from collections.abc import Callable

import pytest

from benchkit.api import Results
from benchkit.figures import Chart, chart
from tests.figures.changes import without_samples
from tests.figures.charts import compared

Make = Callable[..., Results]


def costs(results: Results) -> Chart | None:
    return chart(compared(results), "costs")


def test_what_a_level_used_stands_over_its_throughput(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    assert made is not None
    assert [panel.title.partition(",")[0] for panel in made.panels] == [
        "Processors that the server kept busy",
        "Largest memory of the server",
    ]
    for number, panel in enumerate(made.panels):
        for series in panel.series:
            mine = [cells for name, cells in made.table.rows if name == series.name]
            assert [cells[1][1] for cells in mine] == pytest.approx(series.xs)
            assert [cells[2 + number][1] for cells in mine] == pytest.approx(series.ys)
            levels = [note.text for note in panel.notes if not note.bold]
            assert {"10", "50", "100", "200"} >= {*levels} != set()


def test_the_title_is_a_difference_at_equal_throughput(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    assert made is not None
    assert made.title == "Peak memory at equal throughput with b against a: +25\u00a0%"


def test_without_samples_of_a_server_there_is_no_figure(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0)})
    assert costs(without_samples(results, lambda _run, _sample: True)) is None
