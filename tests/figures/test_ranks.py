"""What figures of the sample results say of several variants that are alike, and their order."""

import pytest

from benchkit.figures import Chart, chart, charts
from benchkit.figures.inline_svg import inline_svg
from benchkit.figures.kinds.runs import _of_first
from benchkit.figures.layout import on_page
from benchkit.figures.scales import percentile_x
from benchkit.model.comparison import Comparison
from benchkit.names import without_marks
from tests.recorded import assessed


@pytest.fixture(scope="module")
def quickstart() -> Comparison:
    (comparison,) = assessed("quickstart").comparisons
    return comparison


def drawn(comparison: Comparison, kind: str) -> Chart:
    made = chart(comparison, kind)
    assert made is not None
    return made


def test_a_title_names_all_whose_change_reads_the_same(quickstart: Comparison) -> None:
    """Once it named one of two with 0.14×, and not the one that leads."""
    assert drawn(quickstart, "percentiles").title.replace("\u00a0", " ") == (
        "Latency by percentile, paired: p99 0.14× with asyncio and threads against blocking"
    )


def test_ridges_stand_in_the_order_of_other_figures(quickstart: Comparison) -> None:
    (panel,) = drawn(quickstart, "ridges").panels
    rows = sorted(((s.low[0], s.name) for s in panel.series if s.in_table), reverse=True)
    assert [name for _, name in rows] == [variant.label for variant in quickstart.variants]


def test_a_peak_that_may_be_chance_is_not_named() -> None:
    """Once a title gave 534 µs as the most frequent, beside a second peak as high near 430."""
    console, *_ = assessed("gin-panic").comparisons
    title = drawn(console, "histogram").title.replace("\u00a0", " ")
    spans = title.removeprefix("The most frequent latencies were ").split(" and ")
    span, nolog = next(span.split(" with ") for span in spans if "nolog" in span)
    low, high = span.removesuffix(" µs").split(" to ")
    assert (float(low) < 430, float(high) > 534) == (True, True), nolog


def test_what_is_of_runs_put_together_is_called_so() -> None:
    """Once a title had 15.5 ms beside the 16.1 ms of the tables, and 0.0200 ms of a clock of µs."""
    (gateways,) = assessed("gateways").comparisons
    assert drawn(gateways, "ecdf").title.replace("\u00a0", " ") == (
        "Runs pooled, half of the requests ended within 0.020 ms (“none”) to "
        "15.5 ms (spring-cloud-gateway)"
    )


def test_latencies_that_are_frequent_are_those_of_variants() -> None:
    bounded, _ = assessed("request-coalescing").comparisons
    assert drawn(bounded, "histogram").title.replace("\u00a0", " ") == (
        "The most frequent latencies were 52 to 63 ms with “with” and 66 to 69 ms with “without”"
    )


def test_a_name_stands_beside_its_own_line() -> None:
    """Once "nolog" stood right of the line of another, which lay between it and its own."""
    *_, null = assessed("gin-panic").comparisons
    (panel,) = drawn(null, "ecdf").panels
    names = sorted(without_marks(note.text) for note in panel.notes)
    assert names == ["default", "nolog", "recover"]
    lines = [series for series in panel.series if series.in_table]
    assert {note.x for note in panel.notes} == {panel.x.last}
    assert max(x for line in lines for x in line.xs) <= panel.x.last


def test_a_throughput_is_compared_with_that_at_its_own_level() -> None:
    """Once its change was against “its baseline”."""
    first, *_ = assessed("proxy-http-impl").comparisons
    (panel,) = drawn(first, "throughput").panels
    assert panel.title.endswith("its ratio to nethttp at the same concurrency, paired")


def test_a_title_compares_costs_at_one_level() -> None:
    """Once the least of one at 100 connections stood beside the most of the other at 1,000."""
    first, *_ = assessed("proxy-http-impl").comparisons
    assert drawn(first, "costs").title.replace("\u00a0", " ") == (
        "CPU/request differed by the largest factor at concurrency 100, 3.5×: "
        "16.0 µs (fasthttp) to 55.7 µs (nethttp)"
    )


def test_a_change_that_several_share_is_of_the_colour_of_none(quickstart: Comparison) -> None:
    made = drawn(quickstart, "percentiles")
    *names, callout = made.panels[1].notes
    assert [name.text for name in names] == ["asyncio", "blocking, copy", "threads"]
    assert (callout.text.replace("\u00a0", " "), callout.role) == ("p99 0.14×", "text")
    assert (
        "Ratios below are estimated over pairs of runs, not from the lines above; bars are their "
        "intervals at p50, p90, p95 and p99." in made.caption
    )


def test_the_axis_of_shares_ends_at_all() -> None:
    console, *_ = assessed("gin-panic").comparisons
    made = drawn(console, "endpoints")
    assert made.panels[1].x.last == 1
    labels = [text for series in made.panels[1].series for text in series.labels]
    assert "default 100\u00a0%" in labels
    _, beyond = on_page(made)
    assert beyond >= 8 * len("default 100 %")


def test_of_a_rate_that_was_asked_that_is_the_title() -> None:
    console, file, _ = assessed("gin-panic").comparisons
    assert drawn(file, "throughput").title.replace("\u00a0", " ") == (
        "Every variant answered 50.2 req/s, about the rate that was asked, "
        "but goodput was 25.1 req/s"
    )
    # All whose rate reads the same are named at an end of a range, with what failed as 0.
    assert drawn(console, "throughput").title.replace("\u00a0", " ") == (
        "Throughput was 0 req/s (default) to 50.2 req/s (nolog and recover), "
        "goodput 0 req/s (default) to 25.1 req/s (nolog and recover)"
    )


def test_names_stand_beside_the_maxima_behind_the_lines() -> None:
    """Once they stood between the two, and half of the figure was empty but for them."""
    (gateways,) = assessed("gateways").comparisons
    upper = drawn(gateways, "percentiles").panels[0]
    marks = {s.name: s.points[0] for s in upper.series if s.marker and not s.filled}
    names = {note.text: (note.x, note.y) for note in upper.notes if note.bold}
    heights = {without_marks(name): y for name, (_, y) in names.items()}
    assert heights == {name: y for name, (_, y) in marks.items()}
    assert {x for x, _ in names.values()} == {upper.x.last}
    lines = {x for s in upper.series if s.line for x in s.xs}
    assert max(lines) > 0.75 * upper.x.last


def test_lines_of_a_panel_per_level_have_their_names() -> None:
    """Once nothing but a caption said whose the grey line was, which the title quotes."""
    first, *_ = assessed("proxy-http-impl").comparisons
    for panel in drawn(first, "percentiles").panels:
        ends = {note.text: (note.x, note.y) for note in panel.notes}
        assert [*map(without_marks, ends)] == ["nethttp", "fasthttp"]
        lines = [series for series in panel.series if series.line]
        assert [*ends.values()] == [line.points[-1] for line in lines]
        ranges = [series for series in panel.series if series.low]
        assert [band.role for band in ranges] == [line.role for line in lines]


def test_every_interval_has_a_line_of_the_grid_and_no_tick_loses_its_word(
    quickstart: Comparison,
) -> None:
    """Once a line stood on a tick as well, and its empty word hid that of the tick."""
    axis = drawn(quickstart, "percentiles").panels[1].x
    assert {percentile_x(q) for q in (0.5, 0.9, 0.95, 0.99)} <= {*axis.lines}
    assert {*axis.ticks} <= {*axis.gridded}
    places = [at for at, _ in axis.gridded]
    assert len(places) == len(set(places))
    assert {*axis.lines} <= {*places}


@pytest.fixture(scope="module")
def gateways() -> Comparison:
    (comparison,) = assessed("gateways").comparisons
    return comparison


@pytest.mark.parametrize("kind", ["ecdf", "percentiles"])
def test_findings_of_a_variants_latencies_are_numbered_at_its_name(
    gateways: Comparison, kind: str
) -> None:
    notes = drawn(gateways, kind).panels[0].notes
    assert {note.text for note in notes if note.bold} == {
        "none",
        "zuul ②",
        "finagle-stand-in ②",
        "spring-cloud-gateway ②",
    }


def test_the_column_of_maxima_is_named_in_the_panel_that_has_it(gateways: Comparison) -> None:
    """Once the word and a line of the grid stood in the ratios below, which have no such column."""
    latencies, ratios = drawn(gateways, "percentiles").panels
    assert "max" in [note.text for note in latencies.notes]
    assert "max" not in [word for _, word in ratios.shown_x.ticks]
    alone, *_ = charts([gateways], "percentiles", shows="latency".__eq__)
    assert "max" in [word for _, word in alone.panels[0].shown_x.ticks]
    assert "max" not in [note.text for note in alone.panels[0].notes]


def test_what_has_no_room_beside_a_mark_is_its_interval_first(quickstart: Comparison) -> None:
    """Once nothing but the throughput was left on a small screen, as the whole had no room."""
    svg = inline_svg(drawn(quickstart, "throughput"))
    assert "3.69\u00a0k, 7.8×<tspan" in svg


def test_an_axis_of_throughput_ends_with_the_values(quickstart: Comparison) -> None:
    (panel,) = drawn(quickstart, "throughput").panels
    assert panel.x.last == max(x for series in panel.series for x in series.xs)


def test_a_first_run_that_sets_a_variants_runs_apart_is_told(gateways: Comparison) -> None:
    title = drawn(gateways, "runs").title
    assert title.endswith("in 8\u00a0runs of “none”, the first the highest")


def test_a_highest_bar_of_several_humps_names_no_order_of_variants() -> None:
    """Once "46 µs (20x5) to 89 µs (0)" made that the fastest whose median is the slowest."""
    *_, null = assessed("logging-cost").comparisons
    assert drawn(null, "histogram").title.replace("\u00a0", " ") == (
        "Runs pooled, half of the requests ended within 86 µs (“0”) to 204 µs (20x5)"
    )


def test_levels_of_throughput_are_not_ranked() -> None:
    """Once one concurrency had "the highest throughput", of two whose ranges overlap."""
    for comparison in assessed("proxy-http-impl").comparisons:
        assert drawn(comparison, "throughput").title.startswith("Throughput was ")


def test_panels_of_resources_share_their_axis_of_time() -> None:
    """Once names of another length behind one panel moved its seconds."""
    for comparison in assessed("logging-cost").comparisons:
        assert len({panel.x for panel in drawn(comparison, "resources").panels}) == 1


def test_a_title_says_where_its_changes_were_not_tested() -> None:
    *_, unbounded = assessed("request-coalescing").comparisons
    title = drawn(unbounded, "percentiles").title
    assert title.startswith("Latency by percentile, paired, not tested: ")


def test_of_two_runs_none_is_the_one_that_stands_apart() -> None:
    assert _of_first((100.0, 300.0, 301.0)) == ", the first the lowest"
    assert _of_first((100.0, 300.0)) == ""
    assert _of_first((None, 300.0, 101.0, 100.0)) == ""
