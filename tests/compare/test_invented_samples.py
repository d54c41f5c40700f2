"""The recorded gateways: wrk's printed percentiles contain samples that it never measured."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from tests.compare.runs import compared

RECORDED = Path(__file__).resolve().parents[2] / "examples" / "results" / "gateways"
MS = 1e-3


@pytest.fixture(scope="module")
def gateways() -> Results:
    return benchkit.load(RECORDED)


@pytest.fixture(scope="module")
def comparison(gateways: Results) -> Comparison:
    return compared(gateways)


def test_what_was_measured_is_what_is_shown(comparison: Comparison) -> None:
    """p50 was shown as 2.70 ms, p90 as 34.9 and p99 as 98.5."""
    base = comparison.base
    assert base.name == "none"
    shown = [base.values[f"latency_{name}_s"] for name in ("p50", "p90", "p99")]
    assert shown == [
        pytest.approx(0.020 * MS, rel=0.05),
        pytest.approx(5.9 * MS, rel=0.02),
        pytest.approx(45 * MS, rel=0.02),
    ]
    assert base.facts["correction"] == ("none",)


def test_what_was_printed_is_a_figure_beside_it(comparison: Comparison) -> None:
    printed = [run.figure("latency with added samples", "p50") for run in comparison.base.runs]
    assert None not in printed
    assert sorted(filter(None, printed))[3] == pytest.approx(2.7 * MS, rel=0.1)


def test_its_mean_is_possible_by_littles_law(comparison: Comparison) -> None:
    """Of the printed percentiles at least 5.96 ms were needed, and 2.45 ms were possible."""
    for run in comparison.base.runs:
        connections, throughput, mean = run.need("connections", "throughput_rps", "latency_mean_s")
        assert mean * throughput <= 1.02 * connections
    assert not [f for f in comparison.serious if f.first.check == "LITTLE_HIGH"]


def test_the_tails_of_two_gateways_are_not_shown_to_differ(comparison: Comparison) -> None:
    for label in ("finagle-stand-in", "spring-cloud-gateway"):
        p99 = comparison.effect(label, "latency_p99_s")
        assert p99 is not None
        assert p99.verdict == "inconclusive"
        assert not p99.crosses or p99.ratio is not None
        assert p99.crosses


def test_their_p90_is_over_three_times_higher(comparison: Comparison) -> None:
    """Shown once as 1.7× lower."""
    p90 = comparison.effect("finagle-stand-in", "latency_p90_s")
    assert p90 is not None
    assert p90.baseline_value is not None
    assert p90.value is not None
    assert p90.value / p90.baseline_value == pytest.approx(3.4, abs=0.1)
    assert p90.ratio == pytest.approx(4.0, abs=0.1)
    assert p90.estimate == "pairs"


def test_the_whole_distribution_is_that_of_the_measured_samples(comparison: Comparison) -> None:
    variant: Variant
    for variant in comparison.variants:
        for run in variant.runs:
            assert run.distribution is not None
            (p50,) = run.distribution.quantiles_s([0.5])
            assert p50 == pytest.approx(run.get("latency_p50_s"), rel=1 / 128, abs=1e-6)
            assert run.distribution.count <= run.get("requests")
