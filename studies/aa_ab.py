"""How often benchkit is wrong, and how often it finds what is there.

    python studies/aa_ab.py simulate [--sets N] [--plot FILE]
    python studies/aa_ab.py record FOLDER --vegeta PATH --url URL [--sets N]
    python studies/aa_ab.py evaluate FOLDER

`simulate` makes repeated runs whose requests resemble their neighbours and whose runs differ as
real ones do, and judges them as `benchkit compare` would. `record` repeats an unchanged server,
`evaluate` judges such a folder (set/variant/repeat) and says what two usual tests say about it.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchkit.compare import ranksum
from benchkit.compare.estimate import estimate
from benchkit.compare.inference import infer
from benchkit.compare.power import POWER, runs_for_effect
from benchkit.compare.rows import Row
from benchkit.compare.verdicts import MARGIN, Question, judge
from benchkit.results import Results

Floats = npt.NDArray[np.float64]

#: As measured on an unchanged server: spread of the logarithms from run to run.
SPREAD_P50 = 0.017
SPREAD_P99 = 0.236
REQUESTS = 1600
RUNS = 8
CONNECTIONS = 16
WRONG = {"faster", "slower"}


# --- simulated runs ---


def requests_of_runs(runs: int, rng: np.random.Generator) -> Floats:
    """Return latencies in s (runs × requests): autocorrelated, each run with its own level.

    A Gaussian process with a lag-1 correlation of 0.20 to 0.54 decides how slow a request is;
    each run has its own level and its own tail.
    """
    kept = rng.uniform(0.20, 0.54, runs)
    noise = rng.standard_normal((REQUESTS, runs))
    latent = np.empty_like(noise)
    latent[0] = noise[0]
    for now in range(1, REQUESTS):
        latent[now] = kept * latent[now - 1] + np.sqrt(1 - kept**2) * noise[now]
    level = rng.normal(0, SPREAD_P50 * 0.95, runs)
    tail = rng.normal(1.6, 0.27, runs)
    excess = np.maximum(latent - 1.645, 0)
    return np.asarray((0.010 * np.exp(level + 0.15 * latent + tail * excess)).T)


def metrics_of(latencies: Floats) -> dict[str, Floats]:
    """Return what a closed-loop tool would print of each run."""
    p50, p99 = np.quantile(latencies, [0.5, 0.99], axis=1)
    throughput = CONNECTIONS / latencies.mean(axis=1)
    return {"throughput_rps": throughput, "latency_p50_s": p50, "latency_p99_s": p99}


def results_of(scenarios: Sequence[Mapping[str, tuple[Floats, Floats]]]) -> Results:
    """Return results with a scenario per set; per metric the runs of variants a and b."""
    rows = []
    for number, metrics in enumerate(scenarios):
        for side, variant in enumerate("ab"):
            runs = len(next(iter(metrics.values()))[side])
            rows += [
                _row(f"set {number}", variant, place)
                | {name: float(values[side][place]) for name, values in metrics.items()}
                for place in range(runs)
            ]
    return Results.of({"runs": rows})


def _row(scenario: str, variant: str, place: int) -> dict[str, Any]:
    name = f"{scenario} {variant} {place}"
    return {
        "run_id": name,
        "label": name,
        "scenario": scenario,
        "variant": variant,
        "repeat": place + 1,
        "tool": "simulated",
        "format": "simulated",
        "source": name,
        "sha256": "",
        "load_model": "closed",
    }


def aa_sets(sets: int, rng: np.random.Generator) -> Iterator[dict[str, tuple[Floats, Floats]]]:
    """Yield sets of 8 against 8 runs of one and the same thing."""
    for _ in range(sets):
        found = metrics_of(requests_of_runs(2 * RUNS, rng))
        yield {name: (values[:RUNS], values[RUNS:]) for name, values in found.items()}


def ab_sets(
    sets: int, rng: np.random.Generator, *, spread: float, effect: float
) -> Iterator[dict[str, tuple[Floats, Floats]]]:
    """Yield sets of 8 against 8 runs, the second better by `effect` in every metric."""
    better = {"throughput_rps": 1 + effect, "latency_p50_s": 1 / (1 + effect)}
    better["latency_p99_s"] = better["latency_p50_s"]
    for _ in range(sets):
        noise = {name: np.exp(rng.normal(0, spread, 2 * RUNS)) for name in better}
        yield {name: (noise[name][:RUNS], noise[name][RUNS:] * by) for name, by in better.items()}


def verdicts_by_set(results: Results) -> dict[str, list[Row]]:
    """Return the tested rows of each set."""
    found: dict[str, list[Row]] = {}
    for row in infer(results):
        if row.verdict != "not-tested":
            found.setdefault(str(row.scenario), []).append(row)
    return found


def false_verdicts(sets: int, seed: int = 1) -> tuple[int, dict[str, float]]:
    """Return in how many A/A sets anything was called faster or slower, and the run-to-run CVs."""
    rng = np.random.default_rng(seed)
    made = list(aa_sets(sets, rng))
    judged = verdicts_by_set(results_of(made))
    wrong = sum(any(row.verdict in WRONG for row in rows) for rows in judged.values())
    spreads = {
        name: float(np.mean([np.log(one[name][0]).std(ddof=1) for one in made])) for name in made[0]
    }
    return wrong, spreads


def called(sets: int, *, spread: float, effect: float, seed: int = 2) -> dict[str, float]:
    """Return the share of A/B sets in which each metric was called faster."""
    rng = np.random.default_rng(seed)
    judged = verdicts_by_set(results_of(list(ab_sets(sets, rng, spread=spread, effect=effect))))
    names = [row.metric for row in next(iter(judged.values()))]
    return {
        name: sum(
            row.verdict == "faster"
            for rows in judged.values()
            for row in rows
            if row.metric == name
        )
        / sets
        for name in names
    }


def coverage(
    runs: int, sets: int, *, shape: str, seed: int = 3, truth: float = 1.1
) -> tuple[float, float]:
    """Return how often the unadjusted interval covers the true ratio, and its attained level."""
    rng = np.random.default_rng(seed)
    inside, level = 0, 0.0
    for _ in range(sets):
        x, y = (_noise(rng, shape, runs) for _ in "ab")
        found = estimate(np.exp(x), truth * np.exp(y), paired=False).interval
        inside += found.low <= truth <= found.high
        level = found.confidence
    return inside / sets, level


def _noise(rng: np.random.Generator, shape: str, runs: int) -> Floats:
    if shape == "normal":
        return rng.normal(0, 0.02, runs)
    if shape == "heavy tails":
        return np.asarray(0.02 * rng.standard_t(2, runs))
    return np.log(metrics_of(requests_of_runs(runs, rng))["latency_p99_s"])


def power(runs: int, sets: int, *, spread: float, effect: float, seed: int = 4) -> float:
    """Return the share of sets in which throughput is called faster, among three tests."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(sets):
        family = []
        for number in range(3):
            x, y = np.exp(rng.normal(0, spread, (2, runs)))
            better = y * (1 + effect) if number == 0 else y / (1 + effect)
            made = estimate(x, better, paired=False)
            family.append(Question(made, number == 0, (runs, runs)))
        found += judge(family)[0].verdict == "faster"
    return found / sets


COUNTS = (4, 5, 6, 7, 8, 10, 12, 16, 20, 30)
EFFECTS = (0.05, 0.10, 0.20)
SPREADS = (0.02, 0.05, 0.10)


def simulate(sets: int, plot: Path | None) -> None:
    """Print the figures of the documentation."""
    wrong, spreads = false_verdicts(sets)
    shown = ", ".join(f"{name} {100 * value:.1f} %" for name, value in spreads.items())
    print(f"A/A: {wrong} of {sets} sets with a false verdict; run-to-run spread: {shown}")
    for spread, effect in ((0.02, 0.10), (0.02, 0.05), (0.05, 0.10)):
        shares = called(sets, spread=spread, effect=effect)
        shown = ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())
        print(f"A/B: spread {spread:.0%}, effect {effect:+.0%}: called faster: {shown}")
    for shape in ("normal", "heavy tails", "simulated p99"):
        for runs in (8, 10, 20):
            sample = sets * 5 if shape != "simulated p99" else max(sets // 2, 50)
            inside, level = coverage(runs, sample, shape=shape)
            print(f"coverage: {shape}, {runs} runs: {100 * inside:.1f} % of {100 * level:.1f} %")
    curves = _power_table(sets)
    if plot:
        _plot(curves, plot)


def _power_table(sets: int) -> dict[tuple[float, float], list[float]]:
    print("power | " + " | ".join(map(str, COUNTS)) + " | formula")
    curves = {}
    for spread in SPREADS:
        for effect in EFFECTS:
            curve = [power(runs, sets, spread=spread, effect=effect) for runs in COUNTS]
            curves[spread, effect] = curve
            needed = runs_for_effect(effect, margin=MARGIN, deviation=spread, tests=3)
            reached = power(needed, sets, spread=spread, effect=effect) if needed else math.nan
            cells = " | ".join(f"{100 * share:.0f}" for share in curve)
            print(
                f"spread {spread:.0%}, effect {effect:.0%} | {cells} | "
                f"{needed} runs for {POWER:.0%}: {100 * reached:.0f}"
            )
    return curves


def _plot(curves: Mapping[tuple[float, float], Sequence[float]], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams |= {"svg.hashsalt": "benchkit", "svg.fonttype": "none"}
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(
        1, len(SPREADS), figsize=(9, 3.2), sharey=True, layout="constrained"
    )
    styles = (("#c2410c", "s"), ("#1f6fb4", "D"), ("#009e73", "^"))
    for ax, spread in zip(axes, SPREADS, strict=True):
        for effect, (colour, mark) in zip(EFFECTS, styles, strict=True):
            shares = [100 * share for share in curves[spread, effect]]
            ax.plot(COUNTS, shares, color=colour, marker=mark, markersize=4)
        ax.axhline(80, color="#c9ced6", linewidth=1, zorder=0)
        ax.set_title(f"runs vary by {spread:.0%}", loc="left")
        ax.set_xlabel("runs of each variant")
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("called faster, %")
    # The ends of the last panel are far enough apart to name every line there.
    for effect, (colour, _) in zip(EFFECTS, styles, strict=True):
        end = (COUNTS[-1], 100 * curves[SPREADS[-1], effect][-1])
        axes[-1].annotate(f"{effect:+.0%}", end, (6, -4), textcoords="offset points", color=colour)
    axes[-1].set_xlim(right=36)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


# --- real runs of one unchanged server ---


def record(folder: Path, *, vegeta: str, url: str, sets: int, rate: int) -> None:
    """Record sets of 8 against 8 runs of one second, one of each in turn."""
    for number in range(1, sets + 1):
        started = time.monotonic()
        for repeat in range(1, RUNS + 1):
            for variant in "ab" if repeat % 2 else "ba":
                target = folder / f"set-{number:02d}" / variant / str(repeat)
                target.mkdir(parents=True, exist_ok=True)
                if (target / "result.gob").exists():
                    continue
                command = [vegeta, "attack", f"-rate={rate}", "-duration=1s", "-workers=16"]
                command += ["-max-workers=16", f"-output={target / 'result.gob'}"]
                about = {
                    "load_model": "open",
                    "offered_rate_rps": rate,
                    "command": " ".join(command),
                }
                (target / "meta.json").write_text(json.dumps(about), encoding="utf-8")
                subprocess.run(command, input=f"GET {url}\n".encode(), check=True, timeout=30)
        print(f"set {number} of {sets}: {time.monotonic() - started:.0f} s", flush=True)


def evaluate(folder: Path) -> None:
    """Print false verdicts of benchkit and of two usual tests over sets of equal runs."""
    import benchkit

    results = benchkit.load([str(folder)])
    judged = verdicts_by_set(results)
    wrong = {name: [r for r in rows if r.verdict in WRONG] for name, rows in judged.items()}
    count = sum(bool(rows) for rows in wrong.values())
    print(f"benchkit: {count} of {len(judged)} sets with a false verdict")
    for name, rows in wrong.items():
        for row in rows:
            print(f"  {name}: {row.metric} {row.verdict}, ratio {row.ratio:.3f}: {row.reason}")
    tally: dict[str, int] = {}
    for rows in judged.values():
        for row in rows:
            key = f"{row.metric} {row.verdict}"
            tally[key] = tally.get(key, 0) + 1
    print("  " + ", ".join(f"{key} {count}" for key, count in sorted(tally.items())))
    _others(results)


def _others(results: Results) -> None:
    pairs = {"welch": 0, "mann-whitney": 0, "all": 0}
    sets: dict[str, set[str]] = {"welch": set(), "mann-whitney": set(), "all": set()}
    p50: list[float] = []
    p99: list[float] = []
    for scenario, runs in results.runs.groupby("scenario"):
        by_repeat = dict(list(runs.groupby("repeat")))
        sides = [
            np.log(part[["latency_p50_s", "latency_p99_s"]].to_numpy(float)).std(0, ddof=1)
            for _, part in runs.groupby("variant")
        ]
        p50 += [side[0] for side in sides]
        p99 += [side[1] for side in sides]
        for pair in by_repeat.values():
            a, b = pair.sort_values("variant")["run_id"]
            x, y = (results.requests(one)["latency_s"].to_numpy(float) for one in (a, b))
            found = {"welch": _welch(x, y), "mann-whitney": ranksum.p_value(x, y), "all": 0.0}
            for name, p_value in found.items():
                pairs[name] += p_value < 0.05
                if p_value < 0.05:
                    sets[name].add(str(scenario))
    print(f"spread from run to run: p50 {np.mean(p50):.1%}, p99 {np.mean(p99):.1%}")
    for name in ("welch", "mann-whitney"):
        print(
            f"{name} over requests, p < .05: {pairs[name]} of {pairs['all']} pairs of runs; "
            f"in {len(sets[name])} of {len(sets['all'])} sets at least one"
        )


def _welch(x: Floats, y: Floats) -> float:
    """Return the p-value from mean, standard deviation and number of requests alone."""
    squares = x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y)
    # With thousands of requests the t distribution is the normal one.
    return math.erfc(abs(x.mean() - y.mean()) / math.sqrt(2 * squares))


def main(arguments: Sequence[str]) -> None:
    """Run one part of the study."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parts = parser.add_subparsers(dest="part", required=True)
    one = parts.add_parser("simulate")
    one.add_argument("--sets", type=int, default=1000)
    one.add_argument("--plot", type=Path)
    one = parts.add_parser("record")
    one.add_argument("folder", type=Path)
    one.add_argument("--vegeta", default="vegeta")
    one.add_argument("--url", required=True)
    one.add_argument("--sets", type=int, default=40)
    one.add_argument("--rate", type=int, default=1000)
    one = parts.add_parser("evaluate")
    one.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    if asked.part == "simulate":
        simulate(asked.sets, asked.plot)
    elif asked.part == "record":
        record(asked.folder, vegeta=asked.vegeta, url=asked.url, sets=asked.sets, rate=asked.rate)
    else:
        evaluate(asked.folder)


if __name__ == "__main__":
    main(sys.argv[1:])
