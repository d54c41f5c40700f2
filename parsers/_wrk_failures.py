"""The error lines of wrk and wrk2, and what follows from them.

Source: wg/wrk 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`.
"""

from __future__ import annotations

import re
from typing import Final

from benchkit.parsers._wrk_lines import ReportLine, Token, WrkBlock
from benchkit.parsers._wrk_numbers import whole
from benchkit.parsers._wrk_record import BadNumberError
from benchkit.parsing import RunRecord

_NAMES: Final = ("connect", "read", "write", "timeout")
_COUNT: Final = re.compile(r"([a-z]\w{0,20}) (\S+?)(?:,\s+|$)")


def failures(record: RunRecord, block: WrkBlock) -> None:
    """Read the error lines, and what follows from them.

    wrk counts a late answer among both requests and timeouts; statuses from 400
    up are `Non-2xx or 3xx`.
    """
    line, status = block.get(Token.SOCKET), block.get(Token.STATUS)
    complete = None not in {block.get(Token.SUMMARY), block.get(Token.THROUGHPUT)}
    kinds = dict.fromkeys(_NAMES, 0)
    if line is not None:
        counts = _socket(line)
        for kind, count in counts.items():
            if kind != "timeout":
                record.figure(f"Socket errors: {kind}", "total", count, printed=str(count))
        kinds = {kind: counts[kind] for kind in _NAMES}
        record.errors = {kind: count for kind, count in kinds.items() if count > 0}
    counted = min(kinds.values()) >= 0 and (line is not None or complete)
    if counted:
        record.columns["errors"] = sum(kinds.values())
        record.columns["timeouts"] = kinds["timeout"]
    non2xx = int(_signed(status, status[1])) if status is not None else 0
    if non2xx >= 0 and (status is not None or complete):
        record.columns["non2xx"] = non2xx
    if "non2xx" in record.columns:
        success(record, unanswered=sum(kinds.values()) - kinds["timeout"] if counted else None)
    if min(*kinds.values(), non2xx) < 0:
        record.notes.append("a counter overflowed in the tool and is left out")


def success(record: RunRecord, *, unanswered: int | None) -> None:
    """Add goodput and success ratio; the latter only where the unanswered requests are known."""
    columns = record.columns
    requests, throughput = columns.get("requests"), columns.get("throughput_rps")
    if requests is None or columns["non2xx"] > requests:
        return
    good = requests - columns["non2xx"]
    if throughput is not None:
        columns["goodput_rps"] = throughput * (good / requests) if requests else 0.0
    if unanswered is not None and requests + unanswered:
        columns["success_ratio"] = good / (requests + unanswered)


def _socket(line: ReportLine) -> dict[str, int]:
    """Return the counts by name; forks add some of their own."""
    counts = dict(_COUNT.findall(" ".join(line[1].split())))
    if not counts.keys() >= set(_NAMES):
        raise BadNumberError(line, "connect, read, write and timeout counts", line[1])
    return {name: _signed(line, printed) for name, printed in counts.items()}


def _signed(line: ReportLine, printed: str) -> int:
    try:
        return int(whole(printed))
    except ValueError:
        raise BadNumberError(line, "a count", printed) from None
