"""Words beside marks: none over another, over a mark, or over a name."""

from __future__ import annotations

import pytest

from benchkit.figures.chart import Axis, Note
from benchkit.figures.marks import (
    PlotArea,
    clear_in_all,
    clear_name,
    clear_names,
    clear_tags,
    with_space,
)
from benchkit.figures.scales import percentile_axis, percentile_x, thinned

AREA = PlotArea(Axis("linear", 0.0, 100.0, ()), Axis("linear", 0.0, 10.0, ()), 120)


def beside(*spots: tuple[float, float, str], names: tuple[Note, ...] = ()) -> dict[str, str]:
    """Return on which side of its mark each word stands."""
    tags = [Note(x, y, text, "v1") for x, y, text in spots]
    sides = {(0, -13): "above", (0, 13): "below", (9, 0): "right", (-9, 0): "left"}
    notes = clear_tags(tags, AREA, names=names)
    return {note.text: sides[int(note.dx), int(note.dy)] for note in notes}


def test_a_word_stands_above_its_mark() -> None:
    assert beside((10, 5, "1"), (50, 5, "10"), (90, 5, "100")) == dict.fromkeys(
        ("1", "10", "100"), "above"
    )


def test_near_marks_share_the_room_around_them() -> None:
    assert beside((50, 5, "100"), (53, 5, "200")) == {"100": "above", "200": "below"}


def test_a_name_is_not_written_over() -> None:
    name = Note(40, 6, "fasthttp", dx=0, dy=0)
    assert beside((50, 5, "100"), names=(name,)) == {"100": "below"}


def test_a_name_goes_to_an_end_of_its_line_without_other_marks() -> None:
    ends = [Note(50, 5, "nethttp", dx=12), Note(10, 5, "nethttp", dx=12)]
    assert clear_name(ends, [Note(58, 5, "1", "v1")], AREA) is ends[1]
    assert clear_name(ends, [Note(58, 9, "1", "v1")], AREA) is ends[0]


def test_a_word_stands_clear_of_lines_where_it_can() -> None:
    def placed(*heights: float) -> Note:
        lines = AREA.lines([[(0.0, at), (100.0, at)] for at in heights])
        tags = [Note(50, 5, "1", "v1")]
        (note,) = clear_tags(tags, AREA, names=(), beneath=lines)
        return note

    assert placed(6.1).dy == 13
    assert placed(3.1, 3.9, 5.0, 6.1, 6.9).dy == -13


def test_a_word_is_on_no_upright_line_however_wide_the_figure_is() -> None:
    tag = Note(50, 5, "1,000", "v1")
    (usual,) = clear_tags([tag], AREA, names=())
    (right,) = clear_tags([tag], AREA, names=(), upright=[49.5])
    (left,) = clear_tags([tag], AREA, names=(), upright=[52])
    assert (usual.align, right.align, left.align) == ("center", "left", "right")


def test_a_word_stays_in_its_panel() -> None:
    wide = Note(99, 5, "a long name", "v1")
    (note,) = clear_tags([wide], AREA, names=())
    assert note.align == "right"


def test_a_name_has_the_first_place_that_no_line_and_no_name_touches() -> None:
    places = [Note(x, 5, "zuul", dx=10) for x in (20, 50, 80)]
    line = [(25.0, 0.0), (25.0, 10.0)]
    first, second = clear_names([places, places], [line], [AREA])
    assert (first, second) == (places[1], places[2])


def test_a_name_stands_where_it_is_clear_at_all_widths() -> None:
    """On a phone what is far apart on a wide screen is not."""
    places = [Note(x, 5, "zuul", dx=10) for x in (20, 60)]
    line = [(30.0, 0.0), (30.0, 10.0)]
    wide, narrow = (AREA._replace(width=width) for width in (1150, 280))
    assert clear_names([places], [line], [wide]) == (places[0],)
    assert clear_names([places], [line], [wide, narrow]) == (places[1],)


def test_a_word_without_room_is_left_out() -> None:
    sides = beside(*((50, 5, f"{n}00") for n in range(1, 7)))
    assert 0 < len(sides) < 6
    assert len(set(sides.values())) == len(sides)


def test_ticks_whose_words_would_touch_are_left_out() -> None:
    axis = Axis("linear", 0.0, 100.0, ((10, "p90"), (40, "p99"), (43, "p99.9"), (80, "p99.99")))
    assert [text for _, text in thinned(axis, 520).ticks] == ["p90", "p99", "p99.99"]
    assert [text for _, text in thinned(axis, 60).ticks] == ["p99"]


def test_of_figures_the_roundest_stay() -> None:
    steps = (100, 125, 150, 175, 200)
    axis = Axis("log", 90, 220, tuple((float(n), f"{n} ms") for n in steps))
    assert [text for _, text in thinned(axis, 200).ticks] == ["100 ms", "150 ms", "200 ms"]
    powers = Axis("log", 1, 100, tuple((float(n), f"{n} ms") for n in (1, 3, 10, 30, 100)))
    assert [text for _, text in thinned(powers, 150).ticks] == ["1 ms", "10 ms", "100 ms"]


def test_of_even_steps_every_second_or_third_stays() -> None:
    axis = Axis("linear", 0, 10, tuple((float(n), f"{n} s") for n in range(0, 11, 2)))
    assert [text for _, text in thinned(axis, 150).ticks] == ["0 s", "4 s", "8 s"]
    assert [text for _, text in thinned(axis, 60).ticks] == ["0 s", "6 s"]
    assert [text for _, text in thinned(axis, 10).ticks] == ["0 s"]
    names = ("off", "on", "auto", "a very long level name")
    named = Axis("linear", 0, 4, tuple((n + 0.5, name) for n, name in enumerate(names)))
    assert [text for _, text in thinned(named, 290).ticks] == ["off", "on", "auto"]


def test_a_word_stays_below_the_title_of_its_panel() -> None:
    (note,) = clear_tags([Note(50, 9.8, "1,000", "v1")], AREA, names=())
    assert AREA.word(note).top >= -AREA.height


@pytest.mark.parametrize(
    ("last", "names"),
    [(0.9853, ["p50", "p75", "p90", "p95", "p98.5"]), (0.99, ["p50", "p75", "p90", "p95", "p99"])],
)
def test_the_end_of_the_lines_has_a_tick_where_it_is_far_from_others(
    last: float, names: list[str]
) -> None:
    axis = percentile_axis(0.0, 2.0, last=percentile_x(last))
    assert [text for _, text in axis.ticks] == names


def test_a_word_is_clear_of_a_bar_in_a_panel_of_any_width() -> None:
    word, bar = Note(50, 5, "p50 −13 %", "v1"), [(53, 0), (53, 10)]
    level = [(0, 5), (100, 5)]
    narrow, wide = (AREA._replace(width=width) for width in (280, 1150))
    (note,) = clear_in_all([word], [bar, level], [narrow, wide])
    for area in (narrow, wide):
        assert not area.lines([bar, level]).touched_by(area.word(note))


def test_a_word_stands_beyond_the_end_of_a_long_bar_and_at_the_edge_of_a_narrow_panel() -> None:
    word, bars = Note(16, 5, "p50 −13 %", "v1"), [[(x, 2), (x, 8)] for x in (17, 40, 63)]
    level = [(0, 5), (100, 5)]
    narrow = AREA._replace(width=220)
    (note,) = clear_in_all([word], [*bars, level], [narrow])
    assert abs(note.dy) > 0.3 * narrow.height
    assert note.led
    assert narrow.word(note).left < 3


def test_a_word_without_such_a_place_is_left_out() -> None:
    steep = [[(x, 0), (x, 10)] for x in range(0, 101, 2)]
    assert clear_in_all([Note(50, 5, "p50 −13 %", "v1")], steep, [AREA]) == []


@pytest.mark.parametrize("height", [70, 100, 160])
def test_an_axis_goes_on_as_far_as_a_word_above_its_highest_mark_needs(height: float) -> None:
    """A longer axis is lower: once the word still ended beyond it."""
    words = [Note(1, 100, "①", dy=-15), Note(1, 1, "①", dy=15), Note(1, 50, "beside")]
    linear = with_space(Axis("linear", 0, 100, ()), words[:1], height=height)
    assert linear.share(100) * height + 15 + 8 == pytest.approx(height, abs=0.1)
    log = with_space(Axis("log", 1, 100, ()), words, height=height)
    assert log.share(100) * height + 15 + 8 == pytest.approx(height, abs=1)
    assert log.share(1) * height - 15 - 8 == pytest.approx(0, abs=1)
    assert with_space(linear, words[2:], height=height) == linear
