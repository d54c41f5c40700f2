"""Reads the JSON result of autocannon 0.1 to 9.

Source: autocannon `lib/run.js` (0.1 to 6), `lib/aggregateResult.js` and
`lib/histUtil.js` (7 to 9). Percentiles are called p50 to p99999 without a
separator up to 2.x, p0_001 to p99_999 from 3.0 on. Later keys: `mean`, `sent`
(2016), `mismatches` (4.6), `latency.totalCount` (6.0), `resets` (6.3), `workers`
(7.0), `statusCodeStats` (7.1), `sampleInt` and `samples` (7.7).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from benchkit import units
from benchkit.errors import printable
from benchkit.parsing import JsonParser, RunRecord

from ._autocannon import (
    CONSTANTS,
    MAY_FILL,
    NO_SAMPLE,
    TOOL,
    as_expected,
    count_errors,
    opened_connections,
    sampled_note,
)
from ._fields import Fields

_RESULT: Final = "an autocannon result"
_PARTS: Final = ("requests", "latency", "throughput")
_CLASSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
_OWN_KEYS: Final = frozenset(
    (
        *(*_PARTS, *_CLASSES, "title", "url", "socketPath", "connections", "pipelining"),
        *("workers", "duration", "start", "finish", "errors", "timeouts", "non2xx"),
        *("statusCodeStats", "sampleInt"),
    )
)
_SKIPS_ZERO: Final = (
    "latency.min leaves out latencies below 1 ms, which are recorded as 0: "
    "the smallest latency is not known"
)


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the three parts of a result and one of its other keys."""
    parts = [value.get(name) for name in _PARTS]
    if not all(isinstance(part, Mapping) for part in parts):
        return False
    own = {"non2xx", "2xx", "pipelining"} & value.keys()
    return bool(own) or all("average" in part for part in parts if isinstance(part, Mapping))


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one result.

    Latencies are printed in milliseconds, durations in seconds, sizes in bytes.
    The average of `requests` and of `latency` must be there, anything else may
    be missing.

    Raises:
        InputError: a field that is needed is missing, or one is no number.
    """
    fields = Fields(value, _RESULT)
    run = RunRecord()
    title = value.get("title")
    run.name = title if isinstance(title, str) and title else None
    _add_set_up(run, fields, value)
    _add_times(run, fields, value)
    _add_rates(run, fields)
    _add_counts(run, fields, value)
    _add_latencies(run, fields)
    _add_correction(run, fields)
    _add_success(run, fields)
    _add_others(run, fields)
    return run


def _add_set_up(run: RunRecord, fields: Fields, value: Mapping[str, Any]) -> None:
    url = value.get("url")
    if isinstance(url, list) and all(isinstance(target, str) for target in url):
        url = ",".join(url)
    if isinstance(url, str) and url:
        run.columns["url"] = url
    if isinstance(value.get("socketPath"), str):
        run.notes.append(f"sent over the socket {value['socketPath']}")
    connections, workers = fields.count("connections"), fields.count("workers") or 0
    if connections is not None:
        run.columns["connections"] = opened = opened_connections(connections, workers)
        if opened != connections:
            run.figure("connections", "value", connections, printed=str(connections))
    if workers:
        run.columns["threads"] = workers
    _set(run, "pipelining", fields.count("pipelining"))


def _add_times(run: RunRecord, fields: Fields, value: Mapping[str, Any]) -> None:
    _set(run, "duration_s", fields.number("duration"))
    start, finish = _instant(value.get("start")), _instant(value.get("finish"))
    _set(run, "started_at", start)
    if start and finish and start <= finish:
        elapsed = (finish - start).total_seconds()
        run.figure("finish", "value", elapsed, unit="s", printed=str(value["finish"]))


def _instant(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        instant = datetime.fromisoformat(value)
    except ValueError:
        return None
    sane = instant.tzinfo is not None and 1970 < instant.year < 2200
    return instant.astimezone(UTC) if sane else None


def _add_rates(run: RunRecord, fields: Fields) -> None:
    """Add Req/Sec and Bytes/Sec; autocannon's `average` is the mean of the samples."""
    seconds = _interval(fields)
    if seconds != 1:
        run.notes.append(sampled_note(seconds))
    average = fields.need("requests.average", "requests.mean")
    run.columns["throughput_rps"] = float(average) / seconds if seconds != 1 else float(average)
    rates = {"requests": ("Req/Sec", "1/s"), "throughput": ("Bytes/Sec", "B/s")}
    for part, (metric, unit) in rates.items():
        per_second = unit if seconds == 1 else unit.removesuffix("1/s").removesuffix("/s")
        repeated = fields.text(f"{part}.mean") == fields.text(f"{part}.average") is not None
        for key in fields.names(part):
            statistic = _statistic(key)
            if statistic is None or (key == "mean" and repeated):
                continue
            value, text = fields.number(f"{part}.{key}"), fields.text(f"{part}.{key}")
            if value is not None:
                run.figure(metric, statistic, value, unit=per_second, printed=text or "")


def _interval(fields: Fields) -> float:
    """Return the length of a sample in s."""
    text = fields.text("sampleInt")
    seconds = units.scaled(text, "1e-3") if text is not None else 1.0
    return seconds if seconds > 0 else 1.0


@lru_cache(maxsize=256)
def _statistic(key: str) -> str | None:
    names = {"average": "mean", "mean": "average", "stddev": "stdev", "min": "min", "max": "max"}
    quantile = _share(key)
    return names.get(key) or (f"p{quantile[1]}" if quantile else None)


@lru_cache(maxsize=256)
def _share(key: str) -> tuple[float, str] | None:
    """Return the quantile that a key names, as 0..1 and as a percentage.

    `p97_5` is 97.5 %; in the older spelling, which has no separator, the first
    two digits are the whole part: `p999` is 99.9 %.
    """
    matched = re.fullmatch(r"p([0-9]{1,2})(?:_?([0-9]{1,6}))?", key)
    if matched is None:
        return None
    percent = f"{matched[1]}.{matched[2]}" if matched[2] else matched[1]
    return units.scaled(percent, "1e-2"), percent


def _add_counts(run: RunRecord, fields: Fields, value: Mapping[str, Any]) -> None:
    _set(run, "requests", fields.count("requests.total"))
    _set(run, "received_bytes", fields.count("throughput.total"))
    for name in ("errors", "timeouts", "non2xx"):
        _set(run, name, fields.count(name))
    totals = {"sent": "requests.sent", "totalCount": "latency.totalCount"}
    for metric, path in (*totals.items(), *zip(_CLASSES, _CLASSES, strict=True)):
        count = fields.count(path)
        if count is not None:
            run.figure(metric, "total", count, printed=str(count))
    errors = run.columns.get("errors")
    if errors is not None:
        run.errors = count_errors(errors, run.columns.get("timeouts"))
    stats = value.get("statusCodeStats")
    if isinstance(stats, Mapping):
        _add_statuses(run, stats)


def _add_statuses(run: RunRecord, stats: Mapping[str, Any]) -> None:
    fields = Fields(stats, _RESULT, "statusCodeStats")
    codes = [code for code in stats if re.fullmatch(r"[0-9]{1,3}", code)]
    for code in codes:
        count = fields.count(f"{code}.count")
        if count is not None:
            run.statuses[int(code)] = count
    others = stats.keys() - {*codes}
    if others:
        what = f"{len(others)} keys that are no status, such as {printable(min(others))}"
        run.damaged(f"statusCodeStats has {what}: left out")


def _add_latencies(run: RunRecord, fields: Fields) -> None:
    average = fields.need("latency.average", "latency.mean")
    if _nothing_recorded(run, fields):
        run.notes.append(NO_SAMPLE)
        return
    run.columns["latency_mean_s"] = units.scaled(average, "1e-3")
    for key, column in (("stddev", "latency_std_s"), ("max", "latency_max_s")):
        _set(run, column, fields.scaled(f"latency.{key}", "1e-3"))
    for key in fields.names("latency"):
        quantile, value = _share(key), fields.scaled(f"latency.{key}", "1e-3")
        if quantile is not None and value is not None:
            run.quantile(quantile[0], value)
    _add_least(run, fields)


def _nothing_recorded(run: RunRecord, fields: Fields) -> bool:
    """Whether the zeros of `latency` stand for no sample at all."""
    recorded = fields.count("latency.totalCount")
    if recorded is not None:
        return recorded == 0
    zero = not any(
        fields.scaled(f"latency.{key}", "1e-3")
        for key in fields.names("latency")
        if _share(key) or _statistic(key)
    )
    return zero and (run.columns.get("requests") == 0 or fields.count("2xx") == 0)


def _add_least(run: RunRecord, fields: Fields) -> None:
    """Add the minimum, unless a quantile below it shows that it leaves out zeros.

    Source: hdr-histogram-js `minNonZeroValue`, as autocannon 7 to 9 uses it.
    """
    least = fields.scaled("latency.min", "1e-3")
    if least is None:
        return
    if all(least <= value for _, value in run.quantiles):
        run.columns["latency_min_s"] = least
        return
    run.figure("Latency", "min", least, unit="s", printed=fields.text("latency.min") or "")
    run.notes.append(_SKIPS_ZERO)


def _add_correction(run: RunRecord, fields: Fields) -> None:
    """Tell from the number of latencies whether some were made up (`-R` without `-C`)."""
    recorded, answered = fields.count("latency.totalCount"), run.columns.get("requests")
    if recorded is None or answered is None or not recorded:
        return
    if recorded > answered:
        run.columns["correction"] = "backfilled"
        run.notes.append(
            f"{recorded} latencies for {answered} responses: autocannon added "
            "latencies that it did not measure"
        )
    elif recorded == answered:
        run.columns["correction"] = "none"


def _add_success(run: RunRecord, fields: Fields) -> None:
    """Add goodput and success ratio where the counts agree with one another."""
    answered, errors = run.columns.get("requests"), run.columns.get("errors")
    good = _good(run, fields)
    if answered is None or good is None:
        return
    good = as_expected(good, answered, fields.count("mismatches") or 0)
    if good is None:
        return
    if answered:
        run.columns["goodput_rps"] = run.columns["throughput_rps"] * (good / answered)
    elif not run.columns["throughput_rps"]:
        run.columns["goodput_rps"] = 0.0
    if errors is not None and answered + errors:
        run.columns["success_ratio"] = good / (answered + errors)


def _good(run: RunRecord, fields: Fields) -> int | None:
    """Return the responses of status 200 to 399, None where the counts do not tell."""
    answered = run.columns.get("requests")
    classes = [fields.count(name) for name in _CLASSES]
    if run.statuses and sum(run.statuses.values()) == answered:
        return sum(n for code, n in run.statuses.items() if 200 <= code < 400)
    known = [count for count in classes if count is not None]
    if len(known) == len(classes):
        return known[1] + known[2] if sum(known) == answered else None
    only_good = classes[1] == answered and run.columns.get("non2xx") == 0
    return answered if only_good else None


def _add_others(run: RunRecord, fields: Fields) -> None:
    """Keep every further number: `samples`, `mismatches`, and what a newer version adds."""
    if (interval := fields.scaled("sampleInt", "1e-3")) is not None:
        printed = fields.text("sampleInt") or ""
        run.figure("sampleInt", "value", interval, unit="s", printed=printed)
    for key in fields.names():
        number = None if key in _OWN_KEYS else fields.plain(key)
        if number is not None and not number.startswith("-"):
            run.figure(key, "total", float(number), printed=number)


def _set(run: RunRecord, column: str, value: object) -> None:
    if value is not None:
        run.columns[column] = value


PARSERS = (
    JsonParser(
        name="autocannon-json",
        tool=TOOL,
        reads="the result that autocannon -j or console.log prints, alone, nested or in a page",
        versions="0.1 to 9",
        fills=("throughput_rps",),
        may_fill=(*MAY_FILL, "started_at", "correction"),
        when={
            "threads": "7.0 on, with workers",
            "correction": "6.0 on",
            "latency_min_s": "where no latency is below 1 ms, in 7 to 9",
        },
        detail=20,
        constants=CONSTANTS,
        markers=("latency",),
        matches=matches,
        parse=parse,
        needs=("latency.average", "requests.average", "throughput.average"),
        keys=(
            *("sampleInt", "samples", "pipelining", "workers", "mismatches", "non2xx", "resets"),
            *("timeouts", "2xx", "statusCodeStats", "average", "stddev", "p97_5", "p99_9", "p999"),
        ),
    ),
)
