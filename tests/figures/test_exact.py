"""Latencies known to a step, alone and beside finer percentiles: what is said lies within them."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from benchkit.api import Results
from benchkit.figures import Chart
from benchkit.figures.curves import variant_curves
from benchkit.figures.exact import without_contradictions
from benchkit.figures.scales import percentile_x
from benchkit.model.metric import P99
from tests.figures.changes import Row, with_columns, with_rows
from tests.figures.charts import compared, drawn
from tests.report.conftest import SAMPLES

#: Latencies of a run in ms: a clock of whole ms writes 400 times 0, 500 times 2, then 7.
EXACT_MS = [*(0.1 + n / 1000 for n in range(400)), *(1.6 + n / 1000 for n in range(500))] + [
    7.2
] * 100


def _run(*, percentiles: bool, coarse: Mapping[float, float] = MappingProxyType({})) -> Results:
    """Two variants; `coarse` are further percentiles as the clock of the requests has them."""
    runs, bins, quantiles = [], [], []
    for variant in ("a", "b"):
        identity: dict[str, Any] = SAMPLES["identity"](variant, "page", variant, "ab")
        runs.append(identity | {"requests": 1000, "latency_min_s": 1e-4, "latency_max_s": 0.0072})
        runs[-1]["resolution_s"] = 1e-6 if percentiles else 1e-3
        for ms, count in ((0, 400), (2, 500), (7, 100)):
            edges = {"latency_low_s": ms / 1e3, "latency_high_s": ms / 1e3 + 1e-9}
            bins.append({"run_id": variant, "outcome": "success", "count": count} | edges)
        exact = {percent / 100: EXACT_MS[percent * 10] / 1e3 for percent in range(1, 100)}
        quantiles += [
            {"run_id": variant, "quantile": quantile, "latency_s": latency, "origin": "printed"}
            for quantile, latency in ({**exact, **coarse} if percentiles else {}).items()
        ]
    return Results.from_tables({"runs": runs, "histogram": bins, "quantiles": quantiles})


def _share_within(made: Chart, ms: float) -> float:
    line = next(series for series in made.panels[0].series if series.in_table)
    return max((y for x, y in line.points if x <= ms / 1e3), default=0.0)


def test_a_share_is_within_the_upper_end_of_its_step() -> None:
    """Half of the requests were written as 2 ms: they took up to 2.5 ms."""
    made = drawn(_run(percentiles=False), "ecdf")
    assert [_share_within(made, ms) for ms in (0.49, 0.5, 2.4, 2.5, 7.4, 7.5)] == pytest.approx(
        [0, 0.4, 0.4, 0.9, 0.9, 1]
    )
    assert "at the upper end of each step of the clock" in made.caption
    assert "half within 2.5\u00a0ms, 99\u00a0% within 7.5\u00a0ms" in made.label


def test_exact_percentiles_say_where_in_a_step_requests_are() -> None:
    made = drawn(_run(percentiles=True), "ecdf")
    for share in (0.1, 0.3, 0.5, 0.8):
        assert _share_within(made, EXACT_MS[int(share * 1000)]) == pytest.approx(share, abs=0.011)
    assert _share_within(made, 1.5) == pytest.approx(0.4)
    assert (
        "Up to p99 requests are placed by exact percentiles, beyond known in steps of 1\u00a0ms."
        in made.caption
    )


def test_never_more_is_within_a_time_than_was() -> None:
    for percentiles in (False, True):
        made = drawn(_run(percentiles=percentiles), "ecdf")
        line = next(series for series in made.panels[0].series if series.in_table)
        for latency, share in line.points:
            truth = sum(ms <= latency * 1e3 * 1.001 for ms in EXACT_MS) / 1000
            assert share <= truth + 0.0015


@pytest.mark.parametrize("kind", ["histogram", "ridges"])
def test_shapes_show_what_percentiles_know_below_the_clock(kind: str) -> None:
    """Four tenths were written as 0; percentiles have them evenly between 100 and 500 µs."""
    made = drawn(_run(percentiles=True), kind)
    assert min(x for series in made.panels[0].series for x in series.xs) < 2e-4
    assert "below" not in made.caption
    if kind == "histogram":
        (outline, *_) = made.panels[0].series
        tops = [(x, y) for x, y in outline.points if 1.2e-4 < x < 4.5e-4]
        assert all(y > 0 for _, y in tops)
        rows = [(cells[0][1] or 0.0) for _, cells in made.table.rows]
        assert sum(rows) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("percentiles", [False, True])
def test_a_cumulative_line_never_runs_backwards(percentiles: bool) -> None:  # noqa: FBT001
    made = drawn(_run(percentiles=percentiles), "ecdf")
    for series in made.panels[0].series:
        assert list(series.xs) == sorted(series.xs)
        assert list(series.ys) == sorted(series.ys)


def _named(made: Chart) -> dict[str, tuple[float, float]]:
    return {note.text: (note.x, note.y) for note in made.panels[0].notes}


def test_names_of_lines_apart_stand_beside_them(known: Results) -> None:
    made = drawn(with_rows(known, "histogram", _b_is_far_slower), "ecdf")
    lines = {series.name: series.points for series in made.panels[0].series if series.in_table}
    for name, (x, y) in _named(made).items():
        near = [share for at, share in lines[name] if abs(math.log(at / x)) < 0.5]
        assert any(abs(share - y) < 0.06 for share in near)


def _near_each_other() -> Results:
    runs, bins = [], []
    for variant, factor in (("a", 1.0), ("middle-of-the-three", 1.05), ("c", 1.1)):
        runs.append(SAMPLES["identity"](variant, "page", variant, "vegeta") | {"requests": 1000})
        for step in range(40):
            low = 0.001 * factor * 1.03**step
            edges = {"latency_low_s": low, "latency_high_s": low * 1.001}
            bins.append({"run_id": variant, "outcome": "success", "count": 25} | edges)
    return Results.from_tables({"runs": runs, "histogram": bins})


def test_names_of_lines_too_near_each_other_are_a_key() -> None:
    """Beside the middle line a name would lie on another, or beside it."""
    (panel,) = drawn(_near_each_other(), "ecdf").panels
    places = {note.text: (note.x, note.y) for note in panel.notes}
    assert sorted(places, key=lambda name: -places[name][1]) == ["a", "middle-of-the-three", "c"]
    rises = [point for series in panel.series if series.in_table for point in series.points]
    assert max(x for x, _ in rises) <= min(x for x, _ in places.values())


def _b_is_far_slower(row: Row) -> Row:
    factor = 20 if str(row["run_id"]).startswith("b") else 1
    return {**row, **{side: row[side] * factor for side in ("latency_low_s", "latency_high_s")}}


def test_a_curve_ends_with_exact_percentiles_where_the_clock_is_coarse_beyond() -> None:
    """Once a p99.5 of whole ms followed a p99 of µs where it happened not to be lower."""
    made = drawn(_run(percentiles=True, coarse={0.995: 0.008}), "percentiles")
    lines = [series for series in made.panels[0].series if series.line]
    assert [max(line.xs) for line in lines] == pytest.approx([percentile_x(0.99)] * 2)
    ended = "They go through exact percentiles. Lines end where only steps of 1\u00a0ms are known."
    assert ended in made.caption


def test_a_curve_goes_through_the_percentiles_that_the_table_has() -> None:
    """A bin says where a request lies within its width, a tool may print it to the digit."""
    results = with_columns(_run(percentiles=False), lambda _run: {"latency_p99_s": 0.00715})
    comparison = compared(results)
    for curves in variant_curves(comparison):
        points = curves.median.points
        assert points[0.99] == curves.key.variant.value(P99) == 0.00715
        assert list(points.values()) == sorted(points.values())


def test_a_percentile_that_was_rounded_up_is_kept() -> None:
    """wrk2 prints 16.97 ms of p99.9, and in its spectrum 16.968 ms of p99.9023."""
    known = {0.99: 0.0121, 0.999: 0.01697, 0.999023: 0.016968, 1.0: 0.0206}
    assert without_contradictions(known, 1e-6) == known | {0.999023: 0.01697}


def test_one_of_whole_milliseconds_that_finer_ones_belie_is_not() -> None:
    known = {0.9: 0.01215, 0.95: 0.012, 0.99: 0.01225}
    assert 0.95 not in without_contradictions(known, 1e-3)
