"""Single runs: bands, the shift function, cut starts, all from the time-sliced histogram."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arch.bootstrap import CircularBlockBootstrap, optimal_block_length

from benchkit.compare.bootstrap import Draws, block_length, drawn
from benchkit.compare.inference import Options, infer
from benchkit.compare.shift import shift_function
from benchkit.compare.slices import quantiles, slices_of
from benchkit.compare.trim import trimmed
from benchkit.distribution import bin_of, bounds_of
from benchkit.errors import UsageError
from benchkit.results import Results

RunRow = Callable[..., dict[str, Any]]


def autoregressive(n: int, kept: float, seed: int = 3) -> np.ndarray[Any, np.dtype[np.float64]]:
    noise = np.random.default_rng(seed).normal(size=n)
    found = np.zeros(n)
    for now in range(1, n):
        found[now] = kept * found[now - 1] + noise[now]
    return found


def histogram(
    run_id: str, slices: list[Any], *, outcome: str = "success", length_s: float = 0.5
) -> list[dict[str, Any]]:
    """Rows of `histogram`: latencies in s per slice."""
    rows = []
    for place, latencies in enumerate(slices):
        in_ns = np.rint(np.asarray(latencies) * 1e9).astype(np.int64)
        bins, counts = np.unique(bin_of(in_ns), return_counts=True)
        for low, high, count in zip(*bounds_of(bins), counts, strict=True):
            rows.append(
                {
                    "run_id": run_id,
                    "slice_start_s": length_s * place,
                    "slice_s": length_s,
                    "outcome": outcome,
                    "latency_low_s": int(low) / 1e9,
                    "latency_high_s": int(high) / 1e9,
                    "count": int(count),
                }
            )
    return rows


def sliced(row: RunRow, *runs: list[Any]) -> Results:
    rows, bins = [], []
    for number, slices in enumerate(runs):
        every = np.concatenate(slices)
        p50, p99 = np.quantile(every, [0.5, 0.99])
        duration = 0.5 * len(slices)
        measured = {
            "latency_p50_s": float(p50),
            "latency_p99_s": float(p99),
            "throughput_rps": len(every) / duration,
            "duration_s": duration,
            "requests": len(every),
        }
        rows.append(row(number, variant="abc"[number], **measured))
        bins += histogram(f"r{number}", slices)
    return Results.of({"runs": rows, "histogram": bins})


def steady(middle: float, *, seconds: float = 30, seed: int = 1, per_slice: int = 100) -> list[Any]:
    rng = np.random.default_rng(seed)
    levels = np.exp(0.1 * autoregressive(int(2 * seconds), 0.5, seed))
    return [middle * level * np.exp(rng.normal(0, 0.2, per_slice)) for level in levels]


@pytest.mark.parametrize("n", [100, 400, 2000])
@pytest.mark.parametrize("kept", [0.3, 0.7, 0.9])
def test_the_length_of_a_block_is_that_of_patton_politis_and_white(n: int, kept: float) -> None:
    series = autoregressive(n, kept)
    expected = float(optimal_block_length(series)["circular"].iloc[0])
    assert block_length(series) == pytest.approx(max(expected, 1), rel=0.02)


def test_a_constant_series_needs_no_blocks() -> None:
    assert block_length(np.ones(50)) == 1


def test_redrawn_means_spread_as_those_of_another_implementation() -> None:
    series = autoregressive(200, 0.6)
    ours = drawn(200, 12, draws=4000, seed=1) @ series / 200
    theirs = CircularBlockBootstrap(12, series, seed=2).apply(np.mean, 4000).ravel()
    assert ours.mean() == pytest.approx(theirs.mean(), abs=0.02)
    assert ours.std() == pytest.approx(theirs.std(), rel=0.06)


def test_each_draw_has_as_many_slices_as_the_run() -> None:
    assert set(drawn(37, 5, draws=50, seed=0).sum(axis=1)) == {37}


def test_a_quantile_of_counts_is_near_that_of_the_requests() -> None:
    latencies = np.random.default_rng(8).lognormal(-4, 0.5, 5000)
    results = Results.of({"histogram": histogram("r", [latencies])})
    slices = slices_of(results, "r")
    assert slices is not None
    wanted = np.array([0.01, 0.5, 0.9, 0.99, 0.999])
    found = quantiles(slices.counts, slices.bins_s, wanted)[0]
    exact = np.quantile(latencies, wanted, method="inverted_cdf")
    assert found == pytest.approx(exact, rel=1e-3)


def test_many_slices_are_merged_without_losing_a_request() -> None:
    results = Results.of({"histogram": histogram("r", steady(0.01, seconds=50))})
    slices = slices_of(results, "r")
    assert slices is not None
    fewer = slices.at_most(30)
    assert (len(slices), len(fewer), fewer.length_s) == (100, 25, 2.0)
    assert fewer.counts.sum(axis=0).tolist() == slices.counts.sum(axis=0).tolist()


def test_a_histogram_without_slices_has_no_band() -> None:
    rows = histogram("r", [[0.1]])
    whole = [row | {"slice_start_s": None, "slice_s": None} for row in rows]
    assert slices_of(Results.of({"histogram": whole}), "r") is None


class TestBand:
    def test_two_single_runs_have_a_band_and_never_a_verdict(self, row: RunRow) -> None:
        found = infer(sliced(row, steady(0.010), steady(0.020, seed=2)))
        assert {one.metric for one in found} == {"throughput", "p50", "p99"}
        for one in found:
            assert one.verdict == "not-tested"
            assert one.more_runs is None
            assert one.ci_low is not None
            assert one.ci_high is not None
            assert one.ratio is not None
            assert one.ci_low <= one.ratio <= one.ci_high
            assert "describes these two runs only" in one.reason
        (p50,) = [one for one in found if one.metric == "p50"]
        assert p50.ci_low is not None
        assert p50.ci_low > 1.5

    def test_it_is_the_same_each_time(self, row: RunRow) -> None:
        results = sliced(row, steady(0.01), steady(0.011, seed=2))
        assert infer(results) == infer(results)

    def test_a_run_of_a_few_slices_has_none(self, row: RunRow) -> None:
        found = infer(sliced(row, steady(0.01, seconds=5), steady(0.02, seconds=5)))
        assert {one.ci_low for one in found} == {None}

    def test_within_a_steady_run_it_covers_the_median(self) -> None:
        inside = 0
        for seed in range(40):
            rng = np.random.default_rng(seed)
            slices = [rng.lognormal(-4.6, 0.3, 60) for _ in range(60)]
            made = slices_of(Results.of({"histogram": histogram("r", slices)}), "r")
            assert made is not None
            medians = Draws(made, draws=200).quantiles(np.array([0.5]))[:, 0]
            low, high = np.quantile(medians, [0.025, 0.975])
            inside += low <= np.exp(-4.6) <= high
        assert inside >= 33


class TestShift:
    def test_a_constant_delay_shows_at_each_quantile(self, row: RunRow) -> None:
        base = steady(0.010)
        later = [one + 0.005 for one in steady(0.010, seed=2)]
        found = shift_function(sliced(row, base, later), "r0", "r1")
        assert [one.quantile for one in found] == [
            *(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)
        ]
        for one in found[:9]:
            assert one.low_s is not None
            assert one.high_s is not None
            assert one.low_s <= 0.005 <= one.high_s
            assert one.low_s > 0

    def test_the_band_covers_all_quantiles_at_once(self, row: RunRow) -> None:
        found = shift_function(sliced(row, steady(0.01), steady(0.01, seed=2)), "r0", "r1")
        assert all((one.low_s or 0) <= 0 <= (one.high_s or 0) for one in found)

    def test_a_notebook_asks_by_run_or_label(self, row: RunRow) -> None:
        made = sliced(row, steady(0.01), [one + 0.005 for one in steady(0.01, seed=2)])
        label = made.runs["label"].iloc[1]
        frame = made.shift("r0", label)
        assert frame["difference_s"].between(0.004, 0.006).head(9).all()
        assert (frame["low_s"] <= frame["difference_s"]).all()
        assert made.shift("r0", "r0")["difference_s"].eq(0).all()
        with pytest.raises(UsageError, match="no run 'r9'"):
            made.shift("r0", "r9")
        assert len(Results.of({"runs": [row(0), row(1)]}).shift("r0", "r1")) == 0

    def test_it_ends_where_the_requests_do(self, row: RunRow) -> None:
        few = steady(0.01, seconds=1, per_slice=30)
        found = shift_function(sliced(row, few, few), "r0", "r1")
        assert found[-1].quantile == 0.95
        assert found[-1].low_s is None

    def test_without_slices_there_is_none(self, row: RunRow) -> None:
        assert shift_function(Results.of({"runs": [row(0), row(1)]}), "r0", "r1") == []


class TestTrim:
    def test_a_slow_start_is_left_out(self, row: RunRow) -> None:
        start = [np.full(100, 0.5)] * 10
        results = sliced(row, [*start, *[np.full(100, 0.010)] * 50], [np.full(100, 0.01)] * 60)
        cut, cuts = trimmed(results, 5)
        assert cuts == {"r0": 5.0, "r1": 5.0}
        first = cut.runs.iloc[0]
        assert first["latency_p99_s"] == pytest.approx(0.010, rel=2e-3)
        assert first["requests"] == 5000
        assert first["throughput_rps"] == pytest.approx(200)
        assert first["success_ratio"] == 1
        assert cut.histogram["slice_start_s"].min() == 5.0
        found = infer(results, options=Options(metrics=("p99",), trim_start_s=5))
        assert found[0].ratio == pytest.approx(1)
        assert "without the first 5 s of each run" in found[0].reason.replace("\u00a0", " ")

    def test_a_run_without_requests_cannot_be_trimmed(self, row: RunRow) -> None:
        with pytest.raises(UsageError, match="only runs with a row per request"):
            trimmed(Results.of({"runs": [row(0)]}), 5)

    def test_a_trimmed_run_is_not_compared_with_an_untrimmed_one(self, row: RunRow) -> None:
        slices = steady(0.01)
        rows = [row(n, variant="ab"[n], latency_p50_s=0.01) for n in range(2)]
        results = Results.of({"runs": rows, "histogram": histogram("r0", slices)})
        (found,) = infer(results, options=Options(metrics=("p50",), trim_start_s=5))
        assert found.ratio is None
        assert "only some of these runs could be trimmed" in found.reason

    def test_a_cut_that_leaves_nothing_is_refused(self, row: RunRow) -> None:
        with pytest.raises(UsageError, match="leaves nothing of run 0"):
            trimmed(sliced(row, steady(0.01)), 60)
