"""vegeta's histogram and percentile listing: `report -type=hist[…]` and `-type=hdrplot`.

A bucket of the histogram reaches from its first to its second bound, the last one
to infinity; what is below the first bound is counted in the last bucket. The
percentile listing interpolates; its `TotalCount` is the quantile times the number
of requests and its last column follows from the quantile, so neither is kept.

Source: vegeta 5.6.3 and 12.13 `lib/reporters.go`, `lib/histogram.go`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _vegeta
from ._line import ReportLine
from ._vegeta_lines import BUCKET, HISTOGRAM, LISTING, ROW, TITLE, duration

#: Shares have two decimals.
_STEP: Final = 1e-4


def scan_hist(text: Text) -> Iterator[RunOrError]:
    """Yield every histogram in a text; an InputError where its last bucket is missing."""
    for buckets, first in _histograms(text):
        yield _histogram(buckets, first)


def _histograms(text: Text) -> Iterator[tuple[Sequence[ReportLine], int]]:
    """Yield the buckets of every histogram in a text, and its first line."""
    for report in HISTOGRAM.reports(text):
        title, buckets = report.get(TITLE), list(report.all(BUCKET))
        breaks = [at for at, (a, b) in enumerate(pairwise(buckets), 1) if a["high"] != b["low"]]
        for start, stop in pairwise([0, *breaks, len(buckets)]):
            first = title.number if title is not None and not start else buckets[start].number
            yield buckets[start:stop], first


def _histogram(buckets: Sequence[ReportLine], first: int) -> RunOrError:
    record = RunRecord(lines=(first, buckets[-1].number))
    if buckets[-1]["high"] != "+Inf":
        return InputError(
            "a last bucket up to +Inf",
            actual=buckets[-1].text,
            where=Where(line=buckets[-1].number + 1),
            hint="the histogram is cut off here",
        )
    try:
        for line in buckets:
            line.figure(line["low"], "a duration", duration)
            bucket = f"[{line['low']}, {line['high']}]"
            line.keep(record, bucket, "total", "count")
            line.keep(record, bucket, "value", "share", unit="ratio")
    except InputError as error:
        return error
    shares = sum(line.read("share") for line in buckets)
    if abs(shares - 1) > _STEP * len(buckets):
        return InputError(
            "buckets whose shares come to 100%",
            actual=f"{shares:.2%}",
            where=Where(line=buckets[0].number + 1, last=buckets[-1].number + 1),
            hint="a row of the histogram is missing or damaged",
        )
    record.columns["requests"] = sum(int(line.read("count")) for line in buckets)
    return record


def scan_hdrplot(text: Text) -> Iterator[RunOrError]:
    """Yield every percentile listing in a text; an InputError where it is cut."""
    for report in LISTING.reports(text):
        rows = list(report.all(ROW))
        if not rows or rows[-1].read("quantile") != 1:
            yield report.broken_off(
                "a last row with percentile 1.000000",
                hint="the listing is cut off here",
                actual=rows[-1]["quantile"] if rows else "no row",
            )
            continue
        try:
            yield _listing(rows, report.span)
        except InputError as error:
            yield error


def _listing(rows: Sequence[ReportLine], span: tuple[int, int]) -> RunRecord:
    record, last = RunRecord(lines=span), 0.0
    for row in rows:
        quantile = row.read("quantile")
        if not last <= quantile <= 1:
            raise row.error(f"a percentile from {last:g} to 1", row["quantile"])
        last = quantile
        record.quantile(quantile, row.read("latency"))
    record.columns["requests"] = int(rows[-1].figure(rows[-1]["count"], "a count", units.whole))
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
