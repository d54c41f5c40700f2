"""Turns a block of ab's lines into a run.

Meanings of the counters, as httpd 2.4 `support/ab.c` counts them: `Complete
requests` are finished connections, failed ones included; `Failed requests` is
the sum of the failures by kind, and one request can be counted under several;
a length failure is a body of another length than the first one's, which is no
error of the server, or a connection closed before any answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from benchkit import units
from benchkit.parsing import RunRecord

from . import _ab
from ._ab_block import AbBlock, LabelValue
from ._ab_kind import is_report

#: Counters kept as figures: (metric, statistic, unit).
_FIGURES: Final = {
    "length": ("Document Length", "value", "B"),
    "achieved": ("Concurrency achieved", "value", ""),
    "asked": ("Number of requests", "value", ""),
    "failed": ("Failed requests", "total", ""),
    "write": ("Write errors", "total", ""),
    "pipe": ("Broken pipe errors", "total", ""),
    "kept": ("Keep-Alive requests", "total", ""),
    "kept_aborts": ("Keep-Alive aborts", "total", ""),
}
#: Counters that have a column.
_COLUMNS: Final = {
    "workers": "threads",
    "concurrency": "connections",
    "complete": "requests",
    "non2xx": "non2xx",
    "received": "received_bytes",
    "sent": "sent_bytes",
    "body": "body_bytes",
}
_MILLISECONDS: Final = {
    "ramp": ("Rampup delay", "value"),
    "per_request": ("Time per request", "mean"),
    "per_request_all": ("Time per request, across all concurrent requests", "mean"),
}
#: A host and a path, up to where an author's remark or a mark of a page begins.
_HOST: Final = re.compile(r"\[?[\w.:%-]+\]?")
_TARGET: Final = re.compile(r"(?:https?:/)?/[^\s<>\"`\\^\uff08\u3010]*")
_KINDS: Final = ("connect", "receive", "length", "exceptions")


def read(block: AbBlock) -> RunRecord:
    """Return the run of a block that is a report or an excerpt of one."""
    record = RunRecord(lines=(block.first, block.last))
    if block.version:
        record.columns["tool_version"] = block.version
    if block.revision:
        revision = units.number(block.revision[:18])
        record.figure("Revision", "value", revision, printed=block.revision)
    for add in (_add_target, _add_counts, _add_duration, _add_failures, _add_rates, _add_latency):
        add(block, record)
    _add_success(block, record)
    record.notes += _notes(block)
    for note in _cuts(block):
        record.damaged(note)
    return record


def _match(pattern: re.Pattern[str], value: LabelValue | None) -> str | None:
    matched = pattern.match(value.text) if value else None
    return matched[0] if matched else None


def _add_target(block: AbBlock, record: RunRecord) -> None:
    host = _match(_HOST, block.values.get("host"))
    path = _match(_TARGET, block.values.get("path"))
    port = block.count("port")
    if path and not path.startswith("/"):
        record.columns["url"] = path
        return
    if not host or port is None or not path:
        return
    scheme = "https" if block.values.keys() & {"tls", "tls_key", "tls_name"} else "http"
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    shown = "" if port == {"http": 80, "https": 443}[scheme] else f":{port}"
    record.columns["url"] = f"{scheme}://{host}{shown}{path}"


def _add_counts(block: AbBlock, record: RunRecord) -> None:
    for key, column in _COLUMNS.items():
        count = block.count(key)
        if count is not None:
            record.columns[column] = count
        elif key in block.values and block.values[key].text:
            record.damaged(f"{block.values[key].text[:40]!r} is no count and left out")
    for key, (metric, statistic, unit) in _FIGURES.items():
        if plain := block.number(key):
            record.figure(metric, statistic, units.number(plain), unit=unit, printed=plain)
    for key, (metric, statistic) in _MILLISECONDS.items():
        if plain := block.number(key):
            record.figure(metric, statistic, units.scaled(plain, "1e-3"), unit="s", printed=plain)
    kept = block.count("kept")
    if kept is not None:
        record.columns["keepalive"] = kept > 0
    elif _is_whole(block):
        record.columns["keepalive"] = False


def _is_whole(block: AbBlock) -> bool:
    """Whether the counters stand as ab printed them, so that an absent one is 0."""
    failed, received = block.values.get("failed"), block.values.get("received")
    if not is_report(block) or failed is None or received is None:
        return False
    return not any(failed.line < line < received.line for line in block.foreign)


def _add_duration(block: AbBlock, record: RunRecord) -> None:
    printed = block.number("time")
    if printed is None:
        return
    plain, padded = units.number(printed), _padded(printed)
    version = block.version or ""
    if padded == plain or (version and not version.startswith("2.0")):
        record.columns["duration_s"] = plain
        return
    fits = _fits_rate(block)
    old = fits(padded) and (bool(version) or not fits(plain))
    record.columns["duration_s"] = padded if old else plain
    if old:
        record.notes.append(
            f"'Time taken' {printed} is {padded:.6f} s: this ab prints microseconds without "
            "leading zeros"
        )


def _padded(printed: str) -> float:
    """Return seconds whose microseconds lack their leading zeros: 10.1002 is 10.001002.

    Source: httpd 2.0 and 2.2 `support/ab.c` (ab 2.0.40-dev, 2.0.41-dev).
    """
    whole, _, micros = printed.partition(".")
    if not 0 < len(micros) < 6:
        return units.number(printed)
    return units.number(f"{whole}.{micros:>06}")


def _fits_rate(block: AbBlock) -> Callable[[float], bool]:
    rate, done = block.number("rps"), block.count("complete")

    def fits(seconds: float) -> bool:
        if rate is None or done is None or not seconds:
            return True
        return abs(done / seconds - float(rate)) <= 0.0051 + 1e-5 * float(rate)

    return fits


def _add_failures(block: AbBlock, record: RunRecord) -> None:
    kinds = block.breakdown or {}
    for kind in _KINDS:
        if kind in kinds:
            name = f"Failed requests: {kind.capitalize()}"
            record.figure(name, "total", kinds[kind], printed=str(kinds[kind]))
            if kinds[kind] and kind != "length":
                record.errors[kind.capitalize()] = kinds[kind]
    errors = _errors(block)
    if errors is not None:
        record.columns["errors"] = errors
    if "non2xx" not in block.values and _is_whole(block):
        record.columns["non2xx"] = 0


def _errors(block: AbBlock) -> int | None:
    """Return the failures without those of length; None where the kinds are not printed."""
    failed, kinds = block.count("failed"), block.breakdown
    if failed == 0:
        return 0
    if kinds is None:
        return None
    if "receive" in kinds or failed is None:
        return sum(count for kind, count in kinds.items() if kind != "length")
    return max(failed - kinds["length"], 0)  # -w prints no receive failures but counts them


def _add_rates(block: AbBlock, record: RunRecord) -> None:
    if plain := block.number("rps"):
        record.columns["throughput_rps"] = units.number(plain)
    kilo = _kilo(block)
    for key, name in (("rate", ""), ("rate_sent", " sent"), ("rate_total", " total")):
        if plain := block.number(key):
            value = units.scaled(plain, kilo)
            record.figure(f"Transfer rate{name}", "rate", value, unit="B/s", printed=plain)


def _kilo(block: AbBlock) -> str:
    """Return the K of the transfer rate: 1000 in ab 1.3, 1024 since.

    Source: httpd 1.3 `src/support/ab.c`, which divides bytes by milliseconds. Where
    bytes and time are printed they decide.
    """
    rate, time, received = block.number("rate"), block.number("time"), block.count("received")
    if block.version and not block.version.startswith("1."):
        return "1024"
    if rate and received and time and float(rate) and float(time):
        per_k = received / float(time) / float(rate)
        return "1000" if abs(per_k - 1000) < abs(per_k - 1024) else "1024"
    return "1000" if block.version else "1024"


def _add_latency(block: AbBlock, record: RunRecord) -> None:
    has_median = any(percent == 50 for percent, _ in block.percents)
    for row, value in block.rows.items():
        cells = _cells(block, value.text)
        if not cells:
            record.damaged(f"the row {row} lacks numbers and is left out")
        if row == "Total" and has_median and "median" in cells:
            printed, seconds = cells.pop("median")
            record.figure(row, "median", seconds, unit="s", printed=printed)
        _ab.add_times(record, row, cells)
    for percent, printed in _trusted_percents(block, record):
        seconds = units.scaled(printed, "1e-3")
        record.quantile(percent / 100, seconds)
        if percent == 100:
            record.columns.setdefault("latency_max_s", seconds)


def _cells(block: AbBlock, text: str) -> dict[str, _ab.PrintedTime]:
    numbers = text.split()
    names = block.statistics
    if not names:
        names = ("min", "mean", "stdev", "median", "max") if len(numbers) == 5 else ()
    if len(names) != len(numbers):
        return {}
    try:
        return {
            name: (printed, units.scaled(printed, "1e-3"))
            for name, printed in zip(names, numbers, strict=True)
        }
    except ValueError:
        return {}


def _trusted_percents(block: AbBlock, record: RunRecord) -> list[tuple[int, str]]:
    """Return the percentiles up to where they stop to grow, as a cut number makes them."""
    kept: list[tuple[int, str]] = []
    for percent, printed in block.percents:
        if kept and float(printed) < float(kept[-1][1]):
            record.damaged(f"the {percent} % row is below the one before it and left out")
            continue
        kept.append((percent, printed))
    return kept


def _add_success(block: AbBlock, record: RunRecord) -> None:
    columns = record.columns
    clean = columns.get("non2xx") == 0 and columns.get("errors") == 0
    lost = (block.count("write") or 0) + (block.count("pipe") or 0)
    if clean and not lost and columns.get("requests") and _all_answered(block):
        columns["success_ratio"] = 1.0
        if "throughput_rps" in columns:
            columns["goodput_rps"] = columns["throughput_rps"]


def _all_answered(block: AbBlock) -> bool:
    """Whether length failures cannot be connections that closed without an answer.

    ab counts both alike. Answers of one kind have headers of one length: all were
    answered where the header bytes divide evenly among all requests, and the
    failures brought bytes of a body, or the division among the others is uneven.
    """
    odd = (block.breakdown or {}).get("length", 0)
    done, received, body = (block.count(key) for key in ("complete", "received", "body"))
    if not odd:
        return True
    if done is None or received is None or body is None or odd >= done:
        return False
    headers, length = received - body, block.count("length")
    theirs = length is not None and body > (done - odd) * length
    return headers > 0 and headers % done == 0 and (theirs or headers % (done - odd) != 0)


def _notes(block: AbBlock) -> list[str]:
    done, kinds = block.count("complete"), block.breakdown or {}
    length = block.values.get("length")
    unfinished = block.progress or (block.started is not None and block.started.text == "...")
    possible = {
        "interrupted: ab did not print that it finished; the figures are of a part": (
            block.interrupted or (unfinished and not block.finished)
        ),
        "no request was completed": done == 0,
        "a single request: ab prints no percentiles": done == 1,
        "an excerpt: not all of ab's report is there": not is_report(block),
        f"length failures, {kinds.get('length')}: answers of another length than the first, or "
        "none at all; ab does not tell which": not _all_answered(block),
        "ab may count one failed request under several kinds of failure": (
            bool(_errors(block)) and sum(1 for count in kinds.values() if count) > 1
        ),
        "ab was told to accept answers of any length (-l)": (
            length is not None and length.text.lower().startswith("variable")
        ),
        "keep-alive was asked for and no connection was kept": block.count("kept") == 0,
    }
    return [note for note, holds in possible.items() if holds]


def _cuts(block: AbBlock) -> list[str]:
    last = block.percents[-1][0] if block.percents else 100
    possible = {
        "no row 'Total' of the connection times: the report is cut or shortened": (
            bool(block.count("complete")) and is_report(block) and "Total" not in block.rows
        ),
        f"the percentiles end at {last} %: the report is cut": last != 100,
    }
    return [note for note, holds in possible.items() if holds]
