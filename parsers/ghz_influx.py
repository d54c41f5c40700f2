"""ghz's summary for Influx: `-O influx-summary`, a line per run.

Its tags are what was asked for, its fields the figures, in ns; the instant is that of the end.

Source: bojand/ghz 0.93 and 0.121 `printer/influx.go` (printInfluxLine, getInfluxTags,
getInfluxFields).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import FileParser, RunOrError, RunRecord, Source
from benchkit.text import decode

from . import _ghz

_LINE: Final = re.compile(
    r"ghz_run,(?P<tags>(?>(?:[^ \\]|\\.)+)) (?P<fields>[a-z0-9]++=[^ ]++) [0-9]{1,19}"
)
_TAG: Final = re.compile(r"(?<![^,])(host|n|c|rps|errors)=((?>(?:[^,\\]|\\.)*))")
_FIELD: Final = re.compile(r"(?<![^,])([a-z0-9]++)=([0-9]{1,18}(?:\.[0-9]{1,9})?)(?![^,])")
_COLUMNS: Final = {
    "fastest": "latency_min_s",
    "slowest": "latency_max_s",
    "total": "duration_s",
}


def sniff(source: Source) -> bool:
    """Whether a file begins with such a line."""
    return (decode(source.head[:80]) or "").lstrip("\ufeff\r\n").startswith("ghz_run,")


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield a run per line, or the error of one."""
    lines = (decode(source.data) or "").lstrip("\ufeff").splitlines()
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        matched = _LINE.fullmatch(line)
        if matched is None:
            yield InputError(
                "a line of ghz_run with tags, fields and an instant",
                actual=line,
                where=Where(line=number + 1),
                hint="the file is cut off here or was edited",
            )
            continue
        record = _run(dict(_TAG.findall(matched["tags"])), dict(_FIELD.findall(matched["fields"])))
        record.lines = (number, number)
        yield record


def _run(tags: dict[str, str], fields: dict[str, str]) -> RunRecord:
    record = RunRecord()
    if host := tags.get("host", "").strip('"'):
        record.columns["url"] = host
    if re.fullmatch(r"[1-9][0-9]{0,8}", rate := tags.get("rps", "")):
        record.columns["offered_rate_rps"] = float(rate)
    seconds = {
        name: units.scaled(text, "1e-9")
        for name, text in fields.items()
        if name not in {"count", "rps", "errors"} and int(float(text))
    }
    calls, errors = int(fields.get("count", "0")), int(fields.get("errors", "0"))
    statuses = {"OK": calls} if not errors else {}
    per_second = units.number(fields["rps"]) if "rps" in fields else None
    fine = _ghz.add_counts(record, calls, per_second, statuses)
    if errors and calls:
        _ghz.add_success(record, max(calls - errors, 0) / calls, per_second)
    if fine and "average" in seconds:
        record.columns["latency_mean_s"] = seconds["average"]
    elif "average" in seconds:
        record.figure("Average", "mean", seconds["average"], unit="s", printed=fields["average"])
    record.columns |= {column: seconds[n] for n, column in _COLUMNS.items() if n in seconds}
    for name, quantile in (("median", 0.5), ("p95", 0.95)):
        if name in seconds:
            record.quantile(quantile, seconds[name])
    return record


_OF_ALL_OK: Final = ("errors", "throughput_rps", "latency_mean_s")

PARSERS: Final = (
    FileParser(
        name="ghz-influx-summary",
        tool=_ghz.TOOL,
        reads="the line per run of -O influx-summary",
        versions="0.60 to 0.121",
        fills=("requests",),
        may_fill=(
            *("url", "offered_rate_rps", "duration_s", "errors", "success_ratio"),
            *("throughput_rps", "goodput_rps"),
            *("latency_min_s", "latency_mean_s", "latency_p50_s", "latency_p95_s", "latency_max_s"),
        ),
        when={name: when for name, when in _ghz.WHEN.items() if name in _OF_ALL_OK},
        constants={**_ghz.CONSTANTS, "resolution_s": 1e-9},
        sniff=sniff,
        parse=parse,
    ),
)
