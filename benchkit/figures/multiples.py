"""Many variants beside each other: a small panel of each, with its baseline in grey behind."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Chart, Panel, Series
from benchkit.figures.look import CONTEXT, Key
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped

#: Of so many variants lines in one panel are no longer told apart.
FROM: Final = 8
#: Panels that an eye compares: of more variants some are left to the table.
MOST: Final = 12
#: Panels beside each other: of more none could be read on a small screen.
_COLUMNS: Final = 2
#: Ticks of their latency axes, at most.
TICKS: Final = 4
_ROW: Final = 98  # px of a panel with what lies between two
_HIGH_ROW: Final = 150  # the same where there are few
_FEW: Final = 4
_EDGE: Final = 52  # px of the figure besides
_APART: Final = 0.2  # of an axis: the least distance of two ticks


def beside_each_other(
    chart: Chart,
    comparison: Comparison,
    drawn: Mapping[Key, Sequence[Series]],
    axes: tuple[Axis, Axis],
    texts: Mapping[Key, str],
) -> Chart:
    """Return a figure with a panel per variant but the baselines, in the order of the table.

    Args:
        chart: The figure, whatever its panels.
        comparison: Whose variants are shown.
        drawn: What each looks like.
        axes: Shared by all panels.
        texts: What stands beside the name of each, if anything.
    """
    by_label = {key.label: key for key in drawn}
    ordered = [by_label[v.label] for v in comparison.variants if v.label in by_label]
    behind = {key: by_label.get(comparison.against(key.label) or "") for key in ordered}
    every = [key for key in ordered if behind[key] is not None] or ordered
    shown = _thinned(every, comparison)
    x, y = axes
    panels = tuple(
        Panel(
            x,
            y,
            (*_grey(drawn, behind[key]), *(_alone(key, series) for series in drawn[key])),
            title=": ".join(filter(None, (_heading(key, comparison), texts.get(key, "")))),
        )
        for key in shown
    )
    return replace(
        chart,
        panels=panels,
        caption=f"{chart.caption} {_explained(comparison, behind.values())}"
        + _left_out(len(shown), len(every), swept=bool(comparison.axis)),
        height=_EDGE + (_ROW if len(panels) > _FEW else _HIGH_ROW) * -(-len(panels) // _COLUMNS),
        columns=_COLUMNS,
    )


def _heading(key: Key, comparison: Comparison) -> str:
    """Return what a panel is called; of a level with the name of its param."""
    return key.name if comparison.axis else key.short


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


def _explained(comparison: Comparison, behind: Collection[Key | None]) -> str:
    """Return what the panels are, for a caption."""
    axis = show.clean(comparison.axis, limit=30)
    order = "best first" if comparison.rank_metric and not comparison.axis else "as in the table"
    several = len({effect.baseline for effect in comparison.effects}) > 1
    # A level stands behind the name of its variant.
    panel = f"A panel per variant{axis and f' and {axis}'}, {order}"
    if not any(behind):
        return f"{panel}."
    names = {key.variant.name for key in behind if key}
    whose = "its baseline" if several else show.quoted(comparison.baseline, limit=40)
    if several and axis and len(names) == 1:
        whose = f"{show.quoted(names.pop(), limit=40)} at the same {axis}"
    return f"{panel}; grey is {whose}."


def _grey(drawn: Mapping[Key, Sequence[Series]], base: Key | None) -> list[Series]:
    """Return the lines of a baseline as they stand behind another variant."""
    lines = [series for series in drawn[base] if not series.faint] if base else []
    plain: dict[str, Any] = {
        "line": 1.6,
        "marker": 0.0,
        "low": (),
        "high": (),
        "hover": (),
        "in_table": False,
    }
    return [replace(series, role=CONTEXT, **plain) for series in lines]


def _alone(key: Key, series: Series) -> Series:
    """Return a line that nothing else is near, as strong as any."""
    role = key.role if key.coloured else "text"
    return replace(series, role=role, line=2.0 if series.line else 0.0, marker=0.0)
