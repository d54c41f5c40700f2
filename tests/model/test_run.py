"""One run in memory: single values, and what follows from them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from benchkit.counting.distribution import Distribution
from benchkit.errors import MissingError
from benchkit.model.run import Counts, Quantile, Run
from benchkit.parsing import Figure
from benchkit.schema import RUNS
from tests.compare.runs import run

MS = 1_000_000


def made(*, parts: dict[str, object] | None = None, **columns: object) -> Run:
    return Run(RUNS.record(run(1, **columns)), **parts or {})  # type: ignore[arg-type]


class TestValues:
    def test_a_column_is_there_or_none_and_never_guessed(self) -> None:
        only = made(requests=0)
        assert (only.get("requests"), only.number("requests")) == (0, 0.0)
        assert (only.get("errors"), only.number("errors")) == (None, None)
        with pytest.raises(KeyError):
            only.get("reqests")

    def test_what_is_needed_and_missing_is_named(self) -> None:
        assert made(requests=3, errors=1).need("requests", "errors") == [3.0, 1.0]
        with pytest.raises(MissingError, match="errors and timeouts not known"):
            made(requests=3).need("requests", "errors", "timeouts")

    def test_of_a_figure_that_is_printed_twice_the_first_counts(self) -> None:
        figures = (Figure("Time", "mean", 1.0), Figure("Time", "mean", 2.0))
        only = made(parts={"figures": figures})
        assert only.figure("Time", "mean") == only.need_figure("Time", "mean") == 1.0
        assert only.figure("Time", "max") is None
        with pytest.raises(MissingError, match=r"no figure 'Time' \(max\)"):
            only.need_figure("Time", "max")

    def test_without_a_variant_it_is_named_by_its_label(self) -> None:
        assert made(variant=None).variant == "run 1"
        assert made(label="a\x1b[2J").name == "a\\x1b[2J"

    @pytest.mark.parametrize("text", [None, "", "{}", "[1]", "3"])
    def test_params_that_are_no_object_are_none(self, text: str | None) -> None:
        assert made(params=text).params == {}

    def test_other_columns_make_another_run(self) -> None:
        first = made(requests=1)
        second = first.with_columns(requests=2)
        assert (first.get("requests"), second.get("requests")) == (1, 2)
        assert second != first.with_columns(requests=2)
        with pytest.raises(dataclasses.FrozenInstanceError):
            first.notes = ("changed",)  # type: ignore[misc]


class TestQuantiles:
    QUANTILES = (
        Quantile(0.99, 0.05, "computed"),
        Quantile(0.5, 0.011, "computed"),
        Quantile(0.5, 0.010, "printed"),
    )

    def test_what_was_printed_comes_before_what_was_computed(self) -> None:
        by_quantile = made(parts={"quantiles": self.QUANTILES}).by_quantile
        assert list(by_quantile.items()) == [(0.5, 0.010), (0.99, 0.05)]

    def test_others_are_taken_from_the_requests_on_the_steps_of_the_clock(self) -> None:
        latencies = Distribution.from_latencies(np.array([1, 2, 3, 4, 100], np.int64) * MS)
        counts = Counts({"": latencies})
        parts = {"quantiles": self.QUANTILES, "counts": counts}
        only = made(parts=parts, resolution_s=0.001, latency_max_s=0.1, latency_min_s=0.001)
        assert [only.latency_at(q) for q in (0.5, 0.6, 0.8, 1.0)] == [0.010, 0.003, 0.004, 0.1]
        assert made(parts={"quantiles": self.QUANTILES}).latency_at(0.6) is None

    def test_where_no_request_was_answered_there_is_no_latency(self) -> None:
        only = made(parts={"counts": Counts(outcomes={"": Distribution()})})
        assert only.latency_at(0.42) is None
        assert only.curve == {}

    def test_columns_of_quantiles_are_those_that_the_run_has(self) -> None:
        only = made(latency_p50_s=0.01, latency_p999_s=0.5, latency_max_s=1.0)
        assert dict(only.quantile_columns) == {
            "latency_p50_s": (0.5, 0.01),
            "latency_p999_s": (0.999, 0.5),
        }

    def test_a_step_is_that_of_the_column_or_of_the_run(self) -> None:
        only = made(parts={"steps": {"latency_p999_s": 1e-3}}, resolution_s=1e-6)
        assert (only.step_of("latency_p999_s"), only.step_of("latency_p50_s")) == (1e-3, 1e-6)
        assert made().step_of("latency_p50_s") == 0.0


class TestCounts:
    def test_all_outcomes_make_the_distribution(self) -> None:
        parts = {
            name: Distribution.from_latencies(np.array(values, np.int64) * MS)
            for name, values in (("success", [1, 2]), ("no-response", [9]))
        }
        only = made(parts={"counts": Counts(parts)})
        assert only.distribution is not None
        assert only.distribution.count == 3
        assert only.outcome("success") is parts["success"]
        assert only.outcome("http-error") is None

    def test_what_is_made_late_is_made_once(self) -> None:
        rows = iter([({"second": 0},)])
        only = made(parts={"counts": Counts(make_timeline=lambda: next(rows))})
        assert list(only.timeline) == list(only.timeline) == [{"second": 0}]

    def test_samples_stand_apart_by_process(self) -> None:
        samples = [{"process": name, "rss_bytes": n} for n, name in enumerate(("a", None, "a"))]
        by_process = made(parts={"samples": samples}).samples_by_process
        assert {name: len(part) for name, part in by_process.items()} == {"a": 2, None: 1}
