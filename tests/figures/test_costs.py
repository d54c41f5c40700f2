import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from benchkit import format as show
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
        for series in (s for s in panel.series if s.in_table):
            mine = [cells for name, cells in made.table.rows if name == series.name]
            assert [cells[1][1] for cells in mine] == pytest.approx(series.xs)
            assert [cells[2 + number][1] for cells in mine] == pytest.approx(series.ys)
            levels = [note.text for note in panel.notes if not note.bold]
            assert {"10", "50", "100", "200"} >= {*levels} != set()


def test_the_title_is_a_difference_at_equal_throughput(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    assert made is not None
    assert made.title == "Peak memory at equal throughput with b against a: +25\u00a0%"


def test_lines_pass_through_what_is_said_at_equal_throughput(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200)))
    assert made is not None
    memory = made.panels[-1]
    marks = {s.name: s.points[0] for s in memory.series if not s.filled}
    paths = {s.name: s.points for s in memory.series if s.line}
    assert made.title.endswith(f"with b against a: {show.change(marks['b'][1] / marks['a'][1])}")
    for name, (rate, value) in marks.items():
        pairs = pairwise(paths[name])
        low, high = next((a, b) for a, b in pairs if a[0] <= rate <= b[0])
        assert low[1] <= value <= high[1]
        straight = low[1] + (high[1] - low[1]) * (rate - low[0]) / (high[0] - low[0])
        assert straight == pytest.approx(value, rel=0.02)
    assert "on the way from concurrency 10 to 100, memory was about" in made.caption
    assert made.caption.endswith("Open marks are these.")


def test_what_is_said_at_equal_throughput_follows_from_the_medians_drawn(
    sweep_results: Make,
) -> None:
    """Whatever single repetitions would say: a reader sees the medians alone."""
    results = sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200), spread=0.2)
    made = costs(results)
    assert made is not None
    memory = made.panels[-1]
    paths = {s.name: s.points for s in memory.series if s.line}
    marks = {s.name: s.points[0] for s in memory.series if not s.filled}
    for name, (rate, value) in marks.items():
        (x, y), (to_x, to_y) = next((a, b) for a, b in pairwise(paths[name]) if b[0] >= rate)
        share = math.log(rate / x) / math.log(to_x / x)
        assert value == pytest.approx(y * (to_y / y) ** share)
        assert f"{show.size(value)} with {name}" in made.caption
    assert "interpolated from the medians" in made.caption


def test_without_samples_of_a_server_there_is_no_figure(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0)})
    assert costs(without_samples(results, lambda _run, _sample: True)) is None
