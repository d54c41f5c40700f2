"""Requests are read again when they are asked for, also by another process."""

import io
import pickle
from pathlib import Path

import pytest

import benchkit


def test_results_can_be_pickled_with_their_requests(data: Path) -> None:
    results = benchkit.load(data / "vegeta" / "two-attacks.gob")
    again = pickle.loads(pickle.dumps(results))  # noqa: S301 - our own bytes
    assert again.requests().equals(results.requests())
    first = results.runs["run_id"].iloc[0]
    assert len(again.requests(first)) == results.runs["requests"].iloc[0]


def test_requests_of_standard_input_are_kept(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = (data / "vegeta" / "ok.gob").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert len(benchkit.load("-").requests()) == 300
