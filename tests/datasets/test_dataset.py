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

DATA = Path(__file__).resolve().parent.parent / "data"
TOOLS = sorted(path.name for path in DATA.iterdir() if path.is_dir())


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


@pytest.mark.parametrize("form", FORMATS)
def test_every_table_is_the_same_to_the_byte(pair: tuple[Results, Results], form: str) -> None:
    results, again = pair
    for name in TABLES:
        assert exported(again, name, form) == exported(results, name, form), name


def test_a_dataset_without_rows_has_all_but_the_rows(data: Path, tmp_path: Path) -> None:
    results = benchkit.load([data / "vegeta", data / "k6", data / "h2load"])
    results.ingest(tmp_path / "set")
    again = benchkit.load(tmp_path / "set")
    assert page(again) == page(results)
    assert again.findings().to_dict() == results.findings().to_dict()
    assert not again.has_requests
    assert len(again.requests()) == 0


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_the_report_is_the_same_to_the_byte(pair: tuple[Results, Results], form: str) -> None:
    results, again = pair
    assert page(again, form) == page(results, form)
