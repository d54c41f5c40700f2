"""What figures of the samples say of what stands in them."""

import re
from functools import cache

import pytest
from matplotlib.text import Annotation, Text

from benchkit.figures import chart, charts, charts_of_page
from benchkit.figures.chart import Axis, Chart
from benchkit.figures.inline_svg import inline_svg
from benchkit.figures.interactive import plotly_figure
from benchkit.figures.kinds.sweep import sweep
from benchkit.figures.static import matplotlib_figure, settle
from benchkit.figures.words import highest_first
from benchkit.model.comparison import Comparison
from tests.figures.charts import is_bar
from tests.recorded import assessed


@cache
def comparisons(scenario: str) -> list[Comparison]:
    return list(assessed(scenario).comparisons)


def figure(comparison: Comparison, kind: str) -> Chart:
    made = chart(comparison, kind)
    assert made is not None
    return made


def test_a_page_says_what_the_numbers_in_a_figure_stand_for() -> None:
    _, unbounded = comparisons("request-coalescing")
    _, others = charts_of_page(unbounded)
    (rates,) = [made for made in others if made.kind == "throughput"]
    labels = [label for series in rates.panels[0].series for label in series.labels]
    marks = ["".join(filter("①②③④⑤⑥⑦⑧⑨".__contains__, label)) for label in labels]
    # Those that the table has at names, too; those beside the grade are of every variant.
    assert list(filter(None, marks)) == ["⑤⑥", "②③④"]
    plain = rates.caption.replace("\xa0", " ")
    assert "Of every variant: ① Failures differ between variants." in rates.caption
    assert "④ Over 1 % of the requests failed in 3 of 8 runs of “without”." in plain
    bounded, *_ = comparisons("request-coalescing")
    _, others = charts_of_page(bounded)
    (rates,) = [made for made in others if made.kind == "throughput"]
    plain = rates.caption.replace("\xa0", " ")
    assert "① One slow request sets the throughput in 2 of 8 runs of “with”. ② Some" in plain
    assert plain.endswith(
        "in 1 of 8 runs of “with”. Of every variant: ④ Measured for a short time."
    )


def test_a_finding_of_all_latencies_stands_at_both_lines_of_a_variant() -> None:
    _, closing, _ = comparisons("proxy-http-impl")
    latency = figure(closing, "sweep").panels[1]
    names = [note.text for note in latency.notes if "fasthttp" in note.text]
    assert names == ["fasthttp p99 ①", "fasthttp p50 ①"]


def test_a_panel_of_a_level_tells_of_both_variants_also_where_it_is_narrow() -> None:
    """Once the baseline gave way on a phone: half a comparison."""
    keepalive, *_ = comparisons("proxy-http-impl")
    panel = figure(keepalive, "percentiles").panels[0]
    ends = [ending.replace("\xa0", " ") for ending in panel.endings]
    assert ends == [
        ": p99 0.185 ms (fasthttp), 0.224 ms (nethttp)",
        ": p99 0.224 and 0.185 ms",
        "",
    ]
    assert panel.title == f"Concurrency 1{panel.endings[0]}"


def test_why_all_lines_end_early_is_told_once() -> None:
    """Once it was marked at the name of each of three lines."""
    _, file, _ = comparisons("gin-panic")
    main, _ = charts_of_page(file)
    assert main is not None
    caption = main.caption.replace("\xa0", " ")
    every = "① Over 1 % of the requests failed. ② Too few requests for the percentiles withheld."
    assert f"Of every variant: {every}" in caption
    assert {note.text for note in main.panels[0].notes if note.bold} == {
        "default",
        "nolog",
        "recover",
    }


def test_two_values_of_a_narrow_panel_stand_as_their_lines_do() -> None:
    assert highest_first([0.260, 0.3114], "{:.3g}\xa0ms".format) == "0.311 and 0.260\xa0ms"
    assert highest_first([0.5, 0.5], "{:.3g}\xa0ms".format) == "0.5\xa0ms"


def test_an_outline_that_ends_beside_the_slowest_requests_says_so() -> None:
    (servers,) = comparisons("quickstart")
    caption = figure(servers, "ridges").caption
    ending = "The outline of blocking ends where latencies are withheld, right before the slowest."
    assert ending in caption


def test_ratios_that_only_rounding_tells_apart_are_told_as_one() -> None:
    console, *_ = comparisons("gin-panic")
    made = figure(console, "ridges")
    assert made.title == "Shape of the latencies: p95 was about 1.44× the p50"
    assert "Outlines end where latencies are withheld." in made.caption


def test_a_change_is_led_to_its_mark_where_it_stands_away_from_it() -> None:
    """Below its bar, or above a peak beside it: without a line it would be read off there."""
    *_, null = comparisons("gin-panic")
    made = figure(null, "percentiles")
    (change,) = [note for note in made.panels[1].notes if not note.bold]
    assert (change.text.replace("\u00a0", " "), change.led) == ("p50 −13 %", True)
    svg = inline_svg(made)
    assert f'd="M0 3L0 {change.dy - 7:g}"' in svg
    (drawn,) = [
        text
        for ax in matplotlib_figure([made]).get_axes()
        for text in ax.texts
        if text.get_text() == change.text
    ]
    assert isinstance(drawn, Annotation)
    assert drawn.arrow_patch is not None
    notes = plotly_figure(made)["layout"]["annotations"]
    (led,) = [note for note in notes if note["text"] == change.text]
    assert (led["showarrow"], led["ay"]) == (True, change.dy)


def test_lines_that_lie_on_each_other_have_one_name() -> None:
    written, *_ = comparisons("logging-cost")
    cores, memory = figure(written, "resources").panels
    assert len(cores.notes) == 4
    assert [note.text for note in memory.notes] == ["all 4"]
    *_, unlogged = comparisons("gin-panic")
    (memory,) = figure(unlogged, "resources").panels
    assert [note.text for note in memory.notes] == ["default and nolog", "recover"]


def test_no_percentile_with_a_line_loses_its_word_where_a_figure_is_narrow() -> None:
    """Once the caption told of intervals at p95 and p99.9 and neither was seen on a phone."""
    for name in ("gateways", "request-coalescing", "logging-cost"):
        made = figure(comparisons(name)[0], "percentiles")
        words = re.findall(r'<text(?: class="([^"]*)")? x="[^"]*">(p[0-9.]+)<', inline_svg(made))
        assert {word for _, word in words} == {
            text for _, text in made.panels[0].x.ticks if text != "max"
        }
        assert {*" ".join(classes for classes, _ in words).split()} <= {"vd", "ud", "wd"}


def test_zeros_of_endpoints_stand_below_each_other() -> None:
    console, *_ = comparisons("gin-panic")
    latencies, failures = figure(console, "endpoints").panels

    def zero(axis: Axis) -> float:
        return -axis.low / (axis.last - axis.low)

    assert zero(latencies.x) == pytest.approx(zero(failures.x)) == pytest.approx(0.02 / 1.02)


def test_dots_of_ratios_stand_on_their_lines_and_bars_beside_them() -> None:
    written, *_ = comparisons("logging-cost")
    _, ratios = figure(written, "percentiles").panels
    bars = [s for s in ratios.series if is_bar(s)]
    lines = {s.name: dict(s.points) for s in ratios.series if s.line == 2 and s not in bars}
    dots = [s for s in ratios.series if s.marker == 4]
    assert len(dots) == len(lines) == 3
    for each in dots:
        assert all(lines[each.name][x] == y for x, y in each.points)
    beside = {x for bar in bars for x in bar.xs} - {x for each in dots for x in each.xs}
    assert len(beside) == 3 * len({x for each in dots for x in each.xs})


def test_humps_that_single_runs_have_are_no_runs() -> None:
    console, *_ = comparisons("gin-panic")  # two endpoints
    assert "hump" not in figure(console, "ridges").caption


def test_values_in_two_units_stand_beside_an_axis_in_both() -> None:
    to_file, _ = comparisons("logging-cost")
    ticks = [text.replace("\u00a0", " ") for _, text in figure(to_file, "ridges").panels[0].x.ticks]
    assert ticks == ["30 µs", "100 µs", "300 µs", "1 ms", "3 ms", "10 ms"]


def test_what_qualifies_a_throughput_is_marked_at_the_line_of_a_sweep() -> None:
    slow = comparisons("proxy-http-impl")[-1]
    made = figure(slow, "sweep")
    assert [note.text for note in made.panels[0].notes if note.bold] == ["nethttp", "fasthttp"]
    assert "①" not in "".join(note.text for note in made.panels[1].notes)
    marks = [(note.x, note.text, note.role) for note in made.panels[0].notes if not note.bold]
    nethttp, fasthttp = (note.role for note in made.panels[0].notes if note.bold)
    # At the levels they hold for, in the colour of the line.
    assert marks == [(2000.0, "①②", nethttp), (1000.0, "①", fasthttp), (2000.0, "①②", fasthttp)]
    costs = figure(slow, "costs").panels[0].notes
    assert {note.text for note in costs if note.bold} == {"nethttp", "fasthttp"}
    levels = [note.text for note in costs if not note.bold]
    assert levels == ["500", "1000", "2000 ①②", "500", "1000 ①", "2000 ①②"]


def test_names_of_latencies_have_the_numbers_of_what_qualifies_these() -> None:
    (gateways,) = comparisons("gateways")
    names = [note.text for note in figure(gateways, "percentiles").panels[0].notes if note.bold]
    assert names == ["finagle-stand-in ②", "none", "spring-cloud-gateway ②", "zuul ②"]
    quick, *_ = comparisons("proxy-http-impl")
    levels = [[n.text for n in panel.notes] for panel in figure(quick, "percentiles").panels]
    marked, fasthttp = ["nethttp ①", "fasthttp ①"], ["nethttp", "fasthttp ①"]
    assert levels == [["nethttp", "fasthttp"], marked, fasthttp, fasthttp]


def test_a_figure_of_several_settings_has_no_numbers_which_are_of_one() -> None:
    (matrix,) = charts(comparisons("gin-panic"), "matrix")
    assert not any("①" <= letter <= "⑳" for letter in matrix.caption)


def test_in_an_image_no_word_is_cut_or_lies_on_a_heading() -> None:
    """Nor does a bar go beyond its ends, as it would with caps."""
    made = [*charts(comparisons("gin-panic"), "throughput")]
    made += charts(comparisons("logging-cost"), "percentiles")
    drawn = matplotlib_figure(made)
    settle(drawn, dpi=150)
    drawn.draw_without_rendering()
    width, _ = drawn.canvas.get_width_height()
    for ax in drawn.get_axes():
        texts = [part for part in ax.get_children() if isinstance(part, Text) and part.get_text()]
        extents = {text: Text.get_window_extent(text) for text in texts}
        assert max(extent.x1 for extent in extents.values()) <= width
        (heading,) = [text for text in texts if text.get_text() == ax.get_title(loc="left")]
        assert not any(extents[heading].overlaps(extents[word]) for word in ax.texts)
        assert {str(line.get_solid_capstyle()) for line in ax.lines} <= {"butt"}


def test_numbers_at_marks_stand_away_from_the_other_line() -> None:
    quick, *_ = comparisons("proxy-http-impl")
    throughput, latency = figure(quick, "sweep").panels[:2]
    latencies = sweep(quick, shows=lambda name: name == "p99")
    assert latencies is not None
    (alone,) = latencies.panels
    nethttp = next(note.role for note in throughput.notes if note.text == "nethttp")
    for panel, below in ((throughput, True), (alone, False)):
        shifts = {(note.role == nethttp, note.dy > 0) for note in panel.notes if not note.bold}
        assert shifts == {(True, below), (False, not below)}
    # What stands at a level of the first panel is of the whole level.
    assert all(note.bold for note in latency.notes)


def test_of_an_endpoint_the_range_over_runs_is_drawn() -> None:
    console, *_ = comparisons("gin-panic")
    made = figure(console, "endpoints")
    bars = [series.xs for series in made.panels[0].series if series.faint]
    assert len(bars) == 4  # of two endpoints with two variants
    assert all(low < high for low, high in bars)
    assert "bars below them their range" in made.caption
