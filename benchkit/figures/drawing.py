"""What `plot` gives: figures to see, to save, and as the objects of matplotlib and plotly."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.assess import assess
from benchkit.compare.blocks import blocks_of, has_baseline
from benchkit.errors import UsageError
from benchkit.figures import FORMATS, charts
from benchkit.figures.chart import Chart, DataTable
from benchkit.figures.layout import PURPOSES, Purpose
from benchkit.figures.options import FigureOptions
from benchkit.model.comparison import Comparison
from benchkit.model.run import Run
from benchkit.output import path_text, whole_file

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go
    from matplotlib.figure import Figure

#: The unit in which a page shows a time.
_TIME: Final = re.compile(", (?:ns|µs|ms)$")
_PX_PER_INCH: Final = 96
_MOST_NAMES: Final = 24  # in a message
#: Of one image: what more than this many pixels show nobody sees, and memory may not hold.
_MOST_PIXELS: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Drawing:
    """Figures below each other, one per comparison that has the data.

    Attributes:
        charts: What is drawn, free of any drawing library.
        options: How.
    """

    charts: tuple[Chart, ...]
    options: FigureOptions = FigureOptions()  # noqa: RUF009 - it is frozen

    def __repr__(self) -> str:
        titles = (" – ".join(filter(None, (each.title, each.subtitle))) for each in self.charts)
        return f"<benchkit figure: {'; '.join(titles)}>"

    def _repr_png_(self) -> tuple[bytes, dict[str, int | str]]:
        width, height = (round(_PX_PER_INCH * inches) for inches in self._inches)
        # Half the size of its pixels, about: sharp on a dense screen.
        alt = " ".join(chart.label for chart in self.charts)
        return self.content("png"), {"width": width, "height": height, "alt": alt}

    @property
    def _inches(self) -> tuple[float, float]:
        size = self.options.size
        return size.inches, sum(map(size.inches_of, self.charts))

    def content(self, suffix: str) -> bytes:
        """Return the content of a file: png, svg or pdf by matplotlib, html by plotly, offline.

        Raises:
            UsageError: another suffix, an image of more pixels than make sense, or a height that
                leaves a figure none beside its words.
        """
        if suffix not in FORMATS:
            raise UsageError(f"cannot draw to '.{suffix}'; there are {', '.join(FORMATS)}")
        options = self.options
        if suffix == "html":
            from benchkit.figures.interactive import page

            return page(self.charts, options).encode()
        from benchkit.figures.static import image

        self._check_height()
        width, height = (round(options.size.dpi * inches) for inches in self._inches)
        if suffix == "png" and width * height > _MOST_PIXELS:
            raise UsageError(
                f"an image of {width:,} × {height:,} pixels is too large; a smaller --dpi, "
                "--width or --height, or svg, which has no pixels"
            )
        return image(self.charts, kind=suffix, theme=options.theme, purpose=options.size)

    def _check_height(self) -> None:
        """Refuse a height at which words would leave no figure that can be read.

        No word gives way by itself: the last of a caption say how sure a comparison is.
        """
        size = self.options.size
        needed = self._needed_inches(size)
        if not size.fixed or size.height >= needed:
            return
        spared = self._needed_inches(replace(size, captioned=False))
        other = f", or {_up(spared)} without caption" if spared < needed else ""
        raise UsageError(
            f"height {size.height:g}: what is drawn cannot be read beside its words; it takes "
            f"{_up(needed)} inches{other}"
        )

    def _needed_inches(self, size: Purpose) -> float:
        """Return the least height of all figures, none more than they have by themselves."""
        usual = replace(size, height=PURPOSES[self.options.purpose].height, fixed=False)
        return max(min(size.readable_inches(c), usual.inches_of(c)) for c in self.charts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an image (`.png`, `.svg`, `.pdf`) or a page that zooms (`.html`).

        Raises:
            UsageError: the name ends in something else, or it cannot be written.
        """
        content = self.content(Path(path_text(path)).suffix.lower().removeprefix("."))
        with whole_file(path) as file:
            file.write(content)

    def matplotlib(self) -> Figure:
        """Return the matplotlib figure, to add to or to save as `savefig` does."""
        from benchkit.figures.static import matplotlib_figure

        self._check_height()
        return matplotlib_figure(self.charts, theme=self.options.theme, purpose=self.options.size)

    def plotly(self) -> go.Figure:
        """Return the plotly figure, to add to, to show or to `write_html`."""
        import plotly.graph_objects as go

        from benchkit.figures.interactive import whole_figure

        return go.Figure(whole_figure(self.charts, self.options))

    def tables(self) -> list[pd.DataFrame]:
        """Return the values of each figure, in base units, as its table on the page has them.

        Headings name these: a latency that the page shows in ms is in s. A column without any
        number has the words of the page.
        """
        return [_frame(chart.table) for chart in self.charts]


def _frame(table: DataTable) -> pd.DataFrame:
    import pandas as pd

    headings = [table.headings[0]]
    columns: list[Sequence[str | float | None]] = [[heading for heading, _ in table.rows]]
    for heading, *cells in zip(table.headings[1:], *(own for _, own in table.rows), strict=True):
        texts, values = [text for text, _ in cells], [value for _, value in cells]
        known = any(value is not None for value in values)
        headings.append(_TIME.sub(", s", heading) if known else heading)
        counts = all(text.isascii() and text.isdecimal() for text in texts)
        columns.append(values if known else [int(text) for text in texts] if counts else texts)
    frame = pd.DataFrame(dict(enumerate(columns)))
    return frame.set_axis(headings, axis="columns")


def _up(inches: float) -> str:
    """Return inches as a height that is enough, with one decimal."""
    return f"{math.ceil(10 * inches) / 10:g}"


def drawing(
    runs: Iterable[Run],
    kind: str,
    *,
    baseline: str | None = None,
    select: Sequence[str] = (),
    options: FigureOptions | None = None,
) -> Drawing:
    """Return a figure of each comparison of some runs that has the data.

    Args:
        runs: Of any scenarios, tools and variants.
        kind: One of `KINDS`.
        baseline: As for `assess`.
        select: Scenarios, comparisons or variants by names or labels, or parts that only one has.
        options: How it is drawn.

    Raises:
        UsageError: no such kind, baseline, metric, panel, or nothing of a name that is selected,
            or no run has the data.
    """
    runs, options = tuple(runs), options or FigureOptions()
    comparisons = assess(runs, baseline=baseline).comparisons
    if select:
        kept = _selected(comparisons, select)
        chosen = [run for run in runs if run.run_id in kept]
        if not has_baseline(blocks_of(chosen), baseline):
            names = ", ".join(select)
            raise UsageError(
                f"--select {names} leaves no variant '{baseline}' to be the baseline; select it too"
            )
        comparisons = assess(chosen, baseline=baseline).comparisons
    every = charts(comparisons, kind, metric=options.metric)
    drawn = [options.applied(chart) for chart in every]
    if options.chooses_panels:
        every = charts(comparisons, kind, metric=options.metric, shows=options.shows)
        drawn = [options.applied(chart) for chart in every]
    return Drawing(tuple(drawn), options)


def _selected(comparisons: Sequence[Comparison], names: Sequence[str]) -> set[str]:
    """Return the ids of the runs of what has these names: of its scenarios those variants."""
    settings = {each: {each.scenario or each.name, each.name} for each in comparisons}
    variants = {
        (each, variant): {
            variant.name,
            variant.label,
            "/".join(filter(None, (each.scenario, variant.name))),
        }
        for each in comparisons
        for variant in each.variants
    }
    known = [set[str]().union(*each.values()) for each in (settings, variants)]
    wanted = {_name(name, known) for name in names}
    whole = {each for each, own in settings.items() if own & wanted} or set(settings)
    chosen = {at for at, own in variants.items() if own & wanted} or set(variants)
    return {i for each, variant in chosen if each in whole for i in variant.run_ids}


def _name(name: str, known: Sequence[set[str]]) -> str:
    """Return the name that is meant: this one, or the only one of a sort that it is a part of."""
    names = sorted(set[str]().union(*known))
    if name in names:
        return name
    holding = [[each for each in sort if name and name in each] for sort in known]
    for alike in holding:
        if len(alike) == 1:
            return alike[0]
    several = sorted(set[str]().union(*holding))
    listed = [f"'{show.clean(each, limit=60)}'" for each in several or names]
    there = ", ".join([*listed[:_MOST_NAMES], *(["…"] if len(listed) > _MOST_NAMES else [])])
    if several:
        raise UsageError(f"'{name}' is a part of several names: {there}")
    raise UsageError(f"nothing here is called '{name}'; there are {there}")
