"""k6's report at the end of a test, in any of its modes.

Times are cut off after two decimals, each in a unit of its own; with `--summary-time-unit`
they are rounded to two decimals of that unit. Of a rate ✓ counts what is true: of
`http_req_failed` these are the requests that failed.

Source: k6 1.8 `internal/js/summary.js` and `summary-legacy.js` (humanizeValue); 0.49
`js/summary.js`; 0.29 `ui/summary.go`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _k6_lines as lines
from ._candidates import LinePart
from ._grammar import Report, note_loss
from ._k6 import (
    CONSTANTS,
    DURATION,
    FAILED,
    MAY_FILL,
    REQUESTS,
    TOOL,
    Aggregate,
    crossed,
    fill,
    keep,
)
from ._line import ReportLine, go_time

#: What stands above metrics of a kind.
_HEADINGS: Final = frozenset(
    ("BROWSER", "CUSTOM", "EXECUTION", "GRPC", "HTTP", "NETWORK", "WEBSOCKET", "WEB_VITALS")
)
_METRICS: Final = frozenset({lines.TREND, lines.SHARE, lines.GAUGE, lines.COUNTER})
_STATISTIC: Final = re.compile(r"(?<![^\s=])([^\s=]++)=(\S++)")
_NAME: Final = re.compile(r"(?P<mark>[^\w{]*+)(?P<name>\w++|\{ ?(?P<tags>[^{}]*+)\})")
#: A value of a metric of the script that is no time.
_PLAIN: Final = re.compile(r"[0-9][0-9.]*+(?:e[+-]?[0-9]++)?")
#: Trends of k6's own, all of times.
_TIMES: Final = frozenset(
    {
        *("http_req_duration", "http_req_blocked", "http_req_looking_up", "http_req_connecting"),
        *("http_req_tls_handshaking", "http_req_sending", "http_req_waiting"),
        *("http_req_receiving", "iteration_duration", "group_duration"),
    }
)
#: A time below so many s is cut off to so many s.
_STEPS: Final = ((1e-6, 1e-9), (1e-3, 1e-8), (1.0, 1e-5), (60.0, 1e-2))
_UNITS: Final = {"ns": 1e-9, "µs": 1e-8, "us": 1e-8, "μs": 1e-8, "ms": 1e-5, "s": 1e-2}
_UNIT: Final = re.compile(r"[0-9.]([nuµμm]?s)$")
#: A time from a minute on, in whole seconds.
_LONG: Final = re.compile(r"[0-9]++[hm][0-9]")
_CROSSED: Final = frozenset("✗×✘x")
#: Virtual users are those of the whole run.
_USERS: Final = frozenset({"vus", "vus_max"})
#: So many lines above its metrics the heading of a part may stand.
_ABOVE: Final = 4
#: A line of the thresholds that names the metric of those below.
_METRIC: Final = re.compile(r"(?P<name>\w*+)(?>(?P<tags>\{[^{}]++\})?)")
#: Lines below a report in which its last one may stand.
_BELOW: Final = 12
_FAILURE: Final = re.compile(
    r"level=error msg=\"(?P<words>[^\"\\]*+(?>(?:\\.[^\"\\]*+)*))\"(?P<more>[^\n]*+)"
)
_OWN: Final = re.compile(
    r"\bthresholds?\b|could not (?:initialize|load JS test)|script (?:configuration|exception)|"
    r"test run was aborted|specified (?:script|scenario)|GoError"
)


@dataclass
class _Stretch:
    """The metrics of the total, or of a group or scenario, by name.

    Attributes:
        name: `{scenario:…}` or `{group:…}`; empty for the total.
        is_mixed: Whether the heading of another is missing within it.
    """

    name: str = ""
    printed: dict[str, ReportLine] = field(default_factory=dict)
    is_mixed: bool = False

    @property
    def last(self) -> int:
        """The number of its last line."""
        return max(line.number for line in self.printed.values())


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield every report in a text; an InputError where there is none of a run of k6."""
    reports = lines.REPORT.reports(text)
    for report in reports:
        runs = list(_runs(report))
        parted, counts_failed = _has_parts(report), _counts_failed(report)
        for parts in runs:
            if parted and not parts[0].printed.keys() & _USERS:
                yield _no_total(parts)
                continue
            start = report.span[0] if parts is runs[0] else _first(parts)
            yield _read(
                report, parts, start, is_last=parts is runs[-1], counts_failed=counts_failed
            )
        if not runs:
            yield report.broken_off(
                "k6's metrics below this line",
                hint="the run was aborted, or the output is cut off here",
                actual="none",
            )
    if not reports:
        yield from _failures(text)


def _runs(report: Report) -> Iterator[Sequence[_Stretch]]:
    """Yield the parts of each run: where a metric of the total stands again, another begins."""
    parts = [_Stretch()]
    parent = ""
    for line in report.lines:
        if line.line is lines.PART:
            parts.append(_Stretch(f"{{{line.match['kind'].lower()}:{_part_name(report, line)}}}"))
        matched = _NAME.match(line["name"]) if line.line in _METRICS else None
        if matched is None:
            continue
        parent = parent if matched["tags"] else matched["name"]
        if not parent:  # the metric of which it is a part is missing
            continue
        name = f"{parent}{{{matched['tags'].strip()}}}" if matched["tags"] else parent
        above = next(reversed(parts[-1].printed.values()), None)
        if above is not None and above.text == line.text and line.at == above.at + 1:
            continue  # the same line once more
        if len(parts) == 1 and name in parts[0].printed:
            yield parts
            parts = [_Stretch()]
        parts[-1].is_mixed |= name in parts[-1].printed
        parts[-1].printed[name] = line
    if parts[0].printed:
        yield [part for part in parts if part.printed]


def _has_parts(report: Report) -> bool:
    """Whether metrics without virtual users may be those of one scenario or group.

    The total has a heading of its own, or virtual users, which no part of it has. Only what has
    other headings, too, has parts.

    Source: k6 1.8 `internal/js/summary.js` (generateTextSummary, renderSections),
    `internal/output/summary/data.go`; `internal/js/summary-legacy.js` has no headings.
    """
    if report.has(lines.TOTAL) or report.has(lines.SCENARIOS):
        return False
    if report.has(lines.PART) or any("total" in x.form.slots for x in report.all(lines.SHARE)):
        return True
    above = report.pieces[max(report.start - _ABOVE, 0) : report.start]
    within = report.pieces[report.start : report.stop + 1]
    return any(map(lines.PART.match, above)) or any(piece.text in _HEADINGS for piece in within)


def _no_total(parts: Sequence[_Stretch]) -> InputError:
    return InputError(
        "the total of a run of k6",
        actual="metrics that may be those of one scenario or group",
        where=Where(line=_first(parts) + 1),
        hint="the total, which stands above the scenarios, is cut off; use the whole output",
    )


def _part_name(report: Report, line: ReportLine) -> str:
    """Return the name of a scenario or group, without what stands behind it in a paragraph.

    A scenario's has no blank; below a group's is a heading.
    """
    name = line["name"].strip()
    if not isinstance(report.pieces[line.at], LinePart):
        return name
    if line.match["kind"] == "SCENARIO":
        return name.partition(" ")[0]
    words = list(takewhile(lambda word: word not in _HEADINGS and word[:1] != "[", name.split()))
    return " ".join(words).rstrip(" +|>#/*-")


def _first(parts: Sequence[_Stretch]) -> int:
    return min(line.number for line in parts[0].printed.values())


def _read(
    report: Report, parts: Sequence[_Stretch], start: int, *, is_last: bool, counts_failed: bool
) -> RunOrError:
    total = parts[0].printed
    record = RunRecord(lines=(start, parts[-1].last))
    if not total.keys() & {REQUESTS, DURATION}:
        return InputError(
            f"HTTP requests, '{REQUESTS}', in k6's report",
            actual=f"{len(total)} other metrics",
            where=Where(line=_first(parts) + 1),
            hint="the script sent none, or the report is cut off here",
        )
    try:
        metrics = {name: _metric(name, line) for name, line in total.items()}
        _add_load(record, report, metrics)
        fill(record, metrics, rounded=_is_rounded(total.get(DURATION)))
        for part in parts[1:]:
            if part.is_mixed:
                record.damaged(f"{part.name} has metrics twice, some of another: left out")
                continue
            for name in (REQUESTS, DURATION, FAILED):
                if name in part.printed:
                    keep(record, name + part.name, _metric(name, part.printed[name]))
    except InputError as error:
        return error
    record.columns |= _resolution(total.get(DURATION))
    crossed(record, [*_thresholds(report), *_marked(total)])
    if is_last:
        _add_iterations(record, report)
        note_loss(record, report)
        _note_end(record, report, parts)
    if REQUESTS not in total:
        record.damaged(f"'{REQUESTS}' is not there: the report is cut off, or a part of one")
    if FAILED not in total and "throughput_rps" in record.columns and counts_failed:
        record.columns.pop("throughput_rps")
        record.damaged(f"'{FAILED}' is missing, and with it how many requests had an answer")
    return record


def _counts_failed(report: Report) -> bool:
    """Whether a report is of a version that counts failed requests, by what came with it or after.

    Source: k6 0.31 `lib/netext/httpext/transport.go` (http_req_failed, expected_response).
    """
    if report.has(lines.TOTAL) or report.has(lines.EARLY):
        return report.has(lines.TOTAL)
    metrics = (line for line in report.lines if line.line in _METRICS)
    return any("expected_response" in line["name"] for line in metrics)


def _note_end(record: RunRecord, report: Report, parts: Sequence[_Stretch]) -> None:
    """Note that metrics are missing: those that each run, and each part, has last."""
    last = "data_sent" if report.has(lines.TOTAL) else "iterations"
    missing = last not in parts[0].printed
    if len(parts) > 1 and any(name.startswith("http_req_") for name in parts[-1].printed):
        last = "data_sent" if parts[-1].name.startswith("{scenario:") else REQUESTS
        missing = missing or last not in parts[-1].printed
    if missing and report.loss is None:
        record.damaged(f"the report breaks off below line {report.span[1] + 1}")


def _metric(name: str, line: ReportLine) -> Aggregate:
    """Return the statistics of a metric's line.

    Raises:
        InputError: one is no number, or no time.
    """
    printed = _printed(line)
    unit = ""
    plain = all(_PLAIN.fullmatch(text) for each, text in printed.items() if each != "count")
    if not plain or (line.line is lines.TREND and name.partition("{")[0] in _TIMES):
        unit = "s" if line.line is lines.TREND else "B"
    metric = Aggregate(unit="" if line.line is lines.SHARE else unit, printed=printed)
    for statistic, text in printed.items():
        read: Callable[[str], float]
        if line.line is lines.SHARE:
            read = units.percent if statistic == "ratio" else units.whole
        elif statistic == "count" and line.line is lines.TREND:
            read = units.number
        else:
            read = {"s": go_time, "B": _octets}.get(unit, _number)
        metric.values[statistic] = line.figure(text, "a figure of k6", read)
    return metric


def _printed(line: ReportLine) -> dict[str, str]:
    """Return the characters of each statistic on a line, by k6's name for it."""
    if line.line is lines.TREND:
        return dict(_STATISTIC.findall(line["figures"]))
    if line.line is not lines.SHARE:
        return {name: line[name] for name in line.form.slots if name != "name"}
    passes = units.whole(line["passes"])
    if "total" in line.form.slots:
        fails = units.whole(line["total"]) - passes
    else:
        fails = units.whole(line["fails"])
    return {"ratio": line["share"], "passes": str(passes), "fails": str(fails)}


def _octets(text: str) -> float:
    return units.octets(text, base=1000)


def _number(text: str) -> float:
    if not (_PLAIN.fullmatch(text) and "e" in text):
        return units.number(text)
    value = float(text)
    if not math.isfinite(value):
        raise units.QuantityError(f"number out of range: {text[:40]!r}")
    return value


def _add_load(record: RunRecord, report: Report, metrics: Mapping[str, Aggregate]) -> None:
    """Add what the scenarios above a report say of the load."""
    closed, opened = list(report.all(lines.CLOSED)), list(report.all(lines.OPEN))
    head, early = report.get(lines.SCENARIOS), report.get(lines.EARLY)
    most = metrics.get("vus_max", Aggregate()).values.get("max")
    if most is None and head is not None and not opened:
        most = head.read("vus")
    if most:
        record.columns["threads"] = int(most)
    if early is not None:
        record.columns["load_model"] = "closed"
    if head is None or head.read("count") != len(closed) + len(opened):
        return
    if closed and opened:
        record.notes.append("scenarios in an open and in a closed loop share this run")
        return
    record.columns["load_model"] = "open" if opened else "closed"
    requests, iterations = (
        metrics.get(name, Aggregate()).values.get("count") for name in (REQUESTS, "iterations")
    )
    if len(opened) == 1 and not opened[0].match["ramp"] and requests == iterations is not None:
        record.columns["offered_rate_rps"] = opened[0].read("rate")


def _is_rounded(line: ReportLine | None) -> bool:
    """Whether a zero may be a small figure: `--summary-time-unit` prints 0.00 of it."""
    return line is not None and re.search(r"=0\.00", line["figures"]) is not None


def _resolution(line: ReportLine | None) -> dict[str, float]:
    """Return the finest step of the latencies that are printed."""
    if line is None:
        return {}
    texts = [text for _, text in _STATISTIC.findall(line["figures"])]
    ends = [_UNIT.search(text) for text in texts if text != "0s" and not _LONG.match(text)]
    return {"resolution_s": min(_UNITS[end[1]] for end in ends if end)} if any(ends) else {}


def _thresholds(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the metric and expression of each threshold that a mark shows as crossed."""
    listed = {line.number: line for line in report.all(lines.THRESHOLD)}
    parent = name = ""
    for piece in report.pieces[report.start : report.stop + 1] if listed else ():
        line = listed.get(piece.number)
        if line is not None and line["mark"][0] in _CROSSED:
            yield name, line["expression"].strip("'")
        elif line is None and piece.text and (matched := _METRIC.fullmatch(piece.text)):
            parent = matched["name"] or parent
            name = parent + (matched["tags"] or "")


def _marked(printed: Mapping[str, ReportLine]) -> Iterator[tuple[str, str]]:
    """Yield the metrics before which a mark shows that one of its thresholds was crossed."""
    for name, line in printed.items():
        matched = _NAME.match(line["name"])
        if matched and matched["mark"][:1] in _CROSSED:
            yield name, ""


def _add_iterations(record: RunRecord, report: Report) -> None:
    """Keep the iterations that the last line of progress counts."""
    for piece in islice(report.below(), _BELOW):
        line = lines.ENDED.match(piece)
        if line is not None and line.strict:
            line.keep(record, "complete iterations", "total", "complete")
            line.keep(record, "interrupted iterations", "total", "interrupted")
            return


def _failures(text: Text) -> Iterator[InputError]:
    """Yield why k6 did not run, where that is all it says."""
    for number, line in enumerate(text.lines):
        failure = _FAILURE.search(line) if "level=error" in line else None
        words = failure["words"] if failure is not None else ""
        if _OWN.search(words) and "have been crossed" not in words:
            yield InputError(
                "a summary of k6",
                actual=f"an error: {words[:200]}",
                where=Where(line=number + 1),
                hint="the test did not run to its end; run it again",
            )
            return


def _step_s(latency_s: float) -> float:
    """Return how far a printed time may be off, both ways: it is cut off."""
    return 2 * next((step for below, step in _STEPS if latency_s < below), 1.0)


PARSERS: Final = (
    TextParser(
        name="k6-text",
        tool=TOOL,
        reads="the report at the end of a test, in any mode, anywhere in a text",
        versions="0.20 to 2",
        may_fill=(*MAY_FILL, "load_model", "offered_rate_rps", "resolution_s"),
        when={
            "errors": "where no request failed: else k6 does not tell what failed by its status",
            "success_ratio": "0.31 on; as the script defines a failure",
            "load_model": "with the scenarios above, not --quiet, if all are of one",
            "offered_rate_rps": "of one scenario with a constant rate and one request each time",
        },
        constants=CONSTANTS,
        rank=None,
        step_s=_step_s,
        markers=(*lines.REPORT.markers, "level=error", "max VUs"),
        scan=scan,
    ),
)
