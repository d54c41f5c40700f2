"""Requests to the figures of their run."""

from __future__ import annotations

import numpy as np
import pytest

from benchkit.parsing import RequestBatch
from benchkit.summary import RequestSummary, summarise

MS = 1_000_000
SECOND = 1_000 * MS


def batch(rows: list[tuple[int, int, int]], **more: object) -> RequestBatch:
    """Rows are (start in ms, latency in ms, status)."""
    start, latency, status = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return RequestBatch(
        latency_ns=latency * MS,
        started_ns=start * MS + 1_700_000_000 * SECOND,
        status=status.astype(np.int32),
        **more,  # type: ignore[arg-type]
    )


def test_counts_follow_the_status_codes() -> None:
    summary = RequestSummary()
    summary.add(batch([(0, 10, 200), (100, 10, 302), (200, 10, 404), (900, 100, 0)]))
    columns = summary.columns()
    assert columns["requests"] == 4
    assert columns["errors"] == 1
    assert columns["non2xx"] == 2
    assert columns["success_ratio"] == 0.5
    assert columns["duration_s"] == 1.0
    assert columns["wait_s"] == 0.1
    assert columns["throughput_rps"] == 3.0
    assert columns["goodput_rps"] == 2.0


def test_a_clock_of_whole_seconds_supports_no_duration() -> None:
    summary = RequestSummary()
    summary.add(batch([(0, 10, 200), (1000, 10, 200)], started_step_ns=SECOND))
    assert "duration_s" not in summary.columns()
    assert "throughput_rps" not in summary.columns()


def test_rows_of_two_attacks_are_two_runs() -> None:
    found: dict[str, RequestSummary] = {}
    rows = batch(
        [(0, 1, 200), (1, 5, 200), (2, 1, 200)],
        attack=np.array([0, 1, 0], np.int32),
        attacks=["old", "new"],
    )
    summarise(rows, found)
    assert {name: s.columns()["requests"] for name, s in found.items()} == {"old": 2, "new": 1}


def test_the_timeline_counts_what_is_in_flight() -> None:
    summary = RequestSummary()
    summary.add(batch([(0, 10, 200), (500, 2000, 200), (1500, 10, 500), (2600, 10, 0)]))
    rows = summary.timeline()
    assert [row["requests"] for row in rows] == [2, 1, 1]
    assert [row["in_flight"] for row in rows] == [1, 1, 0]
    assert [row["http_errors"] for row in rows] == [0, 1, 0]
    assert [row["errors"] for row in rows] == [0, 0, 1]
    assert rows[0]["latency_max_s"] == 2.0


def test_batches_add_up_to_the_whole() -> None:
    rng = np.random.default_rng(7)
    rows = [(i, int(ms), 200) for i, ms in enumerate(rng.integers(1, 5000, 4000))]
    whole, parts = RequestSummary(), RequestSummary()
    whole.add(batch(rows))
    for at in range(0, 4000, 333):
        parts.add(batch(rows[at : at + 333]))
    # Sums of squares are floats: their last bits depend on the order.
    assert parts.columns() == pytest.approx(whole.columns())
    assert parts.timeline() == whole.timeline()


def test_timestamps_a_century_apart_do_not_make_a_row_per_second() -> None:
    summary = RequestSummary()
    summary.add(batch([(0, 1, 200), (100 * 365 * 86_400_000, 1, 200)]))
    assert len(summary.timeline()) == 2
