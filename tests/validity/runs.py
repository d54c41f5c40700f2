"""Runs written down in a line, and what the checks say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pandas as pd

import benchkit
from benchkit.api import Results
from benchkit.model.variant import Variant
from benchkit.parsing import RequestBatch
from benchkit.schema import REQUESTS
from benchkit.validity import Finding, examine

#: What the outputs of a tool mean.
MEANINGS: Mapping[str, Mapping[str, Any]] = {
    "wrk": {"load_model": "closed", "correction": "backfilled", "resolution_s": 1e-6},
    "wrk2": {"load_model": "open", "resolution_s": 1e-6, "clock": "due-to-last-byte"},
    "ab": {"load_model": "closed", "correction": "none", "resolution_s": 1e-3},
    "autocannon": {"resolution_s": 1e-3},
    "vegeta": {"load_model": "open", "correction": "none", "resolution_s": 1e-9},
}


@dataclass
class One:
    """One run: its columns, and rows of the other tables."""

    tool: str
    variant: str
    columns: Mapping[str, Any]
    figures: Mapping[tuple[str, str], float] = field(default_factory=dict)
    texts: Mapping[str, int | None] = field(default_factory=dict)
    medians: tuple[float, ...] = ()
    maxima: tuple[float, ...] = ()
    sends: tuple[int, ...] = ()
    loads: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    rows: pd.DataFrame | None = None


def run(tool: str, variant: str = "a", /, **columns: Any) -> One:  # noqa: ANN401 - cells of any kind
    """Return a run.

    No columns are figures, texts (errors), rows, and, per second, medians (s), maxima (s), sends
    and, by process, loads (processors kept busy).
    """
    names = ("figures", "texts", "medians", "maxima", "sends", "loads", "rows")
    parts = {name: columns.pop(name) for name in names if name in columns}
    return One(tool, variant, {**MEANINGS[tool], **columns}, **parts)


def results(*runs: One) -> Results:
    """Return the results of some runs of one scenario."""
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("runs", "figures", "errors", "timeline", "resources")
    }
    readers = {}
    for number, finding in enumerate(runs):
        run_id = f"run-{number}"
        named = {"run_id": run_id, "scenario": "s", "variant": finding.variant, "params": "{}"}
        named |= {
            "label": f"{finding.variant} {number}",
            "tool": finding.tool,
            "format": finding.tool,
        }
        rows["runs"].append({**named, "source": "f", "sha256": "0", **finding.columns})
        rows["figures"] += [
            {"run_id": run_id, "metric": metric, "statistic": statistic, "value": value}
            for (metric, statistic), value in finding.figures.items()
        ]
        rows["errors"] += [
            {"run_id": run_id, "error": text, "count": count}
            for text, count in finding.texts.items()
        ]
        rows["timeline"] += [
            {
                "run_id": run_id,
                "second": second,
                "span_s": 1.0,
                "requests": 100 if count is None else count,
                "latency_p50_s": median,
                "latency_max_s": largest,
            }
            for second, (median, largest, count) in enumerate(
                zip_longest(finding.medians, finding.maxima, finding.sends)
            )
        ]
        rows["resources"] += [
            {"run_id": run_id, "elapsed_s": at + 1.0, "process": process, "cpu_ratio": load}
            for process, loads in finding.loads.items()
            for at, load in enumerate(loads)
        ]
        if finding.rows is not None:
            readers[run_id] = _Reader(finding.rows)
    return Results.from_tables(rows, readers)


@dataclass
class _Reader:
    frame: pd.DataFrame
    kept: None = None

    def __call__(self) -> Iterator[pd.DataFrame]:
        yield self.frame

    def batches(self) -> Iterator[RequestBatch]:
        yield RequestBatch(
            latency_ns=(self.frame["latency_s"].to_numpy(float) * 1e9).round().astype("int64"),
            started_ns=self.frame["started_at"].to_numpy("datetime64[ns]").astype("int64"),
            seq=self.frame["seq"].to_numpy("int64"),
        )


def sent(
    seq: list[int], *, started_s: list[float] | None = None, latency_s: float = 0.01
) -> pd.DataFrame:
    """Return rows of `requests` with these numbers, sent at these times, all of one latency."""
    times = started_s or [number / 100 for number in seq]
    return REQUESTS.frame(
        {
            "run_id": "r",
            "latency_s": latency_s,
            "seq": number,
            "started_at": pd.Timestamp(at, unit="s", tz="UTC"),
        }
        for number, at in zip(seq, times, strict=True)
    )


def raised(check: str, *runs: One) -> list[Finding]:
    """Return what one check finds in these runs."""
    return [finding for finding in examine(results(*runs)).findings if finding.check == check]


def in_file(check: str, *paths: Path) -> list[Finding]:
    """Return what one check finds in recorded outputs."""
    return [
        finding
        for finding in examine(benchkit.load(list(paths))).findings
        if finding.check == check
    ]


def state(check: str, *runs: One) -> set[str]:
    """Return what became of one check on these runs: raised, passed, not applicable."""
    return {status.state for status in examine(results(*runs)).statuses if status.check == check}


def plain(text: str) -> str:
    """Return a message with ordinary spaces."""
    return text.replace("\u00a0", " ")


def forbidden(findings: Iterable[Finding], baseline: Variant, variant: Variant) -> str:
    """Return why there may be no verdict between two variants, empty where one may."""
    ids = {*baseline.run_ids, *variant.run_ids}
    about = (f for f in findings if f.forbids and not ids.isdisjoint(f.run_ids))
    return next((f.forbids for f in about if f.concerns((baseline, variant))), "")
