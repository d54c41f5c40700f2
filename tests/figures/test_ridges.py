from functools import partial
from itertools import pairwise
from math import ceil, log

import pytest

from benchkit.api import Results
from benchkit.figures import chart
from tests.figures.changes import Row, with_rows
from tests.figures.charts import compared, drawn
from tests.figures.grids import over_time

ridges = partial(drawn, kind="ridges")


def test_each_variant_is_an_outline_on_its_row(known: Results) -> None:
    (panel,) = ridges(known).panels
    outlines = {series.name: series for series in panel.series if series.in_table}
    assert {name: set(series.low) for name, series in outlines.items()} == {"a": {0}, "b": {-1}}
    assert all(
        max(series.ys) == pytest.approx(series.low[0] + 0.82) for series in outlines.values()
    )


def test_bins_are_of_one_width_that_the_caption_prints(known: Results) -> None:
    made = ridges(known)
    edges = sorted({x for series in made.panels[0].series if series.in_table for x in series.xs})
    assert {round(b / a, 3) for a, b in pairwise(edges)} == {1.05}
    assert "in bins 5\u00a0% wide" in made.caption


def _in_whole_ms(row: Row) -> Row:
    sides = ("latency_low_s", "latency_high_s")
    return {**row, **{s: ceil(row[s] * 1000 - 0.01) / 1000 * (1 + 1e-6) for s in sides}}


def test_bins_are_no_narrower_than_a_step_of_the_clock(known: Results) -> None:
    made = ridges(with_rows(known, "histogram", _in_whole_ms))
    edges = sorted({x for series in made.panels[0].series if series.in_table for x in series.xs})
    assert all(b - a > 0.00099 for a, b in pairwise(edges))
    assert edges[0] % 0.001 == pytest.approx(0.0005)
    assert "wider where the clock is coarser" in made.caption


def test_medians_are_ticks_and_told(known: Results) -> None:
    (panel,) = ridges(known).panels
    ticks = [series for series in panel.series if not series.in_table and not series.dotted]
    middles = [series.xs[0] for series in ticks]
    assert middles[1] / middles[0] == pytest.approx(1.3, rel=0.01)
    assert [note.text.replace("\u00a0", " ") for note in panel.notes] == [
        *("p50 5.14 ms", "p99 31.9 ms"),
        *("p50 6.72 ms", "p99 41.7 ms"),
    ]


def test_the_p99_of_which_the_title_speaks_is_drawn(known: Results) -> None:
    made = ridges(known)
    p99 = [value for _, value in made.table.rows[-1][1][2:]]
    dotted = {series.xs[0] for series in made.panels[0].series if series.dotted}
    assert dotted == set(p99)
    assert "Ticks are p50, dotted ones p99" in made.caption


def _slower(row: Row) -> Row:
    """Narrow shapes, of which that of `b` is a hundred times as slow."""
    times = 100 if row["run_id"].startswith("b") else 1
    sides = ("latency_low_s", "latency_high_s")
    return {**row, **{side: times * row[side] ** 0.02 for side in sides}}


def _apart(row: Row) -> Row:
    """Narrow shapes, of which that of the first run of `a` is three times as slow."""
    times = 3 if row["run_id"] == "a0" else 1
    sides = ("latency_low_s", "latency_high_s")
    return {**row, **{side: times * row[side] ** 0.02 for side in sides}}


def test_a_hump_that_most_runs_lack_may_be_a_run(known: Results) -> None:
    caption = ridges(with_rows(known, "histogram", _apart)).caption
    assert "Of a, most runs alone have fewer humps than all of them pooled here." in caption
    assert "hump" not in ridges(known).caption


def test_variants_far_apart_stand_over_their_own_medians(known: Results) -> None:
    made = ridges(with_rows(known, "histogram", _slower))
    (panel,) = made.panels
    ticks = [s for s in panel.series if not s.in_table and not s.dotted]
    assert {tick.xs[0] for tick in ticks} == {1.0}
    assert panel.x.title.startswith("Latency over p50")
    assert panel.x.low > 0.9
    assert (
        "Of a variant up to the fastest 2\u00a0% and slowest 1\u00a0% are beyond the axis."
        in made.caption
    )
    rows = [cells for name, cells in made.table.rows if name.isdigit()]
    assert made.table.headings[1:3] == ("From, × p50", "To, × p50")
    for column in (2, 3):
        assert 0.9 < sum(cells[column][1] or 0 for cells in rows) <= 1


def test_much_that_is_too_flat_to_be_seen_is_told() -> None:
    """Once a third of the requests lay in bins of less than a px, and the row was a spike."""
    even = [(0.01 * 1.2**n, 10) for n in range(20)]
    spike = [(0.01, 1000), *even[1:]]
    both = Results(
        [*over_time([even] * 3, variants=("a",)), *over_time([spike] * 3, variants=("b",))]
    )
    caption = drawn(both, "ridges").caption.replace("\u00a0", " ")
    assert "Of b 16 % lie in bins too flat to see." in caption
    assert "Of a " not in caption


def test_what_lies_in_one_bin_has_no_shape(known: Results) -> None:
    def one_step(row: Row) -> Row:
        return {**row, "latency_low_s": 0.005, "latency_high_s": 0.005 * (1 + 1e-6)}

    alike = with_rows(known, "histogram", one_step)
    assert chart(compared(alike), "ridges") is None


def test_summaries_have_no_shape(pair: Results) -> None:
    assert chart(compared(pair), "ridges") is None


def _half_zeros(row: Row) -> Row:
    """Whole ms in which the fast half is 0."""
    ms = row["latency_low_s"] * 1000
    low = 0.0 if ms < 6 else ceil(ms - 0.01) / 1000
    return {**row, "latency_low_s": low, "latency_high_s": low * (1 + 1e-6) or 1e-9}


def test_zeros_of_a_coarse_clock_lie_below_half_a_step_in_every_figure(known: Results) -> None:
    results = with_rows(known, "histogram", _half_zeros)
    starts = {}
    for kind in ("ridges", "histogram", "ecdf"):
        made = drawn(results, kind)
        starts[kind] = min(x for s in made.panels[0].series if s.in_table for x in s.xs)
        assert "What took less than 500\u00a0µs was written as 0." in made.caption
    # A bin of all that was written as 0 has no lower end; it is drawn as wide as the next.
    open_bin = 0.0005 / 3
    assert starts == pytest.approx(
        {"ridges": open_bin, "histogram": open_bin, "ecdf": 0.0005}, rel=1e-5
    )


def test_bars_of_a_histogram_are_as_wide_as_their_bins(known: Results) -> None:
    made = drawn(known, "histogram")
    edges = sorted({x for series in made.panels[0].series for x in series.xs})
    ratios = {round(b / a, 2) for a, b in pairwise(edges)}
    assert len(ratios) == 1
    assert made.caption.startswith("Share of requests in bins ")
    for series in made.panels[0].series:
        assert series.ys[1:-1:2] == series.ys[2:-1:2]


def test_the_first_bin_of_zeros_is_called_all_that_is_below(known: Results) -> None:
    results = with_rows(known, "histogram", _half_zeros)
    made = drawn(results, "histogram")
    name, (zeros, *_) = made.table.rows[0]
    assert name == "below 0.5"
    assert zeros[1] == pytest.approx(0.5, abs=0.06)
    assert "the first all below 500\u00a0µs" in made.caption
    assert drawn(results, "ridges").table.rows[0][1][0] == ("0", None)


def test_bars_of_bins_of_unequal_width_are_comparable(known: Results) -> None:
    """As many requests in twice the width of the axis are a bar half as high."""
    made = drawn(with_rows(known, "histogram", _in_whole_ms), "histogram")
    (bins, a), *_ = (
        (list(zip(s.xs[1:-1:2], s.xs[2:-1:2], strict=True)), s.ys[1:-1:2])
        for s in made.panels[0].series
    )
    every = [cells[0][1] or 0.0 for _, cells in made.table.rows]
    first = next(n for n, share in enumerate(every) if share)
    shares = every[first : first + len(bins)]
    assert sum(shares) == pytest.approx(1)
    per_width = {
        round(height * log(high / low) / share, 3)
        for (low, high), height, share in zip(bins, a, shares, strict=True)
        if share
    }
    assert len({round(high / low, 2) for low, high in bins}) > 3
    assert len(per_width) == 1
    assert made.panels[0].title == "Share of requests between a latency and one 5\u00a0% higher"
    assert "heights are shares per 5\u00a0%" in made.caption
