"""Gatling's `global_stats.json`, `stats.json` and `stats.js`, in the folder `js` of a report.

The first has the figures of all requests; the others have them as their `stats`, and below
`contents` those of each group and request. `percentiles1` to `percentiles4` are 50, 75, 95 and 99 %
unless set otherwise (`gatling.conf`): the files do not say. With two of them, up to 2.0, they are
95 and 99 %. `stats.js` is JavaScript with numbers as text, rates with two decimals, `-` for none.
From 3.13.5 on there are none of these files: what is called so is code of the page.

Source: Gatling 2.0.3 to 3.13.0 `charts/template/GlobalStatsJsonTemplate.scala`,
`StatsJsTemplate.scala`; 3.11.5 `core/src/main/resources/gatling-defaults.conf`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import FileParser, JsonParser, RunOrError, RunRecord, Source
from benchkit.text import decode

from . import _gatling

_COUNTS: Final = "numberOfRequests"
_RATE: Final = "meanNumberOfRequestsPerSecond"
_KEYS: Final = (
    *(_COUNTS, "minResponseTime", "maxResponseTime", "meanResponseTime", "standardDeviation"),
    *("percentiles1", "percentiles2", "percentiles3", "percentiles4", _RATE),
)
_LATENCIES: Final = {
    "minResponseTime": "latency_min_s",
    "maxResponseTime": "latency_max_s",
    "meanResponseTime": "latency_mean_s",
    "standardDeviation": "latency_std_s",
}
_FOUR: Final = {
    "percentiles1": 0.5,
    "percentiles2": 0.75,
    "percentiles3": 0.95,
    "percentiles4": 0.99,
}
_TWO: Final = {"percentiles1": 0.95, "percentiles2": 0.99}
_ASSIGNED: Final = re.compile(r"\A\ufeff?\s*+var stats = \{\s*+type: ")
_NAME_OF_ALL: Final = r'"name":\s*+"(?:All Requests|Global Information)"'
_NAMED: Final = re.compile(
    r"^([ \t]*+)(type|name|path|pathFormatted|stats|contents): ", re.MULTILINE
)
#: Groups within groups that are looked into.
_DEEPEST: Final = 20


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the figures of all requests as its `stats`."""
    return "contents" in value and _are_figures(value.get("stats"))


def matches_global(value: Mapping[str, Any]) -> bool:
    """Whether an object has the figures of all requests, and nothing else."""
    return "contents" not in value and _are_figures(value)


def _are_figures(stats: object) -> bool:
    return isinstance(stats, Mapping) and isinstance(stats.get(_COUNTS), Mapping) and _RATE in stats


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of a report.

    Raises:
        InputError: a figure is missing, or is none.
    """
    record = RunRecord()
    stats = value["stats"] if "contents" in value else value
    failed = _count(stats, "ko") or 0
    requests = _count(stats, "total")
    if requests is None:
        raise InputError(f"{_COUNTS}.total in a report of Gatling", actual="nothing")
    if _gatling.fill_counts(record, requests, failed):
        for key, column in _LATENCIES.items():
            if (seconds := _milliseconds(stats, key)) is not None:
                record.columns[column] = seconds
        shares = _FOUR if {"percentiles3", "percentiles4"} & stats.keys() else _TWO
        for key, share in shares.items():
            if key not in stats:
                record.damaged(f"'{key}' is missing: the file is damaged or was edited")
            elif (seconds := _milliseconds(stats, key)) is not None:
                record.quantile(share, seconds)
        if (rate := _number(stats, _RATE)) is not None:
            _gatling.fill_rates(record, units.number(rate))
        known = ", ".join(f"{100 * share:g}" for share in shares.values())
        record.notes.append(
            f"percentiles are taken for {known} %, as they are unless set otherwise"
        )
    _add_contents(record, value.get("contents"), _DEEPEST)
    return record


def _add_contents(record: RunRecord, contents: object, depth: int) -> None:
    """Add the figures of requests, those within groups too; groups are sums of them."""
    for entry in contents.values() if isinstance(contents, Mapping) else ():
        if not isinstance(entry, Mapping) or depth == 0:
            continue
        stats = entry.get("stats")
        if entry.get("type") == "REQUEST" and isinstance(stats, Mapping):
            name = str(entry.get("path") or entry.get("name"))
            requests, failed = _count(stats, "total"), _count(stats, "ko") or 0
            if requests is None:
                continue
            record.figure(name, "requests", requests)
            record.figure(name, "KO", failed)
            mean = _milliseconds(stats, "meanResponseTime")
            if mean is not None and requests > failed:
                record.figure(name, "mean", mean, unit="s")
        _add_contents(record, entry.get("contents"), depth - 1)


def _number(stats: Mapping[str, Any], key: str, part: str = "total") -> str | None:
    """Return the digits of a figure, None for `-` and where there is none."""
    figures = stats.get(key)
    value = figures.get(part) if isinstance(figures, Mapping) else None
    if value is None or value == "-":
        return None
    text = value if isinstance(value, str) else repr(value)
    try:
        sane = not isinstance(value, bool) and 0 <= units.number(text) < 2**53
    except ValueError:
        sane = False
    if not sane:
        raise InputError(f"a number for {key}.{part} of a report of Gatling", actual=text[:60])
    return text


def _count(stats: Mapping[str, Any], part: str) -> int | None:
    text = _number(stats, _COUNTS, part)
    if text is not None and units.number(text) != int(units.number(text)):
        raise InputError(f"a whole number for {_COUNTS}.{part}", actual=text[:60])
    return None if text is None else int(units.number(text))


def _milliseconds(stats: Mapping[str, Any], key: str) -> float | None:
    text = _number(stats, key)
    return None if text is None else units.scaled(text, "1e-3")


def sniff_script(source: Source) -> bool:
    """Whether a file begins as `stats.js` does."""
    return _ASSIGNED.match(source.head[:400].decode("utf-8", "replace")) is not None


def parse_script(source: Source) -> Iterator[RunOrError]:
    """Yield the run of a script."""
    text = decode(source.data) or ""
    quoted = _NAMED.sub(r'\1"\2": ', text[max(text.find("{"), 0) :])
    try:
        value, _ = json.JSONDecoder().raw_decode(quoted)
        yield parse(value)
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        yield InputError(
            "the figures of a report of Gatling",
            actual=str(error)[:100],
            hint="the file is cut off or was edited",
        )
    except InputError as error:
        yield error


_REPORT: Final[Mapping[str, Any]] = {
    "versions": "2.0 to 3.13.4",
    "may_fill": _gatling.MAY_FILL,
    "when": _gatling.WHEN,
    "folder": "js",  # `ChartsFiles.scala`: GatlingJsFolder
    **_gatling.SUMMARY,
}
_JSON: Final[Mapping[str, Any]] = {
    "markers": (_COUNTS, "stats"),
    "parse": parse,
    "keys": _KEYS,
    "needs": (),
    **_REPORT,
}
PARSERS: Final = (
    JsonParser(
        name="gatling-json",
        reads="stats.json of a report",
        detail=3,
        matches=matches,
        begins=rf'\{{\s*+"type":\s*+"GROUP",\s*+{_NAME_OF_ALL}',
        **_JSON,
    ),
    JsonParser(
        name="gatling-global",
        reads="global_stats.json of a report",
        detail=2,
        matches=matches_global,
        begins=rf"\{{\s*+{_NAME_OF_ALL}",
        **_JSON,
    ),
    FileParser(
        name="gatling-js",
        reads="stats.js of a report",
        sniff=sniff_script,
        parse=parse_script,
        **_REPORT,
    ),
)
