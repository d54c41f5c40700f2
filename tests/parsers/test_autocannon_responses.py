"""autocannon's responses, counted by second, status and latency."""

from pathlib import Path

import pytest

import benchkit
from benchkit.errors import InputError
from benchkit.parsers import autocannon_responses
from benchkit.parsing import RequestBatch, Source

DATA = Path(__file__).parent.parent / "data" / "autocannon"
HEADER = "sent_ms,status,latency_us,count\n"


def batches(text: str) -> list[RequestBatch]:
    return list(autocannon_responses.rows(Source.from_bytes(text.encode())))


def test_a_row_is_as_many_requests_as_it_counts() -> None:
    (rows,) = batches(HEADER + "1795181238338,200,2134,2\n1795181239338,503,51,1\n")
    assert rows.repeats is not None
    assert rows.repeats.tolist() == [2, 1]
    (batch,) = rows.expanded()
    assert batch.latency_ns.tolist() == [2_134_000, 2_134_000, 51_000]
    assert batch.status is not None
    assert batch.status.tolist() == [200, 200, 503]
    assert batch.started_ns is not None
    assert batch.started_ns.tolist()[1:] == [1795181238338 * 10**6, 1795181239338 * 10**6]
    assert batch.started_step_ns == 10**9


def test_without_a_status_nothing_is_said_of_the_outcome() -> None:
    (batch,) = batches(HEADER + "1795181238338,,2134,2\n")
    assert batch.status is None


def test_it_is_one_run_with_the_result_beside_it() -> None:
    results = benchkit.load([DATA / "responses.csv", DATA / "responses.json"])
    (run,) = results.runs.to_dict("records")
    assert run["format"] == "autocannon-responses"
    assert (run["requests"], run["errors"], run["success_ratio"]) == (3678, 0, 1.0)
    assert run["throughput_rps"] == 1839.0  # from the result
    assert run["latency_p50_s"] == pytest.approx(164e-6)  # where the result has 0
    assert run["latency_max_s"] == 34.97e-3
    assert len(results.timeline) == 2


def test_requests_without_a_response_are_told_by_the_result() -> None:
    results = benchkit.load([DATA / "responses-timeout.csv", DATA / "responses-timeout.json"])
    (run,) = results.runs.to_dict("records")
    assert (run["requests"], run["errors"], run["timeouts"]) == (468, 8, 8)
    assert run["success_ratio"] == pytest.approx(468 / 476)


@pytest.mark.parametrize(
    ("text", "line", "actual"),
    [
        (HEADER, 2, "none"),
        (HEADER + "1795181238338,200,2134,2\n1795181238338,200,21", 3, "1795181238338,200,21"),
        (HEADER + "1795181238338,200,2134,99999999999\n", 2, "1795181238338,200,2134,99999999999"),
    ],
    ids=["empty", "cut", "too many"],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, actual: str) -> None:
    source = Source.from_bytes(text.encode())
    with pytest.raises(InputError) as caught:
        list(autocannon_responses.rows(source))
    assert caught.value.where is not None
    assert (caught.value.where.line, caught.value.actual) == (line, actual)


def test_other_csv_is_not_ours() -> None:
    assert not autocannon_responses.sniff(Source.from_bytes(b"sent_ms,status\n1,200\n"))
    assert autocannon_responses.sniff(Source.from_bytes(HEADER.encode()))
