"""vegeta's histogram and percentile listing: `report -type=hist[…]` and `-type=hdrplot`.

A bucket of the histogram reaches from its first to its second bound, the last one
to infinity; what is below the first bound is counted in the last bucket. The
percentile listing interpolates; its `TotalCount` is the quantile times the number
of requests and its last column follows from the quantile, so neither is kept.

Source: vegeta 5.6.3 and 12.13 `lib/reporters.go`, `lib/histogram.go`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _vegeta

_BOUND: Final = r"(?:[0-9][0-9hmsnuµμ.]*|\+Inf)"
_BUCKET: Final = re.compile(
    rf"\[({_BOUND}),\s*({_BOUND})\]\s+(\d{{1,18}})\s+(\d{{1,3}}\.\d+%)(?:\s+#*)?$", re.ASCII
)
_TITLES: Final = re.compile(r"Bucket\s+#")
_HEAD: Final = re.compile(r"Value\(ms\)\s+Percentile\s+TotalCount\s+1/\(1-Percentile\)$")
_NUMBER: Final = r"[0-9]{1,18}(?:\.[0-9]{1,9})?"
_ROW: Final = re.compile(
    rf"({_NUMBER})\s+([01]\.\d{{1,9}})\s+(\d{{1,18}})\s+({_NUMBER})$", re.ASCII
)


def scan_hist(text: Text) -> Iterator[RunOrError]:
    """Yield every histogram in a text; an InputError where its last bucket is missing."""
    rows: list[tuple[int, re.Match[str]]] = []
    for number, matched in text.find(_BUCKET):
        if rows and (number != rows[-1][0] + 1 or matched[1] != rows[-1][1][2]):
            yield _histogram(text, rows)
            rows = []
        rows.append((number, matched))
    if rows:
        yield _histogram(text, rows)


def _histogram(text: Text, rows: list[tuple[int, re.Match[str]]]) -> RunOrError:
    first, last = rows[0][0], rows[-1][0]
    if first and _TITLES.match(text.bare[first - 1]):
        first -= 1
    if rows[-1][1][2] != "+Inf":
        return InputError(
            "a last bucket up to +Inf",
            actual=rows[-1][1][0],
            where=Where(line=last + 1),
            hint="the histogram is cut off here",
        )
    record = RunRecord(lines=(first, last))
    for number, row in rows:
        try:
            units.go_duration(row[1])
        except ValueError:
            return InputError("a duration", actual=row[1], where=Where(line=number + 1))
        bucket = f"[{row[1]}, {row[2]}]"
        record.figure(bucket, "total", int(row[3]), printed=row[3])
        record.figure(bucket, "value", units.percent(row[4]), unit="ratio", printed=row[4])
    record.columns["requests"] = sum(int(row[3]) for _, row in rows)
    return record


def scan_hdrplot(text: Text) -> Iterator[RunOrError]:
    """Yield every percentile listing in a text; an InputError where it is cut."""
    for head, _ in text.find(_HEAD):
        rows = []
        for number in range(head + 1, len(text)):
            matched = _ROW.match(text.bare[number])
            if matched is None:
                break
            rows.append(matched)
        if not rows or float(rows[-1][2]) != 1:
            yield InputError(
                "a last row with percentile 1.000000",
                actual=rows[-1][2] if rows else "no row",
                where=Where(line=head + len(rows) + 1),
                hint="the listing is cut off here",
            )
            continue
        yield _listing(head, rows)


def _listing(head: int, rows: list[re.Match[str]]) -> RunRecord:
    record = RunRecord(lines=(head, head + len(rows)))
    for row in rows:
        record.quantile(float(row[2]), units.scaled(row[1], "1e-3"))
    record.columns["requests"] = int(rows[-1][3])
    record.columns["latency_max_s"] = record.quantiles[-1][1]
    return record


PARSERS: Final = (
    TextParser(
        name="vegeta-hist",
        reads="the histogram of `vegeta report -type=hist[…]`",
        versions="2.2 to 12",
        fills=("requests",),
        detail=10,
        **_vegeta.SUMMARY,
        markers=("+Inf]", "Histogram"),
        scan=scan_hist,
    ),
    TextParser(
        name="vegeta-hdrplot",
        reads="the percentiles of `vegeta report -type=hdrplot`",
        versions="12.6 to 12",
        fills=("requests", "latency_p50_s", "latency_p75_s", "latency_p90_s", "latency_max_s"),
        may_fill=("latency_p95_s", "latency_p99_s", "latency_p999_s"),
        detail=30,
        **_vegeta.SUMMARY,
        markers=("Value(ms)",),
        scan=scan_hdrplot,
    ),
)
