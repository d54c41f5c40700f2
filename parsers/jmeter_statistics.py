"""`statistics.json` of JMeter's dashboard (`-e -o FOLDER`): an object per label, and `Total`.

The dashboard counts the parts of followed redirects, and those of a page, beside their sums
where the results file has them, and leaves the rows of transactions out of `Total`. Times are
milliseconds. `pct1ResTime` to `pct3ResTime` are the quantiles of `aggregate_rpt_pct1` to
`aggregate_rpt_pct3`, 90, 95 and 99 % unless these were set: the file does not say. Of many
samples they are those of a window of the last 20,000, interpolated.

Source: Apache JMeter 5.6.3 `core/.../report/processor/StatisticsSummaryConsumer.java`,
`StatisticsSummaryData.java`, `report/dashboard/JsonExporter.java`; `reportgenerator.properties`
(statistic_window).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError, printable
from benchkit.parsing import JsonParser, RunRecord

_TOTAL: Final = "Total"
_KEYS: Final = (
    *("transaction", "sampleCount", "errorCount", "errorPct", "meanResTime", "minResTime"),
    *("maxResTime", "pct1ResTime", "pct2ResTime", "pct3ResTime"),
)
_QUANTILES: Final = {"pct1ResTime": 0.9, "pct2ResTime": 0.95, "pct3ResTime": 0.99}
_LATENCIES: Final = {
    "minResTime": "latency_min_s",
    "meanResTime": "latency_mean_s",
    "maxResTime": "latency_max_s",
}
#: Samples of which quantiles are taken.
_WINDOW: Final = 20_000
_KBYTE: Final = 1024


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the row `Total` of a dashboard."""
    total = value.get(_TOTAL)
    return isinstance(total, Mapping) and {"sampleCount", "pct1ResTime"} <= total.keys()


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of `Total`, with the figures of each label.

    Raises:
        InputError: a figure is missing, or is none.
    """
    total = value[_TOTAL]
    record = RunRecord()
    requests, failed = _count(total, "sampleCount"), _count(total, "errorCount")
    record.columns["requests"] = requests
    record.figure("errorCount", "total", failed, printed=str(failed))
    _add_labels(record, value)
    if not requests:
        record.notes.append("no sample: the other figures stand for nothing")
        return record
    record.columns["success_ratio"] = max(requests - failed, 0) / requests
    if failed == requests:
        record.notes.append(
            "all samples failed, and nothing tells whether any was answered: rate and latencies "
            "are left out"
        )
        return record
    rate = _number(total, "throughput")
    record.columns |= {
        "throughput_rps": rate,
        "goodput_rps": rate * record.columns["success_ratio"],
    }
    for key, column in _LATENCIES.items():
        record.columns[column] = _milliseconds(total, key)
    if total.get("medianResTime") is not None:
        record.quantile(0.5, _milliseconds(total, "medianResTime"))
    for key, quantile in _QUANTILES.items():
        record.quantile(quantile, _milliseconds(total, key))
    for key, metric in (
        ("receivedKBytesPerSec", "received per second"),
        ("sentKBytesPerSec", "sent per second"),
    ):
        if total.get(key) is not None:
            record.figure(metric, "mean", _number(total, key) * _KBYTE, unit="B/s")
    record.notes.append(
        "pct1 to pct3 are taken for 90, 95 and 99 %, as they are unless set otherwise"
    )
    if requests > _WINDOW:
        record.notes.append(f"quantiles are of {_WINDOW:,} of the {requests:,} samples")
    if failed:
        record.notes.append(
            f"{failed:,} of {requests:,} samples failed; the rate counts them, answered or not"
        )
    else:
        record.columns["errors"] = 0
    return record


def _add_labels(record: RunRecord, value: Mapping[str, Any]) -> None:
    labels = {name: row for name, row in value.items() if name != _TOTAL}
    for name, row in labels.items():
        if not isinstance(row, Mapping):
            continue
        requests = _count(row, "sampleCount")
        record.figure(name, "requests", requests, printed=str(requests))
        record.figure(name, "errors", _count(row, "errorCount"))
        if requests:
            record.figure(name, "mean", _milliseconds(row, "meanResTime"), unit="s")
            record.figure(name, "p95", _milliseconds(row, "pct2ResTime"), unit="s")
    parts = [
        n for n in labels if n.rpartition("-")[2].isdecimal() and n.rpartition("-")[0] in labels
    ]
    if parts:
        shown = printable(parts[0])
        record.notes.append(
            f"the dashboard counts parts of requests, such as {shown}, as samples of their own"
        )


def _number(row: Mapping[str, Any], key: str) -> float:
    value = row.get(key)
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not 0 <= value < float(2**63)
    ):
        raise InputError(f"a number for {key} of a dashboard of JMeter", actual=repr(value))
    return float(value)


def _milliseconds(row: Mapping[str, Any], key: str) -> float:
    return units.scaled(repr(_number(row, key)), "1e-3")


def _count(row: Mapping[str, Any], key: str) -> int:
    value = _number(row, key)
    if value != int(value):
        raise InputError(f"a whole number for {key} of a dashboard of JMeter", actual=repr(value))
    return int(value)


PARSERS: Final = (
    JsonParser(
        name="jmeter-statistics",
        tool="jmeter",
        reads="statistics.json of the dashboard (-e -o)",
        versions="3.0 on",
        fills=("requests",),
        may_fill=(
            *("errors", "success_ratio", "throughput_rps", "goodput_rps"),
            *("latency_min_s", "latency_mean_s", "latency_max_s"),
            *("latency_p50_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"),
        ),
        when={"errors": "where no sample failed", "latency_p50_s": "5.0 on"},
        constants={
            "load_model": "closed",
            "correction": "none",
            "resolution_s": 1e-3,
            "clock": "connect-to-last-byte",
        },
        rank=None,
        markers=(_TOTAL,),
        matches=matches,
        parse=parse,
        keys=_KEYS,
        needs=("Total.sampleCount", "Total.errorCount", "Total.meanResTime"),
    ),
)
