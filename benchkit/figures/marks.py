"""Marks with their words: lines of medians with bands, names at their ends, rows of dots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final, Literal, NamedTuple

import numpy as np

from benchkit.counting.arrays import Floats
from benchkit.figures.chart import Axis, Cell, Note, Panel, Series
from benchkit.figures.look import LABEL_GAP, NAME_GAP, Key, SeriesName
from benchkit.figures.scales import spread

WIDTH: Final = 520  # of the plot area in px, about
_WIDTHS: Final = (280, 420, 700, 1150)  # on a phone, and unfolded on a wide screen
_CHARACTER: Final = 7.5  # px of a character of a word, about
_NAME_CHARACTER: Final = 8.5  # the same of a name, which is bold
_LEAST_ROOM: Final = 0.13  # where the figure is narrow, this is a short name
_MOST_ROOM: Final = 0.45
#: Of a small screen: px of the plot area and of a character there, and the room of names at most.
_NARROW: Final = 286
_SMALL_CHARACTER: Final = 7.9
_NARROW_ROOM: Final = 0.31
#: Likewise px of a panel beside a list of names, and of a character that is not bold.
BESIDE_NAMES: Final = 234
VALUE_CHARACTER: Final = 6.6
_PIECE: Final = 8  # px of a line that are looked at together
BELOW_HEADING: Final = 14  # px of the middle of a word below the heading, and above the axis
_GAP: Final = LABEL_GAP + 2
_HIGHEST: Final = 5.0  # px below the top of the panel: half a name
_ROUNDS: Final = 6
#: How bad places for a name are, a line below it being 1.
_OUTSIDE, _ON_NAME, _NEAR_LINE = 8.0, 4.0, 0.1
_BEYOND: Final = 1.5  # times the distance of a name from its line, free behind the name
_HALF: Final = 8.0  # px: half a word, and what keeps it from an edge
_LOWEST: Final = -11.0  # px, above the axis: a name behind its end is clear of it and of its words
_NEAR: Final = 6  # px above or below a word: a line there crosses it where a panel is lower
_LED: Final = 14  # px between a word and the place it is about: further apart a line joins them
_CLEAR: Final = 3  # px from the middle of a line, or beside a mark
_BESIDE_BAR: Final = 3.0  # px between a word and a bar beside it
_ABOVE: Final = 1  # px between a word and the axis below, which its halo would cut
#: Opacity of a band that is the range over runs.
RANGE: Final = 0.12
#: Where a word stands beside its mark: alignment, px to the right and down; the best first.
_SIDES: Final[Sequence[tuple[Literal["left", "right", "center"], float, float]]] = (
    *(("center", 0.0, -13.0), ("center", 0.0, 13.0)),
    *(("left", 9.0, 0.0), ("right", -9.0, 0.0)),
    *(("left", 6.0, -14.0), ("right", -6.0, -14.0), ("left", 6.0, 14.0), ("right", -6.0, 14.0)),
    *(("center", 0.0, -22.0), ("center", 0.0, 22.0)),
)
#: The same for a word at a place along x: above or below it before beside it, and further away.
_UPRIGHT: Final[Sequence[tuple[Literal["left", "right", "center"], float, float]]] = (
    *(("center", 0.0, dy) for dy in (-13.0, 13.0, -18.0, 18.0, -24.0, 24.0)),
    *(("left", 9.0, 0.0), ("right", -9.0, 0.0)),
    *(("left", 6.0, -14.0), ("right", -6.0, -14.0), ("left", 6.0, 14.0), ("right", -6.0, 14.0)),
    *(("left", 6.0, -18.0), ("right", -6.0, -18.0), ("left", 6.0, 18.0), ("right", -6.0, 18.0)),
    *(("left", 18.0, -8.0), ("right", -18.0, -8.0), ("left", 18.0, 8.0), ("right", -18.0, 8.0)),
    *(("left", 30.0, -8.0), ("right", -30.0, -8.0), ("left", 30.0, 8.0), ("right", -30.0, 8.0)),
    # Beyond the end of a long bar.
    *(("center", 0.0, dy) for dy in (32.0, 40.0, 48.0, -32.0, -40.0, -48.0)),
    *(("center", 0.0, -34.0), ("center", 0.0, 34.0)),
    # Near the left edge.
    *(("left", 0.0, dy) for dy in (32.0, 40.0, 48.0, -32.0, -40.0, -48.0)),
)


class Spot(NamedTuple):
    """Some runs at one place of a line: their median and the edges of their band."""

    median: float
    low: float
    high: float
    runs: int

    def side(self, other: Spot) -> int:
        """Return 1 where it lies above another one, -1 below, 0 where their bands touch."""
        return int(self.low > other.high) - int(self.high < other.low)


#: By place, ascending.
Spots = Mapping[float, Spot]


def line(
    name: SeriesName,
    points: Iterable[tuple[float, Spot]],
    hover: Iterable[str],
    *,
    width: float = 2.2,
    marker: float = 0.0,
    dotted: bool = False,
    band: float = 0.18,
) -> Series:
    """Return a line of medians through points in their order, with a hover text each.

    It is thin and without marks where it does not stand out; marks of a dotted one are open.
    `band` is the opacity of the band where runs differ, 0 for none.
    """
    places = list(points)
    spots = [spot for _, spot in places]
    several = name.coloured and band and any(spot.low < spot.high for spot in spots)
    return Series(
        *(*name.series, tuple(x for x, _ in places), tuple(spot.median for spot in spots)),
        line=width if name.coloured else 1.0,
        dotted=dotted,
        marker=marker if name.coloured else 0.0,
        filled=not dotted,
        low=tuple(spot.low for spot in spots) if several else (),
        high=tuple(spot.high for spot in spots) if several else (),
        band=band,
        hover=tuple(hover),
    )


def scattered(count: int) -> list[int]:
    """Return the numbers below one in an order in which those next to each other are far apart."""
    golden = (5**0.5 - 1) / 2
    return sorted(range(count), key=lambda number: number * golden % 1)


#: Bands of so many colours are told apart where they lie over each other.
MOST_BANDS: Final = 2


def outline(band: Series) -> list[Series]:
    """Return the edges of a band, where bands are too many."""
    edge = replace(
        band, low=(), high=(), line=1.0, marker=0.0, hover=(), faint=True, in_table=False
    )
    return [replace(edge, ys=ys) for ys in (band.low, band.high) if ys]


def written(spots: Spots, write: Callable[[Spot], str]) -> dict[float, Cell]:
    """Return the medians as a column of `along`."""
    return {at: (write(spot), spot.median) for at, spot in spots.items()}


def apart(
    notes: Sequence[Note], heights: Sequence[float], *, gap: float = _GAP
) -> tuple[Note, ...]:
    """Return notes that stand at these heights in px from above, moved until none touch."""
    moved = spread(heights, gap=gap)
    pairs = zip(notes, moved, heights, strict=True)
    return tuple(replace(note, dy=note.dy + new - old) for note, new, old in pairs)


def end_names(
    names: Sequence[Note], axis: Axis, *, height: float, gap: float = _GAP, top: float = 0.0
) -> tuple[Note, ...]:
    """Return the names of lines, apart, above the axis below and, if they fit, inside the panel.

    `height` is that of the panel in px, `gap` that of a name; so many px from the `top` are free.
    """
    heights = [-axis.share(name.y) * height for name in names]
    moved, floor = spread(heights, gap=gap), _LOWEST - (gap - _GAP)
    for i in sorted(range(len(heights)), key=lambda i: -moved[i]):
        moved[i] = min(moved[i], floor)
        floor = moved[i] - gap
    highest = top - height if top else min([_HIGHEST - height, *heights])
    ceiling = highest if len(names) * gap <= height - top else -math.inf
    for i in sorted(range(len(heights)), key=lambda i: moved[i]):
        moved[i] = max(moved[i], ceiling)
        ceiling = moved[i] + gap
    pairs = zip(names, heights, moved, strict=True)
    return tuple(replace(name, dy=new - old) for name, old, new in pairs)


#: Points of a line, in order.
Polyline = Sequence[tuple[float, float]]


class PlotArea(NamedTuple):
    """Where the marks of a panel are: its axes, and its height and width in px."""

    x: Axis
    y: Axis
    height: float
    width: float = WIDTH

    @classmethod
    def of_all_widths(cls, x: Axis, y: Axis, height: float) -> list[PlotArea]:
        """Return those of a panel from as narrow to as wide as it may be shown."""
        return [cls(x, y, height, width) for width in _WIDTHS]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the px of a place from the left, and from the lower edge downwards."""
        return self.x.share(x) * self.width, -self.y.share(y) * self.height

    def mark(self, word: Note) -> Field:
        """Return the room of the mark that a word belongs to."""
        across, down = self.at(word.x, word.y)
        return Field(across - 5, down - 5, across + 5, down + 5)

    def word(self, word: Note, *, half: float = 6.0) -> Field:
        """Return the room of a word beside its mark; `half` is half its height."""
        across, down = self.at(word.x, word.y)
        width = _CHARACTER * len(word.text)
        left = across + word.dx - {"left": 0.0, "center": 0.5, "right": 1.0}[word.align] * width
        middle = down + word.dy
        return Field(left, middle - half, left + width, middle + half)

    def may_cross(self, word: Note, x: float) -> bool:
        """Whether a word lies on an upright line, as narrow or wide as the figure may be shown."""
        away = self.x.share(x) - self.x.share(word.x)
        near, *_, far = sorted(away * width for width in _WIDTHS)
        field, (across, _) = self.word(word), self.at(word.x, word.y)
        return near - _CLEAR < field.right - across and far + _CLEAR > field.left - across

    def aside(self, word: Note) -> Field:
        """Return what lies between a mark and the word left or right of it."""
        across, down = self.at(word.x, word.y)
        start, end = sorted((across + math.copysign(_CLEAR, word.dx), across + word.dx))
        return Field(start, down + word.dy - 1, end, down + word.dy + 1)

    def lines(self, lines: Iterable[Polyline]) -> Fields:
        """Return the room that lines take, in small pieces."""
        drawn = [np.array(line, float) for line in lines if len(line) > 1]
        if not drawn:
            return Fields.from_rectangles(())
        points = np.concatenate(drawn)
        across, down = points.T.tolist()
        places = np.array(
            [
                [share * self.width for share in self.x.shares(across)],
                [-share * self.height for share in self.y.shares(down)],
            ]
        )
        within = np.ones(points.shape[0] - 1, bool)  # from a point to the next of the same line
        within[np.cumsum([line.shape[0] for line in drawn])[:-1] - 1] = False
        starts, steps = places[:, :-1][:, within], np.diff(places)[:, within]
        counts = np.maximum(1, np.ceil(np.abs(steps).max(axis=0) / _PIECE)).astype(np.int64)
        starts, steps = (np.repeat(each, counts, axis=1) for each in (starts, steps / counts))
        number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        first, last = starts + number * steps, starts + (number + 1) * steps
        return Fields(np.minimum(first, last) - 1, np.maximum(first, last) + 1)


def clear_tags(
    tags: Sequence[Note],
    area: PlotArea,
    *,
    names: Sequence[Note],
    beneath: Fields | None = None,
    upright: Sequence[float] = (),
) -> list[Note]:
    """Return words beside their marks where they touch neither mark, word nor name.

    They stand inside the axes, and clear of what lies beneath, such as lines, where they can: of
    upright ones, at some places along x, in a figure of any width. A word that has no room on any
    side is left out.
    """
    taken = [*map(area.mark, tags), *map(area.word, names)]
    notes = []
    for tag in tags:
        places = [replace(tag, align=align, dx=dx, dy=dy) for align, dx, dy in _SIDES]
        places.sort(key=lambda word: any(area.may_cross(word, at) for at in upright))
        fields = [(area.word(word, half=7.0), word) for word in places]
        inside = [
            each
            for each in fields
            if each[0].left >= 0
            and each[0].right <= area.width + _CHARACTER
            and -area.height <= each[0].top
            and each[0].bottom <= -_ABOVE
        ]
        if free := [each for each in inside if not each[0].touches_any(taken)]:
            field, note = _clearest(free, beneath)
            notes.append(note)
            taken.append(field)
    return notes


def clear_in_all(
    words: Sequence[Note],
    lines: Sequence[Polyline],
    areas: Sequence[PlotArea],
    *,
    names: Sequence[Note] = (),
) -> list[Note]:
    """Return words near their marks that touch no line, name or other word in any of some areas.

    A word that has no such place is left out.
    """
    beneath = [area.lines(lines) for area in areas]
    taken = [[area.word(name).higher(_NEAR) for name in names] for area in areas]
    notes = []
    for word in words:
        positions = [replace(word, align=align, dx=dx, dy=dy) for align, dx, dy in _UPRIGHT]
        for near, note in product((_NEAR, 1.0), positions):
            fields = [area.word(note).wider(_BESIDE_BAR) for area in areas]
            if all(map(partial(_is_free, near=near), fields, areas, beneath, taken)):
                notes.append(replace(note, led=math.hypot(note.dx, note.dy) > _LED))
                for field, own in zip(fields, taken, strict=True):
                    own.append(field)
                break
    return notes


def _is_free(
    field: Field, area: PlotArea, beneath: Fields, taken: Sequence[Field], *, near: float
) -> bool:
    """Whether a word there is inside the axes, and no line is near and no other word."""
    inside = Field(-_BESIDE_BAR, -area.height, area.width + _BESIDE_BAR, -_ABOVE)
    clear = not beneath.touched_by(field.higher(near)) and not field.touches_any(taken)
    return clear and field.within(inside)


def _clearest(places: Sequence[tuple[Field, Note]], beneath: Fields | None) -> tuple[Field, Note]:
    """Return the first place that no line is near, else that none crosses, else the first."""
    for near in (_NEAR, 0.0):
        for field, note in places:
            if beneath is None or not beneath.touched_by(field.higher(near)):
                return field, note
    return places[0]


def clear_name(
    ends: Sequence[Note], others: Sequence[Note], area: PlotArea, *, beneath: Fields | None = None
) -> Note:
    """Return the first of some places for a name where no other mark is, else the first.

    One clear of what lies beneath, such as lines, comes before.
    """
    marks = [*map(area.mark, others)]
    fields = [(area.word(end), end) for end in ends]
    free = [each for each in fields if not each[0].touches_any(marks)] or fields
    return _clearest(free, beneath)[1]


def clear_names(
    choices: Iterable[Sequence[Note]], lines: Sequence[Polyline], areas: Sequence[PlotArea]
) -> tuple[Note, ...]:
    """Return of each some places for a name the least bad over all widths, of equal ones the first.

    The `areas` are the panel at the widths that it may be shown in. Outside of it is worst, then on
    another name, then on a line; near a line is worse than far from all.
    """
    sheets = [_Sheet(area, area.lines(lines), []) for area in areas]
    notes = []
    for positions in choices:
        note = min(positions, key=lambda note: sum(sheet.harm(note) for sheet in sheets))
        notes.append(note)
        for sheet in sheets:
            sheet.taken.append(sheet.area.word(note))
    return tuple(notes)


class _Sheet(NamedTuple):
    """A panel at one width, the lines in it and the names so far."""

    area: PlotArea
    beneath: Fields
    taken: list[Field]

    def harm(self, name: Note) -> float:
        """Return how badly a name stands, 0 where it is clear and no line is near."""
        field = self.area.word(name)
        inside = field.within(Field(0, -self.area.height, self.area.width, 0))
        crossed, near = (self.beneath.touched_by(field.higher(by)) for by in (0.0, _NEAR))
        on_name = field.touches_any(self.taken)
        return _OUTSIDE * (not inside) + _ON_NAME * on_name + crossed + _NEAR_LINE * near


def unmistakable_names(
    choices: Iterable[Sequence[Note]], lines: Sequence[Polyline], area: PlotArea
) -> tuple[Note, ...] | None:
    """Return the same, None where any touches a line, or is no nearer to its own than to others.

    A name stands `dx` from its own line; no other may lie between, or be near behind its end.
    """
    notes = _cleared(choices, lines, area)
    return tuple(note for note, _ in notes) if all(clear for _, clear in notes) else None


def _cleared(
    choices: Iterable[Sequence[Note]], lines: Sequence[Polyline], area: PlotArea
) -> list[tuple[Note, bool]]:
    """Return a place of each, and whether nothing touches it, nor what is as near as its line."""
    beneath, taken = area.lines(lines), list[Field]()
    inside = Field(0, -area.height, area.width, 0)
    notes = []
    for places in choices:
        every = [(area.word(note).longer(_BEYOND * note.dx), note) for note in places]
        held = [each for each in every if each[0].within(inside)] or every
        free = [each for each in held if not each[0].touches_any(taken)] or held
        field, note = _clearest(free, beneath)
        between = beneath.touched_by(area.aside(note))
        touched = field.touches_any(taken) or beneath.touched_by(field) or between
        clear = field.within(inside) and not touched
        notes.append((note, clear))
        taken.append(field)
    return notes


class Field(NamedTuple):
    """A rectangle in px."""

    left: float
    top: float
    right: float
    bottom: float

    def longer(self, by: float) -> Field:
        """Return it with so many px more on the right, or on the left of a negative number."""
        return Field(self.left + min(by, 0), self.top, self.right + max(by, 0), self.bottom)

    def wider(self, by: float) -> Field:
        """Return it with so many px more on the left and on the right."""
        return Field(self.left - by, self.top, self.right + by, self.bottom)

    def higher(self, by: float) -> Field:
        """Return it with so many px more above and below."""
        return Field(self.left, self.top - by, self.right, self.bottom + by)

    def touches(self, other: Field) -> bool:
        """Whether it overlaps another one."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def within(self, other: Field) -> bool:
        """Whether it lies in another one."""
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom

    def touches_any(self, others: Iterable[Field]) -> bool:
        """Whether it overlaps any of some others."""
        return any(self.touches(other) for other in others)


class Fields(NamedTuple):
    """Many rectangles: the px of their upper left and lower right corners, in two rows each."""

    corners: Floats
    opposite: Floats

    @classmethod
    def from_rectangles(cls, fields: Iterable[Field]) -> Fields:
        """Return some rectangles as many."""
        sides = np.array([*fields], float).reshape(-1, 4).T
        return cls(sides[:2], sides[2:])

    def touched_by(self, field: Field) -> bool:
        """Whether one overlaps any of them."""
        corner, opposite = np.array(field).reshape(2, 2, 1)
        return bool(((self.corners < opposite) & (corner < self.opposite)).all(axis=0).any())


def respread(panel: Panel, *, height: float) -> Panel:
    """Return a panel whose names and values at line ends are apart at another height, in px."""
    names = [*filter(_is_name, panel.notes)]
    values = [*filter(_is_value, panel.notes)]
    moved: dict[int, Note] = {}
    for notes, gap, top in ((names, _GAP, 0.0), (values, LABEL_GAP, BELOW_HEADING)):
        if len(notes) > 1:
            own = end_names(notes, panel.y, height=height, gap=gap, top=top)
            moved |= zip(map(id, notes), own, strict=True)
    return replace(panel, notes=tuple(moved.get(id(note), note) for note in panel.notes))


def clear_of_names(panel: Panel, *, height: float) -> Panel:
    """Return a panel so many px high whose words at marks stand elsewhere than names do.

    One that has no such place is left out.
    """
    area = PlotArea(panel.x, panel.y, height)
    names = [note for note in panel.notes if _is_name(note)]
    fields = [area.word(name) for name in names]
    placed: list[Note] = []
    for note in panel.notes:
        at_mark = _is_value(note) or (note.role != "muted" and not note.bold)
        if not at_mark or not area.word(note).touches_any(fields):
            placed.append(note)
        else:
            drawn = [series.points for series in panel.series]
            placed += clear_in_all([replace(note, dx=0, dy=0)], drawn, [area], names=names)
    return replace(panel, notes=tuple(placed))


def _is_name(note: Note) -> bool:
    """Whether a note is the name at the end of a line."""
    return note.align == "left" and note.dx == NAME_GAP and note.bold


def _is_value(note: Note) -> bool:
    """Whether a note is the value of the mark to its right."""
    return note.align == "right" and note.dx == -NAME_GAP and not note.bold


def name_room(names: Iterable[str], *, whole: bool = False) -> float:
    """Return the share of a width that names at line ends need, that of the longest.

    `whole` is of values, which on a small screen are not shortened as names are, beside a list of
    names.
    """
    longest = max(map(len, names), default=0)
    narrow = min(_NARROW_ROOM, (_SMALL_CHARACTER * longest + 2) / _NARROW)
    narrow = (VALUE_CHARACTER * longest + 4) / BESIDE_NAMES if whole else narrow
    return min(_MOST_ROOM, max(_LEAST_ROOM, narrow, (_NAME_CHARACTER * longest + 24) / WIDTH))


def with_room(axis: Axis, names: Iterable[str], *, whole: bool = False) -> Axis:
    """Return an x axis whose names stand behind its end, with their `name_room`."""
    share = name_room(names, whole=whole)
    if axis.scale == "log":
        high = axis.low * (axis.high / axis.low) ** (1 / (1 - share))
    else:
        high = axis.low + (axis.high - axis.low) / (1 - share)
    return replace(axis, high=high, end=axis.high)


def with_space(axis: Axis, words: Iterable[Note], *, height: float) -> Axis:
    """Return a y axis that goes on as far as words above or below marks need, so many px high.

    One from zero goes on upwards alone.
    """
    listed = [word for word in words if word.dy]
    for _ in range(_ROUNDS):  # a longer axis is lower: its words move
        ends = [_far_end(axis, word, height) for word in listed]
        above = max([0.0, *(end - height for end in ends)]) / height
        below = max([0.0, *(-end for end in ends)]) / height
        if axis.scale == "log":
            span = axis.high / axis.low
            axis = replace(axis, low=axis.low / span**below, high=axis.high * span**above)
        else:
            axis = replace(axis, high=axis.high + above * (axis.high - axis.low))
    return axis


def _far_end(axis: Axis, word: Note, height: float) -> float:
    """Return how many px above the lower end of an axis a word ends, away from its mark."""
    return axis.share(word.y) * height - word.dy - math.copysign(_HALF, word.dy)


# --- a row per variant ---

ROW: Final = 26  # px
_EDGE: Final = 64  # px of a panel besides its rows: axis, title
_LEAST: Final = 120


class Dot(NamedTuple):
    """One value of a row, with the texts beside it and on hover."""

    value: float
    labels: tuple[str, ...]
    hover: str
    filled: bool = True
    stems: Literal["", "x"] = ""

    def series(
        self, key: Key, y: float, *, size: float, label_at: Literal["right", "above"] = "right"
    ) -> Series:
        """Return its mark, of so many px."""
        return Series(
            *(*key.series, (self.value,), (y,)),
            marker=size,
            filled=self.filled,
            stems=self.stems,
            labels=self.labels,
            label_at=label_at,
            hover=(self.hover,),
        )


def height(rows: int, row: int = ROW) -> int:
    """Return the height of a panel with so many rows in px."""
    return max(_LEAST, _EDGE + row * rows)


def span(
    key: Key,
    y: float,
    dots: Sequence[Dot],
    *,
    size: float,
    label_at: Literal["right", "above"] = "right",
) -> list[Series]:
    """Return marks of so many px, of two with a dotted line between them."""
    marks = [dot.series(key, y, size=size, label_at=label_at) for dot in dots]
    values = tuple(dot.value for dot in dots)
    line = Series(*key.series, values, (y,) * len(dots), line=1.5, dotted=True, in_table=False)
    return [line, *marks] if len(dots) > 1 else marks
