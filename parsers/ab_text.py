"""ab's report, as it prints it or in HTML tables (`-w`), and excerpts of it.

Percentiles are those of the total time; entry p is the sorted sample with
0-based index floor(n*p/100), one above the nearest rank. Times are whole
milliseconds. `Time per request` follows from the throughput and is no mean of
samples: that is the row `Total`.

Source: httpd 2.4 `support/ab.c`, `output_results` and `output_html_results`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from benchkit.parsing import RunOrError, TextParser
from benchkit.text import Text

from . import _ab, _ab_kind, _ab_report
from ._ab_block import AbBlock
from ._ab_blocks import blocks

_MARKERS: Final = (
    "ApacheBench",
    "(be patient)",
    "Concurrency Level",
    "Complete requests",
    "Requests per second",
    "Connection Times",
    "Connection times",
    "Connnection Times",
    "Percentage of the requests served",
)
_SURE: Final = ("requests", "duration_s", "connections")
_PERHAPS: Final = (
    *("tool_version", "url", "threads", "keepalive", "errors", "non2xx"),
    *("received_bytes", "sent_bytes", "body_bytes"),
    *("throughput_rps", "goodput_rps", "success_ratio", *_ab.TIMES_COLUMNS),
    *("latency_p75_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"),
)


def scan_reports(text: Text) -> Iterator[RunOrError]:
    """Yield the whole reports in a text, and an error for each that cannot be read.

    What prose repeats of a report above it is none that was cut.
    """
    above: list[AbBlock] = []
    for block in blocks(text):
        wrong = _ab_kind.problem(block)
        if wrong is None and _ab_kind.is_report(block):
            above.append(block)
            yield _ab_report.read(block)
        elif wrong is not None and not any(_repeats(block, earlier) for earlier in above):
            yield wrong


def scan_excerpts(text: Text) -> Iterator[RunOrError]:
    """Yield the parts of reports in a text that hold figures of their own.

    A part that only repeats what stands above it, or a whole report below it, as
    prose and tables quote it, is no run.
    """
    every = list(blocks(text))
    holders: defaultdict[object, list[int]] = defaultdict(list)
    for at, block in enumerate(every):
        for figure in _figures(block):
            holders[figure].append(at)
    for at, block in enumerate(every):
        if _ab_kind.problem(block) is None and _ab_kind.is_excerpt(block):
            rarest = min((holders[figure] for figure in _figures(block)), key=len)
            others = (n for n in rarest if n < at or (n > at and _ab_kind.is_report(every[n])))
            if not any(_repeats(block, every[n]) for n in others):
                yield _ab_report.read(block)


def _figures(block: AbBlock) -> Iterator[object]:
    """Yield what a block prints, each with its label."""
    yield from ((key, block.number(key)) for key in block.values)
    yield from ((row, value.text) for row, value in block.rows.items())
    yield from block.percents


def _repeats(block: AbBlock, earlier: AbBlock) -> bool:
    if not block.values and not block.rows and not block.percents:
        return False
    return (
        all(earlier.number(key) == block.number(key) for key in block.values)
        and all(
            row in earlier.rows and earlier.rows[row].text == v.text
            for row, v in block.rows.items()
        )
        and set(block.percents) <= set(earlier.percents)
    )


PARSERS = (
    TextParser(
        name="ab-text",
        reads="the report, plain or as HTML tables (-w)",
        versions="1.3 to 2.4, and trunk",
        fills=_SURE,
        may_fill=_PERHAPS,
        when={
            "keepalive": "-k, or a command line",
            "sent_bytes": "2.0 on, with a body",
            "success_ratio": "where every status is known",
            "latency_p50_s": "without -d, from two requests on",
            "latency_p99_s": "without -d, from two requests on",
        },
        detail=2,
        **_ab.PRINTED,
        markers=_MARKERS,
        scan=scan_reports,
    ),
    TextParser(
        name="ab-excerpt",
        reads="parts of the report: its rates, connection times or percentiles",
        versions="1.3 to 2.4, and trunk",
        may_fill=(*_SURE, *_PERHAPS),
        **_ab.PRINTED,
        markers=_MARKERS,
        scan=scan_excerpts,
    ),
)
