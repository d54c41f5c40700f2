"""What findings say against figures that rules are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from benchkit.model.metric import Metric
from benchkit.model.variant import Variant
from benchkit.validity.finding import Finding


class Doubts:
    """The errors among findings, by run: a rule does not pass on what they are about."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._by_run: dict[str, list[Finding]] = defaultdict(list)
        for finding in findings:
            for run_id in finding.run_ids if finding.severity == "error" else ():
                self._by_run[run_id].append(finding)

    def about(self, metric: Metric, variants: Iterable[Variant]) -> str:
        """Return which finding says that a figure is not what it seems, empty where none does."""
        run_ids = (run_id for variant in variants for run_id in variant.run_ids)
        errors = (finding for run_id in run_ids for finding in self._by_run.get(run_id, ()))
        finding = next((error for error in errors if metric.column in error.touches), None)
        return f"{finding.title} [{finding.check}]" if finding else ""
