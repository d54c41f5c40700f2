"""The figures that a scenario's README states are those of the sample results.

Between the marks stands a table that `--update-golden` writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import benchkit
from benchkit import format as show
from benchkit.api import Results

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"(?<=<!-- measured: begin -->\n).*?(?=<!-- measured: end -->)", re.DOTALL)


@dataclass(frozen=True)
class Column:
    """A column of a table: the median over the runs."""

    heading: str
    name: str
    write: Callable[[float], str]


@cache
def results(scenario: str) -> Results:
    """Return the sample results of a scenario."""
    return benchkit.load(ROOT / "examples" / "results" / scenario)


def runs(scenario: str) -> pd.DataFrame:
    """Return its runs with their params as columns; copies of the baseline are left out."""
    frame = results(scenario).runs
    params = pd.DataFrame([json.loads(text) for text in frame["params"].fillna("{}")])
    frame = pd.concat([frame, params.astype(object).where(params.notna(), "")], axis=1)
    return frame[frame["aa"] == ""] if "aa" in frame else frame


def table(headings: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return rows as Markdown, with room around."""
    lines = [" | ".join(headings), "|".join("---" for _ in headings), *map(" | ".join, rows)]
    return (
        "\n"
        + "".join(f"| {line} |\n" if "---" not in line else f"|{line}|\n" for line in lines)
        + "\n"
    )


def medians(
    scenario: str, by: Sequence[str], columns: Sequence[Column], order: Sequence[str]
) -> str:
    """Return a row per combination of `by`, the last of which is the variant."""
    frame = runs(scenario)

    def rows() -> Iterator[Sequence[str]]:
        keys = list(by)
        groups = dict(list(frame.groupby(keys, sort=True)))
        for key in sorted(groups, key=lambda key: (*key[:-1], order.index(key[-1]))):
            matches = groups[key]
            cells = [c.write(float(matches[c.name].median())) for c in columns]
            yield [*(show.clean(str(part)) for part in key), *cells]

    return table([*by[:-1], "", *(column.heading for column in columns)], rows())


def ratios(scenario: str, metrics: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the ratio of each metric with its interval, by the label of a variant."""
    rows = results(scenario).compare(metric=[name for name, _ in metrics])
    matches: dict[str, list[str]] = {}
    for row in rows[rows["metric"].isin([name for name, _ in metrics])].to_dict("records"):
        cell = "—"
        if pd.notna(row["ratio"]):
            cell = f"{show.fixed(row['ratio'], 2)}×"
            cell += f" ({show.fixed(row['ci_low'], 2)}–{show.fixed(row['ci_high'], 2)}×)"
        matches.setdefault(row["variant"], []).append(cell)
    return matches


RATE = Column("requests/s", "throughput_rps", lambda value: show.count(round(value)))
MEAN = Column("mean", "latency_mean_s", show.duration)
P50 = Column("p50", "latency_p50_s", show.duration)
P95 = Column("p95", "latency_p95_s", show.duration)
P99 = Column("p99", "latency_p99_s", show.duration)
SLOWEST = Column("slowest", "latency_max_s", show.duration)
SUCCESS = Column("succeeded", "success_ratio", show.share)


def gin_panic() -> str:
    order = ["default", "nolog", "recover"]
    return medians("gin-panic", ["sink", "variant"], [SUCCESS, MEAN, P50, P95, SLOWEST], order)


def logging_cost() -> str:
    order = ["0", "5x20", "5x100", "20x5"]
    return medians("logging-cost", ["sink", "variant"], [RATE, MEAN, P50, P99], order)


def request_coalescing() -> str:
    failed = Column("non-2xx of 5,000", "non2xx", lambda value: show.count(round(value)))
    columns = [RATE, failed, P50, P99, SLOWEST]
    return medians("request-coalescing", ["pool", "variant"], columns, ["without", "with"])


def quickstart() -> str:
    order = ["blocking", "asyncio", "threads"]
    frame = runs("quickstart").assign(all="")

    def rows() -> Iterator[Sequence[str]]:
        for name in order:
            matches = frame[frame["variant"] == name]
            yield [
                f"`{name}`",
                *(c.write(float(matches[c.name].median())) for c in (RATE, P50, P99)),
            ]

    return table(["", "requests/s", "p50", "p99"], rows())


def proxy_http_impl() -> str:
    metrics = [
        ("throughput", "throughput"),
        ("p99", "p99"),
        ("cpu_per_request", "processor time"),
        ("rss", "memory"),
    ]
    matches = ratios("proxy-http-impl", metrics)

    def rows() -> Iterator[Sequence[str]]:
        for label, cells in matches.items():
            if len(cells) == len(metrics):
                yield [label.removeprefix("fasthttp, "), *cells]

    return table(["", "throughput", "p99", "processor time per request", "memory"], rows())


def gateways() -> str:
    frame, order = runs("gateways"), ["none", "spring-cloud-gateway", "finagle-stand-in", "zuul"]
    of_none = ratios("gateways", [("throughput", "throughput")])
    figures = results("gateways").figures
    printed = figures[
        (figures["metric"] == "latency with added samples") & (figures["statistic"] == "mean")
    ]

    def rows() -> Iterator[Sequence[str]]:
        for name in order:
            mine = frame[frame["variant"] == name]
            share = of_none.get(name, ["1"])[0]
            with_added = printed[printed["run_id"].isin(mine["run_id"])]["value"]
            cells = [
                MEAN.write(float(mine["latency_mean_s"].median())),
                P99.write(float(mine["latency_p99_s"].median())),
                MEAN.write(float(with_added.median())),
            ]
            yield [name, RATE.write(float(mine["throughput_rps"].median())), share, *cells]

    return table(
        ["", "requests/s", "of none", "mean, measured", "p99, measured", "mean, as wrk prints it"],
        rows(),
    )


MADE: dict[str, Callable[[], str]] = {
    "gateways": gateways,
    "gin-panic": gin_panic,
    "logging-cost": logging_cost,
    "proxy-http-impl": proxy_http_impl,
    "quickstart": quickstart,
    "request-coalescing": request_coalescing,
}


@pytest.mark.parametrize("scenario", MADE)
def test_a_readme_states_what_the_sample_results_say(
    scenario: str, request: pytest.FixtureRequest
) -> None:
    path = ROOT / "benchkit" / "scenarios" / scenario / "README.md"
    text, made = path.read_text(encoding="utf-8"), MADE[scenario]()
    if request.config.getoption("--update-golden"):
        path.write_text(_BLOCK.sub(lambda _: made, text), encoding="utf-8", newline="\n")
        text = path.read_text(encoding="utf-8")
    assert _BLOCK.findall(text) == [made]


@pytest.mark.parametrize("scenario", MADE)
def test_each_variant_was_measured_eight_times(scenario: str) -> None:
    frame = results(scenario).runs
    counts = frame.groupby(["variant", "params"], dropna=False)["repeat"].nunique()
    assert counts.min() >= 8
