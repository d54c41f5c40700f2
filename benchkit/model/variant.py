"""The runs that repeat one variant with one set of params."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

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


class _Sample(NamedTuple):
    """The runs that have a metric, its value in each, and the median of these if there are any."""

    runs: tuple[Run, ...]
    values: tuple[float, ...]
    median: float | None


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
        return self._sampled(metric).runs

    def sample(self, metric: Metric) -> tuple[float, ...]:
        """Return the metric of each run that has it, in their order; none where it is withheld."""
        return self._sampled(metric).values

    def value(self, metric: Metric) -> float | None:
        """Return the median of a metric over the runs that have it, None where none has."""
        return self._sampled(metric).median

    def _sampled(self, metric: Metric) -> _Sample:
        if metric.column not in self._samples:
            runs = () if metric.column in self.withheld else self.runs
            known = {run: value for run in runs if (value := metric.value(run)) is not None}
            values = tuple(known.values())
            median = statistics.median(values) if values else None
            self._samples[metric.column] = _Sample(tuple(known), values, median)
        return self._samples[metric.column]

    @cached_property
    def _samples(self) -> dict[str, _Sample]:
        """What is known of metrics by their columns: every figure and table asks for it."""
        return {}

    @cached_property
    def values(self) -> Mapping[str, float | None]:
        """Per column of every metric the median over the runs that have it."""
        return {metric.column: self.value(metric) for metric in METRICS}

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
