"""Locust's CSV files (`--csv`): `_stats`, `_stats_history`, `_failures`, `_exceptions`.

`_stats.csv` has a row per endpoint and `Aggregated`, the run: written each second, so that it may
end before the last requests. `Requests/s` counts failures, too, from the first request to the
last. Averages and extremes are exact, percentiles rounded.

`_stats_history.csv` has rows for each second: columns `Total …` are of the run so far, `Requests/s`
and, with `--csv-full-history`, percentiles of the last ten seconds: of these it has no run.

Source: locust 1.0 to 2.47.0 `stats.py` (StatsCSV, StatsCSVFileWriter), 0.13.5 (requests_csv).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from benchkit.errors import InputError, Where
from benchkit.parsing import FileParser, RunOrError, RunRecord, Source
from benchkit.text import decode

from . import _locust
from ._locust_csv import StatsRow, header_of, parts

_STATS: Final = ("Type", "Name", "Request Count", "Failure Count", "Median Response Time")
_HISTORY: Final = ("Timestamp", "User Count", "Type", "Name", "Requests/s")
_COMPANIONS: Final[Mapping[tuple[str, ...], str]] = {
    ("Method", "Name", "Error", "Occurrences"): "failures",
    ("Count", "Message", "Traceback", "Nodes"): "exceptions",
}
_TIMES: Final = {
    "latency_min_s": "Min Response Time",
    "latency_mean_s": "Average Response Time",
    "latency_max_s": "Max Response Time",
}


def sniff_stats(source: Source) -> bool:
    """Whether a file begins as `_stats.csv`, or as one of the files without a run."""
    header = tuple(header_of(source))
    return header[: len(_STATS)] == _STATS or header[:4] in _COMPANIONS


def sniff_history(source: Source) -> bool:
    """Whether a file begins as `_stats_history.csv`."""
    header = tuple(header_of(source))
    return header[: len(_HISTORY)] == _HISTORY and "Total Request Count" in header


def parse_stats(source: Source) -> Iterator[RunOrError]:
    """Yield the run of each row `Aggregated`, or why there is none."""
    header = header_of(source)
    if tuple(header[:4]) in _COMPANIONS:
        kind = _COMPANIONS[tuple(header[:4])]
        yield InputError(
            "figures of a run",
            actual=f"the list of {kind} that Locust writes beside them",
            hint="use the file that ends with _stats.csv",
        )
        return
    try:
        for rows in parts(source, header):
            yield _stats_run(rows)
    except InputError as error:
        yield error


def _stats_run(rows: Sequence[StatsRow]) -> RunOrError:
    total = next((row for row in rows if row.is_total), None)
    if total is None:
        return _without_total(rows)
    record = RunRecord()
    endpoints = [row for row in rows if not row.is_total]
    if _fill(record, total, ""):
        _locust.fill_rates(record, total.number("Requests/s"))
        for quantile, latency in total.quantiles():
            record.quantile(quantile, latency)
        median = total.milliseconds("Median Response Time")
        record.figure("Median Response Time", "median", median, unit="s")
    _locust.fill_method(record, {row.cells["Type"] for row in endpoints})
    for row in endpoints:
        _add_endpoint(record, row)
    counted = sum(row.count("Request Count") for row in endpoints)
    if endpoints and counted != total.count("Request Count"):
        record.damaged(f"the rows of endpoints have {counted:,} requests, not as many as all")
    return record


def _without_total(rows: Sequence[StatsRow]) -> InputError:
    return InputError(
        "the row 'Aggregated', which has the run",
        actual="none",
        where=Where(line=rows[-1].line if rows else 1),
        hint="the file is cut off, or the run was stopped before its first second",
    )


def _fill(record: RunRecord, total: StatsRow, prefix: str) -> bool:
    """Add the counts and the exact latencies; return whether there are latencies."""
    counts = ("Request Count", "Failure Count")
    requests, failed = (total.count(prefix + column) for column in counts)
    if not _locust.fill_counts(record, requests, failed):
        return False
    for column, name in _TIMES.items():
        record.columns[column] = total.milliseconds(prefix + name)
    average = f"{prefix}Average Content Size"
    size = total.number(average) * requests
    # Up to 0.14 averages are cut off to whole numbers.
    if "." in total.cells[average] and abs(size - round(size)) < 0.01 and size < 2**53:
        record.columns["body_bytes"] = round(size)
    return True


def _add_endpoint(record: RunRecord, row: StatsRow) -> None:
    requests = row.count("Request Count")
    record.figure(row.name, "requests", requests, printed=str(requests))
    record.figure(row.name, "failures", row.count("Failure Count"))
    if requests > row.count("Failure Count"):
        mean = row.milliseconds("Average Response Time")
        record.figure(row.name, "mean", mean, unit="s")
        for quantile, latency in row.quantiles():
            if quantile in {0.5, 0.95, 0.99}:
                record.figure(row.name, f"p{100 * quantile:g}", latency, unit="s")


def parse_history(source: Source) -> Iterator[RunOrError]:
    """Yield the run of the last row `Aggregated` below each header."""
    try:
        listed = list(parts(source, header_of(source)))
        ends = (decode(source.data) or "").endswith("\n")
        for rows in listed:
            is_cut = rows is listed[-1] and not ends and bool(rows)
            yield _cut_history(rows) if is_cut else _history_run(rows)
    except InputError as error:
        yield error


def _cut_history(rows: Sequence[StatsRow]) -> RunOrError:
    """Return the run of rows of which the last may be cut off."""
    if len(rows) == 1:
        return InputError(
            "an end of the only row",
            actual="the end of the file",
            where=Where(line=rows[0].line),
            hint="the file is cut off or was edited",
        )
    run = _history_run(rows[:-1])
    if isinstance(run, RunRecord):
        run.damaged(f"line {rows[-1].line} may be cut off: the last row is left out")
    return run


def _history_run(rows: Sequence[StatsRow]) -> RunOrError:
    totals = [row for row in rows if row.is_total]
    if not totals:
        return _without_total(rows)
    record, last = RunRecord(), totals[-1]
    if _fill(record, last, "Total "):
        record.quantile(0.5, last.milliseconds("Total Median Response Time"))
    users = max(row.count("User Count") for row in totals)
    record.figure("User Count", "max", users, printed=str(users))
    counts = [row.count("Total Request Count") for row in totals]
    if any(later < earlier for earlier, later in pairwise(counts)):
        record.notes.append("counts were set to 0 in between: the figures are those since then")
    return record


def _history_rank(_: float, n: int) -> int:
    """Return the rank of the median, the only quantile."""
    return (n - 1) // 2


_MAY_FILL: Final = ("errors", "non2xx", "body_bytes", *_locust.LATENCIES)

PARSERS: Final = (
    FileParser(
        name="locust-stats",
        tool=_locust.TOOL,
        reads="the file _stats.csv that --csv writes",
        versions="0.13 on",
        fills=("requests",),
        may_fill=(*_MAY_FILL, "method", *_locust.RATES, *_locust.QUANTILES),
        when={"errors": "where none failed", "non2xx": "where none failed"},
        detail=2,
        lags=True,
        constants=_locust.CONSTANTS,
        rank=_locust.rank,
        step_s=_locust.step_s,
        sniff=sniff_stats,
        parse=parse_stats,
    ),
    FileParser(
        name="locust-history",
        tool=_locust.TOOL,
        reads="the totals in the file _stats_history.csv that --csv writes",
        versions="1.3 on",
        fills=("requests",),
        may_fill=(*_MAY_FILL, "success_ratio", "latency_p50_s"),
        when={"errors": "where none failed", "non2xx": "where none failed"},
        lags=True,
        constants=_locust.CONSTANTS,
        rank=_history_rank,
        step_s=_locust.step_s,
        sniff=sniff_history,
        parse=parse_history,
    ),
)
