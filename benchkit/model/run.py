"""One run of a load generator in memory: what it was, and everything that was read of it.

Made once, where files are read; whatever follows from it is worked out here, once, when it is
first asked for. Latencies are seconds outside the counts, whole nanoseconds inside them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.schema import ORIGINS, QUANTILE_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.counting.cells import Cells, LatencyMatrix
    from benchkit.counting.distribution import Distribution
    from benchkit.counting.sends import Sends
    from benchkit.parsing import Figure, RequestBatch

#: The metric of what a run's name states of its load beside the output; a column each.
IN_NAME: Final = "in the name"
#: The metric of what `meta.json` says otherwise than the output; a column each.
IN_META: Final = "in meta.json"
#: The metric of how many files that are called like the run's, but for numbers, hold none.
LOST_BESIDE: Final = "runs lost beside it"
#: Its statistic that is larger for runs that were made later; alike in form within a scenario.
ORDER: Final = "order"
#: Its statistic that is the day of which the name says that the run was made, since 1970.
DAY: Final = "day"
_PRINTED, _COMPUTED = ORIGINS
_SAME_QUANTILE: Final = 1e-9
_EXTREMES: Final = ("latency_min_s", "latency_max_s")
#: Of the environment, what makes another machine; a host's name is another in every job.
MACHINE: Final = ("cpu", "architecture", "cores")


class Quantile(NamedTuple):
    """A latency in s at a quantile from 0 to 1; `origin` is printed or computed."""

    quantile: float
    latency_s: float
    origin: str


class Lateness(NamedTuple):
    """How long after they were due requests were sent, worked out of rows with number and time.

    Attributes:
        late_share: Share of them that were late by more than an interval, and a timer's step.
        slip_p99_s: 99 % were late by at most this.
        latency_p99_s: 99 % took at most this.
        latency_p99_due_s: 99 % took at most this from when they were due.
    """

    late_share: float
    slip_p99_s: float
    latency_p99_s: float
    latency_p99_due_s: float


class RequestsReader(Protocol):
    """Reads the requests of one run again."""

    @property
    def kept(self) -> Sends | None:
        """When they were sent, where that needs no reading."""

    def __call__(self) -> Iterator[pd.DataFrame]:
        """Yield rows of the table `requests`."""

    def batches(self) -> Iterator[RequestBatch]:
        """Yield the same as arrays."""


def _nothing() -> None:
    """Return no cells; functions are named so that a run can be pickled."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Requests of one run by latency, as whole numbers.

    Attributes:
        outcomes: The distribution of latencies by what came back; under "" where that is not
            known. Empty where only the slices are known.
        make_cells: Returns `cells`; called once, when they are first looked at.
        make_timeline: Likewise.
        first_seq: The smallest number of a request in its attack; None without numbers.
        last_seq: The largest.
        repeated_seq: How many requests have a number that one before them has.
    """

    outcomes: Mapping[str, Distribution] = field(default_factory=dict)
    make_cells: Callable[[], Cells | None] = _nothing
    make_timeline: Callable[[], Sequence[Mapping[str, Any]]] = tuple
    first_seq: int | None = None
    last_seq: int | None = None
    repeated_seq: int = 0

    @cached_property
    def cells(self) -> Cells | None:
        """The requests by time slice, endpoint, outcome and coarser bin; None without any."""
        return self.make_cells()

    @cached_property
    def timeline(self) -> Sequence[Mapping[str, Any]]:
        """Rows of the table `timeline`, without `run_id`, in order of time."""
        return self.make_timeline()


#: Quantiles of a curve of single requests: even in rarity, few enough to list.
GRID: Final = (
    *(0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    *(0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99),
    *(0.9925, 0.995, 0.9975, 0.998, 0.999, 0.9995, 0.9999, 0.99995, 0.99999, 0.999999),
)


@dataclass(frozen=True, eq=False)
class Run:
    """One run; two are the same only where they are one object.

    Attributes:
        columns: Every column of `runs` by name, None where it is missing.
        quantiles: Ascending; a quantile may be there printed and computed.
        figures: Printed figures without a column of their own.
        statuses: Responses per status code, 0 for no response.
        errors: How often per distinct error; None where the tool gives no count.
        notes: Remarks about how it was read.
        counts: Of formats with a row per request.
        steps: Step of a latency in s per column that came from a coarser file than the rest.
        commands: Command line of each process that a harness started, by its name.
        samples: Rows of the table `resources`, without `run_id`.
        requests: Reads its requests again, where the format has them.
        lateness: Of its requests, or why that is not known; None where nobody looked at them yet.
    """

    columns: Mapping[str, Any]
    quantiles: tuple[Quantile, ...] = ()
    figures: tuple[Figure, ...] = ()
    statuses: Mapping[int, int] = field(default_factory=dict)
    errors: Mapping[str, int | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    counts: Counts = field(default_factory=Counts)
    steps: Mapping[str, float] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)
    samples: Sequence[Mapping[str, Any]] = ()
    requests: RequestsReader | None = None
    lateness: Lateness | str | None = None

    # --- identity ---

    @property
    def run_id(self) -> str:
        """Its stable id."""
        return str(self.columns["run_id"])

    @property
    def label(self) -> str:
        """Its name for people, unique among the runs."""
        return str(self.columns["label"])

    @property
    def name(self) -> str:
        """Its label, safe to print."""
        return show.clean(self.label, limit=100)

    @property
    def scenario(self) -> str | None:
        """What it belongs to."""
        scenario: str | None = self.columns["scenario"]
        return scenario

    @property
    def variant(self) -> str:
        """What it measures; the label where there is no name."""
        return str(self.columns["variant"] or self.label)

    @property
    def tool(self) -> str:
        """Its load generator."""
        return str(self.columns["tool"])

    @cached_property
    def params(self) -> Mapping[str, Any]:
        """Further factors."""
        return _object(self.columns["params"])

    @cached_property
    def environment(self) -> Mapping[str, Any]:
        """The machine, as metadata describe it."""
        return _object(self.columns["environment"])

    def made_on(self, machine: Mapping[str, Any]) -> Run:
        """Return the same as of a machine, where it does not say itself what it was made on."""
        known = {key: machine[key] for key in MACHINE if machine.get(key) is not None}
        if not known or any(self.environment.get(key) is not None for key in MACHINE):
            return self
        environment = json.dumps({**self.environment, **known}, sort_keys=True, ensure_ascii=False)
        return self.with_columns(environment=environment)

    # --- single values ---

    def get(self, column: str) -> Any:  # noqa: ANN401 - a cell may hold any kind
        """Return a column of `runs`, None where it is missing."""
        return self.columns[column]

    def number(self, column: str) -> float | None:
        """Return a column of `runs` as a number, None where it is missing."""
        value = self.columns[column]
        return None if value is None else float(value)

    @cached_property
    def derived(self) -> dict[str, float | None]:
        """What metrics have worked out of its columns, by their own: it is asked for often."""
        return {}

    def need(self, *columns: str) -> list[float]:
        """Return columns as numbers.

        Raises:
            MissingError: one is missing.
        """
        absent = [column for column in columns if self.columns[column] is None]
        if absent:
            raise MissingError(f"{show.listed(absent)} not known")
        return [float(self.columns[column]) for column in columns]

    def figure(self, metric: str, statistic: str) -> float | None:
        """Return a printed figure, the first where there are several, None where it is missing."""
        return self.by_figure.get((metric, statistic))

    def need_figure(self, metric: str, statistic: str) -> float:
        """Return a printed figure.

        Raises:
            MissingError: it is missing.
        """
        value = self.figure(metric, statistic)
        if value is None:
            raise MissingError(f"no figure '{metric}' ({statistic})")
        return value

    # --- what follows ---

    @property
    def timeline(self) -> Sequence[Mapping[str, Any]]:
        """Rows of the table `timeline`, without `run_id`, in order of time."""
        return self.counts.timeline

    @property
    def matrix(self) -> LatencyMatrix | None:
        """Its requests as time slices by latency bins, None where it has no instants."""
        return None if self.counts.cells is None else self.counts.cells.matrix

    @cached_property
    def by_figure(self) -> Mapping[tuple[str, str], float]:
        """Value per (metric, statistic), the first where there are several."""
        values: dict[tuple[str, str], float] = {}
        for figure in self.figures:
            values.setdefault((figure.metric, figure.statistic), figure.value)
        return values

    @cached_property
    def known_quantiles(self) -> tuple[Quantile, ...]:
        """Each quantile once, ascending: of the origin of the columns, else of the other."""
        values: dict[float, Quantile] = {}
        for each in sorted(self.quantiles, key=lambda q: q.origin != self._leading_origin):
            values.setdefault(each.quantile, each)
        return tuple(values[quantile] for quantile in sorted(values))

    @cached_property
    def _leading_origin(self) -> str:
        """Where the columns are from; what was printed may be coarser than single requests."""
        origins: dict[float, set[str]] = defaultdict(set)
        for each in self.quantiles:
            column = QUANTILE_COLUMNS.get(each.quantile)
            if column is not None and self.columns[column] != each.latency_s:
                origins[each.quantile].add(each.origin)
        return next((_COMPUTED for other in origins.values() if other == {_PRINTED}), _PRINTED)

    @cached_property
    def by_quantile(self) -> Mapping[float, float]:
        """Latency in s per quantile, ascending."""
        return {each.quantile: each.latency_s for each in self.known_quantiles}

    @cached_property
    def quantile_columns(self) -> Mapping[str, tuple[float, float]]:
        """(quantile, latency in s) per column of `runs` that holds a quantile."""
        return {
            column: (quantile, float(self.columns[column]))
            for quantile, column in QUANTILE_COLUMNS.items()
            if self.columns[column] is not None
        }

    @cached_property
    def distribution(self) -> Distribution | None:
        """All latencies, whatever came back; None without a row per request."""
        from benchkit.counting.distribution import merged

        if self.counts.outcomes:
            return merged(self.counts.outcomes.values())
        return None if self.counts.cells is None else self.counts.cells.distribution()

    @cached_property
    def request_step_s(self) -> float:
        """The coarsest step in s in which its requests were written, 0 for a fine clock.

        It is no finer than the run's own, which is that of its finest file.
        """
        from benchkit.counting.distribution import FINEST_STEP_S

        if self.distribution is None:
            return 0.0
        own = self.number("resolution_s") or 0.0
        return max(self.distribution.step_s, own if own >= FINEST_STEP_S else 0.0)

    def outcome(self, name: str) -> Distribution | None:
        """Return the latencies of one outcome, None where no request had it."""
        if self.counts.outcomes or self.counts.cells is None:
            return self.counts.outcomes.get(name)
        return self.counts.cells.distribution(name)

    def step_of(self, column: str) -> float:
        """Return the smallest step of a latency in s in a column, 0 where it is not known."""
        return self.steps.get(column) or float(self.get("resolution_s") or 0.0)

    @cached_property
    def curve(self) -> Mapping[float, float]:
        """Latency in s per quantile of `GRID`, as it is elsewhere where it is known there.

        Nothing without a row per request, or where none was answered.
        """
        if self.distribution is None or not self.distribution.count:
            return {}
        inside = [q for q in GRID if q <= 1 - 1 / self.distribution.count]
        latencies = zip(inside, self.distribution.quantiles_s(inside), strict=True)
        known = {
            q.quantile: q.latency_s for q in self.quantiles if q.origin == self._leading_origin
        }
        return {q: known.get(q, latency_s) for q, latency_s in latencies}

    def latency_at(self, quantile: float) -> float | None:
        """Return the latency in s at a quantile, printed or from its requests, else None."""
        for known, latency_s in self.by_quantile.items():
            if abs(known - quantile) < _SAME_QUANTILE:
                return latency_s
        if self.distribution is None or not self.distribution.count:
            return None
        return self._on_clock(self.distribution.quantiles_s([quantile])[0])

    def _on_clock(self, latency_s: float) -> float:
        """Return what a bin's middle stands for: a step of the run's clock, within its extremes."""
        step, low, high = self.get("resolution_s"), *map(self.get, _EXTREMES)
        if step:
            latency_s = round(float(round(latency_s / step) * Decimal(repr(step))), 12)
        inside = latency_s if low is None else max(latency_s, low)
        return inside if high is None else min(inside, high)

    @property
    def started_s(self) -> float | None:
        """When it began, s since 1970 UTC, None where it is not known."""
        instant = self.get("started_at")
        return None if instant is None else float(instant.astype("int64")) / 1e9

    @cached_property
    def samples_by_process(self) -> Mapping[str | None, Sequence[Mapping[str, Any]]]:
        """Its samples per process."""
        samples: dict[str | None, list[Mapping[str, Any]]] = defaultdict(list)
        for sample in self.samples:
            samples[sample.get("process")].append(sample)
        return samples

    def with_columns(self, **columns: Any) -> Run:  # noqa: ANN401 - cells of any kind
        """Return the same run with other columns."""
        return replace(self, columns={**self.columns, **columns})


def order_of(runs: Sequence[Run]) -> Mapping[Run, float]:
    """Return what is larger for runs that began later, of runs of which it is known.

    That is when they began, s since 1970 UTC; where no run says that, what their names say.
    """
    starts = {run: start for run in runs if (start := run.started_s) is not None}
    named = ((run, run.figure(IN_NAME, ORDER)) for run in runs)
    return starts or {run: order for run, order in named if order is not None}


def day_of(run: Run) -> int | None:
    """Return the day on which a run began, in UTC since 1970, or as its name has it."""
    day = run.figure(IN_NAME, DAY) if run.started_s is None else run.started_s // 86_400
    return None if day is None else int(day)


def _object(text: str | None) -> Mapping[str, Any]:
    value = json.loads(text) if text else {}
    return value if isinstance(value, dict) else {}
