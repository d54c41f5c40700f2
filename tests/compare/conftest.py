from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from benchkit.results import Results

#: `repeated({"a": {"throughput_rps": [1, 2, 3]}}, tool="ab")` makes the runs of each variant.
Repeated = Callable[..., Results]


def run_row(number: int, **columns: object) -> dict[str, Any]:
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


@pytest.fixture
def repeated() -> Repeated:
    def make(
        variants: Mapping[str, Mapping[str, Sequence[float | None]]], **columns: object
    ) -> Results:
        rows: list[dict[str, Any]] = []
        for variant, metrics in variants.items():
            for place in range(len(next(iter(metrics.values())))):
                measured = {name: values[place] for name, values in metrics.items()}
                more = {"variant": variant, "repeat": place + 1} | columns | measured
                rows.append(run_row(len(rows), **more))
        return Results.of({"runs": rows})

    return make


@pytest.fixture
def row() -> Callable[..., dict[str, Any]]:
    return run_row
