"""Comparisons for a terminal of any width, with colours or without."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.metric import FIGURES
from benchkit.report import remarks
from benchkit.report.sections import closing, name_of, sections, tools_apart
from benchkit.report.sentences import headline
from benchkit.report.table import comparison_table
from benchkit.report.tabular import BAR, Change, ComparisonTable, Mark, MetricRow, NameCell, plain

_GAP: Final = 2
_PROSE: Final = 88
#: Of more comparisons the answers stand together before the tables.
_FEW: Final = 3
#: Stands for a no-break space while rich wraps, which would break there.
_HELD: Final = "\ue000"
_RANGE: Final = f"min{show.EN_DASH}max"
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
#: Columns of either side of a bar, and what stands above it.
_SIDE: Final = 5
_SIDES: Final = "worse│better"
#: Never left out.
_ALWAYS: Final = 1000
#: Left out where even its words have no room.
_LAST: Final = _ALWAYS - 1
#: Of two variants: what goes first where there is no room for all.
_RANGES, _BARS, _BESIDE, _MARKS, _CHANGE = range(5)


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """A column of text; those of the smallest `keep` go first.

    Attributes:
        folds: Whether its heading may take several lines.
    """

    heading: str
    cells: Sequence[str]
    keep: int = _ALWAYS
    right: bool = False
    quiet: bool = False
    folds: bool = False

    @property
    def least(self) -> int:
        """The columns of the screen that it needs."""
        headings = [] if self.folds else self.heading.split("\n")
        return max(map(cell_len, (*headings, *self.cells)), default=0)

    @property
    def narrowest(self) -> int:
        """Those with which no word of it is cut."""
        return max(
            (cell_len(w) for text in (self.heading, *self.cells) for w in _words(text)), default=0
        )

    @property
    def most(self) -> int:
        """Those with which nothing of it folds."""
        return max(self.least, cell_len(self.heading)) if self.folds else self.least


def render(
    comparisons: Sequence[Comparison],
    *,
    width: int,
    colour: bool = False,
    percentiles: Sequence[float] = (),
    sort: str | None = None,
) -> str:
    """Return the comparisons as text of at most `width` columns.

    `colour` allows the escape sequences of bold and dim text; the rest is of `comparison_table`.
    """
    parts = [_overview(comparisons, width)] if len(comparisons) > _FEW else []
    for comparison in comparisons:
        table = comparison_table(comparison, percentiles=percentiles, sort=sort)
        parts.append(_comparison(comparison, table, width))
    return _printed(parts, width, colour=colour)


def render_verdicts(comparisons: Sequence[Comparison], *, width: int, colour: bool = False) -> str:
    """Return each variant against its baseline: a sentence, a table, the reasons."""
    parts: list[RenderableType] = []
    for comparison, tool in zip(comparisons, tools_apart(comparisons), strict=True):
        if len(comparison.effects_by_variant) > 1:
            title = wrapped([name_of(comparison, tool)], width, style="bold")
            lines = (headline(comparison), f"[{comparison.grade.words.lower()}]")
            parts.append(Group(*title, *wrapped(lines, width)))
        for section in sections(comparison, tool):
            answer = (section.sentence, f"[{section.grade.lower()}]")
            part = Group(
                *wrapped([section.title], width, style="bold"),
                *wrapped(answer, width),
                Text(),
                printed_table(_effects(section.table), width),
                *wrapped(section.reasons, width, style="dim"),
            )
            parts.append(part)
    below = wrapped(closing(comparisons), width)
    return _printed([*parts, *([Group(*below)] if below else [])], width, colour=colour)


def _printed(parts: Iterable[RenderableType], width: int, *, colour: bool) -> str:
    # rich pads the last column too; blanks at the ends of lines are left out.
    out = io.StringIO()
    console = _screen(width + _GAP, out, colour=colour)
    for number, part in enumerate(parts):
        if number:
            console.print()
        console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def text_of(parts: Iterable[Sequence[RenderableType]], width: int, *, colour: bool) -> str:
    """Return parts, an empty line between two; a plain string stands on one line as it is."""
    texts = []
    for part in parts:
        lines = [
            f"{each}\n" if isinstance(each, str) else _printed([each], width, colour=colour)
            for each in part
        ]
        texts.append("".join(lines))
    return "\n".join(texts)


def _overview(comparisons: Sequence[Comparison], width: int) -> RenderableType:
    """Return the answer of each comparison, without its table."""
    lines: list[RenderableType] = [Text(f"{len(comparisons)} comparisons", style="dim")]
    for comparison, tool in zip(comparisons, tools_apart(comparisons), strict=True):
        title = f"{name_of(comparison, tool)} [{comparison.grade.words.lower()}]"
        answer = Group(*wrapped([headline(comparison)], width - _GAP))
        lines += [*wrapped([title], width, style="bold"), Padding(answer, (0, 0, 0, _GAP))]
    return Group(*lines)


def _comparison(comparison: Comparison, table: ComparisonTable, width: int) -> RenderableType:
    limits = " ".join(f"{limit.text}{plain(limit.marks)}." for limit in remarks.limits(comparison))
    name = show.clean(comparison.name) if comparison.scenario else ""
    grade = f"[{comparison.grade.words.lower()}] {limits}".rstrip()
    findings = remarks.in_short(comparison)
    columns = _by_metric(table) if table.by_metric else _by_variant(table, width)
    return Group(
        *wrapped([name], width, style="bold"),
        *wrapped([remarks.eyebrow(comparison)], width, style="dim"),
        *wrapped([headline(comparison), grade], width),
        Text(),
        printed_table(columns, width),
        *wrapped(table.notes, width, style="dim"),
        *([Text()] if findings else []),
        *wrapped(findings, width),
    )


def wrapped(texts: Iterable[str], width: int, style: str = "") -> list[Text]:
    """Return paragraphs, those that are empty left out."""
    # Within 88 columns a sentence reads well; a table may be wider.
    room = min(width, _PROSE)
    console = _screen(room, io.StringIO(), colour=False)
    paragraphs = (Text(text.replace("\xa0", _HELD)).wrap(console, room) for text in texts if text)
    return [
        Text("\n".join(line.plain for line in lines).replace(_HELD, "\xa0"), style=style)
        for lines in paragraphs
    ]


def _screen(width: int, out: io.StringIO, *, colour: bool) -> Console:
    """Return a console of so many columns that takes no text for markup."""
    return Console(
        file=out,
        width=width,
        force_terminal=colour,
        no_color=True,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
    )


# --- one or two variants: metrics as rows ---


def _by_metric(table: ComparisonTable) -> list[PrintedColumn]:
    columns = list(_values(table))
    changes = [row.cells[-1].change or Change("") for row in table.rows]
    bars = [_bar(change.bar) if table.bars and change.text else "" for change in changes]
    if table.changes:
        columns += [
            PrintedColumn(table.change_heading, [c.amount for c in changes], _CHANGE),
            PrintedColumn(_SIDES if table.bars else "", bars, _BARS),
            PrintedColumn("", [change.beside for change in changes], _BESIDE, quiet=True),
        ]
    whole = [mark for name in table.names for mark in name.marks]
    numbers = [_bracketed(row, whole) for row in table.rows]
    columns.append(PrintedColumn("", numbers, _MARKS))
    return [column for column in columns if column.heading or any(column.cells)]


def _bracketed(row: MetricRow, whole: Sequence[Mark]) -> str:
    """Return the numbers of the findings that qualify a row; `whole`: all figures of a variant."""
    measured = whole if row.column in FIGURES else ()
    numbers = _numbers([*measured, *row.marks, *(m for cell in row.cells for m in cell.marks)])
    return f"({numbers})" if numbers else ""


def _effects(table: ComparisonTable) -> list[PrintedColumn]:
    changes = [row.cells[-1].change or Change("") for row in table.rows]
    return [
        *_values(table),
        PrintedColumn("change", [change.amount for change in changes]),
        PrintedColumn("interval", [change.interval for change in changes], _LAST),
        PrintedColumn("verdict", [change.verdict for change in changes]),
    ]


def _values(table: ComparisonTable) -> Iterator[PrintedColumn]:
    yield PrintedColumn("", [row.heading for row in table.rows])
    for column, name in enumerate(table.names):
        cells = [row.cells[column] for row in table.rows]
        yield PrintedColumn(_name(name), [cell.text for cell in cells], right=True, folds=True)
        if any(cell.spread for cell in cells):
            spreads = [cell.spread for cell in cells]
            yield PrintedColumn(_RANGE, spreads, _RANGES, right=True, quiet=True)


def _bar(length: int) -> str:
    """Return a bar from the middle: to the left, and in another shade, for worse."""
    eighths = abs(length) * _SIDE * 8 // BAR
    better = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip() if length > 0 else ""
    worse = "▒" * -(-eighths // 8) if length < 0 else ""
    return f"{worse:>{_SIDE}}│{better}"


# --- more variants: variants as rows ---


def _by_variant(table: ComparisonTable, width: int) -> list[PrintedColumn]:
    room = max(24, width // 3)
    columns = [
        PrintedColumn(table.subject, [show.clean(_name(n), limit=room) for n in table.names])
    ]
    for row in table.rows:
        if not row.empty:
            columns += _columns(row, table)
    findings = [
        _numbers([*name.marks, *(m for row in table.rows for m in row.cells[column].marks)])
        for column, name in enumerate(table.names)
    ]
    if any(findings):
        columns.append(PrintedColumn("findings", findings, 15, right=True, quiet=True))
    return columns


def _columns(row: MetricRow, table: ComparisonTable) -> Iterator[PrintedColumn]:
    is_ranked = row.column == table.ranking
    keep, cells = _ALWAYS if is_ranked else 10 * row.weight, row.cells
    heading = row.heading.replace(", ", "\n")
    yield PrintedColumn(heading, [cell.text for cell in cells], keep, right=True)
    if any(cell.spread for cell in cells):
        spreads, weight = [cell.spread for cell in cells], 6 if is_ranked else row.weight - 100
        yield PrintedColumn(_RANGE, spreads, weight, right=True, quiet=True)
    if row.changes and (is_ranked or row.column == "latency_p99_s"):
        changes = [cell.change.amount if cell.change else "—" for cell in cells]
        heading = table.change_heading.replace(" ", "\n")
        yield PrintedColumn(heading, changes, _LAST if is_ranked else 5, right=True)


def _numbers(marks: Iterable[Mark]) -> str:
    return ", ".join(map(str, sorted({mark.number for mark in marks})))


# --- both ---


def printed_table(columns: Sequence[PrintedColumn], width: int) -> Table:
    """Return columns as a table; the least important go where there is no room for all."""
    kept = list(columns)
    if sum(column.least + _GAP for column in kept) - _GAP > width:
        kept = [column for column in kept if any(column.cells)]
    while sum(column.least + _GAP for column in kept) - _GAP > width:
        least = min(column.keep for column in kept)
        folded = sum(column.narrowest + _GAP for column in kept) - _GAP
        if least == _ALWAYS or (least == _LAST and folded <= width):
            break
        kept = [column for column in kept if column.keep > least]
    table = Table(
        box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold", show_edge=False
    )
    for column, room in zip(kept, _widths(kept, width), strict=True):
        table.add_column(
            Text(column.heading),
            justify="right" if column.right else "left",
            overflow="fold",
            width=room,
            header_style="dim" if column.quiet else "bold",
            style="dim" if column.quiet else "",
        )
    missing = {show.NOT_PRINTED, show.WITHHELD, show.NOT_RUN}
    for texts in zip(*(column.cells for column in kept), strict=True):
        table.add_row(*(Text(text, style="dim" if text in missing else "") for text in texts))
    return table


def _widths(columns: Sequence[PrintedColumn], width: int) -> list[int]:
    """Return the width of each column: headings that fold get the room that the others leave.

    Where even that is too much, the widest give way and fold, at blanks as long as they can.
    """
    widths = [column.least for column in columns]
    spare = width - sum(widths) - _GAP * (len(widths) - 1)
    narrowest = [column.narrowest for column in columns]
    for _ in range(-spare):
        whole = [n for n, own in enumerate(widths) if own > narrowest[n]]
        texts = [n for n, column in enumerate(columns) if not column.right and widths[n] > 1]
        widths[max(whole or texts or range(len(widths)), key=widths.__getitem__)] -= 1
    while spare > 0:
        folded = [n for n, column in enumerate(columns) if widths[n] < column.most]
        if not folded:
            break
        widths[min(folded, key=widths.__getitem__)] += 1
        spare -= 1
    return widths


def _words(text: str) -> list[str]:
    """Return what of a text cannot be folded: a blank that does not break is no end of a word."""
    return re.split(r"[ \n]", text)


def _name(name: NameCell) -> str:
    return f"{name.label} (base)" if name.baseline else name.label
