"""The runs that repeat one variant with one set of params."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from benchkit.model.metric import METRICS, Metric
from benchkit.model.run import Run

#: The param that declares runs to be a second copy of the baseline, or of the variant it names.
AA: Final = "aa"
#: The param of runs that came before a measurement: they are shown and not compared.
WARM_UP: Final = "warm-up"
#: Columns that say what a run did and what its latency means: constant within a variant,
#: equal across a fair comparison.
FACTS: Final = (
    *("load_model", "correction", "resolution_s", "clock"),
    *("connections", "threads", "pipelining", "keepalive", "offered_rate_rps", "method"),
    *("requests", "duration_s", "timeout_s", "tool_version"),
)

#: What stands behind the name of a copy.
COPY: Final = "copy"


def is_copy(params: Mapping[str, Any]) -> bool:
    """Whether params declare runs to be a copy of another variant."""
    return params.get(AA) not in {None, False, ""}


@dataclass(frozen=True, eq=False)
class Variant:
    """What is compared: a server, a build, a setting, and the runs that repeat it.

    Attributes:
        params: Further factors of these runs.
        label: The name for people, unique within a comparison; names the params that differ.
        runs: In path order.
        withheld: Per column that is not to be shown the reason; nothing then has its value.
    """

    name: str
    params: Mapping[str, Any]
    label: str
    runs: tuple[Run, ...]
    withheld: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.runs)

    @cached_property
    def run_ids(self) -> tuple[str, ...]:
        """The ids of its runs."""
        return tuple(run.run_id for run in self.runs)

    @property
    def is_copy(self) -> bool:
        """Whether its runs are declared to be a copy of another variant."""
        return is_copy(self.params)

    @property
    def is_warm_up(self) -> bool:
        """Whether its runs came before a measurement."""
        return self.params.get(WARM_UP) is True

    @cached_property
    def factors(self) -> Mapping[str, Any]:
        """Its params without the declaration of a copy."""
        return {key: value for key, value in self.params.items() if key != AA}

    def level(self, param: str) -> float | None:
        """Return the level of a numeric param, None where it is none."""
        value = self.params.get(param)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value)

    def having(self, metric: Metric) -> tuple[Run, ...]:
        """Return the runs that have a metric; none where it is withheld."""
        if metric.column in self.withheld:
            return ()
        return tuple(run for run in self.runs if metric.value(run) is not None)

    def sample(self, metric: Metric) -> tuple[float, ...]:
        """Return the metric of each run that has it, in their order; none where it is withheld."""
        if metric.column not in self._sampled:
            there = (metric.value(run) for run in self.having(metric))
            self._sampled[metric.column] = tuple(value for value in there if value is not None)
        return self._sampled[metric.column]

    @cached_property
    def _sampled(self) -> dict[str, tuple[float, ...]]:
        """Samples by the column of their metric: every figure and table asks for them."""
        return {}

    def value(self, metric: Metric) -> float | None:
        """Return the median of a metric over the runs that have it, None where none has."""
        return _median(self.sample(metric))

    @cached_property
    def samples(self) -> Mapping[str, tuple[float, ...]]:
        """Per column of every metric its value in each run that has it."""
        return {metric.column: self.sample(metric) for metric in METRICS}

    @cached_property
    def values(self) -> Mapping[str, float | None]:
        """Per column of every metric the median over the runs that have it."""
        return {column: _median(sample) for column, sample in self.samples.items()}

    @cached_property
    def quantiles(self) -> Mapping[float, float]:
        """Per quantile the median over the runs, for quantiles that every run has."""
        known = [run.by_quantile for run in self.runs]
        common = sorted(set.intersection(*(set(by_quantile) for by_quantile in known)))
        return {
            quantile: statistics.median(by_quantile[quantile] for by_quantile in known)
            for quantile in common
            if quantile < self.trusted_below
        }

    @cached_property
    def trusted_below(self) -> float:
        """The smallest quantile that is withheld: from it on nothing is shown; 2 for none."""
        quantiles = (metric.quantile for metric in METRICS if metric.column in self.withheld)
        return min((q - 1e-9 for q in quantiles if q is not None), default=2.0)

    @cached_property
    def facts(self) -> Mapping[str, tuple[Any, ...]]:
        """Per column of `FACTS` the distinct known values of the runs."""
        return {column: self.distinct(column) for column in FACTS}

    def distinct(self, column: str) -> tuple[Any, ...]:
        """Return the distinct known values of a column of `runs`, in order."""
        return distinct(run.get(column) for run in self.runs)


def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return each known value once, in order of appearance."""
    return tuple(dict.fromkeys(value for value in values if value is not None))


def _median(sample: tuple[float, ...]) -> float | None:
    return statistics.median(sample) if sample else None


def called(runs: Sequence[Run], name: str) -> list[Run]:
    """Return runs under another variant, so that they stand beside runs of the same variant.

    It is `name`, behind the variant's own where a scenario has several.
    """
    variants: dict[str | None, set[str]] = {}
    for run in runs:
        variants.setdefault(run.scenario, set()).add(run.variant)
    several = {scenario for scenario, names in variants.items() if len(names) > 1}
    return [
        run.with_columns(
            variant=f"{run.variant}, {name}" if run.scenario in several else name,
            label=f"{name}: {run.label}",
            run_id=f"{run.run_id}, {name}",  # the same run may stand on both sides
            baseline=None,
        )
        for run in runs
    ]
