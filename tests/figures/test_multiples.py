"""Many variants: a small panel of each, the baseline in grey behind."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from string import ascii_letters
from typing import Any

import pytest

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.figures import Chart, chart, charts_of_page
from benchkit.figures.drawing import Drawing
from benchkit.figures.inline_svg import inline_svg
from benchkit.figures.interactive import plotly_figure
from benchkit.figures.layout import boxes
from benchkit.figures.look import CONTEXT
from benchkit.figures.scales import percentile_x
from benchkit.figures.static import matplotlib_figure
from tests.figures.changes import Row, with_rows

KINDS = ("percentiles", "ecdf", "histogram")


def known(amount: int, *, levels: bool = False, short: str = "") -> Results:
    """So many variants, each a third slower than the one before, all their requests known.

    With levels they are the levels of two, `a-server` and `b-server`. The run of one may be
    too short.
    """
    runs: list[dict[str, Any]] = []
    histogram: list[dict[str, Any]] = []
    for number in range(amount):
        name = f"{ascii_letters[number]}-server"
        facts = {"run_id": name, "variant": name, "label": name, "scenario": "echo"}
        if levels:
            variant = f"{'ab'[number % 2]}-server"
            facts |= {"variant": variant, "params": json.dumps({"c": 2 ** (number // 2)})}
        where = {"tool": "vegeta", "format": "vegeta-csv", "source": "x", "sha256": "0"}
        figures = {"requests": 1000, "latency_p50_s": 0.001 * 1.3**number}
        figures |= {"duration_s": 0.5 if name == short else 60.0} if short else {}
        runs.append(facts | where | figures)
        for step in range(20):
            low = 0.001 * 1.3**number * 1.2**step
            bounds = {"latency_low_s": low, "latency_high_s": low * 1.001}
            histogram.append({"run_id": name, "outcome": "success", "count": 50} | bounds)
    return Results.from_tables({"runs": runs, "histogram": histogram})


def drawn(amount: int, kind: str, *, levels: bool = False) -> Chart:
    (comparison,) = assess(known(amount, levels=levels)).comparisons
    made = chart(comparison, kind)
    assert made is not None
    return made


@pytest.mark.parametrize(("kind", "most"), [("percentiles", 7), ("ecdf", 7), ("histogram", 3)])
def test_few_variants_share_a_panel(kind: str, most: int) -> None:
    made = drawn(most, kind)
    assert (made.columns, len(made.panels)) == (1, 1)
    assert len({series.name for series in made.panels[0].series}) == most
    assert len(drawn(most + 1, kind).panels) == most


@pytest.mark.parametrize("kind", KINDS)
def test_of_eight_each_has_a_panel_with_the_baseline_behind(kind: str) -> None:
    made = drawn(8, kind)
    assert made.columns == 2
    assert len(made.panels) == 7
    for panel in made.panels:
        own = {series.name for series in panel.series if series.role != CONTEXT}
        behind = {series.name for series in panel.series if series.role == CONTEXT}
        assert behind == {"a-server"}
        assert len(own) == 1
        assert panel.title.startswith(f"{own.pop()[0]}-server: p")
    assert len({panel.title for panel in made.panels}) == 7
    assert len({(panel.x, panel.y) for panel in made.panels}) == 1
    # Once "best first" alone, also where the order of latencies was by throughput.
    assert made.caption.endswith("A panel per variant, by p50, best first; grey is a-server.")


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_has_every_variant(kind: str) -> None:
    made = drawn(9, kind)
    text = repr(made.table)
    assert all(f"{letter}-server" in text for letter in "abcdefghi")


@pytest.mark.parametrize("kind", KINDS)
def test_of_many_variants_the_best_have_a_panel_and_the_table_has_all(kind: str) -> None:
    made = drawn(20, kind)
    assert [panel.title[0] for panel in made.panels] == [*"bcdefghijklm"]
    assert made.caption.endswith("12 of 19 have one, the first; the table below has all.")
    assert "t-server" in repr(made.table)


def test_of_many_levels_some_have_a_panel_from_the_first_to_the_last() -> None:
    made = drawn(40, "percentiles", levels=True)
    levels = [int(panel.title.partition(":")[0].split()[-1]) for panel in made.panels]
    assert (len(levels), levels[0], levels[-1]) == (12, 1, 2**19)
    assert made.caption.endswith("12 of 20 have one, levels evenly apart; the table below has all.")
    assert "c 8" in repr(made.table)


def test_the_numbers_of_findings_in_headings_are_told_in_the_caption() -> None:
    (comparison,) = assess(known(9, short="c-server")).comparisons
    made, _ = charts_of_page(comparison)
    assert made is not None
    headings = [panel.title.partition(":")[0] for panel in made.panels]
    assert headings[:3] == ["b-server", "c-server ①", "d-server"]
    assert (
        " Finding ① Measured for a short time in the only run of c-server."
        in made.caption.replace("\xa0", " ")
    )


def test_few_levels_fill_a_row_each_on_axes_that_span_the_same_factor() -> None:
    made = drawn(10, "percentiles", levels=True)
    assert (made.columns, len(made.panels)) == (1, 5)
    assert len({round(panel.y.high / panel.y.low, 6) for panel in made.panels}) == 1
    for panel in made.panels:
        shares = [panel.y.share(latency) for series in panel.series for latency in series.ys]
        assert min(shares) >= 0
        assert 0.8 < max(shares) - min(shares) < 1
    assert "limits of their own; all span the same factor." in made.caption


def test_a_variant_far_beyond_the_others_leaves_the_axis_and_is_told() -> None:
    def slow(row: Row) -> Row:
        times = 1e4 if row["run_id"] == "i-server" else 1
        return {**row, **{side: times * row[side] for side in ("latency_low_s", "latency_high_s")}}

    (comparison,) = assess(with_rows(known(9), "histogram", slow)).comparisons
    made = chart(comparison, "percentiles")
    assert made is not None
    titles = [panel.title for panel in made.panels]
    assert [title for title in titles if "axis" in title] == [t for t in titles if t[0] == "i"]
    assert next(title for title in titles if title[0] == "i").endswith("above the axis")
    assert made.panels[0].y.high < 1
    for panel in made.panels:
        for series in panel.series:
            assert all(panel.y.low <= latency <= panel.y.high for latency in series.ys)


def test_panels_lie_beside_each_other_and_none_over_another() -> None:
    made = drawn(8, "ecdf")
    placed = list(boxes(made))
    assert [box.outermost for box in placed] == [True, False, True, False, True, False, True]
    assert [box.ticks for box in placed] == [False] * 5 + [True, True]
    for box, other in pairwise(placed):
        assert other.left >= box.right or other.top >= box.bottom
    assert placed[-1].bottom < made.height
    right = placed[1]
    assert right.x(right.panel.x.low) == pytest.approx(right.left)
    assert right.x(right.panel.x.high) == pytest.approx(right.right)


@pytest.mark.parametrize("kind", KINDS)
def test_every_output_draws_them(kind: str) -> None:
    made = drawn(8, kind)
    svg = inline_svg(made)
    axes = matplotlib_figure([made]).axes
    layout = plotly_figure(made)["layout"]
    assert len(axes) == 7
    assert [ax.get_title("left") for ax in axes] == [panel.title for panel in made.panels]
    assert layout["xaxis2"]["domain"][0] > layout["xaxis"]["domain"][1]
    for panel in made.panels:
        assert panel.title in svg
    assert Drawing((made,)).content("svg").startswith(b"<?xml")


def test_what_the_axes_are_of_stands_whole_below_all_panels() -> None:
    svg = inline_svg(drawn(20, "percentiles"))
    assert svg.count("Percentile of the requests") == 1
    assert re.search(r'<text class="m" x="50%" y="\d+">Percentile of the requests</text>', svg)


def test_on_a_small_screen_the_last_percentile_gives_way_to_the_first_of_the_next_panel() -> None:
    made = drawn(20, "percentiles")
    ticks = tuple((percentile_x(q), f"p{100 * q:g}") for q in (0.5, 0.9, 0.99, 0.999))
    x = replace(made.panels[0].x, low=0.2, high=3.1, ticks=ticks)
    svg = inline_svg(replace(made, panels=tuple(replace(panel, x=x) for panel in made.panels)))
    below = re.findall(r"<text([^<>]*)>(p[\d.]+)</text>", svg)
    assert [name for where, name in below if "class" not in where] == ["p50", "p90", "p99"] * 2
    assert [name for where, name in below if "class" in where] == ["p99.9"] * 2


def test_where_all_span_little_more_than_most_none_leaves_the_axis() -> None:
    panels = drawn(9, "percentiles").panels
    assert not any("the axis" in panel.title for panel in panels)


def test_every_line_of_a_panel_has_its_name() -> None:
    """Also those that no colour is left for."""
    (upper, *_) = drawn(7, "percentiles").panels
    names = {note.text for note in upper.notes if note.bold}
    assert len(names) == 7
