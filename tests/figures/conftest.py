"""The fixtures of the page are those of the figures too, and sweeps and repeated runs."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from benchkit.api import Results
from tests.report.conftest import SAMPLES

identity, together = SAMPLES["identity"], SAMPLES["together"]
pair_rows, summary_rows = SAMPLES["pair_rows"], SAMPLES["summary_rows"]
request_rows = SAMPLES["request_rows"]

#: Per variant: at which level its throughput stops growing, and its throughput per connection.
Variants = Mapping[str, tuple[float, float]]
Sweeps = Callable[..., Results]


@pytest.fixture
def pair() -> Results:
    return Results.from_tables(pair_rows())


@pytest.fixture
def summaries() -> Results:
    return Results.from_tables(summary_rows())


@pytest.fixture
def known() -> Results:
    return Results.from_tables(request_rows())


@pytest.fixture
def everything() -> Results:
    return Results.from_tables(
        together(pair_rows(), summary_rows(), request_rows(), {"files": SAMPLES["FILES"]})
    )


def sweep_of(
    variants: Variants,
    *,
    levels: Sequence[int] = (10, 50, 100, 200),
    repeats: int = 3,
    rest: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    spread: float = 0.02,
) -> Results:
    """Runs whose throughput grows in proportion up to a level, with samples of their server.

    `rest` holds further params per variant, each with a sweep of its own.
    """
    runs, resources = [], []
    for variant, (full, each) in variants.items():
        for params in (rest or {}).get(variant, [{}]):
            for level in levels:
                for number in range(1, repeats + 1):
                    noise = 1 + spread * (number - (repeats + 1) / 2)
                    rate = each * min(level, full) * noise
                    run_id = f"{variant} {params} {level} {number}"
                    runs.append(
                        identity(run_id, "load", variant, "wrk")
                        | {"label": run_id, "repeat": number, "load_model": "closed"}
                        | {"params": _json({**params, "concurrency": level})}
                        | {"throughput_rps": rate, "requests": 1000, "success_ratio": 1.0}
                        | {"latency_p50_s": level / rate, "latency_p99_s": 4 * level / rate}
                    )
                    for process, load in (("server", rate / 1e4), ("wrk", 1.0)):
                        resources += [
                            {"run_id": run_id, "elapsed_s": second, "process": process}
                            | {"cpu_ratio": load, "rss_bytes": 1_000_000 * level + second}
                            for second in (1.0, 2.0)
                        ]
    return Results.from_tables({"runs": runs, "resources": resources})


def _json(params: Mapping[str, Any]) -> str:
    import json

    return json.dumps(params)


@pytest.fixture
def sweep_results() -> Sweeps:
    return sweep_of


@pytest.fixture
def repeated_runs() -> Callable[..., Results]:
    """Runs of several variants; `minutes` are when they began, in order of variant and number."""

    def make(values: Mapping[str, Sequence[float]], minutes: Sequence[int] = ()) -> Results:
        runs = []
        for variant, p99s in values.items():
            for number, p99 in enumerate(p99s, 1):
                run_id = f"{variant}{number}"
                runs.append(
                    identity(run_id, "runs", variant, "wrk")
                    | {"label": run_id, "repeat": number, "throughput_rps": 10 / p99}
                    | {"latency_p50_s": p99 / math.e, "latency_p99_s": p99}
                )
        for run, minute in zip(runs, minutes, strict=False):
            run["started_at"] = f"2024-01-01T00:{minute:02}:00Z"
        return Results.from_tables({"runs": runs})

    return make
