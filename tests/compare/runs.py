"""Runs written down in a line, and what a comparison says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchkit.api import Results
from benchkit.compare.assess import Options, assess
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.run import Run

Rows = list[dict[str, Any]]

#: Factors of eight runs that differ by at most 1 %.
NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.002, 0.998, 1.001)


def run(number: int, /, **columns: Any) -> dict[str, Any]:  # noqa: ANN401 - cells of any kind
    """A row of `runs`: of a closed loop with wrk, of variant a, unless `columns` say otherwise."""
    return {
        "run_id": f"r{number}",
        "label": f"run {number}",
        "scenario": "s",
        "variant": "a",
        "tool": "wrk",
        "format": "wrk-text",
        "source": f"{number}.txt",
        "sha256": "0" * 64,
        "load_model": "closed",
    } | columns


def results(*rows: Mapping[str, Any], **tables: Iterable[Mapping[str, Any]]) -> Results:
    """Runs from rows of `runs` and of other tables."""
    return Results.from_tables({"runs": rows, **tables})


def repeated(
    variants: Mapping[str, Mapping[str, Sequence[Any]]],
    **columns: Any,  # noqa: ANN401 - cells of any kind
) -> Results:
    """The runs of each variant from a list per column; `columns` are of all runs."""
    return results(*repeated_rows(variants, **columns))


def repeated_rows(
    variants: Mapping[str, Mapping[str, Sequence[Any]]],
    **columns: Any,  # noqa: ANN401 - cells of any kind
) -> Rows:
    """The same as rows."""
    rows: Rows = []
    for variant, metrics in variants.items():
        for at in range(len(next(iter(metrics.values())))):
            measured = {name: values[at] for name, values in metrics.items()}
            more = {"variant": variant, "repeat": at + 1} | columns | measured
            rows.append(run(len(rows), **more))
    return rows


def interleaved(
    variants: Mapping[str, Mapping[str, Sequence[Any]]],
    **columns: Any,  # noqa: ANN401 - cells of any kind
) -> Results:
    """The same, the variants in turn, ten seconds apart."""
    rows = repeated_rows(variants, **columns)
    order = sorted(rows, key=lambda row: row["repeat"])
    began = np.datetime64("2026-01-01T00:00:00", "ns")
    for at, row in enumerate(order):
        row["started_at"] = began + np.timedelta64(10 * at, "s")
    return results(*rows)


def spread(middle: float, deviation: float, *, runs: int = 8, seed: int = 1) -> list[float]:
    """Values of runs around a middle, log-normal."""
    rng = np.random.default_rng(seed)
    return [float(middle * np.exp(x)) for x in rng.normal(0, deviation, runs)]


def four_metrics(factor: float = 1.0, runs: int = 8) -> dict[str, list[Any]]:
    """Throughput, p50, p95 and p99 of a variant that is better by a factor."""
    return {
        "throughput_rps": [1000 * factor * noise for noise in NOISE[:runs]],
        "latency_p50_s": [0.01 / factor * noise for noise in NOISE[:runs]],
        "latency_p95_s": [0.02 / factor * noise for noise in NOISE[:runs]],
        "latency_p99_s": [0.05 / factor * noise for noise in NOISE[:runs]],
    }


def compared(runs: Iterable[Run], **asked: Any) -> Comparison:  # noqa: ANN401 - of `assess`
    """The comparison of runs that are all of one scenario, tool and setting."""
    (comparison,) = assess(runs, **asked).comparisons
    return comparison


def effects(
    runs: Iterable[Run],
    *,
    baseline: str | None = None,
    **options: Any,  # noqa: ANN401 - of `Options`
) -> tuple[Effect, ...]:
    """All effects, those of sweeps too."""
    return assess(runs, baseline=baseline, options=Options(**options)).effects


def by_metric(
    runs: Iterable[Run],
    **asked: Any,  # noqa: ANN401 - of `effects`
) -> dict[str, Effect]:
    """The effects of the only variant that is compared, by the name of the metric."""
    listed = effects(runs, **asked)
    assert len({effect.variant for effect in listed}) == 1
    return {effect.metric.name: effect for effect in listed}


def plain(text: str) -> str:
    """Text with ordinary spaces."""
    return text.replace("\u00a0", " ")
