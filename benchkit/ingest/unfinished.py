"""What a tool wrote while it ran: a file that lacks the end of a run which another file has whole.

locust writes its CSV files each second, and what `--headless` prints, its JSON and its HTML at the
end (2.47.0 `locust/stats.py`, `StatsCSVFileWriter`; `main.py`): the CSV files have fewer requests,
and figures that neither agree with those of the whole run nor are another one's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from benchkit.ingest.agreement import Key, Print
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.precision import agree
from benchkit.model.grouping import grouped

_REQUESTS: Key = ("count", "requests")
#: What only grows while a test runs.
_GROWING: tuple[Key, ...] = (
    *(_REQUESTS, ("count", "errors"), ("quantile", 1.0)),
    ("figure", ("failures", "total")),
)
#: It writes every second, and what it wrote is on the disk after ten at the latest
#: (`CSV_STATS_INTERVAL_SEC`, `CSV_STATS_FLUSH_INTERVAL_SEC`).
_LAG_S: Final = 11.0
_RATES_APART: Final = 1.5
_SMALLEST: Key = ("measured", "latency_min_s")


def ends_elsewhere(
    locations: Mapping[FileRun, tuple[str, frozenset[str]]],
) -> dict[FileRun, FileRun]:
    """Return per run that its tool wrote before its end the one that has it whole.

    They lie in one folder, and under one name or as the only two runs there.

    Args:
        locations: Of each run of a tool its folder, and the words that tell it there from others.
    """
    by_folder: defaultdict[str, dict[FileRun, frozenset[str]]] = defaultdict(dict)
    for run, (folder, words) in locations.items():
        by_folder[folder][run] = words
    return dict(pair for together in by_folder.values() for pair in _pairs(together))


def _pairs(
    together: Mapping[FileRun, frozenset[str]],
) -> Iterator[tuple[FileRun, FileRun]]:
    whole = grouped((run for run in together if not _lags(run)), together.__getitem__)
    few = len(together) == 2 and not any(together.values())
    for run in filter(_lags, together):
        words = together[run]
        candidates = whole.get(words, []) if words or few else []
        if len(candidates) == 1 and _is_begin(Print(run), Print(candidates[0])):
            yield run, candidates[0]


def _lags(run: FileRun) -> bool:
    return all(record.parser.lags for record in (run, *run.others))


def _is_begin(part: Print, whole: Print) -> bool:
    """Whether one may be what the other was some seconds before its end."""
    if part.n is None or whole.n is None or not 0 < part.n < whole.n:
        return False
    rate, begun = (each.run.columns.get("throughput_rps") for each in (whole, part))
    if rate and begun and not 1 / _RATES_APART <= begun / rate <= _RATES_APART:
        return False
    if rate and whole.n - part.n > _LAG_S * rate:
        return False
    if not _requests(part) <= _requests(whole):
        return False
    grown = all(_ascends(key, part, whole) for key in _GROWING)
    return grown and _ascends(_SMALLEST, whole, part)


def _requests(record: Print) -> set[str]:
    """Return what a record calls the requests that it counts apart."""
    figures = record.run.known_figures
    return {metric for metric, statistic in figures if statistic == "requests"}


def _ascends(key: Key, low: Print, high: Print) -> bool:
    """Whether a figure is larger in the second, or the same; true where one lacks it."""
    if not (low.gives(key) and high.gives(key)):
        return True
    a, b = low.known(key), high.known(key)
    return a.value <= b.value or agree(a, b)
