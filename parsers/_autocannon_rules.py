"""What the lines of autocannon's report mean.

Source: autocannon 0.1 to 9.0, `lib/run.js`, `lib/printResult.js`, `lib/format.js`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord

from . import _autocannon_lines as lines
from ._autocannon import NO_SAMPLE, as_expected, count_errors, opened_connections, sampled_note
from ._autocannon_numbers import read_rates
from ._grammar import Report, note_loss
from ._line import Line, ReportLine, time_in

_LATENCY_COLUMNS: Final = {
    "avg": "latency_mean_s",
    "stdev": "latency_std_s",
    "max": "latency_max_s",
    "min": "latency_min_s",
}
#: Up to 2.x the average and deviation of no sample at all.
_NO_NUMBER: Final = "NaN"
#: Half a step of an average, and of a count in thousands.
_HALF_CENT: Final = Decimal("0.005")
_HALF_THOUSAND: Final = 500
#: So many times as fast or slow as expected a rate may be, with and without failed requests.
_FAR: Final = 30
_NEAR: Final = 5
_ERRORS: Final = re.compile(r"[0-9]k? errors\b")
_LABELS: Final = {
    lines.LATENCY: "Latency",
    lines.RATES: "Req/Sec",
    lines.SIZES: "Bytes/Sec",
}
#: What repair may have taken out of a figure.
_MARKS: Final = re.compile(r"\W++")
#: autocannon prints ms, whoever made a page of it other units: minutes are cut-off milliseconds.
_latency: Final = time_in("ns", "us", "µs", "μs", "ms", "s")

#: A row of a table, and its cells by column: `avg`, `stdev`, `min`, `max`, or a percentage.
_Rows = Mapping[Line, tuple[ReportLine, Mapping[str, str]]]


def record_of(report: Report, shown: Sequence[str]) -> RunOrError:
    """Return the run of one report, or the error where it has no results or is garbled.

    Args:
        report: The report.
        shown: The lines of its text as they stand there.
    """
    results = (lines.LATENCY, lines.RATES, lines.SIZES, lines.STATUSES, lines.SUMMARY)
    add = partial(_add_all, shown=shown)
    return report.run(add, note_loss) if any(map(report.get, results)) else _cut(report)


def _add_all(run: RunRecord, report: Report, *, shown: Sequence[str]) -> None:
    report = _without_cut(run, report, shown)
    rows = _rows(run, report, shown)
    _add_head(run, report)
    average = _add_rates(run, report, rows)
    _add_latencies(run, report, rows, average)
    _add_counts(run, report, average)


def _without_cut(run: RunRecord, report: Report, shown: Sequence[str]) -> Report:
    """Return a report without the statuses and percentiles whose rows may be cut off."""
    last = {lines.CODE: "count", lines.PERCENTILE: "latency"}
    whole = []
    for line in report.lines:
        if line.line in last and _is_cut(shown[line.number], line[last[line.line]]):
            run.damaged(f"line {line.number + 1} is cut off and is left out")
        else:
            whole.append(line)
    return replace(report, lines=whole)


def _cut(report: Report) -> InputError:
    if table := report.get(lines.TABLE):
        expected = "a row 'Latency' or 'Req/Sec' below autocannon's heading"
        where = Where(line=table.number + 1)
        return InputError(expected, where=where, hint="the table seems cut off")
    return InputError(
        "autocannon's table below 'Running …'",
        actual="none",
        where=Where(line=report.span[0] + 1),
        hint="the run was cut off or stopped; run it again",
    )


def _rows(run: RunRecord, report: Report, shown: Sequence[str]) -> _Rows:
    """Return the rows of the tables, but not those above which the heading of another stands.

    Of a row without its border at the right the last figure may be cut off.

    Raises:
        InputError: a row has more figures than columns stand above it, or fewer.
    """
    rows: dict[Line, tuple[ReportLine, Mapping[str, str]]] = {}
    names: list[str] = []
    columns: list[str] = []
    for line in report.lines:
        if line.line in {lines.TABLE, lines.RATES_TABLE}:
            names = [name.removesuffix("%").lower() for name in line["columns"].split()]
            columns = [name for name in names if name != "stat"]
        elif line.line in _LABELS:
            cells = _cells(line, len(columns))
            if _is_heading_lost(line, names):
                run.damaged(f"'{_LABELS[line.line]}' is left out: the heading above it is missing")
            elif _is_cut(shown[line.number], cells[-1]):
                run.damaged(f"line {line.number + 1} is cut off: its last figure is left out")
                rows[line.line] = line, dict(zip(columns, cells[:-1], strict=False))
            elif len(cells) == len(columns):
                rows[line.line] = line, dict(zip(columns, cells, strict=True))
            elif not rows or line is not report.lines[-1] or report.loss is None:
                raise line.error(f"{len(columns)} figures", " | ".join(cells))
    return rows


def _is_heading_lost(line: ReportLine, names: Sequence[str]) -> bool:
    """Whether percentages stand above a row that are those of the other table, or not all.

    Source: autocannon 3.0 to 9.0 `lib/progressTracker.js`, `lib/printResult.js`: only Req/Sec and
    Bytes/Sec have 1%, only latencies 99%; they begin with it, and with 2.5%.
    """
    first, foreign = ("2.5", "1") if line.line is lines.LATENCY else ("1", "99")
    is_end = names[:1] not in ([], ["stat"], [first]) and names[0][0].isdigit()
    return foreign in names or is_end


def _is_cut(shown: str, last: str) -> bool:
    """Whether a line of a drawn table ends with a figure, and not with its unit or its border."""
    _, border, end = shown.rpartition("│")
    return bool(border) and not last.endswith("ms") and _MARKS.sub("", end) == _MARKS.sub("", last)


def _cells(line: ReportLine, count: int) -> list[str]:
    """Return the cells of a row: two blanks apart, or one where a page left no more."""
    parts = [line.match.groupdict().get("before") or "", line["cells"]]
    cells = [cell for part in parts if part for cell in re.split(r"\s{2,}", part)]
    return cells if len(cells) == count else " ".join(parts).split()


def _add_head(run: RunRecord, report: Report) -> None:
    if running := report.get(lines.RUNNING):
        run.columns["url"] = running["url"]
        if "amount" in running.form.slots:
            printed = f"{running['amount']} requests"
            run.figure("Running", "total", running.read("amount"), printed=printed)
        else:
            running.keep(run, "Running", "value", "time", unit="s")
    elif report.at_once > 1:
        run.notes.append(
            f"{report.at_once} runs were announced together; which table belongs to which is "
            "not printed"
        )
    threads = int(report.read(lines.WORKERS, "workers") or 0)
    if threads:
        run.columns["threads"] = threads
    if connections := report.get(lines.CONNECTIONS):
        asked = int(connections.read("connections"))
        run.columns["connections"] = opened = opened_connections(asked, threads)
        if opened != asked:
            run.figure("connections", "value", asked, printed=connections["connections"])
        # Printed only when above 1 (0.1: always).
        pipelined = connections["pipelining"]
        run.columns["pipelining"] = int(connections.read("pipelining")) if pipelined else 1


def _interval(report: Report) -> float:
    """Return the length of a sample of Req/Sec in s (`-L`)."""
    line = report.get(lines.SAMPLED)
    return (line.read("interval") if line and line["interval"] else 0) or 1.0


def _samples(run: RunRecord, report: Report) -> float:
    """Return the number of samples of Req/Sec, 0 where it is not printed.

    Every worker counts its own, and they are added up before they are recorded.
    """
    printed, summary = report.get(lines.SAMPLES), report.get(lines.SUMMARY)
    if printed and (report.get(lines.CONNECTIONS) or summary is None):
        return printed.read("samples") / float(run.columns.get("threads", 1))
    return summary.read("duration") / _interval(report) if summary else 0.0


def _add_rates(run: RunRecord, report: Report, rows: _Rows) -> Decimal | None:
    """Add the rows Req/Sec and Bytes/Sec; return the average of the first."""
    seconds = _interval(report)
    average: Decimal | None = None
    shown = report.pieces[report.start : report.stop + 4]
    if report.get(lines.SAMPLED) is None and any("sampled" in piece.text for piece in shown):
        run.damaged("Req/Sec is left out: in which time it was counted cannot be read")
        return None
    if lines.RATES in rows:
        row, cells = rows[lines.RATES]
        samples = _samples(run, report)
        expected = _requests(report) / samples if samples else 0.0
        numbers = {column: cell for column, cell in cells.items() if cell != _NO_NUMBER}
        far = _FAR if report.has(lines.ERRORS) else _NEAR
        rates = read_rates(row, numbers, expected, far)
        unit = "1/s" if seconds == 1 else ""
        for column, rate in rates.items():
            printed = cells[column]
            run.figure("Req/Sec", _statistic(column), float(rate), unit=unit, printed=printed)
        if (average := rates.get("avg")) is not None:
            run.columns["throughput_rps"] = float(average / Decimal(str(seconds)))
        if seconds != 1:
            run.notes.append(sampled_note(seconds))
    if lines.SIZES in rows:
        row, cells = rows[lines.SIZES]
        unit = "B/s" if seconds == 1 else "B"
        for column, cell in cells.items():
            size = row.figure(cell, "a size", lambda text: units.octets(text, base=1000))
            run.figure("Bytes/Sec", _statistic(column), size, unit=unit, printed=cell)
    return average


def _requests(report: Report) -> float:
    """Return how many responses there were, or else how many requests; 0 where neither is told."""
    statuses, summary = report.get(lines.STATUSES), report.get(lines.SUMMARY)
    if statuses is not None:
        return statuses.read("good") + statuses.read("other")
    return summary.read("requests") if summary is not None else 0.0


def _statistic(column: str) -> str:
    return {"avg": "mean"}.get(column, column if column.isalpha() else f"p{column}")


def _add_latencies(run: RunRecord, report: Report, rows: _Rows, average: Decimal | None) -> None:
    if lines.LATENCY not in rows:
        if rows:
            run.notes.append("the table of latencies is missing")
        return
    row, cells = rows[lines.LATENCY]
    unit = row["unit"].strip(" ()")
    values = {
        column: row.figure(cell if cell[-1:].isalpha() else cell + unit, "a time", _latency)
        for column, cell in cells.items()
        if cell != _NO_NUMBER
    }
    # A fast server, whose latencies are all 0, has a Req/Sec above 0.
    answered = average and report.read(lines.STATUSES, "good") != 0
    if len(values) < len(cells) or not (any(values.values()) or answered):
        run.notes.append(NO_SAMPLE)
        return
    if not all(re.fullmatch(r"[0-9.]+ms", cell + unit) for cell in cells.values()):
        run.columns["resolution_s"] = None  # converted by whoever wrote the page
    for column, value in values.items():
        if column in _LATENCY_COLUMNS:
            run.columns[_LATENCY_COLUMNS[column]] = value
        else:
            run.quantile(units.scaled(column, "1e-2"), value)
    known = {q for q, _ in run.quantiles}
    for line in report.all(lines.PERCENTILE) if report.get(lines.PERCENTILES) else ():
        share = units.scaled(line["share"].removesuffix("%"), "1e-2")
        if share not in known:
            run.quantile(share, line.read("latency"))


def _add_counts(run: RunRecord, report: Report, average: Decimal | None) -> None:
    """Add what the lines below the tables say, and what follows from it."""
    if sampled := report.get(lines.SAMPLED):
        name, seconds = "Req/Bytes counts sampled", _interval(report)
        run.figure(name, "value", seconds, unit="s", printed=sampled["every"])
    _add_total(run, report.get(lines.SAMPLES), "samples", "# of samples")
    answered = _add_statuses(run, report)
    if summary := report.get(lines.SUMMARY):
        _add_total(run, summary, "requests", "requests in")
        run.columns["duration_s"] = summary.read("duration")
        run.columns["received_bytes"] = round(summary.read("size"))
        if answered is not None and 1.5 * summary.read("requests") + _HALF_THOUSAND < answered:
            run.damaged("the requests of the summary are fewer than the responses")
        if report.get(lines.STATUSES) is None and lines.SUMMARY not in report.gaps:
            _add_others(run)
    done = answered if answered is not None else float(average or 0) * _samples(run, report)
    _add_errors(run, report, done=done if average is not None else None)
    _add_total(run, report.get(lines.MISMATCHES), "mismatches", "requests with mismatched body")
    _add_total(run, report.get(lines.RESETS), "resets", "request pipeline was reset")
    if summary and report.loss is None:
        if answered is None and _counts_answers(run, report, average):
            answered = _exact(summary, "requests")
        if answered is not None:
            run.columns["requests"] = answered
        _add_success(run, report, answered, average)


def _add_total(run: RunRecord, line: ReportLine | None, name: str, metric: str) -> None:
    if line:
        run.figure(metric, "total", round(line.read(name)), printed=line[name])


def _exact(line: ReportLine | None, name: str) -> int | None:
    """Return a count that is printed to its last digit: from 1000 on it is not."""
    return int(line.read(name)) if line and line[name].isdigit() else None


def _add_statuses(run: RunRecord, report: Report) -> int | None:
    """Return the number of responses, where it is printed.

    A row with more cells than `Code` and `Count` is another table's that lost its start.
    """
    table = report.get(lines.CODES)
    for line in report.all(lines.CODE):
        if not line.strict:
            run.damaged(f"line {line.number + 1} is no whole row of a table: it is left out")
        elif table is not None and table.at < line.at:
            run.statuses[int(line["code"])] = int(line.read("count"))
    if (printed := report.get(lines.STATUSES)) is None:
        return None if run.lost else sum(run.statuses.values()) or None
    run.columns["non2xx"] = int(printed.read("other"))
    _add_total(run, printed, "good", "2xx responses")
    return int(printed.read("good") + printed.read("other"))


def _add_others(run: RunRecord) -> None:
    """Add the other statuses where no line counts them: it is printed only where there are any."""
    others = sum(count for code, count in run.statuses.items() if not 200 <= code < 300)
    run.columns["non2xx"] = others
    if others:
        run.damaged("the line 'non 2xx responses' is missing: the table of statuses has some")


def _add_errors(run: RunRecord, report: Report, *, done: float | None) -> None:
    """Add the errors, none where a whole report has no line of them.

    Where far more was sent than was `done`, that line was cut off.
    """
    summary = report.get(lines.SUMMARY)
    if printed := report.get(lines.ERRORS):
        for name in ("errors", "timeouts") if printed["timeouts"] else ("errors",):
            run.columns[name] = round(printed.read(name))
            if _exact(printed, name) is None:
                _add_total(run, printed, name, name)
        if _exact(printed, "errors") is not None:
            run.errors = count_errors(run.columns["errors"], run.columns.get("timeouts"))
        else:
            run.figure("errors", "step", 2 * _HALF_THOUSAND)
    elif summary and report.loss is None and not _has_broken_errors(report, summary):
        rounding = _HALF_THOUSAND if _exact(summary, "requests") is None else 0
        flying = run.columns.get("connections", 0) * run.columns.get("pipelining", 1)
        sent = summary.read("requests") - rounding
        if done is not None and sent > 2 * done + flying + 1:
            run.notes.append(
                "far more requests were sent than answered: the line with the errors is missing"
            )
        else:
            run.columns |= {"errors": 0, "timeouts": 0}


def _has_broken_errors(report: Report, summary: ReportLine) -> bool:
    """Whether what looks like the line with the errors stands behind the summary, or below."""
    below = (piece.text for piece in islice(report.below(), 3))
    return any(map(_ERRORS.search, (summary.match.string, *below)))


def _counts_answers(run: RunRecord, report: Report, average: Decimal | None) -> bool:
    """Whether the summary has the number of answers.

    From 7.4 on it counts requests sent, those still unanswered at the end among them, and
    from 3.0 on nothing tells the version: they are answers where the samples add up to as
    many, or where that amount was asked for and nothing failed.

    Source: autocannon 2.4, 7.3, 7.4 and 8.0, `lib/printResult.js`, `lib/progressTracker.js`.
    """
    table, running = report.get(lines.TABLE), report.get(lines.RUNNING)
    sent = _exact(report.get(lines.SUMMARY), "requests")
    if sent is None:
        return False
    amount = running and "amount" in running.form.slots and running.read("amount")
    first_layout = table is not None and "%" not in table["columns"]
    if first_layout or (amount == sent and not run.columns.get("errors")):
        return True
    return sent - 1 < ((average or 0) - _HALF_CENT) * int(_samples(run, report)) <= sent


def _add_success(
    run: RunRecord, report: Report, answered: int | None, average: Decimal | None
) -> None:
    """Add goodput and success ratio where the printed counts allow them."""
    throughput, errors = run.columns.get("throughput_rps"), run.columns.get("errors")
    printed = report.get(lines.ERRORS)
    good, whole = _good(run, report, answered)
    if whole and throughput is not None:
        run.columns["goodput_rps"] = throughput * (good / whole)
    exact = printed is None or _exact(printed, "errors") is not None
    if whole and exact and errors is not None and (run.statuses or not errors):
        run.columns["success_ratio"] = good / (whole + errors)
    if average is not None and not average and errors:
        run.columns["success_ratio"] = 0.0  # nothing was answered


def _good(run: RunRecord, report: Report, answered: int | None) -> tuple[int, int]:
    """Return how many of how many answers were good, 0 of 0 where that is not known."""
    line = report.get(lines.MISMATCHES)
    summary = report.get(lines.SUMMARY)
    mismatches = 0 if summary is None or not summary["more"] else None
    if line is not None:
        mismatches = _exact(line, "mismatches")
    if run.statuses and answered == sum(run.statuses.values()):
        good = sum(count for code, count in run.statuses.items() if 200 <= code < 400)
    elif not run.statuses and run.columns.get("non2xx") == 0:
        good = answered = answered or (0 if mismatches else 1)
    else:
        return 0, 0
    expected = as_expected(good, answered, mismatches) if mismatches is not None else None
    return (expected, answered) if expected is not None else (0, 0)
