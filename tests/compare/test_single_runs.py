"""Single runs: bands, the shift function, cut starts, all from the time slices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from benchkit.compare.bootstrap import Draws, block_length, drawn
from benchkit.compare.shift import shift_function
from benchkit.compare.trim import trimmed
from benchkit.counting.cells import LatencyMatrix, quantiles
from benchkit.counting.distribution import bin_of, bounds_of
from benchkit.counting.slices import SLICE_PRECISION
from benchkit.errors import UsageError
from tests.compare.runs import Rows, effects, plain, results, run


def autoregressive(n: int, kept: float, seed: int = 3) -> np.ndarray[Any, np.dtype[np.float64]]:
    noise = np.random.default_rng(seed).normal(size=n)
    series = np.zeros(n)
    for now in range(1, n):
        series[now] = kept * series[now - 1] + noise[now]
    return series


def histogram(
    run_id: str, slices: list[Any], *, outcome: str = "success", length_s: float = 0.5
) -> Rows:
    """Rows of `histogram`: latencies in s per slice."""
    rows = []
    for number, latencies in enumerate(slices):
        in_ns = np.rint(np.asarray(latencies) * 1e9).astype(np.int64)
        bins, counts = np.unique(bin_of(in_ns, precision=SLICE_PRECISION), return_counts=True)
        bounds = bounds_of(bins, precision=SLICE_PRECISION)
        for low, high, count in zip(*bounds, counts, strict=True):
            rows.append(
                {
                    "run_id": run_id,
                    "slice_start_s": length_s * number,
                    "slice_s": length_s,
                    "outcome": outcome,
                    "latency_low_s": int(low) / 1e9,
                    "latency_high_s": int(high) / 1e9,
                    "count": int(count),
                }
            )
    return rows


def sliced(*runs: list[Any]) -> Results:
    """Runs of variants a, b, …: latencies in s per slice of half a second."""
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
        rows.append(run(number, variant="abc"[number], **measured))
        bins += histogram(f"r{number}", slices)
    return results(*rows, histogram=bins)


def steady(middle: float, *, seconds: float = 30, seed: int = 1, per_slice: int = 100) -> list[Any]:
    rng = np.random.default_rng(seed)
    levels = np.exp(0.1 * autoregressive(int(2 * seconds), 0.5, seed))
    return [middle * level * np.exp(rng.normal(0, 0.2, per_slice)) for level in levels]


def matrix_of(slices: list[Any]) -> LatencyMatrix:
    (only,) = results(run(0), histogram=histogram("r0", slices))
    assert only.matrix is not None
    return only.matrix


class TestBlocks:
    @pytest.mark.parametrize("n", [100, 400, 2000])
    @pytest.mark.parametrize("kept", [0.3, 0.7, 0.9])
    def test_their_length_is_that_of_patton_politis_and_white(self, n: int, kept: float) -> None:
        from arch.bootstrap import optimal_block_length  # takes seconds to import

        series = autoregressive(n, kept)
        expected = float(optimal_block_length(series)["circular"].iloc[0])
        assert block_length(series) == pytest.approx(max(expected, 1), rel=0.02)

    def test_a_constant_series_needs_none(self) -> None:
        assert block_length(np.ones(50)) == 1

    def test_redrawn_means_spread_as_those_of_another_implementation(self) -> None:
        from arch.bootstrap import CircularBlockBootstrap

        series = autoregressive(200, 0.6)
        ours = drawn(200, 12, draws=4000, seed=1) @ series / 200
        theirs = CircularBlockBootstrap(12, series, seed=2).apply(np.mean, 4000).ravel()
        assert ours.mean() == pytest.approx(theirs.mean(), abs=0.02)
        assert ours.std() == pytest.approx(theirs.std(), rel=0.06)

    def test_each_draw_has_as_many_slices_as_the_run(self) -> None:
        assert set(drawn(37, 5, draws=50, seed=0).sum(axis=1)) == {37}


class TestMatrix:
    def test_a_quantile_of_counts_is_near_that_of_the_requests(self) -> None:
        latencies = np.random.default_rng(8).lognormal(-4, 0.5, 5000)
        matrix = matrix_of([latencies])
        wanted = np.array([0.01, 0.5, 0.9, 0.99, 0.999])
        from_counts = quantiles(matrix.counts, matrix.bins_s, wanted)[0]
        exact = np.quantile(latencies, wanted, method="inverted_cdf")
        assert from_counts == pytest.approx(exact, rel=1 / 64)

    def test_many_slices_are_merged_without_losing_a_request(self) -> None:
        matrix = matrix_of(steady(0.01, seconds=50))
        fewer = matrix.at_most(30)
        assert (len(matrix), len(fewer), fewer.length_s) == (100, 25, 2.0)
        assert fewer.counts.sum(axis=0).tolist() == matrix.counts.sum(axis=0).tolist()

    def test_without_slices_there_is_none(self) -> None:
        rows = histogram("r0", [[0.1]])
        whole = [row | {"slice_start_s": None, "slice_s": None} for row in rows]
        (only,) = results(run(0), histogram=whole)
        assert only.counts.cells is not None
        assert only.matrix is None


class TestBand:
    def test_two_single_runs_have_one_and_never_a_verdict(self) -> None:
        listed = effects(sliced(steady(0.010), steady(0.020, seed=2)))
        assert {effect.metric.name for effect in listed} == {"throughput", "p50", "p99"}
        for effect in listed:
            assert (effect.verdict, effect.more_runs) == ("not-tested", None)
            assert effect.interval is not None
            assert effect.ratio is not None
            assert effect.interval.low <= effect.ratio <= effect.interval.high
            assert "describes these two runs only" in effect.reason
        p50 = next(effect for effect in listed if effect.metric.name == "p50")
        assert p50.interval is not None
        assert p50.interval.low > 1.5

    def test_means_and_rates_are_redrawn_too(self) -> None:
        runs = sliced(steady(0.010), steady(0.020, seed=2))
        more = Results(
            each.with_columns(latency_mean_s=mean_s, goodput_rps=each.get("throughput_rps"))
            for each, mean_s in zip(runs, (0.010, 0.020), strict=True)
        )
        bands = {effect.metric.name: effect.interval for effect in effects(more)}
        assert {name for name, band in bands.items() if band} == {
            *("throughput", "goodput", "mean", "p50", "p99"),
        }

    def test_beside_two_runs_a_single_one_has_none(self) -> None:
        rows = [run(n, variant="abb"[n], latency_p99_s=0.01 + n / 1e3) for n in range(3)]
        (effect,) = effects(results(*rows))
        assert effect.reason.startswith("one run on a side: nothing is tested")

    def test_it_is_the_same_each_time(self) -> None:
        runs = sliced(steady(0.01), steady(0.011, seed=2))
        assert effects(runs) == effects(runs)

    def test_two_runs_of_equal_course_are_drawn_apart(self) -> None:
        course = steady(0.01)
        (effect,) = effects(sliced(course, course), metrics=("p99",))
        assert effect.ratio == 1
        assert effect.interval is not None
        assert effect.interval.low < 1 < effect.interval.high

    def test_it_is_turned_round_with_the_baseline(self) -> None:
        runs = sliced(steady(0.01), steady(0.011, seed=2))
        for there, back in zip(effects(runs), effects(runs, baseline="b"), strict=True):
            assert there.interval is not None
            assert back.interval is not None
            assert back.interval.low == pytest.approx(1 / there.interval.high, rel=1e-3)
            assert back.interval.high == pytest.approx(1 / there.interval.low, rel=1e-3)

    def test_a_run_of_a_few_slices_has_none(self) -> None:
        few = sliced(steady(0.01, seconds=5), steady(0.02, seconds=5))
        assert {effect.interval for effect in effects(few)} == {None}

    def test_within_a_steady_run_it_covers_the_median(self) -> None:
        inside = 0
        for seed in range(40):
            rng = np.random.default_rng(seed)
            matrix = matrix_of([rng.lognormal(-4.6, 0.3, 60) for _ in range(60)])
            medians = Draws(matrix, draws=200).quantiles(np.array([0.5]))[:, 0]
            low, high = np.quantile(medians, [0.025, 0.975])
            inside += low <= np.exp(-4.6) <= high
        assert inside >= 33


class TestShift:
    def test_a_constant_delay_shows_at_each_quantile(self) -> None:
        base, later = sliced(steady(0.010), [part + 0.005 for part in steady(0.010, seed=2)])
        shifts = shift_function(base, later)
        assert [shift.quantile for shift in shifts] == [
            *(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)
        ]
        for shift in shifts[:9]:
            assert shift.low_s is not None
            assert shift.high_s is not None
            assert 0 < shift.low_s <= 0.005 <= shift.high_s

    def test_the_band_covers_all_quantiles_at_once(self) -> None:
        shifts = shift_function(*sliced(steady(0.01), steady(0.01, seed=2)))
        assert all((shift.low_s or 0) <= 0 <= (shift.high_s or 0) for shift in shifts)

    def test_a_notebook_asks_by_run_or_label(self) -> None:
        made = sliced(steady(0.01), [part + 0.005 for part in steady(0.01, seed=2)])
        label = made.runs["label"].iloc[1]
        frame = made.shift("r0", label)
        assert frame["difference_s"].between(0.004, 0.006).head(9).all()
        assert (frame["low_s"] <= frame["difference_s"]).all()
        assert made.shift("r0", "r0")["difference_s"].eq(0).all()
        with pytest.raises(UsageError, match="no run 'r9'"):
            made.shift("r0", "r9")
        assert len(results(run(0), run(1)).shift("r0", "r1")) == 0

    def test_it_ends_where_the_requests_do(self) -> None:
        few = steady(0.01, seconds=1, per_slice=30)
        last = shift_function(*sliced(few, few))[-1]
        assert (last.quantile, last.low_s) == (0.95, None)

    def test_without_slices_there_is_none(self) -> None:
        assert shift_function(*results(run(0), run(1))) == []


class TestTrim:
    def test_a_slow_start_is_left_out(self) -> None:
        start = [np.full(100, 0.5)] * 10
        whole = sliced([*start, *[np.full(100, 0.010)] * 50], [np.full(100, 0.01)] * 60)
        runs, cuts = trimmed(whole, 5)
        assert cuts == {"r0": 5.0, "r1": 5.0}
        first = runs[0]
        assert first.get("latency_p99_s") == pytest.approx(0.010, rel=1 / 64)
        assert (first.get("requests"), first.get("success_ratio")) == (5000, 1)
        assert first.get("throughput_rps") == pytest.approx(200)
        assert first.matrix is not None
        assert len(first.matrix) == 50
        (effect,) = effects(whole, metrics=("p99",), trim_start_s=5)
        assert effect.ratio == pytest.approx(1)
        assert "without the first 5 s of each run" in plain(effect.reason)

    def test_a_run_without_requests_cannot_be_trimmed(self) -> None:
        with pytest.raises(UsageError, match="only runs with a row per request"):
            trimmed(results(run(0)), 5)

    def test_a_cut_run_is_not_compared_with_a_whole_one(self) -> None:
        rows = [run(n, variant="ab"[n], latency_p50_s=0.01) for n in range(2)]
        bins = histogram("r0", [np.full(100, 0.01)] * 60)
        (effect,) = effects(results(*rows, histogram=bins), metrics=("p50",), trim_start_s=5)
        assert effect.ratio is None
        assert "only some of these runs could be trimmed" in effect.reason

    def test_a_cut_that_leaves_nothing_is_refused(self) -> None:
        with pytest.raises(UsageError, match="without its first 60 s nothing is left of run 0"):
            trimmed(sliced(steady(0.01)), 60)


def test_what_is_cut_off_begins_at_the_first_request(tmp_path: Path) -> None:
    """A time slice of a long run begins up to its length before the first request."""
    head = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes\n"
    for variant, first_ms in (("a", 1_700_000_000_000), ("b", 1_700_000_003_900)):
        rows = (
            f"{first_ms + 100 * n},{900 if n < 40 else 20},GET /,200,OK,u 1-{n % 9},true,9\n"
            for n in range(3000)
        )
        (tmp_path / f"{variant}.jtl").write_text(head + "".join(rows))
    runs, cuts = trimmed(benchkit.load(tmp_path)._runs, 200)
    assert sorted(cuts.values()) == [pytest.approx(200), pytest.approx(200.1)]
    for run_ in runs:
        assert run_.get("throughput_rps") == pytest.approx(10, rel=0.01)


def test_what_is_cut_still_withholds_what_the_timeout_cut_off(tmp_path: Path) -> None:
    late = "0,2000000000,0,0,context deadline exceeded (Client.Timeout exceeded)"
    for variant, start_s in (("a", 1_700_000_000), ("b", 1_700_000_100)):
        rows = (
            f"{start_s * 10**9 + n * 10**7},{late if n % 33 == 0 else '200,10000000,0,9,'},,"
            f"{variant},{n},GET,http://h/,\n"
            for n in range(4000)
        )
        (tmp_path / f"{variant}.csv").write_text("".join(rows))
    loaded = benchkit.load(tmp_path)
    for cut_s in (0, 5):
        (change,) = loaded.compare(metric="p99", trim_start=cut_s).to_dict("records")
        assert pd.isna(change["ratio"])
        assert "had no answer before the timeout" in plain(change["reason"])
