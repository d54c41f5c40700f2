"""The lines of vegeta's text report to a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunRecord

from . import _vegeta_report

#: The labels in the order in which they are printed.
LABELS: Final = (
    *("Requests", "Duration", "Latencies", "Bytes In", "Bytes Out", "Success", "Status Codes"),
)

_COLUMNS: Final = {
    ("Requests", "total"): ("requests",),
    ("Requests", "throughput"): ("goodput_rps",),
    ("Duration", "total"): ("duration_s",),
    ("Duration", "wait"): ("wait_s",),
    ("Latencies", "min"): ("latency_min_s",),
    ("Latencies", "mean"): ("latency_mean_s",),
    ("Latencies", "max"): ("latency_max_s",),
    ("Bytes In", "total"): ("received_bytes", "body_bytes"),
    ("Bytes Out", "total"): ("sent_bytes",),
    ("Success", "ratio"): ("success_ratio",),
}
#: Figures that are kept as such, and their units.
_FIGURES: Final = {
    ("Requests", "rate"): "1/s",
    ("Requests", "throughput"): "1/s",
    ("Duration", "attack"): "s",
    ("Bytes In", "mean"): "B",
    ("Bytes Out", "mean"): "B",
}


@dataclass(frozen=True)
class LabelledLine:
    """A label, the list of what its figures are, and the figures as text.

    Attributes:
        first, last: The lines it covers, from 0.
    """

    first: int
    last: int
    label: str
    items: Sequence[str]
    values: str


def read(lines: Sequence[LabelledLine]) -> RunRecord:
    """Return the run that the lines of one report tell.

    Raises:
        InputError: a figure is missing or is none.
    """
    record = RunRecord()
    for line in lines:
        if line.label == "Status Codes":
            record.statuses = _statuses(line)
        else:
            _take(record, line)
    has_wait = any(line.label == "Duration" and "wait" in line.items for line in lines)
    _vegeta_report.complete(record, has_wait=has_wait)
    return record


def _take(record: RunRecord, line: LabelledLine) -> None:
    values = [value.strip() for value in line.values.split(",")]
    if len(values) != len(line.items):
        raise InputError(
            f"{len(line.items)} figures after '{line.label} [{', '.join(line.items)}]'",
            actual=f"{len(values)}",
            where=Where(line=line.first + 1),
            hint="the line seems to be cut or edited",
        )
    for item, printed in zip(line.items, values, strict=True):
        try:
            value = _reader(line.label, item)(printed)
        except ValueError:
            where = Where(line=line.last + 1)
            what = f"a figure as {item} of {line.label}"
            raise InputError(what, actual=printed, where=where) from None
        _put(record, (line.label, item), value, printed)


def _reader(label: str, item: str) -> Callable[[str], float]:
    if label in {"Duration", "Latencies"}:
        return units.go_duration
    if label == "Success":
        return units.percent
    return units.whole if item == "total" else units.number


def _put(record: RunRecord, which: tuple[str, str], value: float, printed: str) -> None:
    for column in _COLUMNS.get(which, ()):
        record.columns[column] = value
    if which in _FIGURES:
        record.figure(*which, value, unit=_FIGURES[which], printed=printed)
    percentile = re.fullmatch(r"p?([0-9]{1,2}(?:\.[0-9]{1,9})?)(?:th)?", which[1])
    if which[0] == "Latencies" and percentile:
        record.quantile(float(Decimal(percentile[1]) / 100), value)


def _statuses(line: LabelledLine) -> dict[int, int]:
    """Return the counts per status code of `0:2  200:58`."""
    statuses: dict[int, int] = {}
    for pair in line.values.replace(",", " ").split():
        matched = re.fullmatch(r"(\d{1,3}):(\d{1,18})", pair, re.ASCII)
        if matched is None or int(matched[1]) in statuses:
            where = Where(line=line.last + 1)
            raise InputError("pairs of status code and count", actual=pair, where=where)
        statuses[int(matched[1])] = int(matched[2])
    return statuses
