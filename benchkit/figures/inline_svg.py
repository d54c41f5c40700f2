"""Any chart as a small SVG that stands in the page before, or without, any script.

It has no view box: the SVG is as wide as the plot area, horizontal positions are shares of that
width and vertical ones px, so that text and symbols keep their size at every width. Lines lie in
an inner SVG that stretches. Colours are classes of the page's style sheet, symbols are defined
once per page. What stands behind an axis has px of its own; words and ticks give way where the
figure has half a page (class `v`; `u` where that is no wide one), or a small screen (`w`).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from benchkit.figures import look
from benchkit.figures.chart import Axis, CellGrid, Chart, Note, Panel, Series
from benchkit.figures.layout import ASIDE, BESIDE, Box, boxes, cell_words, margins, on_page
from benchkit.figures.marks import end_names
from benchkit.figures.scales import are_clear, filled, halves, short_name, thinned
from benchkit.names import without_marks

_WIDE: Final = 960  # units of the stretching SVG across
_FINE: Final = 2  # units of it per px down
_LONGEST: Final = 13  # characters of a line of a name there, the same wherever it stands
_LONGEST_ROW: Final = 15  # likewise of a name left of the axes, which is not bold
_TWO_LINES: Final = 26  # px of a name on two lines, of which
_LINE: Final = 12  # px are between them
_CHARACTER: Final = 7.2  # px
_SMALL_CHARACTER: Final = 6.6  # px on a small screen
_BOLD_CHARACTER: Final = 7.9
_RING: Final = 2.0  # px: by how much the middle of an open dot is smaller
_LEAST_TICKS: Final = 3  # of a panel beside another: fewer are all kept
_LED: Final = 3  # px between a name and the end of its line: further apart a line joins them
_BASELINE: Final = 4  # px from the middle of a text to its baseline
_LEVELS: Final = 6  # colours of a density above its first, so that cells of a row merge
_TITLE_CHARACTER: Final = 6.0
#: Classes of what is only where the figure is wide, or not on a small screen.
_ONLY: Final = ("v", "u", "w")
_DOWN: Final = "d"  # behind one: what is in a second row there
_ENDS_LINE: Final = re.compile(r", | |(?<=[-/])")
#: Where a label right of a mark may end: the value, the change beside it, its interval.
_LEAST: Final = ", "
_WHOLE: Final = ""
_CUTS: Final = (_WHOLE, " (", _LEAST)
_DOTS: Final = '<tspan class="n">…</tspan>'
_ALIGN: Final[Mapping[str, str]] = {"left": "", "right": "e", "center": "m"}


def inline_svg(chart: Chart) -> str:
    """Return the chart as an `svg` element without script or colours of its own."""
    chart, right = on_page(chart)
    placed, names = list(boxes(chart, right=right)), _names(chart)
    behind = "".join(line for box in placed for line in _grid(box))
    drawn = [(box, series) for box in placed for series in box.panel.series]
    lines = "".join(line for box, s in drawn if not s.above for line in _lines(box, s))
    above = "".join(line for box, s in drawn if s.above for line in _lines(box, s))
    marks = _beside(chart, placed) + "".join(m for box in placed for m in _marks(box, names))
    cells = "".join(mark for box in placed for mark in _cell_marks(box))
    opening = f'<svg viewBox="0 0 {_WIDE} {chart.height * _FINE}" preserveAspectRatio="none">'
    between = f"</svg>{cells}{opening}" if cells and lines else ""
    marks += f"{opening}{above}</svg>" if above else ""
    return (
        f'<svg class="still" height="{chart.height}" '
        f'style="--l:{margins(chart).left}px;--r:{right}px">'
        f"{opening}{behind}{between}{lines}</svg>{'' if between else cells}{marks}</svg>"
    )


def unquoted(svg: str) -> str:
    """Return an SVG without the quotes that XML needs and HTML does not."""
    return re.sub(r'="([\w#.%:+-]+)"(/?)', lambda m: f"={m[1]}{' /' if m[2] else ''}", svg)


def symbols() -> str:
    """Return the SVG that a page with inline SVGs needs once: the outlines of the symbols."""
    paths = "".join(f'<path id="{role}" d="{d}"/>' for role, (*_, d) in look.SYMBOLS.items())
    hatch = (
        '<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path d="M0 0V7"/></pattern>'
    )
    return f'<svg class="hidden" aria-hidden="true"><defs>{paths}{hatch}</defs></svg>'


def _grid(box: Box) -> Iterator[str]:
    """Yield what lies behind everything."""
    panel = box.panel
    top, bottom = _down(box.top), _down(box.bottom)
    if panel.unmeasured is not None:
        left, end = _across(box.x(panel.unmeasured)), _across(box.end)
        yield f'<path class="z" d="M{left} {top}H{end}V{bottom}H{left}z"/>'
    stretches = [(_across(box.x(low)), _across(box.x(high))) for low, high in panel.stretches]
    rows = [_down(box.y(value)) for value, _ in panel.y.ticks if panel.y.grid]
    lines = {"": [f"M{a} {row}H{b}" for row in rows if row != bottom for a, b in stretches]}
    lined = dict.fromkeys(panel.shown_x.lines, "")
    places = {at: only for (at, _), only in _ticks(box).items()} | lined
    for at, only in sorted(places.items()) if panel.x.grid else ():
        lines.setdefault(only, []).append(f"M{_across(box.x(at))} {top}V{bottom}")
    for only, each in lines.items():
        if each:
            yield f'<path{_class("g", only)} d="{"".join(each)}"/>'
    yield f'<path class="a" d="{"".join(f"M{a} {bottom}H{b}" for a, b in stretches)}"/>'


def _ticks(box: Box) -> dict[tuple[float, str], str]:
    """Return the ticks below a panel with the classes of those that give way in a narrow figure."""
    if box.panel.x.lines:
        return _ticks_in_rows(box)
    axis = kept = box.panel.shown_x
    classes = dict.fromkeys(axis.ticks, "")
    for only, width in zip(_ONLY, (box.broad, box.medium, box.narrow), strict=True):
        fewer = _clear_of_next(box, thinned(kept, width), width)
        classes |= dict.fromkeys({*kept.ticks} - {*fewer.ticks}, only)
        kept = fewer
    return {tick: classes[tick] for tick in axis.ticks}


def _ticks_in_rows(box: Box) -> dict[tuple[float, str], str]:
    """Return the same of an axis each of whose lines has its word: in a second row without room.

    What is in the first where the figure is narrow is so at every width.
    """
    axis = box.panel.shown_x
    classes = {tick: list[str]() for tick in axis.ticks}
    narrow = thinned(axis, box.narrow)
    for only, width in zip(_ONLY, (box.broad, box.medium, box.narrow), strict=True):
        first = filled(narrow, axis.ticks, width)
        rest = tuple(tick for tick in axis.ticks if tick not in first.ticks)
        second = thinned(replace(axis, ticks=rest), width).ticks
        for tick in rest:
            classes[tick].append(f"{only}{_DOWN}" if tick in second else only)
    return {tick: " ".join(_changes(own)) for tick, own in classes.items()}


def _changes(classes: Sequence[str]) -> list[str]:
    """Return of the classes of a tick, from a broad figure to a narrow one, each the first time."""
    kept = {name.endswith(_DOWN): name for name in reversed(classes)}
    return [*kept.values()][::-1]


def _clear_of_next(box: Box, axis: Axis, width: float) -> Axis:
    """Return an axis, so many px wide, whose last word does not touch that of a panel beside it."""
    if (box.left, box.right) == (0, 1) or len(axis.ticks) < _LEAST_TICKS:
        return axis
    gap = ASIDE / (box.right - box.left)
    (first, word), (last, other) = axis.ticks[0], axis.ticks[-1]
    between = (1 - axis.share(last) + gap + axis.share(first)) * width
    return axis if are_clear(between, word, other) else replace(axis, ticks=axis.ticks[:-1])


def _lines(box: Box, series: Series) -> Iterator[str]:
    if series.low:
        there, back = (_units(box, series.xs, ys) for ys in (series.high, series.low))
        d = _path([*there, *reversed(back)])
        style = f"opacity:calc({series.band:g}*var(--bands,1))"
        yield f'<path class="{series.role} z" style="{style}" d="{d}z"/>'
    if 0 < series.marker < look.TINY:
        units = _units(box, series.xs, series.ys)
        dots = "".join(f"M{x} {y}h0" for x, y in units)
        style = f'stroke-width="{series.marker:g}" stroke-linecap="round" opacity=".8"'
        yield f'<path class="{series.role}" {style} d="{dots}"/>'
        if not series.filled:
            width = f'stroke-width="{series.marker - _RING:g}" stroke-linecap="round"'
            yield f'<path class="page" {width} d="{dots}"/>'
    if series.stems:
        roots = _units(box, *zip(*series.roots, strict=True))
        ends = zip(roots, _units(box, series.xs, series.ys), strict=True)
        vertical = series.stems == "y"
        d = "".join(f"M{x} {y}" + (f"V{up}" if vertical else f"H{to}") for (x, y), (to, up) in ends)
        yield f'<path class="{series.role}" d="{d}"/>'
    if series.line:
        style = "" if series.line == 2 else f' stroke-width="{series.line:g}"'
        style += ' stroke-dasharray="2 3"' if series.dotted else ""
        style += f' opacity="{look.FAINT}"' if series.faint else ""
        units = _units(box, series.xs, series.ys)
        yield f'<path class="{series.role}"{style} d="{_path(units, series.step)}"/>'


def _path(units: Sequence[tuple[int, int]], step: str = "") -> str:
    """Return the path through points: the first absolute, each further one as a step."""
    parts = ["M{} {}".format(*units[0])]
    for (x, y), (next_x, next_y) in pairwise(units):
        across, down = next_x - x, next_y - y
        if step:
            parts.append(f"h{across}" + (f"v{down}" if down else ""))
        elif across and down:
            parts.append(f"l{across}{'' if down < 0 else ' '}{down}")
        elif across or down:
            parts.append(f"h{across}" if across else f"v{down}")
    return "".join(parts)


def _beside(chart: Chart, placed: Sequence[Box]) -> str:
    """Return what all y axes are of, upwards left of their ticks."""
    if not chart.beside:
        return ""
    across, down = 12 - margins(chart).left, round((placed[0].top + placed[-1].bottom) / 2)
    turned = f'transform="translate({across} {down}) rotate(-90)"'
    return f'<g class="m" {turned}><text>{escape(chart.beside)}</text></g>'


def _names(chart: Chart) -> list[str]:
    """Return the names in a chart, which are apart where they are shortened too."""
    ends = (note.text for panel in chart.panels for note in panel.notes if note.bold)
    rows = (text for panel in chart.panels if not panel.y.grid for _, text in panel.y.ticks)
    return list(dict.fromkeys([*ends, *rows]))


def _marks(box: Box, known: Sequence[str]) -> Iterator[str]:
    """Yield everything that keeps its size: ticks, words, symbols."""
    panel, cuts = box.panel, _cuts(box)
    if box.outermost:
        yield f'<g class="y">{"".join(_rows(box, known))}</g>'
    if box.ticks:
        below = "".join(
            f'<text{_class(only)} x="{_percent(box.x(at))}">{escape(text)}</text>'
            for (at, text), only in _ticks(box).items()
        )
        yield f'<g class="m" transform="translate(0 {round(box.bottom + 18)})">{below}</g>'
        if panel.x.title and box.outermost:
            yield _axis_title(box, lowered=_ticks(box).values())
    if panel.title:
        # Of panels beside each other the title is a name.
        whole = (box.left, box.right) == (0, 1)
        limits = _room(box, _TITLE_CHARACTER, beyond=whole)
        if panel.endings:
            title = _ended(panel, limits, cuts)
        else:
            small, medium = (short_name(panel.title, limit) for limit in limits)
            beside = _by_width(small, medium, panel.title)
            title = _narrowed(panel.title, *limits) if whole else beside
        at = "" if box.outermost else f' x="{_percent(box.left)}"'
        yield f'<text class="t"{at} y="{round(box.top - 8)}">{title}</text>'
    for role, those in groupby(panel.series, key=lambda series: series.role):
        content = "".join(
            mark for s in those for mark in (*_symbols(box, s), *_labels(box, s, cuts))
        )
        yield f'<g class="{role}">{content}</g>' if content else ""
    lower = _two_lines(box)
    yield from (_note(box, note, known, lower.get(id(note))) for note in panel.notes)


def _axis_title(box: Box, *, lowered: Collection[str]) -> str:
    """Return what an x axis is of: once for panels beside each other, in the middle of all.

    It gives way to a second row of ticks, of which these are the classes.
    """
    alone = box.right == 1
    room = _room(box, _CHARACTER, 1 / (box.right - box.left), beyond=True)
    middle = (box.left + box.end) / 2 if alone else 1 / 2
    title = _narrowed(box.panel.x.title, *room)
    down = next((d for only in _ONLY if (d := f"{only}{_DOWN}") in " ".join(lowered).split()), "")
    at = f'x="{_percent(middle)}" y="{round(box.bottom + 38)}"'
    return f"<text{_class('m', down)} {at}>{title}</text>"


def _ended(panel: Panel, limits: tuple[int, int], cuts: tuple[str, str]) -> str:
    """Return the title of a panel, which tells of changes beside marks at widths that show them."""
    start = panel.title.removesuffix(panel.endings[0])
    small, medium = (
        ""
        if cut == _LEAST
        else next((end for end in panel.endings if len(start + end) <= limit), panel.endings[-1])
        for limit, cut in zip(limits, cuts, strict=True)
    )
    return escape(start) + _by_width(small, medium, panel.endings[0])


def _by_width(small: str, medium: str, wide: str) -> str:
    """Return what a text says on a small screen, in half a page and where it is wider."""
    if small == medium == wide:
        return escape(wide)
    parts = [("v", wide), ("nv w", medium), ("n", small)]
    if medium == wide:
        parts = [("w", wide), ("n", small)]
    elif small == medium:
        parts = [("v", wide), ("nv", small)]
    return "".join(f'<tspan class="{only}">{escape(text)}</tspan>' for only, text in parts if text)


def _rows(box: Box, known: Sequence[str]) -> Iterator[str]:
    """Yield the words of the y axis; long ones stand on two lines where a row is high enough."""
    rows = [(round(box.y(value)), text) for value, text in box.panel.y.ticks]
    least = min((abs(b - a) for (a, _), (b, _) in pairwise(rows)), default=_TWO_LINES)
    for y, text in rows:
        words = _short(text, _LONGEST_ROW, known)
        if len(text) > _LONGEST_ROW and least >= _TWO_LINES:
            lines = _wrapped(text, _LONGEST_ROW)
            words = _lines_of(text, lines, 'x="0"') if lines else words
        yield f'<text y="{y}">{words}</text>'


def _two_lines(box: Box) -> dict[int, float]:
    """Return how far below its place each name at the end of a line is on a small screen.

    By `id`; nothing where all names fit on a line, one does not fit on two, or the panel is too low
    for that.
    """
    names = [note for note in box.panel.notes if note.bold and note.dx == look.NAME_GAP]
    short = [len(note.text) <= _limit(box, note) for note in names]
    fitting = all(
        fits or _wrapped(note.text, _limit(box, note))
        for note, fits in zip(names, short, strict=True)
    )
    height = box.bottom - box.top
    if all(short) or not fitting or len(names) * _TWO_LINES > height:
        return {}
    moved = end_names(names, box.panel.y, height=height, gap=_TWO_LINES)
    return {id(note): new.dy for note, new in zip(names, moved, strict=True)}


def _symbols(box: Box, series: Series) -> Iterator[str]:
    if series.marker < look.TINY:
        return  # there are too many for an element each
    hollow = "" if series.filled else ' class="o"'
    for x, y in series.points:
        across, down = _percent(box.x(x)), round(box.y(y))
        if series.marker < look.SMALL or series.marker >= look.RING:
            yield f'<circle{hollow} cx="{across}" cy="{down}" r="{series.marker / 2:g}"/>'
        else:
            yield f'<use href="#{series.role}"{hollow} x="{across}" y="{down}"/>'


def _cuts(box: Box) -> tuple[str, str]:
    """Return at what labels right of marks end, on a small screen and in half a page.

    What gives way beside some does so beside all: nothing, intervals, or all but the values.
    """
    right = [series for series in box.panel.series if series.label_at == "right"]
    labels = [
        (text, _room(box, _CHARACTER, 1 - box.panel.x.share(x), beyond=True))
        for series in right
        for x, text in zip(series.xs, series.labels, strict=False)
    ]
    # What stands behind an interval is not lost with it beside some.
    cuts = [_WHOLE, _LEAST] if any("), " in text for text, _ in labels) else _CUTS
    small, medium = (
        next((cut for cut in cuts if all(_fits(t, cut, rooms[n]) for t, rooms in labels)), _LEAST)
        for n in (0, 1)
    )
    return small, medium


def _fits(label: str, cut: str, room: int) -> bool:
    """Whether a label that ends where it is cut has room with the numbers of its findings."""
    value = without_marks(label)
    return _end(value, cut) + len(label) - len(value) <= room


def _end(value: str, cut: str) -> int:
    """Return where a label ends that is cut."""
    at = value.find(cut) if cut else -1
    return len(value) if at < 0 else at


def _ended_at(value: str, cut: str, room: int) -> tuple[int, bool]:
    """Return where a label ends that is cut or has so little room, and whether dots follow."""
    end = _end(value, cut)
    return (end, False) if end <= room else _cut(value, max(room, 4))


def _labels(box: Box, series: Series, cuts: tuple[str, str]) -> Iterator[str]:
    move = {
        "right": (BESIDE, 0, ""),
        "left": (-10, 0, ' class="e"'),
        "above": (0, -14, ' class="m"'),
    }
    dx, dy, align = move[series.label_at]
    for x, y, text in filter(itemgetter(2), zip(series.xs, series.ys, series.labels, strict=False)):
        right = series.label_at == "right"
        value = without_marks(text)
        marks = text.removeprefix(value)  # of findings, which stay however narrow it is
        part = 1 - box.panel.x.share(x) if right else 1.0
        rooms = (room - len(marks) for room in _room(box, _CHARACTER, part, beyond=right))
        small, medium = (
            _ended_at(value, cut if right else _WHOLE, room)
            for room, cut in zip(rooms, cuts, strict=True)
        )
        words = _parted(value, min(small, medium), medium)
        yield _text(align, box.x(x), box.y(y) + dy, dx, words + escape(marks))


def _room(
    box: Box, character: float, part: float = 1.0, *, beyond: bool = False
) -> tuple[int, int]:
    """Return the characters that a part of the width has room for, narrow and in half a page.

    `beyond` is for words that may reach as far as the names behind the axis do.
    """
    more = box.beyond if beyond else 0
    widths = (part * box.narrow + more, part * box.medium + more)
    return int(widths[0] / character), int(widths[1] / character)


def _limit(box: Box, note: Note) -> int:
    """Return the characters of a note that there is room for on a small screen."""
    room = box.narrow
    if note.align == "left":
        room = box.narrow * (1 - box.panel.x.share(note.x)) + box.beyond - note.dx
    limit = int(room / (_BOLD_CHARACTER if note.bold else _SMALL_CHARACTER))
    return min(limit, _LONGEST) if note.bold else limit


def _note(box: Box, note: Note, known: Sequence[str], lower: float | None) -> str:
    """Return a note; `lower` is how far below its place it is where it may have two lines."""
    if not (math.isfinite(note.x) and math.isfinite(note.y)):
        return ""
    role = "" if note.role == "muted" else note.role
    classes = " ".join(filter(None, (role, _ALIGN[note.align], "b" if note.bold else "")))
    attributes, limit = f' class="{classes}"' if classes else "", _limit(box, note)
    if lower is None:
        words = _short(note.text, limit, known if note.bold else ())
    else:
        lines = [note.text] if len(note.text) <= limit else _wrapped(note.text, limit)
        at = f'x="{_percent(box.x(note.x))}" dx="{note.dx:g}"'
        words = _lines_of(note.text, lines, at, lower=lower - note.dy)
    text = _text(attributes, box.x(note.x), box.y(note.y) + note.dy, note.dx, words)
    return _leader(box, note, lower) + text


def _leader(box: Box, note: Note, lower: float | None) -> str:
    """Return the lines from a word that was moved away to its place, if it was."""
    if note.led:
        path = f'<path class="p" d="M0 {math.copysign(3, note.dy):g}L{_led_to(note)}"/>'
        return _led(box, replace(note, role="muted"), path)
    if not (note.bold and note.dx == look.NAME_GAP):
        return ""
    moves = [("", note.dy)] if lower is None else [("w", note.dy), ("n", lower)]
    paths = "".join(
        f'<path{_class(only)} d="M3 0L{note.dx - 2:g} {round(dy)}"/>'
        for only, dy in moves
        if abs(dy) > _LED
    )
    return _led(box, note, paths) if paths else ""


def _led_to(note: Note) -> str:
    """Return where a line ends that leads to a word: below or above it, or beside it."""
    rest = note.dy - math.copysign(7, note.dy) if abs(note.dy) > 7 else note.dy
    return f"{note.dx:g} {rest:g}"


def _led(box: Box, note: Note, paths: str) -> str:
    role = "" if note.role == "muted" else f" {note.role}"
    at = f'x="{_percent(box.x(note.x))}" y="{round(box.y(note.y))}"'
    return f'<svg class="l{role}" {at}>{paths}</svg>'


def _class(*names: str) -> str:
    return f' class="{" ".join(filter(None, names))}"' if any(names) else ""


def _text(attributes: str, across: float, y: float, dx: float, words: str) -> str:
    moved = f' dx="{dx:g}"' if dx else ""
    at = f'x="{_percent(across)}" y="{round(y + _BASELINE)}"'
    return f"<text{attributes} {at}{moved}>{words}</text>"


def _short(name: str, limit: int, others: Sequence[str] = ()) -> str:
    """Return a name of which a part gives way on a small screen, where it is unlike others."""
    limit = max(limit, 6)
    if len(name) <= limit:
        return escape(name)
    start, end = halves(name, limit, others)
    middle = escape(name[len(start) : len(name) - len(end)])
    return f'{escape(start)}{_DOTS}<tspan class="w">{middle}</tspan>{escape(end)}'


def _wrapped(name: str, limit: int) -> list[str]:
    """Return a name on two lines of at most so many characters, the second no longer if it can be.

    Empty where they are longer.
    """
    ends = (match.span() for match in _ENDS_LINE.finditer(name))
    pairs = [[name[:end].rstrip(" "), name[end:]] for _, end in ends if end < len(name)]
    fitting = [pair for pair in pairs if max(map(len, pair)) <= limit]
    return min(fitting, key=lambda pair: (max(map(len, pair)), len(pair[1])), default=[])


def _lines_of(name: str, lines: Sequence[str], at: str, *, lower: float = 0.0) -> str:
    """Return a name that has these lines on a small screen, where it is so many px lower."""
    moves = [round(lower - _LINE * (len(lines) - 1) / 2), *[_LINE] * (len(lines) - 1)]
    parts = (
        f'<tspan class="n" {at} dy="{move}">{escape(line)}</tspan>'
        for move, line in zip(moves, lines, strict=True)
    )
    return f'<tspan class="w">{escape(name)}</tspan>{"".join(parts)}'


def _narrowed(text: str, small: int, medium: int) -> str:
    """Return a text whose last parts, or else words, give way where it has too little room.

    It has so many characters on a small screen and in half a page.
    """
    medium_end = _cut(text, max(medium, small, 4))
    return _parted(text, _cut(text[: medium_end[0]], max(small, 4)), medium_end)


def _parted(text: str, small: tuple[int, bool], medium: tuple[int, bool]) -> str:
    """Return a text that ends there on a small screen and in half a page, with dots or none."""
    (end, dots), (far, mark) = small, medium
    rest = escape(text[end:far])
    if far < len(text):
        dotted = '<tspan class="nv">…</tspan>' if mark else ""
        rest += f'{dotted}<tspan class="v">{escape(text[far:])}</tspan>'
    if end == far:
        return escape(text[:end]) + rest
    return f'{escape(text[:end])}{_DOTS if dots else ""}<tspan class="w">{rest}</tspan>'


def _cut(text: str, limit: int) -> tuple[int, bool]:
    """Return where a text ends that has room for so many characters, and whether dots follow."""
    if len(text) <= limit:
        return len(text), False
    if (part := text.rfind(", ", 0, limit + 1)) > 0:
        return part, False
    word = text.rfind(" ", 0, limit)
    return (word if word > 0 else limit - 1), True


def _units(box: Box, xs: Iterable[float], ys: Iterable[float]) -> list[tuple[int, int]]:
    """Return where points stand."""
    return list(zip(map(_across, box.xs(xs)), map(_down, box.ys(ys)), strict=True))


def _across(share: float) -> int:
    return round(share * _WIDE)


def _down(y: float) -> int:
    return round(y * _FINE)


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g}%"


# --- cells ---


def _cell_marks(box: Box) -> Iterator[str]:
    grid = box.panel.cells
    if grid is None:
        return
    if not grid.texts:
        yield _density(box, grid)
        return
    across, down = [box.x(x) for x in grid.xs], [box.y(y) for y in grid.ys]
    for values, (low, top) in zip(grid.values, pairwise(down), strict=True):
        for value, (left, right) in zip(values, pairwise(across), strict=True):
            at = f'x="{_percent(left)}" y="{top:.4g}" width="{_percent(right - left)}"'
            yield f'<rect {at} height="{low - top:.4g}" {_cell_fill(grid, value)}/>'
    for word in cell_words(box.panel, grid):
        classes = f"m b {word.role}" if word.bold else f"m {word.role}"
        at = f'x="{_percent(box.x(word.x))}" y="{round(box.y(word.y) + 4)}"'
        yield f'<text class="{classes}" {at}>{escape(word.text)}</text>'


def _cell_fill(grid: CellGrid, value: float | None) -> str:
    if value is None:
        return 'class="h"' if grid.hatched else 'class="n"'
    return f'class="c" style="fill:{_mixed(grid.scale, value)}"'


def _mixed(scale: str, value: float) -> str:
    """Return the colour at a place of a scale, mixed of the two nearest roles."""
    roles = look.SCALES[scale]
    at = min(max(value, 0.0), 1.0) * (len(roles) - 1)
    before = min(int(at), len(roles) - 2)
    mixed = round(100 * (at - before))
    return f"color-mix(in srgb,var(--{roles[before]}),var(--{roles[before + 1]}) {mixed}%)"


def _density(box: Box, grid: CellGrid) -> str:
    """Return cells as lines, as thick as a row is high: a path per colour and thickness."""
    top, low = box.y(grid.ys[-1]), box.y(grid.ys[0])
    down = [round(_FINE * (box.y(y) - top)) for y in grid.ys]
    paths: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for row, values in enumerate(grid.values):
        height = down[row] - down[row + 1]
        for level, runs in _same(values).items():
            paths[level, height].append(_dashes(runs, (down[row] + down[row + 1]) / 2))
    drawn = "".join(
        f'<path stroke-width="{height}" style="stroke:{_mixed(grid.scale, level / _LEVELS)}" '
        f'd="{"".join(parts)}"/>'
        for (level, height), parts in sorted(paths.items())
    )
    left, right = box.x(grid.xs[0]), box.x(grid.xs[-1])
    return (
        f'<svg class="d" viewBox="0 0 {len(grid.values[0])} {down[0]}" x="{_percent(left)}" '
        f'y="{top:.4g}" height="{low - top:.4g}" width="{_percent(right - left)}" '
        f'preserveAspectRatio="none">{drawn}</svg>'
    )


def _same(values: Sequence[float | None]) -> dict[int, list[tuple[int, int]]]:
    """Return first column and length of each run of cells of one colour, by colour."""
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    column = 0
    for level, run in groupby(None if v is None else round(v * _LEVELS) for v in values):
        length = len(list(run))
        if level is not None:
            spans[level].append((column, length))
        column += length
    return spans


def _dashes(runs: Sequence[tuple[int, int]], y: float) -> str:
    """Return a row's dashes: the first at its place, each other as a step from the last."""
    column, length = runs[0]
    parts = [f"M{column} {y:g}h{length}"]
    for (before, last), (column, length) in pairwise(runs):
        parts.append(f"m{column - before - last} 0h{length}")
    return "".join(parts)
