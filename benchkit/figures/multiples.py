"""Many variants beside each other: a small panel of each, with its baseline in grey behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Chart, Note, Panel, Series
from benchkit.figures.look import CONTEXT, Key, text_role
from benchkit.figures.marks import end_names, with_room
from benchkit.figures.words import baselines, latency_marks
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.names import with_marks

#: Of so many variants lines in one panel are no longer told apart.
FROM: Final = 8
#: Panels that an eye compares: of more variants some are left to the table.
MOST: Final = 12
#: Panels beside each other: of more none could be read on a small screen.
_COLUMNS: Final = 2
#: Ticks of their latency axes, at most.
TICKS: Final = 4
_SEEN: Final = 3  # points of a line: fewer are a dot at the edge
_ALONE: Final = 6  # so many panels may be a row each
_ROW: Final = 98  # px of a panel with what lies between two
_HIGH_ROW: Final = 150  # the same where there are few
_FEW: Final = 4  # rows
_BETWEEN: Final = 42  # px of it that lie between two
_EDGE: Final = 52  # px of the figure besides
_APART: Final = 0.2  # of an axis: the least distance of two ticks


def beside_each_other(
    chart: Chart,
    comparison: Comparison,
    drawn: Mapping[Key, Sequence[Series]],
    axes: tuple[Axis, Axis],
    texts: Mapping[Key, str],
    *,
    pairs: Mapping[Key, Sequence[str]] = MappingProxyType({}),
    rows: Callable[[Sequence[Sequence[Series]]], Sequence[Axis]] | None = None,
) -> Chart:
    """Return a figure with a panel per variant but the baselines, in the order of the table.

    The numbers of the findings that qualify its latencies stand at the name of each.

    Args:
        chart: The figure, whatever its panels.
        comparison: Whose variants are shown.
        drawn: What each looks like.
        axes: Shared by all panels.
        texts: What stands beside the name of each, if anything.
        pairs: What stands beside the level where both lines of a panel have their names, from the
            longest words to the shortest.
        rows: Returns a y axis for each row of panels, from the lines in it, in place of one for
            all. Few panels are a row each.
    """
    by_label = {key.label: key for key in drawn}
    ordered = [by_label[v.label] for v in comparison.variants if v.label in by_label]
    behind = {key: by_label.get(comparison.against(key.label) or "") for key in ordered}
    every = [key for key in ordered if behind[key] is not None] or ordered
    shown = _thinned(every, comparison)
    x, y = axes
    columns = 1 if rows and len(shown) <= _ALONE else _COLUMNS
    lines = [
        (*_grey(drawn, behind[key]), *(_alone(key, series) for series in drawn[key]))
        for key in shown
    ]
    together = [lines[n : n + columns] for n in range(0, len(lines), columns)]
    own = rows([[s for each in row for s in each] for row in together]) if rows else ()
    high = _ROW if len(together) > _FEW else _HIGH_ROW
    ends = [
        _ends(comparison, key, behind[key], each) if columns == 1 else []
        for key, each in zip(shown, lines, strict=True)
    ]
    beside = [
        (pairs.get(key, ()) if named else ()) or [texts.get(key, "")]
        for key, named in zip(shown, ends, strict=True)
    ]
    headings = {
        key: _level(key, comparison)
        if any(ends)
        else with_marks(_heading(key, comparison), latency_marks(comparison, key.label))
        for key in shown
    }
    x = with_room(x, [note.text for each in ends for note in each]) if any(ends) else x
    panels = tuple(
        Panel(
            x,
            own[n // columns] if own else y,
            each,
            end_names(ends[n], own[n // columns] if own else y, height=high - _BETWEEN),
            title=": ".join(filter(None, (headings[key], beside[n][0]))),
            endings=(*(f": {words}" for words in beside[n]), "") if len(beside[n]) > 1 else (),
        )
        for n, (key, each) in enumerate(zip(shown, lines, strict=True))
    )
    return replace(
        chart,
        panels=panels,
        caption=f"{chart.caption} {_explained(comparison, shown, behind.values())}"
        + _left_out(len(shown), len(every), swept=bool(comparison.axis)),
        height=_EDGE + high * len(together),
        columns=columns,
    )


def _ends(
    comparison: Comparison, key: Key, base: Key | None, lines: Sequence[Series]
) -> list[Note]:
    """Return the names of a variant and of its baseline where their lines end.

    Of levels these are the names of the variants: the title of the panel has the level.
    """
    named = ((CONTEXT, base), (key.role if key.coloured else "text", key))
    return [
        replace(
            each.end(
                *line.points[-1],
                with_marks(each.variant.name, latency_marks(comparison, each.label)),
            ),
            role=text_role(role),
        )
        for role, each in named
        for line in lines
        if each and line.line and (line.role, line.name) == (role, each.label)
    ]


def within(series: Series, y: Axis) -> Series | None:
    """Return the part of a rising line that lies on a log axis, None for nothing."""
    points = list(series.points)
    held = [n for n, (_, at) in enumerate(points) if y.low <= at <= y.high]
    if len(held) == len(points):
        return series
    if len(held) < _SEEN:
        return None
    first, last = held[0], held[-1]
    cut = points[first : last + 1]
    if first:
        cut.insert(0, (_crossing(points[first - 1], points[first], y.low), y.low))
    if last + 1 < len(points):
        cut.append((_crossing(points[last], points[last + 1], y.high), y.high))
    hover = series.hover[max(0, first - 1) : last + 2]
    return replace(series, xs=tuple(x for x, _ in cut), ys=tuple(at for _, at in cut), hover=hover)


def _crossing(start: tuple[float, float], end: tuple[float, float], height: float) -> float:
    """Return where the line between two points on a log axis has a height."""
    share = math.log(height / start[1]) / math.log(end[1] / start[1])
    return start[0] + share * (end[0] - start[0])


def _heading(key: Key, comparison: Comparison) -> str:
    """Return what a panel is called; of a level with the name of its param."""
    return key.name if comparison.axis else key.short


def _level(key: Key, comparison: Comparison) -> str:
    """Return what a panel is called whose lines have the names of their variants."""
    level = key.variant.level(comparison.axis)
    if level is None:
        return _heading(key, comparison)
    text = f"{show.clean(comparison.axis, limit=30)} {show.level(level)}"
    return f"{text[:1].upper()}{text[1:]}"


def sparse(axis: Axis, *, weightiest: Sequence[str] = (), least: float = _APART) -> Axis:
    """Return an axis with the ticks that have room in a small panel, the weightiest first.

    `least` is how far two are apart, as a share of the axis.
    """
    kept: list[tuple[float, str]] = []
    for tick in sorted(axis.ticks, key=lambda tick: tick[1] not in weightiest):
        if all(abs(axis.share(tick[0]) - axis.share(at)) >= least for at, _ in kept):
            kept.append(tick)
    return replace(axis, ticks=tuple(sorted(kept)))


def _thinned(keys: Sequence[Key], comparison: Comparison) -> list[Key]:
    """Return the first of too many keys; of swept variants levels evenly apart, first and last."""
    if len(keys) <= MOST or not comparison.axis:
        return [*keys[:MOST]]
    lines = grouped(keys, lambda key: key.variant.name)
    each = max(2, MOST // len(lines))
    kept = {key for line in [*lines.values()][: MOST // each] for key in _evenly(line, each)}
    return [key for key in keys if key in kept]


def _evenly(keys: Sequence[Key], most: int) -> list[Key]:
    """Return at most so many keys, first and last among them."""
    if len(keys) <= most:
        return [*keys]
    return [keys[round(n * (len(keys) - 1) / (most - 1))] for n in range(most)]


def _left_out(shown: int, every: int, *, swept: bool) -> str:
    """Return how many have a panel, a sentence with a blank before it; empty for all."""
    if shown == every:
        return ""
    which = "levels evenly apart" if swept else "the first"
    return f" {shown} of {every} have one, {which}; the table below has all."


def _explained(comparison: Comparison, shown: Sequence[Key], behind: Collection[Key | None]) -> str:
    """Return what the panels are, for a caption."""
    axis = show.clean(comparison.axis, limit=30)
    rank = comparison.rank_metric if not comparison.axis else None
    order = f", by {rank.subject}, best first" if rank else ""
    # A level stands behind the name of its variant.
    panel = f"A panel per variant{axis and f' and {axis}'}{order}"
    names = {key.variant.name for key in shown}
    if axis and len(names) == 1:
        panel = f"A panel per {axis} of {show.quoted(names.pop(), limit=40)}"
    if not any(behind):
        return f"{panel}."
    return f"{panel}; grey is {baselines(comparison, (key.variant for key in behind if key))}."


def _grey(drawn: Mapping[Key, Sequence[Series]], base: Key | None) -> list[Series]:
    """Return the lines of a baseline as they stand behind another variant."""
    lines = [series for series in drawn[base] if not series.faint] if base else []
    plain: dict[str, Any] = {"role": CONTEXT, "marker": 0.0, "hover": (), "in_table": False}
    return [replace(each, line=1.6 if each.line else 0.0, **plain) for each in lines]


def _alone(key: Key, series: Series) -> Series:
    """Return a line that nothing else is near, as strong as any."""
    role = key.role if key.coloured else "text"
    return replace(series, role=role, line=2.0 if series.line else 0.0, marker=0.0)
