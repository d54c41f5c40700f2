"""The runs of one scenario and tool, laid out as the checks look at them."""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.grouping import by_scenario_and_tool, same_params, variants_of
from benchkit.model.run import Run
from benchkit.model.variant import Variant

_MOST_NAMED: Final = 4
#: Standard deviations of a rank sum that are exceeded in 2 % of cases.
_FAR: Final = 2.326
#: Rates that differ by more than this factor are different loads.
SAME_RATE: Final = 1.01
#: From where to where: instants, rates, numbers of a setting.
Span = tuple[float, float]
_Value = TypeVar("_Value")


@dataclass(eq=False)
class RunSet:
    """All runs of one scenario and tool.

    Attributes:
        withheld: (run_id, column) of figures that checks before this one withhold.
    """

    scenario: str | None
    tool: str
    runs: list[Run]
    withheld: set[tuple[str, str]] = field(default_factory=set)

    @cached_property
    def variants(self) -> list[Variant]:
        """One per variant and set of params, in order of first appearance, labels unique."""
        variants = variants_of(self.runs)
        names = [variant.name for variant in variants]
        return [
            replace(variant, label=_label(variant, alone=names.count(variant.name) == 1))
            for variant in variants
        ]

    def comparable(self) -> list[list[Variant]]:
        """Return the variants that differ in nothing else: one list per set of params.

        Raises:
            MissingError: there are no two such variants.
        """
        several = _several(self.variants, lambda variant: same_params(variant.params))
        if not several:
            raise MissingError("no second variant with the same params")
        return several

    def equally_loaded(self) -> list[list[Variant]]:
        """Return the comparable variants by connections and offered rate: a sweep's points apart.

        Raises:
            MissingError: there are no two such variants.
        """
        several = [
            alike
            for variants in self.comparable()
            for paced in _by_rate(variants)
            for alike in _several(paced, lambda v: median(v, "connections"))
        ]
        if not several:
            raise MissingError("no second variant under the same load")
        return several


def sets_of(runs: Iterable[Run]) -> list[RunSet]:
    """Return the runs by scenario and tool, in order of first appearance."""
    parts = by_scenario_and_tool(runs)
    return [RunSet(scenario, tool, together) for (scenario, tool), together in parts.items()]


def _several(
    variants: Iterable[Variant], key: Callable[[Variant], Hashable]
) -> list[list[Variant]]:
    """Return the variants by key, where two or more have it."""
    by_key: dict[Hashable, list[Variant]] = defaultdict(list)
    for variant in variants:
        by_key[key(variant)].append(variant)
    return [alike for alike in by_key.values() if len(alike) > 1]


def median(variant: Variant, column: str) -> float | None:
    """Return the median over the runs that have a column of `runs`, None where none has."""
    values = [value for run in variant.runs if (value := run.number(column)) is not None]
    return statistics.median(values) if values else None


def median_of(variant: Variant, value: Callable[[Run], float]) -> float | None:
    """Return the median of what is worked out of each run, over the runs that allow it."""
    values = where_known(variant.runs, value).values()
    return statistics.median(values) if values else None


def where_known(runs: Iterable[Run], value: Callable[[Run], _Value]) -> dict[Run, _Value]:
    """Return what is worked out of each run, for the runs that allow it."""
    values = {}
    for run in runs:
        with suppress(MissingError):
            values[run] = value(run)
    return values


def runs_of(variants: Iterable[Variant]) -> list[Run]:
    """Return all runs of some variants."""
    return [run for variant in variants for run in variant.runs]


def spans_of(spans: Mapping[Variant, Span]) -> dict[str, Span]:
    """Return the span of each variant by the `run_id` of its runs."""
    return {run_id: span for variant, span in spans.items() for run_id in variant.run_ids}


def names(variants: Sequence[Variant]) -> str:
    """Return the labels of some variants for a sentence, at most four of them."""
    labels = [show.quoted(variant.label) for variant in variants]
    if len(labels) > _MOST_NAMED:
        labels = [*labels[: _MOST_NAMED - 1], f"{len(labels) - _MOST_NAMED + 1} more"]
    return show.listed(labels)


def lie_apart(side: Sequence[Span], other: Sequence[Span]) -> bool:
    """Whether all spans of one side lie below those of the other, or nearly all.

    By the rank sum (Wilcoxon 1945, normal approximation): runs in an order drawn by lot lie so far
    apart in 2 % of cases; in such an order a drift alone looks like a difference.
    """
    lows, highs = sorted(low for low, _ in side), sorted(high for _, high in side)
    above = sum(
        bisect_left(highs, low) + bisect_right(lows, high) - len(side) for low, high in other
    )
    pairs = len(side) * len(other)
    spread = math.sqrt(pairs * (len(side) + len(other) + 1) / 3)
    return abs(above) >= min(pairs, _FAR * spread)


def _by_rate(variants: Iterable[Variant]) -> list[list[Variant]]:
    """Return variants by the rate asked for; where it is not known, by about the rate sent."""
    known = [(variant, *_rate(variant)) for variant in variants]
    begins: list[float] = []  # the lowest rate of each level
    was_sent = False
    for rate_rps, is_sent in sorted((rate, sent) for _, rate, sent in known if rate is not None):
        apart = SAME_RATE if is_sent or was_sent else 1.0
        if not begins or rate_rps > begins[-1] * apart:
            begins.append(rate_rps)
            was_sent = is_sent
    levels: dict[int | None, list[Variant]] = defaultdict(list)
    for variant, rate, _ in known:
        levels[None if rate is None else bisect_right(begins, rate)].append(variant)
    return list(levels.values())


def _rate(variant: Variant) -> tuple[float | None, bool]:
    """Return the rate asked for, else the rate sent, if told; and whether it is the latter."""
    offered = median(variant, "offered_rate_rps")
    if offered is not None or not registry.tool(variant.runs[0].tool).tells_sends:
        return offered, False
    return median_of(variant, sending_rate), True


def seconds_of_sending(run: Run) -> Sequence[Mapping[str, Any]]:
    """Return the rows of `timeline` up to the last send: in those behind it answers only came."""
    rows = run.timeline
    last = next((at for at in range(len(rows) - 1, -1, -1) if rows[at]["requests"]), -1)
    return rows[: last + 1]


def sending_rate(run: Run) -> float:
    """Return the requests per second that were sent, of a tool that tells.

    Of n requests these are the n - 1 intervals between the first send and the last. vegeta prints
    n by that time, which is 2 % more of 50 requests: it is brought to the same.

    Raises:
        MissingError: nothing tells.
    """
    printed, requests = run.figure("Requests", "rate"), run.get("requests")
    if requests is None and printed is not None:
        return printed
    if requests is not None and requests < 2:
        raise MissingError("fewer than two requests")
    if requests is not None and printed is not None:
        return float(printed * (requests - 1) / requests)
    requests, duration, wait = run.need("requests", "duration_s", "wait_s")
    if duration <= wait:
        raise MissingError("all requests were sent at once")
    return (requests - 1) / (duration - wait)


def _label(variant: Variant, *, alone: bool) -> str:
    name = variant.name if alone else show.joined(variant.name, variant.params)
    return show.clean(name, limit=60)
