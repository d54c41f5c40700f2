"""Comparisons for a terminal of any width, with colours or without."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from benchkit import format as show
from benchkit.report import remarks, wording
from benchkit.report.remarks import plain_marks
from benchkit.screen import screen, stripped
from benchkit.sheet import Line, lines, withheld_notes

if TYPE_CHECKING:
    from benchkit.assessment import Assessed
    from benchkit.compare import VariantSummary
    from benchkit.results import Results

_GAP: Final = 2
_BAR: Final = 8
_BARS_FROM: Final = 72
_PROSE: Final = 88
_RANGE: Final = f"min{show.EN_DASH}max"
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
#: Where there is no room for every metric, those that go first.
_LEAST: Final = (
    *("latency_mean_s", "latency_p95_s", "latency_p90_s", "latency_max_s", "goodput_rps"),
    *("latency_p999_s", "errors", "non2xx", "latency_p50_s", "latency_p99_s", "throughput_rps"),
)


def render(
    results: Results,
    comparisons: Sequence[Assessed],
    *,
    width: int,
    colour: bool = False,
    percentiles: Sequence[float] = (),
) -> str:
    """Return the comparisons as text of at most `width` columns.

    Args:
        results: The runs.
        comparisons: Of these runs.
        width: Columns of the terminal.
        colour: Whether escape sequences may set bold and dim text.
        percentiles: These instead of the usual ones.
    """
    # rich pads the last column too; the lines are stripped below.
    console, out = screen(width + _GAP, colour=colour)
    for number, one in enumerate(comparisons):
        if number:
            console.print()
        console.print(_section(one, lines(results, one, percentiles=percentiles), width))
    return stripped(out)


def _section(comparison: Assessed, shown: Sequence[Line], width: int) -> RenderableType:
    scenario = [show.clean(comparison.name)] if comparison.scenario else []
    prose = [
        *(_wrapped(name, width, style="bold") for name in scenario),
        *_wrapped_all([wording.eyebrow(comparison, number=1, of=1)], width, style="dim"),
        *_wrapped_all([wording.headline(comparison)], width),
        *_wrapped_all(_limits(comparison), width),
    ]
    below: list[str] = []
    if len(comparison.variants) <= 2:
        table = _by_metric(comparison, shown, width)
    else:
        table, below = _by_variant(comparison, shown, width)
    below += withheld_notes(comparison, shown)
    found = remarks.in_short(comparison)
    after = [*_wrapped_all(below, width, style="dim"), *([Text()] if found else [])]
    after += [_wrapped(one, width) for one in found]
    return Group(*prose, Text(), table, *after)


def _limits(comparison: Assessed) -> list[str]:
    told = " ".join(one.plain() for one in remarks.limits(comparison))
    return [f"[{comparison.grade.words.lower()}] {told}".rstrip()]


def _wrapped_all(texts: Iterable[str], width: int, *, style: str = "") -> list[Text]:
    return [_wrapped(text, width, style=style) for text in texts if text]


def _wrapped(text: str, width: int, *, style: str = "") -> Text:
    # Within 88 columns a sentence reads well; a table may be wider.
    console, _ = screen(min(width, _PROSE), colour=False)
    shown = Text(text, style=style)
    return Text("\n").join(shown.wrap(console, min(width, _PROSE)))


# --- one or two variants: metrics as rows ---


@dataclass(frozen=True, slots=True)
class _Sides:
    """What stands beside each metric: places of the variants, the baseline first, and extras."""

    places: tuple[int, ...]
    ranges: bool
    change: bool
    bars: bool
    marks: bool


def _by_metric(comparison: Assessed, shown: Sequence[Line], width: int) -> Table:
    marked = any(_numbers(comparison, line) for line in shown)
    for sides in _choices(comparison, width, marked=marked):
        headings = _headings(comparison, sides)
        longest = max((_log(line, sides) for line in shown), default=0.0)
        rows = [_metric_row(comparison, line, sides, longest) for line in shown]
        figures = len(sides.places) * (1 + sides.ranges)
        names = set(range(1, figures + 1, 1 + sides.ranges))
        widths = _widths(headings, rows, names, width)
        if sum(widths) + _GAP * (len(widths) - 1) <= width:
            break
    table = _empty()
    for number, (heading, columns) in enumerate(zip(headings, widths, strict=True)):
        table.add_column(
            heading,
            justify="right" if 0 < number <= figures else "left",
            overflow="fold",
            width=columns,
            header_style="dim" if heading == _RANGE else "bold",
            style="dim" if heading == _RANGE else "",
        )
    for row in rows:
        table.add_row(*row)
    return table


def _choices(comparison: Assessed, width: int, *, marked: bool) -> Iterator[_Sides]:
    """Yield what may stand beside each metric, the most first, until it fits."""
    places = sorted(
        range(len(comparison.variants)),
        key=lambda place: not comparison.variants[place].is_baseline,
    )
    change = len(places) == 2 and comparison.grade.comparable
    bars = change and width >= _BARS_FROM
    ranges = any(one.runs > 1 for one in comparison.variants)
    every = _Sides(tuple(places), ranges=ranges, change=change, bars=bars, marks=marked)
    yield every
    yield replace(every, ranges=False)
    yield replace(every, ranges=False, bars=False)
    yield replace(every, ranges=False, bars=False, marks=False)
    yield replace(every, ranges=False, bars=False, marks=False, change=False)


def _headings(comparison: Assessed, sides: _Sides) -> list[str]:
    headings = [""]
    for place in sides.places:
        headings += [_name(comparison, comparison.variants[place]), *[_RANGE] * sides.ranges]
    return [*headings, *["change"] * sides.change, *[""] * sides.bars, *[""] * sides.marks]


def _widths(
    headings: Sequence[str], rows: Sequence[Sequence[Text]], names: AbstractSet[int], width: int
) -> list[int]:
    """Return the width of each column: names fold into the room that the others leave."""
    widths = [max(text.cell_len for text in column) for column in zip(*rows, strict=True)]
    for number, heading in enumerate(headings):
        if number not in names:
            widths[number] = max(widths[number], cell_len(heading))
    spare = width - sum(widths) - _GAP * (len(widths) - 1)
    while spare > 0:
        folded = [number for number in names if widths[number] < cell_len(headings[number])]
        if not folded:
            break
        widths[min(folded, key=widths.__getitem__)] += 1
        spare -= 1
    return widths


def _metric_row(comparison: Assessed, line: Line, sides: _Sides, longest: float) -> list[Text]:
    row = [Text(line.heading)]
    texts = [line.cells()[place] for place in sides.places]
    if line.absent:
        by = f" by {comparison.tool}" if sides.bars and not any(line.withheld) else ""
        texts = [f"{line.absence(0)}{by}", "—"]
    for text, place in zip(texts, sides.places, strict=False):
        row.append(Text(text, style="dim" if line.values[place] is None else ""))
        row += [Text(line.ranges()[place])] * sides.ranges
    change = show.change(line.ratios[sides.places[-1]]) if sides.change else None
    if sides.change:
        row.append(Text(_aligned(change) if change else ""))
    if sides.bars:
        row.append(Text(_bar(_log(line, sides) / longest) if change and change.amount else ""))
    if sides.marks:
        row.append(Text(plain_marks(_numbers(comparison, line)).strip()))
    return row


def _numbers(comparison: Assessed, line: Line) -> list[int]:
    """Return the findings about one metric in any variant."""
    column = line.metric.name
    found = {n for one in comparison.variants for n in comparison.marks(one.label, column)}
    return sorted(found | set(comparison.shared_marks(column)))


def _aligned(change: show.Change) -> str:
    return f"{change.amount:<5} {change.word}" if change.amount else change.word


def _log(line: Line, sides: _Sides) -> float:
    ratio = line.ratios[sides.places[-1]]
    return abs(math.log(ratio)) if ratio else 0.0


def _bar(share: float) -> str:
    eighths = max(1, round(share * _BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


# --- more variants: variants as rows ---


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of figures; the one of the smallest `keep` goes first."""

    heading: str
    cells: tuple[str, ...]
    keep: int
    quiet: bool = False

    @property
    def width(self) -> int:
        return max(cell_len(text) for text in (*self.heading.split("\n"), *self.cells)) + _GAP


def _by_variant(comparison: Assessed, shown: Sequence[Line], width: int) -> tuple[Table, list[str]]:
    names = [_name(comparison, one) for one in comparison.variants]
    room = max(24, width // 3)
    first = min(room, max(map(cell_len, [*names, "Variant"])))
    columns = _fitting(_columns(comparison, shown), width - first)
    table = _empty()
    table.add_column("Variant", overflow="fold", width=first)
    for column in columns:
        style = "dim" if column.quiet else ""
        table.add_column(column.heading, justify="right", style=style, header_style=style)
    for place, name in enumerate(names):
        table.add_row(Text(name), *(_cell(column.cells[place]) for column in columns))
    return table, _below(comparison, shown)


def _cell(text: str) -> Text:
    return Text(text, style="dim" if text in {show.NOT_PRINTED, show.WITHHELD} else "")


def _columns(comparison: Assessed, shown: Sequence[Line]) -> list[_Column]:
    columns = []
    for line in shown:
        if line.absent:
            continue
        ranked = line.metric.name == comparison.rank_metric
        keep = 200 if line.asked else _importance(line)
        heading = line.heading.replace(", ", "\n")
        columns.append(_Column(heading, tuple(line.cells()), 1000 if ranked else keep))
        spans = tuple(line.ranges())
        if any(spans):
            columns.append(_Column(_RANGE, spans, 50 if ranked else keep - 100, quiet=True))
        changes = tuple(_versus(ratio) for ratio in line.ratios)
        if comparison.grade.comparable and (ranked or line.metric.name == "latency_p99_s"):
            columns.append(_Column("change", changes, 900 if ranked else 5))
    found = tuple(
        ", ".join(map(str, _numbers_of(comparison, one, shown))) for one in comparison.variants
    )
    return [*columns, _Column("findings", found, 150, quiet=True)] if any(found) else columns


def _numbers_of(comparison: Assessed, one: VariantSummary, shown: Sequence[Line]) -> list[int]:
    """Return the findings about one variant, notes left out."""
    found = {n for line in shown for n in comparison.marks(one.label, line.metric.name)}
    return sorted(found | set(comparison.name_marks(one.label)))


def _versus(ratio: float | None) -> str:
    change = show.change(ratio)
    return "—" if change is None or change.word == "equal" else str(change)


def _importance(line: Line) -> int:
    name = line.metric.name
    if not any(line.values):
        return 1
    return 100 + _LEAST.index(name) if name in _LEAST else 99


def _fitting(columns: list[_Column], width: int) -> list[_Column]:
    kept = list(columns)
    while len(kept) > 1 and sum(column.width for column in kept) > width:
        kept.remove(min(kept, key=lambda column: column.keep))
    return kept


def _below(comparison: Assessed, shown: Sequence[Line]) -> list[str]:
    absent = [line.metric.title for line in shown if line.absent and not any(line.withheld)]
    parts = [f"{show.listed(absent)} {show.NOT_PRINTED} by {comparison.tool}."] if absent else []
    if not comparison.rank_metric:
        parts.append("Order withheld: rows stand as in the input.")
    return parts


def _name(comparison: Assessed, one: VariantSummary) -> str:
    base = " (base)" if one.is_baseline and len(comparison.variants) > 1 else ""
    return f"{show.clean(one.label)}{base}"


def _empty() -> Table:
    return Table(
        box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold", show_edge=False
    )
