"""Results of grids and of requests over time that tests of figures share."""

from __future__ import annotations

import json
from typing import Any

from benchkit.api import Results
from tests.report.conftest import SAMPLES

identity = SAMPLES["identity"]


def grid(
    rates: dict[tuple[str, str], float], *, factor: str = "sink", load: str = "closed"
) -> Results:
    """A run per variant and level of a param, with its throughput; p99 is 20 over it."""
    runs = [
        identity(f"r{n}", "logging", variant, "autocannon")
        | {"label": f"logging/{variant}/{level}", "params": json.dumps({factor: level})}
        | {"throughput_rps": rate, "latency_p99_s": 20 / rate, "requests": 9000}
        | {"load_model": load, "connections": 10}
        for n, ((variant, level), rate) in enumerate(rates.items())
    ]
    return Results.from_tables({"runs": runs})


def over_time(
    slices: list[list[tuple[float, int]]],
    *,
    length: float = 0.5,
    variants: tuple[str, ...] = ("a",),
    failed: dict[int, int] | None = None,
    resolution_s: float = 1e-9,
) -> Results:
    """A run per variant: of each slice the latencies in s with the number of requests."""
    runs: list[dict[str, Any]] = []
    histogram: list[dict[str, Any]] = []
    for variant in variants:
        count = sum(n for cells in slices for _, n in cells)
        runs.append(
            identity(variant, "servers", variant, "vegeta")
            | {"requests": count, "load_model": "open", "resolution_s": resolution_s}
            | {"latency_p99_s": max(s for cells in slices for s, _ in cells)}
        )
        for number, cells in enumerate(slices):
            base = {"run_id": variant, "slice_start_s": number * length, "slice_s": length}
            for latency, n in cells:
                bounds = {"latency_low_s": latency, "latency_high_s": latency * 1.01}
                bad = (failed or {}).get(number, 0)
                outcomes = (("success", n - bad), ("http-error", bad))
                histogram += [
                    base | bounds | {"outcome": outcome, "count": c} for outcome, c in outcomes if c
                ]
    return Results.from_tables({"runs": runs, "histogram": histogram})
