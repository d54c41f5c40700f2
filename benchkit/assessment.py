"""A comparison with what was found about its data and what can be inferred from it.

The order matters: figures that a check withholds are taken out first, so that nothing that
follows (order, ratio, verdict, figure) rests on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary, compare
from benchkit.compare.evidence import tests_in
from benchkit.compare.grades import judged
from benchkit.compare.inference import infer
from benchkit.compare.measures import MEASURES
from benchkit.compare.model import Effect
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity import Examination, Finding, Status, examine
from benchkit.validity.text import Group, groups

if TYPE_CHECKING:
    from benchkit.compare.rows import Row
    from benchkit.results import Results

_METRIC = {one.column: one.name for one in MEASURES.values() if one.column}
_QUANTILE = {column: quantile for quantile, column in QUANTILE_COLUMNS.items()}
#: So many numbers of findings stand beside a figure; the list of findings has them all.
MOST_MARKS: Final = 3
#: A finding about so many figures of a variant stands beside its name, not beside each.
MOST_FIGURES: Final = 4
#: Intervals of three or fewer runs attain less, and are not shown.
LEAST_CONFIDENCE: Final = 0.94
#: Per run the columns that are withheld, each with the reason.
_Withheld = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A finding of a comparison, or several of one kind, under a number that text refers to."""

    number: int
    group: Group

    @property
    def first(self) -> Finding:
        """The one that speaks for all."""
        return self.group.first

    @property
    def serious(self) -> bool:
        """Whether a figure, or the comparison, does not mean what it seems to mean."""
        return self.first.severity == "error"

    @property
    def run_ids(self) -> frozenset[str]:
        """The runs that it concerns."""
        return frozenset(run_id for one in self.group.findings for run_id in one.run_ids)

    def touches(self, run_ids: Iterable[str], column: str) -> bool:
        """Whether it qualifies a column of any of these runs."""
        return any(column in one.touches for one in self._of(run_ids))

    def width(self, run_ids: Iterable[str]) -> int:
        """Return how many of the figures that a comparison shows it qualifies."""
        return len({c for one in self._of(run_ids) for c in one.touches} & _METRIC.keys())

    def withholds(self, run_ids: Iterable[str], column: str) -> bool:
        """Whether it is why a column of any of these runs is not shown."""
        return any(column in one.withheld for one in self._of(run_ids))

    def _of(self, run_ids: Iterable[str]) -> list[Finding]:
        wanted = set(run_ids)
        return [one for one in self.group.findings if not wanted.isdisjoint(one.run_ids)]


@dataclass(frozen=True, slots=True)
class Assessed(Comparison):
    """A comparison with findings and verdicts.

    Attributes:
        rows: One per variant and metric, as `infer` gives them.
        tests: How many tests were made in the scenario, of which this may be a part.
        findings: The serious first; numbers ascend from 1.
        statuses: What became of each check.
    """

    rows: tuple[Row, ...] = ()
    tests: int = 0
    findings: tuple[Numbered, ...] = ()
    statuses: tuple[Status, ...] = ()
    _rows: Mapping[tuple[str, str], Row] = field(default_factory=dict)
    _against: Mapping[str, str] = field(default_factory=dict)

    @property
    def serious(self) -> tuple[Numbered, ...]:
        """Findings that say that a figure or the comparison is not what it seems."""
        return tuple(one for one in self.findings if one.serious)

    def row(self, label: str, column: str) -> Row | None:
        """Return what was inferred of one column of one variant."""
        return self._rows.get((label, _METRIC.get(column, "")))

    def against(self, label: str) -> str | None:
        """Return the label of what a variant is compared with, None for nothing."""
        return self._against.get(label)

    def marks(self, label: str, column: str) -> tuple[int, ...]:
        """Return the numbers of the findings that qualify one figure of one variant.

        Of a withheld figure those that withhold it. Otherwise notes are left out, and what
        qualifies every variant (`shared_marks`) or most figures of this one (`name_marks`).
        """
        ids = self.ids_of(label)
        found = [one for one in self.findings if one.withholds(ids, column)] or [
            one
            for one in self._of_one(label)
            if one.touches(ids, column) and one.width(ids) < MOST_FIGURES
        ]
        return tuple(one.number for one in found[:MOST_MARKS])

    def name_marks(self, label: str) -> tuple[int, ...]:
        """Return the numbers of the findings that qualify most figures of one variant."""
        ids = self.ids_of(label)
        found = [one for one in self._of_one(label) if one.width(ids) >= MOST_FIGURES]
        return tuple(one.number for one in found[:MOST_MARKS])

    def shared_marks(self, column: str) -> tuple[int, ...]:
        """Return the numbers of the serious findings that qualify a figure in every variant."""
        every = [run_id for one in self.variants for run_id in one.run_ids]
        found = [one for one in self.serious if self._all(one) and one.touches(every, column)]
        return tuple(one.number for one in found[:MOST_MARKS])

    def effect(self, label: str, column: str) -> Effect | None:
        """Return the difference in one figure, None where nothing supports an interval."""
        row = self.row(label, column)
        if row is not None and not MEASURES[row.metric].testable:
            return None
        if row is None or row.ratio is None or row.ci_low is None or row.ci_high is None:
            return None
        if (row.confidence or 0.0) < LEAST_CONFIDENCE:
            return None
        return Effect(row.ratio, row.ci_low, row.ci_high)

    def ids_of(self, label: str) -> tuple[str, ...]:
        """Return the runs of a variant."""
        return next(one.run_ids for one in self.variants if one.label == label)

    def only(self, finding: Numbered) -> str | None:
        """Return the label of the one variant that a finding is about, None where it is more."""
        labels = [one.label for one in self.variants if not finding.run_ids.isdisjoint(one.run_ids)]
        return labels[0] if len(labels) == 1 and len(self.variants) > 1 else None

    def _of_one(self, label: str) -> list[Numbered]:
        """Return findings, notes left out, about a variant and not about every variant."""
        ids = set(self.ids_of(label))
        return [
            one
            for one in self.findings
            if one.first.severity != "info"
            and not ids.isdisjoint(one.run_ids)
            and not self._all(one)
        ]

    def _all(self, finding: Numbered) -> bool:
        """Whether a finding is about every variant of several."""
        return len(self.variants) > 1 and all(
            not finding.run_ids.isdisjoint(one.run_ids) for one in self.variants
        )


def assess(
    results: Results, *, baseline: str | None = None, examined: Examination | None = None
) -> list[Assessed]:
    """Return comparisons of what can be trusted, with findings and verdicts.

    Args:
        results: The runs.
        baseline: As for `benchkit.compare.compare`.
        examined: What the checks found in these results, where that is known.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    described = compare(results, baseline=baseline)
    found = examined or examine(results)
    withheld = _withheld(described, found.findings)
    if withheld:
        results = trusted(results, withheld)
        described = compare(results, baseline=baseline)
    rows = infer(results, baseline=baseline, found=())
    return [_assessed(one, rows, examined=found, withheld=withheld) for one in described]


def _withheld(described: Sequence[Comparison], findings: Iterable[Finding]) -> _Withheld:
    """Return what is withheld per run; what is of one run is of all of its variant.

    The median over those runs of a variant that could tell would be that of the better ones.
    """
    of_run: dict[str, dict[str, str]] = defaultdict(dict)
    for one in findings:
        for run_id in one.run_ids if one.withheld else ():
            of_run[run_id] |= one.withheld
    found: dict[str, Mapping[str, str]] = {}
    for variant in (variant for one in described for variant in one.variants):
        reasons: dict[str, str] = {}
        for run_id in variant.run_ids:
            reasons = {**of_run.get(run_id, {}), **reasons}
        if reasons:
            found |= dict.fromkeys(variant.run_ids, reasons)
    return found


def trusted(results: Results, withheld: _Withheld) -> Results:
    """Return results without withheld figures, and without the quantiles beyond them.

    Args:
        results: Any.
        withheld: Per `run_id` columns of `runs`, each with the reason.
    """
    from benchkit.results import Results

    runs, quantiles = results.runs.copy(), results.quantiles
    kept = quantiles["quantile"].notna()
    for run_id, reasons in withheld.items():
        columns = [column for column in reasons if column in runs]
        runs.loc[runs["run_id"] == run_id, columns] = None
        beyond = [_QUANTILE[column] for column in columns if column in _QUANTILE]
        if beyond:
            kept &= (quantiles["run_id"] != run_id) | (quantiles["quantile"] < min(beyond) - 1e-9)
    tables = {**results.tables, "runs": runs, "quantiles": quantiles[kept]}
    return Results(tables, results.readers)


def _rows_of(one: Comparison, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows of a comparison: a scenario may have been measured with several tools."""
    mine = [row for row in rows if (row.scenario, row.tool) == (one.scenario, one.tool)]
    labels = {show.joined(v.label, one.setting): v.label for v in one.variants}
    return tuple(
        replace(row, variant=labels[row.variant], baseline=labels[row.baseline])
        for row in mine
        if row.variant in labels and row.baseline in labels
    )


def _assessed(
    one: Comparison, every: Sequence[Row], *, examined: Examination, withheld: _Withheld
) -> Assessed:
    rows, tests = _rows_of(one, every), tests_in(every, one.scenario)
    ids = {run_id for variant in one.variants for run_id in variant.run_ids}
    mine = [
        f
        for f in examined.findings
        if (f.scenario, f.tool) == (one.scenario, one.tool)
        and (not f.run_ids or not ids.isdisjoint(f.run_ids))
    ]
    numbered = tuple(Numbered(n, group) for n, group in enumerate(groups(mine), 1))
    statuses = [s for s in examined.statuses if (s.scenario, s.tool) == (one.scenario, one.tool)]
    by_metric = {(row.variant, row.metric): row for row in rows}
    against = {other.label: one.baseline for other in one.others}
    if rows:  # a variant whose baseline was not run with its params is compared with nothing
        against = {row.variant: row.baseline for row in rows if row.baseline_runs}
    serious = any(finding.serious for finding in numbered)
    given: dict[str, Any] = {f.name: getattr(one, f.name) for f in fields(Comparison)}
    return Assessed(
        **given
        | {
            "grade": judged(one.grade, rows, tests=tests, serious=serious),
            "variants": tuple(
                replace(
                    v,
                    ratio=_ratios(v, one, by_metric, against),
                    withheld=withheld.get(v.run_ids[0], {}),
                )
                for v in one.variants
            ),
        },
        rows=rows,
        tests=tests,
        findings=numbered,
        statuses=tuple(statuses),
        _rows=by_metric,
        _against=against,
    )


def _ratios(
    variant: VariantSummary,
    one: Comparison,
    rows: Mapping[tuple[str, str], Row],
    against: Mapping[str, str],
) -> dict[str, float | None]:
    """Return the ratios to what the variant is compared with, estimated where runs repeat."""
    if variant.is_baseline:
        return dict(variant.ratio)
    if variant.label not in against:
        return dict.fromkeys(variant.ratio)
    base = next(other for other in one.variants if other.label == against[variant.label])
    found = {
        column: value / base_value if value and (base_value := base.values[column]) else None
        for column, value in variant.values.items()
    }
    for column, metric in _METRIC.items():
        row = rows.get((variant.label, metric))
        if row is not None and row.ratio is not None:
            found[column] = row.ratio
    return found
