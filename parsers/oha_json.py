"""oha's JSON, `--output-format json`, formerly `--json` or `-j`.

All times are seconds, but for `metrics.latency_ms`, which repeats some in ms with three decimals.
Without an answer latencies are null. Early versions lack `errorDistribution`, those before 1.13
what the first byte took, those before 1.15 `metrics`.

Source: hatoo/oha 1.16.0 `src/printer.rs` (print_json), `schema.json`, `CHANGELOG.md`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import JsonParser, RunRecord

from .oha import CONSTANTS, COUNTED, add_counts, rank

_COLUMNS: Final = {
    "fastest": "latency_min_s",
    "average": "latency_mean_s",
    "slowest": "latency_max_s",
}
_STATISTICS: Final = {"average": "mean", "fastest": "min", "slowest": "max"}


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object is a result of oha."""
    summary = value.get("summary")
    return (
        isinstance(summary, Mapping)
        and "requestsPerSec" in summary
        and isinstance(value.get("latencyPercentiles"), Mapping)
    )


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of a result.

    Raises:
        InputError: a figure that is needed is missing, or one is none.
    """
    record = RunRecord()
    summary = value["summary"]
    total_s = _figure(summary, "summary", "total")
    if total_s is None:
        raise InputError("a number", actual="null", where=Where(path="summary.total"))
    record.columns["duration_s"] = total_s
    for code, count in _counts(value, "statusCodeDistribution").items():
        if not (code.isdecimal() and len(code) == 3):
            path = f"statusCodeDistribution.{code}"
            raise InputError("a status code", actual=code, where=Where(path=path))
        record.statuses[int(code)] = count
    answered = sum(record.statuses.values())
    if "errorDistribution" in value:
        record.errors.update(_counts(value, "errorDistribution"))
        add_counts(record, _figure(summary, "summary", "requestsPerSec") or 0.0)
    else:
        record.columns["non2xx"] = sum(
            n for code, n in record.statuses.items() if not 200 <= code < 300
        )
        if total_s:
            record.columns["throughput_rps"] = answered / total_s
    if answered:
        _add_latencies(record, value)
    else:
        record.notes.append("no answer: there is no latency")
    _add_others(record, value)
    return record


def _add_latencies(record: RunRecord, value: Mapping[str, Any]) -> None:
    for name, column in _COLUMNS.items():
        if (latency_s := _figure(value["summary"], "summary", name)) is not None:
            record.columns[column] = latency_s
    percentiles = value["latencyPercentiles"]
    for name in percentiles:
        latency_s = _figure(percentiles, "latencyPercentiles", name)
        try:
            quantile = round(float(name.removeprefix("p")) / 100, 9)
        except ValueError:
            continue
        if latency_s is not None and 0 < quantile < 1:
            record.quantile(quantile, latency_s)


def _add_others(record: RunRecord, value: Mapping[str, Any]) -> None:
    total = _figure(value["summary"], "summary", "totalData")
    if total is not None and record.statuses:
        record.columns["body_bytes"] = int(total)
    details = value.get("details")
    for part, figures in details.items() if isinstance(details, Mapping) else ():
        for name, statistic in _STATISTICS.items():
            if isinstance(figures, Mapping):
                took_s = _figure(figures, f"details.{part}", name)
                if took_s is not None:
                    record.figure(part, statistic, took_s, unit="s")


def _counts(value: Mapping[str, Any], name: str) -> dict[str, int]:
    counts = value.get(name)
    if not isinstance(counts, Mapping):
        raise InputError("an object of counts", actual=str(counts)[:60], where=Where(path=name))
    for key, count in counts.items():
        if type(count) is not int or not 0 <= count < 2**53:
            path = f"{name}.{key}"
            raise InputError("a count", actual=str(count)[:60], where=Where(path=path))
    return dict(counts)


def _figure(part: Mapping[str, Any], path: str, name: str) -> float | None:
    """Return a figure of an object, None where there is null or nothing."""
    figure = part.get(name)
    if figure is None:
        return None
    is_number = isinstance(figure, (int, float)) and not isinstance(figure, bool)
    if not is_number or not math.isfinite(figure) or figure < 0:
        where = Where(path=f"{path}.{name}")
        raise InputError("a number of 0 or more", actual=str(figure)[:60], where=where)
    return float(figure)


PARSERS: Final = (
    JsonParser(
        name="oha-json",
        tool="oha",
        reads="the result of `oha --output-format json`",
        versions="0.5.4 on",
        fills=("duration_s", "non2xx"),
        may_fill=(
            *(name for name in COUNTED if name not in {"duration_s", "non2xx"}),
            "body_bytes",
        ),
        when={"errors": "with `errorDistribution`"},
        detail=20,
        constants=CONSTANTS,
        rank=rank,
        markers=("summary",),
        matches=matches,
        parse=parse,
        keys=(
            *("requestsPerSec", "successRate", "latencyPercentiles", "statusCodeDistribution"),
            *("totalData", "sizePerRequest", "sizePerSec", "responseTimeHistogram"),
        ),
        begins=r'\{\s*+"summary":\s*+\{\s*+"successRate":',
        needs=("summary.total", "statusCodeDistribution", "latencyPercentiles"),
    ),
)
