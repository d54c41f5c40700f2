"""The SVG that stands in the page until script replaces it."""

import re
from xml.etree import ElementTree as ET

import pytest

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.figures import KINDS, Chart, chart, look, overview
from benchkit.figures.chart import Axis, DataTable, Note, Panel, Series
from benchkit.figures.inline_svg import inline_svg, symbols
from benchkit.figures.scales import halves
from tests.figures import grids

HOSTILE = "</svg><script>alert(1)</script>\"'&"


def every_chart(results: Results) -> list[Chart]:
    comparisons = assess(results).comparisons
    made = [chart(c, kind, siblings=comparisons) for c in comparisons for kind in KINDS]
    return [each for each in [*made, *map(overview, comparisons)] if each is not None]


def drawn(*series: Series, x: Axis | None = None, notes: tuple[Note, ...] = ()) -> str:
    across = x or Axis("linear", 0, 10, ((0, "0"), (5, "5"), (10, "10")))
    panel = Panel(across, Axis("log", 1, 100, ((1, "1 s"), (100, "100 s"))), series, notes)
    return inline_svg(Chart("", "", "", (panel,), DataTable((), ()), height=200))


def test_every_figure_is_well_formed_small_and_without_script(everything: Results) -> None:
    grid = grids.grid({(v, s): 1.0 + len(v) for v in ("0", "5x20") for s in ("file", "null")})
    heat = grids.over_time([[(0.002, 9), (0.1, 2)]] * 60, failed={3: 1})
    made = [each for results in (everything, grid, heat) for each in every_chart(results)]
    assert {series.kind for series in made} >= {"percentiles", "throughput", "heatmap", "matrix"}
    for series in made:
        text = inline_svg(series)
        names = {element.tag for element in ET.fromstring(text).iter()}  # noqa: S314 - our own
        assert names <= {"svg", "path", "g", "text", "tspan", "use", "circle", "rect"}
        assert "script" not in text
        assert len(text) < 12_000
        assert inline_svg(series) == text


def test_colours_are_roles_that_follow_the_scheme(everything: Results) -> None:
    for series in every_chart(everything):
        assert not re.search(r"#[0-9a-f]{6}", inline_svg(series))


def test_marks_stand_where_the_axes_put_them() -> None:
    text = drawn(Series("a", "v1", (0.0, 5.0), (1.0, 10.0), line=2, marker=8))
    # The plot area reaches from 10 px to 172 px; 10 s is the middle of its log axis.
    assert '<use href="#v1" x="0%" y="172"/><use href="#v1" x="50%" y="91"/>' in text
    assert 'class="v1" d="M0 344l480-162"' in text


def test_open_and_small_marks_are_told_apart() -> None:
    assert '<use href="#v2" class="o"' in drawn(
        Series("a", "v2", (5.0,), (10.0,), marker=8, filled=False)
    )
    assert '<circle cx="50%" cy="91" r="2.5"/>' in drawn(
        Series("a", "v2", (5.0,), (10.0,), marker=5)
    )


def test_the_smallest_marks_are_one_path() -> None:
    """There may be hundreds."""
    dots = drawn(Series("a", "v2", (5.0, 0.0), (10.0, 1.0), marker=3))
    assert 'stroke-width="3" stroke-linecap="round" opacity=".8" d="M480 182h0M0 344h0"' in dots
    assert "<circle" not in dots
    rings = drawn(Series("a", "v2", (5.0, 0.0), (10.0, 1.0), marker=3.5, filled=False))
    hole = '<path class="page" stroke-width="1.5" stroke-linecap="round" d="M480 182h0M0 344h0"/>'
    assert hole in rings
    assert hole not in dots


def test_a_panel_may_end_at_the_gap() -> None:
    """A frame without a mark read as if something were missing."""
    axis = Axis("linear", 0, 10, ((0, "0"), (9, "max")), gap=(6.0, 8.0))
    up = Axis("log", 1, 100, ((1, "1 s"), (100, "100 s")))
    panel = Panel(axis, up, (), (), ends_at_gap=True)
    text = inline_svg(Chart("", "", "", (panel,), DataTable((), ()), height=200))
    assert '<path class="a" d="M0 344H576"/>' in text


def test_line_and_grid_are_broken_where_the_scale_is() -> None:
    axis = Axis("linear", 0, 10, ((0, "0"), (9, "max")), gap=(6.0, 8.0))
    text = drawn(x=axis)
    assert '<path class="a" d="M0 344H576M768 344H960"/>' in text
    assert "M0 20H576M768 20H960" in text


def test_a_ring_is_larger_than_the_mark_in_it() -> None:
    ring = Series("a", "v1", (5.0,), (10.0,), marker=look.RING, filled=False)
    assert '<circle class="o" cx="50%" cy="91" r="7.5"/>' in drawn(ring)


def test_a_band_is_one_closed_path_out_along_its_top_and_back() -> None:
    band = Series("a", "v1", (0.0, 10.0), (10.0, 10.0), low=(1.0, 1.0), high=(100.0, 100.0))
    style = "opacity:calc(0.18*var(--bands,1))"
    assert f'<path class="v1 z" style="{style}" d="M0 20h960v324h-960z"/>' in drawn(band)


def test_a_line_of_the_grid_gives_way_with_the_words_at_it() -> None:
    ticks = tuple((float(n), f"{n},000 req/s") for n in range(11))
    text = drawn(x=Axis("linear", 0, 10, ticks))
    lines = dict(re.findall(r'<path class="g ?(\w?)" d="([^"]*)"', text))
    assert {only: len(re.findall(r"M\d+ 20V", d)) for only, d in lines.items()} == {
        "": 2,  # of 11
        "w": text.count('<text class="w"'),
        "v": text.count('<text class="v"'),
    }


def test_what_stands_beside_one_mark_stands_beside_all_or_none() -> None:
    near, far = (
        Series(name, "v1", (x,), (10.0,), marker=8, labels=(f"{name}, 7.8× paired",))
        for name, x in (("12", 1.0), ("98", 8.0))
    )
    cut = '<tspan class="v">, 7.8× paired</tspan>'
    assert drawn(near, far).count(cut) == 2
    assert cut not in drawn(near)


#: Classes of what a width does not show: a small screen, half a page, more.
HIDDEN = ({"v", "w"}, {"v", "n"}, {"n", "nv"})


def seen(part: ET.Element, hidden: set[str]) -> str:
    """The words of a part of a figure that a width shows."""
    if hidden.intersection(part.get("class", "").split()):
        return ""
    return (part.text or "") + "".join(f"{seen(each, hidden)}{each.tail or ''}" for each in part)


@pytest.mark.parametrize(
    ("x", "endings"),
    [
        (
            1.0,
            (", ratio to “spring-gateway”", *[", and its ratio to “spring-gateway”, paired"] * 2),
        ),
        (8.0, ("", *[", and its ratio to “spring-gateway”, paired"] * 2)),
        (9.0, ("", "", ", and its ratio to “spring-gateway”, paired")),
    ],
)
def test_a_title_tells_of_changes_where_they_stand_beside_marks(
    x: float, endings: tuple[str, ...]
) -> None:
    """Once it told of a ratio that no mark had, and of none where all had one."""
    mark = Series("a", "v1", (x,), (10.0,), marker=8, labels=("12 k, 0.19×",))
    ways = (", and its ratio to “spring-gateway”, paired", ", ratio to “spring-gateway”")
    axes = Axis("linear", 0, 10, ((0, "0"),)), Axis("log", 1, 100, ((1, "100 s"),))
    panel = Panel(*axes, (mark,), title=f"Throughput, req/s{ways[0]}", endings=ways)
    svg = ET.fromstring(inline_svg(Chart("", "", "", (panel,), DataTable((), ()), height=200)))  # noqa: S314
    for hidden, ending in zip(HIDDEN, endings, strict=True):
        words = [seen(text, hidden) for text in svg.iter("text")]
        assert f"Throughput, req/s{ending}" in words
        assert ("12 k, 0.19×" if ending else "12 k") in words


def test_steps_keep_their_value_until_the_next() -> None:
    line = Series("a", "v1", (0.0, 5.0, 10.0), (1.0, 100.0, 100.0), line=2, step="after")
    assert 'd="M0 344h480v-324h480"' in drawn(line)


def test_long_names_give_way_on_a_small_screen() -> None:
    text = drawn(notes=(Note(8, 10, "a name that is too long there"),))
    assert 'class="w">' in text
    words = "".join(ET.fromstring(text).itertext())  # noqa: S314
    assert words.replace("…", "").endswith("a name that is too long there")


def test_a_long_name_has_two_lines_on_a_small_screen_and_the_others_make_room() -> None:
    ended = Axis("linear", 0, 14, ((0, "0"), (10, "10")), end=10)
    names = [
        Note(10, y, text, bold=True, dx=12) for y, text in ((10, "spring-cloud-gateway"), (9, "a"))
    ]
    text = drawn(x=ended, notes=tuple(names))
    lines = re.findall(r'<tspan class="n" x="100%" dx="12" dy="(-?\d+)">([^<]*)</tspan>', text)
    assert [line for _, line in lines] == ["spring-cloud-", "gateway", "a"]
    down = [int(dy) for dy, _ in lines]
    assert down[1] == 12  # px between the two
    assert text.count('<tspan class="w">') == 2
    assert '<path class="n" d="M3 0L10 ' in text  # what leads to a name that was moved there only


def test_names_behind_an_axis_have_px_of_their_own() -> None:
    ended = Axis("linear", 0, 14, ((0, "0"), (10, "10")), end=10)
    name = Note(10, 10, "a-name", bold=True, dx=12)
    text = drawn(Series("a", "v1", (0.0, 10.0), (1.0, 10.0), line=2), x=ended, notes=(name,))
    assert "--r:67px" in text  # the gap of 12 px, six characters, their halo
    assert 'd="M0 344l960-162"' in text
    assert "--r:12px" in drawn()


def test_a_name_that_was_moved_is_led_to_its_line() -> None:
    near, far = (Note(10, 10, "a", "v1", bold=True, dx=12, dy=dy) for dy in (-2, -9))
    assert "<path d=" not in drawn(notes=(near,)).partition("</g>")[2]
    assert '<svg class="l v1" x="100%" y="91"><path d="M3 0L10 -9"/></svg>' in drawn(notes=(far,))


def test_a_word_away_from_its_mark_is_led_to_it_by_dots_which_no_bar_is_made_of() -> None:
    away = Note(5, 10, "13 %", "v1", dx=20, dy=-30, led=True)
    assert '<svg class="l" x="50%"' in (text := drawn(notes=(away,)))
    assert '<path class="p" d="M0 -3L20 -23"/>' in text


def test_a_title_gives_way_at_a_comma_in_half_a_page_and_earlier_on_a_small_screen() -> None:
    title = "Latency over that of a rather long name, over many pairs of runs, log scale"
    across = Axis("linear", 0, 10, ((0, "0"),))
    panel = Panel(across, Axis("log", 1, 100, ((1, "1 s"),)), (), title=title)
    text = inline_svg(Chart("", "", "", (panel,), DataTable((), ()), height=200))
    shown = re.sub(r'<tspan class="v">[^<]*</tspan>', "", text)
    assert "rather long name" in shown
    assert "log scale" not in shown
    words = "".join(ET.fromstring(text).itertext())  # noqa: S314 - our own
    assert title in words.replace("…", "")


def test_what_all_y_axes_are_of_stands_beside_them() -> None:
    y = Axis("linear", 0, 1, ((0, "0"), (1, "1")), "Share of requests")
    panels = (Panel(Axis("linear", 0, 1, ()), y, (), title="a"),) * 2
    text = inline_svg(Chart("", "", "", panels, DataTable((), ()), height=200, columns=2))
    assert re.search(r"rotate\(-90\)\"><text>Share of requests</text>", text)


@pytest.mark.parametrize(
    ("name", "others", "halves_"),
    [
        ("finagle-stand-in", (), ("finagle", "in")),
        ("spring-cloud-gateway", (), ("spring", "")),
        ("spring-cloud-gateway", ("spring-boot-gateway",), ("sprin", "teway")),
        ("spring-cloud-gateway", ("spring-boot-other",), ("", "gateway")),
        ("unbreakablename", (), ("unbre", "ename")),
    ],
)
def test_whole_words_of_a_name_give_way_where_that_leaves_it_apart(
    name: str, others: tuple[str, ...], halves_: tuple[str, str]
) -> None:
    assert halves(name, 11, (name, *others)) == halves_


def test_hostile_names_are_text() -> None:
    series = Series(HOSTILE, "v1", (5.0,), (10.0,), marker=8, labels=(HOSTILE,))
    text = drawn(series, notes=(Note(1, 10, HOSTILE),), x=Axis("linear", 0, 9, ((1, HOSTILE),)))
    words = [element.text for element in ET.fromstring(text).iter("text")]  # noqa: S314
    assert words.count(HOSTILE) >= 1
    assert "<script" not in text


@pytest.mark.parametrize("role", look.SYMBOLS)
def test_each_symbol_is_defined_once(role: str) -> None:
    assert symbols().count(f'<path id="{role}"') == 1
