import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from benchkit import figures
from benchkit import format as show
from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.errors import UsageError
from benchkit.figures import KINDS, chart, charts, charts_of_page, overview
from benchkit.figures.interactive import plotly_figure
from benchkit.figures.scales import from_zero, latency_axis, percentile_x, ratio_axis, spread
from benchkit.figures.static import image
from benchkit.model.metric import Quantity
from benchkit.names import short_names
from tests.figures.changes import with_columns
from tests.figures.charts import compared, content, drawn
from tests.recorded import assessed
from tests.report.conftest import SAMPLES

DATA = Path(__file__).parents[1] / "data"


class TestPercentiles:
    def test_marks_stand_at_printed_values_only(self, pair: Results) -> None:
        upper, _ = drawn(pair, "percentiles").panels
        line = next(series for series in upper.series if series.name == "without" and series.line)
        assert line.marker
        assert line.ys == (0.055, 0.084, 0.093, 0.122, 1.063, 3.497)
        assert line.xs == tuple(percentile_x(q) for q in (0.5, 0.66, 0.75, 0.9, 0.95, 0.99))

    def test_the_maximum_stands_alone_where_one_request_in_n_is(self, pair: Results) -> None:
        upper, _ = drawn(pair, "percentiles").panels
        top = next(
            series for series in upper.series if series.name == "without" and not series.filled
        )
        assert (top.xs, top.ys, top.line) == ((math.log10(50000),), (15.728,), 0)

    def test_nothing_is_said_between_the_last_percentile_and_the_maximum(
        self, pair: Results
    ) -> None:
        upper, _ = drawn(pair, "percentiles").panels
        assert upper.unmeasured == percentile_x(0.99)
        assert any("p99 to max: not printed" in note.text for note in upper.notes)

    def test_the_strip_holds_the_ratio_to_the_baseline(self, pair: Results) -> None:
        made = drawn(pair, "percentiles")
        equal, series = made.panels[1].series
        assert (equal.ys, series.name) == ((1.0, 1.0), "with")
        assert series.ys[-1] == pytest.approx(0.074 / 3.497)
        assert made.panels[1].title == "Latency over that of “without”, log scale"
        assert made.title == "Latency by percentile: p99\u00a00.021× with “with” against “without”"

    def test_curves_of_requests_are_lines_that_end_before_one_in_n(self, known: Results) -> None:
        upper = drawn(known, "percentiles").panels[0]
        bold = [series for series in upper.series if series.line and not series.faint]
        assert all(not series.marker and max(series.xs) <= 3 + 1e-9 for series in bold)
        assert sum(series.faint for series in upper.series) == 6

    def test_maxima_of_all_requests_stand_in_a_column_behind_the_lines(
        self, known: Results
    ) -> None:
        upper = drawn(known, "percentiles").panels[0]
        last = max(x for s in upper.series if s.line for x in s.xs)
        marks = [series.points[0] for series in upper.series if not series.filled]
        ((anchor, word),) = [tick for tick in upper.x.ticks if tick[0] > last]
        assert word == "max"
        # Those that would touch stand beside each other, and the names behind them.
        (left, low), (right, high) = sorted(marks)
        assert (left + right) / 2 == pytest.approx(anchor)
        assert left < right
        assert low == high
        assert {note.x for note in upper.notes if note.bold} == {upper.x.last}
        # There is no scale between the last percentile and them.
        assert upper.x.gap is not None
        assert last < upper.x.gap[0] < upper.x.gap[1] < left < right < upper.x.last

    def test_a_percentile_without_room_for_its_word_has_a_line(self, known: Results) -> None:
        x = drawn(known, "percentiles").panels[0].x
        assert {at for at, _ in x.ticks} <= {*x.lines}

    def test_lines_of_all_requests_begin_at_p5(self, known: Results) -> None:
        made = drawn(known, "percentiles")
        lines = [series for series in made.panels[0].series if series.line]
        assert {min(series.xs) for series in lines} == {percentile_x(0.05)}
        assert "all requests, from p5 on" in made.caption
        assert made.table.rows[0][1][0] == ("p1", 0.01)

    def test_ticks_are_in_the_unit_of_the_compared_latencies(
        self, repeated_runs: Callable[..., Results]
    ) -> None:
        near = repeated_runs({"a": [0.0005, 0.0011], "b": [0.0006, 0.0012]})
        *_, latency = drawn(near, "runs").panels
        axes = (latency.x, latency.y)
        ticks = next(axis.ticks for axis in axes if axis.scale == "log")
        assert {text.rpartition("\u00a0")[2] for _, text in ticks} == {"µs"}

    def test_printed_quantiles_beyond_the_requests_are_not_drawn(self, pair: Results) -> None:
        few = with_columns(pair, lambda _run: {"requests": 50})
        upper = drawn(few, "percentiles").panels[0]
        assert max(x for series in upper.series for x in series.xs) <= math.log10(50) + 1e-9

    def test_without_percentiles_there_is_no_such_figure(self, summaries: Results) -> None:
        comparison = compared(summaries)
        assert chart(comparison, "percentiles") is None
        assert overview(comparison) is not None


class TestShape:
    def test_the_ecdf_reaches_every_request(self, known: Results) -> None:
        made = drawn(known, "ecdf")
        lines = [series for series in made.panels[0].series if series.in_table]
        assert [series.name for series in lines] == ["a", "b"]
        assert all(series.ys[-1] == 1 and list(series.ys) == sorted(series.ys) for series in lines)

    def test_the_shares_of_a_histogram_add_up(self, known: Results) -> None:
        for series in drawn(known, "histogram").panels[0].series:
            assert sum(series.ys[1::2]) == pytest.approx(1, abs=0.001)

    def test_summaries_have_no_shape(self, pair: Results) -> None:
        assert chart(compared(pair), "ecdf") is None
        with pytest.raises(UsageError, match="a row per request"):
            content(pair, "histogram", "png")


class TestThroughput:
    def test_rows_are_ranked_and_begin_at_zero(self, summaries: Results) -> None:
        (panel,) = drawn(summaries, "throughput").panels
        assert panel.x.low == 0
        assert [text for _, text in panel.y.ticks] == ["none", "gateway", "zuul"]
        assert [series.labels for series in panel.series][:2] == [
            ("117\u00a0k",),
            ("32.2\u00a0k, 0.28×",),
        ]

    def test_a_standard_deviation_is_in_the_table_and_not_drawn(self, summaries: Results) -> None:
        comparison = compared(summaries)
        made = overview(comparison)
        assert made is not None
        drawn = {x for panel in made.panels for series in panel.series for x in series.xs}
        assert 0.01335 not in drawn
        assert any(value == 0.01335 for _, cells in made.table.rows for _, value in cells)


@pytest.mark.parametrize("kind", [*figures.KINDS, "overview"])
def test_every_drawn_value_stands_in_the_table(everything: Results, kind: str) -> None:
    for comparison in assess(everything).comparisons:
        made = overview(comparison) if kind == "overview" else chart(comparison, kind)
        if made is None:
            continue
        listed = {value for _, cells in made.table.rows for _, value in cells}
        for panel in made.panels:
            for series in (s for s in panel.series if s.in_table):
                drawn = series.xs if made.lists_names or kind == "ecdf" else series.ys
                assert set(drawn) <= listed


class TestDrawing:
    @pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
    def test_images_are_the_same_bytes_each_time(self, pair: Results, suffix: str) -> None:
        first = content(pair, "percentiles", suffix)
        assert first == content(pair, "percentiles", suffix)
        assert len(first) > 5000

    def test_light_and_dark_differ(self, pair: Results) -> None:
        made = [drawn(pair, "throughput")]
        assert image(made, kind="png") != image(made, kind="png", theme="dark")

    def test_html_is_whole_and_same_each_time(self, pair: Results) -> None:
        page = content(pair, "throughput", "html")
        assert page == content(pair, "throughput", "html")
        assert b'src="http' not in page

    def test_a_plotly_figure_is_plain_data(self, everything: Results) -> None:
        for comparison in assess(everything).comparisons:
            made = chart(comparison, "throughput")
            if made is not None:
                json.dumps(plotly_figure(made), allow_nan=False)

    def test_unknown_kinds_and_suffixes_list_what_there_is(self, pair: Results) -> None:
        with pytest.raises(UsageError, match="percentiles, sweep"):
            content(pair, "pie", "png")
        with pytest.raises(UsageError, match="png, svg"):
            content(pair, "throughput", "gif")

    def test_hostile_names_stay_names(self, pair: Results) -> None:
        hostile = {"without": "<b>$x_1$%{y}</b>", "with": "$\\frac{"}
        named = with_columns(pair, lambda run: {"variant": hostile[run.variant]})
        page = content(named, "percentiles", "html").decode()
        assert "<b>$x" not in page
        assert content(named, "percentiles", "svg")


@pytest.mark.parametrize(
    ("labels", "short"),
    [
        (["With request coalescing", "Without request coalescing"], ["With", "Without"]),
        (["server a", "server b"], ["server a", "server b"]),
        (["go http 1", "go http 22"], ["go http 1", "go http 22"]),
        (["alone here"], ["alone here"]),
        (
            ["gateway, connections 10, keepalive", "zuul, connections 200, keepalive"],
            ["gateway, 10", "zuul, 200"],
        ),
    ],
)
def test_names_drop_what_all_share(labels: list[str], short: list[str]) -> None:
    assert list(short_names(labels).values()) == short


def test_labels_are_pushed_apart_and_keep_their_order() -> None:
    assert spread([10, 11, 50], gap=14) == [3.5, 17.5, 50]
    moved = spread([3, 1, 2], gap=10)
    assert sorted(range(3), key=moved.__getitem__) == [1, 2, 0]


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0.002, 0.024, 12, "2 ms, 5 ms, 10 ms, 20 ms"),
        (0.0022, 0.0065, 6, "3 ms, 4 ms, 5 ms, 6 ms"),
        (0.004, 0.222, 5, "10 ms, 30 ms, 100 ms"),
        (0.121, 0.234, 6, "125 ms, 150 ms, 175 ms, 200 ms, 225 ms"),
        (0.00028, 0.05, 4, "0.3 ms, 1 ms, 3 ms, 10 ms, 30 ms"),
        (0.00026, 0.00116, 7, "0.3 ms, 0.5 ms, 0.7 ms, 1 ms"),
        (1e-6, 30, 5, "1 µs, 100 µs, 10 ms, 1 s"),
    ],
)
def test_ticks_of_a_latency_axis_are_round_and_neither_few_nor_many(
    low: float, high: float, most: int, ticks: str
) -> None:
    axis = latency_axis([low, high], most=most)
    assert ", ".join(text.replace("\u00a0", " ") for _, text in axis.ticks) == ticks


@pytest.mark.parametrize(
    ("low", "high", "unit"),
    [(1e-4, 2e-3, "ms"), (2e-5, 2e-2, "ms"), (1e-4, 10.0, "ms"), (1e-4, 5e-4, "µs"), (1, 60, "s")],
)
def test_ticks_of_a_latency_axis_have_one_unit(low: float, high: float, unit: str) -> None:
    words = [word for _, word in latency_axis([low, high]).ticks]
    assert {word.rpartition(show.NBSP)[2] for word in words} == {unit}


@pytest.mark.parametrize("decades", [0.0, 0.31, 0.7, 1.2, 2.1, 3.4, 5.0])
@pytest.mark.parametrize("most", [4, 5, 7, 12])
def test_a_latency_axis_has_three_ticks_wherever_it_begins(decades: float, most: int) -> None:
    for step in range(40):
        low = 10 ** (step / 40 - 4)
        ticks = latency_axis([low, low * 10**decades], most=most).ticks
        assert 3 <= len(ticks) <= most + 1


@pytest.mark.parametrize(
    ("highest", "quantity", "ticks"),
    [
        (1.6, "time", "0, 0.5 s, 1 s, 1.5 s"),
        (0.00046, "time", "0, 200 µs, 400 µs"),
        (1.3e9, "bytes", "0, 0.5 GB, 1 GB, 1.5 GB"),
        (1400.0, "rate", "0, 500, 1,000, 1,500"),
        (1.1, "count", "0, 0.5, 1"),
        (0.021, "share", "0 %, 1 %, 2 %"),
    ],
)
def test_an_axis_from_zero_has_three_ticks_in_one_unit(
    highest: float, quantity: Quantity, ticks: str
) -> None:
    axis = from_zero([highest], quantity, room=0.2, steps=4)
    assert ", ".join(text.replace("\u00a0", " ") for _, text in axis.ticks) == ticks


def test_no_axis_has_shares_above_all() -> None:
    axis = from_zero([0.2, 1.0], "share", room=0.3)
    assert axis.high > 1
    assert axis.ticks[-1] == (1.0, "100\u00a0%")


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0.8, 4.0), "0.8× 1× 2× 5×"),
        ((0.6, 4.0), "0.5× 1× 2× 5×"),
        ((1.0, 30.0), "1× 2× 5× 10× 20×"),
        ((0.1, 1.0), "0.1× 0.2× 0.5× 1×"),
        ((0.1, 1.04), "0.1× 0.2× 0.5× 1×"),
    ],
)
def test_ratios_on_both_sides_of_one_have_ticks_on_both(
    values: tuple[float, float], ticks: str
) -> None:
    assert " ".join(text for _, text in ratio_axis(values, as_factors=True).ticks) == ticks


def test_the_change_beside_a_throughput_says_against_what(summaries: Results) -> None:
    (panel,) = drawn(summaries, "throughput").panels
    assert panel.title == "Throughput, req/s, and its ratio to “none”"


def test_what_stands_alone_says_what_its_numbers_mean() -> None:
    """As an image does, which no list of findings is beside."""
    comparisons = assessed("gin-panic").comparisons
    console, file, _ = charts(comparisons, "throughput")
    labels = [text for series in console.panels[0].series for text in series.labels]
    assert labels == ["0 ②", "50.2, goodput 25.1 ④⑦", "50.2, goodput 25.1 ④⑦"]
    assert " ⑦ The responses differ in size." in console.caption
    why = comparisons[0].grade.reasons[0][:-1]
    assert console.caption.endswith(f" How sure the comparison is: Not comparable ({why}).")
    assert file.caption.replace("\xa0", " ").endswith(
        "In these runs only (50 % of the requests failed, in every variant alike; "
        "too few requests for the percentiles withheld; the responses differ in size)."
    )
    assert not any(
        "①" <= letter <= "⑳" for s in file.panels[0].series for letter in "".join(s.labels)
    )
    assert (
        " Of every variant: ① Over 1\u00a0% of the requests failed. ③ The responses" in file.caption
    )
    (both,) = charts(comparisons, "matrix")
    assert f" How sure the comparisons are: Not comparable ({why}) with sink console; " in (
        both.caption
    )


def test_what_limits_the_maxima_of_every_variant_is_told_where_they_are_drawn() -> None:
    """It stands at no mark, being of all: nor did it in the caption."""
    rows = SAMPLES["repeated_rows"](effect=1.2, runs=8)
    for run in rows["runs"]:
        run |= {"latency_max_s": 25.0, "duration_s": 40.0, "connections": 50}
        run |= {"requests": 80_000, "throughput_rps": 2000.0, "load_model": "closed"}
    main, _ = charts_of_page(compared(Results.from_tables(rows)))
    assert main is not None
    assert main.kind == "percentiles"
    assert re.search(r"Of every variant: .*One slow request sets the throughput\.", main.caption)

    for run in rows["runs"]:
        run |= {"latency_mean_s": 0.5, "latency_max_s": 0.4}
        run.update({column: None for column in run if column.startswith("latency_p")})
    other, _ = charts_of_page(compared(Results.from_tables({"runs": rows["runs"]})))
    assert other is not None
    assert other.kind == "overview"
    assert re.search(r"Of every variant: .*Figures that no data can give\.", other.caption)


def test_a_schedule_that_all_kept_has_no_figure_of_throughput_on_the_page() -> None:
    """In two of its three settings every variant was sent, and gave, 50 requests a second."""
    kinds = [
        {figure.kind for figure in charts_of_page(comparison)[1]}
        for comparison in assessed("gin-panic").comparisons
    ]
    assert ["throughput" in each for each in kinds] == [True, False, False]


@pytest.mark.parametrize("scenario", ["gateways", "gin-panic", "quickstart"])
def test_what_is_of_the_runs_alone_is_the_same_against_any_baseline(scenario: str) -> None:
    """So the page draws it once."""
    results = assessed(scenario)
    usual = results.comparisons[-1]
    other = next(label for label in usual.order if label != usual.baseline)
    against = results.again(baseline=other).comparisons[-1]
    names = [name for name, kind in KINDS.items() if kind.of_runs and chart(usual, name)]
    assert against.baseline == other
    assert names
    for name in names:
        assert chart(against, name) == chart(usual, name)
    drawn = charts_of_page(usual)[1]
    again = charts_of_page(against, drawn)[1]
    assert again == charts_of_page(against)[1]
    assert {made.kind for made in again if any(made is known for known in drawn)} == {*names}


@pytest.mark.parametrize(
    "labels",
    [
        [f"payment service with connection pool {n}" for n in (1, 2, 3)],
        [f"gateway-service-with-http2-and-tls13-{end}" for end in ("on", "off")],
        ["long" + "x" * 200 + end for end in "ab"],
        ["a" * 40 + "b" * 40 + end for end in ("c" * 40, "d" * 40)],
    ],
)
def test_long_names_stay_apart(labels: list[str]) -> None:
    assert len(set(short_names(labels).values())) == len(labels)
