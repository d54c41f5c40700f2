"""Requests over time."""

from functools import partial
from pathlib import Path

import pytest

from benchkit.api import Results, load
from benchkit.compare.assess import assess
from benchkit.figures import chart
from benchkit.figures.chart import Panel, Series
from benchkit.frames import rows_of
from tests.figures import charts
from tests.figures.changes import Row, with_rows
from tests.figures.grids import over_time
from tests.recorded import assessed, example

DATA = Path(__file__).parents[1] / "data"

drawn = partial(charts.drawn, kind="heatmap")

STEADY = [[(0.002, 900), (0.004, 100)]] * 40
STALL = [*STEADY[:20], [(1.0, 1000)], *STEADY[21:]]


def test_every_request_is_in_a_cell() -> None:
    cells = drawn(over_time(STALL)).panels[0].cells
    assert cells is not None
    assert sum(sum(row) for row in cells.counts) == 40_000
    assert len(cells.counts[0]) == 40
    assert max(v for row in cells.values for v in row if v) == 1
    assert all((v is None) == (n == 0) for vs, ns in zip(cells.values, cells.counts, strict=True)
               for v, n in zip(vs, ns, strict=True))  # fmt: skip


def test_a_cell_is_as_wide_as_some_requests_need() -> None:
    """Of one or two, shares that failed go up and down with nothing but their number."""
    made = drawn(over_time([[(0.002, 4)]] * 160))
    cells = made.panels[0].cells
    assert cells is not None
    *sums, _rest = (sum(column) for column in zip(*cells.counts, strict=True))
    assert len(sums) >= 20
    assert min(sums) >= 10


def test_of_few_requests_each_has_a_dot() -> None:
    """Once cells of one or two were stripes, whose heights differed by rounding."""
    made = drawn(over_time([[(0.002, 3), (0.004, 1)]] * 80, failed={3: 1, 4: 1}))
    (panel,) = made.panels
    dots, failed, *_ = panel.series
    assert panel.cells is None
    assert (dots.filled, failed.filled) == (True, False)
    assert len({*dots.points, *failed.points}) == 320
    # One in 2 ms and one in 4 ms of each of two steps.
    assert sorted(round(s, 3) for _, s in failed.points) == [0.002, 0.002, 0.004, 0.004]
    assert all(1.5 < x < 2.5 for x, _ in failed.points)
    sent = "A dot per request, open where it failed, by time of sending (spread evenly within steps"
    assert f"{sent} of 500\u00a0ms)" in made.caption
    assert (
        "the share that failed per 1.5\u00a0s, of the height of the shade where all did"
        in made.caption
    )
    assert panel.title.endswith("320\u00a0requests, 1.2\u00a0% failed")


def test_without_a_p99_spans_are_as_short_as_a_median_allows() -> None:
    made = drawn(over_time([[(0.002, 3), (0.0021, 2)]] * 40))
    assert made.title == "p50 over time stayed level throughout"
    assert {cells[1][1] for _, cells in made.table.rows} == {20}


def test_the_title_says_when_it_went_wrong() -> None:
    assert drawn(over_time(STALL)).title.startswith("p99 reached 1.0")
    assert "in 10\u201310.5\u00a0s" in drawn(over_time(STALL)).title
    assert drawn(over_time(STEADY)).title == "p99 over time stayed level throughout"


def test_a_quantile_that_was_lower_for_a_while_did_not_stay_level() -> None:
    slow, fast = [(0.004, 1000)], [(0.0032, 1000)]
    assert drawn(over_time([fast] * 10 + [slow] * 30)).title == (
        "p99 over time stayed within 1.3× of its median throughout"
    )
    halved = [[(0.001, 1000)], *[slow] * 39]
    assert drawn(over_time(halved)).title == "p50 along the run was 1.00 to 4.01\u00a0ms"


def test_the_run_shown_is_in_the_middle_of_what_is_not_withheld() -> None:
    results = over_time([[(0.002, 20), (0.004, 3)]] * 10)
    again = (
        run.with_columns(repeat=n, run_id=f"a{n}", latency_p50_s=0.002 * n)
        for run in results
        for n in (1, 2)
    )
    twice = Results(again)
    comparison = charts.compared(twice)
    assert comparison.by_label["a"].trusted_below < 1
    assert "Of repeated runs the one with the middle p50." in drawn(twice).caption


def test_lines_are_those_of_the_table() -> None:
    made = drawn(over_time(STALL))
    listed = {value for _, cells in made.table.rows for _, value in cells}
    lines = [series for series in made.panels[0].series if series.in_table]
    assert [series.dotted for series in lines] == [False, True]
    assert all(set(series.ys) <= listed for series in lines)


def test_spans_are_joined_until_a_quantile_can_be_told() -> None:
    made = drawn(over_time([[(0.002, 120)]] * 40))
    spans = [cells for _, cells in made.table.rows]
    assert len(spans) == 10
    assert all(requests == 480 for _, (_, requests), *_ in spans)


def test_where_a_p99_takes_most_of_a_run_medians_are_drawn_alone() -> None:
    made = drawn(over_time([[(0.002, 30)]] * 40))
    assert not [series for series in made.panels[0].series if series.dotted]
    assert len(made.table.rows) == 20


def test_too_few_requests_have_no_p99() -> None:
    made = drawn(over_time([[(0.002, 3)]] * 10))
    assert not [series for series in made.panels[0].series if series.dotted]
    assert all(cells[3] == ("withheld", None) for _, cells in made.table.rows)


def _failures(panel: Panel) -> Series:
    """Return the shares that failed; the other such series is the shade up to where all did."""
    shade, shares = [series for series in panel.series if series.role == "serious"]
    assert max(shares.high) <= shade.high[0]
    return shares


def test_a_rest_of_a_column_is_none_of_its_own() -> None:
    """Once the last of 251 requests failed in a column of its own, and in it all had."""
    slices = [[(0.002, 10)]] * 40 + [[(0.002, 1)]]
    shares = _failures(drawn(over_time(slices, failed={5: 3, 40: 1})).panels[0])
    failing = [text.replace("\u00a0", " ") for text in shares.hover if not text.startswith("0 ")]
    assert failing == ["3 of 20 requests failed"] * 2 + ["1 of 21 requests failed"] * 2


def test_failures_fill_their_columns_below_the_cells() -> None:
    panel = drawn(over_time(STEADY, failed={7: 50})).panels[0]
    shares = _failures(panel)
    edges = zip(shares.xs, shares.low, shares.high, strict=True)
    filled = [x for x, low, high in edges if high > low]
    assert filled == [3.5, 4.0]
    assert panel.cells is not None
    assert max(shares.high) < panel.cells.ys[0]
    assert not [
        series for series in drawn(over_time(STEADY)).panels[0].series if series.role == "serious"
    ]


def test_of_a_share_too_low_to_be_seen_the_caption_says_how_high_it_is_drawn() -> None:
    few = over_time(STEADY, failed={7: 1})
    shares = _failures(drawn(few).panels[0])
    assert max(shares.high) > shares.low[0] * 1.001
    assert "and 10\u00a0% of it at least where any did." in drawn(few).caption
    assert "at least where any did" not in drawn(over_time(STEADY, failed={7: 500})).caption


def test_a_clock_of_seconds_makes_columns_of_seconds() -> None:
    slices = [cells for _ in range(10) for cells in ([(0.002, 500)], [])]
    cells = drawn(over_time(slices)).panels[0].cells
    assert cells is not None
    assert cells.xs[1] - cells.xs[0] == 1
    assert all(count for row in cells.counts if any(row) for count in row)


def test_time_is_since_the_first_request() -> None:
    """Slices begin at round times of the clock, of which once the first was taken for the start."""
    for run in example("gin-panic"):  # 50 requests per second, evenly
        matrix = run.matrix
        assert matrix is not None
        assert -matrix.length_s < matrix.starts_s[0] <= 0
        first = int(matrix.counts[0].sum())
        assert abs(first - 50 * float(matrix.starts_s[1])) <= 1


def test_of_a_run_that_was_cut_time_begins_with_what_is_left() -> None:
    run = next(iter(example("gin-panic")))
    cells = run.counts.cells
    assert cells is not None
    matrix = cells.since(4).matrix
    assert matrix is not None
    assert matrix.starts_s[0] == 0


def test_a_coarse_clock_makes_rows_of_whole_ticks() -> None:
    slices = [[(0.001 * n, 100) for n in range(1, 40)]] * 20
    cells = drawn(over_time(slices, resolution_s=1e-3)).panels[0].cells
    assert cells is not None
    first = cells.ys[:3]
    assert first == pytest.approx((0.0005, 0.0015, 0.0025))
    assert all(any(row) for row in cells.counts[:-1])


def test_of_many_variants_two_are_shown_and_the_rest_is_told() -> None:
    made = drawn(over_time(STEADY, variants=tuple("abcdefg")))
    assert len(made.panels) == 2 + 1
    assert "the highest p99 of 7" in made.caption


def test_a_long_run_has_at_most_240_columns() -> None:
    made = drawn(over_time([[(0.002, 50)]] * 1000))
    assert made.panels[0].cells is not None
    assert len(made.panels[0].cells.xs) <= 241


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "html"])
def test_the_same_cells_are_the_same_bytes(suffix: str) -> None:
    results = over_time(STALL)
    first = charts.content(results, "heatmap", suffix)
    assert first == charts.content(results, "heatmap", suffix)
    assert first != charts.content(results, "heatmap", suffix, theme="dark")


def coarse(milliseconds: list[list[tuple[int, int]]], *, resolution_s: float) -> Results:
    """Requests as rows in whole ms hold them: a latency of 0 is in the bin from 0 to 1 ns."""
    results = over_time(
        [[(ms / 1e3, n) for ms, n in cells] for cells in milliseconds], resolution_s=resolution_s
    )
    return with_rows(results, "histogram", _no_narrower_than_1_ns)


def _no_narrower_than_1_ns(row: Row) -> Row:
    return {**row, "latency_high_s": max(row["latency_high_s"], 1e-9)}


ZEROS = [[(0, 900), (3, 100)]] * 40


def test_rows_of_0_ms_begin_the_axis_at_half_a_step() -> None:
    made = drawn(coarse(ZEROS, resolution_s=1e-3))
    panel, _ = made.panels
    assert panel.cells is not None
    assert panel.cells.ys[:2] == pytest.approx((0.0005, 0.0015))
    assert sum(panel.cells.counts[0]) == 36_000
    assert "What is below 500\u00a0µs is in the lowest row." in made.caption
    assert all(y >= 0.0005 for series in panel.series for y in series.ys)
    assert {cells[2] for _, cells in made.table.rows} == {("below 500\u00a0µs", None)}


def test_a_median_of_0_ms_makes_no_factor() -> None:
    once = [*ZEROS[:20], [(0, 500), (3, 500)], *ZEROS[21:]]
    assert drawn(coarse(once, resolution_s=1e-3)).title == "p99 over time stayed level throughout"
    quiet = [[(0, 1000)]] * 40
    one_step = [*quiet[:20], [(0, 500), (1, 500)], *quiet[21:]] * 3
    assert drawn(coarse(one_step, resolution_s=1e-3)).title == "p99 along the run was 1.00\u00a0ms"
    stalls = [*quiet[:20], [(0, 500), (90, 500)], *quiet[21:]] * 3
    title = drawn(coarse(stalls, resolution_s=1e-3)).title
    assert title.startswith("p99 reached 89.7")
    assert title.endswith("its median below 500\u00a0µs")


def test_the_step_is_that_of_the_rows_and_not_of_a_finer_file() -> None:
    slices = [[(n, 100) for n in range(1, 40)]] * 20
    cells = drawn(coarse(slices, resolution_s=1e-6)).panels[0].cells
    assert cells is not None
    assert cells.ys[:3] == pytest.approx((0.0005, 0.0015, 0.0025))
    assert all(any(row) for row in cells.counts[:-1])


def test_requests_of_0_ms_alone_are_of_a_clock_of_ms() -> None:
    made = drawn(coarse([[(0, 1000)]] * 40, resolution_s=1e-3))
    assert made.title == "Latency over time"
    assert "What is below 500\u00a0µs is in the lowest row." in made.caption


def test_beside_a_coarse_clock_what_a_finer_one_tells_stays_on_the_axis() -> None:
    results = coarse([[(n, 100) for n in range(6)]] * 40, resolution_s=1e-3)
    fine = over_time([[(0.000123, 500), (0.000234, 500)]] * 40, variants=("b",))
    both = Results.from_tables(
        {name: [*rows_of(getattr(results, name)), *rows_of(getattr(fine, name))]
         for name in ("runs", "histogram")}
    )  # fmt: skip
    for panel in drawn(both).panels[:-1]:
        assert all(panel.y.low <= y <= panel.y.high for series in panel.series for y in series.ys)


def test_a_run_of_a_few_columns_has_no_figure_along_time() -> None:
    assert all(
        chart(comparison, "heatmap") is None
        for comparison in assess(load(DATA / "ab" / "odd.tsv")).comparisons
    )


def test_cells_shine_through_the_edge_of_a_line() -> None:
    (panel, *_) = drawn(over_time(STEADY)).panels
    edges = [series for series in panel.series if series.role == "page"]
    assert edges
    assert all(series.faint and series.line <= 3 for series in edges)


def test_a_few_spans_are_not_called_steady() -> None:
    """The p99 of five spans says little of what happened in between."""
    assert drawn(over_time(STEADY[:5])).title == "p50 along the run was 2.01\u00a0ms"


def test_a_caption_says_of_each_variant_how_its_run_was_chosen() -> None:
    """Once the first run of one whose p50 are all withheld passed for that in the middle."""
    console, *_ = assessed("gin-panic").comparisons
    made = chart(console, "heatmap")
    assert made is not None
    assert (
        "Of repeated runs: of default the first, of nolog and recover the one with the middle p50."
    ) in made.caption
    assert "latencies withheld" in {note.text for note in made.panels[0].notes}


def test_a_caption_speaks_of_no_line_that_there_would_not_be() -> None:
    """Of 250 requests no p99 is drawn along time, withheld or not."""
    console, *_ = assessed("gin-panic").comparisons
    made = chart(console, "heatmap")
    assert made is not None
    assert made.caption.endswith("Withheld: all of default.")
