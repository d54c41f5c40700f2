"""Shares of which a run has none: no ratio, but a difference."""

from __future__ import annotations

from benchkit.compare.assess import Options
from benchkit.model.comparison import Comparison
from benchkit.report.sections import sections
from benchkit.report.sentences import headline
from tests.compare.runs import compared, four_metrics, repeated


class TestSharesOfFailures:
    """`--metric error_ratio` where a side has none: no ratio, but a difference in points."""

    @staticmethod
    def asked(**failures: int) -> Comparison:
        """Eight runs of 1,000 requests of each variant, of which so many failed."""
        runs = repeated({name: four_metrics() for name in failures}, requests=1000, errors=0)
        made = [run.with_columns(non2xx=failures[run.variant]) for run in runs]
        return compared(made, baseline="a", options=Options(metrics=("error_ratio",)))

    def test_it_is_said_in_points(self) -> None:
        comparison = self.asked(a=0, b=500)
        (effect,) = comparison.effects
        assert (effect.ratio, effect.points, effect.verdict) == (None, 0.5, "not-tested")
        assert comparison.grade.key == "described"
        assert headline(comparison).replace("\u00a0", " ") == (
            "Share of errors of b against a: +50 points, 8 runs each."
        )
        (section,) = sections(comparison)
        change = section.table.rows[0].cells[1].change
        assert change is not None
        assert change.text.replace("\u00a0", " ") == "+50 points"

    def test_without_any_failure_that_is_the_reason(self) -> None:
        comparison = self.asked(a=0, b=0)
        assert headline(comparison) == "No verdict: no request failed on either side."
        assert comparison.grade.key == "described"

    def test_of_several_variants_each_is_named(self) -> None:
        sentence = headline(self.asked(a=0, b=30, c=500)).replace("\u00a0", " ")
        assert "of b against a: +3.0 points" in sentence
        assert "of c against a: +50 points" in sentence
