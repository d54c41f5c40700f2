"""A dataset stands for the files that it was made of: the same tables, the same pages."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.compare.assess import Options
from benchkit.export import FORMATS, write_table
from benchkit.report.document import document
from benchkit.schema import TABLES
from tests.shares import share

DATA = Path(__file__).resolve().parent.parent / "data"
#: Drawn so that the tools of the harnesses are among them.
TOOLS = share(sorted(path.name for path in DATA.iterdir() if path.is_dir()), 10, seed=29)


def exported(results: Results, name: str, form: str = "csv") -> bytes:
    out = io.BytesIO()
    write_table(results, name, form=form, to=out)
    return out.getvalue()


def page(results: Results, form: str = "html") -> str:
    return document(results, form=form, title=None, baseline=None, options=Options(), command="")


@pytest.fixture(scope="module", params=TOOLS)
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Results, Results]:
    """What the recordings of a tool give, and what a dataset of them does."""
    folder = tmp_path_factory.mktemp("dataset") / request.param
    results = benchkit.load(DATA / request.param)
    results.ingest(folder, requests=True)
    return results, benchkit.load(folder)


def test_every_table_is_the_same_to_the_byte(pair: tuple[Results, Results]) -> None:
    """As Parquet, which keeps the most of what values are."""
    results, again = pair
    for name in TABLES:
        assert exported(again, name, "parquet") == exported(results, name, "parquet"), name


@pytest.mark.parametrize("form", FORMATS)
def test_it_is_the_same_in_every_form(form: str, tmp_path: Path) -> None:
    results = benchkit.load(DATA / "k6")
    results.ingest(tmp_path / "set", requests=True)
    again = benchkit.load(tmp_path / "set")
    for name in TABLES:
        assert exported(again, name, form) == exported(results, name, form), name
    assert page(again, "markdown") == page(results, "markdown")


def test_a_dataset_without_rows_has_all_but_the_rows(data: Path, tmp_path: Path) -> None:
    results = benchkit.load([data / "vegeta", data / "k6", data / "h2load"])
    results.ingest(tmp_path / "set")
    again = benchkit.load(tmp_path / "set")
    assert page(again) == page(results)
    assert again.findings().to_dict() == results.findings().to_dict()
    assert not again.has_requests
    assert len(again.requests()) == 0


def test_the_report_is_the_same_to_the_byte(pair: tuple[Results, Results]) -> None:
    results, again = pair
    assert page(again) == page(results)


def rows(path: Path, *, first: int, token: str = "") -> None:
    """Write what vegeta would of requests to two endpoints, a few of which fail."""
    lines = []
    for n in range(first, first + 400):
        sent_ns = 1_795_174_800_000_000_000 + n * 10_000_000
        status, url = 503 if n % 7 else 200, f"http://127.0.0.1:8931/{n % 2}?token={token}{n % 3}"
        latency_ns = 1_000_003 * (1 + n % 50)
        lines.append(f"{sent_ns},{status},{latency_ns},0,12,,SGVsbG8=,,{n},GET,{url},\n")
    path.write_text("".join(lines), encoding="utf-8")


def test_a_run_of_several_generators_is_still_the_sum(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    for number in range(3):
        rows(tmp_path / "raw" / f"gin-g{number}.csv", first=100 * number)
    results = benchkit.load(tmp_path / "raw", names="{variant}-{generator}")
    results.ingest(tmp_path / "set", requests=True)
    again = benchkit.load(tmp_path / "set")
    assert len(again) == 1
    for name in TABLES:
        assert exported(again, name) == exported(results, name), name
    assert page(again) == page(results)


def test_endpoints_that_redaction_makes_equal_are_one(tmp_path: Path) -> None:
    for first, variant in ((0, "a"), (5, "b")):
        rows(tmp_path / f"{variant}.csv", first=first, token=f"hunter2{variant}")
    results = benchkit.load([tmp_path / "a.csv", tmp_path / "b.csv"])
    bins = ["run_id", "slice_start_s", "endpoint", "outcome", "latency_low_s"]
    assert not results.histogram.duplicated(bins).any()
    assert results.histogram["count"].sum() == 800
    results.ingest(tmp_path / "set")
    again = benchkit.load(tmp_path / "set")
    assert exported(again, "histogram") == exported(results, "histogram")
    assert page(again) == page(results)
