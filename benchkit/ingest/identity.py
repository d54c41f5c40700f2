"""Which files hold the same run: told by their figures, never by their place.

A generator's run is often written down several times: vegeta's binary beside its
text and JSON reports, ab's report beside its `-e` and `-g` files, a raw output
quoted in a page. Two records are one run where every figure that both give
agrees within what was printed, and where that is enough to be no coincidence.
Where several candidates agree, the one that lies nearest is taken.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final

from benchkit.ingest.found import FoundRun

_EXACT: Final = ("requests", "errors", "non2xx", "received_bytes", "body_bytes", "sent_bytes")
_ROUNDED: Final = (
    *("duration_s", "latency_max_s", "latency_mean_s", "latency_std_s", "throughput_rps"),
)
#: Digits that must agree before it is no coincidence; below, files must be neighbours too.
_ENOUGH_DIGITS: Final = 8
_SOME_DIGITS: Final = 2
#: Quantiles are estimates in some outputs and one rank off in others.
_LOOSE: Final = 0.25


def merge_same(runs: Sequence[FoundRun]) -> list[FoundRun]:
    """Return the runs, each once: the most detailed record, the others attached to it."""
    by_tool: defaultdict[str, list[FoundRun]] = defaultdict(list)
    for run in runs:
        by_tool[run.parser.tool].append(run)
    absorbed: set[int] = set()
    for group in by_tool.values():
        ranked = sorted(group, key=lambda run: -run.parser.detail)
        for at, run in enumerate(ranked):
            keeper = _keeper(run, [other for other in ranked[:at] if id(other) not in absorbed])
            if keeper is not None:
                keeper.others.append(run)
                absorbed.add(id(run))
    return [run for run in runs if id(run) not in absorbed]


def _keeper(run: FoundRun, candidates: Sequence[FoundRun]) -> FoundRun | None:
    scored = []
    for other in candidates:
        if any(one.parser is run.parser for one in (other, *other.others)) and not _equal(
            run, other
        ):
            continue
        digits = min(agreement(run, one) for one in (other, *other.others))
        digits = max(digits, agreement(run, other)) if digits >= 0 else digits
        near = _nearness(run, other)
        if digits >= _ENOUGH_DIGITS or (digits >= _SOME_DIGITS and near[0]):
            scored.append((near, digits, other))
    if not scored:
        return None
    best = max(near for near, _, _ in scored)
    nearest = [other for near, _, other in scored if near == best]
    return nearest[0] if len(nearest) == 1 else None


def agreement(one: FoundRun, other: FoundRun) -> int:
    """Return how many digits agree; -1 where any figure that both give differs."""
    a, b = one.columns, other.columns
    digits = 0
    for name in _EXACT:
        if a.get(name) is None or b.get(name) is None:
            continue
        if a[name] != b[name]:
            return -1
        digits += _digits(float(a[name]), 1.0) if a[name] else 0
    statuses = one.record.statuses, other.record.statuses
    if all(statuses) and statuses[0] != statuses[1]:
        return -1
    for name in _ROUNDED:
        if a.get(name) is None or b.get(name) is None:
            continue
        step = max(_step(a, name), _step(b, name))
        # Some tools cut where others round, so a whole step is allowed.
        if abs(a[name] - b[name]) > step * 1.001:
            return -1
        digits += _digits(a[name], step)
    in_quantiles = _quantile_digits(one, other)
    return -1 if in_quantiles < 0 else digits + in_quantiles


def _quantile_digits(one: FoundRun, other: FoundRun) -> int:
    a, b = _quantiles(one), _quantiles(other)
    common = sorted(a.keys() & b.keys())
    if not common:
        return 0
    digits = close = 0
    for q in common:
        step = max(_step(one.columns, None, a[q]), _step(other.columns, None, b[q]))
        if abs(a[q] - b[q]) <= step * 1.001:
            close += 1
            digits += _digits(a[q], step)
        elif (abs(a[q] - b[q]) > _LOOSE * max(a[q], b[q]) and q not in (0.0, 1.0)) or q in (
            0.0,
            1.0,
        ):
            return -1
    return digits if close >= len(common) / 2 else -1


def _quantiles(run: FoundRun) -> dict[float, float]:
    found = dict(run.record.quantiles)
    if run.summary is not None:
        found |= dict(run.summary.quantiles())
    if run.columns.get("latency_max_s") is not None:
        found.setdefault(1.0, run.columns["latency_max_s"])
    return found


def _equal(one: FoundRun, other: FoundRun) -> bool:
    """Whether two records of one format say exactly the same, and not next to nothing."""
    same = (
        one.record.columns == other.record.columns
        and one.record.quantiles == other.record.quantiles
        and one.record.figures == other.record.figures
        and one.record.statuses == other.record.statuses
    )
    return same and agreement(one, other) >= _ENOUGH_DIGITS


def _step(columns: Mapping[str, Any], name: str | None, value: float | None = None) -> float:
    """Return the step to which a figure was printed, from its digits and the resolution."""
    value = columns[name] if value is None and name else value
    if not value:
        return 0.0 if name in _EXACT else float(columns.get("resolution_s") or 0.0)
    exponent = Decimal(repr(float(value))).normalize().as_tuple().exponent
    by_digits = 10.0 ** int(exponent)
    three_digits = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    resolution = 0.0
    if name is None or name.startswith("latency"):
        resolution = float(columns.get("resolution_s") or 0.0)
    return max(resolution, min(by_digits, three_digits))


def _digits(value: float, step: float) -> int:
    return max(round(math.log10(abs(value) / step)), 0) if value and step else 0


def _nearness(one: FoundRun, other: FoundRun) -> tuple[int, int, int]:
    """Same file or folder first, then how much the names share, at both ends."""
    if one.file is other.file:
        return (1, 1, 0)
    a, b = PurePath(one.file.input.name), PurePath(other.file.input.name)
    shared = _shared(a.stem, b.stem) + _shared(a.stem[::-1], b.stem[::-1])
    return (int(a.parent == b.parent), 0, shared)


def _shared(one: str, other: str) -> int:
    return next(
        (n for n, (x, y) in enumerate(zip(one, other, strict=False)) if x != y),
        min(len(one), len(other)),
    )
