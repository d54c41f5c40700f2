"""What a comparison says, as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit import format as show

#: Columns that say what a run did and what its latency means: constant within a variant,
#: equal across a fair comparison.
FACTS: Final = (
    *("load_model", "correction", "resolution_s", "clock"),
    *("connections", "threads", "pipelining", "keepalive", "offered_rate_rps", "method"),
    *("requests", "duration_s", "timeout_s", "tool_version"),
)


@dataclass(frozen=True, slots=True)
class Grade:
    """How far the evidence carries; it limits the verb of every sentence about it.

    Attributes:
        key: `established`, `limited`, `few`, `once`, `unshown` or `incomparable`.
        symbol: One character that goes with the words.
        words: The grade in words.
        reasons: Sentences that say what limits the comparison, the weightiest first.
    """

    key: str
    symbol: str
    words: str
    reasons: tuple[str, ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether differences may be put into words at all."""
        return self.key != "incomparable"


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """The runs of one variant with one set of params.

    Attributes:
        params: Further factors of these runs.
        label: The name for people, unique within the comparison; names the params that differ.
        run_ids: In path order.
        values: Per metric the median over the runs that have it, None where none has.
        low: Per metric the smallest of the runs.
        high: Per metric the largest of the runs.
        ratio: Per metric variant over baseline; None where either is missing or 0.
        quantiles: Per quantile the median over the runs, for quantiles that every run has.
        facts: Per column of `FACTS` the distinct known values of the runs.
        withheld: Per column that is not to be shown the reason; its value is None.
    """

    variant: str
    params: Mapping[str, Any]
    label: str
    run_ids: tuple[str, ...]
    values: Mapping[str, float | None]
    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    quantiles: Mapping[float, float]
    facts: Mapping[str, tuple[Any, ...]]
    ratio: Mapping[str, float | None]
    is_baseline: bool = False
    withheld: Mapping[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.run_ids)


@dataclass(frozen=True, slots=True)
class Effect:
    """A ratio of variant over baseline with its interval."""

    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The variants of one scenario measured with one tool.

    As `compare` makes it nothing is examined or inferred; `benchkit.assessment` adds that.

    Attributes:
        scenario: None where the runs have none.
        baseline: Label of the baseline's summary.
        rank_metric: The metric that orders `variants`; empty where the order is that of the
            input, because nothing ranks them or they are not comparable.
        variants: Best first; of a sweep in the order of its levels.
        shared_params: Params that all variants have in common.
        order: The labels in order of first appearance.
        setting: The params by which it differs from other comparisons of its scenario and tool.
        axis: The param whose levels were swept, and which orders the variants; empty for none.
    """

    scenario: str | None
    tool: str
    baseline: str
    rank_metric: str
    variants: tuple[VariantSummary, ...]
    grade: Grade
    shared_params: Mapping[str, Any]
    order: tuple[str, ...]
    axis: str = ""
    setting: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What is compared: the scenario, or else the tool, and the setting."""
        return show.joined(self.scenario or self.tool, self.setting)

    @property
    def base(self) -> VariantSummary:
        """The summary that the others are compared with."""
        return next(one for one in self.variants if one.is_baseline)

    @property
    def others(self) -> tuple[VariantSummary, ...]:
        """All but the baseline, best first."""
        return tuple(one for one in self.variants if not one.is_baseline)

    @property
    def runs(self) -> int:
        """Number of runs of all variants."""
        return sum(one.runs for one in self.variants)

    def facts(self, column: str) -> tuple[Any, ...]:
        """Return the distinct known values of one of `FACTS` over all variants."""
        return tuple(dict.fromkeys(v for one in self.variants for v in one.facts[column]))

    def against(self, label: str) -> str | None:
        """Return the label of what a variant is compared with, None for nothing."""
        return self.baseline if label != self.baseline else None

    def marks(self, label: str, column: str) -> tuple[int, ...]:
        """Return the numbers of the findings that qualify one figure of one variant alone."""
        del label, column
        return ()

    def name_marks(self, label: str) -> tuple[int, ...]:
        """Return the numbers of the findings that qualify most figures of one variant."""
        del label
        return ()

    def shared_marks(self, column: str) -> tuple[int, ...]:
        """Return the numbers of the serious findings that qualify a figure in every variant."""
        del column
        return ()

    def effect(self, label: str, column: str) -> Effect | None:
        """Return the difference in one figure, None where nothing supports an interval."""
        del label, column
        return None
