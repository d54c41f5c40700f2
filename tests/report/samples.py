"""Results that the tests of figures and page share, with numbers of published benchmarks."""

from __future__ import annotations

import random
from typing import Any

from benchkit.api import Results

PRINTED = {
    "without": {0.5: 0.055, 0.66: 0.084, 0.75: 0.093, 0.9: 0.122, 0.95: 1.063, 0.99: 3.497},
    "with": {0.5: 0.027, 0.66: 0.035, 0.75: 0.039, 0.9: 0.05, 0.95: 0.057, 0.99: 0.074},
}
COLUMNS = {0.5: "p50", 0.75: "p75", 0.9: "p90", 0.95: "p95", 0.99: "p99"}


def pair_rows() -> dict[str, list[dict[str, Any]]]:
    """Two ab runs: one run a side, percentiles printed up to p99, a maximum."""
    facts = {
        "without": {"throughput_rps": 3176.16, "latency_max_s": 15.728, "non2xx": 1591},
        "with": {"throughput_rps": 32669.38, "latency_max_s": 1.093, "non2xx": 0},
    }
    runs, quantiles = [], []
    for name, printed in PRINTED.items():
        columns = {f"latency_{COLUMNS[q]}_s": s for q, s in printed.items() if q in COLUMNS}
        runs.append(
            identity(f"r-{name}", "messages", name, "ab")
            | {"requests": 50000, "errors": 0, "connections": 1000, "load_model": "closed"}
            | {"correction": "none", "resolution_s": 1e-3, "clock": "connect-to-last-byte"}
            | columns
            | facts[name]
        )
        quantiles += [
            {"run_id": f"r-{name}", "quantile": q, "latency_s": s, "origin": "printed"}
            for q, s in printed.items()
        ]
    figure = {"run_id": "r-with", "metric": "Document Length", "statistic": "value"}
    figures = [figure | {"value": 146.0, "unit": "B", "printed": "146 bytes"}]
    return {"runs": runs, "quantiles": quantiles, "figures": figures}


def identity(run_id: str, scenario: str, variant: str, tool: str) -> dict[str, Any]:
    """The columns that every run has."""
    return {
        "run_id": run_id,
        "scenario": scenario,
        "variant": variant,
        "label": f"{scenario}/{variant}",
        "tool": tool,
        "format": f"{tool}-text",
        "source": f"{scenario}.md",
        "sha256": "ab" * 32,
    }


def summary_rows() -> dict[str, list[dict[str, Any]]]:
    """Three wrk runs without percentiles: throughput, mean and maximum only."""
    numbers = {
        "gateway": (32213.38, 0.00661, 0.00471, 0.04959),
        "zuul": (20800.13, 0.01256, 0.01335, 0.19511),
        "none": (116841.15, 0.00209, 0.00207, 0.02837),
    }
    names = ("throughput_rps", "latency_mean_s", "latency_std_s", "latency_max_s")
    return {
        "runs": [
            identity(f"r-{name}", "proxies", name, "wrk")
            | dict(zip(names, values, strict=True))
            | {"requests": 900000, "load_model": "closed", "correction": "backfilled"}
            for name, values in numbers.items()
        ]
    }


def request_rows() -> dict[str, list[dict[str, Any]]]:
    """Three runs each of two variants with every request known, and one printed summary."""
    runs, histogram = [], []
    for variant, slower in (("a", 1.0), ("b", 1.3)):
        for number in range(3):
            run_id = f"{variant}{number}"
            runs.append(
                identity(run_id, "servers", variant, "vegeta")
                | {"label": f"servers/{variant}/{number}", "repeat": number + 1}
                | {"requests": 1000, "latency_max_s": 0.05, "latency_min_s": 0.001 * slower}
            )
            for step in range(20):
                low = 0.001 * slower * 1.2**step
                count = {"latency_low_s": low, "latency_high_s": low * 1.001, "count": 50}
                histogram.append({"run_id": run_id, "outcome": "success"} | count)
    statuses = [{"run_id": run["run_id"], "status": 200, "count": 1000} for run in runs]
    return {"runs": runs, "histogram": histogram, "statuses": statuses}


def together(*parts: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Several groups of rows as one."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        for table, listed in part.items():
            rows.setdefault(table, []).extend(listed)
    return rows


def joined(*parts: dict[str, list[dict[str, Any]]]) -> Results:
    """Results of several groups of rows."""
    return Results.from_tables(together(*parts))


FILES = [
    {"source": "messages.md", "state": "read", "runs": 2, "format": "ab-text", "sha256": "ab" * 32},
    {"source": "half.bin", "state": "skipped", "message": "half.bin, byte 12: expected a record"},
    {"source": "notes.txt", "state": "foreign"},
]


Rows = dict[str, list[dict[str, Any]]]


def with_columns(rows: Rows, **columns: list[Any]) -> Rows:
    """Return rows with other columns of their runs, a value per run."""
    values = [dict(zip(columns, each, strict=True)) for each in zip(*columns.values(), strict=True)]
    runs = [run | own for run, own in zip(rows["runs"], values, strict=True)]
    return rows | {"runs": runs}


def repeated(**given: Any) -> Results:  # noqa: ANN401 - as for `repeated_rows`
    """Return the results of `repeated_rows`."""
    return Results.from_tables(repeated_rows(**given))


def repeated_rows(
    *,
    effect: float,
    runs: int = 8,
    requests: int = 200_000,
    non2xx: int = 0,
    errors: int = 0,
    seed: int = 3,
) -> Rows:
    """Runs of `old` and of `new`, which is faster by a factor; 2 % apart from run to run.

    Answers that are no success, given per run, are of `old` alone; errors are of both.
    """
    rng = random.Random(seed)  # noqa: S311 - a simulation
    rows: dict[str, list[dict[str, Any]]] = {"runs": [], "quantiles": []}
    for name, factor in (("old", 1.0), ("new", effect)):
        for number in range(runs):
            run_id = f"{name}{number}"
            places = {0.5: 0.010, 0.75: 0.013, 0.9: 0.020, 0.99: 0.050}
            printed = {q: s / factor * rng.lognormvariate(0, 0.02) for q, s in places.items()}
            throughput = 5000 * factor * rng.lognormvariate(0, 0.02)
            rows["runs"].append(
                identity(run_id, "checkout", name, "wrk")
                | {"label": f"checkout/{name}/{number + 1}", "repeat": number + 1}
                | {"source": f"checkout/{name}/{number + 1}/report.txt", "requests": requests}
                | {"errors": errors, "non2xx": non2xx if name == "old" else 0, "connections": 50}
                | {"success_ratio": 1 - (errors + (non2xx if name == "old" else 0)) / requests}
                | {"duration_s": requests / throughput, "load_model": "closed"}
                | {"throughput_rps": throughput, "clock": "send-to-last-byte"}
                | {"latency_mean_s": 0.0098 / factor * rng.lognormvariate(0, 0.02)}
                | {"latency_max_s": 0.4 / factor * rng.lognormvariate(0, 0.4)}
                | {f"latency_{COLUMNS[q]}_s": s for q, s in printed.items()}
            )
            rows["quantiles"] += [
                {"run_id": run_id, "quantile": q, "latency_s": s, "origin": "printed"}
                for q, s in printed.items()
            ]
    return rows
