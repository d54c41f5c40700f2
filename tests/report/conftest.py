"""The results of tests/report/samples.py as fixtures, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any

import pytest

from benchkit.api import Results
from tests.report.pages import Pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLES = run_path(str(Path(__file__).parents[1] / "report" / "samples.py"))
pair_rows, summary_rows = SAMPLES["pair_rows"], SAMPLES["summary_rows"]
request_rows, together = SAMPLES["request_rows"], SAMPLES["together"]

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def pair() -> Rows:
    made: Rows = pair_rows()
    return made


@pytest.fixture
def summaries() -> Results:
    return Results.from_tables(summary_rows())


@pytest.fixture
def known() -> Rows:
    made: Rows = request_rows()
    return made


@pytest.fixture
def every_row() -> Rows:
    made: Rows = together(pair_rows(), summary_rows(), request_rows(), {"files": SAMPLES["FILES"]})
    return made


@pytest.fixture
def everything(every_row: Rows) -> Results:
    return Results.from_tables(every_row)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Pages that tests open and do not change."""
    return Pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture
def written(everything: Results, pages: Pages) -> Path:
    """The page of all there is."""
    return pages.kept("everything", lambda: everything)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api")
    quiet = run_path(str(Path(__file__).parents[1] / "report" / "browsing.py"))["QUIET"]
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(quiet))
        yield started
        started.close()
