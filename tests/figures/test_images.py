"""Images for a README and for a paper."""

import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchkit.api import Results
from benchkit.cli import plot
from benchkit.compare.assess import assess
from benchkit.errors import UsageError
from benchkit.figures import FORMATS, KINDS, PURPOSES, charts, look
from benchkit.figures.chart import Axis, Note, Panel
from benchkit.figures.inline_svg import inline_svg
from benchkit.figures.interactive import plotly_figure
from benchkit.figures.layout import ink
from benchkit.figures.look import LABEL_GAP, NAME_GAP
from benchkit.figures.marks import BELOW_HEADING, respread
from benchkit.figures.static import matplotlib_figure
from tests.figures.charts import content, drawn
from tests.figures.grids import grid, over_time


def pixels(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_command_offers_what_there_is() -> None:
    assert {kind.value for kind in plot.Kind} == set(KINDS)
    assert {purpose.value for purpose in plot.Purpose} == set(PURPOSES)
    assert {theme.value for theme in plot.Theme} == set(look.COLOURS)


@pytest.mark.parametrize(
    ("purpose", "size"),
    [("readme", (1200, 795)), ("paper", (525, 360)), ("paper-double", (1074, 450))],
)
def test_an_image_has_the_size_of_its_purpose(
    pair: Results, purpose: str, size: tuple[int, int]
) -> None:
    assert pixels(content(pair, "percentiles", "png", purpose=purpose)) == size


def test_a_list_is_as_tall_as_its_rows(pair: Results) -> None:
    assert pixels(content(pair, "throughput", "png"))[1] < 500


def test_a_paper_has_its_title_in_the_caption(pair: Results) -> None:
    made = charts(assess(pair).comparisons, "percentiles")
    for purpose, titled in (("readme", True), ("paper", False)):
        figure = matplotlib_figure(made, purpose=PURPOSES[purpose])
        titles = [part.get_suptitle() for part in figure.subfigs]
        assert bool(titles[0]) is titled


def test_a_pdf_embeds_its_font_as_truetype(pair: Results) -> None:
    assert b"/CIDFontType2" in content(pair, "throughput", "pdf", purpose="paper")


@pytest.mark.parametrize("suffix", [suffix for suffix in FORMATS if suffix != "html"])
@pytest.mark.parametrize("purpose", PURPOSES)
def test_both_themes_give_the_same_bytes_each_time(suffix: str, purpose: str) -> None:
    results = grid({(v, s): 1.0 + len(v) for v in ("0", "5x20") for s in ("file", "null")})
    drawn = {
        theme: content(results, "matrix", suffix, theme=theme, purpose=purpose)
        for theme in look.COLOURS
    }
    again = content(results, "matrix", suffix, theme="dark", purpose=purpose)
    assert drawn["light"] != drawn["dark"] == again


def test_an_unknown_purpose_lists_those_there_are(pair: Results) -> None:
    with pytest.raises(UsageError, match="readme, paper, paper-double"):
        content(pair, "percentiles", "png", purpose="poster")


@pytest.mark.parametrize("height", [100, 160, 300])
def test_values_of_maxima_that_are_near_each_other_stand_apart(height: int) -> None:
    axis = Axis("log", 1e-4, 4e-2, ())
    maxima = [Note(2.0, s, f"max {s}", align="right", dx=-NAME_GAP) for s in (0.024, 0.0304)]
    panel = Panel(Axis("linear", 0.0, 3.0, ()), axis, (), tuple(maxima))
    places = [
        note.dy - axis.share(note.y) * height for note in respread(panel, height=height).notes
    ]
    lower, upper = places
    assert lower - upper >= LABEL_GAP
    assert upper >= BELOW_HEADING - height


def luminance(colour: tuple[float, ...]) -> float:
    parts = [c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def rgb(theme: look.Theme, role: str) -> tuple[float, ...]:
    return tuple(int(look.COLOURS[theme][role][i : i + 2], 16) / 255 for i in (1, 3, 5))


def contrast(colour: tuple[float, ...], other: tuple[float, ...]) -> float:
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", look.COLOURS)
def test_what_is_drawn_faintly_is_seen(theme: look.Theme) -> None:
    """Ranges over runs were half as strong: less than 2:1 on the page."""
    page = rgb(theme, "page")
    for n in range(1, 6):
        mixed = zip(rgb(theme, f"v{n}"), page, strict=True)
        faint = tuple(look.FAINT * own + (1 - look.FAINT) * below for own, below in mixed)
        assert contrast(faint, page) >= 2.2, n


def test_open_dots_are_open_in_every_image() -> None:
    made = drawn(over_time([[(0.002, 3), (0.004, 1)]] * 80, failed={3: 1, 4: 1}), "heatmap")
    dots = [line for line in matplotlib_figure([made]).axes[0].lines if line.get_marker() == "o"]
    edges = {(d.get_markerfacecolor() == "none", d.get_markeredgewidth() > 0) for d in dots}
    assert edges == {(False, False), (True, True)}
    traces = plotly_figure(made)["data"]
    markers = [trace["marker"] for trace in traces if trace.get("mode") == "markers"]
    looks = {(marker["symbol"], marker["line"]["width"]) for marker in markers}
    assert looks == {("circle", 1), ("circle-open", 1)}


@pytest.mark.parametrize("theme", look.COLOURS)
@pytest.mark.parametrize("shade", [n / 40 for n in range(41)])
def test_words_stand_out_from_every_colour_of_a_cell(theme: look.Theme, shade: float) -> None:
    *stops, text = (rgb(theme, role) for role in (*look.SCALES["ratio"], ink(shade)))
    before = min(int(shade * 4), 3)
    share = shade * 4 - before
    between = zip(stops[before], stops[before + 1], strict=True)
    assert contrast(tuple((1 - share) * a + share * b for a, b in between), text) >= 3.7


_DRAW = """
import sys
from benchkit.compare.assess import assess
from benchkit.figures import charts
from benchkit.figures.static import image
from tests.figures.conftest import sweep_of

results = [sweep_of({"a": (50, 100.0), "b": (200, each)}) for each in (80.0, 90.0, 95.0)]
every = [made for each in results for made in charts(assess(each).comparisons, "costs")]
sys.stdout.buffer.write(image(every, kind="svg"))
"""


def test_several_figures_are_the_same_bytes_in_every_process() -> None:
    """Names of clip paths are hashes of their corners, of which a layout varies the last bits."""
    made = [
        subprocess.run(
            [sys.executable, "-c", _DRAW],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
        ).stdout
        for seed in range(3)
    ]
    assert made[0].startswith(b"<?xml")
    assert made[0] == made[1] == made[2]


def test_line_and_grid_end_before_the_names(repeated_runs: Callable[..., Results]) -> None:
    results = repeated_runs({"a": [0.01, 0.02], "b": [0.03, 0.04]}, minutes=(1, 2, 3, 4))
    made = drawn(results, "runs")
    x = made.panels[0].x
    assert x.last == 4.5 < x.high
    ax = matplotlib_figure([made]).get_axes()[0]
    rules = (line for line in ax.get_lines() if line.get_zorder() in {0.5, 2.5})
    ends = {tuple(np.asarray(line.get_xdata()).tolist()) for line in rules}
    assert ends == {(x.low, x.last)}
    layout = plotly_figure(made)["layout"]
    assert layout["xaxis"]["showline"] is False
    assert {shape["x1"] for shape in layout["shapes"]} == {x.last}
    # The page has px of its own for names, behind a plot area that ends with line and grid.
    assert {int(end) for end in re.findall(r"H(\d+)", inline_svg(made))} == {960}


@pytest.mark.parametrize("name", ["b", "a-gateway-of-many-words"])
def test_names_end_where_the_image_does(repeated_runs: Callable[..., Results], name: str) -> None:
    results = repeated_runs({"a": [0.01, 0.02], name: [0.03, 0.04]}, minutes=(1, 2, 3, 4))
    figure = matplotlib_figure([drawn(results, "runs")])
    figure.draw_without_rendering()
    ends = [
        text.get_window_extent().x1 / figure.bbox.width
        for ax in figure.axes
        for text in ax.texts
        if text.get_text() == name
    ]
    assert ends
    assert all(0.9 < end < 1 for end in ends)


def test_marks_of_runs_are_as_strong_as_any(repeated_runs: Callable[..., Results]) -> None:
    """Half transparent they had a contrast of 2:1 on a dark page."""
    results = repeated_runs({"a": [0.01] * 8, "b": [0.02] * 8}, minutes=range(16))
    for panel in drawn(results, "runs").panels:
        assert not any(series.faint for series in panel.series)
