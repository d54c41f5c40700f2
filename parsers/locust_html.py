"""Locust's HTML report (`--html`): what its page has as JSON, `window.templateArgs`.

`requests_statistics` has the counts, the mean, and extremes in whole milliseconds, of each endpoint
and of `Aggregated`; `response_time_statistics` their percentiles, rounded.

Source: locust 2.16 to 2.47.0 `html.py` (get_html_report), `stats.py` (StatsEntry.to_dict).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import FileParser, RunOrError, RunRecord, Source
from benchkit.text import decode

from . import _locust

_TITLE: Final = re.compile(rb"<title>(?:Locust|Test Report for [^<]*+)</title>")
_DATA: Final = re.compile(r"window\.templateArgs ?= ?(?=\{\")")
_SHARE: Final = re.compile(r"[01]\.[0-9]++")
_TIMES: Final = {
    "min_response_time": "latency_min_s",
    "avg_response_time": "latency_mean_s",
    "max_response_time": "latency_max_s",
}


def sniff(source: Source) -> bool:
    """Whether a file begins like a page of Locust."""
    return _TITLE.search(source.head) is not None


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield the run of a report, or why there is none."""
    text = decode(source.data) or ""
    matched = _DATA.search(text)
    if matched is None:
        yield InputError(
            "the figures that a report of Locust from 2.16 on has as JSON",
            actual="none",
            hint="use the file that ends with _stats.csv (--csv)",
        )
        return
    try:
        data, _ = json.JSONDecoder().raw_decode(text, matched.end())
        yield _run(data)
    except (ValueError, RecursionError) as error:
        yield InputError(
            "the figures of the report as JSON", actual=str(error)[:100], hint="it is cut off"
        )
    except InputError as error:
        yield error


def _run(data: Mapping[str, Any]) -> RunRecord:
    rows = _by_name(data, "requests_statistics")
    shares = _by_name(data, "response_time_statistics")
    total = rows.pop("Aggregated", None)
    if total is None:
        raise InputError("the row 'Aggregated' in the figures of the report", actual="none")
    record = RunRecord()
    host = data.get("host")
    if isinstance(host, str) and host:
        record.columns["url"] = host
    _add_start(record, data.get("start_time"))
    _locust.fill_method(record, {str(row.get("method")) for row in rows.values()})
    failed = _count(total, "num_failures")
    failures = _failures(data.get("failures_statistics"))
    if failures:
        _locust.fill_failures(record, failures, failed)
    requests = _count(total, "num_requests")
    lost = record.columns.get("errors")
    answered = None if lost is None else lost < requests
    if _locust.fill_counts(record, requests, failed, answered=answered):
        _locust.fill_rates(record, _number(total, "total_rps"))
        for key, column in _TIMES.items():
            record.columns[column] = _number(total, key) / 1e3
        for quantile, latency in _quantiles(shares.get("Aggregated", {})):
            record.quantile(quantile, latency)
    for name, row in rows.items():
        record.figure(name, "requests", _count(row, "num_requests"))
        record.figure(name, "failures", _count(row, "num_failures"))
    return record


def _by_name(data: Mapping[str, Any], key: str) -> dict[str, Mapping[str, Any]]:
    rows = data.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"a list of objects as {key} of the report", actual=repr(rows)[:60])
    return {
        " ".join(str(row[part]) for part in ("method", "name") if row.get(part)): row
        for row in rows
    }


def _add_start(record: RunRecord, started: object) -> None:
    try:
        instant = datetime.fromisoformat(str(started))
    except ValueError:
        return
    if instant.tzinfo is not None and 1970 < instant.year < 2200:
        record.columns["started_at"] = instant.astimezone(UTC)


def _failures(rows: object) -> dict[str, int]:
    """Return counts by error, none where a row is not what it should be."""
    failures: dict[str, int] = {}
    for row in rows if isinstance(rows, Sequence) else ():
        if not isinstance(row, Mapping) or not isinstance(row.get("occurrences"), int):
            return {}
        text = f"{row.get('method')} {row.get('name')}: {row.get('error')}"
        failures[text] = failures.get(text, 0) + row["occurrences"]
    return failures


def _quantiles(row: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    for key in row:
        if _SHARE.fullmatch(key) and units.number(key) < 1:
            yield units.number(key), _number(row, key) / 1e3


def _number(row: Mapping[str, Any], key: str) -> float:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**53:
        raise InputError(f"a number as {key} of the report", actual=repr(value)[:60])
    return float(value)


def _count(row: Mapping[str, Any], key: str) -> int:
    value = _number(row, key)
    if value != int(value):
        raise InputError(f"a whole number as {key} of the report", actual=repr(value))
    return int(value)


PARSERS: Final = (
    FileParser(
        name="locust-html",
        tool=_locust.TOOL,
        reads="the report that --html writes",
        versions="2.16 on",
        fills=("requests",),
        may_fill=(
            *("url", "method", "started_at", "errors", "timeouts", "non2xx"),
            *_locust.RATES,
            *_locust.LATENCIES,
            *(
                column
                for column in _locust.QUANTILES
                if column not in {"latency_p75_s", "latency_p999_s"}
            ),
        ),
        when={
            "errors": "where the errors tell it",
            "timeouts": "where the errors tell it",
            "non2xx": "where the errors tell it",
        },
        constants=_locust.CONSTANTS,
        rank=_locust.rank,
        steps=_locust.STEPS,
        step_s=_locust.step_s,
        sniff=sniff,
        parse=parse,
    ),
)
