"""vegeta's JSON report: `vegeta report -type=json`, of every version since 1.0.

Times are nanoseconds. 1.1 added the median, 5.0.1 `wait`, 5.6.3 `rate`, 5.9 the
instants and the sum of latencies, 12.6 `throughput`, 12.8 `90th` and `min`, and
`buckets` are there when asked for. What wraps the library prints the same object
inside its own.

Source: vegeta 1.0 to 12.13 `lib/metrics.go`, `lib/histogram.go`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import JsonParser, RunRecord

from . import _vegeta, _vegeta_report
from ._instant import instant

_TIMES: Final = {
    "latencies.min": "latency_min_s",
    "latencies.mean": "latency_mean_s",
    "latencies.max": "latency_max_s",
    "wait": "wait_s",
}
_COUNTS: Final = {
    "requests": ("requests",),
    "bytes_in.total": ("received_bytes", "body_bytes"),
    "bytes_out.total": ("sent_bytes",),
}
_FIGURES: Final = {
    "rate": ("Requests", "rate", "1/s"),
    "throughput": ("Requests", "throughput", "1/s"),
    "bytes_in.mean": ("Bytes In", "mean", "B"),
    "bytes_out.mean": ("Bytes Out", "mean", "B"),
}


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the keys that every version prints."""
    latencies = value.get("latencies")
    return (
        isinstance(latencies, dict)
        and {"mean", "max"} <= latencies.keys()
        and {"requests", "duration"} <= value.keys()
        and ("status_codes" in value or "success" in value)
    )


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run that a report tells.

    Raises:
        InputError: a figure has another type than vegeta gives it.
    """
    record = RunRecord()
    for path, column in _TIMES.items():
        if (digits := _number(value, path)) is not None:
            record.columns[column] = units.scaled(digits, "1e-9")
    for path, columns in _COUNTS.items():
        if (digits := _number(value, path)) is not None:
            record.columns |= dict.fromkeys(columns, _whole(digits, path))
    for path, (metric, statistic, unit) in _FIGURES.items():
        if (digits := _number(value, path)) is not None:
            record.figure(metric, statistic, float(digits), unit=unit, printed=digits)
    if (digits := _number(value, "throughput")) is not None:
        record.columns["goodput_rps"] = float(digits)
    if (digits := _number(value, "success")) is not None:
        record.columns["success_ratio"] = _share(digits, "success")
    _take_latencies(record, value)
    _take_duration(record, value)
    record.statuses = _counts(value, "status_codes")
    record.errors = _errors(value)
    if (started := _instant(value.get("earliest"))) is not None:
        record.columns["started_at"] = started
    _vegeta_report.complete(record, has_wait="wait" in value)
    return record


def _take_latencies(record: RunRecord, value: Mapping[str, Any]) -> None:
    for key in value["latencies"]:
        percentile = re.fullmatch(r"([0-9]{1,2}(?:\.[0-9]{1,9})?)th", key)
        digits = _number(value, f"latencies.{key}") if percentile else None
        if percentile and digits is not None:
            quantile = float(Decimal(percentile[1]) / 100)
            record.quantile(quantile, units.scaled(digits, "1e-9"))
    if (total := _number(value, "latencies.total")) is not None:
        seconds = units.scaled(total, "1e-9")
        record.figure("Latencies", "total", seconds, unit="s", printed=total)
    buckets = sorted(_counts(value, "buckets").items())
    bounds = [_bound(low) for low, _ in buckets] + ["+Inf"]
    for (_, count), low, high in zip(buckets, bounds[:-1], bounds[1:], strict=True):
        record.figure(f"[{low}, {high}]", "total", count, printed=str(count))


def _bound(nanoseconds: int) -> str:
    """Return a bound as the histogram report writes it, where it is a round one."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if nanoseconds % size == 0:
            return f"{nanoseconds // size}{unit}"
    return f"{nanoseconds}ns"


def _take_duration(record: RunRecord, value: Mapping[str, Any]) -> None:
    attack = _number(value, "duration")
    if attack is None:
        return
    wait = _number(value, "wait")
    if wait is not None:
        seconds = units.scaled(attack, "1e-9")
        record.figure("Duration", "attack", seconds, unit="s", printed=attack)
    total = Decimal(attack) + Decimal(wait or 0)
    record.columns["duration_s"] = float(total * Decimal("1e-9"))


def _number(value: Mapping[str, Any], path: str) -> str | None:
    """Return the digits of a number that is not negative, None where it is missing or null."""
    number: Any = value
    for key in path.split("."):
        number = number.get(key) if isinstance(number, dict) else None
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise InputError("a number", actual=str(number), where=Where(path=path))
    if not abs(number) < 1e300:
        raise InputError("a number in range", actual=str(number)[:60], where=Where(path=path))
    if number < 0:
        raise InputError("a number, at least 0", actual=str(number), where=Where(path=path))
    return str(number)


def _share(digits: str, path: str) -> float:
    share = float(digits)
    if share > 1:
        raise InputError("a share, at most 1", actual=digits, where=Where(path=path))
    return share


def _whole(digits: str, path: str) -> int:
    number = Decimal(digits)
    if number != int(number) or not 0 <= number < 2**63:
        raise InputError("a count", actual=digits, where=Where(path=path))
    return int(number)


def _counts(value: Mapping[str, Any], path: str) -> dict[int, int]:
    """Return an object with numbers for keys and counts for values."""
    table = value.get(path) or {}
    if not isinstance(table, dict):
        raise InputError("an object", actual=type(table).__name__, where=Where(path=path))
    counts: dict[int, int] = {}
    for key, count in table.items():
        if not re.fullmatch(r"\d{1,19}", key, re.ASCII) or isinstance(count, bool):
            raise InputError("numbers with counts", actual=key, where=Where(path=path))
        if not isinstance(count, int) or not 0 <= count < 2**63:
            raise InputError("a count", actual=str(count), where=Where(path=f"{path}.{key}"))
        counts[int(key)] = count
    if sum(counts.values()) >= 2**63:
        raise InputError("counts", actual=str(sum(counts.values())), where=Where(path=path))
    return counts


def _errors(value: Mapping[str, Any]) -> dict[str, int | None]:
    texts = value.get("errors") or []
    if not isinstance(texts, list):
        kind, where = type(texts).__name__, Where(path="errors")
        raise InputError("a list of errors", actual=kind, where=where)
    return dict.fromkeys(text for text in texts if isinstance(text, str) and text)


def _instant(text: object) -> Any:  # noqa: ANN401 - numpy's instant, in nanoseconds
    if not isinstance(text, str) or text.startswith("0001-"):
        return None
    known = instant(text)
    if known is None:
        raise InputError("an RFC 3339 instant", actual=text, where=Where(path="earliest"))
    return known


PARSERS: Final = (
    JsonParser(
        name="vegeta-json",
        reads="the JSON report of `vegeta report -type=json`, also inside other JSON",
        versions="1.0 to 12",
        fills=("requests", "duration_s", "latency_mean_s", "latency_max_s"),
        may_fill=(*_vegeta_report.MAY_FILL, "started_at"),
        when={**_vegeta_report.SINCE, "started_at": "5.9 on"},
        detail=50,
        steps=_vegeta_report.STEPS,
        **_vegeta.SUMMARY,
        markers=("latencies",),
        matches=matches,
        parse=parse,
        needs=("latencies.mean", "latencies.max", "requests", "duration", "success"),
        keys=("latencies", "50th", "95th", "99th", "bytes_in", "bytes_out", "earliest", "wait"),
    ),
)
