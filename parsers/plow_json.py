"""plow's JSON: `--json`, an object every 200 ms unless --summary is given.

Times are strings, such as `2.822ms`; with --seconds plain numbers of seconds, in quotes, too.

Source: six-ddc/plow 1.4.0 `print.go` (formatJSONReports).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import JsonParser, RunOrError, RunRecord

from . import _plow
from ._fields import Fields
from ._line import go_time
from ._plow import Snapshot

_RESULT: Final = "a plow result"


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the parts of a result."""
    summary, percentiles = value.get("Summary"), value.get("Percentiles")
    return (
        isinstance(summary, Mapping)
        and isinstance(percentiles, Mapping)
        and {"Elapsed", "Count", "RPS", "Concurrency"} <= summary.keys()
    )


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one result.

    Raises:
        InputError: a figure has another type than plow gives it.
    """
    fields = Fields(value, _RESULT)
    return _run(fields, _snapshot(fields), earlier=0)


def parse_all(values: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, RunOrError]]:
    """Yield the runs of all results in one text, each with the number of its last result."""
    numbers: list[int] = []
    snapshots: list[Snapshot] = []
    for number, value in enumerate(values):
        try:
            snapshots.append(_snapshot(Fields(value, _RESULT)))
        except InputError as error:
            yield number, error
        else:
            numbers.append(number)
    for at, earlier in _plow.lasts(snapshots):
        number = numbers[at]
        try:
            yield number, _run(Fields(values[number], _RESULT), snapshots[at], earlier=earlier)
        except InputError as error:
            yield number, error


def _run(fields: Fields, snapshot: Snapshot, *, earlier: int) -> RunRecord:
    record = RunRecord()
    _plow.fill(record, snapshot, earlier=earlier)
    rates = fields.part("Statistics.RPS")
    for name, statistic in (("Min", "min"), ("Mean", "mean"), ("StdDev", "stdev"), ("Max", "max")):
        # Without a whole second behind them all are 0.
        if (rate := rates.number(name)) is not None and rates.number("Max"):
            record.figure("RPS", statistic, rate, unit="1/s", printed=rates.text(name) or "")
    return record


def _snapshot(fields: Fields) -> Snapshot:
    summary, latency = fields.part("Summary"), fields.part("Statistics.Latency")
    counts, errors = summary.part("Counts"), fields.part("Error")
    times = {"Min": "min", "Mean": "mean", "StdDev": "std", "Max": "max"}
    percentiles = fields.part("Percentiles")
    return Snapshot(
        count=summary.need_count("Count"),
        rate=units.number(summary.need("RPS")),
        concurrency=summary.count("Concurrency"),
        classes={_class(name): counts.need_count(name) for name in counts.names()},
        errors={text: errors.need_count(text) for text in errors.names()},
        times={times[name]: _seconds(latency, name) for name in latency.names() if name in times},
        quantiles={
            percent: _seconds(percentiles, f"P{percent}")
            for percent in _plow.QUANTILES
            if percentiles.words(f"P{percent}") is not None
        },
    )


def _class(name: str) -> int:
    return int(name[0]) if name[:1].isdecimal() and name.endswith("xx") else 0


def _seconds(fields: Fields, name: str) -> float:
    text = fields.words(name) or ""
    if text.startswith("-"):
        raise InputError(f"a time for {name} of {_RESULT}", actual=text)
    try:
        return go_time(text) if text[-1:].isalpha() else units.number(text)
    except ValueError:
        raise InputError(f"a time for {name} of {_RESULT}", actual=text) from None


PARSERS: Final = (
    JsonParser(
        name="plow-json",
        tool=_plow.TOOL,
        reads="the result of --json: of those printed until the end the last of each run",
        versions="1.3 and 1.4",
        fills=_plow.FILLS,
        may_fill=_plow.MAY_FILL,
        when=_plow.WHEN,
        detail=10,
        constants=_plow.CONSTANTS,
        rank=None,
        markers=("Summary",),
        matches=matches,
        parse=parse,
        parse_all=parse_all,
        begins=r'\{\s*+"Summary":\s*+\{\s*+"Elapsed":',
        needs=("Summary.Count", "Summary.RPS", "Percentiles"),
        keys=("Elapsed", "Concurrency", "Reads", "Writes", "Percentiles", "Histograms", "StdDev"),
    ),
)
