"""What somebody may want of a figure otherwise than it is by itself."""

import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from benchkit.api import Results
from benchkit.errors import UsageError
from benchkit.figures.options import FigureOptions
from tests.figures.grids import grid
from tests.report.conftest import SAMPLES


def words(results: Results, **wanted: object) -> tuple[str, list[str], str]:
    """Title, what else stands in the image, and caption, each on one line."""
    (part,) = results.plot("percentiles", **wanted).matplotlib().subfigs  # type: ignore[arg-type]
    around = [part.get_suptitle(), part.get_supxlabel()]
    texts = [text.get_text() for text in part.texts if text.get_text() not in around]
    title, caption = (" ".join(text.split()) for text in around)
    return title, texts, caption


def pixels(results: Results, path: Path, **wanted: float) -> tuple[int, int]:
    results.plot("percentiles", **wanted).save(path)  # type: ignore[arg-type]
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


def test_the_caption_tells_scenario_tool_load_runs_and_marks(pair: Results) -> None:
    *_, text = words(pair)
    assert text.startswith("messages: ab, 1,000 connections, 50,000 requests, 1 run each. ")
    assert "Markers are printed values; lines only connect them." in text


def test_without_the_caption_it_is_not_there(pair: Results) -> None:
    assert words(pair, caption=False)[-1] == ""


def test_a_paper_has_its_caption_in_the_text_unless_wanted(pair: Results) -> None:
    assert words(pair, purpose="paper")[-1] == ""
    assert "1 run each" in words(pair, purpose="paper", caption=True)[-1]


def test_title_and_subtitle_are_those_that_are_wanted(pair: Results) -> None:
    title, texts, _ = words(pair, title="Of my own", subtitle="below it")
    assert (title, texts) == ("Of my own", ["below it"])
    assert words(pair, title="")[0] == ""


def test_width_and_height_are_inches(pair: Results, tmp_path: Path) -> None:
    assert pixels(pair, tmp_path / "a.png", width=10, height=4, dpi=100) == (1000, 400)
    assert pixels(pair, tmp_path / "a.png", dpi=75)[0] == 600


def test_a_height_that_leaves_nothing_to_see_says_which_is_needed(
    pair: Results, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as error:
        pixels(pair, tmp_path / "a.png", width=5, height=2)
    text = str(error.value)
    assert text.startswith("height 2: what is drawn cannot be read beside its words; it takes ")
    needed, without = map(float, re.findall(r"\d\.\d", text))
    assert without < needed < 5
    assert pixels(pair, tmp_path / "a.png", width=5, height=needed, dpi=100)[1] == 100 * needed
    assert words(pair, width=5, height=without, caption=False)[-1] == ""


@pytest.mark.parametrize(
    "wanted", [{"width": 0.1}, {"width": 1000.0}, {"height": float("nan")}, {"dpi": 5}]
)
def test_sizes_that_make_no_sense_are_errors(wanted: dict[str, float], pair: Results) -> None:
    with pytest.raises(UsageError, match="it must be"):
        pair.plot("percentiles", **wanted)  # type: ignore[arg-type]


def test_an_image_of_too_many_pixels_is_an_error(pair: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="60,000 × 36,000 pixels is too large"):
        pair.plot("percentiles", width=50, height=30, dpi=1200).save(tmp_path / "a.png")


def test_the_strip_of_ratios_can_be_left_out(pair: Results) -> None:
    (panel,) = pair.plot("percentiles", ratio=False).charts[0].panels
    assert panel.name == "latency"


def test_the_caption_speaks_of_no_panel_that_is_left_out() -> None:
    runs = SAMPLES["repeated"](effect=1.5, runs=5)
    assert "Bars below are intervals of the ratio" in words(runs)[-1]
    above, ratios = words(runs, ratio=False)[-1], words(runs, panels="ratio")[-1]
    assert "Lines are medians over runs" in above
    assert "Bars" not in above
    assert "Latency over that of old by percentile, both axes log. Bars are intervals" in ratios
    assert "Lines are medians" not in ratios


def test_of_a_sweep_too(sweep_results: Callable[..., Results]) -> None:
    swept = sweep_results({"a": (100, 50.0), "b": (50, 40.0)})
    (latency,) = swept.plot("sweep", panels="p99").charts
    assert "A ring marks" in swept.plot("sweep").charts[0].caption
    assert "A ring marks" not in latency.caption


def test_panels_are_chosen_by_their_names(pair: Results) -> None:
    (panel,) = pair.plot("percentiles", panels="ratio").charts[0].panels
    assert panel.name == "ratio"
    with pytest.raises(UsageError, match="no panel 'cpu' in this figure; there are latency, ratio"):
        pair.plot("percentiles", panels="cpu")


def test_a_sweep_shows_the_metric_that_is_wanted(sweep_results: Callable[..., Results]) -> None:
    swept = sweep_results({"a": (100, 50.0), "b": (50, 40.0)})
    for metric in ("p50", "cpu_per_request", "throughput"):
        plot = swept.plot("sweep", metric=metric) if metric != "cpu_per_request" else None
        assert plot is None or [p.name for p in plot.charts[0].panels] == [metric]
    with pytest.raises(UsageError, match="sweep does not show goodput; it shows throughput, p99, "):
        swept.plot("sweep", metric="goodput")


@pytest.mark.parametrize("metric", ["p95", "mean", "max"])
def test_a_sweep_shows_latencies_that_it_does_not_usually_show(metric: str) -> None:
    rows = [
        {"run_id": f"{variant}{level}", "label": f"{variant}{level}", "variant": variant}
        | {"params": f'{{"concurrency": {level}}}', "tool": "wrk", "format": "wrk-text"}
        | {"source": "x", "sha256": "0", "throughput_rps": 100.0 * level}
        | {f"latency_{name}_s": 0.01 * level for name in ("p95", "mean", "max")}
        for variant in ("a", "b")
        for level in (1, 2, 4)
    ]
    (drawn,) = Results.from_tables({"runs": rows}).plot("sweep", metric=metric).charts
    assert [panel.name for panel in drawn.panels] == [metric]
    assert drawn.title.endswith(" by concurrency")
    assert len(drawn.panels[0].series) == 2


def test_costs_say_what_they_show(sweep_results: Callable[..., Results]) -> None:
    swept = sweep_results({"a": (100, 50.0), "b": (50, 40.0)})
    with pytest.raises(UsageError, match="costs does not show p95; it shows cpu_per_request and"):
        swept.plot("costs", metric="p95")


def test_the_words_of_a_sweep_are_about_the_metric_that_is_wanted(
    sweep_results: Callable[..., Results],
) -> None:
    swept = sweep_results({"a": (100, 50.0), "b": (50, 40.0)})
    (whole,) = swept.plot("sweep").charts
    assert "95\u00a0% of the highest throughput" in whole.caption
    (latency,) = swept.plot("sweep", metric="p99").charts
    assert latency.title == "p99 by concurrency"
    for words in (latency.caption, latency.label):
        assert "hroughput" not in words.partition("At ")[0]
    (rates,) = swept.plot("sweep", metric="throughput").charts
    for words in (rates.caption, rates.label):
        assert "p99" not in words


def test_runs_and_matrix_show_the_metric_that_is_wanted(
    repeated_runs: Callable[..., Results],
) -> None:
    runs = repeated_runs({"a": [0.1, 0.2], "b": [0.2, 0.3]})
    assert [p.title for p in runs.plot("runs", metric="p50").charts[0].panels] == ["p50, log scale"]
    cells = grid({(v, s): 1.0 + len(v) for v in ("0", "5x20") for s in ("file", "null")})
    assert [p.name for p in cells.plot("matrix", metric="throughput").charts[0].panels] == [
        "throughput",
        "key",
    ]


def test_kinds_without_a_choice_of_metrics_name_those_with_one(pair: Results) -> None:
    with pytest.raises(
        UsageError, match="percentiles takes no metric; sweep, costs, matrix and runs do"
    ):
        pair.plot("percentiles", metric="p95")


def test_only_what_is_selected_is_drawn(everything: Results) -> None:
    several = everything.plot("percentiles").charts
    assert len(several) > 1
    assert len({chart.subtitle for chart in several}) == len(several)
    (chart,) = everything.plot("percentiles", select="messages").charts
    assert chart.subtitle == ""
    (alone,) = everything.plot("percentiles", select=("messages", "with")).charts
    assert {series.name for series in alone.panels[0].series} == {"with"}


def test_an_unknown_selection_lists_what_there_is(pair: Results) -> None:
    with pytest.raises(UsageError, match="nothing here is called 'pie'; there are 'messages', "):
        pair.plot("percentiles", select="pie")


def test_runs_without_a_scenario_are_offered_by_their_own_names(
    repeated_runs: Callable[..., Results],
) -> None:
    runs = Results([run.with_columns(scenario=None) for run in repeated_runs({"a": [1.0, 2.0]})])
    with pytest.raises(UsageError) as refused:
        runs.plot("runs", select="pie")
    assert "None" not in str(refused.value)


def test_a_baseline_that_is_not_selected_is_told(repeated_runs: Callable[..., Results]) -> None:
    runs = repeated_runs({"a": [0.1, 0.2], "b": [0.2, 0.3]})
    with pytest.raises(UsageError, match="--select a leaves no variant 'b' to be the baseline; se"):
        runs.plot("runs", baseline="b", select=("a",))


def test_a_part_that_one_name_has_selects_it(everything: Results) -> None:
    (chart,) = everything.plot("percentiles", select="message").charts
    assert chart.subtitle == ""
    with pytest.raises(UsageError, match="'s' is a part of several names: '"):
        everything.plot("percentiles", select="s")


@pytest.mark.parametrize(
    ("suffix", "beginning"),
    [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("html", b"<!doctype html>")],
)
def test_save_writes_what_the_name_ends_in(
    suffix: str, beginning: bytes, pair: Results, tmp_path: Path
) -> None:
    path = tmp_path / f"figure.{suffix}"
    pair.plot("percentiles").save(path)
    assert path.read_bytes().startswith(beginning)


def test_save_lists_what_a_name_may_end_in(pair: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot draw to '\.gif'; there are png, svg, pdf, html"):
        pair.plot("percentiles").save(tmp_path / "figure.gif")


def test_plotly_gives_a_figure_of_its_own_with_title_and_caption(pair: Results) -> None:
    plot = pair.plot("percentiles", width=10)
    figure = plot.plotly()
    assert plot.charts[0].title in figure.layout.title.text
    assert figure.layout.width == 960
    assert any("1\u00a0run each" in (note.text or "") for note in figure.layout.annotations)


def test_plotly_puts_several_figures_below_each_other(everything: Results) -> None:
    plot = everything.plot("percentiles")
    figure = plot.plotly()
    assert figure.layout.height > sum(chart.height for chart in plot.charts)
    assert sum(len(chart.panels) for chart in plot.charts) == sum(
        1 for axis in figure.layout if axis.startswith("yaxis")
    )


def test_a_page_has_the_caption_unless_it_is_not_wanted(pair: Results) -> None:
    assert "1\u00a0run each" in pair.plot("percentiles").content("html").decode()
    assert "1\u00a0run each" not in pair.plot("percentiles", caption=False).content("html").decode()


def test_options_are_frozen_and_checked_when_they_are_made() -> None:
    with pytest.raises(UsageError, match="readme, paper, paper-double"):
        FigureOptions(purpose="poster")
