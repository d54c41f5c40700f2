"""Turns what belongs to one printed run into a record."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunRecord

from . import _autocannon_lines as lines
from ._autocannon import NO_SAMPLE, opened_connections, sampled_note
from ._autocannon_counts import add_counts, interval, samples
from ._autocannon_numbers import Expectation, read_rates
from ._autocannon_printouts import Printout
from ._autocannon_tables import StatRow

_LATENCY_COLUMNS: Final = {
    "avg": "latency_mean_s",
    "stdev": "latency_std_s",
    "max": "latency_max_s",
    "min": "latency_min_s",
}
#: Up to 2.x the average and deviation of no sample at all.
_NO_NUMBER: Final = "NaN"
STATISTICS: Final = {"avg": "mean", "stdev": "stdev", "max": "max", "min": "min"}


def record(printout: Printout) -> RunRecord:
    """Return the run of a printout.

    Raises:
        InputError: a cell cannot be read; its line is given.
    """
    run = RunRecord(lines=(printout.first, printout.last))
    _add_head(run, printout)
    average = _add_rates(run, printout)
    _add_octets(run, printout)
    _add_latencies(run, printout, average)
    add_counts(run, printout, average)
    return run


def _add_head(run: RunRecord, printout: Printout) -> None:
    head = printout.head
    if head is None:
        return
    _add_asked(run, head)
    if head.connections is not None:
        opened = opened_connections(head.connections, head.workers or 0)
        run.columns["connections"] = opened
        if opened != head.connections:
            run.figure("connections", "value", head.connections, printed=str(head.connections))
    for name, value in (("pipelining", head.pipelining), ("threads", head.workers)):
        if value is not None:
            run.columns[name] = value
    if head.url:
        run.columns["url"] = head.url
    if printout.shared and not head.url:
        run.notes.append(
            f"{printout.shared} runs were announced together; which table belongs to which is "
            "not printed"
        )


def _add_asked(run: RunRecord, head: lines.Head) -> None:
    duration = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)s", head.asked)
    amount = re.fullmatch(r"([0-9]{1,18}) requests", head.asked)
    if duration:
        run.figure("Running", "value", units.seconds(head.asked), unit="s", printed=head.asked)
    elif amount:
        run.figure("Running", "total", int(amount[1]), printed=head.asked)


def _add_rates(run: RunRecord, printout: Printout) -> Decimal | None:
    """Add the Req/Sec row; return its average."""
    row = printout.rates
    if row is None:
        return None
    cells = {column: cell for column, cell in row.cells.items() if cell != _NO_NUMBER}
    try:
        numbers = read_rates(cells, _expectation(printout))
    except InputError as error:
        raise _at(error, row) from error
    seconds = interval(printout)
    unit = "1/s" if seconds == 1 else ""
    for column, value in numbers.items():
        printed = cells[column]
        run.figure("Req/Sec", _statistic(column), float(value), unit=unit, printed=printed)
    average = numbers.get("avg")
    if average is not None:
        run.columns["throughput_rps"] = float(average / Decimal(str(seconds)))
    if seconds != 1:
        run.notes.append(sampled_note(seconds))
    return average


def _expectation(printout: Printout) -> Expectation | None:
    summary = printout.tails.get("summary")
    if summary is None:
        return None
    requests = lines.Count.of(summary[1], summary[2])
    return Expectation(requests.value, samples(printout))


def _add_octets(run: RunRecord, printout: Printout) -> None:
    row = printout.octets
    if row is None:
        return
    unit = "B/s" if interval(printout) == 1 else "B"
    for column, cell in row.cells.items():
        value = _read(row, cell, lambda text: units.octets(text, base=1000))
        run.figure("Bytes/Sec", _statistic(column), value, unit=unit, printed=cell)


def _add_latencies(run: RunRecord, printout: Printout, average: Decimal | None) -> None:
    row = printout.latency
    if row is None:
        if printout.has_table:
            run.notes.append("the table of latencies is missing")
        return
    unit = _unit(row)
    values = {
        column: _read(row, cell, lambda text: units.seconds(text, default=unit))
        for column, cell in row.cells.items()
        if cell != _NO_NUMBER
    }
    if len(values) < len(row.cells) or (
        not any(values.values()) and _nothing_recorded(printout, average)
    ):
        run.notes.append(NO_SAMPLE)
        return
    if not all(_in_milliseconds(cell, unit) for cell in row.cells.values()):
        run.columns["resolution_s"] = None  # converted by whoever wrote the page
    for column, value in values.items():
        if column in _LATENCY_COLUMNS:
            run.columns[_LATENCY_COLUMNS[column]] = value
        else:
            run.quantile(_share(column), value)
    _add_percentiles(run, printout)


def _nothing_recorded(printout: Printout, average: Decimal | None) -> bool:
    """Whether zeros everywhere mean 'no sample'; a fast server has a Req/Sec above 0."""
    statuses = printout.tails.get("statuses")
    return not average or (statuses is not None and int(statuses[1]) == 0)


def _add_percentiles(run: RunRecord, printout: Printout) -> None:
    if printout.percentiles is None:
        return
    known = {q for q, _ in run.quantiles}
    for row in printout.percentiles.rows:
        share = _share(row.label)
        if share not in known and 0 <= share <= 1:
            run.quantile(share, _read(row, row.cells[""], _milliseconds))


def _milliseconds(text: str) -> float:
    return units.scaled(text, "1e-3")


def _unit(row: StatRow) -> str | None:
    """Return the unit in a label such as `Latency (ms)`."""
    matched = re.search(r"\((.*)\)", row.label)
    return matched[1] if matched else None


def _in_milliseconds(cell: str, unit: str | None) -> bool:
    return cell.endswith("ms") if re.search(r"[^\W\d_]", cell) else unit == "ms"


def _share(percent: str) -> float:
    return float(Decimal(percent) / 100)


def _statistic(column: str) -> str:
    return STATISTICS.get(column, f"p{column}")


def _read(row: StatRow, cell: str, read: Callable[[str], float]) -> float:
    try:
        value = read(cell)
    except ValueError as error:
        raise InputError(
            f"a number with its unit in the row '{row.label}'",
            actual=cell,
            where=Where(line=row.line + 1),
            hint="keep autocannon's output as printed, or use its -j",
        ) from error
    if value < 0:
        raise InputError(
            f"no negative number in the row '{row.label}'",
            actual=cell,
            where=Where(line=row.line + 1),
        )
    return value


def _at(error: InputError, row: StatRow) -> InputError:
    where = Where(line=row.line + 1)
    return InputError(error.expected, actual=error.actual, where=where, hint=error.hint)
