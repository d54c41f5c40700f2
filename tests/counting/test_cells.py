"""What tables, checks and figures look at: counts by slice, endpoint, outcome and latency."""

from __future__ import annotations

import numpy as np
import pytest

from benchkit.counting.cells import Cells, LatencyMatrix, quantiles
from benchkit.counting.slices import SLICE_ERROR
from benchkit.counting.summaries import Summaries
from benchkit.parsing import RequestBatch

MS = 1_000_000
SECOND = 1_000 * MS


def cells(*, timed: bool = True, status: bool = True) -> Cells:
    """8 requests in 4 s: each second one of 10 ms and one of 40, the last of which was lost."""
    latency = np.array([10, 40] * 4, np.int64) * MS
    summaries = Summaries()
    summaries.add(
        RequestBatch(
            latency_ns=latency,
            started_ns=np.repeat(np.arange(4), 2) * SECOND if timed else None,
            status=np.array([200] * 7 + [0], np.int32) if status else None,
            method=np.zeros(8, np.int32),
            url=np.array([0, 1] * 4, np.int32),
            methods=["GET"],
            urls=["/fast", "/slow"],
        )
    )
    return summaries.by_name()[""].cells()


def matrix(made: Cells) -> LatencyMatrix:
    assert made.matrix is not None
    return made.matrix


def test_rows_of_the_table_give_the_cells_back() -> None:
    for made in (cells(), cells(timed=False), cells(status=False)):
        table = made.table()
        seconds = {name for name in table if name.endswith("_s")}
        columns = {
            name: np.array(values, float if name in seconds else object)
            for name, values in table.items()
        }
        again = Cells.of_columns(columns).table()
        assert {name: list(values) for name, values in again.items()} == {
            name: list(values) for name, values in table.items()
        }


def test_endpoints_of_one_name_are_one() -> None:
    made = cells()
    renamed = made.renamed(lambda _: "any")
    assert renamed.names == ["any"]
    assert set(renamed.endpoints.tolist()) == {0}
    assert renamed.counts.sum() == made.counts.sum()
    for name in ("success", "http-error", "no-response"):
        ours, theirs = (each.distribution(name) for each in (renamed, made))
        assert (ours.bins.tolist(), ours.counts.tolist()) == (
            theirs.bins.tolist(),
            theirs.counts.tolist(),
        )
    assert matrix(renamed).counts.tolist() == matrix(made).counts.tolist()


def test_a_distribution_is_of_one_outcome_or_of_all() -> None:
    made = cells()
    assert [made.distribution(name).count for name in ("success", "no-response")] == [7, 1]
    assert made.distribution().count == 8
    assert made.distribution().quantiles_s([0.5])[0] == pytest.approx(0.010, rel=SLICE_ERROR)
    assert made.distribution("http-error").count == 0


def test_a_matrix_has_a_row_per_slice_also_where_nothing_was_sent() -> None:
    slices = matrix(cells())
    assert slices.counts.sum() == 8
    assert len(slices) == len(slices.starts_s)
    assert np.diff(slices.starts_s) == pytest.approx(slices.length_s)
    assert slices.answered is not None
    assert slices.good is not None
    assert (slices.answered.sum(), slices.good.sum()) == (7, 7)


def test_without_instants_there_is_no_matrix_and_without_status_no_answers() -> None:
    assert cells(timed=False).matrix is None
    assert matrix(cells(status=False)).answered is None


def test_what_was_sent_since_a_slice_begins_anew() -> None:
    made = cells()
    number = int(made.slices.max()) // 2
    later = made.since(number)
    assert later.counts.sum() == made.counts[made.slices >= number].sum()
    assert later.slices.min() == made.slices[made.slices >= number].min() - number
    assert not made.since(10**6).counts.size


def test_a_quantile_is_the_middle_of_its_bin_and_of_redrawn_counts_its_share_of_it() -> None:
    bins_s = np.array([[1.0, 2.0], [2.0, 3.0]])
    counts = np.array([[10, 0], [5, 5]])
    assert quantiles(counts, bins_s, np.array([0.5])).tolist() == [[1.5], [1.5]]
    middle = quantiles(counts, bins_s, np.array([0.5, 1.0]), smooth=True)
    assert middle.tolist() == [[1.45, 1.95], [1.9, 2.9]]
