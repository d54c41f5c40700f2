"""Requests to the figures of their run."""

from __future__ import annotations

import contextlib
import csv
import gzip
import math
import os
import pickle
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from benchkit.counting.cells import OTHERS, TABLE_ENDPOINTS, TABLE_SLICES
from benchkit.counting.counter import ENOUGH
from benchkit.counting.counter import Counter as Counted
from benchkit.counting.distribution import RELATIVE_ERROR
from benchkit.counting.slices import ENDPOINTS, MOST_SLICES, SLICE_ERROR
from benchkit.counting.summaries import Summaries
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.sources import open_source
from benchkit.parsers import vegeta_csv, vegeta_gob, vegeta_jsonl
from benchkit.parsing import HEAD_BYTES, RequestBatch, Source

MS = 1_000_000
SECOND = 1_000 * MS
START = 1_700_000_000 * SECOND
DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"
Latencies = npt.NDArray[np.int64]

QUANTILES = [0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0]

needs_compiler = pytest.mark.skipif(find_spec("numba") is None, reason="no numba here")


def batch(rows: list[tuple[int, int, int]], **more: object) -> RequestBatch:
    """Rows are (start in ms, latency in ms, status)."""
    start, latency, status = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return RequestBatch(
        latency_ns=latency * MS,
        started_ns=start * MS + START,
        status=status.astype(np.int32),
        **more,  # type: ignore[arg-type]
    )


def random_batch(rng: np.random.Generator, size: int, *, minutes: float = 1) -> RequestBatch:
    """Return requests of a few endpoints, some of them slow, failed or lost."""
    latency = np.exp(rng.normal(rng.uniform(9, 17), rng.uniform(0.1, 3), size)).astype(np.int64)
    started = np.sort(rng.integers(0, int(minutes * 60 * SECOND), size)) + START
    return RequestBatch(
        latency_ns=latency,
        started_ns=started - rng.integers(0, 50 * MS, size),
        status=rng.choice(np.array([200, 301, 404, 503, 0], np.int32), size),
        received_bytes=rng.integers(0, 10_000, size),
        sent_bytes=rng.integers(0, 100, size),
        seq=rng.permutation(size)[: size // 2].repeat(2)[:size] if size % 2 == 0 else None,
        error=rng.integers(-1, 2, size).astype(np.int32),
        method=rng.integers(-1, 2, size).astype(np.int32),
        url=rng.integers(0, 5, size).astype(np.int32),
        errors=["EOF", "timeout"],
        methods=["GET", "POST"],
        urls=[f"http://localhost/{n}" for n in range(5)],
    )


def summary_of(batches: Iterable[RequestBatch], *, compiled: bool = False) -> RequestSummary:
    matches = Summaries(compiled=compiled)
    for batch in batches:
        matches.add(batch)
    return matches.by_name().get("", RequestSummary())


def everything(summary: RequestSummary) -> dict[str, object]:
    """Return everything that a summary says."""
    return {
        "columns": summary.columns(),
        "quantiles": summary.quantiles(),
        "timeline": summary.timeline(),
        "statuses": dict(sorted(summary.statuses.items())),
        "errors": dict(sorted(summary.errors.items())),
        "outcomes": {
            name: (part.bins.tolist(), part.counts.tolist())
            for name, part in sorted(summary.outcomes.items())
        },
        "histogram": {name: list(values) for name, values in summary.cells().table().items()},
    }


def exactly(summary: RequestSummary) -> dict[str, object]:
    """Return everything that is kept: of the same requests in another order it differs."""
    slices = summary.slices
    cells = (slices.doublings, slices.keys.tolist(), slices.values.tolist())
    return everything(summary) | {"cells": cells}


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
    matches = Summaries()
    matches.add(
        batch(
            [(0, 1, 200), (1, 5, 200), (2, 1, 200)],
            attack=np.array([0, 1, 0], np.int32),
            attacks=["old", "new"],
        )
    )
    counts = {name: each.columns()["requests"] for name, each in matches.by_name().items()}
    assert counts == {"old": 2, "new": 1}


def test_the_timeline_counts_what_is_in_flight() -> None:
    summary = RequestSummary()
    summary.add(batch([(0, 10, 200), (500, 2000, 200), (1500, 10, 500), (2600, 10, 0)]))
    rows = summary.timeline()
    assert [row["requests"] for row in rows] == [2, 1, 1]
    assert [row["in_flight"] for row in rows] == [1, 1, 0]
    assert [row["http_errors"] for row in rows] == [0, 1, 0]
    assert [row["errors"] for row in rows] == [0, 0, 1]
    assert [row["span_s"] for row in rows] == [1, 1, 1]
    assert rows[0]["latency_max_s"] == 2.0


def test_the_quantiles_of_a_second_are_within_the_bound_of_a_slice() -> None:
    rng = np.random.default_rng(1)
    whole = random_batch(rng, 5000, minutes=0.1)
    assert whole.started_ns is not None
    at = (whole.started_ns - START) // SECOND
    rows = summary_of([replace(whole, started_ns=START + at * SECOND)]).timeline()
    for row in (row for row in rows if row["requests"]):
        middle = exact(whole.latency_ns[at - at.min() == row["second"]], 0.5)
        assert row["latency_p50_s"] == pytest.approx(middle, rel=SLICE_ERROR)


# --- merging is addition ---


@pytest.mark.parametrize("seed", range(5))
def test_parts_in_any_order_add_up_to_the_whole(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = random_batch(rng, 6000, minutes=rng.choice([0.01, 1, 30, 3000]))
    owner = rng.integers(0, 7, len(whole))
    parts = [summary_of([whole.where(owner == n)]) for n in range(7)]
    rng.shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert everything(total) == everything(summary_of([whole]))


@pytest.mark.parametrize("size", [1, 333, 5999])
def test_batches_add_up_to_the_whole(size: int) -> None:
    whole = random_batch(np.random.default_rng(7), 6000)
    at = np.arange(len(whole))
    chunks = [whole.where(at // size == n) for n in range(-(-len(whole) // size))][:400]
    expected = whole.where(at < 400 * size)
    assert everything(summary_of(chunks)) == everything(summary_of([expected]))


def test_endpoints_keep_their_names_when_parts_number_them_differently() -> None:
    names = {"methods": ["GET"], "urls": ["/a", "/b"], "method": np.zeros(2, np.int32)}
    rows = [(0, 1, 200), (1, 9, 200)]
    summary = summary_of([batch(rows, url=np.array([0, 0], np.int32), **names)])
    other = summary_of([batch(rows, url=np.array([1, 0], np.int32), **names)])
    total = (other + summary).cells().table()
    cells = zip(total["endpoint"], total["latency_low_s"], total["count"], strict=True)
    counts: dict[tuple[str, bool], int] = {}
    for name, low, count in cells:
        counts[name, low > 0.005] = counts.get((name, low > 0.005), 0) + int(count)
    assert counts == {("GET /a", False): 1, ("GET /a", True): 2, ("GET /b", False): 1}


# --- the tables ---


@pytest.mark.parametrize("minutes", [0.01, 1, 200])
def test_every_request_is_in_one_row_of_each_table(minutes: float) -> None:
    summary = summary_of([random_batch(np.random.default_rng(3), 5000, minutes=minutes)])
    sliced = summary.cells().table()
    assert summary.distribution.count == sum(sliced["count"]) == 5000
    assert len(set(sliced["slice_start_s"])) <= TABLE_SLICES
    assert -sliced["slice_s"][0] < min(sliced["slice_start_s"]) <= 0
    assert set(sliced["outcome"]) == {"success", "http-error", "no-response"}
    assert sum(row["requests"] for row in summary.timeline()) == 5000


def test_endpoints_beyond_the_busiest_are_one() -> None:
    size = 3 * ENDPOINTS
    urls = np.repeat(np.arange(size, dtype=np.int32), np.where(np.arange(size) % 2, 1, 3))
    rows = [(n, 1, 200) for n in range(len(urls))]
    summary = summary_of([batch(rows, url=urls, urls=[f"/{n}" for n in range(size)])])
    matches = summary.cells().table()
    names = set(matches["endpoint"])
    assert len(names) == TABLE_ENDPOINTS + 1
    assert OTHERS in names
    assert sum(matches["count"]) == len(urls)
    assert "url" not in summary.columns()


def test_without_instants_there_is_one_slice() -> None:
    summary = summary_of([replace(batch([(0, 5, 200), (9, 5, 500)]), started_ns=None)])
    assert set(summary.cells().table()["slice_s"]) == {None}
    assert sum(summary.cells().table()["count"]) == 2
    assert summary.timeline() == []


def test_timestamps_a_century_apart_do_not_make_a_row_per_second() -> None:
    summary = RequestSummary()
    summary.add(batch([(0, 1, 200), (100 * 365 * 86_400_000, 1, 200)]))
    assert len(summary.timeline()) == 2
    assert max(summary.cells().table()["slice_start_s"]) < TABLE_SLICES * 2**31


def test_a_day_is_kept_in_a_bounded_number_of_slices() -> None:
    hours = [(1000 * second, 20, 200) for second in range(0, 86_400, 3)]
    summary = summary_of([batch(hours)])
    assert len(summary.slices.keys) < 10 * MOST_SLICES
    rows = summary.timeline()
    assert {row["span_s"] for row in rows} == {32}
    assert [row["second"] for row in rows[:3]] == [0, 32, 64]


# --- machine code ---


def taken_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which every use of machine code adds the rows that it counts."""
    taken: list[int] = []
    add = Counted.add

    def counting(counter: Counted, batch: RequestBatch, to: RequestSummary) -> int:
        taken.append(add(counter, batch, to))
        return taken[-1]

    monkeypatch.setattr(Counted, "add", counting)
    return taken


@needs_compiler
@pytest.mark.parametrize("seed", range(8))
def test_machine_code_counts_as_numpy_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    minutes = (0.01, 1, 60, 3000)[seed % 4]
    batches = [random_batch(rng, ENOUGH + 100 * n, minutes=minutes) for n in range(3)]
    batches.append(random_batch(rng, 10, minutes=minutes))
    names = rng.integers(-1, 2, len(batches[0])).astype(np.int32)
    large = [random_batch(rng, 4 * ENOUGH, minutes=minutes) for _ in range(3)]
    for absent in ("", "started_ns", "status", "method", "url", "received_bytes", "error"):
        given = [replace(each, **dict.fromkeys(absent.split())) for each in batches]  # type: ignore[arg-type]
        assert everything(summary_of(given, compiled=True)) == everything(summary_of(given))
    both = []
    taken = taken_rows(monkeypatch)
    for compiled in (False, True):
        matches = Summaries(compiled=compiled)
        for each in large:
            matches.add(replace(each, attack=np.resize(names, len(each)), attacks=["a", "b"]))
        both.append({name: everything(each) for name, each in matches.by_name().items()})
    assert both[0] == both[1]
    assert sum(taken) == sum(map(len, large))


@needs_compiler
@pytest.mark.parametrize("order", ["in turn", "backwards", "shuffled", "two at once"])
def test_requests_may_come_in_any_order(order: str) -> None:
    rng = np.random.default_rng(4)
    batches = [random_batch(rng, 4 * ENOUGH, minutes=100) for _ in range(3)]
    every = np.arange(len(batches[0]))
    at = {
        "in turn": every,
        "backwards": every[::-1],
        "shuffled": rng.permutation(every),
        "two at once": np.argsort(every % (len(every) // 2), kind="stable"),
    }[order]
    given = [batch.where(at) for batch in batches]
    assert exactly(summary_of(given, compiled=True)) == exactly(summary_of(given))


@needs_compiler
def test_some_of_the_requests_may_have_no_times() -> None:
    rng = np.random.default_rng(5)
    batches = [random_batch(rng, 2 * ENOUGH, minutes=10) for _ in range(5)]
    given = [
        replace(batch, started_ns=None) if at % 2 else batch for at, batch in enumerate(batches)
    ]
    assert exactly(summary_of(given, compiled=True)) == exactly(summary_of(given))


@needs_compiler
@pytest.mark.parametrize("row", [0, ENOUGH + 7])
@pytest.mark.parametrize(
    ("column", "value"),
    [
        *[("latency_ns", 2**62), ("latency_ns", -1), ("status", 1024), ("status", -1)],
        ("started_ns", -5),
    ],
)
def test_from_the_first_row_on_that_machine_code_does_not_take_numpy_counts(
    column: str, value: int, row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    batches = [random_batch(rng, 2 * ENOUGH, minutes=1) for _ in range(3)]
    for each in batches[:2]:
        getattr(each, column)[row] = value
    taken = taken_rows(monkeypatch)
    assert everything(summary_of(batches, compiled=True)) == everything(summary_of(batches))
    assert taken == [row, row, 2 * ENOUGH]


@needs_compiler
def test_an_end_beyond_what_64_bits_hold_is_not_counted_by_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = random_batch(np.random.default_rng(3), 2 * ENOUGH, minutes=1)
    late.started_ns[5] = 2**63 - 1  # type: ignore[index]
    taken = taken_rows(monkeypatch)
    matches = Summaries(compiled=True)
    matches.add(late)
    assert taken == [5]


@needs_compiler
def test_names_that_are_shown_alike_are_one_endpoint_also_when_there_is_no_room() -> None:
    size = 3 * ENOUGH
    url = np.resize(np.arange(ENDPOINTS + 20), size).astype(np.int32)
    texts = [f"/{n}" for n in range(ENDPOINTS + 20)]
    texts[-1] = "/3"
    given = RequestBatch(
        latency_ns=np.full(size, MS), started_ns=np.arange(size) * MS + START, url=url, urls=texts
    )
    assert everything(summary_of([given], compiled=True)) == everything(summary_of([given]))


@needs_compiler
def test_an_empty_batch_changes_nothing() -> None:
    some = replace(random_batch(np.random.default_rng(1), 2 * ENOUGH), received_bytes=None)
    empty = replace(random_batch(np.random.default_rng(1), 2), started_ns=None).since(2)
    assert everything(summary_of([some, empty], compiled=True)) == everything(summary_of([some]))


@needs_compiler
def test_what_numpy_counts_may_make_the_slices_longer_that_machine_code_has_begun() -> None:
    rng = np.random.default_rng(4)
    short, long = (random_batch(rng, 5000, minutes=m) for m in (0.1, 5000))
    long.status[4999] = 5000  # type: ignore[index]
    after = random_batch(rng, 100, minutes=0.1)
    given = [short, long.since(4999), long, after]
    assert everything(summary_of(given, compiled=True)) == everything(summary_of(given))


@needs_compiler
def test_machine_code_takes_the_longest_and_the_shortest() -> None:
    edges = np.array([0, 1, 2047, 2048, 2**31 - 1, 2**31, 2**40 + 1, 2**53 + 1, 2**61], np.int64)
    latency = np.resize(
        np.concatenate([edges, 2 ** np.arange(61) + 1, 2 ** np.arange(61) - 1]), 9000
    )
    rows = RequestBatch(latency_ns=latency)
    assert everything(summary_of([rows], compiled=True)) == everything(summary_of([rows]))
    assert summary_of([rows], compiled=True).distribution.total_ns == sum(latency.tolist())


@needs_compiler
def test_more_cells_and_endpoints_than_there_is_room_for() -> None:
    rng = np.random.default_rng(5)
    size = 200_000
    given = RequestBatch(
        latency_ns=np.exp(rng.uniform(0, 40, size)).astype(np.int64),
        started_ns=rng.integers(0, 2**60, size),
        url=np.sort(rng.integers(0, 500, size)).astype(np.int32),
        urls=[f"/{n}" for n in range(500)],
    )
    assert everything(summary_of([given], compiled=True)) == everything(summary_of([given]))


# --- against the requests themselves ---


def gobs() -> list[Path]:
    matches = sorted(DATA.glob("*.gob*"))
    corpus = os.environ.get("BENCHKIT_CORPUS")
    if corpus:
        matches += sorted(path for path in Path(corpus).rglob("*") if is_gob(path))
    return [path for path in matches if path.suffix != ".cmd"]


def is_gob(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return bool(vegeta_gob.sniff(Source.from_bytes(file.read(HEAD_BYTES))))


def rows_until_broken(source: Source) -> Iterator[RequestBatch]:
    with contextlib.suppress(InputError):
        yield from vegeta_gob.rows(source)


def exact(values: Latencies, quantile: float) -> float:
    """Return a nearest-rank order statistic in s."""
    ordered = np.sort(values)
    return float(ordered[max(math.ceil(quantile * len(ordered) - 1e-9), 1) - 1] / 1e9)


def check_against(summary: RequestSummary, latency: Latencies) -> None:
    for quantile in QUANTILES:
        (context,) = summary.distribution.quantiles_s([quantile])
        assert context == pytest.approx(
            exact(latency, quantile), rel=RELATIVE_ERROR * 1.0001, abs=0
        )
    columns = summary.columns()
    total = sum(latency.tolist())
    assert summary.distribution.total_ns == total
    assert columns["requests"] == len(latency)
    assert columns["latency_min_s"] == int(latency.min()) / 1e9
    assert columns["latency_max_s"] == int(latency.max()) / 1e9
    assert columns["latency_mean_s"] == pytest.approx(total / len(latency) / 1e9, rel=1e-15)


@pytest.mark.parametrize("path", gobs(), ids=lambda path: path.name)
def test_figures_of_recorded_results_are_those_of_their_rows(path: Path) -> None:
    batches = list(rows_until_broken(open_source(path, name=path.name).source))
    if not batches:
        pytest.skip("no complete result in it")
    matches = Summaries()
    for batch in batches:
        matches.add(batch)
    total = RequestSummary()
    for summary in matches.by_name().values():
        total = total + summary
    check_against(total, np.concatenate([batch.latency_ns for batch in batches]))


@pytest.mark.parametrize("seed", range(200))
def test_quantiles_of_random_latencies_are_within_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = random_batch(rng, int(10 ** rng.uniform(0, 3.5)))
    check_against(summary_of([whole]), whole.latency_ns)


@pytest.mark.parametrize("name", ["ok", "errors", "mixed-post"])
def test_counts_and_sums_are_those_of_vegetas_own_csv(name: str) -> None:
    rows = list(csv.reader((DATA / f"{name}.csv").read_text().splitlines()))
    summary = summary_of(vegeta_gob.rows(Source.from_bytes((DATA / f"{name}.gob").read_bytes())))
    check_csv(summary, rows)


def test_counts_and_sums_are_those_of_vegeta_encode(need: Callable[[str], str]) -> None:
    vegeta = need("vegeta")
    raw = gzip.decompress((DATA / "large.gob.gz").read_bytes())
    command = [vegeta, "encode", "-to", "csv"]
    text = subprocess.run(command, input=raw, capture_output=True, check=True).stdout.decode()
    check_csv(
        summary_of(vegeta_gob.rows(Source.from_bytes(raw))), list(csv.reader(text.splitlines()))
    )


@pytest.mark.parametrize("name", ["ok", "errors", "mixed-post"])
def test_binary_csv_and_json_of_a_run_say_the_same(name: str) -> None:
    binary, text, lines = (
        everything(
            summary_of(parser.rows(Source.from_bytes((DATA / f"{name}.{suffix}").read_bytes())))
        )
        for module, suffix in ((vegeta_gob, "gob"), (vegeta_csv, "csv"), (vegeta_jsonl, "json"))
        for parser in module.PARSERS
    )
    assert binary == text == lines


def check_csv(summary: RequestSummary, rows: list[list[str]]) -> None:
    """Columns are instant, status, latency, bytes out, bytes in, error, …"""
    latency = [int(row[2]) for row in rows]
    assert summary.distribution.total_ns == sum(latency)
    assert (summary.distribution.min_ns, summary.distribution.max_ns) == (
        min(latency),
        max(latency),
    )
    assert summary.distribution.squares_ns2 == sum(ns * ns for ns in latency)
    columns = summary.columns()
    assert columns["requests"] == len(rows)
    assert columns["sent_bytes"] == sum(int(row[3]) for row in rows)
    assert columns["received_bytes"] == sum(int(row[4]) for row in rows)
    assert summary.statuses == Counter(int(row[1]) for row in rows)
    assert summary.errors == Counter(row[5] for row in rows if row[5])


class Growing(list[str]):
    """Texts to which whoever reads ahead has added one whenever they are counted."""

    def __len__(self) -> int:
        size = super().__len__()
        self.append(f"later {size}")
        return size


@needs_compiler
def test_texts_that_are_read_meanwhile_change_nothing() -> None:
    rng = np.random.default_rng(5)
    batches = [random_batch(rng, 4 * ENOUGH, minutes=1) for _ in range(3)]
    first = batches[0]
    shared = [replace(batch, methods=first.methods, urls=first.urls) for batch in batches]
    methods, urls = Growing(first.methods), Growing(first.urls)
    growing = [replace(batch, methods=methods, urls=urls) for batch in batches]
    assert everything(summary_of(growing, compiled=True)) == everything(summary_of(shared))


def test_what_rests_says_the_same_and_is_smaller() -> None:
    summary = summary_of([random_batch(np.random.default_rng(1), 50_000, minutes=20)])
    awake = len(pickle.dumps(summary))
    known = everything(summary)

    summary.rest()

    assert len(pickle.dumps(summary)) < 0.6 * awake
    assert everything(summary) == known
    assert everything(pickle.loads(pickle.dumps(summary))) == known  # noqa: S301 - our own


def test_what_rests_can_be_added_to() -> None:
    rng = np.random.default_rng(1)
    parts = [random_batch(rng, 20_000, minutes=20) for _ in range(2)]
    summary = summary_of(parts[:1])
    summary.rest()
    summary.add(parts[1])

    assert everything(summary) == everything(summary_of(parts))
