"""Tells what a block of ab's lines is: a report, an excerpt, a broken one, or nothing."""

from __future__ import annotations

from typing import Final

from benchkit.errors import InputError, Where

from . import _ab_lines
from ._ab_block import AbBlock

_HINT_CUT: Final = "the report is cut off: keep all of ab's output"


def is_report(block: AbBlock) -> bool:
    """Whether a block is a whole report: how many, how long, how fast, how concurrently.

    ab leaves out the rates where nothing was completed or no time went by.
    """
    if None in {block.count("complete"), block.count("concurrency")} or not block.number("time"):
        return False
    if block.number("rps"):
        return True
    nothing = block.is_zero("complete") or (block.is_zero("time") and bool(block.rows))
    return nothing and "body" in block.values


def is_excerpt(block: AbBlock) -> bool:
    """Whether a block is part of a report that holds figures of its own."""
    if is_report(block):
        return False
    rate = block.values.get("rps")
    if rate and ("#/sec" in rate.text or "complete" in block.values):
        return True
    complete_rows = [v for v in block.rows.values() if len(v.text.split()) >= 3]
    return len(complete_rows) > 1 or len(block.percents) > 1


def problem(block: AbBlock) -> InputError | None:
    """Return the error of a block that is ab's and cannot be read, None for any other.

    A table with one of ab's labels and a number may be of anything.
    """
    if block.drawn:
        return None
    wrong = _imitation(block) or _broken(block)
    if wrong is not None or is_report(block) or is_excerpt(block):
        return wrong
    if len(_numbers(block)) > 1 or (block.has_report and (block.version or block.started)):
        return _cut(block)
    if block.abort:
        return _aborted(block)
    died = block.at_end or (block.replaced and block.version)
    return _cut(block) if block.started and died else None


def _imitation(block: AbBlock) -> InputError | None:
    """Return that a block is of a tool that prints ab's labels and another line."""
    line = block.values.get("html_rate")
    if line is None:
        return None
    return InputError(
        "ab's report",
        actual="that of GoHttpBench, which prints ab's labels",
        where=Where(line=line.line + 1),
        hint="its means lie outside of what it measured; repeat the run with ab",
    )


def _broken(block: AbBlock) -> InputError | None:
    sure = block.version or block.started or len(_numbers(block)) > 1
    if not block.broken or not sure:
        return None
    key, value = block.broken[0]
    label = _ab_lines.LABELS.get(key, key)
    return InputError(
        f"a number behind '{label}:'",
        actual=value.text,
        where=Where(line=value.line + 1),
        hint="restore the line as ab printed it",
    )


def _numbers(block: AbBlock) -> list[str]:
    return [k for k, v in block.values.items() if k not in _ab_lines.WORDS | {"port"} and v.text]


def _cut(block: AbBlock) -> InputError:
    lacks = "'Requests per second'"
    if "complete" not in block.values:
        lacks = "'Complete requests' and 'Requests per second'"
    elif "rps" in block.values or block.is_zero("complete"):
        lacks = "the rest of the report"
    return InputError(
        f"{lacks} of ab's report",
        actual="the end of it",
        where=Where(line=block.last + 1, last=block.last + 1),
        hint=_HINT_CUT,
    )


def _aborted(block: AbBlock) -> InputError:
    totals = [value for value in block.abort if value.text.startswith("Total of")]
    messages = [value for value in block.abort if value not in totals]
    after = f" after {totals[0].text.split()[2][:12]} requests" if totals else ""
    reason = (messages or totals)[-1]
    return InputError(
        "ab's report",
        actual=reason.text,
        where=Where(line=reason.line + 1, last=block.last + 1),
        hint=f"ab gave up{after} and printed no figures; repeat the run, -r goes on after errors",
    )
